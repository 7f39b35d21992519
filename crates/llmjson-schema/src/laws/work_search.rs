//! A search for schemas and texts that cost more work than their length allows; both consist of a
//! few repeated parts.

use std::fmt::Write;

use super::work_is_bounded;
use crate::base::undeclared::Undeclared;
use crate::coerce::CoerceOptions;
use crate::fit::fit;
use crate::schema::Schema;

/// A small pseudorandom generator with a fixed seed.
struct Rng(u64);

impl Rng {
    fn below(&mut self, count: usize) -> usize {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// Subschemas from which schemas are generated: `%` is a counter, `@` another subschema.
const UNITS: &[&str] = &[
    r#"{"type":"object","properties":{"a":@,"x":{"minLength":%}},"required":["a"]}"#,
    r#"{"type":"object","properties":{"a":@,"k%":{"type":"integer"}},"required":["k%"]}"#,
    r#"{"properties":{"b%":@}}"#,
    r#"{"required":["a%"]}"#,
    r#"{"type":"array","items":@,"minItems":%}"#,
    r#"{"type":"array","items":@}"#,
    r#"{"type":"integer","minimum":%}"#,
    r#"{"const":"v%"}"#,
    r#"{"type":"string","pattern":"^a{1,%}b*$"}"#,
    r#"{"type":"string","pattern":"^(a{1,60}-){0,60}x%$"}"#,
    r#"{"patternProperties":{"^[a-c]*%x?$":@},"additionalProperties":{"type":"integer"}}"#,
    r#"{"anyOf":[@,{"type":"null"}]}"#,
    r#"{"oneOf":[@,@]}"#,
    r#"{"minLength":%,"allOf":[@,{"type":["string","object"]}]}"#,
    r#"{"properties":{"t":{"const":"t%"},"a":@},"required":["t"]}"#,
];

/// The keywords that combine units.
const LISTS: &[&str] = &["anyOf", "oneOf", "allOf", "anyOf"];

/// The outer parts and the innermost part of a text.
const AROUND: &[(&str, &str)] = &[
    (r#"{"a":"#, "}"),
    ("[", "]"),
    (r#"{"t":"t3","a":"#, "}"),
    (r#"{"a":[1,"#, r#"],"k1":"2"}"#),
    (r#"{"b1":"#, "}"),
];
const INNER: &[&str] = &[
    "1",
    r#""7""#,
    r#""ab-ab""#,
    "{}",
    "null",
    r#"{"a1":1,"b2":"2","k3":3}"#,
    r#""{\"a\": [1, 2]}""#,
];

fn schema(rng: &mut Rng, bytes: usize) -> String {
    let definitions = 1 + rng.below(24);
    let units = [rng.pick(UNITS), rng.pick(UNITS), UNITS[rng.below(2)]];
    let mut text = r##"{"$ref":"#/$defs/n0","$defs":{"##.to_owned();
    for at in 0..definitions {
        let comma = if at > 0 { "," } else { "" };
        let _ = write!(text, r#"{comma}"n{at}":{{"{}":["#, rng.pick(LISTS));
        let mut count = 0;
        let start = text.len();
        while count < 2 || text.len() < start + bytes / definitions {
            let comma = if count > 0 { "," } else { "" };
            let unit = units[rng.below(units.len())].replace('%', &count.to_string());
            text.push_str(comma);
            for part in unit.split_inclusive('@') {
                text.push_str(part.trim_end_matches('@'));
                if part.ends_with('@') {
                    let to = rng.below(definitions + 1);
                    let inner = format!(r##"{{"$ref":"#/$defs/n{to}"}}"##);
                    let leaf = r#"{"type":"number"}"#;
                    text.push_str(if to == definitions { leaf } else { &inner });
                }
            }
            count += 1;
        }
        text.push_str("]}");
    }
    text.push_str("}}");
    text
}

fn text(rng: &mut Rng, bytes: usize) -> String {
    let around = [
        AROUND[rng.below(AROUND.len())],
        AROUND[rng.below(AROUND.len())],
    ];
    let (inner, depth) = (rng.pick(INNER), 1 + rng.below(200));
    let mut one = inner.to_owned();
    for at in 0..depth {
        let (open, close) = around[at % 2];
        one = format!("{open}{one}{close}");
    }
    let mut text = "[".to_owned();
    while text.len() < bytes {
        text.push_str(&one);
        text.push(',');
    }
    text.truncate(text.len() - 1);
    text.push(']');
    if rng.below(2) == 0 { text } else { one }
}

#[test]
fn random_schemas_and_texts_take_bounded_work() {
    let mut rng = Rng(7);
    let (mut compiled, mut worst) = (0, 0);
    for round in 0..300 {
        let bytes = 500 + rng.below(8_000);
        let schema_text = schema(&mut rng, bytes);
        let text = text(&mut rng, 6_000);
        let Ok(schema) = Schema::from_text(&schema_text) else {
            continue;
        };
        work_is_bounded(&text, &schema);
        compiled += 1;
        // Questions are counted even if they are not charged.
        let questions = crate::steps::of(|| {
            let mut document = llmjson_syntax::parse(&text);
            fit(
                &mut document,
                &schema,
                &CoerceOptions::default(),
                Undeclared::Keep,
            );
        });
        let bytes = schema_text.len() + text.len();
        worst = worst.max(questions / bytes);
        let most = 64 * bytes + 65_536;
        assert!(
            questions <= most,
            "{round}: {questions} questions: {text} {schema_text}"
        );
    }
    assert!(
        compiled > 100 && worst > 1,
        "{compiled} compiled, {worst} at most"
    );
}
