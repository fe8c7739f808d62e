"""Explanations: numbers that sum, and a page."""

import os
import subprocess

import numpy as np
import pytest

import allpaths as ap


@pytest.fixture(scope="module")
def demo():
    """Rings of five with an O in them, or beside them."""
    ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5)]
    graphs = [
        ap.Graph([*ring, *((5 + i, 6 + i) for i in range(tail))], vertex_labels=[*inside, *["C"] * tail])
        for tail in range(10)
        for inside in (["C", "C", "C", "O", "C", "C"], ["C", "C", "C", "C", "C", "O"])
    ]
    return graphs, ["in", "beside"] * 10


@pytest.mark.parametrize(("comparison", "method"), [("cosine", "shares"), ("minmax", "occlusion")])
def test_numbers(demo, comparison, method):
    graphs, y = demo
    model = ap.GraphClassifier(ap.AllPathsCyclesKernel(max_length=5, compare=comparison), C=10).fit(graphs, y)
    found = ap.explain(model, graphs)
    assert found.method == method
    assert method in repr(found)
    assert found.predictions.tolist() == model.predict(graphs).tolist() == y
    assert found.classes == [(["beside"], ["in"])]
    assert [shares.shape for shares in found.vertices] == [(1, graph.order) for graph in graphs]
    assert [shares.shape for shares in found.edges] == [(1, graph.size) for graph in graphs]
    if method == "shares":
        sums = np.array([shares.sum(axis=1) for shares in found.vertices]) + found.bias
        np.testing.assert_allclose(sums, found.scores, atol=1e-9)
        names = [feature["name"] for feature in found.features[0][:10]]
        assert "cycle:C-C-C-C-O-" in names


def test_pages(demo, tmp_path):
    graphs, y = demo
    found = ap.explain(ap.GraphClassifier().fit(graphs, y), graphs[:3], top=2)
    assert found._repr_html_().startswith("<iframe srcdoc=")
    found.to_html(tmp_path / "why.html")
    assert (tmp_path / "why.html").read_text().startswith("<!doctype html>")


def test_models_of_the_program(tmp_path):
    program = os.environ.get("ALLPATHS_PROGRAM")
    if not program:
        pytest.skip("ALLPATHS_PROGRAM names no program")
    path = tmp_path / "demo.model"
    subprocess.run([program, "train", "demo", "--model", "linear", "-o", path], check=True, capture_output=True)
    ring = ap.Graph([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], vertex_labels=["C", "C", "C", "C", "O"])
    found = ap.explain(path, [ring])
    assert found.method == "shares"
    assert found.predictions.tolist() == [1]
    with pytest.raises(ValueError, match="classifier"):
        ap.explain(__file__, [ring])
