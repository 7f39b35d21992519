"""Series of pandas, of every type that texts come in."""

from __future__ import annotations

import pytest

pd = pytest.importorskip("pandas")

import pyarrow as pa

import engine_replies
import llmjson
import llmjson.pandas

ROWS = engine_replies.replies(5_000)
TEXTS = ['{"n": "5",}', None, "no"]
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}


def test_each_row_is_read() -> None:
    parsed = llmjson.pandas.parse(pd.Series([text for text, _ in ROWS]), engine_replies.SCHEMA)
    struct = pa.Table.from_pandas(parsed, preserve_index=False).to_struct_array()
    engine_replies.assert_each_row_once(pa.chunked_array([range(len(ROWS))]), struct, ROWS)


@pytest.mark.parametrize("dtype", [object, "str", "string", "string[pyarrow]", "category"])
def test_every_type_of_text(dtype: object) -> None:
    series = pd.Series(TEXTS, index=["a", "b", "c"], dtype=dtype)
    assert_read(series)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_every_type_of_arrow(kind: pa.DataType) -> None:
    assert_read(pd.Series(TEXTS, index=["a", "b", "c"], dtype=pd.ArrowDtype(kind)))


def test_bytes_and_nan() -> None:
    assert_read(pd.Series([b'{"n": "5",}', float("nan"), b"no"], index=["a", "b", "c"]))


def assert_read(series: pd.Series) -> None:
    parsed = series.llmjson.parse(SCHEMA)
    assert list(parsed.index) == ["a", "b", "c"]
    assert all(isinstance(dtype, pd.ArrowDtype) for dtype in parsed.dtypes)
    assert parsed["ok"].to_list() == [True, False, False]
    assert parsed["value"].struct.field("n").to_list() == [5, pd.NA, pd.NA]
    assert parsed["feedback"].isna().to_list() == [True, True, False]


def test_texts_that_are_all_missing() -> None:
    parsed = llmjson.pandas.parse(pd.Series([None, None]), SCHEMA)
    empty = llmjson.pandas.parse(pd.Series([], dtype=object), SCHEMA)
    assert parsed["ok"].to_list() == [False, False]
    assert empty.dtypes.to_list() == parsed.dtypes.to_list()
    assert len(empty) == 0


def test_json_output_needs_no_schema() -> None:
    parsed = llmjson.pandas.parse(pd.Series(["{a: 1, 'b': [2,]}"]), None, output="json")
    assert parsed["value"].to_list() == ['{"a":1,"b":[2]}']


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match="policy"):
        llmjson.pandas.parse(pd.Series(TEXTS), SCHEMA, policy="loose")
    with pytest.raises(llmjson.SchemaError):
        llmjson.pandas.parse(pd.Series(TEXTS), {"type": "text"})
    with pytest.raises(TypeError):
        llmjson.pandas.parse(pd.Series([1, 2]), SCHEMA)
