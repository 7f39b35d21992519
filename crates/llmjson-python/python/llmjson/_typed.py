"""Schemas of Python types, instances of these types, and values that they read differently.

pydantic validates by its own rules if it is installed, and msgspec validates anything that contains
its structs; other types of the standard library and of attrs are made by `_build`.
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, cast

from ._build import BuildError, maker, path_of
from ._schema import schema_by_pydantic, schema_of
from ._types import holds, holds_struct, is_array, is_object, is_pydantic, parts_of

if TYPE_CHECKING:
    import pydantic

#: The prefixes that pydantic adds to a validator's message.
_PREFIXES = ("Value error, ", "Assertion failed, ")
#: The path of a type's rejection, the expectation there, and whether that is a sentence.
Rejection: TypeAlias = "tuple[str, str, bool]"
#: The parts of pydantic's type description that may change a conforming value: custom functions,
#: ...
_FUNCTIONS = ("function-after", "function-before", "function-plain", "function-wrap")
#: Kinds in it that read Python objects as they read JSON, ...
_ALIKE = frozenset(_FUNCTIONS) | {
    *("any", "none", "bool", "int", "float", "str", "literal", "list", "dict", "nullable", "default"),
    *("model", "model-fields", "model-field", "computed-field", "dataclass", "dataclass-args", "dataclass-field"),
    *("typed-dict", "typed-dict-field", "definitions", "definition-ref", "union", "tagged-union"),
    *("no-info", "with-info", "default-value"),
}  # fmt: skip
#: ... and those of values that JSON writes in another form.
_WRITTEN = frozenset(
    {"date", "datetime", "time", "timedelta", "uuid", "decimal", "enum", "set", "frozenset", "tuple", "url"}
)  # fmt: skip
#: ... and settings.
_SETTINGS = (
    *("strip_whitespace", "to_lower", "to_upper"),
    *("str_strip_whitespace", "str_to_lower", "str_to_upper"),
    *("custom_init", "post_init"),
)


def schema_for(described: Any) -> tuple[dict[str, Any], Any]:
    """Returns the JSON Schema for a type, type hint or `pydantic.TypeAdapter`, and its `Judge`.

    >>> schema_for(list[int])
    ({'type': 'array', 'items': {'type': 'integer'}}, list[int])

    Raises:
        TypeError: if JSON has no form for the type.
    """
    if _is_adapter(described):
        return schema_by_pydantic(described), described
    if is_pydantic(described):
        adapter = _adapter(described)
        if adapter is not None:
            return _schema_by_pydantic(adapter), described
    if holds_struct(described):
        import msgspec

        return msgspec.json.schema(described), described
    return schema_of(described), described


class Judge:
    """Makes instances of a type, and reports its rejections.

    `quick` makes an instance of a plain value, or raises ValueError. It is None if a type may read
    JSON differently from the Python objects made from it. `rereads` says whether the type may
    change a conforming value, and `leaves_bounds` whether the schema must check bounds in
    annotations.

    >>> from typing import Annotated
    >>> import pydantic
    >>> judge = Judge(list[Annotated[str, pydantic.AfterValidator(str.title)]])
    >>> judge.full('["oslo"]', ["oslo"]), judge.rereads
    ((['Oslo'], []), True)
    >>> Judge(list[int]).full('["x"]', ["x"])[1][0][0]
    '$input[0]'
    """

    __slots__ = ("_by", "full", "leaves_bounds", "quick", "rereads")

    def __init__(self, of: Any, context: Any = None, strict: bool | None = None) -> None:
        adapter = of if _is_adapter(of) else _adapter(of)
        if adapter is not None:
            self._by: Any = _ByPydantic(adapter)
        elif holds_struct(of):
            self._by = _ByMsgspec(of)
        else:
            self._by = _ByHints(of)
        self._take(context, strict)

    def given(self, context: Any, strict: bool | None) -> Judge:
        """Returns the judge whose validators are passed these arguments."""
        other = Judge.__new__(Judge)
        other._by = self._by
        other._take(context, strict)
        return other

    def _take(self, context: Any, strict: bool | None) -> None:
        options = {"context": context, "strict": strict}
        options = {name: one for name, one in options.items() if one is not None}
        refused = options.keys() - self._by.options
        if refused:
            raise TypeError(f"{' and '.join(sorted(refused))}: the type is none that takes this")
        self.rereads: bool = self._by.rereads
        self.leaves_bounds = isinstance(self._by, _ByHints)
        self.quick: Callable[[Any], Any] | None = self._by.quick(options)
        #: Called with the JSON text of a value and the value; returns the instance and the
        #: problems: paths, expectations there, and whether these are sentences.
        self.full: Callable[[str, Any], tuple[Any, list[Rejection]]] = functools.partial(
            self._by.full, options
        )


class _ByPydantic:
    options = frozenset({"context", "strict"})

    def __init__(self, adapter: pydantic.TypeAdapter[Any]) -> None:
        self._validator = adapter.validator
        self._reads_alike, self.rereads, self._has_decimals = _traits(adapter.core_schema)

    def quick(self, options: dict[str, Any]) -> Callable[[Any], Any] | None:
        if self._has_decimals or not self._reads_alike or options.get("strict"):
            return None
        read = self._validator.validate_python
        return functools.partial(read, **options) if options else read

    def full(
        self, options: dict[str, Any], text: str, value: Any
    ) -> tuple[Any, list[Rejection]]:
        import pydantic

        def read(json: str) -> Any:
            return self._validator.validate_json(json, **options)

        try:
            made = read(text)
        except pydantic.ValidationError as error:
            return None, [(one["path"], one["expected"], True) for one in errors_of(error, value)]
        return _with_digits(text, made, read) if self._has_decimals else made, []


class _ByMsgspec:
    options = frozenset({"strict"})
    rereads = True

    def __init__(self, of: Any) -> None:
        import msgspec

        self._of = of
        self._module = msgspec

    def quick(self, options: dict[str, Any]) -> Callable[[Any], Any]:
        return functools.partial(self._module.convert, type=self._of, str_keys=True, **options)

    def full(
        self, options: dict[str, Any], text: str, value: Any
    ) -> tuple[Any, list[Rejection]]:
        try:
            return self.quick(options)(value), []
        except self._module.ValidationError as error:
            message, _, path = str(error).partition(" - at `")
            return None, [(path.rstrip("`").replace("$", "$input", 1) or "$input", message, True)]


class _ByHints:
    options = frozenset[str]()

    def __init__(self, of: Any) -> None:
        self._make = maker(of)
        changing = ("__attrs_attrs__", "__post_init__")
        self.rereads = any(hasattr(part.type, name) for part in parts_of(of) for name in changing)
        self._has_decimals = holds(of, decimal.Decimal)

    def quick(self, options: dict[str, Any]) -> Callable[[Any], Any] | None:
        return None if self._has_decimals else self._make

    def full(
        self, options: dict[str, Any], text: str, value: Any
    ) -> tuple[Any, list[Rejection]]:
        try:
            return self._make(_exact(text, value) if self._has_decimals else value), []
        except BuildError as error:
            return None, [(one["path"], one["expected"], False) for one in error.errors]
        except RecursionError:
            return None, [("$input", "a value that is nested less deeply", False)]


def _traits(core_schema: Any) -> tuple[bool, bool, bool]:
    """Returns whether pydantic reads Python objects as the JSON that they represent, whether it may
    change a conforming value, and whether it makes decimals.
    """
    kinds: set[Any] = set()
    is_strict = rereads = False
    parts: list[Any] = [core_schema]
    while parts:
        part = parts.pop()
        if is_object(part):
            kinds.add(part.get("type"))
            is_strict = is_strict or bool(part.get("strict"))
            is_first = (
                part.get("mode") == "left_to_right"
            )  # of a union, the first that takes a value
            if part.get("type") in _FUNCTIONS or is_first or any(map(part.get, _SETTINGS)):
                rereads = True
            written = ("serialization", "metadata")
            parts.extend(inner for name, inner in part.items() if name not in written)
        elif _is_listed(part):
            parts.extend(part)
    # A union takes the branch with the value's form, which differs for forms that JSON writes as
    # strings.
    known = _ALIKE if "union" in kinds else _ALIKE | _WRITTEN
    reads_alike = not is_strict and {kind for kind in kinds if isinstance(kind, str)} <= known
    return reads_alike, rereads, "decimal" in kinds


def reread(value: Any, made: Any, unfit: Iterable[str]) -> list[tuple[str, bool, str]]:
    """Returns the places where an instance differs from the value it was made from, such as `True`
    for the string `"1"`: the path, whether the value fits the type's schema there and keeps its
    kind, and the instance's content as JSON. A string for a date does not count, since JSON has no
    other form for it.

    `unfit` are the paths at which the value does not fit the type's schema.

    >>> reread({"ok": "1"}, {"ok": True}, ["$input.ok"])
    [('$input.ok', False, 'true')]
    """
    found: list[tuple[str, bool, str]] = []
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
        is_certain = not is_unfit and _kind(value) == _kind(made)
        found.append((path_of(steps), is_certain, _json_of(made)))
    return found


def errors_of(error: pydantic.ValidationError, value: Any) -> list[dict[str, str]]:
    """Returns pydantic's errors for a value, each place once per message."""
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
    """Yields the steps into a value and its instance, with the parts of both."""
    if is_array(value):
        if _is_listed(made) and len(made) == len(value):
            yield from zip(range(len(value)), value, made)
    elif is_object(value):
        if _is_mapping(made):
            # Keys may be numbers or dates in the instance.
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
    """Returns the attributes of a class by the member names that they are read from."""
    if hasattr(cls, "__struct_fields__"):
        return dict(zip(cls.__struct_encode_fields__, cls.__struct_fields__))
    if hasattr(cls, "_fields"):
        return {name: name for name in cls._fields}
    if hasattr(cls, "__attrs_attrs__"):
        return {field.alias: field.name for field in cls.__attrs_attrs__}
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
    """Returns the JSON kind of a value, if it is plain."""
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
        # A Decimal equals the nearest float.
        return bool(value == made) or (
            kind == "number" and float(value) == float(cast("Any", made))
        )
    except (OverflowError, ValueError):
        return False


def _stands_for(value: Any, made: Any) -> bool:
    """Returns whether a value is the JSON form of an instance that is not plain: a string for a
    date, a number for a duration, an object for a class.
    """
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


def _json_of(made: Any) -> str:
    """Returns the JSON of an instance."""
    if isinstance(made, decimal.Decimal):
        return str(made)
    if _kind(made) is None:
        if not _has_pydantic():
            return json.dumps(str(made))
        import pydantic_core

        made = pydantic_core.to_jsonable_python(made, fallback=str)
    return json.dumps(made, default=str)


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
        return schema_by_pydantic(adapter)
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
    """Returns the steps of a location that lead through the value; other steps name branches of
    unions.
    """
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


def _with_digits(text: str, made: Any, read: Callable[[str], Any]) -> Any:
    """Returns an instance whose decimals have all digits of the text that it was read from.

    pydantic converts each number to a float before it makes a decimal, but keeps the digits of a
    string. So numbers that became decimals are written as strings, and everything is read again.
    """
    exact = [_exact(text, None)]
    marked: list[tuple[Any, Any]] = []
    left: list[tuple[Any, Any, Any]] = [(exact, 0, made)]
    while left:
        holder, step, made_here = left.pop()
        while getattr(made_here.__class__, "__pydantic_root_model__", False):
            made_here = made_here.root
        value = holder[step]
        if isinstance(value, decimal.Decimal):
            if isinstance(made_here, decimal.Decimal) and str(value) != str(made_here):
                marked.append((holder, step))
        elif is_array(value) and _is_set(made_here):
            # An item's place in a set does not identify it, but its number does.
            by_number = {float(one): one for one in made_here if isinstance(one, decimal.Decimal)}
            left.extend(
                (value, number, by_number.get(float(one)))
                for number, one in enumerate(value)
                if isinstance(one, decimal.Decimal)
            )
        else:
            left.extend((value, inner, other) for inner, _, other in _parts(value, made_here))
    if not marked:
        return made
    for holder, step in marked:
        holder[step] = str(holder[step])
    try:
        again = read(json.dumps(exact[0], default=float))
    except ValueError:
        return made
    # A branch of a union may take the string for itself.
    return again if _is_same_kind(exact[0], made, again) else made


def _is_same_kind(value: Any, made: Any, again: Any) -> bool:
    """Returns whether two instances of a value consist of the same types."""
    left = [(value, made, again)]
    while left:
        value, made, again = left.pop()
        if made.__class__ is not again.__class__:
            return False
        pairs = zip(_parts(value, made), _parts(value, again))
        left.extend((one, first, second) for (_, one, first), (_, _, second) in pairs)
    return True


def _exact(text: str, value: Any) -> Any:
    """Returns the value with exact decimals."""
    try:
        return json.loads(text, parse_float=decimal.Decimal)
    except (ValueError, RecursionError):
        return value
