"""Peers in Python over the suite: python python.py [SUITE PEER START]. Prints their names, or a line for each case from a
position on: peer, id, nanoseconds, and value or error. An adapter is at most 20 lines."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2] / "docs" / "spec")]
ROUNDS = 3
# Seconds after which a case isn't repeated.
SLOW = 0.5


def peers() -> dict[str, Callable[[dict[str, Any]], Any]]:
    import fast_json_repair
    import jiter
    import json_repair
    import jsonrepair
    import llm_json_repair
    import partial_json_parser
    import partialjson
    import reader

    return {
        "json_repair": lambda case: found(json_repair.loads(case["input"])),
        "fast-json-repair": lambda case: found(fast_json_repair.loads(case["input"])),
        "jiter, partial": lambda case: jiter.from_json(case["input"].encode(), partial_mode="trailing-strings"),
        "partial-json-parser": lambda case: partial_json_parser.loads(case["input"]),
        "partialjson": lambda case: partialjson.JSONParser().parse(case["input"]),
        "json-repair-engine": lambda case: jsonrepair.loads(case["input"])[0],
        "llm-json-repair": lambda case: llm_json_repair.parse_json(case["input"], strict=True).data,
        "BAML, knows the type": baml(),
        "docs/spec/reader.py": lambda case: reader.read(case["input"])[0],
    }


def found(value: Any) -> Any:
    """Takes the empty string, with which json_repair says that it found nothing, for that."""
    if value == "":
        raise ValueError("nothing was found")
    return value


def baml() -> Callable[[dict[str, Any]], Any]:
    """Returns BAML's parser of replies without a generated client. It is given the type of the expected value."""
    import baml_py

    client = 'client<llm> Nobody {\n provider "openai"\n options {\n model "none"\n api_key "none"\n }\n}\n'
    plain = types.ModuleType("plain")

    def read(case: dict[str, Any]) -> Any:
        classes: list[str] = []
        kind = type_of(case.get("expected", {"value": ""}), classes)
        for number in range(len(classes)):
            plain.__dict__[f"C{number}"] = Plain
        source = client + "".join(classes) + f'function Read(text: string) -> {kind} {{\n client Nobody\n prompt #"{{{{ text }}}}"#\n}}\n'
        runtime = baml_py.BamlRuntime.from_files("baml_src", {"main.baml": source}, {})
        context = runtime.create_context_manager()
        start = time.perf_counter_ns()
        value = runtime.parse_llm_response("Read", case["input"], plain, plain, plain, False, context, None, None, {})
        case["ns"] = time.perf_counter_ns() - start
        return value

    return read


class Plain:
    """Takes the place of the generated classes of BAML."""

    @staticmethod
    def model_validate(members: dict[str, Any]) -> dict[str, Any]:
        return {bytes.fromhex(key[2:]).decode() if key.startswith("k_") else key: value for key, value in members.items()}


def type_of(value: Any, classes: list[str]) -> str:
    """Returns the BAML type of a value, and adds the classes that it names."""
    if isinstance(value, dict):
        number = len(classes)
        classes.append("")
        # A key that isn't a name in BAML is written in hexadecimal digits.
        names = {key: key if re.fullmatch(r"[A-Za-z]\w*", key, re.ASCII) else f"k_{key.encode().hex()}" for key in value}
        members = [f" {names[key]} {type_of(one, classes)} @alias({json.dumps(key)})\n" for key, one in value.items()]
        classes[number] = f"class C{number} {{\n{''.join(members)}}}\n"
        return f"C{number}"
    if isinstance(value, list):
        kinds = list(dict.fromkeys(type_of(one, classes) for one in value)) or ["string"]
        return f"({' | '.join(kinds)})[]"
    return {bool: "bool", int: "int", float: "float", str: "string", type(None): "string?"}[type(value)]


def main() -> None:
    readers = peers()
    if len(sys.argv) == 1:
        print("\n".join(readers))
        return
    _, suite, name, start = sys.argv
    for line in Path(suite).read_text("utf-8").splitlines()[int(start) :]:
        print(json.dumps(asked(name, readers[name], json.loads(line))), flush=True)


def asked(name: str, read: Callable[[dict[str, Any]], Any], case: dict[str, Any]) -> dict[str, Any]:
    least = float("inf")
    answer: dict[str, Any] = {}
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                value = read(case)
            took = case.pop("ns", time.perf_counter_ns() - start)
            json.dumps(value)
            answer = {"value": value}
        except BaseException as error:  # A panic of a native module is one, too.
            if isinstance(error, KeyboardInterrupt):
                raise
            took, answer = time.perf_counter_ns() - start, {"error": str(error)[:200] or type(error).__name__}
        least = min(least, took)
        if took > SLOW * 1e9:
            break
    return {"peer": name, "id": case["id"], "ns": least, **answer}


if __name__ == "__main__":
    main()
