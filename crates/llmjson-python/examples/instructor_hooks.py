"""Repairs replies for Instructor before it validates them, which it does with its `context=` as always."""

from typing import Any

import instructor
from openai import OpenAI
from pydantic import BaseModel

from llmjson.instructor import repairing


def create(openai: OpenAI, mode: instructor.Mode, wanted: type[BaseModel], **options: Any) -> Any:
    client = repairing(instructor.from_openai(openai, mode=mode), wanted)
    return client.create(wanted, **options)
