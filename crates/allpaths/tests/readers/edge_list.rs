//! Edge lists: what separates, what counts as a header, what is kept.

use allpaths::dataset::Reader;
use allpaths::graph::{Attribute, Values};

use super::{check, check_refused, read, read_among, shown};

#[test]
fn lists() {
    check(
        "txt",
        &[
            ("blanks", "1 2\n2  3\n", "1 2 3: 1-2 2-3", &[]),
            ("tabs", "1\t2\n2\t3\n", "1 2 3: 1-2 2-3", &[]),
            ("commas, blanks after them", "1, 2\n2 ,3\n", "1 2 3: 1-2 2-3", &[]),
            ("semicolons", "1;2\n2;3\n", "1 2 3: 1-2 2-3", &[]),
            ("names with blanks", "New York\tBonn\n", "New York Bonn: New York-Bonn", &[]),
            ("CRLF, last line open", "1 2\r\n2 3", "1 2 3: 1-2 2-3", &[]),
            ("byte order mark", "\u{feff}1 2\n", "1 2: 1-2", &[]),
            (
                "comments, empty and indented lines",
                "# a b\n\n% c d\n  1 2\n \n#\n\t3 1",
                "1 2 3: 1-2 3-1",
                &[],
            ),
            ("listed from both ends", "1 2\n2 1\n", "1 2: 1-2", &[]),
            ("listed twice", "1 2\n1 2\n", "1 2: 1-2", &["merged 1 repeated edge"]),
            ("listed often", "1 2\n2 1\n1 2\n2 1\n2 1", "1 2: 1-2", &["merged 2 repeated edges"]),
            ("loops", "1 1\n1 2\n1 1\n", "1 2: 1-1 1-2", &["merged 1 repeated edge"]),
            ("gaps in ids, any order", "70 5\n5 1000000\n", "70 5 1000000: 70-5 5-1000000", &[]),
            ("zeros in front", "1 01\n001 1\n", "1 01 001: 1-01 001-1", &[]),
            ("signs", "-1 1\n+1 1\n", "-1 1 +1: -1-1 +1-1", &[]),
            (
                "ids of 2^63, 2^64 and more",
                "9223372036854775808 18446744073709551616\n18446744073709551616 1000000000000000000000\n",
                "9223372036854775808 18446744073709551616 1000000000000000000000: \
                 9223372036854775808-18446744073709551616 18446744073709551616-1000000000000000000000",
                &[],
            ),
            ("words", "ann bob\nbob Bob\nzoë ann\n", "ann bob Bob zoë: ann-bob bob-Bob zoë-ann", &[]),
            ("weights", "1 2 0.5\n2 3 -1e3\n", "1 2 3: 1-2(0.5) 2-3(-1000)", &[]),
            (
                "weights that differ",
                "1 2 3\n2 1 4\n",
                "1 2: 1-2(3)",
                &[
                    "1 listing with a label or weight unlike its first listing's, which counts; if edges have \
                     a direction, read the file as directed",
                ],
            ),
            ("further columns", "1 2 7 1999\n2 3 8\n", "1 2 3: 1-2(7) 2-3(8)", &["read 3 columns of 4"]),
            ("a third column of words", "1 2 x\n2 3 y\n", "1 2 3: 1-2 2-3", &["read 2 columns of 3"]),
            ("nothing", "", ":", &["no edge in the file: a graph without vertices"]),
            ("comments alone", "# a b\n\n", ":", &["no edge in the file: a graph without vertices"]),
        ],
    );
}

#[test]
fn tables() {
    check(
        "csv",
        &[
            (
                "header by its words",
                "Source,Target\nann,bob\n",
                "ann bob: ann-bob",
                &["took line 1 as a header"],
            ),
            ("header by what follows", "a,b\n1,2\n", "1 2: 1-2", &["took line 1 as a header"]),
            ("no header", "a,b\nc,d\n", "a b c d: a-b c-d", &[]),
            ("header after comments", "# x\nfrom,to\n1,2\n", "1 2: 1-2", &["took line 2 as a header"]),
            ("header alone", "source,target\n", ":", &["took line 1 as a header"]),
            (
                "columns in another order",
                "weight,target,source\n0.5,b,a\n2,c,b\n",
                "a b c: a-b(0.5) b-c(2)",
                &["took line 1 as a header"],
            ),
            (
                "labels of edges",
                "source,target,label\na,b,single\nb,c,double\n",
                "a b c: a-b:single b-c:double",
                &["took line 1 as a header"],
            ),
            (
                "quoted names",
                "\"Doe, Ann\",\"the \"\"Rock\"\"\"\n\"b\" , c\n",
                "Doe, Ann the \"Rock\" b c: Doe, Ann-the \"Rock\" b-c",
                &[],
            ),
            ("quotes make no difference", "\"1\",2\n2,1\n", "1 2: 1-2", &[]),
            ("an empty field at the end", "a,b,\nb,c,\n", "a b c: a-b b-c", &["read 2 columns of 3"]),
        ],
    );
    check(
        "tsv",
        &[
            (
                "a first column without a name",
                "\tsource\ttarget\n0\tann\tbob\n1\tbob\tcy\n",
                "ann bob cy: ann-bob bob-cy",
                &["took line 1 as a header"],
            ),
            ("an empty field at the end", "a\tb\t\nb\tc\n", "a b c: a-b b-c", &[]),
            (
                "quoted names",
                "\"New\tYork\"\tBonn\nBonn\t \"Rome\" \n",
                "New\tYork Bonn Rome: New\tYork-Bonn Bonn-Rome",
                &[],
            ),
        ],
    );
}

#[test]
fn columns_that_are_neither_ends_nor_weights_are_attributes() {
    let data = read("x.csv", "source,target,weight,year,note,label\na,b,1,1999,x,s\nb,c,2,,1,\n").unwrap();
    let graph = &data.graphs()[0];
    assert_eq!(shown(graph), "a b c: a-b(1) b-c(2)");
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        graph.edge_attributes(),
        [
            Attribute::new("year", Values::Real(vec![Some(1999.0), None])),
            Attribute::new("note", Values::Text(vec![text("x"), text("1")])),
            // Not every line has one: no label, then.
            Attribute::new("label", Values::Text(vec![text("s"), None])),
        ]
    );
}

#[test]
fn refused() {
    check_refused(&[
        ("x.txt", "1 2\n3\n", "x.txt:2: expected the names of two vertices, found \"3\""),
        ("x.csv", "a,b\n# c\nb\n", "x.csv:3: expected the names of two vertices, found \"b\""),
        ("x.csv", "a,b,1\n,b,2\n", "x.csv:2: expected the names of two vertices, found \"\" \"b\" \"2\""),
        ("x.tsv", "a\tb\tc\n\tb\tc\n", "x.tsv:2: expected the names of two vertices, found \"\" \"b\" \"c\""),
        (
            "x.tsv",
            "a\tb\tc\na\t\t\"c\"\n",
            "x.tsv:2: expected the names of two vertices, found \"a\" \"\" \"c\"",
        ),
        ("x.txt", "1 2 3\n2 3\n", "x.txt:2: expected a weight, a number, in column 3, found \"\""),
        ("x.txt", "1 2 3\n2 3 x\n", "x.txt:2: expected a weight, a number, in column 3, found \"x\""),
        ("x.txt", "1 2 3\r\n2 3 inf\r\n", "x.txt:2: expected a weight, a number, in column 3, found \"inf\""),
        (
            "x.csv",
            "weight,from,to\nNaN,a,b\n",
            "x.csv:2: expected a weight, a number, in column 1, found \"NaN\"",
        ),
        ("x.csv", "a,b\n\"c,d\n", "x.csv:2: expected a closing quote before the end of the field"),
        ("x.csv", "a,b\n\"c\"d,e\n", "x.csv:2: expected a closing quote before the end of the field"),
        (
            "x.txt",
            "1 2\na_name_that_is_longer_than_any_line_of_a_message_should_be\n",
            "x.txt:2: expected the names of two vertices, found \"a_name_that_is_longer_than_any_line_of_a\"...",
        ),
    ]);
    let message = |content: &[u8]| read_among(&Reader::new(), &[("x.txt", content)], "x.txt").unwrap_err();
    assert_eq!(message(b"1 2\n2 \xff\n"), "x.txt:2: \"\u{fffd}\" is not UTF-8 text");
}
