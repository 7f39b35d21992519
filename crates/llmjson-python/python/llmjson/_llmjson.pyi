"""The compiled part of the package."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, final, overload

from typing_extensions import TypeForm, TypeVar

from ._records import Certainty, Coercion, Edit, Event, Note, Refusal, Repair, Violation
from ._typing import AnyPolicy, Described, Json, Mode, PolicyName, Text

T = TypeVar("T", default=Any)
T_co = TypeVar("T_co", default=Any, covariant=True)

__version__: str

_Change = tuple[Literal["started", "arguments", "finished", "superseded"], int, str | None, bool | None]
_FoundCalls = tuple[
    list[FoundCall], str, str, list[tuple[str, str, int, int, str, str]], tuple[int, int] | None
]

@final
class Schema(Generic[T_co]):
    """A schema, compiled once. It can be shared between threads and pickled.

    `source` is a JSON Schema (a dict, a bool or its text), a pydantic model or `TypeAdapter`, a
    dataclass, a `TypedDict`, another type hint, or a `Schema`. SchemaError says why it cannot be used.
    `context` and `strict` are what the validators of pydantic are given.

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
        """The text of the JSON Schema, as other processes and the kernel for columns are given it."""
    @property
    def type(self) -> Any:
        """The Python type that was given; None for a JSON Schema."""
    @property
    def _judge(self) -> Callable[[str, Any], tuple[Any, list[tuple[str, str, bool]]]] | None:
        """The function by which the type judges; None without a type."""
    @property
    def _given(self) -> tuple[Any, bool | None]:
        """The context and the strictness that the type's validators are given."""
    def prompt(self) -> str:
        """Returns the schema as short as a prompt should be: as a type in the manner of TypeScript.

        >>> from llmjson import Schema
        >>> days = {"type": "integer", "minimum": 1, "description": "How long."}
        >>> print(Schema({"properties": {"city": {"type": "string"}, "days": days}, "required": ["city"]}).prompt())
        {
          city: string
          days?: integer // How long. At least 1.
        }
        """
    def validate(self, value: Any, /) -> tuple[Violation, ...]:
        """Returns every way in which a value does not satisfy the schema; an empty tuple if it does.

        >>> from llmjson import Schema
        >>> [wrong.path for wrong in Schema({"type": "integer"}).validate("3")]
        ['$input']
        """
    def __hash__(self) -> int: ...

@final
class Policy:
    """The set of changes that are allowed to get a value: a preset, and settings that differ from it.

    The presets are `lenient`, `strict`, `shape`, `conservative`, `tool` and `exact`. `truncated` and
    `duplicate_keys` are `accept` or `refuse` (`truncated="accept"` is what `allow_truncated` says elsewhere), `formats` is `lenient` (`2025-05-01 10:00` is a date-time, and
    becomes `2025-05-01T10:00:00`, with a note), `as_written` (it stays so) or `strict`, `undeclared` is `keep`, `keep_forbidden`, `drop` or
    `reject`, `invalid` is `report`, `drop` (list items and optional members that do not conform are left
    out, each with a record) or `replace` (the same, but items leave None in their places), `defaults` is `leave` or `fill`, `certainty` is the least sure that changes may be: `certain`, `likely` or `guess`.
    `wording` is that of what is expected, in violations and feedback: `tags` (`integer & Minimum<1>`) or `plain` (`a
    whole number of at least 1`).
    `max_bytes` bounds the text, `max_depth` (at most 1,000) the nesting of its value, `max_candidates` the
    values that are looked at to choose one, `max_work` what is done beyond reading each byte, `max_records`
    the records that are kept, `max_digits` the digits of a number that is compared with bounds, and
    `max_feedback_bytes` the feedback. Which of them were reached is in `Parsed.limits`.

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
    """The result of reading a reply: the best value, how it was read, what was changed to fit the schema,
    and what still does not fit.

    >>> import llmjson
    >>> parsed = llmjson.parse("Sure: {city: 'Oslo'}")
    >>> parsed.ok, parsed.value, parsed.certainty
    (True, {'city': 'Oslo'}, 'certain')
    """
    @property
    def value(self) -> Any:
        """The value as plain Python objects: the best reading, also where it does not fit. None where
        there is none; see `found`. It is made once: each access returns the same object.
        """
    @property
    def typed(self) -> T_co:
        """The value as an instance of the type that the schema was made of, such as a pydantic model: the same as
        `result()`. Raises ParseError if the value does not fit.
        """
    @property
    def ok(self) -> bool:
        """True if there is a value, it fits the schema if there is one, and the policy allows it. If the
        schema was made of a type, such as a pydantic model, the type decides whether the value fits: a note says so where
        the type takes what its schema does not describe.
        """
    def __bool__(self) -> bool:
        """Returns `ok`, so that `if parsed:` asks for a value that can be used."""
    @property
    def index(self) -> int | None:
        """The index among the results of `parse_many` or `parse_all`; None for a single text."""
    @property
    def unread(self) -> str | None:
        """The reason why an item of `parse_many` was not read, if it is not a text; None otherwise."""
    @property
    def found(self) -> bool:
        """True if the reply holds a value."""
    @property
    def complete(self) -> bool:
        """True if the text of the value was whole. If it is False, a caller with side effects should refuse the value."""
    @property
    def truncation(self) -> Literal["closers", "value"] | None:
        """The part that the text lacks where it was cut off: closing brackets alone (`closers`) or a part of the value
        (`value`), as where a number touches its end; None if it was whole. With `finish_reason="stop"` a value that lacks brackets
        alone is complete.
        """
    @property
    def certainty(self) -> Certainty | None:
        """The certainty that the value is the one that was meant: `certain`, `likely` or `guess`; None
        without a value. The type of the schema may make it less sure: see `coercions`.
        """
    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The changes made to read the text as JSON."""
    @property
    def notes(self) -> tuple[Note, ...]:
        """Remarks about the text where nothing was changed, such as a name that occurs twice."""
    @property
    def limits(self) -> tuple[str, ...]:
        """The names of the limits that were reached: `input_bytes`, `depth`, `candidates`, `work`, `records`,
        `digits` or `pattern_steps`.
        """
    @property
    def coercions(self) -> tuple[Coercion, ...]:
        """The changes made to fit the value to the schema. If the schema was made of a type, such as a pydantic
        model, what it reads differently from `value` is one too (`read_by_type`): `typed` holds it. The policy judges it
        like the others.
        """
    @property
    def violations(self) -> tuple[Violation, ...]:
        """The ways in which the value still does not satisfy the schema, or the type that it was made of: what the type
        rejects, in its words.
        """
    @property
    def refused(self) -> tuple[Refusal, ...]:
        """The repairs, coercions and other facts about the reply that the policy does not allow."""
    @property
    def schema(self) -> Schema[T_co] | None:
        """The schema that the value was coerced to; None without one."""
    @property
    def source(self) -> Any:
        """The text that was given."""
    def result(self, *, allow_truncated: bool = False) -> T_co:
        """Returns the value if it is `ok` and its text was not truncated, as an instance of the type that the schema was made
        of if it was made of one; raises ParseError with the feedback if not. `allow_truncated` returns a truncated one.

        >>> import llmjson
        >>> llmjson.parse("I cannot do that.").result()
        Traceback (most recent call last):
            ...
        llmjson._errors.ParseError: the reply holds no JSON value
        >>> llmjson.parse("[1, 2").result(allow_truncated=True)
        [1, 2]
        """
    def feedback(self) -> str:
        """Returns the feedback with which the model can correct the reply: the value with each error written
        beside its place; an empty string if there is none.

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
        """Returns the changes of the text that the repairs make, in its order. A member or number that the end of
        the text cut off before its value began is left out (`unfinished="drop"`) or completed by null or the
        digit 0 (`"complete"`). Comments go (`comments="drop"`) or stay, so that the text becomes JSON with
        comments (`"keep"`): those of `//` and `/*`, and those of `#` with the sign `//`.

        >>> import llmjson
        >>> [(edit.start, edit.end, edit.replacement) for edit in llmjson.parse("{a: 1,}").edits()]
        [(1, 2, '"a"'), (5, 6, '')]
        """
    def repaired_text(
        self, *, unfinished: Literal["drop", "complete"] = "drop", comments: Literal["drop", "keep"] = "drop"
    ) -> str:
        """Returns the text with its repairs made: strict JSON with the white space, the order of members and
        the spelling of numbers that the text has; with comments kept (`comments="keep"`), JSON with comments.
        What a schema changed is not in it. Raises ParseError without a value, and where the policy refuses it.

        >>> import llmjson
        >>> print(llmjson.parse("{\\n  a: 1.50,\\n}").repaired_text())
        {
          "a": 1.50
        }
        """
    def report(self) -> dict[str, Any]:
        """Returns the report as plain objects: what `llmjson parse --report` prints. Offsets in it count
        bytes of UTF-8.
        """
    def report_json(self) -> str:
        """Returns the report as JSON."""
    def _repr_html_(self) -> str:
        """Returns the reply as HTML with each repair marked in place, for notebooks."""

class Stream(Generic[T_co]):
    """A reply that is still coming, and its value so far.

    What was shown is not taken back before the end: strings and lists grow, numbers and words are
    shown when they are whole. Pieces are str or bytes; bytes may end within a character.

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
        """Returns the value so far beside the text so far as HTML, for notebooks."""
    def push(self, piece: Text, /) -> None:
        """Takes in the next piece of the reply. Raises ValueError after the end."""
    def _advance(self, piece: Text) -> bool:
        """Takes in the next piece, and returns whether the value has changed."""
    @property
    def value(self) -> Any:
        """The value so far; None before one has begun. It does not change when more text comes. It shares
        lists and dicts that are whole with the values before and after: copy those before changing them. A
        member that the schema does not declare may stand elsewhere than in the result.
        """
    def to_json(self) -> str | None:
        """Returns the value so far as JSON; None before one has begun."""
    def events(self) -> tuple[Event, ...]:
        """Returns the changes since the last call, in order."""
    def finish(self, *, finish_reason: str | None = None) -> Parsed[T_co]:
        """Ends the reply and returns its result: just what `parse` gives for the whole text."""
    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations that later text cannot take away, as far as they have been looked for; at the end
        all that there are.
        """
    def _items(self, schema: Schema[Any], list: str = "") -> list[Parsed[Any]]:
        """Returns the items of a list that have become whole since the last call, read by the schema of items. `list` is
        the JSON Pointer of a list within the value; empty for the value.
        """
    @property
    def schema(self) -> Schema[T_co] | None:
        """The schema by which the reply is read."""
    @property
    def superseded(self) -> bool:
        """True if the end of the reply meant another value than was shown: what was shown has to be discarded."""

@final
class Registry:
    """The tools of a list, checked and compiled."""
    def __new__(cls, tools: str, *, policy: AnyPolicy | None = None) -> Registry: ...
    @property
    def names(self) -> list[str]:
        """The names of the tools, in the order of the list."""
    def describe(self, name: str, target: str | None = None) -> tuple[str, Any]:
        """Returns the description and the schema of a tool, as a provider takes it if one is named."""
    def bind(self, name: str, arguments: Text, *, finish_reason: str | None = None) -> Binding:
        """Reads the arguments of a call."""
    def calls_in(
        self, text: Text, *, family: list[str] | None = None
    ) -> _FoundCalls:
        """Finds the calls in a text; also returns the text around them, the reasoning, what is shown as a call and
        not made, and the part that was not searched.
        """
    def stream(self, *, family: list[str] | None = None) -> CallStream:
        """Returns a stream that finds calls in a text that comes in pieces."""

@final
class CallStream:
    """Finds calls in a text that comes in pieces."""
    def push(self, piece: Text, /) -> list[_Change]:
        """Takes in the next piece, and returns the changes."""
    def finish(self) -> tuple[list[_Change], _FoundCalls]:
        """Ends the text, and returns the changes, the calls and what else was found."""

@final
class Binding:
    """The result of reading the arguments of a call."""
    @property
    def name(self) -> str:
        """The name of the tool."""
    @property
    def ok(self) -> bool:
        """True if the tool is known and its arguments fit without a guess."""
    @property
    def known(self) -> bool:
        """True if the tool is known."""
    @property
    def arguments(self) -> Any:
        """The arguments as they were understood; None if there are none."""
    @property
    def certainty(self) -> Certainty | None: ...
    @property
    def complete(self) -> bool: ...
    @property
    def issues(self) -> list[dict[str, Any]]:
        """The problems with the arguments, as plain objects."""
    @property
    def fields(self) -> list[dict[str, Any]]:
        """The origin of each member: how it was called in the arguments, and how it is called now, as plain objects."""
    def to_json(self) -> str | None:
        """Returns the arguments as JSON; None if there are none."""
    def explain(self) -> str:
        """Returns the feedback for the model."""
    def html(self) -> str:
        """Returns the arguments with what was changed and what is wrong, for notebooks."""

@final
class FoundCall:
    """A call that was found in a text."""
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
    """A conversation with a model that goes on until a reply fits: the messages to send next.

    `check` is called with the `Parsed` of each reply that fits, and returns what is wrong with its value: pairs of a path
    and a sentence. `schema_in` is `feedback` if the messages say what is wanted, or `prompt`
    to add the schema to them.
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
        """The messages to send to the model: those that were given, with all their members, and feedback; empty
        after the end.
        """
    @property
    def attempts(self) -> int:
        """The number of replies so far."""
    def feed(self, reply: str, /, *, finish_reason: str | None = None) -> Parsed[Any] | None:
        """Takes the model's reply. Returns its result if it fits, None if the model is to be asked again;
        raises RetryError if it may not be asked any more.
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
    """Reads a reply and makes its value fit the schema.

    `text` is str, bytes, bytearray or memoryview; bytes are UTF-8, UTF-16 or UTF-32. `schema` is
    anything that `Schema` takes. `policy` is the name of a preset or a `Policy`. `finish_reason` is why
    the model stopped writing: with `length` and the like the value counts as cut off. `parse_float` is
    called with the text of each number that has a fraction or an exponent, such as `decimal.Decimal`. With
    `salvage`, list items and optional members that do not conform are left out, each with a record in
    `coercions`, as by `Policy(invalid="drop")`. `context` and `strict` are what the validators of a type of pydantic are
    given.

    There is always a result, whatever the text: see `Parsed.ok`. Bytes that are no text are a
    UnicodeDecodeError, a schema that cannot be used a SchemaError. An interrupt ends the reading of a
    long text soon.

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
    """Reads the arguments of a tool call. Differs from `parse` in that blank text and `null` are `{}` where nothing is
    required, and the policy is `tool` unless another is given. Truncated arguments are not `ok` unless `allow_truncated`
    is set.

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
    """Reads each value of a reply that may mean one, in the order of the text.

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
    """Makes a value of plain Python objects fit the schema.

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
    """Reads texts with all cores: what `parse` gives for each, in the same order. `threads` is their
    number; all cores without it. `tick` is called with the number of texts that were read since the
    last call. `first` is the place of the first text among all of the caller's. What is no text has a result
    without a value.
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
    """Returns the value of a text, which may be damaged; an empty string if it holds none.

    >>> from llmjson import loads
    >>> loads("Sure: {city: 'Oslo', days: 3,}")
    {'city': 'Oslo', 'days': 3}

    With a schema or a type as the second argument the value is made to fit it, and is an instance of
    the type:

    >>> loads("{days: '3'}", dict[str, int])
    {'days': 3}
    >>> loads("I cannot do that.", dict[str, int])
    Traceback (most recent call last):
    llmjson._errors.ParseError: the reply holds no JSON value

    There `context` and `strict` are what the validators of a type are given. The other arguments are those of
    `repair_json`. A bool as the second argument is `skip_json_loads`.

    Raises a ParseError if the value cannot be made to fit, or if the text is truncated and `allow_truncated` is not set.
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
    """Returns the value of a text and how it was got:

    | number | meaning |
    |---|---|
    | 0 | nothing had to be done |
    | 1 | the text was repaired, and is no JSON |
    | 2 | the text was repaired, but Python may read it: `NaN`, half surrogate pairs, a byte order mark |
    | 3 | there is no value |
    | 4 | there is no value, since a limit was reached |
    """

def may_hold_fences(text: Text, /) -> bool:
    """Returns whether there may be several blocks of code. Text that begins as JSON has none."""

def dumps_found(text: Text, ensure_ascii: bool, /) -> tuple[str | None, int]:
    """Returns the text of the value as `json.dumps` writes it, and how it was got, as `loads_found` does.
    The text is None where there is no value, or where Python has to write it.
    """

def stringify(
    value: Any, errors: Sequence[Mapping[str, Any] | Violation], schema: Any = None
) -> str:
    """Returns feedback for a model: the value as JSON with the errors written beside their places.

    `value` is made of plain Python objects, or a `Parsed`. Each error is a dict with `path` (such as
    `$input.days[0]`), `expected` and perhaps `description`, or an object with such attributes, such as
    a `Violation`.

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
