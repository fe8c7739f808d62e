//! Folders of the TU Dortmund collection.

use allpaths::dataset::Reader;
use allpaths::graph::{Attribute, Values};
use allpaths::{Dataset, Result};

use super::{batches, read_among, read_from, shown_all, without, written};

/// Reads a TU dataset given as what follows `DS_` in the names of its files, and their contents.
pub(crate) fn read(parts: &[(&str, &str)]) -> Result<Dataset, String> {
    read_from(&written(&files(parts)), "", &Reader::new())
}

fn files<'a>(parts: &[(&str, &'a str)]) -> Vec<(String, &'a [u8])> {
    parts.iter().map(|(part, content)| (format!("DS_{part}.txt"), content.as_bytes())).collect()
}

/// The trap, the files, the graphs, the classes and what is noted.
type Trap = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
    Option<&'static [i64]>,
    &'static [&'static str],
);

const TRAPS: &[Trap] = &[
    (
        "each edge as two arcs",
        &[
            ("A", "1, 2\n2, 1\n3, 4\n4, 3\n"),
            ("graph_indicator", "1\n1\n2\n2\n"),
            ("graph_labels", "1\n-1\n"),
        ],
        "0 1: 0-1 | 0 1: 0-1",
        Some(&[1, -1]),
        &[],
    ),
    (
        "each edge as one arc",
        &[("A", "2,1\n3,2"), ("graph_indicator", "1\n1\n1")],
        "0 1 2: 1-0 2-1",
        None,
        &[],
    ),
    (
        "arcs listed twice",
        &[("A", "1,2\n2,1\n1,2\n2,1\n"), ("graph_indicator", "1\n1\n")],
        "0 1: 0-1",
        None,
        &["merged 1 repeated edge"],
    ),
    (
        "loops and isolated vertices",
        &[("A", "3,3\n"), ("graph_indicator", "1\n1\n1\n2\n")],
        "0 1 2: 2-2 | 0:",
        None,
        &[],
    ),
    (
        "blanks or tabs for commas",
        &[("A", "1 2\n2\t3\n 3 , 1 \n"), ("graph_indicator", "1\n1\n1\n")],
        "0 1 2: 0-1 1-2 2-0",
        None,
        &[],
    ),
    (
        "CRLF, byte order mark, blank lines after the last",
        &[
            ("A", "\u{feff}1, 2\r\n\r\n"),
            ("graph_indicator", "\u{feff}1\r\n1\r\n\n"),
            ("graph_labels", "0\r\n"),
        ],
        "0 1: 0-1",
        Some(&[0]),
        &[],
    ),
    (
        "a class with a sign",
        &[("A", "1,2\n"), ("graph_indicator", "+1\n1\n2\n"), ("graph_labels", "+1\n-1\n")],
        "0 1: 0-1 | 0:",
        Some(&[1, -1]),
        &[],
    ),
    (
        "graphs without vertices, by the classes",
        &[("A", "1,2\n"), ("graph_indicator", "2\n2\n"), ("graph_labels", "5\n6\n7\n8\n")],
        ": | 0 1: 0-1 | : | :",
        Some(&[5, 6, 7, 8]),
        &[],
    ),
    (
        "graphs without vertices, by a gap",
        &[("A", ""), ("graph_indicator", "1\n3\n")],
        "0: | : | 0:",
        None,
        &[],
    ),
    ("nothing", &[("A", ""), ("graph_indicator", ""), ("graph_labels", "")], "", Some(&[]), &[]),
    (
        "lines in any order",
        &[
            ("A", "4,2\n3,1\n1,5\n"),
            ("graph_indicator", "2\n1\n2\n1\n2\n"),
            ("node_labels", "1\n2\n3\n4\n5\n"),
            ("edge_labels", "7\n8\n9\n"),
        ],
        "0/2 1/4: 1-0:7 | 0/1 1/3 2/5: 1-0:8 0-2:9",
        None,
        &[],
    ),
    (
        "labels: signs, zeros, words, columns",
        &[
            ("A", "1,2\n"),
            ("graph_indicator", "1\n1\n1\n1\n1\n"),
            ("node_labels", "+1\n01\n1\nC\n1, 2\n"),
            ("edge_labels", "-3\n"),
        ],
        "0/1 1/1 2/1 3/C 4/1,2: 0-1:-3",
        None,
        &[],
    ),
    (
        "an arc's label unlike that of its opposite",
        &[("A", "1,2\n2,1\n"), ("graph_indicator", "1\n1\n"), ("edge_labels", "0\n1\n")],
        "0 1: 0-1:0",
        None,
        &["1 listing with a label or weight unlike its first listing's, which counts; if edges have \
                 a direction, read the file as directed"],
    ),
];

#[test]
fn traps() {
    for (trap, files, graphs, classes, notes) in TRAPS {
        let data = read(files).unwrap_or_else(|error| panic!("{trap}: {error}"));
        assert_eq!(shown_all(&data), *graphs, "{trap}");
        assert_eq!(data.classes(), *classes, "{trap}");
        assert_eq!(data.notes(), *notes, "{trap}");
        assert_eq!(data.name(), "DS", "{trap}");
    }
}

/// Reads in batches, and compares with what is read at once.
pub(crate) fn compare_batches(parts: &[(&str, &str)]) -> Result<(), String> {
    let folder = written(&files(parts));
    let whole = read_from(&folder, "", &Reader::new())?;
    batches::compare(&whole, folder.path()).map_err(|error| without(&folder, &error))
}

#[test]
fn traps_in_batches() {
    for (trap, files, ..) in TRAPS {
        let unsorted = "DS_graph_indicator.txt:2: graph 1 after graph 2: reading in batches needs files sorted by \
                        graph, read this one whole";
        let expected = if *trap == "lines in any order" { Err(unsorted.to_owned()) } else { Ok(()) };
        assert_eq!(compare_batches(files), expected, "{trap}");
    }
    assert_eq!(compare_batches(KNOWN), Ok(()));
    let with_empty = [("graph_indicator", "2\n2\n5\n5\n"), ("graph_labels", "1\n2\n3\n4\n5\n6\n7\n")];
    let others = KNOWN.iter().filter(|(part, _)| !part.starts_with("graph")).copied();
    assert_eq!(compare_batches(&others.chain(with_empty).collect::<Vec<_>>()), Ok(()), "empty graphs");
}

/// The first complaint of batches of one graph.
fn refused_in_batches(parts: &[(&str, &str)]) -> String {
    let folder = written(&files(parts));
    let mut batches = Reader::new().batch_size(1).stream(folder.path()).unwrap();
    let error = batches.find_map(Result::err).unwrap().to_string();
    assert!(batches.next().is_none(), "after an error there is nothing");
    without(&folder, &error)
}

#[test]
fn batches_refuse_what_is_not_sorted_or_does_not_fit() {
    const FOUR: (&str, &str) = ("graph_indicator", "1\n1\n2\n2\n");
    const ARCS: (&str, &str) = ("A", "1,2\n3,4\n");
    const SORTED: &str = "reading in batches needs files sorted by graph, read this one whole";
    let table: &[(&[(&str, &str)], &str)] = &[
        (
            &[("A", "1,2\n3,4\n2,1\n"), FOUR],
            "DS_A.txt:3: an arc of vertex 2 after one of a later graph: SORTED",
        ),
        (&[("A", "1,3\n"), FOUR], "DS_A.txt:1: vertex 3 does not stand with vertex 1 of graph 1: SORTED"),
        (
            &[("A", "1,2\n3,2\n"), FOUR],
            "DS_A.txt:2: vertex 2 does not stand with vertex 3 of graph 2: SORTED",
        ),
        (
            &[("A", "1,2\n3,5\n"), FOUR],
            "DS_A.txt:2: vertex 5 is not one of the 4 in DS_graph_indicator.txt, numbered from 1",
        ),
        (&[("A", "1,2\n3,4\n4\n"), FOUR], "DS_A.txt:3: expected two vertex numbers, found \"4\""),
        (
            &[("A", ""), ("graph_indicator", "1\n2\n1\n2\n")],
            "DS_graph_indicator.txt:3: graph 1 after graph 2: SORTED",
        ),
        (
            &[ARCS, FOUR, ("graph_labels", "1\n")],
            "DS_graph_labels.txt: a class for each of 2 graphs expected, found 1",
        ),
        (
            &[ARCS, FOUR, ("node_labels", "1\n")],
            "DS_node_labels.txt: expected a line for each vertex, 2 or more, found 1",
        ),
        (
            &[ARCS, FOUR, ("node_labels", "1\n1\n1\n")],
            "DS_node_labels.txt: expected a line for each vertex, 4 in all, found 3",
        ),
        (
            &[ARCS, FOUR, ("edge_labels", "1\n1\n1\n1\n\n")],
            "DS_edge_labels.txt:3: expected a line for each arc, 2 in all, found 4",
        ),
        (
            &[ARCS, FOUR, ("graph_attributes", "1\n\n1")],
            "DS_graph_attributes.txt:2: expected a finite number, found \"\"",
        ),
        (
            &[ARCS, FOUR, ("node_attributes", "1\n1\n1,2\n1\n")],
            "DS_node_attributes.txt:3: expected 1 numbers, as on line 1, found 2",
        ),
    ];
    for (files, message) in table {
        assert_eq!(refused_in_batches(files), message.replace("SORTED", SORTED));
    }
    assert!(Reader::new().batch_size(0).stream("x").unwrap_err().is_usage());
}

const KNOWN: &[(&str, &str)] = &[
    ("A", "1,2\n2,1\n3,4\n"),
    ("graph_indicator", "1\n1\n2\n2\n"),
    ("graph_attributes", "0.5, -1\n2,1e3\n"),
    ("node_attributes", "  1.0,  2\n3,4\n5,6\n7,8\n"),
    ("edge_attributes", "9\n10\n11\n"),
    ("node_labels", "3\n1\n1\n3\n"),
];

#[test]
fn attributes_and_one_alphabet() {
    let data = read(KNOWN).unwrap();
    assert_eq!(data.attributes(), Some([vec![0.5, 2.0], vec![-1.0, 1000.0]].as_slice()));
    assert_eq!(data.pick([1]).attributes(), Some([vec![2.0], vec![1000.0]].as_slice()));
    let reals = |name: &str, values: &[f64]| {
        Attribute::new(name, Values::Real(values.iter().copied().map(Some).collect()))
    };
    let [first, second] = data.graphs() else { panic!("two graphs") };
    assert_eq!(second.vertex_attributes(), [reals("0", &[5.0, 7.0]), reals("1", &[6.0, 8.0])]);
    assert_eq!(first.edge_attributes(), [reals("0", &[9.0])]);
    let (first, second) = (first.vertex_labels().unwrap(), second.vertex_labels().unwrap());
    assert_eq!(first.alphabet(), second.alphabet());
    assert_eq!((first.codes()[0], first.codes()[1]), (second.codes()[1], second.codes()[0]));
}

#[test]
fn refused() {
    const TWO: (&str, &str) = ("graph_indicator", "1\n1\n");
    let table: &[(&[(&str, &str)], &str)] = &[
        (&[("A", "1, 2\n2,\n"), TWO], "DS_A.txt:2: expected two vertex numbers, found \"2,\""),
        (&[("A", "1, 2\n\n2, 1\n"), TWO], "DS_A.txt:2: expected two vertex numbers, found \"\""),
        (&[("A", "-1, 2\r\n"), TWO], "DS_A.txt:1: expected two vertex numbers, found \"-1, 2\""),
        (&[("A", "1, 2, 3\n"), TWO], "DS_A.txt:1: expected two vertex numbers, found \"1, 2, 3\""),
        (&[("A", "12\n"), TWO], "DS_A.txt:1: expected two vertex numbers, found \"12\""),
        (
            &[("A", "1, 18446744073709551616\n"), TWO],
            "DS_A.txt:1: expected two vertex numbers, found \"1, 18446744073709551616\"",
        ),
        (
            &[("A", "1, 9223372036854775808\n"), TWO],
            "DS_A.txt:1: vertex 9223372036854775808 is not one of the 2 in DS_graph_indicator.txt, numbered from 1",
        ),
        (
            &[("A", "0, 1\n"), TWO],
            "DS_A.txt:1: vertex 0 is not one of the 2 in DS_graph_indicator.txt, numbered from 1",
        ),
        (
            &[("A", "1,2\n2,3\n"), ("graph_indicator", "1\n1\n2\n")],
            "DS_A.txt:2: vertex 2 is in graph 1 and vertex 3 in graph 2",
        ),
        (
            &[("A", ""), ("graph_indicator", "1\n0\n")],
            "DS_graph_indicator.txt:2: expected a graph number from 1 to 268435456, found \"0\"",
        ),
        (
            &[("A", ""), ("graph_indicator", "1\n\n1\n")],
            "DS_graph_indicator.txt:2: expected a graph number from 1 to 268435456, found \"\"",
        ),
        (
            &[("A", ""), ("graph_indicator", "9223372036854775808\n")],
            "DS_graph_indicator.txt:1: expected a graph number from 1 to 268435456, found \"9223372036854775808\"",
        ),
        (&[("A", "")], "DS_graph_indicator.txt: cannot be read or written"),
        (
            &[("A", ""), TWO, ("graph_labels", "a\n")],
            "DS_graph_labels.txt:1: expected a class, an integer, found \"a\"",
        ),
        (
            &[("A", ""), TWO, ("graph_labels", "1.5\n")],
            "DS_graph_labels.txt:1: expected a class, an integer, found \"1.5\"",
        ),
        (
            &[("A", ""), ("graph_indicator", "1\n2\n"), ("graph_labels", "1\n")],
            "DS_graph_labels.txt: a class for each of 2 graphs expected, found 1",
        ),
        (
            &[("A", ""), TWO, ("node_labels", "1\n")],
            "DS_node_labels.txt: expected a line for each vertex, 2 in all, found 1",
        ),
        (
            &[("A", ""), TWO, ("node_labels", "1\n1\n1\n")],
            "DS_node_labels.txt:3: expected a line for each vertex, 2 in all, found 3",
        ),
        (
            &[("A", ""), TWO, ("node_labels", "1\n\n1\n")],
            "DS_node_labels.txt:2: expected a label for each vertex, found a blank line",
        ),
        (
            &[("A", "1,2\n"), TWO, ("edge_labels", "")],
            "DS_edge_labels.txt: expected a line for each arc, 1 in all, found 0",
        ),
        (
            &[("A", ""), TWO, ("node_attributes", "1,2\n3\n")],
            "DS_node_attributes.txt:2: expected 2 numbers, as on line 1, found 1",
        ),
        (
            &[("A", ""), TWO, ("node_attributes", "1,x\n3,4\n")],
            "DS_node_attributes.txt:1: expected a finite number, found \"x\"",
        ),
        (
            &[("A", ""), TWO, ("graph_attributes", "NaN\n")],
            "DS_graph_attributes.txt:1: expected a finite number, found \"NaN\"",
        ),
        (&[("edges", "")], "folder: a folder without a file whose name ends in _A.txt: not a TU dataset"),
    ];
    for (files, message) in table {
        assert_eq!(read(files).map(|data| shown_all(&data)), Err((*message).to_owned()));
    }
    let two: [(&str, &[u8]); 2] = [("DS_A.txt", b""), ("ES_A.txt", b"")];
    let message = read_among(&Reader::new(), &two, "").unwrap_err();
    assert_eq!(message, "folder: holds several datasets (DS, ES): name one by its _A.txt file");
}
