//! What samples say of the number they estimate.

/// The number of samples, their mean, and how far they are from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moments {
    pub(super) samples: u64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    squares: f64,
}

impl Moments {
    /// Hears of one more sample.
    pub(super) fn hear(&mut self, sample: f64) {
        self.add(&Self { samples: 1, mean: sample, squares: 0.0 });
    }

    /// Joins two sets of samples.
    pub(super) fn add(&mut self, other: &Self) {
        if other.samples == 0 {
            return;
        }
        let (mine, theirs) = (self.samples as f64, other.samples as f64);
        let (all, apart) = (mine + theirs, other.mean - self.mean);
        self.samples += other.samples;
        self.mean += apart * (theirs / all);
        self.squares += other.squares + apart * apart * (mine * theirs / all);
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard error of the mean.
    pub(super) fn error(&self) -> f64 {
        let samples = self.samples as f64;
        if self.samples < 2 { f64::INFINITY } else { (self.squares / (samples - 1.0) / samples).sqrt() }
    }
}

/// How many standard deviations around the mean hold such a share of a normal distribution.
pub(super) fn quantile(share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 9.0);
    for _ in 0..64 {
        let middle = f64::midpoint(low, high);
        if within(middle) < share { low = middle } else { high = middle }
    }
    low
}

/// The share of a normal distribution within so many standard deviations: twice the density times x + x³/3 + x⁵/15 + ...
fn within(x: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term > 1e-17 * sum {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    2.0 * sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_quantiles() {
        for (share, known) in [
            (0.5, 0.674_489_750_2),
            (0.95, 1.959_963_984_5),
            (0.99, 2.575_829_303_5),
            (0.999, 3.290_526_731_5),
        ] {
            assert!((quantile(share) - known).abs() < 1e-9, "{share}: {}", quantile(share));
        }
    }

    #[test]
    fn joined_as_if_heard_one_by_one() {
        let samples = [3.0, 1.0, 4.0, 1.0, 5.0];
        let mut all = Moments::default();
        samples.iter().for_each(|&sample| all.hear(sample));
        let [mut left, mut right] = [Moments::default(); 2];
        samples[..2].iter().for_each(|&sample| left.hear(sample));
        samples[2..].iter().for_each(|&sample| right.hear(sample));
        left.add(&right);
        assert!((left.mean() - 2.8).abs() < 1e-12 && (all.mean() - 2.8).abs() < 1e-12);
        // Squares 0.04 + 3.24 + 1.44 + 3.24 + 4.84 = 12.8, over 4 and then 5.
        assert!((left.error() - 0.64f64.sqrt()).abs() < 1e-12 && (all.error() - left.error()).abs() < 1e-12);
    }
}
