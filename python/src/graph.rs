//! Graphs from what Python has, and back.

use allpaths::Dataset;
use allpaths::graph::{Attribute, GraphBuilder, Labels, Values};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::error::exception;
use crate::label::Texts;

/// A graph, directed or not, with labels, weights and names where there are any. It never changes.
///
/// Parameters
/// ----------
/// edges : array of two columns, or iterable of pairs
///     The ends of each edge. Vertices are numbered from 0. An undirected edge may be listed from one end or from both; one
///     that is listed more often is merged into its first listing.
/// vertex_labels : iterable
///     A label for each vertex: anything with a stable text.
/// edge_labels : iterable
///     A label for each edge.
/// weights : sequence of float
///     A weight for each edge.
/// order : int
///     The number of vertices. None: as many as there are labels or names; without those, as many as edges have.
/// names : iterable
///     A name for each vertex.
/// directed : bool, default=False
///     Whether edges lead from their first vertex to their second alone.
///
/// Examples
/// --------
/// >>> import allpaths as ap
/// >>> dioxide = ap.Graph([(0, 1), (1, 2)], vertex_labels=["O", "C", "O"], edge_labels=["=", "="])
/// >>> dioxide
/// <allpaths.Graph: 3 vertices, 2 edges, undirected>
/// >>> dioxide.edges.tolist()
/// [[0, 1], [1, 2]]
#[pyclass(frozen, module = "allpaths", eq)]
#[allow(clippy::doc_markdown, clippy::doc_link_with_quotes)] // Python's documentation, as numpydoc wants it
#[derive(PartialEq)]
pub(crate) struct Graph {
    pub(crate) inner: allpaths::Graph,
}

/// Graphs in a row, as the library wants them, with labels that are equal numbers where they are equal.
pub(crate) fn dataset(graphs: &Bound<'_, PyAny>) -> PyResult<Dataset> {
    let graphs: PyResult<Vec<_>> =
        graphs.try_iter()?.map(|graph| Ok(graph?.cast::<Graph>()?.get().inner.clone())).collect();
    Ok(Dataset::from_graphs("graphs", graphs?))
}

/// Edges as they come, with what is said of them.
#[derive(Default)]
struct Listing<'py> {
    edges: Vec<(usize, usize)>,
    labels: Option<Texts<'py>>,
    weights: Option<Vec<f64>>,
}

impl Listing<'_> {
    fn build(
        self,
        directed: bool,
        order: usize,
        vertex_labels: Option<Texts<'_>>,
        names: Option<Texts<'_>>,
    ) -> PyResult<Graph> {
        built(self.builder(directed, order, vertex_labels, names)?)
    }

    fn builder(
        self,
        directed: bool,
        order: usize,
        vertex_labels: Option<Texts<'_>>,
        names: Option<Texts<'_>>,
    ) -> PyResult<GraphBuilder> {
        let mut builder =
            if directed { GraphBuilder::directed(order) } else { GraphBuilder::undirected(order) };
        for (u, v) in self.edges {
            builder.edge(u, v).map_err(|error| exception(&error))?;
        }
        vertex_labels.map(|labels| builder.vertex_labels(labels.iter()));
        self.labels.map(|labels| builder.edge_labels(labels.iter()));
        self.weights.map(|weights| builder.weights(weights));
        names.map(|names| builder.names(names.iter()));
        Ok(builder)
    }
}

fn built(builder: GraphBuilder) -> PyResult<Graph> {
    Ok(Graph { inner: builder.build().map_err(|error| exception(&error))? })
}

/// An attribute on its way through a pickle: its name and values.
type Column = (String, Cells);

#[derive(FromPyObject, IntoPyObject)]
enum Cells {
    Real(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

fn columns(attributes: &[Attribute]) -> Vec<Column> {
    let cells = |values: &Values| match values {
        Values::Real(values) => Cells::Real(values.clone()),
        Values::Text(values) => Cells::Text(values.clone()),
    };
    attributes.iter().map(|attribute| (attribute.name().to_owned(), cells(attribute.values()))).collect()
}

fn attribute_of((name, cells): Column) -> Attribute {
    Attribute::new(
        name,
        match cells {
            Cells::Real(values) => Values::Real(values),
            Cells::Text(values) => Values::Text(values),
        },
    )
}

/// The number of a vertex, which is not negative.
fn vertex(number: i64) -> PyResult<usize> {
    usize::try_from(number)
        .map_err(|_| PyValueError::new_err(format!("vertex {number}: vertices are numbered from 0")))
}

fn ends(edges: &Bound<'_, PyAny>) -> PyResult<Vec<(usize, usize)>> {
    if let Ok(edges) = edges.cast::<PyArray2<i64>>() {
        return ends_of(&edges.readonly());
    }
    if let Ok(edges) = edges.cast::<PyArray2<i32>>() {
        return ends_of(&edges.readonly());
    }
    let pair = |edge: PyResult<Bound<'_, PyAny>>| -> PyResult<_> {
        let (u, v) = edge?.extract::<(i64, i64)>()?;
        Ok((vertex(u)?, vertex(v)?))
    };
    edges.try_iter()?.map(pair).collect()
}

fn ends_of<T: numpy::Element + Copy + Into<i64>>(
    edges: &PyReadonlyArray2<'_, T>,
) -> PyResult<Vec<(usize, usize)>> {
    if let (2, Ok(ends)) = (edges.shape()[1], edges.as_slice()) {
        let (pairs, _) = ends.as_chunks();
        return pairs.iter().map(|&[u, v]| Ok((vertex(u.into())?, vertex(v.into())?))).collect();
    }
    let edges = edges.as_array();
    if edges.ncols() != 2 {
        let reason = format!("an array of edges has 2 columns, not {}", edges.ncols());
        return Err(PyValueError::new_err(reason));
    }
    edges.rows().into_iter().map(|edge| Ok((vertex(edge[0].into())?, vertex(edge[1].into())?))).collect()
}

fn names(labels: &Labels) -> Vec<&str> {
    (0..labels.codes().len()).map(|i| labels.name(i)).collect()
}

/// The vertices met so far, by what Python calls them.
struct Vertices<'py> {
    numbers: Bound<'py, PyDict>,
    order: usize,
}

impl<'py> Vertices<'py> {
    fn new(py: Python<'py>) -> Self {
        Self { numbers: PyDict::new(py), order: 0 }
    }

    /// A new vertex.
    fn add(&mut self, vertex: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.numbers.set_item(vertex, self.order)?;
        self.order += 1;
        Ok(self.order - 1)
    }

    fn get(&self, vertex: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        self.numbers.get_item(vertex)?.map(|number| number.extract()).transpose()
    }
}

/// The attribute of something, if it has that.
fn attribute<'py>(
    attributes: &Bound<'py, PyAny>,
    name: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(name) = name else { return Ok(None) };
    match attributes.cast::<PyDict>() {
        Ok(attributes) => attributes.get_item(name),
        Err(_) if attributes.contains(name)? => attributes.get_item(name).map(Some),
        Err(_) => Ok(None),
    }
}

/// What some have and others lack is nobody's to guess.
fn all_or_none<T>(
    values: Vec<Option<T>>,
    what: &str,
    name: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Vec<T>>> {
    let Some(lacking) = values.iter().position(Option::is_none) else {
        return Ok(Some(values.into_iter().flatten().collect()));
    };
    if values.iter().all(Option::is_none) {
        return Ok(None);
    }
    let name = name.map_or(String::new(), |name| format!(" {name:?}"));
    Err(PyValueError::new_err(format!("{what} {lacking} has no attribute{name}, others have")))
}

#[pymethods]
impl Graph {
    #[new]
    #[pyo3(signature = (edges=None, vertex_labels=None, edge_labels=None, weights=None, *, order=None, names=None, directed=false))]
    fn new(
        edges: Option<&Bound<'_, PyAny>>,
        vertex_labels: Option<&Bound<'_, PyAny>>,
        edge_labels: Option<&Bound<'_, PyAny>>,
        weights: Option<Vec<f64>>,
        order: Option<usize>,
        names: Option<&Bound<'_, PyAny>>,
        directed: bool,
    ) -> PyResult<Self> {
        let edges = edges.map(ends).transpose()?.unwrap_or_default();
        let vertex_labels = vertex_labels.map(Texts::of).transpose()?;
        let names = names.map(Texts::of).transpose()?;
        let met = || edges.iter().map(|&(u, v)| u.max(v) + 1).max().unwrap_or(0);
        let told = order.or(vertex_labels.as_ref().map(Texts::len)).or(names.as_ref().map(Texts::len));
        let order = told.unwrap_or_else(met);
        Listing { edges, labels: edge_labels.map(Texts::of).transpose()?, weights }.build(
            directed,
            order,
            vertex_labels,
            names,
        )
    }

    /// A graph of networkx: its vertices with their attributes, and its rows.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)] // all that there is to choose
    fn _from_networkx<'py>(
        nodes: &Bound<'py, PyAny>,
        rows: &Bound<'py, PyAny>,
        node_label: Option<&Bound<'py, PyAny>>,
        edge_label: Option<&Bound<'py, PyAny>>,
        weight: Option<&Bound<'py, PyAny>>,
        directed: bool,
        multigraph: bool,
        named: bool,
    ) -> PyResult<Self> {
        let mut vertices = Vertices::new(nodes.py());
        let mut vertex_labels = Texts::default();
        let mut names = Texts::default();
        for node in nodes.try_iter()? {
            let (node, attributes) = node?.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>()?;
            vertices.add(&node)?;
            if named {
                names.push(Some(node))?;
            }
            vertex_labels.push(attribute(&attributes, node_label)?)?;
        }
        let (mut edges, mut labels, mut weights) = (Vec::new(), Texts::default(), Vec::new());
        for (u, row) in rows.try_iter()?.enumerate() {
            let (_, row) = row?.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>()?;
            let mut edge = |v: &Bound<'py, PyAny>, attributes: &Bound<'py, PyAny>| -> PyResult<()> {
                let v = vertices
                    .get(v)?
                    .ok_or_else(|| PyValueError::new_err("an edge to a node that is not there"))?;
                if !directed && v < u {
                    return Ok(()); // it is in the row of the other end, too
                }
                // Parallel edges are merged into the first of them.
                let first = if multigraph {
                    attributes.call_method0("values")?.try_iter()?.next().transpose()?
                } else {
                    None
                };
                let attributes = first.as_ref().unwrap_or(attributes);
                edges.push((u, v));
                labels.push(attribute(attributes, edge_label)?)?;
                weights.push(attribute(attributes, weight)?.map(|weight| weight.extract()).transpose()?);
                Ok(())
            };
            match row.cast::<PyDict>() {
                Ok(row) => row.iter().try_for_each(|(v, attributes)| edge(&v, &attributes))?,
                Err(_) => {
                    for item in row.call_method0("items")?.try_iter()? {
                        let (v, attributes) = item?.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>()?;
                        edge(&v, &attributes)?;
                    }
                }
            }
        }
        let labels = labels.complete("edge", edge_label)?;
        let weights = all_or_none(weights, "edge", weight)?;
        let vertex_labels = vertex_labels.complete("vertex", node_label)?;
        Listing { edges, labels, weights }.build(
            directed,
            vertices.order,
            vertex_labels,
            named.then_some(names),
        )
    }

    /// Edges between vertices that are called anything: tuples, perhaps with a weight. Labels of vertices by vertex, of edges
    /// by edge, from either end where edges have no direction. Vertices that no edge has may be told beforehand.
    #[staticmethod]
    fn _from_tuples<'py>(
        edges: &Bound<'py, PyAny>,
        lone: Option<&Bound<'py, PyAny>>,
        vertex_labels: Option<&Bound<'py, PyDict>>,
        edge_labels: Option<&Bound<'py, PyDict>>,
        weighted: bool,
        directed: bool,
        named: bool,
    ) -> PyResult<Self> {
        let py = edges.py();
        let mut vertices = Vertices::new(py);
        let mut given = Texts::default();
        if let Some(labels) = vertex_labels {
            for (vertex, label) in labels {
                vertices.add(&vertex)?;
                given.push(Some(label))?;
            }
        } else if let Some(lone) = lone {
            for vertex in lone.try_iter()? {
                vertices.add(&vertex?)?;
            }
        }
        let mut listing = Listing::default();
        let (mut labels, mut weights) = (Texts::default(), Vec::new());
        for edge in edges.try_iter()? {
            let edge = edge?;
            let wrong = || PyTypeError::new_err(format!("an edge is a tuple of two vertices, not {edge:?}"));
            let ends = edge.cast::<PyTuple>().map_err(|_| wrong())?;
            if !(2..=3).contains(&ends.len()) {
                return Err(wrong());
            }
            let mut number = |vertex: &Bound<'py, PyAny>| match vertices.get(vertex)? {
                Some(number) => Ok(number),
                None if vertex_labels.is_some() => {
                    Err(PyValueError::new_err(format!("vertex {vertex:?} of an edge has no label")))
                }
                None => vertices.add(vertex),
            };
            let (u, v) = (ends.get_item(0)?, ends.get_item(1)?);
            listing.edges.push((number(&u)?, number(&v)?));
            if weighted {
                weights.push(if ends.len() == 3 { ends.get_item(2)?.extract()? } else { 1.0 });
            }
            if let Some(given) = edge_labels {
                let mut found =
                    if ends.len() == 2 { given.get_item(ends)? } else { given.get_item((&u, &v))? };
                if found.is_none() && !directed {
                    found = given.get_item((&v, &u))?;
                }
                let found =
                    found.ok_or_else(|| PyValueError::new_err(format!("edge {edge:?} has no label")))?;
                labels.push(Some(found))?;
            }
        }
        listing.labels = edge_labels.map(|_| labels);
        listing.weights = weighted.then_some(weights);
        let names = named.then(|| Texts::of(vertices.numbers.keys().as_any())).transpose()?;
        listing.build(directed, vertices.order, vertex_labels.map(|_| given), names)
    }

    #[getter]
    fn order(&self) -> usize {
        self.inner.order()
    }

    #[getter]
    fn size(&self) -> usize {
        self.inner.size()
    }

    #[getter]
    fn directed(&self) -> bool {
        self.inner.is_directed()
    }

    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let ends: Vec<i64> =
            self.inner.edges().flat_map(|(u, v)| [u, v].map(|v| v.cast_signed() as i64)).collect();
        PyArray1::from_vec(py, ends).reshape([self.inner.size(), 2])
    }

    #[getter]
    fn vertex_labels(&self) -> Option<Vec<&str>> {
        self.inner.vertex_labels().map(names)
    }

    #[getter]
    fn edge_labels(&self) -> Option<Vec<&str>> {
        self.inner.edge_labels().map(names)
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.inner.weights().map(|weights| PyArray1::from_slice(py, weights))
    }

    #[getter]
    fn names(&self) -> Option<Vec<String>> {
        self.inner
            .has_names()
            .then(|| (0..self.inner.order()).map(|v| self.inner.name(v).into_owned()).collect())
    }

    /// The number of the vertex of that name.
    fn vertex(&self, name: &str) -> Option<usize> {
        self.inner.vertex(name)
    }

    fn __repr__(&self) -> String {
        let graph = &self.inner;
        let kind = if graph.is_directed() { "directed" } else { "undirected" };
        format!("<allpaths.Graph: {} vertices, {} edges, {kind}>", graph.order(), graph.size())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let parts = (
            self.edges(py)?,
            self.vertex_labels(),
            self.edge_labels(),
            self.inner.weights().map(<[f64]>::to_vec),
            self.order(),
            self.names(),
            self.directed(),
            columns(self.inner.vertex_attributes()),
            columns(self.inner.edge_attributes()),
        );
        Ok((py.get_type::<Self>().getattr("_from_parts")?, parts.into_pyobject(py)?))
    }

    /// What `__reduce__` took apart.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)] // all that there is
    fn _from_parts(
        edges: &Bound<'_, PyAny>,
        vertex_labels: Option<&Bound<'_, PyAny>>,
        edge_labels: Option<&Bound<'_, PyAny>>,
        weights: Option<Vec<f64>>,
        order: usize,
        names: Option<&Bound<'_, PyAny>>,
        directed: bool,
        vertex_attributes: Vec<Column>,
        edge_attributes: Vec<Column>,
    ) -> PyResult<Self> {
        let listing =
            Listing { edges: ends(edges)?, labels: edge_labels.map(Texts::of).transpose()?, weights };
        let mut builder = listing.builder(
            directed,
            order,
            vertex_labels.map(Texts::of).transpose()?,
            names.map(Texts::of).transpose()?,
        )?;
        vertex_attributes.into_iter().for_each(|column| {
            builder.vertex_attribute(attribute_of(column));
        });
        edge_attributes.into_iter().for_each(|column| {
            builder.edge_attribute(attribute_of(column));
        });
        built(builder)
    }
}
