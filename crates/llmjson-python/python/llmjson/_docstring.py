"""Docstrings of functions and their parameters, in the styles of Google, NumPy and Sphinx."""

from __future__ import annotations

import dataclasses
import inspect
import re

_SECTIONS = {
    "args",
    "arguments",
    "parameters",
    "params",
    "keyword args",
    "keyword arguments",
    "other parameters",
    "attributes",
}
_FIELD = re.compile(r"^[:@](\w+)(?:\s+([^:]*?))?\s*:(.*)$")
_FIELDS = {"param", "parameter", "arg", "argument", "key", "keyword", "ivar", "cvar", "var"}
_HEADING = re.compile(r"^([A-Za-z][A-Za-z ]*):\s*$")
_ENTRY = re.compile(r"^(\*{0,2}\w+)\s*(?:\(.*?\))?\s*:(?!:)\s*(.*)$")
_NAMES = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")


@dataclasses.dataclass(frozen=True, slots=True)
class Docstring:
    """The first paragraph of a docstring, and the descriptions of the parameters."""

    summary: str
    parameters: dict[str, str]

    @classmethod
    def read(cls, text: str | None) -> Docstring:
        """Parses a docstring in any of the three styles.

        >>> Docstring.read('''Adds.
        ...
        ... Args:
        ...     a (int): The first
        ...         number.
        ... ''')
        Docstring(summary='Adds.', parameters={'a': 'The first number.'})
        """
        lines = inspect.cleandoc(text or "").splitlines()
        found: dict[str, list[str]] = {}
        _read_fields(lines, found)
        for start, end, is_numpy in _sections(lines):
            _read_section(lines[start:end], found, is_numpy=is_numpy)
        parameters = {name: " ".join(words) for name, words in found.items() if words}
        return cls(_first_paragraph(lines), parameters)


def _first_paragraph(lines: list[str]) -> str:
    words: list[str] = []
    for at, line in enumerate(lines):
        if not line.strip() or _FIELD.match(line) or _is_section(lines, at):
            break
        words.append(line.strip())
    return " ".join(words)


def _is_section(lines: list[str], at: int) -> bool:
    heading = _HEADING.match(lines[at])
    return (heading is not None and heading[1].lower() in _SECTIONS) or _is_underlined(lines, at)


def _is_underlined(lines: list[str], at: int) -> bool:
    return (
        at + 1 < len(lines)
        and bool(lines[at].strip())
        and re.match(r"^\s*-{3,}\s*$", lines[at + 1]) is not None
    )


def _sections(lines: list[str]) -> list[tuple[int, int, bool]]:
    """Returns the line ranges of the parameter sections, and whether their headings are underlined."""
    found: list[tuple[int, int, bool]] = []
    for at, line in enumerate(lines):
        heading = _HEADING.match(line)
        if heading and heading[1].lower() in _SECTIONS:
            end = at + 1
            while end < len(lines) and (not lines[end].strip() or lines[end][0].isspace()):
                end += 1
            found.append((at + 1, end, False))
        elif line.strip().lower() in _SECTIONS and _is_underlined(lines, at):
            end = at + 2
            while end < len(lines) and not _is_underlined(lines, end):
                end += 1
            found.append((at + 2, end, True))
    return found


def _read_section(lines: list[str], found: dict[str, list[str]], *, is_numpy: bool) -> None:
    told = [line for line in lines if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in told), default=0)
    names: list[str] = []
    for line in told:
        is_entry = len(line) - len(line.lstrip()) == indent
        entry = (_NAMES if is_numpy else _ENTRY).match(line.strip()) if is_entry else None
        if entry:
            names = [name.strip().lstrip("*") for name in entry[1].split(",")]
            words = [] if is_numpy or not entry[2] else [entry[2].strip()]
            found.update({name: list(words) for name in names})
        else:
            for name in names:
                found[name].append(line.strip())


def _read_fields(lines: list[str], found: dict[str, list[str]]) -> None:
    words: list[str] | None = None
    for line in lines:
        field = _FIELD.match(line.strip())
        if field:
            words = None
            if field[1] in _FIELDS and field[2]:
                text = field[3].strip()
                words = found[field[2].split()[-1].lstrip("*")] = [text] if text else []
        elif words is not None and line.strip() and line[0].isspace():
            words.append(line.strip())
        else:
            words = None
