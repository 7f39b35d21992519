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
    command = [sys.executable, "-c", PROGRAM.format(work=work)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
