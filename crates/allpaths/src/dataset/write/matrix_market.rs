//! The adjacency matrix in coordinates: symmetric if edges have no direction, a pattern if there are no weights.

use std::io::{self, Write};

use super::losses::Losses;
use super::{Graph, Number};

pub(super) fn write(out: &mut dyn Write, graph: &Graph, losses: &mut Losses) -> io::Result<()> {
    losses.lose_names_but_numbers(graph);
    let is_zero = |edge: usize| graph.weights().is_some_and(|weights| weights[edge] == 0.0);
    let zeros = (0..graph.size()).filter(|&edge| is_zero(edge)).count();
    losses.lose_some(zeros, ["edge of weight 0", "edges of weight 0"], "a zero in a matrix is no edge");
    let field = if graph.weights().is_some() { "real" } else { "pattern" };
    let symmetry = if graph.is_directed() { "general" } else { "symmetric" };
    writeln!(out, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
    writeln!(out, "{0} {0} {1}", graph.order(), graph.size() - zeros)?;
    for (i, (u, v)) in graph.edges().enumerate().filter(|(i, _)| !is_zero(*i)) {
        // Of a symmetric matrix the lower triangle is written.
        let (row, column) = if graph.is_directed() { (u, v) } else { (u.max(v), u.min(v)) };
        write!(out, "{} {}", row + 1, column + 1)?;
        match graph.weights() {
            Some(weights) => writeln!(out, " {}", Number(weights[i]))?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}
