//! What cross-validation found.

use serde::Serialize;

use super::Protocol;
use crate::kernel::GraphKernel;
use crate::learn::Folds;
use crate::{Error, Result};

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
    pub(super) chosen: Vec<Times>,
    pub(super) seconds: Seconds,
}

/// A setting, and in how many folds it was taken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Times {
    /// The kernel.
    #[serde(flatten)]
    pub kernel: GraphKernel,
    /// What an error costs.
    pub c: f64,
    /// In how many folds.
    pub times: usize,
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

    /// Settings, and in how many folds each was taken.
    pub fn chosen(&self) -> &[Times] {
        &self.chosen
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
            let right = test.iter().filter(|&&graph| self.predictions[repeat][graph] == self.classes[graph]).count();
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
        let recall = |(class, row): (usize, &Vec<usize>)| 100.0 * row[class] as f64 / row.iter().sum::<usize>() as f64;
        mean(&counts.iter().enumerate().map(recall).collect::<Vec<_>>())
    }

    /// The accuracy of always saying the commonest class.
    pub fn baseline_majority(&self) -> f64 {
        let Confusion { counts, .. } = self.confusion();
        let sizes = counts.iter().map(|row| row.iter().sum::<usize>());
        100.0 * sizes.max().unwrap_or(0) as f64 / (self.classes.len() * self.repeats) as f64
    }

    /// What was taken for what.
    pub fn confusion(&self) -> Confusion {
        let mut classes = self.classes.clone();
        classes.sort_unstable();
        classes.dedup();
        let place = |class: &i64| classes.partition_point(|other| other < class);
        let mut counts = vec![vec![0; classes.len()]; classes.len()];
        for predicted in &self.predictions {
            self.classes.iter().zip(predicted).for_each(|(is, taken)| counts[place(is)][place(taken)] += 1);
        }
        Confusion { classes, counts }
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
