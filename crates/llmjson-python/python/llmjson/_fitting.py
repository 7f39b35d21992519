"""Values that are changed to fit a schema as json_repair does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ._llmjson import Parsed, coerce
from ._schemas import compiled, resolved
from ._types import is_array, is_object

if TYPE_CHECKING:
    from ._llmjson import Policy
    from ._records import Violation

#: Each round may uncover violations deeper in the value.
_ROUNDS_MAX = 8
_STEP = re.compile(r'\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]')
_KEPT: Any = object()
#: The types that keywords imply.
_SHAPES = {"items": "array", "prefixItems": "array", "properties": "object", "additionalProperties": "object"}


def fitting(parsed: Parsed[Any], schema: Any, policy: Policy, *, is_salvage: bool) -> Parsed[Any]:
    """Returns a result without undeclared members that its schema forbids.

    With `is_salvage`, missing members get an allowed or an empty value, null becomes an empty array, and an array
    becomes an object of as many properties.
    """
    known = compiled(schema)
    wanted = known.json
    for _ in range(_ROUNDS_MAX):
        root = [parsed.value]
        changed = [_fit(root, one, wanted, is_salvage) for one in reversed(parsed.violations)]
        if not any(changed):
            return parsed
        parsed = coerce(root[0], known, policy=policy)
        if parsed.ok:
            return parsed
    return parsed


def _fit(root: list[Any], violation: Violation, schema: Any, is_salvage: bool) -> bool:
    """Changes the place of a violation, and returns whether it did."""
    holder: Any = root
    step: Any = 0
    owner: Any = None
    wanted: Any = schema
    for name, index, quoted in _STEP.findall(violation.path):
        # Another violation may have changed what is here.
        try:
            holder = holder[step]
        except (KeyError, IndexError):
            return False
        step = int(index) if index else name or re.sub(r"\\(.)", r"\1", quoted)
        owner = resolved(schema, wanted)
        wanted = _part(owner, step)
        if not (is_array(holder) if index else is_object(holder)):
            return False
    wanted = resolved(schema, wanted)
    is_closed = is_object(owner) and owner.get("additionalProperties") is False
    is_undeclared = violation.expected == "undefined" or (is_closed and wanted is None)
    if is_undeclared and is_object(holder) and step in holder:
        del holder[step]
        return True
    if not is_salvage or not is_object(wanted):
        return False
    found = holder[step] if is_array(holder) or step in holder else _KEPT
    value = _salvaged(found, wanted)
    if value is _KEPT:
        return False
    holder[step] = value
    return True


def _part(schema: Any, step: int | str) -> Any:
    """Returns the schema of a member or an item."""
    if not is_object(schema):
        return None
    if isinstance(step, int):
        return schema.get("items")
    return schema.get("properties", {}).get(step)


def _salvaged(found: Any, wanted: dict[str, Any]) -> Any:
    """Returns a value in place of a missing or unfit value."""
    kind = wanted.get("type") or next((kind for name, kind in _SHAPES.items() if name in wanted), None)
    if found is _KEPT:
        for name, allowed in (("default", None), ("const", None), ("enum", 0)):
            if wanted.get(name):
                return wanted[name] if allowed is None else wanted[name][allowed]
        if kind == "array" and not wanted.get("minItems"):
            return []
        return {} if kind == "object" and not wanted.get("minProperties") else _KEPT
    if found is None and kind == "array":
        return []
    properties = wanted.get("properties", {})
    if is_array(found) and kind == "object" and len(found) == len(properties):
        return dict(zip(properties, found))
    return _KEPT
