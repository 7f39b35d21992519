"""Optional packages, each installed by an extra."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["needed"]


def needed(module: str, extra: str) -> Any:
    """Loads an optional package. Raises ImportError with the name of the extra that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        raise ImportError(
            f"llmjson needs the package {error.name} here: pip install 'llmjson-py[{extra}]'"
        ) from error
