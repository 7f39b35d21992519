"""The OAuth of the official MCP SDK before a server, and before `llmjson mcp-proxy --listen` with that server behind it.

    mcp_oauth.py LLMJSON

A client has to ask the authorization server for a token of the resource that the server names. Through the proxy it has to
end before that, with an error that names both URLs: the metadata stays the server's. Where the client is told to go on all the
same, it asks for a token of the proxy, which the server would not take; it would do so too if the proxy put its own URL
into the metadata. Exits with 1 if anything of this is otherwise.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import logging
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

METADATA = "/.well-known/oauth-protected-resource/mcp"
CALLBACK = "http://127.0.0.1:1/callback"


class Server(BaseHTTPRequestHandler):
    """An MCP server that takes no request without a token, and the authorization server of its tokens."""

    def url(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}{path}"

    def answer(self, status: int, body: dict[str, Any], challenge: str | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        if challenge is not None:
            self.send_header("www-authenticate", challenge)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        if self.path == METADATA:
            return self.answer(200, {"resource": self.url("/mcp"), "authorization_servers": [self.url()]})
        if self.path != "/.well-known/oauth-authorization-server":
            return self.answer(404, {})
        endpoints = {f"{name}_endpoint": self.url(f"/{name}") for name in ("authorization", "token", "registration")}
        known = {"response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]}
        return self.answer(200, {"issuer": self.url(), **endpoints, **known})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/registration":
            return self.answer(201, {"client_id": "client", "redirect_uris": [CALLBACK]})
        return self.answer(401, {}, f'Bearer resource_metadata="{self.url(METADATA)}"')

    def log_message(self, *_: Any) -> None:
        pass


class Nothing:
    """A storage of tokens without any."""

    async def get_tokens(self) -> None: ...

    async def set_tokens(self, _: Any) -> None: ...

    async def get_client_info(self) -> None: ...

    async def set_client_info(self, _: Any) -> None: ...


async def outcome(url: str, *, goes_on: bool = False) -> str:
    """The resource that a token is asked for, or the error before that."""
    import httpx2
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import OAuthClientMetadata

    asked = []

    async def redirect(target: str) -> None:
        asked.extend(parse_qs(urlsplit(target).query)["resource"])

    async def callback() -> Any:
        raise RuntimeError("here a person logs in")

    async def take(*_: Any) -> None:
        pass

    metadata = OAuthClientMetadata(client_name="test", redirect_uris=[CALLBACK])
    more = {"validate_resource_url": take} if goes_on else {}
    auth = OAuthClientProvider(url, metadata, Nothing(), redirect, callback, **more)
    try:
        async with httpx2.AsyncClient(auth=auth) as client:
            await client.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    except Exception as error:  # what a client raises is an outcome
        return asked[0] if asked else f"{type(error).__name__}: {error}"
    return "no token was asked for"


def main() -> int:
    if importlib.util.find_spec("mcp") is None:
        print("mcp is not installed: nothing is tried")
        return 0
    logging.disable()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/mcp"
    command = [sys.argv[1], "mcp-proxy", "--log", "warn", "--listen", "127.0.0.1:0", "--url", url]
    proxy = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert proxy.stdout is not None
    listening = proxy.stdout.readline().strip()
    refused = f"OAuthFlowError: Protected resource {url} does not match expected {listening}"
    failed = False
    for way, target, goes_on, expected in [
        ("without the proxy", url, False, url),
        ("through the proxy", listening, False, refused),
        ("through the proxy, unchecked", listening, True, listening),
    ]:
        came = asyncio.run(outcome(target, goes_on=goes_on))
        print(f"| {way} | {came} |", flush=True)
        failed |= came != expected
    proxy.terminate()
    return 1 if failed or proxy.wait(60) != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
