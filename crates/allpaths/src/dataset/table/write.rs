//! Graphs written as a table.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, ListBuilder, StringBuilder, UInt32Builder};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt32Array,
};
use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::bytes;
use crate::dataset::{Dataset, Format, GraphColumns, is_table_column};
use crate::graph::{Graph, Labels, Values};

/// Rows that are made at a time.
const ROWS: usize = 1 << 14;

/// Writes a table, with those columns of which any graph has something.
pub(in crate::dataset) fn write(
    out: &mut dyn Write,
    dataset: &Dataset,
    format: Format,
    columns: GraphColumns,
) -> io::Result<()> {
    let graphs = dataset.graphs();
    let starts = (0..graphs.len().max(1)).step_by(ROWS);
    let batches = starts.map(|start| batch(dataset, start..graphs.len().min(start + ROWS), columns));
    let batches: Vec<RecordBatch> = batches.collect::<Result<_, _>>().map_err(io::Error::other)?;
    let schema = batches[0].schema();
    // Its writers want what can be sent to another thread, which `out` may not be.
    let mut bytes = Vec::new();
    if format == Format::Parquet {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let mut writer = ArrowWriter::try_new(&mut bytes, schema, Some(properties))?;
        batches.iter().try_for_each(|batch| writer.write(batch))?;
        writer.close()?;
    } else {
        let mut writer = FileWriter::try_new(&mut bytes, &schema).map_err(io::Error::other)?;
        batches.iter().try_for_each(|batch| writer.write(batch)).map_err(io::Error::other)?;
        writer.finish().map_err(io::Error::other)?;
    }
    out.write_all(&bytes)
}

type Column<'a> = (&'a str, ArrayRef, bool);

fn batch(
    dataset: &Dataset,
    rows: std::ops::Range<usize>,
    form: GraphColumns,
) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let mut columns: Vec<Column<'_>> = Vec::new();
    if let Some(names) = dataset.names() {
        columns.push(("id", Arc::new(StringArray::from_iter_values(&names[rows.clone()])), false));
    }
    match form {
        GraphColumns::Lists => lists(dataset.graphs(), rows.clone(), &mut columns),
        GraphColumns::Bytes => {
            let graphs = dataset.graphs()[rows.clone()].iter().map(bytes::of_graph);
            columns.push(("graph_bytes", Arc::new(BinaryArray::from_iter_values(graphs)), false));
        }
    }
    if let Some(classes) = dataset.classes() {
        let classes = Int64Array::from_iter_values(classes[rows.clone()].iter().copied());
        columns.push(("y", Arc::new(classes), false));
    }
    for known in dataset.properties().iter().filter(|known| !is_table_column(known.name())) {
        let values: ArrayRef = match known.values() {
            Values::Real(values) => Arc::new(values[rows.clone()].iter().copied().collect::<Float64Array>()),
            Values::Text(values) => {
                Arc::new(values[rows.clone()].iter().map(Option::as_deref).collect::<StringArray>())
            }
        };
        columns.push((known.name(), values, true));
    }
    RecordBatch::try_from_iter_with_nullable(columns)
}

/// What graphs are, in lists.
fn lists(all: &[Graph], rows: std::ops::Range<usize>, columns: &mut Vec<Column<'_>>) {
    let graphs = &all[rows];
    let any = |has: fn(&Graph) -> bool| all.iter().any(has);
    columns.push(("source", ends(graphs, |(source, _)| source), false));
    columns.push(("target", ends(graphs, |(_, target)| target), false));
    if any(|graph| graph.vertex_labels().is_none()) {
        let orders = UInt32Array::from_iter_values(graphs.iter().map(|graph| graph.order() as u32));
        columns.push(("vertices", Arc::new(orders), false));
    }
    if any(|graph| graph.vertex_labels().is_some()) {
        columns.push(("vertex_labels", labels(graphs.iter().map(Graph::vertex_labels)), true));
    }
    if any(|graph| graph.edge_labels().is_some()) {
        columns.push(("edge_labels", labels(graphs.iter().map(Graph::edge_labels)), true));
    }
    if any(|graph| graph.weights().is_some()) {
        let mut weights = ListBuilder::new(Float64Builder::new());
        for graph in graphs {
            graph.weights().iter().for_each(|values| weights.values().append_slice(values));
            weights.append(graph.weights().is_some());
        }
        columns.push(("weights", Arc::new(weights.finish()), true));
    }
    if any(Graph::is_directed) {
        let directed: BooleanArray = graphs.iter().map(|graph| Some(graph.is_directed())).collect();
        columns.push(("directed", Arc::new(directed), false));
    }
}

fn ends(graphs: &[Graph], end: fn((usize, usize)) -> usize) -> ArrayRef {
    let mut lists = ListBuilder::new(UInt32Builder::new());
    for graph in graphs {
        graph.edges().for_each(|edge| lists.values().append_value(end(edge) as u32));
        lists.append(true);
    }
    Arc::new(lists.finish())
}

fn labels<'a>(graphs: impl Iterator<Item = Option<&'a Labels>>) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for labels in graphs {
        if let Some(labels) = labels {
            (0..labels.codes().len()).for_each(|i| lists.values().append_value(labels.name(i)));
        }
        lists.append(labels.is_some());
    }
    Arc::new(lists.finish())
}
