"""Tools that a model calls: their contracts, and the arguments of calls."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, cast, overload

from ._errors import BindError
from ._llmjson import Binding, CallStream, FoundCall, Registry, calls_html, parse
from ._records import Certainty, Issue
from ._schemas import compiled
from ._typing import AnyPolicy, T, T_co, Text

if TYPE_CHECKING:
    from typing import TypeVar

    from ._llmjson import _FoundCalls  # pyright: ignore[reportPrivateUsage]

    R1 = TypeVar("R1")
    R2 = TypeVar("R2")
    R3 = TypeVar("R3")

#: The name of a call, its arguments, and why the model stopped.
_Called = tuple[str, Text, str | None]


#: Represents the result of calling the function.
_CALLED: Any = object()


class Bound(Generic[T_co]):
    """The result of reading a tool call: its arguments, or feedback for the model.

    `arguments` are the best interpretation even if `ok` is false; `call()` runs the function only
    if it is true.
    """

    def __init__(self, tools: Tools[Any], binding: Binding, called: _Called) -> None:
        self._tools = tools
        self._binding = binding
        self._called = called
        self._function = tools._functions.get(binding.name)  # pyright: ignore[reportPrivateUsage]
        self.name = binding.name
        self.ok = binding.ok
        self.complete = binding.complete
        self.certainty: Certainty | None = binding.certainty
        self.arguments: Any = binding.arguments

    @property
    def issues(self) -> tuple[Issue, ...]:
        """The problems with the arguments, as reported to the model."""
        return tuple(
            Issue(
                code=one["code"],
                path=one["path"],
                message=one["message"],
                expected=one["expected"],
                received=one["received"],
                candidates=tuple(one["candidates"]),
                suggestion=one["suggestion"],
                retryable=one["retryable"],
            )
            for one in self._binding.issues
        )

    @property
    def fields(self) -> list[dict[str, Any]]:
        """The origin of each parameter: the member of the arguments that it came from, and the
        changes.
        """
        return self._binding.fields

    def to_json(self) -> str | None:
        """Returns the arguments as JSON; None if there are none."""
        return self._binding.to_json()

    def feedback(self) -> str:
        """Returns feedback for the model: the arguments with each error marked."""
        return self._binding.explain()

    def result(self) -> dict[str, Any]:
        """Returns the arguments if they are `ok`, and otherwise raises BindError."""
        if not self.ok:
            raise BindError(str(self._binding), self)
        arguments: dict[str, Any] = self.arguments
        return arguments

    def call(self) -> T_co:
        """Runs the function with its arguments, converted to instances of the annotated types.

        Raises BindError if they do not conform. A coroutine function returns its coroutine.
        """
        arguments = self.result()
        if self._function is None:
            raise TypeError(f"the tool {self.name!r} was not made from a function")
        if isinstance(self._function, type):
            made: T_co = self._instance(self._function)
            return made
        from ._hints import BuildError, arguments_of

        try:
            positional, named = arguments_of(self._function, arguments)
        except BuildError as error:
            raise BindError(
                f"the arguments of {self.name!r} cannot be used: {error}", self
            ) from error
        result: T_co = self._function(*positional, **named)
        return result

    def _instance(self, of: type[Any]) -> Any:
        judge: Any = compiled(of)._judge  # pyright: ignore[reportPrivateUsage]
        made, errors = judge(self.to_json() or "{}", self.arguments)
        if errors:
            wrong = "; ".join(f"{path}: {expected}" for path, expected, _ in errors)
            raise BindError(f"the arguments of {self.name!r} cannot be used: {wrong}", self)
        return made

    def to_openai_message(self, call_id: str, result: Any = _CALLED) -> dict[str, Any]:
        """Returns the message for OpenAI's chat completions: the result, or the feedback.

        Without a result, the function is called, here and in the other formats. Rejections by the
        types of its parameters become feedback too.
        """
        content, _ = self._answer(result)
        return {"role": "tool", "tool_call_id": call_id, "content": content}

    def to_anthropic_block(self, tool_use_id: str, result: Any = _CALLED) -> dict[str, Any]:
        """Returns the `tool_result` block for Anthropic's messages: the result, or the feedback."""
        content, is_result = self._answer(result)
        block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": content}
        return block if is_result else {**block, "is_error": True}

    def to_mcp_result(self, result: Any = _CALLED) -> dict[str, Any]:
        """Returns the result of `tools/call` in MCP: the result, or the feedback."""
        content, is_result = self._answer(result)
        return {"content": [{"type": "text", "text": content}], "isError": not is_result}

    def _answer(self, result: Any) -> tuple[str, bool]:
        """Returns the text for the model, and whether it is a result."""
        if not self.ok:
            return self.feedback(), False
        if result is _CALLED:
            try:
                result = self.call()
            except BindError as error:
                if error.bound is not self:
                    raise
                return str(error), False
        if inspect.iscoroutine(result):
            result.close()
            raise TypeError(
                f"the tool {self.name!r} is asynchronous: await its call, and pass the result"
            )
        return _text_of(result), True

    def _repr_html_(self) -> str:
        return self._binding.html()

    def __reduce__(self) -> tuple[Any, ...]:
        name, arguments, finish_reason = self._called
        text = arguments if isinstance(arguments, str) else bytes(arguments)
        return _bound, (self._tools, name, text, finish_reason)

    def __repr__(self) -> str:
        if self.ok:
            return f"Bound({self.name!r}, {self.arguments!r}, ok, {self.certainty})"
        return f"Bound({self.name!r}, not ok: {self._binding})"


@dataclass(frozen=True, slots=True)
class TextCall(Generic[T_co]):
    """A tool call found in a text. `start` and `end` index the text."""

    name: str
    arguments: Any
    id: str | None
    start: int
    end: int
    family: str
    certainty: Certainty
    complete: bool
    ok: bool
    bound: Bound[T_co] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A change to a call in a streamed text.

    `call` is its index among all announced calls, `text` its tool's name if it is `started`, a
    piece of its `arguments` as JSON, else None. It is `finished` when its end has been read:
    `complete` is False if it was truncated or turned out not to be a call. Run it only if it is
    `ok`; otherwise `reason` says why not. `arguments` are the bound ones as JSON, if they are
    another value than the joined pieces. A complete call is `superseded` if an unopened `</think>`
    shows that it was a draft.
    """

    kind: Literal["started", "arguments", "finished", "superseded"]
    call: int
    text: str | None = None
    complete: bool | None = None
    ok: bool | None = None
    reason: str | None = None
    arguments: str | None = None


@dataclass(frozen=True, slots=True)
class NotRun:
    """Text that has the form of a call but is not one.

    `reason` says why: it is in a `fence`, in `code`, in a `thought` and so on, or its `result`
    follows it. `arguments` are JSON as the model wrote it.
    """

    name: str
    arguments: str
    start: int
    end: int
    family: str
    reason: str


@dataclass(frozen=True, slots=True)
class TextCalls(Generic[T_co]):
    """The calls of a text, the text around them, and the reasoning between tags.

    `events` are the last events of a stream. `not_run` lists text that has the form of a call but
    is only quoted. `unsearched` is the part of the text that was not searched for calls because the
    work limit was reached; None except for texts built to cause excessive work.
    """

    calls: tuple[TextCall[T_co], ...]
    content: str
    reasoning: str
    events: tuple[CallEvent, ...] = ()
    not_run: tuple[NotRun, ...] = ()
    unsearched: tuple[int, int] | None = None

    def _repr_html_(self) -> str:
        shown = [
            (_told(call), call.bound._binding if call.bound else None)  # pyright: ignore[reportPrivateUsage]
            for call in self.calls
        ]
        return calls_html(self.content, shown)


class TextCallStream(Generic[T_co]):
    """Finds the calls in streamed text: `Tools.stream` makes one.

    Pieces are str or bytes; bytes may end inside a character.
    """

    def __init__(self, tools: Tools[T_co], inner: CallStream) -> None:
        self._tools, self._inner = tools, inner

    def push(self, piece: Text) -> tuple[CallEvent, ...]:
        """Takes the next piece, and returns the changes. Raises ValueError after the end."""
        return tuple(CallEvent(*change) for change in self._inner.push(piece))

    def finish(self) -> TextCalls[T_co]:
        """Ends the text, and binds its calls."""
        changes, found = self._inner.finish()
        events = tuple(CallEvent(*change) for change in changes)
        return self._tools._all_found(found, events)  # pyright: ignore[reportPrivateUsage]


class Tools(Generic[T_co]):
    """The tools that a model may call.

    Each is a function with type hints, described by its docstring, a type such as a pydantic model,
    of which `call()` makes instances, or a tool in the format of OpenAI, Anthropic, Google or MCP
    (a dict, or an object with `model_dump`).

    >>> from llmjson import Tools
    >>> def weather(city: str, days: int = 1) -> str:
    ...     "Forecasts the weather."
    ...     return f"{city}: sun for {days} days"
    >>> tools = Tools(weather)
    >>> bound = tools.bind("weather", '{"City": "Oslo", "days": "3"')
    >>> bound.ok, bound.issues[0].code
    (False, 'truncated')
    >>> tools.bind("weather", '{"City": "Oslo", "days": "3"}').call()
    'Oslo: sun for 3 days'
    """

    # `call()` returns the type of one of the functions; three are distinguished.
    @overload
    def __init__(
        self: Tools[R1], tool: Callable[..., R1], /, *, policy: AnyPolicy = "tool"
    ) -> None: ...
    @overload
    def __init__(
        self: Tools[R1 | R2],
        one: Callable[..., R1],
        two: Callable[..., R2],
        /,
        *,
        policy: AnyPolicy = "tool",
    ) -> None: ...
    @overload
    def __init__(
        self: Tools[R1 | R2 | R3],
        one: Callable[..., R1],
        two: Callable[..., R2],
        three: Callable[..., R3],
        /,
        *,
        policy: AnyPolicy = "tool",
    ) -> None: ...
    @overload
    def __init__(self: Tools[Any], *tools: Any, policy: AnyPolicy = "tool") -> None: ...
    def __init__(self, *tools: Any, policy: AnyPolicy = "tool") -> None:
        listed: list[Any] = []
        self._given, self._policy = tools, policy
        self._functions: dict[str, Callable[..., Any]] = {}
        for tool in _flat(tools):
            if isinstance(tool, Mapping):
                listed.append(dict(cast(Mapping[str, Any], tool)))
            elif hasattr(tool, "model_dump") and not isinstance(tool, type):
                listed.append(tool.model_dump(mode="json", by_alias=True, exclude_none=True))
            elif callable(tool):
                described = _tool_of(tool)
                self._functions[described["name"]] = tool
                listed.append(described)
            else:
                kinds = "a function, a type, a dict or an object of MCP"
                raise TypeError(f"a tool is {kinds}, not {tool!r}")
        self._registry = Registry(json.dumps(listed, ensure_ascii=False), policy=policy)
        if listed and not self.names:  # such as a dict of tools by their names
            raise TypeError("there is no tool in what was given: tools are listed, with their names in them")

    @property
    def names(self) -> list[str]:
        """The names of the tools."""
        return self._registry.names

    def schemas(self, target: str | None = None) -> list[dict[str, Any]]:
        """Returns the tools in a provider's format.

        `target` is `openai`, `openai_strict`, `anthropic`, `gemini_openapi`, `gemini_json` or
        `mcp`. For `openai` the schemas are unchanged; for the others they are rewritten in the
        provider's dialect. Without a target, the format is MCP's, and the schemas are unchanged.
        """
        return [_described(self._registry, name, target) for name in self.names]

    @overload
    def bind(
        self, name: str, arguments: Text | Mapping[str, Any], *, finish_reason: str | None = None
    ) -> Bound[T_co]: ...
    @overload
    def bind(
        self,
        name: Callable[..., T],
        arguments: Text | Mapping[str, Any],
        *,
        finish_reason: str | None = None,
    ) -> Bound[T]: ...
    def bind(
        self,
        name: str | Callable[..., Any],
        arguments: Text | Mapping[str, Any],
        *,
        finish_reason: str | None = None,
    ) -> Bound[Any]:
        """Reads the arguments of a call; an unknown tool name is also reported in the result.

        You can pass the function itself instead of its name: the result of `call()` then has its
        type.
        """
        if not isinstance(name, str):
            name = self._name_of(name)
        text = json.dumps(arguments) if isinstance(arguments, Mapping) else arguments
        binding = self._registry.bind(name, text, finish_reason=finish_reason)
        return Bound(self, binding, (name, text, finish_reason))

    def calls_in(self, text: Text, *, family: str | Iterable[str] | None = None) -> TextCalls[T_co]:
        """Finds the calls that a model wrote into its text, in the formats of about thirty
        families.

        With families or models named, only calls in their formats are found.

        >>> from llmjson import Tools
        >>> tools = Tools({"name": "weather", "inputSchema": {"properties": {"city": {}}}})
        >>> found = tools.calls_in('<tool_call>{"name": "weather", "arguments": {"city": "Oslo"}}</tool_call>')
        >>> found.calls[0].name, found.calls[0].arguments
        ('weather', {'city': 'Oslo'})
        """
        return self._all_found(self._registry.calls_in(text, family=_families(family)))

    def stream(self, *, family: str | Iterable[str] | None = None) -> TextCallStream[T_co]:
        """Finds calls in streamed text: each is announced once its name is known.

        >>> from llmjson import Tools
        >>> tools = Tools({"name": "weather", "inputSchema": {"properties": {"city": {"type": "string"}}}})
        >>> stream = tools.stream()
        >>> for event in stream.push("<tool_call><function=weather><parameter=city>Osl"):
        ...     print(event.kind, event.text)
        started weather
        arguments {"city":"Osl
        >>> event = stream.push("o</parameter></function>")[-1]
        >>> event.kind, event.complete, event.ok
        ('finished', True, True)
        >>> stream.finish().calls[0].arguments
        {'city': 'Oslo'}
        """
        return TextCallStream(self, self._registry.stream(family=_families(family)))

    def _name_of(self, tool: Callable[..., Any]) -> str:
        for name, function in self._functions.items():
            if function is tool or function == tool:
                return name
        raise ValueError(f"{tool!r} is none of the tools")

    def _all_found(self, found: _FoundCalls, events: tuple[CallEvent, ...] = ()) -> TextCalls[T_co]:
        calls, content, reasoning, not_run, unsearched = found
        made = tuple(self._found(call) for call in calls)
        shown = tuple(NotRun(*one) for one in not_run)
        return TextCalls(made, content, reasoning, events, shown, unsearched)

    def _found(self, call: FoundCall) -> TextCall[T_co]:
        binding = call.binding
        bound: Bound[T_co] | None = None
        if binding is not None:
            bound = Bound(self, binding, (call.name, call.arguments, None))
        return TextCall(
            name=call.name,
            arguments=parse(call.arguments).value,
            id=call.id,
            start=call.start,
            end=call.end,
            family=call.family,
            certainty=call.certainty,
            complete=call.complete,
            ok=call.ok,
            bound=bound,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _tools, (self._given, self._policy)

    def __repr__(self) -> str:
        return f"Tools({', '.join(self.names)})"


@overload
def bind(
    tool: Tools[T], arguments: Text | Mapping[str, Any], *, policy: AnyPolicy = "tool"
) -> Bound[T]: ...
@overload
def bind(
    tool: Callable[..., T], arguments: Text | Mapping[str, Any], *, policy: AnyPolicy = "tool"
) -> Bound[T]: ...
@overload
def bind(
    tool: Any, arguments: Text | Mapping[str, Any], *, policy: AnyPolicy = "tool"
) -> Bound[Any]: ...
def bind(
    tool: Any, arguments: Text | Mapping[str, Any], *, policy: AnyPolicy = "tool"
) -> Bound[Any]:
    """Reads the arguments of a call to one tool, such as a function with type hints.

    >>> import llmjson
    >>> def add(a: int, b: int) -> int:
    ...     return a + b
    >>> llmjson.bind(add, "{a: '1', b: 2}").call()
    3
    """
    tools = _tools_of(tool, policy)
    if len(tools.names) != 1:
        raise ValueError(
            f"bind takes one tool, not {len(tools.names)}: use Tools(...).bind(name, ...)"
        )
    return tools.bind(tools.names[0], arguments)


@overload
def calls_in(
    text: Text, tools: Tools[T], *, family: str | Iterable[str] | None = None
) -> TextCalls[T]: ...
@overload
def calls_in(
    text: Text, tools: Any = (), *, family: str | Iterable[str] | None = None
) -> TextCalls[Any]: ...
def calls_in(
    text: Text, tools: Any = (), *, family: str | Iterable[str] | None = None
) -> TextCalls[Any]:
    """Finds the calls that a model wrote into its text. Without tools, finds calls of any name."""
    return _tools_of(tools).calls_in(text, family=family)


def _tools_of(given: Any, policy: AnyPolicy = "tool") -> Tools[Any]:
    return cast("Any", given) if isinstance(given, Tools) else Tools(given, policy=policy)


def _families(given: str | Iterable[str] | None) -> list[str] | None:
    if given is None:
        return None
    return [given] if isinstance(given, str) else list(given)


def _tools(given: tuple[Any, ...], policy: AnyPolicy) -> Tools[Any]:
    return Tools(*given, policy=policy)


def _bound(tools: Tools[T], name: str, arguments: Text, finish_reason: str | None) -> Bound[T]:
    return tools.bind(name, arguments, finish_reason=finish_reason)


def _flat(tools: Iterable[Any]) -> Iterable[Any]:
    for tool in tools:
        if isinstance(tool, (list, tuple)):
            yield from _flat(cast(Iterable[Any], tool))
        else:
            yield tool


def _tool_of(tool: Callable[..., Any]) -> dict[str, Any]:
    if not isinstance(tool, type):
        from ._hints import tool_of

        return tool_of(tool)
    from ._typed import schema_for

    schema, _ = schema_for(tool)
    described: dict[str, Any] = {"name": tool.__name__, "inputSchema": schema}
    if "description" in schema:
        described["description"] = schema["description"]
    return described


def _described(registry: Registry, name: str, target: str | None) -> dict[str, Any]:
    dialect = None if target == "openai" else target
    description, schema = registry.describe(name, dialect)
    described = {"name": name, "description": description}
    match target:
        case "openai":
            return {"type": "function", "function": {**described, "parameters": schema}}
        case "openai_strict":
            function = {**described, "parameters": schema, "strict": True}
            return {"type": "function", "function": function}
        case "anthropic":
            return {**described, "input_schema": schema}
        case "gemini_openapi":
            return {**described, "parameters": schema}
        case "gemini_json":
            return {**described, "parametersJsonSchema": schema}
        case _:
            return {**described, "inputSchema": schema}


def _told(call: TextCall[Any]) -> str:
    outcome = "ok" if call.ok else "not ok"
    return f"{call.start}..{call.end} ({call.family}, {call.certainty}, {outcome})"


def _text_of(result: Any) -> str:
    if isinstance(result, str):
        return result
    if hasattr(result, "model_dump_json"):
        return str(result.model_dump_json())
    return json.dumps(result, ensure_ascii=False, default=str)
