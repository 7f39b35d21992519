"""Tools for the models behind LiteLLM, also for those that write their calls into the text."""

from collections.abc import Callable
from typing import Any

import litellm

import llmjson


def calls(question: str, *functions: Callable[..., Any], **options: Any) -> list[Any]:
    """Returns what the functions return that the model calls; `options` are those of `completion`."""
    tools = llmjson.Tools(*functions)
    messages = [{"role": "user", "content": question}]
    for _ in range(3):
        reply = litellm.completion(messages=messages, tools=tools.schemas("openai"), **options)
        message = reply.choices[0].message
        found = [
            tools.bind(c.function.name, c.function.arguments) for c in message.tool_calls or ()
        ]
        found = found or [call.bound for call in tools.calls_in(message.content or "").calls]
        wrong = [call.feedback() for call in found if not call.ok]
        if not wrong:
            return [call.call() for call in found]
        messages.append({"role": "assistant", "content": message.content or ""})
        messages.append({"role": "user", "content": "\n".join(wrong)})
    raise RuntimeError(wrong)
