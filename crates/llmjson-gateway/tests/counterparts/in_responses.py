"""Clients of Responses in Python."""

from __future__ import annotations

import json
from typing import Any

from damages import QUESTION, SCHEMA, WEATHER
from in_chat import run_agent

TOOL: Any = {"type": "function", "name": "weather", "parameters": SCHEMA, "strict": False}
FORMAT: Any = {"format": {"type": "json_schema", "name": "trip", "schema": SCHEMA}}


def with_openai(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import openai

    client = openai.OpenAI(base_url=base, api_key="none", max_retries=0)
    conversation: list[Any] = [{"role": "user", "content": QUESTION}]

    def ask(**options: Any) -> Any:
        if not is_streamed:
            return client.responses.create(model=model, input=conversation, **options)
        with client.responses.stream(model=model, input=conversation, **options) as stream:
            for _ in stream:
                pass
            return stream.get_final_response()

    if not is_call:
        return json.loads(ask(text=FORMAT).output_text)
    items = ask(tools=[TOOL]).output
    (call,) = (item for item in items if item.type == "function_call")
    conversation += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in items]
    conversation.append({"type": "function_call_output", "call_id": call.call_id, "output": WEATHER})
    return json.loads(call.arguments), ask(tools=[TOOL]).output_text


def with_agents(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import agents

    return run_agent(agents.OpenAIResponsesModel, base, model, is_call, is_streamed)
