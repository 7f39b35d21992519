"""Repairs the calls and replies of agents in pydantic-ai.

    from llmjson.pydantic_ai import Repair

    agent = Agent(model, output_type=PromptedOutput(Trip), capabilities=[Repair()])

A call or reply that is truncated, does not conform, or is not certain enough for the policy goes back to the model with
feedback.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from ._errors import ParseError
from ._llmjson import Parsed, arguments, coerce, parse
from ._needed import needed

if TYPE_CHECKING:
    from pydantic_ai.capabilities import AbstractCapability

    from ._typing import AnyPolicy
else:
    AbstractCapability = needed("pydantic_ai.capabilities", "pydantic-ai").AbstractCapability

__all__ = ["Repair"]


@dataclasses.dataclass
class Repair(AbstractCapability[Any]):
    """A capability that repairs tool calls and replies before pydantic-ai validates them.

    `policy` sets the allowed changes. By default nothing is guessed, as for any call that runs.
    """

    policy: AnyPolicy = "tool"

    async def before_tool_validate(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
        """Returns the arguments of a call as its tool's schema declares them."""
        schema = tool_def.parameters_json_schema
        if args is None or isinstance(args, str):
            read = arguments(args or "", schema, policy=self.policy)
        else:
            read = coerce(args, schema, policy=self.policy)
        call.args = _value(read)
        return call.args

    async def before_output_validate(self, ctx: Any, *, output_context: Any, output: Any) -> Any:
        """Returns a reply as its type's schema declares it; a reply that is still arriving stays unchanged."""
        wanted = output_context.object_def
        if ctx.partial_output or wanted is None:
            return output
        read = parse if isinstance(output, str) else coerce
        return _value(read(output, wanted.json_schema, policy=self.policy))


def _value(parsed: Parsed[Any]) -> Any:
    from pydantic_ai import ModelRetry

    try:
        parsed.result()
    except ParseError as error:
        raise ModelRetry(error.feedback()) from error
    return parsed.value
