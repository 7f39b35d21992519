"""The official client of Messages in Python."""

from __future__ import annotations

import json
from typing import Any

from damages import QUESTION, SCHEMA, WEATHER


def with_anthropic(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import anthropic

    client: Any = anthropic.Anthropic(base_url=base.removesuffix("/v1"), api_key="none", max_retries=0)
    messages: list[Any] = [{"role": "user", "content": QUESTION}]

    def ask(**options: Any) -> Any:
        options |= {"model": model, "max_tokens": 99, "messages": messages}
        if not is_streamed:
            return client.messages.create(**options)
        with client.messages.stream(**options) as stream:
            for _ in stream:
                pass
            return stream.get_final_message()

    def text(message: Any) -> str:
        return "".join(block.text for block in message.content if block.type == "text")

    if not is_call:
        output = {"format": {"type": "json_schema", "schema": SCHEMA}}
        return json.loads(text(ask(extra_body={"output_config": output})))
    tools = [{"name": "weather", "description": "The weather.", "input_schema": SCHEMA}]
    # The call of a tool that has to be called is a structured reply, too.
    choice = {"type": "tool", "name": "weather", "disable_parallel_tool_use": True}
    (value,) = (block for block in ask(tools=tools, tool_choice=choice).content if block.type == "tool_use")
    message = ask(tools=tools)
    (call,) = (block for block in message.content if block.type == "tool_use")
    if value.input != call.input or message.stop_reason != "tool_use":
        return value.input, message.stop_reason
    messages.append({"role": "assistant", "content": message.content})
    result = {"type": "tool_result", "tool_use_id": call.id, "content": WEATHER}
    messages.append({"role": "user", "content": [result]})
    return call.input, text(ask(tools=tools))
