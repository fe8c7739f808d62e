//! XML as tags and text, borrowed from the file.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::name::QName;

use super::text::{Text, shown};
use crate::{Error, Result};

/// An element's opening tag.
#[derive(Clone, Copy)]
pub(super) struct Tag<'a> {
    /// Everything between the angle brackets.
    content: &'a str,
    name_length: u32,
    is_empty: bool,
    /// Where it ends.
    pub(super) at: usize,
}

impl<'a> Tag<'a> {
    /// Its name without the prefix of a namespace.
    #[inline]
    pub(super) fn name(&self) -> &'a str {
        let name = self.full_name();
        name.split_once(':').map_or(name, |(_, name)| name)
    }

    fn full_name(&self) -> &'a str {
        &self.content[..self.name_length as usize]
    }
}

pub(super) struct Xml<'a> {
    text: &'a Text,
    all: &'a str,
    reader: quick_xml::Reader<&'a [u8]>,
}

impl<'a> Xml<'a> {
    pub(super) fn new(text: &'a Text) -> Result<Self> {
        let all = text.str()?;
        Ok(Self { text, all, reader: quick_xml::Reader::from_str(all) })
    }

    fn place(&self) -> usize {
        self.reader.buffer_position() as usize
    }

    fn error(&self, reason: impl Into<String>) -> Error {
        self.text.error_at(self.place(), reason)
    }

    fn wrong(&self, error: quick_xml::Error) -> Error {
        let reason = match error {
            quick_xml::Error::Syntax(error) => error.to_string(),
            quick_xml::Error::IllFormed(error) => error.to_string(),
            error => error.to_string(),
        };
        self.text.error_at(self.reader.error_position() as usize, reason)
    }

    /// The element that holds all others.
    pub(super) fn root(&mut self) -> Result<Tag<'a>> {
        loop {
            match self.reader.read_event() {
                Ok(Event::Start(tag)) => return Ok(self.tag(&tag, false)),
                Ok(Event::Empty(tag)) => return Ok(self.tag(&tag, true)),
                Ok(Event::Decl(declaration)) => self.check_encoding(&declaration)?,
                Ok(Event::Text(text)) if text.trim_ascii().is_empty() => {}
                Ok(Event::Comment(_) | Event::PI(_) | Event::DocType(_)) => {}
                Err(error) => return Err(self.wrong(error)),
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
            match self.reader.read_event() {
                Ok(Event::Start(tag)) => return Ok(Some(self.tag(&tag, false))),
                Ok(Event::Empty(tag)) => return Ok(Some(self.tag(&tag, true))),
                Ok(Event::End(_)) => return Ok(None),
                Ok(Event::Text(text)) if text.trim_ascii().is_empty() => {}
                Ok(Event::Eof) => return Err(self.unclosed(parent)),
                event => {
                    if let Some(text) = self.text_of(event)? {
                        let found = shown(text.trim().as_bytes());
                        let reason = format!("expected a tag in <{}>, found {found}", parent.name());
                        let place = self.place().saturating_sub(text.trim_start().len());
                        return Err(self.text.error_at(place, reason));
                    }
                }
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
            match self.reader.read_event() {
                Ok(Event::End(_)) => return Ok((content, nested)),
                Ok(Event::Text(text)) if content.is_empty() => content = text.xml10_content(),
                Ok(Event::Start(tag)) => {
                    let tag = self.tag(&tag, false);
                    self.skip(&tag)?;
                    nested = Some(tag.name());
                }
                Ok(Event::Empty(tag)) => nested = Some(self.tag(&tag, true).name()),
                Ok(Event::Eof) => return Err(self.unclosed(parent)),
                event => {
                    if let Some(text) = self.text_of(event)? {
                        content.to_mut().push_str(&text);
                    }
                }
            }
        }
    }

    /// Passes over everything inside an element.
    pub(super) fn skip(&mut self, tag: &Tag<'a>) -> Result<()> {
        let mut depth = usize::from(!tag.is_empty);
        while depth > 0 {
            match self.reader.read_event() {
                Ok(Event::Start(_)) => depth += 1,
                Ok(Event::End(_)) => depth -= 1,
                Ok(Event::Eof) => return Err(self.unclosed(tag)),
                Ok(_) => {}
                Err(error) => return Err(self.wrong(error)),
            }
        }
        Ok(())
    }

    fn unclosed(&self, tag: &Tag<'a>) -> Error {
        self.error(format!("expected </{}>, found the end of the file", tag.full_name()))
    }

    /// The text that something that is no tag stands for, if it stands for any.
    fn text_of(&self, event: Result<Event<'a>, quick_xml::Error>) -> Result<Option<Cow<'a, str>>> {
        match event.map_err(|error| self.wrong(error))? {
            Event::Text(text) => Ok(Some(text.xml10_content())),
            Event::CData(text) => Ok(Some(text.xml10_content())),
            Event::GeneralRef(reference) => self.referred(&reference).map(Some),
            _ => Ok(None),
        }
    }

    /// Calls `take` with the name and value of each attribute of an element.
    #[inline]
    pub(super) fn attributes(
        &self,
        tag: &Tag<'a>,
        mut take: impl FnMut(&'a str, Cow<'a, str>) -> Result<()>,
    ) -> Result<()> {
        let mut rest = tag.content[tag.name_length as usize..].trim_ascii_start();
        while !rest.is_empty() {
            let Some((name, value, after)) = attribute(rest) else {
                let found = shown(tag.content.as_bytes());
                let reason = format!("expected attributes as name=\"value\", found {found}");
                return Err(self.text.error_at(tag.at, reason));
            };
            take(name, self.normalized(tag, value)?)?;
            rest = after.trim_ascii_start();
        }
        Ok(())
    }

    /// The value of an attribute, with references resolved and line ends and tabs as blanks.
    #[inline]
    fn normalized(&self, tag: &Tag<'a>, value: &'a str) -> Result<Cow<'a, str>> {
        if !value.bytes().any(|byte| matches!(byte, b'&' | b'\t' | b'\n' | b'\r')) {
            return Ok(Cow::Borrowed(value));
        }
        let attribute = Attribute { key: QName(""), value: Cow::Borrowed(value) };
        attribute.normalized_value(XmlVersion::Explicit1_0).map_err(|_| {
            let found = shown(value.as_bytes());
            self.text.error_at(tag.at, format!("expected references to characters only, found {found}"))
        })
    }

    /// The tag that was just read, borrowed from the file.
    #[inline]
    fn tag(&self, tag: &BytesStart<'_>, is_empty: bool) -> Tag<'a> {
        let at = self.place();
        let end = at - if is_empty { 2 } else { 1 };
        let content = &self.all[end - tag.len()..end];
        Tag { content, name_length: tag.name().0.len() as u32, is_empty, at }
    }

    fn referred(&self, reference: &BytesRef<'_>) -> Result<Cow<'a, str>> {
        let unknown = || self.error(format!("expected a reference to a character, found &{};", &**reference));
        match reference.resolve_char_ref() {
            Ok(Some(character)) => Ok(character.to_string().into()),
            Ok(None) => resolve_predefined_entity(reference).map(Cow::Borrowed).ok_or_else(unknown),
            Err(_) => Err(unknown()),
        }
    }

    fn check_encoding(&self, declaration: &BytesDecl<'_>) -> Result<()> {
        match declaration.encoding() {
            Some(Ok(name)) if !self.all.is_ascii() && !name.eq_ignore_ascii_case("utf-8") => {
                Err(self.error(format!("expected the encoding UTF-8, found {name}")))
            }
            _ => Ok(()),
        }
    }
}

/// The name and value of the first attribute, and what follows it.
#[inline]
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let bytes = text.as_bytes();
    let equals = bytes.iter().position(|&byte| byte == b'=')?;
    let name = text[..equals].trim_ascii_end();
    let start = equals + 1 + bytes[equals + 1..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    let quote = *bytes.get(start).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let end = start + 1 + bytes[start + 1..].iter().position(|&byte| byte == quote)?;
    let is_name = !name.is_empty() && !name.bytes().any(|byte| byte.is_ascii_whitespace() || byte == quote);
    is_name.then(|| (name, &text[start + 1..end], &text[end + 1..]))
}
