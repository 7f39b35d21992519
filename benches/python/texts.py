"""The texts that are measured: made up, and the same on every machine."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

Value = Any

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "order": {"type": "integer"},
        "customer": {"type": "string"},
        "express": {"type": "boolean"},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "sku": {"type": "string"},
                    "title": {"type": "string"},
                    "quantity": {"type": "integer"},
                    "price": {"type": "number"},
                    "gift": {"type": "boolean"},
                    "note": {"type": ["string", "null"]},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["sku", "title", "quantity", "price", "gift", "note", "tags"],
            },
        },
    },
    "required": ["order", "customer", "express", "lines"],
}

# The same for BAML, whose parser needs a function that returns the type.
BAML = """
client<llm> Nobody {
  provider "openai"
  options {
    model "none"
    api_key "none"
    base_url "http://127.0.0.1:9"
  }
}
class Line {
  sku string
  title string
  quantity int
  price float
  gift bool
  note string?
  tags string[]
}
class Order {
  order int
  customer string
  express bool
  lines Line[]
}
function Read(text: string) -> Order {
  client Nobody
  prompt #"{{ text }}"#
}
"""

TOOL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "arguments": {
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "city": {"type": "string"},
                "limit": {"type": "integer"},
                "price_max": {"type": "number"},
                "in_stock": {"type": "boolean"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["query", "limit"],
        },
    },
    "required": ["name", "arguments"],
}

#: A schema as pydantic writes it for models with descriptions, bounds and references.
MODEL_SCHEMA: dict[str, Any] = {
    "$defs": {
        "Guest": {
            "properties": {
                "name": {"description": "As in the passport.", "title": "Name", "type": "string"},
                "born": {"format": "date", "title": "Born", "type": "string"},
                "diet": {
                    "anyOf": [{"$ref": "#/$defs/Diet"}, {"type": "null"}],
                    "default": None,
                    "description": "What the guest does not eat.",
                },
            },
            "required": ["name", "born"],
            "title": "Guest",
            "type": "object",
        },
        "Diet": {"enum": ["none", "vegetarian", "vegan", "halal"], "title": "Diet", "type": "string"},
        "Leg": {
            "properties": {
                "origin": {"maxLength": 3, "minLength": 3, "title": "Origin", "type": "string"},
                "destination": {"maxLength": 3, "minLength": 3, "title": "Destination", "type": "string"},
                "departs": {"format": "date-time", "title": "Departs", "type": "string"},
                "by": {"enum": ["rail", "air", "sea"], "title": "By", "type": "string"},
            },
            "required": ["origin", "destination", "departs", "by"],
            "title": "Leg",
            "type": "object",
        },
    },
    "properties": {
        "lead": {"$ref": "#/$defs/Guest"},
        "guests": {"default": [], "items": {"$ref": "#/$defs/Guest"}, "maxItems": 8, "title": "Guests", "type": "array"},
        "legs": {"items": {"$ref": "#/$defs/Leg"}, "minItems": 1, "title": "Legs", "type": "array"},
        "budget": {
            "description": "For all guests together.",
            "exclusiveMinimum": 0,
            "title": "Budget",
            "type": "number",
            "x-unit": "EUR",
        },
        "notes": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "Notes"},
    },
    "required": ["lead", "legs", "budget"],
    "title": "Trip",
    "type": "object",
}

PROMPTED: dict[str, dict[str, Any]] = {
    "an order with lines": SCHEMA,
    "a tool call": TOOL_SCHEMA,
    "a pydantic model with references": MODEL_SCHEMA,
}

_SENTENCE = (
    "the quick brown fox jumps over a lazy dog while seven wizards quietly mix "
    "bright jade vinegar for zealous customers near old harbour bridges"
)
_WORDS = tuple(_SENTENCE.split())
_ACCENTS = ("café", "naïve", "Łódź", "東京", "São", "Ελλάδα", "привет", "–")


def order(size: int, *, accents: bool = False, seed: int = 1) -> Value:
    """Returns an order whose compact JSON has about `size` bytes."""
    chance = random.Random(seed)
    value: Value = {"order": 48_213, "customer": "Ada Byron", "express": True, "lines": []}
    left = size - len(json.dumps(value).encode())
    while left > 0:
        line = _line(chance, _ACCENTS if accents else ())
        value["lines"].append(line)
        left -= len(json.dumps(line, ensure_ascii=False).encode())
    return value


def text_of(value: Value, *, indent: int | None = None) -> str:
    """Returns JSON as a model writes it: not escaped, with blanks after commas and colons."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def calls(count: int, seed: int = 2) -> list[tuple[str, Value]]:
    """Returns replies of 200 to 400 bytes that hold a tool call: one in ten is damaged."""
    chance = random.Random(seed)
    return [_call(chance) for _ in range(count)]


def _call(chance: random.Random) -> tuple[str, Value]:
    size = chance.randrange(200, 401)
    arguments: Value = {
        "query": "",
        "city": chance.choice(("Rome", "Oslo", "New York")),
        "limit": chance.randrange(1, 100),
        "price_max": chance.randrange(100, 99_999) / 100,
        "in_stock": chance.random() < 0.5,
        "tags": chance.sample(_WORDS, 3),
    }
    value = {"name": "search_products", "arguments": arguments}
    short = size - len(text_of(value))
    while len(arguments["query"]) < short:
        arguments["query"] += " " + chance.choice(_WORDS)
    arguments["query"] = arguments["query"].strip()
    text = text_of(value)
    if chance.random() < 0.1:
        text = chance.choice((commas, apostrophes, fence, python))(text)
    return text, value


def _line(chance: random.Random, more: tuple[str, ...]) -> Value:
    def words(least: int, most: int) -> str:
        return " ".join(chance.choices(_WORDS, k=chance.randrange(least, most)))

    return {
        "sku": f"{chance.randrange(16**8):08X}",
        "title": " ".join([words(2, 7), *chance.sample(more, min(len(more), 2))]),
        "quantity": chance.randrange(1, 500),
        "price": chance.randrange(100, 999_999) / 100,
        "gift": chance.random() < 0.5,
        "note": words(2, 6) + ' "as is"\n' + words(2, 6) if chance.random() < 0.3 else None,
        "tags": chance.sample(_WORDS, chance.randrange(4)),
    }


def commas(text: str) -> str:
    return text.replace("}", ",}").replace("]", ",]").replace("[,]", "[]")


def apostrophes(text: str) -> str:
    return (
        repr(json.loads(text))
        .replace("True", "true")
        .replace("False", "false")
        .replace("None", "null")
    )


def names(text: str) -> str:
    for name in (*SCHEMA["properties"], *SCHEMA["properties"]["lines"]["items"]["properties"]):
        text = text.replace(f'"{name}":', f"{name}:")
    return text


def comments(text: str) -> str:
    return text.replace('"sku"', '// the next line\n"sku"')


def fence(text: str) -> str:
    return f"Here is the order that you asked for:\n\n```json\n{text}\n```\n\nAnything else?"


def python(text: str) -> str:
    return repr(json.loads(text))


def closers(text: str) -> str:
    return text[:-2]


def cut(text: str) -> str:
    return text[: len(text) * 7 // 10]


def separators(text: str) -> str:
    return text.replace('"quantity"', '"quantity" ').replace(', "price"', ' "price"')


# Name, what it does to a text, and whether the value stays the same.
DAMAGE: tuple[tuple[str, Callable[[str], str], bool], ...] = (
    ("trailing commas", commas, True),
    ("names without quotes", names, True),
    ("single quotes", apostrophes, True),
    ("Python literals", python, True),
    ("comments", comments, True),
    ("missing commas", separators, True),
    ("prose and a fence", fence, True),
    ("missing closers", closers, True),
    ("cut at 70 %", cut, False),
)


def mixed(count: int, seed: int = 3) -> list[str]:
    """Returns replies with orders: four in ten as they should be, three fenced, the rest damaged."""
    chance = random.Random(seed)
    plain = [text_of(order(500, seed=seed)) for seed in range(200)]
    damages = [damage for name, damage, whole in DAMAGE if whole]
    kinds = [str, str, str, str, fence, fence, fence, None, None, None]
    replies = []
    for _ in range(count):
        text = chance.choice(plain)
        damage = chance.choice(kinds) or chance.choice(damages)
        replies.append(damage(text))
    return replies
