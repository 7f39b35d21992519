"""json_repair's interface, so that programs work with `from llmjson.compat import json_repair`.

`docs/json_repair.md` lists the intended differences.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal, TextIO, TypeAlias, overload

from ._errors import ParseError
from ._fitting import fitting
from ._llmjson import Parsed, Policy, dumps_found, loads_found, may_hold_fences, parse
from ._types import is_array, is_object
from ._typing import AnyPolicy, Mode, Text

JSONReturnType: TypeAlias = dict[str, Any] | list[Any] | str | float | int | bool | None
Log: TypeAlias = list[dict[str, str]]

#: Repairs that `strict` refuses: guesses about structure. Quotes, commas and closing brackets are
#: still repaired.
_STRUCTURAL = frozenset(
    {
        "bracketed_members",
        "chosen_value",
        "doubled_quote",
        "dropped_value",
        "escaped_document",
        "extra_closer",
        "extra_opener",
        "joined_strings",
        "missing_braces",
        "missing_colon",
        "missing_opener",
        "missing_value",
        "set",
        "several_values",
        "stray_text",
        "thought_value",
        "unbracketed_list",
        "undefined",
    }
)
#: The values that `loads_found` returns for the state.
_REPAIRED, _ABSENT, _LIMIT = 1, 3, 4
#: The options that the extension handles without Python's help.
_WRITTEN = {"ensure_ascii"}
#: A code block that contains an object or an array, up to its closing fence; it may be within a line.
_FENCED = re.compile(
    r"^[ \t]*```[ \t]*\w*[ \t]*\n?(\s*[{\[].*?)^[ \t]*```|```[ \t]*\w*[ \t]*([{\[][^\n`]*)```", re.M | re.S
)
_THINKING = re.compile(r"<(?:think|thinking|reasoning|reflection)>", re.I)
#: The number of characters that a log entry shows on each side of the position.
_CONTEXT_CHARS = 10
#: No text is too long here; in `parse` the policy decides. json_repair's functions return the
#: readable part of a truncated text.
_WHOLE = Policy("lenient", max_bytes=4_000_000_000)
UNBOUNDED = Policy("lenient", max_bytes=4_000_000_000, truncated="accept")
_FILLING = Policy("lenient", max_bytes=4_000_000_000, truncated="accept", defaults="fill")


@overload
def repair_json(
    json_str: Text = "",
    return_objects: bool = False,
    skip_json_loads: bool = False,
    *,
    logging: Literal[True],
    **options: Any,
) -> tuple[Any, Log]: ...


@overload
def repair_json(
    json_str: Text = "",
    *,
    return_objects: Literal[True],
    skip_json_loads: bool = False,
    logging: Literal[False] = False,
    **options: Any,
) -> Any: ...


@overload
def repair_json(
    json_str: Text,
    return_objects: Literal[True],
    skip_json_loads: bool = False,
    logging: Literal[False] = False,
    **options: Any,
) -> Any: ...


@overload
def repair_json(
    json_str: Text = "",
    return_objects: Literal[False] = False,
    skip_json_loads: bool = False,
    logging: Literal[False] = False,
    **options: Any,
) -> str: ...


@overload
def repair_json(
    json_str: Text = "",
    return_objects: bool = False,
    skip_json_loads: bool = False,
    logging: bool = False,
    **options: Any,
) -> Any: ...


def repair_json(
    json_str: Text = "",
    return_objects: bool = False,
    skip_json_loads: bool = False,
    logging: bool = False,
    json_fd: TextIO | None = None,
    chunk_length: int = 0,
    stream_stable: bool = False,
    strict: bool = False,
    schema: Any = None,
    schema_repair_mode: Mode = "standard",
    policy: AnyPolicy | None = None,
    **json_dumps_args: Any,
) -> Any:
    """Repairs JSON and returns its text; an empty string if it holds no value.

    >>> from llmjson import repair_json
    >>> repair_json("{'name': 'Zoë', 'tags': [1, 2")
    '{"name": "Zo\\\\u00eb", "tags": [1, 2]}'
    >>> repair_json("{'name': 'Zoë'}", ensure_ascii=False)
    '{"name": "Zoë"}'

    Valid JSON is read by `json.loads`, unless `skip_json_loads` is set. `return_objects` returns
    the value, `logging` the value and a list of the repairs. `strict` refuses structural errors:
    missing colons and values, several values, duplicate keys. With a `schema` (a JSON Schema, a
    pydantic model, any type) the value is coerced to it, and missing members get its defaults. A
    `policy` says which changes are allowed, instead. Further keywords go to `json.dumps`.
    `chunk_length` and `stream_stable` have no effect: a text is read at once, and the values of a
    growing text are stable anyway.

    Raises:
        ValueError: if a value cannot be made to fit the schema, or `strict` or the `policy` refuses it.
    """
    if json_fd is not None:
        json_str = json_fd.read()
    if policy is not None:
        if logging or strict:
            raise TypeError("policy goes with neither logging nor strict")
        parsed = parse(json_str, schema, policy=policy, salvage=schema_repair_mode == "salvage")
        parsed.result(allow_truncated=True)
        return parsed.value if return_objects else json.dumps(parsed.value, **json_dumps_args)
    if logging:
        return _logged(json_str, skip_json_loads, strict, schema, schema_repair_mode)
    is_plain = schema is None and not strict and schema_repair_mode == "standard"
    if is_plain and not return_objects and not may_hold_fences(json_str) and json_dumps_args.keys() <= _WRITTEN:
        text, how = dumps_found(json_str, json_dumps_args.get("ensure_ascii", True))
        if text is not None and how <= _REPAIRED and not (how == _REPAIRED and text[:1] == "["):
            return text
    value, is_found = _read(json_str, skip_json_loads, strict, schema, schema_repair_mode)
    if return_objects:
        return value
    return json.dumps(value, **json_dumps_args) if is_found else ""


def loads(
    json_str: Text,
    schema_or_type: Any = None,
    logging: bool = False,
    stream_stable: bool = False,
    strict: bool | None = None,
    schema: Any = None,
    schema_repair_mode: Mode = "standard",
    *,
    skip_json_loads: bool = False,
    context: Any = None,
    allow_truncated: bool = False,
) -> Any:
    """Returns the result of `llmjson.loads`, for any text and options."""
    policy = UNBOUNDED if allow_truncated else _WHOLE
    if schema_or_type is None:
        pass
    elif isinstance(schema_or_type, bool):
        skip_json_loads = schema_or_type
    elif not (logging or schema is not None):
        if context is None and strict is None:
            return parse(json_str, schema_or_type, policy=policy).typed
        return parse(json_str, schema_or_type, policy=policy, context=context, strict=strict).typed
    else:
        raise TypeError("a schema as the second argument goes with no other option")
    if not allow_truncated and _is_truncated(json_str):
        parse(json_str, policy=policy).result()
    if logging:
        return _logged(json_str, skip_json_loads, bool(strict), schema, schema_repair_mode)
    return _read(json_str, skip_json_loads, bool(strict), schema, schema_repair_mode)[0]


def read(text: Text) -> Any:
    """Returns the value of a text, which may be truncated; an empty string if there is none."""
    return _read(text, False, False, None, "standard")[0]


def _is_truncated(text: Text) -> bool:
    try:
        parsed: Parsed[Any] = parse(text, policy=_WHOLE)
    except UnicodeDecodeError:
        return False
    return parsed.found and not parsed.complete


def load(
    fd: TextIO,
    skip_json_loads: bool = False,
    logging: bool = False,
    chunk_length: int = 0,
    strict: bool = False,
    schema: Any = None,
    schema_repair_mode: Mode = "standard",
) -> Any:
    """Returns the value of an open file, as json_repair's `load` does, even if it is truncated.

    >>> import io
    >>> from llmjson import load
    >>> load(io.StringIO("{'a': 1"))
    {'a': 1}
    """
    return repair_json(
        fd.read(),
        return_objects=True,
        skip_json_loads=skip_json_loads,
        logging=logging,
        strict=strict,
        schema=schema,
        schema_repair_mode=schema_repair_mode,
    )


def from_file(
    filename: str | Path,
    skip_json_loads: bool = False,
    logging: bool = False,
    chunk_length: int = 0,
    strict: bool = False,
    schema: Any = None,
    schema_repair_mode: Mode = "standard",
) -> Any:
    """Returns the value of a UTF-8 file, as `load` reads it.

    Raises:
        OSError: if the file cannot be read.
    """
    with Path(filename).open(encoding="utf-8") as fd:
        return load(fd, skip_json_loads, logging, chunk_length, strict, schema, schema_repair_mode)


def _read(
    text: Text, skip_json_loads: bool, strict: bool, schema: Any, mode: str
) -> tuple[Any, bool]:
    """Returns the value, and whether there is one."""
    if schema is not None or strict or mode != "standard":
        return _read_guided(text, skip_json_loads, strict, schema, mode)[:2]
    if may_hold_fences(text) and (fenced := _fenced_values(_plain(text))):
        return _combined(fenced), True
    try:
        value, how = loads_found(text)
    except UnicodeDecodeError:
        # Half surrogate pairs in UTF-8, which Python accepts.
        return json.loads(_plain(text)), True
    if how <= _REPAIRED:
        return (_combined(value) if _holds_several(text, value, how) else value), True
    if not skip_json_loads:
        try:
            return json.loads(_plain(text)), True
        except json.JSONDecodeError:
            pass
    if how == _LIMIT:
        return parse(text, policy=UNBOUNDED).result(), True
    return (value, True) if how < _ABSENT else ("", False)


def _fenced_values(text: str | bytes | bytearray) -> list[Any] | None:
    """Returns the values of several code blocks; `None` unless there are several."""
    if not isinstance(text, str):
        text = text.decode("utf-8", "replace")
    # Reasoning is not an answer, and fences in it do not count.
    if _THINKING.search(text):
        return None
    values: list[Any] = []
    for block in _FENCED.findall(text):
        value, how = loads_found("".join(block))
        if how < _ABSENT and isinstance(value, (dict, list)):
            values.append(value)
    return values if len(values) > 1 else None


def _holds_several(text: Text, value: Any, how: int) -> bool:
    """Returns whether a value is the list of several values that follow each other in the text."""
    if how != _REPAIRED or not is_array(value) or len(value) < 2:
        return False
    if not is_array(value[0]) and _plain(text).lstrip()[:1] not in ("{", b"{"):
        return False
    parsed: Parsed[Any] = parse(text, policy=UNBOUNDED)
    return any(repair.kind == "several_values" for repair in parsed.repairs)


def _combined(values: list[Any]) -> Any:
    """Returns several values as json_repair does: the last of consecutive ones with the same keys and kinds, and none
    that is empty. A single one is returned by itself.

    >>> _combined([{"a": 1}, {"a": 2}, {}]), _combined([[], {"a": 1}, [1]])
    ({'a': 2}, [{'a': 1}, [1]])
    """
    kept = values[:1]
    for value in filter(None, values[1:]):
        if not kept[-1] or _shape(kept[-1]) == _shape(value):
            kept.pop()
        kept.append(value)
    return kept if len(kept) > 1 else kept[0]


def _shape(value: Any) -> Any:
    """Returns the keys and kinds of a value, which are equal for a value and its correction."""
    if is_object(value):
        return {name: _shape(one) for name, one in value.items()}
    if is_array(value):
        return [_shape(one) for one in value]
    return value.__class__


def _read_guided(
    text: Text, skip_json_loads: bool, strict: bool, schema: Any, mode: str
) -> tuple[Any, bool, Parsed[Any] | None]:
    """Returns the value parsed with a schema or strictly, whether there is one, and the result
    unless `json` parsed it.
    """
    if mode not in ("standard", "salvage"):
        raise ValueError(f"schema_repair_mode is 'standard' or 'salvage', not {mode!r}")
    if schema is None and mode == "salvage":
        raise ValueError("schema_repair_mode='salvage' requires schema.")
    if schema is not None and strict:
        raise ValueError("schema and strict cannot be used together.")
    if schema is not None:
        parsed = parse(text, schema, policy=_FILLING, salvage=mode == "salvage")
        fitted = parsed if parsed.ok else fitting(parsed, schema, _FILLING, is_salvage=mode == "salvage")
        fitted.result(allow_truncated=True)
        return fitted.value, True, parsed
    if not skip_json_loads:
        try:
            return json.loads(_plain(text)), True, None
        except ValueError:
            pass
    parsed = parse(text, policy=UNBOUNDED)
    if not parsed.found:
        return "", False, parsed
    if strict:
        _refuse_structure(parsed)
    return parsed.value, True, parsed


def _logged(
    text: Text, skip_json_loads: bool, strict: bool, schema: Any, mode: str
) -> tuple[Any, Log]:
    value, _, parsed = _read_guided(text, skip_json_loads, strict, schema, mode)
    if parsed is None:
        return value, []
    source = _plain(text)
    log: Log = []
    for repair in parsed.repairs:
        context = source[max(0, repair.start - _CONTEXT_CHARS) : repair.end + _CONTEXT_CHARS]
        shown = context if isinstance(context, str) else context.decode("utf-8", "replace")
        log.append({"text": repair.sentence, "context": shown})
    for coercion in parsed.coercions:
        log.append({"text": coercion.sentence, "context": coercion.path})
    return value, log


def _refuse_structure(parsed: Parsed[Any]) -> None:
    text = _plain(parsed.source)
    for repair in parsed.repairs:
        quotes = text[repair.start : repair.start + 2]
        is_doubled = repair.kind == "other_quotes" and quotes in ('""', b'""')
        if repair.kind in _STRUCTURAL or is_doubled:
            raise ParseError(
                f"strict mode: {repair.sentence} (line {repair.line}, column {repair.column})",
                parsed,
                parsed.feedback(),
            )
    for note in parsed.notes:
        if note.kind == "duplicate_key":
            raise ParseError(
                f"strict mode: {note.sentence} (line {note.line}, column {note.column})",
                parsed,
                parsed.feedback(),
            )
    if _has_empty_key(parsed.value):
        raise ParseError("strict mode: a member has an empty name", parsed, parsed.feedback())


def _has_empty_key(value: Any) -> bool:
    left = [value]
    while left:
        item = left.pop()
        if is_object(item):
            if "" in item:
                return True
            left.extend(item.values())
        elif is_array(item):
            left.extend(item)
    return False


def _plain(text: Text) -> str | bytes | bytearray:
    return text.tobytes() if isinstance(text, memoryview) else text
