"""Instances of the standard library's types, made from plain JSON values that fit their schema."""

from __future__ import annotations

import collections
import contextlib
import datetime
import decimal
import enum
import re
import typing
from collections.abc import Callable, Generator
from typing import Any, cast

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
#: Texts that stand in JSON for what Python alone reads as numbers: `json.loads("NaN")`.
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")
_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}

Path = tuple[Any, ...]


class BuildError(ValueError):
    """A value cannot be read into a type.

    `errors` says where and what was expected, as `{"path": "$input.a[0]", "expected": "..."}`.
    """

    def __init__(self, errors: list[dict[str, str]]) -> None:
        super().__init__(
            "; ".join(f"{error['path']}: expected {error['expected']}" for error in errors)
        )
        self.errors = errors


def build(hint: Any, value: Any, *, at: Path = ()) -> Any:
    """Makes an instance of a type from a plain JSON value.

    Members that an object type does not declare are left out. A union takes the branch that needs
    the least conversion, the first of equals.

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
    builder = _Builder()
    instance = builder.build(hint, value, at)
    if builder.errors:
        raise BuildError(builder.errors)
    return instance


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


class _Builder:
    """Collects errors, and what the instance cost: the conversions and members left out."""

    def __init__(self) -> None:
        self.errors: list[dict[str, str]] = []
        self.cost = 0

    def build(self, hint: Any, value: Any, at: Path) -> Any:
        found = form(hint)
        match found.kind:
            case "any":
                return _plain(value)
            case "plain":
                return self._scalar(found.type, value, at)
            case "text":
                return self._text(found.type, value, at)
            case "literal":
                return self._literal(found.args, value, at)
            case "enum":
                return self._enumeration(found.type, value, at)
            case "union":
                return self._union(hint, found.args, value, at)
            case "array" | "tuple":
                return self._array(found, value, at)
            case "mapping":
                return self._mapping(found, value, at)
            case "alias":
                return self.build(value_of(found.type), value, at)
            case "record":
                return self._record(found.type, value, at)
            case "model":
                return self._model(found.type, value, at)

    def _scalar(self, cls: type, value: Any, at: Path) -> Any:
        base = next(base for base in (bool, int, float, str, type(None)) if issubclass(cls, base))
        if isinstance(value, decimal.Decimal):
            value = _plain(value)
        if base is float and type(value) is int:
            self.cost += 1
        elif base is int and type(value) is float and value.is_integer():
            value = int(value)
            self.cost += 1
        elif base is float and value in _NOT_FINITE:
            value = float(value)
            self.cost += 1
        elif type(value) is not base:
            return self._expected(_NAMES[base], at)
        if cls is type(value):
            return value
        with self._caught(cls, at):
            return cast("Callable[[Any], Any]", cls)(value)

    def _text(self, cls: Any, value: Any, at: Path) -> Any:
        self.cost += 1
        with self._caught(cls, at):
            if issubclass(cls, decimal.Decimal):
                if isinstance(value, (int, float, str, decimal.Decimal)) and not isinstance(
                    value, bool
                ):
                    return cls(str(value) if isinstance(value, float) else value)
                return self._expected("number", at)
            if not isinstance(value, str):
                return self._expected("string", at)
            if issubclass(cls, datetime.timedelta):
                return _duration(cls, value)
            if issubclass(cls, (datetime.date, datetime.time)):
                return cls.fromisoformat(_iso(value))
            return cls(value)

    def _literal(self, allowed: Path, value: Any, at: Path) -> Any:
        for item in allowed:
            plain = item.value if isinstance(item, enum.Enum) else item
            if plain == value and isinstance(plain, bool) == isinstance(value, bool):
                return item
        return self._expected(" | ".join(repr(item) for item in allowed), at)

    def _enumeration(self, cls: type[enum.Enum], value: Any, at: Path) -> Any:
        for member in cls:
            plain: Any = member.value
            plain = list(plain) if isinstance(plain, tuple) else plain  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
            if plain == value and isinstance(plain, bool) == isinstance(value, bool):
                return member
        with self._caught(cls, at):
            return cls(value)

    def _union(self, hint: Any, branches: Path, value: Any, at: Path) -> Any:
        best: tuple[int, Any] | None = None
        nearest: list[dict[str, str]] | None = None
        before = self.cost
        for branch in branches:
            inner = _Builder()
            instance = inner.build(branch, value, at)
            if inner.errors:
                is_inside = all(error["path"] != path_of(at) for error in inner.errors)
                if is_inside and (nearest is None or len(inner.errors) < len(nearest)):
                    nearest = inner.errors
            elif best is None or inner.cost < best[0]:
                best = (inner.cost, instance)
                if inner.cost == 0:
                    break
        if best is not None:
            self.cost = before + best[0]
            return best[1]
        if nearest is not None:
            self.errors.extend(nearest)
            return None
        return self._expected(name_of(unmarked(hint)[0]), at)

    def _array(self, form: Form, value: Any, at: Path) -> Any:
        if not is_array(value):
            return self._expected("array", at)
        hints: Any = [form.args[0] if form.args else Any] * len(value)
        if form.kind == "tuple":
            if len(value) != len(form.args):
                return self._expected(f"array of {len(form.args)} items", at)
            hints = form.args
        made = [
            self.build(hint, item, (*at, index))
            for index, (hint, item) in enumerate(zip(hints, value))
        ]
        if form.type is list:
            return made
        with self._caught(form.type, at):
            return form.type(made)

    def _mapping(self, form: Form, value: Any, at: Path) -> Any:
        if not is_object(value):
            return self._expected("object", at)
        key_hint, item_hint = form.args if form.args else (str, Any)
        made: dict[Any, Any] = {}
        for key, item in value.items():
            made[self._key(key_hint, key, (*at, key))] = self.build(item_hint, item, (*at, key))
        if issubclass(form.type, collections.defaultdict):
            return collections.defaultdict(_factory(item_hint), made)
        return made if form.type is dict else form.type(made)

    def _key(self, hint: Any, key: str, at: Path) -> Any:
        found = form(hint)
        if found.kind == "plain" and issubclass(found.type, (int, float)):
            with self._caught(found.type, at):
                return found.type(key)
        return self.build(hint, key, at)

    def _record(self, record: Any, value: Any, at: Path) -> Any:
        cls: Any = typing.get_origin(record) or record
        if is_array(value) and is_named_tuple(cls):
            value = dict(zip((member.name for member in members(record)), value))
        if not is_object(value):
            return self._expected("object", at)
        before = len(self.errors)
        made: dict[str, Any] = {}
        for member in members(record):
            if member.name in value:
                made[member.name] = self._member(member, value[member.name], (*at, member.name))
            elif member.required:
                self._expected(name_of(unmarked(member.hint)[0]), (*at, member.name))
        self.cost += sum(name not in made for name in value)
        if len(self.errors) > before:
            return None
        if is_typed_dict(cls):
            return made
        with self._caught(cls, at):
            return cls(**made)

    def _member(self, member: Member, value: Any, at: Path) -> Any:
        # A default of None says that None may be given, too.
        if value is None and member.default is None:
            return None
        return self.build(member.hint, value, at)

    def _model(self, model: Any, value: Any, at: Path) -> Any:
        import pydantic

        try:
            return pydantic.TypeAdapter(model).validate_python(value)
        except pydantic.ValidationError as error:
            for inner in error.errors():
                self._expected(inner["msg"], (*at, *inner["loc"]))

    def _expected(self, expected: str, at: Path) -> None:
        self.errors.append({"path": path_of(at), "expected": expected})

    @contextlib.contextmanager
    def _caught(self, cls: Any, at: Path) -> Generator[None]:
        """Takes what a constructor raises as the reason why the value does not fit."""
        try:
            yield
        except (ValueError, TypeError, ArithmeticError) as error:
            name = name_of(cls)
            said = "" if isinstance(error, decimal.InvalidOperation) else str(error)
            self._expected(f"{name} ({said})" if said else name, at)


def _plain(value: Any) -> Any:
    """Returns the value with exact decimals as the numbers that JSON's readers give."""
    if isinstance(value, decimal.Decimal):
        return float(value)
    if is_array(value):
        return [_plain(item) for item in value]
    if is_object(value):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _iso(text: str) -> str:
    """Returns the text as `fromisoformat` of Python 3.10 reads it: no `Z`, and fractions of six digits."""
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
