"""Repairs tools' arguments and typed output for the OpenAI Agents SDK."""

from dataclasses import replace
from typing import Any

from agents import AgentOutputSchema, FunctionTool, ModelBehaviorError

import llmjson


def mended(tool: FunctionTool) -> FunctionTool:
    """Returns the tool for `Agent(tools=[...])`. Its result is feedback where the arguments are wrong."""

    async def invoke(context: Any, arguments: str) -> Any:
        parsed = llmjson.parse(arguments, tool.params_json_schema, policy="tool")
        if not parsed.ok:
            return parsed.feedback()
        return await tool.on_invoke_tool(context, parsed.to_json())

    return replace(tool, on_invoke_tool=invoke)


class Mended(AgentOutputSchema):  # Agent(output_type=Mended(Trip))
    def validate_json(self, json_str: str) -> Any:
        parsed = llmjson.parse(json_str, self.json_schema())
        if not parsed.ok:
            raise ModelBehaviorError(parsed.feedback())
        return super().validate_json(parsed.to_json())
