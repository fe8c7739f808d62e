"""The classifier: chosen as the program chooses, and an estimator like others."""

import pickle

import networkx as nx
import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.svm import SVC

import allpaths as ap

GRAPHS = [graph(order) for order in range(5, 15) for graph in (nx.cycle_graph, nx.path_graph, nx.complete_graph)]
CLASSES = ["ring", "chain", "clique"] * 10
KERNELS = [None, ap.AllPathsCyclesKernel(3), ap.WeisfeilerLehman(n_iter=2, normalize=True), ap.ShortestPath()]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_it_learns(kernel):
    model = ap.GraphClassifier(kernel).fit(GRAPHS, CLASSES)
    assert is_classifier(model)
    assert model.classes_.tolist() == ["chain", "clique", "ring"]
    assert model.predict([nx.cycle_graph(9), nx.complete_graph(7), nx.path_graph(12)]).tolist() == ["ring", "clique", "chain"]
    assert model.score(GRAPHS, CLASSES) == 1
    assert model.C_ in (1, 10, 100)
    assert 0 < len(model.support_) <= len(GRAPHS)


def test_the_settings_that_were_taken_are_told():
    model = ap.GraphClassifier(ap.WeisfeilerLehman(n_iter=3), C=7).fit(GRAPHS, CLASSES)
    assert (model.kernel_["kernel"], model.kernel_["rounds"], model.C_) == ("wl", 3, 7)
    assert ap.GraphClassifier().fit(GRAPHS, CLASSES).kernel_["comparison"]["compare"] == "minmax"


def test_the_machine_is_that_of_scikit_learn(mutag):
    kernel = ap.AllPathsCyclesKernel(4)
    train, test = mutag.graphs[:120], mutag.graphs[120:]
    ours = ap.GraphClassifier(clone(kernel), C=10).fit(train, mutag.y[:120])
    theirs = SVC(kernel="precomputed", C=10).fit(kernel.fit_transform(train), mutag.y[:120])
    assert (ours.predict(test) == theirs.predict(kernel.transform(test))).mean() > 0.98


def test_nested_cross_validation(mutag):
    scores = cross_val_score(ap.GraphClassifier(), mutag.graphs, mutag.y, cv=StratifiedKFold(5, shuffle=True, random_state=1))
    assert scores.mean() > 0.8  # two thirds are of one class


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_pickle_clone_and_threads(kernel, mutag):
    model = ap.GraphClassifier(kernel).fit(mutag.graphs[:90], mutag.y[:90])
    expected = model.predict(mutag.graphs[90:])
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(mutag.graphs[90:]), expected)
    assert (again.kernel_, again.C_) == (model.kernel_, model.C_)
    threaded = clone(model).set_params(n_jobs=3).fit(mutag.graphs[:90], mutag.y[:90])
    np.testing.assert_array_equal(threaded.predict(mutag.graphs[90:]), expected)


def test_probabilities():
    model = ap.GraphClassifier(C=1, probability=True).fit(GRAPHS, CLASSES)
    found = model.predict_proba(GRAPHS[:3])
    assert found.shape == (3, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert model.classes_[found.argmax(axis=1)].tolist() == CLASSES[:3]
    with pytest.raises(AttributeError, match="probability=True"):
        ap.GraphClassifier(C=1).fit(GRAPHS, CLASSES).predict_proba(GRAPHS[:3])


def test_parameters_of_the_kernel_can_be_searched():
    grid = GridSearchCV(ap.GraphClassifier(ap.WeisfeilerLehman(), C=1), {"kernel__n_iter": [0, 2]}, cv=3)
    assert grid.fit(GRAPHS, CLASSES).best_params_ == {"kernel__n_iter": 2}


def test_one_class_and_few_graphs():
    assert ap.GraphClassifier().fit(GRAPHS[:4], [1, 1, 1, 1]).predict(GRAPHS[:2]).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("model", "y", "message"),
    [
        (ap.GraphClassifier("wl"), CLASSES, "kernel must be a kernel"),
        (ap.GraphClassifier(C=0), CLASSES, "C must be above 0"),
        (ap.GraphClassifier(C=[1, -1]), CLASSES, "C must be above 0"),
        (ap.GraphClassifier(cv=1), CLASSES, "cv must be at least 2"),
        (ap.GraphClassifier(on_error="skip"), CLASSES, "on_error must be"),
        (ap.GraphClassifier(), CLASSES[:-1], "29 classes for 30 graphs"),
        (ap.GraphClassifier(), np.linspace(0, 1, 30), "Unknown label type"),
        (ap.GraphClassifier(ap.WeisfeilerLehman(n_iter=-1)), CLASSES, "n_iter must be"),
    ],
)
def test_messages_name_the_parameter(model, y, message):
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit(GRAPHS, y)


def test_nothing_without_a_fit():
    with pytest.raises(NotFittedError):
        ap.GraphClassifier().predict(GRAPHS)
