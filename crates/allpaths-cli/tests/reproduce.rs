//! The paper's experiments, in their short form on small datasets of the same names.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const DATASETS: [(&str, usize); 5] =
    [("MUTAG", 30), ("PTC_MR", 30), ("NCI1", 160), ("NCI109", 160), ("ENZYMES", 30)];

/// Rings of five and six vertices with tails and labels that vary with a number; the class tells the ring, but for one graph in seven. One
/// label wants to be more than text.
fn write_dataset(folder: &Path, name: &str, graphs: usize) {
    const LABELS: [&str; 4] = ["C", "N", "<script>alert(1)</script>", "O"];
    let mut files: [(&str, String); 5] =
        ["A", "graph_indicator", "graph_labels", "node_labels", "edge_labels"]
            .map(|part| (part, String::new()));
    let mut vertices = 0;
    for graph in 0..graphs {
        let (ring, tail) = (5 + graph % 2, 1 + (graph * 7 + graph / 10) % 5);
        let n = ring + tail;
        for v in 0..n {
            writeln!(files[1].1, "{}", graph + 1).unwrap();
            writeln!(files[3].1, "{}", LABELS[(graph * 5 + v * v) % 7 % 4]).unwrap();
        }
        let edges = (0..ring)
            .map(|v| (v, (v + 1) % ring))
            .chain((ring..n).map(|v| (if v == ring { graph % ring } else { v - 1 }, v)));
        for (u, v) in edges {
            for (from, to) in [(u, v), (v, u)] {
                writeln!(files[0].1, "{}, {}", vertices + from + 1, vertices + to + 1).unwrap();
                writeln!(files[4].1, "{}", (u + v + graph) % 2).unwrap();
            }
        }
        let class = if graph % 7 == 0 { 1 } else { graph % 2 };
        writeln!(files[2].1, "{class}").unwrap();
        vertices += n;
    }
    let folder = folder.join(name);
    fs::create_dir_all(&folder).unwrap();
    for (part, text) in files {
        fs::write(folder.join(format!("{name}_{part}.txt")), text).unwrap();
    }
}

struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        DATASETS.iter().for_each(|&(name, graphs)| write_dataset(&folder.path().join("data"), name, graphs));
        Self { folder }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn report(&self) -> PathBuf {
        self.folder.path().join("report")
    }

    fn reproduce(&self, more: &[&str]) -> Output {
        let mut program = Command::new(env!("CARGO_BIN_EXE_allpaths"));
        program
            .args(["reproduce", "--quick", "--data"])
            .arg(self.data())
            .arg("-o")
            .arg(self.report())
            .args(more);
        program.output().unwrap()
    }

    fn done(&self, more: &[&str]) -> Output {
        let output = self.reproduce(more);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }

    fn page(&self) -> String {
        fs::read_to_string(self.report().join("report.html")).unwrap()
    }

    fn results(&self) -> Value {
        serde_json::from_slice(&fs::read(self.report().join("results.json")).unwrap()).unwrap()
    }

    /// The rows without what time does to them.
    fn accuracies(&self) -> Vec<Value> {
        let mut rows = self.results()["rows"].as_array().unwrap().clone();
        rows.retain(|row| row.get("accuracy").is_some());
        rows.iter_mut().for_each(|row| drop(row["accuracy"].as_object_mut().unwrap().remove("seconds")));
        rows
    }
}

/// How many jobs were done, as standard error tells.
fn jobs(output: &Output) -> usize {
    String::from_utf8_lossy(&output.stderr).lines().filter(|line| line.starts_with('[')).count()
}

/// All paths to values, with `[]` for any element of a list.
fn shape(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| shape(member, &format!("{path}.{name}"), found));
        }
        Value::Array(elements) => {
            elements.iter().for_each(|element| shape(element, &format!("{path}[]"), found));
        }
        Value::Null => {}
        _ => drop(found.insert(path.to_owned())),
    }
}

#[test]
fn every_experiment_is_there_and_its_results_have_a_shape_to_rely_on() {
    let fixture = Fixture::new();
    fixture.done(&[]);
    let results = fixture.results();
    let rows = results["rows"].as_array().unwrap();
    let of = |part: &str| rows.iter().filter(|row| row["part"] == part).count();
    let counts = ["table1", "table2", "table2plus", "table3", "figure1", "figure2", "figure3"].map(of);
    // Table 2 has 16 readings for each dataset, and two more where the appendix gives a scale; the others have a cell for each kernel or engine.
    assert_eq!(counts, [12, 5 * 16 + 2, 10, 25, 2, 2, 2]);
    let mut found = BTreeSet::new();
    shape(&results, "", &mut found);
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found.join("\n"), include_str!("results-shape.txt").trim_end());
    for figure in ["figure1", "figure2", "figure3"] {
        let svg = fs::read_to_string(fixture.report().join(format!("figures/{figure}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{figure}");
    }
    let page = fixture.page();
    assert_eq!(page.matches("<svg").count(), 3);
    // A label that wants to be a script is text.
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "labels are escaped");
}

#[test]
fn every_command_gives_the_number_beside_it() {
    let fixture = Fixture::new();
    fixture.done(&["--only", "table1,table2,table2plus", "--seed", "3"]);
    for row in fixture.accuracies() {
        let command = row["command"].as_str().unwrap();
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("allpaths"));
        let output = Command::new(env!("CARGO_BIN_EXE_allpaths"))
            .args(words)
            .args(["--format", "json"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        let again: Value = serde_json::from_slice(&output.stdout).unwrap();
        for field in ["accuracy_mean", "accuracy_std", "protocol", "baseline_majority"] {
            assert_eq!(again[field], row["accuracy"][field], "{field}: {command}");
        }
    }
}

#[test]
fn what_is_finished_is_not_done_again() {
    let fixture = Fixture::new();
    let only = ["--only", "table1"];
    let all = jobs(&fixture.done(&only));
    assert_eq!(all, 12);
    let (first, page) = (fixture.accuracies(), fixture.page());
    assert_eq!(jobs(&fixture.done(&only)), 0);
    // Some are lost, one is damaged.
    let mut cells: Vec<PathBuf> =
        fs::read_dir(fixture.report().join("cells")).unwrap().map(|entry| entry.unwrap().path()).collect();
    cells.sort();
    assert_eq!(cells.len(), all);
    cells[..4].iter().for_each(|cell| fs::remove_file(cell).unwrap());
    fs::write(&cells[4], "{\"of\": 1").unwrap();
    assert_eq!(jobs(&fixture.done(&only)), 5);
    assert_eq!(fixture.accuracies(), first);
    assert_eq!(fixture.page(), page);
    // Other graphs and another seed are other work.
    assert_eq!(jobs(&fixture.done(&["--only", "table1", "--seed", "2"])), all);
    write_dataset(&fixture.data(), "MUTAG", 32);
    assert_eq!(jobs(&fixture.done(&only)), all / 2);
}

#[test]
fn a_dataset_that_is_not_there_is_named_and_the_rest_is_done() {
    let fixture = Fixture::new();
    fs::remove_dir_all(fixture.data().join("NCI109")).unwrap();
    let output = fixture.done(&["--only", "table2plus"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("not found, and left out: NCI109"));
    assert!(fixture.page().contains("Not found, and left out: NCI109."));
    assert_eq!(fixture.accuracies().len(), 8);

    fs::remove_dir_all(fixture.data()).unwrap();
    let output = fixture.reproduce(&[]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("none of MUTAG, PTC_MR, NCI1, NCI109, ENZYMES is there"), "{said}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let fixture = Fixture::new();
    let output = fixture.reproduce(&["--only", "table9"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("\"table9\" is no part of the paper"));

    fs::write(fixture.data().join("MUTAG/MUTAG_A.txt"), "1, many\n").unwrap();
    let output = fixture.reproduce(&["--only", "table1"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("MUTAG_A.txt:1"));

    fs::remove_file(fixture.data().join("PTC_MR/PTC_MR_graph_labels.txt")).unwrap();
    let output = fixture.reproduce(&["--only", "table2"]);
    assert_eq!(output.status.code(), Some(3));
}
