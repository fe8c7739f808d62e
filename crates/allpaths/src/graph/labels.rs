//! Labels as small integers with a shared table of their names.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// The names that labels stand for: label `i` is called `names()[i]`.
///
/// All graphs of a dataset share one alphabet, so equal labels are equal integers among them. Between
/// alphabets, labels are the same when their names are the same bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    names: Vec<String>,
}

impl Alphabet {
    /// The names, in the order in which they were first met.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many labels there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no label at all.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// One label for each vertex, or for each edge.
///
/// Two are equal when they give the same names, whatever their alphabets.
#[derive(Clone, Debug)]
pub struct Labels {
    alphabet: Arc<Alphabet>,
    codes: Vec<u32>,
}

impl Labels {
    /// Labels given as positions in an alphabet; the caller checked that they are inside.
    pub(crate) fn new(alphabet: Arc<Alphabet>, codes: Vec<u32>) -> Self {
        debug_assert!(codes.iter().all(|&c| (c as usize) < alphabet.len()));
        Self { alphabet, codes }
    }

    /// Labels given by name.
    pub(crate) fn from_names<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Self {
        let mut interner = Interner::default();
        let codes = names.into_iter().map(|name| interner.code(name.as_ref())).collect();
        Self::new(interner.alphabet(), codes)
    }

    /// The label of vertex or edge `i`, by name.
    ///
    /// # Panics
    ///
    /// When there is no `i`-th vertex or edge.
    pub fn name(&self, i: usize) -> &str {
        &self.alphabet.names[self.codes[i] as usize]
    }

    /// The labels as positions in the alphabet.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// What the codes stand for.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }
}

impl PartialEq for Labels {
    fn eq(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.alphabet, &other.alphabet) {
            return self.codes == other.codes;
        }
        self.codes.len() == other.codes.len() && (0..self.codes.len()).all(|i| self.name(i) == other.name(i))
    }
}

impl Eq for Labels {}

/// Gives names their codes, in order of first appearance.
#[derive(Default)]
pub(crate) struct Interner {
    codes: FxHashMap<Box<str>, u32>,
    alphabet: Arc<Alphabet>,
}

impl Interner {
    pub(crate) fn code(&mut self, name: &str) -> u32 {
        if let Some(&code) = self.codes.get(name) {
            return code;
        }
        let code = self.codes.len() as u32;
        self.codes.insert(name.into(), code);
        // Whoever holds the alphabet as it was keeps that.
        Arc::make_mut(&mut self.alphabet).names.push(name.to_owned());
        code
    }

    /// All names so far.
    pub(crate) fn alphabet(&self) -> Arc<Alphabet> {
        self.alphabet.clone()
    }
}

/// Gives labels of several graphs one alphabet, unless they have one.
pub(crate) fn share_alphabets<'a>(labels: impl Iterator<Item = &'a mut Labels>) {
    let mut labels: Vec<_> = labels.collect();
    if labels.windows(2).all(|pair| Arc::ptr_eq(&pair[0].alphabet, &pair[1].alphabet)) {
        return;
    }
    let mut interner = Interner::default();
    let mut shared = Vec::new();
    for Labels { alphabet, codes } in &mut labels {
        shared.clear();
        shared.extend(alphabet.names.iter().map(|name| interner.code(name)));
        for code in codes {
            *code = shared[*code as usize];
        }
    }
    let alphabet = interner.alphabet();
    for labels in labels {
        labels.alphabet = alphabet.clone();
    }
}
