"""Type hints: their JSON Schemas, functions as tools, and instances made from JSON values.

The standard library is sufficient. pydantic's models supply their own schema and make their own
instances.
"""

from __future__ import annotations

from ._build import BuildError, build
from ._functions import arguments_of, call, tool_of
from ._schema import schema_of

__all__ = ["BuildError", "arguments_of", "build", "call", "schema_of", "tool_of"]
