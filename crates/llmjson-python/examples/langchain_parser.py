"""An output parser for LangChain that repairs, asks for its form and streams: `model | LlmJson(wanted=Trip)`."""

from json import dumps
from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.output_parsers import BaseTransformOutputParser

import llmjson


class LlmJson(BaseTransformOutputParser[Any]):
    wanted: Any  # a pydantic model, a dataclass, a type or a JSON Schema

    def get_format_instructions(self) -> str:
        return f"Answer in JSON by this JSON Schema:\n{dumps(llmjson.Schema(self.wanted).json)}"

    def parse(self, text: str) -> Any:
        try:
            return llmjson.parse(text, self.wanted).typed
        except llmjson.ParseError as error:
            raise OutputParserException(error, error.feedback(), text, send_to_llm=True) from error

    def _transform(self, input: Any) -> Any:
        return llmjson.Stream(self.wanted).partials(getattr(one, "text", one) for one in input)

    async def _atransform(self, input: Any) -> Any:
        pieces = (getattr(one, "text", one) async for one in input)
        async for value in llmjson.Stream(self.wanted).partials(pieces):
            yield value
