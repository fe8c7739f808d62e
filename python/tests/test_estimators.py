"""What every estimator that takes graphs must do: scikit-learn's own battery only knows those that take arrays."""

import pickle

import networkx as nx
import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

import allpaths as ap

KERNELS = [
    ap.AllPathsCyclesKernel(4),
    ap.AllPathsCyclesKernel(profile="triangle:2", by_cell=True, edge_labels=True),
    ap.AllPathsCyclesKernel(3, compare="cosine", counts="log"),
    ap.AllPathsCyclesKernel(3, compare="intersection", counts="binary", normalize=True),
    ap.AllPathsCyclesKernel(3, encoding="composition", cycles="merged"),
    ap.BacktracklessWalk(3, edge_labels=True),
    ap.BacktracklessWalk(2, weights=[1, 0.5, 0.25]),
    ap.ConnectedSubgraphs(3, weights=[0, 1, 2]),
    ap.CyclicPattern(6, edge_labels=True),
    ap.EdgeHistogram(),
    ap.EdgePaths(3),
    ap.Graphlet(k=4),
    ap.Graphlet(k=3, connected=False, with_labels=True),
    ap.Graphlet(k=4, n_samples=20, random_state=7),
    ap.NeighborhoodSubgraphPairwiseDistance(r=1, d=2, edge_labels=True),
    ap.RandomWalk(normalize=True),
    ap.RandomWalk(lamda=0.001, solver="fixed-point", labels=1),
    ap.RandomWalk(max_length=3, weights=[1, 1, 0, 0.5]),
    ap.ShortestPath(),
    ap.ShortestPath(normalize=True, with_labels=False),
    ap.TreePattern(2, tottering=False, tree_weights="size", normalize=True),
    ap.VertexHistogram(normalize=True),
    ap.WeisfeilerLehman(n_iter=3),
    ap.WeisfeilerLehman(n_iter=2, edge_labels=True, normalize=True),
    ap.WeisfeilerLehmanOptimalAssignment(n_iter=3),
]
# What these learn from the fitted graphs changes the numbers of others.
LEARNING = [
    ap.AllPathsCyclesKernel(3, compare="rbf"),
    ap.AllPathsCyclesKernel(3, rbf_distance=1.0),
    ap.AllPathsCyclesKernel(3, encoding="power", labels=2),
    ap.AllPathsCyclesKernel(3, min_graphs=5),
]
FEATURES = [
    ap.AllPathsCycles(4),
    ap.AllPathsCycles(4, edge_labels=True, vertices=False),
    ap.AllPathsCycles(3, encoding="composition", cycles="merged"),
    ap.AllPathsCycles(3, encoding="power", labels=2, convention="rooted", all_bins=True, vertices=False, cycles="merged"),
    ap.AllPathsCycles(profile="0:3,1:1"),
    ap.AllPathsCycles(3, hash_bits=8),
    ap.AllPathsCycles(3, sparse_output=False),
    ap.AllPathsCycles(3, min_graphs=3, paths=False),
]
ALL = KERNELS + LEARNING + FEATURES
each = pytest.mark.parametrize("estimator", ALL, ids=repr)
each_kernel = pytest.mark.parametrize("estimator", KERNELS, ids=repr)


@pytest.fixture(scope="module")
def X(random_graphs):
    """Graphs with edges, which edge labels need."""
    return [graph for graph in random_graphs if graph.size()]


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


@each
def test_init_only_stores(estimator):
    assert clone(estimator).get_params() == estimator.get_params()
    name = next(iter(estimator.get_params()))
    assert type(estimator)(**{name: object}).get_params()[name] is object


@each
def test_nothing_without_a_fit(estimator, X):
    with pytest.raises(NotFittedError):
        clone(estimator).transform(X)
    with pytest.raises(NotFittedError):
        clone(estimator).get_feature_names_out()


@each
def test_fit_then_transform_is_fit_transform(estimator, X):
    joint = dense(clone(estimator).fit_transform(X))
    fitted = clone(estimator).fit(X)
    assert len(joint) == len(X)
    np.testing.assert_allclose(dense(fitted.transform(X)), joint, rtol=1e-13)  # sums of real numbers may run in another order
    assert fitted.get_feature_names_out().shape == (joint.shape[1],)


@each
def test_pickles_know_what_was_learnt(estimator, X):
    fitted = clone(estimator).fit(X[:15])
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(dense(again.transform(X[15:])), dense(fitted.transform(X[15:])))
    assert list(again.get_feature_names_out()) == list(fitted.get_feature_names_out())
    assert again.get_params() == fitted.get_params()


@each
def test_threads_change_no_byte(estimator, X):
    bytes_of = [
        [dense(clone(estimator).set_params(n_jobs=n_jobs).fit_transform(X)).tobytes(), dense(fitted.transform(X[15:])).tobytes()]
        for n_jobs in [None, 2, 5, -1]
        for fitted in [clone(estimator).set_params(n_jobs=n_jobs).fit(X[:15])]
    ]
    assert all(other == bytes_of[0] for other in bytes_of)


@each
def test_input_is_not_changed(estimator, X):
    before = pickle.dumps(X)
    clone(estimator).fit(X).transform(X)
    assert pickle.dumps(X) == before


@each
def test_graphs_may_come_in_any_collection(estimator, X):
    expected = dense(clone(estimator).fit_transform(X))
    as_objects = np.empty(len(X), dtype=object)
    as_objects[:] = X
    for collection in [tuple(X), as_objects, iter(X), (graph for graph in X)]:
        np.testing.assert_array_equal(dense(clone(estimator).fit_transform(collection)), expected)


@each
def test_a_generator_that_is_spent_is_refused(estimator, X):
    graphs = (graph for graph in X)
    fitted = clone(estimator).fit(graphs)
    with pytest.raises(ValueError, match="gone through is empty"):
        fitted.transform(graphs)


@each
def test_no_graphs(estimator, X):
    with pytest.raises(ValueError, match="nothing to learn from"):
        clone(estimator).fit([])
    fitted = clone(estimator).fit(X)
    assert dense(fitted.transform([])).shape == (0, len(fitted.get_feature_names_out()))


@each
def test_output_as_a_frame(estimator, X):
    estimator = clone(estimator)
    if isinstance(estimator, ap.AllPathsCycles):
        estimator.set_params(sparse_output=False)
    values = estimator.fit_transform(X)
    frame = estimator.set_output(transform="pandas").fit_transform(X)
    assert list(frame.columns) == list(estimator.get_feature_names_out())
    np.testing.assert_array_equal(frame.to_numpy(), values)


@each_kernel
def test_a_row_depends_on_its_two_graphs_alone(estimator, X):
    joint = clone(estimator).fit_transform(X)
    np.testing.assert_allclose(clone(estimator).fit(X[:20]).transform(X[20:]), joint[20:, :20], rtol=1e-13)
    np.testing.assert_array_equal(joint, joint.T)
    assert np.linalg.eigvalsh(joint).min() > -1e-9 * np.abs(joint).max()


@each_kernel
def test_normalize(estimator, X):
    raw = clone(estimator).set_params(normalize=False).fit_transform(X)
    norms = np.sqrt(np.diag(raw))
    expected = np.divide(raw, np.outer(norms, norms), out=np.zeros_like(raw), where=np.outer(norms, norms) > 0)
    np.testing.assert_allclose(clone(estimator).set_params(normalize=True).fit_transform(X), expected, rtol=1e-12)


def test_features_of_new_graphs_are_those_of_a_joint_fit(X):
    joint = ap.AllPathsCycles(4).fit(X)
    some = ap.AllPathsCycles(4).fit(X[:20])
    of_some = [list(joint.get_feature_names_out()).index(name) for name in some.get_feature_names_out()]
    np.testing.assert_array_equal(some.transform(X[20:]).toarray(), joint.transform(X[20:]).toarray()[:, of_some])


def test_unseen_labels_and_features_are_counted():
    features = ap.AllPathsCycles(1).fit([ap.Graph([(0, 1)], ["C", "O"])])
    assert features.n_unseen_ == 0
    counts = features.transform([ap.Graph([(0, 1)], ["C", "N"]), ap.Graph([(0, 1)], ["C", "O"])])
    assert counts.toarray().tolist() == [[1, 0, 0], [1, 1, 1]]
    assert features.n_unseen_ == 2  # vertex:N and path:C-N


def test_ids_depend_on_names_alone(X):
    one, other = ap.AllPathsCycles(3).fit(X[:10]), ap.AllPathsCycles(5).fit(X[10:])
    ids = dict(zip(one.get_feature_names_out(), one.feature_ids_, strict=True))
    others = dict(zip(other.get_feature_names_out(), other.feature_ids_, strict=True))
    common = ids.keys() & others.keys()
    assert common
    assert all(ids[name] == others[name] for name in common)
    assert one.feature_ids_.dtype == np.uint64


def test_a_budget_is_told(X):
    features = ap.AllPathsCycles(20, budget=1000)
    features.fit([nx.complete_graph(12), nx.path_graph(3)])
    assert features.outcomes_ == ["budget", "complete"]
    kernel = ap.AllPathsCyclesKernel(20, budget=1000).fit([nx.complete_graph(12), nx.path_graph(3)])
    assert kernel.outcomes_ == ["budget", "complete"]


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (ap.AllPathsCycles(-1), "max_length must be at least 0"),
        (ap.AllPathsCycles(2.5), "max_length must be a whole number"),
        (ap.AllPathsCycles(encoding="words"), "encoding must be one of"),
        (ap.AllPathsCycles(profile="0"), "profile"),
        (ap.AllPathsCycles(profile=7), "profile must be a text"),
        (ap.AllPathsCycles(labels=0), "labels must be at least 1"),
        (ap.AllPathsCycles(edge_labels="yes"), "edge_labels must be True or False"),
        (ap.AllPathsCycles(cycles="on"), "cycles must be one of"),
        (ap.AllPathsCycles(hash_bits=32), "hash_bits must be from 1 to 31"),
        (ap.AllPathsCycles(all_bins=True), "all_bins needs encoding='power'"),
        (ap.AllPathsCycles(engine="fast"), "engine: .*depth-first"),
        (ap.AllPathsCycles(n_jobs=0), "n_jobs must not be 0"),
        (ap.AllPathsCycles(encoding="power", edge_labels=True), "no place for edge labels"),
        (ap.AllPathsCyclesKernel(compare="max"), "compare must be one of"),
        (ap.AllPathsCyclesKernel(counts="all"), "counts must be one of"),
        (ap.AllPathsCyclesKernel(rbf_distance=0), "rbf_distance must be above 0"),
        (ap.AllPathsCyclesKernel(scale="large"), "scale must be a number"),
        (ap.Graphlet(k=6), "k must be from 3 to 5"),
        (ap.WeisfeilerLehman(n_iter=-1), "n_iter must be from 0"),
        (ap.WeisfeilerLehman(normalize=1), "normalize must be True or False"),
        (ap.ShortestPath(weight="weight"), "graph 0 has no weights"),
    ],
    ids=repr,
)
def test_messages_name_the_parameter(estimator, message):
    with pytest.raises((TypeError, ValueError), match=message):
        estimator.fit([nx.path_graph(3)])


@pytest.mark.parametrize("kernel", [ap.AllPathsCyclesKernel(4), ap.WeisfeilerLehman(), ap.ShortestPath(normalize=True)], ids=repr)
def test_pipelines_and_grids(kernel, mutag):
    model = make_pipeline(kernel, SVC(kernel="precomputed", C=10))
    scores = cross_val_score(model, mutag.graphs, mutag.y, cv=3)
    assert scores.mean() > 0.75  # two thirds are of one class
    name = next(iter(kernel.get_params()))
    step = type(kernel).__name__.lower()
    grid = GridSearchCV(model, {"svc__C": [1, 10], f"{step}__normalize": [False, True]}, cv=3, n_jobs=2)
    grid.fit(mutag.graphs, mutag.y)
    assert grid.best_score_ >= scores.mean() - 1e-12
    assert grid.predict(mutag.graphs[:5]).shape == (5,)
    assert name in kernel.get_params()


def test_a_linear_model_on_features(mutag):
    model = make_pipeline(ap.AllPathsCycles(4), LinearSVC(C=0.01, max_iter=20_000))
    assert cross_val_score(model, mutag.graphs, mutag.y, cv=3).mean() > 0.75
