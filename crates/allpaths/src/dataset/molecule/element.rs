//! What the periodic table says of elements: their symbols, outer electrons and usual valences.

/// Symbols by atomic number; the first stands for any atom.
const SYMBOLS: [&str; 119] = [
    "*", "H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S", "Cl", "Ar",
    "K", "Ca", "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr",
    "Rb", "Sr", "Y", "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I", "Xe",
    "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu",
    "Hf", "Ta", "W", "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra",
    "Ac", "Th", "Pa", "U", "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf", "Db",
    "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og",
];

/// An element by its atomic number; 0 is an atom that may be any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Element(u8);

impl Element {
    /// An atom that may be any, written `*`.
    pub const ANY: Self = Self(0);
    pub(super) const H: Self = Self(1);
    pub(super) const B: Self = Self(5);
    pub(super) const C: Self = Self(6);
    pub(super) const N: Self = Self(7);
    pub(super) const O: Self = Self(8);
    pub(super) const F: Self = Self(9);
    pub(super) const SI: Self = Self(14);
    pub(super) const P: Self = Self(15);
    pub(super) const S: Self = Self(16);
    pub(super) const CL: Self = Self(17);
    pub(super) const AS: Self = Self(33);
    pub(super) const SE: Self = Self(34);
    pub(super) const BR: Self = Self(35);
    pub(super) const TE: Self = Self(52);
    pub(super) const I: Self = Self(53);

    /// The element of a symbol such as `Cl`.
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        SYMBOLS.iter().position(|known| *known == symbol).map(|number| Self(number as u8))
    }

    /// The atomic number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The symbol, `*` for any.
    pub fn symbol(self) -> &'static str {
        SYMBOLS[usize::from(self.0)]
    }

    /// The valences that atoms in organic molecules have, the usual one first. Nothing for elements whose hydrogens are
    /// never left out.
    pub(super) fn valences(self) -> &'static [u8] {
        match self.0 {
            1 | 9 | 17 | 35 | 53 | 85 => &[1],
            5 | 13 => &[3],
            6 | 14 | 32 => &[4],
            8 => &[2],
            7 | 15 | 33 | 51 => &[3, 5],
            16 | 34 | 52 => &[2, 4, 6],
            _ => &[],
        }
    }

    /// The element that has as many electrons as this one under a charge: N for O+, whose valence is that of N.
    pub(super) fn under(self, charge: i8) -> Self {
        Self(self.0.saturating_sub_signed(charge).min(118))
    }

    /// Electrons of the outer shell, for the elements of the main groups.
    pub(super) fn outer_electrons(self) -> Option<i16> {
        let past = |noble: u8| i16::from(self.0 - noble);
        Some(match self.0 {
            1..=2 => past(0),
            3..=10 => past(2),
            11..=18 => past(10),
            19 | 20 => past(18),
            31..=36 => past(28),
            37 | 38 => past(36),
            49..=54 => past(46),
            55 | 56 => past(54),
            81..=86 => past(78),
            _ => return None,
        })
    }

    /// Whether it draws electrons from another: it has more of them outside, or as many nearer to the nucleus.
    pub(super) fn draws_from(self, other: Self) -> bool {
        let (ours, theirs) = (self.outer_electrons().unwrap_or(0), other.outer_electrons().unwrap_or(0));
        ours > theirs || (ours == theirs && self.0 < other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_numbers() {
        for (symbol, number) in [("*", 0), ("H", 1), ("Br", 35), ("I", 53), ("Au", 79), ("Og", 118)] {
            assert_eq!(Element::of_symbol(symbol).map(Element::number), Some(number));
            assert_eq!(Element::of_symbol(symbol).unwrap().symbol(), symbol);
        }
        assert_eq!(Element::of_symbol("Xx"), None);
        let [o, s, n] = ["O", "S", "N"].map(|symbol| Element::of_symbol(symbol).unwrap());
        assert!(o.draws_from(s) && o.draws_from(n) && !n.draws_from(o) && !s.draws_from(o));
        assert_eq!(n.under(1), Element::C);
    }
}
