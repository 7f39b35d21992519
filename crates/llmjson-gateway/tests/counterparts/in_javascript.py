"""Clients in JavaScript, which one process of Node runs."""

from __future__ import annotations

import contextlib
import json
import pathlib
import subprocess
from collections.abc import Iterator
from typing import Any

from damages import QUESTION, SCHEMA, WEATHER
from table import Client, Conversation

#: Names in `javascript/clients.mjs`, with their dialects.
DIALECTS = {
    "openai_js": "chat",
    "ai_sdk": "chat",
    "ai_sdk_openai": "chat",
    "ai_sdk_anthropic": "messages",
    "openai_js_responses": "responses",
    "ai_sdk_responses": "responses",
}


@contextlib.contextmanager
def clients(folder: pathlib.Path) -> Iterator[list[Client]]:
    """Gives the clients that `javascript/install` put into the folder."""
    with subprocess.Popen(
        ["node", folder / "clients.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:
        yield [Client(name, dialect, conversation(node, name)) for name, dialect in DIALECTS.items()]
        assert node.stdin is not None
        node.stdin.close()


def conversation(node: subprocess.Popen[str], client: str) -> Conversation:
    assert node.stdin is not None and node.stdout is not None
    asks, answers = node.stdin, node.stdout

    def converse(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
        asked: dict[str, Any] = {"question": QUESTION, "weather": WEATHER, "schema": SCHEMA, "client": client, "base": base}
        asked |= {"model": model, "isCall": is_call, "isStreamed": is_streamed}
        asks.write(f"{json.dumps(asked)}\n")
        asks.flush()
        answer = json.loads(answers.readline())
        if "found" not in answer:
            raise type(answer["name"], (Exception,), {})(answer["message"])
        return tuple(answer["found"]) if is_call else answer["found"]

    return converse
