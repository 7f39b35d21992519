"""Starts the command, and shows what comes of conversations with it and without it."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from damages import ANSWER, CALLS, EXPECTED, VALUES

SECONDS = 60  # until a command has ended, which takes less than one

#: Holds a conversation at a base URL with a model: whether with a tool, and whether streamed. Returns what the tool was
#: given with the text of the last reply, or the structured value.
Conversation = Callable[[str, str, bool, bool], Any]


@dataclass
class Client:
    """A client that is installed, with the dialect that it speaks."""

    name: str
    dialect: str
    converse: Conversation


@contextlib.contextmanager
def started(*command: str) -> Iterator[str]:
    """Gives the address that the command prints once it listens. At the end it has to leave with code 0."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline().split()
        if not line:
            raise SystemExit(f"{command[1]} did not start")
        try:
            yield line[0]
        finally:
            process.terminate()
        if (code := process.wait(SECONDS)) != 0:
            raise SystemExit(f"{command[1]} ended with {code}")


@contextlib.contextmanager
def gateway(llmjson: str, upstream: str, *settings: str) -> Iterator[str]:
    """Gives the base URL of a gateway in front of a server."""
    options = ["--listen", "127.0.0.1:0", "--log", "error", "--upstream", upstream]
    with started(llmjson, "gateway", *options, *settings) as base:
        yield base


def outcome(converse: Conversation, base: str, model: str, is_call: bool, is_streamed: bool) -> str:
    """Returns "right", or what came instead."""
    try:
        found = converse(base, model, is_call, is_streamed)
    except Exception as error:  # whatever a client makes of it
        return f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"
    wanted: Any = (EXPECTED, ANSWER) if is_call else EXPECTED
    return "right" if found == wanted else f"wrong: {found}"


def compare(clients: list[Client], direct: str, through: str, to_chat: str, but: tuple[str, ...] = ()) -> list[str]:
    """Prints the table: each client against each damage but some. Returns what failed."""
    calls, values = ([damage for damage in damages if damage not in but] for damages in (CALLS, VALUES))
    failed: list[str] = []
    harmed: set[tuple[str, str]] = set()
    right = dict.fromkeys((client.name for client in clients), (0, 0, 0))
    print("| damage | client | | directly | through the gateway | translated to chat |\n|---|---|---|---|---|---|")
    for damage, is_call in [(one, True) for one in calls] + [(one, False) for one in values]:
        for client in clients:
            for is_streamed in (False, True):
                way = f"{'call' if is_call else 'value'}, {'streamed' if is_streamed else 'whole'}"
                bases = [direct, through] if client.dialect == "chat" else [direct, through, to_chat]
                found = [outcome(client.converse, base, damage, is_call, is_streamed) for base in bases]
                print(f"| {damage} | {client.name} | {way} | {' | '.join(found + [''] * (3 - len(found)))} |", flush=True)
                if found[0] != "right":
                    harmed.add((client.dialect, damage))
                failed += [f"{damage}, {client.name}, {way}: {one}" for one in found[1:] if one != "right"]
                before, after, of = right[client.name]
                of_gateway = found[1:].count("right") == len(found) - 1
                right[client.name] = (before + (found[0] == "right"), after + of_gateway, of + 1)
    for dialect in {client.dialect for client in clients}:
        for damage in {*calls, *values}:
            if ((dialect, damage) in harmed) == (damage == "clean"):
                failed.append(f"{damage}: {'harmed' if damage == 'clean' else 'did no harm to'} clients of {dialect}")
    print("\n| client | right directly | right through the gateway | of |\n|---|---|---|---|")
    for client in clients:
        print(f"| {client.name}, {client.dialect} | {' | '.join(map(str, right[client.name]))} |")
    return failed
