//! Strict decoding first, and four repairs of fields after it: what types see of it. What the
//! preset does to values is in the corpus.

use llmjson_testutil::table::lines;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use llmjson::compat::shape::{self, Kind, ShapeOptions};
use llmjson::{Policy, Schema};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;

/// The rows of the tests.
const FILE: &str = include_str!("shape.txt");

#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
struct Edit {
    #[serde(rename = "files")]
    paths: Vec<String>,
    #[serde(default)]
    lines: Vec<u8>,
    line: u32,
    note: Option<String>,
    #[serde(skip)]
    seen: bool,
}

/// What came of a text, and what was told.
fn edit(text: &str) -> (Result<Edit, String>, Vec<Vec<Kind>>) {
    let told = RefCell::new(Vec::new());
    let tell = |kinds: &[Kind]| told.borrow_mut().push(kinds.to_vec());
    let options = ShapeOptions::new().on_repair(&tell);
    let edit = shape::from_str_with(text, options).map_err(|error| error.to_string());
    (edit, told.into_inner())
}

fn strict(text: &str) -> Result<Edit, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn valid_text_is_decoded_strictly_and_nobody_is_told() {
    let text = r#"{"files": ["[\"a\"]"], "line": 3, "note": null}"#;
    let (found, told) = edit(text);
    assert_eq!(found, strict(text));
    assert!(told.is_empty());
    assert_eq!(
        shape::from_slice::<Edit>(text.as_bytes()).ok(),
        strict(text).ok()
    );
}

#[test]
fn the_schema_is_made_only_when_it_is_needed() {
    static MADE: AtomicUsize = AtomicUsize::new(0);

    #[derive(Debug, Deserialize)]
    struct Counted {
        names: Vec<String>,
    }

    impl JsonSchema for Counted {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Counted".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
            MADE.fetch_add(1, Ordering::Relaxed);
            schemars::json_schema!({
                "type": "object",
                "properties": {"names": {"type": "array", "items": {"type": "string"}}},
                "required": ["names"]
            })
        }
    }

    for _ in 0..3 {
        let counted: Counted = shape::from_str(r#"{"names": ["a"]}"#).unwrap();
        assert_eq!(counted.names, ["a"]);
    }
    assert_eq!(MADE.load(Ordering::Relaxed), 0);
    for _ in 0..3 {
        let counted: Counted = shape::from_str(r#"{"names": "a"}"#).unwrap();
        assert_eq!(counted.names, ["a"]);
    }
    assert_eq!(MADE.load(Ordering::Relaxed), 1);
}

#[test]
fn repairs_are_told_once_in_the_order_of_declaration() {
    let text = r#"{"line": null, "lines": "[1, 2]", "files": {"file": "a"}}"#;
    let (found, told) = edit(text);
    let found = found.unwrap();
    assert_eq!((found.line, &found.lines[..]), (0, &[1, 2][..]));
    assert_eq!(found.paths, ["a"]);
    let kinds = [
        Kind::WrapObjectInArray,
        Kind::UnwrapStringArray,
        Kind::DropNull,
    ];
    assert_eq!(told, [kinds]);
}

#[test]
fn repairs_are_told_before_the_value_is_there() {
    let edit = RefCell::new(Edit::default());
    let seen = RefCell::new(None);
    let tell = |_: &[Kind]| *seen.borrow_mut() = Some(edit.borrow().line);
    let mut next = Edit::default();
    let options = ShapeOptions::new().on_repair(&tell);
    shape::from_str_into(r#"{"files": "a", "line": 4}"#, &mut next, options).unwrap();
    edit.replace(next);
    assert_eq!(*seen.borrow(), Some(0));
    assert_eq!(edit.borrow().line, 4);
}

#[test]
fn the_first_error_is_the_error() {
    for text in lines(FILE, "the first error is the error") {
        let (found, told) = edit(text);
        assert_eq!(found, strict(text), "{text}");
        assert!(found.is_err() && told.is_empty(), "{text}");
    }
}

#[test]
fn a_value_that_is_there_is_written_only_on_success() {
    let mut value = Edit {
        line: 9,
        ..Edit::default()
    };
    let options = ShapeOptions::new();
    let failed = shape::from_str_into(r#"{"files": [1], "line": 3}"#, &mut value, options);
    assert!(failed.is_err() && value.line == 9);
    let bytes = br#"{"files": "a", "line": 3}"#;
    shape::from_slice_into(bytes, &mut value, options).unwrap();
    assert_eq!((value.line, value.paths.len()), (3, 1));
    assert!(shape::from_slice_into(b"{\"files\": \"\xFF\"}", &mut value, options).is_err());
    assert_eq!(value.line, 3);
}

#[test]
fn only_objects_and_types_that_are_objects_are_repaired() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Boxed(Box<Inner>);

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Inner {
        names: Vec<String>,
    }

    assert!(shape::from_str::<Vec<String>>(r#""a""#).is_err());
    assert!(shape::from_str::<Vec<Vec<String>>>(r#"["a"]"#).is_err());
    assert!(shape::from_str::<HashMap<String, Vec<String>>>(r#"{"a": "b"}"#).is_err());
    let text = r#"{"names": "a"}"#;
    assert_eq!(shape::from_str::<Boxed>(text).unwrap().0.names, ["a"]);
    let found = shape::from_str::<Option<Inner>>(text).unwrap().unwrap();
    assert_eq!(found.names, ["a"]);
    let deep = ShapeOptions::new().depth(2);
    assert!(shape::from_str_with::<Vec<Inner>>(r#"[{"names": "a"}]"#, deep).is_err());
}

#[test]
fn flattened_fields_are_fields() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Base {
        files: Vec<String>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Outer {
        #[serde(flatten)]
        base: Base,
        depth: u8,
    }

    let outer: Outer = shape::from_str(r#"{"files": "a", "depth": null}"#).unwrap();
    assert_eq!((outer.base.files.len(), outer.depth), (1, 0));
}

#[test]
fn blank_arguments_are_an_empty_object_and_blank_text_is_none() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct List {
        folder: Option<String>,
    }

    let options = ShapeOptions::new();
    for text in ["null", " null\n"] {
        let list: List = shape::arguments(text, options).unwrap();
        assert!(list.folder.is_none());
        assert!(shape::from_str::<List>(text).is_err());
        // Something is required: the error is about what was written.
        let error = shape::arguments::<Edit>(text, options).unwrap_err();
        let strict = serde_json::from_str::<Edit>(text).unwrap_err();
        assert_eq!(error.to_string(), strict.to_string());
    }
    for text in ["", " \n"] {
        assert!(
            shape::arguments::<List>(text, options)
                .unwrap()
                .folder
                .is_none()
        );
        assert!(shape::from_str::<List>(text).is_err());
        assert!(shape::arguments::<Edit>(text, options).is_err());
        let schema = Schema::from_text(r#"{"type": "object"}"#).unwrap();
        let policy = Policy::shape();
        let arguments = policy.arguments(text, Some(&schema));
        assert_eq!(arguments.to_json().as_deref(), Some("{}"));
        let parsed = policy.parse(text, Some(&schema));
        assert_eq!(parsed.to_json(), None);
    }
    let list: List = shape::arguments(r#"{"folder": "src"}"#, options).unwrap();
    assert_eq!(list.folder.as_deref(), Some("src"));
}

#[test]
fn deeper_fields_are_repaired_on_request() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Query {
        query: Terms,
        more: Vec<Terms>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Terms {
        words: Vec<String>,
    }

    let text = r#"{"query": {"words": "tea"}, "more": [{"words": "pot"}]}"#;
    for depth in [1, 2] {
        assert!(shape::from_str_with::<Query>(text, ShapeOptions::new().depth(depth)).is_err());
    }
    let query: Query = shape::from_str_with(text, ShapeOptions::new().depth(3)).unwrap();
    assert_eq!(query.query.words, ["tea"]);
    assert_eq!(query.more[0].words, ["pot"]);
}

#[test]
fn zeros_stand_only_where_null_may_not() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Every {
        text: String,
        number: i64,
        share: f64,
        truth: bool,
        maybe: Option<i64>,
        #[serde(default = "seven")]
        given: u8,
    }

    fn seven() -> u8 {
        7
    }

    let text = r#"{"text": null, "number": null, "share": null, "truth": null, "maybe": null,
        "given": null}"#;
    let every: Every = shape::from_str(text).unwrap();
    let expected = Every {
        text: String::new(),
        number: 0,
        share: 0.0,
        truth: false,
        maybe: None,
        given: 7,
    };
    assert_eq!(every, expected);

    // No other coercion invents anything.
    let schema = llmjson::typed::schema::<Every>().unwrap();
    assert!(!llmjson::parse(text, Some(&schema)).conforms());
}

#[test]
fn a_schema_may_be_given_instead() {
    #[derive(Debug, Deserialize)]
    struct Plain {
        ids: Vec<u64>,
        total: u64,
    }

    let schema = Schema::from_text(
        r#"{"type": "object", "properties": {
            "total": {"type": "integer"}, "ids": {"type": "array", "items": {"type": "integer"}}
        }, "required": ["total", "ids"]}"#,
    )
    .unwrap();
    let told = RefCell::new(Vec::new());
    let tell = |kinds: &[Kind]| told.borrow_mut().extend_from_slice(kinds);
    let options = ShapeOptions::new().on_repair(&tell);
    let text = r#"{"total": 9007199254740993, "ids": 7}"#;
    let plain: Plain = shape::from_str_by(text, &schema, options).unwrap();
    assert_eq!(
        (plain.total, &plain.ids[..]),
        (9_007_199_254_740_993, &[7][..])
    );
    assert_eq!(*told.borrow(), [Kind::WrapInArray]);
}

#[test]
fn kinds_have_their_published_names() {
    let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.to_string()).collect();
    assert_eq!(
        names,
        [
            "drop_null",
            "unwrap_string_array",
            "wrap_object_in_array",
            "wrap_in_array"
        ]
    );
    for kind in Kind::ALL {
        let json = serde_json::to_string(kind).unwrap();
        assert_eq!(json, format!("{:?}", kind.as_str()));
        assert_eq!(serde_json::from_str::<Kind>(&json).unwrap(), *kind);
    }
    assert!(serde_json::from_str::<Kind>("\"drop\"").is_err());
}
