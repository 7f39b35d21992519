//! One law: how a damaged row is read does not depend on its neighbors. 1, 3, 30 and 300 rows, clean or damaged in the same
//! way, give the same value for each row as an array of only that row.

use std::fmt::Write;

use llmjson_syntax::parse;

/// Numbers of rows.
const LENGTHS: [usize; 4] = [1, 3, 30, 300];

/// One kind of damage of a row, by the text that it replaces and the text that it writes instead.
type Damage = (&'static str, &'static [(&'static str, &'static str)]);

const DAMAGE: &[Damage] = &[
    ("no colons", &[(": ", " ")]),
    ("one colon missing", &[("\"boat\": ", "\"boat\" ")]),
    ("a comma for a colon", &[("\"boat\": ", "\"boat\", ")]),
    ("equals signs", &[(": ", " = ")]),
    ("arrows", &[(": ", " => ")]),
    ("no commas", &[(", \"", " \"")]),
    ("semicolons", &[(", \"", "; \"")]),
    ("commas before closers", &[("}", ",}"), ("]", ",]")]),
    ("single quotes", &[("\"", "'")]),
    ("no opening quote", &[("\"Alma", "Alma")]),
    ("no closing quote of a key", &[("\"port\":", "\"port:")]),
    ("no opening quote of a key", &[("\"port\":", "port\":")]),
    ("quotes inside a string", &[("Alma", "The \"old\" Alma")]),
    (
        "raw JSON in a string",
        &[("Alma", "{\"a\": 1, \"b\": [1, 2]}")],
    ),
    ("words of Python", &[("true", "True")]),
    ("a call", &[("[\"Ada\", \"Bo\"]", "set(\"Ada\", \"Bo\")")]),
    ("a tuple", &[("[\"Ada\", \"Bo\"]", "(\"Ada\", \"Bo\")")]),
    ("a wrong closer", &[("\"]", "\"}")]),
    ("a missing closer", &[("\"]", "\"")]),
    ("a closer too many", &[("\"]", "\"]]")]),
    ("a missing opener", &[("[\"Ada\"", "\"Ada\"")]),
    (
        "a missing value",
        &[("\"boat\": ", "\"none\": , \"boat\": ")],
    ),
    ("comments", &[("\"boat\": ", "// so\n\"boat\": ")]),
];

/// Returns the text of a row, with its number in it.
fn row(at: usize) -> String {
    let port = ["Oslo", "Le Havre", "Ny-Alesund", "Rio"][at % 4];
    format!(
        r#"{{"id": {at}, "boat": "Alma {at}", "port": "{port}", "crew": ["Ada", "Bo"], "ok": true}}"#
    )
}

fn damaged(row: &str, (_, writes): &Damage) -> String {
    let write = |row: String, (from, to): &(&str, &str)| row.replace(from, to);
    writes.iter().fold(row.to_owned(), write)
}

/// Returns the items of an array of rows, each as JSON.
fn items(rows: &[String], between: &str) -> Vec<String> {
    let text = format!("[{}]", rows.join(between));
    let document = parse(&text);
    let root = document.root().expect("an array of rows is a value");
    root.items().map(|item| item.to_json()).collect()
}

#[test]
fn rows_are_read_alike_at_every_length() {
    let mut failures = String::new();
    for damage in DAMAGE {
        for length in LENGTHS {
            let only: Vec<String> = (0..length).map(row).collect();
            let broken: Vec<String> = only.iter().map(|row| damaged(row, damage)).collect();
            let alone = |row: &String| items(std::slice::from_ref(row), "").concat();
            for hit in [
                0..length,
                0..1,
                length / 2..length / 2 + 1,
                length - 1..length,
            ] {
                let mut rows = only.clone();
                rows[hit.clone()].clone_from_slice(&broken[hit.clone()]);
                let expected: Vec<String> = rows.iter().map(alone).collect();
                for between in [", ", ",\n  "] {
                    let found = items(&rows, between);
                    if found != expected {
                        let same = found.iter().zip(&expected).filter(|(a, b)| a == b).count();
                        let _ = writeln!(
                            failures,
                            "{}, {hit:?} of {length} rows with {between:?} between: {same} alike",
                            damage.0
                        );
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn raw_json_in_a_string_is_read_alike_at_every_length() {
    for length in LENGTHS {
        let rows: Vec<String> = (0..length).map(row).collect();
        let raw = format!("[{}]", rows.join(", "));
        let text = format!(r#"{{"raw": "{raw}", "n": 1}}"#);
        let document = parse(&text);
        let root = document.root().expect("an object is a value");
        let found = root
            .get("raw")
            .and_then(|raw| raw.as_str().map(|raw| raw.into_owned()));
        assert_eq!(found.as_deref(), Some(&*raw), "{length} rows");
    }
}

#[test]
fn a_string_with_quotes_is_read_alike_at_every_length() {
    for length in LENGTHS {
        let mut text = String::new();
        for at in 0..length {
            let _ = write!(text, "He said \"word {at}\" and left. ");
        }
        let reply = format!(r#"{{"t": "{text}", "n": 1}}"#);
        let document = parse(&reply);
        let root = document.root().expect("an object is a value");
        let found = root
            .get("t")
            .and_then(|t| t.as_str().map(|t| t.into_owned()));
        assert_eq!(found.as_deref(), Some(&*text), "{length} sentences");
    }
}
