"""An output parser for LangChain that repairs, asks for its form and streams: `model | LlmJson(wanted=Trip)`."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.messages import BaseMessage
from langchain_core.output_parsers import BaseTransformOutputParser

import llmjson


class LlmJson(BaseTransformOutputParser[Any]):
    wanted: Any  # a pydantic model, a dataclass, a type or a JSON Schema

    def get_format_instructions(self) -> str:
        return f"Answer in JSON by this JSON Schema:\n{json.dumps(llmjson.Schema(self.wanted).json)}"

    def parse(self, text: str) -> Any:
        try:
            return llmjson.parse(text, self.wanted).typed
        except llmjson.ParseError as error:
            raise OutputParserException(error, error.feedback(), text, send_to_llm=True) from error

    def _transform(self, input: Iterator[str | BaseMessage]) -> Iterator[Any]:
        yield from llmjson.Stream(self.wanted).partials(getattr(one, "text", one) for one in input)

    async def _atransform(self, input: AsyncIterator[str | BaseMessage]) -> AsyncIterator[Any]:
        async for value in llmjson.Stream(self.wanted).partials(getattr(x, "text", x) async for x in input):
            yield value
