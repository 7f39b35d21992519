"""Writes the docstrings of what is compiled into its stubs, where editors look for them.

    python tests/stub_docs.py

`test_docs.py` checks that they are there.
"""

from __future__ import annotations

import ast
import importlib
import sys
import textwrap
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
#: The stub of each module.
STUBS = {
    "llmjson._llmjson": PACKAGE / "python" / "llmjson" / "_llmjson.pyi",
    "llmjson_py_arrow": PACKAGE.parent / "llmjson-python-arrow" / "llmjson_py_arrow.pyi",
}
Described = ast.FunctionDef | ast.ClassDef


def with_docs(module: Any, source: str) -> str:
    """Returns the stub of a module with the docstring of each class, method and function: of overloads, that of the first."""
    lines = source.splitlines()
    places = sorted(_described(ast.parse(source).body, module), key=lambda one: -one[0].lineno)
    for node, doc in places:
        first = node.body[0]
        shown = _docstring(doc, " " * (node.col_offset + 4))
        if ast.get_docstring(node, clean=False) is not None:
            lines[first.lineno - 1 : first.end_lineno] = shown
        elif isinstance(node, ast.ClassDef):
            at = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", ()))])
            lines[at - 1 : at - 1] = shown
        else:
            lines[first.lineno - 1] = lines[first.lineno - 1].removesuffix(" ...")
            lines[first.lineno : first.lineno] = shown
    return "\n".join(lines) + "\n"


def _described(body: list[ast.stmt], holder: Any) -> list[tuple[Described, str]]:
    found: list[tuple[Described, str]] = []
    seen: set[str] = set()
    for node in body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name in seen:
            continue
        seen.add(node.name)
        item = getattr(holder, node.name)
        doc = getattr(item, "__doc__", None)
        if doc and not node.name.startswith("__"):
            found.append((node, doc))
        if isinstance(node, ast.ClassDef):
            found += _described(node.body, item)
    return found


def _docstring(doc: str, indent: str) -> list[str]:
    text = textwrap.indent(doc.strip("\n").replace("\\", "\\\\"), indent)
    lines = text.lstrip().splitlines()
    if len(lines) == 1 and not lines[0].endswith('"'):
        return [f'{indent}"""{lines[0]}"""']
    return [f'{indent}"""{lines[0]}', *(line.rstrip() for line in lines[1:]), f'{indent}"""']


if __name__ == "__main__":
    for name, stub in STUBS.items():
        stub.write_text(with_docs(importlib.import_module(name), stub.read_text()))
        sys.stdout.write(f"{stub}\n")
