"""json_repair's functions: `from llmjson.compat import json_repair`.

They return the readable part of a truncated text, which `llmjson.loads` refuses.
`docs/json_repair.md` lists the intended differences from json_repair.
"""

from __future__ import annotations

from typing import Any

from .._compat import JSONReturnType, from_file, load, read, repair_json
from .._llmjson import loads as _loads
from .._typing import Text

__all__ = ["JSONReturnType", "from_file", "load", "loads", "repair_json"]


def loads(json_str: Text, *options: Any, **named: Any) -> Any:
    """Returns the value of a text, even if it is truncated; an empty string if there is none.

    >>> from llmjson.compat import json_repair
    >>> json_repair.loads("{'a': 1, 'b': [1, 2")
    {'a': 1, 'b': [1, 2]}
    """
    if options or named:
        return _loads(json_str, *options, allow_truncated=True, **named)
    return read(json_str)
