//! Reading into Rust types by their own schemas.

use std::collections::BTreeMap;
use std::fmt::Debug;

use llmjson::typed::{self, Error};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Booking {
    guest_names: Vec<String>,
    nights: u8,
    room: Option<Room>,
    #[serde(default)]
    extras: BTreeMap<String, f64>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Room {
    Single,
    Double { beds: u32 },
    Suite(Vec<String>),
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Payment {
    Card { number: String },
    Cash { paid: bool },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

fn reads<T>(cases: &[(&str, T)])
where
    T: DeserializeOwned + JsonSchema + PartialEq + Debug + 'static,
{
    for (text, wanted) in cases {
        match typed::from_str::<T>(text) {
            Ok(value) => assert_eq!(value, *wanted, "{text}"),
            Err(error) => panic!("{text}: {error}"),
        }
    }
}

#[test]
fn values_are_put_right_by_the_type() {
    let booking = |guests: &[&str], nights, room| Booking {
        guest_names: guests.iter().map(|guest| (*guest).to_owned()).collect(),
        nights,
        room,
        extras: BTreeMap::new(),
    };
    reads(&[
        (
            r#"{"guestNames":["Ada"],"nights":2}"#,
            booking(&["Ada"], 2, None),
        ),
        (
            r#"{"guest_names":"Ada","nights":"2","room":null}"#,
            booking(&["Ada"], 2, None),
        ),
        (
            "I booked it.\n```json\n{guestNames: ['Ada', 'Bob'], nights: 3.0, room: \"single\"}\n```",
            booking(&["Ada", "Bob"], 3, Some(Room::Single)),
        ),
        (
            r#"{"guestNames":[],"nights":1,"room":{"double":{"beds":"2"}}}"#,
            booking(&[], 1, Some(Room::Double { beds: 2 })),
        ),
        (
            r#"{"guestNames":"[\"Ada\"]","nights":1,"room":"{\"suite\":[\"a\"]}"}"#,
            booking(&["Ada"], 1, Some(Room::Suite(vec!["a".to_owned()]))),
        ),
    ]);
    reads(&[
        (
            r#"{"type":"card","number":4111}"#,
            Payment::Card {
                number: "4111".to_owned(),
            },
        ),
        (
            r#"{"type":"cash","paid":"yes"}"#,
            Payment::Cash { paid: true },
        ),
    ]);
    let leaf = |name: &str| Tree {
        name: name.to_owned(),
        children: Vec::new(),
    };
    reads(&[(
        r#"{"name":"a","children":{"name":"b","children":[]}}"#,
        Tree {
            name: "a".to_owned(),
            children: vec![leaf("b")],
        },
    )]);
}

#[test]
fn what_does_not_fit_comes_back_with_feedback() {
    let text = r#"{"guestNames":["Ada"],"nights":300}"#;
    let error = typed::from_str::<Booking>(text).expect_err("too many nights");
    let feedback = error.feedback().expect("feedback");
    assert!(
        feedback.contains(r#""nights": 300 // ❌ [{"path":"$input.nights","#),
        "{feedback}"
    );
    let Error::Failure(failure) = error else {
        panic!("no failure: {error}")
    };
    assert!(!failure.violations().is_empty());
    for violation in failure.violations() {
        assert_eq!(violation.path.to_string(), "$input.nights");
    }
    assert_eq!(failure.document().to_json().as_deref(), Some(text));
}

#[test]
fn what_serde_refuses_is_described_next_to_what_the_schema_expects() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only the errors count")]
    struct Event {
        start: Option<chrono::DateTime<chrono::Utc>>,
        by: Option<Vec<std::net::Ipv4Addr>>,
    }
    let strict = "write it exactly as its format requires: 10:00:00Z, for example";
    let table = [
        (
            r#"{"start": "2026-03-05T10:00:00"}"#,
            "$input.start",
            r#"Format<"date-time">"#,
            strict,
        ),
        (r#"{"by": ["1.2.3.256"]}"#, "$input.by[0]", "ipv4", ""),
    ];
    for (text, path, expected, description) in table {
        let error = typed::from_str::<Event>(text).expect_err(text);
        let Error::Failure(failure) = error else {
            panic!("no failure: {error}")
        };
        let violation = &failure.violations()[0];
        assert_eq!(violation.path.to_string(), path);
        assert!(
            violation.expected.contains(expected),
            "{}",
            violation.expected
        );
        let shown = violation.description.as_deref().unwrap_or_default();
        assert!(shown.contains(description), "{shown}");
    }
}

#[test]
fn a_failure_prints_shortly() {
    let error = typed::from_str::<Booking>(&format!(
        r#"{{"guestNames":["{}"],"nights":"many"}}"#,
        "Ada".repeat(1_000)
    ));
    let shown = format!("{:?}", error.expect_err("many is no number"));
    assert!(shown.contains("validation_error") && shown.contains("$input.nights"));
    assert!(shown.len() < 200, "{shown}");
}

#[test]
fn a_text_without_a_value_is_a_failure() {
    let error = typed::from_str::<Booking>("I am sorry.").expect_err("nothing to read");
    assert!(matches!(error, Error::Failure(_)), "{error}");
    assert!(error.feedback().is_some());
    let source = std::error::Error::source(&error).expect("the failure");
    assert!(source.is::<llmjson::Failure>());
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Order {
    #[schemars(extend("x-aliases" = ["customer", "client_ref"]))]
    buyer: String,
    #[serde(default)]
    lines: Vec<Line>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Line {
    #[schemars(extend("x-aliases" = ["q"]))]
    quantity: u32,
}

#[test]
fn aliases_in_the_schema_are_accepted() {
    let texts = [
        r#"{"buyer":"a","lines":[{"quantity":1},{"quantity":2}]}"#,
        r#"{"customer":"a","lines":[{"q":1},{"quantity":2}]}"#,
        r#"{"client_ref":"a","lines":[{"q":"1"},{"q":2.0}]}"#,
    ];
    for text in texts {
        let parsed = llmjson::parse(text, Some(&typed::schema::<Order>().expect("it compiles")));
        assert_eq!(parsed.to_json().as_deref(), Some(texts[0]));
        let order: Order = parsed.into_type().expect(text);
        let quantities: Vec<_> = order.lines.iter().map(|line| line.quantity).collect();
        assert_eq!((order.buyer.as_str(), quantities), ("a", vec![1, 2]));
        let value: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
        let coerced = typed::coerce::<Order>(value).expect(text);
        assert_eq!(coerced, order);
    }
}

#[test]
fn a_borrowing_type_is_read_through_its_schema() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Line<'a> {
        #[schemars(extend("x-aliases" = ["title"]))]
        name: &'a str,
    }
    let schema = typed::schema::<Line<'static>>().expect("it compiles");
    let parsed = llmjson::parse("{'title': 'a'}", Some(&schema));
    assert_eq!(
        llmjson::DeserializeExt::deserialize::<Line<'_>>(parsed.document())
            .expect("the type takes the other name"),
        Line { name: "a" }
    );
}

#[test]
fn blank_arguments_are_an_empty_object_where_nothing_is_required() {
    #[derive(Deserialize, JsonSchema)]
    struct Page {
        size: Option<u32>,
    }
    for text in ["", " ", "null", "{}"] {
        let page = typed::arguments::<Page>(text).expect(text);
        assert_eq!(page.size, None);
        assert!(typed::arguments::<Order>(text).is_err(), "{text}");
    }
    assert!(typed::from_str::<Page>("").is_err());
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Sets {
    seen: std::collections::BTreeSet<u32>,
    #[schemars(range(min = 1))]
    count: u32,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Level {
    Low,
    #[serde(other)]
    Other,
}

/// What serde takes is not refused because the schema of the type says less, but a bound is kept.
#[test]
fn what_the_type_accepts_is_never_refused() {
    let seen = [1, 2].into_iter().collect();
    let sets = typed::from_str::<Sets>(r#"{"seen": [1, 1, "2"], "count": "3"}"#).expect("sets");
    assert_eq!(sets, Sets { seen, count: 3 });
    assert!(typed::from_str::<Sets>(r#"{"seen": [1, 1], "count": 0}"#).is_err());
    assert!(typed::from_str::<Sets>(r#"{"seen": [1, "x"], "count": 1}"#).is_err());
    assert_eq!(typed::from_str::<Level>(r#""low""#).ok(), Some(Level::Low));
    assert_eq!(
        typed::from_str::<Level>(r#""strange""#).ok(),
        Some(Level::Other)
    );
}
