"""Schemas of whatever describes a value in Python, and instances of those types.

pydantic validates where it is installed, by its own rules; otherwise the types of the standard
library are made by `_hints.build`.
"""

from __future__ import annotations

import decimal
import functools
import importlib.util
import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._build import BuildError, build, path_of
from ._schema import schema_of
from ._types import holds, is_array, is_object, is_pydantic

if TYPE_CHECKING:
    import pydantic

#: What pydantic writes before the words of a validator.
_PREFIXES = ("Value error, ", "Assertion failed, ")


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
