//! Features as rows of ids for Parquet and Arrow.

use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter as ParquetWriter;
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::{FileKind, outcome_names};
use crate::count::Outcome;
use crate::whole::Pending;
use crate::{Error, Result};

/// Writes a row for each graph: ids, counts, class, outcome.
pub(super) struct ArrowWriter {
    path: std::path::PathBuf,
    schema: Arc<Schema>,
    sink: Sink,
    hashed: bool,
    /// What the graphs of the next rows are called.
    pub(super) names: Option<Vec<String>>,
}

enum Sink {
    Parquet(Box<ParquetWriter<Pending>>),
    Arrow(Box<FileWriter<Pending>>),
}

impl ArrowWriter {
    pub(super) fn create(path: &Path, kind: FileKind, hashed: bool) -> Result<Self> {
        let list = |name: &str, of: DataType| {
            let item = Field::new_list_field(of, false);
            Field::new(name, DataType::List(Arc::new(item)), false)
        };
        let keys = if hashed { list("columns", DataType::UInt32) } else { list("ids", DataType::UInt64) };
        let id = Field::new("id", DataType::Utf8, true);
        let class = Field::new("class", DataType::Int64, true);
        let outcome = Field::new("outcome", DataType::Utf8, false);
        let schema = Arc::new(Schema::new(vec![id, keys, list("counts", DataType::UInt64), class, outcome]));
        let out = Pending::create(path)?;
        let sink = if kind == FileKind::Parquet {
            let writer = ParquetWriter::try_new(out, Arc::clone(&schema), Some(properties()));
            Sink::Parquet(Box::new(writer.map_err(|error| parquet_error(path, error))?))
        } else {
            let writer = FileWriter::try_new(out, &schema);
            Sink::Arrow(Box::new(writer.map_err(|error| arrow_error(path, error))?))
        };
        Ok(Self { path: path.to_owned(), schema, sink, hashed, names: None })
    }

    /// Writes rows, each given by its ids and counts.
    pub(super) fn write<'a, I: Iterator<Item = u64>>(
        &mut self,
        outcomes: &[Outcome],
        row: impl Fn(usize) -> (I, &'a [u64]),
        classes: Option<&[i64]>,
    ) -> Result<()> {
        let item = |of: DataType| Field::new_list_field(of, false);
        let mut counts = ListBuilder::new(UInt64Builder::new()).with_field(item(DataType::UInt64));
        let mut ids = ListBuilder::new(UInt64Builder::new()).with_field(item(DataType::UInt64));
        let mut columns = ListBuilder::new(UInt32Builder::new()).with_field(item(DataType::UInt32));
        for (keys, row_counts) in (0..outcomes.len()).map(row) {
            if self.hashed {
                keys.for_each(|column| columns.values().append_value(column as u32));
                columns.append(true);
            } else {
                keys.for_each(|id| ids.values().append_value(id));
                ids.append(true);
            }
            counts.values().append_slice(row_counts);
            counts.append(true);
        }
        let keys: ArrayRef = if self.hashed { Arc::new(columns.finish()) } else { Arc::new(ids.finish()) };
        let mut id = StringBuilder::new();
        match self.names.take() {
            Some(names) => names.iter().for_each(|name| id.append_option((!name.is_empty()).then_some(name))),
            None => (0..outcomes.len()).for_each(|_| id.append_null()),
        }
        let mut class = Int64Builder::new();
        match classes {
            Some(classes) => class.append_slice(classes),
            None => class.append_nulls(outcomes.len()),
        }
        let mut outcome = StringBuilder::new();
        outcome_names(outcomes).for_each(|name| outcome.append_value(name));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(id.finish()),
            keys,
            Arc::new(counts.finish()),
            Arc::new(class.finish()),
            Arc::new(outcome.finish()),
        ];
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns);
        let batch = batch.map_err(|error| arrow_error(&self.path, error))?;
        match &mut self.sink {
            Sink::Parquet(writer) => writer.write(&batch).map_err(|error| parquet_error(&self.path, error)),
            Sink::Arrow(writer) => writer.write(&batch).map_err(|error| arrow_error(&self.path, error)),
        }
    }

    pub(super) fn finish(self) -> Result<()> {
        match self.sink {
            Sink::Parquet(writer) => {
                writer.into_inner().map_err(|error| parquet_error(&self.path, error))?.finish()
            }
            Sink::Arrow(mut writer) => {
                writer.finish().map_err(|error| arrow_error(&self.path, error))?;
                writer.into_inner().map_err(|error| arrow_error(&self.path, error))?.finish()
            }
        }
    }
}

/// Ids and counts repeat from graph to graph, so a dictionary says most of them in a byte or two.
fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_encoding(Encoding::PLAIN)
        .set_max_row_group_row_count(Some(1 << 16))
        .build()
}

fn parquet_error(path: &Path, error: ParquetError) -> Error {
    Error::io(path, std::io::Error::other(error))
}

fn arrow_error(path: &Path, error: ArrowError) -> Error {
    Error::io(path, std::io::Error::other(error))
}
