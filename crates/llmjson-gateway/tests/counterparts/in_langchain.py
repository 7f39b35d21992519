"""LangChain, in chat completions and in Responses."""

from __future__ import annotations

import functools
from typing import Any

from damages import QUESTION, SCHEMA, WEATHER

TOOL: Any = SCHEMA | {"title": "weather", "description": "The weather."}
TRIP: Any = SCHEMA | {"title": "trip", "description": "A trip."}


def with_langchain(base: str, model: str, is_call: bool, is_streamed: bool, *, is_responses: bool) -> Any:
    from langchain_core.messages import HumanMessage, ToolMessage
    from langchain_openai import ChatOpenAI

    chat = ChatOpenAI(
        model=model, base_url=base, api_key="none", max_retries=0, use_responses_api=is_responses  # type: ignore[arg-type]
    )
    messages: list[Any] = [HumanMessage(QUESTION)]

    def ask(runnable: Any) -> Any:
        if not is_streamed:
            return runnable.invoke(messages)
        return list(runnable.stream(messages))

    if not is_call:
        value = ask(chat.with_structured_output(TRIP))
        return value[-1] if is_streamed else value

    def message() -> Any:
        answer = ask(chat.bind_tools([TOOL]))
        return functools.reduce(lambda one, next: one + next, answer) if is_streamed else answer

    first = message()
    (call,) = first.tool_calls
    messages.extend([first, ToolMessage(WEATHER, tool_call_id=call["id"])])
    return call["args"], message().text


with_chat = functools.partial(with_langchain, is_responses=False)
with_responses = functools.partial(with_langchain, is_responses=True)
