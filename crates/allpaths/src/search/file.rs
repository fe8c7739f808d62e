//! Libraries in files.
//!
//! A line that says what the file is and of which version, a length and so many bytes of JSON, the arrays one after the other as
//! little-endian numbers, and a checksum of all before. A file is read as a whole: that is a copy, and takes no unsafe code, as a memory
//! map would.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Counts, Library, Molecules, Rows};
use crate::label::{ID_VERSION, LabelMap};
use crate::{AllPathsCycles, Error, Result, whole};

/// The version of the files.
const VERSION: u64 = 1;

const MAGIC: &[u8] = b"allpaths library\n";

/// What is no array, and how long the arrays are.
#[derive(Serialize, Deserialize)]
struct About<'a> {
    settings: Cow<'a, AllPathsCycles>,
    molecules: Cow<'a, Molecules>,
    rows: usize,
    features: usize,
    entries: usize,
    /// How many bytes a count takes.
    width: usize,
    /// How many bytes the names take, each with a newline.
    names: usize,
}

impl Library {
    /// Writes it to a file.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{AllPathsCycles, dataset::Reader, search::{Library, Similarity}};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("drugs.apx");
    /// let drugs = Reader::new().read_bytes("drugs.smi", "CCO ethanol\nCCN ethylamine\n")?;
    /// Library::new(&AllPathsCycles::up_to(4), &drugs)?.write(&path)?;
    /// let library = Library::read(&path)?;
    /// assert_eq!(library.search(Similarity::Cosine).nearest(&drugs.graphs()[1], 1)?[0].row, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        whole::file(path.as_ref(), |out| self.put(out))
    }

    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        let Rows { offsets, columns, counts } = &self.rows;
        let names: String = self
            .names
            .iter()
            .flat_map(|name| [&name.replace(['\n', '\r'], " "), "\n"].map(str::to_owned))
            .collect();
        let about = About {
            settings: Cow::Borrowed(self.embedding.settings()),
            molecules: Cow::Borrowed(&self.molecules),
            rows: self.len(),
            features: self.ids.len(),
            entries: columns.len(),
            width: if matches!(counts, Counts::Narrow(_)) { 2 } else { 8 },
            names: names.len(),
        };
        let about = serde_json::to_vec(&about).map_err(io::Error::from)?;
        let mut out = Summed { out, sum: Checksum::new() };
        out.put(MAGIC)?;
        out.put(&VERSION.to_le_bytes())?;
        out.put(&ID_VERSION.to_le_bytes())?;
        out.put(&(about.len() as u64).to_le_bytes())?;
        out.put(&about)?;
        out.put_all(&self.ids, |id| id.to_le_bytes())?;
        out.put_all(offsets, |offset| offset.to_le_bytes())?;
        out.put_all(columns, |column| column.to_le_bytes())?;
        match counts {
            Counts::Narrow(counts) => out.put_all(counts, |count| count.to_le_bytes())?,
            Counts::Wide(counts) => out.put_all(counts, |count| count.to_le_bytes())?,
        }
        out.put(names.as_bytes())?;
        let sum = out.sum.finish();
        out.out.write_all(&sum.to_le_bytes())
    }

    /// Whether a file begins as those that [`Library::write`] writes.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn is_in(path: impl AsRef<Path>) -> Result<bool> {
        use std::io::Read;
        let path = path.as_ref();
        let mut start = Vec::new();
        let file = std::fs::File::open(path);
        let read = file.and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start));
        read.map(|_| start == MAGIC).map_err(|error| Error::io(path, error))
    }

    /// Reads what [`Library::write`] wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or was written by another version.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| Error::io(path, error))?;
        Self::parse(path, &bytes)
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let damaged = || Error::file(path, "the library is damaged: index the graphs again");
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| Error::file(path, "not a library of graphs"))?;
        let mut rest = Bytes(rest);
        for known in [VERSION, ID_VERSION] {
            let found = rest.number().ok_or_else(damaged)?;
            if found != known {
                return Err(Error::version(path, found, known));
            }
        }
        let (all, sum) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
        if Checksum::of(all) != u64::from_le_bytes(*sum) {
            return Err(damaged());
        }
        let length = rest.number().ok_or_else(damaged)? as usize;
        let about = rest.take(length).ok_or_else(damaged)?;
        let about: About<'_> = serde_json::from_slice(about)
            .map_err(|error| Error::json(path, "a library of graphs", &error))?;
        Self::arrays(&about, rest)
            .map(|(names, ids, rows)| {
                let embedding = about.settings.with_labels(LabelMap::all())?;
                Ok(Self::of_rows(embedding, about.molecules.into_owned(), names, ids, rows))
            })
            .ok_or_else(damaged)?
    }

    /// The arrays, if all are there and fit together.
    fn arrays(about: &About<'_>, mut rest: Bytes<'_>) -> Option<(Vec<String>, Vec<u64>, Rows)> {
        let ids = rest.array(about.features, u64::from_le_bytes)?;
        let offsets = rest.array(about.rows.checked_add(1)?, u64::from_le_bytes)?;
        let columns = rest.array(about.entries, u32::from_le_bytes)?;
        let counts = match about.width {
            2 => Counts::Narrow(rest.array(about.entries, u16::from_le_bytes)?),
            _ => Counts::Wide(rest.array(about.entries, u64::from_le_bytes)?),
        };
        let names = std::str::from_utf8(rest.take(about.names)?).ok()?;
        let names: Vec<String> = names.lines().map(str::to_owned).collect();
        let is_whole = rest.0.len() == 8
            && names.len() == about.rows
            && offsets[0] == 0
            && offsets.is_sorted()
            && offsets[about.rows] == columns.len() as u64
            && counts.len() == columns.len()
            && columns.iter().all(|&column| (column as usize) < ids.len());
        is_whole.then_some((names, ids, Rows { offsets, columns, counts }))
    }
}

/// What is left to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn array<T, const N: usize>(&mut self, length: usize, of: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        let bytes = self.take(length.checked_mul(N)?)?;
        Some(bytes.as_chunks::<N>().0.iter().map(|chunk| of(*chunk)).collect())
    }
}

/// Sums up what is written.
struct Summed<'a> {
    out: &'a mut dyn Write,
    sum: Checksum,
}

impl Summed<'_> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.add(bytes);
        self.out.write_all(bytes)
    }

    fn put_all<T, const N: usize>(&mut self, values: &[T], of: impl Fn(&T) -> [u8; N]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for values in values.chunks(1 << 13) {
            bytes.clear();
            values.iter().for_each(|value| bytes.extend_from_slice(&of(value)));
            self.put(&bytes)?;
        }
        Ok(())
    }
}

/// The checksum of Fowler, Noll and Vo over words of eight bytes, the last one filled up with zeros.
struct Checksum {
    sum: u64,
    held: Vec<u8>,
}

impl Checksum {
    fn new() -> Self {
        Self { sum: 0xcbf2_9ce4_8422_2325, held: Vec::new() }
    }

    fn of(bytes: &[u8]) -> u64 {
        let mut sum = Self::new();
        sum.add(bytes);
        sum.finish()
    }

    fn word(&mut self, word: [u8; 8]) {
        let mixed = (self.sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3);
        // High bits of a product depend on all others, low ones do not.
        self.sum = mixed ^ (mixed >> 32);
    }

    fn add(&mut self, mut bytes: &[u8]) {
        while !self.held.is_empty() {
            let Some((&first, rest)) = bytes.split_first() else { return };
            self.held.push(first);
            bytes = rest;
            if let Ok(word) = <[u8; 8]>::try_from(self.held.as_slice()) {
                self.word(word);
                self.held.clear();
            }
        }
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.word(*word));
        self.held.extend_from_slice(rest);
    }

    fn finish(mut self) -> u64 {
        let mut word = [0; 8];
        word[..self.held.len()].copy_from_slice(&self.held);
        self.word(word);
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Reader;

    fn written() -> Vec<u8> {
        let data = Reader::new().read_bytes("x.smi", "CCO a\nc1ccccc1 b\nC\n").unwrap();
        let library = Library::new(&AllPathsCycles::up_to(3), &data).unwrap();
        let mut bytes = Vec::new();
        library.put(&mut bytes).unwrap();
        bytes
    }

    fn message(bytes: &[u8]) -> String {
        Library::parse(Path::new("x.apx"), bytes).map_or_else(|error| error.to_string(), |_| "read".into())
    }

    #[test]
    fn what_is_written_is_read() {
        let library = Library::parse(Path::new("x.apx"), &written()).unwrap();
        assert_eq!([0, 1, 2].map(|row| library.name(row)), ["a", "b", "2"]);
        assert_eq!(library.features(), library.ids.len());
        let mut again = Vec::new();
        library.put(&mut again).unwrap();
        assert_eq!(again, written());
    }

    #[test]
    fn damage_is_told() {
        let whole = written();
        let damaged = "x.apx: the library is damaged: index the graphs again";
        for length in MAGIC.len()..whole.len() {
            assert_eq!(message(&whole[..length]), damaged, "cut to {length} bytes");
        }
        for place in MAGIC.len() + 16..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            assert_eq!(message(&bytes), damaged, "byte {place}");
        }
        assert_eq!(message(b"CCO a\n"), "x.apx: not a library of graphs");
        assert_eq!(message(b""), "x.apx: not a library of graphs");
    }

    #[test]
    fn other_versions_are_told() {
        let mut bytes = written();
        bytes[MAGIC.len()] = 9;
        assert_eq!(message(&bytes), "x.apx: written by version 9, this program reads up to version 1");
    }
}
