//! The graphs in the rows of a record batch.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, BinaryArray, ListArray, RecordBatch};
use arrow_schema::{DataType, Field};

use super::bytes::{self, Said};
use crate::dataset::{Reader, is_table_column};
use crate::graph::{About, Alphabet, Attribute, Graph, GraphBuilder, Interner, Labels, Merged, Values};
use crate::{Error, Result};

/// The columns that say what a graph is; `id` and `y` say something about it.
pub const COLUMNS: [&str; 8] =
    ["source", "target", "vertex_labels", "edge_labels", "weights", "vertices", "directed", BYTES];

/// The column that says all of that in one value.
const BYTES: &str = "graph_bytes";

/// The graphs in the rows of a record batch, under one alphabet; a row that makes no graph is an error of its own.
///
/// Columns are those of a file of graphs: see [`Format::Parquet`](super::super::Format::Parquet). Edges have a direction if that is said here or in the column
/// `directed`.
///
/// # Errors
///
/// When a column is missing or holds something else; the message names it.
///
/// # Example
///
/// ```
/// # use std::sync::Arc;
/// # use allpaths::dataset::graphs_of_batch;
/// # use arrow_array::{RecordBatch, ListArray, ArrayRef, types::Int32Type};
/// let list = |values: &[i32]| -> ArrayRef {
///     let row = Some(values.iter().copied().map(Some).collect::<Vec<_>>());
///     Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([row]))
/// };
/// let triangle = [("source", list(&[0, 1, 2])), ("target", list(&[1, 2, 0]))];
/// let graphs = graphs_of_batch(&RecordBatch::try_from_iter(triangle)?, false)?;
/// assert_eq!(graphs[0].as_ref().unwrap().size(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn graphs_of_batch(batch: &RecordBatch, directed: bool) -> Result<Vec<Result<Graph>>> {
    let room = Reader::new().room(VERTEX);
    let rows = TableGraphs::default().read(batch, directed.then_some(true), room).map_err(Error::graph)?;
    Ok(rows.into_iter().map(|row| row.map(|(graph, _)| graph).map_err(Error::graph)).collect())
}

/// Columns of the types that they are read as.
struct TableColumns {
    rows: usize,
    ends: [ListArray; 2],
    labels: [Option<ListArray>; 2],
    weights: Option<ListArray>,
    vertices: Option<ArrayRef>,
    directed: Option<ArrayRef>,
}

impl TableColumns {
    fn of(batch: &RecordBatch) -> std::result::Result<Self, String> {
        let end = |name: &str| {
            let lists = lists(batch, name, &DataType::Int64, DataType::is_integer, "whole numbers")?;
            lists.ok_or_else(|| format!("there is no column {name:?}: it holds the ends of edges"))
        };
        let labels = |name: &str| lists(batch, name, &DataType::Utf8, is_label, "strings or whole numbers");
        Ok(Self {
            rows: batch.num_rows(),
            ends: [end("source")?, end("target")?],
            labels: [labels("vertex_labels")?, labels("edge_labels")?],
            weights: lists(batch, "weights", &DataType::Float64, DataType::is_numeric, "numbers")?,
            vertices: column(batch, "vertices", &DataType::Int64, DataType::is_integer, "whole numbers")?,
            directed: column(batch, "directed", &DataType::Boolean, is_boolean, "booleans")?,
        })
    }
}

fn is_boolean(kind: &DataType) -> bool {
    *kind == DataType::Boolean
}

/// Whether values of a type can be labels or names.
fn is_label(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_label(values),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        other => other.is_integer(),
    }
}

/// A column as one of that type, if there is one of that name. Nothing is copied where it is that already.
fn column(
    batch: &RecordBatch,
    name: &str,
    of: &DataType,
    fits: impl Fn(&DataType) -> bool,
    what: &str,
) -> std::result::Result<Option<ArrayRef>, String> {
    let Some(column) = batch.column_by_name(name).filter(|column| *column.data_type() != DataType::Null)
    else {
        return Ok(None);
    };
    let kind = column.data_type();
    if !fits(kind) {
        return Err(format!("column {name:?} must hold {what}, not {kind}"));
    }
    arrow_cast::cast(column, of).map(Some).map_err(|error| format!("column {name:?}: {error}"))
}

fn lists(
    batch: &RecordBatch,
    name: &str,
    of: &DataType,
    fits: impl Fn(&DataType) -> bool,
    what: &str,
) -> std::result::Result<Option<ListArray>, String> {
    let wanted = DataType::List(Arc::new(Field::new_list_field(of.clone(), true)));
    let of_list = |kind: &DataType| match kind {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            // A list without values may have no type for them.
            fits(item.data_type()) || *item.data_type() == DataType::Null
        }
        _ => false,
    };
    let column = column(batch, name, &wanted, of_list, &format!("lists of {what}"))?;
    Ok(column.map(|column| column.as_list::<i32>().clone()))
}

/// Where the values of a row stand; nothing if the row is null.
fn row(lists: &ListArray, row: usize) -> Option<Range<usize>> {
    #[allow(clippy::cast_sign_loss)] // offsets are not negative
    let offset = |row: usize| lists.value_offsets()[row] as usize;
    lists.is_valid(row).then(|| offset(row)..offset(row + 1))
}

/// Names and classes of graphs, where there are any.
pub(super) type NamesAndClasses = (Option<Vec<String>>, Option<Vec<i64>>);

/// What each graph is called, and its class, where columns say so.
pub(super) fn names_and_classes(batch: &RecordBatch) -> std::result::Result<NamesAndClasses, String> {
    let names = column(batch, "id", &DataType::Utf8, is_label, "strings or whole numbers")?;
    let names = names.map(|names| {
        let names = names.as_string::<i32>();
        names.iter().map(|name| name.unwrap_or_default().to_owned()).collect()
    });
    let is_class = |kind: &DataType| kind.is_numeric() || *kind == DataType::Boolean;
    let Some(given) = column(batch, "y", &DataType::Float64, is_class, "whole numbers")? else {
        return Ok((names, None));
    };
    if given.null_count() == given.len() {
        return Ok((names, None));
    }
    let whole = column(batch, "y", &DataType::Int64, is_class, "whole numbers")?;
    let (given, whole) =
        (given.as_primitive::<Float64Type>(), whole.as_ref().map(AsArray::as_primitive::<Int64Type>));
    let class = |place: usize| match whole {
        Some(whole) if whole.is_valid(place) && given.value(place).fract() == 0.0 => Ok(whole.value(place)),
        _ => Err(format!(
            "column \"y\", row {place}: a class is a whole number, and all rows have one or none has"
        )),
    };
    Ok((names, Some((0..given.len()).map(class).collect::<std::result::Result<_, _>>()?)))
}

/// The other columns, as far as they hold numbers, strings or booleans.
pub(super) fn properties(batch: &RecordBatch) -> std::result::Result<Vec<Attribute>, String> {
    let mut properties = Vec::new();
    for (field, values) in batch.schema().fields().iter().zip(batch.columns()) {
        let (name, kind) = (field.name(), field.data_type());
        let cast =
            |of: &DataType| arrow_cast::cast(values, of).map_err(|error| format!("column {name:?}: {error}"));
        let values = match kind {
            _ if is_table_column(name) => continue,
            kind if kind.is_numeric() => {
                Values::Real(cast(&DataType::Float64)?.as_primitive::<Float64Type>().iter().collect())
            }
            kind if is_label(kind) || is_boolean(kind) => {
                let texts = cast(&DataType::Utf8)?;
                Values::Text(texts.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect())
            }
            _ => continue,
        };
        properties.push(Attribute::new(name.as_str(), values));
    }
    Ok(properties)
}

/// Makes graphs of rows; labels keep their codes from batch to batch.
#[derive(Default)]
pub(in crate::dataset) struct TableGraphs {
    interners: [Interner; 2],
}

/// The labels of all rows of a column, as codes.
struct Coded<'a> {
    lists: &'a ListArray,
    alphabet: Arc<Alphabet>,
    codes: Vec<u32>,
}

/// Bytes that a vertex takes while a graph is built.
const VERTEX: u64 = 16;

/// The code of what is no label.
const NONE: u32 = u32::MAX;

/// A graph and what was merged in it, or what is wrong with its row.
pub(super) type Row = std::result::Result<(Graph, Merged), String>;

impl TableGraphs {
    /// The graphs of all rows of a batch, or what is wrong with its columns.
    pub(super) fn read_batch(
        &mut self,
        batch: &RecordBatch,
        reader: &Reader,
    ) -> std::result::Result<Vec<Row>, String> {
        self.read(batch, reader.directed, reader.room(VERTEX))
    }

    fn read(
        &mut self,
        batch: &RecordBatch,
        directed: Option<bool>,
        room: usize,
    ) -> std::result::Result<Vec<Row>, String> {
        if let Some(column) = graph_bytes(batch)? {
            return Ok(self.read_bytes(&column, directed, room));
        }
        let columns = TableColumns::of(batch)?;
        let [vertices, edges] = &mut self.interners;
        let coded = [code(columns.labels[0].as_ref(), vertices), code(columns.labels[1].as_ref(), edges)];
        Ok((0..columns.rows).map(|row| graph(&columns, &coded, row, (directed, room))).collect())
    }

    fn read_bytes(&mut self, column: &BinaryArray, directed: Option<bool>, room: usize) -> Vec<Row> {
        let read = |bytes: Option<&[u8]>| {
            let bytes = bytes.ok_or_else(|| format!("column {BYTES:?} is null"))?;
            bytes::read(bytes, &mut self.interners, room)
                .map_err(|reason| format!("column {BYTES:?}: {reason}"))
        };
        let said: Vec<_> = column.iter().map(read).collect();
        let alphabets = self.interners.each_ref().map(Interner::alphabet);
        said.into_iter().map(|said| graph_of_bytes(said?, &alphabets, directed)).collect()
    }
}

/// The graphs as bytes, if the batch has them so; then no other column may say what they are.
fn graph_bytes(batch: &RecordBatch) -> std::result::Result<Option<BinaryArray>, String> {
    let is_binary =
        |kind: &DataType| matches!(kind, DataType::Binary | DataType::LargeBinary | DataType::BinaryView);
    let Some(column) = column(batch, BYTES, &DataType::Binary, is_binary, "bytes")? else { return Ok(None) };
    match COLUMNS.iter().find(|&&name| name != BYTES && batch.column_by_name(name).is_some()) {
        Some(name) => Err(format!("columns {BYTES:?} and {name:?} both say what graphs are: leave one out")),
        None => Ok(Some(column.as_binary::<i32>().clone())),
    }
}

fn graph_of_bytes(said: Said, alphabets: &[Arc<Alphabet>; 2], directed: Option<bool>) -> Row {
    let [vertices, edges] = said.labels;
    let labels = |codes: Option<Vec<u32>>, alphabet: &Arc<Alphabet>| {
        codes.map(|codes| Labels::new(alphabet.clone(), codes))
    };
    let about = About {
        vertex_labels: labels(vertices, &alphabets[0]),
        edge_labels: labels(edges, &alphabets[1]),
        weights: said.weights,
        ..About::default()
    };
    GraphBuilder::from_listing(directed.unwrap_or(said.directed), said.order, said.edges, about)
        .build_noting()
        .map_err(|error| error.to_string())
}

fn code<'a>(lists: Option<&'a ListArray>, interner: &mut Interner) -> Option<Coded<'a>> {
    let lists = lists?;
    let code = |label: Option<&str>| label.map_or(NONE, |label| interner.code(label));
    let codes = lists.values().as_string::<i32>().iter().map(code).collect();
    Some(Coded { lists, alphabet: interner.alphabet(), codes })
}

impl Coded<'_> {
    fn labels(&self, name: &str, place: usize) -> std::result::Result<Option<Labels>, String> {
        let Some(range) = row(self.lists, place) else { return Ok(None) };
        let codes = self.codes[range].to_vec();
        match codes.contains(&NONE) {
            true => Err(format!("a null in column {name:?}")),
            false => Ok(Some(Labels::new(self.alphabet.clone(), codes))),
        }
    }
}

/// The numbers of a row.
fn integers(lists: &ListArray, name: &str, place: usize) -> std::result::Result<Range<usize>, String> {
    let range = row(lists, place).ok_or_else(|| format!("column {name:?} is null"))?;
    match range.clone().any(|value| lists.values().is_null(value)) {
        true => Err(format!("a null in column {name:?}")),
        false => Ok(range),
    }
}

fn graph(
    columns: &TableColumns,
    coded: &[Option<Coded<'_>>; 2],
    place: usize,
    (directed, room): (Option<bool>, usize),
) -> Row {
    let [source, target] = &columns.ends;
    let (from, to) = (integers(source, "source", place)?, integers(target, "target", place)?);
    if from.len() != to.len() {
        return Err(format!(
            "{} values in \"source\" and {} in \"target\": an edge has one of each",
            from.len(),
            to.len()
        ));
    }
    let labels = |which: usize, name: &str| match &coded[which] {
        Some(coded) => coded.labels(name, place),
        None => Ok(None),
    };
    let (vertex_labels, edge_labels) = (labels(0, "vertex_labels")?, labels(1, "edge_labels")?);
    let values = |lists: &'_ ListArray, range: Range<usize>| {
        lists.values().as_primitive::<Int64Type>().values()[range].to_vec()
    };
    let (from, to) = (values(source, from), values(target, to));
    let said = columns.vertices.as_ref().filter(|vertices| vertices.is_valid(place));
    let said = said.map(|vertices| vertices.as_primitive::<Int64Type>().value(place));
    let labelled = vertex_labels.as_ref().map(|labels| labels.codes().len());
    let said = said.map(|said| usize::try_from(said).unwrap_or(usize::MAX));
    let last = || from.iter().chain(&to).copied().max().map_or(0, |last| last.saturating_add(1));
    let order = match (labelled, said) {
        (Some(labelled), Some(said)) if said != labelled => {
            return Err(format!("{labelled} vertex labels given, {said} expected"));
        }
        (Some(order), _) | (None, Some(order)) => order,
        (None, None) => usize::try_from(last()).unwrap_or(0), // a negative vertex is found below
    };
    let vertex = |v: i64| match u32::try_from(v) {
        Ok(vertex) if (vertex as usize) < order => Ok(vertex),
        _ => Err(format!("an edge with vertex {v}: there are {order} vertices, numbered from 0")),
    };
    let listed = from.iter().zip(&to).map(|(&u, &v)| Ok((vertex(u)?, vertex(v)?)));
    let listed = listed.collect::<std::result::Result<Vec<_>, String>>()?;
    // Who lists labels has paid for vertices; others only announce them.
    if order > room && labelled.is_none() || order >= 1 << 30 {
        return Err(format!("{order} vertices are more than a file may ask for"));
    }
    let about = About { vertex_labels, edge_labels, weights: weights(columns, place)?, ..About::default() };
    let column = columns.directed.as_ref().filter(|column| column.is_valid(place));
    let directed = directed.or_else(|| column.map(|column| column.as_boolean().value(place)));
    GraphBuilder::from_listing(directed.unwrap_or(false), order, listed, about)
        .build_noting()
        .map_err(|error| error.to_string())
}

fn weights(columns: &TableColumns, place: usize) -> std::result::Result<Option<Vec<f64>>, String> {
    let Some(lists) = columns.weights.as_ref().filter(|lists| lists.is_valid(place)) else { return Ok(None) };
    let range = integers(lists, "weights", place)?;
    Ok(Some(lists.values().as_primitive::<Float64Type>().values()[range].to_vec()))
}
