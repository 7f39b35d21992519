"""Schemas of whatever describes a value, compiled once for each."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, cast

from . import _llmjson as extension  # pyright: ignore[reportPrivateUsage]
from ._llmjson import Parsed, Schema, stringify
from ._errors import SchemaError
from ._records import Violation
from ._types import form, is_object, value_of

_KEPT_MAX = 256
_STEP = re.compile(r'\.([^.\[]+)|\[(\d+)\]|\[("(?:\\.|[^"\\])*")\]')
_by_text: OrderedDict[str, Schema[Any]] = OrderedDict()
# A schema holds its type, so a weak dictionary would never let go of either.
_by_type: OrderedDict[tuple[Any, str], Schema[Any]] = OrderedDict()


def describe(source: Any) -> tuple[str, Any]:
    """Returns the text of the JSON Schema, and the type that it describes if there is one."""
    if isinstance(source, (Mapping, bool)):
        return _text_of(cast("Any", source)), None
    from ._typed import schema_for

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
    return schema


def _bound(kept: OrderedDict[Any, Schema[Any]]) -> None:
    while len(kept) > _KEPT_MAX:
        kept.popitem(last=False)


def typed(
    of: Any, parsed: Parsed[Any]
) -> tuple[Any, tuple[str, tuple[Violation, ...], str] | None]:
    """Returns the value as an instance of the type, or why the type rejects it: the message of an
    exception, the violations, and the feedback."""
    from ._typed import instance

    made, errors = instance(of, parsed.to_json() or "null", parsed.value)
    if errors:
        feedback = stringify(parsed, errors, parsed.schema)
        first = f"{errors[0]['path']}: {errors[0]['expected']}"
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        violations = tuple(_violation(error, parsed.value) for error in errors)
        return None, (f"the value is no {_name_of(of)}: {first}{more}", violations, feedback)
    return made, None


#: Coercions that put a member where the type looks for it.
_BINDING = {"key_spelling", "key_alias", "derived_key", "envelope", "other_layout"}


def accepted(of: Any, parsed: Parsed[Any]) -> tuple[Any] | None:
    """Returns the value as an instance of the type, alone in a tuple, where the type takes it although
    its schema does not: the coerced value, or strict JSON as it was written if no member was bound by
    coercion."""
    from ._typed import instance

    made, errors = instance(of, parsed.to_json() or "null", parsed.value)
    if not errors:
        return (made,)
    # Of the report, since `coercions` asks for the instance.
    coerced: list[dict[str, Any]] = parsed.report()["coercions"]
    if parsed.repairs or any(one["kind"] in _BINDING for one in coerced):
        return None
    try:
        value = json.loads(parsed.source)
    except (TypeError, ValueError, RecursionError):
        return None
    made, errors = instance(of, json.dumps(value), value)
    return None if errors else (made,)


def _violation(error: dict[str, str], value: Any) -> Violation:
    found, kind = _found(value, error["path"])
    return Violation(error["path"], error["expected"], kind, found, "type", None)


def _found(value: Any, path: str) -> tuple[Any, str]:
    """Returns the value at a path, and the JSON name of its type."""
    for name, index, quoted in _STEP.findall(path):
        try:
            value = value[int(index)] if index else value[name or json.loads(quoted)]
        except (LookupError, TypeError, ValueError):
            return None, "undefined"
    kinds: dict[type, str] = {
        str: "string",
        dict: "object",
        list: "array",
        bool: "boolean",
        type(None): "null",
    }
    return value, kinds.get(type(cast("object", value)), "number")


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


def _name_of(of: Any) -> str:
    return getattr(of, "__name__", None) or repr(of)
