"""GraKeL gives the same numbers where both define the same kernel."""

import grakel
import numpy as np
import pytest
from sklearn.base import clone

import allpaths as ap


@pytest.fixture(scope="module")
def X(mutag):
    """Graphs as GraKeL takes them."""
    graphs = []
    for graph in mutag.graphs[:80]:
        edges = dict(zip(map(tuple, graph.edges.tolist()), graph.edge_labels, strict=True))
        edges |= {(v, u): label for (u, v), label in edges.items()}
        graphs.append([set(edges), dict(enumerate(graph.vertex_labels)), edges])
    return graphs


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ap.ShortestPath(), grakel.ShortestPath()),
        (ap.ShortestPath(with_labels=False), grakel.ShortestPath(with_labels=False)),
        (ap.VertexHistogram(), grakel.VertexHistogram()),
        (ap.WeisfeilerLehman(n_iter=4), grakel.WeisfeilerLehman(n_iter=4)),
        (ap.WeisfeilerLehmanOptimalAssignment(n_iter=4), grakel.WeisfeilerLehmanOptimalAssignment(n_iter=4)),
    ],
    ids=lambda kernel: type(kernel).__name__,
)
@pytest.mark.filterwarnings("ignore")
def test_the_same_numbers(ours, theirs, normalize, X):
    ours.set_params(normalize=normalize)
    theirs.set_params(normalize=normalize)
    np.testing.assert_allclose(ours.fit_transform(X), theirs.fit_transform(X), rtol=1e-12)
    # A kernel of GraKeL remembers what it was fitted to before.
    np.testing.assert_allclose(ours.fit(X[:50]).transform(X[50:]), clone(theirs).fit(X[:50]).transform(X[50:]), rtol=1e-12)
