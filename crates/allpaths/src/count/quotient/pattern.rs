//! Quotients of paths and cycles: what a walk looks like when some of its positions are one vertex.
//!
//! Of all ways to send the positions of a path into a graph, along arcs, those that send no two to the same vertex are wanted. Every way
//! sends some blocks of positions to one vertex each, so inclusion and exclusion over the partitions of the positions leaves what is
//! wanted: a block of `b` positions contributes the factor `(-1)^(b-1) (b-1)!`, the Moebius function of partitions.

use rustc_hash::FxHashMap;

/// The longest paths and cycles: their quotients take no more than two vertices pinned at a time.
pub(super) const LONGEST: usize = 9;

/// The positions of the longest path.
pub(super) const MOST: usize = LONGEST + 1;

/// The block of the first position, to be told apart.
pub(super) const FIRST: u8 = 1;

/// The block of the last position of a path, to be told apart.
pub(super) const LAST: u8 = 2;

/// The block of the last position of a path, where ends weigh something.
pub(super) const END: u8 = 4;

/// What is to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Path,
    Cycle,
}

/// Which ends of a path, or start of a cycle, are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Roots {
    /// None: totals.
    None,
    /// Where it starts.
    First,
    /// Where a path starts and where it ends.
    Both,
}

/// What is known of the arcs of a graph, as far as it makes quotients equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Traits {
    /// An arc weighs as much as the one back.
    pub(super) symmetric: bool,
    /// Every arc weighs 1, so that it does not matter how often it is taken.
    pub(super) plain: bool,
    /// Vertices weigh something: those inside a path, those at its end by weights of their own, and all of a cycle but its start.
    pub(super) labelled: bool,
}

/// A quotient: how often each arc between blocks is taken, and what is known of each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pattern {
    pub(super) order: usize,
    /// How often the arc from one block to another is taken; both ways together if that is the same.
    pub(super) arcs: [[u8; MOST]; MOST],
    /// How many positions of each block weigh something.
    pub(super) labels: [u8; MOST],
    /// [`FIRST`], [`LAST`] and [`END`], where they are asked for.
    pub(super) roots: [u8; MOST],
}

impl Pattern {
    /// The quotient of a path or cycle by a partition, given by the block of each position.
    fn new(kind: Kind, blocks: &[usize], roots: Roots, traits: Traits) -> Self {
        let order = blocks.iter().max().map_or(0, |&block| block + 1);
        let mut pattern = Self { order, arcs: [[0; MOST]; MOST], labels: [0; MOST], roots: [0; MOST] };
        let mut step = |from: usize, to: usize| {
            pattern.arcs[from][to] += 1;
            if traits.symmetric {
                pattern.arcs[to][from] += 1;
            }
        };
        blocks.windows(2).for_each(|step_| step(step_[0], step_[1]));
        let last = blocks[blocks.len() - 1];
        if kind == Kind::Cycle {
            step(last, blocks[0]);
        }
        if traits.plain {
            pattern.arcs.as_flattened_mut().iter_mut().for_each(|times| *times = (*times).min(1));
        }
        if traits.labelled {
            let inner = if kind == Kind::Path { 1..blocks.len() - 1 } else { 1..blocks.len() };
            blocks[inner].iter().for_each(|&block| pattern.labels[block] += 1);
        }
        if roots != Roots::None {
            pattern.roots[blocks[0]] |= FIRST;
        }
        if kind == Kind::Path && roots == Roots::Both {
            pattern.roots[last] |= LAST;
        }
        if kind == Kind::Path && traits.labelled {
            pattern.roots[last] |= END;
        }
        pattern
    }

    /// The block that is told apart as [`FIRST`] or [`LAST`].
    pub(super) fn root(&self, which: u8) -> Option<usize> {
        self.roots.iter().position(|&root| root & which != 0)
    }

    fn renamed(&self, names: &[usize]) -> Self {
        let mut renamed =
            Self { order: self.order, arcs: [[0; MOST]; MOST], labels: [0; MOST], roots: [0; MOST] };
        for (i, &v) in names.iter().enumerate() {
            renamed.labels[i] = self.labels[v];
            renamed.roots[i] = self.roots[v];
            names.iter().enumerate().for_each(|(j, &w)| renamed.arcs[i][j] = self.arcs[v][w]);
        }
        renamed
    }

    /// The same quotient for all that are isomorphic to it.
    fn canonical(&self) -> Self {
        let mut colours = [0; MOST];
        for (v, colour) in colours.iter_mut().enumerate().take(self.order) {
            *colour = mixed(u64::from(self.roots[v]) << 8 | u64::from(self.labels[v]));
        }
        self.least(colours)
    }

    /// The least among the namings that follow the colours of the blocks.
    fn least(&self, mut colours: [u64; MOST]) -> Self {
        for _ in 0..self.order {
            self.refine(&mut colours);
        }
        let mut names: [usize; MOST] = std::array::from_fn(|v| v);
        let names = &mut names[..self.order];
        names.sort_unstable_by_key(|&v| colours[v]);
        let Some(twins) = names.chunk_by(|&v, &w| colours[v] == colours[w]).find(|twins| twins.len() > 1)
        else {
            return self.renamed(names);
        };
        let apart = |&v: &usize| {
            let mut colours = colours;
            colours[v] = mixed(colours[v] ^ 1);
            self.least(colours)
        };
        // Where exchanging two blocks changes nothing, one is as good as the other.
        let first = twins[0];
        let alike = |&&v: &&usize| v == first || !self.are_exchangeable(first, v);
        twins.iter().filter(alike).map(apart).min().expect("there are two at least")
    }

    fn are_exchangeable(&self, v: usize, w: usize) -> bool {
        self.arcs[v][w] == self.arcs[w][v]
            && (0..self.order)
                .filter(|&x| x != v && x != w)
                .all(|x| self.arcs[v][x] == self.arcs[w][x] && self.arcs[x][v] == self.arcs[x][w])
    }

    /// Colours each block by those around it.
    fn refine(&self, colours: &mut [u64; MOST]) {
        let before = *colours;
        for (v, colour) in colours.iter_mut().enumerate().take(self.order) {
            for w in (0..self.order).filter(|&w| self.arcs[v][w] | self.arcs[w][v] > 0) {
                let arcs = u64::from(self.arcs[v][w]) << 8 | u64::from(self.arcs[w][v]);
                *colour = colour.wrapping_add(mixed(before[w].wrapping_add(arcs)));
            }
            *colour = mixed(*colour);
        }
    }
}

/// Scatters bits, so that sums of such numbers tell what was summed.
fn mixed(x: u64) -> u64 {
    let x = (x ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The quotients of the path or cycle of a length, each once, with their coefficients; the smallest first.
pub(super) fn quotients(kind: Kind, length: usize, roots: Roots, traits: Traits) -> Vec<(Pattern, i64)> {
    let positions = if kind == Kind::Path { length + 1 } else { length };
    let mut raw: FxHashMap<Pattern, i64> = FxHashMap::default();
    let mut partitions = Partitions { positions, blocks: Vec::new(), sizes: Vec::new() };
    partitions.each(1, &mut |blocks, coefficient| {
        let closed = blocks[positions - 1] == blocks[0];
        let possible = match kind {
            // Ends that are told apart are two vertices.
            Kind::Path => roots != Roots::Both || !closed,
            Kind::Cycle => !closed,
        };
        if possible {
            *raw.entry(Pattern::new(kind, blocks, roots, traits)).or_default() += coefficient;
        }
    });
    let mut merged: FxHashMap<Pattern, i64> = FxHashMap::default();
    for (pattern, coefficient) in raw {
        *merged.entry(pattern.canonical()).or_default() += coefficient;
    }
    let mut quotients: Vec<_> = merged.into_iter().filter(|&(_, coefficient)| coefficient != 0).collect();
    quotients.sort_unstable();
    quotients
}

/// The partitions of the positions of a walk.
struct Partitions {
    positions: usize,
    /// The block of each position.
    blocks: Vec<usize>,
    sizes: Vec<i64>,
}

impl Partitions {
    /// Tells of all partitions that continue the one at hand, with their coefficients.
    fn each(&mut self, coefficient: i64, hear: &mut impl FnMut(&[usize], i64)) {
        if self.blocks.len() == self.positions {
            return hear(&self.blocks, coefficient);
        }
        for block in 0..=self.sizes.len() {
            // Neighbours on the walk are never one vertex: no path or cycle goes over a loop.
            if self.blocks.last() == Some(&block) {
                continue;
            }
            if block == self.sizes.len() {
                self.sizes.push(0);
            }
            // (-1)^b b! is -b times (-1)^(b-1) (b-1)!.
            let factor = if self.sizes[block] == 0 { 1 } else { -self.sizes[block] };
            self.sizes[block] += 1;
            self.blocks.push(block);
            self.each(coefficient * factor, hear);
            self.blocks.pop();
            self.sizes[block] -= 1;
            if self.sizes[block] == 0 {
                self.sizes.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNDIRECTED: Traits = Traits { symmetric: true, plain: true, labelled: false };

    #[test]
    fn as_many_as_are_known() {
        let number = |kind, length, roots| quotients(kind, length, roots, UNDIRECTED).len();
        // Curticapean, Dell and Marx: walks and their coincidences.
        assert_eq!(number(Kind::Path, 6, Roots::None), 30);
        assert_eq!(number(Kind::Path, 6, Roots::Both), 58);
        assert_eq!(number(Kind::Cycle, 7, Roots::None), 12);
    }

    #[test]
    fn paths_of_two_edges_are_walks_but_those_to_and_fro() {
        let found = quotients(Kind::Path, 2, Roots::None, UNDIRECTED);
        let shapes: Vec<_> =
            found.iter().map(|(pattern, coefficient)| (pattern.order, *coefficient)).collect();
        assert_eq!(shapes, [(2, -1), (3, 1)]);
    }

    #[test]
    fn isomorphic_patterns_are_one() {
        // Every way to name the blocks of one quotient gives the same.
        for (pattern, _) in quotients(Kind::Path, 7, Roots::First, Traits { symmetric: false, ..UNDIRECTED })
        {
            for turn in 0..pattern.order {
                let names: Vec<usize> =
                    (0..pattern.order).map(|v| (v * v + v + turn) % pattern.order).collect();
                let names = if (0..pattern.order).all(|v| names.contains(&v)) {
                    names
                } else {
                    (0..pattern.order).map(|v| (v + turn) % pattern.order).collect()
                };
                assert_eq!(pattern.renamed(&names).canonical(), pattern);
            }
        }
    }
}
