"""Features on a real cluster: the same as in one process, whatever happens."""

import os
import signal
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import chain, ring
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.classification import LinearSVC
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder
from pyspark.sql import functions as F

from allpaths.spark import AllPathsCyclesFeatures, AllPathsCyclesVocabulary, AllPathsCyclesVocabularyModel

SCHEMA = "id long, source array<int>, target array<int>, vertex_labels array<string>"


def same(found, expected):
    """Compare rows of Spark with rows of one process, bit for bit."""
    assert sorted(row.id for row in found) == sorted(expected)
    for row in found:
        other = expected[row.id]
        vector = other["features"]
        assert row.features.size == vector["size"]
        assert row.features.indices.tolist() == vector["indices"]
        assert row.features.values.tolist() == vector["values"]
        assert (row.outcome, row.reason) == (other["outcome"], other["reason"])


def test_vectors_are_those_of_one_process(frame, expected):
    for encoding in ("sequence", "composition"):
        features = AllPathsCyclesFeatures(maxLength=4, encoding=encoding, numFeatures=2**12)
        found = features.transform(frame).collect()
        same(found, expected(max_length=4, encoding=encoding, n_features=2**12))
        assert {row.outcome for row in found} == {"ok"}
        assert all(row.y == row.id % 2 for row in found)


def test_graphs_as_bytes_are_the_same_graphs(frame, bytes_frame, expected):
    for options in ({}, {"keepGraphs": False}):
        features = AllPathsCyclesFeatures(maxLength=4, numFeatures=2**12, **options)
        found = features.transform(bytes_frame)
        graphs = ["graph_bytes"] if features.getOrDefault("keepGraphs") else []
        assert found.columns == ["id", *graphs, "y", "features", "outcome", "reason"]
        same(found.collect(), expected(max_length=4, n_features=2**12))
    estimator = AllPathsCyclesVocabulary(maxLength=3, minGraphs=3)
    assert estimator.fit(bytes_frame).getOrDefault("vocabulary") == estimator.fit(frame).getOrDefault("vocabulary")


def test_graphs_are_left_out_where_that_is_asked_for(frame, expected, tmp_path):
    features = AllPathsCyclesFeatures(maxLength=4, numFeatures=2**12, keepGraphs=False)
    assert set(frame.columns) <= set(AllPathsCyclesFeatures().transform(frame).columns)
    features.save(str(tmp_path / "features"))
    for stage in (features, AllPathsCyclesFeatures.load(str(tmp_path / "features"))):
        found = stage.transform(frame)
        assert found.columns == ["id", "y", "features", "outcome", "reason"]
        same(found.collect(), expected(max_length=4, n_features=2**12))
        assert all(row.y == row.id % 2 for row in found.collect())
    model = AllPathsCyclesVocabulary(maxLength=3, keepGraphs=False).fit(frame)
    assert model.transform(frame).columns == ["id", "y", "features", "outcome", "reason"]


def test_only_what_is_asked_for_is_read_and_each_graph_is_embedded_once(spark, table, expected, tmp_path):
    pq.write_table(table, tmp_path / "graphs.parquet")
    frame = spark.read.parquet(str(tmp_path / "graphs.parquet"))
    found = AllPathsCyclesFeatures(maxLength=4, numFeatures=2**12).transform(frame).select("id", "features", "outcome", "reason")
    plan = found._jdf.queryExecution().executedPlan().toString()
    read = plan.split("ReadSchema: ")[1].splitlines()[0]
    for name, is_read in (("vertex_labels:", True), ("id:", True), ("y:", False)):
        assert (name in read) == is_read, name
    assert plan.count("ArrowEvalPython") == plan.count("embed(") == 1
    same(found.collect(), expected(max_length=4, n_features=2**12))


def test_columns_may_have_any_names(frame, expected):
    names = {"outputCol": "a.b", "outcomeCol": "`so`", "reasonCol": "why not"}
    found = AllPathsCyclesFeatures(maxLength=4, numFeatures=2**12, **names).transform(frame.withColumnRenamed("y", "y.y"))
    assert found.columns == ["id", "y.y", "source", "target", "vertex_labels", *names.values()]
    same(found.toDF(*frame.columns, "features", "outcome", "reason").collect(), expected(max_length=4, n_features=2**12))


def test_bytes_that_are_no_graph_are_kept_and_say_why(spark):
    rows = [(0, b"\x01\x00\x02\x01\x00\x01"), (1, b"\x01"), (2, None)]
    frame = spark.createDataFrame(rows, "id long, graph_bytes binary")
    found = {row.id: row for row in AllPathsCyclesFeatures(maxLength=3).transform(frame).collect()}
    assert [found[i].outcome for i in range(3)] == ["ok", "invalid", "invalid"]
    assert found[1].reason == 'column "graph_bytes": ends before its graph does'
    assert found[2].reason == 'column "graph_bytes" is null'


def test_files_in_and_out(spark, frame, expected, tmp_path):
    """Rows that come straight from a file go straight to another."""
    path = str(tmp_path / "features.parquet")
    AllPathsCyclesFeatures(maxLength=3, numFeatures=2**10).transform(frame).write.parquet(path)
    same(spark.read.parquet(path).collect(), expected(max_length=3, n_features=2**10))


def test_rows_that_hold_no_graph_are_kept_and_say_why(spark):
    good = ring(5)
    rows = [
        (0, good["source"], good["target"], good["vertex_labels"]),
        (1, [0, 1], [1], ["C", "C"]),
        (2, [0], [9], ["C", "C"]),
        (3, None, [1], ["C", "C"]),
        (4, [0], [1], ["C", None]),
        (5, [], [], []),
        (6, [0], [None], ["C", "C"]),
    ]
    frame = spark.createDataFrame(rows, SCHEMA)
    found = {row.id: row for row in AllPathsCyclesFeatures(maxLength=3).transform(frame).collect()}
    assert sorted(found) == list(range(7))
    assert {i: found[i].outcome for i in found} == {0: "ok", 1: "invalid", 2: "invalid", 3: "invalid", 4: "invalid", 5: "ok", 6: "invalid"}
    assert found[1].reason == '2 values in "source" and 1 in "target": an edge has one of each'
    assert found[2].reason == "an edge with vertex 9: there are 2 vertices, numbered from 0"
    assert found[3].reason == 'column "source" is null'
    assert found[4].reason == 'a null in column "vertex_labels"'
    assert found[6].reason == 'a null in column "target"'
    assert found[0].reason is None
    assert [found[i].features.numNonzeros() for i in range(1, 7)] == [0] * 6


def test_a_graph_over_its_budget_is_kept(spark):
    complete = [(u, v) for u in range(14) for v in range(u)]
    dense = (1, [u for u, _ in complete], [v for _, v in complete], ["C"] * 14)
    small = chain(4)
    frame = spark.createDataFrame([(0, small["source"], small["target"], small["vertex_labels"]), dense], SCHEMA)
    found = {row.id: row for row in AllPathsCyclesFeatures(maxLength=8, budget=5000).transform(frame).collect()}
    assert (found[0].outcome, found[0].reason) == ("ok", None)
    assert found[1].outcome == "budget"
    assert found[1].reason.startswith("stopped before its end (budget)")


def test_empty_partitions(frame, expected):
    few = frame.filter("id < 3").repartition(7)
    found = AllPathsCyclesFeatures(maxLength=3, numFeatures=64).transform(few).collect()
    same(found, {i: row for i, row in expected(max_length=3, n_features=64).items() if i < 3})
    assert AllPathsCyclesFeatures().transform(frame.filter("id < 0")).count() == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.drop("source"), 'there is no column "source"'),
        (lambda frame: frame.withColumn("target", F.lit("x")), 'column "target" must hold arrays of whole numbers, not string'),
        (lambda frame: frame.withColumn("source", F.array(F.lit("x"))), 'column "source" must hold arrays of whole numbers'),
        (
            lambda frame: frame.withColumn("vertex_labels", F.lit(1)),
            'column "vertex_labels" must hold arrays of strings or whole numbers, not int',
        ),
        (lambda frame: frame.withColumn("edge_labels", F.array(F.lit(1.5))), 'column "edge_labels" must hold arrays'),
        (lambda frame: frame.withColumn("graph_bytes", F.lit("x")), 'column "graph_bytes" must hold bytes, not string'),
        (lambda frame: frame.withColumn("graph_bytes", F.lit(b"x")), 'columns "graph_bytes" and "source" both say what graphs are'),
        (lambda frame: frame.withColumn("outcome", F.lit(1)), 'there is a column "outcome" already'),
    ],
)
def test_schema_violations_name_the_column(change, message, frame):
    with pytest.raises(ValueError, match=message):
        AllPathsCyclesFeatures().transform(change(frame))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"numFeatures": 100}, "numFeatures must be a power of two"),
        ({"encoding": "other"}, "encoding must be one of"),
        ({"maxLength": -1}, "max_length"),
    ],
)
def test_wrong_parameters_are_found_before_the_job(parameters, message, frame):
    with pytest.raises(ValueError, match=message):
        AllPathsCyclesFeatures(**parameters).transform(frame)


def test_vocabulary_counts_in_spark(frame, table, expected, tmp_path):
    estimator = AllPathsCyclesVocabulary(maxLength=3, minGraphs=3)
    model = estimator.fit(frame)
    counts = {}
    for row in expected(max_length=3).values():
        for number in row["ids"]:
            counts[number] = counts.get(number, 0) + 1
    vocabulary = sorted(number for number, graphs in counts.items() if graphs >= 3)
    assert 0 < len(vocabulary) < len(counts)
    assert model.getOrDefault("vocabulary") == vocabulary
    same(model.transform(frame).collect(), expected(max_length=3, vocabulary=vocabulary))
    # The commonest, and the smaller id of two as common.
    few = AllPathsCyclesVocabulary(maxLength=3, vocabSize=5).fit(frame).getOrDefault("vocabulary")
    signed = {number: number - 2**64 if number >= 2**63 else number for number in counts}
    assert few == sorted(sorted(counts, key=lambda number: (-counts[number], signed[number]))[:5])
    model.save(str(tmp_path / "model"))
    again = AllPathsCyclesVocabularyModel.load(str(tmp_path / "model"))
    assert again.getOrDefault("vocabulary") == vocabulary
    assert again.transform(frame).orderBy("id").collect() == model.transform(frame).orderBy("id").collect()


def test_pipelines_are_saved_loaded_and_tuned(frame, tmp_path):
    features = AllPathsCyclesFeatures(maxLength=3, numFeatures=256)
    features.save(str(tmp_path / "features"))
    again = AllPathsCyclesFeatures.load(str(tmp_path / "features"))
    assert again.extractParamMap() == {again.getParam(p.name): value for p, value in features.extractParamMap().items()}
    machine = LinearSVC(labelCol="y", maxIter=3)
    pipeline = Pipeline(stages=[features, machine])
    grid = ParamGridBuilder().addGrid(features.maxLength, [1, 3]).build()
    search = CrossValidator(
        estimator=pipeline, estimatorParamMaps=grid, evaluator=BinaryClassificationEvaluator(labelCol="y"), numFolds=2, seed=1
    )
    best = search.fit(frame)
    assert len(best.avgMetrics) == 2
    # Rings and chains differ in what ends.
    assert max(best.avgMetrics) > 0.9
    best.bestModel.write().overwrite().save(str(tmp_path / "pipeline"))
    loaded = PipelineModel.load(str(tmp_path / "pipeline"))
    picked = [row.prediction for row in loaded.transform(frame).orderBy("id").collect()]
    assert picked == [row.prediction for row in best.transform(frame).orderBy("id").collect()]


@pytest.mark.parametrize(("form", "keep"), [("frame", True), ("bytes_frame", False)])
def test_a_killed_worker_loses_and_doubles_nothing(form, keep, request, expected, tmp_path):
    """A Python worker kills itself in the middle of a task, once: Spark repeats the task."""
    marker = str(tmp_path / "killed")
    frame = request.getfixturevalue(form)
    embedded = AllPathsCyclesFeatures(maxLength=4, numFeatures=2**10, keepGraphs=keep).transform(frame)

    def once(batches):
        for number, batch in enumerate(batches):
            if number == 0:
                try:
                    os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    pass
                else:
                    yield batch
                    time.sleep(0.1)
                    os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    found = embedded.mapInArrow(once, embedded.schema).collect()
    assert Path(marker).exists()
    same(found, expected(max_length=4, n_features=2**10))


def test_columns_are_those_of_the_program(expected):
    """The program's --hash-bits names the same columns: the top bits of an id."""
    by_ids, hashed = expected(max_length=3), expected(max_length=3, n_features=2**9)
    for i, row in by_ids.items():
        columns = {}
        for number, count in zip(row["ids"], row["counts"], strict=True):
            columns[number >> (64 - 9)] = columns.get(number >> (64 - 9), 0) + count
        vector = hashed[i]["features"]
        assert dict(zip(vector["indices"], vector["values"], strict=True)) == columns
        assert vector["indices"] == sorted(columns)
