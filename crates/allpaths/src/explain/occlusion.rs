//! Scores without a part of the graph, for kernels that are no sums of products.

use super::{GraphExplanation, Shares};
use crate::count::Job;
use crate::embed::{Features, Fitted, Occurrence, Rows};
use crate::evaluate::FittedClassifier;
use crate::graph::GraphBuilder;
use crate::kernel::{FittedComparison, Gram};
use crate::learn::FittedSvm;
use crate::{Graph, Monitor, Result, threads};

/// Graphs with and without their parts are compared so many at a time.
const TOGETHER: usize = 8192;

/// The score of each graph, less what it is without the features through each vertex, and through each edge.
pub(super) fn without_features(
    graphs: &[Graph],
    (embedding, features): (&Fitted, &Features),
    comparison: &FittedComparison,
    machine: &FittedSvm,
    monitor: &Monitor,
) -> Result<Vec<GraphExplanation>> {
    let binned = embedding.binned(graphs)?;
    let places: rustc_hash::FxHashMap<u64, u32> =
        features.features().iter().zip(0..).map(|(feature, column)| (feature.id, column)).collect();
    let mut explained = Vec::with_capacity(graphs.len());
    let mut next = 0;
    while next < binned.len() && !monitor.is_interrupted() {
        let (first, mut rows) = (next, 0);
        while next < binned.len() && (next == first || rows < TOGETHER) {
            rows += 1 + binned[next].order() + binned[next].size();
            next += 1;
        }
        let one = |number: usize| counted(&binned[number], number, embedding, features, &places, monitor);
        let parts = threads::map(true, first..next, one).into_iter().collect::<Result<Vec<Rows<u32>>>>()?;
        let together = Features::new(features.columns().clone(), Rows::concatenated(parts));
        let gram: Gram<f32> = comparison.against_under(&together, &monitor.of_part())?;
        let mut row = 0;
        for graph in &binned[first..next] {
            let mut scores = (row..).map(|row| machine.decision_values(gram.row(row)));
            row += 1 + graph.order() + graph.size();
            explained.push(explanation(machine, graph, &mut scores, graph.size()));
        }
        monitor.advance((next - first) as f64 / graphs.len() as f64);
    }
    Ok(explained)
}

/// From the scores of a graph, then of it without each vertex and without each of so many edges.
fn explanation(
    machine: &FittedSvm,
    graph: &Graph,
    scores: &mut impl Iterator<Item = Vec<f64>>,
    edges: usize,
) -> GraphExplanation {
    let whole = scores.next().unwrap_or_default();
    let mut shares = vec![Shares::default(); whole.len()];
    for (place, without) in scores.take(graph.order() + edges).enumerate() {
        for ((shares, whole), without) in shares.iter_mut().zip(&whole).zip(without) {
            let list = if place < graph.order() { &mut shares.vertices } else { &mut shares.edges };
            list.push(whole - without);
        }
    }
    GraphExplanation {
        class: machine.decide(&whole),
        top: vec![Vec::new(); whole.len()],
        scores: whole,
        shares,
    }
}

/// The counts of a graph, then those without what goes through each vertex, and each edge.
fn counted(
    graph: &Graph,
    number: usize,
    embedding: &Fitted,
    features: &Features,
    places: &rustc_hash::FxHashMap<u64, u32>,
    monitor: &Monitor,
) -> Result<Rows<u32>> {
    let (columns, counts) = features.row(number);
    let parts = graph.order() + graph.size();
    let mut through = vec![0.0; columns.len() * parts];
    let hear = |occurrence: Occurrence<'_>| {
        let row = &mut through[occurrence.key as usize * parts..][..parts];
        for &vertex in occurrence.vertices {
            row[vertex as usize] += occurrence.count;
        }
        for (i, &edge) in occurrence.edges.iter().enumerate() {
            // To and fro along an edge goes through it once.
            if !occurrence.edges[..i].contains(&edge) {
                row[graph.order() + edge as usize] += occurrence.count;
            }
        }
    };
    let key = |found: &crate::label::Found| {
        let column = places.get(&found.id)?;
        columns.binary_search(column).ok().map(|place| place as u32)
    };
    let job = Job::unlimited(monitor);
    embedding.worker()?.occurrences(graph, job, key, hear);
    let mut rows = Rows::default();
    let mut add = |left: &dyn Fn(usize, u64) -> u64| {
        for (place, (&column, &count)) in columns.iter().zip(counts).enumerate() {
            let count = left(place, count);
            if count > 0 {
                rows.keys.push(column);
                rows.counts.push(count);
            }
        }
        rows.offsets.push(rows.keys.len());
        rows.outcomes.push(features.outcome(number));
    };
    add(&|_, count| count);
    for part in 0..parts {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // a count of part of the occurrences
        add(&|place, count| count.saturating_sub(through[place * parts + part].round() as u64));
    }
    Ok(rows)
}

/// The score of each graph, less that of the graph without each vertex.
pub(super) fn without_vertices(
    graphs: &[Graph],
    model: &FittedClassifier,
    monitor: &Monitor,
) -> Result<Vec<GraphExplanation>> {
    let one = |graph: &Graph| -> Result<GraphExplanation> {
        let mut all = vec![graph.clone()];
        for vertex in 0..graph.order() {
            all.push(without(graph, vertex)?);
        }
        let predictions = model.predict_under(&all, &monitor.of_part())?;
        monitor.advance(1.0 / graphs.len() as f64);
        let mut scores = predictions.into_iter().map(|prediction| prediction.decision_values);
        Ok(explanation(model.machine(), graph, &mut scores, 0))
    };
    graphs.iter().map(one).collect()
}

/// A graph without one of its vertices.
fn without(graph: &Graph, vertex: usize) -> Result<Graph> {
    let order = graph.order() - 1;
    let place = |v: usize| if v > vertex { v - 1 } else { v };
    let stays = |v: usize| v != vertex;
    let mut builder =
        if graph.is_directed() { GraphBuilder::directed(order) } else { GraphBuilder::undirected(order) };
    if let Some(labels) = graph.vertex_labels() {
        builder.vertex_labels((0..graph.order()).filter(|&v| stays(v)).map(|v| labels.name(v)));
    }
    let edges: Vec<(usize, (usize, usize))> =
        graph.edges().enumerate().filter(|&(_, (u, v))| stays(u) && stays(v)).collect();
    for &(_, (u, v)) in &edges {
        builder.edge(place(u), place(v))?;
    }
    if let Some(labels) = graph.edge_labels() {
        builder.edge_labels(edges.iter().map(|&(edge, _)| labels.name(edge)));
    }
    if let Some(weights) = graph.weights() {
        builder.weights(edges.iter().map(|&(edge, _)| weights[edge]));
    }
    builder.build()
}
