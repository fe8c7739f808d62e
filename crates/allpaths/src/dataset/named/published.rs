//! What is known of published datasets without a look at them.

use serde::Serialize;

/// A dataset of the TU Dortmund collection, as its documentation describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Published {
    /// What it is called, there and here.
    pub name: &'static str,
    /// Number of graphs.
    pub graphs: usize,
    /// Number of classes.
    pub classes: usize,
    /// Whether vertices have labels.
    pub vertex_labels: bool,
    /// Whether edges have labels.
    pub edge_labels: bool,
    /// How many numbers a vertex has.
    pub vertex_attributes: usize,
    /// How many numbers an edge has.
    pub edge_attributes: usize,
}

const fn set(name: &'static str, graphs: usize, classes: usize, about: [usize; 4]) -> Published {
    let [vertex_labels, edge_labels, vertex_attributes, edge_attributes] = about;
    let (vertex_labels, edge_labels) = (vertex_labels == 1, edge_labels == 1);
    Published { name, graphs, classes, vertex_labels, edge_labels, vertex_attributes, edge_attributes }
}

/// The published datasets that are known by name, in the order of their names without regard to case: those for
/// classification, less those that change over time and those of which sources say different things.
///
/// # Example
///
/// ```
/// # use allpaths::dataset::PUBLISHED;
/// let largest = PUBLISHED.iter().max_by_key(|set| set.graphs).unwrap();
/// assert_eq!((largest.name, largest.graphs), ("reddit_threads", 203_088));
/// ```
pub const PUBLISHED: &[Published] = &[
    // Graphs and classes; vertices and edges with labels (1) or without (0), numbers of their attributes.
    set("AIDS", 2000, 2, [1, 1, 4, 0]),
    set("BZR", 405, 2, [1, 0, 3, 0]),
    set("BZR_MD", 306, 2, [1, 1, 0, 1]),
    set("COIL-DEL", 3900, 100, [0, 1, 2, 0]),
    set("COIL-RAG", 3900, 100, [0, 0, 64, 1]),
    set("COLLAB", 5000, 3, [0, 0, 0, 0]),
    set("COX2", 467, 2, [1, 0, 3, 0]),
    set("COX2_MD", 303, 2, [1, 1, 0, 1]),
    set("Cuneiform", 267, 30, [1, 1, 3, 2]),
    set("DBLP_v1", 19_456, 2, [1, 1, 0, 0]),
    set("DD", 1178, 2, [1, 0, 0, 0]),
    set("deezer_ego_nets", 9629, 2, [0, 0, 0, 0]),
    set("DHFR_MD", 393, 2, [1, 1, 0, 1]),
    set("ENZYMES", 600, 6, [1, 0, 18, 0]),
    set("ER_MD", 446, 2, [1, 1, 0, 1]),
    set("FIRSTMM_DB", 41, 11, [1, 0, 1, 2]),
    set("FRANKENSTEIN", 4337, 2, [0, 0, 780, 0]),
    set("github_stargazers", 12_725, 2, [0, 0, 0, 0]),
    set("IMDB-BINARY", 1000, 2, [0, 0, 0, 0]),
    set("IMDB-MULTI", 1500, 3, [0, 0, 0, 0]),
    set("KKI", 83, 2, [1, 0, 0, 0]),
    set("Letter-high", 2250, 15, [0, 0, 2, 0]),
    set("Letter-low", 2250, 15, [0, 0, 2, 0]),
    set("Letter-med", 2250, 15, [0, 0, 2, 0]),
    set("MCF-7", 27_770, 2, [1, 1, 0, 0]),
    set("MCF-7H", 27_770, 2, [1, 1, 0, 0]),
    set("MOLT-4", 39_765, 2, [1, 1, 0, 0]),
    set("MOLT-4H", 39_765, 2, [1, 1, 0, 0]),
    set("MSRC_21", 563, 20, [1, 0, 0, 0]),
    set("MSRC_21C", 209, 20, [1, 0, 0, 0]),
    set("MSRC_9", 221, 8, [1, 0, 0, 0]),
    set("MUTAG", 188, 2, [1, 1, 0, 0]),
    set("Mutagenicity", 4337, 2, [1, 1, 0, 0]),
    set("NCI-H23", 40_353, 2, [1, 1, 0, 0]),
    set("NCI-H23H", 40_353, 2, [1, 1, 0, 0]),
    set("NCI1", 4110, 2, [1, 0, 0, 0]),
    set("NCI109", 4127, 2, [1, 0, 0, 0]),
    set("OHSU", 79, 2, [1, 0, 0, 0]),
    set("OVCAR-8", 40_516, 2, [1, 1, 0, 0]),
    set("OVCAR-8H", 40_516, 2, [1, 1, 0, 0]),
    set("P388", 41_472, 2, [1, 1, 0, 0]),
    set("P388H", 41_472, 2, [1, 1, 0, 0]),
    set("PC-3", 27_509, 2, [1, 1, 0, 0]),
    set("PC-3H", 27_509, 2, [1, 1, 0, 0]),
    set("Peking_1", 85, 2, [1, 0, 0, 0]),
    set("PROTEINS", 1113, 2, [1, 0, 1, 0]),
    set("PROTEINS_full", 1113, 2, [1, 0, 29, 0]),
    set("PTC_FM", 349, 2, [1, 1, 0, 0]),
    set("PTC_FR", 351, 2, [1, 1, 0, 0]),
    set("PTC_MM", 336, 2, [1, 1, 0, 0]),
    set("PTC_MR", 344, 2, [1, 1, 0, 0]),
    set("REDDIT-BINARY", 2000, 2, [0, 0, 0, 0]),
    set("REDDIT-MULTI-12K", 11_929, 11, [0, 0, 0, 0]),
    set("REDDIT-MULTI-5K", 4999, 5, [0, 0, 0, 0]),
    set("reddit_threads", 203_088, 2, [0, 0, 0, 0]),
    set("SF-295", 40_271, 2, [1, 1, 0, 0]),
    set("SF-295H", 40_271, 2, [1, 1, 0, 0]),
    set("SN12C", 40_004, 2, [1, 1, 0, 0]),
    set("SN12CH", 40_004, 2, [1, 1, 0, 0]),
    set("SW-620", 40_532, 2, [1, 1, 0, 0]),
    set("SW-620H", 40_532, 2, [1, 1, 0, 0]),
    set("SYNTHETICnew", 300, 2, [0, 0, 1, 0]),
    set("Synthie", 400, 4, [0, 0, 15, 0]),
    set("twitch_egos", 127_094, 2, [0, 0, 0, 0]),
    set("TWITTER-Real-Graph-Partial", 144_033, 2, [1, 0, 0, 1]),
    set("UACC257", 39_988, 2, [1, 1, 0, 0]),
    set("UACC257H", 39_988, 2, [1, 1, 0, 0]),
    set("Yeast", 79_601, 2, [1, 1, 0, 0]),
    set("YeastH", 79_601, 2, [1, 1, 0, 0]),
];

impl Published {
    /// The dataset of that very name.
    pub fn find(name: &str) -> Option<&'static Self> {
        PUBLISHED.iter().find(|set| set.name == name)
    }

    /// The dataset that somebody may have meant: of a name that differs in a letter or two, or in case and signs alone.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Published;
    /// assert_eq!(Published::nearest("ptc-mr").unwrap().name, "PTC_MR");
    /// assert_eq!(Published::nearest("ENZYME").unwrap().name, "ENZYMES");
    /// assert_eq!(Published::nearest("karate"), None);
    /// ```
    pub fn nearest(name: &str) -> Option<&'static Self> {
        let plain = |name: &str| name.replace(['-', '_', ' '], "").to_lowercase();
        let asked = plain(name);
        let distance = |set: &&Self| edits(&asked, &plain(set.name));
        let nearest = PUBLISHED.iter().min_by_key(distance)?;
        // Of a short name, two letters are most.
        (distance(&nearest) <= ((asked.chars().count() + 1) / 3).min(2)).then_some(nearest)
    }
}

/// How many letters to insert, remove or replace (Levenshtein).
fn edits(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in to.chars().enumerate() {
            let replaced = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = replaced.min(corner + 1).min(row[j] + 1);
        }
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_safe_in_paths() {
        let key = |set: &Published| set.name.to_lowercase();
        assert!(PUBLISHED.is_sorted_by(|a, b| key(a) < key(b)));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        assert!(PUBLISHED.iter().all(|set| set.name.chars().all(is_plain)));
    }

    #[test]
    fn nearest_names() {
        for (asked, meant) in [
            ("MUTGA", Some("MUTAG")),
            ("mutag", Some("MUTAG")),
            ("Nci1", Some("NCI1")),
            ("imdb_binary", Some("IMDB-BINARY")),
            ("PROTEIN", Some("PROTEINS")),
            ("D", None),
            ("", None),
            ("graph", None),
        ] {
            assert_eq!(Published::nearest(asked).map(|set| set.name), meant, "{asked}");
        }
        assert_eq!([edits("", "abc"), edits("kitten", "sitting"), edits("ab", "ba")], [3, 3, 2]);
    }
}
