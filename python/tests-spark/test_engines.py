"""The examples of ENGINES.md run, and give what one process gives."""

import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

EXAMPLES = dict(re.findall(r"## ([^\n]+)\n.*?```python\n(.*?)```", (Path(__file__).parents[1] / "ENGINES.md").read_text(), re.DOTALL))


@pytest.fixture(scope="session")
def graphs(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("engines") / "graphs.parquet"
    pq.write_table(table, path, row_group_size=60)
    return str(path)


@pytest.mark.parametrize("engine", ["One process", "Dask", "Ray"])
def test_an_example_gives_what_one_process_gives(engine, graphs, expected):
    names = {"graphs": graphs}
    if engine == "Ray":
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        exec(EXAMPLES[engine], names)
    finally:
        if engine == "Ray":
            ray.shutdown()
    assert {row["id"]: row for row in names["rows"]} == expected(max_length=4, n_features=2**18)
