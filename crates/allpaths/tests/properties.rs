//! What holds for every graph: engines agree with the oracle, with themselves on any number of threads, and
//! with their own answers on the same graph under other names.

mod common;

use std::ops::RangeInclusive;
use std::time::Duration;

use allpaths::count::{Counts, Engine, Outcome, Subject};
use allpaths::{Counter, Graph, Monitor};
use common::{check_relations, cycles, oracle, pair_paths, paths};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A graph in a form that can be changed.
#[derive(Clone, Debug)]
struct Sketch {
    directed: bool,
    order: usize,
    edges: Vec<(usize, usize)>,
}

impl Sketch {
    fn graph(&self) -> Graph {
        common::graph(self.directed, self.order, &self.edges)
    }

    /// The same graph with its vertices under other numbers: vertex `v` becomes `names[v]`.
    fn renamed(&self, order: usize, names: &[usize]) -> Self {
        let edges = self.edges.iter().map(|&(u, v)| (names[u], names[v])).collect();
        Self { order, edges, ..*self }
    }

    /// The same graph scattered among `order` vertices; the new ones are alone or, with `tail`, hang on one
    /// of the old ones in a row.
    fn padded(&self, order: usize, tail: bool) -> Self {
        if order <= self.order {
            return self.clone();
        }
        let names: Vec<usize> = (0..self.order).map(|v| order - 1 - v * (order / self.order)).collect();
        let mut padded = self.renamed(order, &names);
        let new = (0..order).filter(|v| !names.contains(v));
        let row: Vec<usize> = names.first().copied().into_iter().chain(new).collect();
        if tail {
            padded.edges.extend(row.windows(2).map(|step| (step[0], step[1])));
        }
        padded
    }
}

/// Random graphs, loops among their edges, some of which are listed more than once.
fn sketches(orders: RangeInclusive<usize>, edges: usize) -> impl Strategy<Value = Sketch> {
    (any::<bool>(), orders).prop_flat_map(move |(directed, order)| {
        let most = if order == 0 { 0 } else { edges };
        let edges = vec((0..order.max(1), 0..order.max(1)), 0..=most);
        edges.prop_map(move |edges| Sketch { directed, order, edges })
    })
}

/// A graph, and other names for its vertices.
fn renamed() -> impl Strategy<Value = (Sketch, Vec<usize>)> {
    sketches(0..=9, 30).prop_flat_map(|sketch| {
        let names: Vec<usize> = (0..sketch.order).collect();
        (Just(sketch), Just(names).prop_shuffle())
    })
}

/// Orders for [`Sketch::padded`]: one for each kind of bookkeeping, the limits among them.
fn widths() -> impl Strategy<Value = usize> {
    select(vec![0, 0, 64, 65, 90, 128, 129, 140])
}

/// Few vertices, perhaps among many.
fn small() -> impl Strategy<Value = Sketch> {
    (sketches(0..=8, 20), widths(), any::<bool>())
        .prop_map(|(sketch, width, tail)| sketch.padded(width, tail))
}

/// Few vertices with rows of others between them and trees on them: most vertices have two neighbours, and many cycles are long.
fn stringy() -> impl Strategy<Value = Sketch> {
    let strings = vec((0..5usize, 0..5usize, 0..=5usize), 0..=7);
    (strings, vec(any::<prop::sample::Index>(), 0..=4), any::<bool>()).prop_map(
        |(strings, twigs, has_loop)| {
            let (mut order, mut edges) = (5, Vec::new());
            for (u, v, inner) in strings {
                let row: Vec<usize> = [u].into_iter().chain(order..order + inner).chain([v]).collect();
                order += inner;
                edges.extend(row.windows(2).map(|step| (step[0], step[1])).filter(|(u, v)| u != v));
            }
            for twig in twigs {
                edges.push((twig.index(order), order));
                order += 1;
            }
            edges.extend(has_loop.then_some((0, 0)));
            Sketch { directed: false, order, edges }
        },
    )
}

/// So many paths that the work is shared out between threads, with the length to count to.
fn busy() -> impl Strategy<Value = (Sketch, usize)> {
    let dense = (any::<bool>(), 25..=28usize).prop_flat_map(|(directed, order)| {
        let edges = vec((0..order, 0..order), 420..=440);
        edges.prop_map(move |edges| Sketch { directed, order, edges })
    });
    (dense, widths()).prop_map(|(sketch, width)| {
        let longest = if sketch.directed { 6 } else { 5 };
        (sketch.padded(width, true), longest)
    })
}

/// Two vertices that some path joins.
fn joined(graph: &Graph) -> Option<(usize, usize)> {
    graph.edges().find(|(u, v)| u != v)
}

/// What fails is printed whole; there is no need to keep a seed beside it.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn chains_and_long_cycles_make_no_difference(sketch in stringy(), longest in 0..=12usize) {
        let graph = sketch.graph();
        let rooted = oracle::rooted(&graph, longest);
        let distinct = rooted.clone().distinct(false);
        for subject in [Subject::Both, Subject::Paths, Subject::Cycles] {
            let counts = Counter::up_to(longest).engine(Engine::DepthFirst).subject(subject).count(&graph)?;
            if subject != Subject::Cycles {
                prop_assert_eq!(paths(&counts), distinct.paths(longest, |_| true));
            }
            if subject != Subject::Paths {
                prop_assert_eq!(cycles(&counts), distinct.cycles(longest, |_| true));
            }
        }
        for (u, v) in (0..graph.order()).flat_map(|v| (0..v).map(move |u| (u, v))).step_by(3) {
            let counts = Counter::up_to(longest).engine(Engine::DepthFirst).between(&graph, u, v)?;
            let expected = rooted.paths(longest, |path| path[0] == u && path[path.len() - 1] == v);
            prop_assert_eq!(paths(&counts), expected);
        }
    }

    #[test]
    fn totals_agree_with_the_oracle(sketch in small(), longest in 0..=10usize) {
        let graph = sketch.graph();
        let rooted = oracle::rooted(&graph, longest);
        let distinct = rooted.clone().distinct(graph.is_directed());
        let counts = Counter::up_to(longest).count(&graph)?;
        prop_assert_eq!(paths(&counts), distinct.paths(longest, |_| true));
        prop_assert_eq!(cycles(&counts), distinct.cycles(longest, |_| true));
        prop_assert_eq!(paths(&counts.rooted()), rooted.paths(longest, |_| true));
        prop_assert_eq!(cycles(&counts.rooted()), rooted.cycles(longest, |_| true));
        let alone = Counter::up_to(longest).subject(Subject::Cycles).count(&graph)?;
        prop_assert_eq!(cycles(&alone), distinct.cycles(longest, |_| true));
        let alone = Counter::up_to(longest).subject(Subject::Paths).count(&graph)?;
        prop_assert_eq!(paths(&alone), distinct.paths(longest, |_| true));
    }

    #[test]
    fn vertices_agree_with_the_oracle(sketch in small(), longest in 0..=10usize) {
        let graph = sketch.graph();
        let rooted = oracle::rooted(&graph, longest);
        let distinct = rooted.clone().distinct(graph.is_directed());
        let by_vertex = Counter::up_to(longest).by_vertex(&graph)?;
        prop_assert_eq!(by_vertex.len(), graph.order());
        for (v, counts) in by_vertex.iter().enumerate() {
            prop_assert_eq!(paths(counts), rooted.paths(longest, |path| path[0] == v));
            prop_assert_eq!(cycles(counts), distinct.cycles(longest, |cycle| cycle.contains(&v)));
            prop_assert_eq!(cycles(&counts.rooted()), rooted.cycles(longest, |cycle| cycle[0] == v));
        }
    }

    #[test]
    fn pairs_agree_with_the_oracle(sketch in small(), longest in 0..=10usize) {
        let graph = sketch.graph();
        let rooted = oracle::rooted(&graph, longest);
        let by_pair = Counter::up_to(longest).by_pair(&graph)?;
        let used = (0..graph.order()).filter(|&v| !graph.neighbours(v).is_empty()).take(10);
        let used: Vec<usize> = used.collect();
        for (u, v) in used.iter().flat_map(|&u| used.iter().map(move |&v| (u, v))).filter(|(u, v)| u != v) {
            let expected = rooted.paths(longest, |path| path[0] == u && path[path.len() - 1] == v);
            prop_assert_eq!(&pair_paths(&by_pair, u, v), &expected);
            prop_assert_eq!(&paths(&Counter::up_to(longest).between(&graph, u, v)?), &expected);
        }
        for (u, v, counts) in by_pair.pairs() {
            prop_assert!(u != v && counts.iter().any(|&count| count > 0), "{} to {}: nothing", u, v);
        }
    }

    #[test]
    fn ways_of_counting_agree_with_each_other(sketch in small(), longest in 0..=10usize) {
        check_relations("random", &sketch.graph(), &Counter::up_to(longest));
    }

    #[test]
    fn renaming_vertices_changes_nothing((sketch, names) in renamed(), longest in 0..=7usize) {
        let (graph, renamed) = (sketch.graph(), sketch.renamed(sketch.order, &names).graph());
        for subject in [Subject::Both, Subject::Paths, Subject::Cycles] {
            let counter = Counter::up_to(longest).subject(subject);
            prop_assert_eq!(counter.count(&graph)?, counter.count(&renamed)?);
        }
        let counter = Counter::up_to(longest);
        let (before, after) = (counter.by_vertex(&graph)?, counter.by_vertex(&renamed)?);
        let (pairs_before, pairs_after) = (counter.by_pair(&graph)?, counter.by_pair(&renamed)?);
        for v in 0..graph.order() {
            prop_assert_eq!(&before[v], &after[names[v]]);
            for u in 0..graph.order() {
                let renamed = pair_paths(&pairs_after, names[u], names[v]);
                prop_assert_eq!(pair_paths(&pairs_before, u, v), renamed);
            }
        }
    }

    #[test]
    fn the_sum_of_graphs_is_the_sum_of_their_counts(
        sketches in vec(sketches(0..=6, 12), 1..=40),
        longest in 0..=6usize,
    ) {
        let directed = sketches[0].directed;
        let graphs: Vec<Graph> =
            sketches.iter().map(|sketch| Sketch { directed, ..sketch.clone() }.graph()).collect();
        let each = Counter::up_to(longest).threads(3).count_each(&graphs)?;
        for (graph, counts) in graphs.iter().zip(&each) {
            prop_assert_eq!(counts, &Counter::up_to(longest).count(graph)?);
        }
        let sum = Counts::sum(&each).unwrap();
        for threads in [1, 3] {
            prop_assert_eq!(&Counter::up_to(longest).threads(threads).total(&graphs)?, &sum);
        }
        let added = |of: fn(&Counts) -> Vec<u64>| -> Vec<u64> {
            (0..=longest).map(|l| each.iter().map(|counts| of(counts)[l]).sum()).collect()
        };
        prop_assert_eq!(paths(&sum), added(paths));
        prop_assert_eq!(cycles(&sum), added(cycles));
        prop_assert_eq!(cycles(&sum.rooted()), added(|counts| cycles(&counts.rooted())));
    }

    /// A length is counted exactly when it needs no more steps than allowed: one for each rooted path that is
    /// at least two edges shorter. Lengths 0 and 1 are free, and so is what no path can reach.
    #[test]
    fn a_budget_buys_the_lengths_that_it_pays_for(
        sketch in small(),
        longest in 0..=10usize,
        paid in 0..=10usize,
        tip in -1..=1i64,
    ) {
        let graph = sketch.graph();
        let steps = oracle::rooted(&graph, longest).paths(longest, |_| true);
        let budget = steps[..paid.min(longest).saturating_sub(1)].iter().sum::<u64>().saturating_add_signed(tip);
        let reachable = longest.min(graph.order());
        let unpaid = (2..=reachable).find(|&length| steps[..length - 1].iter().sum::<u64>() > budget);
        let full = Counter::up_to(longest).count(&graph)?;
        let counts = Counter::up_to(longest).budget(budget).count(&graph)?;
        let finished = unpaid.map_or(longest, |length| length - 1);
        let outcome = if unpaid.is_some() { Outcome::Budget } else { Outcome::Complete };
        prop_assert_eq!((counts.finished(), counts.outcome()), (finished, outcome));
        prop_assert_eq!(paths(&counts), &paths(&full)[..=finished]);
        prop_assert_eq!(cycles(&counts), &cycles(&full)[..=finished]);
    }

    #[test]
    fn a_budget_gives_a_beginning_of_every_answer(
        sketch in small(),
        longest in 0..=10usize,
        budget in 0..=3000u64,
    ) {
        let graph = sketch.graph();
        let (full, limited) = (Counter::up_to(longest), Counter::up_to(longest).budget(budget));
        let cycles = |counter: &Counter| counter.clone().subject(Subject::Cycles).count(&graph);
        check_beginning(&cycles(&full)?, &cycles(&limited)?, Outcome::Budget)?;
        for (full, limited) in full.by_vertex(&graph)?.iter().zip(limited.by_vertex(&graph)?.iter()) {
            check_beginning(full, limited, Outcome::Budget)?;
        }
        let (all, some) = (full.by_pair(&graph)?, limited.by_pair(&graph)?);
        for (u, v, _) in all.pairs() {
            prop_assert_eq!(pair_paths(&some, u, v), &pair_paths(&all, u, v)[..=some.finished()]);
        }
        prop_assert_eq!(some.outcome() == Outcome::Complete, some.finished() == longest);
        if let Some((u, v)) = joined(&graph) {
            check_beginning(&full.between(&graph, u, v)?, &limited.between(&graph, u, v)?, Outcome::Budget)?;
        }
    }

    #[test]
    fn who_is_interrupted_or_late_has_the_beginning(sketch in small(), longest in 0..=10usize) {
        let graph = sketch.graph();
        let full = Counter::up_to(longest).count(&graph)?;
        let monitor = Monitor::new();
        monitor.interrupt();
        let interrupted = Counter::up_to(longest).count_under(&graph, &monitor)?;
        check_beginning(&full, &interrupted, Outcome::Interrupted)?;
        let late = Counter::up_to(longest).time_limit(Duration::ZERO).count(&graph)?;
        check_beginning(&full, &late, Outcome::Time)?;
        let has_more = longest.min(graph.order()) > 1;
        prop_assert_eq!(interrupted.outcome() == Outcome::Interrupted, has_more);
        prop_assert_eq!(late.outcome() == Outcome::Time, has_more);
    }
}

/// Checks that a count that was stopped has exact counts of the lengths it gives, lengths 0 and 1 at least.
fn check_beginning(full: &Counts, stopped: &Counts, reason: Outcome) -> Result<(), TestCaseError> {
    let finished = stopped.finished();
    prop_assert!(finished >= full.max_length().min(1));
    let outcome = if finished == full.max_length() { Outcome::Complete } else { reason };
    prop_assert_eq!(stopped.outcome(), outcome);
    prop_assert_eq!(stopped.path_counts(), full.path_counts().map(|counts| &counts[..=finished]));
    prop_assert_eq!(stopped.cycle_counts(), full.cycle_counts().map(|counts| &counts[..=finished]));
    Ok(())
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn threads_change_nothing((sketch, longest) in busy()) {
        let graph = sketch.graph();
        let (one, four) = (Counter::up_to(longest).threads(1), Counter::up_to(longest).threads(4));
        let counts = one.count(&graph)?;
        prop_assume!(paths(&counts.rooted())[longest - 1] > 1_000_000, "not busy enough to be shared out");
        prop_assert_eq!(counts, four.count(&graph)?);
        let cycles = |counter: &Counter| counter.clone().subject(Subject::Cycles).count(&graph);
        prop_assert_eq!(cycles(&one)?, cycles(&four)?);
        prop_assert_eq!(one.by_vertex(&graph)?, four.by_vertex(&graph)?);
        prop_assert_eq!(one.by_pair(&graph)?, four.by_pair(&graph)?);
        let (u, v) = joined(&graph).unwrap();
        prop_assert_eq!(one.between(&graph, u, v)?, four.between(&graph, u, v)?);
    }

    #[test]
    fn threads_do_not_change_what_a_budget_buys((sketch, longest) in busy()) {
        let graph = sketch.graph();
        let (u, v) = joined(&graph).unwrap();
        check_price(longest, |counter| counter.count(&graph))?;
        check_price(longest, |counter| counter.clone().subject(Subject::Cycles).count(&graph))?;
        check_price(longest, |counter| counter.between(&graph, u, v))?;
    }
}

/// Finds the smallest budget that is enough on one thread, and checks that no other number of threads needs
/// more or less.
fn check_price(
    longest: usize,
    count: impl Fn(&Counter) -> allpaths::Result<Counts>,
) -> Result<(), TestCaseError> {
    let limited =
        |budget: u64, threads: usize| count(&Counter::up_to(longest).budget(budget).threads(threads));
    let enough = |budget| limited(budget, 1).is_ok_and(|counts| counts.outcome() == Outcome::Complete);
    let (mut less, mut price) = (0, 1 << 24);
    prop_assert!(enough(price));
    while less + 1 < price {
        let middle = less.midpoint(price);
        if enough(middle) { price = middle } else { less = middle }
    }
    for threads in [2, 5] {
        prop_assert_eq!(limited(price, threads)?, limited(price, 1)?);
        prop_assert_eq!(limited(price - 1, threads)?, limited(price - 1, 1)?);
    }
    Ok(())
}
