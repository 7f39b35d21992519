"""Runs the recipes under examples/ against stand-ins that damage their replies as models do."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # LiteLLM would fetch its prices on import

pytest.importorskip("pydantic", reason="pip install -r tests/requirements-examples.txt")

from pydantic import BaseModel, Field

import llmjson
from model_server import ModelServer, chat, message, message_events

EXAMPLES = Path(__file__).parent.parent / "examples"


class Trip(BaseModel):
    city: str
    days: int = Field(ge=1)


LISBON = Trip(city="Lisbon", days=3)
DAMAGED = 'Sure, here it is:\n```json\n{city: \'Lisbon\', "days": "3",}\n```\nEnjoy!'
WRONG = '{"city": "Lisbon", "days": 0}'
RIGHT = '{"city": "Lisbon", "days": 3}'


def example(name: str) -> Any:
    pytest.importorskip("llmjson")
    sys.path.insert(0, str(EXAMPLES))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(EXAMPLES))


def book(city: str, days: int) -> str:
    """Books a trip."""
    return f"{days} days in {city}"


def contents(request: dict[str, Any]) -> list[str]:
    return [message.get("content") or "" for message in request["messages"]]


@pytest.fixture
def openai() -> Any:
    return pytest.importorskip("openai")


@pytest.fixture
def anthropic() -> Any:
    return pytest.importorskip("anthropic")


def test_openai_tools(openai: Any) -> None:
    script = [
        chat(None, ("book", "{'city': 'Lisbon', days: \"3\""), ("book", '{"city": "Porto"}')),
        chat(None, ("book", '{"city": "Porto", "days": 2}')),
        chat("Booked."),
    ]
    # The end of the first arguments is missing: their call is refused, not run by halves.
    with ModelServer(*script) as server:
        client = openai.OpenAI(api_key="x", base_url=f"{server.url}/v1", max_retries=0)
        answer = example("openai_tools").run(client, "small", "Book both.", book)
    assert answer == "Booked."
    first, second, third = server.requests
    (tool,) = first["tools"]
    assert tool["function"]["name"] == "book"
    assert set(tool["function"]["parameters"]["properties"]) == {"city", "days"}
    cut, missing = [m for m in second["messages"] if m["role"] == "tool"]
    assert (cut["tool_call_id"], missing["tool_call_id"]) == ("call_0", "call_1")
    assert "truncated" in cut["content"] or "cut off" in cut["content"]
    assert "$input.days" in missing["content"]
    assert third["messages"][-1]["content"] == "2 days in Porto"


def test_openai_tools_repairs_arguments(openai: Any) -> None:
    damaged = "```json\n{'city': 'Lisbon', days: \"3\",}\n```"
    with ModelServer(chat(None, ("book", damaged)), chat("Booked.")) as server:
        client = openai.OpenAI(api_key="x", base_url=f"{server.url}/v1", max_retries=0)
        assert example("openai_tools").run(client, "small", "Book.", book) == "Booked."
    *_, called, result = server.requests[1]["messages"]
    assert json.loads(called["tool_calls"][0]["function"]["arguments"]) == LISBON.model_dump()
    assert result["content"] == "3 days in Lisbon"


@pytest.mark.parametrize("replies", [(DAMAGED,), (WRONG, DAMAGED)])
def test_openai_structured(openai: Any, replies: tuple[str, ...]) -> None:
    with ModelServer(*map(chat, replies)) as server:
        client = openai.OpenAI(api_key="x", base_url=f"{server.url}/v1", max_retries=0)
        trip = example("openai_structured").extract(client, "small", "Where to?", Trip)
    assert trip == LISBON
    form = server.requests[0]["response_format"]["json_schema"]["schema"]
    assert form["properties"]["days"]["minimum"] == 1
    assert len(server.requests) == len(replies)
    if len(replies) == 2:
        assert server.requests[1]["messages"][-2] == {"role": "assistant", "content": WRONG}
        assert "$input.days" in contents(server.requests[1])[-1]


def test_anthropic_tools(anthropic: Any) -> None:
    script = [
        message("", ("book", {"City": "Lisbon", "days": "3"}), ("book", {"city": "Porto"})),
        message("Again.", ("book", {"input": '{"city": "Porto", "days": 2}'})),
        message("Booked."),
    ]
    with ModelServer(*script) as server:
        client = anthropic.Anthropic(api_key="x", base_url=server.url, max_retries=0)
        answer = example("anthropic_tools").run(client, "small", "Book both.", book)
    assert answer == "Booked."
    first, second, third = server.requests
    assert set(first["tools"][0]["input_schema"]["properties"]) == {"city", "days"}
    lisbon, porto = second["messages"][-1]["content"]
    assert (lisbon["tool_use_id"], lisbon["content"]) == ("toolu_0", "3 days in Lisbon")
    assert (porto["tool_use_id"], porto["is_error"]) == ("toolu_1", True)
    assert "$input.days" in porto["content"]
    assert third["messages"][-1]["content"][0]["content"] == "2 days in Porto"


def test_anthropic_stream(anthropic: Any) -> None:
    pieces = [DAMAGED[at : at + 3] for at in range(0, len(DAMAGED), 3)]
    with ModelServer(message_events(pieces)) as server:
        client = anthropic.Anthropic(api_key="x", base_url=server.url, max_retries=0)
        seen = list(example("anthropic_stream").values(client, "small", "Where to?", Trip))
    assert seen[-1] == LISBON.model_dump()
    assert {"city": "Lisbon"} in seen
    assert '"days"' in contents(server.requests[0])[0].replace("'", '"')


def test_anthropic_stream_of_a_reply_that_does_not_fit(anthropic: Any) -> None:
    with ModelServer(message_events([WRONG])) as server:
        client = anthropic.Anthropic(api_key="x", base_url=server.url, max_retries=0)
        with pytest.raises(llmjson.ParseError) as raised:
            list(example("anthropic_stream").values(client, "small", "Where to?", Trip))
    assert "$input.days" in raised.value.feedback()


def test_langchain_parser() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.exceptions import OutputParserException
    from langchain_core.language_models import GenericFakeChatModel

    parser = example("langchain_parser").LlmJson(wanted=Trip)

    def chain(*replies: str) -> Any:
        return GenericFakeChatModel(messages=iter(replies)) | parser

    assert chain(DAMAGED).invoke("Where to?") == LISBON
    with pytest.raises(OutputParserException) as raised:
        chain(WRONG).invoke("Where to?")
    assert raised.value.send_to_llm
    assert "$input.days" in raised.value.observation
    asking_again = chain(WRONG, DAMAGED).with_retry(wait_exponential_jitter=False)
    assert asking_again.invoke("Where to?") == LISBON


def test_langchain_parser_streams() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.language_models import GenericFakeChatModel

    parser = example("langchain_parser").LlmJson(wanted=Trip)
    chain = GenericFakeChatModel(messages=iter([DAMAGED, DAMAGED])) | parser
    seen = list(chain.stream("Where to?"))
    assert seen[-1].model_dump() == LISBON.model_dump()
    assert len(seen) > 1 and type(seen[0]).__name__ == "PartialTrip"
    assert '"days"' in parser.get_format_instructions()

    async def collect() -> list[Any]:
        return [value async for value in chain.astream("Where to?")]

    assert asyncio.run(collect()) == seen


def test_instructor_style(openai: Any) -> None:
    async def run(url: str) -> tuple[Any, Any]:
        client = openai.AsyncOpenAI(api_key="x", base_url=f"{url}/v1", max_retries=0)
        create = example("instructor_style").Client(client, model="small", temperature=0).create
        ask: list[Any] = [{"role": "user", "content": "Where to?"}]
        first = await create(Trip, ask)
        with pytest.raises(llmjson.RetryError):
            await create(Trip, ask, max_retries=0)
        return first, ask

    with ModelServer(chat(WRONG), chat(DAMAGED), chat(WRONG)) as server:
        trip, ask = asyncio.run(run(server.url))
    assert trip == LISBON
    assert ask == [{"role": "user", "content": "Where to?"}]
    assert "$input.days" in contents(server.requests[1])[-1]
    assert server.requests[0]["temperature"] == 0


def test_instructor_style_checks(openai: Any) -> None:
    def not_sold_out(trip: Trip) -> str | None:
        return "Trips of 2 days are sold out." if trip.days == 2 else None

    async def run(url: str) -> Any:
        client = openai.AsyncOpenAI(api_key="x", base_url=f"{url}/v1", max_retries=0)
        recipe = example("instructor_style").Client(client, model="small")
        ask = [{"role": "user", "content": "Where to?"}]
        return await recipe.create(Trip, ask, checks=[not_sold_out])

    with ModelServer(chat('{"city": "Lisbon", "days": 2}'), chat(RIGHT)) as server:
        assert asyncio.run(run(server.url)) == LISBON
    assert "Trips of 2 days are sold out." in contents(server.requests[1])[-1]


CALL_IN_TEXT = 'I book it.\n<tool_call>\n{"name": "book", "arguments": {city: \'Lisbon\', "days": "3"}}\n</tool_call>'


def test_litellm_calls_in_text() -> None:
    pytest.importorskip("litellm")
    calls = example("litellm_calls").calls
    options = {"model": "openai/small", "mock_response": CALL_IN_TEXT}
    assert calls("Book.", book, **options) == ["3 days in Lisbon"]


def test_litellm_calls_with_feedback() -> None:
    pytest.importorskip("litellm")
    script = [chat(None, ("book", '{"city": "Lisbon", "days": "few"}')), chat(CALL_IN_TEXT)]
    with ModelServer(*script) as server:
        options = {"model": "openai/small", "api_key": "x", "api_base": f"{server.url}/v1"}
        found = example("litellm_calls").calls("Book.", book, **options)
    assert found == ["3 days in Lisbon"]
    assert "$input.days" in contents(server.requests[1])[-1]


def test_pydantic_ai_repairs_calls_and_replies() -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    script = [
        ToolCallPart("book", '{city: \'Lisbon\', "days": "few"}'),
        ToolCallPart("book", '{"city": "Lisbon", "days": 3'),
        ToolCallPart("book", '{city: \'Lisbon\', "days": "3",}'),
        TextPart(WRONG),
        TextPart(DAMAGED),
    ]
    told: list[str] = []

    def model(messages: list[Any], info: Any) -> Any:
        told.append(str(messages[-1].parts[-1].content))
        return ModelResponse(parts=[script.pop(0)])

    agent = example("pydantic_ai_repair").agent(FunctionModel(model), Trip, book)
    result = agent.run_sync("Book.")
    assert result.output == LISBON
    asked, wrong_call, truncated_call, returned, wrong_reply = told
    assert asked == "Book."
    assert "$input.days" in wrong_call
    assert "a value with an end" in truncated_call
    assert returned == "3 days in Lisbon"
    assert "$input.days" in wrong_reply


def test_fastapi_body() -> None:
    pytest.importorskip("fastapi")
    from fastapi.testclient import TestClient

    client = TestClient(example("fastapi_body").app)
    good = client.post("/orders", content='```json\n{item: \'tea\', "count": "2",}\n```')
    assert (good.status_code, good.json()) == (200, {"item": "tea", "count": 2})
    bad = client.post("/orders", content='{"item": "tea", "count": 0}')
    assert bad.status_code == 422
    assert "$input.count" in bad.json()["detail"]
    described = client.get("/openapi.json").json()["paths"]["/orders"]["post"]["requestBody"]
    assert described["content"]["application/json"]["schema"]["required"] == ["item", "count"]


def test_fastapi_partials() -> None:
    fastapi = pytest.importorskip("fastapi")
    from fastapi.testclient import TestClient

    async def model(question: str) -> AsyncIterator[str]:
        for piece in ("Here: {item: 'te", "a', count", f": \"{len(question)}\""):
            yield piece

    app = fastapi.FastAPI()
    example("fastapi_partials").serve(app, model)
    client = TestClient(app)
    events = client.get("/orders/written?question=ab").text.split("\n\n")
    assert events == [
        'data: {"item":"te","count":null}',
        'data: {"item":"tea","count":null}',
        'data: {"item":"tea","count":2}',
        "",
    ]


CALLED = "{city: 'Lisbon', \"days\": \"3\",}"
UNITS = "{city: 'Lisbon', days: '3 days',}"


def test_langgraph_calls() -> None:
    pytest.importorskip("langgraph")
    from langchain_core.messages import AIMessage
    from langchain_core.output_parsers.openai_tools import make_invalid_tool_call, parse_tool_call
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    def called(id: str, arguments: str) -> AIMessage:
        raw = {"id": id, "function": {"name": "book", "arguments": arguments}}
        try:
            return AIMessage("", tool_calls=[parse_tool_call(raw, return_id=True)])
        except Exception as error:
            wrong = make_invalid_tool_call(raw, str(error))
            return AIMessage("", invalid_tool_calls=[wrong])

    def run(tools: Any) -> list[Any]:
        script = [called("a", CALLED), called("b", '{"city": "Porto"}'), AIMessage("Booked.")]
        graph = StateGraph(MessagesState)
        graph.add_node("model", lambda state: {"messages": [script.pop(0)]})
        graph.add_node("tools", tools)
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", lambda _: "tools" if script else END)
        graph.add_edge("tools", "model")
        return graph.compile().invoke({"messages": [("user", "Book.")]})["messages"]

    _, mended, good, _, bad, booked = run(example("langgraph_calls").run_calls(book))
    assert (good.tool_call_id, good.content) == ("a", "3 days in Lisbon")
    assert mended.tool_calls[0]["args"] == LISBON.model_dump() and not mended.invalid_tool_calls
    assert "$input.days" in bad.content
    assert booked.content == "Booked."
    unmended = run(ToolNode([book]))
    assert "3 days in Lisbon" not in [message.content for message in unmended]


def test_openai_agents() -> None:
    pytest.importorskip("agents")
    from agents import Agent, ModelBehaviorError, RunConfig, Runner, Usage, function_tool
    from agents import Model as AgentModel
    from agents import ModelResponse
    from openai.types.responses import (
        ResponseFunctionToolCall,
        ResponseOutputMessage,
        ResponseOutputText,
    )

    def call(id: str, arguments: str) -> Any:
        call = {"type": "function_call", "call_id": id, "name": "book", "arguments": arguments}
        return ResponseFunctionToolCall.model_validate(call)

    def said(text: str) -> Any:
        part = ResponseOutputText(type="output_text", text=text, annotations=[])
        reply = {"id": "m", "type": "message", "role": "assistant", "status": "completed"}
        return ResponseOutputMessage.model_validate({**reply, "content": [part]})

    class Script(AgentModel):
        def __init__(self, *outputs: Any) -> None:
            self.outputs = list(outputs)

        async def get_response(self, *_: Any, **__: Any) -> Any:
            output = self.outputs.pop(0)
            return ModelResponse(output=[output], usage=Usage(), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    recipe = example("openai_agents")
    tool = function_tool(book)

    def run(tool: Any, output_type: Any, *script: Any) -> Any:
        agent = Agent("a", tools=[tool], output_type=output_type, model=Script(*script))
        return Runner.run_sync(agent, "Book.", run_config=RunConfig(tracing_disabled=True))

    script = call("a", CALLED), call("b", '{"city": "Porto", "days": "few"}'), said(DAMAGED)
    result = run(recipe.mended(tool), recipe.Mended(Trip), *script)
    assert result.final_output == LISBON
    results = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
    assert results[0] == "3 days in Lisbon"
    assert "$input.days" in results[1]
    with pytest.raises(ModelBehaviorError, match=r"\$input\.days"):
        run(tool, recipe.Mended(Trip), said(WRONG))
    with pytest.raises(ModelBehaviorError):
        run(tool, Trip, said(DAMAGED))


def test_llama_index_parser() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
    from llama_index.core.output_parsers import PydanticOutputParser
    from llama_index.core.program import LLMTextCompletionProgram

    asked: list[str] = []

    class Model(CustomLLM):
        reply: str

        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata()

        def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
            asked.append(prompt)
            return CompletionResponse(text=self.reply)

        def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Any:
            raise NotImplementedError

    def run(parser: Any, reply: str) -> Any:
        return LLMTextCompletionProgram.from_defaults(
            parser, Trip, prompt_template_str="Where to?", llm=Model(reply=reply)
        )()

    parser = example("llama_index_parser").LlmJson(Trip)
    assert run(parser, DAMAGED) == LISBON
    assert "Where to?" in asked[0] and "days: integer" in asked[0]
    with pytest.raises(llmjson.ParseError, match=r"days"):
        run(parser, WRONG)
    with pytest.raises(ValueError):
        run(PydanticOutputParser(Trip), DAMAGED)


def test_dspy_adapter() -> None:
    dspy = pytest.importorskip("dspy")
    from dspy.utils.exceptions import AdapterParseError

    def run(adapter: Any, reply: str) -> Any:
        with ModelServer(chat(reply)) as server:
            base = f"{server.url}/v1"
            lm = dspy.LM("openai/small", api_key="x", api_base=base, cache=False, num_retries=0)
            with dspy.context(lm=lm, adapter=adapter):
                return dspy.Predict("question -> city: str, days: int")(question="Where to?")

    adapter = example("dspy_adapter").LlmJson()
    answer = run(adapter, UNITS)
    assert (answer.city, answer.days) == ("Lisbon", 3)
    with pytest.raises(AdapterParseError, match=r"\$input\.days"):
        run(adapter, '{"city": "Lisbon", "days": "few"}')
    with pytest.raises(AdapterParseError):
        run(dspy.JSONAdapter(), UNITS)


def test_instructor_hooks(openai: Any) -> None:
    instructor = pytest.importorskip("instructor")
    from instructor.core import InstructorRetryException
    from pydantic import ValidationInfo, field_validator

    class Allowed(Trip):
        @field_validator("city")
        @classmethod
        def known(cls, city: str, info: ValidationInfo) -> str:
            assert city in info.context["cities"], "sold out"
            return city

    def run(reply: Any, mode: Any, cities: list[str], mend: bool = True) -> Any:
        with ModelServer(*[reply] * 2) as server:
            client = openai.OpenAI(api_key="x", base_url=f"{server.url}/v1", max_retries=0)
            options: dict[str, Any] = {
                "messages": [{"role": "user", "content": "Where to?"}],
                "context": {"cities": cities},
                "model": "small",
                "max_retries": 1,
            }
            if mend:
                return example("instructor_hooks").create(client, mode, Allowed, **options)
            return instructor.from_openai(client, mode=mode).create(Allowed, **options)

    modes = instructor.Mode
    called = chat(None, ("Allowed", CALLED))
    for reply, mode in ((chat(DAMAGED), modes.JSON), (called, modes.TOOLS)):
        assert run(reply, mode, ["Lisbon"]).model_dump() == LISBON.model_dump()
        with pytest.raises(InstructorRetryException, match="sold out"):
            run(reply, mode, ["Porto"])
        with pytest.raises(InstructorRetryException):
            run(reply, mode, ["Lisbon"], mend=False)
    truncated = CALLED[: CALLED.index("3") + 1]
    for reply, mode in ((chat(truncated), modes.JSON), (chat(None, ("Allowed", truncated)), modes.TOOLS)):
        with pytest.raises(InstructorRetryException):
            run(reply, mode, ["Lisbon"])


def test_mcp_server() -> None:
    pytest.importorskip("mcp")
    from mcp import Client

    server = example("mcp_server").server

    async def run() -> AsyncIterator[Any]:
        calls: list[dict[str, Any]] = [
            {"City": "Lisbon", "nights": "3", "pets": '["cat"]'},
            {"city": "Lisbon", "nights": "few"},
        ]
        async with Client(server) as client:
            return [await client.call_tool("book", arguments) for arguments in calls]

    good, bad = asyncio.run(run())
    assert not good.is_error
    assert good.content[0].text == "3 nights in Lisbon, pets: cat"
    assert bad.is_error
    assert "$input.nights" in bad.content[0].text


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.py")), ids=lambda path: path.stem)
def test_examples_are_short_and_listed(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 30
    name = path.relative_to(EXAMPLES).as_posix()
    assert f"[`{name}`]({name})" in (EXAMPLES / "README.md").read_text("utf-8")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_every_recipe_is_run(path: Path) -> None:
    assert f'example("{path.stem}")' in Path(__file__).read_text("utf-8")
