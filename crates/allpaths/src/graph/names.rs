//! Vertex names, packed into one string.

/// What a file calls its vertices, in vertex order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    pub(crate) fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, vertex: usize) -> &str {
        let start = if vertex == 0 { 0 } else { self.ends[vertex - 1] };
        &self.text[start..self.ends[vertex]]
    }

    /// Whether each vertex is called by its own number, which is no name.
    pub(crate) fn are_numbers(&self) -> bool {
        (0..self.len()).all(|v| {
            let name = self.get(v);
            // `+1` and `01` are names.
            name.parse() == Ok(v) && (name == "0" || !name.starts_with(['+', '0']))
        })
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        (0..self.len()).find(|&v| self.get(v) == name)
    }
}

impl<S: AsRef<str>> FromIterator<S> for Names {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut packed = Self::default();
        names.into_iter().for_each(|name| packed.push(name.as_ref()));
        packed
    }
}
