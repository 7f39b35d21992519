"""DuckDB: parses a column of replies in SQL."""

import duckdb

import llmjson.duckdb

ORDER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["city", "count"],
}
REPLIES = [
    (1, '{"city": "Rome", "count": 2}'),
    (2, "Sure!\n```json\n{'city': 'Oslo', count: \"3\",}\n```"),
    (3, "Which city do you mean?"),
]

connection = duckdb.connect()
connection.execute("CREATE TABLE orders (id INTEGER, reply VARCHAR)")
connection.executemany("INSERT INTO orders VALUES (?, ?)", REPLIES)
llmjson.duckdb.register(connection, "parse_order", ORDER)
query = """
    SELECT id, parsed.ok, parsed.value.city, parsed.value.count
    FROM (SELECT id, parse_order(reply) AS parsed FROM orders) ORDER BY id
"""
for row in connection.sql(query).fetchall():
    print(*row)
