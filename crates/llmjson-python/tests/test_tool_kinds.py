"""Tools of every kind that a program has, and the lists that providers take."""

from __future__ import annotations

import gc
import pickle
import weakref
from dataclasses import dataclass
from typing import Any

import pytest

import llmjson


@dataclass
class Trip:
    """Books a trip."""

    city: str
    days: int = 1


class Counter:
    def __call__(self, by: int) -> int:
        """Counts."""
        return by


def test_a_type_is_a_tool_whose_calls_make_instances() -> None:
    bound = llmjson.bind(Trip, '{"City": "Oslo", "days": "3"}')
    assert bound.call() == Trip("Oslo", 3)


def test_a_pydantic_model_is_a_tool() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Search(pydantic.BaseModel):  # type: ignore[misc, name-defined, unused-ignore]
        """Searches."""

        words: list[str]

        @pydantic.field_validator("words")
        @classmethod
        def some(cls, words: list[str]) -> list[str]:
            if not words:
                raise ValueError("no words")
            return words

    tools = llmjson.Tools(Search)
    assert tools.schemas()[0]["name"] == "Search"
    assert tools.schemas()[0]["description"] == "Searches."
    assert tools.bind("Search", '{"words": "a"}').call() == Search(words=["a"])
    with pytest.raises(llmjson.BindError, match=r"\$input.words: no words"):
        tools.bind("Search", '{"words": []}').call()


def test_a_callable_object_is_a_tool() -> None:
    assert llmjson.Tools(Counter()).names == ["Counter"]


@pytest.mark.parametrize("tool", [1, "name", None])
def test_what_is_no_tool(tool: Any) -> None:
    with pytest.raises(TypeError, match="a tool is"):
        llmjson.Tools(tool)


def test_lists_of_providers() -> None:
    tools = llmjson.Tools(Trip)
    (openai,) = tools.schemas("openai")
    assert (openai["type"], openai["function"]["name"]) == ("function", "Trip")
    assert openai["function"]["parameters"]["required"] == ["city"]
    (strict,) = tools.schemas("openai_strict")
    assert strict["function"]["strict"] is True
    assert strict["function"]["parameters"]["required"] == ["city", "days"]
    assert tools.schemas("anthropic")[0]["input_schema"]["required"] == ["city"]
    assert tools.schemas("mcp")[0]["inputSchema"]["required"] == ["city"]
    with pytest.raises(ValueError, match="grok"):
        tools.schemas("grok")


def test_bind_takes_one_tool() -> None:
    with pytest.raises(ValueError, match="one tool, not 2"):
        llmjson.bind([Trip, Counter()], "{}")


def counted(by: int) -> int:
    return by


@pytest.mark.parametrize("arguments", ["{by: '3'}", b"{by: 3", memoryview(b"{}"), {"by": "3"}])
def test_what_became_of_a_call_can_be_sent_to_another_process(arguments: Any) -> None:
    bound = llmjson.Tools(counted, policy="lenient").bind("counted", arguments)
    again = pickle.loads(pickle.dumps(bound))
    assert (again.ok, again.arguments) == (bound.ok, bound.arguments)
    assert (again.issues, again.feedback()) == (bound.issues, bound.feedback())
    if bound.ok:
        assert again.call() == 3


def test_the_error_of_a_call_can_be_sent_to_another_process() -> None:
    with pytest.raises(llmjson.BindError) as raised:
        llmjson.bind(counted, "{by: 'x'}").call()
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value)
    assert again.bound.feedback() == raised.value.bound.feedback()


def test_calls_in_a_text_can_be_sent_to_another_process() -> None:
    tools = llmjson.Tools({"name": "add", "inputSchema": {"properties": {"by": {}}}}, counted)
    text = '<tool_call>{"name": "counted", "arguments": {"by": "3"}}</tool_call>'
    found = pickle.loads(pickle.dumps(tools)).calls_in(text)
    (call,) = pickle.loads(pickle.dumps(found)).calls
    assert call.bound.call() == 3
    assert call.bound.name == "counted"


def test_one_text_is_not_many() -> None:
    with pytest.raises(TypeError, match="several texts"):
        llmjson.parse_many("{a: 1}")


def test_types_are_let_go_of() -> None:
    def use() -> weakref.ref[type]:
        local = type("Local", (), {"__annotations__": {"a": int}})
        assert llmjson.parse("{a: '1'}", dataclass(local)).value == {"a": 1}
        return weakref.ref(local)

    first = use()
    for _ in range(300):
        use()
    gc.collect()
    assert first() is None


def test_unions_in_another_order_are_another_schema() -> None:
    assert llmjson.parse("1", int | str).schema.json != llmjson.parse("1", str | int).schema.json
