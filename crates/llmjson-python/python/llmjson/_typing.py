"""The types of arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import TypeForm, TypeVar

    from ._llmjson import Policy, Schema

    #: The type that a schema describes.
    T = TypeVar("T", default=Any)
    T_co = TypeVar("T_co", default=Any, covariant=True)
else:
    from typing import TypeVar

    T = TypeVar("T")
    T_co = TypeVar("T_co", covariant=True)
    TypeForm = None

__all__ = [
    "AnyPolicy",
    "Described",
    "Json",
    "Mode",
    "PolicyName",
    "T",
    "T_co",
    "Text",
    "TypeForm",
]

Text: TypeAlias = "str | bytes | bytearray | memoryview"
#: A JSON Schema, or its text.
Json: TypeAlias = "Mapping[str, Any] | bool | str"
PolicyName: TypeAlias = Literal["lenient", "strict", "shape", "conservative", "tool", "exact"]
#: How json_repair treats items that do not conform.
Mode: TypeAlias = Literal["standard", "salvage"]
AnyPolicy: TypeAlias = "PolicyName | Policy"


class Adapter(Protocol[T_co]):
    """An object that describes a type, such as `pydantic.TypeAdapter`."""

    def json_schema(self, *args: Any, **kwargs: Any) -> dict[str, Any]: ...
    def validate_json(self, *args: Any, **kwargs: Any) -> T_co: ...


#: A type, or an object that represents one. Other type hints, such as unions, are a `TypeForm`.
Described: TypeAlias = "Schema[T] | Adapter[T] | type[T]"
