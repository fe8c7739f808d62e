//! The names of engines.

use allpaths::count::Engine;

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum EngineName {
    /// The fastest for the graph at hand
    Auto,
    /// Walk every path
    DepthFirst,
    /// The algorithm of Giscard and Wilson, over connected induced subgraphs
    Sieve,
    /// Signed sums of walks, by algebra: dense graphs and large networks, lengths to 9
    Quotient,
    /// States of a frontier that sweeps over the graph: long paths in grids and road networks
    Frontier,
    /// Half-paths that meet in the middle: paths between two vertices of many neighbours
    Meet,
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Auto => Engine::Auto,
            EngineName::DepthFirst => Engine::DepthFirst,
            EngineName::Sieve => Engine::Sieve,
            EngineName::Quotient => Engine::Quotient,
            EngineName::Frontier => Engine::Frontier,
            EngineName::Meet => Engine::Meet,
        }
    }
}
