"""Replies that are still coming."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

import llmjson
from llmjson import Stream

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}
REPLIES = [
    "Here: {city: 'Zürich 😀', days: \"12\"} Bye!",
    '{"city": "Oslo", "days": 3}',
    '<think>{"city": "no"}</think>```json\n{"city": "Rome", "more": [1, {"a": null}]}\n```',
    "nothing here",
    '{"city": "cut o',
]


@pytest.mark.parametrize("schema", [None, SCHEMA], ids=["plain", "schema"])
@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("reply", REPLIES)
def test_a_stream_ends_as_the_whole_text_is_read(reply: str, size: int, schema: Any) -> None:
    whole = llmjson.parse(reply, schema).report()
    texts = Stream(schema)
    for at in range(0, len(reply), size):
        texts.push(reply[at : at + size])
    assert texts.finish().report() == whole
    source, pieces = reply.encode(), Stream(schema)
    for at in range(0, len(source), size):
        pieces.push(source[at : at + size])
    assert pieces.finish().report() == whole


def test_the_value_grows() -> None:
    stream = Stream(SCHEMA)
    shown = list(stream.over(["Hm: {city: 'Pa", None, "", "ris', days: \"1", '2"} Bye']))
    assert shown == [{"city": "Pa"}, {"city": "Paris"}, {"city": "Paris", "days": 12}]
    assert stream.value == shown[-1] and not stream.superseded


@pytest.mark.parametrize("of", [bytes, bytearray, memoryview])
def test_bytes_of_any_kind_may_end_within_a_character(of: Any) -> None:
    stream = Stream(SCHEMA)
    for byte in REPLIES[0].encode():
        stream.push(of(bytes([byte])))
    assert stream.finish().report() == llmjson.parse(REPLIES[0], SCHEMA).report()
    with pytest.raises(TypeError):
        Stream().push(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("schema", [None, SCHEMA], ids=["plain", "schema"])
@pytest.mark.parametrize("reply", REPLIES)
def test_each_value_is_that_of_the_text_so_far(reply: str, schema: Any) -> None:
    stream, told = Stream(schema), Stream(schema)
    shown: list[tuple[Any, str | None]] = []
    for piece in reply:
        stream.push(piece)
        told.push(piece)
        told.events()
        shown.append((stream.value, stream.to_json()))
        assert told.value == shown[-1][0]
    # Values that were handed out stay as they were.
    assert [value for value, _ in shown] == [json.loads(text or "null") for _, text in shown]


def test_what_has_not_changed_is_shared() -> None:
    stream = Stream()
    stream.push('[{"a": [1, 2]}, {"b": "x')
    first = stream.value
    stream.push('y"}')
    second = stream.value
    assert first == [{"a": [1, 2]}, {"b": "x"}] and second == [{"a": [1, 2]}, {"b": "xy"}]
    assert first[0] is second[0] and first[1] is not second[1]
    assert stream.value is second


def test_pieces_may_come_asynchronously() -> None:
    async def pieces() -> AsyncIterator[str]:
        for piece in ("[1, ", "2", "]"):
            await asyncio.sleep(0)
            yield piece

    async def run() -> list[Any]:
        return [value async for value in Stream().over(pieces())]

    assert asyncio.run(run()) == [[], [1], [1, 2]] or asyncio.run(run()) == [[1], [1, 2]]


def test_events_tell_every_change_once() -> None:
    stream = Stream()
    shown: list[Any] = []
    for piece in ("So: {a", ": 'x", "y', b: [1, ", "true]}"):
        stream.push(piece)
        shown += [(one.change, one.path, one.value) for one in stream.events()]
    stream.finish()
    shown += [(one.change, one.path, one.value) for one in stream.events()]
    assert ("passed", "", "So: ") in shown
    assert ("opened", "/a", "string") in shown
    texts = [value for change, path, value in shown if (change, path) == ("appended", "/a")]
    assert "".join(texts) == "xy"
    assert ("value", "/b/0", 1) in shown and ("value", "/b/1", True) in shown
    assert stream.events() == ()


def test_after_the_end_nothing_is_taken() -> None:
    stream = Stream(SCHEMA, policy="tool")
    stream.push('{"city": "Oslo"}')
    parsed = stream.finish(finish_reason="length")
    assert not parsed.ok and not parsed.complete
    assert stream.finish() is parsed
    with pytest.raises(ValueError, match="the stream has ended"):
        stream.push("x")
    with pytest.raises(ValueError, match="UTF-8"):
        Stream().push(b"\xff")
