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
use super::{Booked, Booking, Found, Kind, LabelMap, Labelling, Sink, VERTEX, name};
use crate::count::{Ends, Joint, Tally};
use crate::graph::{Arc, Mask};
use crate::{Error, Result};

/// Books rooted paths and cycles by length, ends and class. Scratch, to be used for graph after graph.
pub(crate) struct Bins {
    names: Names,
    max_length: usize,
    /// By vertex: the code of its label, times the number of codes that the graph has, and which of these it is.
    codes: Vec<(u32, u32)>,
    /// The codes that the graph has.
    present: Vec<u32>,
    /// Whether an edge and the same back count as something.
    to_and_fro: bool,
    /// How many classes the graph's longest paths can have.
    classes: usize,
    /// Paths by length, first code, class and last code.
    paths: Vec<u64>,
    /// Cycles in the same way, by the ends of the paths that they are without their last edge; nothing until there is one.
    closed: Vec<u64>,
    /// How many of them are for one length.
    of_length: usize,
    ids: Ids,
}

/// The ids that paths and cycles of a length, first code, class and last code have; 0 until they are known. A table for all there can be, of which the
/// system gives memory to what is written: most graphs share few.
struct Ids {
    labels: usize,
    classes: usize,
    ids: Vec<[u64; 2]>,
}

impl Ids {
    fn of(&mut self, length: usize, first: usize, class: usize, last: usize) -> &mut [u64; 2] {
        &mut self.ids[(((length - 1) * self.labels + first) * self.classes + class) * self.labels + last]
    }
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
        let labels: Vec<String> =
            kept.iter().map(|label| name::vertex(label)).chain([name::REST.to_owned()]).collect();
        let suffix = format!("@{}", labels.join(","));
        let (k, names) = (labels.len(), Names { labels, suffix });
        let most_classes = (k - 1) * max_length.saturating_sub(1) + 1;
        let count =
            [max_length, k, most_classes, k].iter().try_fold(1usize, |product, &n| product.checked_mul(n));
        let Some(count) = count.filter(|&count| count <= MOST_BINS) else {
            return Err(Error::settings(format!(
                "{k} labels to length {max_length} make more than {MOST_BINS} power classes: keep fewer labels, or take the \
                 encoding composition"
            )));
        };
        Ok(Self {
            names,
            max_length,
            codes: Vec::new(),
            present: Vec::new(),
            to_and_fro: true,
            classes: 0,
            paths: Vec::new(),
            closed: Vec::new(),
            of_length: 0,
            ids: Ids { labels: k, classes: most_classes, ids: vec![[0; 2]; count] },
        })
    }

    /// Empties itself for a graph.
    pub(crate) fn begin(&mut self, labelling: &Labelling, booking: Booking) {
        let Self { codes, present, paths, closed, .. } = self;
        present.clear();
        codes.clear();
        for code in labelling.codes() {
            let place = present.iter().position(|&other| other == code).unwrap_or(present.len());
            if place == present.len() {
                present.push(code);
            }
            codes.push((code, place as u32));
        }
        codes.iter_mut().for_each(|(code, _)| *code *= present.len() as u32);
        self.to_and_fro = !booking.reverses(labelling);
        let largest = present.iter().max().map_or(0, |&code| code as usize);
        self.classes = largest * self.max_length.saturating_sub(1) + 1;
        self.of_length = present.len() * self.classes * present.len();
        paths.clear();
        paths.resize(self.max_length * self.of_length, 0);
        closed.clear();
    }

    /// Books cycles.
    #[inline]
    fn close_at(&mut self, place: usize, cycles: u64) {
        if self.closed.is_empty() {
            self.closed.resize(self.paths.len(), 0);
        }
        self.closed[place] += cycles;
    }

    /// Books each path from its other end, too, where it was told once.
    pub(crate) fn mirror(&mut self) {
        let Self { paths, present, classes, .. } = self;
        let k = present.len();
        for of_length in paths.chunks_exact_mut(self.of_length.max(1)) {
            for first in 0..k {
                for last in 0..=first {
                    for class in 0..*classes {
                        let place = |first, last| (first * *classes + class) * k + last;
                        let (there, back) = (place(first, last), place(last, first));
                        let both = of_length[there] + of_length[back];
                        (of_length[there], of_length[back]) = (both, both);
                    }
                }
            }
        }
    }

    /// The paths that can be told apart, whether or not there are any, with their lengths: for each class all ordered pairs of ends.
    pub(crate) fn all_paths(&self) -> Vec<(usize, String)> {
        let (k, mut all) = (self.names.labels.len(), Vec::new());
        for length in 1..=self.max_length {
            for class in 0..=(k - 1) * (length - 1) {
                all.extend(
                    (0..k * k).map(|ends| (length, self.names.path(length, [ends / k, ends % k], class))),
                );
            }
        }
        all
    }

    /// The codes that the graph has, and which of them each vertex has.
    pub(crate) fn codes(&self) -> (&[u32], Vec<u32>) {
        (&self.present, self.codes.iter().map(|&(_, place)| place).collect())
    }

    /// Books paths and cycles of a length, with the places of the first and the last code among those the graph has.
    pub(super) fn book(&mut self, length: usize, ends: [usize; 2], class: usize, [paths, closed]: [u64; 2]) {
        let place = (ends[0] * self.classes + class) * self.present.len() + ends[1];
        let place = (length - 1) * self.of_length + place;
        self.paths[place] += paths;
        if closed > 0 {
            self.close_at(place, closed);
        }
    }

    /// Hands the vertices to a sink, by code.
    pub(crate) fn vertices(&self, sink: &mut impl Sink) {
        for (place, &code) in (0..).zip(&self.present) {
            let times = self.codes.iter().filter(|&&(_, other)| other == place).count() as u64;
            let label = &self.names.labels[code as usize];
            let id = const { Piece::of(VERTEX) }.then(Piece::of(label)).id();
            let found = Found { id, kind: Kind::Vertex, length: 0, times, divisor: 1, again: false };
            sink.at(place as usize);
            sink.take(found, || format!("{VERTEX}{label}"));
        }
    }

    /// Hands all that was booked to a sink.
    pub(crate) fn drain(&mut self, labelling: &Labelling, booking: Booking, sink: &mut impl Sink) {
        let (reverses, directed) = (booking.reverses(labelling), labelling.is_directed());
        let Self { names, ids, present, classes, .. } = self;
        let (k, has_closed) = (present.len(), !self.closed.is_empty());
        let mut give = |length: usize,
                        [first, class, last]: [u32; 3],
                        place: usize,
                        paths: u64,
                        closed: u64| {
            sink.at(place);
            let (paths, closed) = booking.shares(length, directed, paths, closed);
            // Of both directions of a path, one is enough.
            let paths = if reverses && first > last { 0 } else { paths };
            if paths | closed == 0 {
                return;
            }
            let [first, class, last] = [first, class, last].map(|n| n as usize);
            let ids = ids.of(length, first, class, last);
            let known = |id: &mut u64, name: &dyn Fn() -> String| {
                if *id == 0 {
                    *id = id_of_name(&name());
                }
                *id
            };
            if paths > 0 {
                let name = || names.path(length, [first, last], class);
                let id = known(&mut ids[0], &name);
                let divisor = if reverses && first == last { 2 } else { 1 };
                sink.take(Found { id, kind: Kind::Path, length, times: paths, divisor, again: false }, name);
            }
            if closed > 0 {
                let name = || names.cycle(length, class + first);
                let id = known(&mut ids[1], &name);
                let divisor = booking.starts(length, directed);
                sink.take(Found { id, kind: Kind::Cycle, length, times: closed, divisor, again: true }, name);
            }
        };
        let largest = present.iter().max().map_or(0, |&code| code as usize);
        let mut begin = 0;
        for length in 1..=self.max_length {
            for &first in present.iter() {
                // A path has one inner vertex less than edges: the classes beyond are for longer ones.
                let of_length = (largest * (length - 1) + 1) * k;
                for (place, &paths) in (begin..).zip(&self.paths[begin..begin + of_length]) {
                    let closed = if has_closed { self.closed[place] } else { 0 };
                    if paths | closed > 0 {
                        let (class, last) = ((place - begin) / k, present[(place - begin) % k]);
                        give(length, [first, class as u32, last], place, paths, closed);
                    }
                }
                begin += *classes * k;
            }
        }
    }
}

impl Booked for Bins {
    #[inline]
    fn first(&self, vertex: usize) -> u32 {
        self.codes[vertex].1 * (self.classes * self.present.len()) as u32
    }

    #[inline]
    fn place(&self, state: u32, length: usize, arc: Arc) -> usize {
        (length - 1) * self.of_length + state as usize + self.codes[arc.target].1 as usize
    }

    #[inline]
    fn next(&self, state: u32, _: usize, arc: Arc) -> u32 {
        state + self.codes[arc.target].0
    }
}

impl Tally for Bins {
    const BOOKS_STEPS: bool = true;

    /// The code of the first vertex, times the number of classes, plus the class of the others; all times the number of last codes.
    type State = u32;

    #[inline]
    fn root(&mut self, vertex: usize) -> u32 {
        self.first(vertex)
    }

    #[inline]
    fn step(&mut self, state: u32, length: usize, arc: Arc) -> u32 {
        let place = self.place(state, length, arc);
        self.paths[place] += 1;
        self.next(state, place, arc)
    }

    #[inline]
    fn paths(&mut self, state: u32, length: usize, ends: impl Ends) {
        ends.each(|arc| {
            let place = self.place(state, length, arc);
            self.paths[place] += 1;
        });
    }

    #[inline]
    fn close(&mut self, state: u32, length: usize, arc: impl FnOnce() -> Arc) {
        self.close_at(self.place(state, length, arc()), 1);
    }
}

impl Joint for Bins {
    /// The class of all vertices, times the number of last codes.
    type State = u32;

    #[inline]
    fn alone(&self, vertex: usize) -> u32 {
        self.codes[vertex].0
    }

    #[inline]
    fn longer(&self, state: u32, vertex: usize) -> u32 {
        state + self.codes[vertex].0
    }

    #[inline]
    fn edge(&mut self, first: usize, last: usize) {
        let place = (self.first(first) + self.codes[last].1) as usize;
        self.paths[place] += 1;
    }

    #[inline]
    fn turn(&mut self, vertex: usize) {
        self.close_at((self.first(vertex) + self.codes[vertex].1) as usize, 1);
    }

    #[inline]
    fn around<M: Mask>(&mut self, state: u32, row: M) {
        let base = self.of_length + state as usize;
        for last in row.vertices() {
            let base = base + self.codes[last].1 as usize;
            for first in (row & M::below(last)).vertices() {
                let place = base + self.first(first) as usize;
                self.paths[place] += 1;
            }
            if self.to_and_fro {
                self.close_at(base + self.first(last) as usize, 1);
            }
        }
    }

    #[inline]
    fn join<M: Mask>(&mut self, state: u32, length: usize, before: M, after: M) {
        let base = (length - 1) * self.of_length + state as usize;
        for first in before.vertices() {
            let base = base + self.first(first) as usize;
            for last in (after & !M::bit(first)).vertices() {
                let place = base + self.codes[last].1 as usize;
                self.paths[place] += 1;
            }
            if after.has(first) {
                // A cycle, in both its directions.
                self.close_at(base + self.codes[first].1 as usize, 2);
            }
        }
    }
}
