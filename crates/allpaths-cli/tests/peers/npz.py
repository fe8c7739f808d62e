"""Checks that NumPy and SciPy read the matrices of `allpaths count --by pair -o` and find the numbers of its JSON.

Run from the root of the project, after a build: `make peers-test`.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy
import scipy.sparse

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
PROGRAM = os.environ.get("ALLPATHS", TARGET / "debug" / "allpaths")


def count(*arguments):
    """The JSON report of one run."""
    command = [PROGRAM, "count", "--by", "pair", "--format", "json", *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def check(folder, *arguments):
    """Reads the matrices, compares every entry with the JSON, and says how many there were."""
    report = count(*arguments)
    path = Path(folder) / "pairs.npz"
    written = count(*arguments, "-o", path)
    assert "by_pair" not in written and written["output"] == str(path)
    assert written["paths"] == report["paths"]

    with numpy.load(path, allow_pickle=False) as z:
        names = z["names"].tolist()
        assert z["max_length"] == report["max_length"]
        assert z["shape"].tolist() == [report["vertices"]] * 2 == [len(names)] * 2
        entries = 0
        for length in range(1, int(z["max_length"]) + 1):
            data, indices, indptr = (z[f"length_{length}_{part}"] for part in ("data", "indices", "indptr"))
            assert (data.dtype, indices.dtype, indptr.dtype) == (numpy.uint64, numpy.int32, numpy.int64)
            matrix = scipy.sparse.csr_matrix((data, indices, indptr), shape=z["shape"])
            matrix.check_format(full_check=True)
            found = {(names[u], names[v]): int(n) for (u, v), n in matrix.todok().items()}
            expected = {}
            for pair in report["by_pair"]:
                if (paths := int(pair["paths"][length])) > 0:
                    expected[pair["source"], pair["target"]] = paths
                    if not report["directed"]:
                        expected[pair["target"], pair["source"]] = paths
            assert found == expected, f"length {length} of {arguments}"
            ends = 1 if report["directed"] else 2
            assert matrix.sum() == ends * int(report["paths"][length])
            entries += matrix.nnz
    print(f"{' '.join(map(str, arguments))}: {entries} entries are the same")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check(folder, "examples/caffeine.gml", "--max-length", 9)
        check(folder, "examples/roads.csv", "--max-length", 6)
        check(folder, "examples/trust.csv", "--directed", "--max-length", 5)
        names = Path(folder) / "names.csv"
        names.write_text("source,target\nJosé,北京\n北京,a much longer name\n", encoding="utf-8")
        check(folder, names, "--max-length", 3)
        alone = Path(folder) / "alone.gml"
        alone.write_text("graph [ node [ id 1 ] node [ id 2 ] ]", encoding="utf-8")
        check(folder, alone, "--max-length", 2)


main()
