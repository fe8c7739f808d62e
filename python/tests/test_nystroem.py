"""Kernels by landmarks."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import allpaths as ap


@pytest.mark.parametrize("sampling", ["uniform", "kmeans++", "leverage"])
@pytest.mark.parametrize(
    "kernel",
    [
        ap.AllPathsCyclesKernel(3),
        ap.AllPathsCyclesKernel(3, compare="rbf", scale=5.0),
        ap.WeisfeilerLehman(2),
        ap.ShortestPath(normalize=True),
    ],
)
def test_exact_with_landmarks(kernel, sampling, random_graphs):
    nystroem = ap.Nystroem(kernel, n_components=12, sampling=sampling).fit(random_graphs)
    rows = nystroem.transform(random_graphs)
    chosen = nystroem.component_indices_
    assert len(set(chosen)) == 12
    landmarks = [random_graphs[i] for i in chosen]
    gram = clone(kernel).fit(landmarks).transform(random_graphs)
    np.testing.assert_allclose(rows @ rows[chosen].T, gram, atol=1e-6 * gram.max())
    assert 0 <= nystroem.approximation_error_ < 1


def test_all_graphs_as_landmarks_are_the_kernel(random_graphs):
    kernel = ap.AllPathsCyclesKernel(4)
    rows = ap.Nystroem(kernel).fit_transform(random_graphs)
    np.testing.assert_allclose(rows @ rows.T, kernel.fit_transform(random_graphs), atol=1e-6)


def test_pickled_it_transforms_the_same(random_graphs):
    nystroem = ap.Nystroem(n_components=10, random_state=3).fit(random_graphs)
    again = pickle.loads(pickle.dumps(nystroem))
    assert again.transform(random_graphs).tobytes() == nystroem.transform(random_graphs).tobytes()
    assert again.component_indices_.tolist() == nystroem.component_indices_.tolist()


def test_a_linear_machine_on_top(mutag):
    kernel = ap.AllPathsCyclesKernel(5, by_cell=True)
    machine = make_pipeline(ap.Nystroem(kernel, n_components=100), LinearSVC(C=10))
    machine.fit(mutag.graphs[::2], mutag.y[::2])
    assert machine.score(mutag.graphs[1::2], mutag.y[1::2]) > 0.8


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"n_components": 0}, "n_components"), ({"sampling": "best"}, "sampling must be one of"), ({"kernel": 3}, "kernel must be a kernel")],
)
def test_wrong_parameters_are_named(parameters, message, random_graphs):
    with pytest.raises((ValueError, TypeError), match=message):
        ap.Nystroem(**parameters).fit(random_graphs)
