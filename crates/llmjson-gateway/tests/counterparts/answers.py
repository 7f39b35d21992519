"""Requests over plain HTTP, and what their answers come to."""

from __future__ import annotations

import http.client
import json
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SECONDS = 60
#: Headers that the gateway adds or that belong to one connection.
OWN = {"connection", "content-length", "date", "keep-alive", "transfer-encoding", "x-llmjson", "x-request-id"}

#: Tries a case: what came directly, what came through the gateway, and whether that is right.
Try = Callable[[], tuple[str, str, bool]]


@dataclass
class Answer:
    """An answer as it came."""

    status: int
    headers: dict[str, str]
    body: bytes
    broke_off: bool

    def passed(self) -> tuple[int, dict[str, str], bytes]:
        """Returns what has to be the same with the gateway and without it, where it changes nothing."""
        return self.status, {name: text for name, text in self.headers.items() if name not in OWN}, self.body

    def report(self) -> str:
        """Returns the report of a whole answer or of a stream."""
        mark = ": x-llmjson "
        lines = [line[len(mark) :] for line in self.body.decode().splitlines() if line.startswith(mark)]
        return self.headers.get("x-llmjson", lines[-1] if lines else "")


@dataclass
class Reply:
    """The parts of a chat completion, whole or added up from a stream."""

    content: str = ""
    calls: list[list[str]] = field(default_factory=list)
    finish: str | None = None
    usage: Any = None
    error: Any = None
    ended: bool = False
    unreadable: int = 0


def ask(base: str, path: str, body: Any, method: str = "POST") -> Answer:
    """Sends members as JSON, or bytes as they are."""
    url = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=SECONDS)
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request(method, url.path + path, sent, {"content-type": "application/json"})
    response = connection.getresponse()
    read, broke_off = b"", False
    try:
        while piece := response.read1(65536):
            read += piece
    except (http.client.HTTPException, OSError):
        broke_off = True
    connection.close()
    headers = {name.lower(): text for name, text in response.getheaders()}
    return Answer(response.status, headers, read, broke_off)


def chat(base: str, **members: Any) -> tuple[Reply, Answer]:
    """Asks for a chat completion."""
    answer = ask(base, "/chat/completions", members)
    reply = Reply()
    if "text/event-stream" not in answer.headers.get("content-type", ""):
        whole = json.loads(answer.body)
        reply.error, reply.ended = whole.get("error"), True
        add(reply, whole, "message")
        return reply, answer
    for line in answer.body.decode().splitlines():
        if not line.startswith("data: "):
            continue
        if line == "data: [DONE]":
            reply.ended = True
            continue
        try:
            event = json.loads(line.removeprefix("data: "))
        except ValueError:
            reply.unreadable += 1
            continue
        reply.error = event.get("error", reply.error)
        add(reply, event, "delta")
    return reply, answer


def add(reply: Reply, event: Any, member: str) -> None:
    reply.usage = event.get("usage") or reply.usage
    for choice in event.get("choices", []):
        message = choice[member]
        reply.finish = choice["finish_reason"] or reply.finish
        reply.content += message.get("content") or ""
        for place, call in enumerate(message.get("tool_calls") or []):
            index, function = call.get("index", place), call["function"]
            if index == len(reply.calls):
                reply.calls.append(["", ""])
            reply.calls[index][0] += function.get("name", "")
            reply.calls[index][1] += function.get("arguments", "")


def told(reply: Reply) -> str:
    """Returns a reply in a few words."""
    end = f"{reply.finish}{'' if reply.ended else ', no end'}{', error' if reply.error else ''}"
    calls = "; ".join(" ".join(call) for call in reply.calls)
    return f"`{reply.content or calls}` {end}"


def shortly(answer: Answer) -> str:
    return f"{answer.status} `{answer.body.decode()[:60]}`"


def refused(direct: str, through: str, path: str, body: Any) -> tuple[str, str, bool]:
    """An error passes with its status, headers and body."""
    before, after = ask(direct, path, body), ask(through, path, body)
    right = before.status >= 400 and before.passed() == after.passed() and not after.report()
    return shortly(before), shortly(after), right
