"""Parses a column of a Spark DataFrame, on all of its workers.

    import llmjson.spark

    parsed = llmjson.spark.parse(df, "reply", {"type": "object", "properties": {"city": {"type": "string"}}})
    parsed.select("id", "parsed.ok", "parsed.value.city").show()

The workers need `llmjson-py[arrow]`. A reply that cannot be parsed never fails a job: its row has
``ok`` = false and says in ``feedback`` what to ask the model for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ._columns import Output, Reader, needed, pyarrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._typing import AnyPolicy

__all__ = ["parse"]


def parse(
    df: DataFrame,
    column: str,
    schema: Any,
    *,
    policy: AnyPolicy = "lenient",
    output: Output = "struct",
    into: str = "parsed",
) -> DataFrame:
    """Returns the DataFrame with one more column, a struct with the fields of ``llmjson.arrow.parse``.

    Each task parses its rows in one thread, since Spark runs one task per core. The schema is sent
    with the task and compiled once in each worker process. Nothing is read before an action runs.

    Raises ValueError if there is no column ``column``, if there is already one called ``into``, or
    for an unknown policy; TypeError for a column of neither strings nor binary; SchemaError.
    """
    pyspark_types = needed("pyspark.sql.types", "spark")
    pandas_types = needed("pyspark.sql.pandas.types", "spark")
    texts = {field.name: field.dataType for field in df.schema.fields}
    if column not in texts:
        raise ValueError(f"no column {column!r}: the columns are {', '.join(texts)}")
    if not isinstance(texts[column], (pyspark_types.StringType, pyspark_types.BinaryType)):
        raise TypeError(
            f"column {column!r} is {texts[column].simpleString()}, not string or binary"
        )
    if into in texts:
        raise ValueError(f"there is already a column {into!r}: choose another name by `into`")
    reader = Reader.of(schema, policy, output, threads=1)
    rows = pandas_types.from_arrow_type(reader.struct_type())
    fields = [*df.schema.fields, pyspark_types.StructField(into, rows)]
    rows = cast("Any", df).mapInArrow(
        _Batches(reader, column, into), pyspark_types.StructType(fields)
    )
    return cast("DataFrame", rows)


@dataclass(frozen=True)
class _Batches:
    """The function that Spark calls in a worker with the batches of one partition."""

    reader: Reader
    column: str
    into: str

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            rows = self.reader.struct(batch.column(batch.schema.get_field_index(self.column)))
            yield pyarrow().RecordBatch.from_arrays(
                [*batch.columns, rows], names=[*batch.schema.names, self.into]
            )
