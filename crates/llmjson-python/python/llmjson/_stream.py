"""Replies that are still coming, over whatever delivers their pieces."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, overload

from ._llmjson import Stream as Pieces

Piece = str | bytes | None


class Stream(Pieces):
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
    """

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

    def _over(self, pieces: Iterable[Piece]) -> Iterator[Any]:
        for piece in pieces:
            if piece and self._advance(piece):
                yield self.value
        yield from self._rest()

    async def _over_async(self, pieces: AsyncIterable[Piece]) -> AsyncIterator[Any]:
        async for piece in pieces:
            if piece and self._advance(piece):
                yield self.value
        for value in self._rest():
            yield value

    def _rest(self) -> Iterator[Any]:
        shown = self.to_json()
        parsed = self.finish()
        if parsed.to_json() != shown:
            yield parsed.value
