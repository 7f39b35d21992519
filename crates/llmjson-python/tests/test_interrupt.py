"""An interrupt stops long work."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

WORK = {
    "parse_many": "llmjson.parse_many(texts, schema, threads=2)",
    "columns": "llmjson.arrow.parse(pyarrow.array(texts), schema, threads=2)",
}

LONG = {
    "parse": "llmjson.parse(text)",
    "parse with a schema": "llmjson.parse(text, {'type': 'object'})",
    "parse_all": "llmjson.parse_all(text)",
    "arguments": "llmjson.arguments(text)",
    "loads": "llmjson.loads(text)",
}

PROGRAM_OF_ONE = """
import signal, sys, threading
import llmjson

# Damaged in a way that takes long to read.
text = '{\\\\"a\\\\": \\\\"b\\\\",' * 200_000
work = eval("lambda: " + sys.argv[1])
handled, over, count = threading.Semaphore(0), threading.Event(), 0


def send():
    # The next signal comes when the one before was handled.
    for _ in range(2):
        if not over.is_set():
            signal.raise_signal(signal.SIGINT)
            handled.acquire(timeout=60)


def handle(*_):
    global count
    count += 1
    handled.release()
    if count == 2:
        raise KeyboardInterrupt


signal.signal(signal.SIGINT, handle)
threading.Thread(target=send).start()
try:
    work()
    over.set()
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
# What is read afterwards is not stopped.
text = "{n: '1', more: [" + "1, " * 30_000
assert len(llmjson.parse(text).value["more"]) == 30_000
"""

PROGRAM = """
import sys
import llmjson, llmjson.arrow, pyarrow
schema = llmjson.Schema({{"type": "object", "properties": {{"n": {{"type": "integer"}}}}}})
texts = ["{{n: '1', more: [" + "1, " * 3000] * 60_000
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
else:
    print("finished", flush=True)
"""


@pytest.mark.parametrize("work", WORK.values(), ids=WORK.keys())
def test_interrupt(work: str) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("llmjson_py_arrow")
    command = [sys.executable, "-c", PROGRAM.format(work=work)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"


@pytest.mark.parametrize("work", LONG.values(), ids=LONG.keys())
def test_interrupt_of_one_text(work: str) -> None:
    """Signals are handled while a text is read: without that the first would be when it was read."""
    command = [sys.executable, "-c", PROGRAM_OF_ONE, work]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "interrupted\n"), ran.stderr
