"""Columns that other libraries hand over, which may be anything but what Arrow's format says."""

from __future__ import annotations

import struct

import llmjson.arrow
import pytest

pyarrow = pytest.importorskip("pyarrow")

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
