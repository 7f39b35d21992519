"""A schema's expectations in plain words.

`Violation.expected` is in typia's notation, to which prompts are tuned. This module translates it
to words that can follow "expected".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_TAG = re.compile(r"([A-Z][A-Za-z]*)(?:<(.*)>)?", re.S)
_NAME = re.compile(r"[A-Za-z_$][\w$.]*")
_BASES = {
    "any": "any value",
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a text",
    "undefined": "nothing",
}
_FORMATS = {
    "date": "a date such as 2025-05-17",
    "date-time": "a date and time such as 2025-05-17T10:30:00Z",
    "time": "a time such as 10:30:00Z",
    "duration": "a duration such as PT1H30M",
    "email": "an email address",
    "hostname": "the name of a host",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "uri": "a URI",
    "url": "a URL",
    "uuid": "a UUID",
    "regex": "a regular expression",
    "byte": "text in Base64",
    "json-pointer": "a JSON Pointer",
}
_WIDTHS = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
}
_OPENERS = {"<": ">", "(": ")", "[": "]", "{": "}"}
#: Longer lists of values are truncated.
_SHOWN = 20


def in_words(expected: str) -> str:
    """Returns an expectation in words; an expectation that is already in words is unchanged.

    >>> in_words("integer & Minimum<0> & Maximum<255>")
    'an integer from 0 to 255'
    >>> in_words('"red" | "green" | "blue"')
    '"red", "green" or "blue"'
    >>> in_words('(Array<string & Format<"email">> & MinItems<1>) | undefined')
    'a list of at least 1 item, each an email address, or nothing'
    >>> in_words("there is no such city")
    'there is no such city'
    """
    try:
        return _union(expected)
    except _Unknown:
        return expected


class _Unknown(Exception):
    """Text in another notation."""


def _union(text: str) -> str:
    parts = _parts(text, "|")
    said = [_intersection(part) for part in parts if part != "undefined"]
    if len(said) > _SHOWN:
        said = [*said[:_SHOWN], f"one of {len(said) - _SHOWN} more"]
    several = _listed(said, "or") if said else "nothing"
    return f"{several}, or nothing" if said and "undefined" in parts else several


def _listed(parts: list[str], word: str) -> str:
    if len(parts) == 1:
        return parts[0]
    separator = "; " if any("," in part for part in parts) else ", "
    return f"{separator.join(parts[:-1])} {word} {parts[-1]}"


def _intersection(text: str) -> str:
    if text.startswith("(") and _end(text, 0) == len(text) - 1:
        return _union(text[1:-1])
    base, *rest = _parts(text, "&")
    tags: dict[str, str] = {}
    others: list[str] = []
    for part in rest:
        found = _TAG.fullmatch(part)
        if found and (found[2] is not None or found[1] == "UniqueItems"):
            tags[found[1]] = found[2] or ""
        else:
            others.append(_intersection(part))
    said = _rules(base, tags)
    return _listed([said, *others], "and also") if others else said


def _rules(base: str, tags: dict[str, str]) -> str:
    """Returns a base with its rules in words, such as `integer` and `Minimum<0>`."""
    if "Format" in tags:
        name = _literal(tags.pop("Format"))
        said = _FORMATS.get(str(name), f"a text in the format {name}")
    else:
        said = _base(base) if not base.startswith("Array<") else "a list"
    if "Type" in tags:
        low, high = _WIDTHS.get(str(_literal(tags["Type"])), (None, None))
        if low is not None:
            tags.setdefault("Minimum", str(low))
            tags.setdefault("Maximum", str(high))
        del tags["Type"]
    said += _span(tags, "Minimum", "Maximum", "", "")
    if "ExclusiveMinimum" in tags:
        said += f" greater than {tags.pop('ExclusiveMinimum')}"
    if "ExclusiveMaximum" in tags:
        said += f" less than {tags.pop('ExclusiveMaximum')}"
    if "MultipleOf" in tags:
        said += f" that is a multiple of {tags.pop('MultipleOf')}"
    said += _span(tags, "MinLength", "MaxLength", "character", "characters")
    said += _span(tags, "MinItems", "MaxItems", "item", "items")
    said += _span(tags, "MinProperties", "MaxProperties", "member", "members")
    if "Pattern" in tags:
        said += f" that matches {_literal(tags.pop('Pattern'))}"
    if "UniqueItems" in tags:
        said += " without repeated items"
        del tags["UniqueItems"]
    if tags:
        raise _Unknown
    if base.startswith("Array<") and base not in ("Array<>", "Array<any>"):
        said += f", each {_union(_inside(base, 5))}"
    return said


def _span(tags: dict[str, str], low: str, high: str, one: str, many: str) -> str:
    least, most = tags.pop(low, None), tags.pop(high, None)
    unit = f" {one if (most or least) == '1' else many}" if one else ""
    if least is not None and most is not None:
        if least == most:
            return f" of exactly {least}{unit}"
        return f" {'of ' if one else 'from '}{least} to {most}{unit}"
    if least is not None:
        return f" of at least {least}{unit}"
    return "" if most is None else f" of at most {most}{unit}"


def _base(base: str) -> str:
    if base in _BASES:
        return _BASES[base]
    if base.startswith("["):
        items = [_union(item) for item in _parts(_inside(base, 0), ",") if item]
        return f"a list of {_listed(items, 'and then')}" if items else "an empty list"
    if base.startswith("{"):
        return _object(base)
    if _NAME.fullmatch(base) and base not in ("true", "false"):
        article = "an" if base[0] in "AEIOUaeiou" else "a"
        return f"{article} {base}"
    _literal(base)
    return base


def _object(base: str) -> str:
    """Returns an object in words by its members: `{ a: integer; b?: string }`."""
    names: list[str] = []
    for member in _parts(_inside(base, 0), ";"):
        name, colon, _ = member.partition(":")
        if colon and not name.endswith("?"):
            names.append(name)
    return f"an object with {_listed(names, 'and')}" if names else "an object"


def _literal(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        raise _Unknown from None


def _inside(text: str, at: int) -> str:
    end = _end(text, at)
    if end != len(text) - 1:
        raise _Unknown
    return text[at + 1 : end].strip()


def _end(text: str, at: int) -> int:
    """Returns the index of the bracket that closes the bracket at `at`."""
    for place, depth in _depths(text, at):
        if depth == 0:
            return place
    return -1


def _parts(text: str, separator: str) -> list[str]:
    """Returns the parts between separators outside brackets and strings."""
    found: list[str] = []
    start = 0
    for place, depth in _depths(text, 0):
        if depth == 0 and text[place] == separator:
            found.append(text[start:place].strip())
            start = place + 1
    return [*found, text[start:].strip()]


def _depths(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yields each index outside strings, with the number of brackets open after it."""
    open_, place = 0, start
    while place < len(text):
        letter = text[place]
        if letter == '"':
            place = _after_string(text, place)
            continue
        if letter in _OPENERS:
            open_ += 1
        elif letter in _OPENERS.values():
            open_ -= 1
        yield place, open_
        place += 1


def _after_string(text: str, place: int) -> int:
    place += 1
    while place < len(text) and text[place] != '"':
        place += 2 if text[place] == "\\" else 1
    return place + 1
