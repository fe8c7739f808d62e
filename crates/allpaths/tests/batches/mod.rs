//! Batches are what is read at once, a few graphs at a time.

use std::path::Path;

use allpaths::dataset::Reader;
use allpaths::graph::Labels;
use allpaths::{Dataset, Graph};

/// Reads in batches of several sizes and compares with what was read at once.
pub(crate) fn compare(whole: &Dataset, path: &Path) -> Result<(), String> {
    for size in [1, 2, 3, 100, 1024] {
        let batches: Result<Vec<Dataset>, _> = Reader::new().batch_size(size).stream(path).unwrap().collect();
        let batches = batches.map_err(|error| error.to_string())?;
        if batches.len() != whole.graphs().len().div_ceil(size) {
            return Err(format!("{} batches of {size}", batches.len()));
        }
        let mut start = 0;
        for batch in &batches {
            let range = start..start + batch.graphs().len();
            start = range.end;
            let same = batch.name() == whole.name()
                && batch.graphs() == &whole.graphs()[range.clone()]
                && batch.classes() == whole.classes().map(|classes| &classes[range.clone()])
                && batch.attributes() == whole.pick(range.clone()).attributes()
                && batch.question() == whole.question()
                && range
                    .clone()
                    .all(|i| codes(&batch.graphs()[i - range.start]) == codes(&whole.graphs()[i]));
            if !same {
                return Err(format!("graphs {range:?} in a batch of {size}"));
            }
        }
        let notes: Vec<String> = batches.iter().flat_map(Dataset::notes).collect();
        if numbers(&notes) != numbers(&whole.notes()) {
            return Err(format!("in batches of {size}: {notes:?}"));
        }
    }
    Ok(())
}

fn codes(graph: &Graph) -> [Option<&[u32]>; 2] {
    [graph.vertex_labels(), graph.edge_labels()].map(|labels| labels.map(Labels::codes))
}

/// The sum of all numbers in notes: each batch notes what was merged in it.
fn numbers(notes: &[String]) -> usize {
    notes.iter().flat_map(|note| note.split(' ')).filter_map(|word| word.parse::<usize>().ok()).sum()
}
