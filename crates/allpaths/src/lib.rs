//! Exact counts of simple paths and simple cycles in graphs.

pub mod count;
pub mod dataset;
mod error;
pub mod graph;
mod monitor;

pub use count::Counter;
pub use dataset::Dataset;
pub use error::{Error, Result};
pub use graph::Graph;
pub use monitor::Monitor;
