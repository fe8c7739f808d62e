//! The known answers of `testdata/*.toml`, asked of every engine.

mod common;

use std::path::Path;

use allpaths::count::{Engine, Outcome};
use allpaths::{Counter, Graph};
use common::{check_relations, cycles, oracle, pair_paths, paths};
use serde::Deserialize;

#[test]
fn depth_first() {
    suite(Engine::DepthFirst);
}

#[test]
fn sieve() {
    suite(Engine::Sieve);
}

#[test]
fn quotient() {
    suite(Engine::Quotient);
}

#[test]
fn frontier() {
    suite(Engine::Frontier);
}

#[test]
fn meet() {
    suite(Engine::Meet);
}

#[test]
fn auto() {
    suite(Engine::Auto);
}

/// The oracle knows the answers too; where not, one of the two was typed in wrong.
#[test]
fn oracle() {
    for case in cases().iter().filter(|case| case.vertices <= SMALL) {
        let graph = case.graph();
        let longest = case.max_length();
        let found = oracle::rooted(&graph, longest);
        let distinct = found.clone().distinct(graph.is_directed());
        case.check("paths", &case.paths, &distinct.paths(longest, |_| true));
        case.check("cycles", &case.cycles, &distinct.cycles(longest, |_| true));
        case.check("rooted paths", &case.rooted_paths, &found.paths(longest, |_| true));
        case.check("rooted cycles", &case.rooted_cycles, &found.cycles(longest, |_| true));
    }
}

/// So few vertices that everything can be tried.
const SMALL: usize = 12;

/// A graph and what is known of it. The position in a list of counts is the length; lengths that are not
/// listed are not known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    directed: bool,
    vertices: usize,
    edges: Vec<(usize, usize)>,
    #[serde(default)]
    paths: Vec<u64>,
    #[serde(default)]
    cycles: Vec<u64>,
    #[serde(default)]
    rooted_paths: Vec<u64>,
    #[serde(default)]
    rooted_cycles: Vec<u64>,
    #[serde(default)]
    at: Vec<At>,
    #[serde(default)]
    between: Vec<Between>,
}

/// The paths that start at a vertex and the cycles through it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    vertex: usize,
    #[serde(default)]
    paths: Vec<u64>,
    #[serde(default)]
    cycles: Vec<u64>,
}

/// The paths from one vertex to another.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Between {
    from: usize,
    to: usize,
    paths: Vec<u64>,
}

fn cases() -> Vec<Case> {
    #[derive(Deserialize)]
    struct File {
        case: Vec<Case>,
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "toml")) {
        let text = std::fs::read_to_string(file).unwrap();
        let File { case } =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        cases.extend(case);
    }
    assert!(!cases.is_empty(), "no cases in {}", folder.display());
    cases
}

fn suite(engine: Engine) {
    for case in cases() {
        // The sieve sums over subgraphs, and a large graph has too many that are not small.
        let longest = match (engine, case.vertices) {
            (Engine::Sieve, 65..) => 2,
            (Engine::Sieve, 13..) => 4,
            // Beyond, a vertex is held fixed: too slow for large graphs, and for pairs not enough.
            (Engine::Quotient, 65..) => 5,
            (Engine::Quotient, _) => 7,
            // Directions are refused.
            (Engine::Frontier, _) if case.directed => continue,
            // Pairs are counted one by one: too slow for large graphs.
            (Engine::Frontier, 13..) => {
                case.ask_totals(&Counter::up_to(case.max_length()).engine(engine).threads(3));
                continue;
            }
            (Engine::Meet, 13..) => {
                case.ask_pairs(&Counter::up_to(case.max_length()).engine(engine).threads(3));
                continue;
            }
            _ => usize::MAX,
        };
        for threads in [1, 3] {
            case.ask(&Counter::up_to(case.max_length().min(longest)).engine(engine).threads(threads));
        }
    }
}

impl Case {
    fn graph(&self) -> Graph {
        common::graph(self.directed, self.vertices, &self.edges)
    }

    fn max_length(&self) -> usize {
        let pairs = self.between.iter().map(|between| &between.paths);
        let lists = [&self.paths, &self.cycles].into_iter().chain(pairs);
        lists.map(Vec::len).max().unwrap() - 1
    }

    /// Compares the lengths that are known and were asked for.
    fn check(&self, what: &str, known: &[u64], found: &[u64]) {
        let both = known.len().min(found.len());
        assert_eq!(known[..both], found[..both], "{}: {what}", self.name);
    }

    fn ask_totals(&self, counter: &Counter) {
        let graph = self.graph();
        let counts = counter.count(&graph).unwrap();
        assert_eq!(counts.outcome(), Outcome::Complete, "{}", self.name);
        assert_eq!((counts.finished(), counts.max_length()), (counter.max_length(), counter.max_length()));
        self.check("paths", &self.paths, &paths(&counts));
        self.check("cycles", &self.cycles, &cycles(&counts));
        self.check("rooted paths", &self.rooted_paths, &paths(&counts.rooted()));
        self.check("rooted cycles", &self.rooted_cycles, &cycles(&counts.rooted()));
    }

    /// Asks for the pairs of which something is known, one by one.
    fn ask_pairs(&self, counter: &Counter) {
        for &Between { from, to, paths: ref known } in &self.between {
            self.check("paths between", known, &paths(&counter.between(&self.graph(), from, to).unwrap()));
        }
    }

    fn ask(&self, counter: &Counter) {
        self.ask_totals(counter);
        let graph = self.graph();
        check_relations(&self.name, &graph, counter);

        let by_vertex = counter.by_vertex(&graph).unwrap();
        for at in &self.at {
            self.check("paths from a vertex", &at.paths, &paths(&by_vertex[at.vertex]));
            self.check("cycles through a vertex", &at.cycles, &cycles(&by_vertex[at.vertex]));
        }
        let by_pair = counter.by_pair(&graph).unwrap();
        for &Between { from, to, paths: ref known } in &self.between {
            self.check("paths of a pair", known, &pair_paths(&by_pair, from, to));
        }
        self.ask_pairs(counter);
        let few = if self.vertices <= SMALL { self.vertices } else { 0 };
        for (from, to) in (0..few).flat_map(|u| (0..few).map(move |v| (u, v))).filter(|(u, v)| u != v) {
            let between = paths(&counter.between(&graph, from, to).unwrap());
            assert_eq!(between, pair_paths(&by_pair, from, to), "{}: {from} to {to}", self.name);
        }
    }
}
