"""JSON Schemas of Python types.

The standard library is sufficient. pydantic's models supply their own schema.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import functools
import ipaddress
import pathlib
import typing
import uuid
from collections.abc import Callable, Iterable
from typing import Any, cast

from ._types import (
    MISSING,
    Form,
    Member,
    form,
    is_array,
    is_object,
    is_typed_dict,
    members,
    name_of,
    summary_of,
    unmarked,
    value_of,
)

_FORMATS: dict[type, dict[str, Any]] = {
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    datetime.timedelta: {"type": "string", "format": "duration"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    decimal.Decimal: {"type": "number"},
    ipaddress.IPv4Address: {"type": "string", "format": "ipv4"},
    ipaddress.IPv6Address: {"type": "string", "format": "ipv6"},
    pathlib.PurePath: {"type": "string", "format": "path"},
}
_PLAIN = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
#: The meaning of annotations like `annotated_types.Ge` and pydantic's fields, by JSON type: keyword
#: by attribute.
_BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
_LENGTHS = {
    "string": {"min_length": "minLength", "max_length": "maxLength"},
    "array": {"min_length": "minItems", "max_length": "maxItems"},
    "object": {"min_length": "minProperties", "max_length": "maxProperties"},
}


def schema_of(hint: Any) -> dict[str, Any]:
    """Returns the JSON Schema of a type hint.

    Dataclasses, `TypedDict` and `NamedTuple` are objects, and shared or recursive types are under
    `$defs`. The text in `Annotated[int, "The number of days."]` is a description.

    >>> schema_of(dict[str, list[int]])
    {'type': 'object', 'additionalProperties': {'type': 'array', 'items': {'type': 'integer'}}}
    >>> import dataclasses
    >>> @dataclasses.dataclass
    ... class Trip:
    ...     city: str
    ...     days: int = 1
    >>> schema_of(Trip)["properties"]
    {'city': {'type': 'string'}, 'days': {'type': 'integer', 'default': 1}}
    >>> schema_of(complex)
    Traceback (most recent call last):
    TypeError: complex has no form in JSON

    Raises:
        TypeError: if a type has no form in JSON, or a name in a hint cannot be resolved.
    """
    writer = Writer()
    return writer.finish(writer.write(hint))


def schema_by_pydantic(adapter: Any) -> dict[str, Any]:
    """Returns the schema that pydantic writes, with the names of enumeration members."""
    return cast("dict[str, Any]", adapter.json_schema(schema_generator=_generator()))


@functools.cache
def _generator() -> Any:
    from pydantic.json_schema import GenerateJsonSchema

    class Generator(GenerateJsonSchema):
        def enum_schema(self, schema: Any) -> dict[str, Any]:
            return {**super().enum_schema(schema), **names_of(schema["cls"])}

        def decimal_schema(self, schema: Any) -> dict[str, Any]:
            written = super().decimal_schema(schema)
            for branch in (written, *written.get("anyOf", ())):
                if branch.get("type") == "string":
                    branch.setdefault("format", "decimal")
            return written

    return Generator


class About:
    """Names the member with the type in a TypeError."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: object
    ) -> None:
        if isinstance(error, TypeError) and "(in " not in str(error):
            raise TypeError(f"{error} (in {self.name})") from None


class Writer:
    """Writes schemas, and collects the schemas of named types."""

    def __init__(self) -> None:
        self._definitions: dict[str, Any] = {}
        self._names: dict[Any, str] = {}
        self._uses: collections.Counter[str] = collections.Counter()

    def write(self, hint: Any) -> dict[str, Any]:
        bare, notes, _ = unmarked(hint)
        schema = self._write(form(bare))
        for note in notes:
            _annotate(schema, note)
        return schema

    def member(self, member: Member) -> dict[str, Any]:
        hint, default = member.hint, member.default
        if default is None and not _takes_none(hint):
            hint = typing.Optional[hint]  # noqa: UP045
        schema = self.write(hint)
        if member.description and "description" not in schema:
            schema["description"] = member.description
        plain = _plain(default)
        if plain is not MISSING and "default" not in schema:
            schema["default"] = plain
        return schema

    def finish(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Returns the schema with the definitions that it uses; a definition used only by the root
        replaces it.
        """
        name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
        if name in self._definitions and self._uses[name] == 1:
            schema = {
                **self._definitions.pop(name),
                **{key: schema[key] for key in schema if key != "$ref"},
            }
        return {**schema, "$defs": self._definitions} if self._definitions else schema

    def _write(self, form: Form) -> dict[str, Any]:
        match form.kind:
            case "any":
                return {}
            case "plain":
                return {
                    "type": next(
                        name for base, name in _PLAIN.items() if issubclass(form.type, base)
                    )
                }
            case "text":
                return dict(
                    next(schema for base, schema in _FORMATS.items() if issubclass(form.type, base))
                )
            case "literal":
                return _allowed([_literal(value) for value in form.args])
            case "enum":
                return _enumeration(form.type)
            case "union":
                return self._union(form.args)
            case "array":
                return self._array(form)
            case "tuple":
                items = [self.write(item) for item in form.args]
                schema = {"type": "array", "minItems": len(items), "maxItems": len(items)}
                return {**schema, "prefixItems": items} if items else schema
            case "mapping":
                return self._mapping(form.args)
            case "alias":
                origin = typing.get_origin(form.type) or form.type
                return self._named(
                    form.type, origin.__name__, lambda: self.write(value_of(form.type))
                )
            case "record":
                cls = typing.get_origin(form.type) or form.type
                return self._named(form.type, cls.__name__, lambda: self._record(form.type, cls))
            case "model" | "struct":
                return self._model(form)

    def _union(self, branches: tuple[Any, ...]) -> dict[str, Any]:
        written: list[dict[str, Any]] = []
        for branch in branches:
            schema = self.write(branch)
            if schema not in written:
                written.append(schema)
        return written[0] if len(written) == 1 else {"anyOf": written}

    def _array(self, form: Form) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "array"}
        if form.args and (items := self.write(form.args[0])):
            schema["items"] = items
        if issubclass(form.type, (set, frozenset)):
            schema["uniqueItems"] = True
        return schema

    def _mapping(self, args: tuple[Any, ...]) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object"}
        if not args:
            return schema
        names = self.write(args[0])
        if names.get("type") in ("integer", "number"):
            schema["propertyNames"] = {
                "pattern": r"^-?\d+$" if names["type"] == "integer" else r"^-?\d+(\.\d+)?$"
            }
        elif names.get("type", "string") != "string" or "anyOf" in names:
            raise TypeError(f"{name_of(args[0])} cannot be the type of keys")
        elif names.keys() - {"type", "description"}:
            schema["propertyNames"] = names
        schema["additionalProperties"] = self.write(args[1]) or True
        return schema

    def _record(self, record: Any, cls: Any) -> dict[str, Any]:
        schema: dict[str, Any] = {"title": cls.__name__, "type": "object"}
        if summary := summary_of(cls).summary:
            schema["description"] = summary
        properties: dict[str, Any] = {}
        for member in members(record):
            with About(f"{cls.__name__}.{member.name}"):
                properties[member.name] = self.member(member)
        schema["properties"] = properties
        if required := [member.name for member in members(record) if member.required]:
            schema["required"] = required
        if is_typed_dict(cls) and getattr(cls, "__closed__", None):
            schema["additionalProperties"] = False
        return schema

    def _model(self, form: Form) -> dict[str, Any]:
        """Writes the schema of a class that describes itself."""
        cls = typing.get_origin(form.type) or form.type

        def write() -> dict[str, Any]:
            if form.kind == "struct":
                import msgspec

                return self._adopt(msgspec.json.schema(form.type), cls.__name__)
            import pydantic

            return self._adopt(schema_by_pydantic(pydantic.TypeAdapter(form.type)), cls.__name__)

        return self._named(form.type, cls.__name__, write)

    def _named(self, key: Any, name: str, write: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Returns a reference to the definition of a type, which is written on first use."""
        try:
            hash(key)
        except TypeError:
            key = repr(key)
        if key not in self._names:
            self._names[key] = name = self._free(name)
            self._definitions[name] = {}
            self._definitions[name] = write()
        self._uses[self._names[key]] += 1
        return {"$ref": f"#/$defs/{self._names[key]}"}

    def _adopt(self, schema: dict[str, Any], name: str) -> dict[str, Any]:
        """Returns a schema from elsewhere, with its definitions moved to this one."""
        theirs = cast("dict[str, Any]", schema.pop("$defs", {}))
        renamed = {inner: self._free(inner) for inner in theirs}
        self._definitions.update(
            {renamed[inner]: _renamed(body, renamed) for inner, body in theirs.items()}
        )
        self._uses.update(dict.fromkeys(renamed.values(), 2))
        return cast("dict[str, Any]", _renamed(schema, renamed))

    def _free(self, name: str) -> str:
        free, number = name, 1
        while free in self._definitions:
            number += 1
            free = f"{name}{number}"
        return free


def _annotate(schema: dict[str, Any], note: Any) -> None:
    """Adds the content of an annotation: a description, bounds, lengths, or pydantic's fields."""
    if isinstance(note, str):
        schema["description"] = note
        return
    documentation = getattr(note, "documentation", None) or getattr(note, "description", None)
    if isinstance(documentation, str):
        schema["description"] = documentation
    if isinstance(title := getattr(note, "title", None), str):
        schema["title"] = title
    for part in (note, *(getattr(note, "metadata", None) or ())):
        lengths = _LENGTHS.get(str(schema.get("type")), {})
        for attribute, keyword in {
            **_BOUNDS,
            **lengths,
            "multiple_of": "multipleOf",
            "pattern": "pattern",
        }.items():
            value = getattr(part, attribute, None)
            value = getattr(value, "pattern", value)
            if isinstance(value, (int, float, str)) and not isinstance(value, bool):
                schema[keyword] = value
    if is_object(extra := getattr(note, "json_schema_extra", None)):
        schema.update(extra)
    if is_array(examples := getattr(note, "examples", None)):
        schema["examples"] = examples


def _allowed(values: list[Any]) -> dict[str, Any]:
    types: list[Any] = [type(value) for value in values]
    kinds = {_PLAIN.get(cls) for cls in types}
    schema: dict[str, Any] = {"type": kinds.pop()} if len(kinds) == 1 else {}
    return {**schema, "const": values[0]} if len(values) == 1 else {**schema, "enum": values}


def _literal(value: Any) -> Any:
    return value.value if isinstance(value, enum.Enum) else value


def _enumeration(cls: type[enum.Enum]) -> dict[str, Any]:
    if issubclass(cls, enum.Flag):
        return {"type": "integer", "title": cls.__name__}
    values = [_plain(member.value) for member in cls]
    if MISSING in values:
        raise TypeError(f"{name_of(cls)} has values that have no form in JSON")
    schema = {"title": cls.__name__, **_allowed(values), **names_of(cls)}
    if summary := summary_of(cls).summary:
        schema["description"] = summary
    return schema


def names_of(cls: type[enum.Enum]) -> dict[str, list[str]]:
    """Returns the keyword that names an enumeration's members, if their values do not say what they
    are.

    >>> names_of(enum.IntEnum("Level", {"LOW": 1, "HIGH": 3}))
    {'x-enum-varnames': ['LOW', 'HIGH']}
    >>> names_of(enum.Enum("Size", {"SMALL": "small"}))
    {}
    """
    members = list(cls)
    said = [member.name.casefold() == str(member.value).casefold() for member in members]
    if all(said) or len(members) < 2:
        return {}
    return {"x-enum-varnames": [member.name for member in members]}


def _takes_none(hint: Any) -> bool:
    found = form(hint)
    if found.kind == "union":
        return any(_takes_none(branch) for branch in found.args)
    return found.kind in ("any", "alias", "model") or found.type is type(None) or None in found.args


def _plain(value: Any) -> Any:
    """Returns the JSON value of a default, or `MISSING` if it has none."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, enum.Enum):
        return _plain(value.value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (uuid.UUID, pathlib.PurePath)):
        return str(value)
    if is_array(value) or isinstance(value, tuple):
        items = [_plain(item) for item in cast("Iterable[Any]", value)]
        return MISSING if MISSING in items else items
    if is_object(value):
        pairs = {key: _plain(item) for key, item in value.items()}
        return (
            MISSING if MISSING in pairs.values() or {type(key) for key in pairs} - {str} else pairs
        )
    return MISSING


def _renamed(schema: Any, names: dict[str, str]) -> Any:
    if is_array(schema):
        return [_renamed(item, names) for item in schema]
    if is_object(schema):
        return {key: _renamed(item, names) for key, item in schema.items()}
    if isinstance(schema, str) and schema.startswith("#/$defs/"):
        name = schema.removeprefix("#/$defs/")
        return f"#/$defs/{names.get(name, name)}"
    return schema
