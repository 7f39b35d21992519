"""Ray: parses a column of replies in tasks on two cores of this machine."""

import ray

import llmjson.ray

ORDER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["city", "count"],
}
REPLIES = [
    {"id": 1, "reply": '{"city": "Rome", "count": 2}'},
    {"id": 2, "reply": "Sure!\n```json\n{'city': 'Oslo', count: \"3\",}\n```"},
    {"id": 3, "reply": "Which city do you mean?"},
]

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
orders = ray.data.from_items(REPLIES)
parsed = llmjson.ray.parse(orders, "reply", ORDER)
for row in sorted(parsed.take_all(), key=lambda row: row["id"]):
    value = row["parsed"]["value"] or {}
    print(row["id"], row["parsed"]["ok"], value.get("city"), value.get("count"))
ray.shutdown()
