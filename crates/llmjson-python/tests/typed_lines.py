"""What type checkers see of the package: `test_typing.py` has mypy and pyright read this file.

A line with `# error` is one that both have to refuse; they may refuse no other.
"""

from __future__ import annotations

import enum
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Optional, TypedDict, Union

import pydantic
from typing_extensions import assert_type

import llmjson
from llmjson import Answer, Bound, Parsed, Schema, Stream, Tools


@dataclass
class Trip:
    city: str
    days: int = 1


class Hotel(pydantic.BaseModel):
    name: str


class Stop(TypedDict):
    name: str


class Point(NamedTuple):
    x: int


class Color(enum.Enum):
    RED = "red"


Message = dict[str, Any]
text = "{city: 'Oslo'}"


def ask(messages: list[Message]) -> str:
    return text


async def ask_slowly(messages: list[Message]) -> str:
    return text


def book(city: str) -> int:
    return len(city)


def cancel(city: str) -> bool:
    return bool(city)


def is_known(trip: Trip) -> str | None:
    return None if trip.city else "there is no such city"


def is_open(hotel: Hotel) -> bool:
    return bool(hotel.name)


if TYPE_CHECKING:
    # Types reach the caller.
    assert_type(llmjson.parse(text, Trip), Parsed[Trip])
    assert_type(llmjson.parse(text, Trip).typed, Trip)
    assert_type(llmjson.parse(text, Hotel).typed, Hotel)
    assert_type(llmjson.parse(text, Stop).typed, Stop)
    assert_type(llmjson.parse(text, Color).typed, Color)
    assert_type(llmjson.parse(text, Point).typed, Point)
    assert_type(llmjson.parse(text, list[Trip]).typed, list[Trip])
    assert_type(llmjson.parse(text, dict[str, Hotel]).typed, dict[str, Hotel])
    assert_type(llmjson.parse(text, tuple[int, str]).typed, tuple[int, str])
    assert_type(llmjson.parse(text, Trip | Hotel).typed, Trip | Hotel)
    assert_type(llmjson.parse(text, Union[Trip, Hotel]).typed, Trip | Hotel)
    assert_type(llmjson.parse(text, Optional[Trip]).typed, Trip | None)
    assert_type(llmjson.parse(text, Literal["a", "b"]).typed, Literal["a", "b"])
    assert_type(llmjson.parse(text, Annotated[Trip, "Where to."]).typed, Trip)
    assert_type(llmjson.parse(text, pydantic.TypeAdapter(list[Trip])).typed, list[Trip])
    assert_type(llmjson.parse(text, Schema(Trip)).typed, Trip)
    assert_type(llmjson.parse(text, Schema(list[Stop] | None)).typed, list[Stop] | None)
    assert_type(llmjson.parse(text).typed, Any)
    assert_type(llmjson.parse(text, {"type": "object"}), Parsed[Any])
    assert_type(llmjson.parse(text, '{"type": "object"}'), Parsed[Any])
    assert_type(llmjson.parse(text, Trip).schema, Schema[Trip] | None)
    assert_type(llmjson.arguments(text, Trip | Hotel).typed, Trip | Hotel)
    assert_type(llmjson.parse_all(text, Trip), list[Parsed[Trip]])
    assert_type(llmjson.coerce({}, Trip | None).typed, Trip | None)
    assert_type(llmjson.parse_many([text], Trip), list[Parsed[Trip]])
    assert_type(llmjson.parse_many([text], Trip | Hotel)[0].typed, Trip | Hotel)
    assert_type(llmjson.loads(text, Trip), Trip)
    assert_type(llmjson.loads(text, Trip | Hotel), Trip | Hotel)
    assert_type(llmjson.loads(text), Any)
    assert_type(llmjson.retry(ask, None, Trip), Answer[Trip])
    assert_type(llmjson.retry(ask, None, Trip, checks=[is_known]).typed, Trip)
    assert_type(llmjson.retry(ask, None, Trip | Hotel).typed, Trip | Hotel)
    assert_type(Stream(Trip), Stream[Trip])
    assert_type(Stream(Trip).finish().typed, Trip)
    assert_type(Stream(list[Trip] | None).finish().typed, list[Trip] | None)
    assert_type(Stream(), Stream[Any])
    assert_type(next(Stream(Trip).partials([text])), Trip)
    assert_type(next(Stream(list[Trip]).items([text])), Parsed[Trip])
    assert_type(next(Stream(Trip).items([text], "stops")), Parsed[Any])
    assert_type(llmjson.parse(text, Trip, context={}, strict=True).result(), Trip)
    assert_type(llmjson.loads(text, Trip, context={}, strict=True), Trip)
    assert_type(llmjson.retry(ask, None, Trip, context={}, strict=False).typed, Trip)
    assert_type(llmjson.bind(book, text), Bound[int])
    assert_type(llmjson.bind(book, text).call(), int)
    assert_type(llmjson.bind(Hotel, text).call(), Hotel)
    assert_type(Tools(book).bind("book", text).call(), int)
    assert_type(Tools(book, Hotel).bind("book", text).call(), int | Hotel)
    assert_type(Tools(book, cancel).bind(cancel, text).call(), bool)
    assert_type(Tools([book, cancel]).bind("book", text).call(), Any)

    async def awaits(pieces: AsyncIterator[str]) -> None:
        assert_type(await llmjson.retry(ask_slowly, None, Trip), Answer[Trip])
        assert_type((await llmjson.retry(ask_slowly, None, Trip | Hotel)).typed, Trip | Hotel)

    # So do mistakes.
    llmjson.parse(text, Trip).typed.cityy  # error
    llmjson.parse(text, Hotel).typed.names  # error
    llmjson.parse(text, Trip | Hotel).typed.city  # error
    llmjson.parse(text, Stop).typed["names"]  # error
    llmjson.parse(text, Trip).valu  # error
    llmjson.parse(text, Trip, policy="toool")  # error
    llmjson.parse(text, 3)  # error
    llmjson.parse_many([text], list[Trip])[0].typed.city  # error
    llmjson.parse_many(3, Trip)  # error
    llmjson.retry(ask, None, Trip).typed.cityy  # error
    llmjson.retry(ask, None, Trip, checks=[is_open])  # error
    llmjson.retry(ask, None, Trip, schema_in="promt")  # error
    llmjson.loads(text, Trip).cityy  # error
    Stream(Trip).finish().typed.cityy  # error
    Stream(Trip, policy="toool")  # error
    llmjson.bind(book, text).call().upper()  # error
    Tools(book, policy="toool")  # error
    llmjson.Policy("tool", truncated="maybe")  # error
    llmjson.Policy(certainty="sure")  # error
    hotel: Hotel = llmjson.parse(text, Trip).typed  # error
    wrong: Parsed[Hotel] = llmjson.parse(text, Trip)  # error
    city: Callable[[], str] = llmjson.bind(book, text).call  # error
