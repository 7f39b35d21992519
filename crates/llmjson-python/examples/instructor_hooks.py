"""Repairs replies for Instructor before it validates them, which it does with its `context=` as always."""

from typing import Any

from instructor import Instructor
from pydantic import BaseModel

import llmjson


def mend(client: Instructor, wanted: type[BaseModel], policy: Any = "lenient") -> Instructor:
    schema = llmjson.Schema(wanted.model_json_schema())  # the model's validators run in Instructor

    def on_response(response: Any) -> None:
        for choice in response.choices:
            message = choice.message
            if message.content:
                message.content = mended(message.content)
            for call in message.tool_calls or ():
                call.function.arguments = mended(call.function.arguments)

    def mended(text: str) -> str:
        return llmjson.parse(text, schema, policy=policy).to_json() or text

    client.on("completion:response", on_response)
    return client
