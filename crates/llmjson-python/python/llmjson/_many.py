"""Batches of replies, parsed on all cores."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, overload

from ._llmjson import Parsed, Schema
from ._llmjson import parse_many as read_many
from ._typing import AnyPolicy, Described, Json, T, Text, TypeForm


@overload
def parse_many(
    texts: Iterable[Text | None],
    schema: Json | None = None,
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    progress: bool = False,
    parse_float: Callable[[str], Any] | None = None,
) -> list[Parsed[Any]]: ...


@overload
def parse_many(
    texts: Iterable[Text | None],
    schema: Described[T],
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    progress: bool = False,
    parse_float: Callable[[str], Any] | None = None,
) -> list[Parsed[T]]: ...


@overload
def parse_many(
    texts: Iterable[Text | None],
    schema: TypeForm[T],
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    progress: bool = False,
    parse_float: Callable[[str], Any] | None = None,
) -> list[Parsed[T]]: ...


def parse_many(
    texts: Iterable[Text | None],
    schema: Any = None,
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    progress: bool = False,
    parse_float: Callable[[str], Any] | None = None,
) -> list[Parsed[Any]]:
    """Parses texts on all cores: returns the result of `parse` for each, in the same order.

    `threads` is their number, by default one per core. With `progress`, a progress bar is shown if
    tqdm is installed. An interrupt stops it. An item that is not text, such as None or bytes in no
    encoding, has a result that says so (`Parsed.unread`), and `Parsed.index` is the index of each.

    >>> import llmjson
    >>> [parsed.value for parsed in llmjson.parse_many(["{a: 1}", "[1, 2"])]
    [{'a': 1}, [1, 2]]
    """
    if isinstance(texts, (str, bytes, bytearray, memoryview)):
        raise TypeError("parse_many takes several texts, such as a list; for one there is parse")
    texts = texts if isinstance(texts, list) else list(texts)
    bar = _bar(len(texts)) if progress else None
    try:
        return read_many(
            texts,
            schema,
            policy=policy,
            threads=threads,
            parse_float=parse_float,
            tick=bar.update if bar is not None else None,
        )
    finally:
        if bar is not None:
            bar.close()


@overload
def parse_iter(
    texts: Iterable[Text | None],
    schema: Json | None = None,
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    parse_float: Callable[[str], Any] | None = None,
    ahead: int = 4_096,
) -> Iterator[Parsed[Any]]: ...


@overload
def parse_iter(
    texts: Iterable[Text | None],
    schema: Described[T],
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    parse_float: Callable[[str], Any] | None = None,
    ahead: int = 4_096,
) -> Iterator[Parsed[T]]: ...


@overload
def parse_iter(
    texts: Iterable[Text | None],
    schema: TypeForm[T],
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    parse_float: Callable[[str], Any] | None = None,
    ahead: int = 4_096,
) -> Iterator[Parsed[T]]: ...


def parse_iter(
    texts: Iterable[Text | None],
    schema: Any = None,
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    parse_float: Callable[[str], Any] | None = None,
    ahead: int = 4_096,
) -> Iterator[Parsed[Any]]:
    """Yields the results of `parse_many`, parsing on all cores, with bounded memory: at most
    `ahead` texts are taken from the iterable before their results are requested.

    >>> import llmjson
    >>> replies = llmjson.parse_iter(f"{{n: {n}" for n in range(1_000_000))
    >>> next(replies).value, next(replies).value
    ({'n': 0}, {'n': 1})
    """
    if isinstance(texts, (str, bytes, bytearray, memoryview)):
        raise TypeError("parse_iter takes several texts, such as a list; for one there is parse")
    if ahead < 1:
        raise ValueError("ahead must be at least 1")
    compiled: Schema[Any] | None = None if schema is None else Schema(schema)
    return _parts(iter(texts), compiled, policy, threads, parse_float, ahead)


def _parts(
    texts: Iterator[Text | None],
    schema: Schema[Any] | None,
    policy: AnyPolicy,
    threads: int | None,
    parse_float: Callable[[str], Any] | None,
    ahead: int,
) -> Iterator[Parsed[Any]]:
    first = 0
    while part := list(islice(texts, ahead)):
        read = read_many(
            part, schema, policy=policy, threads=threads, parse_float=parse_float, first=first
        )
        first += len(part)
        # Yielded results are not kept.
        read.reverse()
        while read:
            yield read.pop()


def _bar(total: int) -> Any:
    try:
        tqdm: Any = importlib.import_module("tqdm.auto")
    except ImportError:
        return None
    return tqdm.tqdm(total=total, unit="reply", unit_scale=True)
