//! Why a classifier says what it says: which vertices and edges, which paths and cycles.
//!
//! An [`Explainer`] takes a trained [`Model`] and graphs and gives an [`Explanation`]. The score of a machine is a sum over features, weight times
//! value. What a feature adds is shared equally by its occurrences, the paths and cycles that are called so, and what falls to an
//! occurrence by its vertices, or in a second view by its edges. So the shares of all vertices and the bias are the score.
//!
//! That is so for linear models, and for kernels that are sums of products: linear ones and cosines. For all others the share of a vertex is
//! how much lower the score is without the features through it: [`Method::Occlusion`], whose shares do not sum to anything.

mod occlusion;
#[cfg(feature = "report")]
mod page;
mod shares;
#[cfg(feature = "report")]
mod view;

use std::path::Path;

use rustc_hash::FxHashMap;
use serde::Serialize;

#[cfg(feature = "report")]
pub use view::View;

use crate::embed::{Cell, Columns, Feature, Features, Fitted};
use crate::evaluate::{FittedClassifier, Model};
use crate::kernel::LinearForm;
use crate::{Error, Graph, Monitor, Result, threads, whole};

/// How shares were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// What features add to the score is shared by their occurrences: vertices' shares and the bias sum to the score.
    Shares,
    /// The score less what it is without the paths and cycles through a vertex or an edge. Sums to nothing.
    Occlusion,
    /// The score less what it is for the graph without the vertex, for kernels that do not count paths. Sums to nothing.
    Deletion,
}

/// Explains what a classifier says of graphs.
///
/// # Errors
///
/// [`Explainer::explain`] fails when graphs lack what the model counts.
///
/// # Complexity
///
/// Shares take two walks along all paths for each graph, one to book them and one to share out what they add. Occlusion takes as many
/// comparisons with the graphs learnt from as there are vertices and edges.
///
/// # Example
///
/// A ring of four C and one O makes class 1 of the demonstration dataset:
///
/// ```
/// # use allpaths::{Dataset, evaluate::{LinearClassifier, Model}, explain::Explainer};
/// let demo = Dataset::demo(1);
/// let model = Model::from(LinearClassifier::new().fit(&demo, demo.classes().unwrap())?);
/// let found = Explainer::new(&model).explain(&demo)?;
/// let heaviest = found.features()[0].iter().find(|feature| feature.weight < 0.0).unwrap();
/// assert_eq!(heaviest.feature.name, "cycle:C-C-C-C-O-"); // speaks most against class 0
/// let graph = &found.graphs()[0];
/// let sum: f64 = graph.shares[0].vertices.iter().sum();
/// assert!((sum + found.machines()[0].bias - graph.scores[0]).abs() < 1e-9);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explainer<'a> {
    model: &'a Model,
    top: usize,
    threads: Option<usize>,
}

/// What decided.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    method: Method,
    machines: Vec<Machine>,
    features: Vec<Vec<FeatureWeight>>,
    cells: Vec<Vec<CellWeight>>,
    graphs: Vec<GraphExplanation>,
}

/// A machine of a model: with two classes there is one, with more as many as the model has, by default one for each class against the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// The classes that a positive score speaks for.
    pub positive: Vec<i64>,
    /// The classes that a negative score speaks for.
    pub negative: Vec<i64>,
    /// The score of a graph without anything.
    pub bias: f64,
}

/// What a feature weighs in a machine.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureWeight {
    /// What it is.
    #[serde(flatten)]
    pub feature: Feature,
    /// Its weight: positive for the positive classes.
    pub weight: f64,
    /// How many of the graphs have it.
    pub graphs: usize,
    /// What it adds to the scores of all graphs together.
    pub sum: f64,
    /// The graphs to whose scores it adds most, by number.
    pub examples: Vec<usize>,
}

/// What the features of one length and refinement weigh together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CellWeight {
    /// The length and the refinement.
    #[serde(flatten)]
    pub cell: Cell,
    /// How many features there are.
    pub features: usize,
    /// The sum of the positive weights.
    pub positive: f64,
    /// The sum of the negative weights.
    pub negative: f64,
    /// What the features add to the scores of all graphs, without regard to sign.
    pub moved: f64,
}

/// What decided of one graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphExplanation {
    /// The class that is predicted.
    pub class: i64,
    /// What each machine says.
    pub scores: Vec<f64>,
    /// By machine.
    pub shares: Vec<Shares>,
    /// By machine: the features that add most to the score, without regard to sign. None by occlusion.
    pub top: Vec<Vec<Contribution>>,
}

/// How much of a score falls to each vertex and to each edge.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Shares {
    /// By vertex.
    pub vertices: Vec<f64>,
    /// By edge; empty where edges were not asked.
    pub edges: Vec<f64>,
    /// What vertices alone add, which no edge has: the shares of all edges, this and the bias are the score, too.
    pub alone: f64,
}

/// What a feature adds to the score of a graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contribution {
    /// Which it is.
    pub name: String,
    /// How often the graph has it.
    pub count: u64,
    /// What it adds.
    pub share: f64,
    /// The vertices of its occurrences, ascending.
    pub vertices: Vec<u32>,
}

impl<'a> Explainer<'a> {
    /// Explains what a model says, with the ten features that add most to each score.
    pub fn new(model: &'a Model) -> Self {
        Self { model, top: 10, threads: None }
    }

    /// Sets how many features are named for each score of a graph.
    #[must_use]
    pub fn top(mut self, top: usize) -> Self {
        self.top = top;
        self
    }

    /// Sets the number of threads: all processors by default. The result is the same for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Explains what is said of graphs.
    ///
    /// # Errors
    ///
    /// When graphs lack what the model counts.
    pub fn explain<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<Explanation> {
        self.explain_under(graphs.as_ref(), &Monitor::new())
    }

    /// Explains under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Explainer::explain`], and when the monitor is told to interrupt.
    pub fn explain_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Explanation> {
        let found = threads::on(self.threads, || match self.model {
            Model::Linear(model) => {
                let features = model.embedding().transform_under(graphs, &monitor.of_part())?;
                let machine = model.machine();
                let sum = Sum {
                    values: machine.values(&features),
                    weights: (0..machine.machines())
                        .map(|number| machine.weights(number).map(|(weight, _)| weight).collect())
                        .collect(),
                    features,
                };
                let machines = (0..machine.machines()).map(|number| {
                    let (positive, negative) = machine.sides(number);
                    Machine { positive, negative, bias: machine.bias(number) }
                });
                self.by_shares(graphs, model.embedding(), &sum, machines.collect(), monitor)
            }
            Model::Kernel(model) => self.kernel(graphs, model, monitor),
        })??;
        match monitor.is_interrupted() {
            true => Err(Error::stopped("interrupted before all graphs were explained")),
            false => Ok(found),
        }
    }

    fn kernel(&self, graphs: &[Graph], model: &FittedClassifier, monitor: &Monitor) -> Result<Explanation> {
        let machine = model.machine();
        let machines: Vec<Machine> = (0..machine.machines())
            .map(|number| {
                let (positive, negative) = machine.sides(number);
                Machine { positive, negative, bias: machine.combination(number).2 }
            })
            .collect();
        let Some((embedding, comparison)) = model.kernel().paths() else {
            let graphs = occlusion::without_vertices(graphs, model, monitor)?;
            return Ok(Explanation::of_graphs(Method::Deletion, machines, graphs));
        };
        let (features, rows) = embedding.learn_under::<Feature>(graphs, &monitor.of_part())?;
        let features = Features::new(Columns::Named(features.into()), rows);
        match model.kernel().linear_form(machine) {
            Some(form) => {
                let sum = Sum::of(&form, machines.len(), features);
                self.by_shares(graphs, &embedding, &sum, machines, monitor)
            }
            None => {
                let graphs = occlusion::without_features(
                    graphs,
                    (&embedding, &features),
                    comparison,
                    machine,
                    monitor,
                )?;
                Ok(Explanation::of_graphs(Method::Occlusion, machines, graphs))
            }
        }
    }

    fn by_shares(
        &self,
        graphs: &[Graph],
        embedding: &Fitted,
        sum: &Sum,
        machines: Vec<Machine>,
        monitor: &Monitor,
    ) -> Result<Explanation> {
        let biases: Vec<f64> = machines.iter().map(|machine| machine.bias).collect();
        let decide = |scores: &[f64]| match self.model {
            Model::Linear(model) => model.machine().decide(scores),
            Model::Kernel(model) => model.machine().decide(scores),
        };
        let graphs = shares::of_graphs(graphs, embedding, sum, &biases, (self.top, &decide), monitor)?;
        let numbers = 0..machines.len();
        Ok(Explanation {
            method: Method::Shares,
            features: numbers.clone().map(|machine| sum.features(machine)).collect(),
            cells: numbers.map(|machine| sum.cells(machine)).collect(),
            machines,
            graphs,
        })
    }
}

impl Explanation {
    fn of_graphs(method: Method, machines: Vec<Machine>, graphs: Vec<GraphExplanation>) -> Self {
        let none = machines.len();
        Self {
            method,
            machines,
            features: std::iter::repeat_with(Vec::new).take(none).collect(),
            cells: vec![Vec::new(); none],
            graphs,
        }
    }

    /// Writes all numbers to a file, as JSON.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write_json(&self, path: impl AsRef<Path>) -> Result<()> {
        whole::file(path.as_ref(), |out| {
            serde_json::to_writer(&mut *out, self)?;
            out.write_all(b"\n")
        })
    }

    /// How shares were found.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The machines that were asked.
    pub fn machines(&self) -> &[Machine] {
        &self.machines
    }

    /// The features of the graphs that have a weight, by machine, the heaviest first without regard to sign. None by occlusion.
    pub fn features(&self) -> &[Vec<FeatureWeight>] {
        &self.features
    }

    /// What lengths and refinements weigh, by machine. None by occlusion.
    pub fn cells(&self) -> &[Vec<CellWeight>] {
        &self.cells
    }

    /// What decided of each graph.
    pub fn graphs(&self) -> &[GraphExplanation] {
        &self.graphs
    }
}

/// Scores as sums over features: weight times value.
struct Sum {
    features: Features,
    /// A value for each count.
    values: Vec<f64>,
    /// By machine and feature.
    weights: Vec<Vec<f64>>,
}

/// How many graphs are named where a feature adds most.
const EXAMPLES: usize = 5;

impl Sum {
    fn of(form: &LinearForm<'_>, machines: usize, features: Features) -> Self {
        Self {
            values: form.values(&features),
            weights: (0..machines).map(|machine| form.weights(machine, &features)).collect(),
            features,
        }
    }

    /// The columns, counts and values of a graph.
    fn row(&self, row: usize) -> (&[u32], &[u64], &[f64]) {
        let (columns, counts) = self.features.row(row);
        let begin = self.features.compressed_rows().0[row];
        (columns, counts, &self.values[begin..begin + columns.len()])
    }

    /// The column of each id.
    fn places(&self) -> FxHashMap<u64, u32> {
        self.features.features().iter().zip(0..).map(|(feature, column)| (feature.id, column)).collect()
    }

    fn features(&self, machine: usize) -> Vec<FeatureWeight> {
        let weights = &self.weights[machine];
        let mut all: Vec<FeatureWeight> = self
            .features
            .features()
            .iter()
            .zip(weights)
            .map(|(feature, &weight)| FeatureWeight {
                feature: feature.clone(),
                weight,
                graphs: 0,
                sum: 0.0,
                examples: Vec::new(),
            })
            .collect();
        let mut most: Vec<Vec<(f64, usize)>> = vec![Vec::new(); all.len()];
        for graph in 0..self.features.rows() {
            let (columns, _, values) = self.row(graph);
            for (&column, &value) in columns.iter().zip(values) {
                let (feature, most) = (&mut all[column as usize], &mut most[column as usize]);
                feature.graphs += 1;
                feature.sum += feature.weight * value;
                // Few are kept, the largest first, and of equal ones the first.
                let at = most.partition_point(|&(other, _)| other >= value);
                if at < EXAMPLES {
                    most.insert(at, (value, graph));
                    most.truncate(EXAMPLES);
                }
            }
        }
        for (feature, most) in all.iter_mut().zip(most) {
            feature.examples = most.into_iter().map(|(_, graph)| graph).collect();
        }
        all.retain(|feature| feature.weight != 0.0 && feature.graphs > 0);
        all.sort_by(|a, b| {
            b.weight.abs().total_cmp(&a.weight.abs()).then_with(|| a.feature.name.cmp(&b.feature.name))
        });
        all
    }

    fn cells(&self, machine: usize) -> Vec<CellWeight> {
        let mut cells: Vec<CellWeight> = Vec::new();
        let mut moved = vec![0.0; self.features.features().len()];
        let (_, columns, _) = self.features.compressed_rows();
        for (&column, value) in columns.iter().zip(&self.values) {
            moved[column as usize] += (self.weights[machine][column as usize] * value).abs();
        }
        let features = self.features.features().iter().zip(&self.weights[machine]).zip(moved);
        for ((feature, &weight), moved) in features {
            let at = cells.iter().position(|cell| cell.cell == feature.cell).unwrap_or_else(|| {
                cells.push(CellWeight {
                    cell: feature.cell,
                    features: 0,
                    positive: 0.0,
                    negative: 0.0,
                    moved: 0.0,
                });
                cells.len() - 1
            });
            let cell = &mut cells[at];
            cell.features += 1;
            cell.positive += weight.max(0.0);
            cell.negative += weight.min(0.0);
            cell.moved += moved;
        }
        cells.sort_by_key(|cell| cell.cell);
        cells
    }
}
