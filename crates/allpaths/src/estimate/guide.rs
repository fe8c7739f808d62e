//! How many walks go on from each arc: what a sample goes by.

use super::net::Net;

/// What walks are after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// They may end anywhere.
    Anywhere,
    /// They return to where they began, and see no vertex before it.
    Back,
}

/// By steps that are left and by arc: the number of walks that take the arc and then go on for so many steps without turning straight back.
///
/// For walks back to a root, only arcs from vertices near enough to it are known.
#[derive(Default)]
pub(super) struct Guide {
    steps: Vec<Vec<f64>>,
    /// By vertex: the walks that go on from it.
    sums: Vec<f64>,
    /// The vertices whose arcs are known, and for each vertex whether it is one of them.
    near: Vec<u32>,
    is_near: Vec<bool>,
}

/// Whole numbers below this are exact in a double, and so are their differences.
const EXACT: f64 = (1u64 << 53) as f64;

impl Guide {
    /// Of walks that may end anywhere.
    pub(super) fn anywhere(net: &Net, longest: usize) -> Self {
        let mut guide = Self {
            near: (0..net.order() as u32).collect(),
            is_near: vec![true; net.order()],
            ..Self::default()
        };
        guide.fill(net, longest, |_, is_last| is_last.then_some(1.0));
        guide
    }

    /// Turns to walks from a root back to it, among vertices that come after. Gives the number of arcs it had to look at.
    pub(super) fn back(&mut self, net: &Net, root: usize, longest: usize) -> usize {
        self.gather(net, root, longest / 2);
        // The last step, and no other, is to the root.
        self.fill(net, longest, |target, is_last| match (target == root, is_last) {
            (true, true) => Some(1.0),
            (false, false) => None,
            _ => Some(0.0),
        })
    }

    /// Finds the vertices around a root, not before it, that are at most so many steps away in whichever direction.
    fn gather(&mut self, net: &Net, root: usize, radius: usize) {
        self.is_near.resize(net.order(), false);
        self.near.drain(..).for_each(|v| self.is_near[v as usize] = false);
        self.near.push(root as u32);
        self.is_near[root] = true;
        let mut begin = 0;
        for _ in 0..radius {
            let end = self.near.len();
            for i in begin..end {
                for &w in net.around(self.near[i] as usize) {
                    if w as usize > root && !std::mem::replace(&mut self.is_near[w as usize], true) {
                        self.near.push(w);
                    }
                }
            }
            begin = end;
        }
    }

    /// Fills the tables, one after the other, from those with fewer steps left. `known` gives the number of walks to a vertex where it need not be summed up;
    /// it is told whether this is the last step.
    fn fill(&mut self, net: &Net, longest: usize, known: impl Fn(usize, bool) -> Option<f64>) -> usize {
        let Self { steps, sums, near, is_near } = self;
        steps.resize_with(longest, Vec::new);
        steps.iter_mut().for_each(|table| table.resize(net.arcs(), 0.0));
        sums.resize(net.order(), 0.0);
        for left in 0..longest {
            let (before, now) = steps.split_at_mut(left);
            let (before, now) = (before.last().map_or(&[][..], Vec::as_slice), &mut now[0]);
            if left > 0 {
                near.iter().for_each(|&v| sums[v as usize] = before[net.row(v as usize)].iter().sum());
            }
            for arc in near.iter().flat_map(|&v| net.row(v as usize)) {
                let target = net.target(arc);
                let on = || {
                    let back = net.back(arc).map_or(0.0, |back| before[back]);
                    let (all, others) = (sums[target], sums[target] - back);
                    // What rounding took from a large number must not be lost: where nobody goes, nothing is found.
                    if all < EXACT { others } else { others.max(all / EXACT) }
                };
                now[arc] = if is_near[target] { known(target, left == 0).unwrap_or_else(on) } else { 0.0 };
            }
        }
        near.iter().map(|&v| net.row(v as usize).len()).sum::<usize>() * longest
    }

    /// The number of walks of a length from a vertex.
    pub(super) fn mass(&self, net: &Net, v: usize, length: usize) -> f64 {
        net.row(v).map(|arc| self.steps[length - 1][arc]).sum()
    }

    /// The number of walks that take an arc and go on for so many steps.
    #[inline]
    pub(super) fn walks(&self, left: usize, arc: usize) -> f64 {
        self.steps[left][arc]
    }
}
