#!/bin/sh
# Fuzzes every reader on stable Rust: fuzz/run.sh [SECONDS] [TARGET...], 60 seconds for each of all targets by default.
#
# Starts from the seeds in corpus/ and keeps what it finds beside the build. Prints executions by target; fails when a
# target crashes, and leaves the input that did it beside the build too.
set -eu
cd "$(dirname "$0")"
seconds=${1:-60}
[ $# -eq 0 ] || shift
targets=${*:-edge_list gml dimacs matrix_market graphml graph6 node_link tu packed smiles sdf}
triple=$(rustc -vV | sed -n 's/^host: //p')
build=${CARGO_TARGET_DIR:-target}

# What nightly's -Zsanitizer-coverage would set.
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
cargo build --release --target "$triple"

failed=
for target in $targets; do
    found=$build/found/$target
    mkdir -p "$found" "$build/crashes"
    log=$build/$target.log
    if ! "$build/$triple/release/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$build/crashes/$target-" "$found" "corpus/$target" >"$log" 2>&1; then
        failed="$failed $target"
        tail -n 40 "$log"
    fi
    printf '%-14s %s executions, %s inputs kept\n' "$target" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$(find "$found" -type f | wc -l)"
done
[ -z "$failed" ] || { echo "crashed:$failed, see $build/crashes" >&2; exit 1; }
