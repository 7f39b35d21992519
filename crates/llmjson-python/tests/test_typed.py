"""Schemas of types, and instances made by pydantic or without it."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import typing
from typing import Annotated, Any, Literal, Optional, Union

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


def test_schema_of_a_model() -> None:
    schema, target = _typed.schema_for(Item)
    assert target is Item
    assert schema == Item.model_json_schema()
    assert schema["required"] == ["name", "unitPrice"]


def test_schema_of_an_adapter() -> None:
    adapter = pydantic.TypeAdapter(list[Item])
    schema, target = _typed.schema_for(adapter)
    assert target is adapter
    assert schema == adapter.json_schema()


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
    assert schema["$defs"]["Item"] == Item.model_json_schema()


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
