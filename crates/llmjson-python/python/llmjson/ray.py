"""Parses a column of a Ray dataset, in tasks on all of its nodes.

    import llmjson.ray

    parsed = llmjson.ray.parse(ds, "reply", {"type": "object", "properties": {"city": {"type": "string"}}})
    good = parsed.filter(lambda row: row["parsed"]["ok"])

The nodes need `llmjson-py[arrow]`. A reply that cannot be parsed never fails a task: its row has
``ok`` = false and says in ``feedback`` what to ask the model for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ._columns import Output, Reader, needed

if TYPE_CHECKING:
    from ray.data import Dataset

    from ._typing import AnyPolicy

__all__ = ["parse"]


def parse(
    ds: Dataset,
    column: str,
    schema: Any,
    *,
    policy: AnyPolicy = "lenient",
    output: Output = "struct",
    into: str = "parsed",
    threads: int = 1,
    **options: Any,
) -> Dataset:
    """Returns the dataset with one more column, a struct with the fields of ``llmjson.arrow.parse``.

    ``threads`` is the number of threads of each task; if it is more than one, set ``num_cpus`` as
    well. ``options`` go to ``Dataset.map_batches``: ``batch_size``, ``num_cpus``, ``concurrency``
    and so on. The schema is sent to the workers once and compiled once in each process. Ray reruns
    tasks whose worker died. Nothing is read before the dataset is consumed.

    Raises ValueError for an unknown policy, or if ``into`` equals ``column``; SchemaError. The task
    fails with KeyError if there is no column ``column``, and with ValueError if there is already
    one called ``into``, since a dataset may not know its columns earlier.
    """
    needed("ray.data", "ray")
    if into == column:
        raise ValueError(f"there is already a column {into!r}: choose another name by `into`")
    reader = Reader.of(schema, policy, output, threads)
    rows = cast("Any", ds).map_batches(
        _with_rows,
        batch_format="pyarrow",
        fn_kwargs={"reader": reader, "column": column, "into": into},
        **{"batch_size": None, "udf_modifying_row_count": False, **options},
    )
    return cast("Dataset", rows)


def _with_rows(table: Any, *, reader: Reader, column: str, into: str) -> Any:
    if into in table.column_names:
        raise ValueError(f"there is already a column {into!r}: choose another name by `into`")
    return table.append_column(into, reader.struct(table.column(column)))
