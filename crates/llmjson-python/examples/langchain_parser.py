"""An output parser for LangChain that repairs and streams: `model | LlmJson(wanted=Trip)`."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.messages import BaseMessage
from langchain_core.output_parsers import BaseTransformOutputParser

import llmjson


class LlmJson(BaseTransformOutputParser[Any]):
    wanted: Any  # a pydantic model, a dataclass, a type or a JSON Schema

    def parse(self, text: str) -> Any:
        try:
            return llmjson.parse(text, self.wanted).typed
        except llmjson.ParseError as error:
            raise OutputParserException(error, error.feedback(), text, send_to_llm=True) from error

    def _transform(self, input: Iterator[str | BaseMessage]) -> Iterator[Any]:
        pieces = (piece if isinstance(piece, str) else piece.text for piece in input)
        yield from llmjson.Stream(self.wanted).over(pieces)

    async def _atransform(self, input: AsyncIterator[str | BaseMessage]) -> AsyncIterator[Any]:
        pieces = (piece if isinstance(piece, str) else piece.text async for piece in input)
        async for value in llmjson.Stream(self.wanted).over(pieces):
            yield value
