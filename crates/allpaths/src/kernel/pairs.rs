//! Kernels that have no features, or more than can be listed: each entry of a Gram matrix comes from two graphs.
//!
//! Such a kernel is [`Pairwise`]: it makes something of each graph alone, and a number of two of those. Everything else, who is compared with
//! whom, on which threads, under which limits, and what becomes of the numbers, is the same for all and is here.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::comparison::{Compare, Comparison};
use super::engine::{Crew, Shape};
use super::gram::{Gram, Real};
use super::side::Merge;
use super::substructures::Substructures;
use super::vectors::Counted;
use crate::label::{LabelMap, Labelling};
use crate::{Error, Graph, Monitor, Result};

/// What kernels on pairs see of a graph: arcs between vertices, which are sorted by label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plain {
    directed: bool,
    /// By vertex: the id of its label.
    labels: Vec<u64>,
    /// Row `v` is `offsets[v]..offsets[v + 1]` in `targets`.
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Plain {
    fn new(graph: &Graph, labelling: &mut Labelling) -> Self {
        labelling.begin(graph);
        labelling.number();
        let label = |v: usize| labelling.piece(labelling.vertices()[v]).id();
        let mut order: Vec<usize> = (0..graph.order()).collect();
        order.sort_by_key(|&v| label(v));
        let mut places = vec![0; graph.order()];
        order.iter().zip(0..).for_each(|(&v, place)| places[v] = place);
        let mut plain = Self {
            directed: graph.is_directed(),
            labels: order.iter().map(|&v| label(v)).collect(),
            offsets: vec![0],
            targets: Vec::new(),
        };
        for &v in &order {
            let begin = plain.targets.len();
            plain.targets.extend(graph.neighbours(v).iter().map(|&w| places[w as usize]));
            plain.targets[begin..].sort_unstable();
            plain.offsets.push(plain.targets.len() as u32);
        }
        plain
    }

    pub(super) fn is_directed(&self) -> bool {
        self.directed
    }

    pub(super) fn order(&self) -> usize {
        self.labels.len()
    }

    /// The ids of the labels of all vertices, ascending.
    pub(super) fn labels(&self) -> &[u64] {
        &self.labels
    }

    /// The vertices that arcs from `v` lead to, ascending.
    pub(super) fn neighbours(&self, v: usize) -> &[u32] {
        &self.targets[self.arcs(v)]
    }

    /// The places of these arcs among all.
    pub(super) fn arcs(&self, v: usize) -> std::ops::Range<usize> {
        self.offsets[v] as usize..self.offsets[v + 1] as usize
    }

    /// Where all arcs end.
    pub(super) fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// Many graphs as arrays: whether each is directed, the order of each, the labels and degrees of all vertices, and where all arcs end.
    pub(super) fn arrays(graphs: &[Self]) -> [Vec<u64>; 5] {
        let degrees = |plain: &Self| {
            plain.offsets.windows(2).map(|ends| u64::from(ends[1] - ends[0])).collect::<Vec<_>>()
        };
        [
            graphs.iter().map(|plain| u64::from(plain.directed)).collect(),
            graphs.iter().map(|plain| plain.order() as u64).collect(),
            graphs.iter().flat_map(|plain| plain.labels.clone()).collect(),
            graphs.iter().flat_map(degrees).collect(),
            graphs.iter().flat_map(|plain| plain.targets.iter().map(|&w| u64::from(w))).collect(),
        ]
    }

    /// Graphs that come from such arrays; nothing if they do not fit together.
    pub(super) fn from_arrays(
        [directed, orders, labels, degrees, targets]: [Vec<u64>; 5],
    ) -> Option<Vec<Self>> {
        let (mut labels, mut degrees, mut targets) =
            (labels.as_slice(), degrees.as_slice(), targets.as_slice());
        let mut graphs = Vec::with_capacity(orders.len());
        if directed.len() != orders.len() {
            return None;
        }
        for (&directed, &order) in directed.iter().zip(&orders) {
            let order = usize::try_from(order).ok()?;
            let own = labels.split_off(..order)?.to_vec();
            let mut offsets = vec![0u32];
            for &degree in degrees.split_off(..order)? {
                offsets.push(offsets[offsets.len() - 1].checked_add(u32::try_from(degree).ok()?)?);
            }
            let arcs = targets.split_off(..offsets[order] as usize)?;
            let plain = Self {
                directed: directed != 0,
                labels: own,
                offsets,
                targets: arcs.iter().map(|&w| u32::try_from(w).ok()).collect::<Option<_>>()?,
            };
            let is_whole = plain.labels.is_sorted() && plain.targets.iter().all(|&w| (w as usize) < order);
            graphs.push(is_whole.then_some(plain)?);
        }
        (labels.is_empty() && degrees.is_empty() && targets.is_empty()).then_some(graphs)
    }
}

/// A kernel that is defined on pairs of graphs.
pub(super) trait Pairwise: Sync {
    /// What it makes of a graph before any is compared.
    type Seen: Send + Sync;
    /// What a thread needs to compare.
    type Scratch: Default;

    /// Refuses a graph on which the kernel is not defined, or would take forever; the reason is to follow `graph 7`.
    fn check(&self, graph: &Plain) -> Result<(), String>;

    fn see(&self, graph: &Plain) -> Self::Seen;

    /// The kernel of two graphs.
    fn pair(&self, left: &Self::Seen, right: &Self::Seen, scratch: &mut Self::Scratch) -> f64;
}

/// A kernel on pairs with the graphs it was fitted to.
#[derive(Clone, Debug)]
pub(super) struct FittedPairs {
    what: Substructures,
    comparison: Comparison,
    labels: LabelMap,
    graphs: Vec<Plain>,
    time: Option<Duration>,
    /// Of the squared distances of fitted graphs, once it was needed: as float32 and as float64.
    medians: [OnceLock<f64>; 2],
}

/// A kernel of each graph with itself.
fn with_itself<P: Pairwise>(kernel: &P, graphs: &[Plain]) -> impl Iterator<Item = f64> {
    let mut scratch = P::Scratch::default();
    graphs.iter().map(move |plain| {
        let seen = kernel.see(plain);
        kernel.pair(&seen, &seen, &mut scratch)
    })
}

/// Does something with the kernel on pairs that some substructures are.
macro_rules! with_pairwise {
    ($what:expr, $kernel:ident => $work:expr) => {
        match $what {
            Substructures::RandomWalk($kernel) => $work,
            Substructures::TreePattern($kernel) => $work,
            _ => unreachable!("kernels with features are compared by those"),
        }
    };
}

impl FittedPairs {
    /// # Errors
    ///
    /// When the comparison needs features, or the kernel is not defined on some graph.
    pub(super) fn new(
        what: &Substructures,
        comparison: &Comparison,
        labels: LabelMap,
        graphs: Vec<Plain>,
    ) -> Result<Self> {
        with_pairwise!(what, kernel => kernel.check_settings())?;
        check_comparison(what.name(), comparison)?;
        let medians = Default::default();
        let fitted =
            Self { what: what.clone(), comparison: comparison.clone(), labels, graphs, time: None, medians };
        fitted.check(&fitted.graphs)?;
        Ok(fitted)
    }

    /// Graphs as kernels on pairs see them.
    pub(super) fn see(graphs: &[Graph], labels: &LabelMap) -> Vec<Plain> {
        let mut labelling = Labelling::new(labels.clone(), false);
        graphs.iter().map(|graph| Plain::new(graph, &mut labelling)).collect()
    }

    /// Refuses graphs on which the kernel is not defined.
    pub(super) fn check(&self, graphs: &[Plain]) -> Result<()> {
        with_pairwise!(&self.what, kernel => {
            for (number, plain) in graphs.iter().enumerate() {
                kernel.check(plain).map_err(|reason| Error::graph(format!("graph {number} {reason}")))?;
            }
            Ok(())
        })
    }

    /// Changes how matrices are made, which alters nothing that was learnt.
    pub(super) fn run_by(mut self, change: impl FnOnce(&mut Comparison)) -> Self {
        change(&mut self.comparison);
        self
    }

    /// Sets the most time that a matrix may take.
    pub(super) fn time(mut self, time: Option<Duration>) -> Self {
        self.time = time;
        self
    }

    pub(super) fn labels(&self) -> &LabelMap {
        &self.labels
    }

    pub(super) fn graphs(&self) -> &[Plain] {
        &self.graphs
    }

    /// The fitted graphs with each other.
    pub(super) fn gram_under<T: Real>(&self, monitor: &Monitor) -> Result<Gram<T>> {
        let mut gram = with_pairwise!(&self.what, kernel => self.fill(kernel, None, monitor))?;
        if let Some(g) = self.comparison.rbf_distance {
            let median = *self.medians[T::PLACE].get_or_init(|| Crew::median(&gram));
            self.crew().exponentiate(&mut gram, g / median, Shape::Lower)?;
        }
        self.crew().mirror(&mut gram)?;
        Ok(gram)
    }

    /// Other graphs with the fitted ones.
    pub(super) fn against_under<T: Real>(&self, others: &[Plain], monitor: &Monitor) -> Result<Gram<T>> {
        let mut gram = with_pairwise!(&self.what, kernel => self.fill(kernel, Some(others), monitor))?;
        if let Some(g) = self.comparison.rbf_distance {
            if self.medians[T::PLACE].get().is_none() {
                self.gram_under::<T>(monitor)?;
            }
            let median = self.medians[T::PLACE].get().copied().unwrap_or(1.0);
            self.crew().exponentiate(&mut gram, g / median, Shape::Whole)?;
        }
        Ok(gram)
    }

    /// What each of other graphs is to itself.
    pub(super) fn own(&self, graphs: &[Plain]) -> Vec<f64> {
        let Comparison { compare, normalized, rbf_distance, .. } = &self.comparison;
        let is_one = *normalized || *compare == Compare::Cosine;
        with_pairwise!(&self.what, kernel => {
            let own = |own: f64| if rbf_distance.is_some() || is_one && own > 0.0 { 1.0 } else { own };
            with_itself(kernel, graphs).map(own).collect()
        })
    }

    fn crew(&self) -> Crew {
        Crew { threads: self.comparison.threads }
    }

    /// The kernel, or the squared distance, of others, or the fitted graphs themselves, with the fitted ones.
    fn fill<P: Pairwise, T: Real>(
        &self,
        kernel: &P,
        others: Option<&[Plain]>,
        monitor: &Monitor,
    ) -> Result<Gram<T>> {
        let Comparison { compare, normalized, rbf_distance, max_bytes, .. } = &self.comparison;
        let (normalized, distances) = (*normalized || *compare == Compare::Cosine, rbf_distance.is_some());
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        let see = |graphs: &[Plain]| -> Vec<(P::Seen, f64)> {
            let mut scratch = P::Scratch::default();
            let mut own = |plain: &Plain| {
                let seen = kernel.see(plain);
                let own = kernel.pair(&seen, &seen, &mut scratch);
                (seen, own)
            };
            graphs.iter().map(&mut own).collect()
        };
        let right = see(&self.graphs);
        let (left, shape) = match others {
            Some(others) => (&see(others), Shape::Whole),
            None => (&right, Shape::Lower),
        };
        let mut gram = Gram::new(left.len(), right.len(), *max_bytes)?;
        let columns = right.len();
        let total: f64 = (0..left.len()).map(|row| shape.end(row, columns) as f64).sum();
        let (late, overflow) = (AtomicBool::new(false), AtomicBool::new(false));
        let own = |own: f64| if normalized && own > 0.0 { 1.0 } else { own };
        self.crew().each(&mut gram, |first, values| {
            let mut scratch = P::Scratch::default();
            for (row, values) in (first..).zip(values.chunks_mut(columns)) {
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    late.store(true, Relaxed);
                }
                if monitor.is_interrupted() || late.load(Relaxed) {
                    return;
                }
                let (seen, mine) = &left[row];
                let end = shape.end(row, columns);
                for (column, (value, (other, theirs))) in values[..end].iter_mut().zip(&right).enumerate() {
                    let is_own = shape == Shape::Lower && column == row;
                    let mut found = if is_own { *mine } else { kernel.pair(seen, other, &mut scratch) };
                    if !found.is_finite() {
                        overflow.store(true, Relaxed);
                    }
                    if normalized {
                        found = if is_own { own(found) } else { Merge::Cosine.merged(found, *mine, *theirs) };
                    }
                    if distances {
                        found = if is_own { 0.0 } else { squared_distance(found, own(*mine), own(*theirs)) };
                    }
                    *value = T::rounded(found);
                }
                monitor.advance(end as f64 / total);
            }
        })?;
        match (monitor.is_interrupted(), late.into_inner(), overflow.into_inner()) {
            (true, ..) => Err(Error::stopped("interrupted before the Gram matrix was complete")),
            (_, true, _) => Err(Error::stopped("the time was up before the Gram matrix was complete")),
            (.., true) => Err(Error::graph(
                "the kernel of some graphs is larger than any double: take a smaller lambda",
            )),
            _ => Ok(gram),
        }
    }
}

/// The squared distance of two graphs, given their kernel and what each is to itself. What rounding leaves of equal graphs is none.
fn squared_distance(kernel: f64, mine: f64, theirs: f64) -> f64 {
    const ROUNDING: f64 = 1e-12;
    let distance = mine + theirs - 2.0 * kernel;
    if distance > ROUNDING * (mine + theirs) { distance } else { 0.0 }
}

/// Refuses what is done with features.
fn check_comparison(name: &str, comparison: &Comparison) -> Result<()> {
    comparison.check()?;
    let Comparison { compare, counts, by_cell, variance_cut, standardized, .. } = comparison;
    let what = match compare {
        Compare::Linear | Compare::Cosine => match (counts, by_cell) {
            (Counted::Raw, false) if *variance_cut == 0.0 && *standardized != Some(true) => return Ok(()),
            (Counted::Raw, false) => "scaled or left out".to_owned(),
            (Counted::Raw, true) => "compared cell by cell".to_owned(),
            (counts, _) => format!("taken as {} counts", counts.name()),
        },
        compare => format!("compared by {}", compare.name()),
    };
    Err(Error::settings(format!(
        "{name} is defined on pairs of graphs and has no features that could be {what}: take linear, cosine, or rbf over its distance"
    )))
}
