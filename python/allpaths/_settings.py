"""Settings as the library writes them to its files."""

from typing import Any

from ._checks import choice, engine, flag, limits, threads, whole

CONVENTIONS = ("distinct", "rooted")
CYCLES = ("separate", "merged", "off")
ENCODINGS = ("sequence", "composition", "power", "exact")


def profile_of(max_length: Any, profile: Any) -> str:
    """Give the lengths and refinements that are taken, as the library writes them."""
    if profile is None:
        return f"0:{whole('max_length', max_length, 0)}"
    if not isinstance(profile, str):
        raise TypeError(f"profile must be a text like '0:7,1:3' or 'triangle:4', got {profile!r}")
    return profile


def label_choice(labels: Any) -> Any:
    """Give which labels are told apart, as the library writes it."""
    if labels is None or labels == "all":
        return labels
    return {"commonest": whole("labels", labels, 1)}


def embedding_settings(estimator: Any) -> dict[str, Any]:
    """Check the parameters that say which features are counted, and give them as the library takes them."""
    return {
        "encoding": choice("encoding", estimator.encoding, ENCODINGS),
        "profile": profile_of(estimator.max_length, estimator.profile),
        "labels": label_choice(estimator.labels),
        "edge_labels": "used" if flag("edge_labels", estimator.edge_labels) else "ignored",
        "cycles": choice("cycles", estimator.cycles, CYCLES),
        "vertices": flag("vertices", estimator.vertices),
        "convention": choice("convention", estimator.convention, CONVENTIONS),
        "min_graphs": whole("min_graphs", estimator.min_graphs, 1),
        "engine": engine(estimator.engine),
        "limits": limits(estimator.budget, estimator.time_limit),
    }


def feature_settings(estimator: Any) -> dict[str, Any]:
    """Check the parameters of features that are not compared, too."""
    return embedding_settings(estimator) | {"paths": flag("paths", estimator.paths), "threads": threads(estimator.n_jobs)}
