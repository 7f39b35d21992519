"""json_repair's interface: arguments, results, errors, the command line, and the documented differences."""

from __future__ import annotations

import ast
import dataclasses
import decimal
import io
import json
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import llmjson
import pytest
from llmjson import repair_json
from llmjson.__main__ import main
from llmjson.compat import jiter, json_repair
from llmjson.compat.partial_json_parser import Allow, MalformedJSON
from llmjson.compat.partial_json_parser import loads as partial_loads

ROOT = pathlib.Path(__file__).parent.parent
DAMAGED = "{'name': 'Zoë', tags: [1, 2"
VALUE = {"name": "Zoë", "tags": [1, 2]}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@dataclasses.dataclass
class Trip:
    city: str
    days: int = 1


# --- results


def test_repair_json_returns_text() -> None:
    assert json_repair.repair_json(DAMAGED) == json.dumps(VALUE)
    assert json_repair.repair_json(DAMAGED, ensure_ascii=False) == json.dumps(
        VALUE, ensure_ascii=False
    )
    assert json_repair.repair_json(DAMAGED, indent=2, sort_keys=True) == json.dumps(VALUE, indent=2)


def test_repair_json_returns_objects() -> None:
    assert json_repair.repair_json(DAMAGED, True) == VALUE
    assert json_repair.repair_json(DAMAGED, return_objects=True) == VALUE
    assert (
        json_repair.repair_json(json_str=DAMAGED, return_objects=True, skip_json_loads=True)
        == VALUE
    )


def test_loads_and_load() -> None:
    assert json_repair.loads(DAMAGED) == VALUE
    assert json_repair.loads(json_str=DAMAGED) == VALUE
    assert json_repair.load(io.StringIO(DAMAGED)) == VALUE
    assert (
        json_repair.repair_json(json_fd=io.StringIO(DAMAGED), return_objects=True, chunk_length=3)
        == VALUE
    )


def test_from_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "reply.txt"
    path.write_text(DAMAGED, encoding="utf-8")
    assert json_repair.from_file(path) == VALUE
    assert json_repair.from_file(str(path), logging=True)[0] == VALUE
    with pytest.raises(FileNotFoundError):
        json_repair.from_file(tmp_path / "none")


@pytest.mark.parametrize("text", ["", "  \n", "I cannot do that.", "}", b""])
def test_no_value_is_an_empty_string(text: str | bytes) -> None:
    assert json_repair.loads(text) == ""
    assert json_repair.repair_json(text) == ""
    assert json_repair.loads(text, logging=True) == ("", [])


@pytest.mark.parametrize("text", [None, 5, ["a"], {"a": 1}])
def test_other_than_text_is_a_type_error(text: Any) -> None:
    for call in (json_repair.loads, json_repair.repair_json):
        with pytest.raises(TypeError):
            call(text)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes(kind: Any) -> None:
    assert json_repair.loads(kind(DAMAGED.encode())) == VALUE
    assert json_repair.loads(kind(b"[NaN, 1]"))[1] == 1
    assert json_repair.loads(kind(DAMAGED.encode()), logging=True)[0] == VALUE
    with pytest.raises(UnicodeDecodeError):
        json_repair.loads(kind(b'{"a": "\xff"}'))


def test_skip_json_loads_reads_what_python_alone_lets_pass() -> None:
    assert json_repair.loads("[NaN]", True) == ["NaN"]
    assert json_repair.loads("[NaN]", skip_json_loads=True) == ["NaN"]
    assert str(json_repair.loads("[NaN]", False)) == "[nan]"


def test_stream_stable_grows() -> None:
    text = '{"key": "val\\n123", "list": [1, 22, {"a": "b"}]}'
    shown = [json_repair.loads(text[:end], stream_stable=True) for end in range(1, len(text) + 1)]
    assert shown[-1] == json.loads(text)
    names = [list(value) for value in shown if value]
    assert all(later[: len(earlier)] == earlier for earlier, later in zip(names, names[1:]))


# --- logging, strict


def test_logging() -> None:
    value, log = json_repair.loads("{'a': 1,}", logging=True)
    assert value == {"a": 1}
    assert log == [
        {"text": "read a string in nonstandard quotes", "context": "{'a': 1,}"},
        {"text": "removed a stray comma", "context": "{'a': 1,}"},
    ]
    assert json_repair.loads('{"a": 1}', logging=True) == ({"a": 1}, [])
    assert json_repair.repair_json('{"a": 1}', logging=True) == ({"a": 1}, [])
    assert json_repair.loads('{"n": "1"}', logging=True, schema=SCHEMA)[1] == [
        {"text": llmjson.parse('{"n": "1"}', SCHEMA).coercions[0].sentence, "context": "$input.n"}
    ]


def test_context_is_short() -> None:
    text = '{"a": "' + "x" * 50 + '" "b": "' + "y" * 50 + '"}'
    _, log = json_repair.loads(text, logging=True)
    assert log == [{"text": "inserted a missing comma", "context": "x" * 8 + '" "b": "yyyy'}]


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}{"b": 2}',
        '[1]\n{"a": 2}',
        '{"a" 1}',
        '{"a": , "b": 1}',
        '{"a": "" "b"}',
        '{"a"}',
        '{\\"a\\": 1}',
        '{"a": """"}',
        '"a": 1}',
        '{"a": 1}}',
        '[{"a": 1, "a": 2},]',
        '{"": 1,}',
    ],
)
def test_strict_refuses_structure(text: str) -> None:
    assert json_repair.loads(text) != ""
    for call in (json_repair.loads, json_repair.repair_json):
        with pytest.raises(ValueError, match="^strict mode: ") as caught:
            call(text, strict=True)
        assert isinstance(caught.value, llmjson.ParseError)
        assert caught.value.parsed.found


@pytest.mark.parametrize(
    "text", ["{'a': 1", '{"a": 1,}', "{a: 1}", '{"a": 1 "b": 2}', "[1 2]", '```\n{"a": 1,}\n```']
)
def test_strict_repairs_the_rest(text: str) -> None:
    assert json_repair.loads(text, strict=True) == json_repair.loads(text)


def test_strict_reads_valid_json_as_it_is() -> None:
    text = '[{"a": 1, "a": 2}]'
    assert json_repair.loads(text, strict=True) == [{"a": 2}]
    with pytest.raises(ValueError, match="a key is repeated"):
        json_repair.loads(text, strict=True, skip_json_loads=True)


# --- schemas and types


def test_schema_keyword_returns_plain_values() -> None:
    assert json_repair.loads('{"n": "1"}', schema=SCHEMA) == {"n": 1}
    assert (
        json_repair.repair_json("{days: '3', city: 'Oslo'}", schema=Trip)
        == '{"days": 3, "city": "Oslo"}'
    )
    assert json_repair.loads("{city: 'Oslo'}", schema=Trip) == {"city": "Oslo", "days": 1}
    assert json_repair.loads('{"n": "1"}', schema=SCHEMA, schema_repair_mode="salvage") == {"n": 1}


def test_schema_as_second_argument_returns_instances() -> None:
    assert llmjson.loads("{city: 'Oslo', days: '3'}", Trip) == Trip("Oslo", 3)
    assert llmjson.loads('{"n": "1"}', SCHEMA) == {"n": 1}
    assert llmjson.loads("1, 2", list[int]) == [1, 2]
    with pytest.raises(llmjson.ParseError):
        llmjson.loads("{days: 'many'}", Trip)


def test_models() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Item", name=(str, ...), price=(float, pydantic.Field(gt=0)))
    assert llmjson.loads("{name: 'pen', price: '1.5'}", model) == model(name="pen", price=1.5)
    assert json_repair.loads("{name: 'pen', price: '1.5'}", schema=model) == {
        "name": "pen",
        "price": 1.5,
    }


def test_options_that_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="strict"):
        json_repair.loads("{}", schema=SCHEMA, strict=True)
    with pytest.raises(ValueError, match="requires schema"):
        json_repair.loads("{}", schema_repair_mode="salvage")
    with pytest.raises(ValueError, match="'other'"):
        json_repair.loads("{}", schema=SCHEMA, schema_repair_mode="other")  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        llmjson.loads("{}", Trip, logging=True)  # type: ignore[call-overload]


# --- the command line


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "llmjson", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8")


def test_command_reads_standard_input() -> None:
    done = run(text=DAMAGED)
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, VALUE, "")
    assert done.stdout == json.dumps(VALUE, indent=2, ensure_ascii=False) + "\n"


def test_command_reads_and_writes_files(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, target = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text(DAMAGED, encoding="utf-8")
    assert main([str(path), "--ensure_ascii", "--indent", "1"]) == 0
    assert capsys.readouterr().out == json.dumps(VALUE, indent=1) + "\n"
    assert main([str(path), "-o", str(target)]) == 0
    assert json.loads(target.read_text(encoding="utf-8")) == VALUE
    assert main([str(path), "-i"]) == 0
    assert path.read_text(encoding="utf-8") == target.read_text(encoding="utf-8")


def test_command_with_a_schema(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, schema = tmp_path / "a.json", tmp_path / "schema.json"
    path.write_text("{n: '1'}", encoding="utf-8")
    schema.write_text(json.dumps(SCHEMA), encoding="utf-8")
    assert main([str(path), "--schema", str(schema), "--indent", "0"]) == 0
    assert json.loads(capsys.readouterr().out) == {"n": 1}
    assert main([str(path), "--schema-model", "decimal:Decimal"]) == 1
    assert capsys.readouterr().err.startswith("Error: ")


@pytest.mark.parametrize(
    "flags",
    [
        ["-i"],
        ["a", "-i", "-o", "b"],
        ["--schema", "a", "--schema-model", "b:c"],
        ["--strict", "--schema", "a"],
        ["--schema-repair-mode", "salvage"],
    ],
)
def test_flags_that_exclude_each_other(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(flags)
    assert caught.value.code == 2
    assert "error: --" in capsys.readouterr().err


def test_command_says_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["/no/such/file"]) == 1
    assert capsys.readouterr().err.startswith("Error: ")


# --- the documented differences


def rows(heading: str) -> list[list[str]]:
    page = (ROOT / "docs" / "json_repair.md").read_text(encoding="utf-8")
    section = page.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")][1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def result_of(module: Any, text: str, **options: Any) -> Any:
    try:
        return module.loads(text, **options)
    except ValueError:
        return ValueError


def meant(cell: str) -> Any:
    code = re.fullmatch("`(.*)`", cell)
    assert code is not None, cell
    return ValueError if code[1] == "ValueError" else ast.literal_eval(code[1])


@pytest.mark.parametrize("row", rows("Texts"), ids=lambda row: row[0])
def test_documented_texts(row: list[str]) -> None:
    text, theirs, ours, _ = meant(row[0]), meant(row[1]), meant(row[2]), row[3]
    assert result_of(json_repair, text) == ours
    other = pytest.importorskip("json_repair")
    assert result_of(other, text) == theirs
    assert repr(ours) != repr(theirs)


@pytest.mark.parametrize("row", rows("Schemas"), ids=lambda row: row[0])
def test_documented_schemas(row: list[str]) -> None:
    text, schema, theirs, ours = map(meant, row[:4])
    assert result_of(json_repair, text, schema=schema) == ours
    other = pytest.importorskip("json_repair")
    pytest.importorskip("jsonschema")
    assert result_of(other, text, schema=schema) == theirs


ONE, TWO = '```json\n{"a": 1}\n```\n', "Then\n```\n{b: [2,]\n```"


@pytest.mark.parametrize("wrap", [str, str.encode], ids=["str", "bytes"])
def test_all_fenced_values_are_a_list(wrap: Any) -> None:
    text = wrap(ONE + TWO)
    assert json_repair.loads(text) == [{"a": 1}, {"b": [2]}]
    assert json_repair.repair_json(text) == '[{"a": 1}, {"b": [2]}]'
    assert json_repair.repair_json(text, return_objects=True, skip_json_loads=True) == [
        {"a": 1},
        {"b": [2]},
    ]
    assert json_repair.loads(wrap(ONE + ONE.replace("1", "2"))) == {"a": 2}
    assert json_repair.loads(wrap(ONE)) == {"a": 1}
    assert json_repair.loads(text, {"required": ["b"]}) == {"b": [2]}
    assert json_repair.loads(wrap("<think>\n" + ONE + "</think>\n" + TWO)) == {"b": [2]}
    code = {"a": "```x\n{}\n```\n```y\n[]\n```\n"}
    assert json_repair.loads(wrap(json.dumps(code))) == code


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}{"a": 2}', {"a": 2}),
        ("{'a': 1}\n{'a': 2}\n{'b': 2}", [{"a": 2}, {"b": 2}]),
        ('{"a": 1}{"a": "x"}', [{"a": 1}, {"a": "x"}]),
        ('[]{"a": 1}', {"a": 1}),
        ('{"a": 1}[]', {"a": 1}),
        ("[]{}", []),
        ("[[1], [2],]", [[1], [2]]),
        ('Both ```json {"a": 1} ``` and ```json [1, 2,] ``` hold.', [{"a": 1}, [1, 2]]),
    ],
)
def test_values_that_follow_each_other(text: str, value: Any) -> None:
    assert json_repair.loads(text) == value
    assert json.loads(json_repair.repair_json(text)) == value
    assert pytest.importorskip("json_repair").loads(text) == value


CLOSED = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}
NAMED = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "x"},
        "kind": {"enum": ["u", "v"]},
        "tags": {"type": "array", "items": {"type": "integer"}},
        "more": {"type": "object"},
    },
    "required": ["name", "kind", "tags", "more"],
}


@pytest.mark.parametrize(
    ("text", "schema", "mode", "value"),
    [
        ('{"a": 1, "b": 2}', CLOSED, "standard", {"a": 1}),
        ('[{"a": "1", "b": 2}, {"c": 3}]', {"type": "array", "items": CLOSED}, "standard", [{"a": 1}, {}]),
        ('{"x-y": {"a": 1, "b.c": 2}}', {"properties": {"x-y": CLOSED}}, "standard", {"x-y": {"a": 1}}),
        ("{}", NAMED, "salvage", {"name": "x", "kind": "u", "tags": [], "more": {}}),
        ('["y", "v", null, {}]', NAMED, "salvage", {"name": "y", "kind": "v", "tags": [], "more": {}}),
        ("{}", {**NAMED, "required": ["a"]}, "salvage", ValueError),
        ("[1, 2]", CLOSED, "salvage", ValueError),
    ],
)
def test_values_are_made_to_fit(text: str, schema: Any, mode: Any, value: Any) -> None:
    pytest.importorskip("jsonschema")
    for module in (json_repair, pytest.importorskip("json_repair")):
        assert result_of(module, text, schema=schema, schema_repair_mode=mode) == value


def test_a_model_forbids_members() -> None:
    pydantic = pytest.importorskip("pydantic")
    inner = pydantic.create_model("Inner", __config__={"extra": "forbid"}, a=int)
    outer = pydantic.create_model("Outer", inner=(list[inner], ...))  # type: ignore[valid-type]
    assert json_repair.loads('{"inner": [{"a": 1, "b": 2}], "c": 3}', schema=outer) == {"inner": [{"a": 1}], "c": 3}


def test_strict_accepts_fences() -> None:
    assert json_repair.loads('```json\n{"a": 1}\n```', strict=True) == {"a": 1}


# --- json_repair's own cases, where there is a folder with them

#: Rows of each file that come out as json_repair's own tests ask; the others differ by decision. Of those with a
#: schema one is `"[a, b]"` where a list of texts is wanted: two items, where json_repair keeps one text.
MARKS = {
    "json_repair": 203,
    "json_repair_schema": 48,
    "json_repair_stable": 4,
    "json_repair_strict": 17,
}


def comes_out(case: dict[str, Any], suite: str) -> bool:
    options: dict[str, Any] = {"schema": case.get("schema")}
    if suite == "json_repair_strict":
        options = {"strict": True, "skip_json_loads": True}
    if "json_repair_mode" in case:
        options["schema_repair_mode"] = case["json_repair_mode"]
    found = result_of(json_repair, case["input"], **options)
    if case.get("expect_fail"):
        return found in (ValueError, "")
    return same(found, case["expected"])


def same(left: Any, right: Any) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


@pytest.mark.parametrize("suite", MARKS)
def test_marks(suite: str) -> None:
    folder = os.environ.get("LLMJSON_VECTORS")
    if not folder:
        pytest.skip("LLMJSON_VECTORS names no folder")
    lines = (pathlib.Path(folder) / f"{suite}.jsonl").read_text(encoding="utf-8").splitlines()
    right = sum(comes_out(json.loads(line), suite) for line in lines if line.strip())
    assert right >= MARKS[suite], f"{right} of {len(lines)}"


# --- other libraries


DOCUMENTS = (
    '{"a": "x", "b": "hel,lo\\n\\u00e9😀", "c": [1, 2.5, -3e2, true, false, null, {}], "d": {"e": []}, "f": -0.5}',
    '[[1, [2, ["x"]]], "y", {"k": {"k2": "v"}}]',
    "[true, null]",
    '  {"n": 1234567890123456789012, "e": ""} ',
)


def outcome(read: Callable[..., Any], *given: Any, **options: Any) -> Any:
    try:
        return read(*given, **options)
    except ValueError:
        return ValueError


@pytest.mark.parametrize("text", DOCUMENTS)
def test_beginnings_are_read_as_jiter_reads_them(text: str) -> None:
    theirs = pytest.importorskip("jiter")
    for end in range(1, len(text) + 1):
        begin = text[:end].encode()
        for mode in (False, True, "off", "on", "trailing-strings"):
            wanted = outcome(theirs.from_json, begin, partial_mode=mode)
            assert outcome(jiter.from_json, begin, partial_mode=mode) == wanted, (begin, mode)


@pytest.mark.parametrize("text", DOCUMENTS)
def test_beginnings_are_read_as_partial_json_parser_reads_them(text: str) -> None:
    theirs = pytest.importorskip("partial_json_parser")
    for end in range(1, len(text) + 1):
        for allowed in (*range(64), Allow.ALL):
            wanted = outcome(theirs.loads, text[:end], theirs.Allow(allowed))
            assert outcome(partial_loads, text[:end], allowed) == wanted, (text[:end], allowed)


@pytest.mark.parametrize(
    ("text", "mode", "value"),
    [
        ("{'city': 'Os", "trailing-strings", {"city": "Os"}),
        ("{'city': 'Oslo', tags: ['a', 'b", True, {"city": "Oslo", "tags": ["a"]}),
        ('{"n": 12.', "on", {}),
        ('{"n": 12', "on", {"n": 12}),
        ('{"a": [1, -', "on", {"a": [1]}),
        ('"tex', "on", ValueError),
        ("nothing", "on", ValueError),
        ('{"a": 1', "off", ValueError),
        ("{'a': 1,}", False, {"a": 1}),
        ('{"a": Infinity, "b": [1,', "on", {"a": float("inf"), "b": [1]}),
    ],
)
def test_jiter(text: str, mode: Any, value: Any) -> None:
    assert outcome(jiter.from_json, text.encode(), partial_mode=mode) == value


@pytest.mark.parametrize(
    ("text", "options"),
    [
        *((text, {}) for text in ("", " ", '{"a": 1', "[1,\n 2", '{"a": {"b": [1, 2]', '{"a":', "[1,", '{"a": "x', '\n{"é": [')),
        *((text, {"partial_mode": "on"}) for text in ("", '"abc', "tru", "1e")),
        ('[1,\n {"a": NaN}]', {"allow_inf_nan": False}),
    ],
)
def test_errors_of_jiter(text: str, options: Any) -> None:
    theirs = pytest.importorskip("jiter")
    said: list[str] = []
    for module in (theirs, jiter):
        with pytest.raises(ValueError) as raised:
            module.from_json(text.encode(), **options)
        said.append(str(raised.value))
    assert said[0] == said[1]


def test_places_of_jiter() -> None:
    with pytest.raises(ValueError, match="^expected value at line 2 column 2$"):
        jiter.from_json(b"\n nothing here")
    with pytest.raises(ValueError, match='^Detected duplicate key "a b" at line 2 column 3$'):
        jiter.from_json(b'[\n{"a b": 1, "a b": 2}]', catch_duplicate_keys=True)


def test_options_of_jiter() -> None:
    assert jiter.from_json(b"[1.50]", float_mode="decimal") == [decimal.Decimal("1.50")]
    assert str(jiter.from_json(b"[1.50]", float_mode="lossless-float")[0]) == "1.50"
    for text, options in ((b'{"a": 1, "a": 2}', {"catch_duplicate_keys": True}), (b"NaN", {"allow_inf_nan": False})):
        with pytest.raises(ValueError):
            jiter.from_json(text, **options)  # type: ignore[arg-type]


def test_partial_json_parser_of_damaged_texts() -> None:
    assert partial_loads("Sure: {city: 'Oslo', tags: ['fjo", Allow.ALL ^ Allow.STR) == {"city": "Oslo", "tags": []}
    with pytest.raises(MalformedJSON):
        partial_loads("no")
    assert partial_loads('["a', parser=str) == '["a"]'


def test_policies_and_defaults_of_repair_json() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "default": 3}}, "required": ["a"]}
    assert repair_json("{}", schema=schema) == repair_json("{", schema=schema) == '{"a": 3}'
    assert json_repair.loads("{'b': 1", schema=schema) == {"b": 1, "a": 3}
    assert repair_json("{'a': 1}", policy="lenient", return_objects=True) == {"a": 1}
    for policy in ("tool", llmjson.Policy(truncated="refuse")):
        with pytest.raises(llmjson.ParseError):
            repair_json("{'a': 'b", policy=policy)
