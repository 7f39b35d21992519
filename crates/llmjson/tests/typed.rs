//! Reading into Rust types by their own schemas.
#![cfg(feature = "schemars")]

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
fn a_text_without_a_value_is_a_failure() {
    let error = typed::from_str::<Booking>("I am sorry.").expect_err("nothing to read");
    assert!(matches!(error, Error::Failure(_)), "{error}");
    assert!(error.feedback().is_some());
}
