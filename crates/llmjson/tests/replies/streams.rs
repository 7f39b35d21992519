//! The laws of streams over large numbers of replies, where such data is at hand: in the folder
//! that `LLMJSON_VECTORS` names.

use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use llmjson::Schema;
use llmjson::laws::{every_coerced_stream, every_stream, random_lengths};
use llmjson_testutil::Rng;
use serde_json::Value;

/// Lengths of the pieces; 0 are random ones. Each reply comes in pieces of two of them.
const LENGTHS: [usize; 6] = [1, 2, 3, 7, 16, 0];

#[test]
fn replies_come_alike_in_any_pieces() {
    let replies = replies();
    if replies.is_empty() {
        tell("skipped: there are no replies; LLMJSON_VECTORS may name their folder");
        return;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = replies.len().div_ceil(threads);
    let failed: Vec<String> = std::thread::scope(|scope| {
        let parts = replies
            .chunks(part)
            .map(|part| scope.spawn(|| failures(part)));
        let parts: Vec<_> = parts.collect();
        let joined = parts.into_iter().map(|part| part.join().expect("a list"));
        joined.flatten().collect()
    });
    tell(&format!("{} replies", replies.len()));
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Returns the replies that break a law, and the length of the pieces in which they do.
fn failures(replies: &[Reply]) -> Vec<String> {
    let mut failed = Vec::new();
    for (number, reply) in replies.iter().enumerate() {
        let holds = |length: usize| {
            let regular = || reply.holds(|| || length);
            let random = || reply.holds(|| random_lengths(reply.text.len() as u64));
            let check = || if length > 0 { regular() } else { random() };
            catch_unwind(AssertUnwindSafe(check)).is_ok()
        };
        let lengths = LENGTHS.iter().cycle().skip(number % LENGTHS.len());
        let broken = lengths.take(2).find(|length| !holds(**length));
        failed.extend(broken.map(|length| format!("{} in pieces of {length}", reply.name)));
    }
    failed
}

/// A text that a model may have written.
struct Reply {
    name: String,
    text: String,
    schema: Option<Schema>,
}

impl Reply {
    fn holds<L: FnMut() -> usize>(&self, lengths: impl Fn() -> L) {
        every_stream(&self.text, &lengths);
        if let Some(schema) = &self.schema {
            every_coerced_stream(&self.text, schema, &lengths);
        }
    }
}

/// Says something that is seen though the test passes.
fn tell(what: &str) {
    let line = format!("{what}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// The texts under `input` in all lines of the folder's files.
fn replies() -> Vec<Reply> {
    let mut found = Vec::new();
    let Some(folder) = std::env::var_os("LLMJSON_VECTORS") else {
        return found;
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        if file
            .extension()
            .is_none_or(|extension| extension != "jsonl")
        {
            continue;
        }
        let lines = fs::read_to_string(&file).unwrap_or_default();
        for (number, line) in lines.lines().enumerate() {
            let row: Value = serde_json::from_str(line).unwrap_or_default();
            if let Some(input) = row["input"].as_str() {
                let schema = row.get("schema").and_then(|one| Schema::compile(one).ok());
                found.push(Reply {
                    name: format!("{}:{}", file.display(), number + 1),
                    text: input.to_owned(),
                    schema,
                });
            }
        }
    }
    found
}

/// Names come twice at any depth, with and without a schema: what is taken back is said to be.
#[test]
fn names_that_come_twice_are_taken_back_aloud() {
    let schema = r##"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"$ref": "#"},
        "tags": {"type": "array", "items": {"type": "string"}}}}"##;
    let schema = Schema::from_text(schema).expect("a schema");
    let mut numbers = Rng::new(7);
    for length in (1..=20).cycle().take(400) {
        let mut text = String::new();
        object(2, &mut numbers, &mut text);
        text.push_str(["", " Done.", "\n"][numbers.below(3)]);
        every_stream(&text, || || length);
        every_coerced_stream(&text, &schema, || || length);
    }
}

/// Writes an object of few names.
fn object(depth: usize, numbers: &mut Rng, out: &mut String) {
    let values = [
        "1",
        "12",
        "\"x\"",
        "\"x and more\"",
        "null",
        "[]",
        "[1, 2]",
        "\"12\"",
    ];
    out.push('{');
    for place in 0..1 + numbers.below(4) {
        out.push_str(["", ", "][place.min(1)]);
        out.push_str(["\"a\": ", "\"b\": ", "'a': ", "\"tags\": ", "a: "][numbers.below(5)]);
        match numbers.below(3) {
            0 if depth > 0 => object(depth - 1, numbers, out),
            _ => out.push_str(numbers.pick(&values)),
        }
    }
    out.push('}');
}
