//! Support vector machines on features themselves: a weight for each.
//!
//! Time and memory grow with the number of counts, not with the square of the number of graphs, and the weights can be read by name.

use serde::{Deserialize, Serialize};

use super::output_codes::{Decoding, OutputCodes, by_side, nearest, sides};
use crate::embed::{Columns, Feature, Features};
use crate::kernel::Counted;
use crate::random::ChaCha8;
use crate::{Error, Monitor, Result};

/// A support vector machine on sparse features, by coordinate descent in the dual.
///
/// The bias is the weight of one more feature that every graph has once.
///
/// # Errors
///
/// [`LinearSvm::fit`] fails when the settings make no sense, or columns are hashed and so have no names.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, Dataset, learn::LinearSvm};
/// let demo = Dataset::demo(1);
/// let features = AllPathsCycles::up_to(5).embed(&demo)?;
/// let machine = LinearSvm::new(10.0).fit(&features, demo.classes().unwrap())?;
/// assert_eq!(machine.sides(0), (vec![0], vec![1])); // class 0 is on the positive side
/// let (_, feature) = machine.weights(0).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
/// assert_eq!(feature.name, "cycle:C-C-C-C-O-"); // speaks most for class 1
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Hsieh et al., A dual coordinate descent method for large-scale linear SVM, 2008.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LinearSvm {
    c: f64,
    counts: Counted,
    normalized: bool,
    codes: OutputCodes,
    decoding: Decoding,
    tolerance: f64,
    seed: u64,
}

impl Default for LinearSvm {
    fn default() -> Self {
        Self {
            c: 1.0,
            counts: Counted::Log,
            normalized: true,
            codes: OutputCodes::OneVsRest,
            decoding: Decoding::Hinge,
            tolerance: 1e-2,
            seed: 1,
        }
    }
}

impl LinearSvm {
    /// A machine for which an error costs `c`, on logarithms of counts, each graph's scaled to length 1.
    pub fn new(c: f64) -> Self {
        Self { c, ..Self::default() }
    }

    /// Sets what becomes of counts first.
    #[must_use]
    pub fn counts(mut self, counts: Counted) -> Self {
        self.counts = counts;
        self
    }

    /// Sets whether each graph's features are scaled to length 1.
    #[must_use]
    pub fn normalized(mut self, normalized: bool) -> Self {
        self.normalized = normalized;
        self
    }

    /// Sets what an error costs.
    #[must_use]
    pub fn c(mut self, c: f64) -> Self {
        self.c = c;
        self
    }

    /// What an error costs.
    pub fn cost(&self) -> f64 {
        self.c
    }

    /// Sets how machines decide together.
    #[must_use]
    pub fn decoding(mut self, decoding: Decoding) -> Self {
        self.decoding = decoding;
        self
    }

    /// Sets which machines are trained where there are more than two classes: one against the rest by default.
    #[must_use]
    pub fn codes(mut self, codes: OutputCodes) -> Self {
        self.codes = codes;
        self
    }

    /// Learns the classes of graphs from their features.
    ///
    /// # Errors
    ///
    /// When the settings make no sense, or columns are hashed.
    pub fn fit(&self, features: &Features, classes: &[i64]) -> Result<FittedLinearSvm> {
        self.fit_under(features, classes, &Monitor::new())
    }

    /// Learns under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`LinearSvm::fit`], and when the monitor is told to interrupt.
    pub fn fit_under(
        &self,
        features: &Features,
        classes: &[i64],
        monitor: &Monitor,
    ) -> Result<FittedLinearSvm> {
        let is_wrong = |number: f64| !(number > 0.0 && number.is_finite());
        let reason = match features.columns() {
            _ if is_wrong(self.c) => "C must be a number above 0",
            _ if is_wrong(self.tolerance) => "the tolerance must be a number above 0",
            _ if features.rows() != classes.len() => "a machine needs as many classes as examples",
            _ if classes.is_empty() => "a machine cannot learn from no examples",
            Columns::Hashed(_) => "hashed columns have no names to give weights to: learn columns",
            Columns::Named(columns) => {
                let classes: Vec<Option<i64>> = classes.iter().copied().map(Some).collect();
                return self.learn(features, columns, &classes, monitor);
            }
        };
        Err(Error::settings(reason))
    }

    /// Learns from the graphs that have a class here.
    pub(crate) fn learn(
        &self,
        features: &Features,
        columns: &[Feature],
        classes: &[Option<i64>],
        monitor: &Monitor,
    ) -> Result<FittedLinearSvm> {
        let mut present: Vec<i64> = classes.iter().copied().flatten().collect();
        present.sort_unstable();
        present.dedup();
        let sides = sides(self.codes, present.len())?;
        let values = self.values(features);
        let (offsets, indices, _) = features.compressed_rows();
        let rows = Rows { offsets, indices, values: &values };
        let plane = |sides: &Vec<i8>| {
            let side = |class: i64| f64::from(sides[present.partition_point(|&other| other < class)]);
            let signs: Vec<f64> = classes.iter().map(|class| class.map_or(0.0, side)).collect();
            self.descend(&rows, &signs, columns.len(), monitor).map(|(plane, _)| plane)
        };
        let planes = sides.iter().map(plane).collect::<Result<Vec<_>>>()?;
        Ok(FittedLinearSvm {
            settings: self.clone(),
            classes: present,
            sides,
            features: columns.to_vec(),
            planes,
        })
    }

    fn values(&self, features: &Features) -> Vec<f64> {
        let (offsets, _, counts) = features.compressed_rows();
        let mut values = self.counts.values(offsets, counts);
        if self.normalized {
            for row in offsets.windows(2) {
                let row = &mut values[row[0]..row[1]];
                let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
                row.iter_mut().for_each(|x| *x /= length);
            }
        }
        values
    }

    /// One machine, and the coefficients of its examples, of which each has a side, or none where it is 0: these are moved one after the other, in random order,
    /// each to where it is best given all others.
    fn descend(
        &self,
        rows: &Rows<'_>,
        signs: &[f64],
        columns: usize,
        monitor: &Monitor,
    ) -> Result<(Plane, Vec<f64>)> {
        const ROUNDS: usize = 1000;
        let mut random = ChaCha8::new(self.seed);
        let mut plane = Plane { weights: vec![0.0; columns], bias: 0.0 };
        let mut active: Vec<usize> = (0..signs.len()).filter(|&row| signs[row] != 0.0).collect();
        let everyone = active.clone();
        let squares: Vec<f64> = (0..signs.len()).map(|row| rows.square(row)).collect();
        let mut coefficients = vec![0.0; signs.len()];
        // Gradients beyond these say that a coefficient will stay at its bound.
        let mut beyond = (f64::NEG_INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            if monitor.is_interrupted() {
                return Err(Error::stopped("interrupted before the machine was trained"));
            }
            random.shuffle(&mut active);
            let mut found = (f64::INFINITY, f64::NEG_INFINITY);
            active.retain(|&row| {
                let gradient = signs[row] * plane.value(rows, row) - 1.0;
                let old = coefficients[row];
                let (at_lower, at_upper) = (old <= 0.0, old >= self.c);
                if (at_lower && gradient > beyond.1) || (at_upper && gradient < beyond.0) {
                    return false;
                }
                let projected = match () {
                    () if at_lower => gradient.min(0.0),
                    () if at_upper => gradient.max(0.0),
                    () => gradient,
                };
                found = (found.0.min(projected), found.1.max(projected));
                if projected != 0.0 {
                    let new = (old - gradient / squares[row]).clamp(0.0, self.c);
                    coefficients[row] = new;
                    plane.add(rows, row, (new - old) * signs[row]);
                }
                true
            });
            if found.1 - found.0 <= self.tolerance {
                if active.len() == everyone.len() {
                    break;
                }
                active.clone_from(&everyone);
                beyond = (f64::NEG_INFINITY, f64::INFINITY);
            } else {
                beyond.0 = if found.0 < 0.0 { found.0 } else { f64::NEG_INFINITY };
                beyond.1 = if found.1 > 0.0 { found.1 } else { f64::INFINITY };
            }
        }
        Ok((plane, coefficients))
    }
}

/// Sparse rows; row `i` is `offsets[i]..offsets[i + 1]`.
struct Rows<'a> {
    offsets: &'a [usize],
    indices: &'a [u32],
    values: &'a [f64],
}

impl Rows<'_> {
    fn entries(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.offsets[row]..self.offsets[row + 1];
        self.indices[range.clone()]
            .iter()
            .map(|&column| column as usize)
            .zip(self.values[range].iter().copied())
    }

    /// The sum of squares, with the feature that all have.
    fn square(&self, row: usize) -> f64 {
        self.entries(row).map(|(_, value)| value * value).sum::<f64>() + 1.0
    }
}

/// A weight for each feature, and the bias.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plane {
    weights: Vec<f64>,
    bias: f64,
}

impl Plane {
    fn value(&self, rows: &Rows<'_>, row: usize) -> f64 {
        rows.entries(row).map(|(column, value)| self.weights[column] * value).sum::<f64>() + self.bias
    }

    fn add(&mut self, rows: &Rows<'_>, row: usize, by: f64) {
        rows.entries(row).for_each(|(column, value)| self.weights[column] += by * value);
        self.bias += by;
    }
}

/// A linear support vector machine that has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedLinearSvm {
    settings: LinearSvm,
    /// Ascending.
    classes: Vec<i64>,
    sides: Vec<Vec<i8>>,
    features: Vec<Feature>,
    planes: Vec<Plane>,
}

impl FittedLinearSvm {
    /// The classes, ascending.
    pub fn classes(&self) -> &[i64] {
        &self.classes
    }

    /// The classes on the positive side of a machine, and those on the negative one.
    ///
    /// # Panics
    ///
    /// When there is no such machine.
    pub fn sides(&self, machine: usize) -> (Vec<i64>, Vec<i64>) {
        by_side(&self.classes, &self.sides[machine])
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &LinearSvm {
        &self.settings
    }

    /// What a machine says of a graph that has nothing.
    ///
    /// # Panics
    ///
    /// When there is no such machine.
    pub fn bias(&self, machine: usize) -> f64 {
        self.planes[machine].bias
    }

    /// What weights are multiplied by: a value for each count of the features, in their order.
    pub(crate) fn values(&self, features: &Features) -> Vec<f64> {
        self.settings.values(features)
    }

    /// The class that decision values stand for.
    pub(crate) fn decide(&self, values: &[f64]) -> i64 {
        self.classes[nearest(&self.sides, self.settings.decoding, values)]
    }

    /// Whether its parts fit together, and it has such columns.
    pub(crate) fn fits(&self, columns: &Columns) -> bool {
        matches!(columns, Columns::Named(columns) if **columns == *self.features)
            && !self.classes.is_empty()
            && self.sides.len() == self.planes.len()
            && (self.classes.len() > 1) != self.planes.is_empty()
            && self.sides.iter().all(|sides| sides.len() == self.classes.len())
            && self.planes.iter().all(|plane| plane.weights.len() == self.features.len())
    }

    /// How many machines there are: one for two classes.
    pub fn machines(&self) -> usize {
        self.planes.len()
    }

    /// The weights of a machine: features of its positive side are positive.
    ///
    /// # Panics
    ///
    /// When there is no such machine.
    pub fn weights(&self, machine: usize) -> impl Iterator<Item = (f64, &Feature)> {
        self.planes[machine].weights.iter().copied().zip(&self.features)
    }

    /// What each machine says of each graph, before anything decides.
    ///
    /// # Errors
    ///
    /// When the columns are not those that were learnt from.
    pub fn decision_values(&self, features: &Features) -> Result<Vec<Vec<f64>>> {
        match features.columns() {
            Columns::Named(columns) if **columns == *self.features => {}
            _ => {
                return Err(Error::settings(
                    "these features have other columns than those that were learnt from: transform the graphs by the embedding that was fitted then",
                ));
            }
        }
        let values = self.settings.values(features);
        let (offsets, indices, _) = features.compressed_rows();
        let rows = Rows { offsets, indices, values: &values };
        let of_row = |row| self.planes.iter().map(|plane| plane.value(&rows, row)).collect();
        Ok((0..features.rows()).map(of_row).collect())
    }

    /// The class of each graph.
    ///
    /// # Errors
    ///
    /// As [`FittedLinearSvm::decision_values`].
    pub fn predict(&self, features: &Features) -> Result<Vec<i64>> {
        Ok(self.decision_values(features)?.iter().map(|values| self.decide(values)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AllPathsCycles, Dataset};

    /// Half the square of the weights' length plus the cost of errors is no less than the sum of coefficients less that half square, and
    /// equal at the optimum alone.
    #[test]
    fn primal_and_dual_meet() {
        let demo = Dataset::demo(1);
        let features = AllPathsCycles::up_to(3).embed(&demo).unwrap();
        let signs: Vec<f64> =
            demo.classes().unwrap().iter().map(|&class| if class == 1 { 1.0 } else { -1.0 }).collect();
        // Where C is large the rounds are over first.
        for (c, most) in [(0.1, 1e-3), (1.0, 1e-3), (100.0, 0.02)] {
            for (normalized, counts) in [(true, Counted::Log), (false, Counted::Binary)] {
                if !normalized && c > 1.0 {
                    continue; // and far from the optimum
                }
                let svm =
                    LinearSvm { tolerance: 1e-5, ..LinearSvm::new(c).normalized(normalized).counts(counts) };
                let values = svm.values(&features);
                let (offsets, indices, _) = features.compressed_rows();
                let rows = Rows { offsets, indices, values: &values };
                let columns = features.features().len();
                let (plane, coefficients) = svm.descend(&rows, &signs, columns, &Monitor::new()).unwrap();

                assert!(coefficients.iter().all(|coefficient| (0.0..=c).contains(coefficient)));
                let mut sum = Plane { weights: vec![0.0; columns], bias: 0.0 };
                for (row, (coefficient, sign)) in coefficients.iter().zip(&signs).enumerate() {
                    sum.add(&rows, row, coefficient * sign);
                }
                let off = sum.weights.iter().zip(&plane.weights).map(|(one, other)| (one - other).abs());
                assert!(off.fold((sum.bias - plane.bias).abs(), f64::max) < 1e-6 * c.max(1.0));

                let square = plane.weights.iter().map(|w| w * w).sum::<f64>() + plane.bias * plane.bias;
                let missing = |(row, sign): (usize, &f64)| (1.0 - sign * plane.value(&rows, row)).max(0.0);
                let primal = square / 2.0 + c * signs.iter().enumerate().map(missing).sum::<f64>();
                let dual = coefficients.iter().sum::<f64>() - square / 2.0;
                let gap = (primal - dual) / primal;
                assert!((-1e-9..most).contains(&gap), "C = {c}: {primal} and {dual}");
            }
        }
    }
}
