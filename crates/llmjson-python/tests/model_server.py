"""A server on loopback that plays a model: it gives the replies of a script and keeps the requests."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, final


@final
class ModelServer:
    """Speaks the bodies of OpenAI's chat completions and Anthropic's messages.

    A reply is an object, sent as JSON, or a list of events, sent as a stream. The history of each
    request is checked as real servers do: arguments of earlier calls are JSON objects.
    """

    def __init__(self, *replies: dict[str, Any] | list[dict[str, Any]]) -> None:
        self.replies = list(replies)
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ModelServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        played = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                played.paths.append(self.path)
                played.requests.append(request)
                if broken := list(broken_arguments(request["messages"])):
                    self.answer(400, {"error": {"message": f"arguments are no JSON: {broken}"}})
                elif not played.replies:
                    self.answer(400, {"error": {"message": "one request too many"}})
                else:
                    self.answer(200, played.replies.pop(0))

            def answer(self, status: int, body: dict[str, Any] | list[dict[str, Any]]) -> None:
                kind = "application/json" if isinstance(body, dict) else "text/event-stream"
                text = json.dumps(body) if isinstance(body, dict) else "".join(map(event, body))
                content = text.encode()
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def broken_arguments(messages: Iterable[dict[str, Any]]) -> Iterable[str]:
    for message in messages:
        for call in message.get("tool_calls") or ():
            try:
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
            except (ValueError, AssertionError):
                yield call["function"]["arguments"]


def event(data: dict[str, Any]) -> str:
    return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n"


def chat(content: str | None, *calls: tuple[str, str]) -> dict[str, Any]:
    """A completion of OpenAI's shape with this content and calls of a name and arguments each."""
    message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": None}
    if calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }
            for number, (name, arguments) in enumerate(calls)
        ]
    reason = "tool_calls" if calls else "stop"
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1750000000,
        "model": "small",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
    }


def message(text: str, *calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """A message of Anthropic's shape with this text and calls of a name and an input each."""
    blocks = [
        {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
        for number, (name, arguments) in enumerate(calls)
    ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "small",
        "content": [{"type": "text", "text": text}, *blocks],
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 9},
    }


def message_events(pieces: Iterable[str]) -> list[dict[str, Any]]:
    """The events of a streamed message of Anthropic's shape, one text delta for each piece."""
    start = message("") | {"content": [], "stop_reason": None}
    block = {"type": "text", "text": ""}
    return [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": block},
        *(
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "text_delta", "text": piece},
            }
            for piece in pieces
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 9},
        },
        {"type": "message_stop"},
    ]
