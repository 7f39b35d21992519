"""Instances of standard library types, made from plain JSON values that conform to their schema."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import functools
import json
import re
import typing
from collections.abc import Callable
from typing import Any, TypeAlias, cast

from ._types import (
    Form,
    Member,
    form,
    is_array,
    is_named_tuple,
    is_object,
    is_typed_dict,
    members,
    name_of,
    unmarked,
    value_of,
)

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_DURATION = re.compile(
    r"(?P<sign>[+-]?)P(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+(?:\.\d+)?)D)?"
    r"(?:T(?:(?P<hours>\d+(?:\.\d+)?)H)?(?:(?P<minutes>\d+(?:\.\d+)?)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)
_FRACTION = re.compile(r"\.(\d+)")
#: Strings for values that only Python reads as numbers in JSON: `json.loads("NaN")`.
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")
#: In this order, the first class that matches is used.
_NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}

Path = tuple[Any, ...]


class BuildError(ValueError):
    """A value that cannot be converted to a type.

    `errors` lists the places and expectations, as `{"path": "$input.a[0]", "expected": "..."}`.
    """

    def __init__(self, errors: list[dict[str, str]]) -> None:
        super().__init__(
            "; ".join(f"{error['path']}: expected {error['expected']}" for error in errors)
        )
        self.errors = errors


def build(hint: Any, value: Any, *, at: Path = ()) -> Any:
    """Makes an instance of a type from a plain JSON value.

    Undeclared members are left out. A union takes the branch that needs the least conversion, the
    first of equals.

    >>> import dataclasses, datetime
    >>> @dataclasses.dataclass
    ... class Trip:
    ...     city: str
    ...     on: datetime.date
    >>> build(Trip, {"city": "Oslo", "on": "2024-05-01"})
    Trip(city='Oslo', on=datetime.date(2024, 5, 1))
    >>> build(list[Trip], [{"city": "Oslo", "on": "May"}])  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
        ...
    BuildError: $input[0].on: expected date (Invalid isoformat string: 'May')

    Raises:
        BuildError: with every place that does not fit.
        TypeError: if the type has no form in JSON.
    """
    return maker(hint)(value, at)


def maker(hint: Any) -> Callable[..., Any]:
    """Returns a function that makes instances of a type as `build` does: the hints are read only
    once.
    """
    make = _make_of(hint)

    def made(value: Any, at: Path = ()) -> Any:
        building = _Building(list(at))
        instance = make(value, building)
        if building.errors:
            raise BuildError(building.errors)
        return instance

    return made


def path_of(steps: Path) -> str:
    """Returns the text of a path.

    >>> path_of(("a", 0, "x-y"))
    '$input.a[0]["x-y"]'
    """
    text = "$input"
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _IDENTIFIER.fullmatch(step):
            text += f".{step}"
        else:
            quoted = str(step).replace("\\", "\\\\").replace('"', '\\"')
            text += f'["{quoted}"]'
    return text


class _Building:
    """Collects errors, and the cost of an instance: the conversions and the members left out."""

    __slots__ = ("at", "cost", "errors")

    def __init__(self, at: list[Any]) -> None:
        #: The steps to the current value.
        self.at = at
        self.errors: list[dict[str, str]] = []
        self.cost = 0

    def expected(self, expected: str) -> None:
        self.errors.append({"path": path_of(tuple(self.at)), "expected": expected})

    def call(self, cls: Any, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Calls a constructor, and takes its exception as the reason why the value does not fit."""
        try:
            return function(*given, **named)
        except (ValueError, TypeError, ArithmeticError) as error:
            field = _refusing(cls, error)
            name = name_of(cls if field is None else field.type)
            said = "" if isinstance(error, decimal.InvalidOperation) else str(error)
            self.at.extend([] if field is None else [field.alias])
            self.expected(f"{name} ({said})" if said else name)
            if field is not None:
                self.at.pop()


def _refusing(cls: Any, error: Exception) -> Any:
    """Returns the attrs attribute whose validator raised an error: attrs passes it to the validator. `None` if there is
    none.
    """
    fields = getattr(cls, "__attrs_attrs__", ())
    trace = error.__traceback__ and error.__traceback__.tb_next
    while fields and trace is not None:
        passed = trace.tb_frame.f_locals.values()
        for field in fields:
            if any(value is field for value in passed):
                return field
        trace = trace.tb_next
    return None


#: Makes an instance from a value.
_Make: TypeAlias = "Callable[[Any, _Building], Any]"


def _make_of(hint: Any) -> _Make:
    found = form(hint)
    match found.kind:
        case "any":
            return lambda value, _: _plain(value)
        case "plain":
            return _scalar(found.type)
        case "text":
            return _text(found.type)
        case "literal":
            return _literal(found.args)
        case "enum":
            return _enumeration(found.type)
        case "union":
            return _union(name_of(unmarked(hint)[0]), found.args)
        case "array" | "tuple":
            return _array(found)
        case "mapping":
            return _mapping(found)
        case "alias":
            return _Lazy(lambda: _make_of(value_of(found.type)))
        case "record":
            return _record_of(found.type)
        case "model" | "struct":
            return _other(found.type)


class _Lazy:
    """A maker for a type that may contain itself: its hints are read on first use."""

    __slots__ = ("make", "read")

    def __init__(self, read: Callable[[], _Make]) -> None:
        self.read = read
        self.make: _Make | None = None

    def __call__(self, value: Any, building: _Building) -> Any:
        make = self.make
        if make is None:
            make = self.make = self.read()
        return make(value, building)


def _kept(hint: Any) -> type | None:
    """Returns the class of plain values that are already instances of a hint, if there is one."""
    found = form(hint)
    return found.type if found.kind == "plain" and found.type in _NAMES else None


def _scalar(cls: Any) -> _Make:
    base = next(base for base in _NAMES if issubclass(cls, base))

    def make(value: Any, building: _Building) -> Any:
        kind: Any = value.__class__
        if kind is cls:
            return value
        if kind is decimal.Decimal:
            value = float(value)
            kind = float
        if base is float and (kind is int or (kind is str and value in _NOT_FINITE)):
            value = float(value)
            building.cost += 1
        elif base is int and kind is float and value.is_integer():
            value = int(value)
            building.cost += 1
        elif kind is not base:
            return building.expected(_NAMES[base])
        return value if cls is base else building.call(cls, cls, value)

    return make


def _text(cls: Any) -> _Make:
    read: Callable[[Any], Any] = cls
    if issubclass(cls, datetime.timedelta):
        read = functools.partial(_duration, cls)
    elif issubclass(cls, (datetime.date, datetime.time)):
        read = lambda text: cls.fromisoformat(_iso(text))  # noqa: E731

    def make(value: Any, building: _Building) -> Any:
        building.cost += 1
        if not isinstance(value, str):
            return building.expected("string")
        return building.call(cls, read, value)

    def make_decimal(value: Any, building: _Building) -> Any:
        building.cost += 1
        if isinstance(value, bool) or not isinstance(value, (int, float, str, decimal.Decimal)):
            return building.expected("number")
        return building.call(cls, cls, str(value) if isinstance(value, float) else value)

    return make_decimal if issubclass(cls, decimal.Decimal) else make


def _literal(allowed: Path) -> _Make:
    def make(value: Any, building: _Building) -> Any:
        for item in allowed:
            plain = item.value if isinstance(item, enum.Enum) else item
            if plain == value and isinstance(plain, bool) == isinstance(value, bool):
                return item
        return building.expected(" | ".join(repr(item) for item in allowed))

    return make


def _enumeration(cls: type[enum.Enum]) -> _Make:
    members: list[tuple[Any, Any]] = [
        (list(one.value) if isinstance(one.value, tuple) else one.value, one)  # pyright: ignore
        for one in cls
    ]

    def make(value: Any, building: _Building) -> Any:
        for plain, member in members:
            if plain == value and isinstance(plain, bool) == isinstance(value, bool):
                return member
        return building.call(cls, cls, value)

    return make


def _union(name: str, branches: Path) -> _Make:
    makes = [_make_of(branch) for branch in branches]
    kinds = [_kept(branch) for branch in branches]
    kept = frozenset(() if None in kinds else kinds)

    def make(value: Any, building: _Building) -> Any:
        if value.__class__ in kept:
            return value
        best: tuple[int, Any] | None = None
        nearest: list[dict[str, str]] | None = None
        for branch in makes:
            inner = _Building(building.at)
            instance = branch(value, inner)
            if inner.errors:
                here = path_of(tuple(building.at))
                is_inside = all(error["path"] != here for error in inner.errors)
                if is_inside and (nearest is None or len(inner.errors) < len(nearest)):
                    nearest = inner.errors
            elif best is None or inner.cost < best[0]:
                best = (inner.cost, instance)
                if inner.cost == 0:
                    break
        if best is not None:
            building.cost += best[0]
            return best[1]
        if nearest is None:
            return building.expected(name)
        building.errors.extend(nearest)

    return make


def _array(form: Form) -> _Make:
    cls = form.type
    hints = form.args if form.kind == "tuple" else form.args or (Any,)
    makes = [_make_of(hint) for hint in hints]
    kept = frozenset([_kept(hints[0])] if form.kind == "array" else ())

    def make(value: Any, building: _Building) -> Any:
        if not is_array(value):
            return building.expected("array")
        ways = makes
        if form.kind != "tuple":
            ways = makes * len(value)
        elif len(value) != len(makes):
            return building.expected(f"array of {len(makes)} items")
        at = building.at
        if kept.issuperset(item.__class__ for item in value):
            return value[:] if cls is list else building.call(cls, cls, value)
        at.append(0)
        made: list[Any] = []
        for index, item in enumerate(value):
            at[-1] = index
            made.append(ways[index](item, building))
        at.pop()
        return made if cls is list else building.call(cls, cls, made)

    return make


def _mapping(form: Form) -> _Make:
    key_hint, item_hint = form.args if form.args else (str, Any)
    make_key, make_item = _key(key_hint), _make_of(item_hint)
    cls, factory = form.type, _factory(item_hint)
    is_default = issubclass(cls, collections.defaultdict)

    def make(value: Any, building: _Building) -> Any:
        if not is_object(value):
            return building.expected("object")
        at = building.at
        at.append("")
        made: dict[Any, Any] = {}
        for at[-1], item in value.items():
            made[make_key(at[-1], building)] = make_item(item, building)
        at.pop()
        if is_default:
            return collections.defaultdict(factory, made)
        return made if cls is dict else cls(made)

    return make


def _key(hint: Any) -> _Make:
    found = form(hint)
    if found.kind == "plain" and issubclass(found.type, (int, float)):
        return lambda key, building: building.call(found.type, found.type, key)
    return _make_of(hint)


@functools.lru_cache(maxsize=256)
def _record_of(record: Any) -> _Make:
    return _Lazy(lambda: _record(record))


def _record(record: Any) -> _Make:
    cls: Any = typing.get_origin(record) or record
    is_tuple, is_dict = is_named_tuple(cls), is_typed_dict(cls)
    parts = [
        (one.name, _kept(one.hint), _member(one), one.required, one.hint)
        for one in members(record)
    ]
    names = {name for name, *_ in parts}

    def make(value: Any, building: _Building) -> Any:
        if is_tuple and is_array(value):
            value = dict(zip((name for name, *_ in parts), value))
        if not is_object(value):
            return building.expected("object")
        at, before = building.at, len(building.errors)
        at.append("")
        made: dict[str, Any] = {}
        for name, kept, make_one, required, hint in parts:
            if name in value:
                one = value[name]
                if one.__class__ is not kept:
                    at[-1] = name
                    one = make_one(one, building)
                made[name] = one
            elif required:
                at[-1] = name
                building.expected(name_of(unmarked(hint)[0]))
        at.pop()
        if len(made) < len(value):
            building.cost += sum(name not in names for name in value)
        if len(building.errors) > before:
            return None
        return made if is_dict else building.call(cls, cls, **made)

    return make


def _member(member: Member) -> _Make:
    make = _make_of(member.hint)
    if member.default is not None:
        return make
    # With a default of None, None is also accepted.
    return lambda value, building: None if value is None else make(value, building)


def _other(cls: Any) -> _Make:
    """Returns a maker for a class that validates itself."""
    from ._typed import Judge

    judge = _Lazy(lambda: cast("Any", Judge(cls).full))

    def make(value: Any, building: _Building) -> Any:
        full: Any = judge.make
        if full is None:
            full = judge.make = judge.read()
        made, errors = full(json.dumps(value, default=float), value)
        for path, expected, _ in errors:
            here = path_of(tuple(building.at))
            building.errors.append({"path": here + path.removeprefix("$input"), "expected": expected})
        return made

    return make


def _plain(value: Any) -> Any:
    """Returns the value with exact decimals replaced by the numbers that JSON parsers return."""
    if isinstance(value, decimal.Decimal):
        return float(value)
    if is_array(value):
        return [_plain(item) for item in value]
    if is_object(value):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _iso(text: str) -> str:
    """Returns the text in a form that `fromisoformat` of Python 3.10 accepts: no `Z`, and fractions
    of six digits.
    """
    text = text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text
    return _FRACTION.sub(lambda found: "." + found[1][:6].ljust(6, "0"), text, count=1)


def _duration(cls: type[datetime.timedelta], text: str) -> datetime.timedelta:
    found = _DURATION.fullmatch(text)
    parts = found.groupdict() if found else {}
    sign = parts.pop("sign", "")
    given = {unit: float(number) for unit, number in parts.items() if number}
    if not given:
        raise ValueError(f"{text!r} is no duration in days, hours, minutes and seconds")
    length = cls(**given)
    return -length if sign == "-" else length


def _factory(hint: Any) -> Callable[[], Any] | None:
    found = form(hint)
    is_simple = found.kind in ("array", "mapping") or (
        found.kind == "plain" and found.type is not type(None)
    )
    return found.type if is_simple else None
