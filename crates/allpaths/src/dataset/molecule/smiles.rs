//! SMILES, after the OpenSMILES specification: characters in, atoms and bonds out.
//!
//! ```text
//! CC(=O)Oc1ccccc1C(=O)O    ( ) branches, digits close rings, lower case is aromatic
//! [13CH3:2][NH3+].[Cl-]    brackets say everything; a dot is no bond
//! ```
//!
//! One pass, no recursion: a stack holds the atoms that open branches go on from, a table the ring closures that are open.
//! Every fault is at a character.

use super::{Atom, Bond, Element, Molecule};
use crate::dataset::text::shown;

/// What is wrong with a text, and at which of its characters.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::dataset) struct Fault {
    /// Counted from 0.
    pub(in crate::dataset) place: usize,
    pub(in crate::dataset) reason: String,
}

impl Fault {
    pub(super) fn new(place: usize, reason: impl Into<String>) -> Self {
        Self { place, reason: reason.into() }
    }

    /// In words, for people who count from 1.
    pub(in crate::dataset) fn about(&self, smiles: &[u8]) -> String {
        format!("{}, at character {} of {}", self.reason, self.place + 1, shown(smiles))
    }
}

/// Memory that is used again for each molecule.
#[derive(Default)]
pub(super) struct Scratch {
    /// Where each atom stands.
    pub(super) places: Vec<u32>,
    /// Branches that are open: the atom they start at, where they do, and how many atoms there were.
    branches: Vec<(u32, usize, usize)>,
    /// Ring closures that are open, by their numbers.
    open: Vec<Option<Open>>,
    opened: usize,
}

#[derive(Clone, Copy)]
struct Open {
    atom: u32,
    sign: Option<u8>,
    place: usize,
}

/// What was read since the last atom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// Nothing: a bond follows, if there is an atom before.
    Plain,
    /// The sign of a bond, and where it stands.
    Sign(u8, usize),
    /// A dot, and where it stands.
    Dot(usize),
}

impl Scratch {
    /// Where an atom stands.
    pub(super) fn place_of(&self, atom: usize) -> usize {
        self.places.get(atom).map_or(0, |&place| place as usize)
    }

    /// Reads a molecule in place of what was held before. Aromatic bonds are marked as such, and of order 1.
    pub(super) fn parse(&mut self, smiles: &[u8], molecule: &mut Molecule) -> Result<(), Fault> {
        molecule.atoms.clear();
        molecule.bonds.clear();
        self.places.clear();
        self.branches.clear();
        if self.opened > 0 || self.open.is_empty() {
            self.open.clear();
            self.open.resize(100, None);
            self.opened = 0;
        }
        let mut at = 0;
        let mut last: Option<u32> = None;
        let mut link = Link::Plain;
        while let Some(&byte) = smiles.get(at) {
            let wrong = |reason: String| Err(Fault::new(at, reason));
            match byte {
                b'(' => {
                    let Some(atom) = last else { return wrong("expected an atom before the branch".into()) };
                    link.free("a branch")?;
                    self.filled(molecule, at)?;
                    self.branches.push((atom, at, molecule.atoms.len()));
                    at += 1;
                }
                b')' => {
                    let Some((atom, _, count)) = self.branches.pop() else {
                        return wrong("expected ( before this )".into());
                    };
                    link.free("the end of a branch")?;
                    if count == molecule.atoms.len() {
                        return wrong("expected an atom in the branch".into());
                    }
                    last = Some(atom);
                    at += 1;
                }
                b'-' | b'=' | b'#' | b'$' | b':' | b'/' | b'\\' => {
                    if last.is_none() {
                        return wrong(format!("expected an atom before the bond {}", char::from(byte)));
                    }
                    link.free("another bond")?;
                    link = Link::Sign(byte, at);
                    at += 1;
                }
                b'.' => {
                    if last.is_none() {
                        return wrong("expected an atom before the dot".into());
                    }
                    link.free("a dot")?;
                    link = Link::Dot(at);
                    at += 1;
                }
                b'0'..=b'9' | b'%' => {
                    let (number, length) = ring_number(smiles, at)?;
                    let Some(atom) = last else {
                        return wrong("expected an atom before the ring closure".into());
                    };
                    let sign = match link {
                        Link::Plain => None,
                        Link::Sign(sign, _) => Some(sign),
                        Link::Dot(_) => {
                            return wrong("expected an atom after the dot, found a ring closure".into());
                        }
                    };
                    self.filled(molecule, at)?;
                    self.ring(number, Open { atom, sign, place: at }, molecule)?;
                    link = Link::Plain;
                    at += length;
                }
                _ => {
                    let (atom, length) =
                        if byte == b'[' { bracket(smiles, at)? } else { organic(smiles, at)? };
                    let number = molecule.atoms.len() as u32;
                    molecule.atoms.push(atom);
                    self.places.push(at as u32);
                    if let Some(before) = last {
                        match link {
                            Link::Plain => molecule.bonds.push(joined(molecule, before, number, None)),
                            Link::Sign(sign, _) => {
                                molecule.bonds.push(joined(molecule, before, number, Some(sign)));
                            }
                            Link::Dot(_) => {}
                        }
                    }
                    last = Some(number);
                    link = Link::Plain;
                    at += length;
                }
            }
        }
        link.free("the end")?;
        if let Some(&(_, place, _)) = self.branches.last() {
            return Err(Fault::new(place, "expected ) to end the branch, found the end"));
        }
        if self.opened > 0 {
            let first = self.open.iter().flatten().map(|open| open.place).min().unwrap_or(0);
            return Err(Fault::new(first, "expected the other end of this ring closure, found the end"));
        }
        Ok(())
    }

    /// Refuses what follows the opening of a branch and is no atom.
    fn filled(&self, molecule: &Molecule, at: usize) -> Result<(), Fault> {
        match self.branches.last() {
            Some(&(_, _, count)) if count == molecule.atoms.len() => {
                Err(Fault::new(at, "expected an atom in the branch"))
            }
            _ => Ok(()),
        }
    }

    /// Opens a ring closure, or closes it.
    fn ring(&mut self, number: usize, end: Open, molecule: &mut Molecule) -> Result<(), Fault> {
        let Some(start) = self.open[number].take() else {
            self.open[number] = Some(end);
            self.opened += 1;
            return Ok(());
        };
        self.opened -= 1;
        let wrong = |reason: &str| Err(Fault::new(end.place, reason));
        let plain = |sign: u8| if matches!(sign, b'/' | b'\\') { b'-' } else { sign };
        if let (Some(a), Some(b)) = (start.sign, end.sign)
            && plain(a) != plain(b)
        {
            return wrong("expected the same bond at both ends of the ring closure");
        }
        if start.atom == end.atom {
            return wrong("expected a ring closure to end at another atom than it starts from");
        }
        let bond = joined(molecule, start.atom, end.atom, start.sign.or(end.sign));
        // Kept in the order of their later atoms, then of their earlier ones.
        let key = |bond: &Bond| (bond.ends.0.max(bond.ends.1), bond.ends.0.min(bond.ends.1));
        let after = molecule.bonds.iter().rposition(|other| key(other) <= key(&bond)).map_or(0, |i| i + 1);
        if after > 0 && key(&molecule.bonds[after - 1]) == key(&bond) {
            return wrong("expected a ring closure between atoms that are not bound already");
        }
        molecule.bonds.insert(after, bond);
        Ok(())
    }
}

impl Link {
    /// Refuses a bond or a dot that nothing follows.
    fn free(self, found: &str) -> Result<(), Fault> {
        match self {
            Link::Plain => Ok(()),
            Link::Sign(sign, place) => Err(Fault::new(
                place,
                format!("expected an atom after the bond {}, found {found}", char::from(sign)),
            )),
            Link::Dot(place) => {
                Err(Fault::new(place, format!("expected an atom after the dot, found {found}")))
            }
        }
    }
}

/// A bond by its sign; without one it is aromatic between aromatic atoms, and single else.
#[inline]
fn joined(molecule: &Molecule, u: u32, v: u32, sign: Option<u8>) -> Bond {
    let order = match sign {
        Some(b'=') => 2,
        Some(b'#') => 3,
        Some(b'$') => 4,
        _ => 1,
    };
    let mut bond = Bond::new(u, v, order);
    bond.is_aromatic = match sign {
        Some(sign) => sign == b':',
        None => {
            let [one, other] = [u, v].map(|atom| &molecule.atoms[atom as usize]);
            one.is_aromatic && (other.is_aromatic || other.element == Element::ANY)
                || other.is_aromatic && one.element == Element::ANY
        }
    };
    bond
}

/// The number of a ring closure, and how many characters it takes.
fn ring_number(smiles: &[u8], at: usize) -> Result<(usize, usize), Fault> {
    let digit = |byte: u8| usize::from(byte - b'0');
    match &smiles[at..] {
        [b'%', a @ b'0'..=b'9', b @ b'0'..=b'9', ..] => Ok((digit(*a) * 10 + digit(*b), 3)),
        [b'%', ..] => Err(Fault::new(at, "expected two digits after %")),
        [a, ..] => Ok((digit(*a), 1)),
        [] => Err(Fault::new(at, "expected a digit")),
    }
}

/// An atom without brackets, whose hydrogens are left out.
#[inline]
fn organic(smiles: &[u8], at: usize) -> Result<(Atom, usize), Fault> {
    let next = smiles.get(at + 1);
    let (element, is_aromatic, length) = match smiles[at] {
        b'C' if next == Some(&b'l') => (Element::CL, false, 2),
        b'B' if next == Some(&b'r') => (Element::BR, false, 2),
        b'C' => (Element::C, false, 1),
        b'N' => (Element::N, false, 1),
        b'O' => (Element::O, false, 1),
        b'S' => (Element::S, false, 1),
        b'P' => (Element::P, false, 1),
        b'F' => (Element::F, false, 1),
        b'I' => (Element::I, false, 1),
        b'B' => (Element::B, false, 1),
        b'c' => (Element::C, true, 1),
        b'n' => (Element::N, true, 1),
        b'o' => (Element::O, true, 1),
        b's' => (Element::S, true, 1),
        b'p' => (Element::P, true, 1),
        b'b' => (Element::B, true, 1),
        b'*' => (Element::ANY, false, 1),
        _ => return Err(unexpected(smiles, at)),
    };
    let fills = element != Element::ANY;
    Ok((Atom { element, is_aromatic, fills, ..Atom::default() }, length))
}

fn unexpected(smiles: &[u8], at: usize) -> Fault {
    let text = String::from_utf8_lossy(&smiles[at..]);
    let found = text.chars().next().unwrap_or_default();
    let reason = if found.is_ascii_alphabetic() {
        format!(
            "expected an atom, found {found:?}: elements other than B, C, N, O, P, S, F, Cl, Br and I stand in brackets"
        )
    } else {
        format!("expected an atom, a bond, a branch or a ring closure, found {found:?}")
    };
    Fault::new(at, reason)
}

/// An atom in brackets, and how many characters it takes.
fn bracket(smiles: &[u8], start: usize) -> Result<(Atom, usize), Fault> {
    let mut cursor = Cursor { smiles, at: start + 1 };
    let mut atom = Atom::default();
    if let Some(isotope) = cursor.number(3)? {
        atom.isotope = isotope as u16;
    }
    (atom.element, atom.is_aromatic) = cursor.symbol()?;
    cursor.chirality()?;
    if cursor.takes(b'H') {
        atom.hydrogens = cursor.digit().unwrap_or(1);
    }
    atom.charge = cursor.charge()?;
    if cursor.takes(b':') {
        let place = cursor.at;
        atom.class =
            cursor.number(9)?.ok_or_else(|| Fault::new(place, "expected a number after : in brackets"))?;
    }
    if !cursor.takes(b']') {
        return Err(match cursor.peek() {
            None => Fault::new(start, "expected ] to end the atom, found the end"),
            Some(_) => {
                let text = String::from_utf8_lossy(&smiles[cursor.at..]);
                let found = text.chars().next().unwrap_or_default();
                Fault::new(cursor.at, format!("expected ] to end the atom, found {found:?}"))
            }
        });
    }
    Ok((atom, cursor.at - start))
}

/// A place in brackets.
struct Cursor<'a> {
    smiles: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.smiles.get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn digit(&mut self) -> Option<u8> {
        let digit = self.peek().filter(u8::is_ascii_digit)? - b'0';
        self.at += 1;
        Some(digit)
    }

    /// A number of up to so many digits, if there is one.
    fn number(&mut self, digits: usize) -> Result<Option<u32>, Fault> {
        let start = self.at;
        let mut number = None;
        while let Some(digit) = self.digit() {
            if self.at - start > digits {
                return Err(Fault::new(start, format!("expected a number of at most {digits} digits")));
            }
            number = Some(number.unwrap_or(0) * 10 + u32::from(digit));
        }
        Ok(number)
    }

    /// The element, and whether it is aromatic.
    fn symbol(&mut self) -> Result<(Element, bool), Fault> {
        let rest = &self.smiles[self.at..];
        let of = |length: usize| std::str::from_utf8(rest.get(..length)?).ok().and_then(Element::of_symbol);
        let aromatic = match rest {
            [b's', b'e', ..] => Some((Element::SE, 2)),
            [b'a', b's', ..] => Some((Element::AS, 2)),
            [b't', b'e', ..] => Some((Element::TE, 2)),
            [b's', b'i', ..] => Some((Element::SI, 2)),
            [b'b', ..] => Some((Element::B, 1)),
            [b'c', ..] => Some((Element::C, 1)),
            [b'n', ..] => Some((Element::N, 1)),
            [b'o', ..] => Some((Element::O, 1)),
            [b'p', ..] => Some((Element::P, 1)),
            [b's', ..] => Some((Element::S, 1)),
            _ => None,
        };
        let found = match aromatic {
            Some((element, length)) => Some((element, true, length)),
            None => {
                let two = if rest.get(1).is_some_and(u8::is_ascii_lowercase) { of(2) } else { None };
                two.map(|element| (element, false, 2)).or_else(|| of(1).map(|element| (element, false, 1)))
            }
        };
        let (element, is_aromatic, length) =
            found.ok_or_else(|| Fault::new(self.at, "expected the symbol of an element in brackets"))?;
        self.at += length;
        Ok((element, is_aromatic))
    }

    /// Passes over what says how neighbours are arranged.
    fn chirality(&mut self) -> Result<(), Fault> {
        if !self.takes(b'@') || self.takes(b'@') {
            return Ok(());
        }
        let place = self.at;
        let rest = &self.smiles[place..];
        let most = match rest.get(..2) {
            Some(b"TH" | b"AL") => 2,
            Some(b"SP") => 3,
            Some(b"TB") => 20,
            Some(b"OH") => 30,
            _ => return Ok(()),
        };
        self.at += 2;
        match self.number(2)? {
            Some(number) if (1..=most).contains(&number) => Ok(()),
            _ => Err(Fault::new(
                place,
                format!("expected a number from 1 to {most} after the kind of chirality"),
            )),
        }
    }

    fn charge(&mut self) -> Result<i8, Fault> {
        let place = self.at;
        let (sign, unit) = match self.peek() {
            Some(sign @ b'+') => (sign, 1),
            Some(sign @ b'-') => (sign, -1),
            _ => return Ok(0),
        };
        self.at += 1;
        let mut size = 1;
        if let Some(number) = self.number(2)? {
            size = number;
        } else {
            while self.takes(sign) {
                size += 1;
            }
        }
        match size {
            0..=15 => Ok(size as i8 * unit),
            _ => Err(Fault::new(place, "expected a charge from -15 to +15")),
        }
    }
}
