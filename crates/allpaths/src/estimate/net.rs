//! The graph as samples see it: by degree, without loops, and each arc with the one that leads back.

use crate::Graph;

/// Rows of arcs. Vertices are numbered anew, those with few neighbours first: a cycle is found from its first vertex, and the later that is the less
/// there is to look at.
pub(super) struct Net {
    offsets: Vec<u32>,
    targets: Vec<u32>,
    /// By arc: the one that leads back, if there is one.
    back: Vec<u32>,
    /// By vertex: neighbours in either direction, the later ones last. Only directed graphs need it.
    around: Option<Vec<Vec<u32>>>,
}

/// No arc.
const NONE: u32 = u32::MAX;

impl Net {
    pub(super) fn of(graph: &Graph) -> Self {
        let order = graph.order();
        let mut degrees = vec![0usize; order];
        for (u, v) in graph.edges().filter(|(u, v)| u != v) {
            degrees[u] += 1;
            degrees[v] += 1;
        }
        let mut by_degree: Vec<usize> = (0..order).collect();
        by_degree.sort_by_key(|&v| degrees[v]);
        let mut number = vec![0u32; order];
        by_degree.iter().enumerate().for_each(|(i, &v)| number[v] = i as u32);
        let (mut offsets, mut targets) = (vec![0], Vec::new());
        for &v in &by_degree {
            let start = targets.len();
            targets.extend(
                graph.neighbours(v).iter().filter(|&&w| w as usize != v).map(|&w| number[w as usize]),
            );
            targets[start..].sort_unstable();
            offsets.push(targets.len() as u32);
        }
        let mut net = Self { offsets, targets, back: Vec::new(), around: None };
        let back =
            |(v, arc): (usize, usize)| net.arc(net.targets[arc] as usize, v).map_or(NONE, |arc| arc as u32);
        net.back = (0..order).flat_map(|v| net.row(v).map(move |arc| (v, arc))).map(back).collect();
        if graph.is_directed() {
            let mut around = vec![Vec::new(); order];
            for (u, v) in graph.edges().filter(|(u, v)| u != v) {
                around[number[u] as usize].push(number[v]);
                around[number[v] as usize].push(number[u]);
            }
            net.around = Some(around);
        }
        net
    }

    pub(super) fn order(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(super) fn arcs(&self) -> usize {
        self.targets.len()
    }

    /// The arcs that start at a vertex.
    #[inline]
    pub(super) fn row(&self, v: usize) -> std::ops::Range<usize> {
        self.offsets[v] as usize..self.offsets[v + 1] as usize
    }

    #[inline]
    pub(super) fn target(&self, arc: usize) -> usize {
        self.targets[arc] as usize
    }

    /// The arc that leads back.
    #[inline]
    pub(super) fn back(&self, arc: usize) -> Option<usize> {
        let back = self.back[arc];
        (back != NONE).then_some(back as usize)
    }

    fn arc(&self, u: usize, v: usize) -> Option<usize> {
        let row = self.row(u);
        self.targets[row.clone()].binary_search(&(v as u32)).ok().map(|i| row.start + i)
    }

    /// The neighbours of a vertex, in whichever direction.
    pub(super) fn around(&self, v: usize) -> &[u32] {
        self.around.as_ref().map_or_else(|| &self.targets[self.row(v)], |around| &around[v])
    }

    /// How many neighbours come after a vertex.
    pub(super) fn later(&self, v: usize) -> usize {
        self.around(v).iter().filter(|&&w| w as usize > v).count()
    }
}
