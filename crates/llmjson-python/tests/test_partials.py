"""What `Stream.partials` shows of replies that come a character at a time."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

pytest.importorskip("pydantic", reason="pip install pydantic")

from pydantic import BaseModel

from llmjson import Stream, parse

WORDS = "rail Oslo café two of them, it's \"fine\" {sic} no: yes".split(" ")


class Leg(BaseModel):
    place: str
    nights: int
    tags: list[str] = []


class Trip(BaseModel):
    title: str
    price: float
    direct: bool
    legs: list[Leg]
    note: str | None = None


def damaged(value: Any, chance: random.Random) -> str:
    """Writes a trip as models do."""
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5, indent=chance.choice([None, 2]))
    if chance.random() < 0.3:
        text = text.replace("}", ",}")
    if chance.random() < 0.3:
        for name in ("title", "legs", "nights"):
            text = text.replace(f'"{name}":', f"{name}:")
    if chance.random() < 0.2:
        text = text.replace("true", "True").replace("null", "None")
    if chance.random() < 0.3:
        text = f"Here you are:\n```json\n{text}\n```\nAnything else?"
    if chance.random() < 0.2:
        text = text[: len(text) * 3 // 4]
    return text


def trip(chance: random.Random) -> dict[str, Any]:
    def words() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randrange(1, 4)))

    def leg() -> dict[str, Any]:
        tags = [words() for _ in range(chance.randrange(3))]
        return {"place": words(), "nights": chance.randrange(1, 30), "tags": tags}

    legs = [leg() for _ in range(chance.randrange(3))]
    price = chance.randrange(10_000) / 100
    whole = {"title": words(), "price": price, "direct": chance.random() < 0.5, "legs": legs}
    return {**whole, "note": words()} if chance.random() < 0.5 else whole


def begins(part: Any, whole: Any) -> bool:
    """Whether a value is one that the whole may begin as."""
    if isinstance(part, dict):
        names = part.keys() <= whole.keys() if isinstance(whole, dict) else False
        return names and all(begins(one, whole[name]) for name, one in part.items())
    if isinstance(part, list):
        fits = isinstance(whole, list) and len(part) <= len(whole)
        return fits and all(map(begins, part, whole))
    if isinstance(part, str):
        return isinstance(whole, str) and whole.startswith(part)
    return bool(part == whole)


@pytest.mark.parametrize("seed", range(10))
def test_each_part_begins_the_whole(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(50):
        reply = damaged(trip(chance), chance)
        whole = parse(reply, Trip).value
        parts = list(Stream(Trip).partials(reply, at_end="report"))
        shown = list(Stream(Trip).over(reply, at_end="report"))
        assert [one.model_dump(exclude_unset=True) for one in parts] == shown
        for one in parts:
            assert begins(one.model_dump(exclude_unset=True), whole), (reply, one, whole)
        assert parts[-1].model_dump(exclude_unset=True) == whole, reply
