//! Values amid parts of larger texts: where such parts stand outside of the value that is read, it is a guess. And
//! tokens where they mean nothing: what is left out is on record.

use std::panic::catch_unwind;

use llmjson_syntax::{Class, Document, Kind, laws, parse};

/// Number of texts that are made of pieces at random.
const TEXTS: u64 = 20_000;

/// Pieces of documents, of other notations and of prose.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "{}",
    "\"",
    "'",
    "`",
    ":",
    ": ",
    " = ",
    ",",
    "\n",
    " ",
    "```json\n",
    "\n```\n",
    "\"a\"",
    "a\": 1",
    "\"b\": 2",
    "'c': ",
    "name",
    "name: Anna",
    "tags = [\"a\"]",
    "- age: 5",
    "const x = 5;",
    "Note: short",
    "Answer: ",
    "so it is.",
    "{\"a\": 1}",
    "[1, 2]",
    "{\"b\": [\"x\", {\"c\": null}]}",
    "<think>",
    "</think>",
    "// ",
    "# ",
    "(",
    ")",
    ";",
    "1",
    "true",
    "é",
];

/// Beginnings of values, also within round brackets.
const BEGINNINGS: &[&str] = &[
    "",
    "{",
    "{\"a\": ",
    "{\"a\": (",
    "{\"k\": 1, \"a\": f(",
    "[\"a\", ",
];

/// Tokens that mean nothing where they stand, or another thing than in JSON.
const TOKENS: &[&str] = &[
    "=",
    "==",
    "=>",
    "<",
    "&",
    "|",
    "*",
    "$",
    "+ ",
    "...",
    "\\",
    "\\\"",
    "\\n",
    "/*c*/",
    "//c\n",
    "<!--",
    "<|im_end|>",
    "</s>",
    "ObjectId(",
    "date(",
    "\"a\" + \"b\"",
    "0x1",
    "1,234",
    "tru",
    "undefined",
    "two words",
    "\"\"\"",
    "“",
    "”",
    "u\"z\"",
    "\"a \\\" b\"",
];

/// A sequence of numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn nothing_of_a_larger_text_stands_outside() {
    let mut sure = 0;
    for seed in 0..TEXTS {
        let mut numbers = Numbers(seed);
        let length = 1 + numbers.below(12);
        let text: String = (0..length)
            .map(|_| PIECES[numbers.below(PIECES.len())])
            .collect();
        laws::nothing_of_a_larger_text_stands_outside(&text);
        laws::work_is_bounded(&text);
        let document = parse(&text);
        sure += u64::from(document.root().is_some() && document.certainty() < Class::Guess);
    }
    // Not everything is a guess.
    assert!(sure * 20 > TEXTS, "{sure} of {TEXTS}");
}

/// Whatever is read or passed over is in the value or on record.
#[test]
fn tokens_at_random_are_accounted_for() {
    let mut failed = Vec::new();
    let thoughts = |piece: &&&str| !piece.contains("think");
    let all: Vec<&str> = PIECES
        .iter()
        .chain(TOKENS)
        .filter(thoughts)
        .copied()
        .collect();
    for seed in 0..TEXTS {
        let mut numbers = Numbers(seed);
        let mut text = String::from(BEGINNINGS[numbers.below(BEGINNINGS.len())]);
        for _ in 0..1 + numbers.below(12) {
            text.push_str(all[numbers.below(all.len())]);
        }
        let held = catch_unwind(|| {
            laws::everything_is_accounted_for(&text);
            laws::printed_value_reads_back(&text);
            laws::values_lie_within_each_other(&text);
            let kind = parse(&text).root().map(|root| root.kind());
            if matches!(kind, Some(Kind::Object | Kind::Array)) {
                laws::records_lead_to_the_value(&text);
            }
        });
        if held.is_err() {
            failed.push(text);
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {TEXTS}: {failed:#?}",
        failed.len()
    );
}

fn read(text: &str) -> Document<'_> {
    parse(text)
}

/// A whole answer that a model begins to write again, cut at any byte.
#[test]
fn an_answer_that_was_whole_stays() {
    let answers = [
        "{\"a\": \"Lima\", \"b\": \"Oslo\"}",
        "{\n  \"a\": [1, 2.5, {\"b\": \"\\u00e9t\u{e9}\"}],\n  \"c\": {\"d\": null, \"e\": true}\n}",
        "{'a' = 1; 'b' = ['x', 'y']}",
        "[{\"a\": 1}, {\"a\": 2}]",
    ];
    let between = [
        "\n\nOutput:\n",
        "\nAnswer: ",
        "\n\nIs that all?\n\n```json\n",
        "\n```\n\nRecord:\n\n```json\n",
    ];
    for answer in answers {
        let whole = read(answer).to_json();
        for between in between {
            let begin = if between.starts_with("\n```") {
                "```json\n"
            } else {
                ""
            };
            for (cut, _) in answer.char_indices() {
                let text = format!("{begin}{answer}{between}{}", &answer[..cut]);
                let document = read(&text);
                assert_eq!(document.to_json(), whole, "{text:?}");
                assert!(document.is_complete(), "{text:?}");
                for length in [1, 7] {
                    laws::a_stream_grows_into_the_whole(&text, || length);
                }
            }
        }
    }
}
