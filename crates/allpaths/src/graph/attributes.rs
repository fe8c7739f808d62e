//! What else a file says about vertices or edges: columns that counting does not read.

use std::sync::Arc;

/// One named attribute with a value for each vertex, or each edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    name: Arc<str>,
    values: Values,
}

/// The values of an attribute, one for each vertex or edge; `None` where the file gives none.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers.
    Real(Vec<Option<f64>>),
    /// Anything else, as text.
    Text(Vec<Option<String>>),
}

impl Attribute {
    /// An attribute under its name.
    pub fn new(name: impl Into<Arc<str>>, values: Values) -> Self {
        Self { name: name.into(), values }
    }

    /// What the file calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values.
    pub fn values(&self) -> &Values {
        &self.values
    }
}

impl Values {
    /// How many values there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Real(values) => values.len(),
            Values::Text(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Value `i` as text; numbers as the shortest decimal that reads back to the same number.
    pub fn text(&self, i: usize) -> Option<String> {
        match self {
            Values::Real(values) => values[i].map(|x| x.to_string()),
            Values::Text(values) => values[i].clone(),
        }
    }

    /// The values at the given positions, in that order.
    pub(crate) fn pick(&self, positions: impl Iterator<Item = usize>) -> Self {
        match self {
            Values::Real(values) => Values::Real(positions.map(|i| values[i]).collect()),
            Values::Text(values) => Values::Text(positions.map(|i| values[i].clone()).collect()),
        }
    }
}
