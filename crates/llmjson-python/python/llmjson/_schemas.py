"""Schemas of whatever describes a value, compiled once for each."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, cast

from . import _llmjson as extension  # pyright: ignore[reportPrivateUsage]
from ._llmjson import Parsed, Schema
from ._errors import SchemaError
from ._typed import schema_for
from ._types import form, is_object, value_of

_KEPT_MAX = 256
_by_text: OrderedDict[str, Schema[Any]] = OrderedDict()
# A schema holds its type, so a weak dictionary would never let go of either.
_by_type: OrderedDict[tuple[Any, str], Schema[Any]] = OrderedDict()
#: The same by the identity of classes and the like, which is found at once; they are kept with it.
_by_identity: OrderedDict[int, tuple[Any, Schema[Any]]] = OrderedDict()
#: Hints that are another object each time that they are written.
_MADE_IN_PLACE = ("GenericAlias", "UnionType")


def describe(source: Any) -> tuple[str, Any]:
    """Returns the text of the JSON Schema, and the type that it describes if there is one."""
    if isinstance(source, (Mapping, bool)):
        return _text_of(cast("Any", source)), None
    try:
        schema, of = schema_for(source)
    except TypeError as error:
        raise SchemaError(str(error)) from error
    return _text_of(schema), of


def item_of(schema: Schema[Any]) -> Schema[Any]:
    """Returns the schema of the items of a list.

    >>> item_of(Schema({"items": {"$ref": "#/$defs/n"}, "type": "array", "$defs": {"n": {"minimum": 1}}}))
    Schema({"$ref": "#/$defs/n", "$defs": {"n": {"minimum": 1}}})

    Raises:
        TypeError: if it is not the schema of a list whose items are all of one kind.
    """
    if schema.type is not None:
        found = _form_of(schema.type)
        if found is not None and found.kind == "array":
            return compiled(found.args[0]) if found.args else compiled(True)
    root: Any = schema.json
    whole: Any = root
    if is_object(root) and str(root.get("$ref", "")).startswith("#/"):
        for step in str(root["$ref"])[2:].split("/"):
            whole = whole.get(step.replace("~1", "/").replace("~0", "~"), {})
    if not is_object(whole) or whole.get("type") != "array" or "prefixItems" in whole:
        raise TypeError("items() is for lists whose items are all of one kind, such as list[Trip]")
    item: Any = whole.get("items", True)
    if is_object(item) and is_object(root):
        shared = {key: root[key] for key in ("$schema", "$defs", "definitions") if key in root}
        item = {**item, **shared}
    return compiled(item)


def _form_of(of: Any) -> Any:
    try:
        found = form(of)
        return form(value_of(found.type)) if found.kind == "alias" else found
    except TypeError:
        return None


def compiled(source: Any) -> Schema[Any]:
    """Returns the schema, which is compiled if it was not seen lately."""
    kept = _by_identity.get(id(source))
    if kept is not None and kept[0] is source:
        return kept[1]
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
        _by_identity[id(source)] = source, schema
        _bound(_by_identity)
    return schema


def _bound(kept: OrderedDict[Any, Any]) -> None:
    while len(kept) > _KEPT_MAX:
        kept.popitem(last=False)


def restore(
    call: str,
    given: Any,
    schema: Schema[Any] | None,
    options: dict[str, Any],
    index: int | None,
) -> Parsed[Any]:
    """Reads a text that was pickled."""
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
