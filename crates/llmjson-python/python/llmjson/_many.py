"""Many replies at once."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any, overload

from ._llmjson import Parsed
from ._llmjson import parse_many as read_many
from ._typing import AnyPolicy, Described, Json, T, Text, TypeForm


@overload
def parse_many(
    texts: Iterable[Text],
    schema: Json | None = None,
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    progress: bool = False,
    parse_float: Callable[[str], Any] | None = None,
) -> list[Parsed[Any]]: ...


@overload
def parse_many(
    texts: Iterable[Text],
    schema: Described[T],
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    progress: bool = False,
    parse_float: Callable[[str], Any] | None = None,
) -> list[Parsed[T]]: ...


@overload
def parse_many(
    texts: Iterable[Text],
    schema: TypeForm[T],
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    progress: bool = False,
    parse_float: Callable[[str], Any] | None = None,
) -> list[Parsed[T]]: ...


def parse_many(
    texts: Iterable[Text],
    schema: Any = None,
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
    progress: bool = False,
    parse_float: Callable[[str], Any] | None = None,
) -> list[Parsed[Any]]:
    """Reads texts with all cores: what `parse` gives for each, in the same order.

    `threads` is their number, all cores without it. With `progress` a bar shows how far it is where
    tqdm is installed. An interrupt stops it.

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


def _bar(total: int) -> Any:
    try:
        tqdm: Any = importlib.import_module("tqdm.auto")
    except ImportError:
        return None
    return tqdm.tqdm(total=total, unit="reply", unit_scale=True)
