"""Compares how calls of tools are found in texts with the parsers of SGLang and vLLM.

    python3 benches/calls/compare.py TEXTS.jsonl --index ADDRESS [--llmjson target/release/llmjson] [--cache DIR]

Each line of TEXTS is an object with `input`, `family` (a name of `FAMILIES`), `expected_calls` (a list of
objects with `name` and `arguments`, or `null` where the text was cut) and optionally `tools` (as in requests
of chat completions) or `tools_named`. A text is right if it gives just the expected calls, with equal
arguments, and raises nothing. The peers are told the family of each text, `llmjson` is not.

The sources of both packages come from a Python package index, are kept in the cache, and are read without what they import
besides: modules that are not installed are replaced by stubs, the tokenizer by one that knows every token.
Needs Python 3.11 or later and nothing else; `pip install pydantic regex partial-json-parser` gives the peers
their own libraries.
"""

import argparse
import asyncio
import importlib.abc
import importlib.machinery
import inspect
import io
import json
import logging
import pathlib
import subprocess
import sys
import tarfile
import types
import urllib.parse
import urllib.request
import zipfile

# The parser that each peer has for a family, by the family's name in the texts; `None` where it has none, or
# one that reads tokens instead of text.
FAMILIES = {
    "apertus": ("apertus2509", "apertus"),
    "command-r": ("cohere_command4", None),
    "deepseek special tokens": ("deepseekv31", "deepseek_v31"),
    "deepseek v3.2/v4 DSML": ("deepseekv32", "deepseek_v32"),
    "gemma": ("gemma4", "gemma4"),
    "gigachat3": ("gigachat3", "gigachat3"),
    "glm arg_key/arg_value": ("glm47", "glm47"),
    "gpt-oss harmony": ("gpt-oss", None),
    "granite": (None, "granite"),
    "hermes/qwen json <tool_call>": ("hermes", "hermes"),
    "hunyuan": ("hunyuan", "hunyuan_a13b"),
    "inkling": ("inkling", "inkling"),
    "internlm2": ("interns1", "internlm"),
    "kimi k2": ("kimi_k2", "kimi_k2"),
    "lfm2 pythonic": ("lfm2", "lfm2"),
    "llama3 json/python_tag": ("llama3", "llama3_json"),
    "llama4 pythonic": ("pythonic", "llama4_pythonic"),
    "longcat": (None, "longcat"),
    "minicpm xml": ("minicpm5", "minicpm5"),
    "minimax xml": ("minimax-m2", "minimax_m2"),
    "mistral [TOOL_CALLS]": ("mistral", None),
    "phi": (None, "phi4_mini_json"),
    "poolside": ("poolside_v1", "poolside_v1"),
    "pythonic": ("pythonic", "pythonic"),
    "qwen3-coder xml": ("qwen3_coder", "qwen3_coder"),
    "qwen3.5 xml": ("qwen3_coder", "qwen3_coder"),
    "seed-oss xml": (None, "seed_oss"),
    "step3": ("step3", "step3"),
    "xlam": (None, "xlam"),
}

# The file of a release that holds the sources.
PACKAGES = {"sglang": ".whl", "vllm": ".tar.gz"}


# The modules of the peers that are read; all others are stubs.
READ = ("sglang.srt.function_call.", "sglang.srt.environ.", "vllm.entrypoints.generate.base.protocol.", "vllm.envs.", "vllm.parser.", "vllm.tool_parsers.")


class Stub(types.ModuleType):
    """A module that is not installed: whatever is asked of it is there."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = type(name, (Anything,), {"__module__": self.__name__})
        setattr(self, name, value)
        return value


class AnythingType(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything

    def __or__(cls, other):
        return cls

    def __ror__(cls, other):
        return cls

    def __getitem__(cls, _):
        return cls

    def __iter__(cls):
        return iter(())


class Anything(metaclass=AnythingType):
    """A class, decorator or object in a stub."""

    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)

    def __init_subclass__(cls, **kwargs):
        pass

    @classmethod
    def __get_pydantic_core_schema__(cls, *_):
        return {"type": "any"}

    def __iter__(self):
        return iter(())

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stub for each module of the peers that is none of `READ`, with the folder of its package."""

    def __init__(self, folders):
        self.folders = folders

    def find_spec(self, name, path=None, target=None):
        folder = self.folders.get(name.split(".")[0])
        if folder is None or f"{name}.".startswith(READ):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Stub(spec.name)

    def exec_module(self, module):
        folder = self.folders[module.__name__.split(".")[0]]
        module.__path__ = [str(folder.joinpath(*module.__name__.split(".")))]


class Missing(Stubs):
    """Finds a stub for each module that no other finder has."""

    def find_spec(self, name, path=None, target=None):
        parent = name.rpartition(".")[0]
        if name in sys.stdlib_module_names or parent and not isinstance(sys.modules.get(parent), Stub):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module):
        module.__path__ = []


class Vocabulary(dict):
    """Every token has a number."""

    def __contains__(self, token):
        return True

    def __missing__(self, token):
        self[token] = len(self) + 1
        return self[token]

    def get(self, token, default=None):
        return self[token]


class Tokenizer:
    """A tokenizer whose tokens are characters."""

    all_special_tokens = ()
    vocab = Vocabulary()
    name_or_path = ""

    def get_vocab(self):
        return self.vocab

    def encode(self, text, **_):
        return [ord(one) for one in text]

    def decode(self, tokens, **_):
        return "".join(map(chr, tokens))

    def convert_tokens_to_ids(self, token):
        return self.vocab[token]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


def fetch(package, index, cache):
    """Unpacks the newest release of a package and returns its folder and version."""
    index = index.format(package)
    with urllib.request.urlopen(index, timeout=60) as answer:
        release = json.load(answer)
    version, folder = release["info"]["version"], cache / package
    if (folder / version).exists():
        return folder, version
    file = next(one for one in release["urls"] if one["filename"].endswith(PACKAGES[package]))
    address = urllib.parse.urljoin(index, file["url"])
    with urllib.request.urlopen(address, timeout=300) as answer:
        data = io.BytesIO(answer.read())
    if PACKAGES[package] == ".whl":
        archive = zipfile.ZipFile(data)
        members = {name: name for name in archive.namelist()}
        read = archive.read
    else:
        archive = tarfile.open(fileobj=data)
        members = {one.name.split("/", 1)[-1]: one.name for one in archive if one.isfile()}
        read = lambda name: archive.extractfile(name).read()
    for name, member in members.items():
        if name.startswith(f"{package}/") and name.endswith(".py"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(read(member))
    (folder / version).touch()
    return folder, version


def tools_of(row):
    """The tools of a request, as far as the text's row has them."""
    tools = row.get("tools") or []
    if not tools:
        names = set(row.get("tools_named") or []) | {one["name"] for one in row["expected_calls"] or []}
        tools = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in sorted(names)]
    return [one if "function" in one else {"type": "function", "function": one} for one in tools]


class Record(dict):
    """A request or a tool, with members as attributes."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def model_dump(self, **_):
        return dict(self)

    def model_copy(self, **_):
        return self


def record(value):
    if isinstance(value, dict):
        return Record({name: record(one) for name, one in value.items()})
    return [record(one) for one in value] if isinstance(value, list) else value


def sglang(row, parser):
    from sglang.srt.function_call.function_call_parser import FunctionCallParser

    _, calls = FunctionCallParser(record(tools_of(row)), parser).parse_non_stream(row["input"])
    return [(call.name, call.parameters) for call in calls]


def vllm(row, parser):
    from vllm.tool_parsers import ToolParserManager

    kind, tools = ToolParserManager.get_tool_parser(parser), record(tools_of(row))
    takes_tools = len(inspect.signature(kind.__init__).parameters) > 2
    reader = kind(Tokenizer(), tools) if takes_tools else kind(Tokenizer())
    request = record({"tools": tools, "tool_choice": "auto", "messages": []})
    found = reader.extract_tool_calls(row["input"], request)
    if inspect.isawaitable(found):
        found = asyncio.run(found)
    return [(call.function.name, call.function.arguments) for call in found.tool_calls or []]


def llmjson(rows, program):
    """The calls that `llmjson batch` finds in each text."""
    lines = []
    for number, row in enumerate(rows):
        tools = [one["function"] for one in tools_of(row)]
        lines.append(json.dumps({"id": number, "op": "calls", "input": row["input"], "tools": tools}))
    ran = subprocess.run([program, "batch"], input="\n".join(lines), capture_output=True, text=True, check=False)
    answers = {one["id"]: one for one in map(json.loads, ran.stdout.splitlines())}
    found = []
    for number in range(len(rows)):
        calls = answers.get(number, {}).get("calls", [])
        found.append([(one["name"], one["arguments"]) for one in calls if one.get("complete", True)])
    return found


def is_right(row, calls):
    def value(arguments):
        return json.loads(arguments or "{}") if isinstance(arguments, str) else arguments

    expected = row["expected_calls"]
    try:
        got = [(name, value(arguments)) for name, arguments in calls]
        want = [(one["name"], value(one["arguments"])) for one in expected or []]
    except ValueError:
        return False
    return got == want


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("texts", type=pathlib.Path)
    options.add_argument("--index", required=True, help="address of a package as JSON in a Python index, with {} for its name")
    options.add_argument("--llmjson", default="target/release/llmjson")
    options.add_argument("--cache", type=pathlib.Path, default=pathlib.Path.home() / ".cache/llmjson-peers")
    options.add_argument("--why", action="store_true", help="print what the peers raise")
    options = options.parse_args()
    logging.disable(logging.CRITICAL)
    rows = [json.loads(line) for line in options.texts.read_text().splitlines() if line]
    rows = [row for row in rows if row["family"] in FAMILIES and row.get("full", True)]
    # Texts of which any answer is right.
    rows = [row for row in rows if "may or may not" not in (row.get("note") or "")]
    versions, folders = {}, {}
    for package in PACKAGES:
        folders[package], versions[package] = fetch(package, options.index, options.cache)
    sys.meta_path.insert(0, Stubs(folders))
    sys.meta_path.append(Missing(folders))
    ours = llmjson(rows, options.llmjson)
    table = {}
    for row, found in zip(rows, ours):
        marks = [is_right(row, found)]
        for peer, parser in zip((sglang, vllm), FAMILIES[row["family"]]):
            try:
                marks.append(None if parser is None else is_right(row, peer(row, parser)))
            except Exception as error:  # noqa: BLE001: what a peer raises is its answer
                marks.append(False)
                if options.why:
                    print(f"{peer.__name__} {parser}: {type(error).__name__}: {error}", file=sys.stderr)
        table.setdefault(row["family"], []).append(marks)
    print(f"| family | texts | llmjson | SGLang {versions['sglang']} | vLLM {versions['vllm']} |")
    print("|---|---|---|---|---|")
    for family, marks in [*sorted(table.items()), ("all", sum(table.values(), []))]:
        shown = []
        for column in zip(*marks):
            known = [mark for mark in column if mark is not None]
            shown.append(f"{sum(known)} of {len(known)}" if known else "-")
        print(f"| {family} | {len(marks)} | {' | '.join(shown)} |")


if __name__ == "__main__":
    main()
