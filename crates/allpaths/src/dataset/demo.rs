//! A dataset that needs no file: graphs like molecules, of two classes, with a known cause.

use super::Dataset;
use crate::Result;
use crate::graph::GraphBuilder;
use crate::random::ChaCha8;

/// How many graphs there are.
const GRAPHS: u32 = 300;

/// The most neighbours of a vertex.
const VALENCE: usize = 4;

impl Dataset {
    /// Three hundred graphs like small molecules, made from a seed: class 1 has a ring of four C and one O, class 0 has not.
    ///
    /// Every graph has random chains of C, N and O, a ring of six or seven C, and a ring of five with one vertex hanging from it. In class 1 an O
    /// is in that ring and a C hangs from it, in class 0 the other way round: neither the number of labels nor the shape tells the classes
    /// apart, only the cycle `C-C-C-C-O` does.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{AllPathsCycles, Dataset};
    /// let demo = Dataset::demo(1);
    /// let features = AllPathsCycles::up_to(5).embed(&demo)?;
    /// for (graph, &class) in demo.classes().unwrap().iter().enumerate() {
    ///     assert_eq!(features.count(graph, "cycle:C-C-C-C-O-"), Some(class as u64));
    /// }
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Never: the graphs are made as graphs should be.
    pub fn demo(seed: u64) -> Self {
        let mut random = ChaCha8::new(seed);
        let mut made = || -> Result<Self> {
            let (mut graphs, mut classes) = (Vec::new(), Vec::new());
            for _ in 0..GRAPHS {
                let class = i64::from(random.below(5) < 2);
                graphs.push(molecule(&mut random, class == 1).builder()?.build()?);
                classes.push(class);
            }
            Self::from_graphs("demo", graphs).with_classes(classes)
        };
        made().expect("every vertex has a label and every edge two ends")
    }
}

/// A graph that grows.
#[derive(Default)]
struct Molecule {
    labels: Vec<&'static str>,
    edges: Vec<(usize, usize)>,
}

fn molecule(random: &mut ChaCha8, has_cause: bool) -> Molecule {
    let mut molecule = Molecule::default();
    molecule.labels.push("C");
    for _ in 0..5 + random.below(8) {
        molecule.grow(random);
    }
    let larger = 6 + random.below(2) as usize;
    molecule.ring(random, &["C"; 7][..larger]);
    let (inside, outside) = if has_cause { ("O", "C") } else { ("C", "O") };
    let first = molecule.ring(random, &["C", "C", "C", "C", inside]);
    // Not from the place of the O, which has two neighbours in molecules, and not from where the ring hangs itself.
    let hook = first + 1 + random.below(3) as usize;
    molecule.hang(hook, outside);
    for _ in 0..random.below(4) {
        molecule.grow(random);
    }
    molecule
}

impl Molecule {
    fn hang(&mut self, at: usize, label: &'static str) -> usize {
        let vertex = self.labels.len();
        self.labels.push(label);
        self.edges.push((at, vertex));
        vertex
    }

    /// Hangs one more vertex from a random place that has room.
    fn grow(&mut self, random: &mut ChaCha8) {
        let label = ["C", "C", "C", "C", "C", "N", "O"][random.below(7) as usize];
        let at = self.place(random);
        self.hang(at, label);
    }

    /// Hangs a ring by its first vertex from a random place that has room, and tells which vertex that is.
    fn ring(&mut self, random: &mut ChaCha8, labels: &[&'static str]) -> usize {
        let at = self.place(random);
        let first = self.hang(at, labels[0]);
        let last = labels[1..].iter().fold(first, |before, label| self.hang(before, label));
        self.edges.push((last, first));
        first
    }

    /// A vertex with room for one more neighbour: an O takes two, everything else four.
    fn place(&self, random: &mut ChaCha8) -> usize {
        let has_room = |&vertex: &usize| {
            let neighbours = self.edges.iter().filter(|(u, v)| *u == vertex || *v == vertex).count();
            neighbours < if self.labels[vertex] == "O" { 2 } else { VALENCE }
        };
        // A tree always has a leaf, and every leaf room.
        let places: Vec<usize> = (0..self.labels.len()).filter(has_room).collect();
        places[random.below(places.len() as u32) as usize]
    }

    fn builder(&self) -> Result<GraphBuilder> {
        let mut builder = GraphBuilder::undirected(self.labels.len());
        builder.vertex_labels(self.labels.iter().copied());
        for &(u, v) in &self.edges {
            builder.edge(u, v)?;
        }
        Ok(builder)
    }
}
