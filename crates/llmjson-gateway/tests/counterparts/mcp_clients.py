"""The official SDK of the Model Context Protocol, with the proxy between its client and its server in each of its ways.

    mcp_clients.py LLMJSON

Starts a server over HTTP, and one on standard input and output behind `llmjson mcp-proxy`. The client calls tools as models
do: with other names, and with text for numbers. Through the proxy everything has to come right, in the newest version of
the protocol and in the last one with sessions; what comes right without it is shown beside it. Exits with 1 if anything
fails through the proxy, or comes right without it.
"""

from __future__ import annotations

import asyncio
import importlib.util
import socket
import sys
import threading
import time
from typing import Any

from table import started

SERVE = "--serve"
SECONDS = 60  # for one conversation, which takes a hundredth of that

#: Tools and arguments as models send them, and the text that the tool gives; None stands for feedback.
CALLS: list[tuple[str, dict[str, Any], str | None]] = [
    ("weather", {"city": "Oslo", "days": "3"}, "Oslo: 3 days"),
    ("weather", {"arguments": {"city_name": "Oslo"}}, "Oslo: 1 days"),
    ("Weather", {"cityName": "Oslo", "days": 2.0}, "Oslo: 2 days"),
    ("weather", {"days": "soon"}, None),
]


def server() -> Any:
    from mcp.server import MCPServer

    made = MCPServer("weather")

    @made.tool()
    def weather(city_name: str, days: int = 1) -> str:
        """The weather."""
        return f"{city_name}: {days} days"

    return made


async def outcome(target: Any, mode: Any) -> str:
    """Right, or the reason why not."""
    from mcp import Client

    try:
        async with asyncio.timeout(SECONDS), Client(target, mode=mode) as client:
            listed = await client.list_tools()
            if len(listed.tools) != 1:
                return f"{len(listed.tools)} tools"
            for tool, arguments, expected in CALLS:
                result = await client.call_tool(tool, arguments)
                text = result.content[0].text
                if expected is None and not (result.is_error and "days" in text):
                    return f"{arguments} gives {text}"
                if expected is not None and (result.is_error or text != expected):
                    return f"{arguments} gives {text.splitlines()[0]}"
    except Exception as error:  # what a client raises is an outcome
        return f"{type(error).__name__}: {error}"
    return "right"


def serve_http() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    served = server().run_streamable_http_async(host="127.0.0.1", port=port)
    threading.Thread(target=asyncio.run, args=(served,), daemon=True).start()
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return f"http://127.0.0.1:{port}/mcp"
    raise SystemExit("the server does not answer")


async def compare(llmjson: str) -> list[str]:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    url = serve_http()
    program = ["--", sys.executable, __file__, SERVE]

    def pipes(*arguments: str) -> Any:
        return stdio_client(StdioServerParameters(command=llmjson, args=["mcp-proxy", *arguments]))

    proxy = [llmjson, "mcp-proxy", "--log", "warn", "--listen", "127.0.0.1:0"]
    failed = []
    print("| version | way | |\n|---|---|---|")
    with started(*proxy, "--url", url) as to_remote, started(*proxy, *program) as to_local:
        for mode in ("auto", "legacy"):
            ways = {
                "without the proxy": url,
                "HTTP to HTTP": to_remote,
                "HTTP to a program": to_local,
                "pipes to HTTP": pipes("--url", url),
                "pipes to a program": pipes(*program),
            }
            for way, target in ways.items():
                came = await outcome(target, mode)
                print(f"| {mode} | {way} | {came} |", flush=True)
                if (came == "right") == (way == "without the proxy"):
                    failed.append(f"{mode}, {way}: {came}")
    return failed


def main() -> int:
    if importlib.util.find_spec("mcp") is None:
        print("mcp is not installed: nothing is tried")
        return 0
    if sys.argv[1:] == [SERVE]:
        server().run("stdio")
        return 0
    failed = asyncio.run(compare(sys.argv[1]))
    for one in failed:
        print(f"failed: {one}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
