//! Exact counts of simple paths and simple cycles in graphs, labelled ones as features with names, and graph kernels built on them.
//!
//! The modules are the stages of the work, in the order in which data moves:
//!
//! ```text
//! graph: the ground everything stands on
//! dataset ──> count ──> embed ──> kernel ──> learn ──> evaluate ──> experiment
//! files in    paths,    sparse    Gram       SVM       folds,       tables,
//!             cycles    features  matrix               grids        figures
//!               ▲
//!             label: what a path or cycle is called
//! ```
//!
//! A whole run is a line for each arrow:
//!
//! ```
//! use allpaths::{AllPathsCycles, Counter, Dataset};
//!
//! # let caffeine = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/caffeine.gml");
//! let data = Dataset::read(caffeine)?;
//! let counts = Counter::up_to(9).count(&data.graphs()[0])?;
//! assert_eq!(counts.cycles(5), 1); // a ring of five,
//! assert_eq!(counts.cycles(6), 1); // a ring of six,
//! assert_eq!(counts.cycles(9), 1); // and the one around both
//!
//! let features = AllPathsCycles::up_to(5).embed(&data)?;
//! assert_eq!(features.count(0, "cycle:C-C-N-C-N-"), Some(1)); // the ring of five, by its labels
//! # Ok::<(), allpaths::Error>(())
//! ```
//!
//! - [`Graph`] holds vertices, edges and what is known of them; [`graph::GraphBuilder`] makes one by hand.
//! - [`Dataset`] reads files; [`dataset::Reader`] has the choices, [`dataset::Collection`] finds published ones by name.
//! - [`Counter`] counts; [`count::Counts`] is what it finds, in exact [`count::Count`]s.
//! - [`Estimator`] estimates what would take too long to count; [`estimate::Interval`] says how well.
//! - [`AllPathsCycles`] embeds graphs; [`embed::Features`] is the matrix that comes out, [`label`] says what its columns are called.
//! - [`GraphKernel`] compares graphs, by these features or others; [`kernel::Gram`] is the matrix that comes out.
//! - [`search::Library`] finds the graphs most similar to another, among millions.
//! - [`learn::Svm`] learns classes from such a matrix, [`learn::LinearSvm`] from features.
//! - [`evaluate::CrossValidation`] says how well that works; [`GraphClassifier`] does all of it at once.
//! - [`explain::Explainer`] says which vertices, edges, paths and cycles decided.
//! - `experiment::Reproduction` (with the feature `report`) runs the experiments of the paper again, and writes a page of what it finds.
//! - [`npz::Npz`] hands arrays over to NumPy and SciPy.
//! - [`Monitor`] shows how far a long job has come, and stops it.
//! - [`Error`] says what is wrong and where.

pub mod count;
pub mod dataset;
mod dense;
pub mod embed;
mod error;
pub mod estimate;
pub mod evaluate;
#[cfg(feature = "report")]
pub mod experiment;
pub mod explain;
pub mod graph;
pub mod kernel;
pub mod label;
pub mod learn;
mod monitor;
pub mod npz;
mod pages;
mod random;
#[cfg(feature = "report")]
mod report;
pub mod search;
mod threads;
mod versions;
mod whole;

pub use count::Counter;
pub use dataset::Dataset;
pub use embed::AllPathsCycles;
pub use error::{Error, Result};
pub use estimate::Estimator;
pub use evaluate::GraphClassifier;
pub use graph::Graph;
pub use kernel::GraphKernel;
pub use monitor::Monitor;

/// The examples of the README are compiled and run, too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
