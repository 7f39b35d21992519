//! Rows for each rule that weighs two values of a reply.

use alloc::vec::Vec;

use super::*;
use crate::base::repair::{Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::ask;
use crate::parser::state::test_reader::with_reader;
use crate::tape::readings::Records;

/// Reads the values of a text, which begin at its first bracket and behind each bar.
fn values(reader: &mut Reader<'_>) -> Vec<Reading> {
    let text = reader.look.text;
    let starts = core::iter::once(0).chain(text.match_indices('|').map(|(bar, _)| bar + 1));
    let none = Records::of(0..0);
    starts
        .map(|start| {
            let root = reader.tape.nodes.len() as u32;
            let read = reader.value(start);
            let end = text[start..]
                .find('|')
                .map_or(text.len(), |bar| start + bar);
            Reading {
                complete: read.complete,
                ..Reading::new(root, Span::of(start, end), none, none)
            }
        })
        .collect()
}

/// Returns whether the first of two values wins once they are changed so. The other way round it has to be the
/// opposite.
fn first_wins(text: &str, change: impl FnOnce(&mut Reading, &mut Reading)) -> bool {
    guessed_wins(text, (false, false), change)
}

fn guessed_wins(
    text: &str,
    (one, other): (bool, bool),
    change: impl FnOnce(&mut Reading, &mut Reading),
) -> bool {
    with_reader(text, |reader| {
        let mut all = values(reader);
        let [first, second] = &mut all[..] else {
            panic!("two values: {text}");
        };
        change(first, second);
        let wins = reader.beats((first, one), (second, other));
        assert_eq!(reader.beats((second, other), (first, one)), !wins, "{text}");
        wins
    })
}

const EQUAL: &str = "{\"a\": 1}|{\"b\": 2}";
const LARGER_FIRST: &str = "{\"a\": \"long enough\"}|{\"b\": 2}";
const LARGER_LAST: &str = "{\"b\": 2}|{\"a\": \"long enough\"}";

#[test]
fn of_equal_values_the_later_one_wins() {
    assert!(!first_wins(EQUAL, |_, _| {}));
    assert!(first_wins(EQUAL, |_, second| second.aside = true));
    assert!(!first_wins(EQUAL, |first, _| first.aside = true));
}

#[test]
fn a_whole_value_wins_over_what_is_around_or_in_it() {
    for (outer_list, outer_whole, inner_whole, outer_wins) in [
        (false, true, true, true),
        (false, true, false, true),
        (false, false, false, true),
        (false, false, true, false),
        (true, false, true, true),
        (true, true, true, true),
    ] {
        let wins = first_wins(EQUAL, |outer, inner| {
            outer.span = Span::of(0, 17);
            // What follows would let the other one win.
            (outer.group, inner.group) = (1, 1);
            outer.list = outer_list;
            outer.complete = outer_whole;
            inner.complete = inner_whole;
        });
        assert_eq!(wins, outer_wins, "{outer_list} {outer_whole} {inner_whole}");
    }
    let aside = |outer: &mut Reading, _: &mut Reading| {
        outer.span = Span::of(0, 17);
        outer.aside = true;
    };
    assert!(!first_wins(EQUAL, aside));
}

#[test]
fn of_a_run_the_first_value_wins() {
    let run = |one, other| {
        first_wins(EQUAL, |first, second| {
            (first.group, second.group) = (one, other);
        })
    };
    assert!(run(1, 1));
    assert!(!run(1, 2));
    assert!(!run(1, 0));
    assert!(!run(0, 0));
    // Even where there is nothing in it.
    let empty = "{}|{\"b\": 2}";
    assert!(first_wins(empty, |first, second| {
        (first.group, second.group) = (1, 1);
    }));
}

#[test]
fn what_holds_something_wins_over_what_is_empty() {
    assert!(first_wins("{\"a\": 1}|{}", |_, second| second.lead = Lead::Answer));
    assert!(first_wins("{\"a\": 1}|[x]", |_, _| {}));
    assert!(!first_wins("[]|[1, 2]", |first, _| first.lead = Lead::Answer));
}

#[test]
fn what_is_announced_wins() {
    use Lead::{Answer, Aside, Correction, Plain};
    for (one, other, expected) in [
        (Answer, Plain, true),
        (Answer, Aside, true),
        (Plain, Aside, true),
        (Plain, Answer, false),
        (Correction, Answer, true),
        (Answer, Correction, false),
        (Answer, Answer, false),
    ] {
        let wins = first_wins(EQUAL, |first, second| {
            (first.lead, second.lead) = (one, other);
            (first.series, second.series) = (1, 1);
        });
        assert_eq!(wins, expected, "{one:?} {other:?}");
    }
}

#[test]
fn of_a_series_the_last_value_wins() {
    let series = |one, other| {
        first_wins(EQUAL, |first, second| {
            (first.series, second.series) = (one, other);
            first.fenced = true;
        })
    };
    assert!(!series(1, 1));
    assert!(series(1, 2));
    assert!(series(0, 0));
}

#[test]
fn a_fence_size_certainty_and_place_decide_in_turn() {
    assert!(first_wins(LARGER_LAST, |first, _| first.fenced = true));
    assert!(!first_wins(LARGER_FIRST, |_, second| second.fenced = true));
    assert!(first_wins(LARGER_FIRST, |_, _| {}));
    assert!(guessed_wins(LARGER_FIRST, (true, false), |_, _| {}));
    assert!(!guessed_wins(LARGER_LAST, (false, true), |_, _| {}));
    assert!(guessed_wins(EQUAL, (false, true), |_, _| {}));
    assert!(!guessed_wins(EQUAL, (true, true), |_, _| {}));
    assert!(!guessed_wins(EQUAL, (true, false), |first, _| first
        .first =
        true));
    assert!(first_wins(EQUAL, |first, _| first.first = true));
    let example = |first: &mut Reading, second: &mut Reading| {
        first.first = true;
        (first.lead, second.lead) = (Lead::Aside, Lead::Aside);
    };
    assert!(!first_wins(EQUAL, example));
}

/// Returns how sure the choice of the first of two values is.
fn choice(text: &str, change: impl FnOnce(&mut Reading, &mut Reading)) -> Option<Class> {
    with_reader(text, |reader| {
        let mut all = values(reader);
        let [first, second] = &mut all[..] else {
            panic!("two values: {text}");
        };
        change(first, second);
        reader.choice(first, second)
    })
}

#[test]
fn what_is_next_to_nothing_or_the_same_does_not_count() {
    assert_eq!(choice("{\"a\": 1}|{}", |_, _| {}), None);
    assert_eq!(choice("{\"a\": 1}|{\"a\":1}", |_, _| {}), None);
    assert_eq!(choice(EQUAL, |_, second| second.thought = true), None);
    assert_eq!(choice("[x]|{}", |_, _| {}), Some(Class::Guess));
}

#[test]
fn a_choice_by_words_fence_or_size_is_likely() {
    use Lead::{Answer, Aside, Plain};
    let likely = |text, change: fn(&mut Reading, &mut Reading)| match choice(text, change) {
        Some(Class::Likely) => true,
        Some(Class::Guess) => false,
        other => panic!("{other:?}: {text}"),
    };
    assert!(!likely(EQUAL, |_, _| {}));
    assert!(likely(EQUAL, |one, other| {
        (one.lead, other.lead) = (Answer, Aside);
    }));
    assert!(!likely(EQUAL, |one, other| {
        (one.lead, other.lead) = (Aside, Answer);
    }));
    assert!(likely(EQUAL, |one, _| one.fenced = true));
    assert!(!likely(EQUAL, |_, other| other.fenced = true));
    assert!(!likely(EQUAL, |one, other| {
        (one.fenced, other.fenced) = (true, true);
    }));
    assert!(!likely(EQUAL, |one, other| {
        (one.lead, other.lead) = (Plain, Answer);
        one.fenced = true;
    }));
    assert!(likely(EQUAL, |one, other| {
        (one.lead, other.lead) = (Answer, Plain);
        one.fenced = true;
    }));
    assert!(likely(LARGER_FIRST, |_, _| {}));
    assert!(!likely(LARGER_LAST, |_, _| {}));
    assert!(!likely("{\"a\": \"long enough\"}|{\"a\": 2}", |_, _| {}));
    assert!(likely(EQUAL, |_, other| other.complete = false));
    assert!(!likely(EQUAL, |one, other| {
        (one.complete, other.complete) = (false, false);
    }));
}

#[test]
fn guesses_are_those_of_the_value() {
    with_reader("{}", |reader| {
        for kind in [RepairKind::UnquotedKey, RepairKind::DroppedValue] {
            reader.tape.repairs.push(Repair::new(kind, Span::at(0)));
        }
        let value = |from, to| {
            let none = Records::of(0..0);
            Reading::new(0, Span::at(0), Records::of(from..to), none)
        };
        assert!(!reader.guessed(&value(0, 1)));
        assert!(reader.guessed(&value(0, 2)));
        assert!(reader.guessed(&value(1, 2)));
    });
}

#[test]
fn a_bare_item_is_next_to_nothing() {
    for (text, expected) in [
        ("{}", false),
        ("{\"a\": 1}", true),
        ("{\"a\": 1, \"b\": 2}", true),
        ("[]", false),
        ("[x]", false),
        ("[1]", false),
        ("['x']", true),
        ("[“x”]", true),
        ("['x", false),
        ("[\"x", false),
        ("[\"x\"]", true),
        ("[\"x\" + 'y']", true),
        ("[[]]", true),
        ("[{}]", true),
        ("[1, 2]", true),
        ("[x, y, z]", true),
    ] {
        let is = with_reader(text, |reader| {
            let root = reader.tape.nodes.len() as u32;
            reader.value(0);
            reader.substantial(root)
        });
        assert_eq!(is, expected, "{text}");
    }
}

#[test]
fn drafts_have_names_in_common() {
    for (text, expected) in [
        ("[1]|[2]", true),
        ("[1]|[]", false),
        ("[]|[1]", true),
        ("{\"a\": 1}|[1]", false),
        ("[1]|{\"a\": 1}", false),
        ("{\"a\": 1}|{\"a\": 1, \"b\": 2}", true),
        ("{\"a\": 1}|{\"a\": 1, \"b\": 2, \"c\": 3}", false),
        (
            "{\"b\": 1, \"a\": 2}|{\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4}",
            true,
        ),
        ("{\"x\": 1}|{\"a\": 1}", false),
        ("{\"x\": 1}|{}", false),
        ("{}|{\"a\": 1}", false),
    ] {
        let alike = with_reader(text, |reader| {
            let all = values(reader);
            reader.alike(&all[0], &all[1])
        });
        assert_eq!(alike, expected, "{text}");
    }
}

/// Returns which of the values of a text are set aside once they are changed so.
fn set_aside(text: &str, change: impl FnOnce(&mut [Reading])) -> Vec<bool> {
    with_reader(text, |reader| {
        let mut all = values(reader);
        change(&mut all);
        reader.set_aside(&mut all);
        all.iter().map(|one| one.aside).collect()
    })
}

#[test]
fn thoughts_are_set_aside() {
    let three = "{\"a\": 1}|{\"b\": 2}|{\"c\": 3}";
    let aside = |thoughts: [bool; 3]| {
        set_aside(three, |all| {
            for (one, thought) in all.iter_mut().zip(thoughts) {
                one.thought = thought;
            }
        })
    };
    assert_eq!(aside([false; 3]), [false; 3]);
    assert_eq!(aside([true, false, false]), [true, false, false]);
    assert_eq!(aside([true, false, true]), [true, false, true]);
    // Of nothing but thoughts the last one counts.
    assert_eq!(aside([true; 3]), [true, true, false]);
    let listed = set_aside(three, |all| {
        for one in &mut *all {
            one.thought = true;
        }
        all[2].list = true;
    });
    assert_eq!(listed, [true; 3]);
}

#[test]
fn drafts_of_a_value_that_is_cut_come_last() {
    let drafts = |text: &str, change: fn(&mut [Reading])| {
        with_reader(text, |reader| {
            let mut all = values(reader);
            all[1].span.start += 1;
            change(&mut all);
            reader.set_aside(&mut all);
            assert!(!all[1].aside && !all[1].draft);
            [all[0].draft, all[0].aside]
        })
    };
    let cut = "{\"a\": 1, \"b\": 2}|\n{\"a\": 3, \"b\":";
    let draft = |change| drafts(cut, change)[0];
    assert!(draft(|_| {}));
    assert!(!draft(|all| all[1].complete = true));
    assert!(!draft(|all| all[1].lead = Lead::Aside));
    assert!(!draft(|all| all[1].span.end -= 5));
    assert!(draft(|all| (all[0].group, all[1].group) = (1, 2)));
    assert!(!draft(|all| (all[0].group, all[1].group) = (1, 1)));
    assert!(!draft(|all| all[0].complete = false));
    assert!(!draft(|all| all[0].span.end = all[1].span.end));
    assert!(!draft(|all| all[1].list = true));
    let corrected = drafts(cut, |all| all[1].lead = Lead::Correction);
    assert_eq!(corrected, [false, true]);
    let other = "{\"x\": 1, \"y\": 2}|\n{\"a\": 1, \"b\":";
    assert_eq!(drafts(other, |_| {}), [false, false]);
    // A list around values is no draft.
    let lists = "[1, 2]|\n[3";
    assert_eq!(drafts(lists, |all| all[0].list = true), [false, false]);
    assert_eq!(drafts(lists, |_| {}), [true, false]);
}

#[test]
fn the_beginning_of_a_whole_value_is_set_aside() {
    let cut = "{\"a\": 1, \"b\": 2}|\n{\"a\": 1, \"b\":";
    let aside = |change: fn(&mut [Reading])| set_aside(cut, change);
    assert_eq!(aside(|_| {}), [false, true]);
    assert_eq!(aside(|all| all[1].complete = true), [false, false]);
    assert_eq!(aside(|all| all[0].complete = false), [false, false]);
    assert_eq!(aside(|all| all[1].lead = Lead::Correction), [false, true]);
    assert_eq!(aside(|all| all[1].thought = true), [false, true]);
    assert_eq!(aside(|all| all[0].thought = true), [true, false]);
    for (whole, cut, expected) in [
        (
            "{\"a\": [1, {\"b\": \"xy\"}]}",
            "{\"a\": [1, {\"b\": \"x",
            true,
        ),
        ("{\"a\": [1, {\"b\": \"xy\"}]}", "{\"a\": [1, {\"b", true),
        (
            "{\"a\": [1, {\"b\": \"xy\"}]}",
            "{\"a\": [2, {\"b\": \"x",
            false,
        ),
        ("{\"a\": \"xy\", \"b\": 1}", "{'a': 'xy', 'b", true),
        ("{\"a\": 1, \"b\": 2}", "{\"b\": 2", false),
        ("{\"a\": 1}", "{\"a\": 1, \"b\": 2", false),
        ("{\"a\": 123}", "{\"a\": 12", true),
        ("{\"a\": 123}", "{\"a\": 13", false),
        ("{\"a\": true}", "{\"a\": tr", true),
        ("{\"a\": true}", "{\"a\": fa", false),
        ("{\"a\": 1}", "[", false),
        ("{\"a\": 1}", "{", true),
        ("[1, 2]", "[1, 2", true),
        ("[1, 2]", "[1, 2, 3", false),
    ] {
        let found = with_reader(&alloc::format!("{whole}|\n{cut}"), |reader| {
            let all = values(reader);
            reader.begins(&all[1], &all[0])
        });
        assert_eq!(found, expected, "{cut} of {whole}");
    }
}

#[test]
fn a_cut_value_ends_the_reply() {
    for (text, fenced, expected) in [
        ("Here: {\"a\": 1", false, true),
        ("{\"a\": 1", false, true),
        ("{\"a\": 1 \n", false, true),
        ("{\"a\": 1\n```\n", false, true),
        ("{\"a\": 1\n~~~", false, true),
        ("Here: {\"a\": 1 and more", false, false),
        ("as {\"a\": 1 and more", false, false),
        ("as {\"a\": 1", false, false),
        ("as {\"a\": 1", true, true),
        ("as {\"a\": 1 and more", true, false),
    ] {
        let none = Records::of(0..0);
        let start = text.find('{').expect("a value");
        let end = text.find('1').expect("its end") + 1;
        let value = Reading {
            fenced,
            ..Reading::new(0, Span::of(start, end), none, none)
        };
        let ends = ask(text, |look| look.ends_the_reply(&value));
        assert_eq!(ends, expected, "{text} {fenced}");
    }
}

#[test]
fn replies_end_in_reasoning() {
    for (text, open, expected) in [
        ("<think>[1]</think> No.", false, false),
        ("<think>[1]</think> No.", true, true),
        ("<think>[1]</think>", false, true),
        ("<think>[1]</think> \n", false, true),
        ("<think>[1]</think><|im_end|>\n", false, true),
        ("<think>[1]</think><|im_end|> No.", false, false),
        ("No.", false, true),
    ] {
        let ends = ask(text, |look| look.ends_in_reasoning(open));
        assert_eq!(ends, expected, "{text} {open}");
    }
}

fn at(start: usize, end: usize) -> Reading {
    let none = Records::of(0..0);
    Reading::new(0, Span::of(start, end), none, none)
}

#[test]
fn words_decide_between_two_values() {
    use Lead::{Answer, Aside, Correction, Plain};
    for (earlier, later, expected) in [
        (Aside, Answer, Some(false)),
        (Answer, Correction, Some(false)),
        (Aside, Correction, Some(false)),
        (Plain, Aside, Some(true)),
        (Answer, Aside, Some(true)),
        (Correction, Aside, Some(true)),
        (Correction, Correction, None),
        (Aside, Aside, None),
        (Plain, Answer, None),
        (Answer, Plain, None),
        (Correction, Answer, None),
    ] {
        let (mut one, mut other) = (at(0, 5), at(5, 9));
        (one.lead, other.lead) = (earlier, later);
        let found = announced_over(&one, &other);
        assert_eq!(found, expected, "{earlier:?} {later:?}");
        let found = announced_over(&other, &one);
        assert_eq!(found, expected.map(|wins| !wins), "{earlier:?} {later:?}");
    }
}

#[test]
fn the_first_value_is_the_payload() {
    let payload = |first, lead| {
        is_payload(&Reading {
            first,
            lead,
            ..at(0, 1)
        })
    };
    assert!(payload(true, Lead::Plain));
    assert!(payload(true, Lead::Answer));
    assert!(!payload(true, Lead::Aside));
    assert!(!payload(false, Lead::Plain));
    assert!(!payload(false, Lead::Aside));
}

#[test]
fn spans_lie_in_others() {
    for ((start, end), expected) in [
        ((2, 8), false),
        ((2, 7), true),
        ((3, 8), true),
        ((3, 4), true),
        ((1, 8), false),
        ((2, 9), false),
        ((1, 9), false),
        ((0, 1), false),
        ((9, 10), false),
    ] {
        let is = is_inside(&at(start, end), &at(2, 8));
        assert_eq!(is, expected, "{start} to {end}");
    }
}

#[test]
fn twice_the_length_is_larger() {
    assert!(is_larger(&at(0, 20), &at(30, 40)));
    assert!(!is_larger(&at(0, 19), &at(30, 40)));
    assert!(is_larger(&at(0, 2), &at(3, 3)));
    assert!(!is_larger(&at(0, 1), &at(3, 3)));
}
