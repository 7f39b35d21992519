//! Replies in transport encodings, and replies that only look so.

use llmjson_testutil::table::{Lines, lines, rows_of};
use std::fmt::Write as _;

use llmjson_syntax::laws::sources::{ENCODERS, encoded_replies_keep_the_laws, wrapped};
use llmjson_syntax::laws::work::{cost_of_parse, work_is_bounded};
use llmjson_syntax::{Class, parse};

/// The rows of the tests.
const FILE: &str = include_str!("sources.txt");

/// JSON whose strings contain encoded text, which is unchanged.
static STRICT: Lines = Lines::new(|| lines(FILE, "strict"));

#[test]
fn what_needs_no_repair_is_read_as_it_stands() {
    for json in STRICT.iter() {
        let expected: serde_json::Value = serde_json::from_str(json).expect("strict JSON");
        for text in [
            (*json).to_owned(),
            format!("```json\n{json}\n```"),
            format!("Here it is:\n{json}\nDone."),
        ] {
            let document = parse(&text);
            let value = document.to_json().expect("a value");
            assert_eq!(
                serde_json::from_str::<serde_json::Value>(&value).ok(),
                Some(expected.clone()),
                "{text}"
            );
            assert_eq!(document.certainty(), Class::Certain, "{text}");
        }
    }
}

/// Encoded text in a string costs no more than letters do.
#[test]
fn what_needs_no_repair_costs_nothing_more() {
    let letters = "```json\n{\"a\": \"x22x7Bx22\", \"b\": [1, 2]}\n```\n";
    let signs = letters.replace("x22", "%22").replace("x7B", "%7B");
    assert_eq!(cost_of_parse(&signs).work, cost_of_parse(letters).work);
}

/// Text that only looks encoded is unchanged although the reply is damaged.
#[test]
fn damage_is_not_an_encoding() {
    for [text, value] in rows_of(FILE, "damage is not an encoding") {
        assert_eq!(parse(text).to_json().as_deref(), Some(value), "{text}");
    }
}

/// Lines that were cut at a column are joined, as a guess where it is one.
#[test]
fn lines_cut_at_a_column_are_joined() {
    let value =
        r#"{"note":"the parcel arrived late and two of the cups inside were broken","ok":true}"#;
    // Within words, within `true`, behind a blank.
    for width in [24, 25, 26, 27, 40] {
        let cut = wrapped(value, width);
        let document = parse(&cut);
        assert_eq!(document.to_json().as_deref(), Some(value), "{width}");
        assert_eq!(document.certainty(), Class::Likely, "{width}");
    }
    // One full line shows a usual column at most.
    let cut = wrapped(value, 70);
    let document = parse(&cut);
    assert_eq!(document.to_json().as_deref(), Some(value));
    assert_eq!(document.certainty(), Class::Guess);
    // Between words: which sign was lost is a guess.
    let words = "{\"note\":\"the parcel arrived late and two\nof the cups inside were broken, so that we\nask for a new one\"}";
    let document = parse(words);
    let note = "{\"note\":\"the parcel arrived late and two of the cups inside were broken, so that we ask for a new one\"}";
    assert_eq!(document.to_json().as_deref(), Some(note));
    assert_eq!(document.certainty(), Class::Guess);
}

/// What stands before and behind each line, and what programs make of a text.
#[test]
fn margins_and_literals_are_taken_off() {
    let value = r#"{"a":"it's","b":[1,2]}"#;
    for text in lines(FILE, "margins and literals are taken off") {
        let document = parse(text);
        assert_eq!(document.to_json().as_deref(), Some(value), "{text}");
        assert!(
            document.certainty() < Class::Guess,
            "{text}: {:?}",
            document.repairs()
        );
    }
}

/// Each encoding of a long reply, whole and truncated, and several of them nested.
#[test]
fn work_is_bounded_over_long_replies() {
    let mut json = String::from("[");
    for at in 0..400 {
        let _ = writeln!(json, "{{\"name\": \"boat {at}\", \"crew\": {at}}},");
    }
    json.push_str("null]");
    let lines = |prefix: &str| json.replace('\n', &format!("\n{prefix}"));
    let shapes = [
        lines("12:00:01 INFO "),
        lines("app-1  | "),
        lines("> "),
        lines("data: "),
        json.replace('"', "\\u0022"),
        json.replace('"', "\\x22"),
        json.replace('"', "%22").replace('{', "%7B"),
        json.replace('"', "&quot;"),
        json.replace('"', "&amp;amp;quot;"),
        json.replace('"', "=22"),
        json.replace(' ', "Ġ"),
        json.replace(' ', "▁"),
        json.replace('"', "â€œ"),
        json.replace('"', "＂").replace('{', "｛"),
        json.replace('"', "`\""),
        json.replace('{', "\\{").replace('[', "\\["),
        json.replace('"', "``").replace("``,", "'',"),
        json.replace('\n', "<br>\n").replace('"', "&quot;"),
        json.replace("\",", "'\\''"),
        "data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n".repeat(500),
        "%22%7B&quot;\\u0022\\x22=22Ġ▁â€œ＂`\"\\{``''<br>\n| > 1: ".repeat(300),
        "{\"choices\":[\n".repeat(500),
        "12:00:01 {\n".repeat(800),
        "%25".repeat(3000) + "7B%22",
        "```json\n{\"a\": [\n```\n".repeat(400),
        "{\"a\": [1,\nUser: continue\nAssistant:\n".repeat(300),
        "{\"aaaaaaaaaaaaaaaaaaaaaaaa\n(continued)\n".repeat(300),
    ];
    for shape in shapes {
        work_is_bounded(&shape);
        work_is_bounded(&shape[..shape.floor_char_boundary(shape.len() / 2)]);
    }
}

/// A reply in each encoding, damaged at random places.
#[test]
fn laws_hold_for_encoded_replies() {
    let replies = [
        "{\"name\": \"it's <b>é</b> & \\\"quoted\\\"\", \"n\": [1, 20.5, true, null]}",
        "Here it is:\n```json\n{\n  \"a\": \"line\\nbreak\",\n  \"list\": [\n    {\"b\": \"c\"},\n    {\"b\": \"d\"}\n  ]\n}\n```\nDone.",
        "{'a': 1, b: \"a long text that goes on and on, beyond forty columns\", c: 'd',}",
    ];
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
        (state >> 33) as usize % below
    };
    let rounds = std::env::var("LLMJSON_SOURCES_ROUNDS").ok();
    let rounds = rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(3);
    for (name, encode) in ENCODERS {
        for reply in replies {
            let whole = encode(reply);
            encoded_replies_keep_the_laws(&whole, || 7);
            for _ in 0..rounds {
                let (_, outer) = ENCODERS[random(ENCODERS.len())];
                let mut text = if random(2) == 0 {
                    outer(&whole)
                } else {
                    whole.clone()
                };
                for _ in 0..=random(3) {
                    let start = text.floor_char_boundary(random(text.len() + 1));
                    let end = text.floor_char_boundary((start + random(12)).min(text.len()));
                    match random(3) {
                        0 => text.replace_range(start..end, ""),
                        1 => {
                            let part = text[start..end].to_owned();
                            text.insert_str(start, &part);
                        }
                        _ => text.truncate(end.max(1)),
                    }
                }
                let length = 1 + random(30);
                let kept = std::panic::catch_unwind(|| {
                    encoded_replies_keep_the_laws(&text, || length);
                });
                assert!(kept.is_ok(), "{name}, pieces of {length}: {text:?}");
            }
        }
    }
}
