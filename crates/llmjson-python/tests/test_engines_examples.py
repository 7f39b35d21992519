"""The examples of columns run, and all find the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples" / "columns"
FOUND = "1 True Rome 2\n2 True Oslo 3\n3 False None None\n"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_runs(path: Path) -> None:
    engine = path.stem.partition("_")[0]
    pytest.importorskip({"spark": "pyspark"}.get(engine, engine))
    if engine == "spark" and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java")
    run = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout == FOUND
    assert len(path.read_text().splitlines()) <= 30
