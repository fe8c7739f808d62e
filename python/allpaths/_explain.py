"""Why a model says what it says."""

import json
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._checks import threads, whole
from ._classifier import GraphClassifier
from ._convert import convert_all
from ._sources import Options


class Explanation:
    """Which vertices, edges, paths and cycles decide what a model says of graphs.

    Made by :func:`explain`. In a notebook it shows itself as a page, with the graphs drawn.

    Attributes
    ----------
    method : {"shares", "occlusion", "deletion"}
        How shares were found. Only "shares" sum to the scores: ``vertices[i].sum(axis=1) + bias == scores[i]``.
    classes : list of tuple
        For each score, the classes that a positive one speaks for, and those that a negative one speaks for.
    bias : ndarray of shape (n_scores,)
        The scores of a graph without anything.
    scores : ndarray of shape (n_graphs, n_scores)
        What the machines of the model say: one score for two classes.
    predictions : ndarray of shape (n_graphs,)
        The class of each graph.
    vertices, edges : list of ndarray
        For each graph the shares of its vertices, or edges, in each score: of shape (n_scores, order), or (n_scores, size).
    features : list of list of dict
        For each score the features that have a weight, the heaviest first.
    top : list of list of list of dict
        For each graph and score the features that add most.
    """

    def __init__(self, found: dict[str, Any], page: str, classes: NDArray[Any] | None) -> None:
        def named(numbers: list[int]) -> list[Any]:
            return numbers if classes is None else classes[numbers].tolist()

        graphs, machines = found["graphs"], found["machines"]
        self.method: str = found["method"]
        self.classes = [(named(machine["positive"]), named(machine["negative"])) for machine in machines]
        self.bias = np.array([machine["bias"] for machine in machines])
        self.scores = np.array([graph["scores"] for graph in graphs]).reshape(len(graphs), len(machines))
        self.predictions = np.array(named([graph["class"] for graph in graphs]))
        self.vertices = [np.array([shares["vertices"] for shares in graph["shares"]]) for graph in graphs]
        self.edges = [np.array([shares["edges"] for shares in graph["shares"]]) for graph in graphs]
        self.features: list[list[dict[str, Any]]] = found["features"]
        self.top: list[list[list[dict[str, Any]]]] = [graph["top"] for graph in graphs]
        self._page = page

    def to_html(self, path: str | PathLike[str]) -> None:
        """Write the page that shows it to a file.

        Parameters
        ----------
        path : str or path
            The file; one that is there is replaced.
        """
        Path(path).write_text(self._page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self._page)}" style="width:100%;height:720px;border:0" title="Explanation"></iframe>'

    def __repr__(self) -> str:
        return f"<Explanation of {len(self.vertices)} graphs by {self.method}>"


def explain(model: GraphClassifier | str | PathLike[str], graphs: Any, *, top: int = 10, n_jobs: int | None = None) -> Explanation:
    """Explain what a model says of graphs.

    Parameters
    ----------
    model : GraphClassifier or path
        A classifier that was fitted, or a file that the program's ``train`` wrote.
    graphs : iterable of graphs
        Of any kind that :func:`as_graph` reads.
    top : int, default=10
        How many features to name for each graph and score.
    n_jobs : int, default=None
        The number of threads; None is 1, -1 all processors.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> import allpaths as ap
    >>> import networkx as nx
    >>> graphs = [graph(order) for order in range(5, 15) for graph in (nx.cycle_graph, nx.path_graph)]
    >>> kernel = ap.AllPathsCyclesKernel(max_length=4, compare="cosine")
    >>> model = ap.GraphClassifier(kernel).fit(graphs, ["ring", "chain"] * 10)
    >>> found = ap.explain(model, graphs)
    >>> found.method
    'shares'
    >>> bool(abs(found.vertices[0].sum() + found.bias[0] - found.scores[0, 0]) < 1e-9)
    True
    """
    if isinstance(model, GraphClassifier):
        read = model._graphs(graphs)
        classes: NDArray[Any] | None = model.classes_
        data = model._classifier.__reduce__()[1][0]
    else:
        read, _ = convert_all(graphs, Options("label", "label", None), "raise")
        classes, data = None, Path(model).read_bytes()
    numbers, page = _native.explain(data, read, "graphs", whole("top", top, 0), threads(n_jobs))
    return Explanation(json.loads(numbers), page, classes)
