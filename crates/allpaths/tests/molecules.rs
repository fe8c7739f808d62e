//! SMILES and SDF: what is read, what is refused and where, and that what is written is read again as the same molecule.

use std::path::{Path, PathBuf};

use allpaths::dataset::molecule::Atom;
use allpaths::dataset::{AtomLabels, Format, Hydrogens, Molecule, OnError, Reader, Writer};
use allpaths::graph::{Attribute, Values};
use allpaths::{AllPathsCycles, Dataset, embed::EdgeLabels};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Table {
    malformed: Vec<(String, usize, String)>,
    known: Vec<(String, String, Vec<u8>)>,
}

fn table() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/molecules/smiles.toml");
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn malformed_smiles_are_refused_where_they_are_wrong() {
    let table = table();
    assert!(table.malformed.len() >= 100);
    for (smiles, place, reason) in table.malformed {
        let message =
            Molecule::from_smiles(&smiles).map_or_else(|error| error.to_string(), |found| found.to_smiles());
        assert!(message.starts_with(&reason), "{smiles}: {message}");
        assert!(message.ends_with(&format!(", at character {place} of {smiles:?}")), "{smiles}: {message}");
    }
}

#[test]
fn known_molecules() {
    for (smiles, written, hydrogens) in table().known {
        let molecule = Molecule::from_smiles(&smiles).unwrap();
        assert_eq!(molecule.to_smiles(), written, "{smiles}");
        let found: Vec<u8> = molecule.atoms().iter().map(|atom| atom.hydrogens).collect();
        assert_eq!(found, hydrogens, "{smiles}");
        comes_back(&smiles);
    }
    // Aromatic atoms with a double bond between them that is not: found by fuzzing.
    comes_back("*c2ccc1cccc2cc1");
    // An atom of any kind in the ring that has to do without a double bond: found by fuzzing.
    comes_back("*c1ccc2ccccc/*ccc12");
}

/// What must be the same in two molecules, whatever the order of their atoms.
fn content(molecule: &Molecule) -> (Vec<String>, Vec<String>) {
    let tell = |atom: &Atom| {
        let Atom { element, charge, isotope, hydrogens, class, is_aromatic, is_in_ring, .. } = atom;
        format!("{isotope}{}{hydrogens}{charge:+}:{class} {is_aromatic} {is_in_ring}", element.symbol())
    };
    let atoms: Vec<String> = molecule.atoms().iter().map(tell).collect();
    let bond = |bond: &allpaths::dataset::molecule::Bond| {
        let mut ends = [&atoms[bond.ends.0 as usize], &atoms[bond.ends.1 as usize]];
        ends.sort();
        format!("{ends:?} {} {}", bond.sign(), bond.is_in_ring)
    };
    let mut bonds: Vec<String> = molecule.bonds().iter().map(bond).collect();
    let mut atoms = atoms.clone();
    atoms.sort();
    bonds.sort();
    (atoms, bonds)
}

/// Writes and reads again, and expects the same molecule and then the same text.
fn comes_back(smiles: &str) {
    let molecule = Molecule::from_smiles(smiles).unwrap();
    let written = molecule.to_smiles();
    let again = Molecule::from_smiles(&written).unwrap_or_else(|error| panic!("{smiles}: {error}"));
    assert_eq!(content(&again), content(&molecule), "{smiles} as {written}");
    assert_eq!(again.to_smiles(), written, "{smiles}");
}

fn data() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("ALLPATHS_DATA").map_or(root, PathBuf::from).join("molecules");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("{} is missing: real molecules are not read", folder.display());
    None
}

#[test]
fn real_molecules_come_back() {
    let Some(folder) = data() else { return };
    let mut count = 0;
    let lines = std::fs::read_to_string(folder.join("nci_first_5K.smi")).unwrap();
    let table = std::fs::read_to_string(folder.join("BBBP.csv")).unwrap();
    let smiles = lines.lines().map(|line| line.split('\t').next().unwrap());
    for smiles in smiles.chain(table.lines().skip(1).map(|line| line.split(',').nth(1).unwrap())) {
        if Molecule::from_smiles(smiles).is_ok() {
            comes_back(smiles);
            count += 1;
        }
    }
    assert!(count > 7000, "{count}");
    let data = Dataset::read(folder.join("bzr.sdf")).unwrap();
    assert_eq!((data.graphs().len(), data.notes()), (163, vec![]));
}

fn read(name: &str, content: &str) -> Result<Dataset, String> {
    Reader::new().read_bytes(name, content).map_err(|error| error.to_string())
}

#[test]
fn lines_have_names_and_blank_ones_are_none() {
    let data = read("x.smi", "\u{feff}CCO ethanol, absolute\r\n\nC\n  c1ccccc1\tbenzene\n\n").unwrap();
    assert_eq!(data.names(), Some(["ethanol, absolute", "", "benzene"].map(String::from).as_slice()));
    assert_eq!(data.graphs().iter().map(allpaths::Graph::order).collect::<Vec<_>>(), [3, 1, 6]);
    assert_eq!(data.classes(), None);
    assert_eq!(data.pick([2]).names(), Some(["benzene".to_owned()].as_slice()));
    assert_eq!(read("x.smi", "").unwrap().notes(), ["no graph in the file"]);
    assert_eq!(
        read("x.smi", "CC\nC(\n").unwrap_err(),
        "x.smi:2: expected ) to end the branch, found the end, at character 2 of \"C(\""
    );
}

#[test]
fn packed_and_in_batches_it_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let pair = |i: usize| {
        format!("{}O n{i}\n{}\n", "C".repeat(i % 7 + 1), if i.is_multiple_of(9) { "C(" } else { "[NH4+]" })
    };
    let lines = (1..50).map(pair).collect::<Vec<_>>().concat();
    let plain = folder.path().join("x.smi");
    std::fs::write(&plain, &lines).unwrap();
    let reader = Reader::new().on_error(OnError::Empty).atom_labels(AtomLabels::atom());
    let whole = reader.read(&plain).unwrap();
    assert_eq!(whole.notes().len(), 5);
    for size in [1, 7, 1000] {
        let batches: Vec<Dataset> =
            reader.clone().batch_size(size).stream(&plain).unwrap().map(Result::unwrap).collect();
        let graphs: Vec<_> = batches.iter().flat_map(|batch| batch.graphs().to_vec()).collect();
        assert_eq!(graphs, whole.graphs());
        let notes: Vec<_> = batches.iter().flat_map(Dataset::notes).collect();
        assert_eq!(notes, whole.notes());
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, lines.as_bytes()).unwrap();
    let gz = folder.path().join("x.smi.gz");
    std::fs::write(&gz, packed.finish().unwrap()).unwrap();
    assert_eq!(reader.read(&gz).unwrap().graphs(), whole.graphs());
    assert_eq!(reader.stream(&gz).unwrap().next().unwrap().unwrap().graphs(), whole.graphs());
}

#[test]
fn tables() {
    let reader = Reader::new().smiles_column("smiles").target("y");
    let read = |name: &str, table: &str| reader.read_bytes(name, table).map_err(|error| error.to_string());
    for (name, table) in [
        ("x.csv", "id,smiles,y\n1,CCO,1\n2,\"C\",-1\n"),
        ("x.tsv", "y\tsmiles\n1\tCCO\n-1.0\tC\n"),
        ("x.txt", "y;smiles\n1;CCO\n-1;C\n"),
    ] {
        let data = read(name, table).unwrap();
        assert_eq!(data.classes(), Some([1, -1].as_slice()), "{name}");
        assert_eq!(data.graphs()[0].order(), 3);
    }
    for (table, message) in [
        ("", "x.csv: expected a header, found an empty file"),
        ("id,y\n1,2\n", "x.csv:1: no column \"smiles\": there are id, y"),
        ("smiles,y\n,1\n", "x.csv:2: expected a SMILES, found nothing"),
        ("smiles,y\nC,high\n", "x.csv:2: expected a whole number as class, found \"high\""),
        ("smiles,y\nC\n", "x.csv:2: expected a whole number as class, found \"\""),
        (
            "smiles,y\nC=,1\n",
            "x.csv:2: expected an atom after the bond =, found the end, at character 2 of \"C=\"",
        ),
        ("smiles,y\n\"C,1\n", "x.csv:2: expected a closing quote before the end of the field"),
    ] {
        assert_eq!(
            read("x.csv", table).map(|data| data.graphs().len()),
            Err(message.to_owned()),
            "{table:?}"
        );
    }
    let skipped =
        reader.clone().on_error(OnError::Skip).read_bytes("x.csv", "smiles,y\nC,1\nQ,1\nN,2\n").unwrap();
    assert_eq!(skipped.classes(), Some([1, 2].as_slice()));
    assert!(
        skipped.notes()[0].starts_with("left out line 3: expected an atom, found 'Q'"),
        "{:?}",
        skipped.notes()
    );
    let empty = reader.clone().on_error(OnError::Empty).read_bytes("x.csv", "smiles,y\nQ,1\n").unwrap_err();
    assert!(empty.to_string().ends_with("a graph without vertices has no class"), "{empty}");
    for name in ["x.smi", "x.gml", "x.csv"] {
        assert!(Reader::new().target("y").read_bytes(name, "C").unwrap_err().is_usage(), "{name}");
    }
}

#[test]
fn other_formats_of_many_graphs_go_on_after_an_error() {
    let data = Reader::new().on_error(OnError::Empty).read_bytes("x.g6", "Bw\nB\nBw\n").unwrap();
    assert_eq!(data.graphs().iter().map(allpaths::Graph::order).collect::<Vec<_>>(), [3, 0, 3]);
    assert_eq!(data.notes().len(), 1);
    let data = Reader::new().on_error(OnError::Skip).read_bytes("x.g6", "Bw\nB\nBw\n").unwrap();
    assert_eq!(data.graphs().len(), 2);
}

#[test]
fn properties_are_kept() {
    let record = |name: &str, data: &str| {
        let atom = "    0.0000    0.0000    0.0000 C   0  0\n";
        format!("{name}\n\n\n  1  0  0  0  0  0            999 V2000\n{atom}M  END\n{data}\n$$$$\n")
    };
    let sdf = [
        record("a", ">  <active>\n1\n\n>  <dose> (1)\n0.5\n\n> <remark>\nfirst line\nsecond line\n"),
        record("b", ">  <remark>\n7\n\n>  <active>\n0\n\n>  <empty>\n\n>  <dose>\n2\n"),
        record("c", ">  <active>\n1\n"),
    ];
    let csv = "remark,smiles,active,dose\n\"first line\",C,1,0.5\n7,C,0,2\n,C,1,\n";
    let texts = |first: &str| Values::Text(vec![Some(first.to_owned()), Some("7".to_owned()), None]);
    let doses = Values::Real(vec![Some(0.5), Some(2.0), None]);
    let targeted = Reader::new().target("active");
    for (reader, name, content, expected) in [
        (
            targeted.clone(),
            "x.sdf",
            sdf.concat(),
            [("dose", doses.clone()), ("remark", texts("first line\nsecond line"))],
        ),
        (
            targeted.smiles_column("smiles"),
            "x.csv",
            csv.to_owned(),
            [("remark", texts("first line")), ("dose", doses.clone())],
        ),
    ] {
        let data = reader.read_bytes(name, content).unwrap();
        let expected: Vec<Attribute> =
            expected.into_iter().map(|(name, values)| Attribute::new(name, values)).collect();
        assert_eq!(data.properties(), expected, "{name}");
        assert_eq!(data.classes(), Some([1, 0, 1].as_slice()), "{name}");
        let last = data.pick([2]);
        assert_eq!(last.properties()[0].values().text(0), None);
        // Tables have room for them, other files say that they have not.
        for name in ["x.parquet", "x.arrow"] {
            let (bytes, lost) = Writer::new().bytes(&data, name).unwrap();
            assert!(!lost.iter().any(|note| note.contains("propert")), "{lost:?}");
            let read = Reader::new().read_bytes(name, bytes).unwrap();
            assert_eq!(read.properties(), data.properties(), "{name}");
            assert_eq!(read.classes(), data.classes());
        }
        let (_, lost) = Writer::new().format(Format::GraphMl).bytes(&data, "x.graphml").unwrap();
        assert!(lost.contains(&"loses properties of graphs: no room in GraphML".to_owned()), "{lost:?}");
    }
    // The class may be any of them, and a property may be called as a column of tables is.
    let data =
        Reader::new().target("dose").on_error(OnError::Skip).read_bytes("x.sdf", sdf.concat()).unwrap();
    assert_eq!((data.classes(), data.graphs().len()), (Some([2].as_slice()), 1));
    assert!(data.properties().iter().any(|known| known.name() == "active"));
    let taken = record("a", ">  <id>\n5\n");
    let data = Reader::new().read_bytes("x.sdf", taken).unwrap();
    let (_, lost) = Writer::new().bytes(&data, "x.parquet").unwrap();
    assert!(lost.iter().any(|note| note.contains("loses the property \"id\"")), "{lost:?}");
}

#[test]
fn features_read_as_smiles_do() {
    let data = Reader::new().read_bytes("x.smi", "CC(=O)c1cc[nH]c1").unwrap();
    let features = AllPathsCycles::up_to(5).edge_labels(EdgeLabels::Used).embed(&data).unwrap();
    for name in ["vertex:CH3", "path:C=O", "path:CH3-C=O", "path:C-c:cH:nH", "cycle:c:cH:cH:nH:cH:"] {
        assert_eq!(features.count(0, name), Some(1), "{name}");
    }
}

#[test]
fn hydrogens_may_be_vertices() {
    for smiles in ["C", "[CH4]", "[H]C([H])([H])[H]", "[H]C"] {
        let read = |hydrogens| Reader::new().hydrogens(hydrogens).read_bytes("x.smi", smiles).unwrap();
        assert_eq!(read(Hydrogens::Implicit).graphs()[0].order(), 1, "{smiles}");
        assert_eq!(read(Hydrogens::Explicit).graphs()[0].order(), 5, "{smiles}");
        assert_eq!(read(Hydrogens::Explicit).graphs()[0].size(), 4, "{smiles}");
    }
}

/// A reader that tells all that is known of atoms.
fn knowing() -> Reader {
    Reader::new().atom_labels("element,charge,hydrogens,aromatic,isotope,ring".parse().unwrap())
}

/// Writes molecules as SDF and as SMILES, and expects the same ones when they are read, in SDF in the same order. Gives back the SDF.
fn is_written_and_read(data: &Dataset) -> String {
    let tell = |graph: &allpaths::Graph| {
        let name = |labels: Option<&allpaths::graph::Labels>, i: usize| labels.unwrap().name(i).to_owned();
        let atoms: Vec<String> = (0..graph.order()).map(|v| name(graph.vertex_labels(), v)).collect();
        let bond = |(i, ends): (usize, _)| (ends, name(graph.edge_labels(), i));
        (atoms, graph.edges().enumerate().map(bond).collect::<Vec<_>>())
    };
    let (sdf, lost) = Writer::new().bytes(data, "x.sdf").unwrap();
    let read = knowing().read_bytes("x.sdf", sdf.clone()).unwrap();
    let sdf = String::from_utf8(sdf).unwrap();
    assert!(lost.iter().all(|note| note.contains("hydrogens are filled in")), "{lost:?}");
    assert_eq!(read.graphs().len(), data.graphs().len());
    for (one, other) in data.graphs().iter().zip(read.graphs()) {
        assert_eq!(tell(one), tell(other), "{sdf}");
    }
    assert_eq!(read.names(), data.names());
    let (smiles, _) = Writer::new().bytes(data, "x.smi").unwrap();
    let read = knowing().read_bytes("x.smi", smiles).unwrap();
    let of = |graph: &allpaths::Graph| content(&Molecule::from_graph(graph).unwrap());
    assert!(read.graphs().iter().map(of).eq(data.graphs().iter().map(of)), "{sdf}");
    sdf
}

#[test]
fn what_is_written_is_read() {
    let lines = "CC(=O)[O-] acetate\n[13CH3][CH2]\n[Na+].[Cl-]\n[nH]1cccc1 pyrrole\n[Fe+2]\n[NH4+]\nC[N+](C)(C)C\n[2H]O\n[C]\n*C\nO=S(=O)(O)O\n[SiH3]C\n[PH5]\n[OH3+]";
    let sdf = is_written_and_read(&knowing().read_bytes("x.smi", lines).unwrap());
    let record = sdf.split_inclusive("$$$$\n").next().unwrap();
    let expected = "acetate
  allpaths          2D

  4  3  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    0.0000    0.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
    0.0000    0.0000    0.0000 O   0  0  0  0  0  1  0  0  0  0  0  0
  1  2  1  0
  2  3  2  0
  2  4  1  0
M  CHG  1   4  -1
M  END
$$$$
";
    assert_eq!(record, expected);
    // Too many atoms for three digits.
    let long =
        is_written_and_read(&knowing().read_bytes("x.smi", format!("{}[O-]", "C".repeat(1200))).unwrap());
    assert!(
        long.contains("M  V30 COUNTS 1201 1200 0 0 0\n")
            && long.contains(" O 0.0000 0.0000 0.0000 0 CHG=-1 VAL=1\n")
    );
    if let Some(folder) = data() {
        let all = knowing().on_error(OnError::Skip);
        is_written_and_read(&all.read(folder.join("nci_first_5K.smi")).unwrap());
        let all = all.smiles_column("smiles");
        is_written_and_read(&all.read(folder.join("BBBP.csv")).unwrap());
    }
}

#[test]
fn molfiles_keep_places_classes_and_properties() {
    let reader = knowing().target("activity");
    let second = V2000
        .replace("acetate", "")
        .replace("<activity>", "<activity>\n0\n\n> <dose>")
        .replace("   -1.0000", "-1234.5678");
    let data = reader.read_bytes("x.sdf", format!("{V2000}{second}")).unwrap();
    let (bytes, lost) = Writer::new().bytes(&data, "y.sdf").unwrap();
    assert_eq!(lost, [""; 0]);
    let again = knowing().target("y").read_bytes("y.sdf", bytes.clone()).unwrap();
    assert_eq!(again.graphs(), data.graphs());
    assert_eq!((again.names(), again.classes()), (data.names(), Some([1, 0].as_slice())));
    assert_eq!(again.properties(), data.properties());
    assert_eq!(Writer::new().bytes(&again, "y.sdf").unwrap().0, bytes);
    // A coordinate that has no room in ten columns takes the molecule to V3000.
    let far = V2000.replace("    1.5000", "99999.9999").replace("    2.0000", "-99999.999");
    let data = reader.read_bytes("x.sdf", far).unwrap();
    let (bytes, lost) = Writer::new().bytes(&data, "y.sdf").unwrap();
    assert_eq!(lost, [""; 0]);
    assert!(String::from_utf8_lossy(&bytes).contains("V3000"));
    assert_eq!(knowing().target("y").read_bytes("y.sdf", bytes).unwrap().graphs(), data.graphs());
    // What SMILES and SDF have no room for is noted.
    let (_, lost) = Writer::new().bytes(&data, "y.smi").unwrap();
    assert_eq!(
        lost,
        [
            "loses classes: no room in SMILES",
            "loses properties of graphs: no room in SMILES",
            "loses vertex attributes: no room in SMILES"
        ]
    );
    let odd = read("x.smi", "[Re]$[Re]").unwrap();
    let (_, lost) = Writer::new().bytes(&odd, "y.sdf").unwrap();
    assert_eq!(lost[1], "loses 1 quadruple bond: no room in SDF, where they are any bond");
    let error = Writer::new().bytes(&read("x.gml", "graph [ node [ id 1 ] ]").unwrap(), "y.sdf").unwrap_err();
    assert_eq!(
        error.to_string(),
        "y.sdf: graph 0 is no molecule: vertices have no labels that say which atoms they are"
    );
    assert_eq!(Format::of_name("x.mol"), Some(Format::Sdf));
}

#[test]
fn valences_of_molfiles_say_how_many_hydrogens_there_are() {
    let record = |valence: usize| {
        let atom = |element: &str, valence: usize| {
            format!("    0.0000    0.0000    0.0000 {element}   0  0  0  0  0{valence:3}\n")
        };
        let atoms = atom("C", valence) + &atom("O", 0);
        format!("\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n{atoms}  1  2  2  0\nM  END\n")
    };
    for (valence, label) in [(0, "CH2"), (2, "C"), (3, "CH"), (4, "CH2"), (6, "CH4"), (1, "C"), (15, "C")] {
        let data = read("x.mol", &record(valence)).unwrap();
        assert_eq!(data.graphs()[0].vertex_labels().unwrap().name(0), label, "{valence}");
    }
}

/// Acetate and deuterium, with what a record may have.
const V2000: &str = "acetate
  program
comment
  5  4  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.5000 C   0  0  0  0  0  0
    1.5000    0.0000    0.0000 C   0  0
    2.0000    1.0000    0.0000 O   0  0
    2.0000   -1.0000    0.0000 O   0  5
   -1.0000    0.0000    0.0000 D   0  0
  1  2  1  0
  2  3  2  0
  2  4  1  0
  1  5  1  0
M  CHG  1   4  -1
M  END
>  <activity>  (1)
1

> <note>
anything
at all

$$$$
";

const V3000: &str = "acetate


  0  0  0     0  0            999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 5 4 0 0 0
M  V30 BEGIN ATOM
M  V30 10 C 0 0 0.5 0
M  V30 20 C 1.5 0 0 0
M  V30 30 O 2 1 0 0
M  V30 40 O 2 -1 -
M  V30 0 0 CHG=-1
M  V30 50 H -1 0 0 0 MASS=2
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 1 10 20
M  V30 2 2 20 30
M  V30 3 1 20 40
M  V30 4 1 10 50
M  V30 END BOND
M  V30 END CTAB
M  END
> <activity>
1

$$$$
";

#[test]
fn molfiles_of_both_versions_are_the_same() {
    let labels: AtomLabels = "element,charge,hydrogens,isotope".parse().unwrap();
    let read = |text: &str| {
        Reader::new().target("activity").atom_labels(labels.clone()).read_bytes("x.sdf", text).unwrap()
    };
    let old = read(&V2000.repeat(2));
    assert_eq!(old.graphs().len(), 2);
    assert_eq!(old.graphs()[1], read(V3000).graphs()[0]);
    assert_eq!(old.names(), Some(["acetate".to_owned(), "acetate".to_owned()].as_slice()));
    assert_eq!(old.classes(), Some([1, 1].as_slice()));
    let graph = &old.graphs()[0];
    let names: Vec<&str> = (0..5).map(|v| graph.vertex_labels().unwrap().name(v)).collect();
    assert_eq!(names, ["CH2", "C", "O", "O-", "2H"]);
    let x = graph.vertex_attributes()[0].values();
    assert_eq!(*x, Values::Real(vec![Some(0.0), Some(1.5), Some(2.0), Some(2.0), Some(-1.0)]));
}

#[test]
fn damaged_molfiles_are_refused_where_they_are_wrong() {
    let line = |number: usize, with: &str| {
        let mut lines: Vec<&str> = V2000.lines().collect();
        lines[number - 1] = with;
        lines.join("\n")
    };
    let without = |from: usize| V2000.lines().take(from - 1).collect::<Vec<_>>().join("\n");
    for (text, message) in [
        (
            line(4, "    0.0000    0.0000    0.5000 C"),
            "x.sdf:4: expected a counts line with the numbers of atoms and bonds in columns of three, found \"    0.0000    0.0000    0.5000 C\"",
        ),
        (
            line(4, ""),
            "x.sdf:4: expected a counts line with the numbers of atoms and bonds in columns of three, found \"\"",
        ),
        (without(4), "x.sdf:3: expected a counts line, found the end of the molecule"),
        (without(8), "x.sdf:7: expected an atom, found the end of the molecule"),
        (without(12), "x.sdf:11: expected a bond, found the end of the molecule"),
        (without(14), "x.sdf:13: expected M  END, found the end of the molecule"),
        (
            line(5, "    0.0000    0.0000"),
            "x.sdf:5: expected coordinates and an element in their columns, found \"    0.0000    0.0000\"",
        ),
        (
            line(5, "    0.0000    zero      0.5000 C"),
            "x.sdf:5: expected coordinates and an element in their columns, found \"    0.0000    zero      0.5000 C\"",
        ),
        (
            line(5, "    0.0000    0.0000    0.5000 Zz"),
            "x.sdf:5: expected the symbol of an element, found \"Zz\"",
        ),
        (
            line(5, "    0.0000    0.0000    0.5000 C   0  9"),
            "x.sdf:5: expected a code of a charge from 0 to 7, found 9",
        ),
        (line(10, "  1  9  1  0"), "x.sdf:10: the bond joins atoms 1 and 9, but there are 5 atoms"),
        (line(10, "  0  1  1  0"), "x.sdf:10: the bond joins atoms 0 and 1, but there are 5 atoms"),
        (line(10, "  1  1  1  0"), "x.sdf:10: the bond joins atom 1 to itself"),
        (line(10, "  1  x  1  0"), "x.sdf:10: expected two atoms and a kind of bond, found \"  1  x  1  0\""),
        (
            line(14, "M  CHG  2   4  -1"),
            "x.sdf:14: expected the number of an atom, found \"M  CHG  2   4  -1\"",
        ),
        (line(14, "M  CHG  1   4"), "x.sdf:14: expected a value for the atom, found \"M  CHG  1   4\""),
        (line(14, "M  CHG"), "x.sdf:14: expected how many entries follow, found \"M  CHG\""),
        (line(14, "M  CHG  1   6  -1"), "x.sdf:14: the line is about atom 6, but there are 5 atoms"),
        (line(14, "M  CHG  1   4  99"), "x.sdf:14: expected a charge from -15 to +15, found 99"),
        (line(17, "high"), "x.sdf:17: expected a whole number as class, found \"high\""),
        (line(16, "> <other>"), "x.sdf:1: the molecule has no property \"activity\""),
    ] {
        let read = Reader::new().target("activity").read_bytes("x.sdf", text.as_str());
        assert_eq!(
            read.map(|data| data.graphs().len()).map_err(|error| error.to_string()),
            Err(message.to_owned())
        );
    }
    let of_new =
        |old: &str, new: &str| read("x.sdf", &V3000.replace(old, new)).map(|data| data.graphs().len());
    assert_eq!(
        of_new("COUNTS 5 4", "COUNTS 6 4"),
        Err("x.sdf:22: expected 6 atoms and 4 bonds as the counts line says, found 5 and 4".into())
    );
    assert_eq!(
        of_new("M  V30 COUNTS 5 4 0 0 0\n", ""),
        Err("x.sdf:21: expected a counts line, M  V30 COUNTS, found none".into())
    );
    assert_eq!(
        of_new("1 1 10 20", "1 1 10 21"),
        Err("x.sdf:16: the bond joins atoms 10 and 21, but there are 5 atoms".into())
    );
    assert_eq!(of_new("M  V30 20 C", "M  V30 10 C"), Err("x.sdf:9: there is an atom 10 already".into()));
    // What is wrong with one molecule is wrong with it alone.
    let text = format!("{V2000}{}{V2000}", line(10, "  1  9  1  0") + "\n");
    let data = Reader::new().on_error(OnError::Skip).read_bytes("x.sdf", text).unwrap();
    assert_eq!((data.graphs().len(), data.notes().len()), (2, 1));
}

#[test]
fn aromatic_bonds_of_molfiles_are_drawn() {
    let atoms =
        (0..6).map(|i| format!("    {i}.0000    0.0000    0.0000 C   0  0\n")).collect::<Vec<_>>().concat();
    let bonds = (1..=6).map(|i| format!("{i:3}{:3}  4  0\n", i % 6 + 1)).collect::<Vec<_>>().concat();
    let text = format!("\n\n\n  6  6  0  0  0  0  0  0  0  0999 V2000\n{atoms}{bonds}M  END\n");
    let data = Reader::new().atom_labels(AtomLabels::atom()).read_bytes("x.mol", text).unwrap();
    assert!((0..6).all(|v| data.graphs()[0].vertex_labels().unwrap().name(v) == "cH"));
}

/// Pieces of SMILES, in any order.
fn scraps() -> impl Strategy<Value = String> {
    let pieces = "C c N n O o S s [nH] [N+] [O-] [13C] [C@@H] [H] * ( ) ( ) = # : - / . 1 2 1 2 3 %10 Cl Br [Fe+2] [se] c1ccccc1 C1CC1 (=O) [ ] é";
    let piece = prop::sample::select(pieces.split(' ').collect::<Vec<_>>());
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// SMILES that can be read, more or less: chains with rings closed at random.
fn likely() -> impl Strategy<Value = String> {
    let atoms =
        prop::sample::select(vec!["C", "C", "C", "N", "O", "c", "c", "c", "n", "o", "[nH]", "[N+]", "S"]);
    let bond = prop::sample::select(vec!["", "", "", "", "=", "-"]);
    let ring = prop::sample::select(vec!["", "", "1", "2", "3"]);
    prop::collection::vec((atoms, bond, ring), 1..24).prop_map(|pieces| {
        let mut words: Vec<&str> = Vec::new();
        for (atom, bond, ring) in &pieces {
            words.extend([if words.is_empty() { "" } else { *bond }, *atom, *ring]);
        }
        for ring in ["1", "2", "3"] {
            if pieces.iter().filter(|piece| piece.2 == ring).count() % 2 == 1 {
                words.extend(["C", ring]);
            }
        }
        words.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_read_comes_back(smiles in prop_oneof![scraps(), likely()]) {
        if Molecule::from_smiles(&smiles).is_ok() {
            comes_back(&smiles);
            // Methane, so that a label says what hydrogens atoms have, and one without says that there are none.
            is_written_and_read(&knowing().read_bytes("x.smi", smiles + "\nC").unwrap());
        }
    }

    #[test]
    fn molfiles_are_read_or_refused(cut in 0..V2000.len(), line in 0..23usize, with in "[ 0-9A-Z.<>$\\-]{0,40}") {
        _ = read("x.sdf", &V2000[..cut]).map(|data| data.graphs().len());
        for text in [V2000, V3000] {
            let mut lines: Vec<&str> = text.lines().collect();
            let line = line.min(lines.len() - 1);
            lines[line] = &with;
            let _ = Reader::new().on_error(OnError::Empty).read_bytes("x.sdf", lines.join("\n"));
        }
    }
}
