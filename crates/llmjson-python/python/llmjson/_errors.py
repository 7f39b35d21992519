"""The exceptions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._llmjson import Parsed
    from ._tools import Bound


class Error(ValueError):
    """The base of all exceptions of this package."""


class SchemaError(Error):
    """An invalid schema."""


class ParseError(Error):
    """A reply without a conforming value.

    `parsed` is the result with the best interpretation, `feedback()` the text to send to the model.
    """

    def __init__(self, message: str, parsed: Parsed[Any], feedback: str) -> None:
        super().__init__(message)
        self.parsed = parsed
        self._feedback = feedback

    def feedback(self) -> str:
        """Returns feedback with which the model can correct the reply."""
        return self._feedback

    def _repr_html_(self) -> str:
        return self.parsed._repr_html_()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.parsed, self._feedback)


class BindError(Error):
    """A tool call whose arguments do not conform. `bound` has the problems and the feedback for the
    model.
    """

    def __init__(self, message: str, bound: Bound[Any]) -> None:
        super().__init__(message)
        self.bound = bound

    def feedback(self) -> str:
        """Returns feedback with which the model can correct the call."""
        return self.bound.feedback() or str(self)

    def _repr_html_(self) -> str:
        return self.bound._repr_html_()  # pyright: ignore[reportPrivateUsage]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.bound)


class RetryError(Error):
    """A conversation in which no reply could be used.

    `attempts` is the number of replies, `reply` the last one, and `feedback()` the feedback on it.
    """

    def __init__(self, message: str, attempts: int, feedback: str, reply: str) -> None:
        super().__init__(message)
        self.attempts = attempts
        self._feedback = feedback
        self.reply = reply

    def feedback(self) -> str:
        """Returns the feedback that the model would have been sent next."""
        return self._feedback

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.attempts, self._feedback, self.reply)
