"""An adapter for DSPy that repairs replies: `dspy.configure(adapter=LlmJson())`."""

from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import create_model

import llmjson


class LlmJson(dspy.JSONAdapter):
    def parse(self, signature: Any, completion: str) -> dict[str, Any]:
        fields: Any = {name: (one.annotation, one) for name, one in signature.output_fields.items()}
        wanted = create_model(signature.__name__, **fields)
        try:
            return dict(llmjson.parse(completion, wanted).typed)
        except llmjson.ParseError as error:
            raise AdapterParseError("LlmJson", signature, completion, error.feedback()) from error
