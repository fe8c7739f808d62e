//! Graph Modelling Language.

use allpaths::graph::{Attribute, Values};

use super::{check, check_refused, read};

#[test]
fn traps() {
    let nested: &[&str] = &["lists nested in a node or edge are not read"];
    check(
        "gml",
        &[
            (
                "labels are names",
                "Creator \"me\"\ngraph\n[\n  node\n  [\n id 7 label \"Ann\" ]\n  node [ id 3 label \"Bob\" ]\n\
                 edge [ source 3 target 7 ]\n]\n",
                "Ann Bob: Bob-Ann",
                &[],
            ),
            (
                "labels that are the same",
                "graph [ node [ id 1 label \"C\" ] node [ id 2 label \"C\" ] edge [ source 1 target 2 ] ]",
                "1/C 2/C: 1-2",
                &[],
            ),
            (
                "no labels",
                "graph [ node [ id -1 ] node [ id 5 ] edge [ source 5 target -1 ] ]",
                "-1 5: 5--1",
                &[],
            ),
            ("a label for some", "graph [ node [ id 1 label \"a\" ] node [ id 2 ] ]", "1 2:", &[]),
            (
                "edges first",
                "graph [ edge [ source 2 target 1 ] node [ id 1 ] node [ id 2 ] ]",
                "1 2: 2-1",
                &[],
            ),
            (
                "directed",
                "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 2 target 1 ] \
                 edge [ source 1 target 2 ] ]",
                "1 2: 2>1 1>2",
                &[],
            ),
            (
                "nested lists",
                "graph [ node [ id 1 graphics [ x 1 line [ y 2 ] ] ] node [ id 2 ] \
                 edge [ source 1 target 2 att [ name \"]\" ] ] extra [ a [ b 1 ] ] ]",
                "1 2: 1-2",
                nested,
            ),
            (
                "references",
                "graph [ node [ id 1 \
                 label \"&quot;A&amp;B&quot; &#x3b1;&#946; &lt;&gt;&apos; &none; & &#xffffffff;\" ] ]",
                "\"A&B\" αβ <>' &none; & &#xffffffff;:",
                &[],
            ),
            (
                "weights and labels of edges",
                "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight -0.5 label \"x\" ] ]",
                "1 2: 1-2(-0.5):x",
                &[],
            ),
            (
                "a value is a weight",
                "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 value 3 ] ]",
                "1 2: 1-2(3)",
                &[],
            ),
            (
                "a weight for some",
                "graph [ node [ id 1 ] edge [ source 1 target 1 weight 2 ] edge [ source 1 target 1 ] ]",
                "1: 1-1",
                &["merged 1 repeated edge"],
            ),
            ("ids of 2^63 - 1", "graph [ node [ id 9223372036854775807 ] ]", "9223372036854775807:", &[]),
            (
                "numbers for labels",
                "graph [ node [ id 0 label 10 ] node [ id 1 label 1.5 ] ]",
                "10 1.5:",
                &[],
            ),
            ("comments, CRLF, no blanks", "# graph [\r\ngraph[node[id 1]#x\r\nnode[id 2]]\r\n", "1 2:", &[]),
            ("byte order mark", "\u{feff}graph [ node [ id 1 ] ]", "1:", &[]),
            ("a label over two lines", "graph [ node [ id 1 label \"a\nb\" ] ]", "a\nb:", &[]),
            ("nothing in it", "graph [ ]", ":", &[]),
        ],
    );
    let data = read("x.gml", "graph [ node [ id 1 group 2 kind \"a\" ] node [ id 2 kind 5 ] ]").unwrap();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        data.graphs()[0].vertex_attributes(),
        [
            Attribute::new("group", Values::Real(vec![Some(2.0), None])),
            Attribute::new("kind", Values::Text(vec![text("a"), text("5")])),
        ]
    );
}

#[test]
fn refused() {
    check_refused(&[
        ("x.gml", "", "x.gml: no \"graph [\" in this GML file"),
        ("x.gml", "1 2\n", "x.gml:1: expected a key, found \"1\""),
        ("x.gml", "graph 1", "x.gml:1: expected [, found \"1\""),
        ("x.gml", "graph [\n", "x.gml:2: expected a key or ], found the end of the file"),
        ("x.gml", "graph [ ]\ngraph [ ]\n", "x.gml:2: expected one graph, found a second one"),
        ("x.gml", "graph [ directed yes ]", "x.gml:1: expected directed 0 or 1, found \"yes\""),
        ("x.gml", "graph [\nnode [ label \"a\" ] ]", "x.gml:2: expected an id in each node, found none"),
        ("x.gml", "graph [\nnode [ id 1 id 2 ] ]", "x.gml:2: expected one id, found a second one"),
        ("x.gml", "graph [\nnode [ id \"a\" ] ]", "x.gml:2: expected an integer after id, found \"a\""),
        ("x.gml", "graph [\nnode [ id 1.5 ] ]", "x.gml:2: expected an integer after id, found \"1.5\""),
        (
            "x.gml",
            "graph [\nnode [ id 9223372036854775808 ] ]",
            "x.gml:2: expected an integer after id, found \"9223372036854775808\"",
        ),
        ("x.gml", "graph [ node [ id 1 ]\nnode [ id 1 ] ]", "x.gml:2: there is a vertex \"1\" already"),
        ("x.gml", "graph [ node [ id 1 x ] ]", "x.gml:1: expected a value, found ]"),
        ("x.gml", "graph [ node [ id 1 x 1e999 ] ]", "x.gml:1: expected a finite number, found \"1e999\""),
        ("x.gml", "graph [ node [ id 1 x -y ] ]", "x.gml:1: expected a finite number, found \"-y\""),
        (
            "x.gml",
            "graph [ node [ id 1\nx ? ] ]",
            "x.gml:2: expected a key, a number, a quoted text or a bracket, found \"?\"",
        ),
        (
            "x.gml",
            "graph [\nedge [ source 1 ] ]",
            "x.gml:2: expected a source and a target in each edge, found one missing",
        ),
        (
            "x.gml",
            "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]",
            "x.gml:2: the edge ends at \"2\", which is no vertex of the graph",
        ),
        ("x.gml", "graph [ node [ id 1 label \"a ] ]", "x.gml:1: expected a closing quote, found none"),
        ("x.gml", "graph [ a [ b 1 ", "x.gml:1: expected ], found the end of the file"),
    ]);
}
