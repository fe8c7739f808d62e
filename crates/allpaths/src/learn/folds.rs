//! Splits of examples into folds, each with its share of every class.

use std::ops::Range;

use crate::random::ChaCha8;
use crate::{Error, Result};

/// A split of examples into parts of nearly the same size, each with its share of every class.
///
/// The same seed gives the same split, on any machine.
///
/// # Example
///
/// ```
/// # use allpaths::learn::Folds;
/// let folds = Folds::new(&[1, 1, 1, 1, 1, 1, -1, -1, -1], 3, 7)?;
/// let (train, test) = folds.split(0);
/// assert_eq!((train.len(), test.len()), (6, 3));
/// assert_eq!(test.iter().filter(|&&example| example < 6).count(), 2); // two of one class, one of the other
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folds {
    /// The fold of each example.
    fold: Vec<u32>,
    folds: usize,
}

impl Folds {
    /// A random split.
    ///
    /// # Errors
    ///
    /// When there are fewer than two folds, or more than examples.
    pub fn new(classes: &[i64], folds: usize, seed: u64) -> Result<Self> {
        Self::random(classes, folds, &mut ChaCha8::new(seed))
    }

    pub(crate) fn random(classes: &[i64], folds: usize, random: &mut ChaCha8) -> Result<Self> {
        let n = classes.len();
        if folds < 2 || folds > n {
            return Err(Error::settings(format!(
                "{n} graphs cannot be split into {folds} folds: take 2 to {n}"
            )));
        }
        let mut order: Vec<u32> = (0..n as u32).collect();
        random.shuffle(&mut order);
        order.sort_by_key(|&example| classes[example as usize]);
        // Dealt like cards, class by class, so that neither classes nor sizes differ by more than one.
        let mut fold = vec![0; n];
        order.iter().enumerate().for_each(|(i, &example)| fold[example as usize] = (i % folds) as u32);
        Ok(Self { fold, folds })
    }

    /// The numbers of the folds.
    pub fn numbers(&self) -> Range<usize> {
        0..self.folds
    }

    /// The fold of an example.
    pub(crate) fn of(&self, example: usize) -> u32 {
        self.fold[example]
    }

    /// The examples outside a fold, to learn from, and those in it, both ascending.
    pub fn split(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        (0..self.fold.len()).partition(|&example| self.fold[example] as usize != fold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_even_and_stratified() {
        let classes: Vec<i64> = (0..103).map(|i| i64::from(i % 7 == 0) + i64::from(i % 3 == 0)).collect();
        let folds = Folds::new(&classes, 10, 1).unwrap();
        let tests: Vec<Vec<usize>> = folds.numbers().map(|fold| folds.split(fold).1).collect();
        let mut all = tests.concat();
        all.sort_unstable();
        assert_eq!(all, (0..103).collect::<Vec<_>>());
        let spread = |counts: Vec<usize>| counts.iter().max().unwrap() - counts.iter().min().unwrap();
        assert!(spread(tests.iter().map(Vec::len).collect()) <= 1);
        for class in 0..3 {
            let of_class = |test: &Vec<usize>| test.iter().filter(|&&i| classes[i] == class).count();
            assert!(spread(tests.iter().map(of_class).collect()) <= 1);
        }
    }

    #[test]
    fn the_same_on_every_machine() {
        let classes = [0, 1, 0, 1, 0, 1, 0, 1];
        assert_eq!(Folds::new(&classes, 4, 5).unwrap(), Folds::new(&classes, 4, 5).unwrap());
        assert_ne!(Folds::new(&classes, 4, 5).unwrap(), Folds::new(&classes, 4, 6).unwrap());
        // Pinned: a change of this is a change of all published numbers. Both were computed apart, from the definitions of `ChaCha8`, of
        // Lemire's numbers below another, and of the shuffle of Fisher and Yates.
        assert_eq!(Folds::new(&classes, 4, 5).unwrap().fold, [2, 1, 1, 0, 0, 2, 3, 3]);
        let classes: Vec<i64> = (0..40).map(|i| i % 3).collect();
        let known = [
            2, 7, 3, 8, 8, 9, 7, 2, 8, 2, 5, 1, 5, 0, 8, 9, 1, 0, 0, 6, 7, 0, 6, 6, 3, 9, 4, 1, 3, 9, 3, 4,
            5, 1, 5, 2, 6, 4, 7, 4,
        ];
        assert_eq!(Folds::new(&classes, 10, (1 << 40) + 1).unwrap().fold, known);
    }

    #[test]
    fn too_few_examples() {
        assert!(Folds::new(&[0, 1], 3, 1).unwrap_err().is_usage());
        assert!(Folds::new(&[0, 1], 1, 1).unwrap_err().is_usage());
    }
}
