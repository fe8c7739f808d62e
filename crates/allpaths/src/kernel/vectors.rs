//! Graphs as sparse vectors of real numbers, ready to be compared.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::embed::{Cell, Column, Columns, Features, Rows};
use crate::pages;

/// What becomes of counts before they are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// They stay as they are.
    #[default]
    Raw,
    /// `ln(1 + x)`: the second of a kind tells more than the hundredth.
    Log,
    /// 1 for whatever is there.
    Binary,
    /// Their share in the graph's sum: graphs of different size count alike.
    Share,
}

impl Counted {
    /// The name that settings use.
    pub fn name(self) -> &'static str {
        match self {
            Counted::Raw => "raw",
            Counted::Log => "log",
            Counted::Binary => "binary",
            Counted::Share => "share",
        }
    }

    /// Makes of counts what it stands for, row by row: row `i` is `offsets[i]..offsets[i + 1]`.
    pub(crate) fn values(self, offsets: &[usize], counts: &[u64]) -> Vec<f64> {
        let mut values: Vec<f64> = pages::with_capacity(counts.len());
        values.extend(counts.iter().map(|&count| count as f64));
        match self {
            Counted::Raw => {}
            Counted::Log => values.iter_mut().for_each(|x| *x = x.ln_1p()),
            Counted::Binary => values.fill(1.0),
            Counted::Share => {
                for row in offsets.windows(2) {
                    let row = &mut values[row[0]..row[1]];
                    let sum: f64 = row.iter().sum();
                    row.iter_mut().for_each(|x| *x /= sum);
                }
            }
        }
        values
    }
}

/// A row for each graph, under columns that are sorted by cell and id.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    pub(super) columns: Vec<Column>,
    /// Row `i` is `offsets[i]..offsets[i + 1]` in `indices` and `values`.
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Vectors {
    /// Rows of counts, of which each is sorted by column.
    pub(super) fn new(columns: Vec<Column>, rows: Rows<u32>, counted: Counted) -> Self {
        let Rows { offsets, keys: indices, counts, .. } = rows;
        let values = counted.values(&offsets, &counts);
        Self { columns, offsets, indices, values }
    }

    /// The rows of an embedding. Hashed columns are all in one cell.
    pub(super) fn of(features: &Features, counted: Counted) -> Self {
        let (offsets, indices, counts) = features.compressed_rows();
        let column = |&index: &u32| match features.columns() {
            Columns::Named(features) => {
                let feature = &features[index as usize];
                Column { cell: feature.cell, id: feature.id }
            }
            Columns::Hashed(_) => Column { cell: NO_CELL, id: u64::from(index) },
        };
        let mut present = indices.to_vec();
        present.sort_unstable();
        present.dedup();
        let mut columns: Vec<(Column, u32)> = present.iter().map(column).zip(0..).collect();
        columns.sort_unstable();
        let mut places = vec![0; present.len()];
        columns.iter().zip(0..).for_each(|(&(_, number), place)| places[number as usize] = place);
        // Every index is present.
        let place = |index: &u32| places[present.partition_point(|other| other < index)];
        let rows = Rows {
            offsets: offsets.to_vec(),
            keys: indices.iter().map(place).collect(),
            counts: counts.to_vec(),
            outcomes: features.outcomes().to_vec(),
            unseen: 0,
        };
        Self::new(columns.into_iter().map(|(column, _)| column).collect(), rows.sorted(), counted)
    }

    /// Rows that come from somewhere else: columns, and where each row begins and the last ends, with columns and values; nothing if they
    /// are not what they should be.
    pub(super) fn checked(
        columns: Vec<Column>,
        (offsets, indices, values): (Vec<u64>, Vec<u64>, Vec<f64>),
    ) -> Option<Self> {
        let is_whole = columns.windows(2).all(|pair| pair[0] < pair[1])
            && offsets.first() == Some(&0)
            && offsets.is_sorted()
            && offsets.last() == Some(&(indices.len() as u64))
            && indices.len() == values.len()
            && values.iter().all(|&value| value >= 0.0 && value.is_finite())
            && indices.iter().all(|&index| index < columns.len() as u64);
        let vectors = is_whole.then(|| Self {
            columns,
            offsets: offsets.into_iter().map(|offset| offset as usize).collect(),
            indices: indices.into_iter().map(|index| index as u32).collect(),
            values,
        })?;
        let is_sorted =
            |row: usize| vectors.indices[vectors.row(row)].windows(2).all(|pair| pair[0] < pair[1]);
        (0..vectors.rows()).all(is_sorted).then_some(vectors)
    }

    /// How many graphs there are.
    pub(super) fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Where the entries of a graph are among all, by column.
    pub(super) fn row(&self, row: usize) -> Range<usize> {
        self.offsets[row]..self.offsets[row + 1]
    }

    /// Where the entries of a graph are, cell by cell, without empty cells.
    pub(super) fn by_cell<'a>(
        &'a self,
        cells: &'a [Range<u32>],
        row: usize,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        let Range { mut start, end } = self.row(row);
        cells.iter().enumerate().filter_map(move |(cell, columns)| {
            let begin = start;
            start += match self.indices[begin..end].last() {
                Some(&last) if last >= columns.end => {
                    self.indices[begin..end].partition_point(|&column| column < columns.end)
                }
                _ => end - begin,
            };
            (start > begin).then_some((cell, begin..start))
        })
    }

    /// Where each row begins among all entries, and where the last ends.
    pub(super) fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The columns of all entries.
    pub(super) fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The values of all entries.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// How many graphs have each column.
    pub(super) fn graphs(&self) -> Vec<usize> {
        let mut graphs = vec![0; self.columns.len()];
        self.indices.iter().for_each(|&column| graphs[column as usize] += 1);
        graphs
    }

    /// The columns that are compared together: those of each cell, or all.
    pub(super) fn cells(&self, apart: bool) -> Vec<Range<u32>> {
        let mut end = 0;
        let cell = |columns: &[Column]| {
            let begin = end;
            end += columns.len() as u32;
            begin..end
        };
        self.columns.chunk_by(|a, b| !apart || a.cell == b.cell).map(cell).collect()
    }

    /// The same rows under other columns, without what has none there. Both are sorted, so rows stay sorted.
    pub(super) fn under(&self, columns: &[Column]) -> Self {
        let mut theirs = columns.iter().zip(0..).peekable();
        let place = |column: &Column| {
            while theirs.next_if(|(other, _)| *other < column).is_some() {}
            theirs.next_if(|(other, _)| *other == column).map(|(_, place)| place)
        };
        let places: Vec<Option<u32>> = self.columns.iter().map(place).collect();
        let mut vectors =
            Self { columns: columns.to_vec(), offsets: vec![0], indices: Vec::new(), values: Vec::new() };
        for range in (0..self.rows()).map(|row| self.row(row)) {
            for (&column, &value) in self.indices[range.clone()].iter().zip(&self.values[range]) {
                if let Some(place) = places[column as usize] {
                    vectors.indices.push(place);
                    vectors.values.push(value);
                }
            }
            vectors.offsets.push(vectors.indices.len());
        }
        vectors
    }

    /// What to multiply each column by: 0 where its variance is below a fraction of the sum of all, otherwise one over its deviation, or 1.
    pub(super) fn factors(&self, cut: f64, standardized: bool) -> Vec<f64> {
        let n = self.rows() as f64;
        let (mut means, mut graphs) = (vec![0.0; self.columns.len()], vec![0.0; self.columns.len()]);
        let all = || self.indices.iter().map(|&column| column as usize).zip(&self.values);
        for (column, value) in all() {
            means[column] += value / n;
            graphs[column] += 1.0;
        }
        let mut squares: Vec<f64> =
            means.iter().zip(graphs).map(|(mean, graphs)| (n - graphs) * mean * mean).collect();
        all().for_each(|(column, value)| squares[column] += (value - means[column]).powi(2));
        let least = cut * squares.iter().sum::<f64>();
        let factor = |(&square, mean): (&f64, &f64)| {
            let deviation = (square / n).sqrt();
            match standardized {
                _ if square < least => 0.0,
                false => 1.0,
                // What is left of a constant after rounding is no deviation.
                true if deviation > 1e-12 * mean => 1.0 / deviation,
                true => 0.0,
            }
        };
        squares.iter().zip(&means).map(factor).collect()
    }

    /// Multiplies each column by what the length of its features weighs.
    pub(super) fn weigh(&mut self, weight: impl Fn(usize) -> f64) {
        let factors: Vec<f64> = self.columns.iter().map(|column| weight(column.cell.length)).collect();
        self.scale(&factors);
    }

    /// Multiplies each column by its factor.
    pub(super) fn scale(&mut self, factors: &[f64]) {
        self.values
            .iter_mut()
            .zip(&self.indices)
            .for_each(|(value, &column)| *value *= factors[column as usize]);
    }
}

/// Where hashed columns are.
const NO_CELL: Cell = Cell { refinement: 0, length: 0 };
