"""Runs a model's calls in LangGraph, also those whose arguments are damaged: a node in place of `ToolNode`."""

from collections.abc import Callable
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import MessagesState

import llmjson


def run_calls(*functions: Callable[..., Any]) -> Callable[[MessagesState], dict[str, Any]]:
    tools = llmjson.Tools(*functions)

    def node(state: MessagesState) -> dict[str, Any]:
        message = state["messages"][-1]
        assert isinstance(message, AIMessage)
        calls: list[Any] = [*message.tool_calls, *message.invalid_tool_calls]
        results, mended = [], []
        for call in calls:
            bound = tools.bind(call["name"], call["args"])
            result = bound.to_openai_message(call["id"])["content"]  # or what is wrong
            results.append(ToolMessage(result, tool_call_id=call["id"]))
            mended.append({**call, "args": bound.arguments or {}, "type": "tool_call"})
        mended_message = message.model_copy(update={"tool_calls": mended, "invalid_tool_calls": []})
        return {"messages": [mended_message, *results]}

    return node
