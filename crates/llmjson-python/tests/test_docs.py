"""The examples in the docstrings of what is compiled, which doctest does not find by itself."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
import stub_docs

import llmjson
from llmjson import _llmjson

OBJECTS = {name: getattr(_llmjson, name) for name in dir(_llmjson) if not name.startswith("__")}
PARTS = [
    (f"{name}.{member}", value)
    for name, holder in OBJECTS.items()
    if isinstance(holder, type)
    for member, value in vars(holder).items()
    if not member.startswith("__")
]


@pytest.mark.parametrize(
    ("name", "item"), [*OBJECTS.items(), *PARTS], ids=lambda one: str(one)[:40]
)
def test_examples(name: str, item: Any) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    text = getattr(item, "__doc__", None) or ""
    runner.run(parser.get_doctest(text, {}, name, None, None))
    assert runner.summarize().failed == 0


def test_everything_public_is_described() -> None:
    for name in llmjson.__all__:
        assert getattr(llmjson, name).__doc__, name
    bare = [name for name, item in PARTS if not getattr(item, "__doc__", "x")]
    public = tuple(f"{name}." for name in llmjson.__all__)
    assert not [name for name in bare if name.startswith(public) and "._" not in name]


@pytest.mark.parametrize("name", stub_docs.STUBS)
def test_editors_find_the_same_descriptions(name: str) -> None:
    module = pytest.importorskip(name)
    if not stub_docs.STUBS[name].is_file():
        pytest.skip("the sources of the other distribution are not here")
    stub = stub_docs.STUBS[name].read_text()
    assert stub_docs.with_docs(module, stub) == stub, "run tests/stub_docs.py"
