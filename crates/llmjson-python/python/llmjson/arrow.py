"""Columns of replies, as Arrow arrays.

>>> import llmjson.arrow
>>> llmjson.arrow.types({"type": "object", "properties": {"days": {"type": "integer"}}})
RowTypes(value: Struct("days": Int64), ok: Boolean, ...)
"""

from __future__ import annotations

from typing import Any, Literal

from ._llmjson import Rows, RowTypes, column_types, parse_column
from ._typing import AnyPolicy

__all__ = ["Rows", "RowTypes", "parse", "types"]

Output = Literal["struct", "json"]


def parse(
    column: Any,
    schema: Any = None,
    *,
    policy: AnyPolicy = "lenient",
    output: Output = "struct",
    threads: int | None = None,
) -> Rows:
    """Reads each text of a column: one row for each, in the same order.

    `column` is any object with `__arrow_c_array__` or `__arrow_c_stream__` that holds texts or bytes,
    such as an array of pyarrow or a series of polars. `schema` is anything that `llmjson.Schema`
    takes. `threads` is the number of threads, all cores without it. An interrupt stops it.

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

    With `output="json"`, and without a schema, `value` is the JSON text of the best reading, also where
    `ok` is false. In structs a member that the schema does not declare is left out. With `Policy(invalid="drop")`
    list items and optional members that do not conform are left out, and structs keep the fields of a row that conform
    where `ok` is false, with the violations beside them.

    Of a type, such as a pydantic model, the JSON Schema counts; its own validators do not run here.

    No text is an error. A column of another type is a TypeError, more than 2 GiB of text in a chunk
    of a column an OverflowError, and offsets that do not lie within the data a ValueError.
    """
    return parse_column(column, schema, policy=policy, output=output, threads=threads)


def types(schema: Any = None, *, output: Output = "struct") -> RowTypes:
    """Returns the names and types of the columns that `parse` returns for a schema.

    It has `__arrow_c_schema__`: `pyarrow.schema(llmjson.arrow.types(schema))`.
    """
    return column_types(schema, output=output)
