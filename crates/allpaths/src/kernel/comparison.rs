//! Comparisons of graphs by their features.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::engine::{Crew, Plan, Shape};
use super::gram::{Gram, Real};
use super::side::{Merge, Side};
use super::vectors::{Counted, Vectors};
use crate::embed::{Columns, Features};
use crate::{Error, Monitor, Result};

/// How the features of two graphs become one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    /// The sum of products.
    Linear,
    /// The sum of products over both lengths: the cosine of the angle between them.
    Cosine,
    /// `exp(-d^2 / s^2)`, with `d` the distance of the standardised features and `s` a scale.
    Rbf,
    /// The sum of the smaller values.
    Intersection,
    /// The sum of the smaller values over the sum of the larger ones.
    #[default]
    #[serde(rename = "minmax")]
    MinMax,
}

impl Compare {
    /// The name that settings use.
    pub fn name(self) -> &'static str {
        match self {
            Compare::Linear => "linear",
            Compare::Cosine => "cosine",
            Compare::Rbf => "rbf",
            Compare::Intersection => "intersection",
            Compare::MinMax => "minmax",
        }
    }
}

/// Compares graphs by their features: the settings of a kernel on rows of counts.
///
/// All comparisons are symmetric and positive semidefinite. A graph without features is to every graph, itself included, 0 by cosine and
/// minmax. What is learnt in [`Comparison::fit`] are deviations of features, where they are standardised or cut, and the median distance, for rbf.
///
/// # Complexity
///
/// Time grows with the number of pairs of graphs times the features that both have; memory with the matrix.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, Graph, kernel::{Compare, Comparison}};
/// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?; // 3 vertices, 2 edges, 1 path of length 2
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?; // 3 vertices, 3 edges, 3 paths, 1 cycle
/// let features = AllPathsCycles::up_to(3).embed(&[path, triangle])?;
/// let gram = Comparison::new(Compare::MinMax).fit(&features)?.gram::<f64>()?;
/// assert_eq!(gram.values(), [1.0, 0.6, 0.6, 1.0]); // (3 + 2 + 1) / (3 + 3 + 3 + 1)
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Odone, Barla and Verri, Building kernels from binary strings for image matching, 2005 (intersection); Ralaivola et al., Graph
/// kernels for chemical informatics, 2005 (minmax).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comparison {
    pub(super) compare: Compare,
    pub(super) counts: Counted,
    pub(super) by_cell: bool,
    pub(super) normalized: bool,
    pub(super) variance_cut: f64,
    pub(super) standardized: Option<bool>,
    pub(super) scale: Option<f64>,
    pub(super) rbf_distance: Option<f64>,
    pub(super) threads: Option<usize>,
    pub(super) max_bytes: Option<u64>,
}

impl Comparison {
    /// Compares counts as they are.
    pub fn new(compare: Compare) -> Self {
        Self { compare, ..Self::default() }
    }

    /// Sets how features are compared.
    #[must_use]
    pub fn compare(mut self, compare: Compare) -> Self {
        self.compare = compare;
        self
    }

    /// Sets what becomes of counts first.
    #[must_use]
    pub fn counts(mut self, counted: Counted) -> Self {
        self.counts = counted;
        self
    }

    /// Compares the features of each length and refinement apart, and averages: no length drowns another. A cell that
    /// both graphs lack adds 0; the average is then normalised.
    #[must_use]
    pub fn by_cell(mut self) -> Self {
        self.by_cell = true;
        self
    }

    /// Divides by the root of what the two graphs are to themselves, so that each is 1 to itself.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        self.normalized = true;
        self
    }

    /// Leaves out features whose variance among the fitted graphs is below this fraction of the sum of all variances: none by default.
    #[must_use]
    pub fn variance_cut(mut self, fraction: f64) -> Self {
        self.variance_cut = fraction;
        self
    }

    /// Sets whether features are divided by their deviation among the fitted graphs: with [`Compare::Rbf`] alone by default. Means are not taken off:
    /// neither distances nor a support vector machine see them.
    #[must_use]
    pub fn standardized(mut self, standardized: bool) -> Self {
        self.standardized = Some(standardized);
        self
    }

    /// Sets the scale of [`Compare::Rbf`]: the median distance of the fitted graphs by default.
    #[must_use]
    pub fn scale(mut self, scale: f64) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Takes `exp(-g d^2 / m)` in the end, with `d` the distance that the comparison induces, `d^2 = k(x, x) + k(y, y) - 2 k(x, y)`, and
    /// `m` the median of `d^2` over pairs of the fitted graphs.
    #[must_use]
    pub fn rbf_distance(mut self, g: f64) -> Self {
        self.rbf_distance = Some(g);
        self
    }

    /// Sets the number of threads: all processors by default. The result is the same for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// On so many threads, or as many as there are.
    pub(crate) fn on(mut self, threads: Option<usize>) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the most bytes that a Gram matrix may take: what the machine has left by default.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// Checks the settings against each other.
    pub(super) fn check(&self) -> Result<()> {
        let is_wrong = |number: Option<f64>| number.is_some_and(|x| !(x > 0.0 && x.is_finite()));
        let rbf = self.compare == Compare::Rbf;
        let reason = match self {
            Self { threads: Some(0), .. } => "0 threads cannot compare: ask for 1 or more",
            _ if self.scale.is_some() && !rbf => "a scale is for rbf alone: leave it out",
            _ if is_wrong(self.scale) => "the scale of rbf is above 0",
            _ if !(0.0..1.0).contains(&self.variance_cut) => {
                "a variance cut is a fraction of the sum of all variances: from 0 up to, but not, 1"
            }
            _ if is_wrong(self.rbf_distance) => "the factor of rbf over a distance is above 0",
            _ if rbf && self.rbf_distance.is_some() => {
                "rbf over the distance of rbf says nothing new: take another comparison"
            }
            _ if rbf && self.by_cell => "rbf has one scale, not one for each cell: take another comparison",
            _ => return Ok(()),
        };
        Err(Error::settings(reason))
    }

    /// Learns what there is to learn from some graphs' features.
    ///
    /// # Errors
    ///
    /// When the settings contradict each other or the features.
    pub fn fit(&self, features: &Features) -> Result<FittedComparison> {
        self.check_columns(features)?;
        self.fit_vectors(Vectors::of(features, self.counts), Unseen::Count)
    }

    pub(super) fn check_columns(&self, features: &Features) -> Result<()> {
        match features.columns() {
            Columns::Hashed(_) if self.by_cell => Err(Error::settings(
                "hashed columns belong to no cell: learn columns, or compare all at once",
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn counted(&self) -> Counted {
        self.counts
    }

    pub(super) fn fit_vectors(&self, mut vectors: Vectors, unseen: Unseen) -> Result<FittedComparison> {
        self.check()?;
        let factors = self.has_factors().then(|| vectors.factors(self.variance_cut, self.is_standardized()));
        factors.iter().for_each(|factors| vectors.scale(factors));
        Ok(self.fitted(vectors, factors, unseen))
    }

    fn is_standardized(&self) -> bool {
        self.standardized.unwrap_or(self.compare == Compare::Rbf)
    }

    /// Whether columns have factors, which are learnt.
    pub(super) fn has_factors(&self) -> bool {
        self.is_standardized() || self.variance_cut > 0.0
    }

    /// Whether anything is learnt from the fitted graphs.
    pub(super) fn learns(&self) -> bool {
        self.has_factors()
            || self.rbf_distance.is_some()
            || (self.compare == Compare::Rbf && self.scale.is_none())
    }

    /// The comparison whose distance is taken, and the factor of its square.
    pub(super) fn over_distance(&self) -> Option<(Self, f64)> {
        self.rbf_distance.map(|factor| (Self { rbf_distance: None, ..self.clone() }, factor))
    }

    /// What was fitted before, with factors where there were any.
    pub(super) fn read(
        &self,
        vectors: Vectors,
        factors: Vec<f64>,
        unseen: Unseen,
    ) -> Result<FittedComparison> {
        self.check()?;
        Ok(self.fitted(vectors, self.has_factors().then_some(factors), unseen))
    }

    fn fitted(&self, vectors: Vectors, factors: Option<Vec<f64>>, unseen: Unseen) -> FittedComparison {
        // A feature that no fitted graph has does not vary among them.
        let unseen = if factors.is_some() { Unseen::Drop } else { unseen };
        let side = Side::new(vectors, self.merge(), self.by_cell);
        FittedComparison { settings: self.clone(), side, factors, unseen, medians: Default::default() }
    }

    pub(super) fn merge(&self) -> Merge {
        match self.compare {
            Compare::Linear | Compare::Rbf => Merge::Products,
            Compare::Cosine => Merge::Cosine,
            Compare::Intersection => Merge::Minima,
            Compare::MinMax => Merge::MinMax,
        }
    }
}

/// What becomes of features that no fitted graph has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unseen {
    /// They count for what a graph is to itself.
    Count,
    /// They are left out: columns were chosen.
    Drop,
}

/// A comparison with the graphs it was fitted to.
#[derive(Clone, Debug)]
pub struct FittedComparison {
    settings: Comparison,
    side: Side,
    /// What columns are multiplied by: one over their deviation, or 0 where they are cut.
    factors: Option<Vec<f64>>,
    unseen: Unseen,
    /// Of the squared distances of fitted graphs, once it was needed: as float32 and as float64, so that it does not matter what was asked first.
    medians: [OnceLock<f64>; 2],
}

impl FittedComparison {
    /// The settings it was made with.
    pub fn settings(&self) -> &Comparison {
        &self.settings
    }

    /// Changes how matrices are made, which alters nothing that was learnt.
    pub(super) fn run_by(mut self, change: impl FnOnce(&mut Comparison)) -> Self {
        change(&mut self.settings);
        self
    }

    /// How many graphs it was fitted to.
    pub fn rows(&self) -> usize {
        self.side.rows()
    }

    /// The rows of the fitted graphs, with columns multiplied where they are to be, and by what.
    pub(super) fn rows_and_factors(&self) -> (&Vectors, Option<&[f64]>) {
        (&self.side.vectors, self.factors.as_deref())
    }

    /// Compares the fitted graphs with each other.
    ///
    /// # Errors
    ///
    /// When the matrix is over its limit of memory.
    pub fn gram<T: Real>(&self) -> Result<Gram<T>> {
        self.gram_under(&Monitor::new())
    }

    /// Compares the fitted graphs with each other, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`FittedComparison::gram`], and when the monitor is told to interrupt.
    pub fn gram_under<T: Real>(&self, monitor: &Monitor) -> Result<Gram<T>> {
        let plan = self.plan(&self.side);
        let mut gram = plan.fill(self.settings.max_bytes, monitor, Shape::Lower)?;
        if let Some(g) = self.factor() {
            let median = *self.medians[T::PLACE].get_or_init(|| Crew::median(&gram));
            plan.crew.exponentiate(&mut gram, self.rate(g, median), Shape::Lower)?;
        }
        plan.crew.mirror(&mut gram)?;
        Ok(gram)
    }

    /// Compares other graphs with the fitted ones: a row for each of the others.
    ///
    /// # Errors
    ///
    /// As [`FittedComparison::gram`], and when columns are hashed in another way.
    pub fn against<T: Real>(&self, features: &Features) -> Result<Gram<T>> {
        self.against_under(features, &Monitor::new())
    }

    /// Compares other graphs with the fitted ones, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`FittedComparison::against`], and when the monitor is told to interrupt.
    pub fn against_under<T: Real>(&self, features: &Features, monitor: &Monitor) -> Result<Gram<T>> {
        self.settings.check_columns(features)?;
        self.against_vectors(&Vectors::of(features, self.settings.counts), monitor)
    }

    pub(super) fn against_vectors<T: Real>(&self, vectors: &Vectors, monitor: &Monitor) -> Result<Gram<T>> {
        let side = self.beside(vectors);
        let plan = self.plan(&side);
        let mut gram = plan.fill(self.settings.max_bytes, monitor, Shape::Whole)?;
        if let Some(g) = self.factor() {
            let rate = self.rate(g, self.median::<T>(monitor)?);
            plan.crew.exponentiate(&mut gram, rate, Shape::Whole)?;
        }
        Ok(gram)
    }

    /// Other graphs as they are compared with the fitted ones.
    fn beside(&self, vectors: &Vectors) -> Side {
        let fitted = &self.side;
        match (&self.factors, self.unseen) {
            (None, Unseen::Count) => fitted.beside(vectors),
            (factors, _) => {
                let mut vectors = vectors.under(&fitted.vectors.columns);
                factors.iter().for_each(|factors| vectors.scale(factors));
                fitted.beside(&vectors)
            }
        }
    }

    /// What each of other graphs is to itself.
    pub(super) fn own(&self, vectors: &Vectors) -> Vec<f64> {
        let side = self.beside(vectors);
        let plan = self.plan(&side);
        // No distance from itself.
        let own = |&diagonal: &f64| if plan.distances { 1.0 } else { plan.own(diagonal) };
        side.diagonal.iter().map(own).collect()
    }

    /// Whether it is a sum of products, so that a machine on it is a weight for each column.
    pub(super) fn is_linear(&self) -> bool {
        self.settings.merge().has_products() && self.factor().is_none()
    }

    fn is_normalized(&self) -> bool {
        self.settings.normalized || self.settings.by_cell
    }

    /// The weight of each column in a combination of the fitted graphs, where the comparison is a sum of products.
    pub(super) fn weights(&self, support: &[u32], coefficients: &[f64]) -> Vec<f64> {
        let rows = self.side.scaled(self.is_normalized());
        let mut weights = vec![0.0; rows.columns.len()];
        for (&row, coefficient) in support.iter().zip(coefficients) {
            let range = rows.row(row as usize);
            for (&column, value) in rows.indices()[range.clone()].iter().zip(&rows.values()[range]) {
                weights[column as usize] += coefficient * value;
            }
        }
        weights
    }

    /// What those weights are multiplied by, for other graphs.
    pub(super) fn values(&self, vectors: &Vectors) -> Vectors {
        self.beside(vectors).scaled(self.is_normalized())
    }

    fn plan<'a>(&'a self, left: &'a Side) -> Plan<'a> {
        let settings = &self.settings;
        Plan {
            left,
            right: &self.side,
            normalized: self.is_normalized(),
            distances: self.factor().is_some(),
            crew: Crew { threads: settings.threads },
        }
    }

    /// The factor of the squared distance, over the median or the scale, if distances are what is compared.
    fn factor(&self) -> Option<f64> {
        match self.settings.compare {
            Compare::Rbf => Some(1.0),
            _ => self.settings.rbf_distance,
        }
    }

    /// What squared distances are multiplied by.
    fn rate(&self, g: f64, median: f64) -> f64 {
        match self.settings.scale {
            Some(scale) => g / (scale * scale),
            None => g / median,
        }
    }

    fn median<T: Real>(&self, monitor: &Monitor) -> Result<f64> {
        let median = &self.medians[T::PLACE];
        if let (None, None) = (self.settings.scale, median.get()) {
            self.gram_under::<T>(monitor)?;
        }
        Ok(median.get().copied().unwrap_or(1.0))
    }
}
