//! Files that do not keep to their format: each is refused with a message that says where and what was expected.

use std::io::{Cursor, Write};

use allpaths::dataset::Reader;
use allpaths::{Dataset, Error};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The name of a file, what is in it, and the whole message.
type Case = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const FILES: &[Case] = &[
    // Edge lists
    ("e.edges", "1 2\n3\n", "e.edges:2: expected the names of two vertices, found \"3\""),
    ("e.csv", "a,b\n\"c,d\n", "e.csv:2: expected a closing quote before the end of the field"),
    ("e.csv", "source,target,weight\na,b,1\nb,c,heavy\n", "e.csv:3: expected a weight, a number, in column 3, found \"heavy\""),
    ("e.csv", "source,target,weight\na,b,1\nb,c\n", "e.csv:3: expected a weight, a number, in column 3, found \"\""),
    ("e.tsv", "source\ttarget\na\t\n", "e.tsv:2: expected the names of two vertices, found \"a\""),
    ("e.csv", "source,target,weight\na,b,inf\n", "e.csv:2: expected a weight, a number, in column 3, found \"inf\""),
    // DIMACS
    ("d.col", "c nothing else\n", "d.col: no line \"p edge VERTICES EDGES\""),
    ("d.col", "e 1 2\n", "d.col:1: expected a line \"p edge VERTICES EDGES\" before any other, found \"e 1 2\""),
    ("d.col", "p edge 2\n", "d.col:1: expected one line \"p edge VERTICES EDGES\", found \"p edge 2\""),
    ("d.col", "p edge 2 1\np edge 2 1\n", "d.col:2: expected one line \"p edge VERTICES EDGES\", found \"p edge 2 1\""),
    ("d.col", "p edge 2 1\ne 1 3\n", "d.col:2: expected \"e U V\" with vertices from 1 to 2, found \"e 1 3\""),
    ("d.col", "p edge 2 1\ne 0 1\n", "d.col:2: expected \"e U V\" with vertices from 1 to 2, found \"e 0 1\""),
    ("d.col", "p edge 2 1\nl x\n", "d.col:2: expected \"l LENGTH\", found \"l x\""),
    ("d.col", "p edge 2 1\nt 1\n", "d.col:2: expected \"t S T\" with vertices from 1 to 2, found \"t 1\""),
    ("d.col", "p edge 2 1\nq\n", "d.col:2: expected a line that starts with c, p, e, l or t, found \"q\""),
    ("d.col", "p edge 2000000000 0\n", "d.col:1: expected fewer than 2^30 vertices, found \"p edge 2000000000 0\""),
    // GML
    ("g.gml", "node [ id 1 ]\n", "g.gml: no \"graph [\" in this GML file"),
    ("g.gml", "graph [\n  node [ id 1 ]\n  node [ id 1 ]\n]\n", "g.gml:3: there is a vertex \"1\" already"),
    ("g.gml", "graph [\n  node [ label \"a\" ]\n]\n", "g.gml:2: expected an id in each node, found none"),
    ("g.gml", "graph [\n  node [ id a ]\n]\n", "g.gml:2: expected an integer after id, found \"a\""),
    ("g.gml", "graph [\n  node [ id 1 ]\n  edge [ source 1 ]\n]\n", "g.gml:3: expected a source and a target in each edge, found one missing"),
    ("g.gml", "graph [\n  node [ id 1 ]\n  edge [ source 1 target 2 ]\n]\n", "g.gml:3: the edge ends at \"2\", which is no vertex of the graph"),
    ("g.gml", "graph [\n  directed 2\n]\n", "g.gml:2: expected directed 0 or 1, found \"2\""),
    ("g.gml", "graph [\n  node [ id 1 label \"a ]\n]\n", "g.gml:2: expected a closing quote, found none"),
    ("g.gml", "graph [\n  node [ id 1 x 1e999 ]\n]\n", "g.gml:2: expected a finite number, found \"1e999\""),
    ("g.gml", "graph [\n  node [ id 1\n", "g.gml:3: expected a key or ], found the end of the file"),
    ("g.gml", "graph [ ]\ngraph [ ]\n", "g.gml:2: expected one graph, found a second one"),
    // Matrix Market
    ("m.mtx", "3 3 1\n1 2\n", "m.mtx:1: expected \"%%MatrixMarket matrix LAYOUT FIELD SYMMETRY\", found \"3 3 1\""),
    ("m.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 0\n", "m.mtx:1: expected the field pattern, real or integer, found \"complex\""),
    ("m.mtx", "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", "m.mtx:1: expected the symmetry general, symmetric or skew-symmetric, found \"hermitian\""),
    ("m.mtx", "%%MatrixMarket matrix array pattern general\n1 1\n", "m.mtx:1: expected values in an array or a skew-symmetric matrix, found \"pattern\""),
    ("m.mtx", "%%MatrixMarket matrix coordinate real general\n% only this\n", "m.mtx: no line with the size of the matrix"),
    ("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 0\n", "m.mtx:2: expected a square matrix, found 2 rows and 3 columns"),
    ("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2\n", "m.mtx:2: expected \"ROWS COLUMNS ENTRIES\", found \"2 2\""),
    ("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 0.5\n", "m.mtx:3: expected a row and a column from 1 to 2, found \"1 3 0.5\""),
    ("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n", "m.mtx:3: expected a finite value, found \"1 2\""),
    ("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 0.5\n", "m.mtx:3: expected a row and a column and no value, found \"1 2 0.5\""),
    ("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 0.5\n", "m.mtx: expected the 2 entries announced, found 1"),
    ("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n2 1 0.5\n", "m.mtx:4: expected no more than the 1 entries announced, found \"2 1 0.5\""),
    ("m.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 0.5\n", "m.mtx:3: expected no value on the diagonal of a skew-symmetric matrix, found \"1 1 0.5\""),
    ("m.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n", "m.mtx: expected the 4 entries announced, found 3"),
    ("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n900000000 900000000 0\n", "m.mtx:2: 900000000 vertices need more than the 4294967296 bytes that a file may ask for"),
    // GraphML
    ("x.graphml", "<html></html>\n", "x.graphml:1: expected <graphml>, found <html>"),
    ("x.graphml", "<graphml>\n<graph>\n<node/>\n</graph>\n</graphml>\n", "x.graphml:3: expected an id in each node, found none"),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a'/>\n<node id='a'/>\n</graph>\n</graphml>\n", "x.graphml:4: there is a vertex \"a\" already"),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a'/>\n<edge source='a' target='b'/>\n</graph>\n</graphml>\n", "x.graphml:4: the edge ends at \"b\", which is no vertex of the graph"),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a'/>\n<edge source='a'/>\n</graph>\n</graphml>\n", "x.graphml:4: expected a source and a target in each edge, found one missing"),
    ("x.graphml", "<graphml>\n<graph edgedefault='undirected'>\n<node id='a'/>\n<edge source='a' target='a' directed='true'/>\n</graph>\n</graphml>\n", "x.graphml:4: expected undirected edges only, found an edge that is directed: say how to take all of them"),
    ("x.graphml", "<graphml>\n<graph edgedefault='both'/>\n</graphml>\n", "x.graphml:2: expected edgedefault directed or undirected, found \"both\""),
    ("x.graphml", "<graphml>\n<graph>\n<hyperedge/>\n</graph>\n</graphml>\n", "x.graphml:3: expected edges between two vertices, found a hyperedge"),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a'>\n<graph/>\n</node>\n</graph>\n</graphml>\n", "x.graphml:4: expected graphs side by side, found one inside a node"),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a'><data key='d0'>1</data></node>\n</graph>\n</graphml>\n", "x.graphml:3: expected the id of a key above the graph, found \"d0\""),
    ("x.graphml", "<graphml>\n<key id='d0' attr.name='x' attr.type='int'/>\n<graph>\n<node id='a'><data key='d0'>one</data></node>\n</graph>\n</graphml>\n", "x.graphml:4: expected a finite number as \"x\", found \"one\""),
    ("x.graphml", "<graphml>\n<key id='d0' attr.name='x' attr.type='colour'/>\n</graphml>\n", "x.graphml:2: expected attr.type boolean, int, long, float, double or string, found \"colour\""),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a'>\n</graph>\n</graphml>\n", "x.graphml:4: expected </node>, found </graph>"),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a'/>\n", "x.graphml:4: expected </graph>, found the end of the file"),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a' id='b'/>\n</graph>\n</graphml>\n", "x.graphml:3: expected one id, found a second one"),
    ("x.graphml", "<graphml>\n<graph>\n<node id='&who;'/>\n</graph>\n</graphml>\n", "x.graphml:3: expected a reference to a character, found \"&who;\""),
    ("x.graphml", "<graphml>\n<graph>\n<node id=a/>\n</graph>\n</graphml>\n", "x.graphml:3: expected attributes as name=\"value\", found \"id=a/\""),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a'><data key='d0'>&who;</data></node>\n</graph>\n</graphml>\n", "x.graphml:3: expected a reference to a character, found \"&who;\""),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a'\n", "x.graphml:3: expected > at the end of the tag, found the end of the file"),
    ("x.graphml", "<graphml>\n<graph>\nnode\n</graph>\n</graphml>\n", "x.graphml:3: expected a tag in <graph>, found \"node\""),
    ("x.graphml", "<?xml version='1.0' encoding='ISO-8859-1'?>\n<graphml><!-- \u{e9} --></graphml>\n", "x.graphml:1: expected the encoding UTF-8, found ISO-8859-1"),
    ("x.graphml", "<graphml>\n<graph>\n<node id='a&amp'/>\n</graph>\n</graphml>\n", "x.graphml:3: expected a reference to a character, found \"&amp\""),
    ("x.graphml", "<graphml>\n<graph><!-- node\n</graph>\n</graphml>\n", "x.graphml:2: expected -->, found the end of the file"),
    ("x.graphml", "<graphml>\n<graph><!node>\n</graph>\n</graphml>\n", "x.graphml:2: expected a tag or a comment, found <!"),
    ("x.graphml", "<!DOCTYPE graphml [ <!ENTITY a '>'>\n<graphml></graphml>\n", "x.graphml:1: expected >, found the end of the file"),
    ("x.graphml", "<graphml>\n<graph>\n< id='a'/>\n</graph>\n</graphml>\n", "x.graphml:3: expected a name after <, found none"),
    ("x.graphml", "<graphml>\n<desc><b>\n</desc></b>\n</graphml>\n", "x.graphml:3: expected </b>, found </desc>"),
    // graph6, sparse6, digraph6
    ("b.g6", "Bw\nB\n", "b.g6:2: expected 1 characters of matrix for 3 vertices, found 0"),
    ("b.g6", "Bww\n", "b.g6:1: expected 1 characters of matrix for 3 vertices, found 2"),
    ("b.g6", "B\u{7f}\n", "b.g6:1: expected characters from ? to ~, found \"\\u{7f}\""),
    ("b.g6", "Bx\n", "b.g6:1: expected zeros after the last bit of the matrix"),
    ("b.g6", "~?\n", "b.g6:1: expected a number of vertices, found \"~?\""),
    ("b.g6", ";Bw\n", "b.g6:1: incremental sparse6 is not read: only lines that are a graph on their own"),
    ("b.d6", "&B?\n", "b.d6:1: expected 2 characters of matrix for 3 vertices, found 1"),
    ("b.s6", ":~~????~?\n:~~~~~~~~\n", "b.s6:2: expected fewer than 2^30 vertices, found 68719476735"),
    // Node-link JSON
    ("j.json", "[]\n", "j.json:1: expected {, found ["),
    ("j.json", "{\"nodes\": []}\n", "j.json: no list of links in this JSON file"),
    ("j.json", "{\"links\": []}\n", "j.json: no list of nodes in this JSON file"),
    ("j.json", "{\"nodes\": [{\"id\": 1},\n{\"id\": 1}], \"links\": []}\n", "j.json:2: there is a vertex \"1\" already"),
    ("j.json", "{\"nodes\": [{\"name\": 1}],\n\"links\": []}\n", "j.json:1: expected an id in each node, found none"),
    ("j.json", "{\"nodes\": [{\"id\": [1, 2]}], \"links\": []}\n", "j.json:1: expected a number or a text as id, found ["),
    ("j.json", "{\"nodes\": [{\"id\": 1}],\n\"links\": [{\"source\": 1}]}\n", "j.json:2: expected a source and a target in each of the links, found one missing"),
    ("j.json", "{\"nodes\": [{\"id\": 1}],\n\"links\": [{\"source\": 1, \"target\": 2}]}\n", "j.json:2: the edge ends at \"2\", which is no vertex of the graph"),
    ("j.json", "{\"nodes\": [1], \"links\": []}\n", "j.json:1: expected an object in nodes, found 1"),
    ("j.json", "{\"nodes\": [{\"id\": 1, \"x\": NaN}], \"links\": []}\n", "j.json:1: expected a JSON value, found \"NaN\""),
    ("j.json", "{\"nodes\": [{\"id\": 1, \"x\": 1e999}], \"links\": []}\n", "j.json:1: expected a finite number, found 1e999"),
    ("j.json", "{\"nodes\": [{\"id\": 1}]\n\"links\": []}\n", "j.json:2: expected , or }, found \"links\""),
    ("j.json", "{\"nodes\": [],\n\"links\": [],\n\"edges\": []}\n", "j.json:3: expected one list of links, found edges too"),
    ("j.json", "{\"directed\": 1}\n", "j.json:1: expected true or false, found 1"),
    ("j.json", "{\"nodes\": [], \"links\": []}\n{}\n", "j.json:2: expected one graph and nothing after it, found {"),
    ("j.json", "{\"nodes\": [{\"id\": \"\\x\"}]}\n", "j.json:1: expected an escape such as \\n or \\u00e9 after the backslash"),
    ("j.json", "{\"nodes\": [{\"id\": \"a\n", "j.json:1: expected text without control characters, found '\\n'"),
    // Packed, by their first bytes
    ("p.gml.gz", "\u{1f}\u{8b}", "p.gml.gz: cannot be unpacked: unexpected end of file"),
    ("p.zip", "PK\u{3}\u{4}", "p.zip: cannot be unpacked: invalid Zip archive: Could not find EOCD"),
];

/// A file of a TU dataset, what is in it, and the whole message. The other files are those of [`SOUND`].
#[rustfmt::skip]
const TU: &[Case] = &[
    ("A", "1, 2\n2\n", "DS.zip/DS_A.txt:2: expected two vertex numbers, found \"2\""),
    ("A", "1, 2\n\n2, 1\n", "DS.zip/DS_A.txt:2: expected two vertex numbers, found \"\""),
    ("A", "1, 2, 3\n", "DS.zip/DS_A.txt:1: expected two vertex numbers, found \"1, 2, 3\""),
    ("A", "1, 4\n", "DS.zip/DS_A.txt:1: vertex 4 is not one of the 3 in DS_graph_indicator.txt, numbered from 1"),
    ("A", "0, 1\n", "DS.zip/DS_A.txt:1: vertex 0 is not one of the 3 in DS_graph_indicator.txt, numbered from 1"),
    ("A", "1, 3\n", "DS.zip/DS_A.txt:1: vertex 1 is in graph 1 and vertex 3 in graph 2"),
    ("graph_indicator", "1\none\n2\n", "DS.zip/DS_graph_indicator.txt:2: expected a graph number from 1 to 268435456, found \"one\""),
    ("graph_indicator", "1\n1\n0\n", "DS.zip/DS_graph_indicator.txt:3: expected a graph number from 1 to 268435456, found \"0\""),
    ("graph_indicator", "1\n1\n99999999999\n", "DS.zip/DS_graph_indicator.txt:3: expected a graph number from 1 to 268435456, found \"99999999999\""),
    ("graph_indicator", "1\n1\n99999999\n", "DS.zip/DS_graph_indicator.txt:3: 99999999 graphs need too much memory"),
    ("graph_labels", "1\n", "DS.zip/DS_graph_labels.txt: a class for each of 2 graphs expected, found 1"),
    ("graph_labels", "1\n0.5\n", "DS.zip/DS_graph_labels.txt:2: expected a class, an integer, found \"0.5\""),
    ("graph_attributes", "0.5\n", "DS.zip/DS_graph_attributes.txt: expected a line for each graph, 2 in all, found 1"),
    ("node_labels", "1\n2\n", "DS.zip/DS_node_labels.txt: expected a line for each vertex, 3 in all, found 2"),
    ("node_labels", "1\n2\n3\n4\n", "DS.zip/DS_node_labels.txt:4: expected a line for each vertex, 3 in all, found 4"),
    ("node_labels", "1\n\n3\n", "DS.zip/DS_node_labels.txt:2: expected a label for each vertex, found a blank line"),
    ("node_attributes", "0.5\n1, 2\n0\n", "DS.zip/DS_node_attributes.txt:2: expected 1 numbers, as on line 1, found 2"),
    ("node_attributes", "0.5\nnan\n0\n", "DS.zip/DS_node_attributes.txt:2: expected a finite number, found \"nan\""),
    ("edge_labels", "1\n", "DS.zip/DS_edge_labels.txt: expected a line for each arc, 2 in all, found 1"),
    ("edge_attributes", "1\n2\n3\n", "DS.zip/DS_edge_attributes.txt:3: expected a line for each arc, 2 in all, found 3"),
];

/// Two graphs: an edge, and a vertex.
const SOUND: [(&str, &str); 2] = [("A", "1, 2\n2, 1\n"), ("graph_indicator", "1\n1\n2\n")];

fn check(cases: &[Case], read: impl Fn(&str, &str) -> Result<Dataset, Error>) {
    let mut wrong = Vec::new();
    for (name, content, message) in cases {
        match read(name, content) {
            Ok(data) => wrong.push(format!("{name} {content:?} was read: {:?}", data.graphs())),
            Err(error) if error.to_string() != *message => {
                wrong.push(format!("{name} {content:?}\n  {error}"));
            }
            Err(error) => assert!(error.is_input()),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files() {
    check(FILES, |name, content| {
        // The second byte of gzip's mark is no text.
        let bytes =
            if content.starts_with('\u{1f}') { b"\x1f\x8b".to_vec() } else { content.as_bytes().to_vec() };
        Reader::new().read_bytes(name, bytes)
    });
}

#[test]
fn tu() {
    check(TU, |part, content| {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in SOUND.into_iter().filter(|(name, _)| *name != part).chain([(part, content)]) {
            archive.start_file(format!("DS_{name}.txt"), SimpleFileOptions::default()).unwrap();
            archive.write_all(content.as_bytes()).unwrap();
        }
        Reader::new().read_bytes("DS.zip", archive.finish().unwrap().into_inner())
    });
}
