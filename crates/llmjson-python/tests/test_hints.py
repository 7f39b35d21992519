"""Schemas of type hints, functions as tools, and instances of the standard library's types."""

from __future__ import annotations

import collections
import collections.abc
import datetime
import decimal
import enum
import functools
import ipaddress
import pathlib
import typing
import uuid
from dataclasses import InitVar, dataclass, field
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    Optional,
    TypeVar,
    Union,
)

import pytest
from llmjson._hints import BuildError, arguments_of, build, schema_of, tool_of
from typing_extensions import NotRequired, Required, Self, TypeAliasType, TypedDict, Unpack

T = TypeVar("T")
UserId = NewType("UserId", int)
Json = TypeAliasType("Json", Union[str, list["Json"], dict[str, "Json"]])


class Color(enum.Enum):
    """The colour of a thing."""

    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Mode(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Point:
    x: int
    y: float = 0.0


@dataclass
class Line:
    """A line.

    Attributes:
        start: Where it starts.
    """

    start: Point
    end: Point
    color: Color = Color.RED
    tags: list[str] = field(default_factory=list, metadata={"description": "Free words."})
    count: ClassVar[int] = 0
    hidden: int = field(default=1, init=False)


@dataclass
class Node:
    value: int
    next: Optional[Node] = None


@dataclass
class Tree:
    children: list[Self] = field(default_factory=list)


@dataclass
class Box(Generic[T]):
    content: T
    others: list[T] = field(default_factory=list)


@dataclass
class IntBox(Box[int]):
    name: str = ""


class Pair(TypedDict, Generic[T]):
    left: T
    right: NotRequired[T]


class Movie(TypedDict, total=False):
    """A movie."""

    name: Required[Annotated[str, "Its title."]]
    year: int


class City(NamedTuple):
    name: str
    people: int = 0


class Name(str):
    pass


@dataclass
class Scaled:
    value: int
    factor: InitVar[int] = 2

    def __post_init__(self, factor: int) -> None:
        if self.value < 0:
            raise ValueError("the value is negative")
        self.value *= factor


POINT = {
    "title": "Point",
    "type": "object",
    "properties": {"x": {"type": "integer"}, "y": {"type": "number", "default": 0.0}},
    "required": ["x"],
}

SCHEMAS: list[tuple[Any, dict[str, Any]]] = [
    (str, {"type": "string"}),
    (int, {"type": "integer"}),
    (float, {"type": "number"}),
    (bool, {"type": "boolean"}),
    (None, {"type": "null"}),
    (Any, {}),
    (object, {}),
    (Name, {"type": "string"}),
    (UserId, {"type": "integer"}),
    (T, {}),
    (list, {"type": "array"}),
    (list[Any], {"type": "array"}),
    (typing.List[int], {"type": "array", "items": {"type": "integer"}}),  # noqa: UP006
    (tuple, {"type": "array"}),
    (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
    (
        tuple[int, str],
        {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "prefixItems": [{"type": "integer"}, {"type": "string"}],
        },
    ),
    (set[str], {"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
    (frozenset[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
    (collections.abc.Sequence[int], {"type": "array", "items": {"type": "integer"}}),
    (typing.Iterable[int], {"type": "array", "items": {"type": "integer"}}),  # noqa: UP006
    (collections.deque[int], {"type": "array", "items": {"type": "integer"}}),
    (dict, {"type": "object"}),
    (dict[str, Any], {"type": "object", "additionalProperties": True}),
    (
        collections.abc.Mapping[str, int],
        {"type": "object", "additionalProperties": {"type": "integer"}},
    ),
    (
        dict[int, str],
        {
            "type": "object",
            "propertyNames": {"pattern": r"^-?\d+$"},
            "additionalProperties": {"type": "string"},
        },
    ),
    (
        dict[Literal["a", "b"], int],
        {
            "type": "object",
            "propertyNames": {"type": "string", "enum": ["a", "b"]},
            "additionalProperties": {"type": "integer"},
        },
    ),
    (Literal["a"], {"type": "string", "const": "a"}),
    (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
    (Literal["a", 1, None], {"enum": ["a", 1, None]}),
    (Literal[Color.RED], {"type": "string", "const": "red"}),
    (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    (Union[int, UserId], {"type": "integer"}),
    (
        Color,
        {
            "title": "Color",
            "type": "string",
            "enum": ["red", "blue"],
            "description": "The colour of a thing.",
        },
    ),
    (Size, {"title": "Size", "type": "integer", "enum": [1, 2], "x-enum-varnames": ["SMALL", "LARGE"]}),
    (Mode, {"type": "integer", "title": "Mode"}),
    (datetime.datetime, {"type": "string", "format": "date-time"}),
    (datetime.date, {"type": "string", "format": "date"}),
    (datetime.time, {"type": "string", "format": "time"}),
    (datetime.timedelta, {"type": "string", "format": "duration"}),
    (uuid.UUID, {"type": "string", "format": "uuid"}),
    (decimal.Decimal, {"type": "number"}),
    (pathlib.Path, {"type": "string", "format": "path"}),
    (ipaddress.IPv4Address, {"type": "string", "format": "ipv4"}),
    (Annotated[int, "How many."], {"type": "integer", "description": "How many."}),
    (Point, POINT),
    (
        Movie,
        {
            "title": "Movie",
            "type": "object",
            "description": "A movie.",
            "properties": {
                "name": {"type": "string", "description": "Its title."},
                "year": {"type": "integer"},
            },
            "required": ["name"],
        },
    ),
    (
        City,
        {
            "title": "City",
            "type": "object",
            "properties": {"name": {"type": "string"}, "people": {"type": "integer", "default": 0}},
            "required": ["name"],
        },
    ),
    (
        Pair[int],
        {
            "title": "Pair",
            "type": "object",
            "properties": {"left": {"type": "integer"}, "right": {"type": "integer"}},
            "required": ["left"],
        },
    ),
    (
        IntBox,
        {
            "title": "IntBox",
            "type": "object",
            "properties": {
                "content": {"type": "integer"},
                "others": {"type": "array", "items": {"type": "integer"}},
                "name": {"type": "string", "default": ""},
            },
            "required": ["content"],
        },
    ),
    (
        Node,
        {
            "$ref": "#/$defs/Node",
            "$defs": {
                "Node": {
                    "title": "Node",
                    "type": "object",
                    "properties": {
                        "value": {"type": "integer"},
                        "next": {
                            "anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}],
                            "default": None,
                        },
                    },
                    "required": ["value"],
                }
            },
        },
    ),
    (
        Line,
        {
            "title": "Line",
            "type": "object",
            "description": "A line.",
            "properties": {
                "start": {"$ref": "#/$defs/Point", "description": "Where it starts."},
                "end": {"$ref": "#/$defs/Point"},
                "color": {
                    "title": "Color",
                    "type": "string",
                    "enum": ["red", "blue"],
                    "description": "The colour of a thing.",
                    "default": "red",
                },
                "tags": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Free words.",
                },
            },
            "required": ["start", "end"],
            "$defs": {"Point": POINT},
        },
    ),
]


@pytest.mark.parametrize(("hint", "schema"), SCHEMAS, ids=lambda case: str(case)[:40])
def test_schema_of(hint: Any, schema: dict[str, Any]) -> None:
    assert schema_of(hint) == schema


def test_recursive_types() -> None:
    assert schema_of(Tree)["$defs"]["Tree"]["properties"]["children"]["items"] == {
        "$ref": "#/$defs/Tree"
    }
    written = schema_of(Json)
    assert written["$ref"] == "#/$defs/Json"
    assert written["$defs"]["Json"]["anyOf"][1] == {
        "type": "array",
        "items": {"$ref": "#/$defs/Json"},
    }


def test_same_names_of_different_types() -> None:
    def local() -> type:
        @dataclass
        class Point:
            name: str

        return Point

    written = schema_of(tuple[Point, local(), Point])
    assert [item["$ref"] for item in written["prefixItems"]] == [
        "#/$defs/Point",
        "#/$defs/Point2",
        "#/$defs/Point",
    ]
    assert written["$defs"]["Point2"]["properties"] == {"name": {"type": "string"}}


def test_generics_keep_their_arguments_apart() -> None:
    written = schema_of(dict[str, Union[Box[int], Box[str]]])
    assert written["$defs"]["Box"]["properties"]["content"] == {"type": "integer"}
    assert written["$defs"]["Box2"]["properties"]["others"] == {
        "type": "array",
        "items": {"type": "string"},
    }


def test_annotations_with_bounds() -> None:
    class Bound:
        def __init__(self, **values: Any) -> None:
            self.__dict__.update(values)

    assert schema_of(Annotated[int, Bound(ge=1), Bound(lt=9)]) == {
        "type": "integer",
        "minimum": 1,
        "exclusiveMaximum": 9,
    }
    assert schema_of(Annotated[list[int], Bound(min_length=1)])["minItems"] == 1
    assert schema_of(Annotated[str, Bound(documentation="A name.", max_length=3)]) == {
        "type": "string",
        "description": "A name.",
        "maxLength": 3,
    }


@dataclass
class Odd:
    inner: list[complex]


@dataclass
class Lost:
    inner: Missing  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("hint", "message"),
    [
        (complex, "complex has no form in JSON"),
        (Odd, "complex has no form in JSON (in Odd.inner)"),
        (Lost, "a type hint of Lost cannot be resolved: name 'Missing' is not defined"),
        (list["Nowhere"], "the name 'Nowhere' in a type hint cannot be resolved"),  # type: ignore[name-defined]  # noqa: F821
        (dict[bytes, int], "bytes has no form in JSON"),
        (dict[tuple[int, int], int], "tuple[int, int] cannot be the type of keys"),
        (
            collections.abc.Callable[[], int],
            "collections.abc.Callable[[], int] has no form in JSON",
        ),
    ],
)
def test_types_without_a_form(hint: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        schema_of(hint)
    assert str(caught.value) == message


# --- instances

EAST = datetime.timezone(datetime.timedelta(hours=2))
INSTANCES: list[tuple[Any, Any, Any]] = [
    (int, 3, 3),
    (int, 3.0, 3),
    (float, 3, 3.0),
    (Name, "x", Name("x")),
    (Any, [1, {"a": None}], [1, {"a": None}]),
    (Point, {"x": 1, "y": 2, "z": 3}, Point(1, 2.0)),
    (
        Line,
        {"start": {"x": 0}, "end": {"x": 1}, "color": "blue"},
        Line(Point(0), Point(1), Color.BLUE),
    ),
    (Node, {"value": 1, "next": {"value": 2, "next": None}}, Node(1, Node(2))),
    (Tree, {"children": [{}]}, Tree([Tree()])),
    (Box[Point], {"content": {"x": 1}, "others": []}, Box(Point(1))),
    (IntBox, {"content": 1, "name": "n"}, IntBox(1, name="n")),
    (Scaled, {"value": 3, "factor": 5}, Scaled(3, 5)),
    (Movie, {"name": "Ran", "year": 1985, "extra": 1}, {"name": "Ran", "year": 1985}),
    (City, {"name": "Oslo"}, City("Oslo")),
    (City, ["Oslo", 7], City("Oslo", 7)),
    (tuple[int, Color], [1, "red"], (1, Color.RED)),
    (tuple[int, ...], [1, 2], (1, 2)),
    (set[int], [1, 2], {1, 2}),
    (frozenset[str], ["a"], frozenset({"a"})),
    (collections.deque[int], [1], collections.deque([1])),
    (dict[int, Point], {"7": {"x": 1}}, {7: Point(1)}),
    (dict[Color, int], {"red": 1}, {Color.RED: 1}),
    (Literal["a", 1], 1, 1),
    (Literal[Color.RED], "red", Color.RED),
    (Size, 2, Size.LARGE),
    (Mode, 3, Mode.READ | Mode.WRITE),
    (
        datetime.datetime,
        "2024-05-01T10:00:00Z",
        datetime.datetime(2024, 5, 1, 10, tzinfo=datetime.timezone.utc),
    ),
    (
        datetime.datetime,
        "2024-05-01T10:00:00.5+02:00",
        datetime.datetime(2024, 5, 1, 10, 0, 0, 500000, tzinfo=EAST),
    ),
    (datetime.time, "10:30:00", datetime.time(10, 30)),
    (datetime.timedelta, "P1DT2H30M", datetime.timedelta(days=1, hours=2, minutes=30)),
    (datetime.timedelta, "-PT1.5S", -datetime.timedelta(seconds=1.5)),
    (
        uuid.UUID,
        "12345678-1234-5678-1234-567812345678",
        uuid.UUID(int=0x12345678123456781234567812345678),
    ),
    (decimal.Decimal, "0.10", decimal.Decimal("0.10")),
    (decimal.Decimal, 0.1, decimal.Decimal("0.1")),
    (float, decimal.Decimal("0.5"), 0.5),
    (pathlib.PurePosixPath, "/tmp/a", pathlib.PurePosixPath("/tmp/a")),
    (Union[float, int], 3, 3),
    (Union[Point, City], {"name": "Oslo"}, City("Oslo")),
    (Union[City, Movie], {"name": "Ran", "year": 1}, {"name": "Ran", "year": 1}),
    (Optional[Color], None, None),
    (Json, {"a": ["b"]}, {"a": ["b"]}),
]


@pytest.mark.parametrize(("hint", "value", "instance"), INSTANCES, ids=lambda case: str(case)[:40])
def test_build(hint: Any, value: Any, instance: Any) -> None:
    made = build(hint, value)
    assert made == instance
    assert type(made) is type(instance)


@pytest.mark.parametrize(
    ("hint", "value", "errors"),
    [
        (list[int], [1, "x", True], [("$input[1]", "integer"), ("$input[2]", "integer")]),
        (Line, {"start": {"x": 0}, "end": {}}, [("$input.end.x", "int")]),
        (dict[str, Point], {"a b": {"x": "1"}}, [('$input["a b"].x', "integer")]),
        (Scaled, {"value": -1}, [("$input", "Scaled (the value is negative)")]),
        (Color, "green", [("$input", "Color ('green' is not a valid Color)")]),
        (Literal["a"], "b", [("$input", "'a'")]),
        (datetime.timedelta, "2 days", [("$input", None)]),
        (decimal.Decimal, "much", [("$input", "Decimal")]),
        (tuple[int, int], [1], [("$input", "array of 2 items")]),
        (set[Any], [[]], [("$input", "set (unhashable type: 'list')")]),
        (Union[int, Point], {"x": "a"}, [("$input.x", "integer")]),
        (Union[int, Point], "a", [("$input", "Union[int, test_hints.Point]")]),
    ],
)
def test_build_reports_every_place(
    hint: Any, value: Any, errors: list[tuple[str, str | None]]
) -> None:
    with pytest.raises(BuildError) as caught:
        build(hint, value)
    found = [(error["path"], error["expected"]) for error in caught.value.errors]
    assert [path for path, _ in found] == [path for path, _ in errors]
    assert all(
        wanted is None or said.replace("tests.", "") == wanted
        for (_, said), (_, wanted) in zip(found, errors)
    )


def test_defaultdict_keeps_a_factory() -> None:
    made = build(collections.defaultdict[str, list[int]], {"a": [1]})
    assert made["b"] == []


# --- functions


def google(city: str, days: int = 1, *, units: Literal["metric", "imperial"] = "metric") -> None:
    """Plans a trip
    to a city.

    More words.

    Args:
        city (str): Where to,
            as a name.
        days: How long: in days.
        units: The units.

    Returns:
        nothing: at all
    """


def numpy(city: str, days: int = 1, north: float = 0.0, east: float = 0.0) -> None:
    """Plans a trip.

    Parameters
    ----------
    city : str
        Where to,
        as a name.
    days : int, optional
        How long.
    north, east : float
        The place.

    Returns
    -------
    nothing : None
        At all.
    """


def sphinx(city: str, days: int = 1) -> None:
    """Plans a trip.

    :param city: Where to,
        as a name.
    :type city: str
    :param int days: How long.
    :returns: nothing
    """


@pytest.mark.parametrize("function", [google, numpy, sphinx])
def test_docstrings(function: Any) -> None:
    tool = tool_of(function)
    assert tool["name"] == function.__name__
    assert tool["description"] in ("Plans a trip to a city.", "Plans a trip.")
    properties = tool["input_schema"]["properties"]
    assert properties["city"] == {"type": "string", "description": "Where to, as a name."}
    assert properties["days"]["description"] in ("How long.", "How long: in days.")
    assert properties["days"]["default"] == 1
    assert tool["input_schema"]["required"] == ["city"]
    assert tool["input_schema"]["additionalProperties"] is False
    if function is numpy:
        assert (
            properties["east"]["description"] == properties["north"]["description"] == "The place."
        )


class Options(TypedDict):
    deep: bool


class Service:
    """A service."""

    def search(self, query: str, ctx: Optional[str] = None) -> list[str]:
        """Searches."""
        return [query]

    def __call__(self, query: str) -> None:
        """Asks."""

    @classmethod
    def make(cls, name: str) -> None: ...


def untyped(a, b=2, *rest, c=None, **more):  # type: ignore[no-untyped-def]
    return a


def open_ended(a: int, *rest: int, **more: str) -> None: ...


def unpacked(a: int, **options: Unpack[Options]) -> None: ...


def nullable(a: int = None) -> None: ...  # type: ignore[assignment]


CONTRACTS: list[tuple[Any, str, dict[str, Any]]] = [
    (
        Service().search,
        "search",
        {
            "query": {"type": "string"},
            "ctx": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
    ),
    (Service.search, "search", {"query": {"type": "string"}, "ctx": ...}),
    (Service(), "Service", {"query": {"type": "string"}}),
    (Service.make, "make", {"name": {"type": "string"}}),
    (untyped, "untyped", {"a": {}, "b": {"default": 2}, "c": {"default": None}}),
    (
        nullable,
        "nullable",
        {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}},
    ),
    (functools.partial(google, days=3), "google", {"city": ..., "units": ...}),
    (functools.partial(google, "Oslo"), "google", {"days": ..., "units": ...}),
    (unpacked, "unpacked", {"a": {"type": "integer"}, "deep": {"type": "boolean"}}),
    (Point, "Point", {"x": {"type": "integer"}, "y": {"type": "number", "default": 0.0}}),
]


@pytest.mark.parametrize(
    ("function", "name", "properties"), CONTRACTS, ids=lambda case: str(case)[:30]
)
def test_tool_of(function: Any, name: str, properties: dict[str, Any]) -> None:
    tool = tool_of(function)
    assert tool["name"] == name
    found = tool["input_schema"]["properties"]
    assert list(found) == list(properties)
    for key, schema in properties.items():
        assert schema is ... or found[key] == schema


def test_further_members() -> None:
    assert tool_of(untyped)["input_schema"]["additionalProperties"] is True
    assert tool_of(open_ended)["input_schema"]["additionalProperties"] == {"type": "string"}
    assert tool_of(unpacked)["input_schema"]["required"] == ["a", "deep"]


def test_descriptions_of_callables() -> None:
    assert tool_of(Service())["description"] == "Asks."
    assert "description" not in tool_of(untyped)


def test_tool_of_says_which_parameter() -> None:
    def odd(a: complex) -> None: ...

    with pytest.raises(TypeError) as caught:
        tool_of(odd)
    assert str(caught.value) == "complex has no form in JSON (in odd(a))"


def test_return_types_are_not_looked_at() -> None:
    def lost(a: int) -> Nowhere:  # type: ignore[name-defined]  # noqa: F821
        ...

    assert tool_of(lost)["input_schema"]["required"] == ["a"]


def test_arguments_of() -> None:
    def trip(
        at: datetime.date, /, where: Point, *rest: int, color: Color = Color.RED, **more: int
    ) -> None: ...

    given = {"at": "2024-05-01", "where": {"x": 1}, "color": "blue", "z": 3}
    assert arguments_of(trip, given) == (
        [datetime.date(2024, 5, 1)],
        {"where": Point(1), "color": Color.BLUE, "z": 3},
    )
    with pytest.raises(BuildError) as caught:
        arguments_of(trip, {"at": "May", "where": {"x": 1, "y": "z"}})
    assert [error["path"] for error in caught.value.errors] == ["$input.at", "$input.where.y"]
