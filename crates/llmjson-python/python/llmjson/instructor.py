"""Repairs the replies of models before Instructor validates them.

    import llmjson.instructor

    client = llmjson.instructor.repairing(instructor.from_openai(OpenAI()), Trip)
    client.create(Trip, messages, model="small")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ._llmjson import Parsed, Schema, arguments, parse

if TYPE_CHECKING:
    from instructor import Instructor
    from pydantic import BaseModel

    from ._typing import AnyPolicy

__all__ = ["repairing"]

Client = TypeVar("Client", bound="Instructor")


def repairing(client: Client, model: type[BaseModel], *, policy: AnyPolicy = "tool") -> Client:
    """Adds a hook that repairs chat completions for a model, their text and their calls, and returns the client.

    `policy` sets the allowed changes. By default nothing is guessed, as for any call that runs. A truncated reply stays
    unchanged, so that Instructor asks again. The model's validators run only in Instructor, with its `context=`.
    """
    schema = Schema(model.model_json_schema())

    def repaired(text: str, parsed: Parsed[Any]) -> str:
        return parsed.to_json() or text if parsed.complete else text

    def on_response(response: Any) -> None:
        for choice in getattr(response, "choices", ()):
            message = choice.message
            how: Any = {"policy": policy, "finish_reason": choice.finish_reason}
            if message.content:
                message.content = repaired(message.content, parse(message.content, schema, **how))
            for call in message.tool_calls or ():
                written = call.function.arguments
                call.function.arguments = repaired(written, arguments(written, schema, **how))

    client.on("completion:response", on_response)
    return client
