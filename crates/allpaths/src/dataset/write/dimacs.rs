//! The format of the DIMACS challenges, with the question of the dataset.

use std::io::{self, Write};

use super::super::Question;
use super::Graph;
use super::losses::Losses;

pub(super) fn write(
    out: &mut dyn Write,
    graph: &Graph,
    question: Question,
    losses: &mut Losses,
) -> io::Result<()> {
    losses.lose_names_but_numbers(graph);
    writeln!(out, "p edge {} {}", graph.order(), graph.size())?;
    for (u, v) in graph.edges() {
        writeln!(out, "e {} {}", u + 1, v + 1)?;
    }
    if let Some(length) = question.max_length {
        writeln!(out, "l {length}")?;
    }
    if let Some((s, t)) = question.pair {
        writeln!(out, "t {} {}", s + 1, t + 1)?;
    }
    Ok(())
}
