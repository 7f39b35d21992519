"""Parses a pandas series: into a DataFrame whose columns are backed by Arrow.

    import llmjson.pandas

    parsed = llmjson.pandas.parse(df["reply"], {"type": "object", "properties": {"city": {"type": "string"}}})
    df[parsed["ok"]].assign(city=parsed["value"].struct.field("city"))

Importing this module also adds ``llmjson`` to series: ``df["reply"].llmjson.parse(schema)``. A
reply that cannot be parsed never raises: its row has ``ok`` = False and says in ``feedback`` what
to ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._columns import Output, Reader, needed, pyarrow

if TYPE_CHECKING:
    import pandas as pd  # pyright: ignore[reportMissingTypeStubs]

    from ._typing import AnyPolicy
else:
    pd = needed("pandas", "pandas")

__all__ = ["SeriesAccessor", "parse"]


def parse(
    series: pd.Series,
    schema: Any,
    *,
    policy: AnyPolicy = "lenient",
    output: Output = "struct",
    threads: int | None = None,
) -> pd.DataFrame:
    """Returns a DataFrame with the fields of ``llmjson.arrow.parse`` as columns and the series' index.

    The columns have ``pd.ArrowDtype``; missing texts, None or NaN, are rows with ``ok`` = False.
    ``threads`` is the number of threads, by default one per core. Raises TypeError for a series of
    neither strings nor bytes, ValueError for an unknown policy, and SchemaError.
    """
    reader = Reader.of(schema, policy, output, threads)
    pa = pyarrow()
    texts = pa.array(series, from_pandas=True)
    if pa.types.is_dictionary(texts.type):
        texts = texts.dictionary_decode()
    if pa.types.is_null(texts.type):
        texts = texts.cast(pa.string())
    frame = pa.table(reader.parse(texts)).to_pandas(types_mapper=pd.ArrowDtype)
    return frame.set_axis(series.index, axis=0)


@pd.api.extensions.register_series_accessor("llmjson")
class SeriesAccessor:
    """Methods of ``series.llmjson``."""

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def parse(
        self,
        schema: Any,
        *,
        policy: AnyPolicy = "lenient",
        output: Output = "struct",
        threads: int | None = None,
    ) -> pd.DataFrame:
        """Returns the data frame of ``llmjson.pandas.parse`` for this series."""
        return parse(self._series, schema, policy=policy, output=output, threads=threads)
