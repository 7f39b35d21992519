"""Stand-ins for other libraries, under their names: `from llmjson.compat import jiter`.

They read what those read in the same way, and damaged text besides. json_repair's functions are those of `llmjson`
itself.
"""

from . import jiter, partial_json_parser

__all__ = ["jiter", "partial_json_parser"]
