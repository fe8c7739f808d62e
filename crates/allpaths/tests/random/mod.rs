//! Random graphs with random things known of them, shrunk to the smallest that fails.

#![allow(dead_code)] // each test file needs some of it

use allpaths::Graph;
use allpaths::graph::{Attribute, GraphBuilder, Values};
use proptest::prelude::*;
use proptest::sample::Index;

/// All that a graph can hold, before it is built.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) directed: bool,
    pub(crate) order: usize,
    pub(crate) edges: Vec<(usize, usize)>,
    pub(crate) names: Option<Vec<String>>,
    pub(crate) vertex_labels: Option<Vec<String>>,
    pub(crate) edge_labels: Option<Vec<String>>,
    pub(crate) weights: Option<Vec<f64>>,
    pub(crate) vertex_attributes: Vec<Attribute>,
    pub(crate) edge_attributes: Vec<Attribute>,
}

impl Spec {
    pub(crate) fn build(&self) -> Graph {
        let mut builder = if self.directed {
            GraphBuilder::directed(self.order)
        } else {
            GraphBuilder::undirected(self.order)
        };
        for &(u, v) in &self.edges {
            builder.edge(u, v).unwrap();
        }
        self.names.iter().for_each(|names| _ = builder.names(names));
        self.vertex_labels.iter().for_each(|labels| _ = builder.vertex_labels(labels));
        self.edge_labels.iter().for_each(|labels| _ = builder.edge_labels(labels));
        self.weights.iter().for_each(|weights| _ = builder.weights(weights.iter().copied()));
        self.vertex_attributes.iter().for_each(|attribute| _ = builder.vertex_attribute(attribute.clone()));
        self.edge_attributes.iter().for_each(|attribute| _ = builder.edge_attribute(attribute.clone()));
        builder.build().unwrap()
    }

    /// Leaves the edges alone.
    pub(crate) fn bare(self) -> Self {
        Self {
            names: None,
            vertex_labels: None,
            edge_labels: None,
            weights: None,
            vertex_attributes: Vec::new(),
            edge_attributes: Vec::new(),
            ..self
        }
    }

    /// Calls the vertices 1, 2, ...
    pub(crate) fn numbered_from_1(self) -> Self {
        Self { names: Some((1..=self.order).map(|id| id.to_string()).collect()), ..self }
    }

    /// Numbers the vertices in the order in which edges name them, without those that none names.
    pub(crate) fn in_order_of_edges(mut self) -> Self {
        let mut met: Vec<usize> = Vec::new();
        for (u, v) in &mut self.edges {
            for end in [u, v] {
                let place = met.iter().position(|&known| known == *end).unwrap_or_else(|| {
                    met.push(*end);
                    met.len() - 1
                });
                *end = place;
            }
        }
        self.order = met.len();
        self.names = self.names.map(|names| met.iter().map(|&v| names[v].clone()).collect());
        Self { vertex_labels: None, vertex_attributes: Vec::new(), ..self }
    }
}

/// Which texts a format can hold, and under which names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts {
    pub(crate) text: &'static str,
    pub(crate) keys: [&'static str; 3],
}

/// Anything: quotes, commas, line ends, numbers in disguise, characters of other scripts.
pub(crate) const ANY: Texts = Texts {
    text: "[ -~]{0,4}|\\PC{1,3}|[\\n\\r\\t\"&<>,;#%']{1,3}|-?0?[0-9]{1,2}(\\.[05])?|1e3|9007199254740993",
    keys: ["size", "x y\u{e9}", "0"],
};

/// What CSV can hold as text: no line ends, not nothing, and a letter somewhere, so that it is not a number.
pub(crate) const LINE: Texts =
    Texts { text: "[ -~]{0,3}[g-m][ -~\\r]{0,3}", keys: ["size", "x y\u{e9}", "0"] };

/// What the TU format can hold as a label.
pub(crate) const LABEL: Texts = Texts { text: "[a-z]{1,2}|-?[1-9]", keys: ["0", "1", "2"] };

/// Texts under names that every format can write.
pub(crate) const KEYS: Texts = Texts { keys: ["size", "colour", "z9_"], ..ANY };

pub(crate) fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-20..20i32).prop_map(|x| f64::from(x) / 4.0),
        1 => any::<f64>().prop_filter("finite", |x| x.is_finite()),
        1 => prop_oneof![Just(1e16), Just(-9.1e15), Just(1e-7), Just(123_456_789.0), Just(f64::MIN_POSITIVE)],
    ]
}

/// A value for each row, or nothing if there are no rows.
fn maybe<T: Clone + std::fmt::Debug>(
    rows: usize,
    value: impl Strategy<Value = T>,
) -> impl Strategy<Value = Option<Vec<T>>> {
    (any::<bool>(), prop::collection::vec(value, rows))
        .prop_map(|(is_there, values)| Some(values).filter(|values| is_there && !values.is_empty()))
}

/// A value in the first row, and in most of the others.
fn mostly<T: Clone + std::fmt::Debug>(
    rows: usize,
    value: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Vec<Option<T>>> {
    let others = prop::collection::vec(prop::option::weighted(0.8, value.clone()), rows.saturating_sub(1));
    (value, others).prop_map(move |(first, others)| {
        std::iter::once(Some(first)).filter(|_| rows > 0).chain(others).collect()
    })
}

/// Up to three attributes. All have a value in the first row: formats of records list them as they come.
fn attributes(rows: usize, texts: Texts) -> impl Strategy<Value = Vec<Attribute>> {
    let reals = mostly(rows, number().boxed()).prop_map(Values::Real);
    let strings = mostly(rows, texts.text).prop_map(Values::Text);
    let values = prop_oneof![reals, strings];
    prop::collection::vec(values, 0..=3).prop_map(move |columns| {
        let named = columns.into_iter().filter(|values| !values.is_empty()).zip(texts.keys);
        named.map(|(values, key)| Attribute::new(key, values)).collect()
    })
}

/// Different edges, in any order.
fn edges(order: usize) -> impl Strategy<Value = Vec<(usize, usize)>> {
    let ends = (any::<Index>(), any::<Index>());
    prop::collection::vec(ends, 0..12).prop_map(move |ends| {
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (u, v) in ends.iter().filter(|_| order > 0).map(|(u, v)| (u.index(order), v.index(order))) {
            if !edges.contains(&(u, v)) && !edges.contains(&(v, u)) {
                edges.push((u, v));
            }
        }
        edges
    })
}

/// Different names, none of them a number.
fn names(order: usize, texts: Texts) -> impl Strategy<Value = Option<Vec<String>>> {
    maybe(order, texts.text).prop_map(|names| {
        names.map(|names| names.iter().enumerate().map(|(i, name)| format!("{name}:{i}")).collect())
    })
}

/// Graphs of up to eight vertices that hold such texts.
pub(crate) fn graphs(texts: Texts) -> impl Strategy<Value = Spec> {
    (0..=8usize, any::<bool>())
        .prop_flat_map(|(order, directed)| (Just(order), Just(directed), edges(order)))
        .prop_flat_map(move |(order, directed, edges)| {
            let size = edges.len();
            let known = (
                names(order, texts),
                maybe(order, texts.text),
                maybe(size, texts.text),
                maybe(size, number()),
                attributes(order, texts),
                attributes(size, texts),
            );
            (Just((order, directed, edges)), known)
        })
        .prop_map(|((order, directed, edges), known)| {
            let (names, vertex_labels, edge_labels, weights, vertex_attributes, edge_attributes) = known;
            Spec {
                directed,
                order,
                edges,
                names,
                vertex_labels,
                edge_labels,
                weights,
                vertex_attributes,
                edge_attributes,
            }
        })
}
