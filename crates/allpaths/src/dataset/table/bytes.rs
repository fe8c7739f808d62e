//! A graph as bytes in one value, which an engine copies as a whole where lists are dozens of values.
//!
//! What the bytes are is said in [`GraphColumns::Bytes`](crate::dataset::GraphColumns::Bytes).

use crate::graph::{Graph, Interner, Labels};

/// What this module writes and reads.
const VERSION: u32 = 1;

const DIRECTED: u32 = 1;
const VERTEX_LABELS: u32 = 2;
const EDGE_LABELS: u32 = 4;
const WEIGHTS: u32 = 8;

/// What the bytes of a graph say; labels are codes of the interners they were read with.
pub(super) struct Said {
    pub(super) directed: bool,
    pub(super) order: usize,
    pub(super) edges: Vec<(u32, u32)>,
    pub(super) labels: [Option<Vec<u32>>; 2],
    pub(super) weights: Option<Vec<f64>>,
}

/// The bytes of a graph.
pub(super) fn of_graph(graph: &Graph) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + 2 * graph.size() + graph.order());
    let mut parts = 0;
    for (part, is_there) in [
        (DIRECTED, graph.is_directed()),
        (VERTEX_LABELS, graph.vertex_labels().is_some()),
        (EDGE_LABELS, graph.edge_labels().is_some()),
        (WEIGHTS, graph.weights().is_some()),
    ] {
        parts |= if is_there { part } else { 0 };
    }
    for number in [VERSION, parts, graph.order() as u32, graph.size() as u32] {
        push(&mut bytes, number);
    }
    for (u, v) in graph.edges() {
        push(&mut bytes, u as u32);
        push(&mut bytes, v as u32);
    }
    for labels in [graph.vertex_labels(), graph.edge_labels()].into_iter().flatten() {
        push_labels(&mut bytes, labels);
    }
    graph.weights().into_iter().flatten().for_each(|weight| bytes.extend(weight.to_le_bytes()));
    bytes
}

fn push(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn push_labels(bytes: &mut Vec<u8>, labels: &Labels) {
    // Few are different in one graph; the codes are those of all graphs.
    let mut places = rustc_hash::FxHashMap::default();
    let mut names = Vec::new();
    let which: Vec<u32> = (0..labels.codes().len())
        .map(|i| {
            *places.entry(labels.codes()[i]).or_insert_with(|| {
                names.push(labels.name(i));
                names.len() as u32 - 1
            })
        })
        .collect();
    push(bytes, names.len() as u32);
    for name in names {
        push(bytes, name.len() as u32);
        bytes.extend_from_slice(name.as_bytes());
    }
    which.into_iter().for_each(|which| push(bytes, which));
}

/// What bytes say; without labels, no more vertices than there is room for.
pub(super) fn read(bytes: &[u8], [vertices, edges]: &mut [Interner; 2], room: usize) -> Result<Said, String> {
    let mut rest = Rest(bytes);
    let version = rest.number()?;
    if version != VERSION {
        return Err(format!("a graph in version {version} of that form, this reads version {VERSION}"));
    }
    let parts = rest.number()?;
    if parts >= 2 * WEIGHTS {
        return Err(format!("{parts} is no sum of what there can be: 1, 2, 4 and 8"));
    }
    let order = rest.number()? as usize;
    let size = rest.many(2)?;
    if order > room && parts & VERTEX_LABELS == 0 || order >= 1 << 30 {
        return Err(format!("{order} vertices are more than a file may ask for"));
    }
    let mut listed = Vec::with_capacity(size);
    for _ in 0..size {
        let edge = (rest.number()?, rest.number()?);
        if let Some(v) = [edge.0, edge.1].into_iter().find(|&v| v as usize >= order) {
            return Err(format!("an edge with vertex {v}: there are {order} vertices, numbered from 0"));
        }
        listed.push(edge);
    }
    let mut labels = |part: u32, count: usize, interner: &mut Interner| match parts & part {
        0 => Ok(None),
        _ => rest.labels(count, interner).map(Some),
    };
    let labels = [labels(VERTEX_LABELS, order, vertices)?, labels(EDGE_LABELS, size, edges)?];
    let weights = match parts & WEIGHTS {
        0 => None,
        _ => Some((0..size).map(|_| rest.double()).collect::<Result<_, _>>()?),
    };
    match rest.0 {
        [] => Ok(Said { directed: parts & DIRECTED != 0, order, edges: listed, labels, weights }),
        more => Err(format!("{} bytes more than its graph has", more.len())),
    }
}

/// What is left to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    #[inline]
    fn number(&mut self) -> Result<u32, String> {
        match self.0 {
            [byte @ 0..0x80, rest @ ..] => {
                self.0 = rest;
                Ok(u32::from(*byte))
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> Result<u32, String> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(number).map_err(|_| TOO_LARGE.to_owned());
            }
        }
        Err(TOO_LARGE.to_owned())
    }

    /// How many things there are, each of so many bytes or more: never more than bytes are left.
    fn many(&mut self, bytes: usize) -> Result<usize, String> {
        let many = self.number()? as usize;
        if many > self.0.len() / bytes { Err(SHORT.to_owned()) } else { Ok(many) }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(SHORT)?;
        self.0 = rest;
        Ok(taken)
    }

    fn double(&mut self) -> Result<f64, String> {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(self.take(8)?);
        Ok(f64::from_le_bytes(bytes))
    }

    fn labels(&mut self, count: usize, interner: &mut Interner) -> Result<Vec<u32>, String> {
        let different = self.many(1)?;
        let mut codes = Vec::with_capacity(different);
        for _ in 0..different {
            let length = self.number()? as usize;
            let name = std::str::from_utf8(self.take(length)?).map_err(|_| "a label that is not UTF-8")?;
            codes.push(interner.code(name));
        }
        if count > self.0.len() {
            return Err(SHORT.to_owned());
        }
        let mut labels = Vec::with_capacity(count);
        for _ in 0..count {
            let which = self.number()? as usize;
            let code = codes.get(which).ok_or_else(|| format!("label {which} of {different}"))?;
            labels.push(*code);
        }
        Ok(labels)
    }
}

const SHORT: &str = "ends before its graph does";
const TOO_LARGE: &str = "a number past 32 bits";
