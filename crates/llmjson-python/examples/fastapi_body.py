"""Request bodies that models write, for FastAPI: repaired, or answered by feedback; shown in OpenAPI."""

from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
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
BODY: Any = {"content": {"application/json": {"schema": Order.model_json_schema()}}}


@app.post("/orders", openapi_extra={"requestBody": BODY})
def order(order: Annotated[Order, Depends(written_by_model)]) -> Order:
    return order
