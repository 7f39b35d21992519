"""The part of the package `llmjson` that reads Arrow's columns. Use `llmjson.arrow`."""

from typing import Any, final

__version__: str

@final
class Compiled:
    """A schema, compiled from its JSON text."""
    def __new__(cls, text: str) -> Compiled: ...

@final
class Rows:
    """The rows of a column: a record batch for any library that reads Arrow's PyCapsule interface, such
    as `pyarrow.record_batch(rows)`, `polars.from_arrow(rows)` or `duckdb`'s SQL.
    """
    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class RowTypes:
    """The names and types of the columns that `llmjson.arrow.parse` returns."""
    def __arrow_c_schema__(self) -> object: ...

def parse_column(
    column: Any,
    schema: Compiled | None,
    preset: str,
    settings: dict[str, Any],
    *,
    output: str,
    threads: int | None,
) -> Rows:
    """Reads each text of a column, under the policy that a preset is with its settings. Documented in `llmjson.arrow`."""

def column_types(schema: Compiled | None, *, output: str) -> RowTypes:
    """Returns the names and types of the columns for a schema. Documented in `llmjson.arrow`."""
