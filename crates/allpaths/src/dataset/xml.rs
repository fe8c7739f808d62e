//! XML as tags and text, borrowed from the file.
//!
//! What files of graphs need of it: elements, attributes, text, references to characters. Comments, processing
//! instructions and document types are passed over; an entity that a document type declares is not known.

use std::borrow::Cow;

use super::text::{self, Text, shown};
use crate::{Error, Result};

/// An element's opening tag.
#[derive(Clone, Copy)]
pub(super) struct Tag<'a> {
    full_name: &'a str,
    is_empty: bool,
    /// Where it ends.
    pub(super) at: usize,
}

impl<'a> Tag<'a> {
    /// Its name without the prefix of a namespace.
    #[inline]
    pub(super) fn name(&self) -> &'a str {
        match self.full_name.bytes().position(|byte| byte == b':') {
            Some(colon) => &self.full_name[colon + 1..],
            None => self.full_name,
        }
    }
}

enum Item<'a> {
    Open(Tag<'a>),
    /// A closing tag, by its name.
    Close(&'a str),
    /// Text as it stands there.
    Text(&'a str),
    /// Text in which nothing is a reference.
    Plain(&'a str),
    /// Something that means nothing here.
    Aside,
    End,
}

pub(super) struct Xml<'a> {
    text: &'a Text,
    all: &'a str,
    rest: &'a str,
    /// Those of the tag that was opened last.
    attributes: Vec<(&'a str, &'a str)>,
}

impl<'a> Xml<'a> {
    pub(super) fn new(text: &'a Text) -> Result<Self> {
        let all = text.str()?;
        match encoding(all) {
            Some(name) if !all.is_ascii() && !name.eq_ignore_ascii_case("utf-8") => {
                Err(text.error(1, format!("expected the encoding UTF-8, found {name}")))
            }
            _ => Ok(Self { text, all, rest: all, attributes: Vec::new() }),
        }
    }

    fn place(&self) -> usize {
        self.all.len() - self.rest.len()
    }

    fn error(&self, reason: impl Into<String>) -> Error {
        self.text.error_at(self.place(), reason)
    }

    fn missing(&self, what: &str) -> Error {
        self.error(format!("expected {what}, found the end of the file"))
    }

    /// The element that holds all others.
    pub(super) fn root(&mut self) -> Result<Tag<'a>> {
        loop {
            match self.next()? {
                Item::Open(tag) => return Ok(tag),
                Item::Aside => {}
                Item::Text(text) if text.trim_ascii().is_empty() => {}
                _ => return Err(self.error("expected an opening tag")),
            }
        }
    }

    /// The next element inside another; nothing at that one's end.
    #[inline]
    pub(super) fn child(&mut self, parent: &Tag<'a>) -> Result<Option<Tag<'a>>> {
        if parent.is_empty {
            return Ok(None);
        }
        loop {
            self.rest = self.rest.trim_ascii_start();
            let place = self.place();
            match self.next()? {
                Item::Open(tag) => return Ok(Some(tag)),
                Item::Close(name) => return self.check_close(parent.full_name, name).map(|()| None),
                Item::Aside => {}
                Item::Text(text) | Item::Plain(text) => {
                    let found = shown(text.trim().as_bytes());
                    let reason = format!("expected a tag in <{}>, found {found}", parent.name());
                    return Err(self.text.error_at(place, reason));
                }
                Item::End => return Err(self.unclosed(parent.full_name)),
            }
        }
    }

    /// The text of an element, and the name of an element inside it, if there is one.
    #[inline]
    pub(super) fn content(&mut self, parent: &Tag<'a>) -> Result<(Cow<'a, str>, Option<&'a str>)> {
        let mut content = Cow::Borrowed("");
        let mut nested = None;
        if parent.is_empty {
            return Ok((content, nested));
        }
        loop {
            let text = match self.next()? {
                Item::Text(text) => self.resolved(text, |byte| matches!(byte, b'&' | b'\r'), "\n")?,
                Item::Plain(text) => self.resolved(text, |byte| byte == b'\r', "\n")?,
                Item::Open(tag) => {
                    self.skip(&tag)?;
                    nested = Some(tag.name());
                    continue;
                }
                Item::Close(name) => {
                    return self.check_close(parent.full_name, name).map(|()| (content, nested));
                }
                Item::Aside => continue,
                Item::End => return Err(self.unclosed(parent.full_name)),
            };
            if content.is_empty() {
                content = text;
            } else {
                content.to_mut().push_str(&text);
            }
        }
    }

    /// Passes over everything inside an element.
    pub(super) fn skip(&mut self, tag: &Tag<'a>) -> Result<()> {
        let mut open = Vec::new();
        open.extend((!tag.is_empty).then_some(tag.full_name));
        while let Some(&innermost) = open.last() {
            match self.next()? {
                Item::Open(tag) => open.extend((!tag.is_empty).then_some(tag.full_name)),
                Item::Close(name) => {
                    self.check_close(innermost, name)?;
                    open.pop();
                }
                Item::Text(_) | Item::Plain(_) | Item::Aside => {}
                Item::End => return Err(self.unclosed(innermost)),
            }
        }
        Ok(())
    }

    /// Goes back into an element, to where its tag ends.
    pub(super) fn go_back(&mut self, tag: &Tag<'a>) {
        self.rest = &self.all[tag.at..];
    }

    /// The values of some attributes of the tag that was opened last.
    #[inline]
    pub(super) fn values<const N: usize>(&self, names: [&str; N]) -> Result<[Option<Cow<'a, str>>; N]> {
        let is_special = |byte| matches!(byte, b'&' | b'\r' | b'\n' | b'\t');
        let mut values = [const { None }; N];
        for &(name, value) in &self.attributes {
            if let Some(place) = names.iter().position(|&known| known == name)
                && values[place].replace(self.resolved(value, is_special, " ")?).is_some()
            {
                return Err(self.error(format!("expected one {name}, found a second one")));
            }
        }
        Ok(values)
    }

    #[inline]
    fn check_close(&self, expected: &str, found: &str) -> Result<()> {
        if expected == found {
            return Ok(());
        }
        Err(self.error(format!("expected </{expected}>, found </{found}>")))
    }

    fn unclosed(&self, name: &str) -> Error {
        self.missing(&format!("</{name}>"))
    }

    #[inline]
    fn next(&mut self) -> Result<Item<'a>> {
        match self.rest.as_bytes() {
            [] => Ok(Item::End),
            [b'<', b'/', ..] => {
                let end = self.rest.bytes().position(|byte| byte == b'>').ok_or_else(|| self.missing(">"))?;
                let name = self.rest[2..end].trim_ascii_end();
                self.rest = &self.rest[end + 1..];
                Ok(Item::Close(name))
            }
            [b'<', b'!' | b'?', ..] => self.aside(),
            [b'<', ..] => self.open().map(Item::Open),
            bytes => {
                let end = bytes.iter().position(|&byte| byte == b'<').unwrap_or(bytes.len());
                let (text, rest) = self.rest.split_at(end);
                self.rest = rest;
                Ok(Item::Text(text))
            }
        }
    }

    /// Reads an opening tag and its attributes.
    #[inline]
    fn open(&mut self) -> Result<Tag<'a>> {
        let (full_name, mut rest) = cut_name(&self.rest[1..]);
        self.attributes.clear();
        let is_empty = loop {
            rest = rest.trim_ascii_start();
            match rest.as_bytes() {
                [] => return Err(self.missing("> at the end of the tag")),
                [b'>', ..] => break false,
                [b'/', b'>', ..] => break true,
                _ => {
                    let Some((name, value, after)) = attribute(rest) else {
                        let found = rest.split('>').next().unwrap_or_default();
                        let reason = format!(
                            "expected attributes as name=\"value\", found {}",
                            shown(found.as_bytes())
                        );
                        return Err(self.error(reason));
                    };
                    self.attributes.push((name, value));
                    rest = after;
                }
            }
        };
        if full_name.is_empty() {
            return Err(self.error("expected a name after <, found none"));
        }
        self.rest = &rest[if is_empty { 2 } else { 1 }..];
        Ok(Tag { full_name, is_empty, at: self.place() })
    }

    /// Text with references resolved and line ends as they should be; nothing changes but at special bytes.
    #[inline]
    fn resolved(
        &self,
        text: &'a str,
        is_special: impl Fn(u8) -> bool,
        line_end: &str,
    ) -> Result<Cow<'a, str>> {
        let next = |text: &str| text.bytes().position(&is_special);
        let Some(mut start) = next(text) else { return Ok(Cow::Borrowed(text)) };
        let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
        loop {
            plain.push_str(&rest[..start]);
            rest = &rest[start..];
            rest = if rest.starts_with('&') {
                let reference = rest.split_inclusive(';').next().unwrap_or(rest);
                let character = reference[1..].strip_suffix(';').and_then(text::character);
                let Some(character) = character.filter(|&character| character != '\0') else {
                    let found = shown(reference.as_bytes());
                    return Err(self.error(format!("expected a reference to a character, found {found}")));
                };
                plain.push(character);
                &rest[reference.len()..]
            } else {
                plain.push_str(line_end);
                rest.strip_prefix("\r\n").unwrap_or(&rest[1..])
            };
            match next(rest) {
                Some(next) => start = next,
                None => return Ok(Cow::Owned(plain + rest)),
            }
        }
    }

    /// Reads what begins with `<!` or `<?`: a section of plain text, or something to pass over.
    fn aside(&mut self) -> Result<Item<'a>> {
        const SECTION: &str = "<![CDATA[";
        let (start, end) = match self.rest.as_bytes() {
            [b'<', b'?', ..] => (2, "?>"),
            [b'<', b'!', b'-', b'-', ..] => (4, "-->"),
            _ if self.rest.starts_with(SECTION) => (SECTION.len(), "]]>"),
            _ if self.rest.starts_with("<!DOCTYPE") => {
                self.rest = declared(self.rest).ok_or_else(|| self.missing(">"))?;
                return Ok(Item::Aside);
            }
            _ => return Err(self.error("expected a tag or a comment, found <!")),
        };
        let (inside, rest) = self.rest[start..].split_once(end).ok_or_else(|| self.missing(end))?;
        self.rest = rest;
        Ok(if end == "]]>" { Item::Plain(inside) } else { Item::Aside })
    }
}

/// What follows a declaration that may have others inside it.
fn declared(text: &str) -> Option<&str> {
    let (mut rest, mut depth) = (text, 0);
    loop {
        rest = &rest[rest.find(['<', '>', '"', '\''])?..];
        rest = match rest.as_bytes() {
            [b'<', b'?', ..] => rest[2..].split_once("?>")?.1,
            [b'<', b'!', b'-', b'-', ..] => rest[4..].split_once("-->")?.1,
            [quote @ (b'"' | b'\''), ..] => rest[1..].split_once(char::from(*quote))?.1,
            [sign, ..] => {
                depth += if *sign == b'<' { 1 } else { -1 };
                &rest[1..]
            }
            [] => return None,
        };
        if depth == 0 {
            return Some(rest);
        }
    }
}

/// The encoding that a file says it is in.
fn encoding(all: &str) -> Option<&str> {
    let declaration = all.strip_prefix("<?xml")?.split("?>").next()?;
    attribute(&declaration[declaration.find("encoding")?..]).map(|(_, name, _)| name)
}

/// The name and value of the first attribute, and what follows it.
#[inline]
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = cut_name(text);
    let rest = rest.trim_ascii_start().strip_prefix('=')?.trim_ascii_start();
    let quote = *rest.as_bytes().first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let rest = &rest[1..];
    let end = rest.bytes().position(|byte| byte == quote)?;
    (!name.is_empty()).then(|| (name, &rest[..end], &rest[end + 1..]))
}

/// The name at the start, perhaps empty, and what follows it.
#[inline]
fn cut_name(text: &str) -> (&str, &str) {
    let ends = |byte: u8| byte.is_ascii_whitespace() || b"=/>\"'<".contains(&byte);
    text.split_at(text.bytes().position(ends).unwrap_or(text.len()))
}
