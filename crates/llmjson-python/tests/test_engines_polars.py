"""The namespace `llmjson` of Polars, in eager and lazy frames."""

from __future__ import annotations

import pytest

pl = pytest.importorskip("polars")

import pyarrow as pa

import engine_replies
import llmjson
import llmjson.polars

ROWS = engine_replies.replies(5_000)
FRAME = pl.from_arrow(engine_replies.table(ROWS))


def arrow(series: pl.Series) -> pa.ChunkedArray:
    return pa.chunked_array([series.to_arrow(compat_level=pl.CompatLevel.oldest())])


def test_an_expression_reads_each_row() -> None:
    parsed = FRAME.select("id", parsed=pl.col("reply").llmjson.parse(engine_replies.SCHEMA))
    engine_replies.assert_each_row_once(arrow(parsed["id"]), arrow(parsed["parsed"]), ROWS)


def test_a_lazy_frame_knows_its_schema_before() -> None:
    lazy = FRAME.lazy().select("id", pl.col("reply").llmjson.parse(engine_replies.SCHEMA))
    schema = lazy.collect_schema()
    for engine in ("in-memory", "streaming"):
        parsed = lazy.collect(engine=engine)
        assert parsed.schema == schema
        engine_replies.assert_each_row_once(arrow(parsed["id"]), arrow(parsed["reply"]), ROWS)


def test_expressions_see_a_chunked_column_and_a_slice_of_one() -> None:
    chunked = pl.concat([FRAME[:10], FRAME[10:1000], FRAME[1000:]], rechunk=False)
    parsed = chunked[5:4000].select(pl.col("reply").llmjson.parse(engine_replies.SCHEMA))
    values = parsed["reply"].struct.field("value").to_list()
    assert values == [value for _, value in ROWS[5:4000]]


def test_a_series_keeps_its_name() -> None:
    for series in (
        pl.Series("reply", ['{"n": "5",}', None, "no"]),
        pl.Series("reply", [b'{"n": "5",}', None, b"no"]),
        pl.Series("reply", ['{"n": "5",}', None, "no"], dtype=pl.Categorical),
    ):
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
        parsed = series.llmjson.parse(schema, threads=1)
        assert parsed.name == "reply"
        assert parsed.struct.field("value").to_list() == [{"n": 5}, None, None]
        assert parsed.struct.field("ok").to_list() == [True, False, False]


def test_texts_that_are_all_missing() -> None:
    parsed = pl.Series("reply", [None, None]).llmjson.parse(engine_replies.SCHEMA)
    assert parsed.struct.field("ok").to_list() == [False, False]
    empty = pl.Series("reply", [], dtype=pl.String).llmjson.parse(engine_replies.SCHEMA)
    assert empty.dtype == parsed.dtype
    assert len(empty) == 0


def test_json_output_needs_no_schema() -> None:
    parsed = pl.Series(["{a: 1, 'b': [2,]}"]).llmjson.parse(None, output="json")
    assert parsed.struct.field("value").to_list() == ['{"a":1,"b":[2]}']


def test_mistakes_show_before_a_query_runs() -> None:
    with pytest.raises(ValueError, match="policy"):
        pl.col("reply").llmjson.parse(engine_replies.SCHEMA, policy="loose")
    with pytest.raises(llmjson.SchemaError):
        pl.col("reply").llmjson.parse({"type": "text"})
    with pytest.raises(TypeError):
        pl.Series([1, 2]).llmjson.parse(engine_replies.SCHEMA)
