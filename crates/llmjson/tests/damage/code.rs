//! Arguments that hold code, with quotes and line breaks of which some or none were escaped.

use crate::draft::escaped;
use crate::edits::{Edited, schema_of};
use crate::value::Value;
use llmjson_testutil::Rng;
use llmjson_testutil::table::{self, Lines};

/// The rows of the tests.
const FILE: &str = include_str!("texts.txt");

/// Pieces of programs and of what stands beside them, by their language.
static PIECES: Lines = Lines::new(|| table::lines(FILE, "pieces of code"));

/// How much of the code was escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// Nothing: quotes and line breaks stand as they are.
    Raw,
    /// All but the quotes.
    Breaks,
    /// Some of the quotes.
    Half,
}

/// What holds the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    File,
    Edits,
}

pub(crate) const KINDS: [(&str, Holder, Escapes); 6] = [
    ("a file, raw", Holder::File, Escapes::Raw),
    ("a file, raw quotes", Holder::File, Escapes::Breaks),
    ("a file, some quotes", Holder::File, Escapes::Half),
    ("edits, raw", Holder::Edits, Escapes::Raw),
    ("edits, raw quotes", Holder::Edits, Escapes::Breaks),
    ("edits, some quotes", Holder::Edits, Escapes::Half),
];

/// Names of the member before the code and of the code.
const FILE_NAMES: &[(&str, &str)] = &[
    ("path", "content"),
    ("file_path", "content"),
    ("filename", "code"),
    ("file", "text"),
    ("target", "body"),
    ("name", "source"),
];

/// Names of what is there and what takes its place.
const EDIT_NAMES: &[(&str, &str)] = &[
    ("old", "new"),
    ("old_string", "new_string"),
    ("search", "replace"),
    ("before", "after"),
];

const PATHS: &[&str] = &[
    "src/main.py",
    "index.html",
    "run.sh",
    "lib/rows.ts",
    "README.md",
];

/// Returns a call that holds code with part of its characters escaped, and the value that it means.
pub(crate) fn with_code(holder: Holder, escapes: Escapes, seed: u64) -> Edited {
    let mut rng = Rng::new(seed + 700_000_000);
    let value = match holder {
        Holder::File => file(&mut rng, escapes),
        Holder::Edits => edits(&mut rng),
    };
    let indent = rng.pick(&[None, None, Some(2), Some(4)]);
    let mut text = String::new();
    print(&value, escapes, indent, 0, &mut rng, &mut text);
    if rng.chance(25) {
        text = format!("```json\n{text}\n```");
    }
    Edited {
        text,
        schema: schema_of(&value),
        truth: value,
    }
}

fn file(rng: &mut Rng, escapes: Escapes) -> Value {
    let (path, content) = rng.pick(FILE_NAMES);
    let code = loop {
        let code = rng.pick(&PIECES);
        // Raw backslashes and tabs would have two meanings.
        if escapes != Escapes::Raw || !code.contains(['\\', '\t']) {
            break code;
        }
    };
    let code = if rng.chance(40) {
        code.trim_end()
    } else {
        code
    };
    let mut members = vec![
        (path.to_owned(), Value::Text(rng.pick(PATHS).to_owned())),
        (content.to_owned(), Value::Text(code.to_owned())),
    ];
    let extra: [(&str, Value); 4] = [
        ("overwrite", Value::Bool(rng.chance(50))),
        ("mode", Value::Text("create".to_owned())),
        ("lines", Value::Number(rng.below(90).to_string())),
        (
            "tags",
            Value::Array(vec![
                Value::Text("a".to_owned()),
                Value::Text("b".to_owned()),
            ]),
        ),
    ];
    for (name, value) in extra {
        if rng.chance(25) {
            let at = rng.below(members.len() + 1);
            members.insert(at, (name.to_owned(), value));
        }
    }
    let call = Value::Object(members);
    if rng.chance(30) {
        let name = Value::Text("write_file".to_owned());
        return Value::Object(vec![
            ("name".to_owned(), name),
            ("arguments".to_owned(), call),
        ]);
    }
    call
}

fn edits(rng: &mut Rng) -> Value {
    let (old, new) = rng.pick(EDIT_NAMES);
    let mut edits = Vec::new();
    for _ in 0..rng.between(1, 3) {
        let mut members = Vec::new();
        for name in [old, new] {
            members.push((name.to_owned(), Value::Text(lines(rng))));
        }
        if rng.chance(30) {
            members.push(("all".to_owned(), Value::Bool(false)));
        }
        edits.push(Value::Object(members));
    }
    let path = Value::Text(rng.pick(PATHS).to_owned());
    Value::Object(vec![
        ("path".to_owned(), path),
        ("edits".to_owned(), Value::Array(edits)),
    ])
}

/// One to three lines of some code.
fn lines(rng: &mut Rng) -> String {
    loop {
        let code = rng.pick(&PIECES);
        let lines: Vec<&str> = code
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let count = rng.between(1, 3).min(lines.len());
        let first = rng.below(lines.len() - count + 1);
        let lines = lines[first..first + count].join("\n");
        if !lines.contains(['\t', '\\']) {
            return lines;
        }
    }
}

fn print(
    value: &Value,
    escapes: Escapes,
    indent: Option<usize>,
    depth: usize,
    rng: &mut Rng,
    out: &mut String,
) {
    let line = |out: &mut String, depth: usize| {
        if let Some(indent) = indent {
            out.push('\n');
            out.push_str(&" ".repeat(indent * depth));
        }
    };
    let comma = if indent.is_some() { "," } else { ", " };
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => out.push_str(number),
        Value::Text(text) => out.push_str(&format!("\"{}\"", written(text, escapes, rng))),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { comma } else { "" });
                line(out, depth + 1);
                print(item, escapes, indent, depth + 1, rng, out);
            }
            line(out, depth);
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (at, (name, member)) in members.iter().enumerate() {
                out.push_str(if at > 0 { comma } else { "" });
                line(out, depth + 1);
                out.push_str(&format!("\"{name}\": "));
                print(member, escapes, indent, depth + 1, rng, out);
            }
            line(out, depth);
            out.push('}');
        }
    }
}

fn written(text: &str, escapes: Escapes, rng: &mut Rng) -> String {
    match escapes {
        Escapes::Raw => text.to_owned(),
        Escapes::Breaks => escaped(text, false).replace("\\\"", "\""),
        Escapes::Half => {
            let share = rng.pick(&[20, 50, 80]);
            let escaped = escaped(text, false);
            let mut parts = escaped.split("\\\"");
            let mut out = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                out.push_str(if rng.chance(share) { "\"" } else { "\\\"" });
                out.push_str(part);
            }
            out
        }
    }
}
