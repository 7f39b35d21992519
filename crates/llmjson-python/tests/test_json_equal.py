"""Valid JSON is what `json.loads` returns: the same values, types and exceptions."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from typing import Any

import llmjson
import pytest

SEED = 20_250_701
TEXTS = 1_000
SPACES = ["", "", "", " ", "\n", "\t", "\r\n", "  "]
NUMBERS = [
    "0",
    "-0",
    "-0.0",
    "0.0",
    "1e5",
    "1E+5",
    "-1e-5",
    "1e400",
    "-1e400",
    "1e-400",
    "5e-324",
    "0.1",
    "9" * 40,
]
NUMBERS += [
    "1.0",
    "100000000000000000000.5",
    "2.2250738585072011e-308",
    "1.7976931348623157e308",
    "-" + "1" * 25,
]
NUMBERS += ["0.0001", "0.00012", "0.00001", "1.10", "-0.5", "123456789012345.0", "1234567890123.25"]
NUMBERS += [
    str(sign * (2**bits) + offset)
    for bits in (31, 53, 63, 64)
    for sign in (1, -1)
    for offset in (-1, 0, 1)
]
WORDS = ["true", "false", "null", "NaN", "Infinity", "-Infinity"]
ESCAPES = [
    r"\"",
    r"\\",
    r"\/",
    r"\b",
    r"\f",
    r"\n",
    r"\r",
    r"\t",
    r"\u0041",
    r"\u00e9",
    r"\u0000",
    r"\ud83d\ude00",
]
ESCAPES += [r"\ud800", r"\udc00x", r"\uD800\u0041", r"\udc00\ud800", r"\u2028", r"\uFFFF"]
PIECES = [
    "",
    "a",
    "Zoë",
    "日本",
    "😀",
    "{",
    "}",
    "[1]",
    "//",
    "/*",
    "#",
    "```json",
    "<think>",
    "it's",
    "\x7f",
    "\u2028",
]
PIECES += ["https://x.y/z?a=b", "null", "{'a': 1}", "x" * 300, "\u00a0", "\ufeff", "…", "”"]


class Generator:
    """Writes valid JSON texts, odd ones more often than usual."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self) -> str:
        return self.space() + self.value(self.random.choice([0, 1, 2, 3, 5])) + self.space()

    def space(self) -> str:
        return self.random.choice(SPACES)

    def value(self, depth: int) -> str:
        kinds: list[Callable[[], str]] = [self.number, self.word, self.string]
        if depth:
            kinds += [lambda: self.array(depth - 1), lambda: self.object(depth - 1)] * 3
        return self.random.choice(kinds)()

    def number(self) -> str:
        kind = self.random.randrange(4)
        if kind == 0:
            return self.random.choice(NUMBERS)
        if kind == 1:
            return str(self.random.randint(-(10**12), 10**12))
        if kind == 2:
            double: float = struct.unpack("<d", self.random.randbytes(8))[0]
            return repr(double) if abs(double) < float("inf") else "1.5"
        return str(self.random.getrandbits(self.random.choice([8, 62, 63, 64, 65, 200])))

    def word(self) -> str:
        return self.random.choice(WORDS)

    def string(self) -> str:
        parts = self.random.choices(PIECES + ESCAPES, k=self.random.randrange(5))
        return '"' + "".join(parts) + '"'

    def array(self, depth: int) -> str:
        items = [self.value(depth) for _ in range(self.random.randrange(5))]
        return (
            f"[{self.space()}" + f"{self.space()},{self.space()}".join(items) + f"{self.space()}]"
        )

    def object(self, depth: int) -> str:
        members: list[str] = []
        for _ in range(self.random.randrange(5)):
            name = self.string()
            members.append(f"{name}{self.space()}:{self.space()}{self.value(depth)}")
            if self.random.random() < 0.1:
                members.append(f"{name}:{self.value(depth)}")
        return (
            f"{{{self.space()}"
            + f"{self.space()},{self.space()}".join(members)
            + f"{self.space()}}}"
        )


def outcome(call: Callable[[Any], Any], text: Any) -> tuple[str, str]:
    """The type and the exact printed form of a value, or the class of the exception."""
    try:
        value = call(text)
    except Exception as error:
        return "raised", type(error).__name__
    return type(value).__name__, repr(value)


def test_generated_texts() -> None:
    generator = Generator(SEED)
    seen: set[str] = set()
    for number in range(TEXTS):
        text = generator.text()
        expected = outcome(json.loads, text)
        assert expected[0] != "raised"
        assert outcome(llmjson.loads, text) == expected, f"text {number}: {text!r}"
        seen.add(text)
    assert len(seen) > TEXTS * 0.7


def test_generated_texts_as_bytes() -> None:
    generator = Generator(SEED + 1)
    for number in range(TEXTS):
        text = generator.text()
        encoding = ["utf-8", "utf-8-sig", "utf-16", "utf-32"][number % 4]
        data = text.encode(encoding)
        assert outcome(llmjson.loads, data) == outcome(json.loads, data), f"text {number}: {data!r}"


def test_generated_texts_as_text_again() -> None:
    generator = Generator(SEED + 2)
    for _ in range(TEXTS // 4):
        text = generator.text()
        assert llmjson.repair_json(text) == json.dumps(json.loads(text))
        assert llmjson.repair_json(text, indent=1) == json.dumps(json.loads(text), indent=1)


def test_damaged_texts_are_written_as_their_value() -> None:
    generator = Generator(SEED + 3)
    written = 0
    for number in range(TEXTS):
        text = generator.text()
        damaged = [
            text[: len(text) // 2],
            text.replace('"', "'"),
            f"Here: {text},",
            text[:-2] + ",]",
        ]
        damaged_text = damaged[number % 4]
        value = llmjson.loads(damaged_text, allow_truncated=True)
        if value == "":
            continue
        written += 1
        assert llmjson.repair_json(damaged_text) == json.dumps(value), damaged_text
        plain = json.dumps(value, ensure_ascii=False)
        assert llmjson.repair_json(damaged_text, ensure_ascii=False) == plain, damaged_text
    assert written > TEXTS * 0.6


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100 + "]" * 100,
        "[" * 600 + "]" * 600,
        '{"a":' * 600 + "1" + "}" * 600,
        "[" * 200_000,
        "[" * 200_000 + "]" * 200_000,
        '{"a":' * 200_000,
        "1" * 4_300,
        "1" * 5_000 + ".5",
        '"\ud800"',
        '{"\udfff": "a\ud800\udc00"}',
        b'"\xed\xa0\x80"',
        b'["\xed\xa0\x80", "\xc3\xa9"]',
        b'"\xff"',
        b'\xef\xbb\xbf{"a": 1}',
        '"' + "x" * 12_000_000 + '"',
        None,
        1,
        object(),
    ],
    ids=lambda text: repr(text)[:24],
)
def test_odd_texts(text: Any) -> None:
    assert outcome(llmjson.loads, text) == outcome(json.loads, text)


def test_dictionaries_keep_the_order_of_members() -> None:
    text = '{"b": 1, "a": 2, "b": 3, "c": 4}'
    assert list(llmjson.loads(text).items()) == list(json.loads(text).items())
