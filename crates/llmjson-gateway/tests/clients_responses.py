"""Official clients of Responses against damaged replies, directly and through the gateway.

    clients_responses.py LLMJSON

As `clients.py`, whose damages, tool and value these are. Through the gateway the server is asked once in Responses, and
once in chat completions, to which the requests are translated. Exits with 1 if anything fails through the gateway, or if a
damage does no harm to any client.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from typing import Any

import clients
from clients import CALLS, PIECE, SCHEMA, VALUES, WEATHER, Trip

TOOL: Any = {"type": "function", "name": "weather", "parameters": SCHEMA, "strict": False}
FORMAT: Any = {"format": {"type": "json_schema", "name": "trip", "schema": SCHEMA}}


class Upstream(clients.Upstream):
    """Answers in Responses too."""

    def do_POST(self) -> None:
        if not self.path.endswith("/responses"):
            return super().do_POST()
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        content, arguments = self.reply(request)
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
        body = {"id": "resp_1", "object": "response", "created_at": 1, "model": request["model"], "status": "completed"}
        body |= {"output": items, "usage": usage, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
        if not request.get("stream"):
            return self.send(json.dumps(body).encode(), "application/json")
        lines = ""
        for number, event in enumerate(events(body, items)):
            event["sequence_number"] = number
            lines += f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
        self.send(lines.encode(), "text/event-stream")
        return None

    def reply(self, request: dict[str, Any]) -> tuple[str | None, str | None]:
        if "input" not in request:
            return super().reply(request)
        damage, last = request["model"], request["input"][-1]
        if isinstance(last, dict) and last.get("type") == "function_call_output":
            return f"It is {last['output']}.", None
        return CALLS[damage] if request.get("tools") else (VALUES[damage], None)


def events(body: dict[str, Any], items: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    begun = body | {"status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(items):
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
        for start in range(0, len(text), PIECE):
            yield {"type": f"response.{kind}.delta", **at, "delta": text[start : start + PIECE], "logprobs": []}
        yield {"type": f"response.{kind}.done", **at, **end}
        if not is_call:
            yield {"type": "response.content_part.done", **at, "part": part}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": body}


def with_openai(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import openai

    client = openai.OpenAI(base_url=base, api_key="none", max_retries=0)
    conversation: list[Any] = [{"role": "user", "content": "Three days in Oslo?"}]

    def ask(**options: Any) -> Any:
        if not is_streamed:
            return client.responses.create(model=model, input=conversation, **options)
        with client.responses.stream(model=model, input=conversation, **options) as stream:
            for _ in stream:
                pass
            return stream.get_final_response()

    if not is_call:
        return json.loads(ask(text=FORMAT).output_text)
    items = ask(tools=[TOOL]).output
    (call,) = (item for item in items if item.type == "function_call")
    conversation += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in items]
    conversation.append({"type": "function_call_output", "call_id": call.call_id, "output": WEATHER})
    return json.loads(call.arguments), ask(tools=[TOOL]).output_text


def with_agents(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import agents
    import openai

    agents.set_tracing_disabled(True)
    client = openai.AsyncOpenAI(base_url=base, api_key="none", max_retries=0)
    given: list[Any] = []

    @agents.function_tool
    def weather(city: str, days: int) -> str:
        """The weather."""
        given.append({"city": city, "days": days})
        return WEATHER

    agent: Any = agents.Agent(
        name="one",
        model=agents.OpenAIResponsesModel(model=model, openai_client=client),
        tools=[weather] if is_call else [],
        output_type=None if is_call else Trip,
    )

    async def run() -> Any:
        async with client:
            if not is_streamed:
                return (await agents.Runner.run(agent, "Three days in Oslo?")).final_output
            streamed = agents.Runner.run_streamed(agent, "Three days in Oslo?")
            async for _ in streamed.stream_events():
                pass
            return streamed.final_output

    output = asyncio.run(run())
    return (given[0], output) if is_call else output.model_dump()


CLIENTS: dict[str, Callable[[str, str, bool, bool], Any]] = {"openai": with_openai, "agents": with_agents}


def main() -> int:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    direct = f"http://127.0.0.1:{server.server_address[1]}/v1"
    with (
        clients.gateway("--upstream", direct) as native,
        clients.gateway("--upstream", direct, "--upstream-speaks", "chat") as chat,
    ):
        failed = compare(direct, native, chat)
    for line in failed:
        print(f"FAILED: {line}")
    return 1 if failed else 0


def compare(direct: str, native: str, chat: str) -> list[str]:
    clients.CLIENTS = CLIENTS
    known = [name for name in CLIENTS if importlib.util.find_spec(name)]
    failed: list[str] = []
    print("| damage | client | | directly | through the gateway | translated to chat |\n|---|---|---|---|---|---|")
    for is_call, damages in ((True, list(CALLS)), (False, list(VALUES))):
        for damage in damages:
            harmed = False
            for client in known:
                for is_streamed in (False, True):
                    way = f"{'call' if is_call else 'value'}, {'streamed' if is_streamed else 'whole'}"
                    found = [
                        clients.outcome(client, base, damage, is_call, is_streamed) for base in (direct, native, chat)
                    ]
                    print(f"| {damage} | {client} | {way} | {' | '.join(found)} |", flush=True)
                    harmed |= found[0] != "right"
                    failed += [f"{damage}, {client}, {way}: {one}" for one in found[1:] if one != "right"]
            if known and harmed == (damage == "clean"):
                failed.append(f"{damage}: {'harmed' if harmed else 'did no harm to'} clients without the gateway")
    return failed


if __name__ == "__main__":
    sys.exit(main())
