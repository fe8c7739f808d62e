//! Molecules in columns, and what else is known of them.

use allpaths::dataset::{Format, OnError, Reader, Writer};
use allpaths::graph::{Attribute, Values};

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
