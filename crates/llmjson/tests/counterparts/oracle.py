"""Compares what llmjson makes of streams with what the official OpenAI client makes of them.

    oracle.py LLMJSON [--recorded FOLDER]... [--live NAME=BASE_URL]...

Streams are files of bytes as they came over the wire, or are recorded here from running servers. Each
goes through `llmjson sse` and through the client's own decoding into typed chunks, whose deltas are
then added up. Text, calls, finish reason and usage have to be equal; where they may differ, the reason
is known here and printed. Exits with 1 if anything differs without a known reason.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import urllib.request

import httpx2
import openai

USAGE = ("prompt_tokens", "completion_tokens", "total_tokens")

TRIP = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 8},
        "days": {"type": "integer", "minimum": 1, "maximum": 30},
    },
    "required": ["city", "days"],
}
TOOL = {"type": "function", "function": {"name": "book", "parameters": TRIP}}

# What servers are asked, by the name under which they are given.
REQUESTS = {
    "llama": {
        "text": {"max_tokens": 20},
        "text with usage": {"max_tokens": 20, "stream_options": {"include_usage": True}},
        "structured": {
            "max_tokens": 200,
            "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": TRIP}},
        },
        "calls, cut off": {
            "max_tokens": 200,
            "tools": [TOOL],
            "tool_choice": "required",
            # The token that opens a call, which a model of random weights would rarely choose.
            "logit_bias": [[260, 90]],
            "stream_options": {"include_usage": True},
        },
    },
    "llmock": {
        "text": {},
        "text with usage": {"stream_options": {"include_usage": True}},
        "calls": {"tools": [TOOL]},
        "calls with usage": {"tools": [TOOL], "stream_options": {"include_usage": True}},
    },
}


def record(base_url, request):
    """The bytes of a stream."""
    body = {"model": "tiny", "messages": [{"role": "user", "content": "A trip, please."}]}
    body |= {"stream": True, "seed": 1} | request
    sent = urllib.request.Request(
        f"{base_url}/chat/completions",
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(sent, timeout=60) as answer:
        return answer.read()


def typed(stream):
    """What the typed chunks of the client add up to, and what is odd about them."""
    headers = {"content-type": "text/event-stream"}
    transport = httpx2.MockTransport(
        lambda request: httpx2.Response(200, headers=headers, content=stream)
    )
    client = openai.OpenAI(
        api_key="none",
        base_url="http://127.0.0.1:9/v1",
        max_retries=0,
        http_client=httpx2.Client(transport=transport),
    )
    text, calls, finish, usage, odd = "", {}, None, None, set()
    try:
        for chunk in client.chat.completions.create(model="m", messages=[], stream=True):
            usage = chunk.usage or usage
            for choice in chunk.choices or []:
                if choice.index not in (0, None):
                    continue
                finish = choice.finish_reason or finish
                delta = choice.delta
                if delta is None:
                    continue
                if isinstance(delta.content, str):
                    text += delta.content
                elif delta.content is not None:
                    odd.add("content that is no text, which the client hands on as it is")
                add_calls(calls, delta.tool_calls or [], odd)
    except openai.APIError as error:
        odd.add(f"an error in the stream, which the client raises: {type(error).__name__}")
    usage = {name: getattr(usage, name, None) for name in USAGE} if usage else None
    # In the order in which they came.
    return {"text": text, "calls": list(calls.values()), "finish": finish, "usage": usage}, odd


def add_calls(calls, pieces, odd):
    seen = set()
    for piece in pieces:
        if piece.index is None:
            odd.add("calls without an index, which the client leaves to its caller")
        held = calls.setdefault(piece.index, {"id": None, "name": "", "arguments": ""})
        if piece.id and held["id"] not in (None, piece.id) or piece.index in seen:
            odd.add("several calls with one index, which the client hands on as they are")
        seen.add(piece.index)
        held["id"] = piece.id or held["id"]
        function = piece.function
        if function is None:
            continue
        held["name"] = function.name or held["name"]
        if isinstance(function.arguments, str):
            held["arguments"] += function.arguments
        elif function.arguments is not None:
            odd.add("arguments that are no text, which the client hands on as they are")


def ours(llmjson, stream):
    """What `llmjson sse` makes of it, and what it has to say about it."""
    run = subprocess.run([llmjson, "sse"], input=stream, capture_output=True, timeout=60)
    summary = json.loads(run.stdout)
    message = summary["message"] or {}
    calls = []
    for call in message.get("tool_calls") or []:
        function = call.get("function") or {}
        arguments = function.get("arguments") or ""
        calls.append(
            {"id": call.get("id"), "name": function.get("name") or "", "arguments": arguments}
        )
    usage = summary["usage"]
    usage = {name: usage.get(name) for name in USAGE} if usage else None
    content = message.get("content")
    return {
        "text": content if isinstance(content, str) else "",
        "calls": calls,
        "finish": summary["finish_reason"],
        "usage": usage,
    }


def compare(name, stream, llmjson, counts):
    theirs, odd = typed(stream)
    found = ours(llmjson, stream)
    differ = [part for part in theirs if theirs[part] != found[part]]
    if not differ:
        counts["same"] += 1
        return True
    reason = "; ".join(sorted(odd))
    counts["different, with a known reason" if reason else "DIFFERENT"] += 1
    print(f"{name}: {', '.join(differ)}: {reason or 'no known reason'}")
    for part in differ:
        print(f"    client:  {str(theirs[part])[:200]}\n    llmjson: {str(found[part])[:200]}")
    return bool(reason)


def recorded(folder):
    """The streams of a folder: those that its index says are of this dialect, or all."""
    index = folder / "index.jsonl"
    if not index.exists():
        return sorted(path for path in folder.iterdir() if path.is_file())
    rows = map(json.loads, index.read_text().splitlines())
    return [folder / row["file"] for row in rows if row["dialect"] == "openai-chat"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("llmjson")
    parser.add_argument("--recorded", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--live", action="append", default=[])
    args = parser.parse_args()
    well = True
    for live in args.live:
        name, url = live.split("=", 1)
        counts = collections.Counter()
        for what, request in REQUESTS[name].items():
            well &= compare(f"{name}, {what}", record(url, request), args.llmjson, counts)
        print(f"live streams of {name}: {dict(counts)}")
    for folder in args.recorded:
        counts = collections.Counter()
        for path in recorded(folder):
            well &= compare(path.name, path.read_bytes(), args.llmjson, counts)
        print(f"streams in {folder}: {dict(counts)}")
    sys.exit(0 if well else 1)


main()
