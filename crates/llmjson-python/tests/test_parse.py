"""Reading one reply: values, records, inputs of every kind."""

from __future__ import annotations

import copy
import gc
import json
import math
import pickle
import sys
import threading
import types
from decimal import Decimal
from typing import Any

import pytest

import llmjson
from llmjson import ParseError, Policy, Schema, SchemaError

TRIP = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}

VALUES: list[tuple[str, Any]] = [
    ('{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}),
    ("123456789012345678901234567890", 123456789012345678901234567890),
    ("-9223372036854775809", -9223372036854775809),
    ("-0", 0),
    ("1e400", math.inf),
    ("0.1", 0.1),
    ('"\\u00e9\\ud83d\\ude00"', "é😀"),
    ("{a: 1, a: 2}", {"a": 2}),
    ("```json\n{'k': 'v',}\n```", {"k": "v"}),
    (
        '{"a": "' + "ö" * 60 + '", "b": "' + "日" * 60 + '", "c": "x"}',
        {"a": "ö" * 60, "b": "日" * 60, "c": "x"},
    ),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_values_are_plain_objects(text: str, value: Any) -> None:
    parsed = llmjson.parse(text)
    assert parsed.value == value
    assert type(parsed.value) is type(value)
    assert parsed.ok and parsed.found and parsed.complete
    assert llmjson.parse(text.encode()).value == value
    assert llmjson.parse(bytearray(text.encode())).value == value
    assert llmjson.parse(memoryview(text.encode())).value == value


def test_every_digit_of_a_number_is_kept_for_whoever_asks() -> None:
    text = '{"price": 12.50, "n": 1e2, "i": 3}'
    value = llmjson.parse(text, parse_float=Decimal).value
    assert value == {"price": Decimal("12.50"), "n": Decimal("1e2"), "i": 3}
    assert str(value["price"]) == "12.50" and type(value["i"]) is int
    assert llmjson.parse(text).to_json() == '{"price":12.50,"n":1e2,"i":3}'


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("{'a': 1}", ["'a'"]),
        ("ÄÖ {'a': 'é', b: 2}", ["'a'", "'é'", "b"]),
        ("😀 {'日': 1}", ["'日'"]),
    ],
)
def test_places_index_the_text_that_was_given(text: str, places: list[str]) -> None:
    wanted = [place.strip("'") for place in places]
    repairs = [one for one in llmjson.parse(text).repairs if one.kind != "surrounding_text"]
    assert [text[one.start : one.end].strip("'") for one in repairs] == wanted
    source = text.encode()
    repairs = [one for one in llmjson.parse(source).repairs if one.kind != "surrounding_text"]
    assert [source[one.start : one.end].decode().strip("'") for one in repairs] == wanted


def test_lone_surrogates_are_read_and_recorded() -> None:
    text = "{'\ud800é': 'x\udc00'}"
    parsed = llmjson.parse(text)
    assert parsed.value == {"\ufffdé": "x\ufffd"}
    lone = [one for one in parsed.repairs if one.kind == "lone_surrogate"]
    assert [text[one.start : one.end] for one in lone] == ["\ud800é", "x\udc00"]
    assert parsed.source == text
    assert llmjson.parse("['\ud83d\ude00']").value == ["😀"]


def test_bytes_of_other_encodings() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        assert llmjson.parse('{"é": 1}'.encode(encoding)).value == {"é": 1}, encoding
    cut = llmjson.parse('{"a": "é'.encode()[:-1])
    assert cut.value == {"a": ""} and not cut.complete
    with pytest.raises(UnicodeDecodeError):
        llmjson.parse(b'{"a": "\xff"}')


def test_what_is_no_text_is_refused() -> None:
    for wrong in (None, 3, ["{}"]):
        with pytest.raises(TypeError, match="the text must be str"):
            llmjson.parse(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='no policy is named "x"; there are lenient'):
        llmjson.parse("{}", policy="x")
    with pytest.raises(TypeError, match="policy must be str or Policy"):
        llmjson.parse("{}", policy=3)  # type: ignore[arg-type]
    with pytest.raises(SchemaError):
        llmjson.parse("{}", {"type": 3})


def test_a_result_says_what_was_done() -> None:
    parsed = llmjson.parse("Sure: {city: 'Oslo', days: \"3\"", TRIP)
    assert parsed.value == {"city": "Oslo", "days": 3}
    assert parsed.ok and not parsed.complete and parsed.certainty == "likely"
    coercion = parsed.coercions[0]
    assert (coercion.path, coercion.before, coercion.after) == ("$input.days", "3", 3)
    assert parsed.feedback() == "" and parsed.result(allow_truncated=True) == parsed.value
    with pytest.raises(llmjson.ParseError, match="truncated"):
        parsed.result()
    report = parsed.report()
    assert list(report)[:5] == ["ok", "complete", "truncation", "certainty", "value"]
    assert json.loads(parsed.report_json()) == report
    assert repr(parsed) == (
        "Parsed({'city': 'Oslo', 'days': 3}, ok, truncated, likely, "
        f"repairs={len(parsed.repairs)}, coercions=1)"
    )
    assert repr(coercion).startswith("Coercion(kind='text_to_number', certainty=")


def test_a_cut_text_lacks_closers_or_a_part_of_the_value():
    cases = [('{"a": "x"', "closers"), ('{"a": 1', "value"), ('{"a": "x', "value"), ('{"a": 1}', None)]
    for text, cut in cases:
        assert llmjson.parse(text).truncation == cut
    for text in ['{"a": "x"', '{"a": 1']:
        stopped = llmjson.parse(text, policy="tool", finish_reason="stop")
        assert (stopped.ok, stopped.complete, stopped.truncation, stopped.certainty) == (True, True, None, "likely")
        assert not llmjson.parse(text, policy="exact", finish_reason="stop").ok
        assert not llmjson.parse(text, policy="tool").ok


def test_what_does_not_fit_is_an_error_with_feedback() -> None:
    parsed = llmjson.parse("{days: 'many'}", TRIP)
    assert not parsed.ok and parsed.value == {"days": "many"}
    assert {one.path for one in parsed.violations} == {"$input.city", "$input.days"}
    with pytest.raises(ParseError) as caught:
        parsed.result()
    assert caught.value.parsed is parsed
    assert caught.value.feedback() == parsed.feedback() != ""
    assert isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.feedback()) == (str(caught.value), caught.value.feedback())
    nothing = llmjson.parse("I cannot.")
    assert nothing.value is None and not nothing.found and nothing.certainty is None
    assert llmjson.parse("null").found


def test_policies() -> None:
    assert not llmjson.parse("{a: 1}", policy="strict").ok
    refused = llmjson.parse('{"a": 1', policy=Policy("lenient", truncated="refuse"))
    assert not refused.ok and refused.refused[0].kind == "truncated"
    assert llmjson.parse("[[1]]", policy=Policy(max_depth=1)).found is False
    assert not llmjson.parse('{"a": 1}', finish_reason="length").complete
    policy = Policy("tool", undeclared="drop", certainty="likely", max_bytes=100)
    assert repr(policy) == "Policy(\"tool\", undeclared='drop', certainty='likely', max_bytes=100)"
    for same in (pickle.loads(pickle.dumps(policy)), copy.copy(policy), copy.deepcopy(policy)):
        assert same == policy and hash(same) == hash(policy)
    assert policy != Policy("tool")
    with pytest.raises(ValueError, match='"x" is no choice for truncated'):
        Policy(truncated="x")
    with pytest.raises(ValueError, match="max_depth is at most"):
        Policy(max_depth=100_000)


ROWS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "s": {"type": "string", "default": "-"}},
        "required": ["n"],
    },
}


def test_what_does_not_conform_is_left_out_on_request() -> None:
    text = '[{"n": 1, "s": "a"}, {"n": "many", "s": "b"}, {"n": 3, "s": {"c": 1}}]'
    assert not llmjson.parse(text, ROWS).ok
    parsed = llmjson.parse(text, ROWS, salvage=True)
    assert parsed.ok and parsed.value == [{"n": 1, "s": "a"}, {"n": 3}]
    assert parsed.certainty == "guess"
    item, member = parsed.coercions
    assert (item.kind, item.path, item.before, item.after) == (
        "drop_invalid",
        "$input[1]",
        {"n": "many", "s": "b"},
        None,
    )
    assert [one.path for one in item.violations] == ["$input[1].n"]
    assert member.path == "$input[2].s"
    policy = Policy(invalid="drop")
    assert repr(policy) == "Policy(\"lenient\", invalid='drop')"
    assert llmjson.parse(text, ROWS, policy=policy).value == parsed.value
    assert llmjson.coerce(llmjson.parse(text).value, ROWS, policy=policy).value == parsed.value
    tool = llmjson.parse(text, ROWS, policy="tool", salvage=True)
    assert tool.value == parsed.value
    assert not llmjson.parse('{"n": "many"}', ROWS["items"], salvage=True).ok
    with pytest.raises(ValueError, match="is no choice for invalid"):
        Policy(invalid="x")


def test_items_leave_none_in_their_places_on_request() -> None:
    text = '[{"n": 1}, {"n": "many"}, {"n": 3, "s": {"c": 1}}]'
    parsed = llmjson.parse(text, ROWS, policy=Policy(invalid="replace"))
    assert parsed.ok and parsed.value == [{"n": 1}, None, {"n": 3}]
    assert [one.kind for one in parsed.coercions] == ["replace_invalid", "drop_invalid"]
    assert [one.path for one in parsed.coercions[0].violations] == ["$input[1].n"]
    assert llmjson.parse(text, ROWS, policy=Policy(invalid="replace"), salvage=True).value == parsed.value


def test_expectations_are_told_in_plain_words_on_request() -> None:
    schema = {"type": "integer", "minimum": 1, "maximum": 100}
    assert llmjson.parse("0", schema).violations[0].expected == "integer & Minimum<1>"
    plain = llmjson.parse("0", schema, policy=Policy(wording="plain"))
    assert plain.violations[0].expected == "a whole number of at least 1"


def test_defaults_are_put_in_on_request() -> None:
    policy = Policy(defaults="fill")
    assert llmjson.parse('[{"n": 1}]', ROWS).value == [{"n": 1}]
    filled = [{"n": 1, "s": "-"}]
    assert llmjson.parse('[{"n": 1}]', ROWS, policy=policy).value == filled
    assert llmjson.coerce([{"n": 1}], ROWS, policy=policy).value == filled
    stream = llmjson.Stream(ROWS, policy=policy)
    stream.push('[{"n": 1}]')
    assert stream.finish().value == filled
    assert pickle.loads(pickle.dumps(policy)) == policy
    with pytest.raises(ValueError, match="is no choice for defaults"):
        Policy(defaults="x")


def test_schemas() -> None:
    schema = Schema(TRIP)
    assert schema.json == TRIP and schema.type is None
    assert Schema(json.dumps(TRIP)) == schema == Schema(schema)
    for same in (pickle.loads(pickle.dumps(schema)), copy.deepcopy(schema)):
        assert same == schema and hash(same) == hash(schema)
    assert schema.validate({"city": "Oslo"}) == ()
    assert [one.path for one in schema.validate({"city": 3})] == ["$input.city"]
    assert Schema(True).validate(3) == ()


def test_results_pickle_and_copy() -> None:
    parsed = [
        llmjson.parse("{city: 'Oslo'}", TRIP, policy="tool", finish_reason="stop"),
        llmjson.arguments("", TRIP),
        llmjson.coerce({"city": 3}, TRIP),
        *llmjson.parse_all("{a: 1} and then {a: 2}"),
        *llmjson.parse_many(["[1.5", b"[2]"], parse_float=Decimal),
    ]
    for one in parsed:
        for same in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert same.report() == one.report() and same.value == one.value


def test_what_changes_later_does_not_change_a_result() -> None:
    value = {"city": "Oslo", "days": "3"}
    source = bytearray(b"{'a': '\xc3\xb6'}")
    for one in (
        llmjson.coerce(value, TRIP),
        llmjson.parse(source),
        llmjson.parse(memoryview(source)),
        *llmjson.parse_all(source),
        *llmjson.parse_many([source]),
    ):
        report = one.report()
        value["days"], source[2:3] = "4", b"b"
        assert pickle.loads(pickle.dumps(one)).report() == report
        assert pickle.loads(pickle.dumps(one)).repairs == one.repairs
        value["days"], source[2:3] = "3", b"a"


def test_other_doors() -> None:
    assert llmjson.arguments("", {"properties": {}}).value == {}
    assert llmjson.coerce({"city": "Oslo", "days": "3"}, TRIP).value == {"city": "Oslo", "days": 3}
    all_values = [one.value for one in llmjson.parse_all("First {a: 1}, then {a: 2}.")]
    assert all_values == [{"a": 1}, {"a": 2}]
    errors = [{"path": "$input.a", "expected": "less", "description": "too much"}]
    assert "// ❌" in llmjson.stringify({"a": 1}, errors)
    parsed = llmjson.parse("{days: 'x'}", TRIP)
    assert '"days": "x" // ❌' in llmjson.stringify(parsed, parsed.violations, TRIP)
    with pytest.raises(ValueError, match="an error has no"):
        llmjson.stringify({}, [{"path": "$input"}])


def test_a_notebook_shows_repairs_in_place() -> None:
    text = "1 < 2 & ü {'é': '<i>', days: 'x'}"
    for given in (text, text.encode()):
        parsed = llmjson.parse(given, TRIP)
        html = parsed._repr_html_()
        assert "1 &lt; 2 &amp; ü" in html and ">&#39;é&#39;</mark>" in html
        assert "read a string in nonstandard quotes" in html and "<i>" not in html
        assert "expected integer" in html and "// ❌" in html
        with pytest.raises(llmjson.ParseError) as caught:
            parsed.result()
        assert caught.value._repr_html_() == html


def test_a_notebook_shows_calls_and_streams() -> None:
    tools = llmjson.Tools({"name": "trip", "inputSchema": TRIP})
    bound = tools.bind("trip", "{Days: '3', city: 4}")
    assert "Days → days" in bound._repr_html_()
    unknown = tools.bind("</p>", "{}")._repr_html_()
    assert "&lt;/p&gt;" in unknown
    text = "First:\n<tool_call>{'name': 'trip', 'arguments': {'days': 'x'}}</tool_call>"
    html = tools.calls_in(text)._repr_html_()
    assert "First:" in html and "hermes" in html and "$input.days" in html
    for schema in (None, TRIP):
        stream = llmjson.Stream(schema)
        assert "still coming, 0 bytes" in stream._repr_html_()
        stream.push("{city: 'Os")
        html = stream._repr_html_()
        assert "still coming, 10 bytes" in html and "&quot;Os&quot;" in html
        stream.push("lo', days: 3}")
        assert stream.finish()._repr_html_() == stream._repr_html_()


def test_a_cell_follows_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Cell:
        def update(self, html: str) -> None:
            shown.append(html)

    def display(html: str, display_id: bool) -> Cell:
        shown.append(html)
        return Cell()

    module = types.SimpleNamespace(HTML=str, display=display)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(display=module))
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    stream = llmjson.Stream()
    stream._ipython_display_()
    assert list(stream.over(["{a: ", "1}"]))[-1] == {"a": 1}
    assert "0 bytes" in shown[0] and "still coming" not in shown[-1] and len(shown) >= 2


def test_many_are_read_on_all_cores_in_order() -> None:
    texts: list[Any] = [f"{{n: {n}, s: 'ü{n}'" for n in range(1000)] + [b"[1, 2"]
    ticks: list[int] = []
    for threads in (None, 1, 3):
        read = llmjson.parse_many(iter(texts), threads=threads)
        assert [one.report() for one in read] == [llmjson.parse(text).report() for text in texts]
    assert llmjson.parse_many([]) == [] and ticks == []
    assert len(llmjson.parse_many(texts, progress=True)) == len(texts)
    for threads in (0, -1):
        with pytest.raises(ValueError, match="threads must be at least 1"):
            llmjson.parse_many(texts, threads=threads)
    read = llmjson.parse_many(["{}", 3, b"\xff", None, "[1]"])  # type: ignore[list-item]
    assert [one.ok for one in read] == [True, False, False, False, True]
    assert [one.index for one in read] == [0, 1, 2, 3, 4]
    assert all(one.unread for one in read[1:4]) and read[0].unread is None


def test_threads_share_schemas() -> None:
    schema = Schema(TRIP)
    failed: list[BaseException] = []

    def work() -> None:
        try:
            for n in range(300):
                parsed = llmjson.parse(f"{{city: 'Oslo', days: '{n}'}}", schema)
                assert parsed.value == {"city": "Oslo", "days": n}
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_a_value_that_holds_its_result_is_collected() -> None:
    parsed = llmjson.parse("{a: 1}")
    parsed.value["self"] = parsed
    import weakref

    gone = weakref.ref(parsed)
    del parsed
    gc.collect()
    assert gone() is None


def test_formats_are_taken_as_they_are_meant_or_to_the_letter() -> None:
    schema = {"properties": {"at": {"type": "string", "format": "date-time"}}}
    text = '{"at": "2025-05-01 10:00"}'
    assert llmjson.parse(text, schema).value == {"at": "2025-05-01T10:00:00"}
    parsed = llmjson.parse(text, schema, policy=Policy(formats="as_written"))
    assert parsed.ok and parsed.value == {"at": "2025-05-01 10:00"}
    (note,) = parsed.notes
    assert (note.kind, note.path, note.start) == ("meant_format", "$input.at", 8)
    assert not llmjson.parse(text.replace("-05-", "-15-"), schema).ok
    letter = Policy(formats="strict")
    assert repr(letter) == "Policy(\"lenient\", formats='strict')"
    assert not llmjson.parse(text, schema, policy=letter).ok
    assert not llmjson.parse(text, schema, policy="strict").ok
    assert llmjson.parse(text, schema, policy=Policy("strict", formats="lenient")).ok
    with pytest.raises(ValueError, match="no choice for formats"):
        Policy(formats="loose")


def test_limits_that_are_reached_are_shown() -> None:
    parsed = llmjson.parse("[[[1]]]", policy=Policy(max_depth=2))
    assert parsed.limits == ("depth",)
    assert repr(parsed) == "Parsed(nothing, not ok, limits=depth)"
    assert parsed.report()["limits"][0]["name"] == "depth"
    assert llmjson.parse("[1]").limits == ()


def test_a_reply_without_json_is_told_so_in_words() -> None:
    parsed = llmjson.parse("I am sorry.", {"type": "object", "required": ["a"]})
    assert parsed.feedback().startswith("The reply holds no JSON value.\n\n```json\n")
    with pytest.raises(llmjson.ParseError, match="the reply holds no JSON value"):
        parsed.result()


def test_numbers_beyond_all_doubles_are_exact() -> None:
    text = "1234567890" * 40
    parsed = llmjson.parse(f" {text}\n", {"type": ["integer", "string"]})
    assert parsed.value == int(text) and parsed.certainty == "certain"
    assert llmjson.parse(f'"{text}"', {"type": "integer"}).value == int(text)


def test_a_result_is_true_if_it_can_be_used() -> None:
    schema = {"properties": {"days": {"type": "integer"}}}
    assert llmjson.parse("{days: '3'}", schema)
    assert llmjson.parse("0")
    assert llmjson.parse("null")
    assert not llmjson.parse("{days: 'many'}", schema)
    assert not llmjson.parse("I cannot do that.")
    assert not llmjson.parse("[1", policy="tool")
