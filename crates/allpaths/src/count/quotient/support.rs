//! The edges on which matrices live.

use crate::Graph;
use crate::count::ring::{Ring, product};
use crate::graph::Arc;

/// Pairs of different vertices that an arc joins in either direction, row by row, and what arcs and vertices weigh. No path or longer cycle goes over a loop, so loops are
/// left out.
pub(super) struct Support<R> {
    offsets: Vec<usize>,
    targets: Vec<u32>,
    /// By pair: the place of the pair turned around.
    reverse: Vec<u32>,
    /// By pair: what the arc weighs, zero if there is none. Nothing if all weigh 1.
    weights: Option<Vec<R>>,
    labels: Vec<R>,
    /// By vertex: its class.
    classes: Vec<u32>,
    /// Whether neighbours of neighbours are few beside all vertices: then rows are scattered, otherwise summed several side by side.
    pub(super) is_sparse: bool,
}

impl<R: Ring> Support<R> {
    /// The pairs of a graph; `weight` says what arcs weigh, unless that is 1 for all.
    pub(super) fn new(graph: &Graph, weight: Option<&dyn Fn(Arc) -> R>) -> Self {
        let order = graph.order();
        let arcs = || (0..order).flat_map(|v| graph.arcs(v)).filter(|arc| arc.source != arc.target);
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); order];
        for arc in arcs() {
            rows[arc.source].push(arc.target as u32);
            if graph.is_directed() {
                rows[arc.target].push(arc.source as u32);
            }
        }
        let (mut offsets, mut targets) = (vec![0], Vec::new());
        for row in &mut rows {
            row.sort_unstable();
            row.dedup();
            targets.extend_from_slice(row);
            offsets.push(targets.len());
        }
        // Rows are symmetric and sorted, so the pairs into a vertex come in the order of its row.
        let mut next = offsets.clone();
        let place = |&target: &u32| {
            let place = &mut next[target as usize];
            *place += 1;
            *place as u32 - 1
        };
        let reverse = targets.iter().map(place).collect();
        let is_plain = weight.is_none();
        let weight = |arc: Arc| weight.map_or_else(R::one, |weight| weight(arc));
        let weights = (graph.is_directed() || !is_plain).then(|| {
            let mut weights = vec![R::zero(); targets.len()];
            for arc in arcs() {
                let row = &targets[offsets[arc.source]..offsets[arc.source + 1]];
                let place = row.partition_point(|&target| (target as usize) < arc.target);
                weights[offsets[arc.source] + place] = weight(arc);
            }
            weights
        });
        let squares: f64 = offsets.windows(2).map(|row| ((row[1] - row[0]) as f64).powi(2)).sum();
        let is_sparse = 4.0 * squares < order as f64 * targets.len() as f64;
        Self { offsets, targets, reverse, weights, labels: Vec::new(), classes: Vec::new(), is_sparse }
    }

    /// The same with classes of vertices, and with what the vertices of each class weigh.
    pub(super) fn labelled(self, classes: &[u32], weights: &[R]) -> Self {
        let labels = classes.iter().map(|&class| weights[class as usize].clone()).collect();
        Self { labels, classes: classes.to_vec(), ..self }
    }

    /// 1 for the vertices of a class.
    pub(super) fn ends(&self, class: u8) -> Vec<R> {
        let is_end = |&other: &u32| if other == u32::from(class) { R::one() } else { R::zero() };
        self.classes.iter().map(is_end).collect()
    }

    pub(super) fn order(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many ordered pairs there are.
    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// The pairs of a row: their places and second vertices.
    #[inline]
    pub(super) fn row(&self, v: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (start, end) = (self.offsets[v], self.offsets[v + 1]);
        (start..end).zip(self.targets[start..end].iter().map(|&target| target as usize))
    }

    /// The second vertices of a row.
    #[inline]
    pub(super) fn neighbours(&self, v: usize) -> &[u32] {
        &self.targets[self.offsets[v]..self.offsets[v + 1]]
    }

    /// How many pairs there are from the neighbours of a vertex.
    pub(super) fn around(&self, v: usize) -> u64 {
        self.neighbours(v).iter().map(|&w| self.neighbours(w as usize).len() as u64).sum()
    }

    /// The place of a pair turned around.
    #[inline]
    pub(super) fn reverse(&self, place: usize) -> usize {
        self.reverse[place] as usize
    }

    /// What an arc weighs to a power, times what the arc back weighs to a power.
    pub(super) fn arc(&self, place: usize, [there, back]: [u8; 2]) -> R {
        let Some(weights) = &self.weights else { return R::one() };
        product(&power(&weights[place], there), &power(&weights[self.reverse(place)], back))
    }

    pub(super) fn labels(&self, exponent: u8) -> Vec<R> {
        self.labels.iter().map(|weight| power(weight, exponent)).collect()
    }
}

fn power<R: Ring>(base: &R, exponent: u8) -> R {
    (0..exponent).fold(R::one(), |power, _| product(&power, base))
}
