//! States: what the vertices of the frontier have to do with the part of a path or cycle that is decided.
//!
//! Each vertex is untouched, done (the path goes through it), or the end of a piece whose other end, its *mate*, is either a vertex of
//! the frontier too, or an end of the whole path. Twins that change places change nothing, so they stand in a fixed order.

use super::order::WIDEST;
use super::plan::{Frontier, Packing, Step, Task};

/// No edge at the vertex is decided for the path.
pub(super) const UNTOUCHED: u8 = u8::MAX;
/// The path goes through the vertex, or ends there.
pub(super) const DONE: u8 = u8::MAX - 1;
/// The other end of the piece is an end of the whole path.
pub(super) const END: u8 = u8::MAX - 2;

/// A state: for each place its mate, or one of the above.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) mates: [u8; WIDEST + 2],
    /// How many pieces have an end of the path.
    pub(super) ends: u8,
    pub(super) pieces: u8,
}

/// What a transition gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// More to come.
    State,
    /// A whole path.
    Path,
    /// A whole cycle.
    Cycle,
}

impl State {
    pub(super) fn new() -> Self {
        Self { mates: [UNTOUCHED; WIDEST + 2], ends: 0, pieces: 0 }
    }

    /// Reads a state. Places that come in are untouched.
    pub(super) fn unpack(&mut self, key: &[u64], packing: Packing, extended: usize) {
        let Packing { places, bits, .. } = packing;
        let (each, mask) = (64 / bits as usize, (1u64 << bits) - 1);
        let mut first = [UNTOUCHED; WIDEST / 2 + 2];
        (self.ends, self.pieces) = (0, 0);
        let codes = key.iter().flat_map(|&word| (0..each as u32).map(move |i| word >> (i * bits) & mask));
        for (place, code) in codes.take(places).enumerate() {
            self.mates[place] = match code {
                0 => UNTOUCHED,
                1 => DONE,
                2 => {
                    self.ends += 1;
                    self.pieces += 1;
                    END
                }
                pair => {
                    let first = &mut first[pair as usize - 3];
                    if *first == UNTOUCHED {
                        *first = place as u8;
                    } else {
                        self.mates[*first as usize] = place as u8;
                        self.pieces += 1;
                    }
                    *first
                }
            };
        }
        self.mates[places..extended].fill(UNTOUCHED);
    }

    /// Takes an edge to a place: gives the far end of what it belongs to now.
    fn touch(&mut self, place: u8) -> u8 {
        let mate = &mut self.mates[place as usize];
        match *mate {
            UNTOUCHED => place,
            far => {
                *mate = DONE;
                self.pieces -= 1;
                far
            }
        }
    }

    /// Makes a piece of two far ends.
    fn tie(&mut self, one: u8, other: u8) -> Option<Made> {
        if one == END && other == END {
            return (self.pieces == 0).then_some(Made::Path);
        }
        for (place, mate) in [(one, other), (other, one)] {
            if place != END {
                self.mates[place as usize] = mate;
            }
        }
        self.pieces += 1;
        Some(Made::State)
    }

    /// The vertex, an end of a piece, becomes an end of the path.
    pub(super) fn stop(&mut self, vertex: u8) -> Option<Made> {
        let far = self.touch(vertex);
        self.ends += 1;
        self.tie(far, END)
    }

    /// The vertex, untouched, becomes an end of the path, which goes on to a neighbour.
    pub(super) fn start(&mut self, to: u8) -> Option<Made> {
        self.ends += 1;
        let far = self.touch(to);
        self.tie(END, far)
    }

    /// The vertex, an end of a piece, is joined to a neighbour.
    pub(super) fn go_on(&mut self, vertex: u8, to: u8) -> Option<Made> {
        if self.mates[vertex as usize] == to {
            return (self.pieces == 1 && self.ends == 0).then_some(Made::Cycle);
        }
        let (one, other) = (self.touch(vertex), self.touch(to));
        self.tie(one, other)
    }

    /// The vertex, untouched, is joined to two neighbours.
    pub(super) fn pass(&mut self, one: u8, other: u8) -> Option<Made> {
        if self.mates[one as usize] == other {
            return (self.pieces == 1 && self.ends == 0).then_some(Made::Cycle);
        }
        let (one, other) = (self.touch(one), self.touch(other));
        self.tie(one, other)
    }

    /// What tells a place from its twins: nothing, if they may change places. Mates are told by their twins alone.
    pub(super) fn kind(&self, place: u8, twin: &[u8]) -> u8 {
        match self.mates[place as usize] {
            special @ END.. => special,
            mate => twin[mate as usize],
        }
    }
}

/// A state after its step, in the one order of twins that is kept.
pub(super) struct Settled {
    mates: [u8; WIDEST + 2],
    kinds: [u8; WIDEST + 2],
    /// What stands for a mate in a key: for a place, the number of the pair.
    codes: [u8; 256],
}

impl Settled {
    pub(super) fn new() -> Self {
        let mut codes = [0; 256];
        for (code, mate) in [UNTOUCHED, DONE, END].into_iter().enumerate() {
            codes[mate as usize] = code as u8;
        }
        Self { mates: [UNTOUCHED; WIDEST + 2], kinds: [UNTOUCHED; WIDEST + 2], codes }
    }

    pub(super) fn mates(&self, frontier: &Frontier) -> &[u8] {
        &self.mates[..frontier.from.len()]
    }

    /// Drops the vertex of a step from a state, and puts twins into order.
    pub(super) fn settle(&mut self, state: &State, step: &Step) {
        let Frontier { from, to, .. } = &step.after;
        for (mate, &from) in self.mates.iter_mut().zip(from) {
            *mate = to[state.mates[from as usize] as usize];
        }
        if !step.after.classes.is_empty() {
            self.arrange(&step.after);
        }
    }

    /// Sorts twins by what they are and by the twins of their mates, then pairs them up again, first with first.
    fn arrange(&mut self, frontier: &Frontier) {
        let Frontier { classes, twin, .. } = frontier;
        let Self { mates, kinds, .. } = self;
        for class in classes {
            let mut last = 0;
            let mut is_sorted = true;
            for &place in class {
                let kind = match mates[place as usize] {
                    special @ END.. => special,
                    mate => twin[mate as usize],
                };
                kinds[place as usize] = kind;
                is_sorted &= last <= kind;
                last = kind;
            }
            if !is_sorted {
                for end in 1..class.len() {
                    let mut at = end;
                    while at > 0 && kinds[class[at - 1] as usize] > kinds[class[at] as usize] {
                        kinds.swap(class[at - 1] as usize, class[at] as usize);
                        at -= 1;
                    }
                }
            }
        }
        for class in classes {
            let first = class[0];
            let mut at = 0;
            while at < class.len() {
                let kind = kinds[class[at] as usize];
                let run = class[at..].iter().take_while(|&&place| kinds[place as usize] == kind).count();
                let run_places = &class[at..at + run];
                at += run;
                if kind >= END {
                    run_places.iter().for_each(|&place| mates[place as usize] = kind);
                } else if kind == first {
                    for pair in run_places.chunks_exact(2) {
                        (mates[pair[0] as usize], mates[pair[1] as usize]) = (pair[1], pair[0]);
                    }
                } else {
                    // The others may have twins of their own; then as many of those are mates of ours.
                    let theirs = classes.iter().find(|class| class[0] == kind);
                    match theirs {
                        None => {
                            mates[run_places[0] as usize] = kind;
                            mates[kind as usize] = run_places[0];
                        }
                        Some(theirs) if first < kind => {
                            let theirs = theirs.iter().filter(|&&place| kinds[place as usize] == first);
                            for (&one, &other) in run_places.iter().zip(theirs) {
                                (mates[one as usize], mates[other as usize]) = (other, one);
                            }
                        }
                        Some(_) => {}
                    }
                }
            }
        }
    }

    /// Writes the state into words.
    pub(super) fn pack(&mut self, packing: Packing, key: &mut [u64]) {
        let Packing { places, bits, .. } = packing;
        let each = 64 / bits as usize;
        let mut next = 3;
        for (word, chunk) in key.iter_mut().zip((0..places).step_by(each)) {
            *word = 0;
            // Without branches, since nobody can tell which way they go.
            for place in chunk..places.min(chunk + each) {
                let mate = self.mates[place];
                let is_first = mate < END && mate as usize > place;
                self.codes[place] = next;
                let code = if is_first { next } else { self.codes[mate as usize] };
                next += u8::from(is_first);
                *word |= u64::from(code) << ((place - chunk) as u32 * bits);
            }
        }
    }
}

/// How a task begins: the given ends, each the end of a piece of no edges.
pub(super) fn beginning(task: &Task) -> (Packing, Vec<u64>) {
    let packing = Packing::of(task.fixed.len());
    let mut settled = Settled::new();
    settled.mates[..task.fixed.len()].fill(END);
    let mut key = vec![0; packing.words];
    settled.pack(packing, &mut key);
    (packing, key)
}

/// The fewest and the most edges that so many pieces have, with these mates.
pub(super) fn edges(mates: &[u8], frontier: &Frontier, pieces: u8) -> [usize; 2] {
    let (mut fewest, mut touched) = (0, 0);
    for (&mate, &is_fixed) in mates.iter().zip(&frontier.is_fixed) {
        // An edge that is decided has an eliminated end, so no two places share one. A given end has one edge less.
        let edges = match mate {
            UNTOUCHED => continue,
            DONE => 2,
            _ => 1,
        };
        fewest += edges - usize::from(is_fixed);
        touched += 1;
    }
    [fewest, touched + frontier.eliminated - pieces as usize]
}
