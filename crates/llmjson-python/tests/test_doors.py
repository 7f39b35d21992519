"""The outcomes that every door has, by type, input and policy: `doors.json` beside the tests of the crate `llmjson`."""

import dataclasses
import datetime
import json
from pathlib import Path
from typing import Any

import pytest

import llmjson
from llmjson.compat import json_repair

PATH = Path(__file__).parents[2] / "llmjson" / "tests" / "doors.json"
OPERATIONS = Path(__file__).parents[3] / "docs" / "operations.json"
TABLE: dict[str, Any] = json.loads(PATH.read_text("utf-8")) if PATH.exists() else {"rows": []}
TYPES: dict[str, dict[str, Any]] = {
    "pay": {"to": str, "amount": float},
    "count": {"n": int},
    "flag": {"ok": bool},
    "event": {"a": datetime.datetime},
    "labels": {"tags": set[str]},
}


def made_by_pydantic(name: str) -> Any:
    pydantic = pytest.importorskip("pydantic")
    return pydantic.create_model(name, **{key: (hint, ...) for key, hint in TYPES[name].items()})


def made_by_dataclasses(name: str) -> Any:
    return dataclasses.make_dataclass(name, TYPES[name].items())


def made_by_msgspec(name: str) -> Any:
    return pytest.importorskip("msgspec").defstruct(name, TYPES[name].items())


MAKERS = {
    "schema": lambda name: TABLE["types"][name],
    "pydantic": made_by_pydantic,
    "dataclass": made_by_dataclasses,
    "msgspec": made_by_msgspec,
}


def outcome(parsed: llmjson.Parsed[Any]) -> dict[str, Any]:
    report = parsed.report()
    assert report == json.loads(parsed.report_json())
    assert parsed.ok == bool(parsed) == report["ok"]
    assert parsed.certainty == report["certainty"]
    told = [(one.kind, one.certainty, one.path) for one in parsed.coercions]
    coercions = [(one["kind"], one["class"], one["path"]) for one in report["coercions"]]
    assert told == coercions
    try:
        parsed.result(allow_truncated=True)
        assert parsed.ok
    except llmjson.ParseError:
        assert not parsed.ok
    return {
        "ok": report["ok"],
        "value": report["value"],
        "complete": report["complete"],
        "certainty": report["certainty"],
        "coercions": [" ".join(one) for one in coercions],
        "violations": [one["path"] for one in report["violations"]],
    }


@pytest.mark.parametrize("library", MAKERS)
@pytest.mark.parametrize("row", TABLE["rows"], ids=lambda row: row["input"])
def test_every_door_has_the_outcome_of_the_table(library: str, row: dict[str, Any]) -> None:
    of, text = MAKERS[library](row["type"]), row["input"]
    for policy, expected in row["policies"].items():
        # Where pydantic is installed, it reads dataclasses too.
        own = row.get("pydantic" if library == "dataclass" else library, {})
        expected = own.get(policy, expected)
        parsed = llmjson.parse(text, of, policy=policy)
        assert outcome(parsed) == expected, (policy, parsed.violations)
        assert outcome(llmjson.parse_many([text], of, policy=policy)[0]) == expected
        if expected["complete"]:
            assert outcome(llmjson.arguments(text, of, policy=policy)) == expected
        if parsed.complete and text.startswith('{"'):
            assert outcome(llmjson.coerce(json.loads(text), of, policy=policy)) == expected


def takes(call: str, allows: bool) -> bool:
    """Returns whether an operation returns the value of a truncated text; KeyError if none has the name."""
    text, of = '{"to": "Ann", "amount": 1', MAKERS["dataclass"]("pay")
    accept = {"truncated": "accept"} if allows else {}
    calls: dict[str, Any] = {
        "loads": lambda: llmjson.loads(text, allow_truncated=allows)["to"],
        "loads(text, type)": lambda: llmjson.loads(text, of, allow_truncated=allows).to,
        "arguments": lambda: llmjson.arguments(text, allow_truncated=allows).result()["to"],
        "Parsed.result": lambda: llmjson.parse(text, of).result(allow_truncated=allows).to,
        "Parsed.typed": lambda: llmjson.parse(text, of, policy=llmjson.Policy(**accept)).typed.to,
        "bind": lambda: llmjson.bind(
            {"name": "pay", "inputSchema": TABLE["types"]["pay"]},
            text,
            policy=llmjson.Policy("tool", **accept),
        ).result()["to"],
        "retry": lambda: llmjson.retry(
            lambda _: text, "Pay.", of, max_retries=0, allow_truncated=allows
        ).typed.to,
        "parse": lambda: llmjson.parse(text, of).ok and "Ann",
        "parse_all": lambda: llmjson.parse_all(text, of)[0].ok and "Ann",
        "parse_many": lambda: llmjson.parse_many([text], of)[0].ok and "Ann",
        "Stream": lambda: finished(text, of).ok and "Ann",
        "compat.json_repair.loads": lambda: json_repair.loads(text)["to"],
    }
    try:
        return bool(calls[call]() == "Ann")
    except llmjson.Error:
        return False


def finished(text: str, of: Any) -> llmjson.Parsed[Any]:
    stream = llmjson.Stream(of)
    stream.push(text)
    return stream.finish()


@pytest.mark.skipif(not OPERATIONS.exists(), reason="not a clone of the repository")
def test_every_operation_refuses_or_reports_a_truncated_text() -> None:
    for row in json.loads(OPERATIONS.read_text("utf-8")):
        if call := row.get("python"):
            assert takes(call, False) == (row["truncated"] != "refused"), call
            assert takes(call, True), call
