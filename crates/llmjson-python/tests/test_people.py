"""What goes wrong is told so that people understand it, and nothing odd is a crash."""

from __future__ import annotations

import datetime
import pickle
from typing import Annotated, Any

import pytest
from llmjson._words import in_words

import llmjson
from llmjson import ParseError, Policy, Schema, SchemaError, Stream

BYTE = {"type": "integer", "minimum": 0, "maximum": 255}
LONG = "9" * 5_000


@pytest.mark.parametrize(
    ("schema", "value", "expected", "message"),
    [
        (BYTE, "many", "integer & Minimum<0> & Maximum<255>", "an integer from 0 to 255"),
        (BYTE, 300, "integer & Maximum<255>", "an integer of at most 255"),
        ({"type": "integer", "format": "uint8"}, 300, None, "an integer from 0 to 255"),
        ({"enum": ["red", "blue"]}, 1, '"red" | "blue"', '"red" or "blue"'),
        ({"type": ["string", "null"]}, 1, None, "null or a text"),
        ({"type": "string", "format": "date"}, "May", None, "a date such as 2025-05-17"),
        ({"type": "string", "pattern": "^[a-z|]+$"}, "A", None, "a text that matches ^[a-z|]+$"),
        ({"type": "string", "minLength": 3}, "a", None, "a text of at least 3 characters"),
        ({"type": "array", "minItems": 1}, [], None, "a list of at least 1 item"),
        ({"type": "array", "items": {"type": "integer"}}, 1, None, "a list, each an integer"),
        (
            {"type": "object", "required": ["a"], "properties": {"a": {}}},
            1,
            None,
            "an object with a",
        ),
    ],
)
def test_what_is_expected_is_said_in_words(
    schema: dict[str, Any], value: Any, expected: str | None, message: str
) -> None:
    wrong = Schema(schema).validate(value)[0]
    assert expected is None or wrong.expected == expected
    assert wrong.message == message


def test_words_stay_words() -> None:
    for text in ("Field required", "there is no such city", "", '"a', "{ a: integer; b…", "a | (b"):
        assert isinstance(in_words(text), str)
    assert in_words("Input should be greater than 0") == "Input should be greater than 0"


def test_feedback_is_a_method_everywhere() -> None:
    def book(days: int) -> int:
        return days

    parsed = llmjson.parse("{}", {"required": ["a"]})
    with pytest.raises(ParseError) as refused:
        parsed.result()
    assert refused.value.feedback() == parsed.feedback() != ""
    bound = llmjson.bind(book, '{"days": "soon"}')
    with pytest.raises(llmjson.BindError) as unbound:
        bound.result()
    assert unbound.value.feedback() == bound.feedback() != ""
    with pytest.raises(llmjson.RetryError) as given_up:
        llmjson.retry(lambda _: "no", "?", {"type": "object"}, max_retries=0)
    assert given_up.value.feedback() != ""
    assert pickle.loads(pickle.dumps(given_up.value)).feedback() == given_up.value.feedback()


def test_every_limit_can_be_set() -> None:
    names = ["bytes", "depth", "candidates", "work", "records", "digits", "feedback_bytes"]
    for name in names:
        policy = Policy(**{f"max_{name}": 7})  # type: ignore[arg-type]
        assert repr(policy) == f'Policy("lenient", max_{name}=7)'
        assert pickle.loads(pickle.dumps(policy)) == policy != Policy()
    assert "input_bytes" in llmjson.parse("[1, 2, 3]", policy=Policy(max_bytes=5)).limits
    assert "depth" in llmjson.parse("[[[1]]]", policy=Policy(max_depth=2)).limits
    many = "{a: 1, b: 2, c: 3}"
    assert "records" in llmjson.parse(many, policy=Policy(max_records=1)).limits
    long = str(list(range(1_000)))
    short = llmjson.parse(
        long, {"items": {"type": "boolean"}}, policy=Policy(max_feedback_bytes=2_000)
    )
    whole = llmjson.parse(long, {"items": {"type": "boolean"}})
    assert len(short.feedback()) < len(whole.feedback())


@pytest.mark.parametrize("sign", ["", "-"])
def test_integers_may_be_long(sign: str) -> None:
    value = int(sign + "1") * (10**5_000 - 1)
    parsed = llmjson.parse(f"{{n: {sign}{LONG}}}")
    assert parsed.value == {"n": value}
    assert LONG in repr(parsed) or repr(parsed).endswith("repairs=1)")
    assert llmjson.loads(f'{{"n": {sign}{LONG}}}') == {"n": value}
    stream = Stream()
    stream.push(f'{{"n": {sign}{LONG}, "m": 1}}')
    assert stream.value["n"] == value == stream.finish().value["n"]
    assert llmjson.arguments(f'{{"n": {sign}{LONG}}}').result()["n"] == value
    typed = llmjson.parse(f'{{"n": {sign}{LONG}}}', dict[str, int])
    assert not typed.ok or typed.typed == {"n": value}


def test_an_item_that_is_no_text_is_a_result_of_its_own() -> None:
    texts: list[Any] = ["{a: 1}", None, b"\xff\xfe\xff", "{a: 2}", 3]
    read = llmjson.parse_many(texts, {"properties": {"a": {"type": "integer"}}})
    assert [one.ok for one in read] == [True, False, False, True, False]
    assert [one.index for one in read] == [0, 1, 2, 3, 4]
    assert (
        read[1].unread
        == "item 1: the text must be str, bytes, bytearray or memoryview, not NoneType"
    )
    assert "item 2: " in str(read[2].unread) and read[0].unread is None
    with pytest.raises(ParseError, match="item 4: the text must be"):
        read[4].result()
    again = [pickle.loads(pickle.dumps(one)) for one in read]
    assert [(one.index, one.unread, one.value) for one in again] == [
        (one.index, one.unread, one.value) for one in read
    ]
    assert [one.index for one in llmjson.parse_iter(iter(texts), ahead=2)] == [0, 1, 2, 3, 4]
    assert [one.index for one in llmjson.parse_all("{a: 1} and {a: 2}")] == [0, 1]
    assert llmjson.parse("1").index is None


ITSELF: dict[str, Any] = {}
ITSELF["not"] = ITSELF


@pytest.mark.parametrize(
    "schema",
    [
        [],
        [{"type": "object"}],
        3,
        complex,
        object(),
        "",
        "[]",
        "\0",
        "{",
        "\ud800",
        {"const": "\ud800"},
        {"\ud800": 1},
        {"const": object()},
        {"type": float("nan")},
        {"type": "nothing"},
        {"properties": []},
        {"pattern": "("},
        {"policy": "tool"},
        {"n": 1},
        {"type": "object", "n": {"type": "integer"}},
        [int],
        {int},
        ITSELF,
        Annotated[complex, "a"],
    ],
    ids=lambda one: ascii(one)[:20],
)
def test_odd_schemas_are_schema_errors(schema: Any) -> None:
    for use in (Schema, lambda one: llmjson.parse("{}", one), Stream):
        with pytest.raises(SchemaError):
            use(schema)


def test_names_may_hold_any_character() -> None:
    schema = {"properties": {"a\0b": {"type": "integer"}}}
    assert llmjson.parse('{"a\\u0000b": "3"}', schema).value == {"a\0b": 3}


def test_what_is_done_to_a_value_that_goes_on_is_not_seen_again() -> None:
    for schema in (None, {"properties": {"a": {"type": "array", "items": {"type": "object"}}}}):
        stream = Stream(schema)
        stream.push('{"a": [{"b": "x')
        shown = stream.value
        shown["a"][0]["b"] = shown["a"][0]["c"] = 3
        shown["a"].clear()
        shown["d"] = 4
        stream.push('y"}, {"b": 1}')
        assert stream.value == {"a": [{"b": "xy"}, {"b": 1}]}
        stream.push("]}")
        assert stream.finish().value == {"a": [{"b": "xy"}, {"b": 1}]}


def test_dates_that_no_type_takes_are_told_in_words() -> None:
    schema = llmjson.Schema(list[datetime.date])
    (by_type,) = llmjson.parse('["soon"]', schema).violations
    assert by_type.path == "$input[0]" and by_type.description == 'string & Format<"date">'
    (by_schema,) = llmjson.parse('["soon"]', schema.json).violations
    assert by_schema.message == "a date such as 2025-05-17"
