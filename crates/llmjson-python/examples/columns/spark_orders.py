"""Spark: parses a column of replies on two cores of this machine."""

import os
import sys

from pyspark.sql import SparkSession

import llmjson.spark

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
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

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
orders = spark.createDataFrame(REPLIES, "id int, reply string")
parsed = llmjson.spark.parse(orders, "reply", ORDER)
for row in parsed.select("id", "parsed.ok", "parsed.value.city", "parsed.value.count").collect():
    print(row.id, row.ok, row.city, row["count"])
spark.stop()
