//! Kernels in a few words.

use std::fmt;

use super::{Comparison, GraphKernel, Substructures};

/// What is counted and how it is compared, as far as it is not what everybody would expect: `apc 0:5,1:2 by minmax, cell by cell`.
impl fmt::Display for GraphKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.substructures.name())?;
        match &self.substructures {
            Substructures::AllPathsCycles(paths) | Substructures::AllPaths(paths) => {
                write!(f, " {}", paths.profile())?;
            }
            Substructures::WeisfeilerLehman(labels) | Substructures::OptimalAssignment(labels) => {
                write!(f, " {}", labels.rounds())?;
            }
            _ => {}
        }
        if self.substructures.uses_edge_labels() {
            f.write_str(" with edge labels")?;
        }
        write!(f, " by {}", self.comparison)
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.compare.name())?;
        if self.counts != super::Counted::Raw {
            write!(f, " of {} counts", self.counts.name())?;
        }
        let parts = [
            (self.by_cell, ", cell by cell".to_owned()),
            (self.normalized && !self.by_cell, ", normalised".to_owned()),
            (self.variance_cut > 0.0, format!(", variance above {}", self.variance_cut)),
            (self.standardized == Some(true), ", standardised".to_owned()),
            (self.standardized == Some(false), ", not standardised".to_owned()),
        ];
        parts.iter().filter(|(is_so, _)| *is_so).try_for_each(|(_, words)| f.write_str(words))?;
        self.scale.map_or(Ok(()), |scale| write!(f, ", scale {scale}"))?;
        self.rbf_distance.map_or(Ok(()), |factor| write!(f, ", rbf {factor} over its distance"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AllPathsCycles;
    use crate::kernel::{Compare, Counted, WeisfeilerLehman};

    #[test]
    fn in_a_few_words() {
        let cells = |comparison: Comparison| comparison.counts(Counted::Log).by_cell().rbf_distance(2.0);
        let kernel = GraphKernel::new(AllPathsCycles::up_to(5));
        assert_eq!(kernel.to_string(), "apc 0:5 by minmax");
        let words = "apc 0:5 by minmax of log counts, cell by cell, rbf 2 over its distance";
        assert_eq!(kernel.compared(cells).to_string(), words);
        let edges = WeisfeilerLehman::new(3).edge_labels(crate::embed::EdgeLabels::Used);
        let kernel = GraphKernel::optimal_assignment(edges).compared(Comparison::normalized);
        assert_eq!(kernel.to_string(), "wl-oa 3 with edge labels by intersection, normalised");
        let rbf = Comparison::new(Compare::Rbf).variance_cut(1e-5).scale(2.0);
        assert_eq!(rbf.to_string(), "rbf, variance above 0.00001, scale 2");
    }
}
