"""partial_json_parser's `loads`, also for damaged text.

>>> from llmjson.compat.partial_json_parser import Allow, loads
>>> loads('{"city": "Oslo", "tags": ["fjo', Allow.ALL ^ Allow.STR)
{'city': 'Oslo', 'tags': []}
"""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import IntFlag, auto
from typing import Any

from ._cut import Absent, Part, read, without

__all__ = [
    "ALL",
    "ARR",
    "ATOM",
    "BOOL",
    "COLLECTION",
    "INF",
    "INFINITY",
    "NAN",
    "NULL",
    "NUM",
    "OBJ",
    "SPECIAL",
    "STR",
    "Allow",
    "MalformedJSON",
    "PartialJSON",
    "ensure_json",
    "loads",
    "parse_json",
]


class Allow(IntFlag):
    """The kinds of values that may be unfinished at the end of a text."""

    STR = auto()
    NUM = auto()
    ARR = auto()
    OBJ = auto()
    NULL = auto()
    BOOL = auto()
    NAN = auto()
    INFINITY = auto()
    _INFINITY = auto()

    INF = INFINITY | _INFINITY
    SPECIAL = NULL | BOOL | INF | NAN
    ATOM = STR | NUM | SPECIAL
    COLLECTION = ARR | OBJ
    ALL = ATOM | COLLECTION


STR, NUM, ARR, OBJ, NULL, BOOL = Allow.STR, Allow.NUM, Allow.ARR, Allow.OBJ, Allow.NULL, Allow.BOOL
NAN, INFINITY, INF, SPECIAL = Allow.NAN, Allow.INFINITY, Allow.INF, Allow.SPECIAL
ATOM, COLLECTION, ALL = Allow.ATOM, Allow.COLLECTION, Allow.ALL

_PARTS: dict[Allow, tuple[Part, ...]] = {
    Allow.STR: ("string",),
    Allow.NUM: ("number", "cut_number"),
    Allow.ARR: ("array",),
    Allow.OBJ: ("object",),
    Allow.NULL: ("null",),
    Allow.BOOL: ("true", "false"),
}


class PartialJSON(ValueError):
    """The text is truncated where that is not allowed."""


class MalformedJSON(ValueError):
    """The text holds no value."""


def loads(
    json_string: str,
    allow_partial: Allow | int = Allow.ALL,
    parser: Callable[[str], Any] | None = None,
    use_fast_fix: bool = True,
) -> Any:
    """Returns the value of a text that may be truncated, without unfinished parts that are not
    allowed.

    `parser` is called with the JSON of the value; `use_fast_fix` has no effect.

    Raises:
        PartialJSON: if nothing is left.
        MalformedJSON: if the text holds no value.
    """
    unwanted = [part for flag, parts in _PARTS.items() if not allow_partial & flag for part in parts]
    try:
        parsed = read(json_string)
    except ValueError as error:
        raise MalformedJSON(str(error)) from error
    try:
        value = without(parsed, frozenset(unwanted))
    except Absent as error:
        raise PartialJSON(str(error)) from error
    return value if parser is None else parser(json.dumps(value))


parse_json = loads


def ensure_json(json_string: str, allow_partial: Allow | int = Allow.ALL) -> str:
    """Returns the JSON of the value that `loads` returns."""
    return json.dumps(loads(json_string, allow_partial))
