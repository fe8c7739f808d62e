//! Numbers as labels: an attribute of vertices, cut into bins.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::graph::{Graph, Interner, Labels, Values};
use crate::{Error, Result};

/// How to make a label of a numeric attribute of vertices.
///
/// The bin of a vertex, numbered from 0, becomes part of its label: `2_0` is bin 0 of what was label `2`. A vertex without a value is in the
/// bin `missing`.
///
/// # Example
///
/// ```
/// # use allpaths::label::{Binning, Cut};
/// let binning: Binning = "charge=quantiles:4".parse()?;
/// assert_eq!(binning, Binning::new("charge", Cut::Quantiles, 4));
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binning {
    attribute: String,
    cut: Cut,
    bins: usize,
}

/// Where bins end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// Bins of equal width, from the least to the greatest value.
    Width,
    /// Bins that hold about equally many vertices.
    Quantiles,
}

impl Binning {
    /// Cuts an attribute into so many bins.
    pub fn new(attribute: impl Into<String>, cut: Cut, bins: usize) -> Self {
        Self { attribute: attribute.into(), cut, bins }
    }

    /// Where the bins end, for the values of these graphs.
    ///
    /// # Errors
    ///
    /// When there are to be no bins, or no vertex has such a number.
    pub(crate) fn learn(&self, graphs: &[Graph]) -> Result<Bounds> {
        let Self { attribute, cut, bins } = self;
        if *bins == 0 {
            return Err(Error::settings(format!("{self}: 0 bins hold nothing: ask for 1 or more")));
        }
        let values = graphs.iter().filter_map(|graph| numbers(graph, attribute)).flatten().flatten();
        let mut values: Vec<f64> = values.copied().filter(|value| value.is_finite()).collect();
        let Some(least) = values.iter().copied().reduce(f64::min) else {
            return Err(Error::graph(format!(
                "no vertex has a number called {attribute:?}, which was to be binned"
            )));
        };
        values.sort_by(f64::total_cmp);
        let greatest = values[values.len() - 1];
        let end = |bin: usize| match cut {
            Cut::Width => least + (greatest - least) * bin as f64 / *bins as f64,
            Cut::Quantiles => values[bin * values.len() / bins],
        };
        let mut ends: Vec<f64> = (1..*bins).map(end).collect();
        // Where many vertices have the same value, bins fall together.
        ends.dedup();
        Ok(Bounds { attribute: attribute.clone(), ends })
    }
}

impl fmt::Display for Binning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = if self.cut == Cut::Width { "width" } else { "quantiles" };
        write!(f, "{}={cut}:{}", self.attribute, self.bins)
    }
}

impl FromStr for Binning {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parts = || {
            let (attribute, how) = text.rsplit_once('=')?;
            let (cut, bins) = how.split_once(':')?;
            let cut = match cut {
                "width" => Cut::Width,
                "quantiles" => Cut::Quantiles,
                _ => return None,
            };
            Some(Self::new(attribute, cut, bins.parse().ok().filter(|&bins| bins > 0)?))
        };
        let wrong = || format!("{text:?} says no bins: write ATTRIBUTE=quantiles:4 or ATTRIBUTE=width:4");
        parts().ok_or_else(|| Error::settings(wrong()))
    }
}

/// Where the bins of an attribute end: a value is in the bin after all ends that it reaches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bounds {
    attribute: String,
    ends: Vec<f64>,
}

/// The numbers under a name, one for each vertex.
fn numbers<'a>(graph: &'a Graph, attribute: &str) -> Option<&'a [Option<f64>]> {
    match graph.vertex_attributes().iter().find(|other| other.name() == attribute)?.values() {
        Values::Real(values) => Some(values),
        Values::Text(_) => None,
    }
}

/// Graphs with their vertices' bins in their labels.
///
/// # Errors
///
/// When a graph lacks an attribute.
pub(crate) fn relabelled(graphs: &[Graph], bounds: &[Bounds]) -> Result<Vec<Graph>> {
    let mut interner = Interner::default();
    let mut codes = Vec::with_capacity(graphs.len());
    for (number, graph) in graphs.iter().enumerate() {
        let column = |bounds: &'_ Bounds| {
            let lacking =
                || Error::graph(format!("graph {number} has no numbers called {:?}", bounds.attribute));
            match graph.order() {
                0 => Ok([].as_slice()),
                _ => numbers(graph, &bounds.attribute).ok_or_else(lacking),
            }
        };
        let columns: Vec<_> = bounds.iter().map(column).collect::<Result<_>>()?;
        let label = |v: usize| {
            let plain = graph.vertex_labels().map(|labels| labels.name(v).to_owned());
            let bin = |(bounds, values): (&Bounds, &&[Option<f64>])| match values[v] {
                Some(value) => bounds.ends.partition_point(|&end| end <= value).to_string(),
                None => "missing".to_owned(),
            };
            let parts = plain.into_iter().chain(bounds.iter().zip(&columns).map(bin));
            parts.collect::<Vec<_>>().join("_")
        };
        codes.push((0..graph.order()).map(|v| interner.code(&label(v))).collect::<Vec<_>>());
    }
    let alphabet = interner.alphabet();
    let labels = codes.into_iter().map(|codes| Labels::new(alphabet.clone(), codes));
    Ok(graphs.iter().zip(labels).map(|(graph, labels)| graph.clone().with_vertex_labels(labels)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Attribute, GraphBuilder};

    fn graph(values: &[Option<f64>]) -> Graph {
        let mut builder = GraphBuilder::undirected(values.len());
        builder.vertex_labels(vec!["a"; values.len()]);
        builder.vertex_attribute(Attribute::new("x", Values::Real(values.to_vec())));
        builder.build().unwrap()
    }

    fn bins(cut: Cut, bins: usize, values: &[Option<f64>]) -> Vec<String> {
        let bounds = Binning::new("x", cut, bins).learn(&[graph(values)]).unwrap();
        let graphs = relabelled(&[graph(values)], &[bounds]).unwrap();
        (0..values.len()).map(|v| graphs[0].vertex_labels().unwrap().name(v).to_owned()).collect()
    }

    #[test]
    fn values_fall_into_bins() {
        let values = [0.0, 1.0, 2.0, 3.0, 100.0].map(Some);
        assert_eq!(bins(Cut::Width, 2, &values), ["a_0", "a_0", "a_0", "a_0", "a_1"]);
        assert_eq!(bins(Cut::Quantiles, 2, &values), ["a_0", "a_0", "a_1", "a_1", "a_1"]);
        assert_eq!(bins(Cut::Quantiles, 1, &[Some(1.0), None]), ["a_0", "a_missing"]);
        // Equal values are never torn apart.
        assert_eq!(bins(Cut::Quantiles, 3, &[Some(1.0); 4]), ["a_1"; 4]);
    }

    #[test]
    fn what_is_not_there_is_missed() {
        let bare = Graph::from_edges(1, []).unwrap();
        assert!(Binning::new("x", Cut::Width, 2).learn(std::slice::from_ref(&bare)).unwrap_err().is_input());
        let bounds = Binning::new("x", Cut::Width, 2).learn(&[graph(&[Some(1.0)])]).unwrap();
        assert!(relabelled(&[bare], &[bounds]).unwrap_err().to_string().contains("\"x\""));
        for wrong in ["x", "x=4", "x=width", "x=width:0", "x=deciles:3"] {
            assert!(wrong.parse::<Binning>().is_err(), "{wrong}");
        }
    }
}
