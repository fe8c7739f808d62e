//! What the vertices and edges of one graph are called, as small numbers.

use std::fmt;

use super::LabelMap;
use super::id::Piece;
use super::lexicon::Lexicon;
use super::name;
use super::refine::Refinement;
use crate::Graph;

/// The labels of one graph at a time: numbers in the order of the names they stand for, from 0 and without gaps. Scratch, to be
/// used for graph after graph.
pub(crate) struct Labelling {
    map: LabelMap,
    with_edges: bool,
    vertex_lexicon: Lexicon,
    edge_lexicon: Lexicon,
    directed: bool,
    /// By vertex: which word its plain label is.
    plain: Vec<u32>,
    /// By arc: which word its label is.
    arcs: Vec<u32>,
    refinement: Refinement,
    rounds: usize,
    /// By vertex: the number of its label.
    vertices: Vec<u32>,
    /// By number.
    labels: Vec<Label>,
    /// The vertices by label: plain label, refined word and vertex in one number.
    sorted: Vec<u128>,
}

/// A label: the plain one, and what refinement added to it.
#[derive(Clone, Copy, Debug)]
struct Label {
    plain: u32,
    refined: Option<u64>,
    piece: Piece,
}

impl Labelling {
    pub(crate) fn new(map: LabelMap, with_edges: bool) -> Self {
        Self {
            vertex_lexicon: Lexicon::of_vertices(None, &map),
            edge_lexicon: Lexicon::of_edges(None),
            map,
            with_edges,
            directed: false,
            plain: Vec::new(),
            arcs: Vec::new(),
            refinement: Refinement::default(),
            rounds: 0,
            vertices: Vec::new(),
            labels: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// Turns to another graph, with its plain labels.
    pub(crate) fn begin(&mut self, graph: &Graph) {
        let labels = graph.vertex_labels();
        if !self.vertex_lexicon.is_for(labels) {
            self.vertex_lexicon = Lexicon::of_vertices(labels, &self.map);
        }
        self.plain.clear();
        self.plain.extend((0..graph.order()).map(|v| self.vertex_lexicon.place(labels, v)));
        self.arcs.clear();
        if self.with_edges {
            let labels = graph.edge_labels();
            if !self.edge_lexicon.is_for(labels) {
                self.edge_lexicon = Lexicon::of_edges(labels);
            }
            let edges = (0..graph.order()).flat_map(|v| graph.arcs(v)).map(|arc| graph.edge_of(arc));
            let word = |edge: usize| self.edge_lexicon.place(labels, edge);
            self.arcs.extend(edges.map(word));
        }
        self.directed = graph.is_directed();
        self.rounds = 0;
    }

    /// Refines the labels by one round.
    pub(crate) fn refine(&mut self, graph: &Graph) {
        let Self { plain, arcs, vertex_lexicon, edge_lexicon, refinement, .. } = self;
        if self.rounds == 0 {
            refinement.begin(plain.iter().map(|&place| vertex_lexicon.word(place).piece.id()));
        }
        let edge = |arc: usize| edge_lexicon.word(arcs[arc]).piece.id();
        refinement.refine(graph, self.with_edges.then_some(&edge));
        self.rounds += 1;
    }

    /// Numbers the labels as they are now.
    pub(crate) fn number(&mut self) {
        let Self { plain, vertices, labels, sorted, refinement, vertex_lexicon, rounds, .. } = self;
        let refined = |v: usize| if *rounds == 0 { 0 } else { refinement.words()[v] };
        sorted.clear();
        let key = |v: usize, place: u32| u128::from(place) << 96 | u128::from(refined(v)) << 32 | v as u128;
        sorted.extend(plain.iter().enumerate().map(|(v, &place)| key(v, place)));
        sorted.sort_unstable();
        vertices.clear();
        vertices.resize(plain.len(), 0);
        labels.clear();
        let mut last = None;
        for &key in &*sorted {
            if last.replace(key >> 32) != Some(key >> 32) {
                let (place, refined) = ((key >> 96) as u32, (*rounds > 0).then_some((key >> 32) as u64));
                let piece = vertex_lexicon.word(place).piece;
                let piece = refined.map_or(piece, |word| piece.then(Piece::dotted(word)));
                labels.push(Label { plain: place, refined, piece });
            }
            vertices[key as u32 as usize] = labels.len() as u32 - 1;
        }
    }

    /// Whether the graph is directed, so that what is read backwards is something else.
    pub(crate) fn is_directed(&self) -> bool {
        self.directed
    }

    /// How many different labels the vertices have.
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The vertices, sorted by the number of their labels.
    pub(crate) fn by_label(&self) -> impl Iterator<Item = usize> + '_ {
        self.sorted.iter().map(|&key| key as u32 as usize)
    }

    /// How many different labels edges can have; 1 where they have no say.
    pub(crate) fn edge_labels(&self) -> usize {
        if self.with_edges { self.edge_lexicon.len() } else { 1 }
    }

    /// The number of each vertex's label.
    pub(crate) fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// The code that the label map gives each vertex's plain label.
    pub(crate) fn codes(&self) -> impl Iterator<Item = u32> + '_ {
        self.plain.iter().map(|&place| self.vertex_lexicon.word(place).code)
    }

    /// Which word an arc's label is, by the arc's place among all; 0 where edges have no say.
    pub(crate) fn arc(&self, index: usize) -> u32 {
        self.arcs.get(index).copied().unwrap_or(0)
    }

    /// A vertex label as a piece of ids.
    #[inline]
    pub(crate) fn piece(&self, label: u32) -> Piece {
        self.labels[label as usize].piece
    }

    /// An edge label as a piece of ids.
    #[inline]
    pub(crate) fn edge_piece(&self, edge: u32) -> Piece {
        self.edge_lexicon.word(edge).piece
    }

    /// Whether edges have a say.
    pub(crate) fn has_edges(&self) -> bool {
        self.with_edges
    }
}

/// What names are spelt into: the name itself, or the piece that its id is made of.
pub(crate) trait Spelling: fmt::Write {
    /// Writes a vertex label.
    fn vertex(&mut self, labelling: &Labelling, label: u32) -> fmt::Result;

    /// Writes an edge label.
    fn edge(&mut self, labelling: &Labelling, edge: u32) -> fmt::Result;
}

/// What comes out when a name is spelt.
pub(crate) fn spelt<S: Spelling + Default>(spell: impl FnOnce(&mut S) -> fmt::Result) -> S {
    let mut out = S::default();
    spell(&mut out).expect("names and pieces take whatever is written");
    out
}

impl Spelling for String {
    fn vertex(&mut self, labelling: &Labelling, label: u32) -> fmt::Result {
        let Label { plain, refined, .. } = labelling.labels[label as usize];
        self.push_str(&labelling.vertex_lexicon.word(plain).text);
        match refined {
            Some(word) => name::refined(self, word),
            None => Ok(()),
        }
    }

    fn edge(&mut self, labelling: &Labelling, edge: u32) -> fmt::Result {
        self.push_str(&labelling.edge_lexicon.word(edge).text);
        Ok(())
    }
}

impl Spelling for Piece {
    fn vertex(&mut self, labelling: &Labelling, label: u32) -> fmt::Result {
        *self = self.then(labelling.piece(label));
        Ok(())
    }

    fn edge(&mut self, labelling: &Labelling, edge: u32) -> fmt::Result {
        *self = self.then(labelling.edge_piece(edge));
        Ok(())
    }
}
