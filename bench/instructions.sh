#!/usr/bin/env bash
# Instructions a step by callgrind, and peak memory. Both are the same on any load, unlike seconds.
#
# A step is a vertex visited: rooted paths of length 0 to max_length - 2, twice the distinct ones (length 0: once).
set -euo pipefail
program=target/release/allpaths
data=${ALLPATHS_DATA:-../shared}

steps() { # dataset, longest length
    "$program" count "$data/datasets/$1" --max-length "$2" --format json | python3 -c '
import json, sys
paths = [int(n) for n in json.load(sys.stdin)["paths"]]
print(paths[0] + 2 * sum(paths[1:-2]))'
}

instructions() { # dataset, longest length
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$program" count "$data/datasets/$1" --max-length "$2" --threads 1 2>&1 >/dev/null | awk '/Collected/ { print $4 }'
}

for job in "ENZYMES 8" "NCI1 3"; do
    read -r name length <<<"$job"
    if [ ! -d "$data/datasets/$name" ]; then echo "skipped $name: no $data/datasets/$name"; continue; fi
    # What reading and printing takes is in the count to length 0, too.
    all=$(instructions "$name" "$length"); rest=$(instructions "$name" 0); taken=$(steps "$name" "$length")
    tenths=$(((all - rest) * 10 / taken))
    echo "count/depth-first/${name,,}/$length: $taken steps, $((tenths / 10)).$((tenths % 10)) instructions a step"
done
peak=$( { /usr/bin/time -f %M "$program" count "$data/datasets/NCI1" --max-length 10 --threads 2 >/dev/null; } 2>&1 | tail -1)
echo "count/depth-first/nci1/10: peak memory $((peak / 1024)) MB"
