"""Asking a model until its reply conforms: the loop around the extension's state machine."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeGuard, cast, get_origin, overload

from ._llmjson import Parsed, Schema, Turn
from ._typed import errors_of
from ._typing import AnyPolicy, Described, Json, T, T_co, TypeForm

Message: TypeAlias = dict[str, Any]
#: The return type of `ask`: the text, or the text and why the model stopped (`stop`, `length`,
#: ...).
Reply: TypeAlias = "str | None | tuple[str | None, str | None]"
#: The return type of a check: nothing, or the problems, optionally with their places.
Verdict: TypeAlias = "str | Iterable[tuple[str, str]] | bool | None"
Check: TypeAlias = "Callable[[T], Verdict]"

_REFUSED = "a value that passes the check"


@dataclass(frozen=True, slots=True)
class Answer(Generic[T_co]):
    """The result of a conversation.

    `value` is plain, `typed` the instance of the schema's type (the same as `value` if there is
    none), `parsed` the result for the last reply, `attempts` the number of replies, and `messages`
    those sent for the last of them.
    """

    value: Any
    typed: T_co
    parsed: Parsed[T_co]
    attempts: int
    messages: tuple[Message, ...]


@overload
def retry(
    ask: Callable[[list[Message]], Awaitable[Reply]],
    messages: str | Iterable[Message] | None,
    schema: Json,
    *,
    max_retries: int = 2,
    checks: Iterable[Check[Any]] = (),
    policy: AnyPolicy = "lenient",
    schema_in: Literal["feedback", "prompt"] | None = None,
    allow_truncated: bool = False,
) -> Awaitable[Answer[Any]]: ...


@overload
def retry(
    ask: Callable[[list[Message]], Reply],
    messages: str | Iterable[Message] | None,
    schema: Json,
    *,
    max_retries: int = 2,
    checks: Iterable[Check[Any]] = (),
    policy: AnyPolicy = "lenient",
    schema_in: Literal["feedback", "prompt"] | None = None,
    allow_truncated: bool = False,
) -> Answer[Any]: ...


@overload
def retry(
    ask: Callable[[list[Message]], Awaitable[Reply]],
    messages: str | Iterable[Message] | None,
    schema: Described[T],
    *,
    max_retries: int = 2,
    checks: Iterable[Check[T]] = (),
    policy: AnyPolicy = "lenient",
    schema_in: Literal["feedback", "prompt"] | None = None,
    allow_truncated: bool = False,
    context: Any = None,
    strict: bool | None = None,
) -> Awaitable[Answer[T]]: ...


@overload
def retry(
    ask: Callable[[list[Message]], Reply],
    messages: str | Iterable[Message] | None,
    schema: Described[T],
    *,
    max_retries: int = 2,
    checks: Iterable[Check[T]] = (),
    policy: AnyPolicy = "lenient",
    schema_in: Literal["feedback", "prompt"] | None = None,
    allow_truncated: bool = False,
    context: Any = None,
    strict: bool | None = None,
) -> Answer[T]: ...


@overload
def retry(
    ask: Callable[[list[Message]], Awaitable[Reply]],
    messages: str | Iterable[Message] | None,
    schema: TypeForm[T],
    *,
    max_retries: int = 2,
    checks: Iterable[Check[T]] = (),
    policy: AnyPolicy = "lenient",
    schema_in: Literal["feedback", "prompt"] | None = None,
    allow_truncated: bool = False,
    context: Any = None,
    strict: bool | None = None,
) -> Awaitable[Answer[T]]: ...


@overload
def retry(
    ask: Callable[[list[Message]], Reply],
    messages: str | Iterable[Message] | None,
    schema: TypeForm[T],
    *,
    max_retries: int = 2,
    checks: Iterable[Check[T]] = (),
    policy: AnyPolicy = "lenient",
    schema_in: Literal["feedback", "prompt"] | None = None,
    allow_truncated: bool = False,
    context: Any = None,
    strict: bool | None = None,
) -> Answer[T]: ...


def retry(
    ask: Callable[[list[Message]], Any],
    messages: str | Iterable[Message] | None,
    schema: Any,
    *,
    max_retries: int = 2,
    checks: Iterable[Check[Any]] = (),
    policy: AnyPolicy = "lenient",
    schema_in: Literal["feedback", "prompt"] | None = None,
    allow_truncated: bool = False,
    context: Any = None,
    strict: bool | None = None,
) -> Answer[Any] | Awaitable[Answer[Any]]:
    """Asks a model until its reply conforms to the schema, at most `1 + max_retries` times.

    `ask` gets the messages, as dicts with `role` and `content`, and returns the text of the reply,
    or the text and the finish reason. If it is a coroutine function or returns an awaitable,
    `retry` returns an awaitable too. Its exceptions are passed on.

    `messages` is a list of messages, a string as the only user message, or None. `schema_in` says
    where the model sees the schema: `prompt` adds it to the messages (the default without
    messages), `feedback` includes it in the feedback on a reply that does not conform. If a reply
    is truncated, the model is asked again unless `allow_truncated` is set.

    Each of the `checks` gets the instance of the schema's type, or the plain value, of a conforming
    reply. It rejects the reply by raising ValueError, or by returning a message, pairs of a path
    and a message (`city`, `/guests/0` or `$input.guests[0]`), or False. pydantic's rejections are
    reported in the same way; `context` and `strict` are passed to its validators.

    >>> from llmjson import retry
    >>> replies = iter(["{city: 'Atlantis'}", "{city: 'Oslo'}"])
    >>> def known(trip):
    ...     return [("city", "there is no such city")] if trip["city"] == "Atlantis" else None
    >>> schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    >>> answer = retry(lambda messages: next(replies), "Where to?", schema, checks=[known])
    >>> answer.value, answer.attempts
    ({'city': 'Oslo'}, 2)
    >>> print(answer.messages[-1]["content"].splitlines()[4])
      "city": "Atlantis" // ❌ [{"path":"$input.city","expected":"there is no such city"}]

    Raises:
        RetryError: if no reply could be used.
        TypeError: if the schema stands before the messages.
        SchemaError: if the schema cannot be used.
    """
    if _is_schema(messages) or isinstance(schema, (list, tuple)):
        raise TypeError("retry(ask, messages, schema): the schema comes last, after the messages")
    compiled: Schema[Any] = Schema(schema, context=context, strict=strict)
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    turn = Turn(
        compiled,
        [dict(message) for message in messages or ()],
        max_retries=max_retries,
        policy=policy,
        check=_check(tuple(checks)),
        schema_in=schema_in or ("prompt" if messages is None else "feedback"),
        allow_truncated=allow_truncated,
    )
    if any(map(inspect.iscoroutinefunction, (ask, type(ask).__call__))):
        return _run_async(turn, ask, None)
    while True:
        sent = turn.messages
        reply = ask(_copied(sent))
        if inspect.isawaitable(reply):
            return _run_async(turn, ask, reply)
        parsed = _fed(turn, reply)
        if parsed is not None:
            return _answer(parsed, turn, sent)


def _is_schema(messages: Any) -> bool:
    """Returns whether a schema was passed in place of the messages."""
    if messages is None or isinstance(messages, str):
        return False
    described = (type, Mapping, Schema)
    is_hint = isinstance(messages, described) or get_origin(messages) is not None
    return is_hint or not isinstance(messages, Iterable)


async def _run_async(
    turn: Turn, ask: Callable[[list[Message]], Any], reply: Awaitable[Any] | None
) -> Answer[Any]:
    """Runs the loop with an asynchronous `ask`; `reply` is its first answer if it was already
    called.
    """
    while True:
        sent = turn.messages
        parsed = _fed(turn, await (reply if reply is not None else ask(_copied(sent))))
        if parsed is not None:
            return _answer(parsed, turn, sent)
        reply = None


def _copied(messages: list[Message]) -> list[Message]:
    return [dict(message) for message in messages]


def _fed(turn: Turn, reply: Any) -> Parsed[Any] | None:
    finish_reason: str | None = None
    if _is_pair(reply):
        reply, finish_reason = reply
    if reply is not None and not isinstance(reply, str):
        kind = type(reply).__name__
        raise TypeError(f"ask returns str, or a pair of str and finish reason, not {kind}")
    return turn.feed(reply or "", finish_reason=finish_reason)


def _is_pair(reply: Any) -> TypeGuard[tuple[Any, Any]]:
    return isinstance(reply, tuple)


def _answer(parsed: Parsed[Any], turn: Turn, sent: list[Message]) -> Answer[Any]:
    return Answer(parsed.value, parsed.typed, parsed, turn.attempts, tuple(sent))


def _check(checks: tuple[Check[Any], ...]) -> Callable[[Parsed[Any]], list[tuple[str, str]]] | None:
    """Returns the check for a conforming reply; None if there is nothing to check."""
    for check in checks:
        if inspect.iscoroutinefunction(check):
            raise TypeError(f"a check cannot be a coroutine function: {check!r}")
    if not checks:
        return None
    return lambda parsed: [found for check in checks for found in _refusals(check, parsed)]


def _refusals(check: Check[Any], parsed: Parsed[Any]) -> list[tuple[str, str]]:
    try:
        verdict = check(parsed.typed)
    except (ValueError, AssertionError) as error:
        if hasattr(error, "errors") and type(error).__module__.startswith("pydantic"):
            return [(one["path"], one["expected"]) for one in errors_of(cast("Any", error), parsed.value)]
        return [("", str(error) or _REFUSED)]
    if isinstance(verdict, str):
        return [("", verdict or _REFUSED)]
    if isinstance(verdict, bool) or verdict is None:
        return [("", _REFUSED)] if verdict is False else []
    return [(path, message) for path, message in verdict]
