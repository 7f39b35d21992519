"""The conformance suite of the repository, and the reader that was written from its specification."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

import llmjson

ROOT = Path(__file__).parents[3]
SUITE = ROOT / "corpus" / "suite.jsonl"

pytestmark = pytest.mark.skipif(not SUITE.exists(), reason="not a clone of the repository")


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SUITE.read_text("utf-8").splitlines()]


def is_right(case: dict[str, Any], value: Any, found: bool) -> bool:
    if "expected" not in case:
        return not found
    return found and value in [case["expected"], *case.get("accept", [])]


def test_the_library_fails_the_known_cases_only() -> None:
    lines = (SUITE.parent / "known.txt").read_text("utf-8").splitlines()
    known = {line.split(": ")[0] for line in lines if not line.startswith("#")}
    failed = set()
    for case in cases():
        parsed = llmjson.parse(case["input"], case.get("schema"))
        truncated = "truncated" in case["reports"]
        if not is_right(case, parsed.value, parsed.found) or parsed.found and parsed.complete == truncated:
            failed.add(case["id"])
    assert failed == known


def test_the_specification_suffices_for_a_reader() -> None:
    spec = importlib.util.spec_from_file_location("reader", ROOT / "docs" / "spec" / "reader.py")
    assert spec and spec.loader
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)

    def reads(case: dict[str, Any]) -> bool:
        try:
            return is_right(case, reader.read(case["input"])[0], True)
        except ValueError:
            return is_right(case, None, False)

    of_field = [case for case in cases() if case["id"].startswith("field/")]
    assert sum(map(reads, of_field)) >= 0.9 * len(of_field)
