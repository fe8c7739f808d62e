"""Labelled paths and cycles as features in Apache Spark, without a shuffle: each batch of rows is embedded where it is.

A row is a graph, with the columns that ``allpaths convert graphs -o graphs.parquet`` writes: ``source`` and ``target``, arrays of whole
numbers; ``vertex_labels`` and ``edge_labels``, arrays of strings or whole numbers, if there are any. Or one column has it all,
``graph_bytes``, as ``allpaths convert --graph-columns bytes`` writes it: Spark hands one value on in place of lists, which is faster. Rows
are never dropped: one that holds no graph gets an empty vector, and a column says why.

>>> from allpaths.spark import AllPathsCyclesFeatures
>>> features = AllPathsCyclesFeatures(maxLength=5, numFeatures=2**18)
>>> rows = features.transform(spark.read.parquet("molecules.parquet"))  # doctest: +SKIP

As with every transformer, all columns of the input are there in the output; what nothing asks for later is neither read nor handed on, as
with Spark's own columns. Executors of a core each do more with these options of Java, which must be set before the session starts::

    spark.executor.extraJavaOptions=-XX:+UseParallelGC -Darrow.enable_unsafe_memory_access=true -Darrow.enable_null_check_for_get=false

It needs PySpark 4.1 and pandas below 3, which PySpark does not fully support yet: ``pip install 'allpaths[spark]'``. The package must be
installed where executors run.
"""

import gc
from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import pyarrow as pa

from ._arrow import embed_batch, hash_bits

try:
    import pyspark
    from pyspark import keyword_only
    from pyspark.ml import Estimator, Model, Transformer
    from pyspark.ml.linalg import VectorUDT
    from pyspark.ml.param import Param, Params, TypeConverters
    from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
    from pyspark.sql import DataFrame
    from pyspark.sql import functions as F
    from pyspark.sql.types import ArrayType, BinaryType, IntegralType, LongType, StringType, StructField, StructType
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"allpaths.spark needs PySpark 4.1: pip install 'allpaths[spark]' ({error})") from None

if not hasattr(F, "arrow_udf"):
    raise ImportError(f"allpaths.spark needs PySpark 4.1, and this is {pyspark.__version__}: pip install 'allpaths[spark]'")

__all__ = ["AllPathsCyclesFeatures", "AllPathsCyclesVocabulary", "AllPathsCyclesVocabularyModel"]


# The columns that say what a graph is, as embed_batch knows them.
_GRAPH = ("source", "target", "vertex_labels", "edge_labels", "weights", "vertices", "directed", "graph_bytes")

# The columns that embed_batch adds.
_FOUND = {"features": VectorUDT(), "outcome": StringType(), "reason": StringType()}


@cache
def _settle() -> None:
    """Spare the garbage collector what the worker has imported: Spark has it look at everything after each task."""
    gc.freeze()


def _embed(batch: pa.RecordBatch, options: dict[str, Any]) -> pa.StructArray:
    """Embed a batch of graphs, on the thread of the task."""
    _settle()
    found = embed_batch(batch, **options, on_error="mark", keep_columns=False, n_jobs=1)
    return pa.StructArray.from_arrays(found.columns, names=list(_FOUND))


def _ids(batches: Iterable[pa.RecordBatch], options: dict[str, Any]) -> Iterator[pa.RecordBatch]:
    """Give the ids of the features of each row, as the signed integers that Spark has."""
    for batch in batches:
        ids = embed_batch(batch, **options, on_error="mark", n_jobs=1)["ids"]
        signed = pa.ListArray.from_arrays(ids.offsets, ids.values.view(pa.int64()))
        yield pa.RecordBatch.from_arrays([signed], names=["ids"])


def _check(frame: DataFrame) -> None:
    """Check that columns are there and hold what they must; messages name them."""
    kinds = {field.name: field.dataType for field in frame.schema.fields}
    if "graph_bytes" in kinds:
        if not isinstance(kinds["graph_bytes"], BinaryType):
            raise ValueError(f'column "graph_bytes" must hold bytes, not {kinds["graph_bytes"].simpleString()}')
        for name in _GRAPH[:-1]:
            if name in kinds:
                raise ValueError(f'columns "graph_bytes" and "{name}" both say what graphs are: leave one out')
        return
    for name in ("source", "target"):
        if name not in kinds:
            raise ValueError(f'there is no column "{name}": it holds the ends of edges')
        if not (isinstance(kinds[name], ArrayType) and isinstance(kinds[name].elementType, IntegralType)):
            raise ValueError(f'column "{name}" must hold arrays of whole numbers, not {kinds[name].simpleString()}')
    for name in ("vertex_labels", "edge_labels"):
        kind = kinds.get(name)
        if kind is not None and not (isinstance(kind, ArrayType) and isinstance(kind.elementType, (StringType, IntegralType))):
            raise ValueError(f'column "{name}" must hold arrays of strings or whole numbers, not {kind.simpleString()}')


class _Embedding(Params):
    """The parameters that say what is counted, and where it goes."""

    maxLength = Param(Params._dummy(), "maxLength", "the longest path or cycle, in edges", TypeConverters.toInt)
    encoding = Param(Params._dummy(), "encoding", "what paths and cycles are called", TypeConverters.toString)
    profile = Param(Params._dummy(), "profile", "the longest length for each number of refinement rounds", TypeConverters.toString)
    keepLabels = Param(Params._dummy(), "keepLabels", "the labels that keep their names, the commonest first", TypeConverters.toListString)
    edgeLabels = Param(Params._dummy(), "edgeLabels", "whether labels of edges are part of names", TypeConverters.toBoolean)
    cycles = Param(Params._dummy(), "cycles", "where cycles are counted: separate, merged or off", TypeConverters.toString)
    vertices = Param(Params._dummy(), "vertices", "whether vertices are counted by label", TypeConverters.toBoolean)
    convention = Param(Params._dummy(), "convention", "what counts as one: distinct or rooted", TypeConverters.toString)
    directed = Param(Params._dummy(), "directed", "whether edges lead from source to target alone", TypeConverters.toBoolean)
    budget = Param(Params._dummy(), "budget", "the most steps that a graph may take", TypeConverters.toInt)
    keepGraphs = Param(Params._dummy(), "keepGraphs", "whether the columns that say what graphs are stay", TypeConverters.toBoolean)
    outputCol = Param(Params._dummy(), "outputCol", "the column for vectors of counts", TypeConverters.toString)
    outcomeCol = Param(Params._dummy(), "outcomeCol", "the column for ok, budget or invalid", TypeConverters.toString)
    reasonCol = Param(Params._dummy(), "reasonCol", "the column for the reason, where the outcome is not ok", TypeConverters.toString)

    def _defaults(self) -> None:
        self._setDefault(maxLength=6, encoding="sequence", edgeLabels=False, cycles="separate", vertices=True)
        self._setDefault(convention="distinct", directed=False, keepGraphs=True)
        self._setDefault(outputCol="features", outcomeCol="outcome", reasonCol="reason")

    def _options(self) -> dict[str, Any]:
        """Give what :func:`allpaths.embed_batch` takes."""
        names = {
            "maxLength": "max_length",
            "encoding": "encoding",
            "profile": "profile",
            "keepLabels": "keep_labels",
            "edgeLabels": "edge_labels",
            "cycles": "cycles",
            "vertices": "vertices",
            "convention": "convention",
            "directed": "directed",
            "budget": "budget",
        }
        options = {name: self.getOrDefault(param) for param, name in names.items() if self.isDefined(param)}
        # A mistake is found here, and not by every task.
        lists = pa.array([], pa.list_(pa.int64()))
        embed_batch(pa.RecordBatch.from_arrays([lists, lists], names=["source", "target"]), **options)
        return options

    def _embedded(self, frame: DataFrame, columns: dict[str, Any]) -> DataFrame:
        _check(frame)
        names = [self.getOrDefault(param) for param in ("outputCol", "outcomeCol", "reasonCol")]
        for name in names:
            if name in frame.columns:
                raise ValueError(f'there is a column "{name}" already: give another name')
        graph = [name for name in frame.columns if name in _GRAPH]
        options = self._options() | columns

        # Spark asks functions for hints of types, and takes none of those that partial makes.
        @F.arrow_udf(returnType=StructType([StructField(name, kind) for name, kind in _FOUND.items()]))
        def embed(*arrays):
            return _embed(pa.RecordBatch.from_arrays(list(arrays), names=graph), options)

        # What comes straight from a file of columns Spark 4.3 would make columns again afterwards, which it cannot do with vectors. So it
        # has to become rows first, for a condition that always holds and that no planner leaves out.
        found = frame.filter(F.spark_partition_id() >= 0).withColumn(names[0], embed(*graph))
        # The new column is all that was found, and then a part of it, as the others are.
        whole = found["`" + names[0].replace("`", "``") + "`"]
        found = found.withColumns({name: whole[part] for name, part in zip(names, _FOUND, strict=True)})
        return found if self.getOrDefault("keepGraphs") else found.drop(*graph)


class AllPathsCyclesFeatures(Transformer, _Embedding, DefaultParamsReadable, DefaultParamsWritable):
    """Count labelled simple paths and cycles into hashed columns: nothing is learnt, so that machines need not agree on anything.

    Parameters
    ----------
    maxLength, encoding, profile, keepLabels, edgeLabels, cycles, vertices, convention, directed, budget
        As ``max_length`` and so on in :func:`allpaths.embed_batch`.
    numFeatures : int, default=2**18
        The number of columns, a power of two.
    keepGraphs : bool, default=True
        Whether the columns that say what the graphs are are in the output, too.
    outputCol, outcomeCol, reasonCol : str
        The columns that are added: a sparse vector of counts; ``"ok"``, ``"budget"`` or ``"invalid"``; and why, where it is not ok.
    """

    numFeatures = Param(Params._dummy(), "numFeatures", "the number of hashed columns, a power of two", TypeConverters.toInt)

    @keyword_only
    def __init__(
        self,
        *,
        maxLength=6,
        encoding="sequence",
        numFeatures=2**18,
        profile=None,
        keepLabels=None,
        edgeLabels=False,
        cycles="separate",
        vertices=True,
        convention="distinct",
        directed=False,
        budget=None,
        keepGraphs=True,
        outputCol="features",
        outcomeCol="outcome",
        reasonCol="reason",
    ):
        super().__init__()
        self._defaults()
        self._setDefault(numFeatures=2**18)
        self._set(**{name: value for name, value in self._input_kwargs.items() if value is not None})

    def _transform(self, frame: DataFrame) -> DataFrame:
        size = self.getOrDefault("numFeatures")
        hash_bits("numFeatures", size)
        return self._embedded(frame, {"n_features": size})


class AllPathsCyclesVocabulary(Estimator, _Embedding, DefaultParamsReadable, DefaultParamsWritable):
    """Learn which features have columns: those that enough graphs have, the commonest first, as Spark counts them.

    Parameters
    ----------
    minGraphs : int, default=1
        Features that fewer graphs have get no column.
    vocabSize : int, default=2**18
        The most columns.
    maxLength, encoding, profile, keepLabels, edgeLabels, cycles, vertices, convention, directed, budget
        As in :class:`AllPathsCyclesFeatures`.
    keepGraphs, outputCol, outcomeCol, reasonCol
        As in :class:`AllPathsCyclesFeatures`.
    """

    minGraphs = Param(Params._dummy(), "minGraphs", "features that fewer graphs have get no column", TypeConverters.toInt)
    vocabSize = Param(Params._dummy(), "vocabSize", "the most columns", TypeConverters.toInt)

    @keyword_only
    def __init__(
        self,
        *,
        maxLength=6,
        encoding="sequence",
        minGraphs=1,
        vocabSize=2**18,
        profile=None,
        keepLabels=None,
        edgeLabels=False,
        cycles="separate",
        vertices=True,
        convention="distinct",
        directed=False,
        budget=None,
        keepGraphs=True,
        outputCol="features",
        outcomeCol="outcome",
        reasonCol="reason",
    ):
        super().__init__()
        self._defaults()
        self._setDefault(minGraphs=1, vocabSize=2**18)
        self._set(**{name: value for name, value in self._input_kwargs.items() if value is not None})

    def _fit(self, frame: DataFrame) -> "AllPathsCyclesVocabularyModel":
        _check(frame)
        graph = [name for name in frame.columns if name in _GRAPH and name != "weights"]
        ids = frame.select(*graph).mapInArrow(
            partial(_ids, options=self._options()), StructType([StructField("ids", ArrayType(LongType()))])
        )
        counted = ids.select(F.explode("ids").alias("id")).groupBy("id").count()
        common = counted.filter(F.col("count") >= self.getOrDefault("minGraphs"))
        # Of features that as many graphs have, the smaller id: the same whatever the partitions are.
        common = common.orderBy(F.desc("count"), "id").limit(self.getOrDefault("vocabSize"))
        found = np.array([row.id for row in common.select("id").collect()], dtype=np.int64).view(np.uint64)
        model = AllPathsCyclesVocabularyModel()
        self._copyValues(model)
        model._set(vocabulary=[int(number) for number in np.sort(found)])
        return model


class AllPathsCyclesVocabularyModel(Model, _Embedding, DefaultParamsReadable, DefaultParamsWritable):
    """Count labelled simple paths and cycles into the columns that were learnt; other features are left out."""

    vocabulary = Param(Params._dummy(), "vocabulary", "the ids of the features that have columns, ascending", TypeConverters.toList)

    def __init__(self):
        super().__init__()
        self._defaults()
        self._setDefault(vocabulary=[])

    def _transform(self, frame: DataFrame) -> DataFrame:
        return self._embedded(frame, {"vocabulary": np.array(self.getOrDefault("vocabulary"), dtype=np.uint64)})
