"""The value of a reply so far as server-sent events, for FastAPI."""

from collections.abc import AsyncIterator, Callable

from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

import llmjson


class Order(BaseModel):
    item: str
    count: int


def serve(app: FastAPI, model: Callable[[str], AsyncIterator[str]]) -> None:
    @app.get("/orders/written")
    async def written(question: str) -> StreamingResponse:
        async def events() -> AsyncIterator[str]:
            pieces = model(question)
            async for one in llmjson.Stream(Order).partials(pieces, at_end="report"):
                yield f"data: {one.model_dump_json()}\n\n"

        return StreamingResponse(events(), media_type="text/event-stream")
