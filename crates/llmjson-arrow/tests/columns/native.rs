//! Values in Arrow's own types.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Int32Type, Time64MicrosecondType, TimestampMicrosecondType,
};
use arrow_array::{Array, StringArray, StructArray};
use llmjson::{Policy, Schema, policy::Invalid};
use llmjson_arrow::{Options, Output, fields, parse};

const SCHEMA: &str = r#"{"type": "object", "properties": {
    "on": {"type": "string", "format": "date"},
    "at": {"type": "string", "format": "time"},
    "when": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
    "id": {"type": "string", "format": "uuid"},
    "ids": {"type": "array", "items": {"type": "string", "format": "uuid"}},
    "price": {"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$"}]},
    "by": {"type": "string", "enum": ["rail", "air"]}}}"#;
const UUID: &str = "123e4567-e89b-12d3-a456-426614174000";

fn read(texts: &[&str], options: Options) -> StructArray {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    let options = options.with_output(Output::Typed);
    let rows = parse(&StringArray::from(texts.to_vec()), Some(&schema), &options);
    let rows = rows.expect("rows");
    assert_eq!(*rows.fields(), fields(Some(&schema), Output::Typed));
    rows
}

fn member<'r>(rows: &'r StructArray, name: &str) -> &'r dyn Array {
    let values = rows.column_by_name("value").expect("the values");
    values.as_struct().column_by_name(name).expect("a member")
}

#[test]
fn formats_have_types() {
    for (schema, expected) in [
        (r#"{"type": "string", "format": "date"}"#, "Date32"),
        (r#"{"type": "string", "format": "time"}"#, "Time64(µs)"),
        (
            r#"{"type": "string", "format": "date-time"}"#,
            "Timestamp(µs, \"UTC\")",
        ),
        (
            r#"{"type": "string", "format": "uuid"}"#,
            "FixedSizeBinary(16)",
        ),
        (r#"{"type": "string", "format": "email"}"#, "Utf8"),
        (
            r#"{"type": "number", "format": "decimal"}"#,
            "Decimal128(38, 9)",
        ),
        (
            r#"{"type": "string", "format": "decimal"}"#,
            "Decimal128(38, 9)",
        ),
        (
            r#"{"format": "decimal", "anyOf": [{"type": "number"}, {"type": "string"}]}"#,
            "Decimal128(38, 9)",
        ),
        (r#"{"type": ["number", "string"]}"#, "Utf8"),
        (r#"{"enum": ["a", "b", null]}"#, "Dictionary(Int32, Utf8)"),
        (r#"{"enum": ["a", 1]}"#, "Utf8"),
        (
            r#"{"anyOf": [{"const": "a"}, {"type": "string", "format": "date"}]}"#,
            "Utf8",
        ),
        (
            r#"{"items": {"type": "string", "format": "date"}}"#,
            "List(Date32)",
        ),
    ] {
        let compiled = Schema::from_text(schema).expect("a schema");
        let found = fields(Some(&compiled), Output::Typed);
        assert_eq!(found[0].data_type().to_string(), expected, "{schema}");
    }
}

#[test]
fn values_are_numbers_of_their_types() {
    let text = format!(
        r#"{{"on": "2025-05-17", "at": "09:30:00.5Z", "when": "1970-01-02T00:00:00+01:00", "id": "{UUID}",
            "ids": ["{UUID}", "{UUID}"], "price": "12.50", "by": "air"}}"#
    );
    let rows = read(
        &[&text, r#"{"price": 0.1, "when": null}"#],
        Options::default(),
    );
    let ok: Vec<_> = rows.column(1).as_boolean().iter().collect();
    assert_eq!(ok, [Some(true), Some(true)], "{rows:?}");
    let on = member(&rows, "on").as_primitive::<Date32Type>();
    assert_eq!(on.iter().collect::<Vec<_>>(), [Some(20_225), None]);
    let at = member(&rows, "at").as_primitive::<Time64MicrosecondType>();
    assert_eq!(at.value(0), 34_200_500_000);
    let when = member(&rows, "when").as_primitive::<TimestampMicrosecondType>();
    assert_eq!(
        when.iter().collect::<Vec<_>>(),
        [Some(82_800_000_000), None]
    );
    let price = member(&rows, "price").as_primitive::<Decimal128Type>();
    assert_eq!(price.values()[..], [12_500_000_000, 100_000_000]);
    let id = member(&rows, "id").as_fixed_size_binary();
    assert_eq!(id.value(0)[..4], [0x12, 0x3e, 0x45, 0x67]);
    let ids = member(&rows, "ids").as_list::<i32>().value(0);
    assert_eq!(ids.as_fixed_size_binary().value(1), id.value(0));
    let by = member(&rows, "by").as_dictionary::<Int32Type>();
    let texts = by.values().as_string::<i32>();
    assert_eq!(texts.iter().flatten().collect::<Vec<_>>(), ["rail", "air"]);
    assert_eq!((by.keys().value(0), by.keys().is_null(1)), (1, true));
}

#[test]
fn uuids_are_known_by_their_extension() {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    let found = fields(Some(&schema), Output::Typed);
    let arrow_schema::DataType::Struct(members) = found[0].data_type() else {
        panic!("a struct");
    };
    let (_, id) = members.find("id").expect("the member");
    assert_eq!(id.extension_type_name(), Some("arrow.uuid"));
    let (_, ids) = members.find("ids").expect("the member");
    let arrow_schema::DataType::List(item) = ids.data_type() else {
        panic!("a list");
    };
    assert_eq!(item.extension_type_name(), Some("arrow.uuid"));
}

#[test]
fn what_a_type_cannot_hold_is_no_row() {
    let texts = [
        r#"{"price": 0.12345678901}"#,
        r#"{"price": 1e40}"#,
        r#"{"when": "2025-05-17T09:30:00.1234567Z"}"#,
        r#"{"at": "09:30:00+02:00"}"#,
        r#"{"price": 0.5, "by": "air"}"#,
    ];
    let rows = read(&texts, Options::default());
    let ok: Vec<_> = rows.column(1).as_boolean().iter().collect();
    assert_eq!(ok, [false, false, false, false, true].map(Some));
    let feedback = rows.column_by_name("feedback").expect("feedback");
    let feedback = feedback.as_string::<i32>();
    assert!(
        feedback.value(0).contains("decimals of 38 digits"),
        "{}",
        feedback.value(0)
    );
    assert!(
        feedback.value(2).contains("$input.when"),
        "{}",
        feedback.value(2)
    );
    assert!(
        feedback.value(3).contains("times without an offset"),
        "{}",
        feedback.value(3)
    );

    let drop = Options::default().with_policy(Policy::lenient().with_invalid(Invalid::Drop));
    let rows = read(&[r#"{"price": 1e40, "by": "air"}"#], drop);
    let by = member(&rows, "by").as_dictionary::<Int32Type>();
    assert_eq!(by.keys().value(0), 1);
}

#[test]
fn pieces_of_all_threads_are_put_together() {
    let texts: Vec<_> = (0..5_000)
        .map(|row| {
            format!(
                r#"{{"on": "2025-01-{:02}", "by": "rail", "price": {row}}}"#,
                row % 28 + 1
            )
        })
        .collect();
    let texts: Vec<_> = texts.iter().map(|text| &**text).collect();
    let rows = read(&texts, Options::default());
    let price = member(&rows, "price").as_primitive::<Decimal128Type>();
    assert!((0..5_000).all(|row| price.value(row) == row as i128 * 1_000_000_000));
    assert_eq!(
        member(&rows, "by").as_dictionary::<Int32Type>().len(),
        5_000
    );
}
