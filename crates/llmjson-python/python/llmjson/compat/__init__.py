"""Stand-ins for other libraries, under their names: `from llmjson.compat import jiter`.

They read what those read in the same way, and damaged text too.
"""

from . import jiter, json_repair, partial_json_parser

__all__ = ["jiter", "json_repair", "partial_json_parser"]
