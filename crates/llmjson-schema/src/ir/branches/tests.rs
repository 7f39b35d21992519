use std::cell::Cell;

use crate::base::report::CoercionKind;
use crate::base::undeclared::Undeclared;
use crate::coerce::{CoerceOptions, coerce};
use crate::schema::Schema;

thread_local! {
    /// `true` to try all unions branch by branch.
    pub(super) static ONE_BY_ONE: Cell<bool> = const { Cell::new(false) };
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % limit
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

const NAMES: &[&str] = &["a", "b", "first_name", "kind", "data", "l"];

fn branch(random: &mut Random) -> String {
    let parts = [
        r#"{"type": "integer"}"#,
        r#"{"type": "string"}"#,
        r#"{"type": "integer", "minimum": 2}"#,
        r#"{"enum": ["x", "y z"]}"#,
        r#"{"const": "x"}"#,
        r#"{"const": "w"}"#,
        r#"{"type": "array", "items": {"type": "integer"}}"#,
        r#"{"type": ["string", "null"]}"#,
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#,
        r##"{"$ref": "#/items"}"##,
    ];
    if random.below(10) == 0 {
        return random.one(&parts).to_owned();
    }
    let mut names: Vec<&str> = NAMES.to_vec();
    let (mut properties, mut required) = (Vec::new(), Vec::new());
    for _ in 0..=random.below(3) {
        let name = names.swap_remove(random.below(names.len() as u64) as usize);
        let refers = random.below(3) == 0;
        let part = random.one(&parts[..parts.len() - usize::from(!refers)]);
        let alias = match random.below(12) {
            0 => format!(", \"x-aliases\": [\"b\"], {}", &part[1..]),
            _ => format!(", {}", &part[1..]),
        };
        properties.push(format!("\"{name}\": {{\"title\": \"{name}\"{alias}"));
        if random.below(2) == 0 {
            required.push(format!("\"{name}\""));
        }
    }
    if random.below(12) == 0 {
        required.push("\"other\"".to_owned());
    }
    let more = match random.below(8) {
        0 => r#", "additionalProperties": false"#,
        1 => r#", "additionalProperties": {"type": "integer"}"#,
        2 => r#", "minProperties": 2"#,
        3 => r#", "patternProperties": {"^x": {"type": "integer"}}"#,
        4 => r#", "title": "wrapped""#,
        _ => "",
    };
    format!(
        r#"{{"type": "object", "properties": {{{}}}, "required": [{}]{more}}}"#,
        properties.join(", "),
        required.join(", ")
    )
}

fn value(random: &mut Random, depth: u32) -> String {
    let scalars = [
        "1",
        "3",
        "2.0",
        "\"1\"",
        "\"x\"",
        "\"X\"",
        "\"Y-Z\"",
        "\"w\"",
        "null",
        "\"null\"",
        "true",
        "\"{\\\"a\\\": 1}\"",
        "[]",
        "[1]",
        "[\"2\"]",
        "{}",
    ];
    if depth == 0 || random.below(4) == 0 {
        return random.one(&scalars).to_owned();
    }
    let others = ["First Name", "A", "x1", "other", "q", "wrapped", "result"];
    let mut names: Vec<&str> = NAMES.iter().chain(&others).copied().collect();
    let members = (0..=random.below(3)).map(|_| {
        let few = random.below(3) > 0;
        let limit = if few { 5 } else { names.len() as u64 };
        let name = names.remove(random.below(limit.min(names.len() as u64)) as usize);
        format!("\"{name}\": {}", value(random, depth - 1))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

/// Returns the complete result and report for a text.
fn outcome(schema: &Schema, options: &CoerceOptions, text: &str) -> String {
    let mut document = llmjson_syntax::parse(text);
    let coercions: Vec<String> = coerce(&mut document, schema, options)
        .iter()
        .map(|one| format!("{:?} {:?} {}", one.kind, one.class, one.path))
        .collect();
    let root = document.root().expect("a value");
    let said = |undeclared| {
        let violations = schema.violations(root, undeclared);
        let said = violations.iter().map(|one| {
            format!(
                "{} {} {} {}",
                one.path, one.expected, one.keyword, one.schema
            )
        });
        said.collect::<Vec<_>>()
    };
    format!(
        "{}\n{coercions:?}\n{:?}\n{:?}",
        root.to_json(),
        said(Undeclared::Keep),
        said(Undeclared::Reject)
    )
}

#[test]
fn many_branches_come_to_what_they_come_to_one_by_one() {
    let mut random = Random(7);
    let options = CoerceOptions::default();
    let with_parts = options.clone().with(CoercionKind::DerivedKey);
    for at in 0..250 {
        let kind = random.one(&["anyOf", "oneOf"]);
        let count = 9 + random.below(12);
        let branches: Vec<String> = (0..count).map(|_| branch(&mut random)).collect();
        let schema = format!(
            r#"{{"type": "array", "items": {{"{kind}": [{}]}}}}"#,
            branches.join(",\n")
        );
        let Ok(compiled) = Schema::from_text(&schema) else {
            continue;
        };
        for _ in 0..8 {
            let text = format!("[{}]", value(&mut random, 2));
            let options = if at % 4 == 0 { &with_parts } else { &options };
            let sorted = outcome(&compiled, options, &text);
            ONE_BY_ONE.set(true);
            let one_by_one = outcome(&compiled, options, &text);
            ONE_BY_ONE.set(false);
            assert_eq!(sorted, one_by_one, "{text}\n{schema}");
        }
    }
}
