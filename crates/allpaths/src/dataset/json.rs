//! JSON as tokens, borrowed from the text.
//!
//! The readers need the digits of numbers as they are written, and the place of what is wrong; a token at a time
//! gives both, without recursion and without a copy of text that has no escapes.

use std::borrow::Cow;

use super::text::{Text, shown};
use crate::{Error, Result};

#[derive(Debug, PartialEq)]
pub(super) enum Token<'a> {
    Text(Cow<'a, str>),
    Number(&'a str),
    /// `true`, `false` or `null`.
    Word(&'a str),
    /// One of `{ } [ ] , :`.
    Sign(u8),
    End,
}

impl Token<'_> {
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Text(text) => shown(text.as_bytes()),
            Token::Number(text) | Token::Word(text) => (*text).to_owned(),
            Token::Sign(sign) => char::from(*sign).to_string(),
            Token::End => "the end of the file".into(),
        }
    }
}

pub(super) struct Tokens<'a> {
    text: &'a Text,
    all: &'a str,
    place: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a Text) -> Result<Self> {
        Ok(Self { text, all: text.str()?, place: 0 })
    }

    /// How many bytes were read.
    pub(super) fn place(&self) -> usize {
        self.place
    }

    pub(super) fn expected(&self, expected: &str, found: &Token<'_>) -> Error {
        self.error(format!("expected {expected}, found {}", found.shown()))
    }

    pub(super) fn error(&self, reason: impl Into<String>) -> Error {
        self.text.error_at(self.place, reason)
    }

    /// Reads one sign.
    pub(super) fn sign(&mut self, sign: u8) -> Result<()> {
        match self.next()? {
            Token::Sign(found) if found == sign => Ok(()),
            token => Err(self.expected(&char::from(sign).to_string(), &token)),
        }
    }

    /// Moves on to the next key of an object whose opening was read, and past the colon; nothing at its end.
    #[inline]
    pub(super) fn key(&mut self, first: bool) -> Result<Option<Cow<'a, str>>> {
        let token = match self.next()? {
            Token::Sign(b'}') => return Ok(None),
            Token::Sign(b',') if !first => self.next()?,
            token if first => token,
            token => return Err(self.expected(", or }", &token)),
        };
        let Token::Text(key) = token else { return Err(self.expected("a key in quotes", &token)) };
        self.sign(b':')?;
        Ok(Some(key))
    }

    /// Moves on to the next item of a list whose opening was read; nothing at its end.
    #[inline]
    pub(super) fn item(&mut self, first: bool) -> Result<Option<Token<'a>>> {
        match self.next()? {
            Token::Sign(b']') => Ok(None),
            Token::Sign(b',') if !first => self.next().map(Some),
            token if first => Ok(Some(token)),
            token => Err(self.expected(", or ]", &token)),
        }
    }

    /// Skips the rest of a value that began with a token.
    pub(super) fn skip(&mut self, token: Token<'a>) -> Result<()> {
        let mut open = Vec::new();
        let mut token = token;
        loop {
            match token {
                Token::Sign(sign @ (b'{' | b'[')) => {
                    open.push((sign, true));
                }
                Token::Text(_) | Token::Number(_) | Token::Word(_) => {}
                token => return Err(self.expected("a value", &token)),
            }
            token = loop {
                let Some((sign, first)) = open.last_mut() else { return Ok(()) };
                let first = std::mem::take(first);
                let next = match sign {
                    b'{' => match self.key(first)? {
                        Some(_) => Some(self.next()?),
                        None => None,
                    },
                    _ => self.item(first)?,
                };
                match next {
                    Some(token) => break token,
                    None => open.pop(),
                };
            };
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Result<Token<'a>> {
        let bytes = self.all.as_bytes();
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(self.place) {
            self.place += 1;
        }
        let start = self.place;
        match bytes.get(start) {
            None => Ok(Token::End),
            Some(b'"') => self.quoted(start + 1),
            Some(&sign @ (b'{' | b'}' | b'[' | b']' | b',' | b':')) => {
                self.place += 1;
                Ok(Token::Sign(sign))
            }
            Some(_) => self.bare(start),
        }
    }

    fn quoted(&mut self, start: usize) -> Result<Token<'a>> {
        let bytes = self.all.as_bytes();
        let end = start
            + bytes[start..]
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))
                .unwrap_or(bytes.len() - start);
        if bytes.get(end) == Some(&b'"') {
            self.place = end + 1;
            return Ok(Token::Text(Cow::Borrowed(&self.all[start..end])));
        }
        let mut text = self.all[start..end].to_owned();
        self.place = end;
        loop {
            let Some(character) = self.all[self.place..].chars().next() else {
                return Err(self.error("expected a closing quote, found the end of the file"));
            };
            match character {
                '"' => {
                    self.place += 1;
                    return Ok(Token::Text(Cow::Owned(text)));
                }
                '\\' => text.push(self.escaped()?),
                '\0'..' ' => {
                    let reason = format!("expected text without control characters, found {character:?}");
                    return Err(self.error(reason));
                }
                _ => {
                    text.push(character);
                    self.place += character.len_utf8();
                }
            }
        }
    }

    /// The character that an escape at this place stands for.
    fn escaped(&mut self) -> Result<char> {
        let rest = &self.all.as_bytes()[self.place..];
        let wrong = || self.error("expected an escape such as \\n or \\u00e9 after the backslash");
        let (character, length) = match rest.get(1) {
            Some(&(b'"' | b'\\' | b'/')) => (char::from(rest[1]), 2),
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'u') => match unit(rest).ok_or_else(wrong)? {
                // Characters past the first 2^16 come as two.
                high @ 0xd800..0xdc00 => {
                    let low =
                        unit(&rest[6..]).filter(|low| (0xdc00..0xe000).contains(low)).ok_or_else(wrong)?;
                    let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    (char::from_u32(code).ok_or_else(wrong)?, 12)
                }
                code => (char::from_u32(code).ok_or_else(wrong)?, 6),
            },
            _ => return Err(wrong()),
        };
        self.place += length;
        Ok(character)
    }

    fn bare(&mut self, start: usize) -> Result<Token<'a>> {
        let bytes = &self.all.as_bytes()[start..];
        let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_');
        let length = bytes.iter().position(|byte| !belongs(byte)).unwrap_or(bytes.len());
        let word = &self.all[start..start + length];
        match word {
            "true" | "false" | "null" => {
                self.place += length;
                Ok(Token::Word(word))
            }
            _ if is_number(word.as_bytes()) => {
                self.place += length;
                Ok(Token::Number(word))
            }
            _ => {
                let found = if length == 0 { &bytes[..1] } else { word.as_bytes() };
                Err(self.error(format!("expected a JSON value, found {}", shown(found))))
            }
        }
    }
}

/// The sixteen bits of an escape that the bytes begin with.
fn unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |code, &digit| Some(code << 4 | char::from(digit).to_digit(16)?))
}

/// Whether the bytes are a number as JSON writes it: no sign but a minus, no leading zeros, digits around a point.
fn is_number(bytes: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', exponent @ ..] => exponent,
            _ => exponent,
        };
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(json: &str) -> Result<Vec<String>> {
        let text = Text::new("x.json".as_ref(), json.into());
        let mut tokens = Tokens::new(&text)?;
        let mut found = Vec::new();
        loop {
            match tokens.next()? {
                Token::End => return Ok(found),
                Token::Text(text) => found.push(text.into_owned()),
                token => found.push(token.shown()),
            }
        }
    }

    #[test]
    fn texts_numbers_and_words() {
        assert_eq!(
            tokens(r#"{"a\u00e9\ud83d\ude00\n": [-1.5e+3, true]}"#).unwrap(),
            ["{", "aé😀\n", ":", "[", "-1.5e+3", ",", "true", "]", "}"]
        );
        for wrong in
            ["01", "1.", ".5", "+1", "nan", "NaN", "-", "1e", r#""\x""#, r#""\ud800""#, "\"a\nb\"", "\"a"]
        {
            assert!(tokens(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_skipped_must_be_json() {
        let skip = |json: &str| {
            let text = Text::new("x.json".as_ref(), json.into());
            let mut tokens = Tokens::new(&text)?;
            let first = tokens.next()?;
            tokens.skip(first)?;
            tokens.next().map(|token| token.shown())
        };
        assert_eq!(skip(r#"{"a": [1, {}, []], "b": null} 7"#).unwrap(), "7");
        assert_eq!(skip(&format!("{}{}8", "[".repeat(100_000), "]".repeat(100_000))).unwrap(), "8");
        for wrong in ["[1 2]", "{1: 2}", "[1,]", "{\"a\" 1}", "[}", "[", "{\"a\":}"] {
            assert!(skip(wrong).is_err(), "{wrong}");
        }
    }
}
