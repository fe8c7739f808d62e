//! Molecules: SMILES, one a line with its name, and SDF.
//!
//! Graphs are molecules by their labels, as [`Molecule::from_graph`] reads them. A molfile is V2000 while its numbers fit into the columns of that, else V3000. Aromatic
//! rings are drawn with single and double bonds.

use std::io::{self, Write};

use super::losses::Losses;
use super::{Dataset, Graph};
use crate::dataset::molecule::{Bond, Dictionary, Molecule, Written};
use crate::graph::{Attribute, Values};

/// The property of an SDF file in which classes are.
const CLASS: &str = "y";

pub(super) fn smiles(out: &mut dyn Write, dataset: &Dataset, losses: &mut Losses) -> io::Result<()> {
    molecules(dataset, losses, |number, molecule, losses| {
        if molecule.atoms().is_empty() {
            losses.lose_some(1, ["graph without vertices", "graphs without vertices"], "no room in SMILES");
            return Ok(());
        }
        let Written { smiles, order, is_told } = molecule.written();
        if !is_told {
            let reason = "more than 99 of its rings are open at one place, and SMILES has no more numbers";
            return Err(io::Error::other(format!("graph {number}: {reason}")));
        }
        if !order.is_sorted() {
            losses.lose("the order of the vertices", "a SMILES follows the bonds");
        }
        match name(dataset, number, losses).trim_start() {
            "" => writeln!(out, "{smiles}"),
            name => writeln!(out, "{smiles} {name}"),
        }
    })
}

pub(super) fn sdf(out: &mut dyn Write, dataset: &Dataset, losses: &mut Losses) -> io::Result<()> {
    molecules(dataset, losses, |number, molecule, losses| {
        let places = places(&dataset.graphs()[number], losses);
        writeln!(out, "{}", name(dataset, number, losses))?;
        let is_flat = places.iter().all(|[_, _, z]| z == ZERO);
        // Two letters for a person, eight for the program, ten for a time.
        writeln!(out, "  allpaths          {}\n", if is_flat { "2D" } else { "3D" })?;
        let is_narrow = places.as_flattened().iter().all(|place| place.len() <= 10);
        match molecule.atoms().len().max(molecule.bonds().len()) <= 999 && is_narrow {
            true => v2000(out, molecule, &places)?,
            false => v3000(out, molecule, &places)?,
        }
        writeln!(out, "M  END")?;
        let quadruple = molecule.bonds().iter().filter(|bond| kind(bond) == ANY_BOND).count();
        losses.lose_some(
            quadruple,
            ["quadruple bond", "quadruple bonds"],
            "no room in SDF, where they are any bond",
        );
        properties(out, dataset, number, losses)?;
        writeln!(out, "$$$$")
    })
}

/// Whether all graphs are molecules, or why one is not.
pub(super) fn check(dataset: &Dataset) -> Result<(), String> {
    let mut dictionary = Dictionary::default();
    for (number, graph) in dataset.graphs().iter().enumerate() {
        dictionary.molecule(graph).map_err(|reason| format!("graph {number} is no molecule: {reason}"))?;
    }
    Ok(())
}

/// Goes through the molecules that graphs are.
fn molecules(
    dataset: &Dataset,
    losses: &mut Losses,
    mut put: impl FnMut(usize, &Molecule, &mut Losses) -> io::Result<()>,
) -> io::Result<()> {
    let mut dictionary = Dictionary::default();
    for (number, graph) in dataset.graphs().iter().enumerate() {
        let molecule = dictionary.molecule(graph).map_err(io::Error::other)?;
        if graph.order() > 0 && !dictionary.has_hydrogens() {
            losses.note("hydrogens are filled in: no label says how many an atom has".into());
        }
        put(number, &molecule, losses)?;
    }
    Ok(())
}

/// What a molecule is called, as far as it fits into a line.
fn name<'a>(dataset: &'a Dataset, number: usize, losses: &mut Losses) -> &'a str {
    let name = dataset.names().map_or("", |names| names[number].trim_end());
    let line = name.lines().next().unwrap_or_default();
    let line = if line.starts_with("$$$$") { "" } else { line };
    let is_cut = usize::from(line != name);
    losses.lose_some(
        is_cut,
        ["name of a graph in part", "names of graphs in part"],
        "they take more than a line",
    );
    line
}

/// A coordinate that is not known, or 0.
const ZERO: &str = "0.0000";

/// The coordinates of each vertex, with four decimals.
fn places(graph: &Graph, losses: &mut Losses) -> Vec<[String; 3]> {
    const AXES: [&str; 3] = ["x", "y", "z"];
    let axes = AXES.map(|axis| graph.vertex_attributes().iter().find(|known| known.name() == axis));
    if graph.vertex_attributes().len() > axes.iter().flatten().count() {
        losses.lose("vertex attributes other than x, y and z", "no room in SDF");
    }
    let mut is_rounded = false;
    let mut place = |axis: Option<&Attribute>, v: usize| {
        let value = match axis.map(Attribute::values) {
            Some(Values::Real(values)) => values[v].filter(|value| value.is_finite()).unwrap_or(0.0),
            _ => 0.0,
        };
        let text = format!("{value:.4}");
        is_rounded |= text.parse() != Ok(value);
        if text == "-0.0000" { ZERO.to_owned() } else { text }
    };
    let places = (0..graph.order()).map(|v| axes.map(|axis| place(axis, v))).collect();
    if is_rounded {
        losses.lose("decimals of coordinates", "SDF files have four");
    }
    places
}

/// Any bond: molfiles have no quadruple ones.
const ANY_BOND: u8 = 8;

fn kind(bond: &Bond) -> u8 {
    if bond.order <= 3 { bond.order } else { ANY_BOND }
}

fn v2000(out: &mut dyn Write, molecule: &Molecule, places: &[[String; 3]]) -> io::Result<()> {
    let (atoms, bonds) = (molecule.atoms(), molecule.bonds());
    writeln!(out, "{:3}{:3}  0  0  0  0  0  0  0  0999 V2000", atoms.len(), bonds.len())?;
    for ((atom, [x, y, z]), valence) in atoms.iter().zip(places).zip(molecule.odd_valences()) {
        let valence = match valence {
            None => 0,
            Some(0) => 15,
            Some(valence) => valence,
        };
        let symbol = atom.element.symbol();
        writeln!(out, "{x:>10}{y:>10}{z:>10} {symbol:<3} 0  0  0  0  0{valence:3}  0  0  0  0  0  0")?;
    }
    for bond in bonds {
        writeln!(out, "{:3}{:3}{:3}  0", bond.ends.0 + 1, bond.ends.1 + 1, kind(bond))?;
    }
    let mut lines = |kind: &str, value: &dyn Fn(usize) -> i32| {
        let told: Vec<usize> = (0..atoms.len()).filter(|&v| value(v) != 0).collect();
        told.chunks(8).try_for_each(|part| {
            write!(out, "M  {kind}{:3}", part.len())?;
            part.iter().try_for_each(|&v| write!(out, " {:3} {:3}", v + 1, value(v)))?;
            writeln!(out)
        })
    };
    lines("CHG", &|v| atoms[v].charge.into())?;
    lines("ISO", &|v| atoms[v].isotope.into())
}

fn v3000(out: &mut dyn Write, molecule: &Molecule, places: &[[String; 3]]) -> io::Result<()> {
    let (atoms, bonds) = (molecule.atoms(), molecule.bonds());
    writeln!(out, "  0  0  0  0  0  0  0  0  0  0999 V3000\nM  V30 BEGIN CTAB")?;
    writeln!(out, "M  V30 COUNTS {} {} 0 0 0\nM  V30 BEGIN ATOM", atoms.len(), bonds.len())?;
    for (v, ((atom, [x, y, z]), valence)) in atoms.iter().zip(places).zip(molecule.odd_valences()).enumerate()
    {
        write!(out, "M  V30 {} {} {x} {y} {z} 0", v + 1, atom.element.symbol())?;
        let valence = valence.map_or(0, |valence| if valence == 0 { -1 } else { i32::from(valence) });
        for (key, value) in [("CHG", atom.charge.into()), ("MASS", atom.isotope.into()), ("VAL", valence)] {
            if value != 0 {
                write!(out, " {key}={value}")?;
            }
        }
        writeln!(out)?;
    }
    writeln!(out, "M  V30 END ATOM\nM  V30 BEGIN BOND")?;
    for (number, bond) in bonds.iter().enumerate() {
        writeln!(out, "M  V30 {} {} {} {}", number + 1, kind(bond), bond.ends.0 + 1, bond.ends.1 + 1)?;
    }
    writeln!(out, "M  V30 END BOND\nM  V30 END CTAB")
}

/// Writes the class and all else that is known of a graph. A value ends with a blank line.
fn properties(out: &mut dyn Write, dataset: &Dataset, number: usize, losses: &mut Losses) -> io::Result<()> {
    if let Some(classes) = dataset.classes() {
        writeln!(out, ">  <{CLASS}>\n{}\n", classes[number])?;
    }
    for known in dataset.properties() {
        let Some(value) = known.values().text(number) else { continue };
        if dataset.classes().is_some() && known.name() == CLASS {
            losses.lose(&format!("the property {CLASS:?}"), "classes are under that name");
            continue;
        }
        let all = value.lines().count();
        let lines: Vec<&str> =
            value.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("$$$$")).collect();
        losses.lose_some(
            all - lines.len(),
            ["line of a property", "lines of properties"],
            "blank, or the end of a molecule",
        );
        if !lines.is_empty() {
            writeln!(out, ">  <{}>\n{}\n", known.name().replace(['\n', '\r'], " "), lines.join("\n"))?;
        }
    }
    Ok(())
}
