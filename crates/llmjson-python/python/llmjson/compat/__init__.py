"""Replacements for other libraries, under their names: `from llmjson.compat import jiter`.

They parse the same input in the same way, and also damaged text.
"""

from . import jiter, json_repair, partial_json_parser

__all__ = ["jiter", "json_repair", "partial_json_parser"]
