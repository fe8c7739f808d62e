//! Files of graphs as a table, a few rows at a time.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;

use super::batch::{TableGraphs, names_and_classes, properties};
use crate::dataset::{Dataset, Format, OnError, Reader};
use crate::graph::{Attribute, Values};
use crate::{Error, Result};

/// A table that is read on for each batch.
pub(in crate::dataset) struct TableFile {
    path: PathBuf,
    batches: Box<dyn Iterator<Item = std::result::Result<RecordBatch, String>> + Send>,
    /// What is left of the record batch at hand.
    left: Option<RecordBatch>,
    graphs: TableGraphs,
    reader: Reader,
    /// How many rows were read.
    done: usize,
    started: bool,
}

/// How Parquet and Arrow files begin.
pub(in crate::dataset) fn looks_like(bytes: &[u8]) -> Option<Format> {
    // A stream of Arrow has no name in front, but the mark of a message.
    match bytes {
        [b'P', b'A', b'R', b'1', ..] => Some(Format::Parquet),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] | [0xff, 0xff, 0xff, 0xff, ..] => Some(Format::Arrow),
        _ => None,
    }
}

impl TableFile {
    /// A file that is read on.
    pub(in crate::dataset) fn open(path: &Path, format: Format, reader: &Reader) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io(path, error))?;
        match format {
            Format::Parquet => Self::parquet(path, file, reader),
            _ => Self::arrow(path, BufReader::new(file), reader),
        }
    }

    /// A file that is in memory.
    pub(in crate::dataset) fn of_bytes(
        path: &Path,
        bytes: Vec<u8>,
        format: Format,
        reader: &Reader,
    ) -> Result<Self> {
        match format {
            Format::Parquet => Self::parquet(path, Bytes::from(bytes), reader),
            _ => Self::arrow(path, Cursor::new(bytes), reader),
        }
    }

    fn parquet(path: &Path, file: impl ChunkReader + 'static, reader: &Reader) -> Result<Self> {
        let wrong =
            |error: parquet::errors::ParquetError| Error::file(path, format!("not a Parquet file: {error}"));
        let unread = |error: arrow_schema::ArrowError| match error.to_string() {
            reason if reason.contains("Disabled feature") => {
                format!("{reason}; write it without compression, or packed by snappy, gzip or lz4")
            }
            reason => reason,
        };
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(wrong)?;
        let batches = builder.with_batch_size(reader.rows_at_once()).build().map_err(wrong)?;
        Ok(Self::new(path, batches.map(move |batch| batch.map_err(unread)), reader))
    }

    fn arrow(path: &Path, mut file: impl Read + Seek + Send + 'static, reader: &Reader) -> Result<Self> {
        let mut start = [0; 6];
        let is_file = file.read_exact(&mut start).is_ok() && start == *b"ARROW1";
        file.rewind().map_err(|error| Error::io(path, error))?;
        let wrong = |error| Error::file(path, format!("not an Arrow file: {error}"));
        let text = |batch: std::result::Result<RecordBatch, arrow_schema::ArrowError>| {
            batch.map_err(|error| error.to_string())
        };
        Ok(match is_file {
            true => Self::new(path, FileReader::try_new(file, None).map_err(wrong)?.map(text), reader),
            false => Self::new(path, StreamReader::try_new(file, None).map_err(wrong)?.map(text), reader),
        })
    }

    fn new(
        path: &Path,
        batches: impl Iterator<Item = std::result::Result<RecordBatch, String>> + Send + 'static,
        reader: &Reader,
    ) -> Self {
        Self {
            path: path.to_owned(),
            batches: Box::new(batches),
            left: None,
            graphs: TableGraphs::default(),
            reader: reader.clone(),
            done: 0,
            started: false,
        }
    }

    /// Reads all that is left, as one dataset.
    pub(in crate::dataset) fn read(mut self) -> Result<Dataset> {
        let mut whole = Dataset::of_path(&self.path);
        while let Some(mut batch) = self.read_batch(usize::MAX)? {
            let had = whole.graphs.len();
            whole.graphs.append(&mut batch.graphs);
            whole.notes.append(&mut batch.notes);
            whole.merged.repeats += batch.merged.repeats;
            whole.merged.conflicts += batch.merged.conflicts;
            if had > 0
                && whole.classes.is_some() != batch.classes.is_some()
                && !whole.graphs[had..].is_empty()
            {
                return Err(Error::file(&self.path, "column \"y\": all rows have a class or none has"));
            }
            whole.classes = merged(whole.classes, batch.classes);
            whole.names = merged(whole.names, batch.names);
            whole.properties =
                if had == 0 { batch.properties } else { joined(whole.properties, &batch.properties) };
        }
        whole.share_alphabets();
        whole.note_if_empty();
        Ok(whole)
    }

    /// Reads so many rows or fewer; nothing if none are left.
    pub(in crate::dataset) fn read_batch(&mut self, size: usize) -> Result<Option<Dataset>> {
        let wrong = |reason| Error::file(&self.path, reason);
        let batch = loop {
            match self.left.take() {
                Some(batch) if batch.num_rows() > 0 => break batch,
                _ => match self.batches.next() {
                    Some(batch) => self.left = Some(batch.map_err(wrong)?),
                    // A file without rows is one empty batch, as elsewhere.
                    None if self.started => return Ok(None),
                    None => {
                        self.started = true;
                        return Ok(Some(Dataset::of_path(&self.path)));
                    }
                },
            }
        };
        self.started = true;
        let size = size.min(batch.num_rows());
        self.left = Some(batch.slice(size, batch.num_rows() - size));
        let batch = batch.slice(0, size);
        let rows = self.graphs.read_batch(&batch, &self.reader).map_err(wrong)?;
        let (names, classes) = names_and_classes(&batch).map_err(wrong)?;
        let properties = properties(&batch).map_err(wrong)?;
        let mut dataset = Dataset::of_path(&self.path);
        let mut kept = Vec::with_capacity(size);
        for (place, row) in rows.into_iter().enumerate() {
            let before = dataset.graphs.len();
            match row {
                Ok((graph, merged)) => dataset.push(graph, merged),
                Err(reason) => {
                    let row = self.done + place;
                    let error = match self.reader.on_error {
                        OnError::Fail => Error::file(&self.path, format!("row {row}: {reason}")),
                        OnError::Skip | OnError::Empty => Error::file(&self.path, reason),
                    };
                    dataset.push_fault(&format!("row {row}"), error, self.reader.on_error)?;
                }
            }
            kept.extend((dataset.graphs.len() > before).then_some(place));
        }
        self.done += size;
        let of_kept =
            |known: &Attribute| Attribute::new(known.name(), known.values().pick(kept.iter().copied()));
        dataset.properties = properties.iter().map(of_kept).collect();
        dataset.names = names.map(|names| kept.iter().map(|&place| names[place].clone()).collect());
        dataset.classes = classes.map(|classes| kept.iter().map(|&place| classes[place]).collect());
        Ok(Some(dataset))
    }
}

/// The values of some columns, and then those of the columns of the same names and types in another batch.
fn joined(first: Vec<Attribute>, second: &[Attribute]) -> Vec<Attribute> {
    fn both<T: Clone>(first: &[T], second: &[T]) -> Vec<T> {
        [first, second].concat()
    }
    let join = |(first, second): (Attribute, &Attribute)| {
        let values = match (first.values(), second.values()) {
            (Values::Real(first), Values::Real(second)) => Values::Real(both(first, second)),
            (Values::Text(first), Values::Text(second)) => Values::Text(both(first, second)),
            // Batches of a file have one schema.
            (first, _) => first.clone(),
        };
        Attribute::new(first.name(), values)
    };
    first.into_iter().zip(second).map(join).collect()
}

/// One list after the other, where there are any.
fn merged<T>(first: Option<Vec<T>>, second: Option<Vec<T>>) -> Option<Vec<T>> {
    match (first, second) {
        (Some(mut first), Some(mut second)) => {
            first.append(&mut second);
            Some(first)
        }
        (first, second) => first.or(second),
    }
}
