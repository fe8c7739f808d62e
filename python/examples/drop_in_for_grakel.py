"""Graphs as GraKeL takes them, and the same classes from another import.

prints:

    [[1.   0.61 0.53]
     [0.61 1.   0.52]
     [0.53 0.52 1.  ]]
"""

import numpy as np

from allpaths import WeisfeilerLehman  # was: from grakel import WeisfeilerLehman

water = [{(0, 1), (1, 0), (0, 2), (2, 0)}, {0: "O", 1: "H", 2: "H"}]
hydronium = [{(0, 1), (1, 0), (0, 2), (2, 0), (0, 3), (3, 0)}, {0: "O", 1: "H", 2: "H", 3: "H"}]
peroxide = [{(0, 1), (1, 0), (0, 2), (2, 0), (1, 3), (3, 1)}, {0: "O", 1: "O", 2: "H", 3: "H"}]

kernel = WeisfeilerLehman(n_iter=2, normalize=True)
with np.printoptions(precision=2, suppress=True):
    print(kernel.fit_transform([water, hydronium, peroxide]))
