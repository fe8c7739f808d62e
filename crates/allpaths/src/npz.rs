//! Arrays for NumPy: named ones, together in a file whose name ends in `.npz`.
//!
//! The file is a zip archive that holds each array in NumPy's own format, version 1.0. Sparse matrices go in as the
//! arrays that make them up; with the names that SciPy's `save_npz` gives, its `load_npz` reads them back.

use std::io::{self, Write};
use std::path::Path;

use rustc_hash::FxHashSet;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

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
        let mut names = FxHashSet::default();
        for array in &self.arrays {
            array.check()?;
            if !names.insert(&array.name) {
                return Err(Error::settings(format!("two arrays are called {:?}", array.name)));
            }
        }
        whole::file(path.as_ref(), |out| self.pack(out))
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

impl Array {
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
