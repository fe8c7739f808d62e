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
//! labels. An edge's `weight` (or `value`) is its weight and its `label` its label, if every edge has one; all
//! else is kept as attributes. Nested lists inside a record (`graphics [ ... ]`) are not read.

use std::borrow::Cow;

use super::columns::Value;
use super::records::{LabelRule, Records};
use super::text::{Text, shown};
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
            Token::Key("graph") => graph = Some(read_graph(&mut tokens)?),
            Token::Key(_) => tokens.skip_value()?,
            token => return tokens.expected("a key", &token.shown()),
        }
    }
    let Some((records, directed, nested)) = graph else {
        return Err(text.whole_error("no \"graph [\" in this GML file"));
    };
    let mut notes = Vec::new();
    if nested {
        notes.push("lists nested in a node or edge are not read".to_owned());
    }
    let directed = reader.directed.unwrap_or(directed);
    records.finish(text, directed, LabelRule::NameIfUnique, notes)
}

fn read_graph<'a>(tokens: &mut Tokens<'a>) -> Result<(Records<'a>, bool, bool)> {
    let mut records = Records::default();
    let (mut directed, mut nested) = (false, false);
    tokens.open()?;
    loop {
        match tokens.next()? {
            Token::Close => return Ok((records, directed, nested)),
            Token::Key("directed") => match tokens.next()? {
                Token::Number("0") => directed = false,
                Token::Number("1") => directed = true,
                token => return tokens.expected("directed 0 or 1", &token.shown()),
            },
            Token::Key("node") => {
                let line = tokens.line;
                let record = Record::read(tokens, ["id", ""], &mut nested)?;
                let Some(id) = record.ends[0] else {
                    return tokens.expected_at(line, "an id in each node", "none");
                };
                records.vertex(tokens.text, line, Cow::Borrowed(id))?;
                for (key, value) in record.rest {
                    records.vertices.set(key, value);
                }
            }
            Token::Key("edge") => {
                let line = tokens.line;
                let record = Record::read(tokens, ["source", "target"], &mut nested)?;
                let [Some(source), Some(target)] = record.ends else {
                    return tokens.expected_at(line, "a source and a target in each edge", "one missing");
                };
                records.edge(line, Cow::Borrowed(source), Cow::Borrowed(target));
                for (key, value) in record.rest {
                    records.links.set(key, value);
                }
            }
            Token::Key(_) => tokens.skip_value()?,
            token => return tokens.expected("a key or ]", &token.shown()),
        }
    }
}

/// A node or an edge: the integers that place it, and its other attributes.
struct Record<'a> {
    ends: [Option<&'a str>; 2],
    rest: Vec<(&'a str, Value)>,
}

impl<'a> Record<'a> {
    fn read(tokens: &mut Tokens<'a>, places: [&str; 2], nested: &mut bool) -> Result<Self> {
        let mut record = Self { ends: [None; 2], rest: Vec::new() };
        tokens.open()?;
        loop {
            let key = match tokens.next()? {
                Token::Close => return Ok(record),
                Token::Key(key) => key,
                token => return tokens.expected("a key or ]", &token.shown()),
            };
            let place = places.iter().position(|&place| place == key);
            match (tokens.next()?, place) {
                (Token::Number(number), Some(place)) if number.parse::<i64>().is_ok() => {
                    if record.ends[place].replace(number).is_some() {
                        return tokens.expected(&format!("one {key}"), "a second one");
                    }
                }
                (token, Some(_)) => {
                    return tokens.expected(&format!("an integer after {key}"), &token.shown());
                }
                (Token::Number(number), None) => match Value::number(number) {
                    Some(value) => record.rest.push((key, value)),
                    None => return tokens.expected("a finite number", &shown(number.as_bytes())),
                },
                (Token::Text(text), None) => record.rest.push((key, Value::Text(text.into_owned()))),
                (Token::Open, None) => {
                    *nested = true;
                    tokens.skip_list()?;
                }
                (token, None) => return tokens.expected("a value", &token.shown()),
            }
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
    line: usize,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a Text, bytes: &'a [u8]) -> Self {
        Self { text, rest: bytes, line: 1 }
    }

    fn expected<T>(&self, expected: &str, found: &str) -> Result<T> {
        self.expected_at(self.line, expected, found)
    }

    fn expected_at<T>(&self, line: usize, expected: &str, found: &str) -> Result<T> {
        Err(self.text.error(line, format!("expected {expected}, found {found}")))
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
                [b'\n', rest @ ..] => {
                    self.line += 1;
                    self.rest = rest;
                }
                [byte, rest @ ..] if byte.is_ascii_whitespace() => self.rest = rest,
                [b'#', ..] => {
                    self.rest = &self.rest[memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len())..]
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
        let inside = self.text.utf8(self.line, &rest[..end])?;
        self.line += memchr::memchr_iter(b'\n', inside.as_bytes()).count();
        self.rest = &rest[end + 1..];
        Ok(Token::Text(unescaped(inside)))
    }

    fn bare(&mut self) -> Result<Token<'a>> {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'[' | b']' | b'"');
        let end = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        let word = self.text.utf8(self.line, &self.rest[..end])?;
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
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let known = rest.find(';').and_then(|end| Some((character(&rest[1..end])?, end)));
        match known {
            Some((character, end)) => {
                plain.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                plain.push('&');
                rest = &rest[1..];
            }
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The character that a reference names.
fn character(reference: &str) -> Option<char> {
    match reference {
        "quot" => Some('"'),
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "apos" => Some('\''),
        _ => {
            let digits = reference.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
                None => digits.parse(),
            };
            code.ok().and_then(char::from_u32)
        }
    }
}
