//! SHA-256 (FIPS 180-4), to notice that a file is not what it was.

use std::io::{self, Read};

/// The leading 32 bits after the point of the roots of the first primes.
const fn roots<const N: usize>(power: u32) -> [u32; N] {
    let mut roots = [0; N];
    let (mut prime, mut i) = (2u128, 0);
    while i < N {
        let mut divisor = 2;
        while prime % divisor != 0 {
            divisor += 1;
        }
        if divisor == prime {
            let (mut low, mut high) = (0u128, 1 << 41);
            while high - low > 1 {
                let middle = u128::midpoint(low, high);
                if middle.pow(power) <= prime << (32 * power) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            roots[i] = low as u32;
            i += 1;
        }
        prime += 1;
    }
    roots
}

const START: [u32; 8] = roots(2);
const ROUNDS: [u32; 64] = roots(3);

fn absorb(state: &mut [u32; 8], block: &[u8; 64]) {
    let mut w = [0u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..64 {
        let (x, y) = (w[t - 15], w[t - 2]);
        let x = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
        let y = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
        w[t] = w[t - 16].wrapping_add(x).wrapping_add(w[t - 7]).wrapping_add(y);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for t in 0..64 {
        let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let x = h.wrapping_add(sum).wrapping_add(choice).wrapping_add(ROUNDS[t]).wrapping_add(w[t]);
        let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let y = sum.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(x), c, b, a, x.wrapping_add(y));
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(new);
    }
}

/// The digest of all that a stream holds, in hexadecimal digits.
pub(super) fn digest(mut stream: impl Read) -> io::Result<String> {
    let (mut state, mut length) = (START, 0u64);
    let mut bytes = Vec::with_capacity(1 << 16);
    loop {
        bytes.clear();
        stream.by_ref().take(1 << 16).read_to_end(&mut bytes)?;
        length += bytes.len() as u64;
        let is_last = bytes.len() < 1 << 16;
        if is_last {
            bytes.push(0x80);
            bytes.resize((bytes.len() + 8).next_multiple_of(64) - 8, 0);
            bytes.extend((8 * length).to_be_bytes());
        }
        bytes.as_chunks().0.iter().for_each(|block| absorb(&mut state, block));
        if is_last {
            return Ok(state.map(|word| format!("{word:08x}")).concat());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples that were published with the standard, and lengths around those of blocks and buffers, whose digests
    /// another program computed.
    #[test]
    fn known_digests() {
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        let (buffer, more) = ("a".repeat(1 << 16), "a".repeat((1 << 16) + 1));
        let (short, full, million) = ("a".repeat(55), "a".repeat(64), "a".repeat(1_000_000));
        for (text, expected) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (long, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            (&million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
            (&short, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (&full, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (&buffer, "bf718b6f653bebc184e1479f1935b8da974d701b893afcf49e701f3e2f9f9c5a"),
            (&more, "008ffc88d3c96a9f307524eb361e47c5222a887fc45fa0c1fb8d429c5c23b430"),
        ] {
            assert_eq!(digest(text.as_bytes()).unwrap(), expected, "{} bytes", text.len());
        }
    }
}
