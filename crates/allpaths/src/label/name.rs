//! How labels are spelt in the names of features: readable, and never to be taken for something else.
//!
//! A label of letters, digits, `_` and `+` stands for itself. Any other is put in double quotes, with `"` and `\` escaped by a
//! backslash. A bare `*` stands for all labels that have no name of their own: those that a label map does not keep, and
//! the vertices of graphs without labels. A refined label is the label it refines, a dot and sixteen hexadecimal digits.
//!
//! Between the vertices of a sequence stands `-`, or the label of the edge: one of the bond symbols `- = # : ~ $` as it is, any
//! other in braces, `C{1}O`.

use std::fmt::{self, Write};

/// Stands for every label without a name of its own.
pub(crate) const REST: &str = "*";

/// What stands between vertices where edges have no labels.
pub(crate) const LINK: &str = "-";

/// A vertex label.
pub(crate) fn vertex(label: &str) -> String {
    let mut name = String::with_capacity(label.len());
    push_label(&mut name, label);
    name
}

/// An edge label, as it stands between two vertices.
pub(crate) fn edge(label: &str) -> String {
    if matches!(label, "-" | "=" | "#" | ":" | "~" | "$") {
        return label.to_owned();
    }
    let mut name = String::from("{");
    push_label(&mut name, label);
    name.push('}');
    name
}

/// What refinement adds to a label.
pub(crate) fn refined(name: &mut String, word: u64) -> fmt::Result {
    write!(name, ".{word:016x}")
}

fn push_label(name: &mut String, label: &str) {
    if !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '+') {
        name.push_str(label);
        return;
    }
    name.push('"');
    for c in label.chars() {
        match c {
            '"' | '\\' => name.extend(['\\', c]),
            c if c.is_control() => name.extend(c.escape_unicode()),
            c => name.push(c),
        }
    }
    name.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_labels_are_quoted() {
        for (label, spelt) in [
            ("C", "C"),
            ("17", "17"),
            ("N+", "N+"),
            ("h\u{f6}he", "h\u{f6}he"),
            ("", "\"\""),
            ("-1", "\"-1\""),
            ("*", "\"*\""),
            ("C.0123456789abcdef", "\"C.0123456789abcdef\""),
            ("a\"b\\c", "\"a\\\"b\\\\c\""),
            ("a\nb", "\"a\\u{a}b\""),
        ] {
            assert_eq!(vertex(label), spelt);
        }
        assert_eq!(["=", "1", "==", "-1"].map(edge), ["=", "{1}", "{\"==\"}", "{\"-1\"}"]);
    }
}
