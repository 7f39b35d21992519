"""Values that fit the schema of a type, but which the type itself rejects."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import pytest

import llmjson


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
    assert parsed.result() == {"number": 4}
    assert parsed.typed == Even(4)
    assert parsed.typed is parsed.typed


def test_a_type_does_not_see_what_does_not_fit_its_schema() -> None:
    parsed = llmjson.parse("{number: 'x'}", Even)
    assert [violation.expected for violation in parsed.violations] == ["integer"]


def test_validators_of_pydantic_say_where() -> None:
    pydantic = pytest.importorskip("pydantic")

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
