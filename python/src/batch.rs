//! Graphs in record batches of Arrow, and their features in others: what a cluster engine hands over.

use std::sync::Arc;

use allpaths::count::Outcome;
use allpaths::dataset::{TABLE_COLUMNS, graphs_of_batch};
use allpaths::embed::Fitted;
use allpaths::label::LabelMap;
use allpaths::{AllPathsCycles, Dataset, Graph, Monitor};
use arrow_array::builder::{Float64Builder, Int32Builder, ListBuilder, StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, Int8Array, Int32Array, RecordBatch, StringArray, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::error::{exception, settings};
use crate::job;

#[allow(clippy::needless_pass_by_value)] // as it comes
fn arrow(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What becomes of the features of a graph.
enum Space {
    /// Lists of ids and counts.
    Ids,
    /// Sparse vectors with hashed columns, so many.
    Hashed(i32),
    /// Sparse vectors with a column for each of these ids, ascending.
    Vocabulary(Vec<u64>),
}

type Column = (Field, ArrayRef);

impl Space {
    fn columns(&self, fitted: &Fitted, graphs: &[Graph], monitor: &Monitor) -> allpaths::Result<Embedded> {
        match self {
            Space::Hashed(size) => {
                let features = fitted.transform_under(graphs, monitor)?;
                let mut vectors = Vectors::new(*size, features.nonzeros());
                for row in 0..features.rows() {
                    let (columns, counts) = features.row(row);
                    #[allow(clippy::cast_possible_wrap)] // below 2^31
                    vectors.push(columns.iter().zip(counts).map(|(&column, &count)| (column as i32, count)));
                }
                Ok(Embedded { columns: vec![vectors.finish()], outcomes: features.outcomes().to_vec() })
            }
            Space::Vocabulary(ids) => {
                let rows = fitted.ids_under(graphs, monitor)?;
                let mut vectors = Vectors::new(i32::try_from(ids.len()).unwrap_or(i32::MAX), rows.nonzeros());
                for row in 0..rows.rows() {
                    let (found, counts) = rows.row(row);
                    let place = |(id, &count): (&u64, &u64)| {
                        Some((i32::try_from(ids.binary_search(id).ok()?).ok()?, count))
                    };
                    let mut entries: Vec<(i32, u64)> = found.iter().zip(counts).filter_map(place).collect();
                    entries.sort_unstable();
                    vectors.push(entries.into_iter());
                }
                Ok(Embedded { columns: vec![vectors.finish()], outcomes: rows.outcomes().to_vec() })
            }
            Space::Ids => {
                let rows = fitted.ids_under(graphs, monitor)?;
                let item = || Arc::new(Field::new_list_field(DataType::UInt64, false));
                let list = || {
                    ListBuilder::with_capacity(UInt64Builder::with_capacity(rows.nonzeros()), rows.rows())
                        .with_field(item())
                };
                let (mut ids, mut counts) = (list(), list());
                for row in 0..rows.rows() {
                    let (row_ids, row_counts) = rows.row(row);
                    ids.values().append_slice(row_ids);
                    ids.append(true);
                    counts.values().append_slice(row_counts);
                    counts.append(true);
                }
                let of_lists = |name: &str| Field::new(name, DataType::List(item()), false);
                let columns: Vec<Column> = vec![
                    (of_lists("ids"), Arc::new(ids.finish())),
                    (of_lists("counts"), Arc::new(counts.finish())),
                ];
                Ok(Embedded { columns, outcomes: rows.outcomes().to_vec() })
            }
        }
    }
}

struct Embedded {
    columns: Vec<Column>,
    outcomes: Vec<Outcome>,
}

/// Sparse vectors as Spark's machine learning keeps them: a struct of type, size, indices and values.
struct Vectors {
    size: i32,
    rows: usize,
    indices: ListBuilder<Int32Builder>,
    values: ListBuilder<Float64Builder>,
}

impl Vectors {
    fn new(size: i32, nonzeros: usize) -> Self {
        let item = |of: DataType| Field::new_list_field(of, false);
        Self {
            size,
            rows: 0,
            indices: ListBuilder::new(Int32Builder::with_capacity(nonzeros))
                .with_field(item(DataType::Int32)),
            values: ListBuilder::new(Float64Builder::with_capacity(nonzeros))
                .with_field(item(DataType::Float64)),
        }
    }

    fn push(&mut self, entries: impl Iterator<Item = (i32, u64)>) {
        for (index, count) in entries {
            self.indices.values().append_value(index);
            self.values.values().append_value(count as f64);
        }
        self.indices.append(true);
        self.values.append(true);
        self.rows += 1;
    }

    fn finish(mut self) -> Column {
        /// What Spark calls sparse.
        const SPARSE: i8 = 0;
        let list = |of: DataType| DataType::List(Arc::new(Field::new_list_field(of, false)));
        let fields = Fields::from(vec![
            Field::new("type", DataType::Int8, false),
            Field::new("size", DataType::Int32, true),
            Field::new("indices", list(DataType::Int32), true),
            Field::new("values", list(DataType::Float64), true),
        ]);
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(Int8Array::from(vec![SPARSE; self.rows])),
            Arc::new(Int32Array::from(vec![self.size; self.rows])),
            Arc::new(self.indices.finish()),
            Arc::new(self.values.finish()),
        ];
        let field = Field::new("features", DataType::Struct(fields.clone()), true);
        (field, Arc::new(StructArray::new(fields, arrays, None)))
    }
}

/// The graphs of a batch, and what is wrong with rows that hold none: those are graphs without vertices, or an error if they are not to be marked.
fn graphs(
    batch: &RecordBatch,
    directed: bool,
    marks: bool,
    with_edge_labels: bool,
) -> PyResult<(Dataset, Vec<Option<String>>)> {
    let rows = graphs_of_batch(batch, directed).map_err(|error| exception(&error))?;
    let mut graphs = Vec::with_capacity(rows.len());
    let mut reasons = Vec::with_capacity(rows.len());
    for (number, row) in rows.into_iter().enumerate() {
        match row {
            Err(error) if !marks => return Err(PyValueError::new_err(format!("row {number}: {error}"))),
            Err(error) => {
                graphs.push(Graph::from_edges(0, []).map_err(|error| exception(&error))?);
                reasons.push(Some(error.to_string()));
            }
            Ok(graph) if marks && with_edge_labels && graph.size() > 0 && graph.edge_labels().is_none() => {
                graphs.push(Graph::from_edges(0, []).map_err(|error| exception(&error))?);
                reasons.push(Some("no edge labels, which were asked for".to_owned()));
            }
            Ok(graph) => {
                graphs.push(graph);
                reasons.push(None);
            }
        }
    }
    Ok((Dataset::from_graphs("batch", graphs), reasons))
}

/// How each row ended: by the names of outcomes, or with marks for rows that hold no graph, and reasons.
fn ends(outcomes: &[Outcome], reasons: &[Option<String>], marks: bool) -> Vec<Column> {
    let field = |name: &str, nullable: bool| Field::new(name, DataType::Utf8, nullable);
    if !marks {
        let names: StringArray = outcomes.iter().map(|outcome| Some(outcome.name())).collect();
        return vec![(field("outcome", false), Arc::new(names))];
    }
    let (mut names, mut why) = (StringBuilder::new(), StringBuilder::new());
    for (outcome, reason) in outcomes.iter().zip(reasons) {
        match (reason, outcome) {
            (Some(reason), _) => {
                names.append_value("invalid");
                why.append_value(reason);
            }
            (None, Outcome::Complete) => {
                names.append_value("ok");
                why.append_null();
            }
            (None, outcome) => {
                names.append_value(outcome.name());
                why.append_value(format!(
                    "stopped before its end ({}): longer paths are not counted",
                    outcome.name()
                ));
            }
        }
    }
    vec![(field("outcome", false), Arc::new(names.finish())), (field("reason", true), Arc::new(why.finish()))]
}

/// Counts labelled paths and cycles in the graphs of a batch, by the ids of features or in columns. Columns that say nothing of the graphs are handed on, or
/// all of them.
#[pyfunction]
#[pyo3(signature = (batch, text, labels, directed, vocabulary=None, marks=false, keeps_all=false, progress=None))]
#[allow(clippy::needless_pass_by_value, clippy::too_many_arguments)] // as pyo3 gives it
pub(crate) fn embed_batch<'py>(
    py: Python<'py>,
    batch: PyRecordBatch,
    text: &str,
    labels: Option<Vec<String>>,
    directed: bool,
    vocabulary: Option<PyReadonlyArray1<'py, u64>>,
    marks: bool,
    keeps_all: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let batch = batch.into_inner();
    let map = labels.map_or_else(LabelMap::all, LabelMap::keeping);
    let fitted = settings::<AllPathsCycles>(text)?.with_labels(map).map_err(|error| exception(&error))?;
    let space = match vocabulary {
        Some(ids) => Space::Vocabulary(ids.as_slice()?.to_vec()),
        None if fitted.settings().has_hashed_columns() => {
            let size = i32::try_from(fitted.columns().len());
            Space::Hashed(size.map_err(|_| PyOverflowError::new_err("2^31 columns or more: take fewer"))?)
        }
        None => Space::Ids,
    };
    let (data, reasons) = graphs(&batch, directed, marks, fitted.settings().uses_edge_labels())?;
    let embedded = job::run(py, progress, |monitor| space.columns(&fitted, data.graphs(), monitor))?;
    let schema = batch.schema();
    let handed_on = schema
        .fields()
        .iter()
        .zip(batch.columns())
        .filter(|(field, _)| keeps_all || !TABLE_COLUMNS.contains(&field.name().as_str()));
    let handed_on = handed_on.map(|(field, column)| (field.as_ref().clone(), Arc::clone(column)));
    let ends = ends(&embedded.outcomes, &reasons, marks);
    let (fields, columns): (Vec<Field>, Vec<ArrayRef>) =
        handed_on.chain(embedded.columns).chain(ends).unzip();
    let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
    PyRecordBatch::new(RecordBatch::try_new(schema, columns).map_err(arrow)?).into_pyarrow(py)
}
