"""FastAPI: request bodies that models write, shown in OpenAPI; partial values as server-sent events."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

import llmjson


class Order(BaseModel):
    item: str
    count: int = Field(ge=1)


async def written_by_model(request: Request) -> Order:
    try:
        return llmjson.parse(await request.body(), Order, policy="tool").typed
    except llmjson.ParseError as error:
        raise HTTPException(422, error.feedback()) from error


app = FastAPI()
BODY: Any = {"content": {"application/json": {"schema": Order.model_json_schema()}}, "required": True}


@app.post("/orders", openapi_extra={"requestBody": BODY})
def order(order: Annotated[Order, Depends(written_by_model)]) -> Order:
    return order


@app.post("/partials")
async def partials(request: Request) -> StreamingResponse:
    async def events() -> AsyncIterator[str]:
        async for one in llmjson.Stream(Order).partials(request.stream(), at_end="report"):
            yield f"data: {one.model_dump_json()}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")
