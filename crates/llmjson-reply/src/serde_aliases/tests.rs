use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU8;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::*;

/// Returns the aliases in the schema of a type, with their pointers.
fn found<T: DeserializeOwned + JsonSchema + 'static>() -> Vec<(String, Value)> {
    let schema = crate::derived_schema::schema::<T>().expect("it compiles");
    let schema: Value = serde_json::from_str(schema.as_json()).expect("it is JSON");
    let mut found = Vec::new();
    collect(&schema, "", &mut found);
    found
}

fn collect(value: &Value, pointer: &str, found: &mut Vec<(String, Value)>) {
    for (name, inner) in value.as_object().into_iter().flatten() {
        let pointer = format!("{pointer}/{name}");
        match name == ALIASES {
            true => found.push((pointer, inner.clone())),
            false => collect(inner, &pointer, found),
        }
    }
}

fn assert_found<T: DeserializeOwned + JsonSchema + 'static>(wanted: &[(&str, &[&str])]) {
    let wanted: Vec<_> = wanted
        .iter()
        .map(|(place, names)| (format!("{place}/{ALIASES}"), Value::from(names.to_vec())))
        .collect();
    assert_eq!(found::<T>(), wanted);
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Plain {
    #[serde(alias = "phone", alias = "tel")]
    phone_number: String,
    #[serde(rename = "prio", alias = "priority")]
    level: NonZeroU8,
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
#[serde(rename_all = "camelCase")]
struct Nested {
    #[serde(alias = "main")]
    first_plain: Plain,
    #[serde(alias = "may")]
    maybe: Option<Box<Plain>>,
    #[serde(alias = "all")]
    list: Vec<Inner>,
    map: HashMap<u8, Vec<Wrapped>>,
    #[serde(alias = "before")]
    children: Vec<Nested>,
    #[serde(alias = "kinds")]
    kind: Kinds,
    #[serde(alias = "pairs", default)]
    pair: (String, Inner),
}

#[derive(Default, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Inner {
    #[serde(alias = "y")]
    x: f64,
    #[serde(alias = "anything")]
    any: Value,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Wrapped(InWrap);

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct InWrap {
    #[serde(alias = "at")]
    address: std::net::IpAddr,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Kinds {
    Tuple(u8, Inner),
    #[serde(alias = "other")]
    Unit,
}

#[test]
fn aliases_are_found() {
    assert_found::<Plain>(&[
        ("/properties/phone_number", &["phone", "tel"]),
        ("/properties/prio", &["priority"]),
    ]);
}

#[test]
fn aliases_are_found_behind_references_lists_and_maps() {
    assert_found::<Nested>(&[
        ("/$defs/InWrap/properties/address", &["at"]),
        ("/$defs/Inner/properties/any", &["anything"]),
        ("/$defs/Inner/properties/x", &["y"]),
        ("/$defs/Plain/properties/phone_number", &["phone", "tel"]),
        ("/$defs/Plain/properties/prio", &["priority"]),
        ("/properties/children", &["before"]),
        ("/properties/firstPlain", &["main"]),
        ("/properties/kind", &["kinds"]),
        ("/properties/list", &["all"]),
        ("/properties/maybe", &["may"]),
        ("/properties/pair", &["pairs"]),
    ]);
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Flat {
    #[serde(alias = "b")]
    a: String,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Untagged {
    Plain(Plain),
    Text(String),
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Panics {
    a: u8,
}

impl<'de> Deserialize<'de> for Panics {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        panic!("not today")
    }
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Beside {
    #[serde(alias = "c")]
    panics: Panics,
    #[serde(alias = "d")]
    #[schemars(extend("x-aliases" = ["e"]))]
    other: u8,
}

#[test]
fn types_without_detectable_aliases_are_unchanged() {
    assert_found::<Flat>(&[]);
    assert_found::<Untagged>(&[]);
    assert_found::<Panics>(&[]);
    assert_found::<Vec<u8>>(&[]);
    // A field of such a type does not prevent the detection of others.
    assert_found::<Beside>(&[("/properties/other", &["e", "d"])]);
}
