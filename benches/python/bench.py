"""llmjson against its peers in Python, side by side in one process. See README.md.

python bench.py            all tables
python bench.py --quick    fewer sizes and rounds, a minute
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import platform
import re
import resource
import statistics
import sys
import time
import types
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import texts
from pydantic import BaseModel

import llmjson

Read = Callable[[str], Any]
KILO = 1_000
# A call of so many seconds is slow: after some rounds no more are measured.
SLOW, ROUNDS_SLOW = 0.1, 3
# One that would take longer, going by a shorter text, is not made.
TOO_SLOW = 1.0


class Line(BaseModel):
    sku: str
    title: str
    quantity: int
    price: float
    gift: bool
    note: str | None
    tags: list[str]


class Order(BaseModel):
    order: int
    customer: str
    express: bool
    lines: list[Line]


@dataclass
class Plan:
    """How much is measured."""

    rounds: int
    turn: float  # seconds of processor time that a contender has in each round
    sizes: tuple[int, ...]
    damaged_sizes: tuple[int, ...]
    replies: int
    repeats: int
    stream_sizes: tuple[int, ...]


FULL = Plan(15, 0.01, (500, 5_000, 50_000, 1_000_000), (500, 5_000, 50_000), 200_000, 7,
            (10_000, 100_000, 1_000_000, 4_000_000))  # fmt: skip
QUICK = Plan(5, 0.003, (500, 50_000), (500, 5_000), 20_000, 3, (10_000, 100_000))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sizes and rounds")
    parser.add_argument("--only", choices=tuple(GROUPS), help="one of the tables")
    options = parser.parse_args()
    plan = QUICK if options.quick else FULL
    print(f"Python {platform.python_version()}, {', '.join(_versions())}\n")
    for name, group in GROUPS.items():
        if options.only in (None, name):
            group(plan)
            print(flush=True)


def valid(plan: Plan) -> None:
    """Valid JSON: times the speed of `json.loads`."""
    print("## Valid JSON: times the speed of json.loads\n")
    columns = [
        (f"{_size(size)}{', not ASCII' if accents else ''}{', indented' if indent else ''}",
         texts.text_of(texts.order(size, accents=accents), indent=indent))
        for size in plan.sizes
        for accents, indent in ((False, None), (True, None), (False, 2))
        if size == plan.sizes[1] or not (accents or indent)
    ]  # fmt: skip
    _compare(plan, _readers(), columns, base="json.loads")


def damaged(plan: Plan) -> None:
    """Damaged text: times the speed of json_repair."""
    readers = _readers()
    for strict in ("json.loads", "orjson.loads", "jiter.from_json"):
        del readers[strict]
    for size in plan.damaged_sizes:
        print(f"## Damaged text of {_size(size)}: times the speed of json_repair\n")
        value = texts.order(size)
        columns = [(name, damage(texts.text_of(value))) for name, damage, _ in texts.DAMAGE]
        expected = [value if same else None for _, _, same in texts.DAMAGE]
        _compare(plan, readers, columns, base="json_repair.loads", expected=expected)
        print()


def many(plan: Plan) -> None:
    """Many replies at once, on one core and on two."""
    import pyarrow as pa

    import llmjson.arrow

    replies = texts.calls(plan.replies)
    inputs = [text for text, _ in replies]
    column = pa.array(inputs)
    schema = llmjson.Schema(texts.TOOL_SCHEMA)
    mean = sum(map(len, inputs)) // len(inputs)
    print(f"## {plan.replies:,} tool calls of {mean} bytes, one in ten damaged\n")
    parsed = llmjson.parse_many(inputs[:2_000], schema)
    assert [p.value for p in parsed] == [value for _, value in replies[:2_000]]
    rows = pa.array(llmjson.arrow.parse(column[:2_000], schema)).field("value").to_pylist()
    assert rows == [value for _, value in replies[:2_000]]
    ways: dict[str, Callable[[int], Any]] = {
        "parse_many": lambda threads: llmjson.parse_many(inputs, threads=threads),
        "parse_many, schema": lambda threads: llmjson.parse_many(inputs, schema, threads=threads),
        "arrow.parse, json": lambda threads: llmjson.arrow.parse(
            column, schema, output="json", threads=threads
        ),
        "arrow.parse, struct": lambda threads: llmjson.arrow.parse(column, schema, threads=threads),
        "(SHA-256, shares nothing)": _hashes,
    }
    walls: dict[tuple[str, int], list[float]] = {}
    for _ in range(plan.repeats):
        for name, way in ways.items():
            for threads in (1, 2):
                walls.setdefault((name, threads), []).append(_wall(way, threads))
    print("| | replies/s, 1 core | replies/s, 2 cores | a core of 2 | of two cores |")
    print("|---|--:|--:|--:|--:|")
    for name, way in ways.items():
        one, two = min(walls[name, 1]), min(walls[name, 2])
        rates = [f"{len(inputs) / seconds:,.0f}" for seconds in (one, two, two * 2)]
        if way is _hashes:
            rates = ["", "", ""]
        print(f"| {name} | {' | '.join(rates)} | {one / two / 2:.0%} |")


def mixed(plan: Plan) -> None:
    """A mix of replies, read to a pydantic model: processor seconds and memory, each in a process of its own."""
    replies = texts.mixed(plan.replies)
    readers: dict[str, Callable[[list[str]], int]] = {
        "json, then json_repair, then pydantic": _by_hand,
        "llmjson.parse": lambda replies: sum(llmjson.parse(t, Order).ok for t in replies),
        "llmjson.parse_many": lambda replies: sum(p.ok for p in llmjson.parse_many(replies, Order)),
        "llmjson.parse_iter": lambda replies: sum(p.ok for p in llmjson.parse_iter(replies, Order)),
    }
    mean = sum(map(len, replies)) // len(replies)
    print(f"## {plan.replies:,} replies of {mean} characters, read to a model\n")
    print("| | CPU s | more memory, MB | read |\n|---|--:|--:|--:|")
    for name, reader in readers.items():
        seconds, memory, read = _apart(lambda reader=reader: reader(replies))
        print(f"| {name} | {seconds:.2f} | {memory / KILO:,.0f} | {read / len(replies):.1%} |")


def _by_hand(replies: list[str]) -> int:
    """Counts what the usual function reads: cut a fence out, read, else repair, then validate."""
    import json_repair
    from pydantic import ValidationError

    read = 0
    for text in replies:
        fenced = re.search(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
        text = fenced.group(1) if fenced else text
        try:
            value = json.loads(text)
        except ValueError:
            value = json_repair.loads(text)
        try:
            Order.model_validate(value)
        except ValidationError:
            continue
        read += 1
    return read


def _apart(work: Callable[[], int]) -> tuple[float, int, int]:
    """Returns the seconds and kilobytes that work takes in a process of its own, and what it returns."""
    results, give = os.pipe()
    if (child := os.fork()) == 0:
        before = resource.getrusage(resource.RUSAGE_SELF)
        found = work()
        after = resource.getrusage(resource.RUSAGE_SELF)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        os.write(give, json.dumps([spent, after.ru_maxrss - before.ru_maxrss, found]).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(give)
    with os.fdopen(results) as read:
        seconds, memory, found = json.load(read)
    return seconds, memory, found


def streams(plan: Plan) -> None:
    """Streams of growing length: nanoseconds a byte."""
    print("## Streams in pieces of 20 characters: nanoseconds a byte\n")
    sizes = plan.stream_sizes
    inputs = [texts.text_of(texts.order(size)) for size in sizes]
    times: list[list[float]] = [[] for _ in sizes]
    for _ in range(plan.repeats):
        for place, text in enumerate(inputs):
            start = time.thread_time()
            stream = llmjson.Stream()
            for at in range(0, len(text), 20):
                stream.push(text[at : at + 20])
            parsed = stream.finish()
            times[place].append((time.thread_time() - start) / len(text) * 1e9)
            assert parsed.ok
    print("| | " + " | ".join(map(_size, sizes)) + " |\n|---" + "|--:" * len(sizes) + "|")
    print("| push and finish | " + " | ".join(f"{min(t):.1f}" for t in times) + " |")


def prompts(plan: Plan) -> None:
    """Schemas for prompts: bytes, and tokens of the vocabulary o200k."""
    import bpe_openai

    tokens = bpe_openai.get_encoding("o200k_base").encode
    print("## Schemas for prompts: bytes / tokens of o200k\n")
    print("| | JSON Schema, indented | JSON Schema, compact | Schema.prompt() |\n|---|--:|--:|--:|")
    for name, schema in texts.PROMPTED.items():
        forms = (
            json.dumps(schema, indent=2),
            json.dumps(schema, separators=(",", ":")),
            llmjson.Schema(schema).prompt(),
        )
        cells = [f"{len(form.encode()):,} / {len(tokens(form)):,}" for form in forms]
        print(f"| {name} | {' | '.join(cells)} |")


GROUPS: dict[str, Callable[[Plan], None]] = {
    "valid": valid,
    "damaged": damaged,
    "many": many,
    "mixed": mixed,
    "streams": streams,
    "prompts": prompts,
}


def _readers() -> dict[str, Read]:
    """Returns what reads a text to plain objects, by name."""
    import fast_json_repair
    import jiter
    import json_repair
    import orjson
    import partial_json_parser

    schema = llmjson.Schema(texts.SCHEMA)
    return {
        # The peers read truncated text by default.
        "llmjson.loads": lambda text: llmjson.loads(text, allow_truncated=True),
        "llmjson.parse": lambda text: llmjson.parse(text).value,
        "llmjson.parse, schema": lambda text: llmjson.parse(text, schema).value,
        "json.loads": json.loads,
        "orjson.loads": orjson.loads,
        "jiter.from_json": lambda text: jiter.from_json(text.encode()),
        "json_repair.loads": json_repair.loads,
        "fast_json_repair.loads": fast_json_repair.loads,
        "partial_json_parser.loads": partial_json_parser.loads,
        "BAML, schema": _baml(),
    }


def _baml() -> Read:
    """Returns BAML's parser of replies without a generated client, which would call this."""
    import baml_py

    runtime = baml_py.BamlRuntime.from_files("baml_src", {"main.baml": texts.BAML}, {})
    context = runtime.create_context_manager()
    plain = types.ModuleType("plain")
    plain.__dict__.update(Order=_Plain, Line=_Plain)
    return lambda text: runtime.parse_llm_response(
        "Read", text, plain, plain, plain, False, context, None, None, {}
    )


class _Plain:
    """In place of the generated classes of BAML, which has them make instances of objects."""

    @staticmethod
    def model_validate(members: dict[str, Any]) -> dict[str, Any]:
        return members


def _compare(
    plan: Plan,
    readers: dict[str, Read],
    columns: list[tuple[str, str]],
    base: str,
    expected: list[Any] | None = None,
) -> None:
    """Prints the speed of each reader on each text over that of `base`, medians over the rounds.

    A reader that raises has `x`, one that finds another value `n`, one that would take seconds `–`.
    Without an expected value any object with something in it will do.
    """
    marks: dict[tuple[str, int], str] = {}
    times: dict[tuple[str, int], list[float]] = {}
    for place, (_, text) in enumerate(columns):
        wanted = json.loads(text) if expected is None else expected[place]
        for name, read in readers.items():
            before = times.get((name, place - 1))
            longer = len(text) / len(columns[max(place - 1, 0)][1])
            if before and before[-1] * longer > TOO_SLOW or marks.get((name, place - 1)) == "–":
                marks[name, place] = "–"
                continue
            mark = _mark(read, text, wanted)
            if mark:
                marks[name, place] = mark
        for turn in range(plan.rounds):
            for name, read in readers.items():
                own = times.setdefault((name, place), [])
                if marks.get((name, place), "n") == "n" and (turn < ROUNDS_SLOW or own[0] < SLOW):
                    own.append(_turn(read, text, plan.turn))
    print("| | " + " | ".join(name for name, _ in columns) + " |")
    print("|---" + "|--:" * len(columns) + "|")
    for name in readers:
        cells = [
            marks.get((name, place)) or _ratio(times[base, place], times[name, place])
            for place in range(len(columns))
        ]
        print(f"| {name} | " + " | ".join(cells) + " |")
    seconds = [min(times[base, place]) for place in range(len(columns))]
    print(f"| {base}, µs | " + " | ".join(f"{s * 1e6:,.1f}" for s in seconds) + " |")


def _mark(read: Read, text: str, wanted: Any) -> str:
    try:
        found = read(text)
    except Exception:  # noqa: BLE001 (whatever a peer raises)
        return "x"
    if wanted is None:
        return "" if isinstance(found, dict) and found else "n"
    return "" if found == wanted else "n"


def _turn(read: Read, text: str, seconds: float) -> float:
    """Returns the seconds of processor time that one call takes, of as many as fit in a turn."""
    calls, spent = 1, 0.0
    while True:
        start = time.thread_time()
        for _ in range(calls):
            read(text)
        spent = time.thread_time() - start
        if spent >= seconds:
            return spent / calls
        calls = max(calls * 2, int(calls * seconds / max(spent, 1e-9)))


def _hashes(threads: int) -> None:
    """Does the same work on any number of threads, so that it shows how free the cores are."""
    data = memoryview(bytes(20_000_000))
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(hashlib.sha256, [data] * 8))


def _wall(way: Callable[[int], Any], threads: int) -> float:
    """Returns the seconds that work takes with so many threads on as many cores."""
    gc.collect()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(cores)[:threads])
    try:
        start = time.perf_counter()
        result = way(threads)
        spent = time.perf_counter() - start
        del result
        return spent
    finally:
        os.sched_setaffinity(0, cores)


def _ratio(base: list[float], own: list[float]) -> str:
    ratio = statistics.median(b / o for b, o in zip(base, own, strict=False))
    return f"{ratio:,.0f}" if ratio >= 20 else f"{ratio:.2g}" if ratio < 0.1 else f"{ratio:.2f}"


def _size(size: int) -> str:
    if size >= KILO * KILO:
        return f"{size // (KILO * KILO)} MB"
    return f"{size // KILO} KB" if size >= KILO else f"{size} B"


def _versions() -> list[str]:
    from importlib.metadata import version

    names = ("orjson", "json-repair", "partial-json-parser", "baml-py", "bpe-openai", "pyarrow")
    return [f"{name} {version(name)}" for name in names]


if __name__ == "__main__":
    sys.exit(main())
