"""Types of pydantic by the forms in which models write their values: each cell through the library itself."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypedDict

import attrs
import pytest

import llmjson

pydantic = pytest.importorskip("pydantic")


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Colour(enum.Enum):
    RED = "#f00"
    GREEN = "#0f0"


Decimal = decimal.Decimal
Limited = Annotated[Decimal, pydantic.Field(max_digits=8, decimal_places=2)]
Positive = Annotated[Decimal, pydantic.Field(gt=0)]
Moment = datetime.datetime
ID = uuid.UUID("6f1c2d3e-1111-2222-3333-444455556666")
UTC = datetime.timezone.utc

#: A type, what a model wrote, the value that is meant, and how sure that is.
READ: list[tuple[Any, Any, Any, str]] = [
    (Decimal, "39.90", Decimal("39.90"), "certain"),
    (Decimal, "12345678901234567890.12", Decimal("12345678901234567890.12"), "certain"),
    (Decimal, "$39.90", Decimal("39.90"), "guess"),
    (Decimal, "1,234.50", Decimal("1234.50"), "likely"),
    (Decimal, "6.979.309,46 €", Decimal("6979309.46"), "likely"),
    (Decimal, "12,345,678,901,234,567.89", Decimal("12345678901234567.89"), "likely"),
    (Decimal, "73 [1]", Decimal("73"), "guess"),
    (Limited, "$39.90", Decimal("39.90"), "guess"),
    (Positive, "39.90 EUR", Decimal("39.90"), "guess"),
    (Decimal | None, "$39.90", Decimal("39.90"), "guess"),
    (Decimal | None, "N/A", None, "likely"),
    (Moment, "2026-03-05 10:30Z", Moment(2026, 3, 5, 10, 30, tzinfo=UTC), "likely"),
    (Moment, "March 5th, 2026 3:30 pm", Moment(2026, 3, 5, 15, 30), "likely"),
    (Moment, "2026-03-05", Moment(2026, 3, 5), "guess"),
    (Moment, "Thu, 05 Mar 2026 10:30:00 GMT", Moment(2026, 3, 5, 10, 30, tzinfo=UTC), "likely"),
    (Moment | None, "2026-03-05 10:30", Moment(2026, 3, 5, 10, 30), "likely"),
    (datetime.date, "05.03.2026", datetime.date(2026, 3, 5), "guess"),
    (datetime.date, "March 5th, 2026", datetime.date(2026, 3, 5), "likely"),
    (datetime.date, "2026–03–05", datetime.date(2026, 3, 5), "likely"),
    (datetime.time, "3:30 PM", datetime.time(15, 30), "likely"),
    (datetime.timedelta, "01:30:00", datetime.timedelta(hours=1.5), "likely"),
    (uuid.UUID, "{6f1c2d3e-1111-2222-3333-444455556666}", ID, "likely"),
    (uuid.UUID, "6f1c2d3e–1111–2222–3333–444455556666", ID, "likely"),
    (pydantic.HttpUrl, "<https://a.org/>", pydantic.HttpUrl("https://a.org/"), "likely"),
    (pydantic.HttpUrl, "[a.org](https://a.org)", pydantic.HttpUrl("https://a.org"), "likely"),
    (pydantic.AnyUrl | None, "not available", None, "likely"),
    (Level, "HIGH", Level.HIGH, "certain"),
    (Level, "Level.HIGH", Level.HIGH, "likely"),
    (Level, "high", Level.HIGH, "likely"),
    (Colour, "RED", Colour.RED, "certain"),
    (Colour, "red", Colour.RED, "likely"),
    (bool, 1, True, "guess"),
    (float | None, "NaN", None, "guess"),
]

#: A type, and what is none of its values.
REFUSED: list[tuple[Any, Any]] = [
    (Decimal, "five apples"),
    (Decimal, "3 of 5"),
    (Decimal, "10-20"),
    (Positive, "A12"),
    (Moment, "March 5, 2026"),
    (Moment, "tomorrow"),
    (datetime.date, "05/03/2026"),
    (datetime.date, "05.03.26"),
    (datetime.time, "noon"),
    (datetime.timedelta, "5m"),
    (uuid.UUID, "{6f1c2d3e-1111-2222-3333-44445555666}"),
    (pydantic.HttpUrl, "see <https://a.org>"),
    (Level, "Other.HIGH"),
    (Level, "not HIGH"),
    (Colour, "redder"),
    (bool, "Yes, but only on Mondays"),
]


def _model(of: Any) -> Any:
    return pydantic.create_model("Reply", value=(of, ...))


@pytest.mark.parametrize(("of", "written", "meant", "certainty"), READ, ids=str)
def test_a_value_is_read_as_its_type_declares_it(
    of: Any, written: Any, meant: Any, certainty: str
) -> None:
    model = _model(of)
    parsed = llmjson.parse(json.dumps({"value": written}), model)
    assert parsed.ok, parsed.feedback()
    assert parsed.result().value == meant
    assert str(parsed.result().value) == str(meant)
    if not isinstance(meant, Decimal) or certainty != "certain":
        assert parsed.certainty == certainty


@pytest.mark.parametrize(("of", "written"), REFUSED, ids=str)
def test_what_only_looks_like_a_value_is_none(of: Any, written: Any) -> None:
    assert not llmjson.parse(json.dumps({"value": written}), _model(of)).ok


@dataclass
class Priced:
    value: Decimal


class PricedTuple(NamedTuple):
    value: Decimal


class PricedDict(TypedDict):
    value: Decimal


@attrs.define
class PricedAttrs:
    value: Decimal


PricedModel = _model(Decimal)

#: A type around a decimal, what holds a number for it, and the way to the decimal.
HOLDERS: list[tuple[Any, str, Callable[[Any], Any]]] = [
    (Decimal, "%s", lambda made: made),
    (Decimal | None, "%s", lambda made: made),
    (Decimal | str, "%s", lambda made: made),
    (PricedModel, '{"value": %s}', lambda made: made.value),
    (pydantic.RootModel[Decimal], "%s", lambda made: made.root),
    (Priced, '{"value": %s}', lambda made: made.value),
    (PricedDict, '{"value": %s}', lambda made: made["value"]),
    (PricedTuple, "[%s]", lambda made: made.value),
    (PricedTuple, '{"value": %s}', lambda made: made.value),
    (PricedAttrs, '{"value": %s}', lambda made: made.value),
    (list[Decimal], "[%s]", lambda made: made[0]),
    (set[Decimal], "[%s]", lambda made: next(iter(made))),
    (tuple[int, Decimal], "[1, %s]", lambda made: made[1]),
    (dict[str, Decimal], '{"a": %s}', lambda made: made["a"]),
    (dict[str, list[Priced]], '{"a": [{"value": %s}]}', lambda made: made["a"][0].value),
]

#: Numbers of which a float holds less than was written.
DIGITS = [
    *("12.50", "100", "1e2", "-0.00", "0.1"),
    "0.123456789012345678901234567890",
    "123456789012345678901234567890.10",
]


@pytest.mark.parametrize("number", DIGITS)
@pytest.mark.parametrize(("of", "around", "find"), HOLDERS, ids=str)
def test_a_decimal_has_the_digits_that_were_written(
    of: Any, around: str, find: Callable[[Any], Any], number: str
) -> None:
    for written in (number, f'"{number}"'):
        made = find(llmjson.parse(around % written, of).result())
        assert isinstance(made, Decimal)
        assert str(made) == str(Decimal(number))


def test_other_numbers_beside_a_decimal_stay_what_they_are() -> None:
    @dataclass
    class Mixed:
        price: Decimal
        ratio: float
        rest: Any

    mixed = llmjson.parse('{"price": 1.10, "ratio": 1.10, "rest": [1.10]}', Mixed).result()
    assert (str(mixed.price), mixed.ratio, mixed.rest) == ("1.10", 1.1, [1.1])
    assert type(mixed.ratio) is type(mixed.rest[0]) is float


def test_a_format_stays_as_it_is_written_where_the_policy_says_so() -> None:
    schema = {"type": "string", "format": "date-time"}
    for formats, expected in [("lenient", "2026-03-05T10:30:00"), ("as_written", "2026-03-05 10:30")]:
        policy = llmjson.Policy(formats=formats)
        assert llmjson.parse('"2026-03-05 10:30"', schema, policy=policy).value == expected


def test_members_of_enumerations_have_names_in_prompts_and_feedback() -> None:
    schema = llmjson.Schema(_model(Level))
    assert "1 /* LOW */ | 3 /* HIGH */" in schema.prompt()
    assert "1 /* LOW */ | 3 /* HIGH */" in llmjson.parse('{"value": 7}', schema).feedback()


def test_a_dataclass_takes_the_same_names_and_forms() -> None:
    @dataclass
    class Order:
        price: Decimal
        level: Level

    order = llmjson.parse('{"price": "$39.90", "level": "HIGH"}', Order).result()
    assert (order.price, order.level) == (Decimal("39.90"), Level.HIGH)
