//! Ids of features: 64 bits that depend on a name alone, so that machines which never met agree on them.
//!
//! The bytes `b1 ... bn` of a name, as digits `b + 1` of a number to the base [`BASE`], are taken modulo the prime
//! `2^61 - 1`; the version goes into the three bits above, and a bijection of 64-bit words (the finalizer of
//! splitmix64) spreads the result, so that any of its bits make a good hash. The digits of two names one after the other are the
//! digits of both: the id of a path grows with the path, and no name has to be spelt for it.

use std::fmt;

/// The version of the ids. Whatever changes an id changes this, too.
pub const ID_VERSION: u64 = 1;

/// The modulus, a Mersenne prime: reducing is a shift and an addition.
const PRIME: u64 = (1 << 61) - 1;

/// The base: a number without a pattern, larger than any digit.
const BASE: u64 = 0x0b4c_9e26_71d3_58af;

/// A piece of a name, as far as ids are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its bytes as a number.
    digits: u64,
    /// The base to the power of its length.
    shift: u64,
}

impl Piece {
    /// The piece of no bytes.
    pub(crate) const EMPTY: Self = Self { digits: 0, shift: 1 };

    /// The piece of these bytes.
    pub(crate) const fn of(text: &str) -> Self {
        let (bytes, mut piece, mut i) = (text.as_bytes(), Self::EMPTY, 0);
        while i < bytes.len() {
            piece = piece.then(Self::byte(bytes[i]));
            i += 1;
        }
        piece
    }

    const fn byte(byte: u8) -> Self {
        Self { digits: byte as u64 + 1, shift: BASE }
    }

    /// This piece and another one after it.
    #[inline]
    pub(crate) const fn then(self, next: Self) -> Self {
        Self { digits: Name::begin(self).with(next).digits, shift: times(self.shift, next.shift) }
    }

    /// A dot and a word in sixteen hexadecimal digits: what refinement adds to a label.
    #[inline]
    pub(crate) fn dotted(word: u64) -> Self {
        // Eight numbers below 2^61 do not overflow.
        let bytes = word.to_be_bytes();
        let sum: u64 = (0..8).map(|place| HEXADECIMAL[place][bytes[place] as usize]).sum();
        Self { digits: reduced(reduced((sum & PRIME) + (sum >> 61)) + DOT.digits), shift: DOT.shift }
    }

    /// The id of the name that was put together.
    #[inline]
    pub(crate) const fn id(self) -> u64 {
        Name::begin(self).id()
    }
}

/// A name that only grows at its end: nothing has to be known of its length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    digits: u64,
}

impl Name {
    pub(crate) const fn begin(piece: Piece) -> Self {
        Self { digits: piece.digits }
    }

    /// The name with a piece after it.
    #[inline]
    pub(crate) const fn with(self, next: Piece) -> Self {
        Self { digits: reduced(times(self.digits, next.shift) + next.digits) }
    }

    /// Its id.
    #[inline]
    pub(crate) const fn id(self) -> u64 {
        spread(ID_VERSION << 61 | self.digits)
    }
}

impl Default for Piece {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl fmt::Write for Piece {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        *self = self.then(Self::of(text));
        Ok(())
    }
}

/// A dot with room for sixteen digits after it.
const DOT: Piece = {
    let (mut piece, mut place) = (Piece::of("."), 0);
    while place < 16 {
        piece = piece.then(Piece { digits: 0, shift: BASE });
        place += 1;
    }
    piece
};

/// What each byte of a word, in two hexadecimal digits, adds to the number of all sixteen: by the byte's place and value.
static HEXADECIMAL: [[u64; 256]; 8] = {
    const DIGITS: &[u8] = b"0123456789abcdef";
    let (mut table, mut shift, mut place) = ([[0; 256]; 8], 1, 8);
    while place > 0 {
        place -= 1;
        let mut byte = 0;
        while byte < 256 {
            let two = Piece::byte(DIGITS[byte / 16]).then(Piece::byte(DIGITS[byte % 16]));
            table[place][byte] = times(two.digits, shift);
            byte += 1;
        }
        shift = times(times(shift, BASE), BASE);
    }
    table
};

/// The id of a feature by its name.
///
/// # Example
///
/// ```
/// # use allpaths::label::id_of_name;
/// assert_eq!(id_of_name("path:C-C-O"), 15_854_305_355_783_933_349);
/// ```
pub fn id_of_name(name: &str) -> u64 {
    Piece::of(name).id()
}

/// One word after another, mixed: how refinement makes one label of many. Both are spread already.
#[inline]
pub(crate) const fn mixed(word: u64, next: u64) -> u64 {
    spread(word.rotate_left(23) ^ next)
}

#[inline]
const fn times(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    reduced((product as u64 & PRIME) + (product >> 61) as u64)
}

/// A number below `2^62` modulo the prime.
#[inline]
const fn reduced(n: u64) -> u64 {
    if n >= PRIME { n - PRIME } else { n }
}

/// The finalizer of splitmix64, a bijection.
#[inline]
const fn spread(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_as_their_texts_do() {
        let (a, b, c) = (Piece::of("path:"), Piece::of("C-C"), Piece::of("=O"));
        assert_eq!(a.then(b).then(c), Piece::of("path:C-C=O"));
        assert_eq!(a.then(b.then(c)), Piece::of("path:C-C=O"));
        assert_eq!(Piece::dotted(0x0123_4567_89ab_cdef), Piece::of(".0123456789abcdef"));
        assert_eq!(Piece::EMPTY.then(b), b);
        assert_ne!(Piece::of("\0"), Piece::EMPTY);
    }
}
