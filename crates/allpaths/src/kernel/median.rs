//! The median of many numbers, without sorting or copying them.

/// The median of numbers that are not negative; the mean of the middle two where they are even in number, nothing where there are none.
///
/// The bits of such floats sort like the floats: the upper half of the middle one's bits is found by counting, then the lower half among those
/// that share it.
pub(super) fn median<I: Iterator<Item = f32>>(values: impl Fn() -> I) -> Option<f64> {
    let n = values().count();
    let lower = nth(&values, n.checked_sub(1)? / 2);
    let upper = if n % 2 == 0 { nth(&values, n / 2) } else { lower };
    Some(f64::midpoint(f64::from(lower), f64::from(upper)))
}

/// The number that `rank` others come before in order.
fn nth<I: Iterator<Item = f32>>(values: impl Fn() -> I, mut rank: usize) -> f32 {
    let bits = || values().map(f32::to_bits);
    let high = place(bits().map(|bits| bits >> 16), &mut rank);
    let low = place(bits().filter(|bits| bits >> 16 == high).map(|bits| bits & 0xffff), &mut rank);
    f32::from_bits(high << 16 | low)
}

/// The 16-bit number of that rank; leaves its rank among its equals.
fn place(numbers: impl Iterator<Item = u32>, rank: &mut usize) -> u32 {
    let mut counts = vec![0usize; 1 << 16];
    numbers.for_each(|number| counts[number as usize] += 1);
    for (&count, number) in counts.iter().zip(0..) {
        if *rank < count {
            return number;
        }
        *rank -= count;
    }
    unreachable!("ranks are below the number of values")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_by_sorting() {
        let mut values: Vec<f32> =
            (0..1001u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 7) as f32 / 3e5).collect();
        for _ in 0..20 {
            let mut sorted = values.clone();
            sorted.sort_by(f32::total_cmp);
            let n = sorted.len();
            let middle = f64::midpoint(f64::from(sorted[(n - 1) / 2]), f64::from(sorted[n / 2]));
            assert_eq!(median(|| values.iter().copied()), Some(middle));
            values.truncate(values.len() * 2 / 3);
            values.push(0.0);
        }
        assert_eq!(median(|| [].into_iter()), None);
    }
}
