//! The labels of an alphabet, in order and spelt out once.

use std::sync::Arc;

use super::LabelMap;
use super::id::Piece;
use super::name;
use crate::graph::{Alphabet, Labels};

/// A label as it stands in names and ids.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) piece: Piece,
    /// Which of the labels that the map keeps it is; one more than the last for all others.
    pub(crate) code: u32,
}

/// The labels of an alphabet under a map, in the order of their names.
#[derive(Clone, Debug)]
pub(crate) struct Lexicon {
    alphabet: Option<Arc<Alphabet>>,
    /// By the alphabet's codes: which word it is.
    places: Vec<u32>,
    words: Vec<Word>,
}

impl Lexicon {
    /// The words for the vertices of graphs whose labels come from an alphabet, or that have no labels.
    pub(crate) fn of_vertices(labels: Option<&Labels>, map: &LabelMap) -> Self {
        let kept = |label: &str| match map.kept() {
            None => Some(0),
            Some(kept) => kept.iter().position(|other| other == label).map(|code| code as u32),
        };
        let rest = map.kept().map_or(0, |kept| kept.len() as u32);
        Self::new(labels, |label| match label.and_then(|label| Some((label, kept(label)?))) {
            Some((label, code)) => (label.to_owned(), name::vertex(label), code),
            None => (name::REST.to_owned(), name::REST.to_owned(), rest),
        })
    }

    /// The words for the edges.
    pub(crate) fn of_edges(labels: Option<&Labels>) -> Self {
        Self::new(labels, |label| match label {
            Some(label) => (label.to_owned(), name::edge(label), 0),
            None => (String::new(), name::LINK.to_owned(), 0),
        })
    }

    /// `word` gives what a label sorts by, how it is spelt, and its code.
    fn new(labels: Option<&Labels>, word: impl Fn(Option<&str>) -> (String, String, u32)) -> Self {
        let alphabet = labels.map(Labels::alphabet);
        let names: Vec<Option<&str>> = match alphabet {
            Some(alphabet) => alphabet.names().iter().map(|name| Some(name.as_str())).collect(),
            None => vec![None],
        };
        let mut entries: Vec<_> = names.into_iter().map(word).zip(0..).collect();
        // Two labels may be one word: those that the map does not keep.
        entries.sort();
        let mut places = vec![0; entries.len()];
        let mut words: Vec<Word> = Vec::new();
        for ((_, text, code), place) in entries {
            if words.last().is_none_or(|last| last.text != text) {
                words.push(Word { piece: Piece::of(&text), text, code });
            }
            places[place] = words.len() as u32 - 1;
        }
        Self { alphabet: alphabet.cloned(), places, words }
    }

    /// Whether it is the lexicon for these labels.
    pub(crate) fn is_for(&self, labels: Option<&Labels>) -> bool {
        match (&self.alphabet, labels) {
            (Some(mine), Some(labels)) => Arc::ptr_eq(mine, labels.alphabet()),
            (None, None) => true,
            _ => false,
        }
    }

    /// Which word the label of vertex or edge `i` is; the only one where there are no labels.
    #[inline]
    pub(crate) fn place(&self, labels: Option<&Labels>, i: usize) -> u32 {
        self.places[labels.map_or(0, |labels| labels.codes()[i] as usize)]
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn word(&self, place: u32) -> &Word {
        &self.words[place as usize]
    }
}
