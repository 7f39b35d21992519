"""Request bodies that models write, for FastAPI: repaired, or answered by feedback."""

from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
from pydantic import BaseModel, Field

import llmjson

app = FastAPI()


def written_by_model(wanted: Any) -> Any:
    async def read(request: Request) -> Any:
        try:
            return llmjson.parse(await request.body(), wanted, policy="tool").typed
        except llmjson.ParseError as error:
            raise HTTPException(422, error.feedback()) from error

    return Depends(read)


class Order(BaseModel):
    item: str
    count: int = Field(ge=1)


@app.post("/orders")
def order(order: Annotated[Order, written_by_model(Order)]) -> Order:
    return order
