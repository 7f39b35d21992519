"""An MCP server whose tools take the arguments that models really send."""

from typing import Any

from mcp.server import MCPServer
from mcp_types import CallToolResult

import llmjson


class LenientServer(MCPServer):
    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        bound = llmjson.Tools(*await self.list_tools()).bind(name, arguments)
        if not bound.ok:
            return CallToolResult.model_validate(bound.to_mcp_result())
        return await super().call_tool(name, bound.arguments, context)


server = LenientServer("travel")


@server.tool()
def book(city: str, nights: int, pets: list[str] | None = None) -> str:
    """Books a room."""
    return f"{nights} nights in {city}, pets: {', '.join(pets or ['none'])}"


if __name__ == "__main__":
    server.run()
