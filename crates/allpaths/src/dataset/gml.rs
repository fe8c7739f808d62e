//! Graph Modelling Language: nested lists of keys and values.
//!
//! ```text
//! graph [
//!   directed 0
//!   node [ id 1 label "Ann" ]
//!   node [ id 2 label "Bob" ]
//!   edge [ source 1 target 2 weight 0.5 ]
//! ]
//! ```
//!
//! A vertex is called by its `label` if no two are the same, else by its `id`, and equal labels are vertex
//! labels; the label of a vertex that is called by its `label` is its `vertex_label`. An edge's `weight` (or
//! `value`) is its weight and its `label` its label, if every edge has one; all else is kept as attributes.
//! Nested lists inside a record (`graphics [ ... ]`) are not read.

use std::borrow::Cow;

use super::columns::{Columns, Value};
use super::records::{LabelRule, Records};
use super::text::{self, Text, shown};
use super::{Dataset, Reader};
use crate::Result;

/// Whether a list called `graph` opens near the beginning.
pub(super) fn looks_like(text: &Text) -> bool {
    let bytes = text.bytes();
    let mut tokens = Tokens::new(text, &bytes[..bytes.len().min(4096)]);
    let mut before = Token::End;
    while let Ok(token) = tokens.next() {
        match (before, &token) {
            (Token::Key("graph"), Token::Open) => return true,
            (_, Token::End | Token::Close) => return false,
            _ => before = token,
        }
    }
    false
}

pub(super) fn read(text: &Text, reader: &Reader) -> Result<Dataset> {
    let mut tokens = Tokens::new(text, text.bytes());
    let mut graph = None;
    loop {
        match tokens.next()? {
            Token::End => break,
            Token::Key("graph") if graph.is_some() => return tokens.expected("one graph", "a second one"),
            Token::Key("graph") => graph = Some(Body::read(&mut tokens, Records::new(text, reader))?),
            Token::Key(_) => tokens.skip_value()?,
            token => return tokens.expected("a key", &token.shown()),
        }
    }
    let Some(Body { mut records, directed, nested }) = graph else {
        return Err(text.whole_error("no \"graph [\" in this GML file"));
    };
    let mut notes = Vec::new();
    if nested {
        notes.push("lists nested in a node or edge are not read".to_owned());
    }
    let directed = reader.directed.unwrap_or(directed);
    let builder = records.finish(directed, LabelRule::NameIfUnique, &mut notes)?;
    Dataset::single(text, builder, notes)
}

/// What stands between the brackets of a graph.
struct Body<'a> {
    records: Records<'a>,
    directed: bool,
    nested: bool,
}

impl<'a> Body<'a> {
    fn read(tokens: &mut Tokens<'a>, records: Records<'a>) -> Result<Self> {
        let mut body = Self { records, directed: false, nested: false };
        tokens.open()?;
        loop {
            match tokens.next()? {
                Token::Close => return Ok(body),
                Token::Key("directed") => match tokens.next()? {
                    Token::Number("0") => body.directed = false,
                    Token::Number("1") => body.directed = true,
                    token => return tokens.expected("directed 0 or 1", &token.shown()),
                },
                Token::Key("node") => {
                    let at = tokens.place();
                    let [Some(id)] = record(tokens, ["id"], &mut body.records.vertices, &mut body.nested)?
                    else {
                        return tokens.expected_at(at, "an id in each node", "none");
                    };
                    body.records.vertex(at, id)?;
                }
                Token::Key("edge") => {
                    let at = tokens.place();
                    let keys = ["source", "target"];
                    let [Some(source), Some(target)] =
                        record(tokens, keys, &mut body.records.links, &mut body.nested)?
                    else {
                        return tokens.expected_at(at, "a source and a target in each edge", "one missing");
                    };
                    body.records.edge(at, source, target);
                }
                Token::Key(_) => tokens.skip_value()?,
                token => return tokens.expected("a key or ]", &token.shown()),
            }
        }
    }
}

/// Reads a node or an edge: the integers that place it, and its other attributes into their columns.
fn record<'a, const N: usize>(
    tokens: &mut Tokens<'a>,
    keys: [&str; N],
    columns: &mut Columns<'a>,
    nested: &mut bool,
) -> Result<[Option<&'a str>; N]> {
    let mut ends = [None; N];
    columns.begin();
    tokens.open()?;
    loop {
        let key = match tokens.next()? {
            Token::Close => return Ok(ends),
            Token::Key(key) => key,
            token => return tokens.expected("a key or ]", &token.shown()),
        };
        let place = keys.iter().position(|&place| place == key);
        match (tokens.next()?, place) {
            (Token::Number(number), Some(place)) if number.parse::<i64>().is_ok() => {
                if ends[place].replace(number).is_some() {
                    return tokens.expected(&format!("one {key}"), "a second one");
                }
            }
            (token, Some(_)) => {
                return tokens.expected(&format!("an integer after {key}"), &token.shown());
            }
            (Token::Number(number), None) => match Value::number(number) {
                Some(value) => columns.set(key, value),
                None => return tokens.expected("a finite number", &shown(number.as_bytes())),
            },
            (Token::Text(text), None) => columns.set(key, Value::Text(text)),
            (Token::Open, None) => {
                *nested = true;
                tokens.skip_list()?;
            }
            (token, None) => return tokens.expected("a value", &token.shown()),
        }
    }
}

#[derive(Debug)]
enum Token<'a> {
    Key(&'a str),
    Number(&'a str),
    Text(Cow<'a, str>),
    Open,
    Close,
    End,
}

impl Token<'_> {
    fn shown(&self) -> String {
        match self {
            Token::Key(text) | Token::Number(text) => shown(text.as_bytes()),
            Token::Text(text) => shown(text.as_bytes()),
            Token::Open => "[".into(),
            Token::Close => "]".into(),
            Token::End => "the end of the file".into(),
        }
    }
}

struct Tokens<'a> {
    text: &'a Text,
    rest: &'a [u8],
    end: usize,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a Text, bytes: &'a [u8]) -> Self {
        Self { text, rest: bytes, end: bytes.len() }
    }

    fn expected<T>(&self, expected: &str, found: &str) -> Result<T> {
        self.expected_at(self.place(), expected, found)
    }

    fn expected_at<T>(&self, place: usize, expected: &str, found: &str) -> Result<T> {
        Err(self.text.error_at(place, format!("expected {expected}, found {found}")))
    }

    /// How many bytes were read.
    fn place(&self) -> usize {
        self.end - self.rest.len()
    }

    fn utf8(&self, bytes: &'a [u8]) -> Result<&'a str> {
        std::str::from_utf8(bytes)
            .map_err(|_| self.text.error_at(self.place(), format!("{} is not UTF-8 text", shown(bytes))))
    }

    fn open(&mut self) -> Result<()> {
        match self.next()? {
            Token::Open => Ok(()),
            token => self.expected("[", &token.shown()),
        }
    }

    fn skip_value(&mut self) -> Result<()> {
        match self.next()? {
            Token::Open => self.skip_list(),
            Token::Number(_) | Token::Text(_) => Ok(()),
            token => self.expected("a value", &token.shown()),
        }
    }

    /// Skips to the end of a list whose opening was read.
    fn skip_list(&mut self) -> Result<()> {
        let mut depth = 1;
        while depth > 0 {
            match self.next()? {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::End => return self.expected("]", "the end of the file"),
                _ => {}
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Token<'a>> {
        loop {
            match self.rest {
                [] => return Ok(Token::End),
                [byte, rest @ ..] if byte.is_ascii_whitespace() => self.rest = rest,
                [b'#', ..] => {
                    self.rest = &self.rest[memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len())..];
                }
                [b'[', rest @ ..] => {
                    self.rest = rest;
                    return Ok(Token::Open);
                }
                [b']', rest @ ..] => {
                    self.rest = rest;
                    return Ok(Token::Close);
                }
                [b'"', rest @ ..] => return self.quoted(rest),
                _ => return self.bare(),
            }
        }
    }

    fn quoted(&mut self, rest: &'a [u8]) -> Result<Token<'a>> {
        let Some(end) = memchr::memchr(b'"', rest) else {
            return self.expected("a closing quote", "none");
        };
        let inside = self.utf8(&rest[..end])?;
        self.rest = &rest[end + 1..];
        Ok(Token::Text(unescaped(inside)))
    }

    fn bare(&mut self) -> Result<Token<'a>> {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'[' | b']' | b'"');
        let end = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        let word = self.utf8(&self.rest[..end])?;
        self.rest = &self.rest[end..];
        match word.as_bytes()[0] {
            b'0'..=b'9' | b'+' | b'-' | b'.' => Ok(Token::Number(word)),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(Token::Key(word)),
            _ => self.expected("a key, a number, a quoted text or a bracket", &shown(word.as_bytes())),
        }
    }
}

/// Text with its character references resolved; what is no reference stays as it is.
fn unescaped(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 16;
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.bytes().take(LONGEST).position(|byte| byte == b';');
        let known = end.and_then(|end| Some((text::character(&rest[1..end])?, end)));
        if let Some((character, end)) = known {
            plain.push(character);
            rest = &rest[end + 1..];
        } else {
            plain.push('&');
            rest = &rest[1..];
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}
