"""Checks of parameters, with messages that name them."""

import numbers
import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from . import _native

T = TypeVar("T")


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Check that a parameter is a whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    number = int(value)
    if number < least or (most is not None and number > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be {bounds}, got {number}")
    return number


def choice(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """Check that a parameter is one of some words."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
    return str(value)


def flag(name: str, value: Any) -> bool:
    """Check that a parameter is a truth value."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def positive(name: str, value: Any) -> float:
    """Check that a parameter is a number above 0."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    number = float(value)
    if not 0 < number < float("inf"):
        raise ValueError(f"{name} must be above 0, got {number}")
    return number


def share(name: str, value: Any) -> float:
    """Check that a parameter is a number between 0 and 1, neither of them."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    number = float(value)
    if not 0 < number < 1:
        raise ValueError(f"{name} must be above 0 and below 1, got {number}")
    return number


def optional(check: Callable[..., T], name: str, value: Any, *rest: Any) -> T | None:
    """Check a parameter that may be None."""
    return None if value is None else check(name, value, *rest)


def threads(n_jobs: Any) -> int:
    """Give the number of threads that ``n_jobs`` stands for, as joblib does: None is one, -1 is all processors, -2 all but one."""
    if n_jobs is None:
        return 1
    jobs = whole("n_jobs", n_jobs, -(2**31))
    if jobs == 0:
        raise ValueError("n_jobs must not be 0: None or 1 is one thread, -1 all processors")
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return jobs if jobs > 0 else max(1, processors + 1 + jobs)


def engine(value: Any) -> str:
    """Check that there is an engine of that name."""
    if not isinstance(value, str):
        raise TypeError(f"engine must be a text, got {value!r}")
    _native.check_engine(value)
    return value


def limits(budget: Any, time_limit: Any) -> dict[str, Any]:
    """Give the limits of a job as the library takes them."""
    seconds = optional(positive, "time_limit", time_limit)
    time = None if seconds is None else {"secs": int(seconds), "nanos": int(seconds % 1 * 1e9)}
    return {"steps": optional(whole, "budget", budget, 0), "time": time}


def progress(verbose: Any, what: str) -> Callable[[float], None] | None:
    """Give what shows how far a job has come, if that is asked for."""
    if not verbose:
        return None

    def show(share: float) -> None:
        print(f"\r[{what}] {share:4.0%}", end="\n" if share >= 1 else "", file=sys.stderr, flush=True)

    return show
