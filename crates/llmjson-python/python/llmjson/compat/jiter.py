"""jiter's `from_json`, also for damaged text.

>>> from llmjson.compat import jiter
>>> jiter.from_json(b'{"city": "Os', partial_mode="trailing-strings")
{'city': 'Os'}
>>> jiter.from_json(b"{'city': 'Oslo', }")
{'city': 'Oslo'}
"""

from __future__ import annotations

import decimal
import re
from typing import Any, Literal

from .._errors import ParseError
from .._llmjson import Parsed
from .._types import is_object
from .._typing import Text
from ._cut import Absent, Part, read, value_of, without

__all__ = ["LosslessFloat", "cache_clear", "cache_usage", "from_json"]

_CUT: frozenset[Part] = frozenset({"cut_number", "true", "false", "null"})


class LosslessFloat:
    """A number as its text."""

    def __init__(self, json_float: bytes | str) -> None:
        self._text = json_float if isinstance(json_float, str) else json_float.decode()

    def as_decimal(self) -> decimal.Decimal:
        """Returns the number with all its digits."""
        return decimal.Decimal(self._text)

    def __float__(self) -> float:
        return float(self._text)

    def __bytes__(self) -> bytes:
        return self._text.encode()

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"LosslessFloat({self._text})"


def from_json(
    json_data: Text,
    /,
    *,
    allow_inf_nan: bool = True,
    cache_mode: Literal[True, False, "all", "keys", "none"] = "all",
    partial_mode: Literal[True, False, "off", "on", "trailing-strings"] = False,
    catch_duplicate_keys: bool = False,
    float_mode: Literal["float", "decimal", "lossless-float"] = "float",
) -> Any:
    """Returns the value of a text, with jiter's arguments; `cache_mode` has no effect.

    With `partial_mode`, a text may be truncated: unfinished parts are left out, except strings with
    `"trailing-strings"`.

    Raises:
        ValueError: if there is no value, or the text breaks off and may not.
    """
    makers: dict[str, Any] = {
        "float": None,
        "decimal": decimal.Decimal,
        "lossless-float": LosslessFloat,
    }
    if float_mode not in makers:
        raise ValueError("float_mode is 'float', 'decimal' or 'lossless-float'")
    try:
        parsed = read(json_data, makers[float_mode])
    except ParseError as error:
        text = _bytes_of(json_data)
        raise _error("expected value", text, len(text) - len(text.lstrip())) from error
    if catch_duplicate_keys:
        for note in parsed.notes:
            if note.kind == "duplicate_key":
                lost = _bytes_of(parsed.source[note.start : note.end]).decode("utf-8", "replace")
                [key, *_] = re.split("[\"':]", lost, maxsplit=1)
                raise ValueError(f'Detected duplicate key "{key}" at line {note.line} column {note.column}')
    if not allow_inf_nan:
        for repair in parsed.repairs:
            if repair.kind == "not_a_number":
                raise ValueError(f"expected value at line {repair.line} column {repair.column}")
    if partial_mode in (False, "off"):
        if parsed.truncation is not None:
            raise _cut_off(json_data, _unfinished(parsed))
        return value_of(parsed)
    if partial_mode not in (True, "on", "trailing-strings"):
        raise ValueError("partial_mode is a bool, 'off', 'on' or 'trailing-strings'")
    unwanted = _CUT if partial_mode == "trailing-strings" else _CUT | {"string"}
    try:
        return without(parsed, unwanted)
    except Absent:
        raise _cut_off(json_data, "a string" if _unfinished(parsed) == "a string" else "a value") from None


def _unfinished(parsed: Parsed[Any]) -> str:
    """Returns what a truncated text breaks off in, as jiter names it."""
    kinds = [repair.kind for repair in parsed.repairs if repair.kind.startswith("unclosed_")]
    if parsed.source[-1:] in (",", ":", b",", b":") or not kinds:
        return "a value"
    if "unclosed_string" in kinds:
        return "a string"
    value = parsed.value
    for _ in kinds[1:]:
        value = value[next(reversed(value))] if is_object(value) else value[-1]
    return "an object" if is_object(value) else "a list"


def _cut_off(text: Text, place: str) -> ValueError:
    return _error(f"EOF while parsing {place}", _bytes_of(text), None)


def _error(message: str, text: bytes, at: int | None) -> ValueError:
    """Returns an error at an index or at the end of a text. As in jiter, columns count bytes."""
    if not text.strip():
        message, at = "EOF while parsing a value", None
    before = text if at is None else text[: at + 1]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n") - 1
    return ValueError(f"{message} at line {line} column {column}")


def _bytes_of(text: Text) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)


def cache_clear() -> None:
    """Frees nothing: no texts are kept."""


def cache_usage() -> int:
    """Returns 0: no texts are kept."""
    return 0
