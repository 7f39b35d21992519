//! Laws of reading other notations: a reply whose JSON conforms is never read so, a stream shows nothing before its end, the
//! time is linear, and YAML is read as a library of the field reads it.

use std::time::{Duration, Instant};

use llmjson::stream::Stream;
use llmjson::syntax::RepairKind;
use llmjson::{Policy, Schema};

const SCHEMA: &str = r#"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["name","age"]}"#;

fn schema() -> Schema {
    Schema::from_text(SCHEMA).expect("it compiles")
}

#[test]
fn json_that_conforms_is_what_counts() {
    let (json, yaml) = (
        r#"{"name": "Anna", "age": "30"}"#,
        "name: Bob\nage: 3\ntags: [x]\n",
    );
    for text in [
        json.to_owned(),
        format!("{json}\n\n{yaml}"),
        format!("{yaml}\n{json}"),
        format!("```yaml\n{yaml}```\n{json}"),
    ] {
        let parsed = llmjson::parse(&text, Some(&schema()));
        assert_eq!(
            parsed.to_json().as_deref(),
            Some(r#"{"name":"Anna","age":30}"#),
            "{text}"
        );
        assert!(
            parsed
                .repairs()
                .iter()
                .all(|one| one.kind != RepairKind::Notation)
        );
    }
}

#[test]
fn only_policies_that_allow_the_kind_read_notations() {
    let read = |policy: Policy| {
        policy
            .parse("name: Bob\nage: 3", Some(&schema()))
            .conforms()
    };
    assert!(read(Policy::lenient()));
    assert!(!read(Policy::lenient().deny_repair(RepairKind::Notation)));
    for name in ["strict", "shape", "conservative", "tool", "exact"] {
        assert!(!read(name.parse().expect("a preset")), "{name}");
    }
    let allowed = Policy::tool().allow_repair(RepairKind::Notation);
    let allowed = allowed.allow_repair(RepairKind::SurroundingText);
    assert!(read(allowed));
}

#[test]
fn a_stream_shows_a_notation_at_its_end() {
    let text = "Here:\n\nname: Bob\nage: 3\ntags:\n  - a\n";
    let mut stream = Stream::new(Some(&schema()));
    for piece in text.split_inclusive(' ') {
        stream.push(piece);
        assert!(stream.value().is_none());
    }
    let finished = stream.finish();
    let whole = llmjson::parse(text, Some(&schema()));
    assert!(finished.parsed.conforms());
    assert_eq!(finished.parsed.to_json(), whole.to_json());
    assert_eq!(finished.parsed.repairs(), whole.repairs());
}

/// Texts that make readers look far, by what they repeat.
const SHAPES: &[&str] = &[
    "name: a\n",
    "- name: a\n  age: 3\n",
    "name: [\n",
    "name: {\n",
    "name: \"\n",
    "name: '\n",
    "name: |\n",
    "  name:\n",
    "<name>",
    "<name>a</name>",
    "<a><name>",
    "</name>",
    "| name | age |\n",
    "name,age\n\"",
    "name,age\n",
    "[name]\n",
    "[[tags]]\nname = 1\n",
    "name.age = 3\n",
    "## Name\n",
    "**Name:** ",
    "```\nname: a\n",
    "<think>name: a\n",
    "Array\n(\n",
    "[name] => Array\n(\n",
    "1. ",
    "- ",
    "name = \"\"\"\n",
    "a: {\n",
    "&amp;",
    "name: a b\n\n",
];

#[test]
fn time_is_linear() {
    let schema = schema();
    let time = |text: &str| {
        let measure = || {
            let begun = Instant::now();
            let parsed = llmjson::parse(text, Some(&schema));
            assert_eq!(parsed.document().text().len(), text.len());
            begun.elapsed()
        };
        (0..2).map(|_| measure()).min().unwrap_or_default()
    };
    for shape in SHAPES {
        for end in ["", "\nname: Bob\nage: 3\n"] {
            let (short, long) = (2_000 / shape.len(), 16_000 / shape.len());
            let short = time(&(shape.repeat(short) + end)).max(Duration::from_millis(4));
            let long = time(&(shape.repeat(long) + end));
            assert!(long < short * 8 * 5, "{shape:?}: {short:?}, then {long:?}");
        }
    }
}
