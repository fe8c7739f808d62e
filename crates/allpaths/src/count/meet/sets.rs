//! Small sets of vertices, each in one word, and how many pairs of them share no vertex.

/// How sets are kept: ascending codes of vertices from 1, so many bits each, the least in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    bits: u32,
}

impl Packing {
    /// For codes up to `vertices`, if a word has room for so many of them.
    pub(super) fn of(vertices: usize, members: usize) -> Option<Self> {
        let bits = usize::BITS - vertices.leading_zeros();
        (members * bits as usize <= 128).then_some(Self { bits })
    }

    /// The set with one code more; nothing if it has that already.
    #[inline]
    pub(super) fn with(self, set: u128, code: u32) -> Option<u128> {
        let (mut rest, mut place) = (set, 0);
        while rest != 0 {
            let member = self.first(rest);
            if member >= code {
                if member == code {
                    return None;
                }
                break;
            }
            rest >>= self.bits;
            place += self.bits;
        }
        if place == 0 {
            return Some(set << self.bits | u128::from(code));
        }
        let below = set & ((1u128 << place) - 1);
        // What is above the last place is nothing, and not to be shifted by all bits of a word.
        let above = if rest == 0 { 0 } else { rest << place << self.bits };
        Some(above | u128::from(code) << place | below)
    }

    #[inline]
    fn first(self, set: u128) -> u32 {
        set as u32 & ((1 << self.bits) - 1)
    }

    /// Its codes, ascending.
    #[inline]
    pub(super) fn members(self, set: u128) -> impl Iterator<Item = u32> {
        self.suffixes(set).map(|(code, _)| code)
    }

    /// Its codes, ascending, each with those that are larger.
    #[inline]
    fn suffixes(self, mut set: u128) -> impl Iterator<Item = (u32, u128)> {
        std::iter::from_fn(move || {
            let code = self.first(set);
            set >>= self.bits;
            (code != 0).then_some((code, set))
        })
    }

    /// The set without the codes that are not to be kept.
    pub(super) fn only(self, set: u128, is_kept: &[bool]) -> u128 {
        let kept = self.members(set).filter(|&code| is_kept[code as usize]);
        kept.zip(0..).fold(0, |set, (code, place)| set | u128::from(code) << (place * self.bits))
    }

    fn are_disjoint(self, mut one: u128, mut other: u128) -> bool {
        while one != 0 && other != 0 {
            let (a, b) = (self.first(one), self.first(other));
            if a == b {
                return false;
            }
            if a < b { one >>= self.bits } else { other >>= self.bits }
        }
        true
    }
}

/// A set, and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weighted {
    pub(super) set: u128,
    pub(super) times: u64,
}

/// Sets that are the same as one.
pub(super) fn merged(mut sets: Vec<u128>) -> Vec<Weighted> {
    sets.sort_unstable();
    let runs = sets.chunk_by(|a, b| a == b);
    runs.map(|run| Weighted { set: run[0], times: run.len() as u64 }).collect()
}

/// So few pairs are looked at one by one.
const FEW: usize = 48;

/// Counts pairs of disjoint sets; room that is used again and again.
pub(super) struct Disjoint {
    packing: Packing,
    vertices: usize,
    /// Families of sets: two that were asked about, and parts of those that have a vertex in common.
    stack: Vec<Weighted>,
    levels: Vec<Level>,
    /// How many sets were looked at.
    pub(super) taken: u64,
}

/// What is known while two families are taken apart.
#[derive(Default)]
struct Level {
    /// By code, how many sets of either family have it; then where on the stack the next one goes, from 1, or 0 where it is not shared.
    places: Vec<[u32; 2]>,
    /// The codes of the first family.
    codes: Vec<u32>,
    /// For each code that is shared, where its two families are.
    shared: Vec<[usize; 3]>,
}

impl Disjoint {
    pub(super) fn new(packing: Packing, vertices: usize) -> Self {
        Self { packing, vertices, stack: Vec::new(), levels: Vec::new(), taken: 0 }
    }

    /// How many pairs of a set of one family and one of the other share no vertex.
    pub(super) fn pairs(&mut self, one: &[Weighted], other: &[Weighted]) -> u128 {
        self.stack.clear();
        self.stack.extend(one);
        self.stack.extend(other);
        self.apart([0, one.len(), one.len() + other.len()], 0)
    }

    /// Of all pairs those go that share a vertex. Each has a largest one that it shares: both sets have that, and what is larger in them is
    /// disjoint, which is the same question for smaller sets. One family is on the stack from the first of `bounds` to the second, the other from there to the third.
    fn apart(&mut self, bounds: [usize; 3], depth: usize) -> u128 {
        let packing = self.packing;
        let [one, other] = [&self.stack[bounds[0]..bounds[1]], &self.stack[bounds[1]..bounds[2]]];
        self.taken += (bounds[2] - bounds[0]) as u64;
        if one.len() * other.len() <= FEW {
            let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
            let pairs = pairs.filter(|(a, b)| packing.are_disjoint(a.set, b.set));
            return pairs.map(|(a, b)| u128::from(a.times) * u128::from(b.times)).sum();
        }
        let all = |family: &[Weighted]| family.iter().map(|a| u128::from(a.times)).sum::<u128>();
        let pairs = all(one) * all(other);
        let mut level = match self.levels.get_mut(depth) {
            Some(level) => std::mem::take(level),
            None => {
                self.levels.push(Level::default());
                Level { places: vec![[0, 0]; self.vertices + 1], ..Level::default() }
            }
        };
        let top = self.stack.len();
        self.divide(bounds, &mut level);
        let sharing: u128 = level.shared.drain(..).map(|bounds| self.apart(bounds, depth + 1)).sum();
        self.stack.truncate(top);
        level.codes.drain(..).for_each(|code| level.places[code as usize] = [0, 0]);
        self.levels[depth] = level;
        pairs - sharing
    }

    /// Puts the larger codes of all sets with a code on the stack, for each code that is on both sides.
    fn divide(&mut self, bounds: [usize; 3], level: &mut Level) {
        let Self { packing, stack, .. } = self;
        let Level { places, codes, shared } = level;
        let top = stack.len();
        let sides = [bounds[0]..bounds[1], bounds[1]..bounds[2]];
        for code in stack[sides[0].clone()].iter().flat_map(|a| packing.members(a.set)) {
            let [count, _] = &mut places[code as usize];
            if *count == 0 {
                codes.push(code);
            }
            *count += 1;
        }
        for code in stack[sides[1].clone()].iter().flat_map(|a| packing.members(a.set)) {
            let [one, other] = &mut places[code as usize];
            *other += u32::from(*one > 0);
        }
        let mut end = top;
        for &code in &*codes {
            let place = &mut places[code as usize];
            *place = match *place {
                [_, 0] => [0, 0],
                [one, other] => {
                    let middle = end + one as usize;
                    shared.push([end, middle, middle + other as usize]);
                    let first = (end - top) as u32 + 1;
                    end = middle + other as usize;
                    [first, first + one]
                }
            };
        }
        stack.resize(end, Weighted { set: 0, times: 0 });
        let (below, above) = stack.split_at_mut(top);
        for (side, family) in sides.into_iter().enumerate() {
            for a in &below[family] {
                for (code, set) in packing.suffixes(a.set) {
                    let place = &mut places[code as usize][side];
                    if *place > 0 {
                        above[*place as usize - 1] = Weighted { set, ..*a };
                        *place += 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_ascending_codes() {
        for (vertices, members) in [(1, 1), (7, 5), (200, 16), (300, 14)] {
            let packing = Packing::of(vertices, members).unwrap();
            let codes = (0..members as u32).map(|i| (i * 7 + 3) % vertices as u32 + 1);
            let mut known = std::collections::BTreeSet::new();
            let mut set = 0;
            for code in codes {
                assert_eq!(packing.with(set, code).is_some(), known.insert(code));
                set = packing.with(set, code).unwrap_or(set);
                assert!(packing.members(set).eq(known.iter().copied()));
            }
            let is_odd: Vec<bool> = (0..=vertices).map(|code| code % 2 == 1).collect();
            let odd = known.iter().copied().filter(|code| code % 2 == 1);
            assert!(packing.members(packing.only(set, &is_odd)).eq(odd));
        }
        assert!(Packing::of(300, 15).is_none(), "9 bits for each");
    }

    #[test]
    fn pairs_that_share_nothing() {
        // Sets of up to four of twenty codes, in an order without a pattern, some more than once.
        let packing = Packing::of(20, 4).unwrap();
        let set = |i: u64| {
            let codes = (0..i % 5).map(|j| ((i * 2_654_435_761 + j * 40_503) >> (3 * j)) % 20 + 1);
            codes.fold(0, |set, code| packing.with(set, code as u32).unwrap_or(set))
        };
        for (ones, others) in [(0..0, 0..9), (0..3, 5..9), (0..40, 30..90), (0..700, 300..900)] {
            let [one, other] = [ones, others].map(|range| range.map(set).collect::<Vec<u128>>());
            let disjoint =
                |a: u128, b: u128| packing.members(a).all(|code| packing.members(b).all(|c| c != code));
            let expected =
                one.iter().map(|&a| other.iter().filter(|&&b| disjoint(a, b)).count() as u128).sum::<u128>();
            let mut counter = Disjoint::new(packing, 20);
            let [one, other] = [one, other].map(merged);
            for _ in 0..2 {
                assert_eq!(counter.pairs(&one, &other), expected, "also the second time");
            }
        }
    }
}
