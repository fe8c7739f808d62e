//! Table 3: how long each kernel takes, from the files to the machines.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::figures::quantile;
use super::paper::{APPENDIX, Method};
use super::{Job, Part, Scale, Work, table2};
use crate::dataset::Dataset;
use crate::kernel::{Gram, GraphKernel};
use crate::learn::{Folds, OutputCodes, Svm};
use crate::{Monitor, Result};

/// A kernel to be timed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Timing {
    kernel: GraphKernel,
    /// How often; the median counts.
    runs: usize,
    every: usize,
}

/// How long a kernel takes on one thread, in seconds: medians of several runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// How many graphs there were.
    pub graphs: usize,
    /// Reading all files of the dataset.
    pub read: f64,
    /// Counting in all graphs.
    pub embed: f64,
    /// The Gram matrix of all graphs.
    pub gram: f64,
    /// Machines with C = 1 for ten folds.
    pub learn: f64,
}

pub(super) fn jobs(scale: Scale) -> Vec<Job> {
    let mut jobs = Vec::new();
    for appendix in &APPENDIX {
        for method in Method::ALL {
            let (kernel, arguments) = table2::kernel(method, appendix);
            let (dataset, runs) = (appendix.dataset, if scale.quick { 1 } else { 5 });
            let timing = Timing { kernel: kernel.threads(1), runs, every: scale.every(dataset) };
            jobs.push(Job {
                part: Part::Table3,
                dataset,
                method: method.name(),
                reading: String::new(),
                paper: method.seconds(dataset),
                command: ("gram", format!("{arguments} --threads 1 --format json -o gram.npy")),
                work: Work::Times(timing),
            });
        }
    }
    jobs
}

impl Timing {
    pub(super) fn run(&self, data: &Dataset, read: f64, monitor: &Monitor) -> Result<Times> {
        let data = data.sample(None, self.every);
        let (mut embed, mut gram, mut last) = (Vec::new(), Vec::new(), None);
        for _ in 0..self.runs.max(1) {
            let clock = Instant::now();
            let fitted = self.kernel.fit_under(data.graphs(), monitor)?;
            embed.push(clock.elapsed().as_secs_f64());
            let clock = Instant::now();
            last = Some(fitted.gram_under::<f32>(monitor)?);
            gram.push(clock.elapsed().as_secs_f64());
        }
        let clock = Instant::now();
        if let Some(gram) = &last {
            learn(gram, data.classes().unwrap_or_default(), monitor)?;
        }
        let learn = clock.elapsed().as_secs_f64();
        let graphs = data.graphs().len();
        Ok(Times { graphs, read, embed: quantile(&mut embed, 0.5), gram: quantile(&mut gram, 0.5), learn })
    }
}

/// Ten folds with C = 1.
fn learn(gram: &Gram<f32>, classes: &[i64], monitor: &Monitor) -> Result<()> {
    let folds = Folds::new(classes, 10, 1)?;
    for fold in folds.numbers() {
        let (train, test) = folds.split(fold);
        let known: Vec<i64> = train.iter().map(|&graph| classes[graph]).collect();
        let svm = Svm::new(1.0).codes(OutputCodes::OneVsOne);
        let machine = svm.fit_under(gram, &train, &known, monitor)?;
        test.iter().for_each(|&graph| _ = std::hint::black_box(machine.predict(gram.row(graph))));
    }
    Ok(())
}
