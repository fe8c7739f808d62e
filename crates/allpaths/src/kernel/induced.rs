//! Parts of a Gram matrix for a fold: graphs to learn from, and others, against those to learn from.

use super::gram::{Gram, Real};
use super::median::median;
use crate::Result;

impl<T: Real> Gram<T> {
    /// The rbf over the distance that this kernel induces, `exp(-g d^2 / m)`: rows for some graphs and then for others, columns for the former, of which
    /// alone `m` is the median.
    pub(crate) fn rbf_distance(&self, fitted: &[usize], others: &[usize], g: f64) -> Result<Self> {
        let mut part = Self::new(fitted.len() + others.len(), fitted.len(), None)?;
        let own: Vec<f64> = fitted.iter().map(|&graph| self.row(graph)[graph].wide()).collect();
        let rows = part.values_mut().chunks_mut(fitted.len().max(1));
        for (values, &graph) in rows.zip(fitted.iter().chain(others)) {
            let row = self.row(graph);
            let mine = row[graph].wide();
            for ((value, &other), own) in values.iter_mut().zip(fitted).zip(&own) {
                *value = T::rounded((mine + own - 2.0 * row[other].wide()).max(0.0));
            }
        }
        let below = || (0..fitted.len()).flat_map(|row| &part.row(row)[..row]).map(|&value| value.wide());
        let median = median(below).filter(|&median| median > 0.0).unwrap_or(1.0);
        part.values_mut().iter_mut().for_each(|value| *value = T::rounded((-g * value.wide() / median).exp()));
        Ok(part)
    }

    /// Rows below rows.
    pub(crate) fn above(mut self, below: Self) -> Self {
        self.append(below.into_values());
        self
    }
}
