"""Ray with two worker processes on this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")

import pyarrow as pa

import engine_replies
import llmjson
import llmjson.ray
from processes import Process, with_killed


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=500_000_000
    )
    yield
    ray.shutdown()


def test_every_row_comes_out_once_though_a_worker_is_killed() -> None:
    rows = engine_replies.replies(200_000)
    table = engine_replies.table(rows)
    part = len(rows) // 40
    ds = ray.data.from_arrow([table.slice(at, part) for at in range(0, len(rows), part)])

    def working(processes: list[Process]) -> list[int]:
        return [pid for pid, name in processes if name.startswith("ray::MapBatches")]

    parsed = with_killed(
        working, lambda: llmjson.ray.parse(ds, "reply", engine_replies.SCHEMA).materialize()
    )
    result = pa.concat_tables(ray.get(parsed.to_arrow_refs()))
    engine_replies.assert_each_row_once(result["id"], result["parsed"], rows)


def test_other_columns_and_the_order_of_rows_stay() -> None:
    ds = ray.data.from_items([{"reply": f'{{"n": "{n}",}}', "weight": n / 2} for n in range(100)])
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    parsed = llmjson.ray.parse(ds, "reply", schema, into="read", batch_size=7)
    rows = sorted(parsed.take_all(), key=lambda row: row["weight"])
    assert [list(row) for row in rows] == [["reply", "weight", "read"]] * 100
    assert [row["read"]["value"]["n"] / 2 for row in rows] == [row["weight"] for row in rows]


def test_json_output_needs_no_schema() -> None:
    ds = ray.data.from_items([{"reply": "{a: 1, 'b': [2,]}"}])
    (row,) = llmjson.ray.parse(ds, "reply", None, output="json").take_all()
    assert row["parsed"]["value"] == '{"a":1,"b":[2]}'


def test_mistakes_show_before_a_task_starts() -> None:
    ds = ray.data.from_items([{"reply": "{}"}])
    with pytest.raises(ValueError, match="there is already a column 'reply'"):
        llmjson.ray.parse(ds, "reply", engine_replies.SCHEMA, into="reply")
    with pytest.raises(ValueError, match="policy"):
        llmjson.ray.parse(ds, "reply", engine_replies.SCHEMA, policy="loose")
    with pytest.raises(llmjson.SchemaError):
        llmjson.ray.parse(ds, "reply", {"type": "text"})
