"""jiter's `from_json`, also for damaged text.

>>> from llmjson.compat import jiter
>>> jiter.from_json(b'{"city": "Os', partial_mode="trailing-strings")
{'city': 'Os'}
>>> jiter.from_json(b"{'city': 'Oslo', }")
{'city': 'Oslo'}
"""

from __future__ import annotations

import decimal
from typing import Any, Literal

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
    parsed = read(json_data, makers[float_mode])
    if catch_duplicate_keys and any(note.kind == "duplicate_key" for note in parsed.notes):
        raise ValueError("Detected duplicate key")
    if not allow_inf_nan and any(repair.kind == "not_a_number" for repair in parsed.repairs):
        raise ValueError("NaN and Infinity are not allowed")
    if partial_mode in (False, "off"):
        if parsed.truncation is not None:
            raise ValueError(f"EOF while parsing a {'value' if parsed.truncation == 'value' else 'list or object'}")
        return value_of(parsed)
    if partial_mode not in (True, "on", "trailing-strings"):
        raise ValueError("partial_mode is a bool, 'off', 'on' or 'trailing-strings'")
    unwanted = _CUT if partial_mode == "trailing-strings" else _CUT | {"string"}
    try:
        return without(parsed, unwanted)
    except Absent as error:
        raise ValueError(f"EOF while parsing a value: {error}") from None


def cache_clear() -> None:
    """Frees nothing: no texts are kept."""


def cache_usage() -> int:
    """Returns 0: no texts are kept."""
    return 0
