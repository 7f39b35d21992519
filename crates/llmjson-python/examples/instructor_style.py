"""A client that takes a `response_model` and asks until the reply fits, as Instructor does."""

from typing import Any, TypeVar

from openai import AsyncOpenAI

import llmjson

T = TypeVar("T")


class Client:
    def __init__(self, client: AsyncOpenAI, **options: Any) -> None:
        self.client, self.options = client, options

    async def create(self, response_model: type[T], messages: Any, **retrying: Any) -> T:
        """Returns an instance of the model; `retrying` are `checks` and `max_retries`."""

        async def ask(messages: list[Any]) -> Any:
            reply = await self.client.chat.completions.create(messages=messages, **self.options)
            return reply.choices[0].message.content, reply.choices[0].finish_reason

        answer = await llmjson.retry(ask, messages, response_model, schema_in="prompt", **retrying)
        typed: T = answer.typed
        return typed
