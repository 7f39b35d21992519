"""The compiled part of the package."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, final, overload

from typing_extensions import TypeForm, TypeVar

from ._records import Certainty, Coercion, Edit, Event, Note, Refusal, Repair, Violation
from ._typing import AnyPolicy, Described, Json, Mode, PolicyName, Text

T = TypeVar("T", default=Any)
T_co = TypeVar("T_co", default=Any, covariant=True)

__version__: str

_Change = tuple[
    Literal["started", "arguments", "finished", "superseded"],
    int,
    str | None,
    bool | None,
    bool | None,
    str | None,
    str | None,
]
_FoundCalls = tuple[
    list[FoundCall], str, str, list[tuple[str, str, int, int, str, str]], tuple[int, int] | None
]

@final
class Schema(Generic[T_co]):
    """A schema, compiled once. It can be shared between threads and pickled.

    `source` is a JSON Schema (a dict, a bool or its text), a pydantic model or `TypeAdapter`, a
    dataclass, a `TypedDict`, another type hint, or a `Schema`. Raises SchemaError if it is invalid.
    `context` and `strict` are passed to pydantic's validators.

    >>> from llmjson import Schema, parse
    >>> schema = Schema({"type": "object", "properties": {"days": {"type": "integer"}}})
    >>> parse("{days: '3'}", schema).value
    {'days': 3}
    """
    @overload
    def __new__(cls, source: Json, /) -> Schema[Any]: ...
    @overload
    def __new__(
        cls, source: Described[T], /, *, context: Any = None, strict: bool | None = None
    ) -> Schema[T]: ...
    @overload
    def __new__(
        cls, source: TypeForm[T], /, *, context: Any = None, strict: bool | None = None
    ) -> Schema[T]: ...
    @property
    def json(self) -> Any:
        """The JSON Schema, as plain objects."""
    @property
    def _text(self) -> str:
        """The text of the JSON Schema, as passed to other processes and to the kernel for columns."""
    @property
    def type(self) -> Any:
        """The Python type that was given; None for a JSON Schema."""
    @property
    def _judge(self) -> Callable[[str, Any], tuple[Any, list[tuple[str, str, bool]]]] | None:
        """The function by which the type judges; None without a type."""
    @property
    def _given(self) -> tuple[Any, bool | None]:
        """The context and the strictness for the type's validators."""
    def prompt(self) -> str:
        """Returns the schema compactly for a prompt: as a TypeScript-like type.

        >>> from llmjson import Schema
        >>> days = {"type": "integer", "minimum": 1, "description": "How long."}
        >>> print(Schema({"properties": {"city": {"type": "string"}, "days": days}, "required": ["city"]}).prompt())
        {
          city: string
          days?: integer // How long. At least 1.
        }
        """
    def validate(self, value: Any, /) -> tuple[Violation, ...]:
        """Returns every violation of the schema by a value; an empty tuple if there is none.

        >>> from llmjson import Schema
        >>> [wrong.path for wrong in Schema({"type": "integer"}).validate("3")]
        ['$input']
        """
    def __hash__(self) -> int: ...

@final
class Policy:
    """The changes that are allowed to get a value: a preset, and settings that differ from it.

    The presets are `lenient`, `strict`, `shape`, `conservative`, `tool` and `exact`. `truncated`
    and `duplicate_keys` are `accept` or `refuse` (`truncated="accept"` corresponds to
    `allow_truncated` elsewhere), `formats` is `lenient` (`2025-05-01 10:00` is a date-time, and
    becomes `2025-05-01T10:00:00`, with a note), `as_written` (it stays unchanged) or `strict`,
    `undeclared` is `keep`, `keep_forbidden`, `drop` or `reject`, `invalid` is `report`, `drop`
    (list items and optional members that do not conform are dropped, each with a record) or
    `replace` (the same, but items are replaced by None), `defaults` is `leave` or `fill`,
    `containers_as_text` is `refuse` or `accept` (an object becomes JSON text where a string is
    expected, and a list of strings becomes lines), `texts_as_containers` is `refuse` or `accept` (a
    string of JSON is parsed where a union accepts both), `certainty` is the minimum certainty of
    changes: `certain`, `likely` or `guess`. `wording` is the wording of expectations in violations
    and feedback: `tags` (`integer & Minimum<1>`) or `plain` (`a whole number of at least 1`).
    `max_bytes` limits the length of the text, `max_depth` (at most 1,000) the nesting of its value,
    `max_candidates` the number of candidate values, `max_work` the work beyond reading each byte,
    `max_records` the number of records, `max_digits` the digits of a number that is compared with
    bounds, and `max_feedback_bytes` the feedback. `Parsed.limits` names the limits that were reached.

    >>> from llmjson import Policy, parse
    >>> parse("{days: 3", policy=Policy("tool", truncated="accept")).ok
    True
    """
    def __new__(
        cls,
        preset: PolicyName = "lenient",
        *,
        truncated: Literal["accept", "refuse"] | None = None,
        duplicate_keys: Literal["accept", "refuse"] | None = None,
        undeclared: Literal["keep", "keep_forbidden", "drop", "reject"] | None = None,
        invalid: Literal["report", "drop", "replace"] | None = None,
        defaults: Literal["leave", "fill"] | None = None,
        containers_as_text: Literal["accept", "refuse"] | None = None,
        texts_as_containers: Literal["accept", "refuse"] | None = None,
        certainty: Certainty | None = None,
        formats: Literal["lenient", "strict", "as_written"] | None = None,
        wording: Literal["tags", "plain"] | None = None,
        max_bytes: int | None = None,
        max_depth: int | None = None,
        max_candidates: int | None = None,
        max_work: int | None = None,
        max_records: int | None = None,
        max_digits: int | None = None,
        max_feedback_bytes: int | None = None,
    ) -> Policy: ...
    @property
    def preset(self) -> PolicyName:
        """The name of the preset."""
    def __getnewargs_ex__(self) -> tuple[tuple[PolicyName], dict[str, Any]]: ...
    def __hash__(self) -> int: ...

@final
class Parsed(Generic[T_co]):
    """The result of parsing a reply: the best value, how it was read, the changes made to fit the
    schema, and the remaining violations.

    >>> import llmjson
    >>> parsed = llmjson.parse("Sure: {city: 'Oslo'}")
    >>> parsed.ok, parsed.value, parsed.certainty
    (True, {'city': 'Oslo'}, 'certain')
    """
    @property
    def value(self) -> Any:
        """The value as plain Python objects: the best interpretation, even if it does not conform.
        None if there is no value; see `found`. It is created once: each access returns the same
        object.
        """
    @property
    def typed(self) -> T_co:
        """The value as an instance of the schema's type, such as a pydantic model: the same as
        `result()`. Raises ParseError if the value does not conform.
        """
    @property
    def ok(self) -> bool:
        """True if there is a value, the policy allows it, and it satisfies the schema, if there is
        one. If the schema was made from a type, such as a pydantic model, the type decides whether
        the value conforms: a note says so if the type accepts a value that its schema does not
        describe.
        """
    def __bool__(self) -> bool:
        """Returns `ok`, so that `if parsed:` tests for a usable value."""
    @property
    def index(self) -> int | None:
        """The index among the results of `parse_many` or `parse_all`; None for a single text."""
    @property
    def unread(self) -> str | None:
        """The reason why an item of `parse_many` was not parsed, if it is not text; otherwise None."""
    @property
    def found(self) -> bool:
        """True if the reply holds a value."""
    @property
    def complete(self) -> bool:
        """True if the value was not truncated. If False, a caller with side effects should refuse the
        value.
        """
    @property
    def truncation(self) -> Literal["closers", "value"] | None:
        """The part that is missing from a truncated value: only closing brackets (`closers`), or a
        part of the value (`value`), for example if the text ends with a number; None if the value
        is complete. With `finish_reason="stop"`, a value that lacks only brackets is complete.
        """
    @property
    def certainty(self) -> Certainty | None:
        """The certainty that the value is the intended one: `certain`, `likely` or `guess`; None
        without a value. The schema's type may make it less certain: see `coercions`.
        """
    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The changes made to read the text as JSON."""
    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes about the text where nothing was changed, such as a duplicate key."""
    @property
    def limits(self) -> tuple[str, ...]:
        """The names of the limits that were reached: `input_bytes`, `depth`, `candidates`, `work`,
        `records`, `digits` or `pattern_steps`.
        """
    @property
    def coercions(self) -> tuple[Coercion, ...]:
        """The changes made to fit the value to the schema. If the schema was made from a type, such as
        a pydantic model, values that the type reads differently from `value` are included
        (`read_by_type`): `typed` contains them. The policy judges them like the others.
        """
    @property
    def violations(self) -> tuple[Violation, ...]:
        """The remaining violations of the schema, or of the type that it was made from: the type's
        rejections, in its own words.
        """
    @property
    def refused(self) -> tuple[Refusal, ...]:
        """The repairs, coercions and other properties of the reply that the policy refuses."""
    @property
    def schema(self) -> Schema[T_co] | None:
        """The schema that the value was coerced to; None without one."""
    @property
    def source(self) -> Any:
        """The text that was passed in."""
    def result(self, *, allow_truncated: bool = False) -> T_co:
        """Returns the value if it is `ok` and complete, as an instance of the schema's type if it has
        one; otherwise raises ParseError with the feedback. `allow_truncated` also accepts a
        truncated value.

        >>> import llmjson
        >>> llmjson.parse("I cannot do that.").result()
        Traceback (most recent call last):
            ...
        llmjson._errors.ParseError: the reply holds no JSON value
        >>> llmjson.parse("[1, 2").result(allow_truncated=True)
        [1, 2]
        """
    def feedback(self) -> str:
        """Returns feedback with which the model can correct the reply: the value with each error next
        to its place; an empty string if there is none.

        >>> import llmjson
        >>> schema = {"properties": {"days": {"type": "integer"}}, "required": ["days"]}
        >>> print(llmjson.parse("{days: 'many'}", schema).feedback())
        ```json
        {
          "days": "many" // ❌ [{"path":"$input.days","expected":"integer"}]
        }
        ```
        """
    def to_json(self, *, pretty: bool = False) -> str | None:
        """Returns the value as compact JSON, with every digit of its numbers; None without a value.

        >>> import llmjson
        >>> llmjson.parse("{price: 12.50,}").to_json()
        '{"price":12.50}'
        """
    def edits(
        self, *, unfinished: Literal["drop", "complete"] = "drop", comments: Literal["drop", "keep"] = "drop"
    ) -> tuple[Edit, ...]:
        """Returns the edits that the repairs make to the text, in text order. A member or number that
        was truncated before its value began is dropped (`unfinished="drop"`) or completed with null
        or the digit 0 (`"complete"`). Comments are dropped (`comments="drop"`), or kept so that the
        text becomes JSON with comments (`"keep"`): `//` and `/*` comments, and `#` comments, which
        become `//`.

        >>> import llmjson
        >>> [(edit.start, edit.end, edit.replacement) for edit in llmjson.parse("{a: 1,}").edits()]
        [(1, 2, '"a"'), (5, 6, '')]
        """
    def repaired_text(
        self, *, unfinished: Literal["drop", "complete"] = "drop", comments: Literal["drop", "keep"] = "drop"
    ) -> str:
        """Returns the repaired text: strict JSON with the white space, member order and number
        spellings of the text; if comments are kept (`comments="keep"`), JSON with comments. It does
        not include coercions. Raises ParseError without a value, and if the policy refuses it.

        >>> import llmjson
        >>> print(llmjson.parse("{\\n  a: 1.50,\\n}").repaired_text())
        {
          "a": 1.50
        }
        """
    def report(self) -> dict[str, Any]:
        """Returns the report as plain objects, as printed by `llmjson parse --report`. Offsets in it
        count bytes of UTF-8.
        """
    def report_json(self) -> str:
        """Returns the report as JSON."""
    def _repr_html_(self) -> str:
        """Returns the reply as HTML with each repair marked in place, for notebooks."""

class Stream(Generic[T_co]):
    """A streamed reply, and its value so far.

    A value that has been shown is never retracted before the end: strings and lists grow, numbers
    and keywords appear once complete. Pieces are str or bytes; bytes may end inside a character.

    >>> from llmjson import Stream
    >>> stream = Stream({"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}})
    >>> stream.push("Here: {city: 'Par")
    >>> stream.value
    {'city': 'Par'}
    >>> stream.push("is', days: '3'}")
    >>> stream.finish().value
    {'city': 'Paris', 'days': 3}
    """
    def _repr_html_(self) -> str:
        """Returns the value so far next to the text so far as HTML, for notebooks."""
    def push(self, piece: Text, /) -> None:
        """Takes the next piece of the reply. Raises ValueError after the end."""
    def _advance(self, piece: Text) -> bool:
        """Takes the next piece, and returns whether the value has changed."""
    @property
    def value(self) -> Any:
        """The value so far; None before one has begun. It does not change when more text arrives.
        Complete lists and dicts are shared with earlier and later values: copy them before changing
        them. An undeclared member may be in a different position in the result.
        """
    def to_json(self) -> str | None:
        """Returns the value so far as JSON; None before one has begun."""
    def events(self) -> tuple[Event, ...]:
        """Returns the changes since the last call, in order."""
    def finish(self, *, finish_reason: str | None = None) -> Parsed[T_co]:
        """Ends the reply and returns its result: the result of `parse` for the whole text."""
    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations found so far that later text cannot resolve; at the end, all violations."""
    def _items(self, schema: Schema[Any], list: str = "") -> list[Parsed[Any]]:
        """Returns the list items completed since the last call, coerced to the item schema. `list` is
        the JSON Pointer of a list within the value; empty for the value itself.
        """
    @property
    def schema(self) -> Schema[T_co] | None:
        """The schema to which the reply is coerced."""
    @property
    def superseded(self) -> bool:
        """True if the result does not continue the value that was shown: discard the shown value."""

@final
class Registry:
    """The tools of a list, checked and compiled."""
    def __new__(cls, tools: str, *, policy: AnyPolicy | None = None) -> Registry: ...
    @property
    def names(self) -> list[str]:
        """The names of the tools, in list order."""
    def describe(self, name: str, target: str | None = None) -> tuple[str, Any]:
        """Returns the description and the schema of a tool, in a provider's format if one is named."""
    def bind(self, name: str, arguments: Text, *, finish_reason: str | None = None) -> Binding:
        """Parses the arguments of a call."""
    def calls_in(
        self, text: Text, *, family: list[str] | None = None
    ) -> _FoundCalls:
        """Finds the calls in a text; also returns the text around them, the reasoning, quoted calls,
        and the part that was not searched.
        """
    def stream(self, *, family: list[str] | None = None) -> CallStream:
        """Returns a stream that finds calls in streamed text."""

@final
class CallStream:
    """Finds calls in streamed text."""
    def push(self, piece: Text, /) -> list[_Change]:
        """Takes the next piece, and returns the changes."""
    def finish(self) -> tuple[list[_Change], _FoundCalls]:
        """Ends the text, and returns the changes, the calls and the other findings."""

@final
class Binding:
    """The result of parsing the arguments of a call."""
    @property
    def name(self) -> str:
        """The name of the tool."""
    @property
    def ok(self) -> bool:
        """True if the tool is known and its arguments conform without a guess."""
    @property
    def known(self) -> bool:
        """True if the tool is known."""
    @property
    def arguments(self) -> Any:
        """The arguments after coercion; None if there are none."""
    @property
    def certainty(self) -> Certainty | None: ...
    @property
    def complete(self) -> bool: ...
    @property
    def issues(self) -> list[dict[str, Any]]:
        """The problems with the arguments, as plain objects."""
    @property
    def fields(self) -> list[dict[str, Any]]:
        """The origin of each member: its key in the call, and its present key, as plain objects."""
    def to_json(self) -> str | None:
        """Returns the arguments as JSON; None if there are none."""
    def explain(self) -> str:
        """Returns feedback for the model."""
    def html(self) -> str:
        """Returns the arguments with their changes and errors marked, for notebooks."""

@final
class FoundCall:
    """A call found in a text."""
    @property
    def name(self) -> str: ...
    @property
    def id(self) -> str | None: ...
    @property
    def arguments(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def family(self) -> str: ...
    @property
    def certainty(self) -> Certainty: ...
    @property
    def complete(self) -> bool: ...
    @property
    def ok(self) -> bool: ...
    @property
    def binding(self) -> Binding | None: ...

@final
class Turn:
    """A conversation with a model that continues until a reply conforms: the messages to send next.

    `check` is called with the `Parsed` of each conforming reply, and returns the problems with its
    value: pairs of a path and a sentence. `schema_in` is `feedback` if the messages describe the
    schema, or `prompt` to add it to them.
    """
    def __new__(
        cls,
        schema: Schema[Any],
        messages: Sequence[Mapping[str, Any]],
        *,
        max_retries: int | None = None,
        policy: AnyPolicy | None = None,
        check: Callable[[Parsed[Any]], Sequence[tuple[str, str]]] | None = None,
        schema_in: str = "feedback",
        allow_truncated: bool = False,
    ) -> Turn: ...
    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages to send to the model: the given ones, with all their members, and feedback;
        empty after the end.
        """
    @property
    def attempts(self) -> int:
        """The number of replies so far."""
    def feed(self, reply: str, /, *, finish_reason: str | None = None) -> Parsed[Any] | None:
        """Takes the model's reply. Returns its result if it conforms, or None if the model must be
        asked again; raises RetryError if there are no retries left.
        """

@overload
def parse(
    text: Text,
    schema: Json | None = None,
    *,
    policy: AnyPolicy = "lenient",
    finish_reason: str | None = None,
    parse_float: Callable[[str], Any] | None = None,
    salvage: bool = False,
) -> Parsed[Any]:
    """Parses a reply and coerces its value to the schema.

    `text` is str, bytes, bytearray or memoryview; bytes are UTF-8, UTF-16 or UTF-32. `schema` is
    anything that `Schema` accepts. `policy` is a preset name or a `Policy`. `finish_reason` is why
    the model stopped: with `length` and similar reasons the value counts as truncated.
    `parse_float`, such as `decimal.Decimal`, is called with the text of each number that has a
    fraction or an exponent. With `salvage`, list items and optional members that do not conform are
    dropped, each with a record in `coercions`, as with `Policy(invalid="drop")`. `context` and
    `strict` are passed to the validators of a pydantic type.

    Any text gives a result: see `Parsed.ok`. Bytes that are not text raise UnicodeDecodeError, an
    invalid schema raises SchemaError. Parsing a long text can be interrupted.

    >>> import llmjson
    >>> schema = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}
    >>> parsed = llmjson.parse("Sure: {city: 'Oslo', days: \\"3\\"}", schema)
    >>> parsed.value
    {'city': 'Oslo', 'days': 3}
    >>> [repair.kind for repair in parsed.repairs], parsed.coercions[0].path
    (['surrounding_text', 'unquoted_key', 'other_quotes', 'unquoted_key'], '$input.days')
    """

@overload
def parse(
    text: Text,
    schema: Described[T],
    *,
    policy: AnyPolicy = "lenient",
    finish_reason: str | None = None,
    parse_float: Callable[[str], Any] | None = None,
    salvage: bool = False,
    context: Any = None,
    strict: bool | None = None,
) -> Parsed[T]: ...
@overload
def parse(
    text: Text,
    schema: TypeForm[T],
    *,
    policy: AnyPolicy = "lenient",
    finish_reason: str | None = None,
    parse_float: Callable[[str], Any] | None = None,
    salvage: bool = False,
    context: Any = None,
    strict: bool | None = None,
) -> Parsed[T]: ...
@overload
def arguments(
    text: Text,
    schema: Json | None = None,
    *,
    policy: AnyPolicy = "tool",
    finish_reason: str | None = None,
    parse_float: Callable[[str], Any] | None = None,
    allow_truncated: bool = False,
) -> Parsed[Any]:
    """Parses the arguments of a tool call. Unlike `parse`, reads blank text and `null` as `{}` if
    nothing is required, and uses the policy `tool` by default. Truncated arguments are not `ok`
    unless `allow_truncated` is set.

    >>> import llmjson
    >>> llmjson.arguments("").value
    {}
    >>> llmjson.arguments("{to: 'Ann', amount: 1").ok
    False
    """

@overload
def arguments(
    text: Text,
    schema: Described[T],
    *,
    policy: AnyPolicy = "tool",
    finish_reason: str | None = None,
    parse_float: Callable[[str], Any] | None = None,
    allow_truncated: bool = False,
    context: Any = None,
    strict: bool | None = None,
) -> Parsed[T]: ...
@overload
def arguments(
    text: Text,
    schema: TypeForm[T],
    *,
    policy: AnyPolicy = "tool",
    finish_reason: str | None = None,
    parse_float: Callable[[str], Any] | None = None,
    allow_truncated: bool = False,
    context: Any = None,
    strict: bool | None = None,
) -> Parsed[T]: ...
@overload
def parse_all(
    text: Text,
    schema: Json | None = None,
    *,
    policy: AnyPolicy = "lenient",
    finish_reason: str | None = None,
    parse_float: Callable[[str], Any] | None = None,
) -> list[Parsed[Any]]:
    """Parses each value that a reply may mean, in text order.

    >>> import llmjson
    >>> [parsed.value for parsed in llmjson.parse_all("First {a: 1}, then {a: 2}.")]
    [{'a': 1}, {'a': 2}]
    """

@overload
def parse_all(
    text: Text,
    schema: Described[T],
    *,
    policy: AnyPolicy = "lenient",
    finish_reason: str | None = None,
    parse_float: Callable[[str], Any] | None = None,
    context: Any = None,
    strict: bool | None = None,
) -> list[Parsed[T]]: ...
@overload
def parse_all(
    text: Text,
    schema: TypeForm[T],
    *,
    policy: AnyPolicy = "lenient",
    finish_reason: str | None = None,
    parse_float: Callable[[str], Any] | None = None,
    context: Any = None,
    strict: bool | None = None,
) -> list[Parsed[T]]: ...
@overload
def coerce(
    value: Any,
    schema: Json,
    *,
    policy: AnyPolicy = "lenient",
    parse_float: Callable[[str], Any] | None = None,
) -> Parsed[Any]:
    """Coerces a value of plain Python objects to the schema.

    >>> import llmjson
    >>> llmjson.coerce({"days": "3"}, {"properties": {"days": {"type": "integer"}}}).value
    {'days': 3}
    """

@overload
def coerce(
    value: Any,
    schema: Described[T],
    *,
    policy: AnyPolicy = "lenient",
    parse_float: Callable[[str], Any] | None = None,
    context: Any = None,
    strict: bool | None = None,
) -> Parsed[T]: ...
@overload
def coerce(
    value: Any,
    schema: TypeForm[T],
    *,
    policy: AnyPolicy = "lenient",
    parse_float: Callable[[str], Any] | None = None,
    context: Any = None,
    strict: bool | None = None,
) -> Parsed[T]: ...
def parse_many(
    texts: list[Text | None],
    schema: Any = None,
    *,
    policy: AnyPolicy | None = None,
    threads: int | None = None,
    parse_float: Callable[[str], Any] | None = None,
    tick: Callable[[int], Any] | None = None,
    first: int = 0,
) -> list[Parsed[Any]]:
    """Parses texts on all cores: returns the result of `parse` for each, in the same order. `threads`
    is their number, by default one per core. `tick` is called with the number of texts parsed since
    the last call. `first` is the index of the first text among all of the caller's. An item that is
    not text has a result without a value.
    """

@overload
def loads(
    json_str: Text,
    schema_or_type: Described[T],
    *,
    context: Any = None,
    strict: bool | None = None,
    allow_truncated: bool = False,
) -> T:
    """Parses JSON, which may be damaged, and returns its value; an empty string if there is none.

    >>> from llmjson import loads
    >>> loads("Sure: {city: 'Oslo', days: 3,}")
    {'city': 'Oslo', 'days': 3}

    If the second argument is a schema or a type, the value is coerced to it and returned as an
    instance of the type:

    >>> loads("{days: '3'}", dict[str, int])
    {'days': 3}
    >>> loads("I cannot do that.", dict[str, int])
    Traceback (most recent call last):
    llmjson._errors.ParseError: the reply holds no JSON value

    In this case, `context` and `strict` are passed to the type's validators. The other arguments
    are those of `repair_json`. A bool as the second argument is `skip_json_loads`.

    Raises ParseError if the value does not conform, or if the text is truncated and
    `allow_truncated` is not set.
    """


@overload
def loads(
    json_str: Text,
    schema_or_type: TypeForm[T],
    *,
    context: Any = None,
    strict: bool | None = None,
    allow_truncated: bool = False,
) -> T: ...


@overload
def loads(
    json_str: Text,
    schema_or_type: Json | None = None,
    logging: bool = False,
    stream_stable: bool = False,
    strict: bool = False,
    schema: Any = None,
    schema_repair_mode: Mode = "standard",
    *,
    skip_json_loads: bool = False,
    allow_truncated: bool = False,
) -> Any: ...

def loads_found(text: Text, /) -> tuple[Any, int]:
    """Returns the value of a text and how it was read:

    | number | meaning |
    |---|---|
    | 0 | nothing had to be done |
    | 1 | the text was repaired, and is no JSON |
    | 2 | the text was repaired, but Python may read it: `NaN`, half surrogate pairs, a byte order mark |
    | 3 | there is no value |
    | 4 | there is no value, since a limit was reached |
    """

def may_hold_fences(text: Text, /) -> bool:
    """Returns whether there may be several code blocks. Text that begins as JSON has none."""

def dumps_found(text: Text, ensure_ascii: bool, /) -> tuple[str | None, int]:
    """Returns the value's text as `json.dumps` writes it, and how it was read, as `loads_found` does.
    The text is None if there is no value, or if Python must write it.
    """

def stringify(
    value: Any, errors: Sequence[Mapping[str, Any] | Violation], schema: Any = None
) -> str:
    """Returns feedback for a model: the value as JSON with the errors next to their places.

    `value` consists of plain Python objects, or is a `Parsed`. Each error is a dict with `path`
    (such as `$input.days[0]`), `expected` and optionally `description`, or an object with these
    attributes, such as a `Violation`.

    >>> import llmjson
    >>> print(llmjson.stringify({"days": 0}, [{"path": "$input.days", "expected": "at least 1"}]))
    ```json
    {
      "days": 0 // ❌ [{"path":"$input.days","expected":"at least 1"}]
    }
    ```
    """

def calls_html(content: str, calls: list[tuple[str, Binding | None]]) -> str:
    """Returns calls with the text around them, for notebooks. Each has a title, and its binding if its
    tool is known.
    """
