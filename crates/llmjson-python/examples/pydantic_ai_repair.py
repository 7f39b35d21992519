"""Repairs calls and replies for pydantic-ai: `Agent(..., capabilities=[Repair()])`."""

from typing import Any

from pydantic_ai import ModelRetry
from pydantic_ai.capabilities import AbstractCapability

import llmjson


def read(raw: Any, schema: dict[str, Any]) -> Any:
    """Returns the value, or asks the model again."""
    parsed = llmjson.parse(raw, schema) if isinstance(raw, str) else llmjson.coerce(raw, schema)
    try:
        parsed.result()
    except llmjson.ParseError as error:  # also of a truncated reply
        raise ModelRetry(error.feedback()) from error
    return parsed.value


class Repair(AbstractCapability[Any]):
    async def before_tool_validate(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
        call.args = read(args or "{}", tool_def.parameters_json_schema)
        return call.args

    async def before_output_validate(self, ctx: Any, *, output_context: Any, output: Any) -> Any:
        if ctx.partial_output or output_context.object_def is None:
            return output
        return read(output, output_context.object_def.json_schema)
