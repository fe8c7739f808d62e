//! The numbers of paths between all pairs of vertices as matrices, one for each length.

use std::path::Path;

use super::counts::ByPair;
use crate::npz::Npz;
use crate::{Error, Graph, Result};

/// A square sparse matrix in compressed rows, as SciPy holds it.
struct Matrix {
    data: Vec<u64>,
    indices: Vec<i32>,
    indptr: Vec<i64>,
}

impl ByPair {
    /// Writes the matrices `P(l)` of each finished length from 1, off the diagonal, to a file for NumPy (`.npz`).
    ///
    /// Row `u` and column `v` hold the paths from `u` to `v`; both triangles are there if edges have no direction. The
    /// arrays `length_3_data` (64 bits), `length_3_indices` and `length_3_indptr` are the compressed rows of `P(3)`,
    /// `shape` is the shape of them all, `max_length` the last of the lengths, `names` what the graph calls its vertices.
    ///
    /// ```text
    /// z = numpy.load("pairs.npz")
    /// scipy.sparse.csr_matrix((z["length_3_data"], z["length_3_indices"], z["length_3_indptr"]), shape=z["shape"])
    /// ```
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or a count does not fit into 64 bits.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Graph, Counter};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("pairs.npz");
    /// let square = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
    /// Counter::up_to(3).by_pair(&square)?.write_npz(&square, &path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[allow(clippy::cast_possible_wrap)] // orders and lengths are far below 2^63
    pub fn write_npz(&self, graph: &Graph, path: impl AsRef<Path>) -> Result<()> {
        let order = graph.order() as i64;
        let mut npz = Npz::new()
            .array("shape", vec![order, order])
            .scalar("max_length", vec![self.finished() as i64])
            .array("names", (0..graph.order()).map(|v| graph.name(v).into_owned()).collect::<Vec<_>>());
        for length in 1..=self.finished() {
            let Matrix { data, indices, indptr } = self.matrix(graph, length)?;
            npz = npz
                .array(format!("length_{length}_data"), data)
                .array(format!("length_{length}_indices"), indices)
                .array(format!("length_{length}_indptr"), indptr);
        }
        npz.write(path)
    }

    fn matrix(&self, graph: &Graph, length: usize) -> Result<Matrix> {
        let mut matrix = Matrix { data: Vec::new(), indices: Vec::new(), indptr: vec![0; graph.order() + 1] };
        for (source, target, counts) in self.pairs() {
            let count = counts.get(length - 1).copied().unwrap_or(0);
            if count == 0 {
                continue;
            }
            let count = u64::try_from(count).map_err(|_| {
                let (u, v) = (graph.name(source), graph.name(target));
                Error::settings(format!(
                    "the {count} paths of length {length} from {u} to {v} do not fit into the 64 bits of a matrix: \
                     take shorter ones, or another output"
                ))
            })?;
            matrix.data.push(count);
            matrix.indices.push(i32::try_from(target).map_err(|_| Error::graph("too large for a matrix"))?);
            matrix.indptr[source + 1] += 1;
        }
        for row in 1..matrix.indptr.len() {
            matrix.indptr[row] += matrix.indptr[row - 1];
        }
        Ok(matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Counter;
    use crate::count::Outcome;
    use crate::count::counts::Extent;

    #[test]
    fn rows_are_compressed() {
        // 0 -> 1 -> 2 -> 0, and 0 -> 2
        let graph = Graph::from_arcs(4, [(0, 1), (1, 2), (2, 0), (0, 2)]).unwrap();
        let pairs = Counter::up_to(3).by_pair(&graph).unwrap();
        let matrix = pairs.matrix(&graph, 1).unwrap();
        assert_eq!((matrix.data, matrix.indices), (vec![1; 4], vec![1, 2, 2, 0]));
        assert_eq!(matrix.indptr, [0, 2, 3, 4, 4]);
        let matrix = pairs.matrix(&graph, 2).unwrap();
        assert_eq!((matrix.data, matrix.indices), (vec![1; 3], vec![2, 0, 1]));
        assert_eq!(matrix.indptr, [0, 1, 2, 3, 3]);
        assert_eq!(pairs.matrix(&graph, 3).unwrap().indptr, [0; 5]);
    }

    #[test]
    fn what_64_bits_do_not_hold_is_refused_and_not_cut() {
        let graph = Graph::from_arcs(2, [(0, 1)]).unwrap();
        let extent = Extent { max_length: 2, finished: 2, outcome: Outcome::Complete };
        let pairs = ByPair::new(extent, vec![vec![(1, vec![1, 1 << 64])], Vec::new()]);
        assert_eq!(pairs.matrix(&graph, 1).unwrap().data, [1]);
        let error = pairs.write_npz(&graph, "never.npz").unwrap_err();
        assert!(
            error.is_usage()
                && error.to_string().contains("18446744073709551616 paths of length 2 from 0 to 1")
        );
    }
}
