//! XML as tags and text, borrowed from the file.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesDecl, BytesRef, Event};

use super::text::{Text, shown};
use crate::{Error, Result};

/// An element's opening tag.
pub(super) struct Tag<'a> {
    /// Its name without the prefix of a namespace.
    pub(super) name: &'a str,
    /// Where it ends.
    pub(super) at: usize,
    /// Everything between the angle brackets.
    content: &'a str,
    name_length: usize,
    is_empty: bool,
}

/// What comes next inside an element.
enum Piece<'a> {
    Open(Tag<'a>),
    Close,
    Text(Cow<'a, str>),
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

    /// The element that holds all others.
    pub(super) fn root(&mut self) -> Result<Tag<'a>> {
        loop {
            match self.piece()? {
                Some(Piece::Open(tag)) => return Ok(tag),
                Some(Piece::Text(text)) if text.trim().is_empty() => {}
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
            match self.inside(parent)? {
                Piece::Open(tag) => return Ok(Some(tag)),
                Piece::Close => return Ok(None),
                Piece::Text(text) if text.trim_ascii().is_empty() => {}
                Piece::Text(text) => {
                    let reason = format!(
                        "expected a tag in <{}>, found {}",
                        parent.name,
                        shown(text.trim().as_bytes())
                    );
                    return Err(self
                        .text
                        .error_at(self.place().saturating_sub(text.trim_start().len()), reason));
                }
            }
        }
    }

    /// The text of an element, and the name of an element inside it, if there is one.
    pub(super) fn content(&mut self, parent: &Tag<'a>) -> Result<(Cow<'a, str>, Option<&'a str>)> {
        let mut content = Cow::Borrowed("");
        let mut nested = None;
        if parent.is_empty {
            return Ok((content, nested));
        }
        loop {
            match self.inside(parent)? {
                Piece::Open(tag) => {
                    self.skip(&tag)?;
                    nested = Some(tag.name);
                }
                Piece::Close => return Ok((content, nested)),
                Piece::Text(text) if content.is_empty() => content = text,
                Piece::Text(text) => content.to_mut().push_str(&text),
            }
        }
    }

    /// Passes over everything inside an element.
    pub(super) fn skip(&mut self, tag: &Tag<'a>) -> Result<()> {
        let mut depth = usize::from(!tag.is_empty);
        while depth > 0 {
            match self.inside(tag)? {
                Piece::Open(tag) => depth += usize::from(!tag.is_empty),
                Piece::Close => depth -= 1,
                Piece::Text(_) => {}
            }
        }
        Ok(())
    }

    /// The attributes of an element, with their values.
    pub(super) fn attributes(&self, tag: &Tag<'a>) -> impl Iterator<Item = Result<(&'a str, Cow<'a, str>)>> {
        let (text, at, content) = (self.text, tag.at, tag.content);
        let mut attributes = Attributes::new(content, tag.name_length);
        attributes.with_checks(false);
        attributes.map(move |attribute| {
            let attribute = attribute.map_err(|_| {
                text.error_at(
                    at,
                    format!("expected attributes as name=\"value\", found {}", shown(content.as_bytes())),
                )
            })?;
            let value = attribute.normalized_value(XmlVersion::Explicit1_0).map_err(|_| {
                let found = shown(attribute.value.as_bytes());
                text.error_at(at, format!("expected references to characters only, found {found}"))
            })?;
            Ok((attribute.key.0, value))
        })
    }

    #[inline]
    fn inside(&mut self, parent: &Tag<'a>) -> Result<Piece<'a>> {
        self.piece()?.ok_or_else(|| {
            self.error(format!(
                "expected </{}>, found the end of the file",
                &parent.content[..parent.name_length]
            ))
        })
    }

    /// The next piece that means something; nothing at the end of the file.
    #[inline]
    fn piece(&mut self) -> Result<Option<Piece<'a>>> {
        loop {
            let event = self.reader.read_event().map_err(|error| {
                let reason = match error {
                    quick_xml::Error::Syntax(error) => error.to_string(),
                    quick_xml::Error::IllFormed(error) => error.to_string(),
                    error => error.to_string(),
                };
                self.text.error_at(self.reader.error_position() as usize, reason)
            })?;
            return Ok(Some(match event {
                Event::Start(tag) => Piece::Open(self.tag(tag.len(), tag.name().0.len(), false)),
                Event::Empty(tag) => Piece::Open(self.tag(tag.len(), tag.name().0.len(), true)),
                Event::End(_) => Piece::Close,
                Event::Text(text) => Piece::Text(text.xml10_content()),
                Event::CData(text) => Piece::Text(text.xml10_content()),
                Event::GeneralRef(reference) => Piece::Text(self.referred(&reference)?),
                Event::Decl(declaration) => {
                    self.check_encoding(&declaration)?;
                    continue;
                }
                Event::Comment(_) | Event::PI(_) | Event::DocType(_) => continue,
                Event::Eof => return Ok(None),
            }));
        }
    }

    /// The tag that was just read, borrowed from the file.
    fn tag(&self, length: usize, name_length: usize, is_empty: bool) -> Tag<'a> {
        let end = self.place() - if is_empty { 2 } else { 1 };
        let content = &self.all[end - length..end];
        let name = &content[..name_length];
        let name = name.split_once(':').map_or(name, |(_, name)| name);
        Tag { name, at: self.place(), content, name_length, is_empty }
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
