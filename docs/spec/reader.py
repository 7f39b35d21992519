"""A toy reader, written from lenient-json.md only: read(text) returns the value and whether it is truncated.

The reader shows that the specification suffices. It isn't linear (R63) and records nothing (R67).
"""

from __future__ import annotations

import json
import re
from typing import Any

QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "„": "“"}
WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None, "undefined": None}
WORDS |= {"NaN": None, "Infinity": None, "-Infinity": None}
CLOSERS = {"{": "}", "[": "]", "(": ")"}
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
# R15, R16: the characters before which a backslash is dropped, and unknown escapes that show a pattern or LaTeX.
DROPPED = "'`$#&*-.~>_"
NUMBER = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|(\d[\d_]*)?(\.\d*)?([eE][-+]?\d*)?)")
GONE = object()
THOUGHT = re.compile(r"(?s)<(think|thinking|thought|reasoning)>.*?</\1>|◁think▷.*?◁/think▷")
BEGINS = re.compile(r"""[{\[(]\s*(["'`“‘{\[(}\]]|-?\d|true|false|null|True|False|None|[\w$-]+\s*["”]?\s*[:=>]|//|/\*|\#|,|$)""")


def read(text: str) -> tuple[Any, bool]:
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(text), False  # R1
    except ValueError:
        pass
    # R48: values in reasoning count only if there is no other one.
    at = BEGINS.search(text)
    is_inside = at and (first := THOUGHT.search(text)) and at.start() < first.start()
    found = (not is_inside and values(THOUGHT.sub("", text))) or values(text)
    if not found:
        raise ValueError("no value")
    return found[-1]  # R49


def values(text: str) -> list[tuple[Any, bool]]:
    if re.match(r'\s*\{\s*\\"', text):
        text = re.sub(r'\\(["\\])', r"\1", text)  # R20
    found, at = [], 0
    while opener := re.compile(r"[{\[]").search(text, at):
        is_reference = re.match(r"\[\d+\](?!\s*$)", text[opener.start() :]) and opener.start() > 0
        if not BEGINS.match(text, opener.start()) or is_reference:  # R46
            at = opener.end()
            continue
        reader = Reader(text, opener.start())
        value = reader.value()
        found.append((value, reader.is_cut))
        at = max(reader.at, opener.end())
    return found


class Reader:
    def __init__(self, text: str, at: int) -> None:
        self.text, self.at, self.is_cut, self.open = text, at, False, []

    def space(self) -> None:
        pattern = re.compile(r"(\s|//[^\n]*|#[^\n]*|/\*.*?(\*/|$)|\.\.\.|…|<\|[^|]*\|>|</?\w+>)+", re.DOTALL)  # R36, R37, R52
        if blank := pattern.match(self.text, self.at):
            self.at = blank.end()

    def peek(self) -> str:
        self.space()
        return self.text[self.at : self.at + 1]

    def value(self) -> Any:
        sign = self.peek()
        if sign not in QUOTES:
            return self.container(sign) if sign in CLOSERS else self.scalar()
        value = self.string()
        while self.peek() == "+":  # R27
            self.at += 1
            self.space()
            value += self.string()
        return value

    def container(self, opener: str) -> Any:
        self.at += 1
        self.open.append(opener)
        items: list[Any] = []
        members: dict[str, Any] = {}
        while True:
            sign = self.peek()
            if not sign or self.text.startswith("```", self.at):
                self.is_cut |= not sign  # A closing fence shows that only closers are missing.
                break
            if sign in "}])":
                rest = self.text[self.at + 1 :]
                if sign != CLOSERS[opener] and CLOSERS[self.open[-2] if len(self.open) > 1 else opener] == sign:
                    break  # R34: the closer of the container around it
                self.at += 1
                if len(self.open) == 1 and opener == "{" and re.match(r'\s*,\s*["“\w]+[^,{}]*:', rest):
                    continue  # R35
                break
            if sign in ",;":
                self.at += 1  # R30
            elif opener == "{":
                self.member(members, items)
            elif "{" in self.open and re.match(r'"[^"\n]*"\s*:', self.text[self.at :]):
                break  # R34: a key of the object around it
            elif (value := self.value()) is not GONE:
                items.append(value)
        self.open.pop()
        return members if opener == "{" and (members or not items) else items  # R41

    def member(self, members: dict[str, Any], items: list[Any]) -> None:
        if self.text[self.at] in QUOTES:
            key = self.string(is_key=True)
        elif bare := re.compile(r"[^\s:=,{}\[\]\"]+").match(self.text, self.at):
            self.at = bare.end()
            key = bare[0]
            if self.text[self.at : self.at + 1] == '"':
                self.at += 1  # R25
        else:
            self.value()
            return
        if re.match(r"\s*[,}]", self.text[self.at :]):
            items.append(WORDS.get(key, json.loads(key) if re.fullmatch(r"-?\d+", key) else key))  # R41: a set
            return
        if colon := re.compile(r"\s*(:|=>?|->|>)").match(self.text, self.at):
            self.at = colon.end()
        sign = self.peek()
        self.is_cut |= not sign
        value = GONE if not sign else None if sign in ",}" else self.value()  # R8, R38
        if value is not GONE:
            members[key] = value

    def string(self, is_key: bool = False) -> str:
        opener = self.text[self.at]
        quote, self.at = QUOTES[opener], self.at + 1
        if self.text.startswith(opener * 2, self.at) and (end := self.text.find(opener * 3, self.at + 2)) > 0:  # R27
            body, self.at = self.text[self.at + 2 : end], end + 3
            return body
        start, at = self.at, self.at
        while at < len(self.text):
            sign = self.text[at]
            if sign == quote and self.closes(at, is_key):
                self.at = at + 1
                return unescaped(self.text[start:at])
            if sign in ",\n" and self.lacks_quote(at, is_key):
                self.at = at
                return unescaped(self.text[start:at].rstrip())
            if is_key and sign == ":" and quote not in self.text[start:].split("\n")[0].split(":")[0]:
                self.at = at  # R24 in a key
                return unescaped(self.text[start:at])
            at += 2 if sign == "\\" else 1
        self.at, self.is_cut = len(self.text), True  # R6, R7
        return unescaped(re.sub(r"(?<!\\)((?:\\\\)*)(\\(u[0-9a-fA-F]{0,3})?|\\u[dD][89abAB]..(\\(u.{0,3})?)?)$", r"\1", self.text[start:]))

    def closes(self, at: int, is_key: bool) -> bool:  # R21, R22
        rest = self.text[at + 1 :].lstrip()
        if is_key:
            return bool(re.match(r"[:=,}>\-]|\d|\"", rest)) or not rest
        if not rest or rest[0] in "}])+" or rest.startswith(("//", "/*", "#", "<|", "```")):
            closers = re.match(r"[\]})]*\s*", rest)
            after = rest[closers.end() :] if closers else ""
            return bool(not after or after[0] in ",}]+/#;<`\"" or "\n" in rest[: closers.end() if closers else 0] or len(self.open) == 1)
        if rest[0] in ",;":
            after = rest[1:].lstrip()
            item = r"""["'`“{\[(\-\d\]]|true|false|null|True|False|None|\.\.\."""
            member = r"""(["'`“‘]?)[\w $-]+(?(1)["'`”’]?)\s*[:=>]|[}\]/#]|["'`“‘][^"]*["'`”’]:"""
            return not after or bool(re.match(member if self.open[-1] == "{" else item, after))
        continues = r'"[^"]*"\s*:' if self.open[-1] == "{" else r'["{\[]'
        return bool(re.match(continues, rest)) and (self.open[-1] == "{" or rest[0] in "{[" or self.text[at + 1] in " \n")

    def lacks_quote(self, at: int, is_key: bool) -> bool:  # R24
        return not is_key and self.open[-1] == "{" and bool(re.match(r',?\s*"[\w ]+"\s*:', self.text[at:]))

    def scalar(self) -> Any:
        number = NUMBER.match(self.text, self.at)
        if number and number.end() > self.at and re.search(r"\d", number[0]):
            grouped = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d+)?(?!\d)").match(self.text, self.at)
            if grouped and self.open[-1] == "{":  # R44
                self.at = grouped.end()
                return json.loads(grouped[0].replace(",", ""))
            end = self.text[number.end() : number.end() + 1]
            if not end or end in " \t\n,;}])\"'/<`":
                self.at = number.end() + (end in ("'", '"') and end != "")  # R39: a stray quote
                self.is_cut |= not end
                return to_number(number[0])
        word = re.compile(r"[^,\n}\]:;)]+").match(self.text, self.at)
        if not word:
            self.at += 1
            return GONE
        text, self.at = word[0].strip(), word.end()
        if text in WORDS:
            return WORDS[text]
        if self.at >= len(self.text):
            self.is_cut = True
            return next((value for name, value in WORDS.items() if name.startswith(text)), GONE)  # R10
        return unescaped(text.removesuffix('"'))  # R25, R26


def to_number(text: str) -> Any:  # R9, R43
    text = re.sub(r"^(-?)\.", r"\g<1>0.", re.sub(r"[eE][-+]?$|\.$", "", text.replace("_", "").lstrip("+")))
    return int(text, 16) if "x" in text.lower() else float(text) if re.search(r"[.eE]", text) else int(text)


def unescaped(text: str) -> str:
    unknown = re.findall(r'(?<!\\)(?:\\\\)*\\([^"\\/bfnrtu]|u(?![0-9a-fA-F]{4}))', text)
    is_pattern = any(one not in DROPPED for one in unknown)
    is_latex = any(one.isalpha() for one in unknown)

    def one(match: re.Match[str]) -> str:
        code, word = match[1], match[2] or ""
        if code[0] == "u" and len(code) == 5:
            return chr(int(code[1:], 16)) + word
        if is_latex and code in "bfnrt" and len(word) > 0:
            return "\\" + code + word  # R17
        if code in ESCAPES:
            return ESCAPES[code] + word
        return ("" if code in DROPPED and not is_pattern else "\\") + code + word

    text = re.sub(r"\\(u[0-9a-fA-F]{4}|[\s\S])([a-z]*)", one, text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
