"""Made-up replies for the tests of engines: clean, damaged and hopeless ones, and what they hold."""

from __future__ import annotations

import json
import random
from typing import Any

import pyarrow as pa

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "order": {"type": "integer"},
        "city": {"type": "string"},
        "express": {"type": "boolean"},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"sku": {"type": "string"}, "price": {"type": "number"}},
                "required": ["sku", "price"],
            },
        },
    },
    "required": ["order", "city", "express", "lines"],
}

Value = dict[str, Any]
Reply = tuple["str | None", "Value | None"]

_CITIES = ("Rome", "Łódź", "São Paulo", "New York", "東京", "Reykjavík")
_HOPELESS = ("I am sorry, I cannot help with that.", "", "Which order do you mean?", "…")
_DAMAGE = (
    lambda text: f"Here is the order:\n```json\n{text}\n```\nAnything else?",
    lambda text: text.replace("}", ",}").replace("]", ",]"),
    lambda text: text.replace('"', "'"),
    lambda text: text.replace("true", "True").replace("false", "False"),
    lambda text: text.replace('"order"', "order").replace('"city"', "city"),
    lambda text: text[:-1],
)


def replies(count: int, seed: int = 7) -> list[Reply]:
    """Returns texts with the values they hold; None for a text without a value.

    Of twenty texts ten are clean, eight damaged, one hopeless and one missing, by chance.
    """
    chance = random.Random(seed)
    return [_reply(chance, number) for number in range(count)]


def table(rows: list[Reply]) -> pa.Table:
    """Returns the texts as a table of the columns `id` and `reply`."""
    texts = pa.array([text for text, _ in rows], pa.string())
    return pa.table({"id": pa.array(range(len(rows)), pa.int64()), "reply": texts})


def assert_each_row_once(ids: pa.ChunkedArray, parsed: pa.ChunkedArray, rows: list[Reply]) -> None:
    """Asserts that each reply came out exactly once, with the value that it holds and no other."""
    result = pa.table({"id": ids, "parsed": parsed}).sort_by("id").combine_chunks()
    assert result["id"].to_pylist() == list(range(len(rows)))
    parts = pa.Table.from_struct_array(result["parsed"])
    expected = pa.array([value for _, value in rows], parts.schema.field("value").type)
    if not pa.chunked_array([expected]).equals(parts["value"]):
        pairs = zip(rows, parts["value"].to_pylist(), strict=True)
        wrong = [(reply, found) for reply, found in pairs if reply[1] != found]
        raise AssertionError(f"{len(wrong)} values differ, the first: {wrong[:3]}")
    assert parts["ok"].to_pylist() == [value is not None for _, value in rows]
    asked = [value is None and text is not None for text, value in rows]
    assert [feedback is not None for feedback in parts["feedback"].to_pylist()] == asked


def _reply(chance: random.Random, number: int) -> Reply:
    kind = chance.randrange(20)
    if kind == 0:
        return None, None
    if kind == 1:
        return chance.choice(_HOPELESS), None
    value = {
        "order": number,
        "city": chance.choice(_CITIES),
        "express": chance.random() < 0.5,
        "lines": [
            {"sku": f"A-{chance.randrange(10_000)}", "price": chance.randrange(1, 4000) / 4}
            for _ in range(chance.randrange(1, 6))
        ],
    }
    clean = json.dumps(value, ensure_ascii=False)
    return (clean if kind < 12 else chance.choice(_DAMAGE)(clean)), value
