"""Functions as tools: the contract stated by a signature and its docstring, and calls that follow
it.
"""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any, TypeGuard, cast

from ._build import BuildError, build
from ._docstring import Docstring
from ._schema import About, Writer
from ._types import MISSING, Member, hints_of, is_typed_dict, members, name_of


def tool_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Returns the name, the description and the input schema of a function as a tool.

    The description is the first paragraph of the docstring, and parameter descriptions come from
    `Annotated` or from the docstring. Parameters with a default are optional. `**kwargs` allow
    further members; `*args`, `self`, `cls` and arguments supplied by `functools.partial` are left
    out.

    >>> def add(a: int, b: int = 0) -> int:
    ...     '''Adds two numbers.
    ...
    ...     Args:
    ...         a: The first number.
    ...     '''
    ...     return a + b
    >>> tool = tool_of(add)
    >>> tool["name"], tool["description"]
    ('add', 'Adds two numbers.')
    >>> tool["input_schema"]["properties"]["a"]
    {'type': 'integer', 'description': 'The first number.'}

    Raises:
        TypeError: if the type of a parameter has no form in JSON.
    """
    inner, text = _unwrapped(function)
    name = cast("str", getattr(inner, "__name__", type(inner).__name__))
    told = Docstring.read(text)
    writer = Writer()
    properties: dict[str, Any] = {}
    required: list[str] = []
    extra: Any = False
    for parameter in _parameters(function, told):
        if parameter.name == "**":
            extra = True if parameter.hint is Any else writer.write(parameter.hint)
            continue
        with About(f"{name}({parameter.name})"):
            properties[parameter.name] = writer.member(parameter)
        if parameter.required:
            required.append(parameter.name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = extra
    tool: dict[str, Any] = {"name": name, "input_schema": writer.finish(schema)}
    if told.summary:
        tool["description"] = told.summary
    return tool


def arguments_of(
    function: Callable[..., Any], values: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Returns the positional and named arguments for calling a function, made from JSON values.

    >>> import datetime
    >>> def day(at: datetime.date, /, *, name: str = "") -> None: ...
    >>> arguments_of(day, {"at": "2024-05-01", "name": "May"})
    ([datetime.date(2024, 5, 1)], {'name': 'May'})

    Raises:
        BuildError: if a value cannot be read into the type of its parameter.
    """
    left = dict(values)
    positional: list[Any] = []
    named: dict[str, Any] = {}
    errors: list[dict[str, str]] = []
    positional_only = {
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY
    }

    def made(hint: Any, name: str) -> Any:
        try:
            return build(hint, left.pop(name), at=(name,))
        except BuildError as error:
            errors.extend(error.errors)
            return None

    for parameter in _parameters(function, Docstring("", {})):
        if parameter.name == "**":
            named.update({name: made(parameter.hint, name) for name in list(left)})
        elif parameter.name in positional_only:
            if parameter.name in left:
                positional.append(made(parameter.hint, parameter.name))
            elif parameter.default is not MISSING:
                positional.append(parameter.default)
        elif parameter.name in left:
            named[parameter.name] = made(parameter.hint, parameter.name)
    if errors:
        raise BuildError(errors)
    return positional, named


def call(function: Callable[..., Any], values: dict[str, Any]) -> Any:
    """Calls a function with JSON values as arguments, each converted to an instance of its type.

    >>> import datetime
    >>> def weekday(at: datetime.date) -> int:
    ...     return at.isoweekday()
    >>> call(weekday, {"at": "2024-05-01"})
    3

    Raises:
        BuildError: if a value cannot be read into the type of its parameter.
    """
    positional, named = arguments_of(function, values)
    return function(*positional, **named)


def _unwrapped(function: Any) -> tuple[Any, str | None]:
    """Returns the function inside partial objects, or the callable object, and its docstring."""
    while _is_partial(function):
        function = function.func
    if inspect.isroutine(function) or isinstance(function, type):
        return function, function.__doc__
    return function, type(function).__call__.__doc__ or type(function).__doc__


def _is_partial(function: Any) -> TypeGuard[functools.partial[Any]]:
    return isinstance(function, functools.partial)


def _parameters(function: Callable[..., Any], told: Docstring) -> list[Member]:
    """Returns the parameters that can be passed by name; `**kwargs` have the name `**`."""
    inner = _unwrapped(function)[0]
    holder: Any = inner
    if isinstance(inner, type):
        holder = cast("Any", inner).__init__
    elif not inspect.isroutine(inner):
        holder = type(inner).__call__
    holder = inspect.unwrap(getattr(holder, "__func__", holder))
    annotations = {
        key: hint for key, hint in getattr(holder, "__annotations__", {}).items() if key != "return"
    }
    names = types.SimpleNamespace(
        __annotations__=annotations, __globals__=getattr(holder, "__globals__", {})
    )
    hints = hints_of(names, {}, name_of(inner) if isinstance(inner, type) else str(inner))
    supplied: set[str] = set()
    if _is_partial(function):
        supplied.update(function.keywords)
    found: list[Member] = []
    for at, (name, parameter) in enumerate(inspect.signature(function).parameters.items()):
        hint = hints.get(name, Any)
        is_receiver = at == 0 and name in ("self", "cls") and name not in hints
        if is_receiver or name in supplied or parameter.kind is parameter.VAR_POSITIONAL:
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            found.extend(_open_parameters(hint))
            continue
        default = MISSING if parameter.default is parameter.empty else parameter.default
        found.append(Member(name, hint, default is MISSING, default, told.parameters.get(name)))
    return found


def _open_parameters(hint: Any) -> tuple[Member, ...]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if args and getattr(origin, "_name", None) == "Unpack" and is_typed_dict(args[0]):
        return members(args[0])
    return (Member("**", hint, False, MISSING, None),)
