"""Schemas of whatever describes a value, compiled once for each."""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any

from . import _llmjson as extension  # pyright: ignore[reportPrivateUsage]
from ._errors import ParseError
from ._llmjson import Parsed, Schema, stringify

_KEPT_MAX = 256
_by_text: OrderedDict[str, Schema] = OrderedDict()
# A schema holds its type, so a weak dictionary would never let go of either.
_by_type: OrderedDict[tuple[Any, str], Schema] = OrderedDict()


def describe(source: Any) -> tuple[str, Any]:
    """Returns the text of the JSON Schema, and the type that it describes if there is one."""
    if isinstance(source, (dict, bool)):
        return _text_of(source), None
    from ._typed import schema_for

    schema, of = schema_for(source)
    return _text_of(schema), of


def compiled(source: Any) -> Schema:
    """Returns the schema, which is compiled if it was not seen lately."""
    if isinstance(source, (dict, bool, str)):
        text = source if isinstance(source, str) else _text_of(source)
        schema = _by_text.get(text)
        if schema is None:
            schema = _by_text[text] = Schema(text)
            _bound(_by_text)
        return schema
    key = source, repr(source)  # `int | str` equals `str | int`, but is another schema.
    try:
        schema = _by_type.get(key)
    except TypeError:  # It has no hash.
        return Schema(source)
    if schema is None:
        schema = _by_type[key] = Schema(source)
        _bound(_by_type)
    return schema


def _bound(kept: OrderedDict[Any, Schema]) -> None:
    while len(kept) > _KEPT_MAX:
        kept.popitem(last=False)


def typed(of: Any, parsed: Parsed) -> Any:
    """Returns the value as an instance of the type."""
    from ._typed import instance

    made, errors = instance(of, parsed.to_json() or "null", parsed.value)
    if errors:
        feedback = stringify(parsed, errors, parsed.schema)
        first = f"{errors[0]['path']}: {errors[0]['expected']}"
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise ParseError(f"the value is no {_name_of(of)}: {first}{more}", parsed, feedback)
    return made


def restore(
    call: str,
    given: Any,
    schema: Schema | None,
    options: dict[str, Any],
    index: int | None,
) -> Parsed:
    """Reads a text that was pickled."""
    read: Any = getattr(extension, call)(given, schema, **options)
    parsed: Parsed = read if index is None else read[index]
    return parsed


def _text_of(schema: Any) -> str:
    return json.dumps(schema, ensure_ascii=False)


def _name_of(of: Any) -> str:
    return getattr(of, "__name__", None) or repr(of)
