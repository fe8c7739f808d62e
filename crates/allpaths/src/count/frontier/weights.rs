//! What edges and vertices weigh.

use super::amounts::{Amounts, Elements};
use super::numbers::Numbers;
use super::plan::Step;
use super::state::{State, UNTOUCHED};
use crate::count::ring::{Ring, integer, product};

/// What decisions on a vertex weigh; a path or cycle weighs the product of its decisions.
pub(super) trait Weights: Sync {
    type Amounts: Amounts;
    /// What a step has to know.
    type AtStep: Sync;

    fn at(&self, step: &Step) -> Self::AtStep;

    /// Whether the vertex of the step may be an end of a path.
    fn may_end(at: &Self::AtStep) -> bool;

    /// What a choice weighs, with all that are like it.
    fn factor(at: &Self::AtStep, choice: Choice<'_>) -> <Self::Amounts as Amounts>::Factor;
}

/// What becomes of the vertex of a step.
pub(super) struct Choice<'a> {
    /// What was before.
    pub(super) state: &'a State,
    /// The places that it is joined to.
    pub(super) joined: &'a [u8],
    /// Whether the path ends at it.
    pub(super) is_end: bool,
    /// How many choices are like this.
    pub(super) times: u32,
}

/// Everything counts as one.
pub(super) struct Alike;

impl Weights for Alike {
    type Amounts = Numbers;
    type AtStep = ();

    fn at(&self, _: &Step) {}

    #[inline]
    fn may_end((): &()) -> bool {
        true
    }

    #[inline]
    fn factor((): &(), choice: Choice<'_>) -> u32 {
        choice.times
    }
}

/// Weights of a commutative ring.
pub(super) struct Weighed<R> {
    /// By vertex: its neighbours, ascending, each with what the edge weighs.
    pub(super) edges: Vec<Vec<(u32, R)>>,
    /// By vertex: what it weighs inside a path, or on a cycle.
    pub(super) inner: Vec<R>,
    /// By vertex: whether paths may end there.
    pub(super) may_end: Vec<bool>,
}

impl<R: Ring> Weighed<R> {
    /// Whether nothing changes when two vertices with the same neighbours change places.
    pub(super) fn is_alike(&self, u: u32, v: u32) -> bool {
        let row = |v: u32, other: u32| self.edges[v as usize].iter().filter(move |(w, _)| *w != other);
        let [one, other] = [u, v].map(|v| v as usize);
        self.inner[one] == self.inner[other]
            && self.may_end[one] == self.may_end[other]
            && row(u, v).eq(row(v, u))
    }
}

/// What the vertex of a step and its neighbours weigh.
pub(super) struct Around<R> {
    may_end: bool,
    inner: R,
    /// By place: what it weighs to be joined to it, where it is untouched, and where it becomes the inside of a path.
    joined: Vec<[R; 2]>,
}

impl<R: Ring> Weights for Weighed<R> {
    type Amounts = Elements<R>;
    type AtStep = Around<R>;

    fn at(&self, step: &Step) -> Around<R> {
        let vertex = step.vertices[step.vertex as usize] as usize;
        let row = &self.edges[vertex];
        let joined = |&w: &u32| match row.binary_search_by_key(&w, |&(w, _)| w) {
            Ok(at) => [row[at].1.clone(), product(&row[at].1, &self.inner[w as usize])],
            Err(_) => [R::zero(), R::zero()],
        };
        Around {
            may_end: self.may_end[vertex],
            inner: self.inner[vertex].clone(),
            joined: step.vertices.iter().map(joined).collect(),
        }
    }

    fn may_end(at: &Around<R>) -> bool {
        at.may_end
    }

    fn factor(at: &Around<R>, Choice { state, joined, is_end, times }: Choice<'_>) -> R {
        let first = if is_end { R::one() } else { at.inner.clone() };
        let weigh = |&place: &u8| {
            let place = place as usize;
            &at.joined[place][usize::from(state.mates[place] != UNTOUCHED)]
        };
        let weight = joined.iter().map(weigh).fold(first, |weight, next| product(&weight, next));
        if times == 1 { weight } else { product(&weight, &integer(times.into())) }
    }
}
