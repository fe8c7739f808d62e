//! Datasets by name, as the program finds and fetches them.

#[path = "../../allpaths/tests/server/mod.rs"]
#[allow(dead_code)] // the library's tests use the rest of it
mod server;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use allpaths::dataset::Writer;
use allpaths::{Dataset, Graph};
use server::{Reply, Server};

/// An archive of one triangle and one path.
fn archive(name: &str) -> Vec<u8> {
    let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
    let path = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
    let data = Dataset::from_graphs(name, vec![triangle, path]);
    Writer::new().bytes(&data, format!("{name}.zip")).unwrap().0
}

/// A site that has every dataset.
fn site() -> Server {
    Server::start(|request| {
        let name = request.path.trim_start_matches("/sets/").trim_end_matches(".zip");
        Reply::file(request, &archive(name), "\"1\"")
    })
}

/// The program, with nothing but a cache and a site.
fn allpaths(cache: &Path, site: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_allpaths"));
    program
        .current_dir(cache)
        .env_remove("ALLPATHS_DATA")
        .env("ALLPATHS_CACHE", cache)
        .env("ALLPATHS_SITE", site);
    program.stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

/// Exit code, output and messages.
fn run(program: &mut Command) -> (Option<i32>, String, String) {
    told(program.output().unwrap())
}

fn told(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn every_command_that_reads_takes_a_name() {
    let (server, cache) = (site(), tempfile::tempdir().unwrap());
    let place = cache.path().join("datasets/MUTAG.zip");
    let count = ["count", "MUTAG", "--max-length", "3", "--format", "csv"];
    let (code, out, messages) = run(allpaths(cache.path(), server.site()).args(count));
    assert_eq!(messages, format!("note: MUTAG: fetched into {}\n", place.display()));
    assert_eq!(code, Some(0));
    // Three edges and two, three paths of two edges and one, one triangle.
    assert_eq!(out, "input,length,paths,cycles\nMUTAG,0,6,0\nMUTAG,1,5,0\nMUTAG,2,4,0\nMUTAG,3,0,1\n");
    let (_, again, messages) = run(allpaths(cache.path(), server.site()).args(count));
    assert_eq!((again, messages.as_str()), (out, ""), "nothing is fetched a second time");
    for arguments in [
        ["embed", "MUTAG", "-o", "features.npz"],
        ["embed", "MUTAG", "-o", "features.parquet"],
        ["gram", "MUTAG", "-o", "gram.npy"],
        ["convert", "MUTAG", "-o", "graphs.g6"],
    ] {
        let (code, _, messages) = run(allpaths(cache.path(), server.site()).args(arguments));
        assert_eq!(code, Some(0), "{arguments:?}: {messages}");
        assert!(cache.path().join(arguments[3]).exists(), "{arguments:?}");
    }
    assert_eq!(server.requests().len(), 1);
    // The input is left as it is, by whatever name it was given.
    let before = fs::read(&place).unwrap();
    let convert = ["convert", "MUTAG", "-o", "datasets/MUTAG.zip"];
    let (code, _, messages) = run(allpaths(cache.path(), server.site()).args(convert));
    assert_eq!((code, messages.contains("is the input")), (Some(2), true), "{messages}");
    assert_eq!(fs::read(&place).unwrap(), before);
}

#[test]
fn a_file_comes_before_a_dataset_of_its_name_and_data_before_the_cache() {
    let (server, folder) = (site(), tempfile::tempdir().unwrap());
    let cache = folder.path();
    let vertices = |program: &mut Command| {
        let (code, out, messages) =
            run(program.args(["count", "MUTAG", "--max-length", "0", "--format", "csv"]));
        assert_eq!((code, messages.as_str()), (Some(0), ""));
        out.rsplit(',').nth(1).unwrap().parse::<usize>().unwrap()
    };
    fs::create_dir_all(cache.join("data/datasets/MUTAG")).unwrap();
    fs::write(cache.join("data/datasets/MUTAG/MUTAG_A.txt"), "1, 2\n").unwrap();
    fs::write(cache.join("data/datasets/MUTAG/MUTAG_graph_indicator.txt"), "1\n1\n").unwrap();
    assert_eq!(vertices(allpaths(cache, server.site()).env("ALLPATHS_DATA", cache.join("data"))), 2);
    fs::write(cache.join("MUTAG"), "1 2\n2 3\n3 4\n").unwrap();
    assert_eq!(vertices(allpaths(cache, server.site()).env("ALLPATHS_DATA", cache.join("data"))), 4);
    assert!(server.requests().is_empty());
}

#[test]
fn the_list_says_where_datasets_are() {
    let (server, folder) = (site(), tempfile::tempdir().unwrap());
    let cache = folder.path();
    let place = |name: &str| cache.join("datasets").join(name).display().to_string();
    let fetch = ["datasets", "fetch", "MUTAG", "ENZYMES", "--format", "json"];
    let (code, out, messages) = run(allpaths(cache, server.site()).args(fetch));
    assert_eq!((code, messages.as_str()), (Some(0), ""));
    let enzymes = format!(
        r#"{{"name":"ENZYMES","graphs":600,"classes":6,"vertex_labels":true,"edge_labels":false,"vertex_attributes":18,"edge_attributes":0,"place":"{}"}}"#,
        place("ENZYMES.zip")
    );
    assert_eq!(out.lines().nth(1), Some(enzymes.as_str()));
    let (_, listed, _) = run(allpaths(cache, server.site()).args(["datasets", "--format", "json"]));
    assert_eq!(listed.lines().filter(|line| !line.contains(r#""place":null"#)).count(), 2);
    assert!(listed.lines().any(|line| line == enzymes));
    let (_, table, _) = run(allpaths(cache, server.site()).arg("datasets"));
    assert!(
        table.lines().any(|line| line.starts_with("MUTAG ") && line.ends_with(&place("MUTAG.zip"))),
        "{table}"
    );
    let (_, csv, _) = run(allpaths(cache, server.site()).args(["datasets", "--format", "csv"]));
    let line = format!("MUTAG,188,2,true,true,0,0,{}", place("MUTAG.zip"));
    assert!(csv.lines().any(|found| found == line), "{csv}");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn faults_have_messages_and_codes() {
    let (server, folder) = (site(), tempfile::tempdir().unwrap());
    let cache = folder.path();
    let offline = "http://127.0.0.1:1";
    let too_large = ["datasets", "fetch", "MUTAG", "--max-download", "100B"];
    for (site, arguments, code, message) in [
        (
            offline,
            ["count", "MUTAG"].as_slice(),
            3,
            "without a network, put the folder MUTAG or the file MUTAG.zip into",
        ),
        (offline, &["datasets", "fetch", "MUTAG"], 3, "cannot be reached"),
        ("http://example.org", &["count", "MUTAG"], 2, "by https only"),
        (server.site(), &too_large, 3, "larger than 100 bytes: raise max_download"),
        (offline, &["datasets", "fetch", "MUTGA"], 2, "no dataset \"MUTGA\" is known: did you mean MUTAG?"),
        (offline, &["count", "MUTGA"], 3, "did you mean MUTAG? `allpaths datasets` lists"),
        (offline, &["count", "nothing"], 3, "nothing: no such file or folder, nor a dataset of that name"),
        (offline, &["count", "nothing.gml"], 3, "nothing.gml: cannot be read or written: "),
        (offline, &["count", "MUTAG/"], 3, "MUTAG/: cannot be read or written: "),
    ] {
        let (found, out, messages) = run(allpaths(cache, site).args(arguments));
        assert_eq!((found, out.as_str()), (Some(code), ""), "{arguments:?}: {messages}");
        assert!(messages.contains(message), "{arguments:?}: {messages}");
    }
    // The flag comes before the environment.
    let (code, _, _) =
        run(allpaths(cache, offline).args(["datasets", "fetch", "MUTAG", "--site", server.site()]));
    assert_eq!(code, Some(0));
    fs::write(cache.join("datasets/MUTAG.zip"), archive("NCI1")).unwrap();
    let (code, _, messages) = run(allpaths(cache, server.site()).args(["count", "MUTAG"]));
    assert_eq!((code, messages.contains("not what it was")), (Some(3), true), "{messages}");
}

#[test]
fn programs_that_fetch_at_the_same_time_share_one_download() {
    let folder = tempfile::tempdir().unwrap();
    // The first answer waits until another program is there, too.
    let is_open = std::sync::Arc::new(AtomicBool::new(false));
    let gate = std::sync::Arc::clone(&is_open);
    let server = Server::start(move |request| {
        while !gate.load(SeqCst) {
            std::thread::yield_now();
        }
        Reply::file(request, &archive("MUTAG"), "\"1\"")
    });
    let fetch = || {
        allpaths(folder.path(), server.site()).args(["count", "MUTAG", "--format", "csv"]).spawn().unwrap()
    };
    let programs: Vec<_> = (0..3).map(|_| fetch()).collect();
    is_open.store(true, SeqCst);
    let outputs: Vec<_> =
        programs.into_iter().map(|program| told(program.wait_with_output().unwrap())).collect();
    for (code, out, messages) in &outputs {
        assert_eq!((*code, out), (Some(0), &outputs[0].1), "{messages}");
    }
    assert_eq!(server.requests().len(), 1);
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_download_that_stalls() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|request| Reply::file(request, &archive("MUTAG"), "\"1\"").stalled(50));
    let program = allpaths(folder.path(), server.site()).args(["count", "MUTAG"]).spawn().unwrap();
    // The handler of Ctrl-C is set up before anything is asked for.
    while server.requests().is_empty() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap().success());
    let (code, out, messages) = told(program.wait_with_output().unwrap());
    assert_eq!((code, out.as_str()), (Some(4), ""), "{messages}");
    assert!(messages.contains("stopped before MUTAG was fetched"), "{messages}");
}
