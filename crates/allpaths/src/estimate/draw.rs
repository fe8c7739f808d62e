//! One sample: a random path, or cycle, and how many it stands for.

use super::guide::{Goal, Guide};
use super::net::Net;
use crate::random::ChaCha8;

/// Walks at random, and visits no vertex twice. Scratch, to be used again and again.
pub(super) struct Walker {
    is_visited: Vec<bool>,
    path: Vec<usize>,
}

impl Walker {
    pub(super) fn new(order: usize) -> Self {
        Self { is_visited: vec![false; order], path: Vec::new() }
    }

    /// Walks from a root and gives the share of all walks that were still open: the product, over its steps, of the share of walks that go on to
    /// a vertex not yet visited. Its mean, times the number of walks from the root, is the number of paths: each path is walked with the
    /// probability 1 / (walks · share).
    pub(super) fn walk(
        &mut self,
        net: &Net,
        guide: &Guide,
        goal: Goal,
        root: usize,
        length: usize,
        random: &mut ChaCha8,
    ) -> f64 {
        let Self { is_visited, path } = self;
        let (mut at, mut walks, mut share) = (root, guide.mass(net, root, length), 1.0);
        if goal == Goal::Anywhere {
            is_visited[root] = true;
            path.push(root);
        }
        for left in (0..length).rev() {
            let open = |arc: &usize| !is_visited[net.target(*arc)];
            let free: f64 = net.row(at).filter(open).map(|arc| guide.walks(left, arc)).sum();
            if free == 0.0 {
                share = 0.0;
                break;
            }
            share *= free / walks;
            let mut place = random.unit() * free;
            let mut chosen = None;
            for arc in net.row(at).filter(open).filter(|&arc| guide.walks(left, arc) > 0.0) {
                // Rounding may leave a little place after the last one.
                chosen = Some(arc);
                place -= guide.walks(left, arc);
                if place < 0.0 {
                    break;
                }
            }
            let Some(arc) = chosen else { break };
            (at, walks) = (net.target(arc), guide.walks(left, arc));
            is_visited[at] = true;
            path.push(at);
        }
        path.drain(..).for_each(|v| is_visited[v] = false);
        share
    }
}
