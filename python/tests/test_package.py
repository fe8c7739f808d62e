"""The package as people get it: stubs, imports, README, examples, the wheel."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import allpaths as ap

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def python(*arguments, **options):
    ended = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False, **options)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_stubs_tell_the_truth(tmp_path):
    stubtest = Path(sysconfig.get_path("scripts")) / "stubtest"
    ended = subprocess.run([stubtest, "allpaths._native"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_importing_imports_little():
    loaded = python("-c", "import sys, allpaths; print(*sys.modules)").split()
    assert "allpaths._native" in loaded
    assert not {"numpy", "scipy", "sklearn", "networkx", "pyarrow"} & set(loaded)


def test_all_names_are_there():
    assert set(ap.__all__) <= set(dir(ap))
    for name in ap.__all__:
        assert getattr(ap, name).__doc__, name
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        ap.nonsense  # noqa: B018
    assert (Path(ap.__file__).parent / "py.typed").exists()


def test_the_readme_runs(root):
    blocks = re.findall(r"```python\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        printed = python("-c", block, cwd=root).splitlines()
        promised = re.findall(r"print\(.*\)  # (.*)", block)
        assert printed == promised


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(example, data):
    promised = re.search(r"prints::?\n\n((?:    .*\n|\n)+)", example.read_text())
    printed = python("-W", "ignore", example, env={**os.environ, "ALLPATHS_DATA": str(data)})
    if promised:
        lines = [line.strip() for line in promised.group(1).splitlines() if line.strip()]
        assert [line.strip() for line in printed.splitlines() if line.strip()] == lines
    else:
        assert printed


def test_the_wheel_installs_alone(root, tmp_path):
    wheels = list((root / "target" / "wheels").glob("allpaths-*.whl"))
    if not wheels:
        pytest.skip("no wheel: make wheel builds it")
    (wheel,) = wheels
    assert "abi3" in wheel.name
    venv.create(tmp_path, with_pip=True)
    there = tmp_path / "bin" / "python"
    subprocess.run([there, "-m", "pip", "install", "-q", wheel], check=True)
    script = (
        "import allpaths as ap; print(ap.count_cycles([(0, 1), (1, 2), (2, 0)], 3), ap.AllPathsCycles(1).fit_transform([[(0, 1)]]).sum())"
    )
    ended = subprocess.run([there, "-c", script], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert ended.stdout == "[0, 0, 0, 1] 3\n"
