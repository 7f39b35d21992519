//! Laws of reading other notations: a reply whose JSON conforms is never read so, a stream shows nothing before its end, the
//! time is linear, and YAML is read as a library of the field reads it.

use llmjson_testutil::table::{Lines, lines};
use std::io::Write as _;

use llmjson::laws;
use llmjson::stream::Stream;
use llmjson::syntax::RepairKind;
use llmjson::{Policy, Schema};

use llmjson_testutil::{Rng, setting};

/// The rows of the tests.
const FILE: &str = include_str!("laws.txt");

const SCHEMA: &str = r#"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["name","age"]}"#;
const LIST: &str = r#"{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"]}}"#;
const TABLE: &str = r#"{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"object","properties":{"name":{"type":"object","additionalProperties":true},"a":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}]}"#;

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
static SHAPES: Lines = Lines::new(|| lines(FILE, "shapes"));

/// Shapes that are no repetition of lines: the deeper, the longer.
fn deep(bytes: usize) -> [String; 3] {
    let lines = |line: &dyn Fn(usize) -> String| {
        let (mut out, mut at) = (String::new(), 0);
        while out.len() < bytes {
            out += &line(at);
            at += 1;
        }
        out
    };
    let indent = |at: usize| " ".repeat(at) + "name:\n";
    let bullets = |at: usize| " ".repeat(2 * (at % 40)) + "- name:\n";
    let heads = |at: usize| "#".repeat(1 + at % 6) + " Name\n";
    [lines(&indent), lines(&bullets), lines(&heads)]
}

fn schemas() -> [Schema; 3] {
    [SCHEMA, LIST, TABLE].map(|text| Schema::from_text(text).expect("it compiles"))
}

/// The work is counted, which a clock cannot do: it grows as the text does, and no text costs more than is allowed.
#[test]
fn work_is_linear() {
    let (short, long) = (2 << 10, 16 << 10);
    let repeated = SHAPES.iter().flat_map(|shape| {
        ["", "\nname: Bob\nage: 3\n"].map(|end| {
            let text = |bytes: usize| shape.repeat(bytes / shape.len()) + end;
            (text(short), text(long))
        })
    });
    let pairs = repeated.chain(deep(short).into_iter().zip(deep(long)));
    let mut table: Vec<(f64, f64, String)> = Vec::new();
    for (short, long) in pairs {
        let costs = schemas().map(|schema| {
            let per_byte = |text: &str| {
                let cost = laws::cost_of_notations(text, &schema);
                cost.is_bounded("notations", &short[..short.floor_char_boundary(60)]);
                cost.work as f64 / cost.bytes as f64
            };
            (per_byte(&short), per_byte(&long))
        });
        let most = costs
            .into_iter()
            .max_by(|one, other| one.1.total_cmp(&other.1));
        let (small, large) = most.expect("a schema");
        table.push((
            small,
            large,
            short[..short.floor_char_boundary(24)].to_owned(),
        ));
    }
    table.sort_by(|one, other| other.1.total_cmp(&one.1));
    for (small, large, shape) in table.iter().take(setting("LLMJSON_NOTATIONS_SHOW", 1)) {
        writeln!(
            std::io::stderr(),
            "{small:6.1} {large:6.1} steps for each byte: {shape:?}"
        )
        .expect("standard error can be written");
    }
    for (small, large, shape) in &table {
        assert!(
            *large < 4.0 + 1.5 * small,
            "{shape:?}: {small:.1}, then {large:.1}"
        );
    }
}

/// Any text keeps the laws: those that are written, with parts of them changed, doubled, moved and cut.
#[test]
fn changed_texts_keep_the_laws() {
    let schemas = schemas();
    let pieces: Vec<&str> = SHAPES
        .iter()
        .copied()
        .chain(crate::written::texts())
        .collect();
    for seed in 0..setting("LLMJSON_NOTATIONS_LAWS", 400) {
        let mut rng = Rng::new(5_000_000 + seed as u64);
        let mut text = rng.pick(&pieces).to_owned();
        for _ in 0..rng.between(1, 4) {
            let from = text.floor_char_boundary(rng.below(text.len() + 1));
            let to = text.floor_char_boundary(from + rng.below(12)).max(from);
            match rng.below(4) {
                0 => text.replace_range(from..to, rng.pick(&SHAPES)),
                1 => text.truncate(from),
                2 => text.insert_str(from, &text[from..to].repeat(3)),
                _ => text.insert_str(from, rng.pick(&pieces)),
            }
        }
        for schema in &schemas {
            laws::every_notation(&text, schema);
        }
    }
}
