"""The conversation that every client holds, and the ways in which models damage their part of it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

QUESTION = "Three days in Oslo?"
WEATHER = "Oslo: 3 degrees"
#: The text of the second step, and what the tool was given before, which is also the structured reply.
ANSWER = f"It is {WEATHER}."
EXPECTED = {"city": "Oslo", "days": 3}

CALL = '{"name": "weather", "arguments": {"city": "Oslo", "days": 3}}'
ARGUMENTS = '{"city": "Oslo", "days": 3}'


class Trip(BaseModel):
    city: str
    days: int


SCHEMA: dict[str, Any] = Trip.model_json_schema() | {"additionalProperties": False}

#: Replies that call a tool: content and arguments.
CALLS: dict[str, tuple[str | None, str | None]] = {
    "clean": (None, ARGUMENTS),
    "arguments": (None, "{city: 'Oslo', \"days\": 3,}"),
    "call as text": (f"<tool_call>\n{CALL}\n</tool_call>", None),
    "damaged call as text": (
        "<tool_call>\n{'name': 'weather', \"arguments\": {city: 'Oslo', \"days\": \"3\",}}\n</tool_call>",
        None,
    ),
}
#: Structured replies.
VALUES: dict[str, str] = {
    "clean": ARGUMENTS,
    "fenced": f"Here is the trip:\n\n```json\n{ARGUMENTS}\n```\nAnything else?",
    "python": "{'city': 'Oslo', 'days': 3,}",
    "thought": f"<think>Three days {{or so}}.</think>\n{ARGUMENTS}",
}
