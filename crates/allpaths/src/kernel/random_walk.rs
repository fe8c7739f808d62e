//! The random walk kernel: pairs of walks that read the same labels.

use serde::{Deserialize, Serialize};

use super::pairs::{Pairwise, Plain};
use super::walks::{Turn, Walks, check_length, check_weights};
use crate::embed::EdgeLabels;
use crate::label::{LabelChoice, LabelMap};
use crate::{Error, Graph, Result};

/// How the sum over walks of all lengths is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Conjugate gradients. Pairs with a directed graph, whose equations are not symmetric, are solved by fixed point.
    #[default]
    ConjugateGradients,
    /// Walks of one more step, over and over, until nothing changes.
    FixedPoint,
}

/// Compares graphs by pairs of walks that read the same labels, a pair of length `l` weighing `lambda^l`.
///
/// A walk may come back to vertices and edges; a single vertex is a walk of length 0. Walks of all lengths, the *geometric* kernel, are those of the direct
/// product of both graphs, whose vertices are the pairs with the same label: the sum of the entries of `(I - lambda A)^-1`, with `A` its
/// adjacency matrix. The equations are solved without building it. They have a solution where `lambda` is below one over the square of the spectral
/// radius of every graph, which is checked; without labels that is as large as it can be.
///
/// Walks of bounded length, [`RandomWalk::up_to`], have features, called `walk:C-C-O`: they can be compared in every way, and lengths can have any weights.
///
/// Left out: labels and weights of edges, probabilities of starting and stopping, and the exponential series.
///
/// # Complexity
///
/// For each pair of graphs some ten times `n m`, with `n` the vertices of one and `m` the edges of the other that begin at a common label; more as `lambda` comes
/// closer to its bound. Bounded lengths: for each graph the number of label sequences times that of edges, at most.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::RandomWalk};
/// let edge = Graph::from_edges(2, [(0, 1)])?;
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
/// let kernel = GraphKernel::new(RandomWalk::geometric(0.1));
/// let gram = kernel.fit(&[edge, triangle])?.gram::<f64>()?;
/// // 6 pairs of vertices, each with two neighbours: 6 (1 + 0.2 + 0.04 + ...)
/// assert!((gram.row(0)[1] - 6.0 / 0.8).abs() < 1e-12);
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, 2003; Vishwanathan et al., Graph kernels, 2010 (both solvers);
/// Sugiyama and Borgwardt, Halting in random walk kernels, 2015 (bounded lengths).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RandomWalk {
    lambda: f64,
    max_length: Option<usize>,
    weights: Vec<f64>,
    solver: Solver,
    pub(super) labels: LabelChoice,
}

impl Default for RandomWalk {
    fn default() -> Self {
        Self::geometric(Self::LAMBDA)
    }
}

impl RandomWalk {
    /// The weight of a step if nobody says which: small enough wherever no vertex has more than nine neighbours.
    pub const LAMBDA: f64 = 0.01;

    /// Walks of all lengths.
    pub fn geometric(lambda: f64) -> Self {
        Self {
            lambda,
            max_length: None,
            weights: Vec::new(),
            solver: Solver::default(),
            labels: LabelChoice::All,
        }
    }

    /// Walks of up to so many edges, each length with weight 1.
    pub fn up_to(max_length: usize) -> Self {
        Self { max_length: Some(max_length), ..Self::geometric(1.0) }
    }

    /// Sets the weight of a step.
    #[must_use]
    pub fn lambda(mut self, lambda: f64) -> Self {
        self.lambda = lambda;
        self
    }

    /// Sets what pairs of walks of each length weigh, from length 0, instead of powers of lambda. For bounded lengths.
    #[must_use]
    pub fn weights(mut self, weights: impl IntoIterator<Item = f64>) -> Self {
        self.weights = weights.into_iter().collect();
        self
    }

    /// Sets how walks of all lengths are summed up.
    #[must_use]
    pub fn solver(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    /// Sets which labels are told apart: all by default, none with `LabelChoice::Commonest(1)`.
    #[must_use]
    pub fn labels(mut self, choice: LabelChoice) -> Self {
        self.labels = choice;
        self
    }

    /// Whether lengths are bounded, so that there are features.
    pub(super) fn has_features(&self) -> bool {
        self.max_length.is_some()
    }

    /// The weight of each length, if lengths are bounded and they are not all 1.
    #[allow(clippy::float_cmp)] // set to 1, not computed
    pub(super) fn length_weights(&self) -> Option<Vec<f64>> {
        let max_length = self.max_length?;
        match self.weights.is_empty() {
            true if self.lambda == 1.0 => None,
            true => {
                let powers = std::iter::successors(Some(1.0), |power| Some(power * self.lambda));
                Some(powers.take(max_length + 1).collect())
            }
            false => Some(self.weights.clone()),
        }
    }

    /// Checks the settings against each other.
    pub(super) fn check_settings(&self) -> Result<()> {
        if !(self.lambda > 0.0 && self.lambda.is_finite()) {
            return Err(Error::settings(format!("a lambda of {}: it is above 0", self.lambda)));
        }
        match self.max_length {
            Some(max_length) => check_weights(&self.weights, max_length + 1, "lengths"),
            None if self.weights.is_empty() => Ok(()),
            None => {
                Err(Error::settings("weights of lengths are for bounded lengths: say which is the longest"))
            }
        }
    }

    /// Checks walks of bounded length.
    pub(super) fn check_bounded(&self, graphs: &[Graph]) -> Result<()> {
        self.check_settings()?;
        check_length(graphs, self.max_length.unwrap_or(0))
    }

    /// What finds walks of bounded length.
    pub(super) fn finder(&self, map: &LabelMap) -> Walks {
        Walks::new(Turn::Allowed, self.max_length.unwrap_or(0), map, EdgeLabels::Ignored)
    }
}

/// A graph with its vertices by label.
pub(super) struct Seen {
    plain: Plain,
    /// By vertex: which of the labels it has.
    classes: Vec<u32>,
    /// By label, ascending: where its vertices begin, and where they end.
    labels: Vec<(u64, [usize; 2])>,
}

/// Numbers for the vertices of a product.
#[derive(Default)]
pub(super) struct Scratch {
    /// By label of the left graph: the vertices of the right one that have it.
    common: Vec<[usize; 2]>,
    /// By vertex of the left graph: where its pairs begin, and where the last end.
    starts: Vec<usize>,
    /// By vertex of the right graph: the sum over the neighbours of a left one.
    sums: Vec<f64>,
    solution: Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
}

impl Scratch {
    /// Turns to the product of two graphs.
    fn begin(&mut self, left: &Seen, right: &Seen) {
        let Self { common, starts, sums, .. } = self;
        let mut others = right.labels.iter().peekable();
        common.clear();
        common.extend(left.labels.iter().map(|&(label, _)| {
            while others.next_if(|(other, _)| *other < label).is_some() {}
            others.next_if(|(other, _)| *other == label).map_or([0, 0], |&(_, range)| range)
        }));
        starts.clear();
        starts.push(0);
        for &class in &left.classes {
            let [begin, end] = common[class as usize];
            starts.push(starts[starts.len() - 1] + end - begin);
        }
        sums.clear();
        sums.resize(right.plain.order(), 0.0);
    }

    /// How many vertices the product has.
    fn order(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }
}

/// The adjacency matrix of a product times a vector: first along the arcs of the left graph, then along those of the right.
fn multiply(
    (left, right): (&Seen, &Seen),
    (common, starts, sums): (&[[usize; 2]], &[usize], &mut [f64]),
    vector: &[f64],
    product: &mut [f64],
) {
    for u in 0..left.plain.order() {
        let row = &mut product[starts[u]..starts[u + 1]];
        if row.is_empty() {
            continue;
        }
        sums.fill(0.0);
        for &w in left.plain.neighbours(u) {
            let w = w as usize;
            let [begin, end] = common[left.classes[w] as usize];
            let sums = sums[begin..end].iter_mut();
            sums.zip(&vector[starts[w]..starts[w + 1]]).for_each(|(sum, value)| *sum += value);
        }
        let [begin, _] = common[left.classes[u] as usize];
        for (v, value) in (begin..).zip(row) {
            *value = right.plain.neighbours(v).iter().map(|&w| sums[w as usize]).sum();
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four sums at a time, so that they need not wait for each other.
    let (a, rest_a) = a.as_chunks::<4>();
    let (b, rest_b) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        (0..4).for_each(|i| sums[i] += a[i] * b[i]);
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    sums[0] + sums[1] + (sums[2] + sums[3]) + rest
}

/// What is left of the equations, as a share, when they are taken as solved.
const SOLVED: f64 = 1e-9;

/// Rounding keeps it from becoming smaller where lambda is at its bound.
const MOST_ROUNDS: usize = 10_000;

impl Pairwise for RandomWalk {
    type Seen = Seen;
    type Scratch = Scratch;

    fn check(&self, graph: &Plain) -> Result<(), String> {
        let bound = self.lambda.sqrt().recip();
        match Radius::new(graph).is_below(bound) {
            true => Ok(()),
            false => {
                let radius = Radius::new(graph).estimate();
                Err(format!(
                    "has a spectral radius of {radius:.4}, so walks of all lengths with lambda {} have no sum: take a lambda below {:.4}, or a longest length",
                    self.lambda,
                    1.0 / (radius * radius)
                ))
            }
        }
    }

    fn see(&self, graph: &Plain) -> Seen {
        let mut labels: Vec<(u64, [usize; 2])> = Vec::new();
        let mut classes = Vec::with_capacity(graph.order());
        for (v, &label) in graph.labels().iter().enumerate() {
            match labels.last_mut() {
                Some((last, [_, end])) if *last == label => *end = v + 1,
                _ => labels.push((label, [v, v + 1])),
            }
            classes.push(labels.len() as u32 - 1);
        }
        Seen { plain: graph.clone(), classes, labels }
    }

    fn pair(&self, left: &Seen, right: &Seen, scratch: &mut Scratch) -> f64 {
        scratch.begin(left, right);
        let order = scratch.order();
        if order == 0 {
            return 0.0;
        }
        let Scratch { common, starts, sums, solution, residual, direction, product } = scratch;
        let mut multiply = |vector: &[f64], product: &mut Vec<f64>| {
            product.resize(order, 0.0);
            multiply((left, right), (common, starts, sums), vector, product);
        };
        solution.clear();
        if self.solver == Solver::FixedPoint || left.plain.is_directed() || right.plain.is_directed() {
            solution.resize(order, 1.0);
            let mut before = order as f64;
            for _ in 0..MOST_ROUNDS {
                multiply(solution, product);
                solution.iter_mut().zip(&*product).for_each(|(x, y)| *x = 1.0 + self.lambda * y);
                let sum: f64 = solution.iter().sum();
                // Sums grow, or rounding has the last word.
                if sum <= before * (1.0 + f64::EPSILON) {
                    return sum;
                }
                before = sum;
            }
            return before;
        }
        // The sum of the solution is what its steps add up to, each its length times the square of what was left (Hestenes and Stiefel). It is wrong by the square
        // of what is left in the end, so half of the digits there are all of them here.
        let mut sum = 0.0;
        residual.clear();
        residual.resize(order, 1.0);
        direction.clone_from(residual);
        let mut left = order as f64;
        for _ in 0..MOST_ROUNDS {
            multiply(direction, product);
            product.iter_mut().zip(&*direction).for_each(|(y, x)| *y = x - self.lambda * *y);
            let step = left / dot(direction, product);
            sum += step * left;
            residual.iter_mut().zip(&*product).for_each(|(r, y)| *r -= step * y);
            let less = dot(residual, residual);
            if less <= SOLVED * SOLVED * order as f64 {
                break;
            }
            let share = less / left;
            direction.iter_mut().zip(&*residual).for_each(|(d, r)| *d = r + share * *d);
            left = less;
        }
        sum
    }
}

/// Bounds on the spectral radius of a graph: for every positive vector, the smallest and the largest ratio by which the adjacency matrix lets an entry grow
/// (Collatz and Wielandt). Loops are added to all vertices, so that powers do not swing to and fro.
struct Radius<'a> {
    graph: &'a Plain,
    vector: Vec<f64>,
    least: f64,
    most: f64,
}

impl<'a> Radius<'a> {
    fn new(graph: &'a Plain) -> Self {
        let most = (0..graph.order()).map(|v| graph.neighbours(v).len()).max().unwrap_or(0) as f64;
        Self { graph, vector: vec![1.0; graph.order()], least: 0.0, most }
    }

    /// Comes closer.
    fn round(&mut self) {
        let sum = |v: usize| self.graph.neighbours(v).iter().map(|&w| self.vector[w as usize]).sum::<f64>();
        let next: Vec<f64> = (0..self.graph.order()).map(sum).collect();
        let ratios = || next.iter().zip(&self.vector).map(|(next, before)| next / before);
        self.least = self.least.max(ratios().fold(f64::INFINITY, f64::min));
        self.most = self.most.min(ratios().fold(0.0, f64::max));
        // A vector with a smaller norm than it can lead to is stretched by less: the quotient of Rayleigh, where the matrix is symmetric.
        if !self.graph.is_directed() {
            self.least = self.least.max(dot(&self.vector, &next) / dot(&self.vector, &self.vector));
        }
        let largest = next.iter().zip(&self.vector).map(|(next, before)| next + before).fold(0.0, f64::max);
        self.vector.iter_mut().zip(next).for_each(|(x, next)| *x = (*x + next) / largest);
    }

    /// Whether the radius is below a bound; no if that cannot be told.
    fn is_below(&mut self, bound: f64) -> bool {
        for _ in 0..MOST_ROUNDS {
            if self.most < bound || self.least >= bound {
                break;
            }
            self.round();
        }
        self.most < bound
    }

    /// The radius, to some digits.
    fn estimate(&mut self) -> f64 {
        for _ in 0..MOST_ROUNDS {
            if self.most - self.least <= 1e-6 * self.most {
                break;
            }
            self.round();
        }
        f64::midpoint(self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dataset, GraphKernel};

    #[test]
    fn solvers_agree_up_to_the_bound() {
        let demo = Dataset::demo(1);
        let graphs = &demo.graphs()[..12];
        let radius = |graph: &Graph| {
            let plain = super::super::pairs::FittedPairs::see(graph.as_ref(), &LabelMap::all());
            Radius::new(&plain[0]).estimate()
        };
        let largest = graphs.iter().map(radius).fold(0.0, f64::max);
        for labels in [LabelChoice::All, LabelChoice::Commonest(1)] {
            for share in [0.01, 0.5, 0.9, 0.99] {
                let lambda = share / (largest * largest);
                let by = |solver| {
                    let walks = RandomWalk::geometric(lambda).solver(solver).labels(labels);
                    GraphKernel::new(walks).fit(graphs).unwrap().gram::<f64>().unwrap()
                };
                let (gradients, points) = (by(Solver::ConjugateGradients), by(Solver::FixedPoint));
                for (a, b) in gradients.values().iter().zip(points.values()) {
                    assert!((a - b).abs() <= 1e-12 * b, "{share}: {a} {b}");
                }
            }
        }
        assert!(GraphKernel::new(RandomWalk::geometric(1.01 / (largest * largest))).fit(graphs).is_err());
    }

    #[test]
    fn known_radii() {
        let radius = |graph: &Graph| {
            let plain = super::super::pairs::FittedPairs::see(graph.as_ref(), &LabelMap::all());
            Radius::new(&plain[0]).estimate()
        };
        let star = Graph::from_edges(10, (1..10).map(|v| (0, v))).unwrap();
        let ring = Graph::from_edges(7, (0..7).map(|v| (v, (v + 1) % 7))).unwrap();
        let path = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
        let golden = f64::midpoint(1.0, 5.0f64.sqrt());
        for (graph, expected) in [(star, 3.0), (ring, 2.0), (path, golden)] {
            assert!((radius(&graph) - expected).abs() < 1e-5, "{expected}");
        }
    }
}
