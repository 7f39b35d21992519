"""Replies give byte for byte what the command line gives for them.

The replies are those of the corpus and, where the environment variable LLMJSON_VECTORS names a folder of
recorded ones, those too. LLMJSON_BIN names the command line; without it, what `cargo build` made is used.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import llmjson

ROOT = Path(__file__).parents[3]
ESCAPES = {"\\": "\\", "n": "\n", "r": "\r", "t": "\t", "0": "\0"}


def binary() -> Path:
    if named := os.environ.get("LLMJSON_BIN"):
        return Path(named)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / "release" / "llmjson", target / "debug" / "llmjson"]
    return max(built, key=lambda path: path.stat().st_mtime if path.exists() else 0)


def unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        return ESCAPES.get(found[1]) or chr(int(found[2], 16))

    return re.sub(r"\\([\\nrt0]|u\{([0-9a-f]+)\})", one, text)


def cases_of(path: Path) -> Iterator[dict[str, str]]:
    shared: dict[str, str] = {}
    parts, name = shared, ""
    for line in re.findall(r"[^\n]*\n", path.read_text("utf-8")):
        if line.startswith("== "):
            if parts is not shared:
                yield {**shared, **parts}
            parts, name = {}, ""
        elif line.startswith("--- "):
            name = line[4:].strip()
            parts[name] = ""
        elif name:
            parts[name] += line
    yield {**shared, **parts}


def corpus() -> Iterator[dict[str, Any]]:
    for path in sorted((ROOT / "corpus").rglob("*.cases")):
        for parts in cases_of(path):
            reply = parts.get("reply", parts.get("reply (escaped)", "")).removesuffix("\n")
            if "reply (escaped)" in parts:
                reply = unescaped(reply)
            row: dict[str, Any] = {"input": reply}
            if "schema" in parts:
                row["schema"] = parts["schema"]
            policy = parts.get("policy", "").strip()
            if policy in ("strict", "conservative", "tool", "exact", "shape"):
                row["policy"] = policy
            yield row


def recorded() -> Iterator[dict[str, Any]]:
    folder = os.environ.get("LLMJSON_VECTORS")
    for path in sorted(Path(folder).glob("*.jsonl")) if folder else []:
        for line in path.read_text("utf-8").strip("\n").split("\n"):
            row = json.loads(line)
            if row.get("op", "parse") == "parse" and isinstance(row.get("input"), str):
                schema = row.get("schema")
                text = json.dumps(schema) if isinstance(schema, (dict, bool)) else None
                yield {"input": row["input"], **({"schema": text} if text else {})}


def check(parsed: llmjson.Parsed, answer: str) -> None:
    """Compares with the line that the command line writes: the value byte for byte."""
    ok, complete, value = json.dumps(parsed.ok), json.dumps(parsed.complete), parsed.to_json()
    certainty = json.dumps(parsed.certainty)
    cut = f'"cut":"{parsed.truncation}",' if parsed.truncation else ""
    head = f'"ok":{ok},"value":{value or "null"},"complete":{complete},{cut}"certainty":{certainty},'
    assert answer.startswith(f'{{"id":null,{head}')
    # Its records have fewer members than those of the report.
    told, report = json.loads(answer), parsed.report()
    for name in ("repairs", "coercions", "violations"):
        shown = [
            {member: record.get(member) for member in short}
            for record, short in zip(report[name], told[name], strict=True)
        ]
        assert shown == told[name]


@pytest.mark.parametrize("rows", [corpus, recorded], ids=lambda rows: rows.__name__)
def test_replies(rows: Any) -> None:
    program = binary()
    if not program.exists():
        pytest.skip(f"{program} is not built")
    asked, lines = list(rows()), []
    if not asked:
        pytest.skip("LLMJSON_VECTORS names no folder of recorded replies")
    for row in asked:
        schema = f', "schema": {row["schema"].strip()}' if "schema" in row else ""
        policy = f', "policy": "{row["policy"]}"' if "policy" in row else ""
        text = json.dumps(row["input"])
        lines.append(f'{{"input": {text}{schema}{policy}}}'.replace("\n", " "))
    done = subprocess.run(
        [program, "batch", "-j", "2"], input="\n".join(lines), capture_output=True, text=True
    )
    answers = done.stdout.strip("\n").split("\n")
    assert len(answers) == len(asked), done.stderr
    compared = 0
    for row, answer in zip(asked, answers, strict=True):
        try:
            parsed = llmjson.parse(
                row["input"], row.get("schema"), policy=row.get("policy", "lenient")
            )
        except llmjson.SchemaError as error:
            assert '"error":' in answer, error
            continue
        check(parsed, answer)
        compared += 1
    assert compared > 1000
