"""Official clients against damaged replies, directly and through the gateway.

    clients.py LLMJSON [FOLDER]

Starts a server that answers as models without a working parser do, and `llmjson gateway` in front of it; a second one
translates Messages and Responses for a server that speaks chat alone. Each client that is installed, those in JavaScript in
the folder that `javascript/install` made, holds a conversation with a tool in two steps and asks for a structured reply, whole
and streamed. Through the gateway everything has to come right; what comes right without it is shown beside it. Exits with 1 if
anything fails through the gateway, or if a damage does no harm to any client of a dialect.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import pathlib
import sys
import tempfile

import in_chat
import in_javascript
import in_langchain
import in_messages
import in_responses
from table import Client, compare, gateway
from upstream import CHAT_ONLY, served

#: Clients in Python, with the package that has to be installed.
IN_PYTHON = [
    ("openai", Client("openai", "chat", in_chat.with_openai)),
    ("agents", Client("agents", "chat", in_chat.with_agents)),
    ("pydantic_ai", Client("pydantic_ai", "chat", in_chat.with_pydantic_ai)),
    ("litellm", Client("litellm", "chat", in_chat.with_litellm)),
    ("langchain_openai", Client("langchain", "chat", in_langchain.with_chat)),
    ("anthropic", Client("anthropic", "messages", in_messages.with_anthropic)),
    ("openai", Client("openai_responses", "responses", in_responses.with_openai)),
    ("agents", Client("agents_responses", "responses", in_responses.with_agents)),
    ("langchain_openai", Client("langchain_responses", "responses", in_langchain.with_responses)),
]


def main(llmjson: str, javascript: str | None = None) -> int:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        clients = [client for package, client in IN_PYTHON if importlib.util.find_spec(package)]
        if javascript is not None and pathlib.Path(javascript, "clients.mjs").is_file():
            clients += stack.enter_context(in_javascript.clients(pathlib.Path(javascript)))
        for name in {*(client.name for _, client in IN_PYTHON), *in_javascript.DIALECTS} - {one.name for one in clients}:
            print(f"not installed: {name}")
        origin = stack.enter_context(served())
        direct = f"{origin}/v1"
        through = stack.enter_context(gateway(llmjson, direct, "--report-dir", f"{folder}/one"))
        settings = ["--upstream-speaks", "chat", "--report-dir", f"{folder}/other"]
        to_chat = stack.enter_context(gateway(llmjson, f"{origin}{CHAT_ONLY}/v1", *settings))
        failed = compare(clients, direct, through, to_chat)
        reports = [json.loads(line) for one in pathlib.Path(folder).glob("*/replies.jsonl") for line in one.open()]
    outcomes = [report["report"]["outcome"] for report in reports]
    print(f"\n{({one: outcomes.count(one) for one in sorted(set(outcomes))})}")
    for line in failed:
        print(f"FAILED: {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
