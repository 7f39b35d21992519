//! What a stream with a schema holds back, and for how long.

use llmjson::Schema;
use llmjson::stream::Stream;
use llmjson_testutil::Table;

/// Pieces of replies, and the values that are shown after each.
const FILE: &str = include_str!("held.txt");

fn schema(case: &Table) -> Schema {
    let schema = case.setting("schema").expect("the case has a schema");
    Schema::from_text(schema).expect("a schema")
}

#[test]
fn members_hold_back_only_themselves() {
    for case in Table::all(FILE) {
        let (name, schema) = (case.title, schema(&case));
        let mut stream = Stream::new(Some(&schema));
        let (whole, pieces) = case.rows.split_last().expect("the value at the end");
        for piece in pieces {
            stream.push(piece[0]);
            let value = stream.value().map(|value| value.to_json());
            assert_eq!(value.as_deref(), Some(piece[1]), "{name}: {}", piece[0]);
        }
        let finished = stream.finish();
        let json = finished.parsed.to_json();
        assert_eq!(json.as_deref(), Some(whole[1]), "{name}");
        assert!(!finished.superseded, "{name}");
    }
}

/// Pieces of any length show members in the same order, and give the same.
#[test]
fn the_laws_of_streams_hold_for_what_is_held_back() {
    for case in Table::all(FILE) {
        let schema = schema(&case);
        let text = case.column().concat();
        for length in [1, 2, 3, 7, 1000] {
            llmjson::laws::every_coerced_stream(&text, &schema, || || length);
        }
    }
}

#[test]
fn objects_within_objects_are_shown_though_each_holds_a_member_back() {
    let schema = r##"{"type": "object", "properties": {"city": {"type": "string"},
        "note": {"type": "string"}, "next": {"$ref": "#"}}, "required": ["city"]}"##;
    let schema = Schema::from_text(schema).unwrap();
    for depth in [1, 4, 16, 64] {
        let reply = r#"{"the_city": "Oslo", "next": "#.repeat(depth) + r#"{"note": "Rain all day"#;
        for length in [1, 7, usize::MAX] {
            let mut stream = Stream::new(Some(&schema));
            for piece in reply.as_bytes().chunks(length) {
                stream.push_bytes(piece).unwrap();
            }
            let shown = stream.value().map(|value| value.to_json());
            let shown = shown.unwrap_or_default();
            assert_eq!(
                shown.matches("next").count(),
                depth,
                "{depth} by {length}: {shown}"
            );
            assert!(shown.contains("Rain"), "{depth} by {length}: {shown}");
        }
    }
}
