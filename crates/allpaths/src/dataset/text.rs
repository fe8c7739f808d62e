//! A text file in memory, read line by line.

use std::path::{Path, PathBuf};

use super::feed::Feed;
use crate::{Error, Result};

/// A whole file, with the place to blame when it is wrong.
pub(super) struct Text {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Text {
    pub(super) fn new(path: &Path, bytes: Vec<u8>) -> Self {
        Self { path: path.to_owned(), bytes }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The same file, to be read line by line.
    pub(super) fn into_feed(self) -> Feed {
        Feed::new(&self.path, self.bytes)
    }

    /// The bytes, without a byte order mark.
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes)
    }

    /// All lines without their ends (`\n` or `\r\n`) and surrounding blanks. Numbered from 1 by
    /// [`Iterator::enumerate`] and `+ 1`.
    pub(super) fn lines(&self) -> Lines<'_> {
        Lines { rest: self.bytes() }
    }

    /// All lines without their ends and the blanks before those. What stands in front stays: a tab there may follow
    /// an empty field.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        let mut lines = self.lines();
        std::iter::from_fn(move || lines.cut().map(<[u8]>::trim_ascii_end))
    }

    /// A complaint about a line, numbered from 1.
    pub(super) fn error(&self, line: usize, reason: impl Into<String>) -> Error {
        Error::parse(&self.path, line, reason)
    }

    /// A complaint about the whole.
    pub(super) fn whole_error(&self, reason: impl Into<String>) -> Error {
        Error::file(&self.path, reason)
    }

    /// A complaint about what ends at, or surrounds, a place among the bytes.
    /// Where a line is long (some files are one line), the message says how far in.
    pub(super) fn error_at(&self, place: usize, reason: impl Into<String>) -> Error {
        const LONG: usize = 200;
        let before = &self.bytes()[..place.min(self.bytes().len())];
        let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let how_far = if column > LONG { format!(", at byte {column} of the line") } else { String::new() };
        self.error(memchr::memchr_iter(b'\n', before).count() + 1, reason.into() + &how_far)
    }

    /// The whole as text.
    pub(super) fn str(&self) -> Result<&str> {
        std::str::from_utf8(self.bytes()).map_err(|error| {
            let line = self.bytes()[..error.valid_up_to()].rsplit(|&byte| byte == b'\n').next();
            let wrong = &self.bytes()[error.valid_up_to() - line.map_or(0, <[u8]>::len)..];
            let end = memchr::memchr(b'\n', wrong).unwrap_or(wrong.len());
            let reason = format!("{} is not UTF-8 text", shown(wrong[..end].trim_ascii()));
            self.error_at(error.valid_up_to(), reason)
        })
    }

    /// Part of a line as text.
    pub(super) fn utf8<'a>(&self, line: usize, bytes: &'a [u8]) -> Result<&'a str> {
        std::str::from_utf8(bytes)
            .map_err(|_| self.error(line, format!("{} is not UTF-8 text", shown(bytes))))
    }
}

#[derive(Clone)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
}

impl<'a> Lines<'a> {
    /// Cuts off the next line, untrimmed.
    #[inline]
    fn cut(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let line = match memchr::memchr(b'\n', self.rest) {
            Some(end) => {
                let line = &self.rest[..end];
                self.rest = &self.rest[end + 1..];
                line
            }
            None => std::mem::take(&mut self.rest),
        };
        Some(line)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        self.cut().map(<[u8]>::trim_ascii)
    }
}

/// A non-negative number at the start of the bytes, and what follows it.
#[allow(clippy::inline_always)] // every reader of edges spends its time here
#[inline(always)]
pub(super) fn leading_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0u64;
    let mut length = 0;
    while let Some(digit) = bytes.get(length).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10)
    {
        number = number.wrapping_mul(10).wrapping_add(digit.into());
        length += 1;
    }
    let (digits, rest) = bytes.split_at(length);
    match length {
        0 => None,
        1..20 => Some((number, rest)),
        // More than 19 digits may have wrapped.
        _ => Some((std::str::from_utf8(digits).ok()?.parse().ok()?, rest)),
    }
}

/// The bytes as one integer, perhaps with a sign.
pub(super) fn integer(bytes: &[u8]) -> Option<i64> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// The bytes as one finite real number.
pub(super) fn real(bytes: &[u8]) -> Option<f64> {
    std::str::from_utf8(bytes).ok()?.parse().ok().filter(|x: &f64| x.is_finite())
}

/// As [`real`], quicker for short integers, which most numbers are.
#[inline]
pub(super) fn number(bytes: &[u8]) -> Option<f64> {
    match leading_number(bytes) {
        Some((number, [])) if number < 1 << 53 => Some(number as f64),
        _ => real(bytes),
    }
}

/// The character that `&name;` stands for in XML, and in languages that took it from there.
pub(super) fn character(reference: &str) -> Option<char> {
    match reference {
        "quot" => Some('"'),
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "apos" => Some('\''),
        _ => {
            let digits = reference.strip_prefix('#').filter(|digits| !digits.contains('+'))?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
                None => digits.parse(),
            };
            code.ok().and_then(char::from_u32)
        }
    }
}

/// Bytes as they appear in a message: quoted, and cut if they are long.
pub(super) fn shown(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_way() {
        let text = Text::new(Path::new("x"), b"\xef\xbb\xbfa\r\n b \n\nc".to_vec());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines, [b"a".as_slice(), b"b", b"", b"c"]);
    }

    #[test]
    fn numbers() {
        assert_eq!(leading_number(b"12, 3"), Some((12, b", 3".as_slice())));
        assert_eq!(leading_number(b"18446744073709551615"), Some((u64::MAX, b"".as_slice())));
        assert_eq!(leading_number(b"18446744073709551616"), None);
        assert_eq!(leading_number(b"-1"), None);
        assert_eq!(integer(b"+1"), Some(1));
        assert_eq!(real(b"1e3"), Some(1000.0));
        assert_eq!(real(b"nan"), None);
    }
}
