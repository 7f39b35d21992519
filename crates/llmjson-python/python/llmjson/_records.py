"""The records of what was done to a reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ._words import in_words

Certainty = Literal["certain", "likely", "guess"]


@dataclass(frozen=True, slots=True)
class Repair:
    """A change to the text, made to read it as JSON.

    `start` and `end` index the text that was given: characters of a `str`, bytes of `bytes`.
    `line` and `column` count characters from 1.
    """

    kind: str
    certainty: Certainty
    start: int
    end: int
    line: int
    column: int
    sentence: str
    detail: str | None = None
    """The name of the notation that was read, where the kind is `notation`."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the text that a repair makes: `replacement` takes the place of `start` to `end`.

    Places count as those of a `Repair` do. Edits are in the order of the text and do not overlap.
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
    """A remark about the text where nothing was changed, such as a name that occurs twice.

    `path` is the place in the value, for notes that are about one (`meant_format`). `certainty` is `likely` where what
    was meant is less than certain: a repeated name whose values differ.
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
    """A repair, a coercion or another fact about the reply that the policy does not allow."""

    kind: str
    start: int
    end: int
    line: int
    column: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Coercion:
    """A change to the value, made to fit it to the schema.

    `before` and `after` are the values there; `after` is None where the value was dropped. `violations` is what is
    wrong with a value that was left out for it (`drop_invalid`, `replace_invalid`).
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
    """One way in which a value does not satisfy the schema.

    `expected` is in typia's notation, `message` says the same in words. `found` is the type of the value
    there, `undefined` if there is none, and `value` the value.

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
    """A change of a value that is still coming, at a JSON Pointer.

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
    """A problem with the arguments of a tool call, as the model is told."""

    code: str
    path: str
    message: str
    expected: str
    received: Any
    candidates: tuple[str, ...]
    suggestion: str | None
    retryable: bool
