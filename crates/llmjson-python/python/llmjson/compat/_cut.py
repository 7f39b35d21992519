"""Values of truncated texts, without unfinished parts that are not wanted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from .._compat import UNBOUNDED
from .._llmjson import Parsed, parse
from .._types import is_array, is_object
from .._typing import Text

#: The kinds of values that may be unfinished at the end of a text: `string`, `number` (it touches
#: the end), `cut_number` (it lacks a digit), `true`, `false`, `null`, `array` or `object`.
Part: TypeAlias = str


class Absent(ValueError):
    """The error for a value of which nothing is left."""


def read(text: Text, parse_float: Callable[[str], Any] | None = None) -> Parsed[Any]:
    """Parses a text. Raises ValueError if it holds no value."""
    parsed: Parsed[Any] = parse(text, policy=UNBOUNDED, parse_float=parse_float)
    if not parsed.found:
        parsed.result()
    return parsed


def value_of(parsed: Parsed[Any]) -> Any:
    """Returns the value, with nonfinite numbers as floats."""
    if all(repair.kind != "not_a_number" for repair in parsed.repairs):
        return parsed.value
    source, at = parsed.source, 0
    pieces: list[str] = []
    if not isinstance(source, str):
        source = bytes(source).decode()
        parsed = parse(source, policy=UNBOUNDED)
    for edit in parsed.edits(unfinished="complete"):
        if edit.kind != "not_a_number":
            pieces += [source[at : edit.start], edit.replacement]
            at = edit.end
    return json.loads("".join([*pieces, source[at:]]))


def without(parsed: Parsed[Any], unwanted: frozenset[Part]) -> Any:
    """Returns the value without unwanted parts that are unfinished at the end of the text.

    >>> without(read('{"a": [1, "x'), frozenset({"string"}))
    {'a': [1]}

    Raises:
        Absent: if nothing is left.
    """
    value, kinds = value_of(parsed), [repair.kind for repair in parsed.repairs]
    left = sum(kind in ("unclosed_object", "unclosed_array") for kind in kinds)
    around: list[Any] = []
    while is_object(value) or is_array(value):
        if left == 0:
            return around[0] if around else value  # whole
        part: Part = "object" if is_object(value) else "array"
        if part in unwanted:
            return _dropped(around)
        around.append(value)
        left -= 1
        if not value:
            return around[0]
        if is_object(value):
            value = value[next(reversed(value))]
        elif is_array(value):
            value = value[-1]
    if _unfinished(parsed, value) in unwanted:
        return _dropped(around)
    return around[0] if around else value


def _unfinished(parsed: Parsed[Any], leaf: Any) -> Part | None:
    """Returns the kind of the last value of the text, if it is unfinished."""
    repairs = {repair.kind: repair for repair in parsed.repairs}
    if "cut_member" in repairs:
        return None
    if isinstance(leaf, str):
        return "string" if "unclosed_string" in repairs else None
    if leaf is None or isinstance(leaf, bool):
        name: Part = "null" if leaf is None else "true" if leaf else "false"
        return name if "cut_keyword" in repairs else None
    cut = repairs.get("cut_number")
    # A lone minus is not a number: the last value is the one before it.
    is_left = cut is not None and parsed.source[cut.start - 1 : cut.start].isdigit()
    if cut is not None:
        return "cut_number" if is_left else None
    return "number" if parsed.source[-1:].isdigit() else None


def _dropped(around: list[Any]) -> Any:
    """Returns the root without its last value, which is nested in all of these."""
    if not around:
        raise Absent("the text breaks off before there is a value")
    holder = around[-1]
    if is_object(holder):
        holder.popitem()
    else:
        holder.pop()
    return around[0]
