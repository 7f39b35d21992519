"""Settings of a column reader, which the adapters for dataframes and engines send to their workers.

Knows Arrow's interface and ``llmjson.arrow``; knows nothing of any engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import Policy, arrow
from ._needed import needed
from ._typing import AnyPolicy
from .arrow import Output

__all__ = ["Output", "Reader", "needed", "pyarrow"]


@dataclass(frozen=True, slots=True)
class Reader:
    """The settings for reading a column. Small and picklable: the schema is its JSON text.

    A process compiles each schema text once, for any number of readers.
    """

    schema: str | None
    policy: AnyPolicy
    output: Output
    threads: int | None

    @classmethod
    def of(cls, schema: Any, policy: AnyPolicy, output: Output, threads: int | None) -> Reader:
        """Returns a reader after checking its settings, so that errors appear before a job starts.

        Raises SchemaError for a schema that does not compile, ValueError for an unknown policy or
        output, and TypeError for struct output if the schema has no single type.
        """
        known = arrow.known(schema)
        if isinstance(policy, str):
            Policy(policy)
        reader = cls(arrow.text_of(known), arrow.filling(policy, known), output, threads)
        reader.types()
        return reader

    def parse(self, column: Any) -> Any:
        """Returns one row for each row of an Arrow column, as ``llmjson.arrow.parse`` does."""
        return arrow.read(column, self.schema, self.policy, self.output, self.threads)

    def struct(self, column: Any) -> Any:
        """Returns the rows as one pyarrow struct array."""
        return pyarrow().array(self.parse(column))

    def types(self) -> Any:
        """Returns the Arrow schema of the rows: an object with ``__arrow_c_schema__``."""
        return arrow.types_of(self.schema, self.output)

    def struct_type(self) -> Any:
        """Returns the type of the rows as a pyarrow struct type."""
        return pyarrow().struct(list(pyarrow().schema(self.types())))


def pyarrow() -> Any:
    """Returns the module pyarrow, through which most engines exchange Arrow data."""
    return needed("pyarrow", "arrow")
