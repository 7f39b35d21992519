"""Settings of a column reader that the adapters of dataframes and engines send to their workers.

Knows Arrow's interface and ``llmjson.arrow``; knows nothing of any engine.
"""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from . import Policy, Schema, arrow
from ._typing import AnyPolicy
from .arrow import Output

__all__ = ["Output", "Reader", "compiled", "needed", "pyarrow"]


@dataclass(frozen=True, slots=True)
class Reader:
    """Settings by which a column is read. Small and picklable: the schema is its JSON text.

    A process compiles a schema once, however many readers arrive with the same text.
    """

    schema: str | None
    policy: AnyPolicy
    output: Output
    threads: int | None

    @classmethod
    def of(cls, schema: Any, policy: AnyPolicy, output: Output, threads: int | None) -> Reader:
        """Returns a reader after checking its settings, so that mistakes show before a job starts.

        Raises SchemaError for a schema that does not compile, ValueError for an unknown policy or
        output, and TypeError for struct output of a schema that has no single type.
        """
        if schema is None:
            text = None
        else:
            known: Schema[Any] = Schema(schema)
            text = json.dumps(known.json, ensure_ascii=False)
        if isinstance(policy, str):
            Policy(policy)
        reader = cls(text, arrow.filling(policy, schema), output, threads)
        reader.types()
        return reader

    def parse(self, column: Any) -> Any:
        """Returns one row for each row of an Arrow column, as ``llmjson.arrow.parse`` does."""
        return arrow.parse(
            column,
            compiled(self.schema),
            policy=self.policy,
            output=self.output,
            threads=self.threads,
        )

    def struct(self, column: Any) -> Any:
        """Returns the rows as one pyarrow struct array."""
        return pyarrow().array(self.parse(column))

    def types(self) -> Any:
        """Returns the Arrow schema of the rows: an object with ``__arrow_c_schema__``."""
        return arrow.types(compiled(self.schema), output=self.output)

    def struct_type(self) -> Any:
        """Returns the type of the rows as a pyarrow struct type."""
        return pyarrow().struct(list(pyarrow().schema(self.types())))


@lru_cache(maxsize=256)
def compiled(schema: str | None) -> Schema[Any] | None:
    """Returns the compiled schema of a JSON text; the same object for the same text."""
    return None if schema is None else Schema(schema)


def pyarrow() -> Any:
    """Returns the module pyarrow, which most engines exchange Arrow data through."""
    return needed("pyarrow", "arrow")


def needed(module: str, extra: str) -> Any:
    """Loads an optional package. Raises ImportError with the name of the extra that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        raise ImportError(
            f"llmjson needs the package {error.name} here: pip install 'llmjson-py[{extra}]'"
        ) from error
