//! The formats of nauty: graph6, sparse6 and digraph6, one graph a line in printable characters.
//!
//! ```text
//! >>graph6<<Bw      a header is optional; Bw is a triangle
//! :Bc               sparse6 starts with a colon
//! &AG               digraph6 starts with an ampersand
//! ```
//!
//! Every character holds six bits, most significant first, as a code from 63 to 126. A line begins with the
//! number n of vertices, then come
//!
//! - graph6: the upper triangle of the adjacency matrix, column by column;
//! - digraph6: the whole matrix, row by row;
//! - sparse6: edges as steps, each a bit that moves on to the next vertex and as many bits as n - 1 has.
//!
//! digraph6 is directed and the others are not, unless the caller says otherwise.

use super::text::{Text, shown};
use super::{Dataset, Reader};
use crate::Result;
use crate::graph::{About, GraphBuilder};

const HEADERS: [&[u8]; 3] = [b">>graph6<<", b">>sparse6<<", b">>digraph6<<"];

/// Whether the first line is a header or could be nothing else than a graph.
pub(super) fn looks_like(text: &Text) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let graph = line.strip_prefix(b":").or_else(|| line.strip_prefix(b"&")).unwrap_or(line);
    HEADERS.iter().any(|header| line.starts_with(header))
        || (!graph.is_empty() && graph.iter().all(|byte| (63..=126).contains(byte)))
}

pub(super) fn read(text: &Text, reader: &Reader) -> Result<Dataset> {
    let mut dataset = Dataset::of_file(text);
    for (i, line) in text.lines().enumerate() {
        let line = HEADERS.iter().find_map(|header| line.strip_prefix(*header)).unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        match builder(line, i + 1, text, reader) {
            Ok(builder) => dataset.build(text, builder)?,
            Err(error) => dataset.push_fault(&format!("line {}", i + 1), error, reader.on_error)?,
        }
    }
    dataset.note_if_empty();
    Ok(dataset)
}

/// The graph of a line.
fn builder(line: &[u8], number: usize, text: &Text, reader: &Reader) -> Result<GraphBuilder> {
    let wrong = |reason: String| text.error(number, reason);
    let (kind, order, bits) = cut(line).map_err(wrong)?;
    reader.check_order(order, text, number)?;
    let listed = match kind {
        Kind::Sparse => sparse(order as u32, bits),
        Kind::Plain => plain(Bits::new(order, order * order.saturating_sub(1) / 2, bits).map_err(wrong)?),
        Kind::Directed => directed(order, Bits::new(order, order * order, bits).map_err(wrong)?),
    };
    let is_directed = reader.directed.unwrap_or(kind == Kind::Directed);
    Ok(GraphBuilder::from_listing(is_directed, order as usize, listed, About::default()))
}

/// What a line is, how many vertices the graph has, and the characters that tell its edges.
fn cut(line: &[u8]) -> Result<(Kind, u64, &[u8]), String> {
    let (kind, data) = match line {
        [b':', data @ ..] => (Kind::Sparse, data),
        [b'&', data @ ..] => (Kind::Directed, data),
        [b';', ..] => {
            return Err("incremental sparse6 is not read: only lines that are a graph on their own".into());
        }
        data => (Kind::Plain, data),
    };
    if let Some(byte) = data.iter().find(|byte| !(63..=126).contains(*byte)) {
        return Err(format!("expected characters from ? to ~, found {}", shown(&[*byte])));
    }
    let (order, bits) =
        order(data).ok_or_else(|| format!("expected a number of vertices, found {}", shown(data)))?;
    if order >= 1 << 30 {
        return Err(format!("expected fewer than 2^30 vertices, found {order}"));
    }
    Ok((kind, order, bits))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Sparse,
    Directed,
}

/// The number of vertices in one, four or eight characters, and what follows it.
fn order(data: &[u8]) -> Option<(u64, &[u8])> {
    let (digits, rest) = match data {
        [126, 126, ..] => data[2..].split_at_checked(6)?,
        [126, ..] => data[1..].split_at_checked(3)?,
        _ => data.split_at_checked(1)?,
    };
    Some((digits.iter().fold(0, |order, &digit| order << 6 | u64::from(digit - 63)), rest))
}

/// A matrix, bit after bit.
#[derive(Clone, Copy)]
struct Bits<'a>(&'a [u8]);

impl<'a> Bits<'a> {
    fn new(order: u64, bits: u64, data: &'a [u8]) -> Result<Self, String> {
        let (expected, found) = (bits.div_ceil(6), data.len() as u64);
        if found != expected {
            return Err(format!(
                "expected {expected} characters of matrix for {order} vertices, found {found}"
            ));
        }
        let unused = expected * 6 - bits;
        if data.last().is_some_and(|last| (last - 63) & ((1 << unused) - 1) != 0) {
            return Err("expected zeros after the last bit of the matrix".into());
        }
        Ok(Self(data))
    }

    /// The places of the bits that are set.
    fn ones(self) -> impl Iterator<Item = u64> + 'a {
        self.0.iter().enumerate().filter(|(_, byte)| **byte != 63).flat_map(|(i, &byte)| {
            let bits = byte - 63;
            (0..6).filter(move |bit| bits & (32 >> bit) != 0).map(move |bit| i as u64 * 6 + bit)
        })
    }
}

fn plain(bits: Bits<'_>) -> Vec<(u32, u32)> {
    // Column v has a bit for each vertex below v.
    let (mut v, mut start) = (1, 0);
    let place = |bit| {
        while bit >= start + v {
            start += v;
            v += 1;
        }
        ((bit - start) as u32, v as u32)
    };
    bits.ones().map(place).collect()
}

fn directed(order: u64, bits: Bits<'_>) -> Vec<(u32, u32)> {
    bits.ones().map(|bit| ((bit / order) as u32, (bit % order) as u32)).collect()
}

fn sparse(order: u32, data: &[u8]) -> Vec<(u32, u32)> {
    let width = u32::BITS - order.saturating_sub(1).leading_zeros();
    let mut listed = Vec::with_capacity(data.len() * 6 / (width as usize + 1));
    let (mut v, mut bits, mut held) = (0, 0u64, 0);
    for &byte in data {
        bits = bits << 6 | u64::from(byte - 63);
        held += 6;
        while held > width {
            held -= width + 1;
            let step = (bits >> held) as u32;
            bits &= (1 << held) - 1;
            v += step >> width;
            let u = step & ((1 << width) - 1);
            // What fills the last character moves past the last vertex.
            if u >= order || v >= order {
                return listed;
            }
            if u > v {
                v = u;
            } else {
                listed.push((u, v));
            }
        }
    }
    listed
}
