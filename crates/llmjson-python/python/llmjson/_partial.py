"""The beginning of an object that is still streaming: the same type with all its fields optional."""

from __future__ import annotations

import dataclasses
import sys
import typing
from collections import namedtuple
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, final

from ._build import BuildError, build
from ._types import (
    Form,
    form,
    is_array,
    is_named_tuple,
    is_object,
    is_typed_dict,
    members,
    name_of,
    value_of,
)


@final
class Unset:
    """The type of `UNSET`, which represents a dataclass field that has not arrived yet."""

    _only: Unset | None = None

    def __new__(cls) -> Unset:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


#: Represents a dataclass field that has not arrived yet.
UNSET: Final = Unset()


def partial(hint: Any, value: Any) -> Any:
    """Returns the beginning of a value as an object of its type with all fields optional.

    A field that has not arrived is None in a pydantic model and `UNSET` in a dataclass or named
    tuple, and is absent from a `TypedDict`. Dates and other values that are shown once complete are
    converted; a value that does not fit its type is left unchanged.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Trip:
    ...     city: str
    ...     days: int
    >>> partial(list[Trip], [{"city": "Oslo", "days": 3}, {"city": "Ro"}])
    [PartialTrip(city='Oslo', days=3), PartialTrip(city='Ro', days=UNSET)]
    """
    if value is None or hint is None:
        return value
    try:
        found = form(_described(hint))
    except TypeError:
        return value
    match found.kind:
        case "alias":
            return partial(value_of(found.type), value)
        case "union":
            return _of_union(found.args, value)
        case "record" | "struct" if is_object(value):
            return _record(found, value)
        case "model" if is_object(value):
            return _model(found.type, value)
        case "array" | "tuple" if is_array(value):
            return _items(found, value)
        case "mapping" if is_object(value):
            item = found.args[1] if len(found.args) > 1 else None
            return {name: partial(item, one) for name, one in value.items()}
        case _:
            return _whole(hint, value)


def partial_type(record: Any) -> Any:
    """Returns the class of `partial`'s objects for a pydantic model or a dataclass."""
    if hasattr(record, "model_fields"):
        return _optional_model(record)
    return _optional_class(record, tuple(_hints(form(record))))


def item_hint(hint: Any, steps: Sequence[str]) -> Any:
    """Returns the hint of a list's items, found by the names; None if there is none.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Plan:
    ...     steps: list[int] | None
    >>> item_hint(dict[str, Plan], ["a", "steps"])
    <class 'int'>
    """
    try:
        found = _only(_described(hint))
        for step in steps:
            if found.kind == "mapping":
                inner = found.args[1] if found.args else Any
            elif found.kind in ("record", "model", "struct"):
                inner = _hints(found)[step]
            else:
                return None
            found = _only(inner)
    except (KeyError, TypeError):
        return None
    if found.kind != "array":
        return None
    return found.args[0] if found.args else Any


def _only(hint: Any) -> Form:
    """Returns the form of a hint, or of its only branch other than None."""
    found = form(hint)
    if found.kind == "alias":
        return _only(value_of(found.type))
    others = [one for one in found.args if one is not type(None)]
    return _only(others[0]) if found.kind == "union" and len(others) == 1 else found


def _hints(found: Form) -> dict[str, Any]:
    """Returns the hints of an object's members, by name."""
    cls: Any = found.type
    if found.kind == "struct":
        import msgspec

        return {field.encode_name: field.type for field in msgspec.structs.fields(cls)}
    if found.kind == "model" and hasattr(cls, "model_fields"):
        return {_key(name, field): field.annotation for name, field in _fields(cls).items()}
    return {member.name: member.hint for member in members(cls)}


def _described(hint: Any) -> Any:
    """Returns the type of a `pydantic.TypeAdapter`."""
    module = sys.modules.get("pydantic")
    if module is not None and isinstance(hint, getattr(module, "TypeAdapter", ())):
        adapter: Any = hint
        return adapter._type
    return hint


def _whole(hint: Any, value: Any) -> Any:
    try:
        return build(hint, value)
    except (BuildError, TypeError):
        return value


def _items(found: Form, value: list[Any]) -> list[Any]:
    if found.kind == "tuple":
        hints = [*found.args, *[None] * (len(value) - len(found.args))]
        return [partial(hint, one) for hint, one in zip(hints, value)]
    item = found.args[0] if found.args else None
    return [partial(item, one) for one in value]


def _of_union(branches: tuple[Any, ...], value: Any) -> Any:
    """Returns the partial value for the only branch of its kind, or for the record that declares
    all names and tags received so far.
    """
    kinds = {"record": is_object, "model": is_object, "mapping": is_object}
    lists: dict[str, Callable[[Any], bool]] = {"array": is_array, "tuple": is_array}
    tests: dict[str, Callable[[Any], bool]] = {**kinds, **lists}
    fitting: list[Any] = []
    for branch in branches:
        try:
            kind = form(branch).kind
        except TypeError:
            continue
        holds = tests.get(kind)
        if holds is not None and holds(value) and _takes_all(branch, kind, value):
            fitting.append(branch)
    if len(fitting) == 1:
        return partial(fitting[0], value)
    return value if fitting or is_object(value) or is_array(value) else _whole(
        typing.Union[branches],  # noqa: UP007
        value,
    )


def _takes_all(branch: Any, kind: str, value: Any) -> bool:
    if kind not in ("record", "model"):
        return True
    hints = _hints(form(branch))
    return all(name in hints and _may_be(hints[name], one) for name, one in value.items())


def _may_be(hint: Any, value: Any) -> bool:
    """Returns whether a field accepts a tag. Fields without tags accept any value."""
    try:
        found = form(hint)
    except TypeError:
        return True
    return found.kind != "literal" or value in found.args


def _record(found: Form, value: dict[str, Any]) -> Any:
    cls: Any = typing.get_origin(found.type) or found.type
    hints = _hints(found)
    made = {name: partial(hints.get(name), one) for name, one in value.items()}
    if is_typed_dict(cls):
        return made
    return _optional_class(cls, tuple(hints))(**{name: one for name, one in made.items() if name in hints})


@lru_cache(maxsize=256)
def _optional_class(cls: Any, names: tuple[str, ...]) -> Any:
    if is_named_tuple(cls):
        return namedtuple(f"Partial{cls.__name__}", names, defaults=(UNSET,) * len(names))  # noqa: PYI024  # type: ignore[misc]
    fields = [(name, Any, dataclasses.field(default=UNSET)) for name in names]
    return dataclasses.make_dataclass(f"Partial{name_of(cls)}", fields)


def _model(model: Any, value: dict[str, Any]) -> Any:
    if not hasattr(model, "model_fields"):  # a dataclass of pydantic
        return _record(Form("record", model), value)
    given: dict[str, Any] = {}
    for name, field in _fields(model).items():
        for key in (_key(name, field), name):
            if key in value:
                given[name] = partial(field.annotation, value[key])
                break
    return _optional_model(model).model_construct(**given)


def _fields(model: Any) -> dict[str, Any]:
    fields: dict[str, Any] = getattr(model, "model_fields", {})
    return fields


def _key(name: str, field: Any) -> str:
    alias = field.validation_alias or field.alias
    return alias if isinstance(alias, str) else name


@lru_cache(maxsize=256)
def _optional_model(model: Any) -> Any:
    import pydantic

    fields: dict[str, Any] = {name: (Any, None) for name in _fields(model)}
    return pydantic.create_model(f"Partial{model.__name__}", **fields)
