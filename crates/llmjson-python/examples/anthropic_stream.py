"""Values that grow on the screen while Anthropic's SDK streams the reply."""

from collections.abc import Iterator
from typing import Any

from anthropic import Anthropic

import llmjson


def values(client: Anthropic, model: str, question: str, wanted: Any) -> Iterator[Any]:
    """Yields the value as far as it is known; the last one fits, or an error is raised."""
    schema = llmjson.Schema(wanted)
    stream = llmjson.Stream(schema)
    prompt = f"{question}\nAnswer with JSON of this schema: {schema.json}"
    with client.messages.stream(
        model=model, max_tokens=4096, messages=[{"role": "user", "content": prompt}]
    ) as reply:
        yield from stream.over(reply.text_stream)
    yield stream.finish().value
