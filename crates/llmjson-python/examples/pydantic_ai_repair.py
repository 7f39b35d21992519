"""An agent of pydantic-ai whose calls and replies are repaired, or returned to the model with feedback."""

from typing import Any

from pydantic_ai import Agent, PromptedOutput
from pydantic_ai.models import Model

from llmjson.pydantic_ai import Repair


def agent(model: Model, wanted: type[Any], *tools: Any) -> Agent[None, Any]:
    output = PromptedOutput(wanted)
    return Agent(model, output_type=output, tools=tools, capabilities=[Repair()], retries=2)
