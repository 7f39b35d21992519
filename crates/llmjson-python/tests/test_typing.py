"""Types reach the caller, and mistakes are found, under mypy and pyright in their strict modes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LINES = Path(__file__).with_name("typed_lines.py")


def by_mypy(folder: Path) -> dict[int, str]:
    pytest.importorskip("mypy")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--hide-error-context",
    ]
    command += ["--cache-dir", str(folder), "--config-file", "", str(LINES)]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.findall(r"typed_lines\.py:(\d+): error: (.*)", told)
    assert found, told
    return {int(line): message for line, message in found}


def by_pyright(folder: Path) -> dict[int, str]:
    pytest.importorskip("pyright")
    settings = {
        "typeCheckingMode": "strict",
        "include": [LINES.name],
        # Lines of the file are there to be looked at.
        "reportUnusedExpression": False,
        "reportUnusedCoroutine": False,
        "reportDeprecated": False,
    }
    # Only what lies below the settings is checked.
    shutil.copy(LINES, folder)
    settings_file = folder / "pyrightconfig.json"
    settings_file.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    command += ["--project", str(settings_file)]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = json.loads(told[told.index("{") :])["generalDiagnostics"]
    errors = [one for one in found if one["severity"] == "error"]
    return {one["range"]["start"]["line"] + 1: one["message"] for one in errors}


@pytest.mark.parametrize("check", [by_mypy, by_pyright])
def test_exactly_the_mistakes_are_found(check: object, tmp_path: Path) -> None:
    lines = LINES.read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# error")}
    assert callable(check)
    found = check(tmp_path)
    told = {number: (lines[number - 1], found[number]) for number in sorted(found.keys() - wrong)}
    assert told == {}
    assert [lines[number - 1] for number in sorted(wrong - found.keys())] == []
