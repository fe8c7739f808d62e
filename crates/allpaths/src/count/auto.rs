//! Engine `auto`: what each engine would take, and which takes least.
//!
//! Estimates are made before anything is counted. A walk takes as many steps as there are paths that are one or two edges shorter than the
//! longest; where the bound on those (see [`walks`]) is not small, some paths are drawn at random, which tells how many there are (Knuth). The sieve takes
//! every connected set of vertices, at most all sets of so many. What the quotient engine takes is known from its plan, and what the frontier engine takes
//! is guessed from how wide the frontiers of an order are that is found in no time.
//!
//! The constants are nanoseconds on one processor; `make calibrate` measures them. Only what they are to each other matters.

use serde::{Serialize, Serializer};

use super::engine::{LITTLE, Question};
use super::frontier::{self, Frontier};
use super::limits::Memory;
use super::meet::{self, Meet};
use super::quotient::{self, Quotient};
use super::sieve;
use super::walks;
use super::{Counter, Engine, Subject};
use crate::Graph;
use crate::random::ChaCha8;

/// What a thing takes, in nanoseconds.
mod costs {
    /// A step of a walk over masks, from the middle outward, for totals.
    pub(super) const MASK_STEP: f64 = 2.6;
    /// A step of a walk over rows, or one that books something of each path.
    pub(super) const ROW_STEP: f64 = 6.5;
    /// An entry of a subgraph's matrix, for each length.
    pub(super) const SIEVE_ENTRY: f64 = 6.1;
    /// A number multiplied and added, side by side with others.
    pub(super) const QUOTIENT_STEP: f64 = 0.43;
    /// One that stands alone.
    pub(super) const QUOTIENT_ENTRY: f64 = 4.0;
    /// An expression of a plan, whatever the graph.
    pub(super) const QUOTIENT_NODE: f64 = 160.0;
    /// A state of a frontier, of as many as are expected, for each length.
    pub(super) const FRONTIER_ENTRY: f64 = 35.0;
    /// A vertex in the search for an order, where the first that is found is not good enough.
    pub(super) const FRONTIER_VERTEX: f64 = 3e4;
    /// A half-path found, kept, sorted and compared.
    pub(super) const HALF_PATH: f64 = 110.0;
    /// Seconds of a walk that are worth drawing half-paths.
    pub(super) const HALVES: f64 = 0.001;
    /// Seconds of a walk that are worth a first order: at least so many, and for each edge thirty times what the order takes.
    pub(super) const ORDER: f64 = 0.01;
    pub(super) const ORDER_OF_EDGE: f64 = 2e-6;
    /// How many times as much there is to do where vertices are labelled.
    pub(super) const LABELS: f64 = 3.0;
    /// A plan to be made, by length; kept for later graphs.
    pub(super) const PLAN: [f64; 10] = [2e4, 2e4, 2e4, 3e4, 8e4, 2.3e5, 5.7e5, 1.7e6, 6.2e6, 2.4e7];
    /// Seconds of a walk that are worth a plan, by length: many graphs share a plan that is made in no time.
    pub(super) const THOUGHT: [f64; 10] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.003, 0.012, 0.05];
}

/// What an engine is expected to take for some graphs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The engine.
    #[serde(serialize_with = "by_name")]
    pub engine: Engine,
    /// Seconds on one processor for all graphs; nothing if it does not count so far.
    pub seconds: Option<f64>,
    /// For how many graphs [`Engine::Auto`] takes it.
    pub graphs: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands over references
fn by_name<S: Serializer>(engine: &Engine, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(engine.name())
}

/// What of a graph is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Numbers of the graph as a whole: [`Counter::count`].
    #[default]
    Totals,
    /// Those of each vertex: [`Counter::by_vertex`].
    Vertices,
    /// Those of each pair of vertices: [`Counter::by_pair`].
    Pairs,
    /// Those from one vertex to another: [`Counter::between`].
    Between(usize, usize),
    /// Sums of weights or signs: [`Counter::weighted`], [`Counter::signed`].
    Weights,
}

impl From<Wanted> for Question {
    fn from(wanted: Wanted) -> Self {
        match wanted {
            Wanted::Totals => Question::Total,
            Wanted::Vertices => Question::Each,
            Wanted::Pairs => Question::Pairs,
            Wanted::Between(source, target) => Question::Between(source, target),
            Wanted::Weights => Question::Weights,
        }
    }
}

impl Counter {
    /// What each engine is expected to take for some graphs, and for how many [`Engine::Auto`] chooses it. A budget of steps is one of steps of a
    /// walk: with one, it chooses depth-first.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Graph, Counter, count::{Engine, Wanted}};
    /// let complete = Graph::from_edges(60, (0..60).flat_map(|u| (0..u).map(move |v| (u, v))))?;
    /// let estimates = Counter::up_to(6).estimates(&[complete], Wanted::Totals);
    /// let chosen = estimates.iter().find(|estimate| estimate.graphs > 0).unwrap();
    /// assert_eq!(chosen.engine, Engine::Quotient);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn estimates(&self, graphs: &[Graph], wanted: Wanted) -> Vec<Estimate> {
        let (question, number) = (wanted.into(), graphs.len());
        let auto = Self { engine: Engine::Auto, ..self.clone() };
        let chosen: Vec<Engine> = graphs.iter().map(|graph| auto.chosen(graph, question, number)).collect();
        let estimate = |engine| {
            let seconds = |graph| Case::new(self, graph, question, number).seconds(engine);
            Estimate {
                engine,
                seconds: graphs.iter().map(seconds).sum(),
                graphs: chosen.iter().filter(|&&chosen| chosen == engine).count(),
            }
        };
        [Engine::DepthFirst, Engine::Sieve, Engine::Quotient, Engine::Frontier, Engine::Meet]
            .map(estimate)
            .into()
    }

    /// The engine that counts these graphs, if it is the same for all.
    pub fn engine_for(&self, graphs: &[Graph], wanted: Wanted) -> Option<Engine> {
        let mut chosen = graphs.iter().map(|graph| self.chosen(graph, wanted.into(), graphs.len()));
        let first = chosen.next().unwrap_or(Engine::DepthFirst);
        chosen.all(|engine| engine == first).then_some(first)
    }

    /// The engine that is asked for, or the one that is expected to be fastest, where so many graphs like this one are counted.
    pub(super) fn chosen(&self, graph: &Graph, question: Question, graphs: usize) -> Engine {
        if self.engine != Engine::Auto {
            return self.engine;
        }
        let case = Case::new(self, graph, question, graphs);
        let Some(walk) = case.most() else { return Engine::DepthFirst };
        // An estimate for quotients takes a plan.
        let quotient =
            Some(Engine::Quotient).filter(|_| case.longest > 9 || walk >= costs::THOUGHT[case.longest]);
        // So does one for frontiers take an order.
        let order = costs::ORDER.max(graph.size() as f64 * costs::ORDER_OF_EDGE);
        let frontier = Some(Engine::Frontier).filter(|_| walk >= order);
        let meet = Some(Engine::Meet).filter(|_| walk >= costs::HALVES);
        let others = quotient.into_iter().chain([Engine::Sieve]).chain(frontier).chain(meet);
        let others = others.filter_map(|engine| Some((engine, case.seconds(engine)?)));
        match others.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
            // What is certain to be more than a walk needs no closer look at that.
            Some((engine, seconds)) if seconds < PATIENCE.min(walk) && seconds < case.walk() => engine,
            _ => Engine::DepthFirst,
        }
    }
}

/// Seconds after which nobody waits for the end: a walk, which gives shorter lengths on the way, is then the best that can be done.
const PATIENCE: f64 = 86_400.0;

/// Something to be counted.
struct Case<'a> {
    graph: &'a Graph,
    question: Question,
    subject: Subject,
    longest: usize,
    graphs: usize,
    has_budget: bool,
    bytes: Option<u64>,
}

impl<'a> Case<'a> {
    fn new(counter: &Counter, graph: &'a Graph, question: Question, graphs: usize) -> Self {
        let longest = counter.max_length.min(graph.order());
        let (has_budget, bytes) = (counter.limits.steps.is_some(), counter.limits.memory);
        Self { graph, question, subject: counter.subject, longest, graphs, has_budget, bytes }
    }

    /// How far a walk goes: its last steps are not walked.
    fn walked(&self) -> usize {
        (self.longest + 1).saturating_sub(self.question.reach())
    }

    fn step(&self) -> f64 {
        let outward = self.question == Question::Total && self.graph.order() <= 128;
        if outward { costs::MASK_STEP } else { costs::ROW_STEP }
    }

    /// The most seconds that a walk takes; nothing if it is not worth a thought.
    fn most(&self) -> Option<f64> {
        if self.has_budget {
            return None;
        }
        let rough = walks::rough(self.graph, self.walked());
        if rough <= LITTLE {
            return None;
        }
        let steps = walks::by_length(self.graph, self.walked(), None)[self.walked()].min(rough);
        (steps > LITTLE).then_some(steps * self.step() * 1e-9)
    }

    /// How many seconds a walk takes.
    fn walk(&self) -> f64 {
        let (root, goal) = match self.question {
            Question::Between(source, target) => {
                let distance = distances(self.graph, target);
                (Some(source), Some((target as u32, distance)))
            }
            _ => (None, None),
        };
        // Between two vertices, a walk visits only what can still reach the other in time.
        let leads_on = |w: u32, length: usize| match &goal {
            Some((target, distance)) => {
                w != *target && distance[w as usize].saturating_add(length) <= self.longest
            }
            None => true,
        };
        let bound = walks::by_length(self.graph, self.walked(), root)[self.walked()];
        // More is worth a closer look.
        let draws = if bound > 1e3 * LITTLE { 200 } else { 30 };
        let steps = if bound <= LITTLE {
            bound
        } else {
            let neighbours = |v| self.graph.neighbours(v);
            drawn(self.graph.order(), neighbours, self.walked(), root, draws, leads_on).min(bound)
        };
        let told: f64 = match (self.question, self.graph.order()) {
            (Question::Total, 129..) => {
                (0..self.graph.order()).map(|v| (self.graph.neighbours(v).len() as f64).powi(2)).sum()
            }
            _ => 0.0,
        };
        (steps * self.step() + told) * 1e-9
    }

    fn seconds(&self, engine: Engine) -> Option<f64> {
        match engine {
            Engine::Auto | Engine::DepthFirst => Some(self.walk()),
            Engine::Sieve if self.longest > sieve::LONGEST => None,
            Engine::Sieve => Some(self.sieve()),
            Engine::Quotient if self.longest > quotient::longest(self.question) => None,
            Engine::Quotient => Some(self.quotient()),
            Engine::Frontier => self.frontier(),
            Engine::Meet => self.meet(),
        }
    }

    /// Nothing where the engine refuses, or counts pair by pair.
    fn frontier(&self) -> Option<f64> {
        let is_one_run = matches!(self.question, Question::Total | Question::Weights | Question::Between(..));
        if self.has_budget || !is_one_run || Engine::Frontier.refusal(self.graph, self.question).is_some() {
            return None;
        }
        let states = self.states();
        let is_searched = states >= frontier::CHEAP;
        let search = if is_searched { self.graph.order() as f64 * costs::FRONTIER_VERTEX } else { 0.0 };
        let entries = states * self.longest as f64;
        states.is_finite().then_some((entries * costs::FRONTIER_ENTRY + search) * 1e-9)
    }

    fn states(&self) -> f64 {
        Frontier::new(self.graph, self.subject).expected(self.question, self.longest)
    }

    /// Nothing where it would count pair by pair, or is likely to have no room.
    fn meet(&self) -> Option<f64> {
        let Question::Between(source, target) = self.question else { return None };
        if self.has_budget {
            return None;
        }
        let halves = Meet::new(self.graph).expected([source, target], self.longest)?;
        let room = self.bytes.unwrap_or(Memory::MOST) as f64;
        (halves * meet::HALF_PATH_BYTES as f64 <= room).then_some(halves * costs::HALF_PATH * 1e-9)
    }

    fn sieve(&self) -> f64 {
        self.sieve_entries() * costs::SIEVE_ENTRY * 1e-9
    }

    /// The entries of the matrices of all sets of vertices, as many in each as a path has at most.
    fn sieve_entries(&self) -> f64 {
        let (order, longest) = (self.graph.order() as f64, self.longest as f64);
        let (mut sets, mut entries) = (1.0, 0.0);
        for size in 1..=self.longest + 1 {
            sets *= (order - size as f64 + 1.0).max(0.0) / size as f64;
            entries += sets * (size * size) as f64 * longest;
        }
        entries
    }

    fn quotient(&self) -> f64 {
        let quotient::Work { side_by_side, alone, nodes } =
            Quotient::new(self.graph, self.subject).expected(self.question, self.longest);
        let plan = costs::PLAN[self.longest] / self.graphs as f64;
        (side_by_side * costs::QUOTIENT_STEP
            + alone * costs::QUOTIENT_ENTRY
            + nodes * costs::QUOTIENT_NODE
            + plan)
            * 1e-9
    }
}

/// Whether labelled paths and cycles are counted faster by algebra, evaluated so often, than by a walk. How often is asked only where a walk is
/// not little.
pub(crate) fn is_algebra_faster(
    graph: &Graph,
    max_length: usize,
    evaluations: impl FnOnce() -> usize,
) -> bool {
    let longest = max_length.min(graph.order());
    let (question, subject) = (Question::Each, Subject::Both);
    let case = Case { graph, question, subject, longest, graphs: 1, has_budget: false, bytes: None };
    let most =
        case.most().filter(|&most| longest <= quotient::longest(question) && most >= costs::THOUGHT[longest]);
    most.is_some_and(|most| {
        let algebra = case.quotient() * evaluations() as f64 * costs::LABELS;
        algebra < most && algebra < case.walk()
    })
}

/// How many edges lead from each vertex to the target, at least.
fn distances(graph: &Graph, target: usize) -> Vec<usize> {
    let reverse = graph.reverse_rows();
    let mut distance = vec![usize::MAX; graph.order()];
    distance[target] = 0;
    let (mut queue, mut head) = (vec![target], 0);
    while let Some(&v) = queue.get(head) {
        head += 1;
        for &u in reverse.row(v) {
            if distance[u as usize] == usize::MAX {
                distance[u as usize] = distance[v] + 1;
                queue.push(u as usize);
            }
        }
    }
    distance
}

/// About how many steps a walk takes: some paths are drawn at random, each step among those that go on. A path that was drawn stands for as
/// many as there were choices.
pub(super) fn drawn<'a>(
    order: usize,
    neighbours: impl Fn(usize) -> &'a [u32],
    max_length: usize,
    root: Option<usize>,
    draws: u32,
    leads_on: impl Fn(u32, usize) -> bool,
) -> f64 {
    let mut random = ChaCha8::new(1);
    let mut steps = 0.0;
    let (mut path, mut onward): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    for _ in 0..draws {
        path.clear();
        path.push(root.map_or_else(|| random.below(order as u32), |root| root as u32));
        let mut choices = if root.is_some() { 1.0 } else { order as f64 };
        for length in 1..=max_length {
            steps += choices;
            onward.clear();
            let last = path[path.len() - 1] as usize;
            onward.extend(neighbours(last).iter().filter(|&&w| !path.contains(&w) && leads_on(w, length)));
            if onward.is_empty() {
                break;
            }
            choices *= onward.len() as f64;
            path.push(onward[random.below(onward.len() as u32) as usize]);
        }
    }
    steps / f64::from(draws)
}

/// How much of everything that costs are known for totals to a length take: steps of a walk (as many as there are), entries of subgraphs' matrices, states of a
/// frontier for each length, and for quotients numbers side by side, numbers alone and expressions. What `make calibrate` divides times by.
#[doc(hidden)]
pub fn amounts(graph: &Graph, max_length: usize) -> [f64; 6] {
    let (question, subject) = (Question::Total, Subject::Both);
    let case = Case {
        graph,
        question,
        subject,
        longest: max_length.min(graph.order()),
        graphs: 1,
        has_budget: false,
        bytes: None,
    };
    let work = Quotient::new(graph, subject).expected(question, max_length.min(quotient::longest(question)));
    let steps = drawn(graph.order(), |v| graph.neighbours(v), case.walked(), None, 20_000, |_, _| true);
    [
        steps,
        case.sieve_entries(),
        case.states() * case.longest as f64,
        work.side_by_side,
        work.alone,
        work.nodes,
    ]
}

/// About how many half-paths there are between two vertices, for paths to a length; another of those amounts.
#[doc(hidden)]
pub fn half_paths(graph: &Graph, ends: [usize; 2], max_length: usize) -> f64 {
    Meet::new(graph).expected(ends, max_length).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(order: usize) -> Graph {
        Graph::from_edges(order, (0..order).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap()
    }

    #[test]
    fn draws_tell_how_many_paths_there_are() {
        let drawn = |graph: &Graph, root, draws| {
            drawn(graph.order(), |v| graph.neighbours(v), 3, root, draws, |_, _| true)
        };
        // 7 + 7 * 6 + 7 * 6 * 5 rooted paths to length 2; where every path has as many choices, one draw tells.
        assert!((drawn(&complete(7), None, 1) - 259.0).abs() < 1e-6);
        assert!((drawn(&complete(7), Some(0), 1) - 37.0).abs() < 1e-6);
        // A star of 50: 51 + 100 + 50 * 49.
        let star = Graph::from_edges(51, (1..51).map(|v| (0, v))).unwrap();
        assert!((drawn(&star, None, 200) / 2601.0 - 1.0).abs() < 0.2);
    }

    #[test]
    fn engines_are_chosen_by_what_they_take() {
        let chosen = |counter: &Counter, graph: &Graph| counter.chosen(graph, Question::Total, 1);
        let ring = Graph::from_edges(1000, (0..1000).map(|v| (v, (v + 1) % 1000))).unwrap();
        assert_eq!(chosen(&Counter::up_to(6), &ring), Engine::DepthFirst);
        assert_eq!(chosen(&Counter::up_to(6), &complete(80)), Engine::Quotient);
        assert_eq!(
            chosen(&Counter::up_to(6).budget(1000), &complete(80)),
            Engine::DepthFirst,
            "steps are those of a walk"
        );
        assert_eq!(Counter::up_to(13).chosen(&complete(14), Question::Each, 1), Engine::Sieve);
        assert_eq!(chosen(&Counter::up_to(13), &complete(14)), Engine::Frontier, "twins are alike");
        assert_eq!(chosen(&Counter::up_to(6), &complete(5)), Engine::DepthFirst);
        assert_eq!(chosen(&Counter::up_to(30), &complete(80)), Engine::Frontier);
        assert_eq!(
            Counter::up_to(30).chosen(&complete(80), Question::Each, 1),
            Engine::DepthFirst,
            "nothing else counts so far at each vertex"
        );
        let arcs = (0..80).flat_map(|u| (0..80).filter(move |&v| u != v).map(move |v| (u, v)));
        let directed = Graph::from_arcs(80, arcs).unwrap();
        assert_eq!(chosen(&Counter::up_to(30), &directed), Engine::DepthFirst, "nor in directed graphs");
        let grid = (0..225).flat_map(|v| [(v, v + 1, v % 15 < 14), (v, v + 15, v < 210)]);
        let grid = grid.filter(|&(.., inside)| inside).map(|(u, v, _)| (u, v));
        let grid = Graph::from_edges(225, grid).unwrap();
        let between = |length| Counter::up_to(length).chosen(&grid, Question::Between(0, 30), 1);
        assert_eq!(between(8), Engine::DepthFirst, "the other is out of reach for most paths");
        assert_eq!(between(60), Engine::Frontier);
        assert_eq!(Counter::up_to(40).chosen(&grid, Question::Weights, 1), Engine::Frontier);
        // About ten neighbours each, so 10^5 half-paths where walks are 10^8, and a frontier of most vertices.
        let far = |v: usize| [v + 1, v + 17, v + 54, v + 101, v * v + 3].map(|w| (v, w % 300));
        let tangle = Graph::from_edges(300, (0..300).flat_map(far).filter(|(u, v)| u != v)).unwrap();
        let between = |counter: &Counter| counter.chosen(&tangle, Question::Between(0, 150), 1);
        assert_eq!(between(&Counter::up_to(10)), Engine::Meet);
        assert_ne!(
            between(&Counter::up_to(10).memory_limit(10_000)),
            Engine::Meet,
            "half-paths have no room"
        );
        assert_eq!(between(&Counter::up_to(3)), Engine::DepthFirst);
    }

    #[test]
    fn estimates_name_the_one_that_is_chosen() {
        let graphs: Vec<Graph> = [5, 80, 14, 30, 40].map(complete).into();
        for length in [3, 6, 13, 20, 70] {
            let estimates = Counter::up_to(length).estimates(&graphs, Wanted::Totals);
            assert_eq!(estimates.iter().map(|estimate| estimate.graphs).sum::<usize>(), 5);
            assert_eq!(estimates[2].seconds.is_some(), length < 10, "quotients are for lengths to 9");
        }
    }
}
