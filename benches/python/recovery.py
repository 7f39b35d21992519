"""How often damaged text is read as what it was before, by llmjson and by its peers in Python and JavaScript.

python recovery.py [--texts N] [--show KIND]

Orders are made up, written as JSON and damaged in one way each, so what is right is known without asking anybody. A
peer is right if it gives the very value; where the text was cut, if what it gives is not empty and the beginning of the value.
The peers in JavaScript are those of benches/js; without Node and their packages their columns are left out.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bench
import texts

SCRIPT = Path(__file__).parent.parent / "js" / "recovery.mjs"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=100, help="texts for each kind of damage")
    parser.add_argument("--show", help="print the first text of a kind and nothing else")
    options = parser.parse_args()
    rows = [_row(kind, damage, options.texts) for kind, damage in KINDS.items()]
    if options.show:
        print(dict(zip(KINDS, rows, strict=True))[options.show][0][0])
        return
    readers = {
        name.removesuffix(".loads"): reader
        for name, reader in bench._readers().items()
        if name not in ("llmjson.loads", "orjson.loads", "json.loads")
    }
    found = {name: [_right(reader, row) for row in rows] for name, reader in readers.items()}
    found |= _javascript(rows)
    print(f"| of {options.texts} texts each | {' | '.join(found)} |")
    print("|---" + "|--:" * len(found) + "|")
    for place, kind in enumerate(KINDS):
        print(f"| {kind} | {' | '.join(str(rights[place]) for rights in found.values())} |")
    share = len(rows) * options.texts / 100
    print(f"| all, % | {' | '.join(f'{sum(rights) / share:.1f}' for rights in found.values())} |")


Row = list[tuple[str, Any, bool]]


def _row(kind: str, damage: Callable[[str, random.Random], str], count: int) -> Row:
    """Returns damaged texts with their values, and whether they are whole."""
    chance = random.Random(kind)
    row: Row = []
    seed = 0
    while len(row) < count:
        seed += 1
        value = texts.order(chance.randrange(300, 1_500), seed=seed)
        text = texts.text_of(value, indent=chance.choice((None, 2)))
        damaged = damage(text, chance)
        # One that had no place for the damage shows nothing.
        if damaged != text:
            row.append((damaged, value, not kind.startswith("cut")))
    return row


def _right(reader: bench.Read, row: Row) -> int:
    return sum(_is_right(reader, *one) for one in row)


def _is_right(reader: bench.Read, text: str, value: Any, whole: bool) -> bool:
    try:
        given = reader(text)
    except Exception:
        return False
    return same(given, value) if whole else bool(given) and begins(given, value)


def same(given: Any, value: Any) -> bool:
    """Whether two values are equal, where JavaScript has one kind of number: `2` is `2.0`, but `True` is not `1`."""
    if isinstance(value, dict):
        names = isinstance(given, dict) and given.keys() == value.keys()
        return names and all(same(given[name], part) for name, part in value.items())
    if isinstance(value, list):
        long = isinstance(given, list) and len(given) == len(value)
        return long and all(map(same, given, value))
    return isinstance(given, bool) == isinstance(value, bool) and given == value


def begins(given: Any, value: Any) -> bool:
    """Whether a value is the beginning of another: all but what comes last in it is whole."""
    if isinstance(value, str) and isinstance(given, str):
        return value.startswith(given)
    if isinstance(value, dict) and isinstance(given, dict):
        given_parts, parts = list(given.items()), list(value.items())
        if [name for name, _ in given_parts] != [name for name, _ in parts[: len(given_parts)]]:
            return False
        given, value = [part for _, part in given_parts], [part for _, part in parts]
    if isinstance(value, list) and isinstance(given, list):
        if len(given) > len(value):
            return False
        pairs = list(zip(given, value, strict=False))
        return all(same(*pair) for pair in pairs[:-1]) and all(begins(*p) for p in pairs[-1:])
    if isinstance(value, int | float) and isinstance(given, int | float):
        return str(value).startswith(str(given))
    # A word that was cut may be left out or completed; what it cannot be is another.
    return given is None or same(given, value)


def _javascript(rows: list[Row]) -> dict[str, list[int]]:
    """Returns the counts of the peers in JavaScript: they give their values, which are judged here."""
    given = json.dumps([[text for text, _, _ in row] for row in rows])
    try:
        run = subprocess.run(["node", SCRIPT], input=given, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"no peers in JavaScript: {getattr(error, 'stderr', error)}", file=sys.stderr)
        return {}
    return {
        name: [
            sum(
                _is_right(lambda _, one=one: one["value"], *expected)
                for one, expected in zip(answers, row, strict=True)
            )
            for answers, row in zip(all_answers, rows, strict=True)
        ]
        for name, all_answers in json.loads(run.stdout).items()
    }


def _without_change(damage: Callable[[str], str]) -> Callable[[str, random.Random], str]:
    return lambda text, chance: damage(text)


def _quotes(text: str, chance: random.Random) -> str:
    return text.replace('\\"', '"')


def _breaks(text: str, chance: random.Random) -> str:
    return text.replace("\\n", "\n")


def _one_of(pattern: str, becomes: str) -> Callable[[str, random.Random], str]:
    """Returns a damage to one of the places that a pattern matches."""

    def damage(text: str, chance: random.Random) -> str:
        places = list(re.finditer(pattern, text))
        if not places:
            return text
        place = chance.choice(places)
        return text[: place.start()] + place.expand(becomes) + text[place.end() :]

    return damage


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) // 3, len(text) - 2)]


def _thoughts(text: str, chance: random.Random) -> str:
    return f"The order has {{customer}} and [lines], so let me write it down.\n\n{text}\n\nThat's all [1]."


def _at_once(text: str, chance: random.Random) -> str:
    return texts.fence(texts.commas(texts.names(texts.comments(texts.python(text)))))


KINDS: dict[str, Callable[[str, random.Random], str]] = {
    **{name: _without_change(damage) for name, damage, whole in texts.DAMAGE if whole},
    "missing commas": lambda text, chance: re.sub(r',(\s*"(?:price|gift)")', r"\1", text),
    "prose with brackets": _thoughts,
    "quotes in texts, not escaped": _quotes,
    "line breaks in texts": _breaks,
    "a name's last quote left out": _one_of(r'"(\w+)":', r'"\1:'),
    "a text's last quote left out": _one_of(r'("title": "[^"\\]*)"', r"\1"),
    "a colon left out": _one_of(r'("\w+"):', r"\1"),
    "a wrong bracket": _one_of(r"\]", "}"),
    "several at once": _at_once,
    "cut anywhere": _cut,
}


if __name__ == "__main__":
    main()
