//! Machines on kernels as weights of features: where the kernel is a sum of products, a combination of graphs is one, too.

use rustc_hash::FxHashMap;

use super::substructures::Embedding;
use super::vectors::Vectors;
use super::{Body, FittedComparison, FittedKernel};
use crate::embed::{Features, Fitted};
use crate::learn::FittedSvm;

/// A machine on a kernel of paths and cycles, whose comparison is a sum of products.
pub(crate) struct LinearForm<'a> {
    comparison: &'a FittedComparison,
    /// By machine and column.
    weights: Vec<Vec<f64>>,
    /// The column of each id.
    places: FxHashMap<u64, u32>,
}

impl FittedKernel {
    /// What counts the paths and cycles that graphs are compared by, if they are compared by those and by name.
    pub(crate) fn paths(&self) -> Option<(Fitted, &FittedComparison)> {
        match &self.body {
            Body::Features(embedding, comparison) => match &*embedding.with_rare() {
                Embedding::Paths(fitted) if !fitted.settings().has_hashed_columns() => {
                    Some((fitted.as_ref().clone(), comparison))
                }
                _ => None,
            },
            Body::Pairs(_) => None,
        }
    }

    /// The weights of a machine, if it has any.
    pub(crate) fn linear_form(&self, machine: &FittedSvm) -> Option<LinearForm<'_>> {
        let (_, comparison) = self.paths()?;
        if !comparison.is_linear() {
            return None;
        }
        let weights = |number: usize| {
            let (support, coefficients, _) = machine.combination(number);
            comparison.weights(support, coefficients)
        };
        let columns = &comparison.rows_and_factors().0.columns;
        Some(LinearForm {
            comparison,
            weights: (0..machine.machines()).map(weights).collect(),
            places: columns.iter().zip(0..).map(|(column, place)| (column.id, place)).collect(),
        })
    }
}

impl LinearForm<'_> {
    /// The weights of features in a machine; 0 for those it has never seen.
    pub(crate) fn weights(&self, machine: usize, features: &Features) -> Vec<f64> {
        let weight =
            |id: u64| self.places.get(&id).map_or(0.0, |&place| self.weights[machine][place as usize]);
        features.features().iter().map(|feature| weight(feature.id)).collect()
    }

    /// What weights are multiplied by: a value for each count of the features, in their order.
    pub(crate) fn values(&self, features: &Features) -> Vec<f64> {
        let values = self.comparison.values(&Vectors::of(features, self.comparison.settings().counted()));
        let mut all = Vec::with_capacity(features.nonzeros());
        for row in 0..features.rows() {
            let range = values.row(row);
            let (indices, values) = (&values.indices()[range.clone()], &values.values()[range]);
            all.extend(features.row(row).0.iter().map(|&column| {
                let place = self.places.get(&features.features()[column as usize].id);
                let place = place.and_then(|place| indices.binary_search(place).ok());
                place.map_or(0.0, |place| values[place])
            }));
        }
        all
    }
}
