//! Which lines of a file belong to which graph.

use crate::graph::{Attribute, Labels, Values};

use super::values::LabelColumn;

/// The lines of a file that belong to each graph.
pub(super) struct Groups {
    starts: Vec<u32>,
    /// Line numbers by graph; absent when the file is in that order already, as all published ones are.
    order: Option<Vec<u32>>,
}

impl Groups {
    pub(super) fn new(graphs: usize, graph_of: &[u32]) -> Self {
        let mut starts = vec![0u32; graphs + 1];
        for &graph in graph_of {
            starts[graph as usize + 1] += 1;
        }
        for graph in 0..graphs {
            starts[graph + 1] += starts[graph];
        }
        let order = (!graph_of.is_sorted()).then(|| {
            let mut next = starts.clone();
            let mut order = vec![0; graph_of.len()];
            for (line, &graph) in graph_of.iter().enumerate() {
                order[next[graph as usize] as usize] = line as u32;
                next[graph as usize] += 1;
            }
            order
        });
        Self { starts, order }
    }

    pub(super) fn get(&self, graph: usize) -> Lines<'_> {
        let (start, end) = (self.starts[graph] as usize, self.starts[graph + 1] as usize);
        match &self.order {
            Some(order) => Lines::Scattered(&order[start..end]),
            None => Lines::Together(start, end),
        }
    }
}

pub(super) enum Lines<'a> {
    Together(usize, usize),
    Scattered(&'a [u32]),
}

impl Lines<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Lines::Together(start, end) => end - start,
            Lines::Scattered(lines) => lines.len(),
        }
    }

    pub(super) fn pick<T: Copy>(&self, column: &[T]) -> Vec<T> {
        match self {
            Lines::Together(start, end) => column[*start..*end].to_vec(),
            Lines::Scattered(lines) => lines.iter().map(|&line| column[line as usize]).collect(),
        }
    }

    pub(super) fn pick_labels(&self, column: &LabelColumn) -> Labels {
        Labels::new(column.alphabet.clone(), self.pick(&column.codes))
    }

    /// Picks from columns of numbers, which are called by their places.
    pub(super) fn pick_attributes(&self, columns: &[Vec<f64>]) -> Vec<Attribute> {
        let attribute = |(i, column): (usize, &Vec<f64>)| {
            let values = self.pick(column).into_iter().map(Some).collect();
            Attribute::new(i.to_string(), Values::Real(values))
        };
        columns.iter().enumerate().map(attribute).collect()
    }
}
