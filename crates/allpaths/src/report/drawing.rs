//! Graphs as they go into pages: places, labels and bonds in few bytes, drawn there when they are seen.

use std::fmt::Write;

use minijinja::HtmlEscape;
use serde::Serialize;

use super::layout::layout;
use crate::Graph;
use crate::dataset::molecule::Element;

/// Units in which edges have length 1.
const UNIT: f64 = 30.0;

/// A graph to be drawn.
#[derive(Serialize)]
pub(crate) struct Drawing {
    /// Where vertices are; empty for graphs that are too large.
    x: Vec<u32>,
    y: Vec<u32>,
    /// Width and height.
    size: [u32; 2],
    /// By vertex: which of the page's labels it has; empty where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<u32>,
    /// By edge: its ends, and 1 to 4 for single to quadruple bonds, 5 for aromatic ones.
    edges: Vec<[u32; 3]>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    directed: bool,
    /// What vertices are called in their file, if that is not a number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

impl Drawing {
    /// The picture by itself: vertices coloured by shares, which are at most `scale`; orange for negative ones, blue for positive ones.
    pub(crate) fn svg(&self, legend: &Legend, shares: &[f64], scale: f64, title: &str) -> String {
        const PAD: u32 = 22;
        let (shown, molecules) = (legend.shown(), legend.is_of_molecules());
        let (width, height) = (self.size[0] + 2 * PAD, self.size[1] + 2 * PAD);
        let at = |v: u32| (self.x[v as usize] + PAD, self.y[v as usize] + PAD);
        let title = HtmlEscape(title);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title><style>text{{font:600 12px sans-serif;text-anchor:middle;dominant-baseline:central;stroke:#fff;stroke-width:4px;\
             paint-order:stroke}}line,circle{{stroke:#1b1f24;stroke-width:1.5}}.share{{stroke:none}}</style>\n"
        );
        // A text takes whatever is written.
        let mut write = |text: std::fmt::Arguments<'_>| out.write_fmt(text).expect("a text has room");
        for (v, &share) in (0..self.x.len() as u32).zip(shares) {
            let ((x, y), colour) = (at(v), colour(share, scale));
            write(format_args!(
                "<circle class=\"share\" cx=\"{x}\" cy=\"{y}\" r=\"12\" fill=\"{colour}\"/>\n"
            ));
        }
        for &[u, v, bond] in self.edges.iter().filter(|edge| edge[0] != edge[1] && !self.x.is_empty()) {
            let ((x1, y1), (x2, y2)) = (at(u), at(v));
            let [dx, dy] = [f64::from(x2) - f64::from(x1), f64::from(y2) - f64::from(y1)];
            let length = dx.hypot(dy).max(1.0);
            let mut line = |off: f64, dashes: &str| {
                let [x, y] = [-dy / length * off, dx / length * off];
                let [x1, y1, x2, y2] =
                    [f64::from(x1) + x, f64::from(y1) + y, f64::from(x2) + x, f64::from(y2) + y];
                write(format_args!(
                    "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"{dashes}/>\n"
                ));
            };
            match bond {
                2 => [-2.0, 2.0].into_iter().for_each(|off| line(off, "")),
                3 | 4 => [-3.5, 0.0, 3.5].into_iter().for_each(|off| line(off, "")),
                5 => [(-2.0, ""), (2.0, " stroke-dasharray=\"3.5 3.5\"")]
                    .into_iter()
                    .for_each(|(off, dashes)| line(off, dashes)),
                _ => line(0.0, ""),
            }
        }
        for (v, &label) in (0..self.x.len() as u32).zip(&self.labels) {
            let ((x, y), label) = (at(v), &shown[label as usize]);
            if !(molecules
                && is_plain_carbon(label)
                && self.edges.iter().any(|edge| edge[0] == v || edge[1] == v))
            {
                write(format_args!("<text x=\"{x}\" y=\"{y}\">{}</text>\n", HtmlEscape(label)));
            }
        }
        out.push_str("</svg>\n");
        out
    }
}

/// A colour between white and orange, or blue.
fn colour(share: f64, scale: f64) -> String {
    let full: [f64; 3] = if share < 0.0 { [240.0, 138.0, 36.0] } else { [31.0, 119.0, 208.0] };
    let part = if scale > 0.0 { (share.abs() / scale).min(1.0).powf(0.65) } else { 0.0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and 255
    let [r, g, b] = full.map(|full| (255.0 + part * (full - 255.0)).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The labels of a page: each name once.
#[derive(Default)]
pub(crate) struct Legend {
    names: Vec<String>,
    bonds: Vec<String>,
    known: Option<&'static Known>,
}

/// What the numbers of a published dataset stand for, as its own description says.
struct Known {
    dataset: &'static str,
    vertices: &'static [&'static str],
    /// As in [`Drawing::edges`].
    bonds: &'static [u32],
}

const KNOWN: [Known; 1] =
    [Known { dataset: "MUTAG", vertices: &["C", "N", "O", "F", "I", "Cl", "Br"], bonds: &[5, 1, 2, 3] }];

impl Legend {
    /// For the graphs of a dataset, by its name.
    pub(crate) fn of(dataset: &str) -> Self {
        Self { known: KNOWN.iter().find(|known| known.dataset == dataset), ..Self::default() }
    }

    /// A graph to be drawn.
    pub(crate) fn drawing(&mut self, graph: &Graph) -> Drawing {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // no place is below 0, or far away
        let units = |x: f64| (x * UNIT).round() as u32;
        let (places, size) = layout(graph).unwrap_or_default();
        let labels = graph.vertex_labels();
        let edge_labels = graph.edge_labels();
        let edge = |(number, (u, v)): (usize, (usize, usize))| {
            let bond = edge_labels.map_or(1, |labels| self.bond(labels.name(number)));
            [u as u32, v as u32, bond]
        };
        let edges = graph.edges().enumerate().map(edge).collect();
        Drawing {
            x: places.iter().map(|place| units(place[0])).collect(),
            y: places.iter().map(|place| units(place[1])).collect(),
            size: size.map(units),
            labels: labels.map_or_else(Vec::new, |labels| {
                (0..graph.order()).map(|v| place(&mut self.names, labels.name(v))).collect()
            }),
            edges,
            directed: graph.is_directed(),
            names: match graph.has_names() {
                true => (0..graph.order()).map(|v| graph.name(v).into_owned()).collect(),
                false => Vec::new(),
            },
        }
    }

    fn bond(&mut self, label: &str) -> u32 {
        place(&mut self.bonds, label);
        match label {
            "=" => 2,
            "#" => 3,
            "$" => 4,
            ":" => 5,
            _ => {
                let number = label.parse::<usize>().ok();
                self.known.and_then(|known| known.bonds.get(number?).copied()).unwrap_or(1)
            }
        }
    }

    /// What each label is called.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// What each label is shown as.
    pub(crate) fn shown(&self) -> Vec<String> {
        let shown = |name: &String| {
            let number = name.parse::<usize>().ok();
            let known = self.known.and_then(|known| known.vertices.get(number?));
            known.map_or_else(|| name.clone(), |&known| known.to_owned())
        };
        self.names.iter().map(shown).collect()
    }

    /// Whether all labels are those of atoms, so that graphs are drawn as molecules.
    pub(crate) fn is_of_molecules(&self) -> bool {
        let signs = |label: &String| matches!(label.as_str(), "-" | "=" | "#" | "$" | ":");
        let bonds = self.known.is_some() || self.bonds.iter().all(signs);
        !self.names.is_empty() && bonds && self.shown().iter().all(|label| is_atom(label))
    }
}

fn place(names: &mut Vec<String>, name: &str) -> u32 {
    let at = names.iter().position(|other| other == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    at as u32
}

/// Whether a label is carbon's, perhaps with hydrogens or aromatic: chemists draw it as a corner.
fn is_plain_carbon(label: &str) -> bool {
    let rest = label.strip_prefix(['C', 'c']);
    rest.is_some_and(|rest| rest.is_empty() || matches!(rest.as_bytes(), [b'H'] | [b'H', b'2'..=b'4']))
}

/// Whether a label is an element's, perhaps with an isotope, hydrogens, a charge and whether it is in a ring.
fn is_atom(label: &str) -> bool {
    let label = label.trim_start_matches(|c: char| c.is_ascii_digit());
    let label = label.strip_suffix("_ring").unwrap_or(label);
    let is_rest = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || matches!(c, 'H' | '+' | '-'));
    label.is_ascii()
        && (1..=2).any(|letters| match (label.get(..letters), label.get(letters..)) {
            (Some(symbol), Some(rest)) => {
                let upper = symbol[..1].to_ascii_uppercase() + &symbol[1..];
                Element::of_symbol(&upper).is_some() && is_rest(rest)
            }
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_told_from_words() {
        for atom in ["C", "Cl", "c", "cH", "13CH3", "N+", "Fe+2", "nH", "*", "C_ring", "O-"] {
            assert!(is_atom(atom), "{atom}");
        }
        assert!(["C", "c", "cH", "CH3"].into_iter().all(is_plain_carbon));
        assert!(!["Cl", "C+", "13C", "CH2-", "N", ""].into_iter().any(is_plain_carbon));
        assert_eq!([-1.0, 0.0, 2.0].map(|share| colour(share, 1.0)), ["#f08a24", "#ffffff", "#1f77d0"]);
        for word in ["", "0", "Cat", "Xx", "hub", "<script>", "\u{e9}"] {
            assert!(!is_atom(word), "{word}");
        }
    }
}
