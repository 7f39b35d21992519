"""Schemas of anything that describes a value, each compiled once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from . import _llmjson as extension  # pyright: ignore[reportPrivateUsage]
from ._llmjson import Parsed, Schema
from ._errors import SchemaError
from ._typed import schema_for
from ._partial import item_hint
from ._types import is_array, is_object, name_of

_KEPT_MAX = 256
#: Longer chains of references lead nowhere.
_REFERENCES_MAX = 32
_by_text: dict[str, Schema[Any]] = {}
# A schema refers to its type, so a weak dictionary would never release either.
_by_type: dict[tuple[Any, str], Schema[Any]] = {}
#: Schemas by the identity of classes and similar objects, which are kept with them; the extension
#: looks here first.
by_identity: dict[int, tuple[Any, Schema[Any]]] = {}
#: Hints that are a new object each time they are written.
_MADE_IN_PLACE = ("GenericAlias", "UnionType")


def describe(source: Any) -> tuple[str, Any]:
    """Returns the text of the JSON Schema, and the type that it describes, if any."""
    if isinstance(source, (Mapping, bool)):
        return _text_of(cast("Any", source)), None
    if type(source).__hash__ is None:  # a list or an instance, not a type
        is_hint = is_array(source) and source and isinstance(source[0], type)
        meant = f": list[{name_of(source[0])}] is the type of a list" if is_hint else ""
        raise SchemaError(f"a schema is a JSON Schema or a type, not {source!r}{meant}")
    try:
        schema, of = schema_for(source)
    except TypeError as error:
        raise SchemaError(str(error)) from error
    return _text_of(schema), of


def item_of(schema: Schema[Any], steps: Sequence[str] = ()) -> Schema[Any]:
    """Returns the schema of a list's items, found by the names.

    >>> item_of(Schema({"items": {"$ref": "#/$defs/n"}, "type": "array", "$defs": {"n": {"minimum": 1}}}))
    Schema({"$ref": "#/$defs/n", "$defs": {"n": {"minimum": 1}}})
    >>> item_of(Schema({"properties": {"a": {"type": "array", "items": {"type": "null"}}}}), ["a"])
    Schema({"type": "null"})

    Raises:
        TypeError: if it is not the schema of a list whose items are all of one kind.
    """
    hint = item_hint(schema.type, steps) if schema.type is not None else None
    if hint is not None:
        known = compiled(hint)
        context, strict = schema._given  # pyright: ignore[reportPrivateUsage]
        if known.type is None or (context is None and strict is None):
            return known
        return Schema(hint, context=context, strict=strict)
    root: Any = schema.json
    whole: Any = resolved(root, root)
    for step in steps:
        whole = resolved(root, whole.get("properties", {}).get(step) if is_object(whole) else None)
    if not is_object(whole) or whole.get("type") != "array" or "prefixItems" in whole:
        what = f"{'.'.join(steps)} is none" if steps else "such as list[Trip]"
        raise TypeError(f"items() is for lists whose items are all of one kind, {what}")
    item: Any = whole.get("items", True)
    if is_object(item) and is_object(root):
        shared = {key: root[key] for key in ("$schema", "$defs", "definitions") if key in root}
        item = {**item, **shared}
    return compiled(item)


def resolved(root: Any, schema: Any) -> Any:
    """Returns the target of a schema's reference, or its only branch that is not null."""
    for _ in range(_REFERENCES_MAX):
        if not is_object(schema):
            break
        if str(schema.get("$ref", "")).startswith("#/"):
            whole = root
            for step in str(schema["$ref"])[2:].split("/"):
                whole = whole.get(step.replace("~1", "/").replace("~0", "~"), {})
            schema = whole
            continue
        others = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
        if len(others) != 1:
            break
        schema = others[0]
    return schema


def compiled(source: Any) -> Schema[Any]:
    """Returns the schema, which is compiled if it is not in the cache."""
    if isinstance(source, (Mapping, bool, str)):
        text = source if isinstance(source, str) else _text_of(cast("Any", source))
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
    if type(source).__name__ not in _MADE_IN_PLACE:
        by_identity[id(source)] = source, schema
        _bound(by_identity)
    return schema


def _bound(kept: dict[Any, Any]) -> None:
    while len(kept) > _KEPT_MAX:
        del kept[next(iter(kept))]


def restore(
    call: str,
    given: Any,
    schema: Schema[Any] | None,
    options: dict[str, Any],
    index: int | None,
) -> Parsed[Any]:
    """Parses a text that was pickled."""
    if call == "coerce":
        given = json.loads(given)
    if call == "parse_many":
        return extension.parse_many([given], schema, first=index or 0, **options)[0]
    read: Any = getattr(extension, call)(given, schema, **options)
    parsed: Parsed[Any] = read if index is None else read[index]
    return parsed


def _text_of(schema: Any) -> str:
    try:
        text = json.dumps(
            dict(cast("Mapping[str, Any]", schema)) if isinstance(schema, Mapping) else schema,
            ensure_ascii=False,
        )
        text.encode()
    except UnicodeEncodeError as error:
        raise SchemaError("a schema is Unicode: half a surrogate pair is no character") from error
    except RecursionError as error:
        raise SchemaError("the schema is nested too deeply, or holds itself") from error
    except (TypeError, ValueError) as error:
        raise SchemaError(f"a schema is JSON: {error}") from error
    return text
