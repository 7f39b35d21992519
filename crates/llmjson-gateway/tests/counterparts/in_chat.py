"""Clients of chat completions in Python."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from damages import QUESTION, SCHEMA, WEATHER, Trip

TOOL: Any = {
    "type": "function",
    "function": {"name": "weather", "description": "The weather.", "parameters": SCHEMA},
}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "trip", "schema": SCHEMA}}


def with_openai(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import openai

    client = openai.OpenAI(base_url=base, api_key="none", max_retries=0)
    messages: list[Any] = [{"role": "user", "content": QUESTION}]

    def ask(**options: Any) -> Any:
        if not is_streamed:
            return client.chat.completions.create(model=model, messages=messages, **options).choices[0].message
        with client.chat.completions.stream(model=model, messages=messages, **options) as stream:
            for _ in stream:
                pass
            return stream.get_final_completion().choices[0].message

    if not is_call:
        return json.loads(ask(response_format=FORMAT).content)
    message = ask(tools=[TOOL])
    (call,) = message.tool_calls
    given = json.loads(call.function.arguments)
    messages.append(json.loads(message.model_dump_json(exclude_none=True, exclude={"parsed"})))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": WEATHER})
    return given, ask(tools=[TOOL]).content


def with_agents(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import agents

    return run_agent(agents.OpenAIChatCompletionsModel, base, model, is_call, is_streamed)


def run_agent(kind: Any, base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    """Holds the conversation with OpenAI's Agents SDK and one of its kinds of models."""
    import agents
    import openai

    agents.set_tracing_disabled(True)
    client = openai.AsyncOpenAI(base_url=base, api_key="none", max_retries=0)
    given: list[Any] = []

    @agents.function_tool
    def weather(city: str, days: int) -> str:
        """The weather."""
        given.append({"city": city, "days": days})
        return WEATHER

    agent: Any = agents.Agent(
        name="one",
        model=kind(model=model, openai_client=client),
        tools=[weather] if is_call else [],
        output_type=None if is_call else Trip,
    )

    async def run() -> Any:
        async with client:
            if not is_streamed:
                return (await agents.Runner.run(agent, QUESTION)).final_output
            streamed = agents.Runner.run_streamed(agent, QUESTION)
            async for _ in streamed.stream_events():
                pass
            return streamed.final_output

    output = asyncio.run(run())
    return (given[0], output) if is_call else output.model_dump()


def with_pydantic_ai(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    import pydantic_ai
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    given: list[Any] = []
    chat = OpenAIChatModel(model, provider=OpenAIProvider(base_url=base, api_key="none"))
    agent: Any = pydantic_ai.Agent(
        chat, output_type=str if is_call else pydantic_ai.NativeOutput(Trip), retries=0
    )
    if is_call:

        @agent.tool_plain
        def weather(city: str, days: int) -> str:
            """The weather."""
            given.append({"city": city, "days": days})
            return WEATHER

    async def run() -> Any:
        if not is_streamed:
            return (await agent.run(QUESTION)).output
        async with agent.run_stream(QUESTION) as streamed:
            return await streamed.get_output()

    output = asyncio.run(run())
    return (given[0], output) if is_call else output.model_dump()


def with_litellm(base: str, model: str, is_call: bool, is_streamed: bool) -> Any:
    # Its prices would be fetched.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    litellm.suppress_debug_info = True
    messages: list[Any] = [{"role": "user", "content": QUESTION}]

    def ask(**options: Any) -> Any:
        answer: Any = litellm.completion(
            model=f"openai/{model}",
            messages=messages,
            api_base=base,
            api_key="none",
            stream=is_streamed,
            num_retries=0,
            **options,
        )
        if is_streamed:
            answer = litellm.stream_chunk_builder(list(answer), messages=messages)
        return answer.choices[0].message

    if not is_call:
        return json.loads(ask(response_format=FORMAT).content)
    message = ask(tools=[TOOL])
    (call,) = message.tool_calls
    given = json.loads(call.function.arguments)
    messages.append(message.model_dump(exclude_none=True))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": WEATHER})
    return given, ask(tools=[TOOL]).content
