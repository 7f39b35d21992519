"""The module that reads columns: a distribution of its own, with objects of its own."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import llmjson
import pytest

ENGINES = ["arrow", "duckdb", "pandas", "polars", "ray", "spark"]
SETTINGS = {
    "truncated": "accept",
    "duplicate_keys": "refuse",
    "undeclared": "reject",
    "invalid": "drop",
    "defaults": "fill",
    "containers_as_text": "accept",
    "texts_as_containers": "accept",
    "certainty": "certain",
    "formats": "strict",
    "max_bytes": 3,
    "max_depth": 1,
    "max_candidates": 1,
    "max_work": 100,
    "max_records": 1,
    "max_digits": 1,
    "max_feedback_bytes": 10,
}
SCHEMA = {
    "type": "object",
    "properties": {
        "day": {"type": "string", "format": "date"},
        "n": {"type": "integer", "maximum": 1000, "default": 7},
        "list": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["n"],
}
TEXTS = [
    "{n: 1, list: [1, 'x'",
    '{"n": 1, "n": 2}',
    '{"n": 1, "more": [[2]]}',
    '{"n": "1", "list": [1, "x"]}',
    "{'n': '9999', day: 'May 5th, 2025'}",
    '{"list": [1]}',
    "{a: 1} and {n: 2}",
    "no",
]


def imported(module: str, before: str) -> str:
    """The last line of the error with which a module cannot be imported."""
    program = f"import sys, types\n{before}\nimport {module}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize("module", ["arrow", "_columns", "duckdb", "ray", "spark"])
def test_without_it_the_error_says_how_to_get_it(module: str) -> None:
    missing = "sys.modules['llmjson_py_arrow'] = None"
    error = imported(f"llmjson.{module}", missing)
    wanted = "llmjson needs the package llmjson_py_arrow here: pip install 'llmjson-py[arrow]'"
    assert error == f"ImportError: {wanted}"
    assert imported("llmjson", missing) == ""


def test_another_version_is_refused() -> None:
    error = imported(
        "llmjson.arrow",
        "sys.modules['llmjson_py_arrow'] = other = types.ModuleType('llmjson_py_arrow')\n"
        "other.__version__, other.Rows, other.RowTypes = '0.0.1', None, None",
    )
    own = llmjson.__version__
    assert error == (
        f"ImportError: llmjson-py {own} needs llmjson-py-arrow {own}, not 0.0.1: "
        f"pip install 'llmjson-py[arrow]=={own}'"
    )


@pytest.mark.parametrize("extra", ENGINES)
def test_extras_install_the_same_version(extra: str) -> None:
    wanted = [one.replace(" ", "") for one in importlib.metadata.requires("llmjson-py") or []]
    wanted = [one.partition(";")[0] for one in wanted if f"extra=='{extra}'" in one.replace('"', "'")]
    kernel = f"llmjson-py-arrow=={llmjson.__version__}"
    assert kernel in wanted or (extra != "arrow" and "llmjson-py[arrow]" in wanted)


@pytest.mark.parametrize("setting", [None, *SETTINGS])
@pytest.mark.parametrize("preset", ["lenient", "tool", "exact"])
def test_each_setting_of_a_policy_counts(preset: str, setting: str | None) -> None:
    pytest.importorskip("llmjson_py_arrow")
    pyarrow = pytest.importorskip("pyarrow")
    import llmjson.arrow

    settings = {} if setting is None else {setting: SETTINGS[setting]}
    policy = llmjson.Policy(preset, **settings)
    rows = llmjson.arrow.parse(pyarrow.array(TEXTS), SCHEMA, policy=policy, output="json")
    for row, text in zip(pyarrow.record_batch(rows).to_pylist(), TEXTS):
        parsed = llmjson.parse(text, SCHEMA, policy=policy)
        assert row["ok"] == parsed.ok, text
        assert row["value"] == parsed.to_json(), text
        assert row["feedback"] == (None if parsed.ok else parsed.feedback()), text
        kinds = [one["kind"] for one in row["coercions"]]
        assert kinds == [one.kind for one in parsed.coercions], text


def test_what_is_no_policy_is_a_type_error() -> None:
    pytest.importorskip("llmjson_py_arrow")
    pyarrow = pytest.importorskip("pyarrow")
    import llmjson.arrow

    with pytest.raises(TypeError, match="policy must be str or Policy, not int"):
        llmjson.arrow.parse(pyarrow.array([""]), policy=3)
    with pytest.raises(ValueError, match='no policy is named ""'):
        llmjson.arrow.parse(pyarrow.array([""]), policy="")


@pytest.mark.parametrize("name", ["llmjson-py", "llmjson-py-arrow"])
def test_licences_are_installed(name: str) -> None:
    try:
        files = importlib.metadata.files(name) or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{name} is not installed")
    assert {"LICENSE-APACHE", "LICENSE-MIT"} <= {file.name for file in files}
