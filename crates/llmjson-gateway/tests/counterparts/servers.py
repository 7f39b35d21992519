"""Real servers behind the gateway: nothing of their replies is lost, and nothing is invented.

    servers.py LLMJSON LLAMA LLMOCK

LLAMA and LLMOCK are the origins of llama.cpp's server and of llmock, which `crates/llmjson/tests/counterparts/run` starts.
Prints what came directly and through the gateway; exits with 1 if anything is not right through the gateway.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import behind_llama
import behind_llmock
import in_chat
import in_messages
import in_responses
from table import Client, Conversation, compare, gateway


def main(llmjson: str, llama: str, llmock: str) -> int:
    failed: list[str] = []
    counts: list[str] = []
    print("| server | case | directly | through the gateway | |\n|---|---|---|---|---|")
    servers = {"llama.cpp": (behind_llama.cases(llmjson, llama), 1), "llmock": (behind_llmock.cases(llmjson, llmock), 8)}
    # llama.cpp answers one request after the other; those to llmock mostly wait.
    for server, (cases, workers) in servers.items():
        with cases as tries, ThreadPoolExecutor(workers) as pool:
            came = {case: pool.submit(attempt) for case, attempt in tries.items()}
            rows = {case: one.result() for case, one in came.items()}
        for case, (before, after, is_right) in rows.items():
            cells = [server, case, before, after, "right" if is_right else "WRONG"]
            print(f"| {' | '.join(' '.join(cell.split()).replace('|', '/') for cell in cells)} |")
        wrong = [f"{server}, {case}: {after}" for case, (_, after, is_right) in rows.items() if not is_right]
        counts.append(f"{len(rows) - len(wrong)} of {len(rows)} are right with {server}")
        failed += wrong
    print("\n".join(["", *counts, ""]))
    failed += conversations(llmjson, llmock)
    for line in failed:
        print(f"FAILED: {line}")
    return 1 if failed else 0


def conversations(llmjson: str, llmock: str) -> list[str]:
    """Holds those of `clients.py` with llmock, which gives the damaged replies."""

    def client(name: str, dialect: str, converse: Conversation) -> Client:
        return Client(name, dialect, behind_llmock.conversation(llmock, converse))

    of_openai = [
        client("openai", "chat", in_chat.with_openai),
        client("openai_responses", "responses", in_responses.with_openai),
    ]
    of_anthropic = [client("anthropic", "messages", in_messages.with_anthropic)]
    direct, messages = f"{llmock}/v1", f"{llmock}{behind_llmock.MESSAGES}/v1"
    with (
        gateway(llmjson, direct) as through,
        gateway(llmjson, messages) as of_messages,
        gateway(llmjson, direct, "--upstream-speaks", "chat") as to_chat,
    ):
        failed = compare(of_openai, direct, through, to_chat)
        # Input that is no object the server cannot write in a whole message.
        return failed + compare(of_anthropic, messages, of_messages, to_chat, but=("arguments",))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
