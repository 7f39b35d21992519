"""llama.cpp's server behind the gateway. Its model writes noise, which the server holds to schemas, tools and grammars."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from answers import Answer, Try, ask, chat, refused, shortly, told
from behind_llmock import ends_open
from table import gateway

TRIP: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 8},
        "days": {"type": "integer", "minimum": 1, "maximum": 30},
    },
    "required": ["city", "days"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "book", "parameters": TRIP}}
FORMAT = {"type": "json_schema", "json_schema": {"name": "trip", "schema": TRIP}}
QUESTION = {"role": "user", "content": "A trip, please."}
#: The same noise each time.
SAME = {"model": "tiny", "seed": 1, "cache_prompt": False, "messages": [QUESTION]}
#: The token that opens a call, which a model of random weights would rarely choose.
CALL = {"tools": [TOOL], "tool_choice": "required", "logit_bias": [[260, 90]]}

#: A call as small models write it, and the reply to its result.
DAMAGED = r"""root ::= "Sure. <tool_call>\n{'name': 'book', 'arguments': {city: '" [a-z]{3,8} "', days: \"" [1-9] "\",}}\n</tool_call>" """
ANSWER = 'root ::= "It is " [a-z]{3,8} "."'

#: Requests, with the report that the gateway has to give: none where it changes nothing.
REQUESTS: dict[str, tuple[dict[str, Any], str]] = {
    "text": ({"max_tokens": 20}, ""),
    "structured": ({"max_tokens": 200, "response_format": FORMAT}, ""),
    "structured, cut": ({"max_tokens": 12, "response_format": FORMAT}, "cut:1"),
    "calls, the last one cut": ({"max_tokens": 200} | CALL, "cut:1"),
    "arguments cut": ({"max_tokens": 45} | CALL, "cut:1"),
    "tools that are not called, cut": ({"max_tokens": 20, "tools": [TOOL]}, "cut:1"),
}
#: Requests that the server refuses.
ERRORS: dict[str, tuple[str, Any]] = {
    "prompt too long": ("/chat/completions", SAME | {"messages": [QUESTION | {"content": "A trip. " * 2000}]}),
    "grammar and tools": ("/chat/completions", SAME | {"grammar": ANSWER, "tools": [TOOL]}),
    "no messages": ("/chat/completions", {"model": "tiny"}),
    "no embeddings": ("/embeddings", {"model": "tiny", "input": "A trip."}),
    "an unknown path": ("/nothing", {}),
}



@contextlib.contextmanager
def cases(llmjson: str, origin: str) -> Iterator[dict[str, Try]]:
    """Gives the cases with what tries them."""
    tries: dict[str, Try] = {}
    direct = f"{origin}/v1"
    with (
        gateway(llmjson, direct) as through,
        gateway(llmjson, direct, "--tools-in", "prompt") as prompted,
        gateway(llmjson, direct, "--upstream-speaks", "chat") as to_chat,
    ):
        for is_streamed in (False, True):
            way = "streamed" if is_streamed else "whole"
            stream = {"stream": True, "stream_options": {"include_usage": True}} if is_streamed else {}
            for case, (members, wanted) in REQUESTS.items():
                tries[f"{case}, {way}"] = partial(same, direct, through, SAME | members | stream, wanted)
            tries[f"a call in the text, {way}"] = partial(call_in_text, direct, prompted, stream)
            for case, (path, body) in ERRORS.items():
                tries[f"{case}, {way}"] = partial(refused, direct, through, path, body | stream)
        for dialect in ("responses", "messages"):
            tries[f"structured in {dialect}"] = partial(translated, direct, to_chat, dialect)
        yield tries


def same(direct: str, through: str, request: dict[str, Any], wanted: str) -> tuple[str, str, bool]:
    """Nothing is lost and nothing invented: the parts are the same, and the report tells of a cut. A stream whose JSON is cut
    ends with an error."""
    (before, _), (after, answer) = chat(direct, **request), chat(through, **request)
    report = answer.report()
    if wanted and after.error is not None:
        return told(before), f"{told(after)} {report}", ends_open(before, after)
    right = wanted in report if wanted else report in ("", "outcome=unchanged")
    if before.usage is not None:
        # The details tell what was in a cache.
        for one in (before.usage, after.usage):
            one.pop("prompt_tokens_details", None)
    return told(before), f"{told(after)} {report}", right and before == after


def call_in_text(direct: str, through: str, stream: dict[str, Any]) -> tuple[str, str, bool]:
    """Two steps of a conversation with a tool, by a model that gets its tools in the system message."""
    request = SAME | stream | {"tools": [TOOL]}
    before, _ = chat(direct, **request, grammar=DAMAGED, max_tokens=200)
    after, answer = chat(through, **request, grammar=DAMAGED, max_tokens=200)
    shown = f"{told(after)} {answer.report()}"
    if after.finish != "tool_calls" or after.content.strip() != "Sure." or len(after.calls) != 1:
        return told(before), shown, False
    (name, arguments) = after.calls[0]
    given = json.loads(arguments)
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    result = {"role": "tool", "tool_call_id": "call_1", "content": "booked"}
    request["messages"] = [QUESTION, {"role": "assistant", "content": "Sure.", "tool_calls": [call]}, result]
    last, _ = chat(through, **request, grammar=ANSWER, max_tokens=200)
    right = name == "book" and fits(given) and last.finish == "stop" and last.content.startswith("It is ")
    return (told(before) if before.error is None else before.error["message"]), f"{shown}, {told(last)}", right


def translated(direct: str, to_chat: str, dialect: str) -> tuple[str, str, bool]:
    """A structured reply in another dialect, asked for in chat."""
    form = {"type": "json_schema", "schema": TRIP}
    request: dict[str, Any] = {"model": "tiny"}
    if dialect == "messages":
        request |= {"messages": [QUESTION], "max_tokens": 200, "output_config": {"format": form}}
    else:
        request |= {"input": "A trip, please.", "max_output_tokens": 200, "text": {"format": form | {"name": "trip"}}}
    before, after = ask(direct, f"/{dialect}", request), ask(to_chat, f"/{dialect}", request)

    def text(answer: Answer) -> str:
        body = json.loads(answer.body)
        content = body["content"] if dialect == "messages" else body["output"][-1]["content"]
        return str(content[-1]["text"])

    try:
        right = fits(json.loads(text(after)))
    except (ValueError, LookupError):
        right = False
    return shortly(before), text(after) if right else shortly(after), right


def fits(value: Any) -> bool:
    return isinstance(value, dict) and len(value["city"]) <= 8 and isinstance(value["days"], int) and len(value) == 2
