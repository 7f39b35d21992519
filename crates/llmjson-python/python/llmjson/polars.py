"""Parses columns in Polars: importing this module adds ``llmjson`` to expressions and series.

    import llmjson.polars

    df.with_columns(parsed=pl.col("reply").llmjson.parse(schema)).select(
        pl.col("parsed").struct.field("ok"), pl.col("parsed").struct.field("value").struct.unnest()
    )

It also works in lazy frames, whose schema is known before they are collected. A reply that cannot
be parsed never fails a query: its row has ``ok`` = False and says in ``feedback`` what to ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._columns import Output, Reader, needed

if TYPE_CHECKING:
    import polars as pl

    from ._typing import AnyPolicy
else:
    pl = needed("polars", "polars")

__all__ = ["ExprNamespace", "SeriesNamespace"]


@pl.api.register_expr_namespace("llmjson")
class ExprNamespace:
    """Methods of ``pl.col(…).llmjson``."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def parse(
        self,
        schema: Any,
        *,
        policy: AnyPolicy = "lenient",
        output: Output = "struct",
        threads: int | None = None,
    ) -> pl.Expr:
        """Returns an expression for a struct with the fields of ``llmjson.arrow.parse``.

        ``threads`` is the number of threads for each column, by default one per core. Raises
        ValueError for an unknown policy, and SchemaError.
        """
        reader = Reader.of(schema, policy, output, threads)
        return self._expr.map_batches(
            lambda series: _rows(series, reader),
            return_dtype=_rows(pl.Series(dtype=pl.String), reader).dtype,
            is_elementwise=True,
        )


@pl.api.register_series_namespace("llmjson")
class SeriesNamespace:
    """Methods of ``series.llmjson``."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def parse(
        self,
        schema: Any,
        *,
        policy: AnyPolicy = "lenient",
        output: Output = "struct",
        threads: int | None = None,
    ) -> pl.Series:
        """Returns a series of structs with the fields of ``llmjson.arrow.parse``.

        Accepts the arguments of the expression method, and raises the same exceptions.
        """
        return _rows(self._series, Reader.of(schema, policy, output, threads))


def _rows(series: pl.Series, reader: Reader) -> pl.Series:
    other = isinstance(series.dtype, (pl.Null, pl.Categorical, pl.Enum))
    texts = series.to_frame().select(pl.all().cast(pl.String)).to_series() if other else series
    return pl.Series(reader.parse(texts)).alias(series.name)
