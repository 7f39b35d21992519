"""The command line: repairs JSON files, with the flags that json_repair's command has."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._compat import from_file, load


def main(arguments: Sequence[str] | None = None) -> int:
    """Repairs a file, or standard input, and writes the JSON of its value.

    Returns the exit code: 0, 1 if there is an error, and 2 if the flags cannot be used.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    _check(parser, options)
    try:
        schema = _schema(options)
        given: dict[str, Any] = {
            "skip_json_loads": options.skip_json_loads,
            "strict": options.strict,
            "schema": schema,
            "schema_repair_mode": options.schema_repair_mode,
        }
        if options.filename:
            value = from_file(options.filename, **given)
        else:
            value = load(sys.stdin, **given)
        text = json.dumps(value, indent=options.indent, ensure_ascii=options.ensure_ascii)
        target = options.filename if options.inline else options.output
        if target:
            Path(target).write_text(text, encoding="utf-8")
        else:
            print(text)
    except (OSError, TypeError, ValueError, ImportError, AttributeError, RecursionError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m llmjson", description="Repair JSON that language models write."
    )
    add = parser.add_argument
    add("filename", nargs="?", help="the file to repair; standard input if omitted")
    add("-i", "--inline", action="store_true", help="write the result to the file itself")
    add("-o", "--output", metavar="TARGET", help="write the result to this file")
    add("--ensure_ascii", action="store_true", help="escape all characters that are not ASCII")
    add("--indent", type=int, default=2, help="number of spaces for indentation (default 2)")
    add("--skip-json-loads", action="store_true", help="do not try to read the text as it is")
    add("--schema", metavar="SCHEMA", help="a JSON Schema file that the value is made to fit")
    add("--schema-model", metavar="MODEL", help="a type, such as a pydantic model, as module:Class")
    add(
        "--strict", action="store_true", help="refuse missing colons and values, several values ..."
    )
    add(
        "--schema-repair-mode",
        choices=["standard", "salvage"],
        default="standard",
        help="accepted for compatibility; both are the same",
    )
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    has_schema = bool(options.schema or options.schema_model)
    if options.inline and not options.filename:
        parser.error("--inline requires a filename")
    if options.inline and options.output:
        parser.error("--inline and --output exclude each other")
    if options.schema and options.schema_model:
        parser.error("--schema and --schema-model exclude each other")
    if options.strict and has_schema:
        parser.error("--strict cannot be used with --schema or --schema-model")
    if options.schema_repair_mode == "salvage" and not has_schema:
        parser.error("--schema-repair-mode salvage requires --schema or --schema-model")


def _schema(options: argparse.Namespace) -> Any:
    if options.schema:
        return json.loads(Path(options.schema).read_text(encoding="utf-8"))
    if options.schema_model:
        module, separator, name = options.schema_model.partition(":")
        if not separator:
            raise ValueError(f"--schema-model takes module:Class, not {options.schema_model!r}")
        return getattr(importlib.import_module(module), name)
    return None


if __name__ == "__main__":
    sys.exit(main())
