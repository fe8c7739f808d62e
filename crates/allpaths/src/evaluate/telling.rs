//! Which features tell classes apart.

use serde::Serialize;

use crate::kernel::GraphKernel;
use crate::learn::LinearSvm;
use crate::{Graph, Monitor, Result};

/// A feature that speaks for a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Telling {
    /// What it is.
    pub name: String,
    /// The class it speaks for.
    pub class: i64,
    /// How much: its weight in a linear machine.
    pub weight: f64,
    /// How many graphs have it.
    pub graphs: usize,
}

/// The features of a kernel that tell the classes of graphs apart, as a linear machine weighs them: so many, the heaviest first.
///
/// The machine learns from logarithms of counts, each graph's scaled to length 1, with C = 10.
///
/// # Errors
///
/// When the kernel's settings contradict each other or the graphs.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, Dataset, GraphKernel, Monitor, evaluate::telling};
/// let demo = Dataset::demo(1);
/// let kernel = GraphKernel::new(AllPathsCycles::up_to(5));
/// let found = telling(&kernel, demo.graphs(), demo.classes().unwrap(), 3, &Monitor::new())?;
/// assert_eq!((found[0].name.as_str(), found[0].class), ("cycle:C-C-C-C-O-", 1));
/// # Ok::<(), allpaths::Error>(())
/// ```
pub fn telling(
    kernel: &GraphKernel,
    graphs: &[Graph],
    classes: &[i64],
    most: usize,
    monitor: &Monitor,
) -> Result<Vec<Telling>> {
    let part = monitor.of_part();
    let features = kernel.features_under(graphs, &part)?;
    let machine = LinearSvm::new(10.0).fit_under(&features, classes, &part)?;
    let mut having = vec![0; features.features().len()];
    features.compressed_rows().1.iter().for_each(|&column| having[column as usize] += 1);
    let mut all = Vec::new();
    for number in 0..machine.machines() {
        let (positive, negative) = machine.sides(number);
        for ((weight, feature), &graphs) in machine.weights(number).zip(&having) {
            // A side of several classes speaks for none of them.
            let side = if weight > 0.0 { &positive } else { &negative };
            if let ([class], true) = (side.as_slice(), weight != 0.0) {
                all.push(Telling { name: feature.name.clone(), class: *class, weight: weight.abs(), graphs });
            }
        }
    }
    all.sort_by(|a, b| {
        b.weight.total_cmp(&a.weight).then_with(|| a.name.cmp(&b.name)).then(a.class.cmp(&b.class))
    });
    all.truncate(most);
    Ok(all)
}
