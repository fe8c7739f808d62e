//! Graphs in record batches of Arrow, and their features in others: what a cluster engine hands over.

use std::fmt::Display;
use std::sync::Arc;

use allpaths::embed::IdRows;
use allpaths::graph::GraphBuilder;
use allpaths::label::LabelMap;
use allpaths::{AllPathsCycles, Dataset};
use arrow_array::builder::{ListBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::error::{exception, settings};
use crate::job;

/// The columns that say what the graphs are.
const COLUMNS: [&str; 4] = ["sources", "targets", "labels", "edge_labels"];

#[allow(clippy::needless_pass_by_value)] // as it comes
fn arrow(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A column of lists, as lists of that; nothing if there is no such column. Nothing is copied where the column is that already.
fn lists(batch: &RecordBatch, name: &str, of: &DataType) -> PyResult<Option<ListArray>> {
    let Some(column) = batch.column_by_name(name) else { return Ok(None) };
    let wrong = |what: &dyn Display| {
        PyValueError::new_err(format!("column {name:?} must hold lists that can be read as {of}: {what}"))
    };
    // What is no list would be cast to lists of one.
    if !matches!(column.data_type(), DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..))
    {
        return Err(wrong(column.data_type()));
    }
    let wanted = DataType::List(Arc::new(Field::new_list_field(of.clone(), true)));
    let lists = arrow_cast::cast(column, &wanted).map_err(|error| wrong(&error))?;
    let lists = lists.as_list::<i32>().clone();
    if lists.null_count() > 0 || lists.values().null_count() > 0 {
        return Err(PyValueError::new_err(format!("column {name:?} has nulls")));
    }
    Ok(Some(lists))
}

fn required(batch: &RecordBatch, name: &str, of: &DataType) -> PyResult<ListArray> {
    lists(batch, name, of)?.ok_or_else(|| PyValueError::new_err(format!("there is no column {name:?}")))
}

/// The values of one row.
fn row(lists: &ListArray, row: usize) -> std::ops::Range<usize> {
    #[allow(clippy::cast_sign_loss)] // offsets are not negative
    let offset = |row: usize| lists.value_offsets()[row] as usize;
    offset(row)..offset(row + 1)
}

fn texts(lists: &ListArray, i: usize) -> impl Iterator<Item = &str> {
    let values: &StringArray = lists.values().as_string();
    row(lists, i).map(|place| values.value(place))
}

fn graphs(batch: &RecordBatch, directed: bool) -> PyResult<Dataset> {
    let sources = required(batch, "sources", &DataType::Int64)?;
    let targets = required(batch, "targets", &DataType::Int64)?;
    let labels = required(batch, "labels", &DataType::Utf8)?;
    let edge_labels = lists(batch, "edge_labels", &DataType::Utf8)?;
    let ends = |lists: &ListArray, i: usize| -> Vec<i64> {
        lists.values().as_primitive::<Int64Type>().values()[row(lists, i)].to_vec()
    };
    let graph = |i: usize| {
        let wrong = |reason: &str| PyValueError::new_err(format!("row {i}: {reason}"));
        let (sources, targets) = (ends(&sources, i), ends(&targets, i));
        if sources.len() != targets.len() {
            let reason =
                format!("{} sources and {} targets: an edge has one of each", sources.len(), targets.len());
            return Err(wrong(&reason));
        }
        let order = row(&labels, i).len();
        let mut builder =
            if directed { GraphBuilder::directed(order) } else { GraphBuilder::undirected(order) };
        for (u, v) in sources.into_iter().zip(targets) {
            let vertex = |v: i64| {
                usize::try_from(v).map_err(|_| wrong(&format!("vertex {v}: vertices are numbered from 0")))
            };
            builder.edge(vertex(u)?, vertex(v)?).map_err(|error| wrong(&error.to_string()))?;
        }
        builder.vertex_labels(texts(&labels, i));
        edge_labels.iter().for_each(|labels| {
            builder.edge_labels(texts(labels, i));
        });
        builder.build().map_err(|error| wrong(&error.to_string()))
    };
    let graphs: PyResult<Vec<_>> = (0..batch.num_rows()).map(graph).collect();
    Ok(Dataset::from_graphs("batch", graphs?))
}

/// The columns that come out, beside those that are handed on.
fn features(rows: &IdRows) -> PyResult<[(Field, ArrayRef); 3]> {
    if i32::try_from(rows.nonzeros()).is_err() {
        return Err(PyOverflowError::new_err("2^31 features or more: take smaller batches"));
    }
    let item = || Arc::new(Field::new_list_field(DataType::UInt64, false));
    let list = || {
        ListBuilder::with_capacity(UInt64Builder::with_capacity(rows.nonzeros()), rows.rows())
            .with_field(item())
    };
    let (mut ids, mut counts) = (list(), list());
    for i in 0..rows.rows() {
        let (row_ids, row_counts) = rows.row(i);
        ids.values().append_slice(row_ids);
        ids.append(true);
        counts.values().append_slice(row_counts);
        counts.append(true);
    }
    let outcomes: StringArray = rows.outcomes().iter().map(|outcome| Some(outcome.name())).collect();
    let of_lists = |name: &str| Field::new(name, DataType::List(item()), false);
    Ok([
        (of_lists("ids"), Arc::new(ids.finish())),
        (of_lists("counts"), Arc::new(counts.finish())),
        (Field::new("outcome", DataType::Utf8, false), Arc::new(outcomes)),
    ])
}

/// Counts labelled paths and cycles in the graphs of a batch, by the ids of features. Columns that say nothing of the graphs are handed on.
#[pyfunction]
#[pyo3(signature = (batch, text, labels, directed, progress=None))]
#[allow(clippy::needless_pass_by_value)] // as pyo3 gives it
pub(crate) fn embed_batch<'py>(
    py: Python<'py>,
    batch: PyRecordBatch,
    text: &str,
    labels: Option<Vec<String>>,
    directed: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let batch = batch.into_inner();
    let map = labels.map_or_else(LabelMap::all, LabelMap::keeping);
    let fitted = settings::<AllPathsCycles>(text)?.with_labels(map).map_err(|error| exception(&error))?;
    let data = graphs(&batch, directed)?;
    let rows = job::run(py, progress, |monitor| fitted.ids_under(data.graphs(), monitor))?;
    let schema = batch.schema();
    let handed_on = schema
        .fields()
        .iter()
        .zip(batch.columns())
        .filter(|(field, _)| !COLUMNS.contains(&field.name().as_str()));
    let handed_on = handed_on.map(|(field, column)| (field.as_ref().clone(), Arc::clone(column)));
    let (fields, columns): (Vec<Field>, Vec<ArrayRef>) = handed_on.chain(features(&rows)?).unzip();
    let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
    PyRecordBatch::new(RecordBatch::try_new(schema, columns).map_err(arrow)?).into_pyarrow(py)
}
