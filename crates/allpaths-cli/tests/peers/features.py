"""Checks that SciPy, scikit-learn, pyarrow and a plain reader of CSV find the same numbers in the files of `allpaths embed`.

Run from the root of the project, after a build.
"""

import csv
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy
import pyarrow
import pyarrow.parquet
import scipy.sparse
from sklearn.datasets import load_svmlight_file

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
PROGRAM = os.environ.get("ALLPATHS", TARGET / "debug" / "allpaths")


def embed(*arguments):
    """The JSON summary of one run."""
    command = [PROGRAM, "embed", "--format", "json", *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def check(folder, source, *arguments):
    """Writes every kind of file, and compares them all with the matrix that SciPy loads."""
    path = {kind: Path(folder) / f"features.{kind}" for kind in ("npz", "svm", "csv", "parquet", "arrow")}
    summary = {kind: embed(source, *arguments, "-o", path[kind]) for kind in path}
    matrix = scipy.sparse.load_npz(path["npz"])
    matrix.check_format(full_check=True)
    assert matrix.has_sorted_indices and matrix.dtype == numpy.uint64
    named = json.loads(path["npz"].with_suffix(".json").read_text())
    names = [feature["name"] for feature in named["features"]]
    assert matrix.shape == (summary["npz"]["graphs"], summary["npz"]["features"]) == (len(named["outcomes"]), len(names))
    assert all(s["nonzeros"] == matrix.nnz and s["outcome"] == "complete" for s in summary.values())
    assert len(set(names)) == len(names)

    loaded, classes = load_svmlight_file(str(path["svm"]), n_features=matrix.shape[1])
    assert (loaded != matrix).nnz == 0
    assert named["classes"] is None or classes.tolist() == named["classes"]

    with path["csv"].open(newline="") as file:
        header, *rows = csv.reader(file)
    first = 1 if named["classes"] is None else 2
    assert header[first:] == names
    dense = numpy.array([row[first:] for row in rows], dtype=numpy.uint64).reshape(matrix.shape)
    assert (dense == matrix.toarray()).all()
    assert named["classes"] is None or [int(row[1]) for row in rows] == named["classes"]

    column = {int(feature["id"]): i for i, feature in enumerate(named["features"])}
    with pyarrow.ipc.open_file(path["arrow"]) as file:
        tables = {"arrow": file.read_all()}
    tables["parquet"] = pyarrow.parquet.read_table(path["parquet"])
    for kind, table in tables.items():
        assert table.column_names == ["id", "ids", "counts", "class", "outcome"]
        assert set(table["outcome"].to_pylist()) <= {"complete"}
        if named["classes"] is not None:
            assert table["class"].to_pylist() == named["classes"]
        for row, (ids, counts) in enumerate(zip(table["ids"].to_pylist(), table["counts"].to_pylist())):
            # Columns that no graph fills (those of a preset) have no ids to be found.
            found = {column[i]: n for i, n in zip(ids, counts, strict=True)}
            begin, end = matrix.indptr[row], matrix.indptr[row + 1]
            expected = dict(zip(matrix.indices[begin:end].tolist(), matrix.data[begin:end].tolist()))
            assert found == expected, f"{kind}: row {row} of {source}"
    print(f"{source} {' '.join(map(str, arguments))}: {matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} counts are the same")


def main():
    data = Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets"
    with tempfile.TemporaryDirectory() as folder:
        check(folder, "examples/molecules", "--edge-labels", "--profile", "triangle:3")
        check(folder, "examples/rings")
        check(folder, "examples/caffeine.gml", "--encoding", "composition", "--max-length", 4)
        if not data.is_dir():
            print(f"skipped real data: no {data}")
            return
        check(folder, data / "MUTAG", "--edge-labels", "--max-length", 5)
        check(folder, data / "NCI1", "--encoding", "power", "--max-length", 3)
        check(folder, data / "PTC_MR", "--preset", "paper", "--max-length", 4)


if __name__ == "__main__":
    main()
