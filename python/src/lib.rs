//! The Python module `allpaths._native`: converts what Python has, lets other threads of Python run, calls the library, and turns its
//! errors into exceptions. It decides nothing; what is checked and explained is in the Python package around it.
//!
//! Settings come as JSON, in the form in which the library writes them to files. So a setting of the library needs no line here.

mod batch;
mod classifier;
mod count;
mod dataset;
mod embed;
mod error;
mod estimate;
mod explain;
mod graph;
mod job;
mod kernel;
mod label;
mod nystroem;
mod rows;
mod search;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::batch::embed_batch;
    #[pymodule_export]
    use super::classifier::Classifier;
    #[pymodule_export]
    use super::count::{check_engine, count, count_between, count_by_vertex};
    #[pymodule_export]
    use super::dataset::{fetch, read, write};
    #[pymodule_export]
    use super::embed::Embedding;
    #[pymodule_export]
    use super::estimate::estimate;
    #[pymodule_export]
    use super::explain::explain;
    #[pymodule_export]
    use super::graph::Graph;
    #[pymodule_export]
    use super::kernel::Kernel;
    #[pymodule_export]
    use super::nystroem::Nystroem;
    #[pymodule_export]
    use super::search::{nearest, read_smiles};
}
