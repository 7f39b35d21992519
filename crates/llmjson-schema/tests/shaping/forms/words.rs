//! Nothing, yes and no, allowed values.

use super::{Form, form, none, quoted};
use crate::rng::Rng;

pub(super) fn nothing(rng: &mut Rng) -> Form {
    let schema = rng.pick(&[
        r#"{"type":["number","null"]}"#,
        r#"{"anyOf":[{"type":"boolean"},{"type":"null"}]}"#,
        r#"{"anyOf":[{"enum":["low","high"]},{"type":"null"}]}"#,
        r#"{"anyOf":[{"type":"string","format":"date"},{"type":"null"}]}"#,
    ]);
    let text = rng.pick(&[
        "N/A",
        "none",
        "unknown",
        "-",
        "",
        "null.",
        "not available",
        "n/a",
        "Unknown",
    ]);
    form(schema, text, "null")
}

/// Free text, and places that take no null.
pub(super) fn something(rng: &mut Rng) -> Form {
    let schema = rng.pick(&[
        r#"{"type":["string","null"]}"#,
        r#"{"type":"number"}"#,
        r#"{"anyOf":[{"enum":["N/A","none","unknown","-","null."]},{"type":"null"}]}"#,
    ]);
    none(schema, rng.pick(&["N/A", "none", "unknown", "-", "null."]))
}

pub(super) fn truth(rng: &mut Rng) -> Form {
    let (text, meant) = rng.pick(&[
        ("Yes, definitely.", "true"),
        ("Yes, absolutely!", "true"),
        ("✅", "true"),
        ("TRUE.", "true"),
        ("Yes, it is.", "true"),
        ("**Yes**", "true"),
        ("No.", "false"),
        ("No, not at all.", "false"),
        ("❌", "false"),
        ("False.", "false"),
    ]);
    form(r#"{"type":"boolean"}"#, text, meant)
}

pub(super) fn no_truth(rng: &mut Rng) -> Form {
    let text = rng.pick(&[
        "maybe",
        "yes and no",
        "not true",
        "yes or no",
        "it depends",
        "true/false",
        "unknown",
        "no idea",
        "yes, but only on Mondays",
        "partly",
        "1",
        "✅❌",
    ]);
    none(r#"{"type":"boolean"}"#, text)
}

const CHOICES: [[&str; 3]; 4] = [
    ["low", "medium", "urgent"],
    ["in_progress", "done", "on_hold"],
    ["bug", "feature", "question"],
    ["positive", "negative", "neutral"],
];

pub(super) fn choices(rng: &mut Rng) -> (String, [&'static str; 3]) {
    let all = rng.pick(&CHOICES);
    let texts: Vec<String> = all.iter().map(|one| quoted(one)).collect();
    (format!(r#"{{"enum":[{}]}}"#, texts.join(",")), all)
}

pub(super) fn choice(rng: &mut Rng) -> Form {
    let (schema, all) = choices(rng);
    let one = rng.pick(&all);
    let title = format!("{}{}", one[..1].to_uppercase(), &one[1..].replace('_', " "));
    let text = match rng.below(8) {
        0 => format!("P1 - {title}"),
        1 => format!("✅ {one}"),
        2 => format!("**{one}**"),
        3 => format!("{title} status"),
        4 => format!("{title}."),
        5 => format!("2. {title}"),
        6 => format!("The answer is {title}"),
        _ => format!("`{one}`"),
    };
    form(&schema, &text, &quoted(one))
}

pub(super) fn no_choice(rng: &mut Rng) -> Form {
    let (schema, all) = choices(rng);
    let (one, other) = (all[rng.below(2)], all[2]);
    let text = match rng.below(10) {
        0 => format!("not {one}"),
        1 => format!("non-{one}"),
        2 => format!("{one} to {other}"),
        3 => format!("{one} or {other}"),
        4 => format!("{one}/{other}"),
        5 => format!("{one}?"),
        6 => format!("anything but {one}"),
        7 => format!("{one}ish"),
        8 => format!("neither {one} nor {other}"),
        _ => format!("un{one}"),
    };
    none(&schema, &text)
}

pub(super) fn list(rng: &mut Rng) -> Form {
    let (item, all) = choices(rng);
    let schema = format!(r#"{{"type":"array","items":{item}}}"#);
    let [one, two, three] = all;
    let quoted = |all: &[&str]| serde_json::json!(all).to_string();
    let (text, meant) = match rng.below(5) {
        0 => (format!("{one}, {two} and {three}"), quoted(&all)),
        1 => (format!("{one}/{three}"), quoted(&[one, three])),
        2 => (format!("{one} and {two}"), quoted(&[one, two])),
        3 => (
            format!("{two}, {one}, and {three}"),
            quoted(&[two, one, three]),
        ),
        _ => {
            let (a, b) = (rng.below(100), rng.below(100));
            let numbers = r#"{"type":"array","items":{"type":"integer"}}"#;
            return form(numbers, &format!("{a}, {b} and 7"), &format!("[{a},{b},7]"));
        }
    };
    form(&schema, &text, &meant)
}

pub(super) fn no_list(rng: &mut Rng) -> Form {
    let (item, [one, two, _]) = choices(rng);
    let schema = format!(r#"{{"type":"array","items":{item}}}"#);
    let text = match rng.below(4) {
        0 => format!("{one}, whatever"),
        1 => format!("{one} or {two}"),
        2 => format!("from {one} to {two}"),
        _ => format!("not {one}, {two} and others"),
    };
    none(&schema, &text)
}
