//! The format of the DIMACS challenges.

use allpaths::dataset::Question;

use super::{check, check_refused, read};

#[test]
fn traps() {
    check(
        "col",
        &[
            ("plain", "p edge 3 2\ne 1 2\ne 3 2\n", "1 2 3: 1-2 3-2", &[]),
            ("p col, comments, CRLF", "c x\r\nc\r\np col 2 1\r\n\r\ne 2 1", "1 2: 2-1", &[]),
            ("isolated vertices", "p edge 4 1\ne 1 4\n", "1 2 3 4: 1-4", &[]),
            ("no vertices", "p edge 0 0\n", ":", &[]),
            ("loops", "p edge 1 1\ne 1 1\n", "1: 1-1", &[]),
            ("another number of edges", "p edge 2 7\ne 1 2\n", "1 2: 1-2", &["7 edges announced, 1 listed"]),
            (
                "edges listed again",
                "p edge 2 3\ne 1 2\ne 1 2\ne 2 1\n",
                "1 2: 1-2",
                &["merged 1 repeated edge"],
            ),
        ],
    );
    let question = |content| read("x.col", content).unwrap().question();
    assert_eq!(question("p edge 2 0\n"), Question::default());
    assert_eq!(question("p edge 9 0\nl 5\nt 9 1\n"), Question { max_length: Some(5), pair: Some((8, 0)) });
}

#[test]
fn refused() {
    check_refused(&[
        ("x.col", "", "x.col: no line \"p edge VERTICES EDGES\""),
        ("x.col", "c p\n", "x.col: no line \"p edge VERTICES EDGES\""),
        (
            "x.col",
            "e 1 2\n",
            "x.col:1: expected a line \"p edge VERTICES EDGES\" before any other, found \"e 1 2\"",
        ),
        ("x.col", "p 2 1\n", "x.col:1: expected one line \"p edge VERTICES EDGES\", found \"p 2 1\""),
        ("x.col", "p edge 2\n", "x.col:1: expected one line \"p edge VERTICES EDGES\", found \"p edge 2\""),
        (
            "x.col",
            "p edge 2 1\np edge 2 1\n",
            "x.col:2: expected one line \"p edge VERTICES EDGES\", found \"p edge 2 1\"",
        ),
        (
            "x.col",
            "p edge 9223372036854775808 1\n",
            "x.col:1: expected fewer than 2^30 vertices, found \"p edge 9223372036854775808 1\"",
        ),
        (
            "x.col",
            "p edge 2 1\ne 1 3\n",
            "x.col:2: expected \"e U V\" with vertices from 1 to 2, found \"e 1 3\"",
        ),
        (
            "x.col",
            "p edge 2 1\ne 0 1\n",
            "x.col:2: expected \"e U V\" with vertices from 1 to 2, found \"e 0 1\"",
        ),
        (
            "x.col",
            "p edge 2 1\ne 1 2 3\n",
            "x.col:2: expected \"e U V\" with vertices from 1 to 2, found \"e 1 2 3\"",
        ),
        ("x.col", "p edge 2 1\nl x\n", "x.col:2: expected \"l LENGTH\", found \"l x\""),
        (
            "x.col",
            "p edge 2 1\nt 1\n",
            "x.col:2: expected \"t S T\" with vertices from 1 to 2, found \"t 1\"",
        ),
        (
            "x.col",
            "p edge 2 1\na 1 2\n",
            "x.col:2: expected a line that starts with c, p, e, l or t, found \"a 1 2\"",
        ),
    ]);
}
