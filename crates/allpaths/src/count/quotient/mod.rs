//! Engine `quotient`: dense graphs, and large networks.
//!
//! The number of paths is a signed sum of numbers of walks, namely of all maps of the quotients of the path into the graph
//! (Curticapean, Dell and Marx). Those are sums of products, and algebra does not care how many there are: the cost depends on the graph's
//! vertices and edges alone, not on its paths.
//!
//! [`pattern`] has the quotients and their coefficients, [`reduce`] expresses them, [`plan`] keeps the expressions and shares what they have in
//! common, [`merge`] adds them up where they end alike, [`evaluate`] evaluates them on a graph, over any commutative [`Ring`], and [`labour`] sums up. A plan is made when it is first needed, and kept.
//!
//! Paths to length 6 and cycles to length 7 take one vertex pinned at a time: products of rows with matrices that are nothing but on the edges of
//! the graph, `n m` steps each. Longer ones, to 9, take a second vertex held fixed, `n^2 m` steps.

mod evaluate;
mod labour;
mod merge;
mod pattern;
mod plan;
mod reduce;
mod support;

use std::sync::{Arc as Shared, LazyLock, Mutex, PoisonError};

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::Subject;
use super::engine::{Bounds, Method, PairRows, Question, Rooted, Run, Weight, widened};
use super::limits::{Allowance, Job, Limits, Outcome};
use super::number::Count;
use super::ring::{Ring, Whole};
use super::walks::{self, Width};
use crate::Graph;
use crate::graph::Arc;
use labour::Labour;
use pattern::{Kind, Roots, Traits, quotients};
use plan::{Amounts, Nodes, Plan};
use support::Support;

/// The longest length this engine counts.
const LONGEST: usize = pattern::LONGEST;

/// The longest between two vertices, or all pairs: beyond, some quotients would take two vertices held fixed.
const LONGEST_BETWEEN: usize = 7;

/// The most memory that counts between all pairs of vertices may take, where nobody says otherwise.
const MOST_BYTES: f64 = 8e9;

/// The most classes of ends of labelled paths.
pub(crate) const MOST_CLASSES: usize = 64;

/// What a plan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Query {
    paths: bool,
    cycles: bool,
    roots: Roots,
    max_length: usize,
    traits: Traits,
    /// How many classes the ends of paths have, where vertices are labelled. For the last of them, paths to all are counted.
    ends: u8,
}

/// The plan for a question; made once.
fn plan(query: Query) -> Shared<Plan> {
    static PLANS: LazyLock<Mutex<FxHashMap<Query, Shared<Plan>>>> = LazyLock::new(Mutex::default);
    let plans = || PLANS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(plan) = plans().get(&query) {
        return plan.clone();
    }
    let plan = Shared::new(query.plan());
    plans().entry(query).or_insert(plan).clone()
}

impl Query {
    fn plan(self) -> Plan {
        let mut nodes = Nodes::new(self.traits, self.ends);
        let mut inner = Nodes::new(self.traits, self.ends);
        let (mut terms, mut held) = (Vec::new(), Vec::new());
        let kinds = [(Kind::Path, self.paths), (Kind::Cycle, self.cycles)];
        for length in 1..=self.max_length {
            for (kind, _) in kinds.into_iter().filter(|&(_, asked)| asked) {
                let ends = if kind == Kind::Path { self.ends.max(1) } else { 1 };
                for (pattern, coefficient) in quotients(kind, length, self.roots, self.traits) {
                    for end in 0..ends {
                        let slot = slot(length, kind, end);
                        if let Some(term) = reduce::term(&mut nodes, &pattern, end, slot, coefficient) {
                            terms.push(term);
                            continue;
                        }
                        let both = [&mut nodes, &mut inner];
                        let term = reduce::held_term(both, &pattern, end, slot, coefficient);
                        held.push(term.expect("no quotient so short takes more"));
                    }
                }
            }
        }
        let terms = merge::merged(&mut nodes, &terms);
        held.iter().filter_map(|term| term.fixed).for_each(|id| nodes.need(id));
        let held = (!held.is_empty()).then(|| Box::new(Plan::new(inner, held, None)));
        Plan::new(nodes, terms, held)
    }
}

/// The place of a sum: by class of the last vertex, length and kind.
fn slot(length: usize, kind: Kind, end: u8) -> usize {
    (usize::from(end) * pattern::MOST + length) * 2 + usize::from(kind == Kind::Cycle)
}

/// The engine at work on a graph.
pub(crate) struct Quotient<'a> {
    graph: &'a Graph,
    subject: Subject,
}

/// Evaluates the plan for a question, and gives what `read` makes of it.
fn evaluated<R: Ring, T>(
    query: Query,
    support: &Support<R>,
    run: Run<'_>,
    read: impl FnOnce(&Labour<'_, R>) -> Result<T, Outcome>,
) -> Result<T, Outcome> {
    let allowance = Allowance::new(run.job);
    let plan = plan(query);
    let work = Labour::new(plan, support, &allowance, run.parallel);
    let is_small = work.plan.held.is_none() && work.evaluator.share >= 1.0 && work.plan.stages.len() == 1;
    let found = read(&work)?;
    // Whoever was late or is over the budget hears of it even where there was nothing to do.
    drop(allowance.meter());
    if is_small && work.plan.ends.rows.is_empty() {
        allowance.advance(1.0);
    }
    match allowance.outcome() {
        Outcome::Complete => Ok(found),
        stopped => Err(stopped),
    }
}

impl<'a> Quotient<'a> {
    pub(crate) fn new(graph: &'a Graph, subject: Subject) -> Self {
        Self { graph, subject }
    }

    fn query(&self, roots: Roots, max_length: usize, plain: bool) -> Query {
        let traits = Traits { symmetric: !self.graph.is_directed(), plain, labelled: false };
        Query {
            paths: self.subject.has_paths(),
            cycles: self.subject.has_cycles(),
            roots,
            max_length,
            traits,
            ends: 0,
        }
    }

    fn totals<R: Ring>(
        &self,
        subject: Subject,
        weight: Option<&dyn Fn(Arc) -> R>,
        run: Run<'_>,
    ) -> Result<Rooted<R>, Outcome> {
        let quotient = Quotient { subject, ..*self };
        let query = quotient.query(Roots::None, run.max_length, weight.is_none());
        evaluated(query, &Support::new(self.graph, weight), run, |work| {
            let (_, answer) = work.answer()?;
            let sums = |length| [Kind::Path, Kind::Cycle].map(|kind| answer.sum(length, kind));
            Ok((0..=run.max_length).map(sums).collect())
        })
    }

    fn vertices<R: Whole>(&self, run: Run<'_>) -> Result<Vec<Rooted>, Outcome> {
        let query = self.query(Roots::First, run.max_length, true);
        evaluated(query, &Support::<R>::new(self.graph, None), run, |work| {
            let (_, answer) = work.answer()?;
            let counts = |vertex, length| {
                [Kind::Path, Kind::Cycle].map(|kind| answer.at(length, kind, 0, vertex).count())
            };
            let of_vertex = |vertex| (0..=run.max_length).map(|length| counts(vertex, length)).collect();
            Ok((0..self.graph.order()).map(of_vertex).collect())
        })
    }

    fn pairs<R: Whole>(&self, run: Run<'_>) -> Result<PairRows, Outcome> {
        let query = Query { cycles: false, ..self.query(Roots::Both, run.max_length, true) };
        evaluated(query, &Support::<R>::new(self.graph, None), run, |work| {
            let (values, _) = work.answer()?;
            let order = self.graph.order();
            let batches = work.rows(&values, |rows, first, pins| {
                let row = |lane: usize| {
                    let count = |rows: &Vec<evaluate::Lanes<R>>, last: usize| {
                        rows[last][lane].count().to_u128().expect("the ring has no more bits")
                    };
                    let entry = |last: usize| {
                        let counts: Vec<u128> = rows.iter().map(|rows| count(rows, last)).collect();
                        (last != first + lane && counts.iter().any(|&n| n > 0))
                            .then_some((last as u32, counts))
                    };
                    (0..order).filter_map(entry).collect::<Vec<_>>()
                };
                (0..pins).map(row).collect::<Vec<_>>()
            })?;
            Ok(batches.into_iter().flatten().collect())
        })
    }

    fn pair<R: Whole>(&self, source: usize, target: usize, run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        let query = Query { cycles: false, ..self.query(Roots::Both, run.max_length, true) };
        evaluated(query, &Support::<R>::new(self.graph, None), run, |work| {
            let (values, _) = work.answer()?;
            let (plan, evaluator) = (&work.plan, &work.evaluator);
            let mut rows = evaluator.new_rows(&plan.ends);
            evaluator.rows(&plan.nodes, &values, &plan.ends, source, &mut rows);
            evaluator.allowance.advance(evaluator.share);
            let sums = work.path_rows(&values, &mut rows, source, 1)?;
            let counts = sums.iter().map(|rows| rows[target][0].count());
            Ok(std::iter::once(Count::ZERO).chain(counts).collect())
        })
    }

    /// Sums what paths and cycles weigh, by length, and by the classes of their first and last vertices: for each length the pairs of
    /// classes, row by row, with the sums of paths and of cycles. A vertex inside a path weighs what `weights` has for its class, a cycle all its
    /// vertices but the first. Loops are left out. There may be [`MOST_CLASSES`] classes.
    ///
    /// # Errors
    ///
    /// With the outcome, when it was stopped before the end.
    pub(crate) fn by_ends<R: Ring>(
        &self,
        class: &[u32],
        weights: &[R],
        max_length: usize,
        job: Job<'_>,
    ) -> Result<Vec<Rooted<R>>, Outcome> {
        let run = Run { max_length, job, parts: 1, parallel: false };
        let query = self.query(Roots::First, max_length, true);
        let classes = weights.len();
        let ends = u8::try_from(classes).expect("the caller has few classes");
        let query = Query { traits: Traits { labelled: true, ..query.traits }, ends, ..query };
        let support = Support::new(self.graph, None).labelled(class, weights);
        evaluated(query, &support, run, |work| {
            let (_, answer) = work.answer()?;
            let mut sums = vec![vec![[R::zero(), R::zero()]; classes * classes]; max_length + 1];
            for (length, sums) in sums.iter_mut().enumerate() {
                for (vertex, &first) in class.iter().enumerate() {
                    let row = first as usize * classes;
                    for last in 0..ends {
                        let paths = answer.at(length, Kind::Path, last, vertex);
                        sums[row + usize::from(last)][0].add(&paths);
                        // Paths to the last class are all but those to the others.
                        if last + 1 < ends {
                            sums[row + classes - 1][0].subtract(&paths);
                        }
                    }
                    sums[row + first as usize][1].add(&answer.at(length, Kind::Cycle, 0, vertex));
                }
            }
            Ok(sums)
        })
    }

    /// What a question will take.
    pub(super) fn expected(&self, question: Question, longest: usize) -> Work {
        let (roots, plain) = match question {
            Question::Total => (Roots::None, true),
            Question::Weights => (Roots::None, false),
            Question::Each => (Roots::First, true),
            Question::Pairs | Question::Between(..) => (Roots::Both, true),
        };
        let query = self.query(roots, longest, plain);
        let plan = plan(Query { cycles: query.cycles && roots != Roots::Both, ..query });
        let (graph, order) = (self.graph, self.graph.order() as f64);
        let directions = if graph.is_directed() { 2 } else { 1 };
        let degree = |v| (graph.neighbours(v).len() * directions) as f64;
        let [arcs, squares] =
            [1, 2].map(|power| (0..graph.order()).map(|v| degree(v).powi(power)).sum::<f64>());
        let pins = if matches!(question, Question::Between(..)) { 1.0 } else { order };
        let of_plan = |plan: &Plan, pins: f64| {
            let Amounts { sampled, applied, needed, .. } = plan.amounts;
            let is_sparse = 4.0 * squares < order * arcs;
            let mut work = Work { side_by_side: 0.0, alone: applied * arcs, nodes: needed };
            for ([near, far, rows], pins) in [(plan.amounts.inside, order), (plan.amounts.ends, pins)] {
                let aside = if is_sparse { far } else { near + far };
                work.side_by_side += pins * (aside * arcs + rows * order);
                work.alone += if is_sparse { near * pins / order * squares } else { 0.0 };
            }
            match is_sparse {
                true => work.alone += sampled * squares,
                false => work.side_by_side += sampled * order * arcs,
            }
            work
        };
        let mut work = of_plan(&plan, pins);
        if let Some(held) = &plan.held {
            let held = of_plan(held, 1.0);
            work.side_by_side += pins * held.side_by_side;
            work.alone += pins * held.alone;
            work.nodes += pins * held.nodes;
        }
        work
    }
}

/// What a question will take.
pub(super) struct Work {
    /// Numbers that are multiplied and added, side by side with others.
    pub(super) side_by_side: f64,
    /// Those that stand alone.
    pub(super) alone: f64,
    /// Expressions.
    pub(super) nodes: f64,
}

/// The longest length for which a question is answered.
pub(super) fn longest(question: Question) -> usize {
    match question {
        Question::Pairs | Question::Between(..) => LONGEST_BETWEEN,
        _ => LONGEST,
    }
}

impl Method for Quotient<'_> {
    fn bounds(&self, question: Question, longest: usize, limits: &Limits) -> Bounds {
        let steps = |length: usize| {
            let work = self.expected(question, length);
            work.side_by_side + work.alone
        };
        let all = steps(longest);
        // Less is over before anybody can stop it.
        if limits.steps.is_none() && all < 1e9 {
            return Bounds::Small(all);
        }
        Bounds::Steps((0..longest).map(steps).chain([all]).collect())
    }

    fn total(&self, subject: Subject, run: Run<'_>) -> Result<Rooted, Outcome> {
        fn counts<R: Whole>(
            quotient: &Quotient<'_>,
            subject: Subject,
            run: Run<'_>,
        ) -> Result<Rooted, Outcome> {
            let sums = quotient.totals::<R>(subject, None, run)?;
            Ok(sums.into_iter().map(|sums| sums.map(|sum| sum.count())).collect())
        }
        match walks::width(self.graph, run.max_length) {
            Width::Narrow => counts::<i64>(self, subject, run),
            Width::Wide => counts::<i128>(self, subject, run),
            Width::Any => counts::<BigInt>(self, subject, run),
        }
    }

    fn by_vertex(&self, run: Run<'_>) -> Result<Vec<Rooted>, Outcome> {
        match walks::width(self.graph, run.max_length) {
            Width::Narrow => self.vertices::<i64>(run),
            Width::Wide => self.vertices::<i128>(run),
            Width::Any => self.vertices::<BigInt>(run),
        }
    }

    fn by_pair(&self, run: Run<'_>) -> Result<PairRows, Outcome> {
        // No more pairs are joined than there are walks.
        let pairs =
            walks::paths_and_cycles(self.graph, run.max_length).min((self.graph.order() as f64).powi(2));
        if pairs * (48 + 16 * run.max_length) as f64 > run.job.bytes.map_or(MOST_BYTES, |bytes| bytes as f64)
        {
            return Err(Outcome::Memory);
        }
        match walks::width(self.graph, run.max_length) {
            Width::Narrow => self.pairs::<i64>(run),
            _ => self.pairs::<i128>(run),
        }
    }

    fn between(&self, source: usize, target: usize, run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        match walks::width(self.graph, run.max_length) {
            Width::Narrow => self.pair::<i64>(source, target, run),
            Width::Wide => self.pair::<i128>(source, target, run),
            Width::Any => self.pair::<BigInt>(source, target, run),
        }
    }

    fn weighted(
        &self,
        subject: Subject,
        weight: Weight<'_, f64>,
        run: Run<'_>,
    ) -> Result<Rooted<f64>, Outcome> {
        self.totals(subject, Some(&weight), run)
    }

    fn signed(
        &self,
        subject: Subject,
        sign: Weight<'_, i128>,
        run: Run<'_>,
    ) -> Result<Rooted<BigInt>, Outcome> {
        Ok(widened(self.totals(subject, Some(&sign), run)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Monitor;
    use crate::graph::GraphBuilder;

    fn query(roots: Roots, max_length: usize, symmetric: bool) -> Query {
        let traits = Traits { symmetric, plain: true, labelled: false };
        Query { paths: true, cycles: roots != Roots::Both, roots, max_length, traits, ends: 0 }
    }

    #[test]
    fn every_length_has_a_plan() {
        for symmetric in [true, false] {
            for roots in [Roots::None, Roots::First, Roots::Both] {
                plan(query(roots, if roots == Roots::Both { LONGEST_BETWEEN } else { LONGEST }, symmetric));
                let short = plan(query(roots, 6, symmetric));
                assert!(short.held.is_none(), "{roots:?}: paths to length 6 take one vertex pinned");
            }
            let cycles = Query { paths: false, ..query(Roots::None, 7, symmetric) };
            assert!(plan(cycles).held.is_none(), "so do cycles to length 7");
        }
    }

    #[test]
    fn few_products_are_left() {
        let products = |query: Query| {
            let Amounts { inside: [near, far, _], ends: [near_ends, far_ends, _], sampled, .. } =
                plan(query).amounts;
            (near + far + near_ends + far_ends + sampled).to_string()
        };
        assert_eq!(products(query(Roots::None, 6, true)), "3");
        assert_eq!(products(query(Roots::Both, 6, true)), "15");
        // No product depends on where a path ends.
        for ends in [3, 7] {
            let query = query(Roots::First, 6, true);
            let traits = Traits { labelled: true, ..query.traits };
            assert_eq!(products(Query { traits, ends, ..query }), "8", "{ends} classes");
        }
    }

    #[test]
    fn integers_of_any_width_count_the_same() {
        let monitor = Monitor::new();
        let run = Run { max_length: 7, job: Job::unlimited(&monitor), parts: 1, parallel: false };
        let graph = Graph::from_edges(9, (0..9).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap();
        let quotient = Quotient::new(&graph, Subject::Both);
        let narrow = quotient.totals::<i64>(Subject::Both, None, run).unwrap();
        assert_eq!(narrow[7][0], 9 * 8 * 7 * 6 * 5 * 4 * 3 * 2);
        let wide = quotient.totals::<i128>(Subject::Both, None, run).unwrap();
        let any = quotient.totals::<BigInt>(Subject::Both, None, run).unwrap();
        for (length, narrow) in narrow.iter().enumerate() {
            assert_eq!(narrow.map(i128::from), wide[length]);
            assert_eq!(narrow.map(BigInt::from), any[length]);
        }
        // What does not fit wraps, and is right but for what is cut off.
        let (cut, whole) = (|_: Arc| 1 << 13, |_: Arc| 1 << 13);
        let cut = quotient.totals::<i64>(Subject::Both, Some(&cut), run).unwrap();
        let whole = quotient.totals::<i128>(Subject::Both, Some(&whole), run).unwrap();
        assert_eq!(whole[6][0], wide[6][0] << 78);
        assert!(cut.iter().zip(&whole).all(|(cut, whole)| *cut == whole.map(|n| n as i64)));
    }

    /// A graph with loops, and with as many arcs as a seed says.
    fn random(seed: u64) -> Graph {
        let mut state = seed;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n as usize
        };
        let order = 4 + below(8);
        let mut builder = match seed % 2 {
            0 => GraphBuilder::undirected(order),
            _ => GraphBuilder::directed(order),
        };
        for _ in 0..below(3 * order as u64) + order {
            builder.edge(below(order as u64), below(order as u64)).unwrap();
        }
        builder.build().unwrap()
    }

    #[test]
    fn rows_scattered_and_side_by_side_give_the_same() {
        let monitor = Monitor::new();
        let mut most = 0;
        for graph in (0..60).map(random) {
            let classes: Vec<u32> = (0..graph.order() as u32).map(|v| v % 3).collect();
            let weight =
                |arc: Arc| [-2i64, 1, 0, 3, -1][(arc.source * arc.target + arc.source + arc.target) % 5];
            for (roots, plain, labelled) in [
                (Roots::None, true, false),
                (Roots::None, false, false),
                (Roots::First, true, false),
                (Roots::First, true, true),
                (Roots::Both, true, false),
            ] {
                let query = query(roots, 7, !graph.is_directed());
                let query = Query {
                    traits: Traits { plain, labelled, ..query.traits },
                    ends: if labelled { 3 } else { 0 },
                    ..query
                };
                let by = |is_sparse| {
                    let weight: Option<&dyn Fn(Arc) -> i64> = if plain { None } else { Some(&weight) };
                    let mut support = Support::new(&graph, weight).labelled(&classes, &[1, -2, 3]);
                    support.is_sparse = is_sparse;
                    let run = Run { max_length: 7, job: Job::unlimited(&monitor), parts: 1, parallel: false };
                    let found = evaluated(query, &support, run, |work| {
                        let (values, answer) = work.answer()?;
                        Ok((answer, work.rows(&values, |rows, _, pins| (rows.clone(), pins))?))
                    });
                    found.unwrap_or_else(|_| unreachable!("nobody stops it"))
                };
                let (sparse, dense) = (by(true), by(false));
                assert_eq!(sparse, dense, "{roots:?} of {graph:?}");
                most = most.max(dense.0.sum(7, Kind::Path));
            }
        }
        assert!(most > 1000, "counts that are zero prove nothing");
    }
}
