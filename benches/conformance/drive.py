"""Runs the peers of a program over the suite, each in a process: python drive.py SUITE PROGRAM...

The program prints the names of its peers, or with the suite, a peer and a position, a line for each case from there on. A
peer that ends the process, or takes seconds or gigabytes for a case, has refused it.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

SECONDS, BYTES = 10, 4 << 30


def main() -> None:
    suite, *program = sys.argv[1:]
    ids = [json.loads(line)["id"] for line in Path(suite).read_text("utf-8").splitlines()]
    for peer in subprocess.check_output(program, text=True).splitlines():
        done = 0
        while done < len(ids):
            for line in answers([*program, suite, peer, str(done)]):
                print(line, end="")
                done += 1
            if done < len(ids):
                print(json.dumps({"peer": peer, "id": ids[done], "ns": SECONDS * 10**9, "error": "did not return"}))
                done += 1


def answers(command: list[str]) -> Iterator[str]:
    """Returns the lines that a program prints, until it ends or prints nothing for some seconds."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))  # noqa: E731
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limit)
    assert process.stdout
    while True:
        timer = threading.Timer(SECONDS, process.kill)
        timer.start()
        line = process.stdout.readline()
        timer.cancel()
        if not line.endswith("\n"):
            break
        yield line
    process.kill()
    process.wait()


if __name__ == "__main__":
    main()
