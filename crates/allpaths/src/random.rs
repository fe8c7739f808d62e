//! Random numbers from a seed: `ChaCha8`, the same on every machine.

/// A stream of random numbers.
///
/// The stream cipher of Bernstein with 8 rounds, keyed with the seed: eight bytes of it, then zeros.
pub(crate) struct ChaCha8 {
    state: [u32; 16],
    block: [u32; 16],
    used: usize,
}

impl ChaCha8 {
    pub(crate) fn new(seed: u64) -> Self {
        let mut state = [0; 16];
        // "expand 32-byte k"
        state[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        (state[4], state[5]) = (seed as u32, (seed >> 32) as u32);
        Self { state, block: [0; 16], used: 16 }
    }

    /// One of many streams under a seed, each unlike the others. The plain one is number 0.
    pub(crate) fn stream(seed: u64, number: u64) -> Self {
        let mut random = Self::new(seed);
        (random.state[14], random.state[15]) = (number as u32, (number >> 32) as u32);
        random
    }

    fn refill(&mut self) {
        let mut x = self.state;
        for _ in 0..4 {
            for [a, b, c, d] in [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] {
                quarter(&mut x, a, b, c, d);
            }
            for [a, b, c, d] in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
                quarter(&mut x, a, b, c, d);
            }
        }
        self.block = std::array::from_fn(|i| x[i].wrapping_add(self.state[i]));
        self.used = 0;
        let counter = (u64::from(self.state[13]) << 32 | u64::from(self.state[12])) + 1;
        (self.state[12], self.state[13]) = (counter as u32, (counter >> 32) as u32);
    }

    fn next(&mut self) -> u32 {
        if self.used == self.block.len() {
            self.refill();
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    /// A number below `n`, each as likely as the others.
    ///
    /// # Panics
    ///
    /// When `n` is 0.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        // Lemire: the upper half of a product, without the lower halves that would make some numbers more likely.
        let uneven = n.wrapping_neg() % n;
        loop {
            let product = u64::from(self.next()) * u64::from(n);
            if product as u32 >= uneven {
                return (product >> 32) as u32;
            }
        }
    }

    /// A number from 0 up to, but not, 1, of 53 bits.
    pub(crate) fn unit(&mut self) -> f64 {
        let bits = u64::from(self.next()) << 32 | u64::from(self.next());
        (bits >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts values into a random order, each as likely as the others.
    pub(crate) fn shuffle<T>(&mut self, values: &mut [T]) {
        for end in (1..values.len()).rev() {
            values.swap(end, self.below(end as u32 + 1) as usize);
        }
    }
}

fn quarter(x: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    for (into, from, turned, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        x[into] = x[into].wrapping_add(x[from]);
        x[turned] = (x[turned] ^ x[into]).rotate_left(by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_bytes() {
        // The key stream of ChaCha8 under a key of zeros.
        let mut random = ChaCha8::new(0);
        let bytes: Vec<u8> = (0..4).flat_map(|_| random.next().to_le_bytes()).collect();
        let known =
            [0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1];
        assert_eq!(bytes, known);
    }

    #[test]
    fn streams_differ() {
        let first = |number: u64| ChaCha8::stream(7, number).next();
        assert_eq!(first(0), ChaCha8::new(7).next());
        assert!(first(0) != first(1) && first(1) != first(1 << 32));
    }

    #[test]
    fn all_numbers_below_are_met() {
        let mut random = ChaCha8::new(7);
        let mut counts = [0; 5];
        (0..5000).for_each(|_| counts[random.below(5) as usize] += 1);
        assert!(counts.iter().all(|&count| (900..1100).contains(&count)), "{counts:?}");
    }
}
