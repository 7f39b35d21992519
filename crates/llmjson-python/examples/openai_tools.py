"""An agent over OpenAI's SDK whose tools run although the model damages their arguments."""

from collections.abc import Callable
from typing import Any

from openai import OpenAI

import llmjson


def run(client: OpenAI, model: str, question: str, *functions: Callable[..., Any]) -> str:
    """Returns the answer of the model, which may call the functions up to eight times in turn."""
    tools = llmjson.Tools(*functions)
    messages: list[Any] = [{"role": "user", "content": question}]
    for _ in range(8):
        reply = client.chat.completions.create(
            model=model, messages=messages, tools=tools.schemas("openai")
        )
        message = reply.choices[0].message
        if not message.tool_calls:
            return message.content or ""
        results = []
        for call in message.tool_calls:
            bound = tools.bind(call.function.name, call.function.arguments)
            call.function.arguments = bound.to_json() or "{}"  # servers refuse broken history
            results.append(bound.to_openai_message(call.id))  # its result, or what is wrong
        messages += [message.model_dump(exclude_none=True), *results]
    raise RuntimeError("the model calls tools without end")
