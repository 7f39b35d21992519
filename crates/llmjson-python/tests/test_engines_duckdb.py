"""A SQL function of DuckDB."""

from __future__ import annotations

import pytest

duckdb = pytest.importorskip("duckdb")

import engine_replies
import llmjson
import llmjson.duckdb

ROWS = engine_replies.replies(20_000)


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 2})
    llmjson.duckdb.register(connection, "parse_order", engine_replies.SCHEMA)
    connection.register("replies", engine_replies.table(ROWS))
    return connection


def test_a_function_reads_each_row(connection: duckdb.DuckDBPyConnection) -> None:
    query = connection.sql("SELECT id, parse_order(reply) AS parsed FROM replies")
    result = query.to_arrow_table()
    engine_replies.assert_each_row_once(result["id"], result["parsed"], ROWS)


def test_sql_reaches_into_the_value(connection: duckdb.DuckDBPyConnection) -> None:
    query = """
        SELECT (parse_order(reply)).value.city AS city, sum(len((parse_order(reply)).value.lines))
        FROM replies WHERE (parse_order(reply)).ok GROUP BY city
    """
    expected: dict[str, int] = {}
    for _, value in ROWS:
        if value is not None:
            expected[value["city"]] = expected.get(value["city"], 0) + len(value["lines"])
    assert dict(connection.sql(query).fetchall()) == expected


def test_missing_and_hopeless_texts_are_rows(connection: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT p.ok, p.value, p.feedback IS NULL FROM (SELECT parse_order(t) AS p FROM {})"
    texts = "(VALUES (NULL), ('no')) AS v(t)"
    found = connection.sql(query.format(texts)).fetchall()
    assert found == [(False, None, True), (False, None, False)]


def test_a_constant_text(connection: duckdb.DuckDBPyConnection) -> None:
    llmjson.duckdb.register(connection, "parse_json", None, output="json")
    found = connection.sql("SELECT (parse_json('{a: 1, ''b'': [2,]}')).value").fetchall()
    assert found == [('{"a":1,"b":[2]}',)]


def test_mistakes_show_when_a_function_is_registered() -> None:
    connection = duckdb.connect()
    with pytest.raises(ValueError, match="policy"):
        llmjson.duckdb.register(connection, "f", engine_replies.SCHEMA, policy="loose")
    with pytest.raises(llmjson.SchemaError):
        llmjson.duckdb.register(connection, "f", {"type": "text"})
