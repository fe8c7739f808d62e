//! Files as they are found: every trap has a defined result, every fault a message that says what to fix.
//!
//! A graph is written here as its vertices and edges, `a b/C: a-b(0.5):x b>a`: names, labels after a slash,
//! weights in brackets, edge labels after a colon.

#[path = "../batches/mod.rs"]
mod batches;
mod dimacs;
mod edge_list;
mod gml;
mod tu;

use std::error::Error as _;
use std::fmt::Write as _;
use std::path::{MAIN_SEPARATOR, Path};

use allpaths::dataset::{Format, Reader};
use allpaths::{Dataset, Graph, Result};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tempfile::TempDir;

/// A folder of files.
fn written(files: &[(impl AsRef<str>, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name.as_ref()), content).unwrap();
    }
    folder
}

/// A message without the path of the folder.
fn without(folder: &TempDir, message: &str) -> String {
    let folder = folder.path().display();
    message.replace(&format!("{folder}{MAIN_SEPARATOR}"), "").replace(&folder.to_string(), "folder")
}

/// Reads a file in a folder, or the folder if `name` is empty.
fn read_from(folder: &TempDir, name: &str, reader: &Reader) -> Result<Dataset, String> {
    let path = if name.is_empty() { folder.path().to_owned() } else { folder.path().join(name) };
    reader.read(path).map_err(|error| {
        assert!(error.is_input() && !error.is_usage(), "{error}");
        without(folder, &error.to_string())
    })
}

/// Writes the files into a folder of their own and reads one of them, or the folder if `name` is empty.
fn read_among(reader: &Reader, files: &[(&str, &[u8])], name: &str) -> Result<Dataset, String> {
    read_from(&written(files), name, reader)
}

fn read(name: &str, content: &str) -> Result<Dataset, String> {
    read_among(&Reader::new(), &[(name, content.as_bytes())], name)
}

fn shown(graph: &Graph) -> String {
    let mut text = String::new();
    for v in 0..graph.order() {
        text += &graph.name(v);
        if let Some(labels) = graph.vertex_labels() {
            write!(text, "/{}", labels.name(v)).unwrap();
        }
        text += if v + 1 < graph.order() { " " } else { "" };
    }
    text += ":";
    for (i, (u, v)) in graph.edges().enumerate() {
        let joint = if graph.is_directed() { ">" } else { "-" };
        write!(text, " {}{joint}{}", graph.name(u), graph.name(v)).unwrap();
        if let Some(weights) = graph.weights() {
            write!(text, "({})", weights[i]).unwrap();
        }
        if let Some(labels) = graph.edge_labels() {
            write!(text, ":{}", labels.name(i)).unwrap();
        }
    }
    text
}

fn shown_all(data: &Dataset) -> String {
    data.graphs().iter().map(shown).collect::<Vec<_>>().join(" | ")
}

/// Reads files of one format and compares graphs and notes. A row is what the trap is, the file, the graph
/// and what is noted.
fn check(ending: &str, table: &[(&str, &str, &str, &[&str])]) {
    for (trap, content, graph, notes) in table {
        let data = read(&format!("x.{ending}"), content).unwrap_or_else(|error| panic!("{trap}: {error}"));
        assert_eq!(shown_all(&data), *graph, "{trap}");
        assert_eq!(data.notes(), *notes, "{trap}");
        assert_eq!(data.name(), "x", "{trap}");
        assert_eq!(data.classes(), None, "{trap}");
    }
}

/// Reads files that are wrong and compares the messages.
fn check_refused(table: &[(&str, &str, &str)]) {
    for (name, content, message) in table {
        assert_eq!(
            read(name, content).map(|data| shown_all(&data)),
            Err((*message).to_owned()),
            "{content:?}"
        );
    }
}

#[test]
fn directed_if_asked() {
    let directed = Reader::new().directed(true);
    let read =
        |name: &str, content: &str| read_among(&directed, &[(name, content.as_bytes())], name).unwrap();
    let data = read("x.txt", "1 2\n2 1\n2 2\n1 2\n");
    assert_eq!(shown_all(&data), "1 2: 1>2 2>1 2>2");
    assert_eq!(data.notes(), ["merged 1 repeated edge"]);
    assert_eq!(shown_all(&read("x.col", "p edge 2 1\ne 2 1\n")), "1 2: 2>1");
    let gml = "graph [ directed 0 node [ id 1 ] node [ id 2 ] edge [ source 2 target 1 ] ]";
    assert_eq!(shown_all(&read("x.gml", gml)), "1 2: 2>1");
    assert!(read("x.txt", "").graphs()[0].is_directed());
    let files: [(&str, &[u8]); 2] = [("DS_A.txt", b"1,2\n2,1\n"), ("DS_graph_indicator.txt", b"1\n1\n")];
    assert_eq!(shown_all(&read_among(&directed, &files, "").unwrap()), "0 1: 0>1 1>0");
}

#[test]
fn the_format_is_told_by_name_or_content() {
    let gml = "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]";
    let (dimacs, list) = ("c hello\np edge 2 1\ne 1 2\n", "1 2\n");
    for (name, content) in
        [("x.txt", gml), ("x", dimacs), ("x.GML", gml), ("x.dimacs", dimacs), ("x.edges", list)]
    {
        assert_eq!(shown_all(&read(name, content).unwrap()), "1 2: 1-2", "{name}");
    }
    assert_eq!(
        shown_all(&read("x.csv", "p edge 2 1\n").unwrap()),
        "p edge: p-edge(2)",
        "the name comes first"
    );
    let forced = |format, content: &str| {
        read_among(&Reader::new().format(format), &[("x.txt", content.as_bytes())], "x.txt")
            .map(|data| shown_all(&data))
    };
    assert_eq!(forced(Format::Gml, list), Err("x.txt:1: expected a key, found \"1\"".into()));
    assert_eq!(forced(Format::EdgeList, "p edge\n"), Ok("p edge: p-edge".into()));
    let message = "x.txt: not a folder or zip archive of the TU format, nor its _A.txt file";
    assert_eq!(forced(Format::Tu, list), Err(message.into()));

    let files: [(&str, &[u8]); 3] =
        [("DS_A.txt", b"1,2\n"), ("DS_graph_indicator.txt", b"1\n1\n"), ("ES_A.txt", b"7,8\n")];
    let named = |name| read_among(&Reader::new(), &files, name).map(|data| shown_all(&data));
    assert_eq!(named("DS_A.txt"), Ok("0 1: 0-1".into()));
    assert_eq!(named("ES_A.txt"), Ok("7 8: 7-8".into()), "no indicator beside it: a list of edges");
}

#[test]
fn a_missing_file_has_a_cause() {
    let error = Dataset::read(Path::new("no/such/file.txt")).unwrap_err();
    assert_eq!(error.to_string(), "no/such/file.txt: cannot be read or written");
    assert!(error.is_input());
    let cause = error.source().and_then(|cause| cause.downcast_ref::<std::io::Error>()).unwrap();
    assert_eq!(cause.kind(), std::io::ErrorKind::NotFound);
}

/// Pieces of files of all formats, in any order.
fn scraps() -> impl Strategy<Value = String> {
    let words = "1 2 3 0 -1 1.5 +1 007 a b label weight source target from to graph node edge id directed \
                 p edge col e c l t # % [ ] \" \"a\" & &amp; \u{feff} \u{e9}";
    let word = select(words.split(' ').collect::<Vec<_>>());
    let gap = select(vec![" ", " ", "\n", "\n", ",", "\t", ";", "\r\n", ""]);
    vec((word, gap), 0..60)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(word, gap)| [word, gap]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_file_holds_is_read_or_refused(content in scraps(), other in scraps()) {
        for name in ["x.txt", "x.csv", "x.col", "x.gml"] {
            // An error is looked at by `read_among`; a graph holds together if all of it can be shown.
            let _ = read(name, &content).map(|data| shown_all(&data));
        }
        let files = [("A", &content), ("graph_indicator", &other), ("node_labels", &other)];
        let _ = tu::read(&files.map(|(part, content)| (part, content.as_str()))).map(|data| shown_all(&data));
    }

    /// Short lines, of which many are read and some are not, in any order of graphs.
    #[test]
    fn batches_are_the_whole_or_are_refused(
        indicator in vec(1..5usize, 0..8),
        arcs in vec((0..8usize, 0..8usize), 0..8),
        labels in prop::option::of(vec(0..3usize, 0..8)),
        classes in prop::option::of(vec(-1..2i64, 0..6)),
        sorted in any::<bool>(),
        end in select(vec!["\n", "\r\n", " \n"]),
    ) {
        let mut indicator = indicator;
        let order = indicator.len();
        let inside = |(u, v): (usize, usize)| (u % order.max(1) + 1, v % order.max(1) + 1);
        let mut arcs: Vec<_> = if sorted { arcs.into_iter().map(inside).collect() } else { arcs };
        if sorted {
            indicator.sort_unstable();
            arcs.retain(|&(u, v)| order > 0 && indicator[u - 1] == indicator[v - 1]);
            arcs.sort_unstable();
        }
        let lines = |lines: Vec<String>| lines.into_iter().map(|line| line + end).collect::<String>() + end;
        let shown = |numbers: Vec<usize>| lines(numbers.iter().map(usize::to_string).collect());
        let arcs = lines(arcs.iter().map(|(u, v)| format!("{u},{v}")).collect());
        let mut files = vec![("A", arcs), ("graph_indicator", shown(indicator))];
        files.extend(labels.map(|labels| ("node_labels", shown(labels))));
        files.extend(classes.map(|classes| {
            ("graph_labels", lines(classes.iter().map(i64::to_string).collect()))
        }));
        let files: Vec<_> = files.iter().map(|(part, content)| (*part, content.as_str())).collect();
        let compared = tu::compare_batches(&files);
        let is_right = match &compared {
            Ok(()) => true,
            Err(message) => message.contains("sorted by graph") || tu::read(&files).is_err(),
        };
        prop_assert!(is_right, "{compared:?}: {files:?}");
        if sorted && tu::read(&files).is_ok() {
            prop_assert_eq!(compared, Ok(()), "{:?}", files);
        }
    }
}
