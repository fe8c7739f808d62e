//! SDF and molfiles of both versions.

use allpaths::dataset::{AtomLabels, Format, OnError, Reader, Writer};
use allpaths::graph::Values;
use proptest::prelude::*;

use crate::{knowing, read};

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

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

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
