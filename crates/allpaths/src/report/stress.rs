//! Layout by distances: two vertices are drawn as far apart as they are in the graph, as nearly as that can be.
//!
//! Gansner, Koren and North, Graph drawing by stress majorization, 2004, with weights of one over the square of the distance. It begins with a circle
//! in the order of a search by breadth, so that nothing is random.

use std::f64::consts::TAU;

use super::layout::Point;

/// Rounds: a drawing hardly changes after these.
const ROUNDS: usize = 120;

/// Work, in pairs, that is spent at most.
const MOST_PAIRS: usize = 60_000_000;

/// Lays out a connected part of a graph, whose vertices are in the order of a search by breadth.
pub(super) fn place(part: &[usize], neighbours: &[Vec<usize>], places: &mut [Point]) {
    let n = part.len();
    let mut number = vec![usize::MAX; neighbours.len()];
    part.iter().enumerate().for_each(|(i, &v)| number[v] = i);
    let mut far = vec![0.0f32; n * n];
    let mut queue = Vec::with_capacity(n);
    let mut depth = vec![u32::MAX; n];
    for root in 0..n {
        depth.fill(u32::MAX);
        depth[root] = 0;
        queue.clear();
        queue.push(root);
        let mut at = 0;
        while at < queue.len() {
            let i = queue[at];
            at += 1;
            for &w in &neighbours[part[i]] {
                let j = number[w];
                if depth[j] == u32::MAX {
                    depth[j] = depth[i] + 1;
                    queue.push(j);
                }
            }
        }
        let row = &mut far[root * n..][..n];
        row.iter_mut().zip(&depth).for_each(|(far, &depth)| *far = depth as f32);
    }
    let radius = (n as f64).sqrt().max(1.0);
    let mut now: Vec<Point> = (0..n)
        .map(|i| {
            let turn = TAU * i as f64 / n.max(1) as f64;
            [radius * turn.cos(), radius * turn.sin()]
        })
        .collect();
    for _ in 0..ROUNDS.min(MOST_PAIRS / (n * n).max(1)).max(5) {
        for i in 0..n {
            let (mut sum, mut weights) = ([0.0; 2], 0.0);
            for j in (0..n).filter(|&j| j != i) {
                let wanted = f64::from(far[i * n + j]);
                let weight = 1.0 / (wanted * wanted);
                let [x, y] = [now[i][0] - now[j][0], now[i][1] - now[j][1]];
                let apart = x.hypot(y).max(1e-6);
                sum[0] += weight * (now[j][0] + wanted * x / apart);
                sum[1] += weight * (now[j][1] + wanted * y / apart);
                weights += weight;
            }
            if weights > 0.0 {
                now[i] = [sum[0] / weights, sum[1] / weights];
            }
        }
    }
    part.iter().zip(now).for_each(|(&v, place)| places[v] = place);
}
