"""Structured output over OpenAI's SDK, from any server that speaks its chat completions."""

from typing import Any, TypeVar

from openai import OpenAI

import llmjson

T = TypeVar("T")


def extract(client: OpenAI, model: str, question: str, wanted: type[T]) -> T:
    """Returns the answer as an instance; what does not fit goes back to the model twice."""
    schema = llmjson.Schema(wanted)
    form = {"name": "answer", "schema": schema.json}

    def ask(messages: list[Any]) -> Any:
        reply = client.chat.completions.create(
            model=model,
            messages=messages,
            response_format={"type": "json_schema", "json_schema": form},
        )
        return reply.choices[0].message.content, reply.choices[0].finish_reason

    typed: T = llmjson.retry(ask, question, schema, max_retries=2).typed
    return typed
