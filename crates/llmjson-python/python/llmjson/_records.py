"""The records of the changes made to a reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ._words import in_words

Certainty = Literal["certain", "likely", "guess"]


@dataclass(frozen=True, slots=True)
class Repair:
    """A change to the text that makes it readable as JSON.

    `start` and `end` index the original text: characters of a `str`, bytes of `bytes`. `line` and
    `column` count characters from 1.
    """

    kind: str
    certainty: Certainty
    start: int
    end: int
    line: int
    column: int
    sentence: str
    detail: str | None = None
    """The name of the notation that was read, if the kind is `notation`."""


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit that a repair makes to the text: `replacement` replaces `start` to `end`.

    Positions count as in a `Repair`. Edits are in text order and do not overlap.
    """

    start: int
    end: int
    replacement: str
    kind: str
    certainty: Certainty
    line: int
    column: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Note:
    """A note about the text where nothing was changed, such as a duplicate key.

    `path` is the path in the value, for notes about a value (`meant_format`). `certainty` is
    `likely` if the meaning is not certain: a duplicate key whose values differ.
    """

    kind: str
    start: int
    end: int
    line: int
    column: int
    sentence: str
    path: str | None = None
    certainty: Certainty = "certain"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A repair, a coercion or another property of the reply that the policy refuses."""

    kind: str
    start: int
    end: int
    line: int
    column: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Coercion:
    """A change to the value that makes it fit the schema.

    `before` and `after` are the values at the path; `after` is None if the value was dropped.
    `violations` are the reasons for which a value was dropped (`drop_invalid`, `replace_invalid`).
    """

    kind: str
    certainty: Certainty
    path: str
    before: Any
    after: Any
    sentence: str
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class Violation:
    """One violation of the schema by a value.

    `expected` is in typia's notation; `message` says the same in words. `found` is the type of the
    value found, or `undefined` if there is none, and `value` the value.

    >>> wrong = Violation("$input.n", "integer & Maximum<255>", "number", 300, "maximum", None)
    >>> wrong.message
    'an integer of at most 255'
    """

    path: str
    expected: str
    found: str
    value: Any
    keyword: str
    description: str | None

    @property
    def message(self) -> str:
        """The expectation in words, such as `an integer of at most 255`."""
        return in_words(self.expected)


@dataclass(frozen=True, slots=True)
class Event:
    """A change to a streamed value, at a JSON Pointer.

    | `change` | `value` |
    |---|---|
    | `passed` | text around the value: prose, fences, tags |
    | `opened` | the kind of the value that begins there, empty |
    | `appended` | more of a string |
    | `value` | a number, boolean or None, whole |
    | `closed`, `settled`, `superseded` | None |
    """

    path: str
    change: Literal["passed", "opened", "appended", "value", "closed", "settled", "superseded"]
    value: Any


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem with the arguments of a tool call, as reported to the model."""

    code: str
    path: str
    message: str
    expected: str
    received: Any
    candidates: tuple[str, ...]
    suggestion: str | None
    retryable: bool
