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
                message.content = mended(message.content, choice.finish_reason)
            for call in message.tool_calls or ():
                call.function.arguments = mended(call.function.arguments, choice.finish_reason)

    def mended(text: str, reason: str) -> str:
        parsed = llmjson.parse(text, schema, policy=policy, finish_reason=reason)
        return parsed.to_json() or text if parsed.complete else text  # Instructor asks again

    client.on("completion:response", on_response)
    return client
