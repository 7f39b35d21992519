"""Schemas of types, and instances made by pydantic or without it."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import typing
from typing import Annotated, Any, Literal, Optional, Union

import llmjson
import pytest
from llmjson import _typed
from typing_extensions import TypedDict

pydantic = pytest.importorskip("pydantic")


class Item(pydantic.BaseModel):
    """A thing that is sold."""

    name: str
    price: decimal.Decimal = pydantic.Field(gt=0, alias="unitPrice")

    @pydantic.field_validator("name")
    @classmethod
    def check_name(cls, name: str) -> str:
        if name == "nothing":
            raise ValueError("there is no such item")
        return name


class Order(pydantic.BaseModel):
    items: list[Item]
    parent: Optional[Order] = None


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    bark: str


class Owner(pydantic.BaseModel):
    pet: Annotated[Union[Cat, Dog], pydantic.Field(discriminator="kind")]
    other: Union[int, list[int], None] = None


@pydantic.dataclasses.dataclass
class Checked:
    size: int = pydantic.Field(ge=1)


@dataclasses.dataclass
class Trip:
    city: str
    on: datetime.date
    cost: decimal.Decimal = decimal.Decimal(0)


class Movie(TypedDict):
    name: str


class Plain(typing.TypedDict):
    name: str


@dataclasses.dataclass
class Basket:
    first: Item
    size: Annotated[int, pydantic.Field(ge=1, description="How many.")] = 1


def judged(target: Any, text: str, value: Any) -> tuple[Any, list[dict[str, str]]]:
    made, errors = _typed.Judge(target).full(text, value)
    return made, [{"path": path, "expected": expected} for path, expected, _ in errors]


@pytest.fixture(params=["with pydantic", "without pydantic"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without pydantic":
        monkeypatch.setattr(_typed, "_has_pydantic", lambda: False)


def _without_hints(schema: Any) -> Any:
    """Returns a schema of pydantic without the format that marks texts of decimal numbers."""
    if isinstance(schema, list):
        return [_without_hints(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if (key, value) != ("format", "decimal")}
    return {key: _without_hints(value) for key, value in kept.items()}


def test_schema_of_a_model() -> None:
    schema, target = _typed.schema_for(Item)
    assert target is Item
    assert _without_hints(schema) == Item.model_json_schema()
    assert schema["properties"]["unitPrice"]["anyOf"][1]["format"] == "decimal"
    assert schema["required"] == ["name", "unitPrice"]


def test_schema_of_an_adapter() -> None:
    adapter = pydantic.TypeAdapter(list[Item])
    schema, target = _typed.schema_for(adapter)
    assert target is adapter
    assert _without_hints(schema) == adapter.json_schema()


def test_schema_of_pydantics_dataclass() -> None:
    schema, target = _typed.schema_for(Checked)
    assert target is Checked
    assert schema["properties"]["size"]["minimum"] == 1


def test_schema_of_a_dataclass_with_a_model() -> None:
    schema, _ = _typed.schema_for(Basket)
    assert schema["properties"]["first"] == {"$ref": "#/$defs/Item"}
    assert schema["properties"]["size"] == {
        "type": "integer",
        "minimum": 1,
        "description": "How many.",
        "default": 1,
    }
    assert _without_hints(schema["$defs"]["Item"]) == Item.model_json_schema()


def test_schema_with_a_recursive_model() -> None:
    schema, _ = _typed.schema_for(list[Order])
    name = schema["items"]["$ref"].removeprefix("#/$defs/")
    seen = {name}
    while "$ref" in schema["$defs"][name]:
        name = schema["$defs"][name]["$ref"].removeprefix("#/$defs/")
        seen.add(name)
    order = schema["$defs"][name]
    assert order["properties"]["parent"]["anyOf"][0]["$ref"].removeprefix("#/$defs/") in seen
    assert order["properties"]["items"]["items"]["$ref"].removeprefix("#/$defs/") in schema["$defs"]


def test_types_that_cannot_be_used() -> None:
    with pytest.raises(TypeError, match="complex has no form in JSON"):
        _typed.schema_for(complex)
    with pytest.raises(TypeError, match="42 has no form in JSON"):
        _typed.schema_for(42)


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    ("target", "text", "value", "made"),
    [
        (list[int], "[1, 2]", [1, 2], [1, 2]),
        (
            Trip,
            '{"city": "Oslo", "on": "2024-05-01", "cost": 12.5}',
            {"city": "Oslo", "on": "2024-05-01", "cost": 12.5},
            Trip("Oslo", datetime.date(2024, 5, 1), decimal.Decimal("12.5")),
        ),
        (Movie, '{"name": "Ran"}', {"name": "Ran"}, {"name": "Ran"}),
        (Plain, '{"name": "Ran"}', {"name": "Ran"}, {"name": "Ran"}),
        (Optional[int], "null", None, None),
    ],
)
def test_instances(target: Any, text: str, value: Any, made: Any) -> None:
    assert judged(target, text, value) == (made, [])


@pytest.mark.usefixtures("either")
def test_errors_of_instances() -> None:
    made, errors = judged(list[Trip], '[{"city": "Oslo"}]', [{"city": "Oslo"}])
    assert made is None
    assert [error["path"] for error in errors] == ["$input[0].on"]


def test_decimals_keep_their_digits_without_pydantic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_typed, "_has_pydantic", lambda: False)
    digits = "12.3456789012345678901234567890"
    text = '{"city": "Oslo", "on": "2024-05-01", "cost": ' + digits + "}"
    made, errors = judged(
        Trip, text, {"city": "Oslo", "on": "2024-05-01", "cost": float(digits)}
    )
    assert errors == []
    assert made.cost == decimal.Decimal(digits)


def test_models() -> None:
    value = {"items": [{"name": "pen", "unitPrice": 1.5}], "parent": None}
    made, errors = judged(
        Order, '{"items": [{"name": "pen", "unitPrice": 1.5}], "parent": null}', value
    )
    assert errors == []
    assert isinstance(made, Order)
    assert made.items[0].price == decimal.Decimal("1.5")


def test_adapters() -> None:
    made, errors = judged(
        pydantic.TypeAdapter(list[Item]), '[{"name": "a", "unitPrice": 1}]', []
    )
    assert errors == []
    assert isinstance(made[0], Item)


def test_errors_of_pydantic_have_paths() -> None:
    value = {"items": [{"name": "nothing", "unitPrice": 0}, {"name": "pen"}]}
    text = '{"items": [{"name": "nothing", "unitPrice": 0}, {"name": "pen"}]}'
    made, errors = judged(Order, text, value)
    assert made is None
    assert errors == [
        {"path": "$input.items[0].name", "expected": "there is no such item"},
        {"path": "$input.items[0].unitPrice", "expected": "Input should be greater than 0"},
        {"path": "$input.items[1].unitPrice", "expected": "Field required"},
    ]


def test_branches_of_unions_are_no_steps_of_a_path() -> None:
    value = {"pet": {"kind": "cat", "lives": "many"}, "other": ["x"]}
    _, errors = judged(
        Owner, '{"pet": {"kind": "cat", "lives": "many"}, "other": ["x"]}', value
    )
    assert {error["path"] for error in errors} == {
        "$input.pet.lives",
        "$input.other",
        "$input.other[0]",
    }


def test_a_dataclass_of_a_function_can_refer_to_itself() -> None:
    @dataclasses.dataclass
    class Node:
        value: int
        next: Optional[Node] = None

    made, errors = judged(
        Node, '{"value": 1, "next": {"value": 2}}', {"value": 1, "next": {"value": 2}}
    )
    assert errors == []
    assert made.next.value == 2


attrs = pytest.importorskip("attrs")
msgspec = pytest.importorskip("msgspec")


@attrs.define
class Seat:
    """A seat.

    Args:
        row: The row, from 1.
    """

    row: int = attrs.field(validator=attrs.validators.ge(1))
    on: datetime.date
    tags: list[str] = attrs.Factory(list)
    _aisle: bool = False


class Car(msgspec.Struct, rename="camel"):
    wheel_count: Annotated[int, msgspec.Meta(ge=3)]
    made: datetime.date
    owner: Optional[Car] = None


@dataclasses.dataclass
class Garage:
    cars: list[Car]


@pytest.mark.parametrize(
    ("target", "text", "made"),
    [
        (Seat, "{row: '3', on: '2026-03-05'}", Seat(3, datetime.date(2026, 3, 5))),
        (list[Seat], "[{row: 3, on: '2026-03-05', Aisle: true}]", [Seat(3, datetime.date(2026, 3, 5), aisle=True)]),
        (Car, "{wheel_count: '4', made: '2026-03-05'}", Car(4, datetime.date(2026, 3, 5))),
        (
            dict[str, Car],
            "{a: {wheelCount: 4, made: '2026-03-05', owner: {wheelCount: 3, made: '2026-03-06'}}}",
            {"a": Car(4, datetime.date(2026, 3, 5), Car(3, datetime.date(2026, 3, 6)))},
        ),
        (Garage, "{cars: {wheelCount: 4, made: '2026-03-05'}}", Garage([Car(4, datetime.date(2026, 3, 5))])),
    ],
    ids=repr,
)  # fmt: skip
def test_classes_of_attrs_and_structs_of_msgspec(target: Any, text: str, made: Any) -> None:
    parsed = llmjson.parse(text, target)
    assert (parsed.typed, parsed.ok) == (made, True)
    assert list(llmjson.Stream(target).partials(list(text)))[-1] == made


@attrs.define
class Range:
    start: int = attrs.field(alias="first", validator=[attrs.validators.instance_of(int), attrs.validators.ge(0)])
    end: int = attrs.field(alias="last")

    @end.validator
    def _after(self, attribute: Any, value: int) -> None:
        if value < self.start:
            raise ValueError("ends before it begins")

    def __attrs_post_init__(self) -> None:
        if self.start > 5:
            raise ValueError("too late")


@pytest.mark.parametrize(
    ("target", "text", "path", "expected"),
    [
        (Seat, "{row: 0, on: '2026-03-05'}", "$input.row", "int ('row' must be >= 1: 0)"),
        (list[Seat], "[{row: 0, on: '2026-03-05'}]", "$input[0].row", "int ('row' must be >= 1: 0)"),
        (Range, "{first: 3, last: 2}", "$input.last", "int (ends before it begins)"),
        (Range, "{first: 7, last: 9}", "$input", "Range (too late)"),
        (Seat, "{row: 1, on: 'May'}", "$input.on", "date (Invalid isoformat string: 'May')"),
        (Car, "{wheelCount: 2, made: '2026-03-05'}", "$input.wheelCount", "Expected `int` >= 3"),
        (list[Car], "[{wheelCount: 4}]", "$input[0]", "Object missing required field `made`"),
    ],
    ids=repr,
)
def test_what_attrs_and_msgspec_reject(target: Any, text: str, path: str, expected: str) -> None:
    (violation,) = llmjson.parse(text, target).violations
    assert violation.path == path
    assert expected in violation.expected


def test_tools_with_structs() -> None:
    def park(car: Car, seat: Seat) -> int:
        return car.wheel_count + seat.row

    bound = llmjson.bind(park, {"car": {"wheelCount": "4", "made": "2026-03-05"}, "seat": {"row": 1, "on": "2026-03-05"}})  # fmt: skip
    assert bound.call() == 5


def test_what_takes_no_context_says_so() -> None:
    with pytest.raises(TypeError, match="context: the type is none that takes this"):
        llmjson.parse("{}", Seat, context={})


@attrs.define
class Code:
    name: str = attrs.field(converter=str.upper)


class Named(msgspec.Struct):
    name: str

    def __post_init__(self) -> None:
        self.name = self.name.upper()


@pytest.mark.parametrize("target", [Code, list[Code], Named])
def test_what_converters_change_is_on_record(target: Any) -> None:
    parsed = llmjson.parse('[{"name": "ab"}]' if target == list[Code] else '{"name": "ab"}', target)
    (coercion,) = parsed.coercions
    assert (coercion.kind, coercion.before, coercion.after) == ("read_by_type", "ab", "AB")
    assert coercion.path.endswith(".name")
