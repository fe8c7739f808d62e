"""Cross-validation of NCI1 by allpaths, and by GraKeL with scikit-learn, in one run.

Weisfeiler-Lehman subtrees of 5 rounds, a support vector machine with C = 1, 10 stratified folds. Machines alone: scikit-learn gets the Gram matrix that
GraKeL made, and its folds are cut out of it in the clock, as everybody does. Each job is run several times and the fastest run counts.
"""

import json
import subprocess
import time

from kernels import DATA, PROGRAM, read  # first: it sets the number of threads

from grakel.kernels import VertexHistogram, WeisfeilerLehman
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

RUNS = 3


def ours(threads: int) -> tuple[float, float, float]:
    """Seconds without reading, those of machines alone, and the accuracy."""
    command = [PROGRAM, "evaluate", DATA / "NCI1", "--kernel", "wl", "--rounds", "5", "--c", "1", "--format", "json"]
    runs = [json.loads(subprocess.check_output([*command, "--threads", str(threads)])) for _ in range(RUNS)]
    whole = min(sum(run["seconds"][part] for part in ("embed", "gram", "learn")) for run in runs)
    return whole, min(run["seconds"]["learn"] for run in runs), runs[0]["accuracy_mean"]


def theirs(graphs: list, classes: list[int]) -> tuple[float, float, float]:
    wholes, machines = [], []
    for _ in range(RUNS):
        start = time.perf_counter()
        gram = WeisfeilerLehman(n_iter=5, base_graph_kernel=VertexHistogram).fit_transform(graphs)
        between = time.perf_counter()
        right = 0
        for train, test in StratifiedKFold(10, shuffle=True, random_state=1).split(gram, classes):
            machine = SVC(kernel="precomputed", C=1).fit(gram[train][:, train], [classes[i] for i in train])
            right += sum(machine.predict(gram[test][:, train]) == [classes[i] for i in test])
        end = time.perf_counter()
        wholes.append(end - start)
        machines.append(end - between)
    return min(wholes), min(machines), 100 * right / len(classes)


def main() -> None:
    if not DATA.is_dir():
        raise SystemExit(f"no {DATA}: set ALLPATHS_DATA")
    graphs = read("NCI1")
    classes = [int(line) for line in (DATA / "NCI1" / "NCI1_graph_labels.txt").read_text().split()]
    peer = theirs(graphs, classes)
    print(f"{'NCI1, wl 5, C = 1, 10 folds':40}  {'seconds':>9}  {'times ours':>10}  {'machines':>9}  {'times ours':>10}  {'accuracy':>8}")
    print(f"{'GraKeL and scikit-learn':40}  {peer[0]:9.3f}  {'':>10}  {peer[1]:9.3f}  {'':>10}  {peer[2]:8.2f}")
    for threads in (1, 2):
        whole, machines, accuracy = ours(threads)
        name = f"allpaths, {threads} thread{'s' if threads > 1 else ''}"
        print(f"{name:40}  {whole:9.3f}  {peer[0] / whole:9.1f}x  {machines:9.3f}  {peer[1] / machines:9.1f}x  {accuracy:8.2f}")


if __name__ == "__main__":
    main()
