"""JSON that language models write, parsed and coerced to a schema.

>>> import llmjson
>>> parsed = llmjson.parse("Sure: {city: 'Oslo', days: '3'}", {"properties": {"days": {"type": "integer"}}})
>>> parsed.value, parsed.ok, parsed.certainty
({'city': 'Oslo', 'days': 3}, True, 'certain')
"""

from ._compat import JSONReturnType, from_file, load, loads, repair_json
from ._errors import BindError, Error, ParseError, RetryError, SchemaError
from ._llmjson import (
    Parsed,
    Policy,
    Schema,
    __version__,
    arguments,
    coerce,
    parse,
    parse_all,
    stringify,
)
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
