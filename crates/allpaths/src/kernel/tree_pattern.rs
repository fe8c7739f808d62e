//! The tree pattern kernel: pairs of trees that can be laid into both graphs.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::pairs::{Pairwise, Plain};
use crate::label::LabelChoice;
use crate::{Error, Result};

/// What makes a tree weigh less, or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TreeWeights {
    /// The number of its leaves less one: `lambda` to that power. Walks weigh 1.
    #[default]
    Branching,
    /// The number of its vertices less that of its levels: `lambda` to that power. Walks weigh 1 here, too.
    Size,
}

/// Whether a tree may turn straight back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tottering {
    /// A vertex of the tree may lie where its grandparent does.
    #[default]
    Allowed,
    /// It may not, in either graph.
    Excluded,
}

/// Compares graphs by pairs of tree patterns: ways to lay the same tree, with labels and with all leaves at the same depth, into both.
///
/// A pattern takes the children of a vertex from its neighbours, each neighbour once; what lies further apart in the tree may coincide in the graph. Its
/// weight depends on how many vertices or leaves it has. With all weight on trees that do not branch, as `lambda` goes to 0, this is the kernel of walks
/// of one length.
///
/// All leaves are `height` edges below the root; the authors count levels, one more. Left out: trees with leaves at different depths, and labels of edges.
///
/// # Errors
///
/// Vertices with more than 12 neighbours of one label are refused: there are too many ways to match those.
///
/// # Complexity
///
/// For each pair of graphs, for each level, pairs of different trees of all neighbours, times the ways to match two sets of neighbours with the same label:
/// `2^d d^2` for `d` of them.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::TreePattern};
/// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?;
/// // Trees of one edge: 4 in each, 4 x 4 pairs. Of two, both at the middle: 1 pair of neighbours matched with itself in two ways.
/// let gram = GraphKernel::new(TreePattern::of_height(1).lambda(0.5)).fit(&[path])?.gram::<f64>()?;
/// assert_eq!(gram.values(), [16.0 + 0.5 * 2.0]);
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Mahé and Vert, Graph kernels based on tree patterns for molecules, 2009; Ramon and Gärtner, Expressivity versus efficiency of graph kernels, 2003.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TreePattern {
    height: usize,
    lambda: f64,
    tree_weights: TreeWeights,
    tottering: Tottering,
    pub(super) labels: LabelChoice,
}

impl Default for TreePattern {
    fn default() -> Self {
        Self::of_height(Self::HEIGHT)
    }
}

/// The most neighbours of one label.
const MOST: usize = 12;

impl TreePattern {
    /// The height if nobody says which.
    pub const HEIGHT: usize = 3;

    /// The base of weights if nobody says which.
    pub const LAMBDA: f64 = 0.1;

    /// Trees whose leaves are all so many edges below the root.
    pub fn of_height(height: usize) -> Self {
        Self {
            height,
            lambda: Self::LAMBDA,
            tree_weights: TreeWeights::default(),
            tottering: Tottering::default(),
            labels: LabelChoice::All,
        }
    }

    /// Sets the base of weights.
    #[must_use]
    pub fn lambda(mut self, lambda: f64) -> Self {
        self.lambda = lambda;
        self
    }

    /// Sets what weights depend on.
    #[must_use]
    pub fn tree_weights(mut self, tree_weights: TreeWeights) -> Self {
        self.tree_weights = tree_weights;
        self
    }

    /// Sets whether trees may turn straight back.
    #[must_use]
    pub fn tottering(mut self, tottering: Tottering) -> Self {
        self.tottering = tottering;
        self
    }

    /// Sets which labels are told apart: all by default, none with `LabelChoice::Commonest(1)`.
    #[must_use]
    pub fn labels(mut self, choice: LabelChoice) -> Self {
        self.labels = choice;
        self
    }

    /// Checks the settings.
    pub(super) fn check_settings(&self) -> Result<()> {
        match self {
            Self { lambda, .. } if !(*lambda > 0.0 && lambda.is_finite()) => {
                Err(Error::settings(format!("a lambda of {lambda}: it is above 0")))
            }
            Self { height: 1000.., .. } => {
                Err(Error::settings(format!("trees of height {} are beyond reason: below 1000", self.height)))
            }
            _ => Ok(()),
        }
    }
}

/// The different trees of some height that grow in a graph: of all vertices, or of all arcs, away from where they come from.
#[derive(Default)]
struct Level {
    /// By tree: the label of its root, ascending.
    labels: Vec<u64>,
    /// By tree: where its children begin, and where the last end.
    offsets: Vec<usize>,
    /// Trees of the level below, ascending, and so by label.
    children: Vec<u32>,
}

impl Level {
    fn len(&self) -> usize {
        self.labels.len()
    }

    fn children(&self, tree: usize) -> &[u32] {
        &self.children[self.offsets[tree]..self.offsets[tree + 1]]
    }

    /// The different ones among trees, given by the labels and the children of their roots; and which each of them is.
    fn of(trees: &[(u64, Vec<u32>)]) -> (Self, Vec<u32>) {
        let mut different: Vec<&(u64, Vec<u32>)> = trees.iter().collect();
        different.sort_unstable();
        different.dedup();
        let which =
            trees.iter().map(|tree| different.partition_point(|other| *other < tree) as u32).collect();
        let mut level = Self { offsets: vec![0], ..Self::default() };
        for (label, children) in different {
            level.labels.push(*label);
            level.children.extend(children);
            level.offsets.push(level.children.len());
        }
        (level, which)
    }
}

/// A graph as its trees.
pub(super) struct Seen {
    /// From leaves to roots.
    levels: Vec<Level>,
    /// By tree of the highest level: at how many vertices it grows.
    counts: Vec<f64>,
}

/// Sums over pairs of trees of the level at hand and of the one below.
#[derive(Default)]
pub(super) struct Scratch {
    above: Vec<f64>,
    below: Vec<f64>,
    matchings: Vec<f64>,
}

/// Goes through pairs of ranges with the same label.
fn common<L: PartialOrd + Copy>(left: &[L], right: &[L], mut hear: impl FnMut(Range<usize>, Range<usize>)) {
    let (mut i, mut j) = (0, 0);
    let run = |labels: &[L], begin: usize| {
        begin + labels[begin..].iter().take_while(|&&label| label == labels[begin]).count()
    };
    while i < left.len() && j < right.len() {
        if left[i] < right[j] {
            i += 1;
        } else if left[i] > right[j] {
            j += 1;
        } else {
            let (last, end) = (run(left, i), run(right, j));
            hear(i..last, j..end);
            (i, j) = (last, end);
        }
    }
}

impl Pairwise for TreePattern {
    type Seen = Seen;
    type Scratch = Scratch;

    fn check(&self, graph: &Plain) -> Result<(), String> {
        let label = |&w: &u32| graph.labels()[w as usize];
        let alike =
            |v: usize| graph.neighbours(v).chunk_by(|a, b| label(a) == label(b)).map(<[_]>::len).max();
        match (0..graph.order()).filter_map(alike).max() {
            Some(most) if most > MOST && self.height > 0 => Err(format!(
                "has a vertex with {most} neighbours of one label: more than {MOST} can be matched in too many ways for tree patterns"
            )),
            _ => Ok(()),
        }
    }

    fn see(&self, graph: &Plain) -> Seen {
        let label = |v: usize| graph.labels()[v];
        let sorted = |mut children: Vec<u32>| {
            children.sort_unstable();
            children
        };
        let excluded = self.tottering == Tottering::Excluded;
        let sources: Vec<u32> =
            (0..graph.order()).flat_map(|v| graph.arcs(v).map(move |_| v as u32)).collect();
        // Trees of the level below, by vertex, or by the arc that leads to their root.
        let mut which: Vec<u32> = Vec::new();
        let mut levels = Vec::new();
        for height in 0..=self.height {
            let child = |arc: usize| which[if excluded { arc } else { graph.targets()[arc] as usize }];
            let at_vertex = |v: usize| {
                let children = if height == 0 { Vec::new() } else { graph.arcs(v).map(child).collect() };
                (label(v), sorted(children))
            };
            let at_arc = |arc: usize| {
                let v = graph.targets()[arc] as usize;
                let away = graph.arcs(v).filter(|&next| graph.targets()[next] != sources[arc]);
                let children = if height == 0 { Vec::new() } else { away.map(child).collect() };
                (label(v), sorted(children))
            };
            let trees: Vec<_> = match excluded && height < self.height {
                true => (0..graph.targets().len()).map(at_arc).collect(),
                false => (0..graph.order()).map(at_vertex).collect(),
            };
            let (level, all) = Level::of(&trees);
            levels.push(level);
            which = all;
        }
        let mut counts = vec![0.0; levels[self.height].len()];
        which.iter().for_each(|&tree| counts[tree as usize] += 1.0);
        Seen { levels, counts }
    }

    fn pair(&self, left: &Seen, right: &Seen, scratch: &mut Scratch) -> f64 {
        let Scratch { above, below, matchings } = scratch;
        let lambda = self.lambda;
        // What is multiplied for each vertex of the tree, for each child, and for all children of a vertex together.
        let (vertex, child, all) = match self.tree_weights {
            TreeWeights::Size => (lambda, 1.0, 1.0),
            TreeWeights::Branching => (1.0, lambda, lambda.recip()),
        };
        let mut width = 0;
        for (height, (mine, theirs)) in left.levels.iter().zip(&right.levels).enumerate() {
            let columns = theirs.len();
            above.clear();
            above.resize(mine.len() * columns, 0.0);
            common(&mine.labels, &theirs.labels, |rows, others| {
                for a in rows {
                    for b in others.clone() {
                        above[a * columns + b] = vertex
                            * match height {
                                0 => 1.0,
                                _ => {
                                    let children = (mine.children(a), theirs.children(b));
                                    let levels = (&left.levels[height - 1], &right.levels[height - 1]);
                                    all * matched(
                                        children,
                                        levels,
                                        |c, d| child * below[c * width + d],
                                        matchings,
                                    )
                                }
                            };
                    }
                }
            });
            width = columns;
            std::mem::swap(above, below);
        }
        let rows = left.counts.iter().zip(below.chunks(width.max(1)));
        let sum: f64 = rows
            .map(|(mine, row)| {
                mine * row.iter().zip(&right.counts).map(|(value, theirs)| value * theirs).sum::<f64>()
            })
            .sum();
        match self.tree_weights {
            TreeWeights::Size => sum / lambda.powf(self.height as f64 + 1.0),
            TreeWeights::Branching => sum,
        }
    }
}

/// The sum over all ways to match some children of one vertex, at least one, with as many of another, each with one of the same label, of the product of
/// what their pairs are worth.
fn matched(
    (left, right): (&[u32], &[u32]),
    (mine, theirs): (&Level, &Level),
    worth: impl Fn(usize, usize) -> f64,
    scratch: &mut Vec<f64>,
) -> f64 {
    let mut total = 0.0;
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        let (a, b) = (mine.labels[left[i] as usize], theirs.labels[right[j] as usize]);
        if a != b {
            (i, j) = (i + usize::from(a < b), j + usize::from(b < a));
            continue;
        }
        let end = |children: &[u32], level: &Level, begin: usize| {
            begin + children[begin..].iter().take_while(|&&tree| level.labels[tree as usize] == a).count()
        };
        let (last, until) = (end(left, mine, i), end(right, theirs, j));
        let (rows, columns) = (&left[i..last], &right[j..until]);
        let some = match rows.len() < columns.len() {
            true => matchings(columns, rows, |c, d| worth(d, c), scratch),
            false => matchings(rows, columns, &worth, scratch),
        };
        // Some of these, some of those, or some of both.
        total += some + total * some;
        (i, j) = (last, until);
    }
    total
}

/// The sum over all nonempty matchings of rows with columns, by which columns are taken.
fn matchings(
    rows: &[u32],
    columns: &[u32],
    worth: impl Fn(usize, usize) -> f64,
    taken: &mut Vec<f64>,
) -> f64 {
    if let [column] = columns {
        return rows.iter().map(|&row| worth(row as usize, *column as usize)).sum();
    }
    taken.clear();
    taken.resize(1 << columns.len(), 0.0);
    taken[0] = 1.0;
    for &row in rows {
        // From large sets to small ones, so that those before have not met this row.
        for set in (1..taken.len()).rev() {
            let mut left = set;
            while left > 0 {
                let column = left.trailing_zeros() as usize;
                left &= left - 1;
                taken[set] += taken[set ^ 1 << column] * worth(row as usize, columns[column] as usize);
            }
        }
    }
    taken[1..].iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matchings_of_equal_worth_are_counted() {
        // Of 3 rows with 2 columns: 6 of one pair, 6 of two.
        let mut scratch = Vec::new();
        assert_eq!(matchings(&[0, 1, 2], &[0, 1], |_, _| 1.0, &mut scratch).to_bits(), 12.0f64.to_bits());
        assert_eq!(
            matchings(&[0, 1, 2], &[7], |row, _| row as f64, &mut scratch).to_bits(),
            3.0f64.to_bits()
        );
    }
}
