//! MDL molfiles, V2000 and V3000, alone or many in an SDF file.
//!
//! ```text
//! name, program and comment: three lines
//!   3  2  0  0  0  0  0  0  0  0999 V2000      atoms, bonds: numbers in columns of three
//!     0.0000    0.0000    0.0000 C   0  0 ...   coordinates, element, charge and more
//!   1  2  2  0                                 two atoms, single (1) to triple (3) or aromatic (4)
//! M  CHG  1   3  -1                            charges, isotopes, radicals
//! M  END
//! >  <activity>                                properties, each up to a blank line
//! 1
//!
//! $$$$
//! ```
//!
//! V3000 says the same in words: `M  V30 1 C 0 0 0 0 CHG=1`. Hydrogens that are not written are filled in: to the valence that an atom says, else to the next usual one. Coordinates become the
//! attributes `x`, `y` and `z`, and data after a molecule properties of the graph. Bonds of other kinds (any, dative, hydrogen) are taken as single ones.

use super::labels::Hydrogens;
use super::read::{Key, Property, Record, class_of};
use super::{Atom, Bond, Element, Molecule, Scratch};
use crate::dataset::feed::Feed;
use crate::dataset::text::{integer, real, shown};
use crate::graph::{Attribute, GraphBuilder, Values};
use crate::{Error, Result};

/// Why a record cannot be read: the file fails, or a line is wrong.
enum Stop {
    Fatal(Error),
    Fault(usize, String),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Fatal(error)
    }
}

type Read<T> = std::result::Result<T, Stop>;

/// Reads a molecule with its name and class; nothing at the end of the file.
pub(super) fn read(
    feed: &mut Feed,
    target: Option<&str>,
    molecule: &mut Molecule,
    hydrogens: Hydrogens,
    scratch: &mut Scratch,
    found: &mut Vec<Property>,
) -> Result<Option<Record>> {
    if !feed.fill()? {
        return Ok(None);
    }
    let mut table = Table { feed, molecule, scratch };
    let read = table.read(target, hydrogens, found);
    // Whatever was wrong, the next molecule begins after this line.
    while table.feed.next()? {
        if table.feed.line().starts_with(b"$$$$") {
            break;
        }
    }
    match read {
        Ok(record) => Ok(Some(Ok(record))),
        Err(Stop::Fault(line, reason)) => Ok(Some(Err((line, reason)))),
        Err(Stop::Fatal(error)) => Err(error),
    }
}

/// Gives vertices the coordinates of the atoms they were; hydrogens that were not written have none.
pub(super) fn add_coordinates(builder: &mut GraphBuilder, scratch: &Scratch, order: usize) {
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let of =
            |v: usize| scratch.smiles.places.get(v).map(|&place| scratch.coordinates[place as usize][axis]);
        builder.vertex_attribute(Attribute::new(name, Values::Real((0..order).map(of).collect())));
    }
}

/// The record at hand.
struct Table<'a> {
    feed: &'a mut Feed,
    molecule: &'a mut Molecule,
    scratch: &'a mut Scratch,
}

impl Table<'_> {
    fn read(
        &mut self,
        target: Option<&str>,
        hydrogens: Hydrogens,
        found: &mut Vec<Property>,
    ) -> Read<(String, Option<i64>)> {
        self.molecule.atoms.clear();
        self.molecule.bonds.clear();
        self.scratch.coordinates.clear();
        self.scratch.valences.clear();
        self.need("the name of a molecule")?;
        let name = String::from_utf8_lossy(self.feed.line()).into_owned();
        let first = self.feed.passed();
        self.need("the line of the program that wrote the molecule")?;
        self.need("the line of comments")?;
        self.need("a counts line")?;
        let counts = self.feed.row();
        if counts.ends_with(b"V3000") {
            self.v3000()?;
        } else {
            let numbers = counts.get(..3).zip(counts.get(3..6));
            let Some((atoms, bonds)) =
                numbers.and_then(|(atoms, bonds)| Some((count(atoms)?, count(bonds)?)))
            else {
                let found = shown(counts);
                return Err(self.wrong(format!(
                    "expected a counts line with the numbers of atoms and bonds in columns of three, found {found}"
                )));
            };
            self.v2000(atoms, bonds)?;
        }
        self.fill_valences();
        self.scratch.smiles.places.clear();
        self.scratch.smiles.places.extend(0..self.molecule.atoms.len() as u32);
        let finished = self.molecule.finish(hydrogens, self.scratch);
        finished.map_err(|(atom, reason)| {
            Stop::Fault(first, format!("{reason}, at atom {}", self.scratch.smiles.place_of(atom) + 1))
        })?;
        let class = self.properties(target, found)?;
        match (target, class) {
            (Some(target), None) => {
                Err(Stop::Fault(first, format!("the molecule has no property {target:?}")))
            }
            (_, class) => Ok((name, class)),
        }
    }

    /// Gives atoms that say their valence the hydrogens that are left of it; none to those of which an aromatic bond may be single or double.
    fn fill_valences(&mut self) {
        if self.scratch.valences.is_empty() {
            return;
        }
        let Molecule { atoms, bonds } = &mut *self.molecule;
        let mut taken = vec![0u8; atoms.len()];
        for bond in bonds {
            for end in [bond.ends.0, bond.ends.1] {
                let taken = &mut taken[end as usize];
                *taken = taken.saturating_add(if bond.is_aromatic { u8::MAX } else { bond.order });
            }
        }
        for &(place, valence) in &self.scratch.valences {
            let atom = &mut atoms[place as usize];
            (atom.fills, atom.hydrogens) = (false, valence.saturating_sub(taken[place as usize]));
        }
    }

    /// Moves on to the next line of the record; false at its end.
    fn next(&mut self) -> Read<bool> {
        if !self.feed.next()? {
            return Ok(false);
        }
        if self.feed.line().starts_with(b"$$$$") {
            self.feed.put_back();
            return Ok(false);
        }
        Ok(true)
    }

    /// Moves on to a line that must be there.
    fn need(&mut self, expected: &str) -> Read<()> {
        match self.next()? {
            true => Ok(()),
            false => Err(self.wrong(format!("expected {expected}, found the end of the molecule"))),
        }
    }

    fn wrong(&self, reason: impl Into<String>) -> Stop {
        Stop::Fault(self.feed.passed(), reason.into())
    }

    fn v2000(&mut self, atoms: usize, bonds: usize) -> Read<()> {
        for _ in 0..atoms {
            self.need("an atom")?;
            let (atom, place, valence) = atom_line(self.feed.row()).map_err(|reason| self.wrong(reason))?;
            self.say_valence(valence);
            self.molecule.atoms.push(atom);
            self.scratch.coordinates.push(place);
        }
        for _ in 0..bonds {
            self.need("a bond")?;
            let row = self.feed.row();
            let field = |i: usize| row.get(i * 3..row.len().min(i * 3 + 3)).and_then(count);
            let (Some(u), Some(v), Some(kind)) = (field(0), field(1), field(2)) else {
                return Err(
                    self.wrong(format!("expected two atoms and a kind of bond, found {}", shown(row)))
                );
            };
            self.bond(u.checked_sub(1), v.checked_sub(1), kind, (u, v))?;
        }
        let mut is_reset = false;
        loop {
            self.need("M  END")?;
            let row = self.feed.row();
            match row.get(..6) {
                Some(b"M  END") => return Ok(()),
                Some(kind @ (b"M  CHG" | b"M  RAD" | b"M  ISO")) => {
                    let kind = kind[3];
                    // Such lines replace all that atoms said of charges and radicals.
                    if kind != b'I' && !std::mem::replace(&mut is_reset, true) {
                        self.molecule.atoms.iter_mut().for_each(|atom| (atom.charge, atom.radicals) = (0, 0));
                    }
                    self.property_line(kind)?;
                }
                // These say something of the atom in the next line.
                _ if matches!(row, [b'A' | b'G', b' ', ..]) => self.need("the text of an atom")?,
                _ => {}
            }
        }
    }

    /// Takes what the next atom says of its valence: 0 is nothing, 15 (V2000) and -1 (V3000) are none.
    fn say_valence(&mut self, valence: i64) {
        if valence != 0 {
            let sum = u8::try_from(valence).ok().filter(|&sum| sum < 15).unwrap_or(0);
            self.scratch.valences.push((self.molecule.atoms.len() as u32, sum));
        }
    }

    /// Adds a bond between atoms given by their places, from 0.
    fn bond(&mut self, u: Option<usize>, v: Option<usize>, kind: usize, numbers: (usize, usize)) -> Read<()> {
        let order = self.molecule.atoms.len();
        let (Some(u), Some(v)) = (u.filter(|&u| u < order), v.filter(|&v| v < order)) else {
            let (u, v) = numbers;
            return Err(self.wrong(format!("the bond joins atoms {u} and {v}, but there are {order} atoms")));
        };
        if u == v {
            return Err(self.wrong(format!("the bond joins atom {} to itself", numbers.0)));
        }
        let mut bond = Bond::new(u as u32, v as u32, if kind <= 3 { kind.max(1) as u8 } else { 1 });
        bond.is_aromatic = kind == 4;
        self.molecule.bonds.push(bond);
        Ok(())
    }

    /// Numbers of atoms and values: `M  CHG  2   1   1   3  -1`.
    fn property_line(&mut self, kind: u8) -> Read<()> {
        let row = self.feed.row().to_vec();
        let mut words = row[6..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(integer);
        let mut word = |expected: &str| {
            words
                .next()
                .flatten()
                .ok_or_else(|| self.wrong(format!("expected {expected}, found {}", shown(&row))))
        };
        let entries = word("how many entries follow")?;
        let mut pairs = Vec::new();
        for _ in 0..entries {
            pairs.push((word("the number of an atom")?, word("a value for the atom")?));
        }
        for (number, value) in pairs {
            let place = usize::try_from(number - 1).ok().filter(|&place| place < self.molecule.atoms.len());
            let Some(place) = place else {
                let order = self.molecule.atoms.len();
                return Err(
                    self.wrong(format!("the line is about atom {number}, but there are {order} atoms"))
                );
            };
            let name = match kind {
                b'C' => "CHG",
                b'R' => "RAD",
                _ => "MASS",
            };
            let atom = &mut self.molecule.atoms[place];
            set(atom, name, value).map_err(|reason| Stop::Fault(self.feed.passed(), reason))?;
        }
        Ok(())
    }

    fn v3000(&mut self) -> Read<()> {
        // The places of atoms by their numbers, which may have gaps.
        let mut places = rustc_hash::FxHashMap::default();
        let mut part = Part::None;
        let mut announced = None;
        loop {
            self.need("M  END")?;
            if self.feed.line().starts_with(b"M  END") {
                break;
            }
            let Some(text) = self.v30()? else { continue };
            let text = text.as_str();
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            match (words.as_slice(), part) {
                (["COUNTS", atoms, bonds, ..], _) => {
                    announced = atoms.parse::<usize>().ok().zip(bonds.parse::<usize>().ok());
                }
                (["BEGIN", "ATOM"], _) => part = Part::Atoms,
                (["BEGIN", "BOND"], _) => part = Part::Bonds,
                (["BEGIN" | "END", ..], _) => part = Part::None,
                ([number, symbol, x, y, z, _map, rest @ ..], Part::Atoms) => {
                    let place = [x, y, z].map(|word| real(word.as_bytes()));
                    let (Some(number), [Some(x), Some(y), Some(z)]) = (integer(number.as_bytes()), place)
                    else {
                        return Err(self.wrong(format!(
                            "expected a number, an element and coordinates, found {}",
                            shown(text.as_bytes())
                        )));
                    };
                    let mut atom = of_symbol(symbol).map_err(|reason| self.wrong(reason))?;
                    for (name, value) in rest.iter().filter_map(|word| word.split_once('=')) {
                        if matches!(name, "CHG" | "RAD" | "MASS" | "VAL") {
                            let value = integer(value.as_bytes()).ok_or_else(|| {
                                self.wrong(format!(
                                    "expected a whole number for {name}, found {}",
                                    shown(value.as_bytes())
                                ))
                            })?;
                            match name {
                                "VAL" => self.say_valence(value),
                                _ => set(&mut atom, name, value).map_err(|reason| self.wrong(reason))?,
                            }
                        }
                    }
                    if places.insert(number, self.molecule.atoms.len()).is_some() {
                        return Err(self.wrong(format!("there is an atom {number} already")));
                    }
                    self.molecule.atoms.push(atom);
                    self.scratch.coordinates.push([x, y, z]);
                }
                ([_, kind, u, v, ..], Part::Bonds) => {
                    let numbers = [kind, u, v].map(|word| word.parse::<usize>().ok());
                    let [Some(kind), Some(u), Some(v)] = numbers else {
                        return Err(self.wrong(format!(
                            "expected a kind of bond and two atoms, found {}",
                            shown(text.as_bytes())
                        )));
                    };
                    let place = |number: usize| places.get(&i64::try_from(number).ok()?).copied();
                    self.bond(place(u), place(v), kind, (u, v))?;
                }
                (_, Part::None) => {}
                _ => {
                    return Err(
                        self.wrong(format!("expected an atom or a bond, found {}", shown(text.as_bytes())))
                    );
                }
            }
        }
        let found = (self.molecule.atoms.len(), self.molecule.bonds.len());
        match announced {
            Some(announced) if announced == found => Ok(()),
            Some((atoms, bonds)) => Err(self.wrong(format!(
                "expected {atoms} atoms and {bonds} bonds as the counts line says, found {} and {}",
                found.0, found.1
            ))),
            None => Err(self.wrong("expected a counts line, M  V30 COUNTS, found none")),
        }
    }

    /// What follows `M  V30`, over as many lines as end in a hyphen.
    fn v30(&mut self) -> Read<Option<String>> {
        let mut text = String::new();
        loop {
            let Some(line) = self.feed.line().strip_prefix(b"M  V30") else {
                return Ok(None);
            };
            let line = String::from_utf8_lossy(line);
            match line.strip_suffix('-') {
                Some(part) => {
                    text.push_str(part);
                    self.need("the rest of the line before")?;
                }
                None => {
                    text.push_str(&line);
                    return Ok(Some(text));
                }
            }
        }
    }

    /// Reads the properties up to the end of the record, and gives the class among them.
    fn properties(&mut self, target: Option<&str>, found: &mut Vec<Property>) -> Read<Option<i64>> {
        let mut class = None;
        while self.next()? {
            let line = self.feed.line();
            let name = line.strip_prefix(b">").and_then(|rest| {
                let start = memchr::memchr(b'<', rest)? + 1;
                let end = start + memchr::memrchr(b'>', &rest[start..])?;
                Some(&rest[start..end])
            });
            if name.is_some() && name == target.map(str::as_bytes) {
                self.need("the value of a property")?;
                class = Some(class_of(self.feed.line()).map_err(|reason| self.wrong(reason))?);
            } else if let Some(name) = name {
                let name = String::from_utf8_lossy(name).into_owned();
                let mut value = String::new();
                while self.next()? && !self.feed.line().is_empty() {
                    value.extend((!value.is_empty()).then_some('\n'));
                    value += &String::from_utf8_lossy(self.feed.line());
                }
                if !value.is_empty() {
                    found.push((Key::Name(name), value));
                }
            }
        }
        Ok(class)
    }
}

#[derive(Clone, Copy)]
enum Part {
    None,
    Atoms,
    Bonds,
}

/// A number in a column, blank for 0.
fn count(field: &[u8]) -> Option<usize> {
    match field.trim_ascii() {
        [] => None,
        digits => std::str::from_utf8(digits).ok()?.parse().ok(),
    }
}

/// An atom by its symbol; letters that stand for several elements are `*`.
fn of_symbol(symbol: &str) -> std::result::Result<Atom, String> {
    let (element, isotope) = match symbol {
        "D" => (Element::H, 2),
        "T" => (Element::H, 3),
        "A" | "Q" | "X" | "M" | "L" | "LP" | "R" | "R#" | "*" | "AH" | "QH" | "XH" | "MH" => {
            (Element::ANY, 0)
        }
        _ => (
            Element::of_symbol(symbol)
                .ok_or_else(|| format!("expected the symbol of an element, found {symbol:?}"))?,
            0,
        ),
    };
    Ok(Atom { element, isotope, fills: element != Element::ANY, ..Atom::default() })
}

/// Sets what a property says of an atom.
fn set(atom: &mut Atom, name: &str, value: i64) -> std::result::Result<(), String> {
    let wrong = |expected: &str| format!("expected {expected}, found {value}");
    match name {
        "CHG" if (-15..=15).contains(&value) => atom.charge = value as i8,
        "CHG" => return Err(wrong("a charge from -15 to +15")),
        // 1 and 3 are a singlet and a triplet of two electrons, 2 is one.
        "RAD" => match value {
            0 => atom.radicals = 0,
            1 | 3 => atom.radicals = 2,
            2 => atom.radicals = 1,
            _ => return Err(wrong("a radical from 0 to 3")),
        },
        "MASS" => {
            let mass = u16::try_from(value).ok().filter(|&mass| mass < 1000);
            atom.isotope = mass.ok_or_else(|| wrong("a mass number below 1000"))?;
        }
        _ => {}
    }
    Ok(())
}

/// An atom of V2000, where it is and what it says of its valence.
fn atom_line(row: &[u8]) -> std::result::Result<(Atom, [f64; 3], i64), String> {
    let wrong = || format!("expected coordinates and an element in their columns, found {}", shown(row));
    let field = |range: std::ops::Range<usize>| row.get(range.start..range.end.min(row.len()));
    let place = [0..10, 10..20, 20..30].map(|range| field(range).and_then(|field| real(field.trim_ascii())));
    let [Some(x), Some(y), Some(z)] = place else { return Err(wrong()) };
    let symbol =
        field(31..34).map(<[u8]>::trim_ascii).filter(|symbol| !symbol.is_empty()).ok_or_else(wrong)?;
    let mut atom = of_symbol(&String::from_utf8_lossy(symbol))?;
    match field(36..39).and_then(count).unwrap_or(0) {
        0 => {}
        code @ (1..=3 | 5..=7) => atom.charge = 4 - code as i8,
        4 => atom.radicals = 1,
        code => return Err(format!("expected a code of a charge from 0 to 7, found {code}")),
    }
    let valence = field(48..51).and_then(|field| integer(field.trim_ascii())).unwrap_or(0);
    Ok((atom, [x, y, z], valence))
}
