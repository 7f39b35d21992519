"""Values that nest deeply, on threads with small stacks: a value or an error, and never a crash.

Each case runs in a process of its own, since a crash would end the tests, too.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

DEPTH = 500
STACK = 128 * 1024

CALLS = {
    "parse": "llmjson.parse(arrays).value",
    "parse an object": "llmjson.parse(objects).value",
    "parse and coerce": "llmjson.parse(arrays, nested).value",
    "parse_all": "llmjson.parse_all(arrays)[0].value",
    "parse_many": "llmjson.parse_many([arrays])[0].value",
    "loads": "llmjson.loads(arrays + ',')",
    "loads an object": "llmjson.loads(objects + ',')",
    "dumps": "made(llmjson.repair_json(arrays + ',').count('['))",
    "dumps an object": "made(llmjson.repair_json(objects + ',').count('{'))",
    "coerce": "llmjson.coerce(made(depth), nested).value",
    "report": "llmjson.parse(arrays).report()['value']",
    "stream": "streamed(arrays)",
    "stream an object": "streamed(objects)",
}

PROGRAM = """
import sys, threading
import llmjson

depth, stack, call = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
arrays = "[" * depth + "]" * depth
objects = '{"a": ' * (depth - 1) + "{}" + "}" * (depth - 1)
nested = llmjson.Schema({"$defs": {"n": {"type": "array", "items": {"$ref": "#/$defs/n"}}}, "$ref": "#/$defs/n"})


def made(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


def streamed(text):
    stream = llmjson.Stream()
    for start in range(0, len(text), 7):
        stream.push(text[start : start + 7])
        value = stream.value
    # Here the stream drops what it showed.
    assert stream.finish().found
    return value


def run():
    value = eval(call)
    levels = 0
    while isinstance(value, (list, dict)):
        levels += 1
        value = next(iter(value.values() if isinstance(value, dict) else value), None)
    print(levels)


threading.stack_size(stack)
thread = threading.Thread(target=run)
thread.start()
thread.join()
"""


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_deep_values_need_no_stack(call: str) -> None:
    command = [sys.executable, "-c", PROGRAM, str(DEPTH), str(STACK), call]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, f"{DEPTH}\n"), ran.stderr
