//! What kernels there are.

/// What there is to know of a kernel before it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The name that settings use.
    pub name: &'static str,
    /// What it counts.
    pub counts: &'static str,
    /// What settings it has, beside those of the comparison.
    pub settings: &'static str,
    /// What it sees: labels of vertices, labels of edges, direction, weights.
    pub sees: &'static str,
    /// The time it takes for a graph of `n` vertices and `m` edges.
    pub complexity: &'static str,
    /// Where it is defined.
    pub reference: &'static str,
}

/// All kernels.
pub const CATALOGUE: &[About] = &[
    About {
        name: "apc",
        counts: "simple paths and simple cycles",
        settings: "encoding, profile, labels, edge labels, cycles, convention",
        sees: "vertex labels, edge labels, direction",
        complexity: "the number of paths one edge shorter than the longest",
        reference: "Giscard and Wilson, The all-paths and cycles graph kernel, 2017",
    },
    About {
        name: "all-paths",
        counts: "simple paths",
        settings: "encoding, profile, labels, edge labels, convention",
        sees: "vertex labels, edge labels, direction",
        complexity: "the number of paths one edge shorter than the longest",
        reference: "Giscard and Wilson, The all-paths and cycles graph kernel, 2017",
    },
    About {
        name: "shortest-path",
        counts: "ordered pairs of vertices by distance",
        settings: "labels, lengths",
        sees: "vertex labels, direction, weights",
        complexity: "n m; n m log n with weights",
        reference: "Borgwardt and Kriegel, Shortest-path kernels on graphs, 2005",
    },
    About {
        name: "graphlet",
        counts: "induced subgraphs of 3 to 5 vertices",
        settings: "sizes, connected or all, labels, sampling",
        sees: "vertex labels if asked to",
        complexity: "the number of connected induced subgraphs, of pairs of edges, too, for all; n^size for all labelled ones; the number of samples",
        reference: "Shervashidze et al., Efficient graphlet kernels for large graph comparison, 2009",
    },
    About {
        name: "wl",
        counts: "vertices by labels that are refined round by round",
        settings: "rounds, labels, edge labels",
        sees: "vertex labels, edge labels, direction",
        complexity: "rounds times m",
        reference: "Shervashidze et al., Weisfeiler-Lehman graph kernels, 2011",
    },
    About {
        name: "wl-oa",
        counts: "what wl counts, compared by intersection",
        settings: "rounds, labels, edge labels",
        sees: "vertex labels, edge labels, direction",
        complexity: "rounds times m",
        reference: "Kriege, Giscard and Wilson, On valid optimal assignment kernels, 2016",
    },
    About {
        name: "random-walk",
        counts: "pairs of walks that read the same labels, of all lengths or up to one",
        settings: "lambda, longest length, weights of lengths, solver, labels",
        sees: "vertex labels, direction",
        complexity: "n m for each pair of graphs, some ten times; up to a length: label sequences times m",
        reference: "Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, 2003",
    },
    About {
        name: "backtrackless-walk",
        counts: "walks that never turn straight back",
        settings: "longest length, weights of lengths, labels, edge labels",
        sees: "vertex labels, edge labels, direction",
        complexity: "label sequences times m",
        reference: "Aziz, Wilson and Hancock, Backtrackless walks on a graph, 2013",
    },
    About {
        name: "edge-paths",
        counts: "walks that use no edge twice",
        settings: "longest length, labels, edge labels",
        sees: "vertex labels, edge labels, direction",
        complexity: "the number of such walks",
        reference: "Borgwardt and Kriegel, Shortest-path kernels on graphs, 2005",
    },
    About {
        name: "nspdk",
        counts: "ordered pairs of neighbourhoods by distance",
        settings: "radius, distance, labels, edge labels",
        sees: "vertex labels, edge labels, direction",
        complexity: "n neighbourhoods of each radius, and the vertices within the distance",
        reference: "Costa and De Grave, Fast neighborhood subgraph pairwise distance kernel, 2010",
    },
    About {
        name: "tree-pattern",
        counts: "pairs of trees of one height that can be laid into both graphs",
        settings: "height, lambda, tree weights, tottering, labels",
        sees: "vertex labels, direction",
        complexity: "height times n^2 for each pair of graphs, times ways to match neighbours: 2^d d^2 for d of one label",
        reference: "Mahé and Vert, Graph kernels based on tree patterns for molecules, 2009",
    },
    About {
        name: "cyclic-pattern",
        counts: "which cycles there are, and which trees of bridges",
        settings: "longest length, labels, edge labels",
        sees: "vertex labels, edge labels, direction of cycles",
        complexity: "the number of paths one edge shorter than the longest cycle",
        reference: "Horváth, Gärtner and Wrobel, Cyclic pattern kernels for predictive graph mining, 2004",
    },
    About {
        name: "connected-subgraphs",
        counts: "connected subgraphs of up to 5 vertices, induced or not",
        settings: "size, weights of sizes, labels",
        sees: "vertex labels",
        complexity: "the number of connected induced subgraphs",
        reference: "Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, 2003",
    },
    About {
        name: "vertex-histogram",
        counts: "vertices by label",
        settings: "none",
        sees: "vertex labels",
        complexity: "n",
        reference: "Sugiyama and Borgwardt, Halting in random walk kernels, 2015",
    },
    About {
        name: "edge-histogram",
        counts: "edges by label, whatever they join",
        settings: "none",
        sees: "edge labels",
        complexity: "m",
        reference: "Sugiyama and Borgwardt, Halting in random walk kernels, 2015",
    },
];
