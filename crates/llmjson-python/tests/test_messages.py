"""The messages of a conversation stay as the caller wrote them while a model is asked again."""

from __future__ import annotations

from typing import Any

import pytest

import llmjson

SCHEMA = {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}
IMAGE = {"type": "image_url", "image_url": {"url": "data:,"}}
CALL = {"id": "1", "type": "function", "function": {"name": "find", "arguments": "{}"}}


def asked(messages: list[dict[str, Any]], *replies: str, **options: Any) -> list[Any]:
    """Returns what was sent for each reply."""
    sent: list[Any] = []
    left = list(replies)

    def ask(messages: list[dict[str, Any]]) -> str:
        sent.append(messages)
        return left.pop(0)

    assert llmjson.retry(ask, messages, SCHEMA, **options).value == {"days": 3}
    assert not left
    return sent


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": [{"type": "text", "text": "How long?"}, IMAGE]},
        {"role": "user", "content": "How long?", "name": "Ada"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "content": "3", "tool_call_id": "1"},
        {"role": "function", "content": "3", "name": "find"},
    ],
    ids=lambda message: f"{message['role']}-{len(message)}",
)
def test_messages_are_sent_as_they_are(message: dict[str, Any]) -> None:
    given = [message, {"role": "user", "content": "Go on."}]
    first, second = asked(given, "{days: 'many'}", "{days: 3}")
    assert first == given
    assert second[:2] == given
    reply, feedback = second[2:]
    assert reply == {"role": "assistant", "content": "{days: 'many'}"}
    assert "$input.days" in feedback["content"]


@pytest.mark.parametrize("content", ["Be brief.", [{"type": "text", "text": "Be brief."}]])
def test_a_schema_in_the_prompt_is_added_to_the_system_message(content: Any) -> None:
    given = [{"role": "system", "content": content}, {"role": "user", "content": "How long?"}]
    ((system, user),) = asked(given, "{days: 3}", schema_in="prompt")
    assert user == given[1]
    assert given[0]["content"] == content, "what the caller holds is unchanged"
    if isinstance(content, str):
        assert system["content"].startswith("Be brief.\n\n")
        assert '"days"' in system["content"]
    else:
        said, told = system["content"]
        assert said == content[0]
        assert told["type"] == "text"
        assert '"days"' in told["text"]


def test_a_reply_continues_what_the_caller_began() -> None:
    given = [{"role": "user", "content": "How long?"}, {"role": "assistant", "content": "{"}]
    _, second = asked(given, "days: many}", "{days: 3}")
    assert second[1] == {"role": "assistant", "content": "{days: many}"}


@pytest.mark.parametrize("message", [{}, {"content": "x"}, {"role": 3, "content": "x"}])
def test_a_message_needs_a_role(message: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="needs a role"):
        asked([message], "{days: 3}")
