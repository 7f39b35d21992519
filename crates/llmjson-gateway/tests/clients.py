"""Official clients against damaged replies, directly and through the gateway.

    clients.py LLMJSON

Starts a server that answers chat completions and Messages as models without a working parser do, and `llmjson gateway`
in front of it; a second one translates Messages for a server that speaks chat alone. Each client that is
installed holds a conversation with a tool in two steps and asks for a structured reply, whole and
streamed. Through the gateway everything has to come right; what comes right without it is shown beside it. Exits with 1 if
anything fails through the gateway, or if a damage does no harm to any client.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import importlib.util
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel

CALL = '{"name": "weather", "arguments": {"city": "Oslo", "days": 3}}'
ARGUMENTS = '{"city": "Oslo", "days": 3}'
PIECE = 7  # characters of a delta


class Trip(BaseModel):
    city: str
    days: int


SCHEMA: dict[str, Any] = Trip.model_json_schema() | {"additionalProperties": False}
TOOL: Any = {
    "type": "function",
    "function": {"name": "weather", "description": "The weather.", "parameters": SCHEMA},
}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "trip", "schema": SCHEMA}}

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
WEATHER = "Oslo: 3 degrees"


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers as the model of the request is named: the name of a damage."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        content, arguments = self.reply(request)
        if self.path.endswith("/v1/messages"):
            if self.path.startswith(CHAT_ONLY):
                return self.send_error(404)
            return self.message(request, content, arguments)
        calls = [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": arguments}}]
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if arguments is not None:
            message["tool_calls"] = calls
        finish = "stop" if arguments is None else "tool_calls"
        head = {"id": "chat-1", "created": 1, "model": request["model"]}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if not request.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": finish}
            body = head | {"object": "chat.completion", "choices": [choice], "usage": usage}
            return self.send(json.dumps(body).encode(), "application/json")
        events = [
            head | {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
            for delta in deltas(content, arguments)
        ]
        events.append(
            head | {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
        )
        events.append(head | {"object": "chat.completion.chunk", "choices": [], "usage": usage})
        lines = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        self.send(f"{lines}data: [DONE]\n\n".encode(), "text/event-stream")
        return None

    def reply(self, request: dict[str, Any]) -> tuple[str | None, str | None]:
        damage = request["model"]
        last = request["messages"][-1]
        if last["role"] == "tool":
            return f"It is {last['content']}.", None
        if not isinstance(last["content"], str):
            return f"It is {last['content'][0]['content']}.", None
        if request.get("tools"):
            return CALLS[damage]
        return VALUES[damage], None

    def message(self, request: Any, content: str | None, arguments: str | None) -> None:
        """Answers in the form of Messages. Arguments that are no JSON are a text."""
        whole: list[dict[str, Any]] = [] if content is None else [{"type": "text", "text": content}]
        if arguments is not None:
            try:
                given = json.loads(arguments)
            except ValueError:
                given = arguments
            whole.append({"type": "tool_use", "id": "toolu_1", "name": "weather", "input": given})
        head = {"id": "msg_1", "type": "message", "role": "assistant", "model": request["model"]}
        reason = "end_turn" if arguments is None else "tool_use"
        end = {"stop_reason": reason, "stop_sequence": None}
        usage = {"input_tokens": 1, "output_tokens": 1}
        if not request.get("stream"):
            return self.send(json.dumps(head | {"content": whole, "usage": usage} | end).encode(), "application/json")
        none = {"stop_reason": None, "stop_sequence": None}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": head | {"content": [], "usage": usage} | none}
        ]
        for index, block in enumerate(whole):
            empty, kind, member, text = (
                ({"text": ""}, "text_delta", "text", content)
                if block["type"] == "text"
                else ({"input": {}}, "input_json_delta", "partial_json", arguments)
            )
            events.append({"type": "content_block_start", "index": index, "content_block": block | empty})
            for at in range(0, len(text or ""), PIECE):
                delta = {"type": kind, member: (text or "")[at : at + PIECE]}
                events.append({"type": "content_block_delta", "index": index, "delta": delta})
            events.append({"type": "content_block_stop", "index": index})
        events += [{"type": "message_delta", "delta": end, "usage": usage}, {"type": "message_stop"}]
        stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self.send(stream.encode(), "text/event-stream")

    def send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def deltas(content: str | None, arguments: str | None) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for at in range(0, len(content or ""), PIECE):
        yield {"content": (content or "")[at : at + PIECE]}
    if arguments is None:
        return
    function: dict[str, Any] = {"name": "weather", "arguments": ""}
    yield {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}
    for at in range(0, len(arguments), PIECE):
        piece = {"index": 0, "function": {"arguments": arguments[at : at + PIECE]}}
        yield {"tool_calls": [piece]}


# --- the clients: each returns what the tool was given with the last reply, or the structured value


def with_openai(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import openai

    client = openai.OpenAI(base_url=base, api_key="none", max_retries=0)
    messages: list[Any] = [{"role": "user", "content": "Three days in Oslo?"}]

    def ask(**options: Any) -> Any:
        if not is_streamed:
            return client.chat.completions.create(model=model, messages=messages, **options).choices[0].message
        with client.chat.completions.stream(model=model, messages=messages, **options) as stream:
            for _ in stream:
                pass
            return stream.get_final_completion().choices[0].message

    if not is_call:
        return json.loads(ask(response_format=FORMAT).content)
    message = ask(tools=[TOOL])
    (call,) = message.tool_calls
    given = json.loads(call.function.arguments)
    messages.append(json.loads(message.model_dump_json(exclude_none=True, exclude={"parsed"})))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": WEATHER})
    return given, ask(tools=[TOOL]).content


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
        model=agents.OpenAIChatCompletionsModel(model=model, openai_client=client),
        tools=[weather] if is_call else [],
        output_type=None if is_call else Trip,
    )

    async def run() -> Any:
        if not is_streamed:
            return (await agents.Runner.run(agent, "Three days in Oslo?")).final_output
        streamed = agents.Runner.run_streamed(agent, "Three days in Oslo?")
        async for _ in streamed.stream_events():
            pass
        return streamed.final_output

    async def run_and_close() -> Any:
        async with client:
            return await run()

    output = asyncio.run(run_and_close())
    return (given[0], output) if is_call else output.model_dump()


def with_pydantic_ai(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import pydantic_ai
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    given: list[Any] = []
    chat = OpenAIChatModel(model, provider=OpenAIProvider(base_url=base, api_key="none"))
    agent: Any = pydantic_ai.Agent(
        chat, output_type=str if is_call else pydantic_ai.NativeOutput(Trip), retries=0
    )
    if is_call:

        @agent.tool_plain
        def weather(city: str, days: int) -> str:
            """The weather."""
            given.append({"city": city, "days": days})
            return WEATHER

    async def run() -> Any:
        if not is_streamed:
            return (await agent.run("Three days in Oslo?")).output
        async with agent.run_stream("Three days in Oslo?") as streamed:
            return await streamed.get_output()

    output = asyncio.run(run())
    return (given[0], output) if is_call else output.model_dump()


def with_litellm(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    # Its prices would be fetched.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    litellm.suppress_debug_info = True
    messages: list[Any] = [{"role": "user", "content": "Three days in Oslo?"}]

    def ask(**options: Any) -> Any:
        answer: Any = litellm.completion(
            model=f"openai/{model}",
            messages=messages,
            api_base=base,
            api_key="none",
            stream=is_streamed,
            num_retries=0,
            **options,
        )
        if is_streamed:
            answer = litellm.stream_chunk_builder(list(answer), messages=messages)
        return answer.choices[0].message

    if not is_call:
        return json.loads(ask(response_format=FORMAT).content)
    message = ask(tools=[TOOL])
    (call,) = message.tool_calls
    given = json.loads(call.function.arguments)
    messages.append(message.model_dump(exclude_none=True))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": WEATHER})
    return given, ask(tools=[TOOL]).content


def with_anthropic(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import anthropic

    client: Any = anthropic.Anthropic(base_url=base.removesuffix("/v1"), api_key="none", max_retries=0)
    messages: list[Any] = [{"role": "user", "content": "Three days in Oslo?"}]

    def ask(**options: Any) -> Any:
        options |= {"model": model, "max_tokens": 99, "messages": messages}
        if not is_streamed:
            return client.messages.create(**options)
        with client.messages.stream(**options) as stream:
            for _ in stream:
                pass
            return stream.get_final_message()

    def text(message: Any) -> str:
        return "".join(block.text for block in message.content if block.type == "text")

    if not is_call:
        output = {"format": {"type": "json_schema", "schema": SCHEMA}}
        return json.loads(text(ask(extra_body={"output_config": output})))
    tools = [{"name": "weather", "description": "The weather.", "input_schema": SCHEMA}]
    # The call of a tool that has to be called is a structured reply, too.
    choice = {"type": "tool", "name": "weather", "disable_parallel_tool_use": True}
    (value,) = (block for block in ask(tools=tools, tool_choice=choice).content if block.type == "tool_use")
    message = ask(tools=tools)
    (call,) = (block for block in message.content if block.type == "tool_use")
    if value.input != call.input or message.stop_reason != "tool_use":
        return value.input, message.stop_reason
    messages.append({"role": "assistant", "content": message.content})
    result = {"type": "tool_result", "tool_use_id": call.id, "content": WEATHER}
    messages.append({"role": "user", "content": [result]})
    return call.input, text(ask(tools=tools))


CLIENTS: dict[str, Callable[[str, str, bool, bool], Any]] = {
    "openai": with_openai,
    "agents": with_agents,
    "pydantic_ai": with_pydantic_ai,
    "litellm": with_litellm,
    "anthropic": with_anthropic,
    "anthropic_chat": with_anthropic,
}
#: The path of the server that speaks chat alone, and the end of the names of clients that ask it in another dialect.
CHAT_ONLY = "/only"
TRANSLATED = "_chat"


def outcome(client: str, base: str, damage: str, is_call: bool, is_streamed: bool) -> str:
    expected = {"city": "Oslo", "days": 3}
    wanted: Any = (expected, f"It is {WEATHER}.") if is_call else expected
    try:
        found = CLIENTS[client](base, damage, is_call, is_streamed)
    except Exception as error:  # whatever a client makes of it
        return f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"
    return "right" if found == wanted else f"wrong: {found}"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def main() -> int:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    direct = f"http://127.0.0.1:{server.server_address[1]}/v1"
    only = direct.replace("/v1", f"{CHAT_ONLY}/v1")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as started:
        reports = pathlib.Path(folder)
        through = started.enter_context(gateway("--upstream", direct, "--report-dir", f"{folder}/one"))
        settings = ["--upstream-speaks", "chat", "--report-dir", f"{folder}/other"]
        to_chat = started.enter_context(gateway("--upstream", only, *settings))
        failed = compare({"": (direct, through), TRANSLATED: (only, to_chat)})
        lines = [line for one in sorted(reports.glob("*/replies.jsonl")) for line in one.read_text().splitlines()]
        outcomes = [json.loads(line)["report"]["outcome"] for line in lines]
    print(f"\n{({one: outcomes.count(one) for one in sorted(set(outcomes))})}")
    for line in failed:
        print(f"FAILED: {line}")
    return 1 if failed else 0


@contextlib.contextmanager
def gateway(*settings: str) -> Iterator[str]:
    port = free_port()
    command = [sys.argv[1], "gateway", "--listen", f"127.0.0.1:{port}", "--log", "error", *settings]
    with subprocess.Popen(command) as process:
        try:
            await_start(f"http://127.0.0.1:{port}/healthz", process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def compare(bases: dict[str, tuple[str, str]]) -> list[str]:
    known = [name for name in CLIENTS if importlib.util.find_spec(name.removesuffix(TRANSLATED))]
    for name in CLIENTS:
        if name not in known:
            print(f"not installed: {name}")
    failed: list[str] = []
    print("| damage | client | | directly | through the gateway |\n|---|---|---|---|---|")
    for is_call, damages in ((True, list(CALLS)), (False, list(VALUES))):
        for damage in damages:
            harmed = False
            for client in known:
                is_translated = client.endswith(TRANSLATED)
                direct, through = bases[TRANSLATED if is_translated else ""]
                for is_streamed in (False, True):
                    way = f"{'call' if is_call else 'value'}, {'streamed' if is_streamed else 'whole'}"
                    before = outcome(client, direct, damage, is_call, is_streamed)
                    after = outcome(client, through, damage, is_call, is_streamed)
                    print(f"| {damage} | {client} | {way} | {before} | {after} |", flush=True)
                    # Without the gateway such a server answers none of them.
                    harmed |= before != "right" and not is_translated
                    if after != "right":
                        failed.append(f"{damage}, {client}, {way}: {after}")
            if known and harmed == (damage == "clean"):
                failed.append(f"{damage}: {'harmed' if harmed else 'did no harm to'} clients without the gateway")
    return failed


def await_start(address: str, gateway: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if gateway.poll() is not None:
            raise SystemExit("the gateway did not start")
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the gateway does not answer")


if __name__ == "__main__":
    sys.exit(main())
