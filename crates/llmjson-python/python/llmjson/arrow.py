"""Columns of replies, as Arrow arrays.

>>> import llmjson.arrow
>>> llmjson.arrow.types({"type": "object", "properties": {"days": {"type": "integer"}}})
RowTypes(value: Struct("days": Int64), ok: Boolean, ...)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, cast

from ._llmjson import Policy, Schema, __version__
from ._needed import needed
from ._schemas import compiled
from ._typing import AnyPolicy, PolicyName

needed("llmjson_py_arrow", "arrow")

import llmjson_py_arrow as kernel  # noqa: E402
from llmjson_py_arrow import Rows, RowTypes  # noqa: E402

if kernel.__version__ != __version__:
    raise ImportError(
        f"llmjson-py {__version__} needs llmjson-py-arrow {__version__}, not {kernel.__version__}: "
        f"pip install 'llmjson-py[arrow]=={__version__}'"
    )

__all__ = ["Rows", "RowTypes", "parse", "parse_by", "types"]

Output = Literal["struct", "typed", "json"]


def parse(
    column: Any,
    schema: Any = None,
    *,
    policy: AnyPolicy = "lenient",
    output: Output = "struct",
    threads: int | None = None,
) -> Rows:
    """Parses each text of a column: one row for each, in the same order.

    `column` is any object with `__arrow_c_array__` or `__arrow_c_stream__` that holds strings or
    bytes, such as a pyarrow array or a polars series. `schema` is anything that `llmjson.Schema`
    accepts. `threads` is the number of threads, by default one per core. An interrupt stops it.

    | column | type | |
    |---|---|---|
    | `value` | by the schema | the value; null where `ok` is false |
    | `ok` | bool | whether there is a value, it fits, and the policy allows it |
    | `complete` | bool | whether the text was whole |
    | `certainty` | string | `certain`, `likely` or `guess`; null without a value |
    | `repairs` | list | `kind`, `certainty`, `start`, `end` of each, in bytes of UTF-8 |
    | `coercions` | list | `kind`, `certainty`, `path` of each |
    | `violations` | list | `path`, `expected`, `found` of each |
    | `feedback` | string | what to send to the model; null where `ok` is true |

    With `output="json"`, and without a schema, `value` is the JSON text of the best interpretation,
    even if `ok` is false. In structs, undeclared members are left out. With
    `Policy(invalid="drop")`, list items and optional members that do not conform are dropped, and
    if `ok` is false, structs keep the conforming fields of a row, with the violations next to them.

    With `output="typed"`, dates, times, timestamps, UUIDs, decimals and enumerated strings are
    Arrow's own types (date32, time64, timestamp in UTC, `arrow.uuid`, decimal128(38, 9),
    dictionary) instead of strings. A value that these types cannot hold, such as a timestamp
    without an offset or a time with one, makes `ok` false; nothing is rounded. Decimals are values
    with the format `decimal`: in pydantic, `Field(json_schema_extra={"format": "decimal"})`.

    For a type, such as a pydantic model, only its JSON Schema is used; its validators do not run
    here. Missing members get the type's defaults, unless the policy says `defaults="leave"`.

    No text is an error. A column of another type raises TypeError, more than 2 GiB of text in a
    chunk of a column OverflowError, and offsets outside of the data ValueError.
    """
    whole = known(schema)
    return read(column, text_of(whole), filling(policy, whole), output, threads)


def read(
    column: Any, schema: str | None, policy: AnyPolicy, output: Output, threads: int | None
) -> Rows:
    """Parses each text of a column as `parse` does, by the text of a schema.

    The module that parses is separate from the one with `Policy` and `Schema`: it gets a policy as
    its settings, and compiles the schema text itself.
    """
    (preset,), settings = _settings(policy)
    return kernel.parse_column(
        column, _compiled(schema), preset, settings, output=output, threads=threads
    )


def types_of(schema: str | None, output: Output) -> RowTypes:
    """Returns the result of `types`, by the text of a schema."""
    return kernel.column_types(_compiled(schema), output=output)


@lru_cache(maxsize=256)
def _compiled(schema: str | None) -> kernel.Compiled | None:
    return None if schema is None else kernel.Compiled(schema)


def _settings(policy: AnyPolicy | None) -> tuple[tuple[PolicyName], dict[str, Any]]:
    policy = "lenient" if policy is None else policy
    made: Any = Policy(policy) if isinstance(policy, str) else policy
    if not isinstance(made, Policy):
        raise TypeError(f"policy must be str or Policy, not {type(policy).__name__}")
    return made.__getnewargs_ex__()


def known(schema: Any) -> Schema[Any] | None:
    """Returns the schema for an argument, which is compiled if it is not in the cache."""
    if schema is None or issubclass(type(schema), Schema):
        return cast("Schema[Any] | None", schema)
    return compiled(schema)


def text_of(schema: Schema[Any] | None) -> str | None:
    """Returns the JSON text of a schema."""
    return None if schema is None else schema._text  # pyright: ignore[reportPrivateUsage]


def filling(policy: AnyPolicy, schema: Schema[Any] | None) -> AnyPolicy:
    """Returns the policy with which a type's defaults are filled in, unless it says otherwise."""
    if schema is None or schema.type is None:
        return policy
    (preset,), settings = _settings(policy)
    filled: dict[str, Any] = {"defaults": "fill", **settings}
    return Policy(preset, **filled)


def parse_by(
    column: Any,
    names: Any,
    schemas: Mapping[str, Any],
    *,
    policy: AnyPolicy = "lenient",
    threads: int | None = None,
) -> Any:
    """Parses a column of mixed replies, such as the calls in a log, each by the schema for its row.

    `names` is a column of as many names, such as tool names, and `schemas` maps each name to its
    schema. The result is a pyarrow record batch, as from `parse` with `output="json"`: `value` is
    JSON text. A text whose name has no schema is parsed without one, its `ok` is false, and its
    `feedback` says so.

    >>> import llmjson.arrow, pyarrow
    >>> schemas = {"book": {"required": ["city"]}, "pay": {"properties": {"sum": {"type": "integer"}}}}
    >>> texts, names = pyarrow.array(["{city: 'Oslo'}", "{sum: '3'}", "{}"]), pyarrow.array(["book", "pay", "go"])
    >>> rows = llmjson.arrow.parse_by(texts, names, schemas)
    >>> rows["value"].to_pylist(), rows["ok"].to_pylist()
    (['{"city":"Oslo"}', '{"sum":3}', '{}'], [True, True, False])
    """
    pyarrow = needed("pyarrow", "arrow")
    texts, wanted = _flat(pyarrow, column), _flat(pyarrow, names)
    if len(texts) != len(wanted):
        raise ValueError(f"{len(texts)} texts, but {len(wanted)} names")
    places: dict[str | None, list[int]] = {}
    for place, name in enumerate(wanted.to_pylist()):
        places.setdefault(name, []).append(place)
    parts: list[Any] = []
    for name, at in places.items():
        known = name is not None and name in schemas
        schema = schemas[name] if name is not None and known else None
        rows = parse(texts.take(at), schema, policy=policy, output="json", threads=threads)
        part = pyarrow.record_batch(rows)
        if not known:
            size, of = len(at), part.schema
            feedback = pyarrow.array([f"There is no schema for {name!r}."] * size, pyarrow.string())
            refused = pyarrow.array([False] * size)
            part = part.set_column(of.get_field_index("ok"), of.field("ok"), refused)
            part = part.set_column(of.get_field_index("feedback"), of.field("feedback"), feedback)
        parts.append(part)
    if not parts:
        return pyarrow.record_batch(parse(texts, output="json"))
    order = [0] * len(texts)
    for row, place in enumerate(place for at in places.values() for place in at):
        order[place] = row
    return pyarrow.concat_batches(parts).take(pyarrow.array(order, pyarrow.int64()))


def _flat(pyarrow: Any, column: Any) -> Any:
    column = pyarrow.chunked_array(column) if hasattr(column, "__arrow_c_stream__") else column
    column = pyarrow.array(column) if not hasattr(column, "combine_chunks") else column
    return column.combine_chunks() if hasattr(column, "combine_chunks") else column


def types(schema: Any = None, *, output: Output = "struct") -> RowTypes:
    """Returns the names and types of the columns that `parse` returns for a schema.

    It has `__arrow_c_schema__`: `pyarrow.schema(llmjson.arrow.types(schema))`.
    """
    return types_of(text_of(known(schema)), output)
