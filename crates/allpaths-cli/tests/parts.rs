//! Many files: parts, manifests, shards, and runs that are killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn allpaths(folder: &Path, arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_allpaths"));
    program.current_dir(folder).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    allpaths(folder, arguments).output().unwrap()
}

#[track_caller]
fn done(folder: &Path, arguments: &[&str]) {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], code: i32, words: &str) {
    let output = run(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert!(error.contains(words), "{error}");
}

/// Everything in a folder, hidden files included.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// A folder with so many files of graphs, each unlike the others.
fn parts(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("parts")).unwrap();
    done(folder.path(), &["convert", "demo", "-o", "whole.parquet"]);
    for part in 0..count {
        let graph = folder.path().join(format!("parts/g{part}.parquet"));
        fs::copy(folder.path().join("whole.parquet"), graph).unwrap();
        // Molecules of growing length beside graphs in tables.
        let chain = |n: usize| format!("{}O chain{n}", "C".repeat(n % 30 + part + 1));
        let chains = (1..60).map(chain).collect::<Vec<_>>().join("\n");
        fs::write(folder.path().join(format!("parts/m{part:02}.smi")), chains).unwrap();
    }
    folder
}

const EMBED: [&str; 7] =
    ["embed", "parts/*", "--encoding", "sequence", "--max-length=5", "--hash-bits=18", "-o"];

fn embed<'a>(more: &[&'a str]) -> Vec<&'a str> {
    EMBED.iter().copied().chain(more.iter().copied()).collect()
}

#[test]
fn killed_ten_times_it_ends_with_the_same_bytes() {
    let folder = parts(20);
    let path = folder.path();
    done(path, &embed(&["whole/"]));
    let lines = || fs::read_to_string(path.join("out/manifest.jsonl")).map_or(0, |text| text.lines().count());
    let mut kills = 0;
    while kills < 10 {
        let before = lines();
        let mut program = allpaths(path, &embed(&["out/", "--resume"])).spawn().unwrap();
        // Anywhere in the part after the next one, or in the note that it is done.
        while lines() <= before && program.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(700 * kills));
        if program.try_wait().unwrap().is_some() {
            // Done before it could be killed: from the start.
            fs::remove_dir_all(path.join("out")).unwrap();
            continue;
        }
        program.kill().unwrap();
        program.wait().unwrap();
        kills += 1;
    }
    // As if it had been killed in the middle of a line.
    let manifest = path.join("out/manifest.jsonl");
    let mut bytes = fs::read(&manifest).unwrap();
    bytes.extend(b"{\"input\":\"par");
    fs::write(&manifest, bytes).unwrap();
    done(path, &embed(&["out/", "--resume"]));
    assert!(content(&path.join("out")) == content(&path.join("whole")));
    // Nothing is left to do, and nothing changes.
    done(path, &embed(&["out/", "--resume", "--threads=1"]));
    assert!(content(&path.join("out")) == content(&path.join("whole")));
}

#[test]
fn a_part_that_was_lost_is_made_anew() {
    let folder = parts(2);
    let path = folder.path();
    done(path, &embed(&["out/"]));
    let whole = content(&path.join("out"));
    fs::remove_file(path.join("out/m01.parquet")).unwrap();
    fs::write(path.join("out/g0.parquet"), "short").unwrap();
    done(path, &embed(&["out/", "--resume"]));
    assert!(content(&path.join("out")) == whole);
}

#[test]
fn shards_make_the_same_parts() {
    let folder = parts(3);
    let path = folder.path();
    done(path, &embed(&["whole/"]));
    for shard in ["1/4", "2/4", "3/4", "4/4"] {
        done(path, &embed(&["out/", "--shard", shard]));
    }
    let only_parts = |folder: &str| {
        let mut content = content(&path.join(folder));
        content.retain(|name, _| !name.starts_with("manifest"));
        content
    };
    assert!(only_parts("out") == only_parts("whole"));
    assert_eq!(only_parts("out").len(), 6);
}

#[test]
fn folders_patterns_and_standard_input_are_the_same_graphs() {
    let folder = parts(1);
    let path = folder.path();
    let kind = ["--parts=svm", "--hash-bits=10", "-l3"];
    done(path, &[&["embed", "parts/", "-o", "a/"], &kind[..]].concat());
    done(path, &[&["embed", "p*s/*.???*", "-o", "b/"], &kind[..]].concat());
    done(path, &[&["embed", "**/[a-m]0*.smi", "-o", "c/"], &kind[..]].concat());
    for other in ["b/", "c/"] {
        assert!(content(&path.join("a/"))["m00.svm"] == content(&path.join(other))["m00.svm"]);
    }
    for (input, format) in [("m00.smi", "smiles"), ("g0.parquet", "parquet")] {
        let mut arguments = vec!["embed", "-", "--input-format", format, "-o", "piped.svm"];
        arguments.extend(&kind[1..]);
        let input = path.join("parts").join(input);
        let output = allpaths(path, &arguments).stdin(fs::File::open(&input).unwrap()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let part = path.join("a").join(input.file_name().unwrap()).with_extension("svm");
        assert!(fs::read(path.join("piped.svm")).unwrap() == fs::read(part).unwrap());
    }
}

#[test]
fn what_cannot_be_done_in_parts_is_refused() {
    let folder = parts(1);
    let path = folder.path();
    done(path, &embed(&["out/"]));
    refused(path, &embed(&["out/"]), 2, "parts were written here before: --resume goes on");
    refused(path, &embed(&["out/", "--resume", "--edge-labels"]), 2, "with other settings");
    refused(path, &embed(&["out/", "--shard=0/2"]), 2, "a shard is a number from 1");
    refused(path, &["embed", "parts/", "--parts=npz", "-o", "new/"], 2, "--vocabulary or --hash-bits");
    refused(path, &["embed", "parts/*.sdf", "-o", "new/"], 3, "parts/*.sdf: nothing is called like that");
    refused(path, &["embed", "parts/", "-o", "new.parquet"], 2, "new.parquet: parts go to a folder");
    refused(path, &["embed", "-", "-o", "new/", "--resume"], 2, "standard input cannot be read again");
    fs::write(path.join("parts/m00.smi"), "CC\n").unwrap();
    refused(path, &embed(&["out/", "--resume"]), 3, "parts/m00.smi: has changed since out/m00.parquet");
}
