//! Graphs as a table: a row for each, in Parquet and Arrow files and in record batches.
//!
//! | column | what it holds | if it is missing |
//! |---|---|---|
//! | `source`, `target` | lists of whole numbers: the ends of edges, vertices numbered from 0 | an error |
//! | `vertex_labels` | lists of strings or whole numbers, one for each vertex | vertices have no labels |
//! | `edge_labels` | lists of strings or whole numbers, one for each edge | edges have no labels |
//! | `weights` | lists of numbers, one for each edge | edges have no weights |
//! | `vertices` | whole numbers: how many vertices there are, where there are no labels to tell | one more than the largest vertex of an edge |
//! | `directed` | whether edges have a direction | they have none |
//! | `id` | strings or whole numbers: what the graph is called | graphs have no names |
//! | `y` | whole numbers: the class of the graph | graphs have no classes |
//!
//! Integers may have any width, lists and strings long or short offsets, and strings may be in a dictionary. A null stands for nothing: no labels, no
//! name. Ends of edges cannot be null. Other columns are not looked at.
//!
//! In place of the columns above `id`, one may hold all that they say: `graph_bytes`, binary. What its bytes are is said in [`GraphColumns::Bytes`](super::GraphColumns::Bytes).

mod batch;
mod bytes;
mod files;
mod write;

pub(super) use files::{TableFile, looks_like};
pub(super) use write::write;

pub use batch::{COLUMNS, graphs_of_batch};
