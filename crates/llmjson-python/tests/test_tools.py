"""Tools that a model calls."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

import pytest

import llmjson
from llmjson import BindError, SchemaError, Tools


@dataclass
class Guest:
    name: str
    age: int = 18


def book(city: str, start: date, guests: list[Guest], kind: Literal["day", "night"] = "day") -> str:
    """Books a trip.

    Args:
        city: Where to go.
        start: The first day.
    """
    assert isinstance(start, date) and all(isinstance(guest, Guest) for guest in guests)
    return f"{city} {start.isoformat()} {len(guests)} {kind}"


async def wait(seconds: Annotated[float, "how long"]) -> float:
    """Waits."""
    return seconds


GOOD = '{"City": "Oslo", "start": "2025-05-17", "guests": {"name": "Ada", "age": "36"}}'


def test_functions_are_called_with_instances() -> None:
    tools = Tools(book, wait)
    assert tools.names == ["book", "wait"]
    bound = tools.bind("book", GOOD)
    assert bound.ok, bound.feedback()
    assert bound.call() == "Oslo 2025-05-17 1 day"
    assert bound.arguments["guests"] == [{"name": "Ada", "age": 36}]
    assert bound.to_openai_message("c1")["content"] == "Oslo 2025-05-17 1 day"
    assert bound.to_openai_message("c1", "booked")["content"] == "booked"
    waiting = tools.bind("wait", {"seconds": 0.5})
    assert asyncio.run(waiting.call()) == 0.5
    with pytest.raises(TypeError, match="is asynchronous"):
        waiting.to_mcp_result()


def test_what_is_wrong_goes_back_to_the_model() -> None:
    bound = Tools(book).bind("book", '{"city": "Oslo", "start": "soon"}')
    assert not bound.ok and {issue.path for issue in bound.issues} >= {"$input.start"}
    with pytest.raises(BindError) as caught:
        bound.call()
    assert caught.value.bound is bound
    feedback = bound.feedback()
    assert bound.to_openai_message("c1") == {
        "role": "tool",
        "tool_call_id": "c1",
        "content": feedback,
    }
    assert bound.to_anthropic_block("c1")["is_error"] is True
    assert bound.to_mcp_result()["isError"] is True
    good = Tools(book).bind("book", GOOD)
    assert good.to_mcp_result({"ok": 1})["content"][0]["text"] == '{"ok": 1}'
    unknown = Tools(book).bind("boook", "{}")
    assert not unknown.ok and unknown.issues[0].code == "unknown_tool"
    assert "book" in unknown.feedback()


@pytest.mark.parametrize(
    "form",
    [
        {"type": "function", "function": {"name": "t", "parameters": {"properties": {"a": {}}}}},
        {"name": "t", "input_schema": {"properties": {"a": {}}}},
        {"name": "t", "inputSchema": {"properties": {"a": {}}}},
    ],
)
def test_lists_of_every_form(form: dict[str, Any]) -> None:
    tools = Tools([form])
    assert tools.bind("t", '{"a": 1}').result() == {"a": 1}
    with pytest.raises(TypeError, match="not made from a function"):
        tools.bind("t", {}).call()


def test_schemas_for_providers() -> None:
    tools = Tools(book)
    openai = tools.schemas("openai_strict")[0]
    assert openai["type"] == "function" and openai["function"]["strict"] is True
    parameters = openai["function"]["parameters"]
    assert parameters["properties"]["city"]["description"] == "Where to go."
    assert tools.schemas("anthropic")[0]["input_schema"]["type"] == "object"
    assert tools.schemas()[0]["description"] == "Books a trip."
    with pytest.raises(ValueError, match="no provider's dialect"):
        tools.schemas("openai_lax")


def test_calls_in_text() -> None:
    text = "Let me see. ü\n<tool_call>" + json.dumps({"name": "book", "arguments": json.loads(GOOD)})
    found = Tools(book).calls_in(text + "</tool_call> Done.")
    (call,) = found.calls
    assert call.ok and call.bound is not None and call.bound.call() == "Oslo 2025-05-17 1 day"
    assert (text + "</tool_call>")[call.start : call.end].startswith("<tool_call>")
    assert found.content.startswith("Let me see.")
    assert llmjson.calls_in('<tool_call>{"name": "x", "arguments": {}}</tool_call>').calls[0].ok


@dataclass
class Even:
    number: int

    def __post_init__(self) -> None:
        if self.number % 2:
            raise ValueError("it has to be even")


def test_calls_are_announced_while_the_text_comes() -> None:
    stream = Tools(book).stream()
    assert stream.push("Well.\n<tool_call>\n<function=bo") == ()
    events = stream.push("ok>\n<parameter=city>\nOslo, or")
    assert [event.kind for event in events] == ["started", "arguments"]
    assert (events[0].text, events[1].text) == ("book", '{"city":"Oslo, or')
    events += stream.push(" Ålesund\n</parameter>\n</function>".encode())
    assert (events[-1].kind, events[-1].complete, events[-1].ok) == ("finished", True, False)
    assert "missing" in str(events[-1].reason)
    assert stream.push("\n</tool_call>") == ()
    found = stream.finish()
    assert found.calls[0].arguments == {"city": "Oslo, or Ålesund"}
    assert found.calls[0].end == len("Well.\n<tool_call>\n<function=book>\n<parameter=city>\n") + len(
        "Oslo, or Ålesund\n</parameter>\n</function>"
    )
    pieces = [event.text for event in events + found.events if event.kind == "arguments"]
    assert json.loads("".join(map(str, pieces))) == found.calls[0].arguments
    assert found.events == ()
    with pytest.raises(ValueError, match="ended"):
        stream.push("")


def test_families_may_be_named() -> None:
    text = "[TOOL_CALLS]book[ARGS]{}"
    assert Tools(book).calls_in(text, family=["glm-4.6", "mistral"]).calls
    assert not Tools(book).calls_in(text, family=["glm-4.6", "hermes"]).calls
    assert not Tools(book).calls_in(text, family="glm").calls


def test_what_a_type_rejects_is_feedback_too() -> None:
    def halve(of: Even) -> float:
        return of.number / 2

    odd = Tools(halve).bind("halve", {"of": {"number": 3}})
    assert odd.ok and "it has to be even" in odd.to_openai_message("c1")["content"]
    assert odd.to_mcp_result()["isError"] and odd.to_anthropic_block("c1")["is_error"]
    assert (
        Tools(halve).bind("halve", {"of": {"number": 4}}).to_openai_message("c1")["content"]
        == "2.0"
    )


def test_what_is_no_tool_is_refused() -> None:
    with pytest.raises(TypeError, match="a tool is"):
        Tools(3)
    with pytest.raises(SchemaError):
        Tools({"name": "t", "inputSchema": {"type": 3}})
    for named in ({"weather": {"description": "The weather."}}, {"weather": {"type": "object", "properties": {}}}):
        with pytest.raises(TypeError, match="there is no tool"):
            Tools(named)
    assert Tools().names == []
    assert llmjson.bind(book, GOOD).ok
