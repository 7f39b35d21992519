"""Columns that other libraries hand over, which may be anything but what Arrow's format says."""

from __future__ import annotations

import struct
import typing

import llmjson
import pytest

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("llmjson_py_arrow")

import llmjson.arrow

TEXT = b"[1][2][3]"


def column(kind: str, *buffers: bytes | None, rows: int = 3, offset: int = 0) -> pyarrow.Array:
    """A column of these buffers, of which nothing is checked."""
    made = [None, *(pyarrow.py_buffer(one) for one in buffers if one is not None)]
    return pyarrow.Array.from_buffers(getattr(pyarrow, kind)(), rows, made, offset=offset)


def texts(kind: str, *offsets: int) -> pyarrow.Array:
    letter = "q" if kind.startswith("large") else "i"
    return column(
        kind, struct.pack(f"{len(offsets)}{letter}", *offsets), TEXT, rows=len(offsets) - 1
    )


def views(kind: str, length: int, index: int, at: int) -> pyarrow.Array:
    """A column of one view into a buffer."""
    view = struct.pack("i4sii", length, (TEXT * 2)[at : at + 4] if at >= 0 else b"....", index, at)
    return column(kind, view, TEXT * 2, rows=1)


@pytest.mark.parametrize("kind", ["string", "binary", "large_string", "large_binary"])
@pytest.mark.parametrize(
    "offsets",
    [(-3, 3, 6), (0, -3, 6), (0, 3, -1), (-9, -6, -3), (3, 0, 6), (0, 6, 3), (0, 2**30, 9)],
)
def test_offsets_that_lie_elsewhere(kind: str, offsets: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"(?i)offset"):
        llmjson.arrow.parse(texts(kind, *offsets))


@pytest.mark.parametrize("kind", ["string_view", "binary_view"])
@pytest.mark.parametrize("view", [(-1, 0, 0), (18, 1, 0), (18, -1, 0), (18, 0, 1), (18, 0, -1)])
def test_views_that_lie_elsewhere(kind: str, view: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"(?i)view|length|buffer|offset|prefix"):
        llmjson.arrow.parse(views(kind, *view))


@pytest.mark.parametrize("key", [-1, 2])
def test_keys_of_dictionaries_that_lie_elsewhere(key: int) -> None:
    keys = pyarrow.array([0, key], pyarrow.int32())
    values = pyarrow.array(["[1]", "[2]"])
    dictionary = pyarrow.DictionaryArray.from_arrays(keys, values, safe=False)
    with pytest.raises(ValueError, match="out of bounds"):
        llmjson.arrow.parse(dictionary)
    values = texts("string", 0, -3, 6)
    keys = pyarrow.array([0, 1], pyarrow.int32())
    dictionary = pyarrow.DictionaryArray.from_arrays(keys, values, safe=False)
    with pytest.raises(ValueError, match=r"(?i)offset"):
        llmjson.arrow.parse(dictionary)


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_texts_that_are_not_utf_8_are_rows(kind: str) -> None:
    taken = pyarrow.array([b"[1]", b"[\xff]", None], pyarrow.binary())
    wanted = pyarrow.record_batch(llmjson.arrow.parse(taken))
    to = getattr(pyarrow, kind)()
    unchecked = {
        "string": lambda: taken.view(pyarrow.string()),
        "large_string": lambda: taken.cast(pyarrow.large_binary()).view(to),
        "string_view": lambda: pyarrow.array(taken.to_pylist(), pyarrow.binary_view()).view(to),
    }[kind]()
    batch = pyarrow.record_batch(llmjson.arrow.parse(unchecked))
    assert batch.equals(wanted)
    assert batch.column("ok").to_pylist() == [True, False, False]
    assert "not UTF-8" in batch.column("feedback")[1].as_py()


@pytest.mark.parametrize("kind", ["string", "binary", "large_string", "string_view"])
def test_columns_and_their_slices_are_read(kind: str) -> None:
    whole = pyarrow.array(["[1]", None, "[2]", "a text of more than twelve bytes: [3]"])
    given = pyarrow.array(
        [one if one is None or "string" in kind else one.encode() for one in whole.to_pylist()],
        getattr(pyarrow, kind)(),
    )
    for part in (given, given.slice(1, 2), given.slice(3), given.slice(0, 0)):
        rows = pyarrow.record_batch(llmjson.arrow.parse(part, output="json"))
        texts = [one.as_py() for one in part]
        wanted = [None if one is None else llmjson.parse(one).to_json() for one in texts]
        assert rows.column("value").to_pylist() == wanted
    if kind in ("string", "large_string"):
        coded = given.dictionary_encode()
        rows = pyarrow.record_batch(llmjson.arrow.parse(coded, output="json"))
        assert rows.column("value").to_pylist() == ["[1]", None, "[2]", "[3]"]


def test_another_schema_is_cast_by_who_asks() -> None:
    rows = llmjson.arrow.parse(pyarrow.array(['{"n": 1}']), {"properties": {"n": {"type": "integer"}}})
    narrow = pyarrow.field("value", pyarrow.struct([pyarrow.field("n", pyarrow.int32())]))
    asked = pyarrow.schema(rows).set(0, narrow)
    for read in (pyarrow.record_batch, pyarrow.table):
        assert read(rows, schema=asked).schema.field("value") == narrow


def test_types_of_arrows_own() -> None:
    import datetime as dt
    import enum
    import uuid
    from decimal import Decimal

    pydantic = pytest.importorskip("pydantic")

    class By(str, enum.Enum):
        RAIL = "rail"
        AIR = "air"

    booking = pydantic.create_model(
        "Booking",
        on=(dt.date, ...),
        at=(dt.time, ...),
        when=(dt.datetime | None, None),
        id=(uuid.UUID, ...),
        price=(Decimal, pydantic.Field(json_schema_extra={"format": "decimal"})),
        by=(By, ...),
    )
    key = uuid.uuid5(uuid.NAMESPACE_DNS, "example.org")
    whole = f"""{{on: '2025-05-17', at: '09:30:00', when: '2025-05-17T09:30:00+02:00', id: '{key}', price: "12.50",
        by: 'Rail',}}"""
    rows = pyarrow.record_batch(
        llmjson.arrow.parse(pyarrow.array([whole, "{on: 'soon'}"]), booking, output="typed")
    )
    assert rows.column("ok").to_pylist() == [True, False]
    value = rows.column("value")
    types = {field.name: field.type for field in value.type}
    assert types["on"] == pyarrow.date32()
    assert types["at"] == pyarrow.time64("us")
    assert types["when"] == pyarrow.timestamp("us", "UTC")
    assert types["id"] == pyarrow.uuid()
    assert types["price"] == pyarrow.decimal128(38, 9)
    assert types["by"] == pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    assert value.to_pylist()[0] == {
        "on": dt.date(2025, 5, 17),
        "at": dt.time(9, 30),
        "when": dt.datetime(2025, 5, 17, 7, 30, tzinfo=dt.timezone.utc),
        "id": key,
        "price": Decimal("12.500000000"),
        "by": "rail",
    }


def test_each_text_is_read_by_the_schema_beside_it() -> None:
    schemas = {
        "book": {"properties": {"days": {"type": "integer"}}, "required": ["days"]},
        "pay": {"properties": {"sum": {"type": "number"}}},
    }
    texts = ["{days: '3'}", "{sum: '1.5'}", "{a: 1}", None, "{days: 'x'}", "{b: 2}"]
    names = ["book", "pay", "go", "pay", "book", None]
    for wrap in (pyarrow.array, lambda column: pyarrow.chunked_array([column[:2], column[2:]])):
        rows = llmjson.arrow.parse_by(wrap(texts), wrap(names), schemas)
        assert rows.schema == pyarrow.schema(llmjson.arrow.types(output="json"))
        values = ['{"days":3}', '{"sum":1.5}', '{"a":1}', None, '{"days":"x"}', '{"b":2}']
        assert rows.column("value").to_pylist() == values
        assert rows.column("ok").to_pylist() == [True, True, False, False, False, False]
        feedback = rows.column("feedback").to_pylist()
        assert feedback[2] == "There is no schema for 'go'."
        assert "$input.days" in feedback[4]
    assert len(llmjson.arrow.parse_by(pyarrow.array([], "str"), pyarrow.array([], "str"), {})) == 0
    with pytest.raises(ValueError, match="2 texts, but 1 names"):
        llmjson.arrow.parse_by(pyarrow.array(["", ""]), pyarrow.array(["a"]), schemas)


class Trip(typing.NamedTuple):
    city: str
    days: int = 7
    tags: list[str] = ["new"]  # noqa: RUF012


def test_what_is_missing_has_the_defaults_of_the_type() -> None:
    texts = pyarrow.array(["{city: 'Oslo'}", "{city: 'Rome', days: '3'}"])
    rows = pyarrow.record_batch(llmjson.arrow.parse(texts, Trip))
    whole = [{"city": "Oslo", "days": 7, "tags": ["new"]}, {"city": "Rome", "days": 3, "tags": ["new"]}]
    assert rows["value"].to_pylist() == whole
    for schema, policy in (
        (Trip, llmjson.Policy(defaults="leave")),
        (llmjson.Schema(Trip).json, "lenient"),
    ):
        rows = pyarrow.record_batch(llmjson.arrow.parse(texts, schema, policy=policy))
        assert rows["value"].to_pylist()[0] == {"city": "Oslo", "days": None, "tags": None}
