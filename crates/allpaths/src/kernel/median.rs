//! The median of many numbers, without sorting or copying them.

/// The median of numbers that are not negative; the mean of the middle two where they are even in number, nothing where there are none.
///
/// The bits of such floats sort like the floats. Sixteen at a time, those of the middle one are found by counting, each time among the
/// numbers that share what was found before.
pub(super) fn median<I: Iterator<Item = f64>>(values: impl Fn() -> I) -> Option<f64> {
    let n = values().count();
    let rank = n.checked_sub(1)? / 2;
    let (mut found, mut before) = (0u64, 0);
    for shift in [48, 32, 16, 0] {
        let mut counts = vec![0; 1 << 16];
        // At first all share the bits above, of which there are none.
        let shares = |bits: &u64| bits.checked_shr(shift + 16).unwrap_or(0) == found;
        let digits = values().map(f64::to_bits).filter(shares).map(|bits| bits >> shift & 0xffff);
        digits.for_each(|digit| counts[digit as usize] += 1);
        let mut digit = 0;
        while before + counts[digit] <= rank {
            before += counts[digit];
            digit += 1;
        }
        found = found << 16 | digit as u64;
    }
    let lower = f64::from_bits(found);
    let upto = values().filter(|&value| value <= lower).count();
    let upper = match n.is_multiple_of(2) && upto <= n / 2 {
        true => values().filter(|&value| value > lower).fold(f64::INFINITY, f64::min),
        false => lower,
    };
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_by_sorting() {
        let mut values: Vec<f64> =
            (0..1001u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 7) / 3e5).collect();
        for _ in 0..20 {
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let n = sorted.len();
            let middle = f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]);
            assert_eq!(median(|| values.iter().copied()), Some(middle));
            values.truncate(values.len() * 2 / 3);
            values.push(0.0);
        }
        assert_eq!(median(|| [].into_iter()), None);
    }
}
