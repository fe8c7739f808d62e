//! Refinement after Weisfeiler and Lehman: a vertex is called by its own label and those around it.
//!
//! One round gives each vertex a 64-bit word made of its word and the sorted words of its neighbours, each with the word of the
//! edge there if edges have a say. Nothing is looked up in a table of labels, so separate machines find the same words.
//! Neighbours of a directed graph's vertex are those its arcs lead to.

use super::id::mixed;
use crate::Graph;

/// Refines the words of a graph's vertices round by round.
#[derive(Default)]
pub(crate) struct Refinement {
    words: Vec<u64>,
    next: Vec<u64>,
    around: Vec<u64>,
}

impl Refinement {
    /// Begins with the words of the plain labels.
    pub(crate) fn begin(&mut self, words: impl Iterator<Item = u64>) {
        self.words.clear();
        self.words.extend(words);
    }

    /// One round. `edge` gives the word of each arc, by its place among all, if edges have a say.
    pub(crate) fn refine(&mut self, graph: &Graph, edge: Option<&dyn Fn(usize) -> u64>) {
        let Self { words, next, around } = self;
        next.clear();
        for v in 0..graph.order() {
            around.clear();
            match edge {
                Some(edge) => {
                    around.extend(graph.arcs(v).map(|arc| mixed(edge(arc.index), words[arc.target])));
                }
                None => around.extend(graph.neighbours(v).iter().map(|&w| words[w as usize])),
            }
            around.sort_unstable();
            // A vertex without neighbours is refined, too: every word tells its round.
            next.push(around.iter().fold(mixed(words[v], ROUND), |word, &other| mixed(word, other)));
        }
        std::mem::swap(words, next);
    }

    /// The words of the last round.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }
}

/// What a round adds.
const ROUND: u64 = 0x7265_6669_6e65_6421;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::id_of_name;

    fn refined(graph: &Graph, rounds: usize) -> Vec<u64> {
        let mut refinement = Refinement::default();
        refinement.begin((0..graph.order()).map(|_| id_of_name("C")));
        (0..rounds).for_each(|_| refinement.refine(graph, None));
        refinement.words().to_vec()
    }

    #[test]
    fn a_path_is_told_apart_from_its_middle_outwards() {
        // 0-1-2-3-4: ends differ from the rest after one round, the middle after two.
        let graph = Graph::from_edges(5, [(0, 1), (1, 2), (2, 3), (3, 4)]).unwrap();
        let once = refined(&graph, 1);
        assert_eq!((once[0], once[1], once[2]), (once[4], once[3], once[1]));
        assert_ne!(once[0], once[1]);
        let twice = refined(&graph, 2);
        assert_eq!((twice[0], twice[1]), (twice[4], twice[3]));
        assert_ne!(twice[1], twice[2]);
        assert!(once.iter().all(|word| !twice.contains(word)));
    }

    #[test]
    fn lone_vertices_are_refined_too() {
        let graph = Graph::from_edges(1, []).unwrap();
        assert_ne!(refined(&graph, 1), refined(&graph, 2));
    }
}
