//! Encoding `power` as Giscard and Wilson compute it: classes as the digits of numbers.
//!
//! A vertex whose label has the code `c` weighs `a^c`, an arc what the vertex weighs that it leaves. A path then weighs `a` to the sum of
//! the codes of all its vertices but the last, and what the sieve sums up for a pair of end labels is a number whose digits to the base
//! `a` say how many paths have which sum. The first vertex is in it, too; since its label is known, its code is a shift by as many digits.
//!
//! The paper computes with doubles, whose 52 bits are soon too few: its example, base 32 and classes up to 10, takes 55, and the sieve's
//! sums are larger than what is left of them. Here `a` is a power of two that no digit can reach, by the number of walks that never turn
//! straight back, and the integers are wide enough for all digits. That is Kronecker's substitution: polynomials in one indeterminate,
//! packed into integers. What wraps on the way wraps back.
//!
//! The frontier engine takes the same integers. It knows the inner vertices of paths from their ends, so that the first vertex is not in
//! its numbers, and it counts without labels first: no digit can reach what it finds then, however many walks there are.

use num_bigint::BigInt;

use super::Bins;
use crate::Graph;
use crate::count::{Count, Frontier, Job, Outcome, Packed, Sieve, Subject};

/// How numbers are made of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packing {
    /// The bits of a digit.
    bits: u32,
    /// The largest code.
    largest: u32,
}

impl Packing {
    /// Digits that are certain to hold all counts to a length; nothing if counts might be too large.
    fn certified(sieve: &Sieve<'_>, codes: &[u32], max_length: usize) -> Option<Self> {
        Some(Self::up_to(sieve.most(max_length)?, codes))
    }

    /// Digits that hold counts up to the largest.
    fn up_to(most: u64, codes: &[u32]) -> Self {
        let bits = u64::BITS - most.leading_zeros();
        Self { bits, largest: codes.iter().max().copied().unwrap_or(0) }
    }

    /// The bits of a number in which a length has all its classes, with the first vertex.
    fn width(self, length: usize) -> u32 {
        self.bits * (self.largest * length as u32 + 1)
    }
}

impl Bins {
    /// Books all paths and cycles to a length, by the sieve.
    pub(crate) fn sift(&mut self, graph: &Graph, max_length: usize, job: Job<'_>) -> Outcome {
        let sieve = Sieve::new(graph);
        let Some(packing) = Packing::certified(&sieve, self.codes().0, max_length) else {
            return Outcome::Undecided;
        };
        let sifted = match packing.width(max_length) {
            ..=64 => self.sift_in::<i64>(&sieve, packing, max_length, job),
            65..=128 => self.sift_in::<i128>(&sieve, packing, max_length, job),
            _ => self.sift_in::<BigInt>(&sieve, packing, max_length, job),
        };
        sifted.err().unwrap_or_default()
    }

    fn sift_in<R: Packed>(
        &mut self,
        sieve: &Sieve<'_>,
        packing: Packing,
        max_length: usize,
        job: Job<'_>,
    ) -> Result<(), Outcome> {
        let (codes, class) = self.codes();
        let codes = codes.to_vec();
        let weights: Vec<R> = codes.iter().map(|code| R::power_of_two(code * packing.bits)).collect();
        let sums = sieve.by_ends(&class, &weights, max_length, job)?;
        self.read(max_length, packing, |length, ends| (sums.of(length, ends), codes[ends[0]]));
        Ok(())
    }

    /// Books all paths and cycles to a length, by the frontier engine. `all` has how many there are without labels up to each length, from when
    /// a longer one was tried.
    pub(crate) fn sweep(
        &mut self,
        graph: &Graph,
        max_length: usize,
        job: Job<'_>,
        all: &mut Vec<Count>,
    ) -> Outcome {
        if all.len() <= max_length {
            match Frontier::new(graph, Subject::Both).all(max_length, job) {
                Ok(counted) => *all = counted,
                Err(stopped) => return stopped,
            }
        }
        let Some(most) = all[max_length].to_u64().filter(|most| most >> 62 == 0) else {
            return Outcome::Undecided;
        };
        let packing = Packing::up_to(most, self.codes().0);
        // Without the first vertex, but with room for what one weighs.
        let swept = match packing.width((max_length - 1).max(1)) {
            ..=64 => self.sweep_in::<i64>(graph, packing, max_length, job),
            65..=128 => self.sweep_in::<i128>(graph, packing, max_length, job),
            _ => self.sweep_in::<BigInt>(graph, packing, max_length, job),
        };
        swept.err().unwrap_or_default()
    }

    fn sweep_in<R: Packed>(
        &mut self,
        graph: &Graph,
        packing: Packing,
        max_length: usize,
        job: Job<'_>,
    ) -> Result<(), Outcome> {
        let (codes, class) = self.codes();
        let weights: Vec<R> = codes.iter().map(|code| R::power_of_two(code * packing.bits)).collect();
        let sums = Frontier::by_ends(graph, &class, &weights, max_length, job)?;
        self.read(max_length, packing, |length, [first, last]| {
            (&sums[length][first * weights.len() + last], 0)
        });
        // A loop is a cycle of one edge.
        for (u, _) in graph.edges().filter(|(u, v)| u == v) {
            self.book(1, [class[u] as usize; 2], 0, [0, 1]);
        }
        Ok(())
    }

    /// Books what the digits say of paths and cycles of each length with places of the first and the last code. As many digits as they are
    /// shifted by are left out.
    fn read<'a, R: Packed + 'a>(
        &mut self,
        max_length: usize,
        Packing { bits, largest }: Packing,
        sums: impl Fn(usize, [usize; 2]) -> (&'a [R; 2], u32),
    ) {
        let codes = self.codes().0.len();
        for length in 1..=max_length {
            for ends in (0..codes * codes).map(|pair| [pair / codes, pair % codes]) {
                let (sums, shift) = sums(length, ends);
                for inner in 0..=largest * (length as u32 - 1) {
                    let counts = sums.each_ref().map(|sum| sum.digit((shift + inner) * bits, bits));
                    self.book(length, ends, inner as usize, counts);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Engine;
    use crate::graph::GraphBuilder;
    use crate::label::{Encoding, LabelChoice};
    use crate::{AllPathsCycles, Monitor};

    const CODES: [u32; 3] = [0, 1, 2];

    fn labelled(labels: &[&str], edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
        let mut builder = GraphBuilder::undirected(labels.len());
        builder.vertex_labels(labels);
        edges.into_iter().for_each(|(u, v)| _ = builder.edge(u, v).unwrap());
        builder.build().unwrap()
    }

    #[test]
    fn integers_of_every_width_hold_the_digits() {
        // Eight vertices, each joined with all others: too many paths for narrow digits.
        let edges = (0..8).flat_map(|u| (0..u).map(move |v| (u, v)));
        let graphs = [labelled(&["a", "b", "c", "a", "b", "a", "a", "c"], edges)];
        let widths = [2, 3, 5].map(|length| {
            let packing = Packing::certified(&Sieve::new(&graphs[0]), &CODES, length).unwrap();
            packing.width(length)
        });
        assert_eq!(widths, [9 * 5, 12 * 7, 17 * 11]);
        let monitor = Monitor::new();
        let all = Frontier::new(&graphs[0], Subject::Both).all(5, Job::unlimited(&monitor));
        let all = all.unwrap_or_else(|_| unreachable!("nobody stops it"));
        let widths = [3, 4, 5].map(|length| {
            let packing = Packing::up_to(all[length].to_u64().unwrap(), &CODES);
            packing.width(length - 1)
        });
        assert!(widths[0] <= 64 && (65..=128).contains(&widths[1]) && widths[2] > 128, "{widths:?}");
        for length in 2..=5 {
            let settings = AllPathsCycles::up_to(length).encoding(Encoding::Power);
            let walked = settings.clone().engine(Engine::DepthFirst).embed(&graphs).unwrap();
            for engine in [Engine::Sieve, Engine::Frontier] {
                assert_eq!(settings.clone().engine(engine).embed(&graphs).unwrap(), walked, "{engine:?}");
            }
        }
    }

    #[test]
    fn counts_past_64_bits_are_not_begun() {
        let edges = (0..40).flat_map(|u| (0..u).map(move |v| (u, v)));
        let graph = labelled(&["a"; 40], edges);
        let packing = |length| Packing::certified(&Sieve::new(&graph), &CODES, length);
        assert!(packing(10).is_some());
        assert_eq!(packing(12), None);
    }

    /// Base 32, three labels, classes to 10: the paper's example, in the paper's doubles. There are 16 paths over five vertices of
    /// code 2 between the ends, and one over five of code 0:
    ///
    /// ```text
    ///      C - C - C - C
    ///    /   x   x   x   \
    ///  A - C - C - C - C - C - A
    ///    \                   /
    ///      A - A - A - A - A
    /// ```
    #[test]
    fn doubles_lose_digits() {
        const LENGTH: usize = 6;
        let mut labels = vec!["A", "A"];
        let mut edges = Vec::new();
        let mut join = |layers: &[&'static [&'static str]]| {
            let mut before = vec![0];
            for layer in layers {
                let now: Vec<usize> = (labels.len()..labels.len() + layer.len()).collect();
                labels.extend(*layer);
                edges.extend(before.iter().flat_map(|&u| now.iter().map(move |&v| (u, v))));
                before = now;
            }
            edges.extend(before.iter().map(|&u| (u, 1)));
        };
        join(&[&["C", "C"], &["C", "C"], &["C", "C"], &["C", "C"], &["C"]]);
        join(&[&["A"], &["A"], &["A"], &["A"], &["A"]]);
        // A few others, so that A is the commonest label and B the second, whatever their names.
        labels.extend(["A", "A", "A", "B", "B", "B", "B", "B", "B", "B", "B", "B", "B"]);
        let graph = labelled(&labels, edges);

        // Every vertex a class of its own, as the paper decodes for each pair of vertices.
        let class: Vec<u32> = (0..graph.order() as u32).collect();
        let code = |label: &&str| if *label == "C" { 2 } else { 0 };
        let weights: Vec<f64> = labels.iter().map(|label| 32f64.powi(code(label))).collect();
        let monitor = Monitor::new();
        let sums = Sieve::new(&graph).by_ends(&class, &weights, LENGTH, Job::unlimited(&monitor));
        let sum = sums.unwrap_or_else(|_| unreachable!("nobody stops it")).of(LENGTH, [0, 1])[0];
        let digits: Vec<f64> = (0..=10).map(|class| (sum / 32f64.powi(class)).floor() % 32.0).collect();

        let settings = AllPathsCycles::up_to(LENGTH).encoding(Encoding::Power).engine(Engine::Sieve);
        let features = settings.labels(LabelChoice::Commonest(3)).embed(&[graph]).unwrap();
        let exact = |class: i32| features.count(0, &format!("power:6:[A,{class},A]@A,B,*")).unwrap_or(0);
        assert_eq!((exact(10), exact(0)), (16, 1));
        assert_eq!((digits[10], digits[0]), (16.0, 0.0));
    }
}
