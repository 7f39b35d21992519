"""Nothing that was read stays in memory."""

from __future__ import annotations

import gc
import resource
import sys
from collections.abc import Callable

import pytest

import llmjson
from llmjson import Schema, Stream, Tools

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}
TEXT = "{n: '3', s: 'x', more: [1, 2.5, {\"a\": null}]"


def _stream() -> None:
    stream = Stream(SCHEMA)
    stream.push(TEXT[:20])
    assert stream.value and stream.events()
    stream.finish()


def _tools() -> None:
    tools = Tools({"name": "t", "inputSchema": SCHEMA})
    assert tools.bind("t", TEXT).issues
    assert tools.calls_in('<tool_call>{"name": "t", "arguments": {}}</tool_call>').calls


def _errors() -> None:
    with pytest.raises(llmjson.ParseError):
        llmjson.parse("{n: 'x'}", SCHEMA).result()
    with pytest.raises(llmjson.SchemaError):
        Schema({"type": 3})


def _parse() -> None:
    parsed = llmjson.parse(TEXT, SCHEMA)
    assert parsed.value and parsed.repairs and parsed.coercions
    assert parsed.report() and parsed._repr_html_()


CALLS: list[Callable[[], object]] = [
    _parse,
    lambda: llmjson.parse_many([TEXT] * 40, Schema({**SCHEMA, "title": "fresh"})),
    lambda: llmjson.parse_all(TEXT + " and " + TEXT),
    _stream,
    _tools,
    _errors,
]


@pytest.mark.parametrize("call", CALLS)
def test_no_object_is_left(call: Callable[[], object]) -> None:
    for _ in range(5):
        call()
    gc.collect()
    before = sys.getallocatedblocks() if hasattr(sys, "getallocatedblocks") else 0
    for _ in range(200):
        call()
    gc.collect()
    # Caches of the interpreter take some; what one call leaves behind would count 200 times.
    assert sys.getallocatedblocks() - before < 150


def test_memory_outside_of_python_does_not_grow() -> None:
    text = "{a: '" + "x" * 100_000 + "'}"
    for _ in range(300):
        assert llmjson.parse(text, SCHEMA).value
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1500):
        assert llmjson.parse(text, SCHEMA).value
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    # 1,500 texts of 100 KB are 150 MB.
    assert grown < 40_000, f"{grown} KB more"
