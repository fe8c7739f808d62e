//! Columns that were learnt, and those that are not: what a feature's key is.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::features::{Feature, Rows};
use super::profile::Cell;
use super::run::Keys;
use crate::count::Outcome;
use crate::label::Found;
use crate::threads;

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
    workers: usize,
) -> (Vec<T>, Rows<u32>) {
    let mut columns: Vec<Vec<Option<u32>>> =
        learners.iter().map(|learner| vec![None; learner.features.len()]).collect();
    // All features in order, each with who met it; those that several met stand side by side.
    let met = |(number, learner): (u32, Learner<T>)| {
        learner.features.into_iter().zip(0..).map(move |(feature, place)| (feature, number, place))
    };
    let mut all: Vec<(T, u32, u32)> = (0..).zip(learners).flat_map(met).collect();
    threads::sort_by(workers, &mut all, |(a, ..), (b, ..)| a.order(b));
    let mut features: Vec<T> = Vec::new();
    for (feature, learner, place) in all {
        if features.last().is_none_or(|last| last.id() != feature.id()) {
            features.push(feature);
        }
        columns[learner as usize][place as usize] = Some(features.len() as u32 - 1);
    }
    // A graph that was stopped may have taken back what was met in it alone.
    let is_whole = |(_, rows): &(usize, Rows<u32>)| rows.outcomes.iter().all(|&it| it == Outcome::Complete);
    if min_graphs > 1 || !parts.iter().all(is_whole) {
        features = without_rare(features, &mut columns, &parts, min_graphs);
    }
    let rows = threads::map(workers > 1, parts.into_iter(), |(learner, rows)| {
        rows.under(|key| columns[learner][key as usize])
    });
    (features, Rows::concatenated(rows))
}

/// Drops the features that too few graphs have, and closes the gaps that their columns leave.
fn without_rare<T>(
    features: Vec<T>,
    columns: &mut [Vec<Option<u32>>],
    parts: &[(usize, Rows<u32>)],
    min_graphs: u64,
) -> Vec<T> {
    let mut graphs = vec![0u64; features.len()];
    for (learner, rows) in parts {
        let met = rows.keys.iter().filter_map(|&key| columns[*learner][key as usize]);
        met.for_each(|column| graphs[column as usize] += 1);
    }
    let mut next = 0..;
    let kept: Vec<Option<u32>> =
        graphs.iter().map(|&graphs| if graphs >= min_graphs { next.next() } else { None }).collect();
    for column in columns.iter_mut().flatten() {
        *column = column.and_then(|column| kept[column as usize]);
    }
    features.into_iter().zip(kept).filter_map(|(feature, column)| column.map(|_| feature)).collect()
}
