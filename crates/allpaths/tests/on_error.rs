//! A graph that cannot be read is an error, is left out or is empty; the others are what they would be without it.

use std::path::Path;

use allpaths::dataset::{OnError, Reader};
use allpaths::{Dataset, Graph, Result};

/// The files of a TU dataset of three graphs, two vertices each, with all that may be known of them.
fn tu() -> Vec<(&'static str, String)> {
    [
        ("A", "1, 2\n2, 1\n3, 4\n4, 3\n5, 6\n6, 5\n"),
        ("graph_indicator", "1\n1\n2\n2\n3\n3\n"),
        ("graph_labels", "7\n8\n9\n"),
        ("graph_attributes", "0.5\n1.5\n2.5\n"),
        ("node_labels", "0\n1\n2\n3\n4\n5\n"),
        ("node_attributes", "0, 1\n1, 2\n2, 3\n3, 4\n4, 5\n5, 6\n"),
        ("edge_labels", "1\n1\n2\n2\n3\n3\n"),
        ("edge_attributes", "1\n1\n2\n2\n3\n3\n"),
    ]
    .map(|(part, content)| (part, content.to_owned()))
    .to_vec()
}

fn write_tu(folder: &Path, files: &[(&str, String)]) {
    for (part, content) in files {
        std::fs::write(folder.join(format!("DS_{part}.txt")), content).unwrap();
    }
}

/// The same in batches of one graph.
fn streamed(reader: &Reader, folder: &Path) -> Result<Vec<Dataset>> {
    reader.clone().batch_size(1).stream(folder)?.collect()
}

fn orders(data: &Dataset) -> Vec<usize> {
    data.graphs().iter().map(Graph::order).collect()
}

#[test]
fn faults_in_one_graph_of_a_tu_dataset() {
    let folder = tempfile::tempdir().unwrap();
    write_tu(folder.path(), &tu());
    let whole = Reader::new().read(folder.path()).unwrap();
    for (part, line, content, reason) in [
        ("A", 3, "3, 5", "DS_A.txt:3: vertex 3 is in graph 2 and vertex 5 in graph 3"),
        (
            "A",
            4,
            "4, 0",
            "DS_A.txt:4: vertex 0 is not one of the 6 in DS_graph_indicator.txt, numbered from 1",
        ),
        (
            "A",
            4,
            "4, 7",
            "DS_A.txt:4: vertex 7 is not one of the 6 in DS_graph_indicator.txt, numbered from 1",
        ),
        ("graph_labels", 2, "x", "DS_graph_labels.txt:2: expected a class, an integer, found \"x\""),
        ("graph_attributes", 2, "", "DS_graph_attributes.txt:2: expected a finite number, found \"\""),
        (
            "graph_attributes",
            2,
            "1,2",
            "DS_graph_attributes.txt:2: expected 1 numbers, as on line 1, found 2",
        ),
        ("node_labels", 4, "", "DS_node_labels.txt:4: expected a label for each vertex, found a blank line"),
        ("node_attributes", 3, "1, x", "DS_node_attributes.txt:3: expected a finite number, found \"x\""),
        ("node_attributes", 3, "1", "DS_node_attributes.txt:3: expected 2 numbers, as on line 1, found 1"),
        ("edge_labels", 3, "", "DS_edge_labels.txt:3: expected a label for each arc, found a blank line"),
        ("edge_attributes", 4, "inf", "DS_edge_attributes.txt:4: expected a finite number, found \"inf\""),
    ] {
        let mut files = tu();
        let (_, text) = files.iter_mut().find(|(name, _)| *name == part).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines[line - 1] = content;
        *text = lines.join("\n") + "\n";
        write_tu(folder.path(), &files);
        let shown = |text: &str| text.replace(&format!("{}/", folder.path().display()), "");

        let error = Reader::new().read(folder.path()).unwrap_err();
        assert_eq!(shown(&error.to_string()), reason);
        assert!(error.is_input());

        let skip = Reader::new().on_error(OnError::Skip);
        let skipped = skip.read(folder.path()).unwrap();
        assert_eq!(skipped.notes().len(), 1);
        assert_eq!(shown(&skipped.notes()[0]), format!("left out graph 2: {reason}"));
        let expected = whole.pick([0, 2]);
        assert_eq!(skipped.graphs(), expected.graphs(), "{reason}");
        assert_eq!((skipped.classes(), skipped.attributes()), (expected.classes(), expected.attributes()));

        // A batch of which all graphs are left out is there for its note.
        let batches = streamed(&skip, folder.path()).unwrap();
        assert_eq!(
            batches.iter().map(|batch| batch.graphs().len()).collect::<Vec<_>>(),
            [1, 0, 1],
            "{reason}"
        );
        assert_eq!(batches[1].notes().len(), 1, "{reason}");
        assert_eq!(batches[2].classes(), Some([9].as_slice()));

        let empty = Reader::new().on_error(OnError::Empty);
        match (part, empty.read(folder.path())) {
            ("graph_labels", Err(error)) => assert!(error.to_string().contains("needs a class"), "{error}"),
            (_, emptied) => {
                let emptied = emptied.unwrap();
                assert_eq!(orders(&emptied), [2, 0, 2], "{reason}");
                assert_eq!(emptied.classes(), whole.classes());
                let note = format!("graph 2 is a graph without vertices: {reason}");
                assert_eq!(shown(&emptied.notes()[0]), note);
                assert!(emptied.graphs()[1].vertex_labels().is_some(), "it has labels as the others have");
                assert_eq!(orders(&streamed(&empty, folder.path()).unwrap()[1]), [0]);
            }
        }
    }
}

#[test]
fn faults_that_tell_of_no_graph() {
    let folder = tempfile::tempdir().unwrap();
    for (part, content, reason) in [
        (
            "A",
            "1, 2\n2; 1\n3, 4\n4, 3\n5, 6\n6, 5\n",
            "DS_A.txt:2: expected two vertex numbers, found \"2; 1\"; ",
        ),
        ("A", "1, 2\n2, 1\n0, 4\n4, 3\n5, 6\n6, 5\n", "DS_A.txt:3: vertex 0 is not one of the 6"),
        ("graph_indicator", "1\n1\n2\nx\n3\n3\n", "DS_graph_indicator.txt:4: expected a graph number"),
    ] {
        let mut files = tu();
        files.iter_mut().find(|(name, _)| *name == part).unwrap().1 = content.to_owned();
        write_tu(folder.path(), &files);
        for what in [OnError::Skip, OnError::Empty] {
            let error = Reader::new().on_error(what).read(folder.path()).unwrap_err().to_string();
            let advice = "; the line does not tell of which graph it is, so none can be left out";
            assert!(error.contains(reason) && error.ends_with(advice), "{error}");
        }
    }
    // Lines that are missing leave the rest without their places.
    let mut files = tu();
    files.iter_mut().find(|(name, _)| *name == "node_labels").unwrap().1 = "0\n1\n2\n3\n4\n".to_owned();
    write_tu(folder.path(), &files);
    assert!(Reader::new().on_error(OnError::Skip).read(folder.path()).is_err());
}

const SDF: &str =
    "a\n\n\n  1  0  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n$$$$\n";

/// Three graphs in one file, of which the second is wrong.
#[test]
fn faults_in_one_graph_of_a_file() {
    let graph = |vertex: &str| {
        format!("<graph><node id=\"a\"/><node id=\"{vertex}\"/><edge source=\"a\" target=\"b\"/></graph>")
    };
    let graphml = |graphs: &[String]| format!("<graphml>{}</graphml>", graphs.concat());
    let sdf = SDF.replace("  1  0", "  2  0");
    for (name, content, place, reason) in [
        ("x.smi", "CC\nC(\nCO\n".to_owned(), "line 2", "expected )"),
        ("x.sdf", [SDF, &sdf, SDF].concat(), "line", "expected"),
        ("x.g6", "Bw\nB\nBw\n".to_owned(), "line 2", "expected"),
        ("x.s6", ":Bc\n:!\n:Bc\n".to_owned(), "line 2", "expected"),
        // An id twice, an end that is no vertex, a key that is not there, an edge that is none.
        (
            "x.graphml",
            graphml(&[graph("b"), graph("a"), graph("b")]),
            "graph 2",
            "there is a vertex \"a\" already",
        ),
        ("x.graphml", graphml(&[graph("b"), graph("c"), graph("b")]), "graph 2", "the edge ends at \"b\""),
        (
            "x.graphml",
            graphml(&[
                graph("b"),
                graph("b").replace("/></graph>", "><data key=\"k\">1</data></edge></graph>"),
                graph("b"),
            ]),
            "graph 2",
            "expected the id of a key above the graph",
        ),
        (
            "x.graphml",
            graphml(&[graph("b"), graph("b").replace("edge ", "hyperedge "), graph("b")]),
            "graph 2",
            "hyperedge",
        ),
    ] {
        let read = |what: OnError| Reader::new().on_error(what).read_bytes(name, content.as_str());
        let error = read(OnError::Fail).unwrap_err();
        assert!(error.is_input() && error.to_string().contains(reason), "{name}: {error}");
        let (skipped, emptied) = (read(OnError::Skip).unwrap(), read(OnError::Empty).unwrap());
        assert_eq!((skipped.graphs().len(), skipped.notes().len()), (2, 1), "{name}: {:?}", skipped.notes());
        let (left_out, is_empty) = (&skipped.notes()[0], &emptied.notes()[0]);
        assert!(
            left_out.starts_with(&format!("left out {place}")) && left_out.contains(reason),
            "{left_out}"
        );
        assert!(
            is_empty.starts_with(place) && is_empty.contains("is a graph without vertices"),
            "{is_empty}"
        );
        assert_eq!(emptied.graphs()[1].order(), 0, "{name}");
        assert_eq!(
            [&emptied.graphs()[0], &emptied.graphs()[2]].map(Graph::order),
            [skipped.graphs()[0].order(), skipped.graphs()[1].order()]
        );
    }
    // Where tags are not nested as they should be, nobody can say where the next graph begins.
    for broken in ["<graph><node id=\"a\"></graph>", "<graph><node id=\"a\"/>", "<graph><node id=a/></graph>"]
    {
        let content = graphml(&[graph("b"), broken.to_owned(), graph("b")]);
        for what in [OnError::Skip, OnError::Empty] {
            let error = Reader::new().on_error(what).read_bytes("x.graphml", content.as_str()).unwrap_err();
            assert!(error.is_input(), "{error}");
        }
    }
}
