"""Labels as text."""

import enum
import numbers
from collections.abc import Hashable


def text(label: Hashable) -> str:
    """Give the text of a label that is neither a string nor a whole number.

    Labels are the same when their texts are. So a text must not depend on where an object is in memory or on the order of a set.

    Examples
    --------
    >>> text(("C", 2))
    '(C,2)'
    >>> text(frozenset({"b", "a"}))
    '{a,b}'
    >>> text(2.5)
    '2.5'
    >>> text(object())
    Traceback (most recent call last):
    TypeError: a label of type object has no stable text: give strings, numbers, or tuples of them
    """
    match label:
        case None:
            raise TypeError("a label is None: give every vertex and edge one, or none at all")
        case str():
            return str(label)
        case enum.Enum():
            return label.name
        case bool():
            return str(label)
        case numbers.Integral():
            return str(int(label))
        case numbers.Real():
            return repr(float(label))
        case bytes():
            return label.decode()
        case tuple():
            return f"({','.join(map(text, label))})"
        case frozenset():
            return f"{{{','.join(sorted(map(text, label)))}}}"
    kind = type(label)
    try:
        hash(label)
    except TypeError:
        raise TypeError(f"a label of type {kind.__name__} can change: give strings, numbers, or tuples of them") from None
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        raise TypeError(f"a label of type {kind.__name__} has no stable text: give strings, numbers, or tuples of them")
    return str(label)
