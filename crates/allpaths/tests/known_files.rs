//! Small files with known graphs, and files in folders, archives and disguise.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use allpaths::dataset::{Format, Reader, Writer};
use allpaths::graph::Values;
use allpaths::{Dataset, Error, Graph};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn read(name: &str, content: &str) -> Dataset {
    Reader::new().read_bytes(name, content).unwrap()
}

fn only(name: &str, content: &str) -> Graph {
    read(name, content).graphs()[0].clone()
}

fn edges(graph: &Graph) -> Vec<(usize, usize)> {
    graph.edges().collect()
}

fn names(graph: &Graph) -> Vec<String> {
    (0..graph.order()).map(|v| graph.name(v).into_owned()).collect()
}

/// The examples that come with the description of the formats.
#[test]
fn graph6_sparse6_and_digraph6() {
    let graph = only("x.g6", ">>graph6<<DQc\n");
    assert_eq!((graph.order(), edges(&graph)), (5, vec![(0, 2), (1, 3), (0, 4), (3, 4)]));
    let graph = only("x.s6", ":Fa@x^\n");
    assert_eq!((graph.order(), edges(&graph)), (7, vec![(0, 1), (0, 2), (1, 2), (5, 6)]));
    let graph = only("x.d6", "&DI?AO?\n");
    assert_eq!((graph.order(), edges(&graph)), (5, vec![(0, 2), (0, 4), (3, 1), (3, 4)]));
    assert!(graph.is_directed());
    // Without an ending, by looks; several lines, of several kinds, are several graphs.
    let data = read("graphs", "DQc\r\n\n:Fa@x^\n&DI?AO?");
    assert_eq!(data.graphs().iter().map(Graph::size).collect::<Vec<_>>(), [4, 4, 4]);
    assert_eq!(read("x.g6", "").notes(), ["no graph in the file"]);
    // 63 vertices take four characters.
    let (bytes, _) = Writer::new()
        .bytes(&Dataset::from_graphs("x", vec![Graph::from_edges(63, []).unwrap()]), "x.s6")
        .unwrap();
    assert_eq!(bytes, b":~??~\n");
}

#[test]
fn sparse6_pads_so_that_no_edge_is_read_from_it() {
    // With 2, 4, 8 or 16 vertices of which the last has no edge, ones alone would be one.
    for order in 1..20 {
        for last in 0..order {
            let graph = Graph::from_edges(order, (0..last).map(|v| (v, v + 1)).chain([(0, 0)])).unwrap();
            let data = Dataset::from_graphs("x", vec![graph.clone()]);
            let (bytes, _) = Writer::new().bytes(&data, "x.s6").unwrap();
            let again = Reader::new().read_bytes("x.s6", bytes).unwrap();
            assert_eq!(again.graphs()[0].size(), graph.size(), "{order} {last}");
            assert_eq!(again.graphs()[0].order(), order);
        }
    }
}

#[test]
fn matrix_market() {
    let graph = only(
        "x.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n% c\n\n3 3 3\n2 1 0.5\n3 2 -1e1\n3 3 2\n",
    );
    assert_eq!(
        (edges(&graph), graph.weights().unwrap()),
        (vec![(1, 0), (2, 1), (2, 2)], [0.5, -10.0, 2.0].as_slice())
    );
    assert!(!graph.is_directed());
    assert_eq!(names(&graph), ["1", "2", "3"]);

    let general = "%%matrixmarket MATRIX coordinate integer general\n2 2 3\n1 2 4\n2 1 4\n2 2 0\n";
    let data = read("x", general);
    assert_eq!(edges(&data.graphs()[0]), [(0, 1), (1, 0)]);
    assert!(data.graphs()[0].is_directed());
    assert_eq!(data.notes(), ["entries of value 0, which are no edges: 1"]);
    let undirected = Reader::new().directed(false).read_bytes("x.mtx", general).unwrap();
    assert_eq!(edges(&undirected.graphs()[0]), [(0, 1)]);

    let skew = only("x.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n");
    assert_eq!((edges(&skew), skew.weights().unwrap()), (vec![(1, 0), (0, 1)], [3.0, -3.0].as_slice()));

    // Column by column; of a symmetric one, from the diagonal down.
    let array = only("x.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n7\n8\n0\n");
    assert_eq!((edges(&array), array.weights().unwrap()), (vec![(1, 0), (0, 1)], [7.0, 8.0].as_slice()));
    let array = only("x.mtx", "%%MatrixMarket matrix array integer symmetric\n3 3\n0\n7\n8\n0\n9\n0\n");
    assert_eq!(
        (edges(&array), array.weights().unwrap()),
        (vec![(1, 0), (2, 0), (2, 1)], [7.0, 8.0, 9.0].as_slice())
    );
    let array = only("x.mtx", "%%MatrixMarket matrix array integer skew-symmetric\n2 2\n7\n");
    assert_eq!(array.weights(), Some([7.0, -7.0].as_slice()));
    let pattern = only("x.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n");
    assert_eq!(pattern.weights(), None);
}

const DRAWN: &str = r#"<?xml version="1.0"?>
<!DOCTYPE graphml SYSTEM "not>here" [ <!ENTITY a "b>c"> <!-- it's > --> <?not ' here?> ]>
<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
  <g:key id="c" for="node" attr.name="label" attr.type="string"><desc>symbol</desc><default>C</default></g:key>
  <g:key id="m" for="node" attr.name="mass" attr.type="double"/>
  <g:key id="w" for="edge" attr.name="weight" attr.type="int"><default>1</default></g:key>
  <g:key id="y" for="node" yfiles.type="nodegraphics"/>
  <g:graph edgedefault="directed">
    <g:desc>a &lt;graph&gt; &unknown;<!--->--></g:desc>
    <g:data key="c">not read</g:data>
    <g:edge id="e0" source="b&amp;b" target="a"/>
    <g:node id="a"><g:data key="y"><y:Shape><y:Fill/></y:Shape></g:data><g:data key="m"> 12.5 </g:data></g:node>
    <g:node id="b&amp;b"><g:port name="N"/><g:data key="c">&#79;<!-- oxygen --><![CDATA[<2>]]></g:data></g:node>
    <g:edge source="a" target="b&amp;b" directed="true"><g:data key="w">5</g:data></g:edge>
  </g:graph>
  <g:graph edgedefault="undirected"/>
</g:graphml>
"#;

#[test]
fn graphml() {
    let data = read("drawn", DRAWN);
    assert_eq!(data.graphs().len(), 2);
    assert_eq!(data.notes(), ["elements not read: Shape, port"]);
    let graph = &data.graphs()[0];
    assert!(graph.is_directed());
    assert_eq!(names(graph), ["a", "b&b"]);
    assert_eq!(edges(graph), [(1, 0), (0, 1)]);
    let labels = graph.vertex_labels().unwrap();
    assert_eq!((labels.name(0), labels.name(1)), ("C", "O<2>"));
    assert_eq!(graph.weights(), Some([1.0, 5.0].as_slice()));
    let [mass] = graph.vertex_attributes() else { panic!("one attribute") };
    assert_eq!((mass.name(), mass.values()), ("mass", &Values::Real(vec![Some(12.5), None])));
    let [id] = graph.edge_attributes() else { panic!("one attribute") };
    assert_eq!((id.name(), id.values()), ("id", &Values::Text(vec![Some("e0".into()), None])));
    assert_eq!(data.graphs()[1].order(), 0);

    // An edge that says otherwise is one when the caller decides for all.
    let mixed = "<graphml><graph edgedefault='directed'><node id='a'/><edge source='a' target='a' directed='false'/></graph></graphml>";
    assert!(Reader::new().read_bytes("x.graphml", mixed).is_err());
    assert!(!Reader::new().directed(false).read_bytes("x.graphml", mixed).unwrap().graphs()[0].is_directed());
}

#[test]
fn labels_of_several_graphs_share_an_alphabet() {
    let graph = |labels: &[&str]| {
        let nodes = labels
            .iter()
            .enumerate()
            .map(|(i, label)| format!("<node id='{i}'><data key='l'>{label}</data></node>"));
        format!("<graph>{}</graph>", nodes.collect::<String>())
    };
    let key = "<key id='l' attr.name='label'/>";
    let data =
        read("x.graphml", &format!("<graphml>{key}{}{}</graphml>", graph(&["C", "O"]), graph(&["O", "O"])));
    let codes = |i: usize| data.graphs()[i].vertex_labels().unwrap().codes().to_vec();
    assert_eq!((codes(0), codes(1)), (vec![0, 1], vec![1, 1]));
}

#[test]
fn node_link() {
    let json = r#"{"nodes": [{"id": 3, "big": 9007199254740993, "on": true, "at": {"x": [1]}}, {"id": "\u00e9"}],
        "multigraph": true, "edges": [{"key": 0, "source": 3, "target": "é", "value": 2.5}], "directed": true}"#;
    let data = read("x.json", json);
    let graph = &data.graphs()[0];
    assert!(graph.is_directed());
    assert_eq!(names(graph), ["3", "é"]);
    assert_eq!(graph.weights(), Some([2.5].as_slice()));
    assert_eq!(data.notes(), ["lists and objects nested in a node or link are not read"]);
    let attributes: Vec<_> =
        graph.vertex_attributes().iter().map(|a| (a.name(), a.values().text(0).unwrap())).collect();
    assert_eq!(attributes, [("big", "9007199254740993".to_owned()), ("on", "true".to_owned())]);
    assert_eq!(graph.edge_attributes()[0].name(), "key");
}

/// Between tabs, fields may be empty, also the first; quotes may be anywhere.
#[test]
fn tabs_and_quotes() {
    let graph = only("x.tsv", "\tsource\ttarget\tcolour\n0\ta\tb\t\n1\tb\t\"c \"\"d\"\"\"\tred\n");
    assert_eq!(names(&graph), ["a", "b", "c \"d\""]);
    let attributes: Vec<_> = graph.edge_attributes().iter().map(|a| (a.name(), a.values().clone())).collect();
    let colour = Values::Text(vec![None, Some("red".into())]);
    assert_eq!(attributes, [("", Values::Real(vec![Some(0.0), Some(1.0)])), ("colour", colour)]);
}

/// A column is of numbers if it is so all the way down; else it is as it is written.
#[test]
fn numbers_among_text_keep_their_digits() {
    let graph = only("x.csv", "source,target,label,code\na,b,01,007\nb,c,1.0,x\n");
    assert_eq!(graph.edge_labels().unwrap().name(0), "01");
    assert_eq!(graph.edge_attributes()[0].values().text(0).unwrap(), "007");
}

#[test]
fn formats_are_told_by_content() {
    for (content, format) in [
        ("<?xml version='1.0'?><graphml><graph/></graphml>", Format::GraphMl),
        (" {\"nodes\": [], \"links\": []}", Format::NodeLink),
        ("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", Format::MatrixMarket),
        ("graph [ ]", Format::Gml),
        ("p edge 0 0\n", Format::Dimacs),
        ("Bw\n", Format::Graph6),
        (":An\n", Format::Sparse6),
        ("B w\n", Format::EdgeList),
    ] {
        let told = Reader::new().read_bytes("file", content).unwrap();
        let given = Reader::new().format(format).read_bytes("file", content).unwrap();
        assert_eq!(told, given, "{content}");
    }
}

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn message(result: Result<Dataset, Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn archives() {
    let (arcs, graphs) = ("1, 2\n", "1\n1\n");
    for folder in ["", "DS/", "other/"] {
        let files =
            [(format!("{folder}DS_A.txt"), arcs), (format!("{folder}DS_graph_indicator.txt"), graphs)];
        let hidden = ("__MACOSX/DS/._DS_A.txt".to_owned(), "");
        let files: Vec<_> =
            files.iter().chain([&hidden]).map(|(name, content)| (name.as_str(), *content)).collect();
        let data = Reader::new().read_bytes("anything", archive(&files)).unwrap();
        assert_eq!((data.name(), data.graphs()[0].size()), ("DS", 1));
    }
    let read = |files: &[(&str, &str)]| message(Reader::new().read_bytes("x.zip", archive(files)));
    for name in ["../DS_A.txt", "/DS_A.txt", "a/../../DS_A.txt", "C:\\DS_A.txt"] {
        let shown = format!("x.zip: the archive's name {name:?} leads out of it");
        assert_eq!(read(&[(name, arcs), ("DS_graph_indicator.txt", graphs)]), shown);
    }
    assert_eq!(
        read(&[("DS_A.txt", arcs), ("E_A.txt", arcs)]),
        "x.zip: holds several datasets (DS, E): name one by its _A.txt file"
    );
    assert_eq!(
        read(&[("x.gml", "graph [ ]")]),
        "x.zip: an archive without a file whose name ends in _A.txt: not a TU dataset"
    );
    assert_eq!(
        read(&[("a/b/DS_A.txt", arcs)]),
        "x.zip: an archive without a file whose name ends in _A.txt: not a TU dataset"
    );
    assert_eq!(read(&[("DS_A.txt", arcs)]), "x.zip/DS_graph_indicator.txt: cannot be read or written");
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let zeros = "0 1\n".repeat(1 << 20);
    let data = read("x.edges", &zeros);
    let (packed, _) = Writer::new().bytes(&data, "x.edges.gz").unwrap();
    assert!(packed.starts_with(b"\x1f\x8b"));
    // By its first bytes, whatever it is called.
    assert_eq!(Reader::new().read_bytes("x", packed).unwrap().graphs(), data.graphs());

    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(zeros.as_bytes()).unwrap();
    let packed = gzip.finish().unwrap();
    let limit = zeros.len() as u64;
    assert!(Reader::new().max_input(limit).read_bytes("x.edges.gz", packed.clone()).is_ok());
    let refused = message(Reader::new().max_input(limit - 1).read_bytes("x.edges.gz", packed));
    assert_eq!(refused, "x.edges.gz: unpacks to more than 4194303 bytes");

    // An archive counts as a whole.
    let files = archive(&[("DS_A.txt", "1, 1\n"), ("DS_graph_indicator.txt", "1\n")]);
    assert!(Reader::new().max_input(7).read_bytes("x.zip", files.clone()).is_ok());
    let refused = message(Reader::new().max_input(6).read_bytes("x.zip", files));
    assert_eq!(refused, "x.zip/DS_A.txt: unpacks to more than 6 bytes");
}

#[test]
fn small_files_cannot_ask_for_much_memory() {
    let numbered = |record: fn(usize) -> String| (0..2000).map(record).collect::<String>();
    let reader = Reader::new().max_input(1 << 20);
    for (name, content) in [
        ("x.col", "p edge 100000 0\n".to_owned()),
        ("x.mtx", "%%MatrixMarket matrix coordinate pattern general\n100000 100000 0\n".to_owned()),
        ("x.s6", ":~~???~~~\n".to_owned()),
        // Many attributes, each of one record, are columns of gaps.
        ("x.gml", format!("graph [ {} ]", numbered(|i| format!("node [ id {i} a{i} 1 ]\n")))),
        (
            "x.graphml",
            format!(
                "<graphml><key id='k' attr.name='k'><default>{}</default></key><graph>{}</graph></graphml>",
                "x".repeat(1 << 10),
                numbered(|i| format!("<node id='{i}'/>"))
            ),
        ),
    ] {
        let refused = reader.read_bytes(name, content.clone()).unwrap_err();
        assert!(refused.is_past_limit() && refused.is_input(), "{refused}");
        assert!(Reader::new().read_bytes(name, content).is_ok());
    }
}

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn files_appear_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let data = read("x.edges", "1 2\n2 3\n");
    let path = folder.path().join("x.gml");
    std::fs::write(&path, "old").unwrap();
    Writer::new().write(&data, &path).unwrap();
    assert_eq!(Dataset::read(&path).unwrap().graphs(), data.graphs());
    assert_eq!(entries(folder.path()), ["x.gml"]);

    // A folder in the way, a folder that is missing: nothing is left behind.
    std::fs::create_dir(folder.path().join("y.gml")).unwrap();
    assert!(Writer::new().format(Format::Gml).write(&data, folder.path().join("y.gml")).is_err());
    assert!(Writer::new().write(&data, folder.path().join("no/z.gml")).is_err());
    assert_eq!(entries(folder.path()), ["x.gml", "y.gml"]);

    // Several graphs are too many for most formats.
    let two = Dataset::from_graphs("two", vec![data.graphs()[0].clone(); 2]);
    let error = Writer::new().write(&two, &path).unwrap_err();
    assert!(error.is_usage());
    assert!(error.to_string().starts_with("the dataset has 2 graphs, a file in GML holds one"), "{error}");
    let error = Writer::new().write(&data, folder.path().join("x.what")).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("x.what: cannot tell the format to write by the ending of the name: say which")
    );
    assert_eq!(Dataset::read(&path).unwrap().graphs(), data.graphs());
}

#[test]
fn folders_are_left_alone_unless_empty() {
    let folder = tempfile::tempdir().unwrap();
    let data = read("x.g6", "Bw\nA_\n").with_classes(vec![1, -1]).unwrap();
    let (absent, empty, full) = (folder.path().join("A"), folder.path().join("E"), folder.path().join("F"));
    std::fs::create_dir(&empty).unwrap();
    std::fs::create_dir(&full).unwrap();
    std::fs::write(full.join("mine"), "").unwrap();
    let writer = Writer::new().format(Format::Tu);
    for path in [&absent, &empty] {
        assert_eq!(writer.write(&data, path).unwrap(), Vec::<String>::new());
        assert_eq!(Dataset::read(path).unwrap().classes(), Some([1, -1].as_slice()));
    }
    assert_eq!(entries(&absent), ["A_A.txt", "A_graph_indicator.txt", "A_graph_labels.txt"]);
    assert!(
        writer
            .write(&data, &full)
            .unwrap_err()
            .to_string()
            .ends_with("the folder is not empty, it is left as it is")
    );
    assert_eq!(entries(&full), ["mine"]);
    assert_eq!(entries(folder.path()), ["A", "E", "F"]);
}

fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = root.join(path);
    if !path.exists() {
        eprintln!("skipped: no {}", path.display());
    }
    Some(path).filter(|path| path.exists())
}

/// Real data through every format that can hold all of it.
#[test]
fn real_data_comes_back() {
    for (path, names) in [
        ("datasets/MUTAG", ["x.zip", "x.graphml"].as_slice()),
        ("datasets/ENZYMES", &["x.zip", "x.graphml"]),
        ("networks/lesmis.gml", &["x.gml", "x.graphml", "x.json", "x.json.gz"]),
        ("networks/polbooks.gml", &["x.gml", "x.graphml", "x.json"]),
        (
            "networks/soc-sign-bitcoinalpha.csv",
            &["x.csv", "x.tsv", "x.edges", "x.gml", "x.graphml", "x.json"],
        ),
        ("icgca/all_pairs/032.col", &["x.col"]),
    ] {
        let Some(path) = shared(path) else { continue };
        let data = Dataset::read(&path).unwrap();
        for name in names {
            let (bytes, lost) = Writer::new().bytes(&data, name).unwrap();
            assert!(lost.iter().all(|note| note.starts_with("loses classes")), "{lost:?}");
            let again = Reader::new().read_bytes(name, bytes).unwrap();
            assert_eq!(again.graphs(), data.graphs(), "{} as {name}", path.display());
        }
    }
}
