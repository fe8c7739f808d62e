//! Ctrl-C stops a count and keeps what it finished.

#![cfg(unix)]

use std::fmt::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn what_was_finished_before_ctrl_c_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("complete.txt");
    let mut edges = String::new();
    for (u, v) in (0..40).flat_map(|u| (0..u).map(move |v| (u, v))) {
        writeln!(edges, "{u} {v}").unwrap();
    }
    std::fs::write(&file, edges).unwrap();
    // The signal must not come before the program listens for it; nobody can tell when that is, so try again later.
    for patience in [300, 1_000, 5_000] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_allpaths"));
        program.arg("count").arg(&file).args(["--max-length", "30", "--format", "json"]);
        // Others know that all vertices of this graph are alike, and are done too soon.
        program.args(["--engine", "depth-first"]);
        let program = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(patience));
        let signal = Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap();
        assert!(signal.success());
        let output = program.wait_with_output().unwrap();
        if output.status.code().is_none() {
            continue;
        }
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(4), "{printed}");
        assert!(printed.contains(r#""outcome":"interrupted""#), "{printed}");
        // 40 vertices, 780 edges, 40 * 39 * 38 / 2 paths of two edges, and no number for the longest.
        assert!(printed.contains(r#""paths":["40","780","29640","#), "{printed}");
        assert!(printed.contains("null]"), "{printed}");
        return;
    }
    panic!("the signal always came too early");
}
