//! How many more edges a state takes at least.
//!
//! The pieces of a state must become one path or cycle, over vertices that are left. How far those lead is known from
//! the step; which piece follows which is tried where there are few.

use super::plan::FAR;
use super::state::{DONE, END, UNTOUCHED};

/// So many pieces are put into every order.
const FEW: usize = 4;

/// What the pieces of a state have to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A path. Ends that are not there yet may be any.
    Path,
    /// A cycle.
    Cycle,
}

/// A piece of a path, by the places of its ends; [`END`] where it goes on no more.
type Piece = [u8; 2];

/// The end of a piece that goes on.
#[derive(Clone, Copy)]
struct Open {
    piece: usize,
    /// Whether the other end of the piece goes on no more, and it is not all that is left to meet.
    is_last: bool,
    place: u8,
}

/// Finds bounds; room that is used again and again.
pub(super) struct Bound {
    pieces: Vec<Piece>,
    open: Vec<Open>,
    shares: Vec<u32>,
}

impl Bound {
    pub(super) fn new() -> Self {
        Self { pieces: Vec::new(), open: Vec::new(), shares: Vec::new() }
    }

    /// At least so many edges make one path or cycle of all pieces; nothing if it is more than `most`. With `mates` for
    /// each place, and distances between places, row by row.
    pub(super) fn least(
        &mut self,
        mates: &[u8],
        distance: &[u32],
        shape: Shape,
        most: u32,
        is_exact: bool,
    ) -> Option<u32> {
        self.pieces.clear();
        let mut ends = 0;
        for (place, &mate) in (0..).zip(mates) {
            match mate {
                UNTOUCHED | DONE => {}
                END => {
                    ends += 1;
                    self.pieces.push([END, place]);
                }
                mate if mate > place => self.pieces.push([place, mate]),
                _ => {}
            }
        }
        let far = Distances { distance, places: mates.len() };
        let least = match (self.pieces.len(), shape) {
            (0, _) | (1, Shape::Path) => 0,
            (1, Shape::Cycle) => far.between(self.pieces[0][0], self.pieces[0][1]),
            (pieces, _) => {
                let quick = self.half(far, ends, shape);
                match is_exact && pieces <= FEW && quick <= most {
                    true => self.exact(far, ends, shape, most),
                    false => quick,
                }
            }
        };
        (least <= most).then_some(least)
    }

    /// The shortest of all orders, or something longer than `most`.
    fn exact(&self, far: Distances<'_>, ends: u32, shape: Shape, most: u32) -> u32 {
        let pieces = &self.pieces;
        let all = (1u32 << pieces.len()) - 1;
        let mut best = most + 1;
        // A path begins at an end, where there is one; a cycle anywhere.
        for (first, piece) in pieces.iter().enumerate() {
            if ends > 0 && piece[0] != END {
                continue;
            }
            for turn in if piece[0] == END { 1..2 } else { 0..2 } {
                let back = (shape == Shape::Cycle).then_some(piece[1 - turn]);
                chain(pieces, far, piece[turn], all & !(1 << first), 0, back, ends == 2, &mut best);
            }
            if ends > 0 || shape == Shape::Cycle {
                break;
            }
        }
        best
    }

    /// Every end that goes on meets one of another piece. Shares of theirs that no two such ends exceed together bound what all take: at first half of
    /// what is nearest, and then as much more as the others leave.
    fn half(&mut self, far: Distances<'_>, ends: u32, shape: Shape) -> u32 {
        let Self { pieces, open, shares } = self;
        open.clear();
        for (i, piece) in pieces.iter().enumerate() {
            let places = piece.iter().copied().filter(|&place| place != END);
            open.extend(places.map(|place| Open {
                piece: i,
                is_last: piece[0] == END && pieces.len() > 2,
                place,
            }));
        }
        shares.clear();
        shares.extend(open.iter().map(|&one| least(open, one, |_, other| far.between(one.place, other))));
        for (at, &one) in open.iter().enumerate() {
            shares[at] = least(open, one, |at, other| 2 * far.between(one.place, other) - shares[at]);
        }
        let stay = if shape == Shape::Path { 2 - ends as usize } else { 0 };
        shares.sort_unstable();
        let sum: u32 = shares[..shares.len() - stay].iter().sum();
        sum.div_ceil(2)
    }
}

#[derive(Clone, Copy)]
struct Distances<'a> {
    distance: &'a [u32],
    places: usize,
}

impl Distances<'_> {
    fn between(self, from: u8, to: u8) -> u32 {
        self.distance[from as usize * self.places + to as usize]
    }
}

/// The least room from an end that goes on to one that it can meet. The first piece of a path and the last cannot meet while others are left over.
fn least(open: &[Open], one: Open, room: impl Fn(usize, u8) -> u32) -> u32 {
    let can_meet = |other: &Open| one.piece != other.piece && !(one.is_last && other.is_last);
    let others = open.iter().enumerate().filter(|(_, other)| can_meet(other));
    others.map(|(at, other)| room(at, other.place)).min().unwrap_or(FAR)
}

/// Appends the pieces that are left, in every order, to one that goes on at `from`. The last goes on to `back`, if that is a place. With
/// `is_closed`, the piece with an end comes last.
#[allow(clippy::too_many_arguments)]
fn chain(
    pieces: &[Piece],
    far: Distances<'_>,
    from: u8,
    left: u32,
    so_far: u32,
    back: Option<u8>,
    is_closed: bool,
    best: &mut u32,
) {
    if so_far >= *best {
        return;
    }
    if left == 0 {
        *best = (*best).min(so_far + back.map_or(0, |back| far.between(from, back)));
        return;
    }
    for (i, piece) in pieces.iter().enumerate().filter(|&(i, _)| left >> i & 1 == 1) {
        let left = left & !(1 << i);
        if piece[0] == END {
            if left == 0 && is_closed {
                *best = (*best).min(so_far + far.between(from, piece[1]));
            }
            continue;
        }
        for turn in 0..2 {
            let so_far = so_far + far.between(from, piece[turn]);
            chain(pieces, far, piece[1 - turn], left, so_far, back, is_closed, best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places on a line, so far from each other as their numbers are.
    fn line(places: usize) -> Vec<u32> {
        let number = |i: usize| i as u32;
        (0..places * places).map(|i| number(i / places).abs_diff(number(i % places))).collect()
    }

    fn least(mates: &[u8], shape: Shape) -> [u32; 2] {
        let least = |most, is_exact| Bound::new().least(mates, &line(mates.len()), shape, most, is_exact);
        let both = [true, false].map(|is_exact| least(99, is_exact).expect("99 are enough"));
        assert_eq!(least(both[0], true), Some(both[0]));
        assert!(both[0] == 0 || least(both[0] - 1, true).is_none());
        both
    }

    #[test]
    fn pieces_are_joined_the_shortest_way() {
        assert_eq!(least(&[UNTOUCHED, DONE], Shape::Path), [0, 0]);
        assert_eq!(least(&[3, UNTOUCHED, DONE, 0], Shape::Cycle), [3, 3]);
        // 0-1 and 4-5: from 1 to 4; as a cycle also from 5 to 0.
        let two = [1, 0, DONE, DONE, 5, 4];
        assert_eq!(least(&two, Shape::Path)[0], 3);
        assert_eq!(least(&two, Shape::Cycle)[0], 8);
        // An end at 0, one at 5, and 1-3 between: 0 to 1, 3 to 5.
        let ends = [END, 3, DONE, 1, DONE, END];
        assert_eq!(least(&ends, Shape::Path)[0], 3);
        assert_eq!(least(&[DONE, END, DONE, END], Shape::Path), [2, 2]);
        // An end at 5, nothing at the other: 5 to 3.
        assert_eq!(least(&[DONE, 3, DONE, 1, DONE, END], Shape::Path)[0], 2);
    }

    #[test]
    fn the_way_to_a_far_end_counts_in_full() {
        // 0 to 1, 2 to 3, and 4 to 11.
        let far = [END, 2, 1, 4, 3, DONE, DONE, UNTOUCHED, DONE, DONE, DONE, END];
        assert_eq!(least(&far, Shape::Path), [9, 9]);
    }

    #[test]
    fn a_quick_bound_is_no_larger() {
        let kinds = [UNTOUCHED, END];
        for (i, j, k) in (0..2).flat_map(|i| (0..2).flat_map(move |j| (0..2).map(move |k| (i, j, k)))) {
            let mates = [kinds[i], 3, kinds[j], 1, kinds[k], 7, UNTOUCHED, 5];
            if i + j + k <= 2 {
                let [exact, quick] = least(&mates, Shape::Path);
                assert!(quick <= exact, "{mates:?}: {quick} and {exact}");
            }
            if i + j + k == 0 {
                let [exact, quick] = least(&mates, Shape::Cycle);
                assert!(quick <= exact);
            }
        }
    }
}
