"""JSON that language models write, parsed and coerced to a schema.

>>> import llmjson
>>> parsed = llmjson.parse("Sure: {city: 'Oslo', days: '3'}", {"properties": {"days": {"type": "integer"}}})
>>> parsed.value, parsed.ok, parsed.certainty
({'city': 'Oslo', 'days': 3}, True, 'certain')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._errors import BindError, Error, ParseError, RetryError, SchemaError
from ._llmjson import (
    Parsed,
    Policy,
    Schema,
    __version__,
    arguments,
    coerce,
    loads,
    parse,
    parse_all,
    stringify,
)

if TYPE_CHECKING:
    from ._compat import JSONReturnType, from_file, load, repair_json
    from ._many import parse_iter, parse_many
    from ._partial import UNSET
    from ._records import Coercion, Edit, Event, Issue, Note, Refusal, Repair, Violation
    from ._retry import Answer, retry
    from ._stream import Stream
    from ._tools import (
        Bound,
        CallEvent,
        NotRun,
        TextCall,
        TextCalls,
        TextCallStream,
        Tools,
        bind,
        calls_in,
    )

__all__ = [
    "UNSET",
    "Answer",
    "BindError",
    "Bound",
    "CallEvent",
    "Coercion",
    "Edit",
    "Error",
    "Event",
    "Issue",
    "JSONReturnType",
    "NotRun",
    "Note",
    "ParseError",
    "Parsed",
    "Policy",
    "Refusal",
    "Repair",
    "RetryError",
    "Schema",
    "SchemaError",
    "Stream",
    "TextCall",
    "TextCallStream",
    "TextCalls",
    "Tools",
    "Violation",
    "__version__",
    "arguments",
    "bind",
    "calls_in",
    "coerce",
    "from_file",
    "load",
    "loads",
    "parse",
    "parse_all",
    "parse_iter",
    "parse_many",
    "repair_json",
    "retry",
    "stringify",
]

#: Modules imported when one of their names is first used: most programs use few of them, and
#: importing all takes longer than parsing a thousand replies.
_LATER = {
    "_compat": ("JSONReturnType", "from_file", "load", "repair_json"),
    "_many": ("parse_iter", "parse_many"),
    "_partial": ("UNSET",),
    "_records": ("Coercion", "Edit", "Event", "Issue", "Note", "Refusal", "Repair", "Violation"),
    "_retry": ("Answer", "retry"),
    "_stream": ("Stream",),
    "_tools": (
        "Bound",
        "CallEvent",
        "NotRun",
        "TextCall",
        "TextCallStream",
        "TextCalls",
        "Tools",
        "bind",
        "calls_in",
    ),
}


def __getattr__(name: str) -> Any:
    for home, names in _LATER.items():
        if name in names:
            value = getattr(import_module(f"{__name__}.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
