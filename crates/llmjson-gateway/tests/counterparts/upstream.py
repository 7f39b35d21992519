"""A server that answers in chat completions, Messages and Responses as models without a working parser do."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

from damages import CALLS, VALUES

PIECE = 7  # characters of a delta
#: The beginning of the paths at which the server speaks chat alone.
CHAT_ONLY = "/only"


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers as the model of the request is named: the name of a damage."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        dialect = self.path.rpartition("/")[2]
        if dialect not in DIALECTS or (dialect != "completions" and self.path.startswith(CHAT_ONLY)):
            return self.send_error(404)
        whole, streamed = DIALECTS[dialect]
        content, arguments = reply(request)
        body = whole(request["model"], content, arguments)
        if not request.get("stream"):
            return self.send(json.dumps(body), "application/json")
        return self.send("".join(streamed(body, content, arguments)), "text/event-stream")

    def send(self, text: str, kind: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Gives the origin of the server."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def reply(request: dict[str, Any]) -> tuple[str | None, str | None]:
    """Returns the content and the arguments of the reply."""
    result = tool_result(request)
    if result is not None:
        return f"It is {result}.", None
    if request.get("tools"):
        return CALLS[request["model"]]
    return VALUES[request["model"]], None


def tool_result(request: dict[str, Any]) -> str | None:
    """Returns what the tool gave, if that is the last part of the conversation."""
    last = (request.get("input") or request["messages"])[-1]
    if not isinstance(last, dict):
        return None
    if last.get("role") == "tool":
        return text_of(last["content"])
    if last.get("type") == "function_call_output":
        return text_of(last["output"])
    parts = last["content"] if isinstance(last.get("content"), list) else []
    results = [part for part in parts if part.get("type") == "tool_result"]
    return text_of(results[-1]["content"]) if results else None


def text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def pieces(text: str | None) -> Iterator[str]:
    for at in range(0, len(text or ""), PIECE):
        yield (text or "")[at : at + PIECE]


def frame(event: dict[str, Any]) -> str:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


# --- chat completions


def chat(model: str, content: str | None, arguments: str | None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if arguments is not None:
        function = {"name": "weather", "arguments": arguments}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    finish = "stop" if arguments is None else "tool_calls"
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    head = {"id": "chat-1", "object": "chat.completion", "created": 1, "model": model}
    return head | {"choices": [choice], "usage": usage}


def chat_stream(body: dict[str, Any], content: str | None, arguments: str | None) -> Iterator[str]:
    head = body | {"object": "chat.completion.chunk", "usage": None}
    for delta in chat_deltas(content, arguments):
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield f"data: {json.dumps(head | {'choices': [choice]})}\n\n"
    choice = {"index": 0, "delta": {}, "finish_reason": body["choices"][0]["finish_reason"]}
    yield f"data: {json.dumps(head | {'choices': [choice]})}\n\n"
    yield f"data: {json.dumps(head | {'choices': [], 'usage': body['usage']})}\n\n"
    yield "data: [DONE]\n\n"


def chat_deltas(content: str | None, arguments: str | None) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for piece in pieces(content):
        yield {"content": piece}
    if arguments is None:
        return
    function: dict[str, Any] = {"name": "weather", "arguments": ""}
    yield {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}
    for piece in pieces(arguments):
        yield {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}


# --- Messages


def messages(model: str, content: str | None, arguments: str | None) -> dict[str, Any]:
    """Returns a message. Arguments that are no JSON are a text."""
    blocks: list[dict[str, Any]] = [] if content is None else [{"type": "text", "text": content}]
    if arguments is not None:
        try:
            given = json.loads(arguments)
        except ValueError:
            given = arguments
        blocks.append({"type": "tool_use", "id": "toolu_1", "name": "weather", "input": given})
    reason = "end_turn" if arguments is None else "tool_use"
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": blocks}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return head | {"usage": usage, "stop_reason": reason, "stop_sequence": None}


def messages_stream(body: dict[str, Any], content: str | None, arguments: str | None) -> Iterator[str]:
    begun = body | {"content": [], "stop_reason": None}
    yield frame({"type": "message_start", "message": begun})
    for index, block in enumerate(body["content"]):
        empty, kind, member, text = (
            ({"text": ""}, "text_delta", "text", content)
            if block["type"] == "text"
            else ({"input": {}}, "input_json_delta", "partial_json", arguments)
        )
        yield frame({"type": "content_block_start", "index": index, "content_block": block | empty})
        for piece in pieces(text):
            yield frame({"type": "content_block_delta", "index": index, "delta": {"type": kind, member: piece}})
        yield frame({"type": "content_block_stop", "index": index})
    end = {name: body[name] for name in ("stop_reason", "stop_sequence")}
    yield frame({"type": "message_delta", "delta": end, "usage": body["usage"]})
    yield frame({"type": "message_stop"})


# --- Responses


def responses(model: str, content: str | None, arguments: str | None) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    if content is not None:
        part = {"type": "output_text", "text": content, "annotations": [], "logprobs": []}
        item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
        items.append(item)
    if arguments is not None:
        call = {"type": "function_call", "call_id": "call_1", "name": "weather", "arguments": arguments}
        items.append({"id": "fc_1", "status": "completed", **call})
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    body = {"id": "resp_1", "object": "response", "created_at": 1, "model": model, "status": "completed"}
    return body | {"output": items, "usage": usage, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}


def responses_stream(body: dict[str, Any], _content: str | None, _arguments: str | None) -> Iterator[str]:
    for number, event in enumerate(responses_events(body)):
        yield frame(event | {"sequence_number": number})


def responses_events(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    begun = body | {"status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(body["output"]):
        at = {"output_index": index, "item_id": item["id"]}
        is_call = item["type"] == "function_call"
        empty = item | ({"arguments": ""} if is_call else {"content": []}) | {"status": "in_progress"}
        yield {"type": "response.output_item.added", "output_index": index, "item": empty}
        if is_call:
            kind, end, text = "function_call_arguments", {"arguments": item["arguments"]}, item["arguments"]
        else:
            (part,) = item["content"]
            at |= {"content_index": 0}
            yield {"type": "response.content_part.added", **at, "part": part | {"text": ""}}
            kind, end, text = "output_text", {"text": part["text"], "logprobs": []}, part["text"]
        for piece in pieces(text):
            yield {"type": f"response.{kind}.delta", **at, "delta": piece, "logprobs": []}
        yield {"type": f"response.{kind}.done", **at, **end}
        if not is_call:
            yield {"type": "response.content_part.done", **at, "part": part}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": body}


#: The last part of a path, with what writes a reply whole and streamed.
DIALECTS = {
    "completions": (chat, chat_stream),
    "messages": (messages, messages_stream),
    "responses": (responses, responses_stream),
}
