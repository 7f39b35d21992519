"""Streamed replies, from any source of pieces."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, Literal, overload

from ._llmjson import Stream as Pieces
from ._partial import partial
from ._schemas import item_of
from ._typing import AnyPolicy, Described, Json, T, T_co, TypeForm

if TYPE_CHECKING:
    from ._llmjson import Parsed
    from ._records import Violation

Piece = str | bytes | None
#: The treatment of a reply that is not ok.
AtEnd = Literal["raise", "report"]
StopOn = Literal["violation"]

# The minimum time between two updates of a live cell.
_SECONDS_BETWEEN = 0.1


class Stream(Pieces[T_co], Generic[T_co]):
    """A streamed reply, and its value so far.

    A value that has been shown is never retracted before the end: strings and lists grow, numbers
    and keywords appear once complete. Pieces are str or bytes; bytes may end inside a character.

    >>> from llmjson import Stream
    >>> stream = Stream()
    >>> for value in stream.over(["{city: 'Os", "lo', days:", " 3}"]):
    ...     print(value)
    {'city': 'Os'}
    {'city': 'Oslo'}
    {'city': 'Oslo', 'days': 3}
    >>> stream.finish().ok
    True

    Shown in a notebook, it is a cell that updates while `over` receives pieces.
    """

    _cell: Any = None
    _next: float = 0.0
    _changed: bool = False
    _shown: str | None = None
    _ended: bool = False

    if TYPE_CHECKING:

        @overload
        def __init__(
            self: Stream[Any], schema: Json | None = None, *, policy: AnyPolicy = "lenient"
        ) -> None: ...
        @overload
        def __init__(
            self: Stream[T],
            schema: Described[T],
            *,
            policy: AnyPolicy = "lenient",
            context: Any = None,
            strict: bool | None = None,
        ) -> None: ...
        @overload
        def __init__(
            self: Stream[T],
            schema: TypeForm[T],
            *,
            policy: AnyPolicy = "lenient",
            context: Any = None,
            strict: bool | None = None,
        ) -> None: ...
        def __init__(self, schema: Any = None, **options: Any) -> None: ...

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations that later text cannot resolve, as soon as they are found; at the end, all
        violations.

        Only complete values are checked. If the end of the reply means another value than was shown
        (`superseded`), earlier violations do not count.

        >>> stream = Stream({"properties": {"days": {"maximum": 31}}})
        >>> stream.push('{"days": 400, "city": "Os')
        >>> stream.violations[0].message
        'a number of at most 31'
        """
        found = super().violations
        judge = self.schema._judge if found and self.schema is not None else None
        if judge is None or self._ended:
            return found
        # The type may accept more than its schema says.
        paths = [path for path, *_ in judge(self.to_json() or "null", self.value)[1]]
        return tuple(
            one
            for one in found
            if any(path.startswith(one.path) or one.path.startswith(path) for path in paths)
        )

    @overload
    def over(
        self, pieces: Iterable[Piece], *, at_end: AtEnd = "raise", stop_on: StopOn | None = None
    ) -> Iterator[Any]: ...
    @overload
    def over(
        self,
        pieces: AsyncIterable[Piece],
        *,
        at_end: AtEnd = "raise",
        stop_on: StopOn | None = None,
    ) -> AsyncIterator[Any]: ...
    def over(
        self,
        pieces: Iterable[Piece] | AsyncIterable[Piece],
        *,
        at_end: AtEnd = "raise",
        stop_on: StopOn | None = None,
    ) -> Iterator[Any] | AsyncIterator[Any]:
        """Pushes each piece and yields the value whenever it has changed, and finally the value of
        `finish()`.

        With an asynchronous iterable, the result is one too. Pieces that are None or empty, which
        servers send, are skipped. A reply that is not ok raises ParseError at its end; with
        `at_end="report"` this is left to `finish()`. With `stop_on="violation"` it ends at the
        first of `violations`, and takes nothing more from `pieces`.
        """
        driven: Iterator[Any] | AsyncIterator[Any]
        driven = _drive(self, pieces, self._values, at_end, stop_on)
        return driven

    @overload
    def partials(
        self, pieces: Iterable[Piece], *, at_end: AtEnd = "raise", stop_on: StopOn | None = None
    ) -> Iterator[T_co]: ...
    @overload
    def partials(
        self,
        pieces: AsyncIterable[Piece],
        *,
        at_end: AtEnd = "raise",
        stop_on: StopOn | None = None,
    ) -> AsyncIterator[T_co]: ...
    def partials(
        self,
        pieces: Iterable[Piece] | AsyncIterable[Piece],
        *,
        at_end: AtEnd = "raise",
        stop_on: StopOn | None = None,
    ) -> Iterator[Any] | AsyncIterator[Any]:
        """Yields the values of `over` as objects of the type with all fields optional.

        A field that has not arrived is None in a pydantic model and `UNSET` in a dataclass, and is
        absent from a `TypedDict`. Each object is a prefix of the next, and the last is the complete
        `finish().typed`, if the reply is ok. To type checkers they all have the type itself.

        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Trip:
        ...     city: str
        ...     days: int
        >>> for trip in Stream(Trip).partials(["{city: 'Os", "lo', days:", " '12'}"]):
        ...     print(trip)
        PartialTrip(city='Os', days=UNSET)
        PartialTrip(city='Oslo', days=UNSET)
        Trip(city='Oslo', days=12)
        """
        driven: Iterator[Any] | AsyncIterator[Any]
        driven = _drive(self, pieces, self._partials, at_end, stop_on)
        return driven

    @overload
    def items(
        self: Stream[list[T]],
        pieces: Iterable[Piece],
        *,
        at_end: AtEnd = "raise",
        stop_on: StopOn | None = None,
    ) -> Iterator[Parsed[T]]: ...
    @overload
    def items(
        self: Stream[list[T]],
        pieces: AsyncIterable[Piece],
        *,
        at_end: AtEnd = "raise",
        stop_on: StopOn | None = None,
    ) -> AsyncIterator[Parsed[T]]: ...
    @overload
    def items(
        self,
        pieces: Iterable[Piece],
        at: str,
        *,
        at_end: AtEnd = "raise",
        stop_on: StopOn | None = None,
    ) -> Iterator[Parsed[Any]]: ...
    @overload
    def items(
        self,
        pieces: AsyncIterable[Piece],
        at: str,
        *,
        at_end: AtEnd = "raise",
        stop_on: StopOn | None = None,
    ) -> AsyncIterator[Parsed[Any]]: ...
    def items(
        self,
        pieces: Any,
        at: str = "",
        *,
        at_end: AtEnd = "raise",
        stop_on: StopOn | None = None,
    ) -> Any:
        """Yields each item of a list once no later text can change it: its result, validated, with
        a separate report. Positions in it count from the beginning of the item. `at` is the list's
        place within the value: a name (`steps`), several (`plan.steps`) or a JSON Pointer
        (`/plan/steps`).

        >>> pieces = ['[{"n": "1"}, {"n', '": "many"}, {"n": 3}]']
        >>> for item in Stream(list[dict[str, int]]).items(pieces, at_end="report"):
        ...     print(item.value, item.ok)
        {'n': 1} True
        {'n': 'many'} False
        {'n': 3} True
        >>> pieces = ['{"goal": "tea", "steps": ["boil', '", "pour"], "n', 'ote": ""}']
        >>> [item.value for item in Stream({"properties": {"steps": {"type": "array"}}}).items(pieces, "steps")]
        ['boil', 'pour']
        """
        schema = self.schema
        if schema is None:
            raise TypeError("items() is for lists: give Stream a schema, such as list[Trip]")
        steps = at[1:].split("/") if at.startswith("/") else at.split(".") if at else []
        steps = [step.replace("~1", "/").replace("~0", "~") for step in steps]
        item = item_of(schema, steps)
        place = "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)

        def fresh(last: bool) -> Iterator[Any]:
            yield from self._items(item, place)

        return _drive(self, pieces, fresh, at_end, stop_on)

    def finish(self, *, finish_reason: str | None = None) -> Parsed[T_co]:
        """Ends the reply and returns its result: the result of `parse` for the whole text."""
        parsed = super().finish(finish_reason=finish_reason)
        self._ended = True
        self._follow(at_once=True)
        return parsed

    def _ipython_display_(self) -> None:
        # A live cell: it updates while `over` receives pieces, and at the end.
        notebook = import_module("IPython.display")
        self._cell = notebook.display(notebook.HTML(self._repr_html_()), display_id=True)

    def _follow(self, at_once: bool = False) -> None:
        cell, began = self._cell, monotonic()
        if cell is None or (began < self._next and not at_once):
            return
        cell.update(import_module("IPython.display").HTML(self._repr_html_()))
        # Long replies take long to show: most of the time is left for parsing.
        now = monotonic()
        self._next = now + max(_SECONDS_BETWEEN, 4 * (now - began))

    def _values(self, last: bool) -> Iterator[Any]:
        """Yields the value, if it differs from the last one yielded."""
        if last:
            shown = self.to_json()
            if shown == self._shown:
                return
        elif not self._changed:
            return
        yield self.value

    def _partials(self, last: bool) -> Iterator[Any]:
        of = None if self.schema is None else self.schema.type
        parsed = self.finish() if last and of is not None else None
        if parsed is not None and parsed.ok:
            yield parsed.result(allow_truncated=True)
            return
        for value in self._values(last):
            yield partial(of, value)

    def _take(self, piece: Piece) -> None:
        self._changed = self._advance(piece) if piece else False
        if self._changed:
            self._follow()

    def _end(self) -> Parsed[T_co]:
        self._shown = self.to_json()
        parsed = self.finish()
        return parsed

    def _stops(self, stop_on: StopOn | None) -> bool:
        return stop_on == "violation" and self._changed and bool(self.violations)


def _drive(
    stream: Stream[Any],
    pieces: Iterable[Piece] | AsyncIterable[Piece],
    fresh: Callable[[bool], Iterator[Any]],
    at_end: AtEnd,
    stop_on: StopOn | None,
) -> Any:
    """Yields the new values after each piece."""
    if at_end not in ("raise", "report"):
        raise ValueError(f'at_end must be "raise" or "report", not {at_end!r}')
    if stop_on not in (None, "violation"):
        raise ValueError(f'stop_on must be None or "violation", not {stop_on!r}')
    if isinstance(pieces, AsyncIterable):
        return _over_async(stream, pieces, fresh, at_end, stop_on)
    return _over(stream, pieces, fresh, at_end, stop_on)


def _over(
    stream: Stream[Any],
    pieces: Iterable[Piece],
    fresh: Callable[[bool], Iterator[Any]],
    at_end: AtEnd,
    stop_on: StopOn | None,
) -> Iterator[Any]:
    for piece in pieces:
        stream._take(piece)  # pyright: ignore[reportPrivateUsage]
        yield from fresh(False)
        if stream._stops(stop_on):  # pyright: ignore[reportPrivateUsage]
            break
    parsed = stream._end()  # pyright: ignore[reportPrivateUsage]
    yield from fresh(True)
    if at_end == "raise" and not parsed.ok:
        parsed.result()


async def _over_async(
    stream: Stream[Any],
    pieces: AsyncIterable[Piece],
    fresh: Callable[[bool], Iterator[Any]],
    at_end: AtEnd,
    stop_on: StopOn | None,
) -> AsyncIterator[Any]:
    async for piece in pieces:
        stream._take(piece)  # pyright: ignore[reportPrivateUsage]
        for one in fresh(False):
            yield one
        if stream._stops(stop_on):  # pyright: ignore[reportPrivateUsage]
            break
    parsed = stream._end()  # pyright: ignore[reportPrivateUsage]
    for one in fresh(True):
        yield one
    if at_end == "raise" and not parsed.ok:
        parsed.result()
