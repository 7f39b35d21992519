//! Values amid parts of larger texts: where such parts stand outside of the value that is read, it is a guess. And
//! tokens where they mean nothing: what is left out is on record.

use std::panic::catch_unwind;

use llmjson_syntax::{Class, Document, Kind, laws, parse};
use llmjson_testutil::Rng;
use llmjson_testutil::table::{Lines, lines};

/// The rows of the tests.
const FILE: &str = include_str!("outside.txt");

/// Number of texts that are made of pieces at random.
const TEXTS: u64 = 20_000;

/// Pieces of documents, of other notations and of prose.
static PIECES: Lines = Lines::new(|| lines(FILE, "pieces"));

/// Beginnings of values, also within round brackets.
static BEGINNINGS: Lines = Lines::new(|| lines(FILE, "beginnings"));

/// Tokens that mean nothing where they stand, or another thing than in JSON.
static TOKENS: Lines = Lines::new(|| lines(FILE, "tokens"));

#[test]
fn nothing_of_a_larger_text_stands_outside() {
    let mut sure = 0;
    for seed in 0..TEXTS {
        let mut numbers = Rng::new(seed);
        let length = 1 + numbers.below(12);
        let text: String = (0..length).map(|_| numbers.pick(&PIECES)).collect();
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
        .chain(TOKENS.iter())
        .filter(thoughts)
        .copied()
        .collect();
    for seed in 0..TEXTS {
        let mut numbers = Rng::new(seed);
        let mut text = String::from(numbers.pick(&BEGINNINGS));
        for _ in 0..1 + numbers.below(12) {
            text.push_str(numbers.pick(&all));
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
    let between = [
        "\n\nOutput:\n",
        "\nAnswer: ",
        "\n\nIs that all?\n\n```json\n",
        "\n```\n\nRecord:\n\n```json\n",
    ];
    for answer in lines(FILE, "an answer that was whole stays") {
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
