"""Checks that the Gram matrices of `allpaths gram` are those of GraKeL, wherever both define a kernel in the same way.

All sums are of whole numbers, so kernels are equal to the last bit; normalised ones to rounding. Where definitions differ, the difference is known
and what remains without it is equal, too. Run from the root of the project, after a build.
"""

import os
import subprocess
import tempfile
from pathlib import Path

import numpy
from grakel.kernels import (
    EdgeHistogram,
    GraphletSampling,
    NeighborhoodSubgraphPairwiseDistance,
    RandomWalk,
    RandomWalkLabeled,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
    WeisfeilerLehmanOptimalAssignment,
)
from grakel.kernels._c_functions import ConSubg
from grakel.kernels._isomorphism import Graph as Subgraph

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
PROGRAM = os.environ.get("ALLPATHS", TARGET / "debug" / "allpaths")
DATA = Path(os.environ.get("ALLPATHS_DATA", "../shared")) / "datasets"


def read(name):
    """The graphs of a TU folder as GraKeL takes them: neighbours with weights, labels of vertices, labels of arcs."""
    lines = lambda part: (DATA / name / f"{name}_{part}.txt").read_text().splitlines()
    graph_of = [int(line) - 1 for line in lines("graph_indicator")]
    graphs = [({}, {}, {}) for _ in range(max(graph_of) + 1)]
    for v, (graph, label) in enumerate(zip(graph_of, lines("node_labels"), strict=True)):
        neighbours, labels, _ = graphs[graph]
        neighbours[v], labels[v] = {}, int(label)
    for line, label in zip(lines("A"), lines("edge_labels"), strict=True):
        u, v = (int(end) - 1 for end in line.split(","))
        neighbours, _, edge_labels = graphs[graph_of[u]]
        neighbours[u][v], edge_labels[u, v] = 1.0, int(label)
    return graphs


def gram(folder, dataset, *arguments):
    """Our matrix."""
    path = Path(folder) / "gram.npy"
    command = [PROGRAM, "gram", DATA / dataset, "-o", path, "--kernel", *arguments]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return numpy.load(path)


def every_connected_subgraph(neighbours, size):
    """What the sampler of GraKeL should give for a matrix of neighbours and a size.

    It tells a vertex from its parent by comparing its number with a place in a tree, and so loses subgraphs where the two coincide. Vertices that are
    numbered beyond all places have no such accident.
    """
    beyond = 10**9
    graph = {beyond + v: {beyond + int(w) for w in numpy.flatnonzero(row)} for v, row in enumerate(neighbours)}
    for members in ConSubg(graph, size, True):
        place = {v: i for i, v in enumerate(members)}
        yield Subgraph(len(members), iter((place[v], place[w]) for v in members for w in members & graph[v]))


def graphlets(graphs, size):
    """The matrix of GraKeL as it is, and without its two slips."""
    theirs = GraphletSampling(k=size).fit_transform(graphs)
    kernel = GraphletSampling(k=size)
    kernel.initialize()
    kernel.sample_graphlets_ = lambda neighbours, size, *_: every_connected_subgraph(neighbours, size)
    kernel.fit(graphs)
    counts = numpy.zeros((len(graphs), len(kernel._graph_bins)))
    for (graph, kind), count in kernel.X.items():
        counts[graph, kind] = count
    # The first graphlet of a kind that a graph has counts twice, but not in the graph that has the first of all.
    for kind in counts.T:
        having = numpy.flatnonzero(kind)
        kind[having[1:]] -= 1
    return theirs, counts @ counts.T


def canonical(labels, edge_labels, members, edges, root):
    """A text for a neighbourhood that does not depend on numbers: refined labels, also with each vertex in turn marked."""

    def refined(mark):
        words = {v: f"{labels[v]},{v == root},{v == mark}" for v in members}
        for _ in members:
            near = {v: [] for v in members}
            for u, v in edges:
                near[u].append(f"{edge_labels[u, v]}{words[v]}")
            numbers = {word: f"{i}" for i, word in enumerate(sorted({f"{words[v]}({sorted(near[v])})" for v in members}))}
            told = sorted(f"{words[v]}({sorted(near[v])})" for v in members)
            words = {v: f"{labels[v]}{numbers[f'{words[v]}({sorted(near[v])})']}" for v in members}
            yield told

    return str([list(refined(None)), sorted(str(list(refined(v))) for v in members)])


class Neighbourhoods(NeighborhoodSubgraphPairwiseDistance):
    """That of GraKeL with a name for each neighbourhood that its numbers do not change."""

    def _hash_neighborhoods(self, vertices, edges, labels, edge_labels, neighbours, _):
        names = {}
        for radius in range(self.r + 1):
            for v in vertices:
                members = set(neighbours[radius][v])
                inside = [(i, j) for (i, j) in edges if i in members and j in members]
                names[radius, v] = canonical(labels, edge_labels, members, inside, v)
        return names


def check_related(folder, dataset):
    """Random walks and pairs of neighbourhoods, on the first graphs: GraKeL takes its time."""
    graphs = read(dataset)[:30]

    def near(name, theirs, *arguments):
        ours = gram(folder, dataset, *arguments)[: len(graphs), : len(graphs)]
        numpy.testing.assert_allclose(ours, theirs, rtol=1e-10)
        print(f"{dataset}, {name}: {len(graphs)} x {len(graphs)} values are the same to ten digits")

    walks = ("random-walk", "--lambda", 0.05)
    # A pair of vertices with different labels is one walk without steps there, and none here. And its fast method multiplies labelled matrices where
    # their transposes are meant.
    orders = numpy.array([len(neighbours) for neighbours, *_ in graphs])
    unlike = numpy.outer(orders, orders) - VertexHistogram().fit_transform(graphs)
    theirs = RandomWalkLabeled(lamda=0.05, method_type="baseline").fit_transform(graphs) - unlike
    near("random walks, less pairs of unlike vertices", theirs, *walks)
    fast = RandomWalkLabeled(lamda=0.05).fit_transform(graphs) - unlike
    assert abs(fast - theirs).max() > 0.1, "GraKeL has changed: compare with its fast method as well"
    near("random walks without labels", RandomWalk(lamda=0.05, method_type="baseline").fit_transform(graphs), *walks, "--labels", 1)
    # What it takes for radius 3 reaches four steps, the union of neighbourhoods of radius 2 around those of radius 2: so this goes to 2 only.
    small = [number for number, graph in enumerate(graphs) if len(graph[0]) >= 8]
    # All graphs have all distances then, so that GraKeL's way to normalise is ours.
    ours = gram(folder, dataset, "nspdk", "--radius", 2, "--distance", 2, "--edge-labels")[numpy.ix_(small, small)]
    numbered = [graphs[number] for number in small]
    theirs = Neighbourhoods(r=2, d=2, normalize=True).fit_transform(numbered)
    numpy.testing.assert_allclose(ours, theirs, rtol=1e-10)
    as_it_is = NeighborhoodSubgraphPairwiseDistance(r=2, d=2, normalize=True).fit_transform(numbered)
    assert abs(as_it_is - ours).max() > 1e-3, "GraKeL has changed: compare with it as it is"
    print(f"{dataset}, nspdk, with names that numbers do not change: {len(small)} x {len(small)} values are the same to ten digits")


def check(folder, dataset):
    graphs = read(dataset)

    def same(name, theirs, ours, factor=1):
        assert (ours.shape, ours.dtype) == (theirs.shape, numpy.float64)
        assert (theirs == factor * ours).all(), f"{dataset}, {name}: differs by {abs(theirs - factor * ours).max()}"
        print(f"{dataset}, {name}: {ours.shape[0]} x {ours.shape[1]} values are the same{f', times {factor}' if factor > 1 else ''}")

    kernels = {
        "wl": (WeisfeilerLehman, {"n_iter": 5, "base_graph_kernel": VertexHistogram}, ["--rounds", 5], 1),
        "wl-oa": (WeisfeilerLehmanOptimalAssignment, {"n_iter": 5}, ["--rounds", 5], 1),
        "shortest-path": (ShortestPath, {"with_labels": True}, [], 1),
        "vertex-histogram": (VertexHistogram, {}, [], 1),
        # Each undirected edge has two arcs there, so counts are twice ours and products four times.
        "edge-histogram": (EdgeHistogram, {}, [], 4),
    }
    for name, (kernel, settings, arguments, factor) in kernels.items():
        same(name, kernel(**settings).fit_transform(graphs), gram(folder, dataset, name, *arguments), factor)
        theirs = kernel(normalize=True, **settings).fit_transform(graphs)
        numpy.testing.assert_allclose(gram(folder, dataset, name, "--normalize", *arguments), theirs, rtol=1e-14)
    unlabelled = ShortestPath(with_labels=False).fit_transform(graphs)
    same("shortest-path without labels", unlabelled, gram(folder, dataset, "shortest-path", "--labels", 1))
    for size in (3, 4, 5):
        ours = gram(folder, dataset, "graphlet", "--graphlet-sizes", size, "--compare", "linear", "--counts", "raw")
        theirs, righted = graphlets(graphs, size)
        assert (theirs != ours).any(), "GraKeL has changed: compare with it as it is"
        same(f"graphlets of {size} vertices, less what GraKeL counts twice and with what it misses", righted, ours)


def main():
    if not DATA.is_dir():
        print(f"skipped: no {DATA}")
        return
    with tempfile.TemporaryDirectory() as folder:
        for dataset in ("MUTAG", "PTC_MR"):
            check(folder, dataset)
            check_related(folder, dataset)


if __name__ == "__main__":
    main()
