"""Graphs of a class of one's own: a method says what they are, and every function and estimator takes them.

prints:

    rings of six: 2
    cycle:A-B-C-
"""

from dataclasses import dataclass

import allpaths as ap


@dataclass
class Polymer:
    """Letters in a chain, some of them joined crosswise."""

    letters: str
    joints: list[tuple[int, int]]

    def __allpaths__(self):
        """Say what the graph is, as anything that allpaths.as_graph reads."""
        chain = [(i, i + 1) for i in range(len(self.letters) - 1)]
        return chain + self.joints, self.letters


ladder = Polymer("AAAAAAAAAA", [(0, 5), (4, 9)])
print("rings of six:", ap.count_cycles(ladder, max_length=6)[6])

knot = Polymer("ABCD", [(0, 2)])
features = ap.AllPathsCycles(max_length=3).fit([knot])
print(*(name for name in features.get_feature_names_out() if name.startswith("cycle:")))
