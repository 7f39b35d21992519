"""pandas: parses a series of replies into columns backed by Arrow."""

import pandas as pd

import llmjson.pandas

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

orders = pd.Series(REPLIES, index=[1, 2, 3])
parsed = llmjson.pandas.parse(orders, ORDER)
value = parsed["value"].struct
table = pd.DataFrame(
    {"ok": parsed["ok"], **{name: value.field(name) for name in ("city", "count")}}
)
for row in table.astype(object).where(table.notna(), None).itertuples():
    print(*row)
