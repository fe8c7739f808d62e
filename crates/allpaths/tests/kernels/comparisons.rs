//! Comparisons against their definitions, on features by name.

use std::collections::BTreeMap;

use allpaths::embed::{Cell, Features};
use proptest::prelude::*;

use super::oracle::{Counts, dot, specs};
use super::*;

/// The features of each graph by cell and name, with every cell of all.
fn named(features: &Features, counted: Counted) -> Vec<BTreeMap<Cell, Counts<String>>> {
    let row = |row: usize| {
        let (columns, counts) = features.row(row);
        let sum: u64 = counts.iter().sum();
        let mut cells: BTreeMap<Cell, Counts<String>> =
            features.features().iter().map(|feature| (feature.cell, Counts::new())).collect();
        for (&column, &count) in columns.iter().zip(counts) {
            let feature = &features.features()[column as usize];
            let value = match counted {
                Counted::Raw => count as f64,
                Counted::Log => (1.0 + count as f64).ln(),
                Counted::Binary => 1.0,
                Counted::Share => count as f64 / sum as f64,
            };
            cells.get_mut(&feature.cell).unwrap().insert(feature.name.clone(), value);
        }
        cells
    };
    (0..features.rows()).map(row).collect()
}

/// The features of each graph by name.
fn together(rows: &[BTreeMap<Cell, Counts<String>>]) -> Vec<Counts<String>> {
    let all = |cells: &BTreeMap<Cell, Counts<String>>| {
        cells.values().flatten().map(|(name, &value)| (name.clone(), value)).collect()
    };
    rows.iter().map(all).collect()
}

fn over(value: f64, whole: f64) -> f64 {
    if whole > 0.0 { value / whole } else { 0.0 }
}

fn compared(compare: Compare, x: &Counts<String>, y: &Counts<String>) -> f64 {
    let pairs = || {
        let mut keys: Vec<&String> = x.keys().chain(y.keys()).collect();
        keys.sort();
        keys.dedup();
        keys.into_iter().map(|key| (x.get(key).copied().unwrap_or(0.0), y.get(key).copied().unwrap_or(0.0)))
    };
    let minima: f64 = pairs().map(|(x, y)| x.min(y)).sum();
    match compare {
        Compare::Linear | Compare::Rbf => dot(x, y),
        Compare::Cosine => over(dot(x, y), (dot(x, x) * dot(y, y)).sqrt()),
        Compare::Intersection => minima,
        Compare::MinMax => over(minima, pairs().map(|(x, y)| x.max(y)).sum()),
    }
}

fn normalized(gram: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize| over(gram[i][j], (gram[i][i] * gram[j][j]).sqrt());
    (0..gram.len()).map(|i| (0..gram.len()).map(|j| entry(i, j)).collect()).collect()
}

fn rbf_distance(gram: &[Vec<f64>], g: f64) -> Vec<Vec<f64>> {
    let square = |i: usize, j: usize| (gram[i][i] + gram[j][j] - 2.0 * gram[i][j]).max(0.0);
    let mut squares: Vec<f64> = (0..gram.len()).flat_map(|i| (0..i).map(move |j| square(i, j))).collect();
    squares.sort_by(f64::total_cmp);
    let n = squares.len();
    let median = if n == 0 { 0.0 } else { f64::midpoint(squares[(n - 1) / 2], squares[n / 2]) };
    // Where distances are but rounding, so is their median.
    let median = if median > 1e-12 { median } else { 1.0 };
    (0..gram.len()).map(|i| (0..gram.len()).map(|j| (-g * square(i, j) / median).exp()).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn comparisons_are_their_definitions(specs in specs(), counted in prop::sample::select(vec![Counted::Raw, Counted::Log, Counted::Binary, Counted::Share])) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        let features = AllPathsCycles::of(Profile::triangle(3).unwrap()).embed(&graphs).unwrap();
        let rows = named(&features, counted);
        let all = together(&rows);
        for compare in [Compare::Linear, Compare::Cosine, Compare::Intersection, Compare::MinMax] {
            let by_cell = |x: &BTreeMap<Cell, Counts<String>>, y: &BTreeMap<Cell, Counts<String>>| -> f64 {
                x.iter().map(|(cell, x)| compared(compare, x, &y[cell])).sum()
            };
            let plain: Vec<Vec<f64>> = all.iter().map(|x| all.iter().map(|y| compared(compare, x, y)).collect()).collect();
            let cells: Vec<Vec<f64>> = rows.iter().map(|x| rows.iter().map(|y| by_cell(x, y)).collect()).collect();
            let settings = Comparison::new(compare).counts(counted);
            for (settings, expected) in [
                (settings.clone(), plain.clone()),
                (settings.clone().normalized(), normalized(&plain)),
                (settings.clone().by_cell(), normalized(&cells)),
                (settings.clone().rbf_distance(0.5), rbf_distance(&plain, 0.5)),
                (settings.by_cell().rbf_distance(2.0), rbf_distance(&normalized(&cells), 2.0)),
            ] {
                let gram = settings.fit(&features).unwrap().gram::<f64>().unwrap();
                let single = settings.fit(&features).unwrap().gram::<f32>().unwrap();
                for (i, expected) in expected.iter().enumerate() {
                    for (j, &expected) in expected.iter().enumerate() {
                        let near = |value: f64, error: f64| (value - expected).abs() <= error * expected.abs().max(1.0);
                        prop_assert!(near(gram.row(i)[j], 1e-6), "{:?} {}, {}: {} {}", settings, i, j, gram.row(i)[j], expected);
                        prop_assert!(near(f64::from(single.row(i)[j]), 2e-6));
                    }
                }
            }
        }
    }
}

#[test]
fn many_graphs_take_many_blocks() {
    // More graphs than a block holds, with common and rare features.
    let graphs: Vec<Graph> = (0..5000usize)
        .map(|i| {
            Graph::from_edges(
                8,
                (0..i % 7).map(|v| (v, v + 1)).chain([(i % 5, 7)].into_iter().filter(|(u, _)| u + i % 3 < 5)),
            )
            .unwrap()
        })
        .collect();
    let features = AllPathsCycles::up_to(7).embed(&graphs).unwrap();
    let rows = named(&features, Counted::Raw);
    let all = together(&rows);
    for compare in [Compare::Linear, Compare::MinMax] {
        let gram = Comparison::new(compare).fit(&features).unwrap().gram::<f64>().unwrap();
        for i in (0..graphs.len()).step_by(617) {
            for j in (0..graphs.len()).step_by(101) {
                assert_eq!(gram.row(i)[j], compared(compare, &all[i], &all[j]), "{compare:?} {i} {j}");
                assert_eq!(gram.row(i)[j], gram.row(j)[i]);
            }
        }
    }
}

#[test]
fn large_counts_are_summed_in_wider_numbers() {
    // Complete graphs have paths by the million: products of counts leave 16, then 32 bits.
    let complete = |n: usize| Graph::from_edges(n, (0..n).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap();
    for max_length in [2, 4, 7] {
        let graphs = [complete(9), complete(10)];
        let features = AllPathsCycles::up_to(max_length).embed(&graphs).unwrap();
        let rows = named(&features, Counted::Raw);
        let all = together(&rows);
        for compare in [Compare::Linear, Compare::Intersection] {
            let gram = Comparison::new(compare).fit(&features).unwrap().gram::<f64>().unwrap();
            assert_eq!(
                gram.row(0),
                [compared(compare, &all[0], &all[0]), compared(compare, &all[0], &all[1])]
            );
        }
    }
}
