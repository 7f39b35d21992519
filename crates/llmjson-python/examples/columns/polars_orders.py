"""Polars: parses a column of replies in a lazy frame."""

import polars as pl

import llmjson.polars  # noqa: F401 (adds .llmjson to expressions)

ORDER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["city", "count"],
}
REPLIES = [
    '{"city": "Rome", "count": 2}',
    "Sure!\n```json\n{'city': 'Oslo', count: \"3\",}\n```",
    "Which city do you mean?",
]

orders = pl.LazyFrame({"id": [1, 2, 3], "reply": REPLIES})
parsed = orders.select("id", pl.col("reply").llmjson.parse(ORDER).struct.unnest())
flat = parsed.select("id", "ok", pl.col("value").struct.unnest()).collect()
for row in flat.rows():
    print(*row)
