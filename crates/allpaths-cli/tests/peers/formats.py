"""Files of networkx and SciPy read by us, and files of ours read by them: the same graphs each time.

    python formats.py --convert "allpaths convert {input} -o {output}"

Every graph goes both ways through every format that both sides know. We are asked to convert to or from node-link
JSON, which networkx reads and writes; what arrives is compared vertex by vertex and edge by edge.
"""

import argparse
import gzip
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import networkx as nx
import numpy as np
import scipy.io
import scipy.sparse


def graphs():
    """Graphs with names, weights and attributes, by what is special about them."""
    yield "karate", nx.karate_club_graph()
    yield "les-miserables", nx.les_miserables_graph()
    yield "directed", directed(nx.gnp_random_graph(30, 0.1, seed=1, directed=True))

    women = nx.davis_southern_women_graph()
    women.graph.clear()  # lists, which most formats do not hold
    yield "bipartite", women

    odd = nx.Graph()
    names = ['a "quoted" name', "R&D <x>", "été", "tab\there", "comma, semicolon;", "back\\slash", "#hash", "'"]
    nx.add_path(odd, names)
    odd.nodes["été"]["note"] = 'both " and &'
    yield "odd-names", odd

    gaps = nx.path_graph(5)
    gaps.nodes[1]["colour"] = "red"
    gaps.nodes[2]["size"] = 2.5
    gaps.edges[3, 4]["weight"] = -7
    yield "gaps", gaps

    loops = nx.cycle_graph(4)
    loops.add_edge(2, 2)
    yield "loops", loops
    yield "isolated", nx.empty_graph(3)
    yield "single", nx.empty_graph(1)


def directed(graph):
    for i, (u, v) in enumerate(graph.edges):
        graph.edges[u, v]["weight"] = i / 4 - 3
    return graph


def content(graph, attributes=True, names=True):
    """A graph as plain data: names and attributes, directions, nothing that depends on order."""
    label = {node: str(node) if names else place for place, node in enumerate(graph)}

    def kept(data):
        items = data.items() if attributes else ()
        return sorted((key, float(value) if isinstance(value, (int, float)) else value) for key, value in items)

    def ends(u, v):
        return [label[u], label[v]] if graph.is_directed() else sorted([label[u], label[v]])

    return {
        "directed": graph.is_directed(),
        "nodes": sorted((label[node], kept(data)) for node, data in graph.nodes(data=True)),
        "edges": sorted((ends(u, v), kept(data)) for u, v, data in graph.edges(data=True)),
    }


def read_json(path):
    return nx.node_link_graph(json.loads(path.read_text()), edges="links")


def write_json(graph, path):
    path.write_text(json.dumps(nx.node_link_data(graph, edges="links")))


def read_edges_json(path):
    return nx.node_link_graph(json.loads(path.read_text()), edges="edges")


def write_edges_json(graph, path):
    path.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))


def read_packed_graphml(path):
    with gzip.open(path) as file:
        return nx.read_graphml(file)


def write_packed_graphml(graph, path):
    with gzip.open(path, "wb") as file:
        nx.write_graphml(graph, file)


def write_sparse6(graph, path):
    # Numbered as they come: otherwise networkx sorts the names.
    nx.write_sparse6(nx.convert_node_labels_to_integers(graph), path)


def is_simple(graph):
    return not graph.is_directed() and nx.number_of_selfloops(graph) == 0


# Ending, how networkx reads and writes it, which graphs it holds, and whether it holds attributes and names.
FORMATS = [
    (".gml", nx.read_gml, nx.write_gml, lambda graph: True, True),
    (".graphml", nx.read_graphml, nx.write_graphml, lambda graph: True, True),
    (".graphml.gz", read_packed_graphml, write_packed_graphml, lambda graph: True, True),
    (".json", read_json, write_json, lambda graph: True, True),
    (".g6", nx.read_graph6, nx.write_graph6, is_simple, False),
    # A single vertex with a loop is where networkx and nauty differ; none is here.
    (".s6", nx.read_sparse6, write_sparse6, lambda graph: not graph.is_directed(), False),
]


class Peers:
    def __init__(self, convert, folder):
        self.convert = convert
        self.folder = pathlib.Path(folder)
        self.failures = []
        self.checks = 0

    def run(self, source, target):
        words = [word.format(input=source, output=target) for word in shlex.split(self.convert)]
        return subprocess.run(words, check=False, capture_output=True, text=True)

    def check(self, name, source, target, read, expected, attributes=True, names=True):
        """Converts, reads what came out, and compares it."""
        self.checks += 1
        done = self.run(source, target)
        if done.returncode != 0:
            self.failures.append(f"{name}: exit code {done.returncode}: {done.stderr.strip()}")
            return
        found = content(read(target), attributes, names)
        wanted = content(expected, attributes, names)
        for part in wanted:
            if found[part] != wanted[part]:
                different = [(a, b) for a, b in zip(wanted[part], found[part]) if a != b] if part != "directed" else []
                self.failures.append(f"{name}: {part} differ: {different[:3] or (wanted[part], found[part])}")

    def networkx(self):
        for name, graph in graphs():
            for ending, read, write, holds, rich in FORMATS:
                if not holds(graph):
                    continue
                theirs = self.folder / f"{name}-theirs{ending}"
                write(graph, theirs)
                ours = self.folder / f"{name}-from{ending.replace('.', '-')}.json"
                self.check(f"{name}: {ending} of networkx", theirs, ours, read_json, graph, rich, rich)

                theirs = self.folder / f"{name}-theirs.json"
                write_json(graph, theirs)
                ours = self.folder / f"{name}-ours{ending}"
                self.check(f"{name}: {ending} for networkx", theirs, ours, read, graph, rich, rich)
            theirs = self.folder / f"{name}-edges.json"
            write_edges_json(graph, theirs)
            self.check(f"{name}: edges in JSON", theirs, self.folder / f"{name}-links.json", read_json, graph)

    def scipy(self):
        random = np.random.default_rng(1)
        general = scipy.sparse.random_array((20, 20), density=0.1, rng=random)
        symmetric = general + general.T
        integers = scipy.sparse.csr_array((general.toarray() * 100).astype(int))
        for name, matrix, options in [
            ("general", general, {}),
            ("integers", integers, {}),
            ("symmetric", symmetric, {"symmetry": "symmetric"}),
            ("skew", general - general.T, {"symmetry": "skew-symmetric"}),
            ("pattern", symmetric, {"field": "pattern", "symmetry": "symmetric"}),
            ("dense", general.toarray(), {}),
            ("dense-symmetric", symmetric.toarray(), {"symmetry": "symmetric"}),
        ]:
            theirs = self.folder / f"{name}.mtx"
            scipy.io.mmwrite(theirs, matrix, **options)
            written = scipy.sparse.coo_array(scipy.io.mmread(theirs))
            kind = nx.Graph if options.get("symmetry") == "symmetric" else nx.DiGraph
            graph = nx.from_scipy_sparse_array(written, create_using=kind)
            graph = nx.relabel_nodes(graph, {node: node + 1 for node in graph})
            if options.get("field") == "pattern":
                for _, _, data in graph.edges(data=True):
                    data.clear()
            self.check(f"{name}: matrix of SciPy", theirs, self.folder / f"{name}.json", read_json, graph)

            # And back: a file of ours, read as a matrix.
            ours = self.folder / f"{name}-ours.mtx"
            self.checks += 1
            done = self.run(theirs, ours)
            if done.returncode != 0:
                self.failures.append(f"{name}: matrix for SciPy: {done.stderr.strip()}")
                continue
            difference = abs(scipy.sparse.coo_array(scipy.io.mmread(ours)) - written)
            if difference.max() > 0:
                self.failures.append(f"{name}: matrix for SciPy: differs by {difference.max()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--convert", required=True, help='such as "allpaths convert {input} -o {output}"')
    parser.add_argument("--keep", metavar="FOLDER", help="leave the files there")
    arguments = parser.parse_args()
    folder = arguments.keep or tempfile.mkdtemp()
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    try:
        peers = Peers(arguments.convert, folder)
        peers.networkx()
        peers.scipy()
    finally:
        if not arguments.keep:
            shutil.rmtree(folder)
    for failure in peers.failures:
        print(failure, file=sys.stderr)
    print(f"{peers.checks} files exchanged with networkx and SciPy, {len(peers.failures)} differ")
    return 1 if peers.failures else 0


if __name__ == "__main__":
    sys.exit(main())
