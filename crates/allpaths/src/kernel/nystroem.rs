//! Kernels without a matrix of all pairs: graphs as coordinates, by their kernel with a few of them.

use serde::{Deserialize, Serialize};

use super::cholesky::Cholesky;
use super::{FittedKernel, Gram, GraphKernel, Others};
use crate::dense::SIDES;
use crate::random::ChaCha8;
use crate::{Error, Graph, Monitor, Result, threads};

/// Which graphs become landmarks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Landmarks {
    /// Each as likely as the others.
    #[default]
    Uniform,
    /// One after the other, each as likely as its squared distance from the nearest so far (k-means++).
    #[serde(rename = "kmeans++")]
    KMeans,
    /// Each as likely as its ridge leverage score: how badly others make up for it.
    Leverage,
}

impl Landmarks {
    /// All of them.
    pub const ALL: [Landmarks; 3] = [Landmarks::Uniform, Landmarks::KMeans, Landmarks::Leverage];

    /// The name that settings use.
    pub fn name(self) -> &'static str {
        match self {
            Landmarks::Uniform => "uniform",
            Landmarks::KMeans => "kmeans++",
            Landmarks::Leverage => "leverage",
        }
    }
}

/// Approximates a kernel by its values with some graphs, the landmarks (Nyström's method).
///
/// Graphs become rows of real coordinates whose products are nearly the kernel: exactly, where one of the two is a landmark. A linear machine on coordinates is then
/// nearly one with the kernel, and time and memory grow with the number of graphs, not with its square. The kernel learns what it has to learn from the
/// landmarks alone.
///
/// k-means++ and leverage scores look at four times as many graphs as there are landmarks, drawn uniformly.
///
/// # Errors
///
/// [`Nystroem::fit`] fails when there are no graphs or no landmarks, and as [`GraphKernel::fit`] does.
///
/// # Complexity
///
/// With n graphs and m landmarks, n m kernel values and n m^2 multiplications; memory for n m numbers.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, Dataset, GraphKernel, kernel::Nystroem};
/// let demo = Dataset::demo(1);
/// let kernel = GraphKernel::new(AllPathsCycles::up_to(4));
/// let fitted = Nystroem::new(100).fit(&kernel, &demo)?;
/// let rows = fitted.transform(&demo)?;
/// assert_eq!(rows.coordinates.rows(), 300);
/// assert!(rows.error() < 0.2); // of the sum of all k(x, x), so much is lost
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Williams and Seeger, Using the Nyström method to speed up kernel machines, 2001; Arthur and Vassilvitskii, k-means++, 2007; Musco and Musco,
/// Recursive sampling for the Nyström method, 2017.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nystroem {
    landmarks: usize,
    sampling: Landmarks,
    seed: u64,
}

/// How many candidates there are for each landmark, where it matters which are taken.
const CANDIDATES: usize = 4;

impl Nystroem {
    /// So many landmarks, each graph as likely as the others, under seed 1.
    pub fn new(landmarks: usize) -> Self {
        Self { landmarks, sampling: Landmarks::Uniform, seed: 1 }
    }

    /// Sets which graphs become landmarks.
    #[must_use]
    pub fn sampling(mut self, sampling: Landmarks) -> Self {
        self.sampling = sampling;
        self
    }

    /// Sets the seed of all draws.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How many landmarks there are to be.
    pub fn landmarks(&self) -> usize {
        self.landmarks
    }

    /// With another number of landmarks.
    pub(crate) fn with_landmarks(self, landmarks: usize) -> Self {
        Self { landmarks, ..self }
    }

    /// Chooses landmarks among graphs, all of them if they are fewer, and fits the kernel to those.
    ///
    /// # Errors
    ///
    /// When there are no graphs or no landmarks, and as [`GraphKernel::fit`].
    pub fn fit<G: AsRef<[Graph]> + ?Sized>(
        &self,
        kernel: &GraphKernel,
        graphs: &G,
    ) -> Result<FittedNystroem> {
        self.fit_under(kernel, graphs.as_ref(), &Monitor::new())
    }

    /// Chooses and fits under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Nystroem::fit`], and when the monitor is told to interrupt.
    pub fn fit_under(
        &self,
        kernel: &GraphKernel,
        graphs: &[Graph],
        monitor: &Monitor,
    ) -> Result<FittedNystroem> {
        self.fit_among(kernel, graphs, &(0..graphs.len()).collect::<Vec<_>>(), monitor)
    }

    /// The same with landmarks that are some of the graphs.
    pub(crate) fn fit_among(
        &self,
        kernel: &GraphKernel,
        graphs: &[Graph],
        some: &[usize],
        monitor: &Monitor,
    ) -> Result<FittedNystroem> {
        let chosen = self.choose(kernel, graphs, some, monitor)?;
        let landmarks: Vec<Graph> = chosen.iter().map(|&graph| graphs[graph].clone()).collect();
        FittedNystroem::of(kernel.fit_under(&landmarks, monitor)?, chosen, monitor)
    }

    /// The numbers of the landmarks, ascending.
    pub(crate) fn choose(
        &self,
        kernel: &GraphKernel,
        graphs: &[Graph],
        some: &[usize],
        monitor: &Monitor,
    ) -> Result<Vec<usize>> {
        if self.landmarks == 0 || some.is_empty() {
            return Err(Error::settings("Nyström's method needs one landmark at least, and one graph"));
        }
        let mut random = ChaCha8::new(self.seed);
        let mut order = some.to_vec();
        random.shuffle(&mut order);
        if self.sampling != Landmarks::Uniform && self.landmarks < some.len() {
            order.truncate(self.landmarks.saturating_mul(CANDIDATES));
            let candidates: Vec<Graph> = order.iter().map(|&graph| graphs[graph].clone()).collect();
            let gram: Gram<f64> = kernel.fit_under(&candidates, monitor)?.gram_under(monitor)?;
            let places = match self.sampling {
                Landmarks::KMeans => spread(&gram, self.landmarks, &mut random),
                _ => by_leverage(&gram, self.landmarks, &mut random),
            };
            order = places.into_iter().map(|place| order[place]).collect();
        }
        order.truncate(self.landmarks);
        order.sort_unstable();
        Ok(order)
    }
}

/// Draws one after the other by its squared distance from the nearest of those before; the rest in order, once all distances are 0.
fn spread(gram: &Gram<f64>, count: usize, random: &mut ChaCha8) -> Vec<usize> {
    let n = gram.rows();
    let mut nearest = vec![f64::INFINITY; n];
    let mut chosen = vec![random.below(n as u32) as usize];
    while chosen.len() < count.min(n) {
        let last = chosen[chosen.len() - 1];
        let own = gram.row(last)[last];
        for (other, nearest) in nearest.iter_mut().enumerate() {
            let distance = own + gram.row(other)[other] - 2.0 * gram.row(last)[other];
            *nearest = nearest.min(distance.max(0.0));
        }
        chosen.iter().for_each(|&place| nearest[place] = 0.0);
        let left = || (0..n).find(|place| !chosen.contains(place));
        match draw(&nearest, random).or_else(left) {
            Some(place) => chosen.push(place),
            None => break,
        }
    }
    chosen
}

/// Draws without repetition by ridge leverage scores, `(k(x, x) - k(x, S) (K + r I)^-1 k(S, x)) / r`, for S the first of the candidates.
fn by_leverage(gram: &Gram<f64>, count: usize, random: &mut ChaCha8) -> Vec<usize> {
    let n = gram.rows();
    let known = count.min(n);
    let trace: f64 = (0..n).map(|place| gram.row(place)[place]).sum();
    // Small enough to see the directions that so many landmarks can span.
    let ridge = (trace / (n * count) as f64).max(f64::MIN_POSITIVE);
    let mut square: Vec<f64> = (0..known).flat_map(|row| gram.row(row)[..known].to_vec()).collect();
    (0..known).for_each(|place| square[place * known + place] += ridge);
    let factor = Cholesky::new(&square, known);
    let mut scores: Vec<f64> = (0..n)
        .map(|place| {
            let row = factor.coordinates(&gram.row(place)[..known]);
            (gram.row(place)[place] - row.iter().map(|x| x * x).sum::<f64>()).max(0.0) / ridge
        })
        .collect();
    let mut chosen = Vec::with_capacity(known);
    while chosen.len() < known {
        let left = || (0..n).find(|place| !chosen.contains(place));
        let Some(place) = draw(&scores, random).or_else(left) else { break };
        scores[place] = 0.0;
        chosen.push(place);
    }
    chosen
}

/// A place, each as likely as its weight; nothing if all weights are 0.
fn draw(weights: &[f64], random: &mut ChaCha8) -> Option<usize> {
    let total: f64 = weights.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
    let mut left = random.unit() * total;
    let mut last = None;
    for (place, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        last = Some(place);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}

/// An approximated kernel, with its landmarks.
#[derive(Clone, Debug)]
pub struct FittedNystroem {
    kernel: FittedKernel,
    chosen: Vec<usize>,
    factor: Cholesky,
}

/// Graphs as coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Transformed {
    /// A row for each graph.
    pub coordinates: Gram<f64>,
    /// What the kernel of each graph with itself is.
    pub own: Vec<f64>,
}

impl Transformed {
    /// Which share of the sum of all `k(x, x)` the coordinates lose. It bounds the error of the approximated kernel: what is lost is positive semidefinite, and
    /// this is its trace.
    pub fn error(&self) -> f64 {
        let square = |row: usize| self.coordinates.row(row).iter().map(|x| x * x).sum::<f64>();
        let kept: f64 = (0..self.own.len()).map(square).sum();
        let all: f64 = self.own.iter().sum();
        if all > 0.0 { (1.0 - kept / all).max(0.0) } else { 0.0 }
    }
}

impl FittedNystroem {
    /// A kernel with the landmarks it was fitted to, and which graphs those were: what is to be kept in files.
    ///
    /// # Errors
    ///
    /// When the matrix of the landmarks is over its limit of memory, or the monitor is told to interrupt.
    pub fn of(kernel: FittedKernel, landmarks: Vec<usize>, monitor: &Monitor) -> Result<Self> {
        let gram: Gram<f64> = kernel.gram_under(monitor)?;
        Ok(Self { factor: Cholesky::new(gram.values(), kernel.rows()), kernel, chosen: landmarks })
    }

    /// The kernel, fitted to the landmarks.
    pub fn kernel(&self) -> &FittedKernel {
        &self.kernel
    }

    /// Which of the graphs are landmarks, ascending.
    pub fn landmarks(&self) -> &[usize] {
        &self.chosen
    }

    /// How many coordinates there are: fewer than landmarks, if some of these say nothing new.
    pub fn rank(&self) -> usize {
        self.factor.rank()
    }

    /// Graphs as coordinates.
    ///
    /// # Errors
    ///
    /// When graphs lack what the kernel counts.
    pub fn transform<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<Transformed> {
        self.transform_under(graphs.as_ref(), &Monitor::new())
    }

    /// Graphs as coordinates, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`FittedNystroem::transform`], and when the monitor is told to interrupt.
    pub fn transform_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Transformed> {
        self.transform_counted(&self.kernel.count_under(graphs, monitor)?, monitor)
    }

    /// Graphs that were counted as coordinates. There is one at least, 0 where the kernel is 0 everywhere.
    pub(crate) fn transform_counted(&self, graphs: &Others, monitor: &Monitor) -> Result<Transformed> {
        let mut rows: Gram<f64> = self.kernel.against_counted(graphs, monitor)?;
        let columns = rows.columns();
        let solve = |several: &mut [f64]| {
            let found = self.factor.coordinates_of_several(&several.chunks(columns).collect::<Vec<_>>());
            several.fill(0.0);
            for (side, row) in several.chunks_mut(columns).enumerate() {
                row.iter_mut().zip(&found).for_each(|(to, sides)| *to = sides[side]);
            }
        };
        let crew = self.kernel.settings().comparison.threads;
        let several = rows.values_mut().chunks_mut(SIDES * columns.max(1));
        threads::on(crew, || threads::each(threads::count(crew) > 1, several, solve))?;
        rows.keep(self.rank().max(1));
        Ok(Transformed { coordinates: rows, own: self.kernel.own(graphs) })
    }

    /// The direction of coordinates that is at right angles to all landmarks that have one but this; nothing if this has none, since others say the same.
    pub(crate) fn direction(&self, landmark: usize) -> Option<Vec<f64>> {
        self.factor.has(landmark).then(|| {
            let mut unit = vec![0.0; self.chosen.len()];
            unit[landmark] = 1.0;
            self.factor.coordinates(&unit)
        })
    }
}
