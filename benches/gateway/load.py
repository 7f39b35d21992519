#!/usr/bin/env python3
"""Time and memory that `llmjson gateway` adds, beside nginx and LiteLLM's proxy, in one run.

    python3 benches/gateway/load.py target/release/llmjson [--litellm VENV] [--rounds 7] [--seconds 1]

Starts an upstream that answers at once (nginx), and before it nginx as plain proxy, the gateway, and LiteLLM's proxy if its
virtual environment is given (`pip install 'litellm[proxy]'`). All write a line of log for each request, as they do by default.
Prints the tables of benches/README.md. Needs Debian's package nginx, and wrk for as many requests a second as hold.

They take turns. A time is that of a contender less that of the upstream asked directly, since this driver's own is in both.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

UPSTREAM, NGINX, GATEWAY, LITELLM, PIECES = 18801, 18802, 18803, 18804, 18805
PORTS = {"direct": UPSTREAM, "nginx": NGINX, "gateway": GATEWAY, "LiteLLM": LITELLM}
DELTAS = 200
THREADS = 4
KEY = "sk-load"

MEMBERS = {"to": {"type": "string"}, "subject": {"type": "string"}, "urgent": {"type": "boolean"},
           "count": {"type": "integer"}, "lines": {"type": "array", "items": {"type": "string"}}}
TOOL = {"name": "send_mail", "parameters": {"type": "object", "required": ["to"], "properties": MEMBERS}}
DAMAGED = "{to: 'ann@example.org', subject: 'Trip', urgent: 'true', count: '3', lines: 'Hello'}"
CALLS = [{"id": "call_1", "type": "function", "function": {"name": "send_mail", "arguments": DAMAGED}}]


def whole(finish, **message):
    choice = {"index": 0, "message": {"role": "assistant", "content": None, **message}, "finish_reason": finish}
    return json.dumps({"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]})


def event(finish=None, **delta):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    data = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(data)}\n\n"


END = event("stop") + "data: [DONE]\n\n"
EVENTS = "".join(event(content=f"word{number} ") for number in range(DELTAS)) + END
# By model: the kind of the reply, and the reply.
REPLIES = {
    "whole": ("application/json", whole("stop", content="Hello world. " * 40)),
    "tools": ("application/json", whole("tool_calls", tool_calls=CALLS)),
    "streamed": ("text/event-stream", EVENTS),
    "streamed-tools": ("text/event-stream", EVENTS),
}
SLOW = ["slow", "slow-tools", "open-tools"]  # Models whose replies come in pieces; that of the last stays open.


def request(model, port):
    body = {"model": model, "messages": [{"role": "user", "content": "Plan a trip. " * 40}]}
    body |= {"stream": model not in ("whole", "tools")}
    body |= {"tools": [{"type": "function", "function": TOOL}]} if "tools" in model else {}
    body = json.dumps(body).encode()
    path = "/v1/chat/completions" if port in (GATEWAY, LITELLM) else f"/{model}/chat/completions"
    head = (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {KEY}\r\nContent-Length: {len(body)}\r\n\r\n")
    return path, head.encode(), body


async def serve_pieces():
    """An upstream whose pieces hold the time at which they were sent."""
    async def answer(reader, writer):
        def piece(text):
            writer.write(b"%x\r\n%s\r\n" % (len(text), text.encode()))

        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(length_of(head) or 0)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in range(DELTAS):
                    piece(event(content=f"t{time.perf_counter_ns()} "))
                    if b"/open-" in head and not await reader.read():
                        return writer.close()
                    await asyncio.sleep(0.004)
                piece(END)
                writer.write(b"0\r\n\r\n")
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    await (await asyncio.start_server(answer, "127.0.0.1", PIECES, backlog=4096)).serve_forever()


def length_of(head):
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return int(lengths[0]) if lengths else None


def nginx(folder, name, lines):
    """Writes the configuration of an nginx of its own: one that asked itself would wake no other process."""
    os.makedirs(folder := f"{folder}/{name}")
    temporary = "".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    head = (f"pid {folder}/pid; error_log {folder}/error.log; worker_processes 1; worker_rlimit_nofile 65536; daemon off;\n"
            f"events {{ worker_connections 32768; }} http {{ access_log {folder}/access.log; {temporary}")
    with open(f"{folder}/conf", "w", encoding="utf-8") as file:
        file.write("\n".join([head, "keepalive_requests 100000000;", *lines, "} }"]))
    return ["nginx", "-c", file.name]


def upstream_server():
    yield f"server {{ listen 127.0.0.1:{UPSTREAM} backlog=4096; access_log off;"
    for model, (kind, text) in REPLIES.items():
        # A text of the configuration has a limit of 4 KB.
        names = [f"${model.replace('-', '_')}_{start}_" for start in range(0, len(text), 3000)]
        for at, name in enumerate(names):
            quoted = text[3000 * at:3000 * (at + 1)].replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
            yield f"set {name} '{quoted}';"
        yield f"location /{model}/ {{ default_type {kind}; return 200 {''.join(names)}; }}"


def proxy_server():
    for name, port in (("all", UPSTREAM), ("pieces", PIECES)):
        yield f"upstream {name} {{ server 127.0.0.1:{port}; keepalive 256; keepalive_requests 100000000; }}"
    yield f"server {{ listen 127.0.0.1:{NGINX} backlog=4096; proxy_http_version 1.1; proxy_set_header Connection '';"
    for model in SLOW:
        yield f"location /{model}/ {{ proxy_pass http://pieces; proxy_buffering off; }}"
    yield "location / { proxy_pass http://all; }"


def start(options, folder, started):
    def write(name, text):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        return file.name

    def begin(name, command, env=None):
        with open(f"{folder}/{name}.log", "wb") as log:
            started[name] = subprocess.Popen(command, stdout=log, stderr=log, env=env)
        while started[name].poll() is None:
            try:
                return socket.create_connection(("127.0.0.1", PORTS[name])).close()
            except OSError:
                time.sleep(0.1)
        sys.exit(f"{name} does not start:\n" + open(log.name, encoding="utf-8").read())

    begin("direct", nginx(folder, "upstream", upstream_server()))
    begin("nginx", nginx(folder, "proxy", proxy_server()))
    bases = {model: f"http://127.0.0.1:{UPSTREAM}/{model}" for model in REPLIES}
    bases |= {model: f"http://127.0.0.1:{PIECES}/{model}" for model in SLOW}
    listed = "".join(f"[[upstream]]\nurl = '{base}'\nmodels = ['{model}']\n" for model, base in bases.items())
    config = write("gateway.toml", f"listen = '127.0.0.1:{GATEWAY}'\n{listed}")
    begin("gateway", [options.llmjson, "gateway", "--config", config])
    if options.litellm:
        listed = [{"model_name": model, "litellm_params": {"model": f"openai/{model}", "api_base": base, "api_key": KEY}}
                  for model, base in bases.items()]
        config = write("litellm.json", json.dumps({"model_list": listed}))
        begin("LiteLLM", [f"{options.litellm}/bin/litellm", "--config", config, "--host", "127.0.0.1", "--port", str(LITELLM),
                          "--telemetry", "False"], os.environ | {"LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True"})


def client(model, port):
    """A function that asks on a connection of its own, and reads until the end of the reply."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    asked = b"".join(request(model, port)[1:])

    def ask(seen=None):
        connection.sendall(asked)
        read, head = b"", None
        while True:
            got = connection.recv(262144)
            if seen and got:
                seen(got)
            read += got
            if head is None and b"\r\n\r\n" in read:
                head, read = read.split(b"\r\n\r\n", 1)
                length = length_of(head)
            if not got or head is not None and b" 200 " not in head[:16]:
                raise OSError(f"{head} {read}")
            if head is not None and (read.endswith(b"\r\n0\r\n\r\n") if length is None else len(read) >= length):
                return

    return ask


def at_rate(model, port, rate, seconds):
    """Times of requests that are sent at a rate, and how many a second were answered."""
    times = []

    def work(number):
        ask, begin = client(model, port), time.perf_counter() + number / rate
        for turn in range(int(rate * seconds / THREADS)):
            time.sleep(max(0, begin + turn * THREADS / rate - time.perf_counter()))
            sent = time.perf_counter()
            ask()
            times.append(time.perf_counter() - sent)
            if sent - begin > 3 * seconds:
                return

    begin = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(work, range(THREADS)))
    return times, len(times) / (time.perf_counter() - begin)


def added(got):
    """Cells of a table: the median and the 99th percentile, those after the first less the first."""
    def quantiles(values):
        return [sorted(values)[int(len(values) * part)] * 1e6 for part in (0.5, 0.99)] if values else []

    base, *others = map(quantiles, got.values())
    yield " / ".join(f"{one:.0f}" for one in base)
    for other in others:
        yield " / ".join(f"{one - of_base:+.0f}" for one, of_base in zip(other, base)) or "-"


def row(*cells, title=None):
    line = f"| {' | '.join(map(str, cells))} |"
    print(line if title is None else f"\n{title}\n\n{line}\n|{'---|' * len(cells)}", flush=True)


def rates(options, names, _):
    row("reply", "a second", *names, title="Microseconds at the median / the 99th percentile: directly, and what is added to them.")
    for model in REPLIES:
        for rate in map(int, options.rates.split(",")):
            got, slow = {name: [] for name in names}, set()
            for _ in range(options.rounds):
                for name in (name for name in names if name not in slow):
                    times, reached = at_rate(model, PORTS[name], rate, options.seconds)
                    got[name] += times
                    slow |= {name} if name != "direct" and reached < 0.8 * rate else set()
            # What does not hold a rate has no time at it.
            row(model, rate, *added({name: [] if name in slow else times for name, times in got.items()}))


def most(options, names, folder):
    row("reply", *names, title="As many requests a second as hold, on 32 connections.")
    for model in REPLIES:
        cells = []
        for name in names:
            path, _, body = request(model, PORTS[name])
            with open(f"{folder}/wrk.lua", "w", encoding="utf-8") as file:
                file.write(f"wrk.method = 'POST'\nwrk.body = [==[{body.decode()}]==]")
            command = ["wrk", "-t1", "-c32", f"-d{max(1, round(5 * options.seconds))}s", "-s", file.name, "-H", "Content-Type: application/json",
                       "-H", f"Authorization: Bearer {KEY}", f"http://127.0.0.1:{PORTS[name]}{path}"]
            lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
            held = next(line.split()[1] for line in lines if line.startswith("Requests/sec"))
            cells.append("-" if any("Non-2xx" in line for line in lines) else f"{float(held):,.0f}")
        row(model, *cells)


def chunks(options, names, _):
    row("reply", *names, title=f"Microseconds from upstream to client of each of {DELTAS} pieces, and what is added.")
    for model in SLOW[:2]:
        got = {name: [] for name in names}
        for _ in range(options.rounds):
            for name in names:
                def seen(read, out=got[name]):
                    now = time.perf_counter_ns()
                    pieces = read.replace(b'": "', b'":"').split(b'"content":"t')[1:]
                    out += [(now - int(piece.split(b" ")[0])) / 1e9 for piece in pieces]
                client(model, PIECES if name == "direct" else PORTS[name])(seen)
        row(model, *added(got))


async def memory(streams, process, port):
    """Megabytes of a process and its children with open streams."""
    writers = []

    async def begin():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        writer.write(b"".join(request("open-tools", port)[1:]))
        await reader.readuntil(b'"content"')

    for _ in range(streams // 100):
        await asyncio.gather(*(begin() for _ in range(100)))
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="utf-8") as children:
        pids = [process.pid, *children.read().split()]
    lines = [line for pid in pids for line in open(f"/proc/{pid}/status", encoding="utf-8")]
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("llmjson")
    parser.add_argument("--litellm", metavar="VENV")
    parser.add_argument("--rates", default="100,1000")
    for name, default in (("rounds", 7), ("seconds", 1.0), ("streams", 5000)):
        parser.add_argument(f"--{name}", type=type(default), default=default)
    options = parser.parse_args()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    multiprocessing.Process(target=lambda: asyncio.run(serve_pieces()), daemon=True).start()
    started = {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            start(options, folder, started)
            # The first requests begin much, and are not measured.
            [client(model, PORTS[name])() for name in started for model in REPLIES for _ in range(10)]
            for part in (rates, most, chunks) if shutil.which("wrk") else (rates, chunks):
                part(options, list(started), folder)
            for name in ("nginx", "gateway"):
                megabytes = asyncio.run(memory(options.streams, started[name], PORTS[name]))
                print(f"\n{name}, {options.streams} open streams: {megabytes:.0f} MB")
        finally:
            [process.terminate() or process.wait() for process in started.values()]


if __name__ == "__main__":
    main()
