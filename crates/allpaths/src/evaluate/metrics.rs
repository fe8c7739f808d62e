//! What cross-validation found.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::Protocol;
use crate::count::Outcome;
use crate::kernel::GraphKernel;
use crate::learn::Folds;
use crate::{Error, Result, whole};

/// What cross-validation found. Accuracies are in percent.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    pub(super) protocol: Protocol,
    pub(super) folds: usize,
    pub(super) repeats: usize,
    pub(super) seed: u64,
    pub(super) classes: Vec<i64>,
    pub(super) fold_of: Vec<Folds>,
    /// By repeat and graph.
    pub(super) predictions: Vec<Vec<i64>>,
    /// In the same order; of use for two classes alone.
    pub(super) decision_values: Vec<Vec<f64>>,
    pub(super) chosen: Vec<Times>,
    pub(super) seconds: Seconds,
    pub(super) approximation_error: Option<f64>,
    pub(super) outcomes: Vec<Outcome>,
}

/// A setting, and in how many folds it was taken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Times {
    /// The kernel.
    #[serde(flatten)]
    pub kernel: GraphKernel,
    /// What an error costs: several, ascending, where the mean of their machines decided.
    pub cs: Vec<f64>,
    /// In how many folds.
    pub times: usize,
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cs: Vec<String> = self.cs.iter().map(f64::to_string).collect();
        let mean = if cs.len() > 1 { "mean of " } else { "" };
        write!(f, "{}, {mean}C = {}", self.kernel, cs.join(", "))
    }
}

/// Time, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Counting in graphs, where that is the same for all folds.
    pub embed: f64,
    /// Gram matrices that all folds share.
    pub gram: f64,
    /// Everything that is done fold by fold.
    pub learn: f64,
}

/// How often graphs of one class were taken for another, over all repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// The classes, ascending: of rows, what graphs are; of columns, what they were taken for.
    pub classes: Vec<i64>,
    /// Row by row.
    pub counts: Vec<Vec<usize>>,
}

/// How much better one evaluation is than another on the same folds, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The mean difference of accuracies.
    pub mean: f64,
    /// Its standard error, over repeats; over folds where there is one repeat.
    pub standard_error: f64,
}

impl Evaluation {
    /// How settings were chosen.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// The class predicted for each graph, by repeat.
    pub fn predictions(&self) -> &[Vec<i64>] {
        &self.predictions
    }

    /// Writes what was predicted of each graph, as comma-separated values: `repeat,graph,fold,class,predicted,decision_value`, numbers from 0. Decision
    /// values are positive for the smaller of two classes; where there are more or fewer, the column is empty.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write_predictions(&self, path: impl AsRef<Path>) -> Result<()> {
        whole::file(path.as_ref(), |out| {
            writeln!(out, "repeat,graph,fold,class,predicted,decision_value")?;
            let is_two = self.present().len() == 2;
            for (repeat, (folds, predicted)) in self.fold_of.iter().zip(&self.predictions).enumerate() {
                for (graph, (class, predicted)) in self.classes.iter().zip(predicted).enumerate() {
                    write!(out, "{repeat},{graph},{},{class},{predicted},", folds.of(graph))?;
                    if is_two {
                        write!(out, "{}", self.decision_values[repeat][graph])?;
                    }
                    writeln!(out)?;
                }
            }
            Ok(())
        })
    }

    /// Settings, and in how many folds each was taken.
    pub fn chosen(&self) -> &[Times] {
        &self.chosen
    }

    /// Where kernels were approximated: which share of the sum of all `k(x, x)` was lost, in the kernel that lost most.
    pub fn approximation_error(&self) -> Option<f64> {
        self.approximation_error
    }

    /// How counting ended for each graph: of several kernels, the gravest.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// The time it took.
    pub fn seconds(&self) -> Seconds {
        self.seconds
    }

    /// The accuracy of each repeat: graphs that were predicted right.
    pub fn per_repeat(&self) -> Vec<f64> {
        let right = |predicted: &Vec<i64>| {
            let right = predicted.iter().zip(&self.classes).filter(|(one, other)| one == other).count();
            100.0 * right as f64 / self.classes.len() as f64
        };
        self.predictions.iter().map(right).collect()
    }

    /// The accuracy of each fold, repeat by repeat.
    pub fn per_fold(&self) -> Vec<f64> {
        let of_fold = |repeat: usize, fold: usize| {
            let (_, test) = self.fold_of[repeat].split(fold);
            let right =
                test.iter().filter(|&&graph| self.predictions[repeat][graph] == self.classes[graph]).count();
            100.0 * right as f64 / test.len() as f64
        };
        let folds = |repeat| self.fold_of[repeat as usize].numbers().map(move |fold| (repeat as usize, fold));
        (0..self.repeats as u64).flat_map(folds).map(|(repeat, fold)| of_fold(repeat, fold)).collect()
    }

    /// The mean accuracy over repeats.
    pub fn accuracy_mean(&self) -> f64 {
        mean(&self.per_repeat())
    }

    /// The standard deviation of the accuracy over repeats; over folds where there is one repeat.
    pub fn accuracy_std(&self) -> f64 {
        if self.repeats > 1 { deviation(&self.per_repeat()) } else { deviation(&self.per_fold()) }
    }

    /// The mean over classes of the share of their graphs that was predicted right.
    pub fn balanced_accuracy(&self) -> f64 {
        let Confusion { counts, .. } = self.confusion();
        let recall =
            |(class, row): (usize, &Vec<usize>)| 100.0 * row[class] as f64 / row.iter().sum::<usize>() as f64;
        mean(&counts.iter().enumerate().map(recall).collect::<Vec<_>>())
    }

    /// The area under the receiver operating characteristic, between 0 and 1, as the mean over repeats; for two classes.
    ///
    /// It is the share of pairs, one graph of each class and both of the same fold, that decision values put in the right order. Equal values count half. Pairs
    /// from different folds are judged by different machines, whose values have no common scale, and are left out. `None` where there are no pairs: with one
    /// class, more than two, or one graph in each fold.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{AllPathsCycles, Dataset, GraphKernel, evaluate::{CrossValidation, Grid}};
    /// let demo = Dataset::demo(1);
    /// let grid = Grid::new(GraphKernel::new(AllPathsCycles::up_to(5)));
    /// let found = CrossValidation::new(5).run(&grid, &demo, demo.classes().unwrap())?;
    /// assert!(found.roc_auc().unwrap() > 0.9);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn roc_auc(&self) -> Option<f64> {
        let [first, second] = self.present()[..] else { return None };
        let of_repeat = |(folds, values): (&Folds, &Vec<f64>)| {
            let (mut pairs, mut halves) = (0, 0);
            for fold in folds.numbers() {
                let (_, test) = folds.split(fold);
                let of = |class: i64| -> Vec<f64> {
                    let of_class = test.iter().filter(|&&graph| self.classes[graph] == class);
                    of_class.map(|&graph| values[graph]).collect()
                };
                let (above, mut below) = (of(first), of(second));
                below.sort_unstable_by(f64::total_cmp);
                pairs += above.len() * below.len();
                // Half a pair for each value that is no larger, and half for each that is smaller.
                halves += above
                    .iter()
                    .map(|value| {
                        below.partition_point(|other| other < value)
                            + below.partition_point(|other| other <= value)
                    })
                    .sum::<usize>();
            }
            (pairs > 0).then(|| halves as f64 / (2 * pairs) as f64)
        };
        let areas =
            self.fold_of.iter().zip(&self.decision_values).map(of_repeat).collect::<Option<Vec<_>>>()?;
        Some(mean(&areas))
    }

    /// The accuracy of always saying the commonest class.
    pub fn baseline_majority(&self) -> f64 {
        let Confusion { counts, .. } = self.confusion();
        let sizes = counts.iter().map(|row| row.iter().sum::<usize>());
        100.0 * sizes.max().unwrap_or(0) as f64 / (self.classes.len() * self.repeats) as f64
    }

    /// What was taken for what.
    pub fn confusion(&self) -> Confusion {
        let classes = self.present();
        let place = |class: &i64| classes.partition_point(|other| other < class);
        let mut counts = vec![vec![0; classes.len()]; classes.len()];
        for predicted in &self.predictions {
            self.classes.iter().zip(predicted).for_each(|(is, taken)| counts[place(is)][place(taken)] += 1);
        }
        Confusion { classes, counts }
    }

    /// The classes there are, ascending.
    fn present(&self) -> Vec<i64> {
        let mut classes = self.classes.clone();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// How much better this is than another evaluation, pair by pair on the same folds.
    ///
    /// # Errors
    ///
    /// When the two were made with other graphs, folds, repeats or seeds.
    pub fn better_than(&self, other: &Self) -> Result<Difference> {
        if (&self.classes, &self.fold_of) != (&other.classes, &other.fold_of) {
            return Err(Error::settings("only evaluations on the same folds can be compared"));
        }
        let pairs = match self.repeats {
            1 => (self.per_fold(), other.per_fold()),
            _ => (self.per_repeat(), other.per_repeat()),
        };
        let differences: Vec<f64> = pairs.0.iter().zip(&pairs.1).map(|(one, other)| one - other).collect();
        let standard_error = deviation(&differences) / (differences.len() as f64).sqrt();
        Ok(Difference { mean: self.accuracy_mean() - other.accuracy_mean(), standard_error })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard deviation of a sample.
fn deviation(values: &[f64]) -> f64 {
    let center = mean(values);
    let squares: f64 = values.iter().map(|value| (value - center).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [i64; 6] = [0, 0, 0, 0, 7, 7];

    /// Two folds, each with two graphs of class 0 and one of class 7. All is right but for what `wrong` says of repeats and folds, where the graph
    /// of class 7 is taken for 0.
    fn evaluation(repeats: usize, wrong: &[(usize, usize)]) -> Evaluation {
        let fold_of: Vec<Folds> =
            (0..repeats as u64).map(|seed| Folds::new(&CLASSES, 2, seed).unwrap()).collect();
        let mut predictions = vec![CLASSES.to_vec(); repeats];
        for &(repeat, fold) in wrong {
            fold_of[repeat].split(fold).1.iter().for_each(|&graph| predictions[repeat][graph] = 0);
        }
        Evaluation {
            protocol: Protocol::Fixed,
            folds: 2,
            repeats,
            seed: 0,
            classes: CLASSES.to_vec(),
            fold_of,
            // As sure as can be of what is predicted, so that graphs that are taken for the same have equal values.
            decision_values: predictions
                .iter()
                .map(|classes| classes.iter().map(|&class| if class == 0 { 1.0 } else { -1.0 }).collect())
                .collect(),
            predictions,
            chosen: Vec::new(),
            seconds: Seconds::default(),
            approximation_error: None,
            outcomes: vec![Outcome::Complete; CLASSES.len()],
        }
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        let is_close = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-9;
        assert!(
            found.len() == expected.len() && found.iter().zip(expected).all(is_close),
            "{found:?} {expected:?}"
        );
    }

    #[test]
    fn one_repeat_by_hand() {
        let found = evaluation(1, &[(0, 1)]);
        assert_close(&found.per_fold(), &[100.0, 200.0 / 3.0]);
        assert_close(&found.per_repeat(), &[500.0 / 6.0]);
        // Two values that differ by 100 / 3.
        assert_close(
            &[found.accuracy_mean(), found.accuracy_std()],
            &[250.0 / 3.0, 100.0 / 3.0 / 2f64.sqrt()],
        );
        let confusion = Confusion { classes: vec![0, 7], counts: vec![vec![4, 0], vec![1, 1]] };
        assert_eq!(found.confusion(), confusion);
        assert_close(&[found.balanced_accuracy(), found.baseline_majority()], &[75.0, 200.0 / 3.0]);
    }

    #[test]
    fn predictions_in_a_file() {
        let found = evaluation(1, &[(0, 1)]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("predictions.csv");
        found.write_predictions(&path).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let rows: Vec<Vec<i64>> = text
            .lines()
            .skip(1)
            .map(|line| line.split(',').map(|number| number.parse().unwrap()).collect())
            .collect();
        assert_eq!(text.lines().next(), Some("repeat,graph,fold,class,predicted,decision_value"));
        assert!(rows.iter().all(|row| row[5] == if row[4] == 0 { 1 } else { -1 }));
        assert!(
            rows.iter().zip(0..).all(|(row, graph)| row[1] == graph)
                && rows.iter().map(|row| row[3]).eq(CLASSES)
        );
        let in_fold = |fold: i64| rows.iter().filter(move |row| row[2] == fold);
        assert_eq!((in_fold(0).count(), in_fold(1).count()), (3, 3));
        // Fold 1 takes its graph of class 7 for 0.
        assert!(in_fold(0).all(|row| row[3] == row[4]) && in_fold(1).all(|row| row[4] == 0));
    }

    #[test]
    fn several_repeats_by_hand() {
        let found = evaluation(3, &[(0, 1), (2, 0), (2, 1)]);
        let sixth = 100.0 / 6.0;
        assert_close(&found.per_repeat(), &[5.0 * sixth, 100.0, 4.0 * sixth]);
        assert_close(&found.per_fold(), &[100.0, 4.0 * sixth, 100.0, 100.0, 4.0 * sixth, 4.0 * sixth]);
        // Deviations of 0, 1 and -1 sixths from the mean, which over one fewer than three is one sixth.
        assert_close(&[found.accuracy_mean(), found.accuracy_std()], &[5.0 * sixth, sixth]);
        assert_eq!(found.confusion().counts, [[12, 0], [3, 3]]);
        assert_close(&[found.balanced_accuracy(), found.baseline_majority()], &[75.0, 200.0 / 3.0]);
    }

    #[test]
    fn areas_by_hand() {
        // Four pairs, two in each fold; where the graph of class 7 is taken for 0, both of its fold are ties.
        assert_eq!(evaluation(1, &[]).roc_auc(), Some(1.0));
        assert_eq!(evaluation(1, &[(0, 1)]).roc_auc(), Some(0.75));
        assert_eq!(evaluation(2, &[(0, 0), (1, 0), (1, 1)]).roc_auc(), Some(0.625));
        // Values of another fold do not matter, however large.
        let mut shifted = evaluation(1, &[]);
        let (_, test) = shifted.fold_of[0].split(1);
        test.iter().for_each(|&graph| shifted.decision_values[0][graph] += 1e6);
        assert_eq!(shifted.roc_auc(), Some(1.0));
        shifted.decision_values[0].iter_mut().for_each(|value| *value = -*value);
        assert_eq!(shifted.roc_auc(), Some(0.0));
        for classes in [[0, 0, 0, 0, 7, 8], [3; 6]] {
            let others = Evaluation { classes: classes.to_vec(), ..evaluation(1, &[]) };
            assert_eq!(others.roc_auc(), None, "{classes:?}");
        }
    }

    #[test]
    fn differences_by_hand() {
        let third = 100.0 / 3.0;
        // Over folds: 0 and -1 thirds, so a mean of -1 / 2, a deviation of the root of 1 / 2, and an error of half a third.
        let Difference { mean, standard_error } =
            evaluation(1, &[(0, 1)]).better_than(&evaluation(1, &[])).unwrap();
        assert_close(&[mean, standard_error], &[-third / 2.0, third / 2.0]);
        // Over repeats: 1 and 0 sixths.
        let (one, other) = (evaluation(2, &[(1, 0)]), evaluation(2, &[(0, 1), (1, 0)]));
        let Difference { mean, standard_error } = one.better_than(&other).unwrap();
        assert_close(&[mean, standard_error], &[third / 4.0, third / 4.0]);
        assert_eq!(one.better_than(&one).unwrap(), Difference { mean: 0.0, standard_error: 0.0 });
        assert!(one.better_than(&evaluation(1, &[])).unwrap_err().is_usage(), "other folds");
    }
}
