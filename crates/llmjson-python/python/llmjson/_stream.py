"""Replies that are still coming, over whatever delivers their pieces."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, overload

from ._llmjson import Stream as Pieces
from ._typing import AnyPolicy, Described, Json, T, T_co, TypeForm

if TYPE_CHECKING:
    from ._llmjson import Parsed

Piece = str | bytes | None

# A live cell is shown anew at most so often.
_SECONDS_BETWEEN = 0.1


class Stream(Pieces[T_co], Generic[T_co]):
    """A reply that is still coming, and its value so far.

    What was shown is not taken back before the end: strings and lists grow, numbers and words are
    shown when they are whole. Pieces are str or bytes; bytes may end within a character.

    >>> from llmjson import Stream
    >>> stream = Stream()
    >>> for value in stream.over(["{city: 'Os", "lo', days:", " 3}"]):
    ...     print(value)
    {'city': 'Os'}
    {'city': 'Oslo'}
    {'city': 'Oslo', 'days': 3}
    >>> stream.finish().ok
    True

    Shown in a notebook, it is a cell that follows while `over` takes in pieces.
    """

    _cell: Any = None
    _next: float = 0.0

    if TYPE_CHECKING:

        @overload
        def __init__(
            self: Stream[Any], schema: Json | None = None, *, policy: AnyPolicy = "lenient"
        ) -> None: ...
        @overload
        def __init__(
            self: Stream[T], schema: Described[T], *, policy: AnyPolicy = "lenient"
        ) -> None: ...
        @overload
        def __init__(
            self: Stream[T], schema: TypeForm[T], *, policy: AnyPolicy = "lenient"
        ) -> None: ...
        def __init__(self, schema: Any = None, *, policy: AnyPolicy = "lenient") -> None: ...

    @overload
    def over(self, pieces: Iterable[Piece]) -> Iterator[Any]: ...
    @overload
    def over(self, pieces: AsyncIterable[Piece]) -> AsyncIterator[Any]: ...
    def over(
        self, pieces: Iterable[Piece] | AsyncIterable[Piece]
    ) -> Iterator[Any] | AsyncIterator[Any]:
        """Pushes each piece and yields the value whenever it has changed; at last that of `finish()`.

        With an asynchronous iterable it is one itself. Pieces that are None or empty, which servers
        send, are passed over.
        """
        if isinstance(pieces, AsyncIterable):
            return self._over_async(pieces)
        return self._over(pieces)

    def finish(self, *, finish_reason: str | None = None) -> Parsed[T_co]:
        """Ends the reply and returns its result: just what `parse` gives for the whole text."""
        parsed = super().finish(finish_reason=finish_reason)
        self._follow(at_once=True)
        return parsed

    def _ipython_display_(self) -> None:
        # A live cell: it follows while `over` takes in pieces, and at the end.
        notebook = import_module("IPython.display")
        self._cell = notebook.display(notebook.HTML(self._repr_html_()), display_id=True)

    def _follow(self, at_once: bool = False) -> None:
        cell, began = self._cell, monotonic()
        if cell is None or (began < self._next and not at_once):
            return
        cell.update(import_module("IPython.display").HTML(self._repr_html_()))
        # Long replies take long to show: most of the time is left for reading.
        now = monotonic()
        self._next = now + max(_SECONDS_BETWEEN, 4 * (now - began))

    def _over(self, pieces: Iterable[Piece]) -> Iterator[Any]:
        for piece in pieces:
            if piece and self._advance(piece):
                self._follow()
                yield self.value
        yield from self._rest()

    async def _over_async(self, pieces: AsyncIterable[Piece]) -> AsyncIterator[Any]:
        async for piece in pieces:
            if piece and self._advance(piece):
                self._follow()
                yield self.value
        for value in self._rest():
            yield value

    def _rest(self) -> Iterator[Any]:
        shown = self.to_json()
        parsed = self.finish()
        if parsed.to_json() != shown:
            yield parsed.value
