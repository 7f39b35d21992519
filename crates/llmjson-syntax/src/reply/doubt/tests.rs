//! Rows for each word that casts doubt on a value, near enough and too far.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::*;
use crate::parser::state::test_reader::with_reader;
use Class::{Guess, Likely};
use Stance::{Apart, Inline, Led};

/// Asserts what sentences before a value say of it. A number stands for as many words that say nothing.
fn before(rows: &[(&str, Stance, Option<Class>)]) {
    for (text, stance, expected) in rows {
        let text = filled(text);
        let found = of_sentence(&Words::of(&text), *stance);
        assert_eq!(found, *expected, "{text} {stance:?}");
    }
}

fn filled(text: &str) -> String {
    let mut all = String::from(text);
    for count in 3..=9 {
        all = all.replace(&format!("q{count}"), "q ".repeat(count).trim_end());
    }
    all
}

#[test]
fn samples_and_likenesses_cast_doubt() {
    before(&[
        ("q", Inline, None),
        ("sample", Inline, Some(Guess)),
        ("sample", Apart, None),
        ("please give", Apart, Some(Guess)),
        ("sample q5", Inline, Some(Guess)),
        ("sample q6", Inline, None),
        ("sample q,", Inline, Some(Guess)),
        ("sample, q", Inline, None),
        ("sample and q", Inline, None),
        ("sample requested", Inline, None),
        ("q3 sample q5", Led, Some(Likely)),
        ("q3 sample q6", Led, None),
        ("q3 sample, q", Led, None),
        ("bad example", Led, Some(Guess)),
        ("q sample q", Led, Some(Likely)),
        ("1 2 example", Led, Some(Guess)),
        ("1 2 3 example", Led, Some(Likely)),
        ("like q5", Inline, Some(Guess)),
        ("like q6", Inline, None),
        ("like is", Inline, None),
        ("like, q", Inline, None),
        ("like q q", Led, Some(Likely)),
        ("like q3", Led, None),
        ("like, q", Led, None),
    ]);
}

#[test]
fn examples_cast_doubt_unless_a_colon_follows() {
    before(&[
        ("for example", Inline, Some(Guess)),
        ("for example: q", Inline, None),
        ("for example q: q", Inline, None),
        ("for example q:", Inline, Some(Guess)),
        ("for example q, q", Inline, Some(Guess)),
        ("for example q, q", Led, None),
        ("for example, q q", Led, Some(Guess)),
        ("q3 for example q", Led, Some(Guess)),
        ("q3 for example q,", Led, Some(Guess)),
    ]);
}

#[test]
fn conditions_and_rules_cast_doubt() {
    before(&[
        ("the answer would be", Inline, None),
        ("the answer qua would be", Inline, Some(Guess)),
        ("we would", Inline, Some(Guess)),
        ("may be q, the answer would be", Inline, None),
        ("if q, the answer would be", Inline, Some(Guess)),
        ("you can q8", Inline, Some(Guess)),
        ("you can q9", Inline, None),
        ("you can, q", Inline, None),
        ("you can q requested", Inline, None),
        ("you can q", Led, None),
        ("choice would be", Led, Some(Likely)),
        ("choice would say", Led, None),
        ("choice would be q", Led, None),
        ("choice would, be", Led, None),
        ("must q", Inline, Some(Guess)),
        ("must q8", Inline, Some(Guess)),
        ("must q9", Inline, None),
        ("must q is", Inline, None),
        ("must, q", Inline, None),
        ("must q", Led, None),
    ]);
}

#[test]
fn orders_drafts_and_negations_cast_doubt() {
    before(&[
        ("send q8", Inline, Some(Guess)),
        ("send q9", Inline, None),
        ("q send q", Inline, None),
        ("send, q", Inline, None),
        ("send requested", Inline, None),
        ("send q", Led, None),
        ("draft", Inline, Some(Likely)),
        ("draft q", Inline, Some(Likely)),
        ("draft q q", Inline, None),
        ("draft is", Inline, None),
        ("draft requested", Inline, None),
        ("draft", Led, None),
        ("q not q5", Inline, Some(Guess)),
        ("q not q6", Inline, None),
        ("q not, q", Inline, None),
        ("q not requested", Inline, Some(Guess)),
        ("q not", Led, None),
        ("not q3", Led, Some(Guess)),
        ("not q4", Led, None),
        ("not, q", Led, None),
    ]);
}

#[test]
fn the_rest_of_its_sentence_casts_doubt() {
    for (text, front, stance, expected) in [
        ("?", "Take", Inline, Some(Guess)),
        (" then?", "Take", Inline, Some(Guess)),
        (",  then?", "Take", Inline, Some(Guess)),
        (" Then?", "Take", Inline, None),
        (" then. Right?", "Take", Inline, Some(Likely)),
        (" is not allowed.", "Take", Led, Some(Guess)),
        (", for example.", "Take", Inline, Some(Guess)),
        ("would work", "Take", Inline, None),
        (" along", "Take", Inline, Some(Likely)),
        (" along", "Take", Led, None),
        (" along", "Here it is", Inline, None),
        (", along", "Take", Inline, None),
        (" Along", "Take", Inline, None),
        ("", "Take", Inline, None),
    ] {
        let before = Before {
            text: front,
            stance,
            fenced: false,
        };
        let found = own_sentence(text, &before, &Words::of(text));
        assert_eq!(found, expected, "{front} {stance:?} {text}");
    }
}

#[test]
fn words_behind_a_value_deny_it() {
    for (text, comma, expected) in [
        ("would work", false, true),
        ("would work", true, false),
        ("is not allowed", false, true),
        ("for example", true, true),
        ("for example", false, true),
        ("would work as requested", false, false),
        ("is just an example", false, true),
        ("is q q q q example", false, true),
        ("is q q q q q example", false, false),
        ("is q, example", false, false),
        ("q is example", false, false),
        ("sample", false, false),
        ("is q", false, false),
        ("which was wrong", true, true),
        ("which was q wrong", true, false),
        ("which q q wrong", true, false),
        ("q was wrong", true, false),
        ("which was example", true, false),
        ("q q q wrong", true, false),
        ("wrong", false, true),
        ("wrong", true, false),
        ("q would work", false, true),
        ("q q would work", false, false),
        ("q, would work", false, false),
        ("q", false, false),
    ] {
        let found = rest_of_sentence(&Words::of(text), comma);
        assert_eq!(found, expected, "{text} {comma}");
    }
}

#[test]
fn sentences_hand_values_over() {
    for (text, expected) in [
        ("Here it is", true),
        ("is", true),
        ("result", true),
        ("requested", true),
        ("the answer", true),
        ("so", true),
        ("we", true),
        ("q sample", false),
        ("", false),
    ] {
        assert_eq!(is_announced(&Words::of(text).cues()), expected, "{text}");
    }
}

#[test]
fn sentences_ask_for_something() {
    for (text, expected) in [
        ("Please send more", true),
        ("Please give feedback", false),
        ("give me q", true),
        ("give me feedback", false),
        ("if q please send", false),
        ("if any please send", true),
        ("may be please send", true),
        ("please share q", true),
        ("please share it", false),
        ("please give this", false),
        ("please send it", true),
        ("please q send", true),
        ("please q q send", false),
        ("please sample", false),
        ("sample send", false),
        ("please", false),
        ("send please", false),
        ("q", false),
    ] {
        let words = Words::of(text);
        assert_eq!(asks(&words, &words.cues()), expected, "{text}");
    }
}

#[test]
fn sentences_take_back() {
    for (text, expected) in [
        ("Oops", true),
        ("q", false),
        ("if oops", false),
        ("if any oops", true),
        ("may be oops", true),
        ("that should be 1000", true),
        ("that should be q", false),
        ("correction: q", true),
        ("correction, q", true),
        ("correction q", false),
        ("q correction: q", false),
        ("wait, q", true),
        ("wait q", false),
        ("wait q typo", true),
        ("q wait, q", true),
        ("q q wait, q", false),
        ("q q wait q typo", false),
        ("actually that q", true),
        ("actually total q", true),
        ("actually q that", false),
        ("actually sample q", false),
        ("actually q", false),
        ("actually q typo", true),
        ("q q actually that", false),
        ("sorry, a typo", true),
        ("sorry should be q", true),
        ("sorry correction q", true),
        ("sorry", false),
        ("q typo", false),
        ("total is wrong", true),
        ("total is not wrong", false),
        ("total may be wrong", false),
        ("total is q", false),
        ("q is wrong", false),
        // A word of the table is no name.
        ("range is wrong", false),
    ] {
        let names = |name: &str| matches!(name, "total" | "range");
        assert_eq!(takes_back(&Words::of(text), names), expected, "{text}");
    }
}

/// Asks about the first value of a text and what stands before it.
fn asked<T>(text: &str, question: impl FnOnce(&Reader<'_>, &Reading, &Before<'_>) -> T) -> T {
    with_reader(text, |reader| {
        let start = text.find('{').expect("a value");
        let read = reader.value(start);
        let none = Records::of(0..0);
        let mut value = Reading::new(0, Span::of(start, read.end), none, none);
        value.fenced = text[..start].contains("```");
        let before = reader.look.before_value(0, start);
        question(reader, &value, &before)
    })
}

#[test]
fn what_stands_before_casts_doubt() {
    for (text, expected) in [
        ("{\"a\": 1}", None),
        ("Here: {\"a\": 1}", None),
        ("something like {\"a\": 1}", Some(Guess)),
        ("take the set {}", Some(Guess)),
        ("take the set {\"a\": 1}", None),
        ("take the set: {}", None),
        ("set {}", None),
        ("here is the set {}", None),
        ("```python\nx = 1\nd = {\"a\": 1}", Some(Likely)),
        ("```python\nd = {\"a\": 1}", None),
        (
            "something like ```python\nx = 1\nlike {\"a\": 1}",
            Some(Guess),
        ),
    ] {
        let doubt = asked(text, |reader, value, before| {
            reader.doubt_before(value, before)
        });
        assert_eq!(doubt, expected.map(|class| (class, false)), "{text}");
    }
}

#[test]
fn what_stands_behind_casts_doubt() {
    let far = |space: usize| format!("{{\"a\": 1}}\n{} oops", "é".repeat(space));
    for (text, expected) in [
        ("{\"a\": 1}", None),
        ("{\"a\": 1} would also work.", Some(Guess)),
        ("```\n{\"a\": 1} would also work.", None),
        ("take {\"a\": 1} along", Some(Likely)),
        ("take {\"a\": 1} along. Oops.", Some(Guess)),
        ("{\"a\": 1}\nOops.", Some(Guess)),
        ("{\"a\": 1}\nPlease send more.", Some(Guess)),
        ("{\"total\": 1}\nThe total is wrong.", Some(Guess)),
        ("{\"a\": 1}\nThe total is wrong.", None),
        ("{\"a\": 1}\nok {\"b\": 2} oops", None),
        ("{\"a\": 1}\nA. B. C. Oops.", Some(Guess)),
        ("{\"a\": 1}\nA. B. C. D. Oops.", None),
        (&far(190), Some(Guess)),
        (&far(200), None),
        (&far(201), None),
    ] {
        let doubt = asked(text, |reader, value, before| {
            reader.doubt_behind(value, before, text.len())
        });
        assert_eq!(doubt, expected.map(|class| (class, true)), "{text}");
    }
    let ended = asked("{\"a\": 1}\nOops.", |reader, value, before| {
        reader.doubt_behind(value, before, 9)
    });
    assert_eq!(ended, None);
}

/// Returns the classes of the texts around the value of a reply.
fn classes(text: &str) -> Vec<Class> {
    with_reader(text, |reader| {
        reader.reply();
        let around = reader.tape.repairs.iter();
        let around = around.filter(|one| one.kind == RepairKind::SurroundingText);
        around.map(|one| one.class).collect()
    })
}

#[test]
fn doubt_stands_on_the_text_that_casts_it() {
    let sure = Class::Certain;
    for (text, expected) in [
        ("Here: {\"a\": 1}\nThat is all.", &[sure, sure][..]),
        ("Something like {\"a\": 1}\nThat is all.", &[Guess, sure]),
        ("Here: {\"a\": 1}\nOops.", &[sure, Guess]),
        ("{\"a\": 1}\nOops.", &[Guess]),
        ("Something like {\"a\": 1}", &[Guess]),
    ] {
        assert_eq!(classes(text), expected, "{text}");
    }
    let part = with_reader("something like {\"a\": 1}", |reader| {
        reader.value(15);
        reader.repair(RepairKind::SurroundingText, 0, 14);
        reader.doubt_part(Span::of(15, 23));
        reader.tape.repairs[0].class
    });
    assert_eq!(part, Guess);
}
