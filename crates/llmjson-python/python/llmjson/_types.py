"""The forms of type hints, from which schemas and instances are made.

`form` says which of a dozen kinds of value a hint represents, and `members` lists the parts of an
object type. Nothing here knows JSON Schema. Only the standard library is needed.
"""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import ipaddress
import pathlib
import sys
import types
import typing
import uuid
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeGuard, Union, cast
from weakref import WeakKeyDictionary

from ._docstring import Docstring

Kind = Literal[
    "any",
    "plain",
    "text",
    "array",
    "tuple",
    "mapping",
    "literal",
    "enum",
    "union",
    "record",
    "model",
    "struct",
    "alias",
]

MISSING: Any = dataclasses.MISSING

#: Types whose values are strings in JSON.
TEXTS: tuple[type, ...] = (
    datetime.datetime,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    uuid.UUID,
    decimal.Decimal,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    pathlib.PurePath,
)

_ARRAYS: dict[Any, type] = {
    list: list,
    collections.abc.Sequence: list,
    collections.abc.MutableSequence: list,
    collections.abc.Iterable: list,
    collections.abc.Collection: list,
    collections.abc.Iterator: list,
    collections.deque: collections.deque,
    set: set,
    frozenset: frozenset,
    collections.abc.Set: set,
    collections.abc.MutableSet: set,
}
_MAPPINGS: dict[Any, type] = {
    dict: dict,
    collections.abc.Mapping: dict,
    collections.abc.MutableMapping: dict,
    collections.OrderedDict: collections.OrderedDict,
    collections.defaultdict: collections.defaultdict,
}
_MARKS = {"Required": True, "NotRequired": False, "ReadOnly": None, "Final": None, "InitVar": None}


@dataclasses.dataclass(frozen=True, slots=True)
class Form:
    """The kind of value that a hint represents.

    `type` is the class that makes its values, and `args` are the hints of its contents.
    """

    kind: Kind
    type: Any = None
    args: tuple[Any, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Member:
    """One member of an object type."""

    name: str
    hint: Any
    required: bool
    default: Any
    description: str | None


def form(hint: Any) -> Form:
    """Returns the form of a hint without annotations and other wrappers.

    >>> form(list[int])
    Form(kind='array', type=<class 'list'>, args=(<class 'int'>,))
    >>> form(complex)
    Traceback (most recent call last):
    TypeError: complex has no form in JSON

    Raises:
        TypeError: if JSON has no form for it.
    """
    hint = unmarked(hint)[0]
    if hint is Any or hint is object or hint is inspect.Parameter.empty:
        return Form("any")
    if hint is None or hint is type(None):
        return Form("plain", type(None))
    if isinstance(hint, typing.TypeVar):
        return _form_of_variable(hint)
    if hasattr(hint, "__supertype__"):  # NewType
        return form(hint.__supertype__)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if _is_alias(hint) or _is_alias(origin):
        return Form("alias", hint)
    if origin is Union or origin is types.UnionType:
        return Form("union", None, args)
    if _special(origin) == "Literal":
        return Form("literal", None, args)
    if _special(hint) == "LiteralString":
        return Form("plain", str)
    if isinstance(hint, (str, typing.ForwardRef)):
        name = hint if isinstance(hint, str) else hint.__forward_arg__
        raise TypeError(f"the name {name!r} in a type hint cannot be resolved")
    return _form_of_class(hint, origin or hint, args)


def members(record: Any) -> tuple[Member, ...]:
    """Returns the members of a dataclass, `TypedDict`, `NamedTuple` or attrs class, including
    generic ones.

    Raises:
        TypeError: if a name in its hints cannot be resolved.
    """
    cls: Any = typing.get_origin(record) or record
    found = _members.get(cls)
    if found is None:
        found = _members[cls] = _read_members(cls)
    meant = _variables(record)
    if not meant and not any(
        _special(member.hint) == "Self" or _holds_self(member.hint) for member in found
    ):
        return found
    return tuple(
        dataclasses.replace(member, hint=_substitute(member.hint, meant, record))
        for member in found
    )


def holds(hint: Any, cls: type) -> bool:
    """Returns whether a class is among the parts of a hint.

    >>> holds(dict[str, list[decimal.Decimal]], decimal.Decimal)
    True
    """
    return any(found.kind == "text" and issubclass(found.type, cls) for found in parts_of(hint))


def holds_struct(hint: Any) -> bool:
    """Returns whether a msgspec struct is among the parts of a hint."""
    if "msgspec" not in sys.modules:
        return False
    try:
        return any(found.kind == "struct" for found in parts_of(hint))
    except TypeError:
        return False


def parts_of(hint: Any) -> Iterator[Form]:
    """Yields the forms of a hint and of all its parts."""
    seen: list[Any] = []
    left: list[Any] = [hint]
    while left:
        found = form(left.pop())
        yield found
        if found in seen:
            continue
        seen.append(found)
        if found.kind == "record":
            left.extend(member.hint for member in members(found.type))
        elif found.kind == "alias":
            left.append(value_of(found.type))
        elif found.kind != "literal":
            left.extend(found.args)


def unmarked(hint: Any) -> tuple[Any, tuple[Any, ...], bool | None]:
    """Returns a hint without annotations and wrappers, its annotations (the outermost last), and
    whether it is marked as required or not.

    >>> unmarked(typing.Annotated[int, "The number of days."])
    (<class 'int'>, ('The number of days.',), None)
    """
    notes: tuple[Any, ...] = ()
    required: bool | None = None
    while True:
        if isinstance(hint, dataclasses.InitVar):
            hint = cast("Any", hint).type
            continue
        origin = typing.get_origin(hint)
        if origin is typing.Annotated:
            notes = (*notes, *hint.__metadata__)
            hint = hint.__origin__
        elif (name := _special(origin)) is not None and name in _MARKS:
            mark = _MARKS[name]
            required = mark if mark is not None else required
            hint = typing.get_args(hint)[0]
        else:
            return hint, notes, required


def value_of(alias: Any) -> Any:
    """Returns the value of a type alias, with its arguments."""
    origin, args = typing.get_origin(alias), typing.get_args(alias)
    value = (origin or alias).__value__
    if isinstance(value, str) or typing.get_args(value):
        module = sys.modules.get((origin or alias).__module__ or "")
        holder = types.SimpleNamespace(
            __annotations__={"value": value}, __globals__=getattr(module, "__dict__", {})
        )
        value = hints_of(holder, {}, str(alias))["value"]
    return value[args] if args else value


def hints_of(holder: Any, names: dict[str, Any], about: str) -> dict[str, Any]:
    """Returns the resolved hints of a class or function, with annotations.

    `names` are names that its module does not have.

    Raises:
        TypeError: if a name cannot be resolved.
    """
    try:
        hints = typing.get_type_hints(holder, localns=names or None, include_extras=True)
        if sys.version_info >= (3, 11):
            return hints
        known: dict[str, Any] = getattr(holder, "__globals__", None) or vars(
            sys.modules.get(getattr(holder, "__module__", ""), typing)
        )
        return {name: _evaluated(hint, {**known, **names}) for name, hint in hints.items()}
    except NameError as error:
        raise TypeError(f"a type hint of {about} cannot be resolved: {error}") from None


def name_of(hint: Any) -> str:
    """Returns the name of a type as messages show it.

    >>> name_of(dict[str, int])
    'dict[str, int]'
    """
    if hint is None or hint is type(None):
        return "None"
    if isinstance(hint, type) and not typing.get_args(hint):
        return hint.__qualname__.rpartition("<locals>.")[2]
    return str(hint).replace("typing.", "")


def summary_of(cls: Any) -> Docstring:
    """Returns the docstring of a class; empty if it was generated."""
    text = cls.__dict__.get("__doc__") or ""
    is_generated = text.startswith(f"{cls.__name__}(") or text == "An enumeration."
    return Docstring.read("" if is_generated else text)


def is_typed_dict(cls: Any) -> bool:
    """Returns whether this is a `TypedDict`, from `typing` or from `typing_extensions`."""
    return hasattr(cls, "__required_keys__") and isinstance(cls, type) and issubclass(cls, dict)


def is_named_tuple(cls: Any) -> bool:
    """Returns whether this is a `NamedTuple` or a class made by `namedtuple`."""
    return hasattr(cls, "_fields") and isinstance(cls, type) and issubclass(cls, tuple)


def is_array(value: Any) -> TypeGuard[list[Any]]:
    """Returns whether this is a JSON array."""
    return isinstance(value, list)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Returns whether this is a JSON object."""
    return isinstance(value, dict)


def is_pydantic(cls: Any) -> bool:
    """Returns whether pydantic validates this class by itself: a model, or one of its dataclasses."""
    return isinstance(cls, type) and (
        hasattr(cls, "__pydantic_validator__") or hasattr(cls, "__get_pydantic_core_schema__")
    )


class _Marked:
    """Represents `InitVar` when hints are resolved: Python 3.10 does not accept it as a type."""

    def __class_getitem__(cls, hint: Any) -> Any:
        return hint


_members: WeakKeyDictionary[type, tuple[Member, ...]] = WeakKeyDictionary()


def _form_of_class(hint: Any, cls: Any, args: tuple[Any, ...]) -> Form:
    if is_pydantic(cls):
        return Form("model", hint)
    if hasattr(cls, "__struct_fields__"):
        return Form("struct", hint)
    is_attrs = hasattr(cls, "__attrs_attrs__")
    if is_typed_dict(cls) or is_named_tuple(cls) or is_attrs or dataclasses.is_dataclass(cls):
        return Form("record", hint)
    if cls is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return Form("array", tuple, args[:1])
        is_bare = hint is tuple or hint is typing.Tuple  # noqa: UP006
        return Form("array", tuple) if is_bare else Form("tuple", tuple, args)
    if cls in _ARRAYS:
        return Form("array", _ARRAYS[cls], args)
    if cls in _MAPPINGS:
        return Form("mapping", _MAPPINGS[cls], args)
    if isinstance(cls, type):
        if issubclass(cls, enum.Enum):
            return Form("enum", cls)
        if issubclass(cls, TEXTS):
            return Form("text", cls)
        if issubclass(cls, (str, int, float)):
            return Form("plain", cls)
    raise TypeError(f"{name_of(hint)} has no form in JSON")


def _form_of_variable(variable: Any) -> Form:
    if variable.__constraints__:
        return Form("union", None, variable.__constraints__)
    return form(variable.__bound__) if variable.__bound__ is not None else Form("any")


def _read_members(cls: Any) -> tuple[Member, ...]:
    hints = hints_of(cls, {cls.__name__: cls, "InitVar": _Marked}, name_of(cls))
    told = summary_of(cls).parameters
    if is_typed_dict(cls):
        return tuple(
            _member(name, hint, told, is_required=name in cls.__required_keys__)
            for name, hint in hints.items()
        )
    if is_named_tuple(cls):
        defaults: dict[str, Any] = cls._field_defaults
        return tuple(
            _member(name, hints.get(name, Any), told, defaults.get(name, MISSING))
            for name in cls._fields
        )
    if hasattr(cls, "__attrs_attrs__"):
        return tuple(_members_of_attrs(cls, hints, told))
    fields: dict[str, dataclasses.Field[Any]] = cls.__dataclass_fields__
    found: list[Member] = []
    for name, field in fields.items():
        hint = hints.get(name, Any)
        if not field.init or typing.get_origin(hint) is typing.ClassVar or hint is typing.ClassVar:
            continue
        has_factory = field.default_factory is not MISSING
        text = field.metadata.get("description") or told.get(name) or getattr(field, "doc", None)
        member = _member(name, hint, {name: text} if text else {}, field.default)
        found.append(dataclasses.replace(member, required=False) if has_factory else member)
    return tuple(found)


def _members_of_attrs(cls: Any, hints: dict[str, Any], told: dict[str, str]) -> Iterator[Member]:
    for field in cls.__attrs_attrs__:
        if not field.init:
            continue
        is_made = hasattr(field.default, "factory") or hasattr(field.default, "takes_self")
        is_required = getattr(field.default, "name", None) == "NOTHING"
        default = MISSING if is_made or is_required else field.default
        yield _member(
            field.alias, hints.get(field.name, Any), told, default, is_required=is_required
        )


def _member(
    name: str,
    hint: Any,
    told: dict[str, str],
    default: Any = MISSING,
    *,
    is_required: bool | None = None,
) -> Member:
    required = is_required if is_required is not None else default is MISSING
    mark = unmarked(hint)[2]
    return Member(name, hint, required if mark is None else mark, default, told.get(name))


def _variables(record: Any) -> dict[Any, Any]:
    """Returns the types of the type variables in a generic class and its bases."""
    cls: Any = typing.get_origin(record) or record
    args = typing.get_args(record)
    meant: dict[Any, Any] = dict(zip(getattr(cls, "__parameters__", ()), args)) if args else {}
    for base in getattr(cls, "__orig_bases__", ()):
        inner = _variables(base) if getattr(typing.get_origin(base), "__orig_bases__", None) else {}
        meant.update(
            {key: _substitute(hint, meant, None) for key, hint in inner.items() if key not in meant}
        )
    return meant


def _substitute(hint: Any, meant: dict[Any, Any], owner: Any) -> Any:
    """Returns the hint with its type variables replaced, and `Self` by the owner."""

    def change(part: Any) -> Any:
        if owner is not None and _special(part) == "Self":
            return owner
        return meant.get(part, part) if isinstance(part, typing.TypeVar) else part

    return _changed(hint, change)


def _evaluated(hint: Any, names: dict[str, Any]) -> Any:
    """Returns the hint with strings in `list["Name"]` resolved, which Python 3.10 does not do."""

    def change(part: Any) -> Any:
        if not isinstance(part, str):
            return part
        holder = types.SimpleNamespace(__annotations__={"value": part}, __globals__=names)
        return typing.get_type_hints(holder, include_extras=True)["value"]

    return _changed(hint, change)


def _changed(hint: Any, change: Callable[[Any], Any]) -> Any:
    """Returns the hint with its innermost parts changed."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is None:
        return change(hint)
    if _special(origin) == "Literal":
        return hint
    if origin is typing.Annotated:
        parts = (_changed(hint.__origin__, change), *hint.__metadata__)
        return typing.Annotated[parts]
    new = tuple(_changed(arg, change) for arg in args)
    if new == args:
        return hint
    if origin is Union or origin is types.UnionType:
        return Union[new]  # noqa: UP007
    if hasattr(hint, "copy_with"):
        return hint.copy_with(new)
    return types.GenericAlias(origin, new)


def _holds_self(hint: Any) -> bool:
    return any(_special(arg) == "Self" or _holds_self(arg) for arg in typing.get_args(hint))


def _is_alias(hint: Any) -> bool:
    return type(hint).__name__ == "TypeAliasType"


def _special(hint: Any) -> str | None:
    """Returns the name of a special form, of `typing` or `typing_extensions`."""
    if type(hint).__module__ not in ("typing", "typing_extensions"):
        return None
    name = getattr(hint, "_name", None) or getattr(hint, "__name__", None)
    return name if isinstance(name, str) else None
