//! Gram matrices, and the memory they take.

use std::fmt;
use std::marker::PhantomData;

use crate::pages::zeros;
use crate::{Error, Result};

/// What entries of a Gram matrix can be: `f64` or `f32`.
pub trait Real: Copy + Default + Send + Sync + fmt::Debug + PartialEq + sealed::Sealed {
    /// What NumPy calls it.
    const NAME: &'static str;

    /// The nearest such number.
    fn rounded(value: f64) -> Self;

    /// As a float64.
    fn wide(self) -> f64;
}

mod sealed {
    pub trait Sealed {
        /// Which of all such types it is.
        const PLACE: usize;
    }

    impl Sealed for f32 {
        const PLACE: usize = 0;
    }

    impl Sealed for f64 {
        const PLACE: usize = 1;
    }
}

impl Real for f64 {
    const NAME: &'static str = "float64";

    #[inline]
    fn rounded(value: f64) -> Self {
        value
    }

    #[inline]
    fn wide(self) -> f64 {
        self
    }
}

impl Real for f32 {
    const NAME: &'static str = "float32";

    #[inline]
    fn rounded(value: f64) -> Self {
        value as f32
    }

    #[inline]
    fn wide(self) -> f64 {
        f64::from(self)
    }
}

/// The kernel between all graphs of one set and all of another, or all of the same.
///
/// Row by row. A square one is symmetric; in a rectangular one the rows are the new graphs, the columns those of the fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Gram<T> {
    columns: usize,
    values: Vec<T>,
}

impl<T: Real> Gram<T> {
    /// Zeros.
    ///
    /// # Errors
    ///
    /// When they are more than the memory has room for.
    pub(crate) fn new(rows: usize, columns: usize, limit: Option<u64>) -> Result<Self> {
        let memory = Memory::<T>::of(rows, columns);
        memory.check(limit)?;
        // Sizes that do not fit a machine word were refused.
        let len = rows * columns;
        // Zeros come with fresh memory, but cannot be asked for with the risk of a refusal: ask, then take.
        let mut asked: Vec<T> = Vec::new();
        asked.try_reserve_exact(len).map_err(|_| memory.refusal("the system grants less"))?;
        drop(asked);
        Ok(Self { columns, values: zeros(len) })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// A row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, row: usize) -> &[T] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// All values, row by row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// All values, row by row, to keep.
    pub fn into_values(self) -> Vec<T> {
        self.values
    }

    /// Adds whole rows.
    pub(super) fn append(&mut self, mut values: Vec<T>) {
        self.values.append(&mut values);
    }

    /// Leaves out all columns but so many.
    pub(super) fn keep(&mut self, columns: usize) {
        if columns < self.columns {
            let (rows, before) = (self.rows(), self.columns);
            (0..rows)
                .for_each(|row| self.values.copy_within(row * before..row * before + columns, row * columns));
            self.values.truncate(rows * columns);
            self.columns = columns;
        }
    }

    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

/// The memory that a Gram matrix takes.
///
/// # Example
///
/// ```
/// # use allpaths::kernel::Memory;
/// assert_eq!(Memory::<f64>::of(4110, 4110).to_string(), "4110 x 4110 float64: 135 MB");
/// assert_eq!(Memory::<f32>::of(4110, 4110).bytes(), 67_568_400);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory<T> {
    rows: usize,
    columns: usize,
    entries: PhantomData<T>,
}

impl<T: Real> Memory<T> {
    /// That of a matrix of such a shape.
    pub fn of(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: PhantomData }
    }

    /// In bytes.
    pub fn bytes(self) -> u64 {
        (self.rows as u64).saturating_mul(self.columns as u64).saturating_mul(size_of::<T>() as u64)
    }

    /// Refuses what is over a limit; without one, over what the machine has left, where that is known.
    ///
    /// # Errors
    ///
    /// When it is over; the message says what would be less.
    pub fn check(self, limit: Option<u64>) -> Result<()> {
        let (limit, whose) = match limit {
            Some(limit) => (Some(limit), "the limit is"),
            None => (available(), "there is room for"),
        };
        match limit {
            Some(limit) if self.bytes() > limit => Err(self.refusal(&format!("{whose} {}", Bytes(limit)))),
            _ if isize::try_from(self.bytes()).is_err() => Err(self.refusal("no address reaches that far")),
            _ => Ok(()),
        }
    }

    fn refusal(self, why: &str) -> Error {
        let less = Memory::<f32>::of(self.rows, self.columns).bytes();
        let advice = if less < self.bytes() {
            format!("take float32 ({}) or fewer graphs", Bytes(less))
        } else {
            "take fewer graphs".to_owned()
        };
        Error::settings(format!("a Gram matrix of {self}, but {why}: {advice}"))
    }
}

impl<T: Real> fmt::Display for Memory<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {} {}: {}", self.rows, self.columns, T::NAME, Bytes(self.bytes()))
    }
}

/// A number of bytes in words, three digits at most.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut value, mut unit) = (self.0 as f64, "B");
        for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] {
            if value >= 999.5 {
                (value, unit) = (value / 1000.0, larger);
            }
        }
        let decimals = usize::from(value < 9.95 && unit != "B");
        write!(f, "{value:.decimals$} {unit}")
    }
}

/// The memory that the machine has left, where it says so.
fn available() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_in_words() {
        for (bytes, words) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (9_949, "9.9 kB"),
            (9_950, "10 kB"),
            (999_499, "999 kB"),
            (999_500, "1.0 MB"),
            (u64::MAX, "18 EB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), words);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_advice() {
        let error = Gram::<f64>::new(4110, 4110, Some(100_000_000)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a Gram matrix of 4110 x 4110 float64: 135 MB, but the limit is 100 MB: take float32 (68 MB) or fewer graphs"
        );
        assert!(error.is_usage());
        assert!(
            Gram::<f32>::new(4110, 4110, Some(50_000_000))
                .unwrap_err()
                .to_string()
                .ends_with("take fewer graphs")
        );
        assert!(Gram::<f32>::new(usize::MAX, usize::MAX, Some(u64::MAX)).is_err());
        assert_eq!(Gram::<f64>::new(0, 3, None).unwrap().rows(), 0);
    }
}
