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
        parsed = parse(reply, Trip)
        whole = parsed.value
        parts = list(Stream(Trip).partials(reply, at_end="report"))
        shown = list(Stream(Trip).over(reply, at_end="report"))
        assert parts[-1].model_dump(exclude_unset=True) == whole, reply
        if parsed.ok:
            assert parts.pop() == parsed.result(allow_truncated=True)
            shown = shown[: len(parts)]
        assert [one.model_dump(exclude_unset=True) for one in parts] == shown
        for one in parts:
            assert begins(one.model_dump(exclude_unset=True), whole), (reply, one, whole)


def test_the_last_part_is_the_whole() -> None:
    text = '{"title": "x", "price": 1, "direct": true, "legs": []}'
    parts = list(Stream(Trip).partials([text[:20], text[20:]]))
    assert type(parts[0]) is not Trip
    assert parts[-1] == Trip(title="x", price=1, direct=True, legs=[])
    stream = Stream(Trip)
    assert type(list(stream.partials([text[:20]], at_end="report"))[-1]) is not Trip


class Plan(BaseModel):
    goal: str
    steps: list[Leg] | None = None
    inner: dict[str, Plan] = {}


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("schema", [Plan, Plan.model_json_schema()])
@pytest.mark.parametrize(
    ("at", "text"),
    [
        ("steps", '{"goal": "g", "steps": LIST, "inner": {}}'),
        ("/steps", 'Sure: {goal: "g", steps: LIST}'),
        ("inner.a.steps", '{"goal": "g", "inner": {"b": {"goal": "x", "steps": []}, "a": {"goal": "y", "steps": LIST}}}'),
    ],
)  # fmt: skip
def test_items_of_a_list_within(at: str, text: str, schema: Any, size: int) -> None:
    text = text.replace("LIST", '[{"place": "a", "nights": "1"}, {"place": "b"}, {"place": "c", "nights": 2}]')
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    if at.count(".") and schema is not Plan:
        with pytest.raises(TypeError, match="items"):
            Stream(schema).items(pieces, at)
        return
    told = [(item.ok, item.value) for item in Stream(schema).items(pieces, at, at_end="report")]
    assert told == [
        (True, {"place": "a", "nights": 1}),
        (False, {"place": "b"}),
        (True, {"place": "c", "nights": 2}),
    ]


def test_an_item_within_comes_when_it_is_whole() -> None:
    came: list[int] = []
    pieces = ['{"goal": "g", "steps": [{"place": "a", "nights": 1}, {"pl', 'ace": "b", "nights": 2}', '], "inner": {', "}}"]

    def read() -> Any:
        for number, piece in enumerate(pieces):
            came.append(-number)
            yield piece

    for item in Stream(Plan).items(read(), "steps"):
        came.append(item.typed.nights)
    assert came == [0, 1, -1, 2, -2, -3]
    with pytest.raises(TypeError, match="goal is none"):
        Stream(Plan).items([], "goal")
