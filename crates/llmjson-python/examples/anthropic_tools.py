"""An agent over Anthropic's SDK that puts the inputs of tools right, or says what is wrong."""

from collections.abc import Callable
from typing import Any

from anthropic import Anthropic

import llmjson


def run(client: Anthropic, model: str, question: str, *functions: Callable[..., Any]) -> str:
    """Returns the answer of the model, which may call the functions up to eight times in turn."""
    tools = llmjson.Tools(*functions)
    messages: list[Any] = [{"role": "user", "content": question}]
    for _ in range(8):
        reply = client.messages.create(
            model=model, max_tokens=4096, messages=messages, tools=tools.schemas("anthropic")
        )
        results = []
        for block in reply.content:
            if block.type == "tool_use":
                bound = tools.bind(block.name, block.input)
                results.append(bound.to_anthropic_block(block.id))  # its result, or what is wrong
        if not results:
            return "".join(block.text for block in reply.content if block.type == "text")
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": results})
    raise RuntimeError("the model calls tools without end")
