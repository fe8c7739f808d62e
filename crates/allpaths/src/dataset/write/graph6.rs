//! graph6, digraph6 and sparse6, one line for each graph, without a header.

use std::io::{self, Read, Write};

use super::Graph;
use super::losses::Losses;

/// Writes graph6 if edges have no direction, else digraph6.
pub(super) fn write(out: &mut dyn Write, graph: &Graph, losses: &mut Losses) -> io::Result<()> {
    let (order, is_directed) = (graph.order(), graph.is_directed());
    // In digraph6 row v has a bit for each vertex, in graph6 for each vertex below v.
    let start = |v: usize| if is_directed { v * order } else { v * v.saturating_sub(1) / 2 };
    let mut head = if is_directed { vec![b'&'] } else { Vec::new() };
    put_order(&mut head, order);
    out.write_all(&head)?;
    let row = |v: usize| {
        let neighbours = graph.neighbours(v).iter().map(|&w| w as usize);
        neighbours.filter(move |&w| is_directed || w < v).map(move |w| start(v) + w)
    };
    write_ones(out, (0..order).flat_map(row), start(order).div_ceil(6))?;
    if !is_directed {
        losses.lose_some(
            graph.loops(),
            ["self-loop", "self-loops"],
            "no room in graph6; there is in sparse6",
        );
    }
    out.write_all(b"\n")
}

/// Writes so many characters, of which some bits are set. A matrix may be larger than memory.
fn write_ones(out: &mut dyn Write, ones: impl Iterator<Item = usize>, count: usize) -> io::Result<()> {
    let (mut written, mut pending) = (0, 0);
    for bit in ones {
        if bit / 6 > written {
            out.write_all(&[pending + 63])?;
            write_zeros(out, bit / 6 - written - 1)?;
            (written, pending) = (bit / 6, 0);
        }
        pending |= 32 >> (bit % 6);
    }
    if count > 0 {
        out.write_all(&[pending + 63])?;
        write_zeros(out, count - written - 1)?;
    }
    Ok(())
}

fn write_zeros(out: &mut dyn Write, count: usize) -> io::Result<()> {
    io::copy(&mut io::repeat(63).take(count as u64), out).map(|_| ())
}

pub(super) fn write_sparse(out: &mut dyn Write, graph: &Graph, _: &mut Losses) -> io::Result<()> {
    let order = graph.order();
    let width = u32::BITS - (order.saturating_sub(1) as u32).leading_zeros();
    let mut edges: Vec<(usize, usize)> = graph.edges().map(|(u, v)| (u.max(v), u.min(v))).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut line = vec![b':'];
    put_order(&mut line, order);
    let mut bits = Bits { line, pending: 0, held: 0 };
    let mut at = 0;
    for (v, u) in edges {
        if v > at + 1 {
            // A step to a vertex that is further on, and then the edge.
            bits.put(width + 1, 1 << width | v as u64);
            bits.put(width + 1, u as u64);
        } else {
            bits.put(width + 1, ((v - at) as u64) << width | u as u64);
        }
        at = v;
    }
    bits.finish(width, order, at);
    bits.line.push(b'\n');
    out.write_all(&bits.line)
}

fn put_order(line: &mut Vec<u8>, order: usize) {
    let digits = match order {
        0..63 => 1,
        63..258_048 => 3,
        _ => 6,
    };
    line.extend_from_slice(match digits {
        1 => b"",
        3 => b"~",
        _ => b"~~",
    });
    line.extend((0..digits).rev().map(|digit| (order >> (6 * digit) & 63) as u8 + 63));
}

/// Bits that become characters, six by six.
struct Bits {
    line: Vec<u8>,
    pending: u64,
    held: u32,
}

impl Bits {
    fn put(&mut self, count: u32, bits: u64) {
        self.pending = self.pending << count | bits;
        self.held += count;
        while self.held >= 6 {
            self.held -= 6;
            self.line.push((self.pending >> self.held) as u8 + 63);
            self.pending &= (1 << self.held) - 1;
        }
    }

    /// Fills the last character with ones, which move past the last vertex. A zero comes first where the ones alone
    /// would be an edge.
    fn finish(&mut self, width: u32, order: usize, at: usize) {
        if self.held == 0 {
            return;
        }
        let left = 6 - self.held;
        let is_edge = width < 6 && order == 1 << width && left > width && at + 1 < order;
        let ones = if is_edge { left - 1 } else { left };
        self.put(left, (1 << ones) - 1);
    }
}
