//! Graphs as rows of exact, named counts.
//!
//! [`AllPathsCycles`] holds the settings. It embeds graphs in one go, or learns from some what the columns are ([`Fitted`]) and
//! puts others into the same columns. [`Features`] is what comes out: a sparse matrix in which each column is a [`Feature`]
//! with a name to read and an id that is the same everywhere.

mod features;
mod fitted;
mod occurrences;
mod profile;
mod run;
mod vocabulary;
mod worker;
mod write;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use features::{Columns, Feature, Features, IdRows};
pub use fitted::Fitted;
pub use profile::{Cell, Profile};
pub use write::{FeatureWriter, FileKind, Named};

use crate::count::{Convention, Engine, Limits};
use crate::label::{
    Binning, Booking, Bounds, Cycles, Encoding, LabelChoice, LabelLearner, LabelMap, check_weights,
    relabelled,
};
use crate::{Error, Graph, Monitor, Result};
pub(crate) use features::Rows;
pub(crate) use occurrences::Occurrence;
pub(crate) use run::{Finder, Keys, Manner, Part};
pub(crate) use vocabulary::{Column, Kept};
pub(crate) use worker::Worker;

/// Whether the labels of edges have a say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeLabels {
    /// They do not.
    #[default]
    Ignored,
    /// They are part of what paths and cycles are called.
    Used,
}

impl EdgeLabels {
    pub(crate) fn is_used(self) -> bool {
        self == EdgeLabels::Used
    }
}

/// What becomes of a graph that is over its budget, or cannot be decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// Its row holds the lengths that could be finished.
    #[default]
    Keep,
    /// Its row is empty.
    Skip,
    /// Embedding fails.
    Fail,
}

/// Counts labelled paths and cycles as features: the embedding of the all-paths-and-cycles kernel.
///
/// Each feature is a kind (vertex, path, cycle), a length and a label; its value is how many of those a graph has. By default paths and cycles
/// are called by the sequence of their vertices' labels, every path and every cycle counts once, and vertices are features, too.
/// Graphs without labels have one label, `*`, on all vertices.
///
/// # Errors
///
/// When the settings contradict each other. A spent budget is not an error: [`Features::outcome`] tells of each graph, unless
/// [`Stopped::Fail`] asks for one.
///
/// # Complexity
///
/// Time grows with the number of paths that are one edge shorter than the longest, memory with the number of different labels that paths of one
/// graph have.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, Dataset, graph::GraphBuilder};
/// // C---C
/// //  \ /
/// //   O
/// let mut builder = GraphBuilder::undirected(3);
/// builder.vertex_labels(["C", "C", "O"]);
/// builder.edge(0, 1)?.edge(1, 2)?.edge(2, 0)?;
/// let features = AllPathsCycles::up_to(3).embed(&builder.build()?)?;
/// let names: Vec<_> = features.features().iter().map(|feature| feature.name.as_str()).collect();
/// assert_eq!(names, ["vertex:C", "vertex:O", "path:C-C", "path:C-O", "path:C-C-O", "path:C-O-C", "cycle:C-C-O-"]);
/// assert_eq!(features.row(0).1, [2, 1, 1, 2, 2, 1, 1]);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AllPathsCycles {
    encoding: Encoding,
    codes: Vec<f64>,
    profile: Profile,
    bins: Vec<Binning>,
    labels: Option<LabelChoice>,
    edge_labels: EdgeLabels,
    cycles: Cycles,
    paths: bool,
    vertices: bool,
    convention: Convention,
    all_bins: bool,
    min_graphs: u64,
    hash_bits: Option<u32>,
    engine: Engine,
    limits: Limits,
    stopped: Stopped,
    threads: Option<usize>,
}

impl Default for AllPathsCycles {
    fn default() -> Self {
        Self {
            encoding: Encoding::default(),
            codes: Vec::new(),
            profile: Profile::up_to(Self::MAX_LENGTH),
            bins: Vec::new(),
            labels: None,
            edge_labels: EdgeLabels::default(),
            cycles: Cycles::default(),
            paths: true,
            vertices: true,
            convention: Convention::default(),
            all_bins: false,
            min_graphs: 1,
            hash_bits: None,
            engine: Engine::default(),
            limits: Limits::default(),
            stopped: Stopped::default(),
            threads: None,
        }
    }
}

impl AllPathsCycles {
    /// The longest length if nobody says which.
    pub const MAX_LENGTH: usize = 6;

    /// Sequences of labels to `max_length`.
    pub fn up_to(max_length: usize) -> Self {
        Self::of(Profile::up_to(max_length))
    }

    /// Sequences of labels, of the lengths and refinements that a profile lists.
    pub fn of(profile: Profile) -> Self {
        Self { profile, ..Self::default() }
    }

    /// The embedding of Giscard and Wilson, as they use it: the power encoding with three labels, rooted counts for each ordered pair of end
    /// labels, cycles booked as paths, every bin a column whether it is empty or not, no vertices.
    ///
    /// # Example
    ///
    /// Three labels to length 3 make 81 columns: 9 pairs of ends times 1, 3 and 5 classes.
    ///
    /// ```
    /// # use allpaths::{AllPathsCycles, graph::GraphBuilder};
    /// let mut builder = GraphBuilder::undirected(3);
    /// builder.vertex_labels(["C", "N", "O"]);
    /// builder.edge(0, 1)?.edge(1, 2)?;
    /// let features = AllPathsCycles::paper(3).embed(&builder.build()?)?;
    /// assert_eq!(features.features().len(), 81);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn paper(max_length: usize) -> Self {
        Self {
            encoding: Encoding::Power,
            labels: Some(LabelChoice::Commonest(3)),
            cycles: Cycles::Merged,
            vertices: false,
            convention: Convention::Rooted,
            all_bins: true,
            ..Self::up_to(max_length)
        }
    }

    /// Sets how paths and cycles are called.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// Sets the real numbers that labels weigh in the encoding `Exact`, the commonest first, and with them how many labels are told apart
    /// unless [`AllPathsCycles::labels`] says so: `1, e, pi` by default. They decide what can be decoded, not what features are called or how
    /// many there are.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{AllPathsCycles, graph::GraphBuilder, label::Encoding};
    /// let mut builder = GraphBuilder::undirected(3);
    /// builder.vertex_labels(["C", "C", "O"]);
    /// builder.edge(0, 1)?.edge(1, 2)?;
    /// let graph = builder.build()?;
    /// let exact = AllPathsCycles::up_to(2).encoding(Encoding::Exact);
    /// let features = exact.clone().codes([1.0, 2f64.sqrt(), 3f64.cbrt()]).embed(&graph)?;
    /// assert_eq!(features.count(0, "path:2:[C,C,O]"), Some(1));
    /// assert_eq!(features, exact.embed(&graph)?);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    #[must_use]
    pub fn codes(mut self, codes: impl IntoIterator<Item = f64>) -> Self {
        self.codes = codes.into_iter().collect();
        self
    }

    /// Sets which labels are told apart: all of them by default, three with the encodings `Power` and `Exact`.
    #[must_use]
    pub fn labels(mut self, choice: LabelChoice) -> Self {
        self.labels = Some(choice);
        self
    }

    /// Makes a numeric attribute of vertices part of their labels; may be used several times. Where bins end is learnt.
    #[must_use]
    pub fn bins(mut self, binning: Binning) -> Self {
        self.bins.push(binning);
        self
    }

    /// Sets whether the labels of edges have a say.
    #[must_use]
    pub fn edge_labels(mut self, edge_labels: EdgeLabels) -> Self {
        self.edge_labels = edge_labels;
        self
    }

    /// Sets where cycles are booked.
    #[must_use]
    pub fn cycles(mut self, cycles: Cycles) -> Self {
        self.cycles = cycles;
        self
    }

    /// Leaves paths out.
    #[must_use]
    pub fn without_paths(mut self) -> Self {
        self.paths = false;
        self
    }

    /// Leaves vertices out.
    #[must_use]
    pub fn without_vertices(mut self) -> Self {
        self.vertices = false;
        self
    }

    /// Sets what counts as one. With [`Convention::Rooted`] each direction of a path, and each start and direction of a cycle, is called by
    /// what it reads.
    #[must_use]
    pub fn convention(mut self, convention: Convention) -> Self {
        self.convention = convention;
        self
    }

    /// Drops features that fewer graphs have, when columns are learnt.
    #[must_use]
    pub fn min_graphs(mut self, graphs: u64) -> Self {
        self.min_graphs = graphs;
        self
    }

    /// Learns no columns: so many of the highest bits of a feature's id are its column.
    #[must_use]
    pub fn hash_bits(mut self, bits: u32) -> Self {
        self.hash_bits = Some(bits);
        self
    }

    /// Sets the engine. Sequences take one that walks; the encodings `Power` and `Composition` walk, too, unless another engine is asked for
    /// or, on graphs with very many paths, expected to be faster; the encoding `Exact` takes the sieve. [`Engine::Frontier`] finds `Power` features of long paths in graphs
    /// without directions that are nowhere wide.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Sets the most steps that one graph may take for each refinement, as [`Limits::steps`]. A step of the sieve is a
    /// subgraph.
    #[must_use]
    pub fn budget(mut self, steps: u64) -> Self {
        self.limits.steps = Some(steps);
        self
    }

    /// Sets the most time for a call. The graphs that are left then have empty rows.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Sets both limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets what becomes of a graph that is over its budget.
    #[must_use]
    pub fn stopped(mut self, stopped: Stopped) -> Self {
        self.stopped = stopped;
        self
    }

    /// Sets the number of threads: all processors by default. The result is the same for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// The lengths and refinements that are taken.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Whether the labels of edges have a say.
    pub fn uses_edge_labels(&self) -> bool {
        self.edge_labels.is_used()
    }

    /// Whether columns are bits of ids, and not learnt.
    pub fn has_hashed_columns(&self) -> bool {
        self.hash_bits.is_some()
    }

    /// Whether the ends of bins have to be learnt.
    pub fn has_bins(&self) -> bool {
        !self.bins.is_empty()
    }

    /// Whether features that few graphs have get no column.
    pub fn drops_rare(&self) -> bool {
        self.min_graphs > 1
    }

    /// Whether what a graph's features are depends on other graphs: on their labels, attributes or features.
    pub fn learns(&self) -> bool {
        self.has_bins() || self.drops_rare() || self.label_choice().is_learnt()
    }

    /// What learns which labels keep their names, for graphs that come some at a time.
    pub fn label_learner(&self) -> LabelLearner {
        LabelLearner::new(self.label_choice())
    }

    fn booking(&self) -> Booking {
        Booking { paths: self.paths, cycles: self.cycles, convention: self.convention }
    }

    /// How graphs are gone through.
    fn manner(&self) -> Manner {
        let &Self { edge_labels, engine, limits, stopped, threads, .. } = self;
        Manner { edge_labels, engine, limits, stopped, threads }
    }

    /// Which labels to tell apart. Power codes need an order of the labels, and so a list of them.
    fn label_choice(&self) -> LabelChoice {
        match (self.encoding, self.labels) {
            (Encoding::Exact, None) if !self.codes.is_empty() => LabelChoice::Commonest(self.codes.len()),
            (Encoding::Power | Encoding::Exact, None) => LabelChoice::Commonest(3),
            (Encoding::Power | Encoding::Exact, Some(LabelChoice::All)) => LabelChoice::Commonest(usize::MAX),
            (_, choice) => choice.unwrap_or_default(),
        }
    }

    /// Checks the settings against each other.
    fn check(&self) -> Result<()> {
        check_weights(&self.codes)?;
        let coded = matches!(self.encoding, Encoding::Power | Encoding::Exact);
        let name = self.encoding.name();
        let refined = self.profile.rounds().any(|(rounds, _)| rounds > 0);
        let engine = if self.encoding == Encoding::Exact { Engine::Sieve } else { self.engine };
        let algebraic = matches!(engine, Engine::Sieve | Engine::Quotient | Engine::Frontier);
        let (longest, engine) = (engine.longest(), engine.name());
        let reason = match self {
            _ if coded && self.edge_labels.is_used() => {
                format!("the encoding {name} has no place for edge labels: take sequence or composition")
            }
            _ if coded && refined => {
                format!(
                    "refined labels are too many for the codes of the encoding {name}: take sequence or composition"
                )
            }
            _ if algebraic && self.profile.max_length() > longest => {
                let asked = self.profile.max_length();
                format!("a length of {asked} is beyond the {engine} engine: ask for at most {longest}")
            }
            _ if !self.codes.is_empty() && self.encoding != Encoding::Exact => {
                format!("the encoding {name} has codes of its own: only exact takes others")
            }
            Self { engine: Engine::Meet, .. } => {
                "the meet engine counts without labels: take another, or auto".to_owned()
            }
            Self { encoding: Encoding::Exact, engine: Engine::DepthFirst | Engine::Quotient | Engine::Frontier, .. } => {
                "the encoding exact is decoded from the sieve's sums: take the engine sieve, or the encoding composition"
                    .to_owned()
            }
            Self { encoding: Encoding::Composition, engine: Engine::Quotient, .. } if self.edge_labels.is_used() => {
                "the quotient engine cannot tell edge labels apart: leave them out, or take the engine depth-first".to_owned()
            }
            _ if !coded && algebraic && (self.encoding, self.engine) != (Encoding::Composition, Engine::Quotient) => {
                format!(
                    "the {engine} engine cannot name {name} features: take the engine depth-first, or the encoding power"
                )
            }
            _ if !self.paths && !self.vertices && self.cycles == Cycles::Off => {
                "without vertices, paths and cycles there is nothing to count".to_owned()
            }
            Self { hash_bits: Some(0 | 32..), .. } => "columns take 1 to 31 bits of an id".to_owned(),
            Self { hash_bits: Some(_), min_graphs: 2.., .. } => {
                "hashed columns are not learnt, so rare ones cannot be dropped: leave out one of the two"
                    .to_owned()
            }
            Self { threads: Some(0), .. } => "0 threads cannot count: ask for 1 or more".to_owned(),
            _ => return Ok(()),
        };
        Err(Error::settings(reason))
    }

    /// Embeds graphs, with a column for each feature that one of them has.
    ///
    /// # Errors
    ///
    /// When the settings contradict each other; with [`Stopped::Fail`], when a graph is over its budget.
    pub fn embed<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<Features> {
        Ok(self.fit_transform(graphs)?.1)
    }

    /// Learns the columns from some graphs.
    ///
    /// # Errors
    ///
    /// As [`AllPathsCycles::embed`].
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{AllPathsCycles, Graph};
    /// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?;
    /// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
    /// let fitted = AllPathsCycles::up_to(3).fit(&path)?;
    /// let features = fitted.transform(&triangle)?;
    /// assert_eq!(features.count(0, "path:*-*-*"), Some(3));
    /// assert_eq!(features.unseen(), 1); // the triangle
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn fit<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<Fitted> {
        Ok(self.fit_transform(graphs)?.0)
    }

    /// Learns the columns from some graphs, and embeds those.
    ///
    /// # Errors
    ///
    /// As [`AllPathsCycles::embed`].
    pub fn fit_transform<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<(Fitted, Features)> {
        self.fit_transform_under(graphs.as_ref(), &Monitor::new())
    }

    /// Learns the columns from some graphs and embeds those, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`AllPathsCycles::embed`].
    pub fn fit_transform_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<(Fitted, Features)> {
        let fitted = self.fit_labels(graphs)?;
        if self.hash_bits.is_some() {
            let features = fitted.transform_under(graphs, monitor)?;
            return Ok((fitted, features));
        }
        if let Some(features) = fitted.all_bins()? {
            let fitted = fitted.with_columns(features);
            let features = fitted.transform_under(graphs, monitor)?;
            return Ok((fitted, features));
        }
        let (features, rows) = fitted.learn_under::<Feature>(graphs, monitor)?;
        let fitted = fitted.with_columns(features);
        let columns = fitted.columns.clone();
        Ok((fitted, Features::new(columns, rows)))
    }

    /// Learns all but the columns.
    pub(crate) fn fit_labels(&self, graphs: &[Graph]) -> Result<Fitted> {
        self.check()?;
        let bounds = self.bins.iter().map(|binning| binning.learn(graphs)).collect::<Result<Vec<_>>>()?;
        let binned =
            if bounds.is_empty() { Cow::Borrowed(graphs) } else { Cow::Owned(relabelled(graphs, &bounds)?) };
        let map = LabelMap::learn(self.label_choice(), &binned)?;
        self.fitted(bounds, map)
    }

    /// What embeds new graphs under a label map, and has no columns yet: only ids, or hashed columns.
    ///
    /// # Errors
    ///
    /// When the settings contradict each other, or the labels are too many for the encoding.
    pub fn with_labels(&self, map: LabelMap) -> Result<Fitted> {
        match self.bins.first() {
            Some(binning) => {
                Err(Error::settings(format!("{binning}: where bins end has to be learnt from graphs")))
            }
            None => self.fitted(Vec::new(), map),
        }
    }

    /// What embeds graphs under labels and bins that are known, and has no columns yet.
    pub(crate) fn fitted(&self, bounds: Vec<Bounds>, map: LabelMap) -> Result<Fitted> {
        self.check()?;
        let columns = self.hash_bits.map_or_else(|| Columns::Named(Arc::default()), Columns::Hashed);
        let fitted = Fitted { settings: self.clone(), bounds, map, columns, places: Arc::default() };
        Worker::new(&fitted.settings, &fitted.map)?;
        Ok(fitted)
    }
}
