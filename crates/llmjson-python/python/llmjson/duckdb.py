"""Parses columns in DuckDB: a function that SQL can call.

    import llmjson.duckdb

    llmjson.duckdb.register(connection, "parse_order", {"type": "object", "properties": {"city": {"type": "string"}}})
    connection.sql("SELECT id, (parse_order(reply)).value.city FROM replies")

DuckDB passes 2,048 rows at a time as Arrow arrays, through pyarrow. A reply that cannot be parsed
never fails a query: its row has ``ok`` = false and says in ``feedback`` what to ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ._columns import Output, Reader, needed, pyarrow

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from ._typing import AnyPolicy

__all__ = ["register"]


def register(
    connection: DuckDBPyConnection,
    name: str,
    schema: Any,
    *,
    policy: AnyPolicy = "lenient",
    output: Output = "struct",
) -> None:
    """Adds a SQL function of one VARCHAR that returns a struct with the fields of ``llmjson.arrow.parse``.

    Like any DuckDB function, it runs in the query's threads. Raises ValueError for an unknown
    policy, SchemaError, and DuckDB's error if a function with this name exists.
    """
    needed("duckdb", "duckdb")
    reader = Reader.of(schema, policy, output, threads=1)
    pa = pyarrow()
    nothing = pa.schema([pa.field("rows", reader.struct_type())]).empty_table()
    cast("Any", connection).create_function(
        name,
        reader.struct,
        ["VARCHAR"],
        connection.from_arrow(nothing).types[0],
        type="arrow",
        null_handling="special",
    )
