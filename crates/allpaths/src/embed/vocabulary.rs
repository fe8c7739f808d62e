//! Columns that were learnt, and those that are not: what a feature's key is.

use std::cmp::Ordering;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::features::{Feature, Rows};
use super::profile::Cell;
use super::run::Keys;
use crate::label::Found;

/// Keys are ids: nothing to learn.
#[derive(Clone, Copy, Default)]
pub(super) struct Ids;

impl Keys for Ids {
    type Key = u64;

    #[inline]
    fn key(&mut self, found: &Found, _: usize, _: impl FnOnce() -> String) -> Option<u64> {
        Some(found.id)
    }
}

/// What is kept of a feature that has a column.
pub(crate) trait Kept: Send + Sync {
    /// A feature as it is found.
    fn of(found: &Found, refinement: usize, name: impl FnOnce() -> String) -> Self;

    /// Its id.
    fn id(&self) -> u64;

    /// The order of columns.
    fn order(&self, other: &Self) -> Ordering;
}

impl Kept for Feature {
    fn of(found: &Found, refinement: usize, name: impl FnOnce() -> String) -> Self {
        let cell = Cell { refinement, length: found.length };
        Self { id: found.id, name: name(), kind: found.kind, cell }
    }

    fn id(&self) -> u64 {
        self.id
    }

    fn order(&self, other: &Self) -> Ordering {
        Feature::order(self).cmp(&Feature::order(other))
    }
}

/// A feature without its name: all that a comparison needs. By cell, then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Column {
    pub(crate) cell: Cell,
    pub(crate) id: u64,
}

impl Kept for Column {
    fn of(found: &Found, refinement: usize, _: impl FnOnce() -> String) -> Self {
        Self { cell: Cell { refinement, length: found.length }, id: found.id }
    }

    fn id(&self) -> u64 {
        self.id
    }

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

/// Keys are numbers in the order in which features are first met.
pub(super) struct Learner<T> {
    places: FxHashMap<u64, u32>,
    features: Vec<T>,
}

impl<T> Default for Learner<T> {
    fn default() -> Self {
        Self { places: FxHashMap::default(), features: Vec::new() }
    }
}

impl<T: Kept> Keys for Learner<T> {
    type Key = u32;

    #[inline]
    fn key(&mut self, found: &Found, refinement: usize, name: impl FnOnce() -> String) -> Option<u32> {
        let next = self.features.len() as u32;
        let place = *self.places.entry(found.id).or_insert(next);
        if place == next {
            self.features.push(T::of(found, refinement, name));
        }
        Some(place)
    }
}

/// Where the feature of each id has its column.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(FxHashMap<u64, u32>);

impl Places {
    pub(super) fn of(features: &[Feature]) -> Self {
        Self(features.iter().zip(0..).map(|(feature, column)| (feature.id, column)).collect())
    }

    /// The column of a feature, by its id.
    pub(super) fn get(&self, id: u64) -> Option<u32> {
        self.0.get(&id).copied()
    }
}

/// Keys are columns that were learnt before; what has none is unseen.
impl Keys for &Places {
    type Key = u32;

    #[inline]
    fn key(&mut self, found: &Found, _: usize, _: impl FnOnce() -> String) -> Option<u32> {
        self.get(found.id)
    }
}

/// Makes one matrix of what several learners found: features in their order, rows by column.
pub(super) fn settle<T: Kept>(
    parts: Vec<(usize, Rows<u32>)>,
    learners: Vec<Learner<T>>,
    min_graphs: u64,
) -> (Vec<T>, Rows<u32>) {
    // All features once, and where each learner's are among them.
    let mut learners = learners.into_iter();
    let Learner { mut places, mut features } = learners.next().unwrap_or_default();
    let mut joint: Vec<Vec<u32>> = vec![(0..features.len() as u32).collect()];
    for learner in learners {
        let place = |feature: T| {
            *places.entry(feature.id()).or_insert_with(|| {
                features.push(feature);
                features.len() as u32 - 1
            })
        };
        joint.push(learner.features.into_iter().map(place).collect());
    }
    let mut graphs = vec![0u64; features.len()];
    for (learner, rows) in &parts {
        rows.keys.iter().for_each(|&key| graphs[joint[*learner][key as usize] as usize] += 1);
    }
    // Then in order, without the rare ones.
    let mut sorted: Vec<u32> =
        (0..features.len() as u32).filter(|&i| graphs[i as usize] >= min_graphs).collect();
    sorted.par_sort_unstable_by(|&a, &b| features[a as usize].order(&features[b as usize]));
    let mut columns = vec![None; features.len()];
    sorted.iter().zip(0..).for_each(|(&i, column)| columns[i as usize] = Some(column));
    let rows = parts
        .into_iter()
        .map(|(learner, rows)| rows.keyed(|key| columns[joint[learner][key as usize] as usize]));
    let rows = Rows::concatenated(rows.collect()).sorted();
    let mut features: Vec<Option<T>> = features.into_iter().map(Some).collect();
    let in_order = sorted.into_iter().filter_map(|i| features[i as usize].take()).collect();
    (in_order, rows)
}
