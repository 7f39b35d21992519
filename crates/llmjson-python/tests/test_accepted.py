"""What a type accepts is never refused, although its schema may say less."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import math
import pickle
import uuid
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

import llmjson
from llmjson._build import build

pydantic = pytest.importorskip("pydantic")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Model(pydantic.BaseModel):
    count: int
    name: str = ""


class Chosen(pydantic.BaseModel):
    city: str = pydantic.Field(validation_alias=pydantic.AliasChoices("city", "town"))


class Closed(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    day: datetime.date


@dataclass
class Point:
    x: int
    y: float = 0.0


TYPES: list[Any] = [
    int,
    float,
    str,
    bool,
    type(None),
    decimal.Decimal,
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
    uuid.UUID,
    Color,
    Literal["a", "b"],
    Literal[1, 2],
    list[int],
    set[int],
    frozenset[str],
    tuple[int, str],
    tuple[int, ...],
    dict[str, int],
    dict[int, str],
    int | None,
    int | str,
    datetime.date | None,
    list[datetime.date],
    Model,
    Chosen,
    Closed,
    Point,
    list[Model],
]

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3.0, 3.5, 1e3, 90, 1700000000, 1700000000000, 86400, "", "a", "b", "red", "1",
    "3.5", "true", "yes", "no", "2026-03-05", "2026-03-05T00:00:00Z", "2026-03-05T10:30:00", "2026-03-05 10:30",
    "10:30", "10:30:00", "P1D", "PT2H", "1:30:00", "12345678-1234-5678-1234-567812345678",
    "12345678123456781234567812345678", [], [1], [1, 1], [1, 2], ["1", "2"], [1, "a"], ["a", "a"], ["2026-03-05"],
    {}, {"count": 1}, {"count": "1"}, {"count": 1, "name": "x"}, {"city": "a"}, {"town": "a"}, {"x": 1}, {"x": 1, "y": 2},
    {"a": 1}, {"1": "a"}, {"day": "2026-03-05"}, {"day": 1700006400}, [{"count": 1}], [[1, 2]],
]  # fmt: skip


@pytest.mark.parametrize("kind", TYPES, ids=repr)
def test_what_pydantic_accepts_is_accepted(kind: Any) -> None:
    adapter = pydantic.TypeAdapter(kind)
    refused = []
    for value in VALUES:
        text = json.dumps(value)
        try:
            adapter.validate_json(text)
        except pydantic.ValidationError:
            continue
        if not llmjson.parse(text, kind).ok:
            refused.append(value)
    assert refused == []


def test_a_note_says_that_the_type_took_more_than_its_schema() -> None:
    parsed = llmjson.parse("[1, 1]", set[int])
    assert parsed.ok
    assert parsed.typed == {1}
    assert [note.kind for note in parsed.notes] == ["accepted_by_type"]
    assert parsed.violations == ()
    assert parsed.feedback() == ""
    assert llmjson.parse("[1, 2]", set[int]).notes == ()


class Ticket(pydantic.BaseModel):
    ok: bool
    name: str = ""


@dataclass
class Flag:
    ok: bool


class Seats(pydantic.RootModel[list[Ticket]]):
    pass


class Titled(pydantic.BaseModel):
    city: Annotated[str, pydantic.AfterValidator(str.title)] = pydantic.Field(alias="the city")
    either: Annotated[int | str, pydantic.Field(union_mode="left_to_right")] = 0
    tags: list[Annotated[str, pydantic.StringConstraints(strip_whitespace=True)]] = []


@pytest.mark.parametrize(
    ("text", "kind", "read"),
    [
        ('{"ok": "t"}', Ticket, [("$input.ok", "t", True, "likely")]),
        ('{"ok": "f", "name": "x"}', Ticket, [("$input.ok", "f", False, "likely")]),
        ('{"ok": "t"}', Flag, [("$input.ok", "t", True, "likely")]),
        ('{"ok": "t"}', pydantic.TypeAdapter(Ticket), [("$input.ok", "t", True, "likely")]),
        ('[{"ok": true}, {"ok": "t"}]', list[Ticket], [("$input[1].ok", "t", True, "likely")]),
        ('[{"ok": true}, {"ok": "t"}]', Seats, [("$input[1].ok", "t", True, "likely")]),
        ('{"a-b": {"ok": "t"}}', dict[str, Ticket], [('$input["a-b"].ok', "t", True, "likely")]),
        ('"0"', bool, [("$input", "0", False, "likely")]),
        ("[1, 1]", set[int], [("$input", [1, 1], [1], "likely")]),
        ('{"the city": "oslo"}', Titled, [("$input[\"the city\"]", "oslo", "Oslo", "certain")]),
        ('{"the city": "Oslo", "either": "7"}', Titled, [("$input.either", "7", 7, "likely")]),
        ('{"the city": "Oslo", "tags": ["a", " 1"]}', Titled, [("$input.tags[1]", " 1", "1", "certain")]),
    ],
)  # fmt: skip
def test_what_a_type_reads_in_its_own_way_is_on_record(text: str, kind: Any, read: Any) -> None:
    parsed = llmjson.parse(text, kind)
    assert parsed
    assert parsed.value == json.loads(text)
    told = [(one.path, one.before, one.after, one.certainty) for one in parsed.coercions]
    assert told == read
    assert {one.kind for one in parsed.coercions} == {"read_by_type"}
    assert parsed.certainty == max((one[3] for one in read), key=["certain", "likely"].index)
    assert f"{parsed.certainty}, coercions=1" in repr(parsed)
    again = pickle.loads(pickle.dumps(parsed)) if kind is Ticket else parsed
    assert again.coercions == parsed.coercions


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"ok": true, "name": "1"}', Ticket),
        ('{"day": "2026-03-05"}', Closed),
        ('{"town": "Oslo"}', Chosen),
        ('{"the city": "Oslo", "either": 7, "tags": ["a"]}', Titled),
        ('{"x": 1, "y": 2}', Point),
        ('"12345678-1234-5678-1234-567812345678"', uuid.UUID),
        ('"red"', Color),
        ("0.1", decimal.Decimal),
        ('{"1": "a"}', dict[int, str]),
        ('[1, "a"]', tuple[int, str]),
        ("[1, 2]", set[int]),
        ("[]", tuple[int, ...]),
    ],
)
def test_what_a_type_reads_as_it_stands_is_not(text: str, kind: Any) -> None:
    parsed = llmjson.parse(text, kind)
    assert (parsed.ok, parsed.coercions, parsed.certainty) == (True, (), "certain")


def test_a_type_and_the_schema_change_different_members() -> None:
    parsed = llmjson.parse('{"ok": "t", "name": 5}', Ticket)
    assert [(one.kind, one.path) for one in parsed.coercions] == [
        ("number_to_text", "$input.name"),
        ("read_by_type", "$input.ok"),
    ]
    assert parsed.typed == Ticket(ok=True, name="5")


@pytest.mark.parametrize("kind", TYPES, ids=repr)
def test_an_instance_that_is_another_value_is_never_certain_in_silence(kind: Any) -> None:
    """Where the plain form of an instance is of another kind than the value, a coercion says so."""
    adapter = pydantic.TypeAdapter(kind)
    for value in VALUES:
        parsed = llmjson.parse(json.dumps(value), kind)
        if not parsed.ok or isinstance(value, (list, dict)):
            continue
        plain = adapter.dump_python(parsed.typed, mode="json")
        kinds = [float if type(one) is int else type(one) for one in (plain, parsed.value)]
        if kinds[0] is not kinds[1] and not isinstance(parsed.typed, decimal.Decimal):
            assert parsed.certainty != "certain", (value, parsed)
            assert parsed.coercions, (value, parsed)


def test_members_that_coercion_binds_are_kept() -> None:
    parsed = llmjson.parse('{"Count": "3", "NAME": "x"}', Model)
    assert parsed.typed == Model(count=3, name="x")
    assert llmjson.parse('{"town": "Oslo"}', Chosen).typed.city == "Oslo"


#: Values that have to be coerced first.
SPELLED: list[Any] = [
    {"Count": "3", "NAME": 5}, {"COUNT": 1.0, "Name": "x"}, {"Town": "Oslo"}, {"CITY": "Oslo"}, {"X": "1", "Y": "2"},
    {"Day": "2026-03-05"}, {"DAY": "March 5th, 2026"}, {"arguments": {"count": 1}}, {"data": [{"Count": "1"}]},
    {"count": {"value": 1}}, "RED", " red ", "A", '["1", "2"]', "3,000", "75 kg", "null", "none", "March 5th, 2026",
    "3:30 PM", "2 hours", 90.5, "90", "1700000000", ["75kg"], [["1", "x"]], {"a": "1"}, "TRUE.",
]  # fmt: skip


@pytest.mark.parametrize("kind", TYPES, ids=repr)
def test_no_member_that_coercion_binds_is_lost(kind: Any) -> None:
    adapter = pydantic.TypeAdapter(kind)
    lost = []
    for value in VALUES + SPELLED:
        text = json.dumps(value)
        by_schema = llmjson.parse(text, adapter.json_schema())
        if not by_schema.ok:
            continue
        try:
            bound = adapter.validate_json(by_schema.to_json() or "")
        except pydantic.ValidationError:
            continue
        by_type = llmjson.parse(text, kind)
        if not by_type.ok or by_type.typed != bound:
            lost.append((value, bound, by_type.value))
    assert lost == []


@dataclass
class Measured:
    share: float
    name: str = ""


class Measurement(pydantic.BaseModel):
    share: float
    name: str = ""


@pytest.mark.parametrize(
    "kind", [Measured, Measurement, pydantic.TypeAdapter(Measurement)], ids=repr
)
def test_not_a_number_is_the_float_where_python_reads_it(kind: Any) -> None:
    text = '{"share": NaN, "name": "NaN"}'
    parsed = llmjson.parse(text, kind)
    assert parsed.ok
    assert math.isnan(json.loads(text)["share"])
    assert math.isnan(parsed.typed.share)
    assert parsed.typed.name == "NaN"
    assert parsed.to_json() == '{"share":"NaN","name":"NaN"}'
    assert llmjson.parse('{"share": -Infinity}', kind).typed.share == -math.inf
    assert math.isnan(build(float, "NaN"))  # without pydantic
    # Without a type the value is JSON, which has no such number.
    assert llmjson.parse(text).value == {"share": "NaN", "name": "NaN"}


class Waits(pydantic.BaseModel):
    td: datetime.timedelta
    name: str = ""
    inner: list[Waits] = []


@pytest.mark.parametrize("around", ["{}", "Sure: {}", "```json\n{}\n```", "{},", "<think>Hm.</think> {}"])
@pytest.mark.parametrize(
    ("text", "kind", "value", "typed"),
    [
        ('{"td": 90}', Waits, {"td": 90}, Waits(td=datetime.timedelta(seconds=90))),
        (
            '{"td": 90.5, "name": 5}',
            Waits,
            {"td": 90.5, "name": "5"},
            Waits(td=datetime.timedelta(seconds=90.5), name="5"),
        ),
        (
            '{"TD": 90, "inner": [{"td": "P1D"}, {"td": 60, "name": true}]}',
            Waits,
            {"td": 90, "inner": [{"td": "P1D"}, {"td": 60, "name": "true"}]},
            Waits(
                td=datetime.timedelta(seconds=90),
                inner=[
                    Waits(td=datetime.timedelta(days=1)),
                    Waits(td=datetime.timedelta(minutes=1), name="true"),
                ],
            ),
        ),
        ('{"a": 90}', dict[str, datetime.timedelta], {"a": 90}, {"a": datetime.timedelta(seconds=90)}),
        ('{"a": "2026-03-05"}', dict[str, datetime.datetime], {"a": "2026-03-05T00:00:00"}, {"a": datetime.datetime(2026, 3, 5)}),
        ('[1, 1]', set[int], [1, 1], {1}),
    ],
)  # fmt: skip
def test_clean_and_damaged_texts_are_judged_alike(
    text: str, kind: Any, value: Any, typed: Any, around: str
) -> None:
    parsed = llmjson.parse(around.replace("{}", text), kind)
    assert (parsed.ok, parsed.value, parsed.typed) == (True, value, typed)
    assert parsed.violations == ()
    assert json.loads(parsed.to_json() or "") == value == parsed.report()["value"]
    again = pickle.loads(pickle.dumps(parsed)) if kind is Waits else parsed
    assert (again.value, again.typed) == (value, typed)


def test_numbers_for_truth_are_guesses_of_their_own() -> None:
    parsed = llmjson.parse('[{"ok": true}, {"ok": 1}]', list[Ticket])
    assert parsed.typed == [Ticket(ok=True), Ticket(ok=True)]
    told = [(one.kind, one.path, one.before, one.after) for one in parsed.coercions]
    assert told == [("word_to_boolean", "$input[1].ok", 1, True)]
    assert parsed.certainty == "guess"


def test_what_is_put_back_is_no_coercion_and_its_name_stays_one() -> None:
    parsed = llmjson.parse("{'TD': 90, name: 5, inner: {'Td': 60}}", Waits)
    told = [(one.kind, one.path, one.before) for one in parsed.coercions]
    assert [(kind, path) for kind, path, _ in told if kind != "read_by_type"] == [
        ("key_spelling", "$input.td"),
        ("number_to_text", "$input.name"),
        ("wrap_in_array", "$input.inner"),
        ("key_spelling", "$input.inner[0].td"),
    ]
    assert [one for one in told if one[0] == "read_by_type"] == [
        ("read_by_type", "$input.td", 90),
        ("read_by_type", "$input.inner[0].td", 60),
    ]


@pytest.mark.parametrize("kind", TYPES, ids=repr)
def test_prose_around_a_value_changes_nothing(kind: Any) -> None:
    schema = llmjson.Schema(llmjson.Schema(kind).json)
    for value in VALUES:
        texts = [json.dumps(value), f"```json\n{json.dumps(value)}\n```"]
        if len({str(llmjson.parse(text, schema).value) for text in texts}) > 1:
            continue  # A text at the root is taken as it stands.
        clean, fenced = (llmjson.parse(text, kind) for text in texts)
        assert (clean.ok, clean.value) == (fenced.ok, fenced.value), value
        assert clean.violations == fenced.violations
        if clean.ok:
            assert clean.typed == fenced.typed


def test_validators_that_change_their_input_do_not_change_the_value() -> None:
    class Moved(pydantic.BaseModel):
        city: str

        @pydantic.model_validator(mode="before")
        @classmethod
        def move(cls, given: dict[str, Any]) -> dict[str, Any]:
            given["city"] = given.pop("city").title()
            given["more"] = 1
            return given

    parsed = llmjson.parse('{"city": "oslo"}', Moved)
    assert parsed.typed.city == "Oslo"
    assert parsed.value == {"city": "oslo"}
    assert [(one.path, one.after) for one in parsed.coercions] == [("$input.city", "Oslo")]


def test_what_a_policy_refuses_stays_refused() -> None:
    parsed = llmjson.parse('{"count": 1, "more": 2}', Model, policy=llmjson.Policy("tool"))
    assert not parsed.ok
