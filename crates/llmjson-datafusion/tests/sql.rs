//! Queries over tables of replies.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, BinaryArray, LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use datafusion::arrow::datatypes::Schema as ArrowSchema;
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use llmjson::{Policy, Schema};
use llmjson_arrow::{Options, Output};
use llmjson_datafusion::parse_udf;

const SCHEMA: &str = r#"{"type": "object", "properties": {
    "city": {"type": "string"}, "days": {"type": "integer"},
    "tags": {"type": "array", "items": {"type": "string"}}
}, "required": ["city"]}"#;

/// Three partitions of replies.
const PARTITIONS: [&[Option<&str>]; 3] = [
    &[
        Some(r#"{"city": "Oslo", "days": 3, "tags": ["a", "b"]}"#),
        Some("Sure:\n```json\n{city: 'Rome', days: \"4\",}\n```"),
    ],
    &[None, Some("I cannot do that."), Some(r#"{"days": 5}"#)],
    &[
        Some(r#"{"city": "Bonn", "days": 99999999999999999999}"#),
        Some(r#"{"city": "Bonn"#),
    ],
];

/// Makes a column of replies.
type Make = fn(&[Option<&str>]) -> ArrayRef;

/// A context with the functions and a table `t`, whose column `reply` is made by `make`.
fn context(make: Make) -> SessionContext {
    let batch = |replies: &&[Option<&str>]| {
        RecordBatch::try_from_iter([("reply", make(replies))]).expect("a batch")
    };
    let batches: Vec<_> = PARTITIONS.iter().map(batch).collect();
    let fields = batches[0].schema().fields().clone();
    let nullable = fields
        .iter()
        .map(|field| field.as_ref().clone().with_nullable(true));
    let schema = Arc::new(ArrowSchema::new(nullable.collect::<Vec<_>>()));
    let partitions = batches.into_iter().map(|batch| {
        let columns = batch.columns().to_vec();
        vec![RecordBatch::try_new(Arc::clone(&schema), columns).expect("a batch")]
    });
    let table = MemTable::try_new(Arc::clone(&schema), partitions.collect()).expect("a table");
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(3));
    context
        .register_table("t", Arc::new(table))
        .expect("a new name");
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    let options = Options::default;
    let tool = options().with_policy(Policy::tool());
    let json = options().with_output(Output::Json);
    context.register_udf(parse_udf("llmjson", Some(&schema), options()));
    context.register_udf(parse_udf("llmjson_tool", Some(&schema), tool));
    context.register_udf(parse_udf("llmjson_text", None, json));
    context
}

fn texts(replies: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(replies.to_vec()))
}

/// The rows of a query without frame, sorted.
async fn rows(context: &SessionContext, query: &str) -> Vec<String> {
    let frame = context.sql(query).await.expect(query);
    let shown = frame.to_string().await.expect(query);
    let lines = shown.lines().filter(|line| line.starts_with('|')).skip(1);
    let cells = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>().join("|"));
    let mut rows: Vec<_> = cells.collect();
    rows.sort();
    rows
}

#[tokio::test]
async fn replies_are_columns_of_a_query() {
    let context = context(texts);
    let table: &[(&str, &[&str])] = &[
        (
            "SELECT r.value.city, r.value.days, r.ok FROM (SELECT llmjson(reply) AS r FROM t)",
            &[
                "|Bonn||true|",
                "|Oslo|3|true|",
                "|Rome|4|true|",
                "|||false|",
                "|||false|",
                "|||false|",
                "|||false|",
            ],
        ),
        (
            "SELECT count(*), sum(get_field(llmjson(reply), 'value', 'days')) FROM t WHERE get_field(llmjson(reply), 'ok')",
            &["|3|7|"],
        ),
        (
            "SELECT get_field(llmjson(reply), 'value', 'tags') FROM t WHERE reply LIKE '%Oslo%'",
            &["|[a, b]|"],
        ),
        (
            "SELECT r.value.city FROM (SELECT llmjson_tool(reply) AS r FROM t) WHERE r.ok",
            &["|Oslo|", "|Rome|"],
        ),
        (
            "SELECT get_field(llmjson_text(reply), 'value') FROM t WHERE reply LIKE '%Rome%'",
            &[r#"|{"city":"Rome","days":"4"}|"#],
        ),
        (
            "SELECT r.certainty, r.complete, count(*) FROM (SELECT llmjson(reply) AS r FROM t) \
             GROUP BY r.certainty, r.complete",
            &["|certain|true|4|", "|likely|false|1|", "||true|1|", "|||1|"],
        ),
    ];
    for (query, wanted) in table {
        assert_eq!(rows(&context, query).await, *wanted, "{query}");
    }
}

#[tokio::test]
async fn rows_that_do_not_fit_have_feedback() {
    let context = context(texts);
    let query = "SELECT reply, r.feedback FROM (SELECT reply, llmjson(reply) AS r FROM t) \
                 WHERE NOT r.ok AND reply IS NOT NULL";
    let batches = context.sql(query).await.expect("a query").collect().await;
    let batches = batches.expect("rows");
    let feedback = batches.iter().flat_map(|batch| {
        let column = batch.column(1).as_any().downcast_ref::<StringArray>();
        column
            .expect("texts")
            .iter()
            .map(|text| text.unwrap_or_default().to_owned())
    });
    let feedback: Vec<_> = feedback.collect();
    assert_eq!(feedback.len(), 3);
    for wanted in ["$input.city", "$input.days", "reply holds no JSON value"] {
        let count = feedback.iter().filter(|text| text.contains(wanted)).count();
        assert_eq!(count, 1, "{wanted} in {feedback:?}");
    }
}

#[tokio::test]
async fn a_constant_is_a_row() {
    let context = context(texts);
    let table = [
        (
            "SELECT get_field(llmjson('{city: 1}'), 'value', 'city')",
            "|1|",
        ),
        ("SELECT get_field(llmjson('no'), 'ok')", "|false|"),
        ("SELECT get_field(llmjson(NULL), 'ok')", "|false|"),
        ("SELECT get_field(llmjson(NULL), 'value', 'city')", "||"),
    ];
    for (query, wanted) in table {
        assert_eq!(rows(&context, query).await, [wanted], "{query}");
    }
}

#[tokio::test]
async fn every_type_of_texts_is_read() {
    let makes: [Make; 3] = [
        |replies| Arc::new(LargeStringArray::from(replies.to_vec())),
        |replies| Arc::new(StringViewArray::from(replies.to_vec())),
        |replies| {
            let bytes = replies.iter().map(|reply| reply.map(str::as_bytes));
            Arc::new(bytes.collect::<BinaryArray>())
        },
    ];
    let query = "SELECT r.value.city, r.value.days FROM (SELECT llmjson(reply) AS r FROM t)";
    let wanted = rows(&context(texts), query).await;
    for make in makes {
        assert_eq!(rows(&context(make), query).await, wanted);
    }
}

#[tokio::test]
async fn functions_of_other_schemas_are_not_taken_for_the_same() {
    let context = SessionContext::new();
    let schema = |text| Schema::from_text(text).expect("a schema");
    let number = parse_udf(
        "f",
        Some(&schema(r#"{"type": "integer"}"#)),
        Options::default(),
    );
    let text = parse_udf(
        "f",
        Some(&schema(r#"{"type": "string"}"#)),
        Options::default(),
    );
    assert_ne!(number, text);
    assert_eq!(number, number.clone());
    let column = datafusion::prelude::lit("\"12\"");
    let frame = context.read_empty().expect("a row");
    let calls = vec![
        number.call(vec![column.clone()]).alias("a"),
        text.call(vec![column]).alias("b"),
    ];
    let shown = frame
        .select(calls)
        .expect("a query")
        .to_string()
        .await
        .expect("rows");
    assert!(shown.contains("value: 12,"), "{shown}");
}
