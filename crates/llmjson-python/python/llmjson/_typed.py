"""Schemas of whatever describes a value in Python, instances of those types, and what they read otherwise.

pydantic validates where it is installed, by its own rules; otherwise the types of the standard
library are made by `_hints.build`.
"""

from __future__ import annotations

import collections
import dataclasses
import decimal
import enum
import functools
import importlib.util
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from ._build import BuildError, build, path_of
from ._records import Certainty, Coercion
from ._schema import schema_of
from ._types import holds, is_array, is_object, is_pydantic

if TYPE_CHECKING:
    import pydantic

#: What pydantic writes before the words of a validator.
_PREFIXES = ("Value error, ", "Assertion failed, ")
#: What pydantic's description of a type says where it may change a value that fits: functions of the
#: caller's, ...
_FUNCTIONS = ("function-after", "function-before", "function-plain", "function-wrap")
#: ... and settings.
_SETTINGS = (
    *("strip_whitespace", "to_lower", "to_upper"),
    *("str_strip_whitespace", "str_to_lower", "str_to_upper"),
    *("custom_init", "post_init"),
)


def schema_for(described: Any) -> tuple[dict[str, Any], Any]:
    """Returns the JSON Schema that a type, type hint or `pydantic.TypeAdapter` stands for, and what
    `instance` makes instances by.

    >>> schema_for(list[int])
    ({'type': 'array', 'items': {'type': 'integer'}}, list[int])

    Raises:
        TypeError: if JSON has no form for the type.
    """
    if _is_adapter(described):
        return described.json_schema(), described
    if is_pydantic(described):
        adapter = _adapter(described)
        if adapter is not None:
            return _schema_by_pydantic(adapter), described
    return schema_of(described), described


def instance(target: Any, text: str, value: Any) -> tuple[Any, list[dict[str, str]]]:
    """Makes an instance of a type from a value that satisfies its schema.

    `target` is the type or a `pydantic.TypeAdapter`, `text` is the value's JSON text, and `value` the
    same as a Python object. Returns the instance and no errors, or `None` and where the value does not
    fit, as `{"path": "$input.a[0]", "expected": "..."}`.

    >>> import datetime
    >>> instance(list[datetime.date], '["2024-05-01"]', ["2024-05-01"])
    ([datetime.date(2024, 5, 1)], [])
    >>> instance(list[int], '["x"]', ["x"])[1][0]["path"]
    '$input[0]'
    """
    adapter = target if _is_adapter(target) else _adapter(target)
    if adapter is not None:
        return _instance_by_pydantic(adapter, text, value)
    if holds(target, decimal.Decimal):
        value = _exact(text, value)
    try:
        return build(target, value), []
    except BuildError as error:
        return None, error.errors
    except RecursionError:
        return None, [{"path": "$input", "expected": "a value that is nested less deeply"}]


def rereads(target: Any) -> bool:
    """Returns whether pydantic may read what fits the schema of a type in another way than as it stands.

    >>> from typing import Annotated
    >>> import pydantic
    >>> rereads(list[int]), rereads(list[Annotated[str, pydantic.AfterValidator(str.title)]])
    (False, True)
    """
    adapter = target if _is_adapter(target) else _adapter(target)
    parts: list[Any] = [] if adapter is None else [adapter.core_schema]
    while parts:
        part = parts.pop()
        if is_object(part):
            is_first = (
                part.get("mode") == "left_to_right"
            )  # of a union, the first that takes a value
            if part.get("type") in _FUNCTIONS or is_first or any(map(part.get, _SETTINGS)):
                return True
            written = ("serialization", "metadata")
            parts.extend(inner for name, inner in part.items() if name not in written)
        elif _is_listed(part):
            parts.extend(part)
    return False


def reread(value: Any, made: Any, unfit: Iterable[str]) -> tuple[Coercion, ...]:
    """Returns a coercion for each place where an instance holds something else than the value that it was
    made of: `True` for the text `"1"`. A text for a date is none, since JSON has no other form for it.

    `unfit` are the paths at which the value does not fit the schema of the type.

    >>> [(one.path, one.before, one.after) for one in reread({"ok": "1"}, {"ok": True}, ["$input.ok"])]
    [('$input.ok', '1', True)]
    """
    found: list[Coercion] = []
    unfit = frozenset(unfit)
    left: list[tuple[tuple[Any, ...], Any, Any]] = [((), value, made)]
    while left:
        steps, value, made = left.pop()
        while getattr(made.__class__, "__pydantic_root_model__", False):
            made = made.root
        if isinstance(made, enum.Enum):
            made = made.value
        parts = list(_parts(value, made))
        left.extend(((*steps, step), one, other) for step, one, other in reversed(parts))
        is_unfit = bool(unfit) and path_of(steps) in unfit
        if parts or _is_same(value, made) or (_stands_for(value, made) and not is_unfit):
            continue
        sure: Certainty = "likely" if is_unfit or _kind(value) != _kind(made) else "certain"
        sentence = "the type read the value in its own way"
        after = _plain(made)
        found.append(Coercion("read_by_type", sure, path_of(steps), value, after, sentence))
    return tuple(found)


def errors_of(error: pydantic.ValidationError, value: Any) -> list[dict[str, str]]:
    """Returns what pydantic found wrong with a value, each place once per message."""
    found: list[dict[str, str]] = []
    for inner in error.errors(include_url=False, include_context=False, include_input=False):
        message = inner["msg"]
        for prefix in _PREFIXES:
            message = message.removeprefix(prefix)
        steps = _steps(inner["loc"], value, is_missing=inner["type"] == "missing")
        entry = {"path": path_of(steps), "expected": message}
        if entry not in found:
            found.append(entry)
    return found


def _parts(value: Any, made: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yields the steps into a value and its instance, with what lies there in both."""
    if is_array(value):
        if _is_listed(made) and len(made) == len(value):
            yield from zip(range(len(value)), value, made)
    elif is_object(value):
        if _is_mapping(made):
            # Names may be numbers or dates in the instance.
            if len(made) == len(value) and not any(isinstance(name, str) for name in made):
                yield from zip(value, value.values(), made.values())
                return
            yield from ((name, one, made[name]) for name, one in value.items() if name in made)
            return
        attributes = _attributes(made.__class__)
        for name, one in value.items():
            if name in attributes and hasattr(made, attributes[name]):
                yield name, one, getattr(made, attributes[name])


@functools.lru_cache(maxsize=256)
def _attributes(cls: Any) -> dict[str, str]:
    """Returns the attributes of a class by the names of the members that they are read from."""
    if dataclasses.is_dataclass(cls) and not hasattr(cls, "__pydantic_fields__"):
        return {field.name: field.name for field in dataclasses.fields(cls)}
    fields: dict[str, Any] = getattr(cls, "__pydantic_fields__", {})
    config: dict[str, Any] = getattr(cls, "model_config", {})
    by_name = config.get("populate_by_name") or config.get("validate_by_name")
    names: dict[str, str] = {}
    for attribute, field in fields.items():
        alias = field.validation_alias or field.alias
        if alias is None or by_name:
            names.setdefault(attribute, attribute)
        for one in getattr(alias, "choices", [alias]):
            if isinstance(one, str):
                names[one] = attribute
    return names


def _kind(value: Any) -> str | None:
    """Returns what a value is in JSON, if it is plain."""
    if value is None or isinstance(value, bool):
        return str(type(value))
    if isinstance(value, (int, float, decimal.Decimal)):
        return "number"
    return "string" if isinstance(value, str) else None


def _is_same(value: Any, made: Any) -> bool:
    """Returns whether an instance is the value itself."""
    if _is_set(made) and is_array(value):
        kept = {(_kind(one), one) for one in made}
        if len(kept) != len(value) or any(kind is None for kind, _ in kept):
            return len(kept) == len(value)
        return all(_kind(one) is not None and (_kind(one), one) in kept for one in value)
    kind = _kind(value)
    if kind is None or kind != _kind(made):
        return type(value) is type(made) and bool(value == made)
    try:
        # A Decimal is the same as the nearest float.
        return bool(value == made) or (
            kind == "number" and float(value) == float(cast("Any", made))
        )
    except (OverflowError, ValueError):
        return False


def _stands_for(value: Any, made: Any) -> bool:
    """Returns whether a value is JSON's form of an instance that is not plain: a text of a date, a number
    of a duration, an object of a class."""
    if isinstance(made, decimal.Decimal):
        return isinstance(value, str)
    if _kind(made) is not None or value is None or isinstance(value, bool):
        return False
    return not (is_array(value) and (is_array(made) or _is_set(made)))


def _is_listed(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, (list, tuple, collections.deque))


def _is_mapping(value: Any) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def _is_set(value: Any) -> TypeGuard[AbstractSet[Any]]:
    return isinstance(value, (set, frozenset))


def _plain(made: Any) -> Any:
    """Returns an instance as a plain value."""
    if _kind(made) is not None:
        return made
    if not _has_pydantic():
        return str(made)
    import pydantic_core

    return pydantic_core.to_jsonable_python(made, fallback=str)


def _instance_by_pydantic(
    adapter: pydantic.TypeAdapter[Any], text: str, value: Any
) -> tuple[Any, list[dict[str, str]]]:
    import pydantic

    try:
        return adapter.validate_json(text), []
    except pydantic.ValidationError as error:
        return None, errors_of(error, value)


def _adapter(target: Any) -> pydantic.TypeAdapter[Any] | None:
    """Returns the adapter for a type, if pydantic is installed and can use the type."""
    if not _has_pydantic():
        return None
    try:
        return _kept_adapter(target)
    except TypeError:  # a type that cannot be hashed
        return _new_adapter(target)


@functools.lru_cache(maxsize=128)
def _kept_adapter(target: Any) -> pydantic.TypeAdapter[Any] | None:
    return _new_adapter(target)


def _new_adapter(target: Any) -> pydantic.TypeAdapter[Any] | None:
    import pydantic

    try:
        adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(target)
        adapter.rebuild(raise_errors=True)
    except (
        pydantic.errors.PydanticUserError,
        pydantic.errors.PydanticUndefinedAnnotation,
    ) as error:
        if is_pydantic(target):
            raise TypeError(error.message) from error
        return None
    return adapter


def _schema_by_pydantic(adapter: pydantic.TypeAdapter[Any]) -> dict[str, Any]:
    import pydantic

    try:
        return adapter.json_schema()
    except pydantic.errors.PydanticUserError as error:
        raise TypeError(error.message) from error


@functools.cache
def _has_pydantic() -> bool:
    if "pydantic" not in sys.modules and importlib.util.find_spec("pydantic") is None:
        return False
    import pydantic

    return hasattr(pydantic, "TypeAdapter")


def _is_adapter(described: Any) -> bool:
    module = sys.modules.get("pydantic")
    return module is not None and isinstance(described, getattr(module, "TypeAdapter", ()))


def _steps(location: Iterable[int | str], value: Any, *, is_missing: bool) -> tuple[Any, ...]:
    """Returns the steps of a location that lead through the value; others name branches of unions."""
    steps: list[Any] = []
    left = list(location)
    for number, step in enumerate(left):
        is_last = number == len(left) - 1
        if is_object(value) and step in value:
            value = value[str(step)]
        elif is_array(value) and isinstance(step, int) and step < len(value):
            value = value[step]
        elif not (is_last and is_missing):
            continue
        steps.append(step)
    return tuple(steps)


def _exact(text: str, value: Any) -> Any:
    """Returns the value with exact decimals."""
    try:
        return json.loads(text, parse_float=decimal.Decimal)
    except (ValueError, RecursionError):
        return value
