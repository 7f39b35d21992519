//! Values and their results, in the tables beside this file. `UPDATE_SNAPSHOTS=1` writes the results of today.

use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Draft;
use llmjson_schema::{
    CoerceOptions, CoercionKind, FormatStrictness, Schema, Undeclared, coerce, drop_invalid, laws,
};
use llmjson_syntax::{Class, parse};
use llmjson_testutil::Table;
use llmjson_testutil::table::check_results;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables")
}

fn compile(text: &str) -> Schema {
    Schema::from_text(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the schema of a section.
fn schema(section: &Table) -> Schema {
    let schema = section.setting("schema").expect("the section has a schema");
    compile(schema)
}

/// Returns the options of a section: `with KIND`, `without KIND`, `none` or `containers`.
fn options(section: &Table) -> CoerceOptions {
    let options = CoerceOptions::default();
    let kind = |name: &str| {
        let kind = CoercionKind::ALL.iter().find(|kind| kind.name() == name);
        *kind.unwrap_or_else(|| panic!("there is no kind {name}"))
    };
    match section.setting("options").map(|text| text.split_once(' ')) {
        None => options,
        Some(Some(("with", name))) => options.with(kind(name)),
        Some(Some(("without", name))) => options.without(kind(name)),
        Some(Some(("wrapper", name))) => options.with_wrapper(name),
        Some(_) if section.setting("options") == Some("none") => CoerceOptions::none(),
        Some(_) => options.with_containers_as_text(),
    }
}

/// A row is a value. Its results are the coerced value, or `=` if it is the same node, and the kinds of the changes with
/// the least certain class.
#[test]
fn values_are_coerced() {
    let mut files: Vec<_> = fs::read_dir(folder().join("coerced"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for file in files {
        check_results(&file, 1, |section, row| {
            let (schema, text) = (schema(section), row[0]);
            let mut document = parse(text);
            let before = document.root().map(|root| root.id());
            let changes = coerce(&mut document, &schema, &options(section));
            let shown = document.to_json().unwrap_or_default();
            for text in [text, &shown] {
                laws::quick_looks_are_right(text, &schema);
            }
            laws::coercion_is_idempotent(text, &schema);
            laws::coercion_is_deterministic(text, &schema);
            laws::fitting_is_both(text, &schema);
            let Some(class) = changes.iter().map(|one| one.class).max() else {
                let after = document.root().map(|root| root.id());
                assert_eq!(after, before, "{text} was written again");
                return vec!["=".to_owned()];
            };
            let kinds: Vec<_> = changes.iter().map(|one| one.kind.name()).collect();
            vec![shown, format!("{} {class}", kinds.join(" "))]
        });
    }
}

/// A row is a value. Its results are the rest of it without what does not conform, the number of violations of the rest,
/// and the dropped places.
#[test]
fn what_does_not_conform_is_dropped() {
    check_results(&folder().join("dropped.txt"), 1, |section, row| {
        let (schema, mut document) = (schema(section), parse(row[0]));
        let root = document.root().expect("a value");
        let violations = schema.violations(root, Undeclared::Keep);
        let (gone, left) = drop_invalid(&mut document, &schema, Undeclared::Keep, violations, 100);
        for one in &gone {
            assert_eq!(
                (one.kind, one.class),
                (CoercionKind::DropInvalid, Class::Guess)
            );
            assert!(
                one.after.is_none() && !one.violations.is_empty(),
                "{}",
                row[0]
            );
        }
        let places: Vec<_> = gone.iter().map(|one| one.path.to_string()).collect();
        let rest = document.to_json().unwrap_or_default();
        vec![rest, left.len().to_string(), places.join(" ")]
    });
}

/// A row is a schema and a value. Its results are the violations.
#[test]
fn violations_are_described() {
    check_results(&folder().join("violations.txt"), 2, |section, row| {
        let (schema, document) = (compile(row[0]), parse(row[1]));
        let root = document.root().expect("a value");
        laws::verdicts_agree(&schema, root);
        laws::violations_say_why(&schema, root);
        laws::quick_looks_are_right(row[1], &schema);
        let undeclared = match section.setting("undeclared") {
            Some("reject") => Undeclared::Reject,
            _ => Undeclared::Keep,
        };
        let violations = schema.violations(root, undeclared);
        let lines = violations
            .iter()
            .map(|one| format!("{} {}: {}", one.path, one.keyword, one.expected));
        lines.collect()
    });
}

/// Formats that jsonschema knows, too.
const KNOWN: [&str; 6] = ["date", "date-time", "duration", "email", "time", "uuid"];

/// Returns whether a string satisfies a format leniently, and strictly.
fn verdicts(format: &str, text: &str) -> [bool; 2] {
    let schema = compile(&format!(r#"{{"format": "{format}"}}"#));
    let document = parse(text);
    let root = document.root().expect("a string");
    [FormatStrictness::Lenient, FormatStrictness::Strict]
        .map(|formats| schema.with_formats(formats).is_valid(root))
}

/// A row is a string. Its results are whether it satisfies the format leniently, and strictly. Strictly, it satisfies
/// each format that it satisfies for jsonschema.
#[test]
fn formats_are_decided() {
    let oracle = |name: &str| {
        let schema = serde_json::json!({ "format": name });
        laws::judge(&schema, Draft::Draft202012)
    };
    let oracles = KNOWN.map(|name| (name, oracle(name).expect("a schema")));
    check_results(&folder().join("formats.txt"), 1, |section, row| {
        let value = serde_json::Value::from(row[0]);
        let text = value.to_string();
        for (name, oracle) in &oracles {
            let [_, strict] = verdicts(name, &text);
            assert_eq!(strict, oracle.is_valid(&value), "{name} of {text}");
        }
        let result = match verdicts(section.title, &text) {
            [true, true] => "strict",
            [true, false] => "lenient",
            [false, false] => "no",
            [false, true] => panic!("{text} satisfies {} only strictly", section.title),
        };
        vec![result.to_owned()]
    });
}

/// A row is a schema that is refused. Its results are the pointer and the message of the error.
#[test]
fn mistakes_are_named_where_they_are() {
    check_results(&folder().join("mistakes.txt"), 1, |_, row| {
        let error = Schema::from_text(row[0]).expect_err(row[0]);
        let value = serde_json::from_str(row[0]).expect("JSON");
        assert_eq!(Schema::compile(&value).expect_err(row[0]), error);
        vec![error.pointer.to_string(), error.message.to_string()]
    });
}
