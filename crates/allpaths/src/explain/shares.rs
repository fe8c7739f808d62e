//! Scores shared out: what a feature adds by its occurrences, what an occurrence has by its vertices or edges.

use super::{Contribution, GraphExplanation, Shares, Sum};
use crate::count::Job;
use crate::embed::{Fitted, Occurrence};
use crate::{Graph, Monitor, Result, threads};

/// Makes a class of scores.
type Decide<'a> = dyn Fn(&[f64]) -> i64 + Sync + 'a;

/// Explains graph after graph. `decide` makes a class of scores.
pub(super) fn of_graphs(
    graphs: &[Graph],
    embedding: &Fitted,
    sum: &Sum,
    biases: &[f64],
    (top, decide): (usize, &Decide<'_>),
    monitor: &Monitor,
) -> Result<Vec<GraphExplanation>> {
    let graphs = embedding.binned(graphs)?;
    let places = sum.places();
    embedding.worker()?;
    let share = 1.0 / graphs.len().max(1) as f64;
    let one = |(number, graph): (usize, &Graph)| -> Result<GraphExplanation> {
        let mut worker = embedding.worker()?;
        let (columns, counts, values) = sum.row(number);
        // By machine and feature of this graph: what it adds.
        let added: Vec<Vec<f64>> = sum
            .weights
            .iter()
            .map(|weights| {
                columns.iter().zip(values).map(|(&column, value)| weights[column as usize] * value).collect()
            })
            .collect();
        let mut shares: Vec<Shares> = biases
            .iter()
            .map(|_| Shares {
                vertices: vec![0.0; graph.order()],
                edges: vec![0.0; graph.size()],
                alone: 0.0,
            })
            .collect();
        let mut tops: Vec<Vec<usize>> = added.iter().map(|added| heaviest(added, top)).collect();
        let mut seen = Seen::new(columns.len(), &tops, graph.order());
        let hear = |occurrence: Occurrence<'_>| {
            let Occurrence { key, count, vertices, edges } = occurrence;
            let part = count / counts[key as usize] as f64;
            for (shares, added) in shares.iter_mut().zip(&added) {
                let added = added[key as usize] * part;
                let each = added / vertices.len() as f64;
                vertices.iter().for_each(|&vertex| shares.vertices[vertex as usize] += each);
                let each = added / edges.len() as f64;
                edges.iter().for_each(|&edge| shares.edges[edge as usize] += each);
                shares.alone += if edges.is_empty() { added } else { 0.0 };
            }
            seen.see(key, vertices);
        };
        let key = |found: &crate::label::Found| {
            let column = places.get(&found.id)?;
            columns.binary_search(column).ok().map(|place| place as u32)
        };
        let job = Job::unlimited(monitor);
        worker.occurrences(graph, job, key, hear);
        monitor.advance(share);
        let scores: Vec<f64> =
            biases.iter().zip(&added).map(|(bias, added)| bias + added.iter().sum::<f64>()).collect();
        let contribution = |machine: usize, place: usize| Contribution {
            name: sum.features.features()[columns[place] as usize].name.clone(),
            count: counts[place],
            share: added[machine][place],
            vertices: seen.of(place),
        };
        let named = tops.iter_mut().enumerate().map(|(machine, top)| {
            top.drain(..).map(|place| contribution(machine, place)).collect::<Vec<_>>()
        });
        let top = named.collect();
        Ok(GraphExplanation { class: decide(&scores), scores, shares, top })
    };
    threads::map(true, graphs.iter().enumerate(), one).into_iter().collect()
}

/// The places of the largest, without regard to sign; of equal ones the first.
fn heaviest(added: &[f64], most: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..added.len()).filter(|&place| added[place] != 0.0).collect();
    places.sort_by(|&a, &b| added[b].abs().total_cmp(&added[a].abs()).then(a.cmp(&b)));
    places.truncate(most);
    places
}

/// The vertices at which some features were met.
struct Seen {
    /// By feature: which of the sets is its own.
    sets: Vec<Option<usize>>,
    order: usize,
    met: Vec<bool>,
}

impl Seen {
    fn new(features: usize, tops: &[Vec<usize>], order: usize) -> Self {
        let (mut sets, mut count) = (vec![None; features], 0);
        for &place in tops.iter().flatten() {
            sets[place].get_or_insert_with(|| {
                count += 1;
                count - 1
            });
        }
        Self { sets, order, met: vec![false; count * order] }
    }

    fn see(&mut self, feature: u32, vertices: &[u32]) {
        if let Some(set) = self.sets[feature as usize] {
            vertices.iter().for_each(|&vertex| self.met[set * self.order + vertex as usize] = true);
        }
    }

    fn of(&self, feature: usize) -> Vec<u32> {
        let met = self.sets[feature].map_or(&[][..], |set| &self.met[set * self.order..][..self.order]);
        (0..).zip(met).filter(|(_, met)| **met).map(|(vertex, _)| vertex).collect()
    }
}
