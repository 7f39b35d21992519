"""Asking a model until its reply fits."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from llmjson import ParseError, RetryError, Schema, SchemaError, retry

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
    "required": ["city", "days"],
}
GOOD = "Sure: {city: 'Oslo', days: '3'}"
BAD = "{city: 'Oslo', days: 0}"
ASKED = [{"role": "system", "content": "Be terse."}, {"role": "user", "content": "Where to?"}]


@dataclasses.dataclass
class Trip:
    city: str
    days: int

    def __post_init__(self) -> None:
        if self.city == "Atlantis":
            raise ValueError("there is no such city")


class Model:
    """Gives the replies, and remembers what it was sent."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.sent: list[list[dict[str, Any]]] = []

    def __call__(self, messages: list[dict[str, Any]]) -> Any:
        self.sent.append(messages)
        return self.replies.pop(0)


class AsyncModel(Model):
    async def __call__(self, messages: list[dict[str, Any]]) -> Any:
        await asyncio.sleep(0)
        return super().__call__(messages)


def test_a_reply_that_fits() -> None:
    model = Model(GOOD)
    answer = retry(model, ASKED, SCHEMA)
    assert answer.value == answer.typed == {"city": "Oslo", "days": 3}
    assert (answer.attempts, answer.messages, model.sent) == (1, tuple(ASKED), [ASKED])
    assert answer.parsed.coercions[0].path == "$input.days"


def test_feedback_follows_the_reply() -> None:
    model = Model(BAD, GOOD)
    answer = retry(model, ASKED, SCHEMA)
    assert (answer.attempts, len(model.sent)) == (2, 2)
    assert model.sent[1][:2] == ASKED
    reply, feedback = model.sent[1][2:]
    assert reply == {"role": "assistant", "content": BAD}
    assert feedback["role"] == "user"
    assert '"days": 0 // ❌ [{"path":"$input.days"' in feedback["content"]
    assert answer.messages == tuple(model.sent[1])


def test_no_reply_fits() -> None:
    model = Model(BAD, "no", BAD)
    with pytest.raises(RetryError) as caught:
        retry(model, ASKED, SCHEMA)
    assert (caught.value.attempts, caught.value.reply, len(model.sent)) == (3, BAD, 3)
    assert "$input.days" in caught.value.feedback()
    assert isinstance(caught.value, ValueError)
    with pytest.raises(RetryError):
        retry(Model(BAD), ASKED, SCHEMA, max_retries=0)


def test_without_messages_the_schema_is_told() -> None:
    model = Model(GOOD)
    retry(model, None, SCHEMA)
    assert [message["role"] for message in model.sent[0]] == ["system"]
    assert '"minimum"' in model.sent[0][0]["content"]


def test_a_text_is_the_message_of_the_user() -> None:
    model = Model(GOOD, GOOD)
    retry(model, "Where to?", SCHEMA)
    assert model.sent[0] == [{"role": "user", "content": "Where to?"}]
    retry(model, "Where to?", SCHEMA, schema_in="prompt")
    assert [message["role"] for message in model.sent[1]] == ["system", "user"]


def test_types_give_instances() -> None:
    answer = retry(Model("{city: 'Oslo', days: '3'}"), "Where to?", Trip)
    assert answer.typed == Trip("Oslo", 3)
    assert answer.value == {"city": "Oslo", "days": 3}
    assert retry(Model("1, 2"), "Two numbers.", Schema(list[int])).typed == [1, 2]


def test_what_a_type_refuses_is_told() -> None:
    model = Model("{city: 'Atlantis', days: 1}", "{city: 'Oslo', days: 1}")
    answer = retry(model, "Where to?", Trip)
    assert answer.attempts == 2
    assert "there is no such city" in model.sent[1][-1]["content"]


def test_what_pydantic_refuses_is_told() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Person(pydantic.BaseModel):
        name: str
        age: int = pydantic.Field(ge=0)

        @pydantic.field_validator("name")
        @classmethod
        def known(cls, name: str) -> str:
            if name == "Nobody":
                raise ValueError("nobody has this name")
            return name

    model = Model("{name: 'Nobody', age: '3'}", "{name: 'Ada', age: '3'}")
    answer = retry(model, "Who?", Person)
    assert answer.typed == Person(name="Ada", age=3)
    feedback = model.sent[1][-1]["content"]
    assert (
        '"name": "Nobody", // ❌ [{"path":"$input.name","expected":"nobody has this name"}]'
        in feedback
    )


def raising(trip: Any) -> None:
    if trip["city"] != "Oslo":
        raise ValueError("only Oslo")


def asserting(trip: Any) -> None:
    assert trip["city"] == "Oslo", "only Oslo"


def saying(trip: Any) -> str | None:
    return None if trip["city"] == "Oslo" else "only Oslo"


def placing(trip: Any) -> Iterable[tuple[str, str]]:
    if trip["city"] != "Oslo":
        yield "$input.city", "only Oslo"


def deciding(trip: Any) -> bool:
    return bool(trip["city"] == "Oslo")


@pytest.mark.parametrize("check", [raising, asserting, saying, placing, deciding])
def test_checks(check: Callable[[Any], Any]) -> None:
    model = Model("{city: 'Rome', days: 1}", "{city: 'Oslo', days: 1}")
    answer = retry(model, "Where to?", SCHEMA, checks=[check])
    assert (answer.value["city"], answer.attempts) == ("Oslo", 2)
    told = "a value that passes the check" if check is deciding else "only Oslo"
    assert told in model.sent[1][-1]["content"]
    assert ('"path":"$input.city"' in model.sent[1][-1]["content"]) == (check is placing)


def test_all_checks_are_told_at_once() -> None:
    model = Model("{city: 'Rome', days: 9}", "{city: 'Oslo', days: 1}")
    checks = [placing, lambda trip: [("days", "at most two")] if trip["days"] > 2 else None]
    retry(model, "Where to?", SCHEMA, checks=checks)
    told = model.sent[1][-1]["content"]
    assert "only Oslo" in told
    assert "at most two" in told


def test_checks_see_instances() -> None:
    seen: list[Any] = []
    retry(Model("{city: 'Oslo', days: 1}"), "Where to?", Trip, checks=[seen.append])
    assert seen == [Trip("Oslo", 1)]


def test_other_errors_of_checks_are_raised() -> None:
    def broken(trip: Any) -> None:
        raise LookupError("broken")

    with pytest.raises(LookupError, match="broken"):
        retry(Model(GOOD), "Where to?", SCHEMA, checks=[broken])


def test_finish_reasons() -> None:
    model = Model((GOOD, "length"), (GOOD, "stop"))
    assert retry(model, "Where to?", SCHEMA).attempts == 2
    assert retry(Model(("", None), GOOD), "Where to?", SCHEMA).attempts == 2
    assert retry(Model(None, GOOD), "Where to?", SCHEMA).attempts == 2


def test_policies() -> None:
    with pytest.raises(RetryError):
        retry(Model(GOOD), "Where to?", SCHEMA, max_retries=0, policy="strict")


def test_errors_of_the_model_are_raised() -> None:
    def ask(messages: list[dict[str, Any]]) -> str:
        raise ConnectionError("away")

    with pytest.raises(ConnectionError):
        retry(ask, "Where to?", SCHEMA)


def test_arguments_that_cannot_be_used() -> None:
    with pytest.raises(TypeError, match="not dict"):
        retry(Model({"text": "x"}), "Where to?", SCHEMA)
    with pytest.raises(SchemaError):
        retry(Model(GOOD), "Where to?", {"type": "bogus"})
    with pytest.raises(ValueError, match="role"):
        retry(Model(GOOD), [{"content": "x"}], SCHEMA)

    async def late(trip: Any) -> None: ...

    with pytest.raises(TypeError, match="coroutine"):
        retry(Model(GOOD), "Where to?", SCHEMA, checks=[late])  # type: ignore[list-item]


def test_what_ask_does_to_messages_stays_with_it() -> None:
    def ask(messages: list[dict[str, Any]]) -> str:
        messages[0]["content"] = "changed"
        messages.clear()
        return GOOD

    assert retry(ask, ASKED, SCHEMA).messages == tuple(ASKED)


async def ask_later(messages: list[dict[str, Any]]) -> str:
    await asyncio.sleep(0)
    return GOOD if len(messages) > 1 else BAD


@pytest.mark.parametrize(
    "ask", [ask_later, lambda messages: ask_later(messages), AsyncModel(BAD, GOOD)]
)
def test_coroutines(ask: Any) -> None:
    async def main() -> Any:
        return await retry(ask, "Where to?", SCHEMA)

    answer = asyncio.run(main())
    assert (answer.value, answer.attempts) == ({"city": "Oslo", "days": 3}, 2)


def test_coroutines_raise() -> None:
    async def main() -> None:
        await retry(AsyncModel(BAD), "Where to?", SCHEMA, max_retries=0)

    with pytest.raises(RetryError):
        asyncio.run(main())


def test_parse_errors_of_checks_are_refusals() -> None:
    from llmjson import loads

    def inner(trip: Any) -> None:
        loads(trip["city"], dict[str, int])

    model = Model("{city: 'Oslo', days: 1}", '{"city": "{\\"a\\": 1}", "days": 1}')
    assert retry(model, "Where to?", SCHEMA, checks=[inner]).attempts == 2
    assert issubclass(ParseError, ValueError)


def test_checks_see_every_digit_and_the_order_of_members() -> None:
    seen: list[Any] = []

    def look(value: Any) -> None:
        seen.append((list(value), value["id"]))

    reply = "{z: 1, id: 123456789012345678901234567890, a: '\ud800'}"
    answer = retry(lambda messages: reply, "Go", {"type": "object"}, checks=[look])
    assert seen == [(["z", "id", "a"], 123456789012345678901234567890)]
    assert answer.value["a"] == "\ufffd"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (SCHEMA, ASKED),
        (Trip, ASKED),
        (Schema(Trip), "Where to?"),
        (list[int], "Two numbers."),
        (Trip | None, "Where to?"),
        (SCHEMA, "Where to?"),
        ("{}", ASKED),
    ],
)
def test_a_schema_before_the_messages_is_named(first: Any, second: Any) -> None:
    with pytest.raises(TypeError, match="the schema comes last, after the messages"):
        retry(Model(GOOD), first, second)


def test_what_the_schema_alone_rejects_is_not_asked_again() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Inv(pydantic.BaseModel):
        name: str
        when: datetime.datetime

        @pydantic.field_validator("name")
        @classmethod
        def known(cls, name: str) -> str:
            if name == "lamp":
                raise ValueError("there is no lamp")
            return name

    model = Model('{"name": "lamp", "when": "2026-03-05"}', 'Sure: {"name": "pen", "when": 5}')
    answer = retry(model, "What?", Inv)
    assert answer.typed == Inv(name="pen", when=datetime.datetime.fromtimestamp(5, datetime.timezone.utc))
    feedback = model.sent[1][-1]["content"]
    assert "- $input.name: there is no lamp" in feedback
    assert "$input.when" not in feedback
    assert [note.kind for note in answer.parsed.notes] == ["accepted_by_type"]
