"""Values that fit the schema of a type, but which the type itself rejects."""

from __future__ import annotations

import datetime
import json
import pickle
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

import llmjson

pydantic = pytest.importorskip("pydantic")


@dataclass
class Even:
    number: int

    def __post_init__(self) -> None:
        if self.number % 2:
            raise ValueError("it must be even")


def test_a_rejected_value_is_not_ok_and_its_feedback_says_why() -> None:
    parsed = llmjson.parse("{number: '3'}", Even)
    assert parsed.value == {"number": 3}
    assert not parsed.ok
    assert not parsed
    (violation,) = parsed.violations
    assert (violation.path, violation.expected) == ("$input", "it must be even")
    assert (violation.found, violation.value) == ("object", {"number": 3})
    assert '"expected":"it must be even"' in parsed.feedback()
    assert repr(parsed) == (
        "Parsed({'number': 3}, not ok, certain, repairs=2, coercions=1, violations=1)"
    )
    shown = parsed._repr_html_()
    assert "does not fit" in shown and "$input: it must be even" in shown
    for use in (parsed.result, lambda: parsed.typed):
        with pytest.raises(llmjson.ParseError, match="it must be even") as raised:
            use()
        assert raised.value.feedback() == parsed.feedback()
        assert raised.value.parsed is parsed
    again = pickle.loads(pickle.dumps(parsed))
    assert (again.ok, again.violations) == (False, parsed.violations)


def test_an_accepted_value_is_made_once() -> None:
    parsed = llmjson.parse("{number: '4'}", Even)
    assert parsed.ok
    assert parsed.violations == ()
    assert parsed.feedback() == ""
    assert parsed.value == {"number": 4}
    assert parsed.typed == Even(4)
    assert parsed.result() is parsed.typed


class Invoice(pydantic.BaseModel):
    name: str
    when: datetime.datetime
    days: int = pydantic.Field(1, ge=1, description="How long.")
    waits: datetime.timedelta = datetime.timedelta()

    @pydantic.field_validator("name")
    @classmethod
    def known(cls, name: str) -> str:
        if name == "lamp":
            raise ValueError("there is no lamp")
        return name


@dataclass
class Parcel:
    name: str
    when: datetime.date


LAMP = ("$input.name", "there is no lamp")


@pytest.mark.parametrize("around", ["{}", "Sure: {}", "```json\n{}\n```", "{},", "Here.\n{} Bye."])
@pytest.mark.parametrize(
    ("text", "kind", "rejected"),
    [
        # What the schema alone rejects is not told.
        ('{"name": "lamp", "when": "2026-03-05"}', Invoice, [LAMP]),
        ('{"name": "lamp", "when": 1772668800}', Invoice, [LAMP]),
        ('{"name": "lamp", "when": "2026-03-05T10:00:00Z", "waits": 90}', Invoice, [LAMP]),
        ('{"name": "lamp", "when": "2026-03-05", "days": "3"}', Invoice, [LAMP]),
        # What both reject is told once, in the words of the type.
        (
            '{"name": "lamp", "when": "2026-03-05", "days": 0}',
            Invoice,
            [LAMP, ("$input.days", "Input should be greater than or equal to 1")],
        ),
        (
            '{"name": "lamp", "days": "many", "when": 5}',
            Invoice,
            [
                LAMP,
                (
                    "$input.days",
                    "Input should be a valid integer, unable to parse string as an integer",
                ),
            ],
        ),
        ('{"name": "pen"}', Invoice, [("$input.when", "Field required")]),
        ('{"n": {"name": "lamp", "when": 5}}', dict[str, Invoice], [("$input.n.name", LAMP[1])]),
        ('[{"name": "lamp", "when": 5}]', list[Invoice], [("$input[0].name", LAMP[1])]),
    ],
)  # fmt: skip
def test_the_type_says_what_is_wrong(text: str, kind: Any, rejected: Any, around: str) -> None:
    parsed = llmjson.parse(around.replace("{}", text), kind)
    assert [(one.path, one.expected) for one in parsed.violations] == rejected
    assert not parsed
    for path, expected in rejected:
        told = f'"path":{json.dumps(path)},"expected":{json.dumps(expected)}'
        assert told in parsed.feedback()
        assert expected in llmjson.stringify(parsed, list(parsed.violations), kind)
    assert parsed.feedback().count("❌") == len(rejected)
    assert [one["path"] for one in parsed.report()["violations"]] == [path for path, _ in rejected]


def test_what_the_schema_asks_for_is_a_hint() -> None:
    days, when = llmjson.parse('{"name": "pen", "days": 0}', Invoice).violations[::-1]
    assert (days.keyword, days.description) == ("check_failed", "integer & Minimum<1>")
    assert (days.found, days.value) == ("number", 0)
    assert when.found == "undefined" and "fill the `string & Format" in (when.description or "")


def test_a_pattern_is_said_once() -> None:
    code = pydantic.create_model("Code", code=(Annotated[str, pydantic.Field(pattern="^[a-z]+$")], ...))
    (violation,) = llmjson.parse('{"code": "A"}', code).violations
    assert (violation.expected, violation.description) == ("String should match pattern '^[a-z]+$'", None)


def test_what_a_policy_refuses_is_refused_whatever_the_type_takes() -> None:
    text = "{name: 'pen', when: '2026-03-05', more: 1}"
    for policy in ("tool", llmjson.Policy(undeclared="reject")):
        parsed = llmjson.parse(text, Invoice, policy=policy)
        assert [one.path for one in parsed.violations] == ["$input.more"]
    parsed = llmjson.parse(text.replace("pen", "lamp"), Invoice, policy="tool")
    assert [one.path for one in parsed.violations] == ["$input.more", "$input.name"]
    parsed = llmjson.parse(text.replace(", more: 1}", ""), Invoice, policy="exact")
    assert not parsed.ok and parsed.refused
    with pytest.raises(llmjson.ParseError):
        _ = parsed.typed


class Known(pydantic.BaseModel):
    city: str
    days: int

    @pydantic.field_validator("city")
    @classmethod
    def known(cls, city: str, info: pydantic.ValidationInfo) -> str:
        if city not in (info.context or {"cities": ["Oslo"]})["cities"]:
            raise ValueError("there is no such city")
        return city


def test_context_and_strict_are_passed_on() -> None:
    text, rome = "{city: 'Rome', days: 3}", {"cities": ["Rome"]}
    readings: list[Callable[..., Any]] = [
        lambda **given: llmjson.parse(text, Known, **given).typed,
        lambda **given: llmjson.loads(text, Known, **given),
        lambda **given: llmjson.parse_all(text, Known, **given)[0].typed,
        lambda **given: llmjson.arguments(text, Known, policy="lenient", **given).typed,
        lambda **given: llmjson.coerce({"city": "Rome", "days": 3}, Known, **given).typed,
        lambda **given: list(llmjson.Stream(Known, **given).over([text]))[-1] and Known(**rome_trip),
        lambda **given: llmjson.retry(lambda _: text, "?", Known, max_retries=0, **given).typed,
        lambda **given: llmjson.parse(text, llmjson.Schema(Known, **given)).typed,
        lambda **given: llmjson.parse_many([text], llmjson.Schema(Known, **given))[0].typed,
    ]
    rome_trip = {"city": "Oslo", "days": 3}
    for read in readings:
        assert read(context=rome).days == 3
        with pytest.raises(ValueError, match="no such city"):
            read()

    class Loose(pydantic.BaseModel):
        any_number: int | float
        wait: datetime.timedelta

    loose = '{"any_number": 1, "wait": 90}'
    assert llmjson.parse(loose, Loose).ok
    assert [one.path for one in llmjson.parse(loose, Loose, strict=True).violations] == ["$input.wait"]
    assert llmjson.parse(loose.replace("90", '"PT90S"'), Loose, strict=True).ok
    for plain in (None, {"type": "object"}):
        if plain is not None:
            with pytest.raises(TypeError, match="for the schema of a type"):
                llmjson.parse("{}", plain, strict=True)  # type: ignore[call-overload]


def test_validators_of_pydantic_say_where() -> None:
    class Leg(pydantic.BaseModel):  # type: ignore[misc, name-defined, unused-ignore]
        city: str

        @pydantic.field_validator("city")
        @classmethod
        def known(cls, city: str) -> str:
            if city == "Atlantis":
                raise ValueError("there is no such city")
            return city

    class Trip(pydantic.BaseModel):  # type: ignore[misc, name-defined, unused-ignore]
        legs: list[Leg] = pydantic.Field(alias="all legs")

    parsed = llmjson.parse('{"all legs": [{city: "Oslo"}, {city: "Atlantis"}]}', Trip)
    (violation,) = parsed.violations
    assert violation.path == '$input["all legs"][1].city'
    assert (violation.found, violation.value) == ("string", "Atlantis")
    assert '"city": "Atlantis" // ❌' in parsed.feedback()
    assert not parsed.ok


@dataclass
class Broken:
    number: int

    def __post_init__(self) -> None:
        raise KeyError("a defect of the program")


def test_what_a_validator_raises_besides_is_passed_on() -> None:
    parsed = llmjson.parse("{number: 1}", Broken)
    with pytest.raises(KeyError, match="a defect"):
        _ = parsed.ok
    assert "Parsed({'number': 1}, not ok" in repr(parsed)


class Marked(typing.TypedDict):
    n: Annotated[int, pydantic.Field(ge=1)]
    s: Annotated[str, pydantic.Field(pattern="^a")]
    on: datetime.date


@pytest.mark.parametrize("around", ["{}", "Sure: {}"])
def test_bounds_of_hints_count(around: str) -> None:
    good = '{"n": 1, "s": "a", "on": "2026-03-05"}'
    assert llmjson.parse(around.replace("{}", good), Marked).ok
    bad = good.replace("1,", "0,").replace('"a"', '"b"').replace("2026-", "")
    parsed = llmjson.parse(around.replace("{}", bad), Marked)
    assert {one.path for one in parsed.violations} == {"$input.n", "$input.s", "$input.on"}
    assert not parsed.ok
