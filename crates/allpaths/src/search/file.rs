//! Libraries in files, of which only what a search needs is read.
//!
//! | part | holds |
//! |---|---|
//! | head | a line that says what the file is, the versions of the file and of ids, the length of what follows, and JSON: settings and how long all parts are |
//! | ids, groups | of each feature its id, 8 bytes, and the group it is summed up in, 1 byte |
//! | unbounded | the numbers of rows without a summary, 4 bytes each |
//! | offsets | where each row begins among the counts, and where each name does, 8 bytes each, with the end of the last |
//! | sizes, sums | of each row the sum of its counts, 8 bytes, and a checksum of its columns, counts and name, 4 bytes |
//! | summaries | of each row, 128 bytes (`bounds.rs`) |
//! | traits | of each row, 64 bytes, which say what features it may have |
//! | checksum | of all before, 8 bytes |
//! | columns, counts, names | 4 bytes, 2 or 8 bytes, and text |
//!
//! Numbers are little-endian. Everything up to the checksum is checked when a file is opened; a row is checked when it is compared. So nothing is used that was not checked, and most
//! of a large file is never read.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bounds::{GROUPS, Packed, Traits, grouped, packed, summary, traits};
use super::{Counts, Library, Molecules, Row, Similarity};
use crate::embed::Fitted;
use crate::label::{ID_VERSION, LabelMap};
use crate::pages::Pages;
use crate::{AllPathsCycles, Error, Result, whole};

/// The version of the files.
const VERSION: u64 = 3;

const MAGIC: &[u8] = b"allpaths library\n";

/// What is no array, and how long the arrays are.
#[derive(Serialize, Deserialize)]
struct About<'a> {
    settings: Cow<'a, AllPathsCycles>,
    molecules: Cow<'a, Molecules>,
    rows: usize,
    features: usize,
    entries: usize,
    unbounded: usize,
    /// How many bytes a count takes.
    width: usize,
    /// How many bytes the names take.
    names: usize,
}

/// Where things stand among the bytes of a library.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) rows: usize,
    pub(super) features: usize,
    entries: usize,
    width: usize,
    ids: Range<usize>,
    groups: Range<usize>,
    unbounded: Range<usize>,
    offsets: Range<usize>,
    name_offsets: Range<usize>,
    sizes: Range<usize>,
    sums: Range<usize>,
    summaries: Range<usize>,
    traits: Range<usize>,
    checksum: Range<usize>,
    columns: Range<usize>,
    counts: Range<usize>,
    names: Range<usize>,
}

impl Layout {
    /// The parts one after the other from a place on; nothing if numbers are too large to be true.
    fn new(about: &About<'_>, start: usize) -> Option<Self> {
        let mut end = start;
        let mut part = |length: usize, width: usize| {
            let part = end..end.checked_add(length.checked_mul(width)?)?;
            end = part.end;
            Some(part)
        };
        let (rows, features, entries) = (about.rows, about.features, about.entries);
        let ends = rows.checked_add(1)?;
        Some(Self {
            rows,
            features,
            entries,
            width: about.width,
            ids: part(features, 8)?,
            groups: part(features, 1)?,
            unbounded: part(about.unbounded, 4)?,
            offsets: part(ends, 8)?,
            name_offsets: part(ends, 8)?,
            sizes: part(rows, 8)?,
            sums: part(rows, 4)?,
            summaries: part(rows, 2 * GROUPS)?,
            traits: part(rows, size_of::<Traits>())?,
            checksum: part(1, 8)?,
            columns: part(entries, 4)?,
            counts: part(entries, about.width)?,
            names: part(about.names, 1)?,
        })
    }

    /// Whether the bytes are as many as they should be, and what stands before the checksum is whole.
    fn fits(&self, bytes: &[u8]) -> bool {
        let is_sorted_to = |offsets: &Range<usize>, end: usize| {
            let offsets = longs(bytes, offsets);
            offsets.clone().is_sorted()
                && offsets.clone().next() == Some(0)
                && offsets.last() == Some(end as u64)
        };
        bytes.len() == self.names.end
            && matches!(self.width, 2 | 8)
            && longs(bytes, &self.checksum).eq([Checksum::of(&bytes[..self.checksum.start])])
            && bytes[self.groups.clone()].iter().all(|&group| usize::from(group) < GROUPS)
            && words(bytes, &self.unbounded).all(|row| (row as usize) < self.rows)
            && is_sorted_to(&self.offsets, self.entries)
            && is_sorted_to(&self.name_offsets, self.names.len())
    }

    /// Where an element and the next one begin, by offsets that were checked.
    fn between(bytes: &[u8], offsets: &Range<usize>, place: usize) -> Range<usize> {
        let (offsets, _) = bytes[offsets.clone()].as_chunks::<8>();
        u64::from_le_bytes(offsets[place]) as usize..u64::from_le_bytes(offsets[place + 1]) as usize
    }

    /// The name of a row.
    pub(super) fn name<'a>(&self, bytes: &'a [u8], row: usize) -> &'a [u8] {
        &bytes[self.names.clone()][Self::between(bytes, &self.name_offsets, row)]
    }
}

fn longs<'a>(bytes: &'a [u8], range: &Range<usize>) -> impl Iterator<Item = u64> + Clone + 'a {
    bytes[range.clone()].as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes))
}

fn words<'a>(bytes: &'a [u8], range: &Range<usize>) -> impl Iterator<Item = u32> + 'a {
    bytes[range.clone()].as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes))
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
        whole::file(path.as_ref(), |out| out.write_all(&self.pages))
    }

    /// Whether a file is called `.apx` or begins as those that [`Library::write`] writes.
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
        let is_called_so = path.extension().is_some_and(|ending| ending == "apx");
        read.map(|_| is_called_so || start == MAGIC).map_err(|error| Error::io(path, error))
    }

    /// Opens what [`Library::write`] wrote. The file is mapped into memory, where the system can, and must not be changed meanwhile; it may be replaced.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or was written by another version. Graphs are checked when they are compared: damage to them is told by
    /// [`Search::nearest`](super::Search::nearest).
    ///
    /// # Complexity
    ///
    /// Time grows with the number of graphs, about 230 bytes each, and not with how large they are.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::parse(path, Pages::open(path)?)
    }

    fn parse(path: &Path, pages: Pages) -> Result<Self> {
        let bytes: &[u8] = &pages;
        let damaged = || damaged(path);
        let mut rest =
            bytes.strip_prefix(MAGIC).ok_or_else(|| Error::file(path, "not a library of graphs"))?;
        let mut number = || {
            let (number, after) = rest.split_first_chunk::<8>()?;
            rest = after;
            Some(u64::from_le_bytes(*number))
        };
        for known in [VERSION, ID_VERSION] {
            let found = number().ok_or_else(damaged)?;
            if found != known {
                return Err(Error::version(path, found, known));
            }
        }
        let length = number().ok_or_else(damaged)? as usize;
        let about = rest.get(..length).ok_or_else(damaged)?;
        let about: About<'_> = serde_json::from_slice(about).map_err(|_| damaged())?;
        let layout =
            Layout::new(&about, bytes.len() - rest.len() + length).filter(|layout| layout.fits(bytes));
        let layout = layout.ok_or_else(damaged)?;
        let places = longs(bytes, &layout.ids).zip(0..).collect();
        let embedding = about.settings.with_labels(LabelMap::all())?;
        let molecules = about.molecules.into_owned();
        Ok(Self { embedding, molecules, places, path: path.to_owned(), pages: Arc::new(pages), layout })
    }

    /// The columns and counts of a row.
    ///
    /// # Errors
    ///
    /// When they are not what was written.
    pub(super) fn row(&self, row: usize) -> Result<Row<'_>> {
        let Layout { width, .. } = self.layout;
        let bytes: &[u8] = &self.pages;
        let Range { start, end } = Layout::between(bytes, &self.layout.offsets, row);
        let columns = &bytes[self.layout.columns.clone()][4 * start..4 * end];
        let counts = &bytes[self.layout.counts.clone()][width * start..width * end];
        let sum = bytes[self.layout.sums.clone()].as_chunks::<4>().0[row];
        let columns_read = columns.as_chunks::<4>().0;
        let fits = |column: &[u8; 4]| (u32::from_le_bytes(*column) as usize) < self.layout.features;
        if row_sum(columns, counts, self.layout.name(bytes, row)) != u32::from_le_bytes(sum)
            // Not `all`: several are looked at together.
            || !columns_read.iter().fold(true, |fit, column| fit & fits(column))
        {
            return Err(damaged(&self.path));
        }
        let counts = match width {
            2 => Counts::Narrow(counts.as_chunks().0),
            _ => Counts::Wide(counts.as_chunks().0),
        };
        Ok(Row { columns: columns_read, counts })
    }

    /// The group of each column.
    pub(super) fn groups(&self) -> &[u8] {
        &self.pages[self.layout.groups.clone()]
    }

    /// The sums of each row by group.
    pub(super) fn summaries(&self) -> &[Packed] {
        self.pages[self.layout.summaries.clone()].as_chunks().0
    }

    /// What features each row may have.
    pub(super) fn traits(&self) -> &[Traits] {
        self.pages[self.layout.traits.clone()].as_chunks().0
    }

    /// Rows whose sums have no room in a summary.
    pub(super) fn unbounded(&self) -> Vec<u32> {
        words(&self.pages, &self.layout.unbounded).collect()
    }

    /// The sum of each row.
    pub(super) fn sizes(&self) -> impl Iterator<Item = f64> + '_ {
        longs(&self.pages, &self.layout.sizes).map(|size| size as f64)
    }
}

fn damaged(path: &Path) -> Error {
    Error::file(path, "the library is damaged: index the graphs again")
}

/// A library in memory, as it would be in a file.
pub(super) fn assembled(
    embedding: &Fitted,
    molecules: &Molecules,
    names: &[String],
    ids: &[u64],
    offsets: &[u64],
    (columns, counts): (&[u32], &[u64]),
) -> Library {
    let mut weights = vec![0u64; ids.len()];
    for (&column, &count) in columns.iter().zip(counts) {
        let weight = &mut weights[column as usize];
        *weight = weight.saturating_add(count);
    }
    let groups = grouped(&weights);
    let is_wide = counts.iter().any(|&count| u16::try_from(count).is_err());
    let put_counts = |out: &mut Vec<u8>, counts: &[u64]| match is_wide {
        true => counts.iter().for_each(|count| out.extend(count.to_le_bytes())),
        false => counts.iter().for_each(|&count| out.extend((count as u16).to_le_bytes())),
    };
    let (mut sizes, mut sums, mut summaries, mut all_traits) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut unbounded, mut name_offsets) = (Vec::new(), vec![0u64]);
    let (mut column_bytes, mut count_bytes) = (Vec::new(), Vec::new());
    for (row, name) in names.iter().enumerate() {
        let range = offsets[row] as usize..offsets[row + 1] as usize;
        let entries = columns[range.clone()].iter().copied().zip(counts[range.clone()].iter().copied());
        let found = summary(Similarity::MinMax, &groups, entries, 0.0);
        unbounded.extend(found.is_none().then_some(row as u32));
        summaries.push(packed(&found.unwrap_or([0; GROUPS])));
        all_traits.push(traits(columns[range.clone()].iter().copied()));
        sizes.push(counts[range.clone()].iter().fold(0u64, |sum, &count| sum.saturating_add(count)));
        column_bytes.clear();
        count_bytes.clear();
        columns[range.clone()].iter().for_each(|column| column_bytes.extend(column.to_le_bytes()));
        put_counts(&mut count_bytes, &counts[range]);
        sums.push(row_sum(&column_bytes, &count_bytes, name.as_bytes()));
        name_offsets.push(name_offsets[row] + name.len() as u64);
    }
    let about = About {
        settings: Cow::Borrowed(embedding.settings()),
        molecules: Cow::Borrowed(molecules),
        rows: names.len(),
        features: ids.len(),
        entries: columns.len(),
        unbounded: unbounded.len(),
        width: if is_wide { 8 } else { 2 },
        names: name_offsets[names.len()] as usize,
    };
    let about = serde_json::to_vec(&about).expect("settings are JSON");
    let mut bytes = MAGIC.to_vec();
    let longs = |bytes: &mut Vec<u8>, values: &[u64]| {
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    };
    let words = |bytes: &mut Vec<u8>, values: &[u32]| {
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    };
    longs(&mut bytes, &[VERSION, ID_VERSION, about.len() as u64]);
    bytes.extend(about);
    longs(&mut bytes, ids);
    bytes.extend(groups);
    words(&mut bytes, &unbounded);
    longs(&mut bytes, offsets);
    longs(&mut bytes, &name_offsets);
    longs(&mut bytes, &sizes);
    words(&mut bytes, &sums);
    bytes.extend(summaries.as_flattened());
    bytes.extend(all_traits.as_flattened());
    let sum = Checksum::of(&bytes);
    longs(&mut bytes, &[sum]);
    bytes.reserve_exact(
        columns.len() * (4 + if is_wide { 8 } else { 2 }) + name_offsets[names.len()] as usize,
    );
    words(&mut bytes, columns);
    put_counts(&mut bytes, counts);
    names.iter().for_each(|name| bytes.extend(name.as_bytes()));
    Library::parse(Path::new("library"), Pages::Memory(bytes)).expect("what was just written is read")
}

/// The checksum of a row.
fn row_sum(columns: &[u8], counts: &[u8], name: &[u8]) -> u32 {
    let mut sum = Checksum::new();
    [columns, counts, name].into_iter().for_each(|bytes| sum.add(bytes));
    let sum = sum.finish();
    (sum ^ (sum >> 32)) as u32
}

/// Checksums of Fowler, Noll and Vo over words of eight bytes, which take turns; a processor works on several at the same time. The last words of each part are filled up
/// with zeros.
struct Checksum {
    sums: [u64; Self::SUMS],
}

impl Checksum {
    const SUMS: usize = 8;

    fn new() -> Self {
        Self { sums: [0xcbf2_9ce4_8422_2325; Self::SUMS] }
    }

    fn of(bytes: &[u8]) -> u64 {
        let mut sum = Self::new();
        sum.add(bytes);
        sum.finish()
    }

    /// Adds a part, and how long it is.
    fn add(&mut self, bytes: &[u8]) {
        const BLOCK: usize = 8 * Checksum::SUMS;
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        blocks.iter().for_each(|block| self.block(block));
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        self.block(&block);
        self.sums[0] = mixed(self.sums[0], bytes.len() as u64);
    }

    fn block(&mut self, block: &[u8; 8 * Self::SUMS]) {
        for (sum, word) in self.sums.iter_mut().zip(block.as_chunks().0) {
            *sum = mixed(*sum, u64::from_le_bytes(*word));
        }
    }

    fn finish(self) -> u64 {
        self.sums.into_iter().reduce(mixed).unwrap_or_default()
    }
}

/// A checksum with one more word: another one for each word, whatever it was.
fn mixed(sum: u64, word: u64) -> u64 {
    let product = (sum ^ word).wrapping_mul(0x0100_0000_01b3);
    // High bits of a product depend on all others, low ones do not.
    product ^ (product >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Reader;

    fn data() -> crate::Dataset {
        Reader::new().read_bytes("x.smi", "CCO a\nc1ccccc1 b\nC\n").unwrap()
    }

    fn written() -> Vec<u8> {
        Library::new(&AllPathsCycles::up_to(3), &data()).unwrap().pages.to_vec()
    }

    /// What opening it says, or else what comparing all of its graphs does.
    fn message(bytes: &[u8]) -> String {
        let library = Library::parse(Path::new("x.apx"), Pages::Memory(bytes.to_vec()));
        let searched = library.and_then(|library| {
            let all = |measure| library.search(measure).nearest(&data().graphs()[0], 3).map(|_| ());
            all(Similarity::Cosine)?;
            all(Similarity::MinMax)
        });
        searched.map_or_else(|error| error.to_string(), |()| "read".into())
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.apx");
        let made = Library::new(&AllPathsCycles::up_to(3), &data()).unwrap();
        made.write(&path).unwrap();
        let library = Library::read(&path).unwrap();
        assert!(matches!(*library.pages, Pages::Mapped(_)));
        assert_eq!([0, 1, 2].map(|row| library.name(row)), ["a", "b", "2"]);
        assert_eq!((library.len(), library.features()), (3, made.features()));
        assert_eq!(library.pages.to_vec(), written());
        let nearest =
            |library: &Library| library.search(Similarity::MinMax).nearest(&data().graphs()[0], 3).unwrap();
        assert_eq!(nearest(&library), nearest(&made));
        // A library that is open stays what it is when another takes its place.
        Library::new(&AllPathsCycles::up_to(2), &data()).unwrap().write(&path).unwrap();
        assert_eq!(nearest(&library), nearest(&made));
        let none = Library::new(&AllPathsCycles::up_to(3), &data().pick([])).unwrap();
        assert!(
            none.is_empty()
                && none.search(Similarity::MinMax).nearest(&data().graphs()[0], 3).unwrap().is_empty()
        );
    }

    #[test]
    fn a_library_is_told_by_its_name_or_its_start() {
        let folder = tempfile::tempdir().unwrap();
        let is_in = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            Library::is_in(path).unwrap()
        };
        assert!(is_in("x.apx", b"damaged from the start"));
        assert!(is_in("x", &written()));
        assert!(!is_in("x.smi", b"CCO a\n"));
    }

    #[test]
    fn damage_is_told() {
        let whole = written();
        assert_eq!(message(&whole), "read");
        let damaged = "x.apx: the library is damaged: index the graphs again";
        for length in MAGIC.len()..whole.len() {
            assert_eq!(message(&whole[..length]), damaged, "cut to {length} bytes");
        }
        for place in MAGIC.len() + 16..whole.len() {
            for bit in [1, 128] {
                let mut bytes = whole.clone();
                bytes[place] ^= bit;
                assert_eq!(message(&bytes), damaged, "byte {place}");
            }
        }
        assert_eq!(message(b"CCO a\n"), "x.apx: not a library of graphs");
        assert_eq!(message(b""), "x.apx: not a library of graphs");
    }

    /// Wrong numbers under a checksum that is right.
    #[test]
    fn lies_are_told() {
        let whole = written();
        let layout = Library::parse(Path::new("x.apx"), Pages::Memory(whole.clone())).unwrap().layout;
        for part in [&layout.groups, &layout.offsets, &layout.name_offsets] {
            for place in part.clone() {
                let mut bytes = whole.clone();
                bytes[place] = 255;
                let sum = Checksum::of(&bytes[..layout.checksum.start]);
                bytes[layout.checksum.clone()].copy_from_slice(&sum.to_le_bytes());
                assert_ne!(message(&bytes), "read", "byte {place}");
            }
        }
    }

    #[test]
    fn other_versions_are_told() {
        for (version, way_out) in [(9, "take a newer program"), (2, "make the file again")] {
            let mut bytes = written();
            bytes[MAGIC.len()] = version;
            let wanted =
                format!("x.apx: written in version {version}, this program reads version 3: {way_out}");
            assert_eq!(message(&bytes), wanted);
        }
    }
}
