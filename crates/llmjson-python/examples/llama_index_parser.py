"""An output parser for LlamaIndex: `LLMTextCompletionProgram(LlmJson(Trip), Trip, ...)`."""

from typing import Any

from llama_index.core.types import BaseOutputParser

import llmjson


class LlmJson(BaseOutputParser):
    def __init__(self, wanted: Any) -> None:
        self.wanted = wanted  # a pydantic model, a dataclass, a type or a JSON Schema

    def parse(self, output: str) -> Any:
        return llmjson.parse(output, self.wanted).typed  # ParseError is a ValueError with feedback()

    def format(self, query: str) -> str:
        return f"{query}\n\nAnswer in JSON of this form:\n{llmjson.Schema(self.wanted).prompt()}"
