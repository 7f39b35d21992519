#!/usr/bin/env python3
"""Prints the instructions of calls beside those of their peers, counted by callgrind, as tables in Markdown.

usage: instructions.py [--batch LLMJSON]

Builds the benches, and needs valgrind. A figure is that of one call after a first one. With --batch it also times the
program LLMJSON on lines of replies with one worker and with two, and jq where it is installed: the least of nine runs.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

# The lines that the program is timed on.
LINES = 60_000

VALID = ["tool300", "extract2k", "code8k", "list20k", "floats40k", "wide40k"]

# Damage that a writer repeats in each record.
REPEATED = ["no-commas", "no-colons", "equals", "semicolons", "closers", "inner-quotes", "python"]

# Other notations of a list of records.
NOTATIONS = ["yaml", "elements", "table", "csv", "lines", "json-lines", "log"]

# Of each table: its title, the inputs that are its columns, and the contenders that are its rows.
TABLES = [
    (
        "A valid text to a document, instructions per byte",
        VALID,
        ["serde_json", "sonic-rs", "simd-json", "jiter", "llmjson", "llmjson-fresh", "llmjson-read", "llmjson-value"],
    ),
    (
        "A reply: bare, and in a fence between two sentences, instructions",
        ["empty", "tool300", "tool300:fence", "list20k", "list20k:fence"],
        ["llmjson-reply", "llmjson-fresh"],
    ),
    (
        "A valid text to a type or a `Value`, instructions per byte",
        ["list20k"],
        ["serde_json", "llmjson-value", "serde_json-typed", "sonic-rs-typed", "llmjson-typed", "llmjson-document-typed"],
    ),
    (
        "A schema compiled, instructions",
        ["tool", "order", "tree", "flat100", "enum500", "defs200"],
        ["compile-jsonschema", "compile-llmjson"],
    ),
    (
        "A text and a compiled schema to all errors, instructions per byte",
        ["order700", "order8k", "order8k-bad", "order8k-100-texts", "order8k-200-bad"],
        ["serde_json+jsonschema", "llmjson+validate", "llmjson::parse", "llmjson+feedback"],
    ),
    (
        "A damaged or encoded text to a document, instructions per byte",
        ["list20k", "list20k:commas", "list20k:mixed", "list20k:escaped", "list20k:log"],
        ["llmjson-fresh"],
    ),
    *(
        (
            f"{name} with the same damage in each place, instructions per byte",
            [f"{name}:{damage}" for damage in REPEATED],
            ["llm_json", "jsonrepair-rs", "llmjson-fresh"],
        )
        for name in ("tool300", "extract2k", "list20k")
    ),
    (
        "A list of records in other notations, with its schema, instructions per byte",
        [f"records:{notation}" for notation in NOTATIONS],
        ["llmjson::parse, list"],
    ),
    (
        "A reply in pieces of 4 bytes, instructions per byte",
        ["list20k"],
        ["serde_json", "push, pieces of 4", "look at each, 4", "schema, look at each, 4"],
    ),
]


def counted(program, text, contender):
    """Returns the instructions of one call, and the bytes of the text."""
    found = []
    for count in ("1", "3"):
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=*::counted", "--callgrind-out-file=/dev/null",
             program, "--instructions", text, contender, count],
            capture_output=True, text=True,
        )
        if run.returncode != 0:
            sys.exit(f"{text} {contender}: {run.stderr}")
        found.append(int(re.search(r"Collected : (\d+)", run.stderr).group(1)))
        size = int(run.stdout.split()[0])
    return (found[1] - found[0]) / 2, size


def print_table(program, title, inputs, contenders):
    print(f"\n{title}:\n")
    print("| | " + " | ".join(inputs) + " |")
    print("|---|" + "---:|" * len(inputs))
    for contender in contenders:
        cells = []
        for text in inputs:
            figure, size = counted(program, text, contender)
            cells.append(f"{figure / size:.1f}" if "per byte" in title else f"{figure:,.0f}")
        print(f"| {contender} | " + " | ".join(cells) + " |", flush=True)


def least(command, path):
    def once():
        with open(path, "rb") as lines:
            start = time.perf_counter()
            subprocess.run(command, stdin=lines, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            return time.perf_counter() - start

    return min(once() for _ in range(9))


def print_batch(program, llmjson):
    def text(name):
        return subprocess.run([program, "--print", name], capture_output=True, text=True, check=True).stdout.rstrip("\n")

    print("\nLines of replies read by the program, replies a second:\n")
    print("| | one worker | two | jq |")
    print("|---|---:|---:|---:|")
    for name, damage in (("clean", "valid"), ("with commas before closers", "commas")):
        line, count = text(f"tool300:{damage}"), LINES
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as lines:
            lines.write((json.dumps({"input": line}) + "\n") * count)
            lines.flush()
            ways = [[llmjson, "batch", "-j1"], [llmjson, "batch", "-j2"], ["jq", "-c", ".input | fromjson"]]
            cells = []
            for way in ways:
                try:
                    cells.append(f"{count / least(way, lines.name):,.0f}")
                except (FileNotFoundError, subprocess.CalledProcessError):
                    cells.append("-")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    arguments = sys.argv[1:]
    if arguments and (arguments[0] != "--batch" or len(arguments) != 2):
        sys.exit(__doc__)
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=HERE, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(HERE, "target"))
    program = os.path.join(target, "release", "llmjson-benches")
    for table in TABLES:
        print_table(program, *table)
    if arguments:
        print_batch(program, arguments[1])


if __name__ == "__main__":
    main()
