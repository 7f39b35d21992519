"""What the repairs change in a text, and the text with them made."""

from __future__ import annotations

import json

import pytest

import llmjson


def applied(text: str, edits: tuple[llmjson.Edit, ...]) -> str:
    shown, at = "", 0
    for edit in edits:
        shown += text[at : edit.start] + edit.replacement
        at = edit.end
    return shown + text[at:]


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ('{"a": [1.50]}\n', '{"a": [1.50]}\n'),
        ("{\n  'é': True, // yes\n}", '{\n  "é": true \n}'),
        ("[1, 2", "[1, 2]"),
    ],
)
def test_edits_lead_to_the_repaired_text(text: str, repaired: str) -> None:
    parsed = llmjson.parse(text)
    assert parsed.repaired_text() == repaired
    assert applied(text, parsed.edits()) == repaired
    assert json.loads(repaired) == parsed.value


def test_places_count_what_was_given() -> None:
    text = '{"😀": oops}'
    (edit,) = llmjson.parse(text).edits()
    assert (edit.start, edit.end, edit.replacement) == (6, 10, '"oops"')
    assert (edit.kind, edit.certainty, edit.line, edit.column) == ("unquoted_string", "likely", 1, 7)
    (edit,) = llmjson.parse(text.encode()).edits()
    assert (edit.start, edit.end) == (9, 13)


def test_what_is_unfinished_is_dropped_or_completed() -> None:
    parsed = llmjson.parse('{"a": 1,"b":')
    assert parsed.repaired_text() == '{"a": 1}'
    assert parsed.repaired_text(unfinished="complete") == '{"a": 1,"b":null}'
    with pytest.raises(ValueError, match="unfinished: expected"):
        parsed.edits(unfinished="guess")  # type: ignore[arg-type]


def test_comments_are_kept() -> None:
    parsed = llmjson.parse("{\n  a: 1, // one\n  # two\n}")
    repaired = '{\n  "a": 1 // one\n  // two\n}'
    assert parsed.repaired_text(comments="keep") == repaired
    assert applied("{\n  a: 1, // one\n  # two\n}", parsed.edits(comments="keep")) == repaired
    with pytest.raises(ValueError, match='comments: expected "drop" or "keep", found "all"'):
        parsed.repaired_text(comments="all")  # type: ignore[arg-type]


def test_a_value_that_the_policy_refuses_is_not_written() -> None:
    parsed = llmjson.parse("[1, 2,]", policy="strict")
    assert parsed.value == [1, 2]
    reason = r"not allowed: removed a stray comma \(extra_comma\) at line 1, column 6"
    with pytest.raises(llmjson.ParseError, match=reason):
        parsed.repaired_text()
    assert llmjson.parse("[1, 2,]", policy="tool").repaired_text() == "[1, 2]"


def test_without_a_value_there_is_a_place() -> None:
    parsed = llmjson.parse("\n  nothing")
    assert parsed.edits() == ()
    with pytest.raises(llmjson.ParseError, match="line 2, column 3: no JSON value"):
        parsed.repaired_text()
