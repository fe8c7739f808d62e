import os
import random
import subprocess
from pathlib import Path

import networkx as nx
import pytest

import allpaths as ap

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root():
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def data():
    """The folder with real data."""
    folder = Path(os.environ.get("ALLPATHS_DATA", ROOT.parent / "shared"))
    if not (folder / "datasets").is_dir():
        pytest.skip(f"no real data: ALLPATHS_DATA names {folder}, which has no datasets")
    return folder


@pytest.fixture(scope="session")
def mutag(data):
    return ap.datasets.load_tu(data / "datasets" / "MUTAG")


@pytest.fixture(scope="session")
def molecules(root):
    """Four small molecules that ship with the project."""
    return ap.datasets.load_tu(root / "examples" / "molecules")


@pytest.fixture(scope="session")
def program():
    """The program of the same sources."""
    path = os.environ.get("ALLPATHS_PROGRAM")
    if path is None:
        pytest.skip("ALLPATHS_PROGRAM names no program to compare with")
    return path


@pytest.fixture
def run(program):
    """Runs the program and gives what it prints."""
    return lambda *arguments: subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def random_graph(seed, directed=False, labelled=True):
    """A small random graph of networkx, with loops and vertices alone."""
    chance = random.Random(seed)
    order = chance.randrange(1, 9)
    graph = nx.gnp_random_graph(order, chance.random(), seed=seed, directed=directed)
    graph.add_edges_from((v, v) for v in range(order) if chance.random() < 0.1)
    if labelled:
        nx.set_node_attributes(graph, {v: chance.choice("CNO") for v in graph}, "label")
        nx.set_edge_attributes(graph, {e: chance.choice("-=") for e in graph.edges}, "label")
    return graph


@pytest.fixture(scope="session")
def random_graphs():
    return [random_graph(seed) for seed in range(40)]
