//! Many classes by machines that tell two sides apart.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// Which machines are trained where there are more than two classes.
///
/// Each class has a word with a letter for each machine: which side of it the class is on, or neither. A graph gets the class whose word is nearest
/// to what the machines say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputCodes {
    /// A machine for each pair of classes.
    OneVsOne,
    /// A machine for each class, against all others.
    #[default]
    OneVsRest,
    /// A machine for every way to split the classes in two.
    Exhaustive,
}

/// What makes a word near.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decoding {
    /// The machines that are on its side, by number. Ties go to the first class.
    Votes,
    /// The mean over its machines of `max(0, 1 - m f) / 2`, `m` being the side and `f` the decision value: a clear decision says more.
    #[default]
    Hinge,
}

/// More classes than this have too many splits.
const MOST_CLASSES: usize = 12;

/// The side of each class, machine by machine: 1, -1, or 0 for neither.
pub(super) fn sides(codes: OutputCodes, classes: usize) -> Result<Vec<Vec<i8>>> {
    Ok(match (codes, classes) {
        (_, 0 | 1) => Vec::new(),
        (_, 2) => vec![vec![1, -1]],
        (OutputCodes::OneVsOne, _) => {
            let pairs = (0..classes).flat_map(|one| (one + 1..classes).map(move |other| (one, other)));
            let machine = |(one, other)| {
                (0..classes).map(|class| i8::from(class == one) - i8::from(class == other)).collect()
            };
            pairs.map(machine).collect()
        }
        (OutputCodes::OneVsRest, _) => {
            let machine = |one| (0..classes).map(|class| if class == one { 1 } else { -1 }).collect();
            (0..classes).map(machine).collect()
        }
        (OutputCodes::Exhaustive, _) if classes > MOST_CLASSES => {
            return Err(Error::settings(format!(
                "{classes} classes can be split in two in {} ways: take one-vs-one, or at most {MOST_CLASSES} classes",
                if classes < 64 { ((1u64 << (classes - 1)) - 1).to_string() } else { "very many".to_owned() }
            )));
        }
        (OutputCodes::Exhaustive, _) => {
            // The first class is always positive, or each split would come twice.
            let machine = |split: u32| {
                let side = |class: usize| if class == 0 || split >> (class - 1) & 1 == 1 { 1 } else { -1 };
                (0..classes).map(side).collect()
            };
            (0..(1 << (classes - 1)) - 1).map(machine).collect()
        }
    })
}

/// The classes on the positive side of a machine, and those on the negative one.
pub(super) fn by_side(classes: &[i64], sides: &[i8]) -> (Vec<i64>, Vec<i64>) {
    let of = |side: i8| {
        let classes = classes.iter().zip(sides);
        classes.filter(|(_, other)| **other == side).map(|(&class, _)| class).collect()
    };
    (of(1), of(-1))
}

/// The class whose word is nearest to decision values.
pub(super) fn nearest(sides: &[Vec<i8>], decoding: Decoding, values: &[f64]) -> usize {
    let classes = sides.first().map_or(1, Vec::len);
    let distance = |class: usize| {
        let (mut sum, mut machines) = (0.0, 0.0);
        for (sides, value) in sides.iter().zip(values) {
            let side = f64::from(sides[class]);
            if side != 0.0 {
                machines += 1.0;
                sum += match decoding {
                    Decoding::Hinge => (1.0 - side * value).max(0.0) / 2.0,
                    // LIBSVM counts a value of 0 for the second class of a pair.
                    Decoding::Votes => {
                        f64::from(u8::from(if side > 0.0 { *value <= 0.0 } else { *value > 0.0 }))
                    }
                };
            }
        }
        sum / machines
    };
    (1..classes)
        .fold((0, distance(0)), |(best, least), class| match distance(class) {
            nearer if nearer < least => (class, nearer),
            _ => (best, least),
        })
        .0
}

/// The probabilities of classes that agree best with those of sides.
///
/// Huang, Weng and Lin, Generalized Bradley-Terry models and multi-class probability estimates, 2006: with the sum over a machine's positive
/// classes `p` and over its negative ones `q`, the likelihood of `p / (p + q)` is raised until nothing changes.
pub(super) fn probabilities(sides: &[Vec<i8>], positive: &[f64]) -> Vec<f64> {
    const ROUNDS: usize = 1000;
    const ENOUGH: f64 = 1e-12;
    let classes = sides.first().map_or(1, Vec::len);
    let mut shares = vec![1.0 / classes as f64; classes];
    if sides.is_empty() {
        return shares; // one class alone is certain
    }
    for _ in 0..ROUNDS {
        let (mut gains, mut costs) = (vec![0.0; classes], vec![0.0; classes]);
        for (sides, &probability) in sides.iter().zip(positive) {
            let sum = |side: i8| {
                let of_side = sides.iter().zip(&shares).filter(|(other, _)| **other == side);
                of_side.map(|(_, share)| share).sum::<f64>()
            };
            let (up, down) = (sum(1), sum(-1));
            for ((side, gain), cost) in sides.iter().zip(&mut gains).zip(&mut costs) {
                *gain += match side {
                    1 => probability / up,
                    -1 => (1.0 - probability) / down,
                    _ => continue,
                };
                *cost += 1.0 / (up + down);
            }
        }
        let next: Vec<f64> = shares
            .iter()
            .zip(gains.iter().zip(&costs))
            .map(|(share, (gain, cost))| share * gain / cost)
            .collect();
        let sum: f64 = next.iter().sum();
        let moved = shares.iter().zip(&next).map(|(old, new)| (old - new / sum).abs()).fold(0.0, f64::max);
        shares = next.into_iter().map(|share| share / sum).collect();
        if moved < ENOUGH {
            break;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        use OutputCodes::{Exhaustive, OneVsOne, OneVsRest};
        assert!(sides(OneVsOne, 1).unwrap().is_empty());
        for codes in [OneVsOne, OneVsRest, Exhaustive] {
            assert_eq!(sides(codes, 2).unwrap(), [[1, -1]]);
        }
        assert_eq!(sides(OneVsOne, 3).unwrap(), [[1, -1, 0], [1, 0, -1], [0, 1, -1]]);
        assert_eq!(sides(OneVsRest, 3).unwrap(), [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]);
        assert_eq!(sides(Exhaustive, 3).unwrap(), [[1, -1, -1], [1, 1, -1], [1, -1, 1]]);
        assert_eq!(sides(Exhaustive, 6).unwrap().len(), 31);
        assert!(sides(Exhaustive, 13).unwrap_err().is_usage());
    }

    #[test]
    fn a_clear_decision_counts_more_by_hinge() {
        let sides = sides(OutputCodes::OneVsOne, 3).unwrap();
        // Each class wins once; the third by far.
        let values = [0.1, -0.9, 0.2];
        assert_eq!(nearest(&sides, Decoding::Votes, &values), 0);
        assert_eq!(nearest(&sides, Decoding::Hinge, &values), 2);
    }

    #[test]
    fn probabilities_that_agree_are_found() {
        let shares = [0.5, 0.3, 0.2];
        for codes in [OutputCodes::OneVsOne, OutputCodes::OneVsRest, OutputCodes::Exhaustive] {
            let sides = sides(codes, 3).unwrap();
            let of = |machine: &Vec<i8>| {
                let sum = |side| {
                    (0..3).filter(|&class| machine[class] == side).map(|class| shares[class]).sum::<f64>()
                };
                sum(1) / (sum(1) + sum(-1))
            };
            let positive: Vec<f64> = sides.iter().map(of).collect();
            let found = probabilities(&sides, &positive);
            assert!(
                found.iter().zip(shares).all(|(found, share)| (found - share).abs() < 1e-6),
                "{codes:?} {found:?}"
            );
        }
        assert_eq!(probabilities(&[], &[]), [1.0]);
    }
}
