"""Spark with two worker processes on this machine."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java", allow_module_level=True)

from pyspark.sql import SparkSession

import engine_replies
import llmjson
import llmjson.spark
from processes import Process, with_killed


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def test_every_row_comes_out_once_though_a_worker_is_killed(spark: SparkSession) -> None:
    rows = engine_replies.replies(200_000)
    df = spark.createDataFrame(engine_replies.table(rows)).repartition(24)
    tracker = spark.sparkContext.statusTracker()
    spark.sparkContext.setJobGroup("killed", "a worker is killed")

    def stages() -> list[Any]:
        jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup("killed")]
        infos = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
        return [info for info in infos if info is not None]

    def working(processes: list[Process]) -> list[int]:
        workers = [pid for pid, name in processes if "-m pyspark.daemon" in name][1:]
        if any(s.numCompletedTasks >= 4 and s.numActiveTasks for s in stages() if s.numTasks == 24):
            return workers
        return []

    result = with_killed(
        working, lambda: llmjson.spark.parse(df, "reply", engine_replies.SCHEMA).toArrow()
    )
    # Spark counts a little later.
    over = time.monotonic() + 60
    while not any(stage.numFailedTasks for stage in stages()) and time.monotonic() < over:
        time.sleep(0.1)
    assert sum(stage.numFailedTasks for stage in stages()) >= 1
    engine_replies.assert_each_row_once(result["id"], result["parsed"], rows)


def test_other_columns_and_their_order_stay(spark: SparkSession) -> None:
    df = spark.createDataFrame(
        [('{"n": "5",}', 1.5, [1, None]), (None, None, None), ("no", 2.5, [])],
        "reply string, weight double, parts array<int>",
    )
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    parsed = llmjson.spark.parse(df, "reply", schema, into="read")
    assert parsed.columns == ["reply", "weight", "parts", "read"]
    assert parsed.select("weight", "parts").collect() == df.select("weight", "parts").collect()
    read = [row.asDict(recursive=True) for row in parsed.select("read.*").collect()]
    assert [row["value"] for row in read] == [{"n": 5}, None, None]
    assert [row["ok"] for row in read] == [True, False, False]
    assert [repair["kind"] for repair in read[0]["repairs"]] == ["extra_comma"]
    assert [coercion["path"] for coercion in read[0]["coercions"]] == ["$input.n"]
    assert [bool(row["feedback"]) for row in read] == [False, False, True]


def test_json_output_needs_no_schema(spark: SparkSession) -> None:
    df = spark.createDataFrame([(bytearray(b"{a: 1, 'b': [2,]}"),)], "reply binary")
    parsed = llmjson.spark.parse(df, "reply", None, output="json")
    assert [row.value for row in parsed.select("parsed.value").collect()] == ['{"a":1,"b":[2]}']


def test_mistakes_show_before_a_job_starts(spark: SparkSession) -> None:
    df = spark.createDataFrame([("{}", 1)], "reply string, n int")
    with pytest.raises(ValueError, match="no column 'text': the columns are reply, n"):
        llmjson.spark.parse(df, "text", engine_replies.SCHEMA)
    with pytest.raises(ValueError, match="there is already a column 'n'"):
        llmjson.spark.parse(df, "reply", engine_replies.SCHEMA, into="n")
    with pytest.raises(TypeError, match="column 'n' is int"):
        llmjson.spark.parse(df, "n", engine_replies.SCHEMA)
    with pytest.raises(ValueError, match="policy"):
        llmjson.spark.parse(df, "reply", engine_replies.SCHEMA, policy="loose")
    with pytest.raises(llmjson.SchemaError):
        llmjson.spark.parse(df, "reply", {"type": "text"})
