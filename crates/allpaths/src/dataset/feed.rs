//! A file of records, one a line, of which no more is in memory than a piece.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::text::shown;
use crate::{Error, Result};

/// Lines that are read one after the other. Blank lines may follow the last one, and nothing else is blank.
pub(super) struct Feed {
    path: PathBuf,
    /// What is still to be read; nothing once all of it is at hand.
    source: Option<File>,
    size: usize,
    bytes: Vec<u8>,
    /// The lines at hand that are whole and were not passed, with their ends.
    at_hand: Range<usize>,
    line: Range<usize>,
    passed: usize,
}

const MARK: &[u8] = b"\xef\xbb\xbf";

impl Feed {
    /// Opens a file, if it is there.
    pub(super) fn open(path: &Path) -> Result<Option<Self>> {
        let io = |error| Error::io(path, error);
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io(error)),
        };
        let size = file.metadata().map_err(io)?.len() as usize;
        Ok(Some(Self { source: Some(file), size, ..Self::new(path, Vec::new()) }))
    }

    /// A file that is in memory.
    pub(super) fn new(path: &Path, bytes: Vec<u8>) -> Self {
        let start = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
        let end = start + bytes[start..].trim_ascii_end().len();
        let size = bytes.len();
        Self { path: path.to_owned(), source: None, size, bytes, at_hand: start..end, line: 0..0, passed: 0 }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes the file has.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Makes sure that there is a line at hand; false at the end of the file.
    pub(super) fn fill(&mut self) -> Result<bool> {
        while self.at_hand.is_empty() && self.source.is_some() {
            self.bytes.drain(..self.at_hand.end);
            self.read_piece().map_err(|error| Error::io(&self.path, error))?;
            let start = if self.passed == 0 && self.bytes.starts_with(MARK) { MARK.len() } else { 0 };
            // A line is whole if its end was read. Blanks at the end wait for what follows, which may be nothing.
            let content = self.bytes.trim_ascii_end();
            let end = match memchr::memchr(b'\n', &self.bytes[content.len()..]) {
                _ if self.source.is_none() => content.len(),
                Some(newline) if !content.is_empty() => content.len() + newline + 1,
                _ => memchr::memrchr(b'\n', content).map_or(0, |newline| newline + 1),
            };
            self.at_hand = start.min(end)..end;
        }
        Ok(!self.at_hand.is_empty())
    }

    fn read_piece(&mut self) -> io::Result<()> {
        const PIECE: usize = 1 << 16;
        let Some(file) = &mut self.source else { return Ok(()) };
        let held = self.bytes.len();
        // A line may be longer than a piece: then the next one is as long as all before.
        self.bytes.resize(held + held.max(PIECE.min(self.size + 1)), 0);
        let read = loop {
            match file.read(&mut self.bytes[held..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.bytes.truncate(held + read);
        if read == 0 {
            self.source = None;
        }
        Ok(())
    }

    /// Moves on to the next line; false at the end of the file.
    #[inline]
    pub(super) fn next(&mut self) -> Result<bool> {
        if self.at_hand.is_empty() && !self.fill()? {
            return Ok(false);
        }
        let Range { start, end } = self.at_hand;
        let lines = self.at_hand();
        // Most lines are a label of a digit or two: shorter than it takes to search for their ends.
        let near = lines.iter().take(4).position(|&byte| byte == b'\n');
        let length = near.or_else(|| memchr::memchr(b'\n', lines));
        self.line = start..length.map_or(end, |length| start + length);
        self.at_hand.start = end.min(self.line.end + 1);
        self.passed += 1;
        Ok(true)
    }

    /// The line moved to last, without blanks around it.
    #[inline]
    pub(super) fn line(&self) -> &[u8] {
        self.bytes[self.line.clone()].trim_ascii()
    }

    /// The line moved to last, without blanks behind it: what stands in front may be an empty field.
    #[inline]
    pub(super) fn row(&self) -> &[u8] {
        self.bytes[self.line.clone()].trim_ascii_end()
    }

    /// Moves back, so that the line moved to last is the next one again.
    pub(super) fn put_back(&mut self) {
        self.at_hand.start = self.line.start;
        self.passed -= 1;
    }

    /// All lines that [`Feed::fill`] has at hand.
    #[inline]
    pub(super) fn at_hand(&self) -> &[u8] {
        &self.bytes[self.at_hand.clone()]
    }

    /// Passes over so many bytes at hand, which are so many lines.
    #[inline]
    pub(super) fn pass(&mut self, bytes: usize, lines: usize) {
        self.at_hand.start += bytes;
        self.passed += lines;
    }

    /// How many lines were passed, the one moved to last among them.
    pub(super) fn passed(&self) -> usize {
        self.passed
    }

    /// A complaint about the line moved to last.
    pub(super) fn error(&self, reason: impl Into<String>) -> Error {
        self.error_at(self.passed, reason)
    }

    /// A complaint about a line, numbered from 1.
    pub(super) fn error_at(&self, line: usize, reason: impl Into<String>) -> Error {
        Error::parse(&self.path, line, reason)
    }

    /// A complaint about the whole.
    pub(super) fn whole_error(&self, reason: impl Into<String>) -> Error {
        Error::file(&self.path, reason)
    }

    /// The line moved to last as text.
    pub(super) fn utf8(&self) -> Result<&str> {
        let line = self.line();
        std::str::from_utf8(line).map_err(|_| self.error(format!("{} is not UTF-8 text", shown(line))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut feed: Feed) -> Vec<String> {
        let mut lines = Vec::new();
        while feed.next().unwrap() {
            if lines.len() % 3 == 2 {
                feed.put_back();
                assert!(feed.next().unwrap());
            }
            lines.push(feed.utf8().unwrap().to_owned());
            assert_eq!(feed.passed(), lines.len());
        }
        assert!(!feed.fill().unwrap());
        lines
    }

    #[test]
    fn pieces_are_the_whole() {
        let long = "x".repeat(200_000);
        let many = "12\r\n".repeat(100_000);
        let blank = format!("1\n{}2", "\n".repeat(100_000));
        let folder = tempfile::tempdir().unwrap();
        for content in [
            "",
            " \n\n",
            "1",
            "\u{feff}1\r\n2 \n",
            "\u{feff}",
            "\n\n1\n\n2\n\n\n",
            &format!("1\n{long}\n\n{long}\n2\n{}", "\n".repeat(100_000)),
            &format!("{many}{many}"),
            &blank,
        ] {
            let path = folder.path().join("x.txt");
            std::fs::write(&path, content).unwrap();
            let expected: Vec<&str> =
                content.trim_start_matches('\u{feff}').trim_ascii_end().split('\n').map(str::trim).collect();
            let expected =
                if content.trim_start_matches('\u{feff}').trim().is_empty() { vec![] } else { expected };
            assert!(lines(Feed::open(&path).unwrap().unwrap()) == expected);
            assert!(lines(Feed::new(&path, content.as_bytes().to_vec())) == expected);
        }
        assert!(Feed::open(&folder.path().join("missing")).unwrap().is_none());
    }
}
