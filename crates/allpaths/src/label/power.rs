//! Encoding `power`: the ends of a path, and the sum of its inner vertices' codes.
//!
//! Giscard and Wilson give the commonest labels the weights `1, a, a^2, ...`, so that the product of a path's inner weights is `a` to the
//! sum of their exponents, its *class*. How many paths have which class is then read off the digits, to the base `a`, of one number for each
//! pair of end labels. [`Bins`] books the classes directly, as paths are walked; [`kronecker`](super::kronecker) counts with the
//! numbers themselves, as the paper does, in integers that are certain to hold every digit.
//!
//! The name of a feature holds the ordered labels that have the codes 0, 1, 2, ...: `power:2:[C,1,O]@C,O,*` is a path of two edges from
//! `C` to `O` over a vertex of code 1, which is `O`. A cycle, `power:6:(2)@C,O,*`, has no ends; its class is the sum of all its codes.

use super::id::{Piece, id_of_name};
use super::{Booking, Found, Kind, LabelMap, Labelling, Sink, VERTEX, name};
use crate::count::{Ends, Tally};
use crate::graph::Arc;
use crate::{Error, Result};

/// Books rooted paths and cycles by length, ends and class. Scratch, to be used for graph after graph.
pub(crate) struct Bins {
    names: Names,
    max_length: usize,
    /// By vertex.
    codes: Vec<u32>,
    bins: Vec<Bin>,
    /// Those that hold something.
    touched: Vec<u32>,
}

/// How features are called.
struct Names {
    /// The labels, by code, as they are spelt.
    labels: Vec<String>,
    /// All of them, after an `@`.
    suffix: String,
}

impl Names {
    fn path(&self, length: usize, [first, last]: [usize; 2], class: usize) -> String {
        format!("power:{length}:[{},{class},{}]{}", self.labels[first], self.labels[last], self.suffix)
    }

    fn cycle(&self, length: usize, class: usize) -> String {
        format!("power:{length}:({class}){}", self.suffix)
    }
}

#[derive(Clone, Copy, Default)]
struct Bin {
    paths: u64,
    closed: u64,
    /// The ids of what is booked here, once they are known.
    ids: [Option<u64>; 2],
}

/// The most bins: labels and lengths beyond make tables that no graph fills.
const MOST_BINS: usize = 1 << 24;

impl Bins {
    /// Bins for the labels that a map keeps, and one for all others.
    ///
    /// # Errors
    ///
    /// When there would be too many.
    pub(crate) fn new(map: &LabelMap, max_length: usize) -> Result<Self> {
        let kept = map.kept().unwrap_or_default();
        let labels: Vec<String> = kept.iter().map(|label| name::vertex(label)).chain([name::REST.to_owned()]).collect();
        let suffix = format!("@{}", labels.join(","));
        let (k, names) = (labels.len(), Names { labels, suffix });
        let mut bins = Self { names, max_length, codes: Vec::new(), bins: Vec::new(), touched: Vec::new() };
        let count = [max_length, k, bins.classes(), k].iter().try_fold(1usize, |product, &n| product.checked_mul(n));
        match count.filter(|&count| count <= MOST_BINS) {
            Some(count) => bins.bins = vec![Bin::default(); count],
            None => {
                return Err(Error::settings(format!(
                    "{k} labels to length {max_length} make more than {MOST_BINS} power classes: keep fewer labels, or take the \
                     encoding composition"
                )));
            }
        }
        Ok(bins)
    }

    fn labels(&self) -> usize {
        self.names.labels.len()
    }

    /// How many classes the longest paths can have.
    fn classes(&self) -> usize {
        (self.labels() - 1) * self.max_length.saturating_sub(1) + 1
    }

    /// Empties itself for a graph.
    pub(crate) fn begin(&mut self, labelling: &Labelling) {
        for &bin in &self.touched {
            let bin = &mut self.bins[bin as usize];
            (bin.paths, bin.closed) = (0, 0);
        }
        self.touched.clear();
        self.codes.clear();
        self.codes.extend(labelling.codes());
    }

    #[inline]
    fn book(&mut self, state: u32, length: usize, last: usize, book: impl FnOnce(&mut Bin)) {
        let k = self.labels();
        let index = ((length - 1) * k * self.classes() + state as usize) * k + self.codes[last] as usize;
        let bin = &mut self.bins[index];
        if bin.paths == 0 && bin.closed == 0 {
            self.touched.push(index as u32);
        }
        book(bin);
    }

    /// The paths that can be told apart, whether or not there are any, with their lengths: for each class all ordered pairs of ends.
    pub(crate) fn all_paths(&self) -> Vec<(usize, String)> {
        let (k, mut all) = (self.labels(), Vec::new());
        for length in 1..=self.max_length {
            for class in 0..=(k - 1) * (length - 1) {
                all.extend((0..k * k).map(|ends| (length, self.names.path(length, [ends / k, ends % k], class))));
            }
        }
        all
    }

    /// Hands the vertices to a sink, by code.
    pub(crate) fn vertices(&self, sink: &mut impl Sink) {
        for (code, label) in (0..).zip(&self.names.labels) {
            let times = self.codes.iter().filter(|&&other| other == code).count() as u64;
            if times > 0 {
                let id = const { Piece::of(VERTEX) }.then(Piece::of(label)).id();
                let found = Found { id, kind: Kind::Vertex, length: 0, times, divisor: 1, again: false };
                sink.take(found, || format!("{VERTEX}{label}"));
            }
        }
    }

    /// Hands all that was booked to a sink.
    pub(crate) fn drain(&mut self, labelling: &Labelling, booking: Booking, sink: &mut impl Sink) {
        let (reverses, directed) = (booking.reverses(labelling), labelling.is_directed());
        let (k, classes) = (self.labels(), self.classes());
        let Self { names, bins, touched, .. } = self;
        for &index in &*touched {
            let bin = &mut bins[index as usize];
            let (rest, last) = (index as usize / k, index as usize % k);
            let (rest, class) = (rest / classes, rest % classes);
            let (length, first) = (rest / k + 1, rest % k);
            let (paths, closed) = booking.shares(length, directed, bin.paths, bin.closed);
            if paths > 0 && !(reverses && first > last) {
                let name = || names.path(length, [first, last], class);
                let id = *bin.ids[0].get_or_insert_with(|| id_of_name(&name()));
                let divisor = if reverses && first == last { 2 } else { 1 };
                sink.take(Found { id, kind: Kind::Path, length, times: paths, divisor, again: false }, name);
            }
            if closed > 0 {
                let name = || names.cycle(length, class + first);
                let id = *bin.ids[1].get_or_insert_with(|| id_of_name(&name()));
                let divisor = booking.starts(length, directed);
                sink.take(Found { id, kind: Kind::Cycle, length, times: closed, divisor, again: true }, name);
            }
        }
    }
}

impl Tally for Bins {
    /// The code of the first vertex, times the number of classes, plus the class of the others.
    type State = u32;

    #[inline]
    fn root(&mut self, vertex: usize) -> u32 {
        self.codes[vertex] * self.classes() as u32
    }

    #[inline]
    fn step(&mut self, state: u32, arc: Arc) -> u32 {
        state + self.codes[arc.target]
    }

    #[inline]
    fn paths(&mut self, state: u32, length: usize, ends: impl Ends) {
        ends.each(|arc| self.book(state, length, arc.target, |bin| bin.paths += 1));
    }

    #[inline]
    fn close(&mut self, state: u32, length: usize, arc: impl FnOnce() -> Arc) {
        let root = arc().target;
        self.book(state, length, root, |bin| bin.closed += 1);
    }
}
