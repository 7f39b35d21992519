//! Texts in two pieces, split anywhere: the cases of `corpus/calls`, with longer values, several calls, damage, and
//! quotations around them.

use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

use llmjson::laws;
use llmjson::tools::{Registry, calls_in};
use serde_json::Value;

use super::text_calls::{files, registry, reply};
use llmjson_testutil::{Rng, setting};

use super::text_calls_mutated::mutated;

/// The lengths of texts that are split, in bytes.
const BYTES: RangeInclusive<usize> = 65..=2_500;

/// The length of the longer values, in bytes.
const VALUE_BYTES: usize = 90;

/// Every so many characters a text is split, unless `LLMJSON_SPLIT` sets another number.
const STEP: usize = 13;

/// Text before and after a text with calls.
const AROUND: &[[&str; 2]] = &[
    ["<img alt='", "'>\nThat is the picture."],
    ["<a title=\"", "\">x</a>"],
    ["It writes `", "` then."],
    ["As an example:\n```\n", "\n```\nThat is how it is written."],
    ["{\"text\": \"", "\"}"],
    ["<think>\n", "\n</think>\nNo."],
    ["> ", "\n\nThat was quoted."],
    [
        "",
        "\n\nOne moment, please. It is looked up, and then I say what was found there.",
    ],
];

#[test]
fn two_pieces_give_the_result_of_the_whole_text() {
    let step = setting("LLMJSON_SPLIT", STEP);
    let mut numbers = Rng::new(setting("LLMJSON_SEED", 1) as u64);
    let mut wrong = Vec::new();
    for file in files() {
        for case in &file.cases {
            let (text, registry) = (reply(case), registry(case));
            let long = with_long_values(text, &registry);
            let [before, after] = numbers.pick(AROUND);
            let texts = [
                text.to_owned(),
                mutated(&long, &mut numbers),
                format!("{before}{long}{after}"),
                format!("{text}\n{long}"),
                long,
            ];
            for text in texts.iter().filter(|text| BYTES.contains(&text.len())) {
                let first = 1 + numbers.below(step);
                let check = || laws::splits_of_calls(text, first, step, &registry);
                if catch_unwind(AssertUnwindSafe(check)).is_err() {
                    wrong.push((case.name(), text.clone()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the text with longer strings in the arguments of its calls.
fn with_long_values(text: &str, registry: &Registry) -> String {
    let mut out = text.to_owned();
    for call in calls_in(text, registry).calls() {
        let arguments: Value = serde_json::from_str(call.arguments()).unwrap_or_default();
        let values = arguments.as_object().into_iter().flatten();
        let values = values.filter_map(|(_, value)| value.as_str());
        for value in values.filter(|value| value.len() > 1) {
            let long = [value, " and more of it"].concat();
            let long = long.repeat(VALUE_BYTES / long.len() + 1);
            out = out.replacen(value, &long, 1);
        }
    }
    out
}
