"""Replies that are still coming."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import json
from collections.abc import AsyncIterator
from typing import Any, TypedDict, Union

import pydantic
import pytest

import llmjson
from llmjson import UNSET, ParseError, Stream

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


@dataclasses.dataclass
class Guest:
    name: str
    age: int


class Hotel(TypedDict):
    name: str
    rooms: list[int]


@dataclasses.dataclass
class Trip:
    city: str
    start: datetime.date
    guests: list[Guest]
    hotel: Hotel | None = None


class Model(pydantic.BaseModel):
    city: str = pydantic.Field(min_length=3, alias="City")
    guests: list[Guest] = []
    start: datetime.date | None = None


TRIP = (
    'Sure: {"city": "Oslo", "start": "2025-05-17", "guests": [{"name": "Ada", "age": "36"}, '
    '{"name": "Alan", "age": 41}], "hotel": {"name": "Sea", "rooms": [1, 2]}}'
)


def test_partials_are_the_beginnings_of_the_whole() -> None:
    shown = list(Stream(Trip).partials(TRIP))
    assert [type(one).__name__ for one in shown] == ["PartialTrip"] * (len(shown) - 1) + ["Trip"]
    assert shown[0].city in (UNSET, "") and shown[0].guests is UNSET
    cities = [one.city for one in shown if one.city is not UNSET]
    assert cities[:5] == ["", "O", "Os", "Osl", "Oslo"]
    whole = llmjson.parse(TRIP, Trip).typed
    assert shown[-1] == whole
    last = shown[-2]
    assert (last.city, last.start, last.hotel) == (whole.city, whole.start, whole.hotel)
    assert [(one.name, one.age) for one in last.guests] == [("Ada", 36), ("Alan", 41)]
    assert any(one.guests and one.guests[0].name == "Ad" for one in shown)
    assert any(one.hotel and one.hotel == {"name": "S"} for one in shown)


def test_partials_of_models_are_models() -> None:
    shown = list(Stream(Model).partials(['{"City": "Os', 'lo", "guests": [{"name": "A', 'da", "age": 3}]}']))
    assert [one.city for one in shown] == ["Os", "Oslo", "Oslo", "Oslo"]
    assert type(shown[-1]) is Model
    assert shown[0].guests is None and shown[1].guests[0].name == "A"
    assert all(isinstance(one, pydantic.BaseModel) for one in shown)
    assert shown[-1].start is None and shown[-1].guests[0].age == 3


@pytest.mark.parametrize("of", [list[Trip], list[Model], list[int], list[Union[Guest, int]]])
def test_partials_never_fail(of: Any) -> None:
    for text in (f"[{TRIP}, {TRIP}]", "[1, 2, {}]", '[{"City": [1]}]', "nothing", '{"a": 1}'):
        for end in range(len(text)):
            list(Stream(of).partials([text[:end]], at_end="report"))


def test_items_come_when_they_are_whole() -> None:
    stream = Stream(list[Guest])
    pieces = iter(["Here: [{name: 'Ada', age: '36'}", ', {"name": "Alan", "age', '": 41}, {"name"', ': "X"}]'])
    seen: list[tuple[Any, ...]] = []
    for item in stream.items(pieces, at_end="report"):
        seen.append((item.ok, item.value, len(item.coercions), item.typed if item.ok else None))
    assert seen == [
        (True, {"name": "Ada", "age": 36}, 1, Guest("Ada", 36)),
        (True, {"name": "Alan", "age": 41}, 0, Guest("Alan", 41)),
        (False, {"name": "X"}, 0, None),
    ]
    with pytest.raises(ParseError):
        list(Stream(list[Guest]).items(['[{"name": "X"}]']))
    first = next(iter(Stream(list[Guest]).items(iter(["[{name: 'Ada', age: 1}, {", *["x"] * 3]))))
    assert first.typed == Guest("Ada", 1)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[1, 2, 3]", [1, 2, 3]),
        ("['a', 'b c', \"d\"]", ["a", "b c", "d"]),
        ('["one", "tw', ["one", "tw"]),
        ('{"items": ["x", "y"]}', ["x", "y"]),
        ('"alone"', ["alone"]),
        ("[[1, 2], [3]]", [[1, 2], [3]]),
        ("no list", []),
        ("[]", []),
    ],
)
def test_items_together_are_the_list(text: str, values: list[Any]) -> None:
    for schema in ({"type": "array"}, {"type": "array", "items": {"type": ["string", "integer", "array"]}}):
        for size in (1, 3, 100):
            stream = Stream(schema)
            pieces = [text[at : at + size] for at in range(0, len(text), size)]
            items = [one.value for one in stream.items(pieces, at_end="report")]
            whole = stream.finish().value
            assert stream.superseded or items == (whole if isinstance(whole, list) else [])
    assert whole == values or not isinstance(whole, list)


def test_items_report_on_their_own_text() -> None:
    texts = ['[1, "2", ', "'3', \"4 days\", 5]"]
    items = list(Stream(list[int]).items(texts))
    assert [one.value for one in items] == [1, 2, 3, 4, 5]
    assert [one.source for one in items] == ["1", '"2"', "'3'", '"4 days"', "5"]
    assert [(len(one.coercions), len(one.repairs)) for one in items] == [
        (0, 0),
        (1, 0),
        (1, 1),
        (1, 0),
        (0, 0),
    ]


def test_items_are_those_of_a_list() -> None:
    for schema in (None, {"type": "object"}, Guest, {"type": "array", "prefixItems": []}):
        with pytest.raises(TypeError, match="items"):
            Stream(schema).items([])  # type: ignore[misc]
    nested = {"$ref": "#/$defs/all", "$defs": {"all": {"type": "array", "items": {"$ref": "#/$defs/n"}}, "n": {"minimum": 2}}}
    assert [one.ok for one in Stream(nested).items(["[1, 3]"], at_end="report")] == [False, True]


def test_the_end_says_what_does_not_fit() -> None:
    with pytest.raises(ParseError):
        list(Stream(Guest).over(['{"name": "Ada"}']))
    stream = Stream(Guest)
    assert list(stream.over(['{"name": "Ada"}'], at_end="report")) == [{"name": "Ada"}]
    assert not stream.finish().ok
    with pytest.raises(ValueError, match="at_end"):
        Stream().over([], at_end="never")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="stop_on"):
        Stream().over([], stop_on="all")  # type: ignore[call-overload]


def test_what_cannot_go_away_is_seen_early() -> None:
    pieces = ['{"name": "Ada", "age": "many', '", "more": "', *["text "] * 100, '"}']
    given = iter(pieces)
    stream = Stream(Guest)
    with pytest.raises(ParseError, match="age"):
        list(stream.over(given, stop_on="violation"))
    assert len(list(given)) > 90
    assert [one.path for one in stream.violations] == ["$input.age"]
    late = Stream(Guest)
    late.push('{"name": "Ada", "age": "many')
    assert late.violations == ()
    late.push('", "x": ')
    assert [(one.path, one.value) for one in late.violations] == [("$input.age", "many")]
    # What the type takes although its schema says less is none.
    both = Stream(dict[str, set[int]])
    both.push('{"a": [1, 1], "b": [')
    assert both.violations == ()


def test_partials_come_asynchronously() -> None:
    async def pieces() -> AsyncIterator[str]:
        for piece in ('[{"name": "A', 'da", "age": 1}', ', {"name"', ': "B", "age": 2}]'):
            yield piece

    async def run() -> tuple[list[Any], list[Any]]:
        partials = [one async for one in Stream(list[Guest]).partials(pieces())]
        return partials, [one.typed async for one in Stream(list[Guest]).items(pieces())]

    partials, items = asyncio.run(run())
    assert partials[0][0].name == "A" and partials[-1][1].age == 2
    assert items == [Guest("Ada", 1), Guest("B", 2)]
