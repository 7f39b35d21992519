//! Values in the forms that people write, and beside each what only looks like one.
//!
//! What a form means is known because it was written from the value; dates are written by `jiff`.

mod numbers;
mod times;

use std::fmt::Write as _;

use llmjson_schema::{CoerceOptions, Schema, coerce};
use llmjson_syntax::{Class, parse};

use self::numbers::{country, magnitude, no_number, no_unit, script, unit};
use self::times::{clock, day, moment, no_clock, no_day, no_moment};
use llmjson_testutil::Rng;
use llmjson_testutil::setting;

/// A value as people write it.
struct Form {
    /// The schema of the place.
    schema: String,
    /// JSON of what was written.
    written: String,
    /// JSON of what is meant; nothing if there is no value in it.
    meant: Option<String>,
}

/// A row of the table of forms, and what only looks like one of it.
struct Row {
    name: &'static str,
    form: fn(&mut Rng) -> Form,
    refused: fn(&mut Rng) -> Form,
}

const ROWS: [Row; 7] = [
    Row {
        name: "number with unit",
        form: unit,
        refused: no_unit,
    },
    Row {
        name: "number by country",
        form: country,
        refused: no_number,
    },
    Row {
        name: "digits of other scripts",
        form: script,
        refused: no_number,
    },
    Row {
        name: "magnitude or word",
        form: magnitude,
        refused: no_number,
    },
    Row {
        name: "date",
        form: day,
        refused: no_day,
    },
    Row {
        name: "date and time",
        form: moment,
        refused: no_moment,
    },
    Row {
        name: "time",
        form: clock,
        refused: no_clock,
    },
];

const NUMBER: &str = r#"{"type":"number"}"#;

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn form(schema: &str, text: &str, meant: &str) -> Form {
    Form {
        schema: schema.to_owned(),
        written: quoted(text),
        meant: Some(meant.to_owned()),
    }
}

fn none(schema: &str, text: &str) -> Form {
    Form {
        schema: schema.to_owned(),
        written: quoted(text),
        meant: None,
    }
}

/// A document with the form in it, perhaps damaged in one other way.
fn document(form: &Form, rng: &mut Rng, damaged: bool) -> String {
    let written = &form.written;
    if !damaged {
        return format!(r#"{{"name": "Ada", "v": {written}, "last": [1]}}"#);
    }
    match rng.below(5) {
        0 => format!(r#"{{"name": "Ada", "v": {written}, "last": [1],}}"#),
        1 => format!(r#"{{name: "Ada", v: {written}, last: [1]}}"#),
        2 => format!(r#"{{"name": "Ada" "v": {written}, "last": [1]}}"#),
        3 => format!(r#"{{'name': 'Ada', "v": {written}, 'last': [1]}}"#),
        _ => format!("{{\"name\": \"Ada\", // who\n \"v\": {written}, \"last\": [1]}}"),
    }
}

/// What came of a form, and how sure that is said to be; nothing if it does not conform.
fn came(form: &Form, text: &str) -> Option<(String, Class)> {
    let schema = format!(
        r#"{{"type":"object","properties":{{"name":{{"type":"string"}},"v":{},"last":{{"type":"array"}}}},"required":["v"]}}"#,
        form.schema
    );
    let schema = Schema::from_text(&schema).expect("a schema");
    let mut document = parse(text);
    let coercions = coerce(&mut document, &schema, &CoerceOptions::default());
    let root = document.root()?;
    let value = root.get("v")?;
    if !schema.is_valid(root) {
        return None;
    }
    let class = coercions.iter().map(|made| made.class).max();
    Some((value.to_json(), class.unwrap_or(Class::Certain)))
}

/// How many of a thousand forms are read right, and of a thousand counterparts as a value.
const RIGHT: usize = 970;
const READ: usize = 5;

/// How many of a thousand values of each class may be wrong.
const PROMISES: [usize; 3] = [1, 10, 150];

#[test]
fn forms_are_read_and_what_looks_like_them_is_not() {
    let documents = setting("LLMJSON_SHAPING_DOCS", 200);
    let (mut table, mut good) = (String::new(), true);
    let mut classes = [(0, 0); 3];
    for row in ROWS {
        let mut first = String::new();
        let (mut right, mut read) = ([0; 2], 0);
        for seed in 0..documents as u64 {
            let mut rng = Rng::new(seed);
            let form = (row.form)(&mut rng);
            for damaged in [false, true] {
                let text = document(&form, &mut rng, damaged);
                let found = came(&form, &text);
                let is_right = found
                    .as_ref()
                    .is_some_and(|(value, _)| form.meant.as_ref() == Some(value));
                right[usize::from(damaged)] += usize::from(is_right);
                if let Some((_, class)) = found {
                    classes[class as usize].0 += 1;
                    classes[class as usize].1 += usize::from(!is_right);
                }
                if !is_right && first.len() < 400 {
                    let _ = writeln!(
                        first,
                        "  {text} for {}: {:?}",
                        form.schema,
                        came(&form, &text)
                    );
                }
            }
            let counterpart = (row.refused)(&mut rng);
            let text = document(&counterpart, &mut rng, false);
            let found = came(&counterpart, &text);
            let found = found.filter(|(value, _)| *value != counterpart.written);
            if let Some((value, class)) = found {
                read += 1;
                classes[class as usize].0 += 1;
                classes[class as usize].1 += 1;
                let _ = writeln!(first, "  {text} for {}: {value}", counterpart.schema);
            }
        }
        let enough = |right: usize| right * 1000 >= documents * RIGHT;
        good &= right.into_iter().all(enough) && read * 1000 <= documents * READ;
        let _ = writeln!(
            table,
            "{:<24} {documents:>5}  right {:>5}, beside damage {:>5}, counterparts read {read:>3}",
            row.name, right[0], right[1]
        );
        table.push_str(&first);
    }
    for ((values, wrong), promise) in classes.into_iter().zip(PROMISES) {
        let _ = writeln!(
            table,
            "{values} values, {wrong} wrong, {promise} of a thousand allowed"
        );
        good &= wrong * 1000 <= values * promise;
    }
    assert!(good, "\n{table}");
}
