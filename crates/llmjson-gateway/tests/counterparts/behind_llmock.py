"""llmock behind the gateway, which answers and breaks replies as it is told."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from answers import Reply, Try, ask, chat, refused, told
from damages import ANSWER, CALLS, EXPECTED, QUESTION, SCHEMA, VALUES
from in_chat import FORMAT, TOOL
from table import Conversation, gateway

#: Each request has a model of its own, by which the server knows what was planned for it.
MODELS = itertools.count()
STALL = 3  # seconds
#: The origin of the server's Messages, below its own.
MESSAGES = "/anthropic"

CLEAN_CALL = {"tool_calls": [{"name": "weather", "arguments": EXPECTED}]}
CALL_IN_TEXT = {"text": CALLS["damaged call as text"][0]}
#: Replies that are broken while they come, with the members of their requests.
REPLIES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "text": ({"text": "Three days of rain in Oslo, and then some sun."}, {}),
    "call": (CLEAN_CALL, {"tools": [TOOL]}),
    "call in text": (CALL_IN_TEXT, {"tools": [TOOL]}),
    "value": ({"text": VALUES["python"]}, {"response_format": FORMAT}),
}
DIALECTS: dict[str, dict[str, Any]] = {
    "/chat/completions": {"messages": [{"role": "user", "content": QUESTION}]},
    "/messages": {"messages": [{"role": "user", "content": QUESTION}], "max_tokens": 99},
    "/responses": {"input": QUESTION},
}

#: The last events of streams in other dialects, with the tool as each has it.
ENDS: dict[str, tuple[str, dict[str, Any]]] = {
    "/messages": ("message_stop", {"name": "weather", "input_schema": SCHEMA}),
    "/responses": ("response.completed", {"type": "function", "name": "weather", "parameters": SCHEMA}),
}


def plan(origin: str, *behaviors: dict[str, Any]) -> str:
    """Tells the server what to do with the requests for a model, whose name is returned."""
    model = f"model-{next(MODELS)}"
    planned = [behavior | {"match": {"model": model}} for behavior in behaviors]
    answer = ask(origin, "/_llmock/scenario", {"behaviors": planned})
    assert answer.status == 201, answer.body
    return model


def conversation(origin: str, converse: Conversation) -> Conversation:
    """Returns the conversation of a client with replies that are damaged as its model is named."""

    def planned(base: str, damage: str, is_call: bool, is_streamed: bool) -> Any:
        content, arguments = CALLS[damage] if is_call else (VALUES[damage], None)
        first: dict[str, Any] = {"type": "reply", "text": content}
        if arguments is not None:
            # Arguments that are no JSON become a text.
            given = EXPECTED if damage == "clean" else arguments
            first = {"type": "reply", "tool_calls": [{"name": "weather", "arguments": given}]}
        # The client of Messages asks twice for the call.
        times = 2 if is_call and converse.__name__ == "with_anthropic" else 1
        model = plan(origin, first | {"times": times}, {"type": "reply", "text": ANSWER})
        return converse(base, model, is_call, is_streamed)

    return planned


@contextlib.contextmanager
def cases(llmjson: str, origin: str) -> Iterator[dict[str, Try]]:
    """Gives the cases with what tries them."""
    tries: dict[str, Try] = {}
    # Earlier plans count no more.
    ask(origin, "/_llmock/scenario", b"", "DELETE")
    direct, messages = f"{origin}/v1", f"{origin}{MESSAGES}/v1"
    with (
        gateway(llmjson, direct) as through,
        gateway(llmjson, messages) as of_messages,
        gateway(llmjson, direct, "--idle-timeout", "1") as hasty,
        gateway(llmjson, direct, "--retries", "1") as again,
        gateway(llmjson, direct, "--upstream-speaks", "chat") as to_chat,
    ):
        native = {"/messages": (messages, of_messages), "/responses": (direct, through)}
        for kind, case in itertools.product(("disconnect", "truncate", "malformed", "stall"), REPLIES):
            tries[f"{kind}, {case}"] = partial(broken, origin, through, kind, case)
        for kind, path in itertools.product(("disconnect", "truncate"), ENDS):
            server, own = native[path]
            tries[f"{kind}, call on {path}"] = partial(broken_event, origin, (server, own), kind, path)
            tries[f"{kind}, call on {path}, translated"] = partial(broken_event, origin, (server, to_chat), kind, path)
        tries["stall, given up"] = partial(broken, origin, hasty, "stall", "call")
        for stream in ({}, {"stream": True, "stream_options": {"include_usage": True}}):
            way = "streamed" if stream else "whole"
            for status, path in itertools.product((401, 429, 503), DIALECTS):
                bases = native.get(path, (direct, through))
                tries[f"{status} on {path}, {way}"] = partial(failed, origin, bases, status, path, stream)
            for kind in ("malformed_arguments", "unknown_tool"):
                tries[f"{kind}, {way}"] = partial(as_written, origin, through, kind, stream)
            tries[f"asked again, {way}"] = partial(asked_again, origin, again, stream)
        yield tries


def failed(
    origin: str, bases: tuple[str, str], status: int, path: str, stream: dict[str, Any]
) -> tuple[str, str, bool]:
    model = plan(origin, {"type": "fail", "status": status, "retry_after": 1.5, "times": 2})
    return refused(*bases, path, DIALECTS[path] | stream | {"model": model})


def broken(origin: str, through: str, kind: str, case: str) -> tuple[str, str, bool]:
    """Of a stream that breaks, all is kept that came, and no end is invented."""
    reply, members = REPLIES[case]
    fault = {"type": "stream_fault", "kind": kind, "after_chunks": 4, "stall_seconds": STALL}

    def asked(base: str) -> tuple[Reply, str]:
        model = plan(origin, fault, {"type": "reply"} | reply)
        found, answer = chat(base, model=model, stream=True, **DIALECTS["/chat/completions"], **members)
        return found, answer.report()

    (before, _), (after, report) = asked(f"{origin}/v1"), asked(through)
    if kind == "stall" and after.error is None:
        right = whole(case, after)
    elif kind == "malformed":
        # The report says it, where the reply is read. What is left goes on.
        # Without the event, calls and values are not JSON.
        is_ended = after.finish is not None and after.ended and after.unreadable == 1
        right = (is_ended or case != "text" and after.error is not None) and kept(before, after)
        right &= case == "text" or "unreadable_event" in report
        # Of this call the event was lost in which its arguments begin, so it is none.
        right &= case != "call in text" or after.content == before.content
    else:
        right = not after.ended and after.finish is None and kept(before, after)
        # A stream that is cut in order is an error where it is read, which it is not without tools or a form.
        right &= after.error is not None or (kind, case) == ("truncate", "text")
    return told(before), f"{told(after)} {report}", right


def broken_event(origin: str, bases: tuple[str, str], kind: str, path: str) -> tuple[str, str, bool]:
    """A stream of another dialect that breaks ends with an error, and with no event that would end it."""
    end, tool = ENDS[path]
    fault = {"type": "stream_fault", "kind": kind, "after_chunks": 4}

    def events(base: str) -> list[str]:
        request = DIALECTS[path] | {"model": plan(origin, fault, {"type": "reply"} | CLEAN_CALL)}
        answer = ask(base, path, request | {"stream": True, "tools": [tool]})
        lines = answer.body.decode().splitlines()
        return [json.loads(line[6:])["type"] for line in lines if line.startswith("data: {")]

    before, after = events(bases[0]), events(bases[1])
    right = end not in after and after[-1] in ("error", "response.failed")
    return ", ".join(before), ", ".join(after), right


def whole(case: str, reply: Reply) -> bool:
    """Tells whether a reply is all that the case asks for."""
    if case == "text":
        return reply.ended and reply.content == REPLIES[case][0]["text"]
    if case == "value":
        return reply.ended and json.loads(reply.content) == EXPECTED
    return reply.ended and [json.loads(arguments) for _, arguments in reply.calls] == [EXPECTED]


def kept(before: Reply, after: Reply) -> bool:
    """Tells whether a reply holds what the server wrote and nothing else. Calls and values that had begun may be unfinished."""
    written = before.content + "".join(arguments for _, arguments in before.calls)
    sent = after.content + "".join(arguments for _, arguments in after.calls)
    if sent == written:
        return True
    # In the order in which they came, but for the signs of JSON.
    rest = iter(written)
    in_order = all(one in rest for one in sent if one.isalnum())
    return in_order and (bool(after.calls) or sent.startswith("{"))


def ends_open(before: Reply, after: Reply) -> bool:
    """Tells whether a stream ends with an error, since its JSON was not closed."""
    return not after.ended and after.error is not None and after.error["code"] == "open_json" and kept(before, after)


def as_written(origin: str, through: str, kind: str, stream: dict[str, Any]) -> tuple[str, str, bool]:
    """Arguments that cannot be bound go out as the model wrote them, and the report says so."""

    def asked(base: str) -> tuple[Reply, str]:
        model = plan(origin, {"type": "reply"} | CLEAN_CALL, {"type": "tool_fault", "kind": kind})
        request = DIALECTS["/chat/completions"] | stream | {"tools": [TOOL]}
        found, answer = chat(base, model=model, **request)
        return found, answer.report()

    (before, _), (after, report) = asked(f"{origin}/v1"), asked(through)
    right = before == after and "outcome=refused" in report or ends_open(before, after)
    return told(before), f"{told(after)} {report}", right


def asked_again(origin: str, through: str, stream: dict[str, Any]) -> tuple[str, str, bool]:
    """A value that does not conform is asked for again: one reply, with the usage of both."""
    bad, good = '{"city": "Oslo", "days": "several"}', VALUES["fenced"]
    model = plan(origin, {"type": "reply", "text": bad}, {"type": "reply", "text": good})
    request = DIALECTS["/chat/completions"] | stream | {"response_format": FORMAT}
    after, answer = chat(through, model=model, **request)
    model = plan(origin, {"type": "reply", "text": bad})
    before, _ = chat(f"{origin}/v1", model=model, **request)
    right = whole("value", after) and after.finish == "stop" and "retries=1" in answer.report()
    sums = after.usage["total_tokens"] > before.usage["total_tokens"]
    return told(before), f"{told(after)} {answer.report()}", right and sums
