"""Scores on a real cluster: those of one process to the last bit, whatever happens to executors."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest

if shutil.which("java") is None:
    pytest.skip("there is no java: install a JRE of version 17", allow_module_level=True)
pytest.importorskip("pyspark")

import pyarrow as pa
import pyarrow.parquet as pq
from cluster import Cluster
from pyspark.ml import Pipeline
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType, StructField, StructType

import curvad
from curvad import spark as curvad_spark

NAMES = [f"x{j}" for j in range(10)]


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = cluster.environment["PYSPARK_PYTHON"]
    session = (
        SparkSession.builder.master(cluster.url)
        .appName("curvad-tests")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "700m")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "2000")
        .config("spark.executorEnv.PYTHONPATH", cluster.environment["PYTHONPATH"])
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    left = [*workers_of(), *executors()]
    session.stop()
    cluster.stop()
    for _ in range(100):
        left = [pid for pid in left if is_running(pid)]
        if not left:
            break
        time.sleep(0.1)
    assert not left, "a process was left behind"


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def processes() -> list[tuple[int, int, str]]:
    listing = subprocess.run(["ps", "-eww", "-o", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listing.splitlines()[1:]]
    return [(int(pid), int(parent), args) for pid, parent, args in (row for row in rows if len(row) == 3)]


def workers_of() -> list[int]:
    """The Node.js children of Spark's Python workers."""
    everything = processes()
    parents = {pid: parent for pid, parent, _ in everything}
    daemons = {pid for pid, _, args in everything if "pyspark.daemon" in args}
    found = [(pid, parent) for pid, parent, args in everything if args.endswith("cli.js worker")]
    return [pid for pid, parent in found if parent in daemons or parents.get(parent) in daemons]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    random = np.random.default_rng(3)
    frame = pd.DataFrame(random.normal(size=(24_000, 10)), columns=NAMES)
    frame["id"] = np.arange(len(frame)) + 2**53 - 100_000
    return frame


@pytest.fixture(scope="module")
def model(table) -> curvad.Model:
    return curvad.Model(curvad.LOF().fit(table[NAMES][:3000]).model_)


@pytest.fixture(scope="module")
def files(table, tmp_path_factory) -> str:
    directory = tmp_path_factory.mktemp("rows")
    for part, rows in enumerate(np.array_split(np.arange(len(table)), 8)):
        pq.write_table(pa.Table.from_pandas(table.iloc[rows], preserve_index=False), directory / f"{part}.parquet")
    return str(directory)


def collected(df) -> pd.DataFrame:
    return df.toPandas().sort_values("id", ignore_index=True)


def test_scores_are_the_local_ones_to_the_last_bit(spark, table, model, files):
    df = spark.read.parquet(files).select("x3", *(name for name in NAMES if name != "x3"), "id")
    found = collected(curvad_spark.score(df, model, id="id"))
    assert list(found.columns) == ["id", "score", "label"]
    np.testing.assert_array_equal(found["id"], table["id"])
    np.testing.assert_array_equal(found["score"], model.score(table))
    np.testing.assert_array_equal(found["label"], model.predict(table))


def test_a_transformer_keeps_all_columns_of_whatever_type(spark, model, files):
    df = spark.read.parquet(files).limit(500)
    df = df.withColumn("day", F.current_timestamp()).withColumn("tags", F.array(F.lit("a"))).withColumn("none", F.lit(None))
    out = curvad_spark.CurvadModel(model).transform(df)
    assert out.columns == [*df.columns, "score", "label"]
    rows = out.toPandas()
    np.testing.assert_array_equal(rows["score"], model.score(rows[NAMES]))


def test_an_estimator_in_a_pipeline_fits_on_the_driver(spark, table, files, tmp_path):
    df = spark.read.parquet(files).where(f"id < {table['id'][2000]}")
    stage = curvad_spark.CurvadEstimator(curvad.LandmarkCAD(), columns=NAMES)
    fitted = Pipeline(stages=[stage]).fit(df)
    expected = curvad.Model(curvad.LandmarkCAD().fit(table[NAMES][:2000]).model_)
    # Files may be read in any order, from which landmarks are drawn.
    fitted.stages[0].save(tmp_path / "model.curvad")
    loaded = curvad.load(tmp_path / "model.curvad")
    assert (loaded.names, loaded.detector) == (expected.names, "LandmarkCAD")
    rows = fitted.transform(df).toPandas()
    np.testing.assert_array_equal(rows["score"], loaded.score(rows[NAMES]))
    with pytest.raises(ValueError, match="more than 100 rows"):
        curvad_spark.fit(df, columns=NAMES, max_rows=100)
    assert curvad_spark.fit(df, curvad.KNN(), columns=NAMES, max_rows=500, sample=True).detector == "KNN"


def test_tables_with_text_and_missing_values(spark):
    random = np.random.default_rng(5)
    kinds = random.choice(["lathe", "mill", "saw"], 500)
    frame = pd.DataFrame({"heat": random.normal(size=500), "kind": kinds, "id": np.arange(500)})
    frame.loc[3, "heat"] = None
    df = spark.createDataFrame(frame.astype(object).where(frame.notna(), None), "heat double, kind string, id long").coalesce(1)
    model = curvad_spark.fit(df, curvad.KNN(missing="median"), columns=["heat", "kind"])
    assert model.names == ["heat", "kind"]
    found = collected(curvad_spark.score(df, model, id="id"))
    np.testing.assert_array_equal(found["score"], model.score(frame))


def test_structured_streaming_gives_the_same(spark, table, model, files, tmp_path):
    schema = spark.read.parquet(files).schema
    rows = spark.readStream.schema(schema).option("maxFilesPerTrigger", 3).parquet(files)
    query = (
        curvad_spark.score(rows, model, id="id")
        .writeStream.format("parquet")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .option("path", str(tmp_path / "out"))
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(120)
    found = collected(spark.read.parquet(str(tmp_path / "out")))
    np.testing.assert_array_equal(found["score"], model.score(table))


@pytest.mark.parametrize("victim", ["executor", "node"])
def test_a_job_ends_with_the_same_result_when_a_process_is_killed(spark, table, model, files, tmp_path, victim):
    for idle in workers_of():  # of tests before: Spark's Python workers stay, and start others
        os.kill(idle, signal.SIGKILL)
    old = set(workers_of())
    is_killed = tmp_path / "killed"
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 200)
    rows = spark.read.parquet(files)
    held_back = rows.mapInArrow(holding_back(str(is_killed)), rows.schema)
    found: list[pd.DataFrame] = []
    job = threading.Thread(
        target=lambda: found.append(collected(curvad_spark.score(held_back, model, id="id"))), daemon=True
    )
    job.start()
    pid = awaited_child(old)
    if victim == "executor":
        pid = executor_of(pid)
    os.kill(pid, signal.SIGKILL)
    is_killed.touch()
    job.join(180)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 2000)
    assert not is_running(pid)
    np.testing.assert_array_equal(found[0]["id"], table["id"])
    np.testing.assert_array_equal(found[0]["score"], model.score(table))


def holding_back(marker: str):
    """Lets most batches of a partition through, more than Spark holds in buffers, and the others once there is a file."""

    def run(batches):
        for place, batch in enumerate(batches):
            for _ in range(1200 if place > 11 else 0):
                if os.path.exists(marker):
                    break
                time.sleep(0.1)
            yield batch

    return run


def awaited_child(old: set[int]) -> int:
    """A Node.js child that was not there before."""
    for _ in range(1200):
        new = [pid for pid in workers_of() if pid not in old]
        if new:
            return new[0]
        time.sleep(0.1)
    raise TimeoutError("no Node.js child was started")


def executor_of(pid: int) -> int:
    """The process that started the Python worker of a Node.js child."""
    parents = {child: parent for child, parent, _ in processes()}
    known = set(executors())
    while pid not in known:
        pid = parents[pid]
    return pid


def executors() -> list[int]:
    """The processes that started Spark's Python workers, this one apart."""
    daemons = {pid: parent for pid, parent, args in processes() if "pyspark.daemon" in args}
    return [parent for parent in daemons.values() if parent not in daemons]


@pytest.mark.parametrize(("value", "message"), [(None, "is null"), (float("nan"), "is NaN")])
def test_a_bad_value_fails_the_job_with_one_clear_error(spark, model, value, message):
    fields = StructType([StructField(name, DoubleType()) for name in NAMES])
    rows = [[0.0] * 10 for _ in range(50)]
    rows[17][4] = value
    df = spark.createDataFrame(rows, fields).coalesce(1)
    with pytest.raises(Exception, match=rf"partition \d+, batch \d+: row \d+, column \S+ {message}"):
        curvad_spark.score(df, model).collect()


def test_an_executor_without_node_gets_one_clear_error(model):
    code = (
        "import sys, pyarrow as pa\n"
        "from curvad.spark._score import scorer\n"
        "rows = pa.record_batch({name: [0.0] for name in sys.argv[1:]})\n"
        "list(scorer(sys.stdin.buffer.read(), sys.argv[1:], [])([rows]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *NAMES],
        input=model.bytes,
        env={**os.environ, "CURVAD_NODE": "/nonexistent/node"},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 1
    assert b"NodeNotFoundError: curvad needs Node.js 20 or later, found /nonexistent/node (does not run)" in result.stderr


def test_what_does_not_fit_is_refused_before_a_job_begins(spark, model, files):
    df = spark.read.parquet(files)
    with pytest.raises(ValueError, match="there is no column 'x9'"):
        curvad_spark.score(df.drop("x9"), model)
    with pytest.raises(ValueError, match="there is no column 'key'"):
        curvad_spark.score(df, model, id="key")
    with pytest.raises(ValueError, match="column 'score' of its own"):
        curvad_spark.score(df.withColumn("score", F.lit(1)), model)
    with pytest.raises(curvad.CurvadError) as caught:
        curvad_spark.score(df, b"no model")
    assert caught.value.code.startswith("MODEL_")


def test_an_empty_frame_and_a_limit_are_no_problem(spark, model, files):
    df = spark.read.parquet(files)
    assert curvad_spark.score(df.where("id < 0"), model, id="id").count() == 0
    assert len(curvad_spark.score(df, model, id="id").limit(3).collect()) == 3
    assert curvad_spark.score(df, model, id="id").count() == 24_000


@pytest.fixture(scope="module")
def ties() -> pd.DataFrame:
    """Clusters, a lattice and duplicates, in any order, with ids that leave gaps."""
    random = np.random.default_rng(11)
    rows = random.integers(4, size=(3000, 1)) * 9 + random.normal(size=(3000, 4))
    rows[:, 0] = rows[:, 0].round()
    rows[random.integers(3000, size=200)] = rows[random.integers(3000, size=200)]
    rows[random.integers(3000, size=300)] = random.integers(3, size=(300, 4))
    frame = pd.DataFrame(rows, columns=list("abcd"))
    frame["key"] = 2**52 + np.arange(3000) * 3
    return frame


@pytest.mark.parametrize(
    "detector",
    [
        curvad.LandmarkCAD(),
        curvad.CAD(n_neighbors=6),
        curvad.CAD(kernel="rbf", standardize=True),
        curvad.KNN(standardize=True, metric="manhattan"),
        curvad.LOF(n_neighbors=7),
        curvad.LOF(standardize=True, metric="manhattan"),
    ],
    ids=repr,
)
def test_a_distributed_fit_is_the_local_one_to_the_last_bit(spark, ties, detector, tmp_path, monkeypatch):
    monkeypatch.setattr("curvad.spark._distributed.CELL_ROWS", 64)
    local = detector.fit(ties[list("abcd")])
    df = spark.createDataFrame(ties.sample(frac=1, random_state=1)).repartition(3)
    found = curvad_spark.fit_distributed(df, detector, id="key", directory=tmp_path, block_rows=400)
    scores = found.scores.toPandas().sort_values("key", ignore_index=True)
    assert list(scores.columns) == ["key", "score", "label"]
    np.testing.assert_array_equal(scores["key"], ties["key"])
    np.testing.assert_array_equal(scores["score"], local.scores_)
    np.testing.assert_array_equal(scores["label"], local.labels_)
    assert found.threshold == local.threshold_
    assert found.model.bytes == local.model_
    assert found.agreement is None
    assert found.tasks["rows"].sum() == 3000
    assert found.skipped > 0
    assert [path.name for path in tmp_path.iterdir()] == ["scores"]


def test_where_the_whole_model_is_too_large_one_of_a_sample_says_how_well_it_agrees(spark, ties, tmp_path):
    df = spark.createDataFrame(ties)
    options = {"id": "key", "directory": tmp_path, "block_rows": 1000, "max_rows": 1000, "sample_rows": 900}
    found = curvad_spark.fit_distributed(df, curvad.KNN(approximate=0.5), **options)
    assert found.agreement["rows"] == 900
    assert found.agreement["measured"] > 500
    assert 0.7 < found.agreement["correlation"] < 1
    assert 0.8 < found.agreement["labels"] <= 1
    assert len(found.model.score(ties[list("abcd")])) == 3000
    exact = curvad.KNN().fit(ties[list("abcd")]).scores_
    scores = found.scores.toPandas().sort_values("key")["score"]
    assert (scores >= exact).all()
    assert (scores <= 1.5 * exact).all()


def test_a_distributed_fit_refuses_what_it_cannot_use(spark, ties, tmp_path):
    df = spark.createDataFrame(ties.iloc[:300])
    options = {"id": "key", "directory": tmp_path, "block_rows": 100}
    with pytest.raises(TypeError, match="for LandmarkCAD, CAD, KNN and LOF, got IsolationForest"):
        curvad_spark.fit_distributed(df, curvad.IsolationForest(), **options)
    with pytest.raises(ValueError, match="comes twice"):
        curvad_spark.fit_distributed(df.unionAll(df.limit(1)), **options)
    with pytest.raises(Exception, match="is NaN"):
        curvad_spark.fit_distributed(df.withColumn("b", F.lit(float("nan"))), **options)
    assert not list(tmp_path.iterdir())
