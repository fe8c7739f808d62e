//! Arrays for NumPy: named ones, together in a file whose name ends in `.npz`.
//!
//! The file is a zip archive that holds each array in NumPy's own format, version 1.0. Sparse matrices go in as the
//! arrays that make them up; with the names that SciPy's `save_npz` gives, its `load_npz` reads them back.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use rustc_hash::FxHashSet;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::{Error, Result, whole};

/// Named arrays, to be written to one file.
///
/// # Example
///
/// A sparse matrix as SciPy's `load_npz` reads it:
///
/// ```
/// # use allpaths::npz::Npz;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("matrix.npz");
/// // 0 5 0
/// // 7 0 0
/// Npz::new()
///     .scalar("format", vec!["csr".to_owned()])
///     .array("shape", vec![2i64, 3])
///     .array("data", vec![5u64, 7])
///     .array("indices", vec![1i32, 0])
///     .array("indptr", vec![0i32, 1, 2])
///     .write(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Npz {
    arrays: Vec<Array>,
}

#[derive(Clone, Debug)]
struct Array {
    name: String,
    shape: Vec<usize>,
    values: Values,
}

/// The values of an array, in the order of C: the last index runs fastest.
///
/// Made `From` a vector of `u8`, `i32`, `i64`, `u64`, `f32`, `f64` or `String`.
#[derive(Clone, Debug)]
pub struct Values(Kind);

#[derive(Clone, Debug)]
enum Kind {
    U8(Vec<u8>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Text(Vec<String>),
}

macro_rules! values_from {
    ($($type:ty => $kind:ident),*) => {
        $(impl From<Vec<$type>> for Values {
            fn from(values: Vec<$type>) -> Self {
                Self(Kind::$kind(values))
            }
        })*
    };
}

values_from!(u8 => U8, i32 => I32, i64 => I64, u64 => U64, f32 => F32, f64 => F64, String => Text);

impl Npz {
    /// No arrays yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an array of one dimension.
    #[must_use]
    pub fn array(self, name: impl Into<String>, values: impl Into<Values>) -> Self {
        let values = values.into();
        self.shaped(name, &[values.len()], values)
    }

    /// Adds a single value, in a vector of one: an array without dimensions.
    #[must_use]
    pub fn scalar(self, name: impl Into<String>, value: impl Into<Values>) -> Self {
        self.shaped(name, &[], value)
    }

    /// Adds an array of any shape.
    #[must_use]
    pub fn shaped(mut self, name: impl Into<String>, shape: &[usize], values: impl Into<Values>) -> Self {
        self.arrays.push(Array { name: name.into(), shape: shape.to_vec(), values: values.into() });
        self
    }

    /// Writes the file; it appears whole or not at all, in place of one that was there.
    ///
    /// # Errors
    ///
    /// When it cannot be written, when two arrays share a name, or when a shape is not that of its values.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        self.check()?;
        whole::file(path.as_ref(), |out| self.pack(out))
    }

    /// What [`Npz::write`] writes to a file.
    ///
    /// # Errors
    ///
    /// When two arrays share a name, or when a shape is not that of its values.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::npz::Npz;
    /// let bytes = Npz::new().array("primes", vec![2u64, 3, 5]).to_bytes()?;
    /// assert_eq!(Npz::from_bytes("primes.npz", &bytes)?.whole_numbers("primes"), Some(vec![2, 3, 5]));
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.check()?;
        let mut bytes = Vec::new();
        self.pack(&mut bytes).map_err(|error| Error::io(Path::new("arrays"), error))?;
        Ok(bytes)
    }

    fn check(&self) -> Result<()> {
        let mut names = FxHashSet::default();
        for array in &self.arrays {
            array.check()?;
            if !names.insert(&array.name) {
                return Err(Error::settings(format!("two arrays are called {:?}", array.name)));
            }
        }
        Ok(())
    }

    /// Reads a file of arrays: ours, NumPy's or SciPy's.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or holds something else than arrays of numbers or text in the order of C.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| Error::io(path, error))?;
        Self::unpack(path, io::BufReader::new(file))
    }

    /// Reads what would be the content of a file, under a name for messages.
    ///
    /// # Errors
    ///
    /// As [`Npz::read`].
    pub fn from_bytes(name: impl AsRef<Path>, bytes: &[u8]) -> Result<Self> {
        Self::unpack(name.as_ref(), io::Cursor::new(bytes))
    }

    fn unpack(path: &Path, file: impl Read + io::Seek) -> Result<Self> {
        let damaged = |reason: String| Error::file(path, format!("not a file of NumPy arrays: {reason}"));
        let mut archive = ZipArchive::new(file).map_err(|error| damaged(error.to_string()))?;
        let mut arrays = Vec::new();
        for i in 0..archive.len() {
            let mut entry = archive.by_index(i).map_err(|error| damaged(error.to_string()))?;
            let name =
                entry.name().map_err(|error| damaged(error.to_string()))?.trim_end_matches(".npy").to_owned();
            arrays.push(
                Array::read(&name, &mut entry).map_err(|reason| damaged(format!("{name:?}: {reason}")))?,
            );
        }
        Ok(Self { arrays })
    }

    fn values(&self, name: &str) -> Option<&Kind> {
        self.arrays.iter().find(|array| array.name == name).map(|array| &array.values.0)
    }

    /// The values of an array of real numbers; nothing if there is no such array.
    pub fn real_numbers(&self, name: &str) -> Option<Vec<f64>> {
        match self.values(name)? {
            Kind::F32(values) => Some(values.iter().copied().map(f64::from).collect()),
            Kind::F64(values) => Some(values.clone()),
            _ => None,
        }
    }

    /// The values of an array of whole numbers, none of them negative; nothing if there is no such array.
    pub fn whole_numbers(&self, name: &str) -> Option<Vec<u64>> {
        match self.values(name)? {
            Kind::U8(values) => Some(values.iter().map(|&n| n.into()).collect()),
            Kind::I32(values) => values.iter().map(|&n| n.try_into().ok()).collect(),
            Kind::I64(values) => values.iter().map(|&n| n.try_into().ok()).collect(),
            Kind::U64(values) => Some(values.clone()),
            Kind::F32(_) | Kind::F64(_) | Kind::Text(_) => None,
        }
    }

    /// An array of bytes; nothing if there is no such array.
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        match self.values(name)? {
            Kind::U8(values) => Some(values),
            _ => None,
        }
    }

    fn pack(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut zip = ZipWriter::new_stream(out);
        for array in &self.arrays {
            // Archives tell beforehand whether a file may be larger than 32 bits can say.
            let options = SimpleFileOptions::default().large_file(array.values.bytes() >= 1 << 31);
            zip.start_file(format!("{}.npy", array.name), options)?;
            array.write(&mut io::BufWriter::new(&mut zip))?;
        }
        zip.finish().map(|_| ()).map_err(io::Error::from)
    }
}

/// Writes one array alone, in NumPy's own format: a file whose name ends in `.npy`.
pub(crate) fn write_npy(path: &Path, shape: &[usize], values: impl Into<Values>) -> Result<()> {
    let array = Array { name: String::new(), shape: shape.to_vec(), values: values.into() };
    array.check()?;
    whole::file(path, |mut out| array.write(&mut out))
}

impl Array {
    fn read(name: &str, file: &mut impl Read) -> Result<Self, String> {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        let (version, rest) = match bytes.split_at_checked(8) {
            Some(([b'\x93', b'N', b'U', b'M', b'P', b'Y', version, _], rest)) => (*version, rest),
            _ => return Err("no array".to_owned()),
        };
        // The length of the header takes two bytes in version 1, and four in later ones.
        let width = if version == 1 { 2 } else { 4 };
        let (length, rest) = rest.split_at_checked(width).ok_or("cut short")?;
        let length = length.iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
        let (header, data) = rest.split_at_checked(length).ok_or("cut short")?;
        let header = std::str::from_utf8(header).map_err(|_| "a header that is no text")?;
        let after = |key: &str| Some(header.split_once(&format!("'{key}':"))?.1.trim_start());
        let unknown = || format!("a header that says {:?}", header.trim());
        if !after("fortran_order").is_some_and(|value| value.starts_with("False")) {
            return Err(unknown());
        }
        let sizes = after("shape").and_then(|value| Some(value.strip_prefix('(')?.split_once(')')?.0));
        let sizes = sizes.ok_or_else(unknown)?.split(',').map(str::trim).filter(|size| !size.is_empty());
        let shape: Vec<usize> = sizes.map(str::parse).collect::<Result<_, _>>().map_err(|_| unknown())?;
        let kind = after("descr").and_then(|value| Some(value.strip_prefix('\'')?.split_once('\'')?.0));
        let values = Values::read(kind.ok_or_else(unknown)?, data).ok_or_else(unknown)?;
        let array = Self { name: name.to_owned(), shape, values };
        array.check().map_err(|error| error.to_string())?;
        Ok(array)
    }

    fn check(&self) -> Result<()> {
        let (shape, len) = (&self.shape, self.values.len());
        if shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n)) == Some(len) {
            return Ok(());
        }
        Err(Error::settings(format!("the array {:?} has {len} values, not the shape {shape:?}", self.name)))
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut sizes = self.shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        if self.shape.len() == 1 {
            sizes.push(','); // or Python would take the brackets away
        }
        let kind = self.values.kind();
        let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({sizes}), }}");
        // Ten bytes come before the header; the data starts at a multiple of 64.
        let padding = (10 + header.len() + 1).next_multiple_of(64) - (10 + header.len() + 1);
        header.extend(std::iter::repeat_n(' ', padding).chain(['\n']));
        out.write_all(b"\x93NUMPY\x01\x00")?;
        out.write_all(&u16::try_from(header.len()).map_err(io::Error::other)?.to_le_bytes())?;
        out.write_all(header.as_bytes())?;
        self.values.write(out)?;
        out.flush()
    }
}

impl Values {
    fn len(&self) -> usize {
        match &self.0 {
            Kind::U8(values) => values.len(),
            Kind::I32(values) => values.len(),
            Kind::I64(values) => values.len(),
            Kind::U64(values) => values.len(),
            Kind::F32(values) => values.len(),
            Kind::F64(values) => values.len(),
            Kind::Text(values) => values.len(),
        }
    }

    /// The values of a type as NumPy calls it; nothing if we have no such type, or if bytes are left over.
    fn read(kind: &str, bytes: &[u8]) -> Option<Self> {
        fn each<const WIDTH: usize, T>(bytes: &[u8], value: impl Fn([u8; WIDTH]) -> T) -> Option<Vec<T>> {
            let (chunks, []) = bytes.as_chunks() else { return None };
            Some(chunks.iter().map(|&chunk| value(chunk)).collect())
        }
        let values = match kind {
            "|u1" => Kind::U8(bytes.to_vec()),
            "<i4" => Kind::I32(each(bytes, i32::from_le_bytes)?),
            "<i8" => Kind::I64(each(bytes, i64::from_le_bytes)?),
            "<u8" => Kind::U64(each(bytes, u64::from_le_bytes)?),
            "<f4" => Kind::F32(each(bytes, f32::from_le_bytes)?),
            "<f8" => Kind::F64(each(bytes, f64::from_le_bytes)?),
            // SciPy writes the name of a matrix's format as bytes.
            _ => match (kind.strip_prefix("<U"), kind.strip_prefix("|S")) {
                (Some(width), _) => {
                    let width: usize = width.parse().ok().filter(|&width| width > 0)?;
                    let characters: Vec<char> = each(bytes, u32::from_le_bytes)?
                        .into_iter()
                        .map(char::from_u32)
                        .collect::<Option<_>>()?;
                    let text =
                        |chars: &[char]| chars.iter().collect::<String>().trim_end_matches('\0').to_owned();
                    Kind::Text(characters.chunks(width).map(text).collect())
                }
                (_, Some(width)) => {
                    let width: usize = width.parse().ok().filter(|&width| width > 0)?;
                    let text =
                        |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned();
                    Kind::Text(bytes.chunks(width).map(text).collect())
                }
                _ => return None,
            },
        };
        Some(Self(values))
    }

    /// How many bytes a value takes.
    fn width(&self) -> usize {
        match &self.0 {
            Kind::U8(_) => 1,
            Kind::I32(_) | Kind::F32(_) => 4,
            Kind::I64(_) | Kind::U64(_) | Kind::F64(_) => 8,
            Kind::Text(values) => 4 * longest(values),
        }
    }

    fn bytes(&self) -> u64 {
        (self.len() as u64).saturating_mul(self.width() as u64)
    }

    /// What NumPy calls the type.
    fn kind(&self) -> String {
        match &self.0 {
            Kind::U8(_) => "|u1".to_owned(),
            Kind::I32(_) => "<i4".to_owned(),
            Kind::I64(_) => "<i8".to_owned(),
            Kind::U64(_) => "<u8".to_owned(),
            Kind::F32(_) => "<f4".to_owned(),
            Kind::F64(_) => "<f8".to_owned(),
            Kind::Text(values) => format!("<U{}", longest(values)),
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.0 {
            Kind::U8(values) => out.write_all(values),
            Kind::I32(values) => values.iter().try_for_each(|n| out.write_all(&n.to_le_bytes())),
            Kind::I64(values) => values.iter().try_for_each(|n| out.write_all(&n.to_le_bytes())),
            Kind::U64(values) => values.iter().try_for_each(|n| out.write_all(&n.to_le_bytes())),
            Kind::F32(values) => values.iter().try_for_each(|x| out.write_all(&x.to_le_bytes())),
            Kind::F64(values) => values.iter().try_for_each(|x| out.write_all(&x.to_le_bytes())),
            Kind::Text(values) => {
                // Every text takes as many characters as the longest, of four bytes each.
                let width = longest(values);
                values.iter().try_for_each(|text| {
                    let characters = text.chars().chain(std::iter::repeat('\0')).take(width);
                    characters.map(u32::from).try_for_each(|c| out.write_all(&c.to_le_bytes()))
                })
            }
        }
    }
}

/// The characters of the longest text; NumPy knows none of no length.
fn longest(texts: &[String]) -> usize {
    texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(shape: &[usize], values: impl Into<Values>) -> Vec<u8> {
        let mut out = Vec::new();
        let array = Array { name: String::new(), shape: shape.to_vec(), values: values.into() };
        array.write(&mut out).unwrap();
        out
    }

    #[test]
    fn header_and_values_are_as_numpy_writes_them() {
        let written = bytes(&[2, 1], vec![1i32, -2]);
        assert_eq!(written.len(), 128 + 8);
        assert!(written.starts_with(
            b"\x93NUMPY\x01\x00\x76\x00{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }  "
        ));
        assert!(written.ends_with(b" \n\x01\x00\x00\x00\xfe\xff\xff\xff"));
        let shape = |written: &[u8]| {
            let text = String::from_utf8_lossy(&written[10..128]).into_owned();
            text[text.find('(').unwrap()..=text.find(')').unwrap()].to_owned()
        };
        assert_eq!(shape(&bytes(&[3], vec![1u8, 2, 3])), "(3,)");
        assert_eq!(shape(&bytes(&[], vec![1.5f64])), "()");
    }

    #[test]
    fn texts_are_padded_to_the_longest() {
        let written = bytes(&[2], vec!["\u{e9}".to_owned(), "ab".to_owned()]);
        assert!(String::from_utf8_lossy(&written).contains("'<U2'"));
        assert_eq!(written[128..], *b"\xe9\0\0\0\0\0\0\0a\0\0\0b\0\0\0");
    }

    #[test]
    fn what_makes_no_file_leaves_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npz");
        let misshapen = Npz::new().shaped("a", &[2, 2], vec![1u64]);
        let twice = Npz::new().array("a", vec![1u64]).array("a", vec![2u64]);
        for npz in [misshapen, twice] {
            assert!(npz.write(&path).unwrap_err().is_usage());
            assert!(!path.exists());
        }
        Npz::new().array("a", vec![1.0f32]).write(&path).unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(b"PK"));
    }
}
