use alloc::format;
use alloc::vec::Vec;

use super::*;
use crate::parser::state::test_reader::with_open;

/// The text of a string that was found: its end, where reading goes on, and its flags.
type Text = Option<(usize, usize, u8)>;

/// The kind of a repair, its certainty and its place.
type Recorded = (RepairKind, Class, usize, usize);

/// The text before a string with its quote, in which all brackets are open.
const MEMBER: &str = "{\"a\": \"";

/// Reads a string that holds JSON: the text before it, and the rest. Asserts what is found and recorded, all
/// offsets counted from the beginning of the string, and how far the text was looked at.
fn assert_read((before, rest): (&str, &str), found: Text, repairs: &[Recorded], looked_to: usize) {
    let nothing = |_: &mut Reader<'_>, _| {};
    assert_eq!(
        read_after((before, rest), nothing),
        (found, repairs.to_vec(), looked_to),
        "{rest:?}"
    );
}

fn read_after(
    (before, rest): (&str, &str),
    change: impl FnOnce(&mut Reader<'_>, usize),
) -> (Text, Vec<Recorded>, usize) {
    let text = format!("{before}{rest}");
    let brackets = before.match_indices(['{', '[']).map(|(at, _)| at);
    let brackets = SmallVec::<[usize; 8]>::from_iter(brackets);
    let (start, quote) = (before.len(), before.as_bytes()[before.len() - 1]);
    with_open(&[], &text, &brackets, |reader, here| {
        change(reader, start);
        let role = match here.object {
            true => StringRole::Member,
            false => StringRole::Item,
        };
        let found = reader.unescaped_json(here, role, start, quote);
        let found = found.map(|found| (found.end - start, found.next - start, found.flags));
        let repairs = reader.tape.repairs.iter().map(|repair| {
            let span = repair.span.range();
            (
                repair.kind,
                repair.class,
                span.start - start,
                span.end - start,
            )
        });
        let looked_to = reader.scratch.pause.looked_to;
        let looked_to = match looked_to {
            usize::MAX => usize::MAX,
            _ => looked_to.saturating_sub(start),
        };
        (found, repairs.collect(), looked_to)
    })
}

#[test]
fn whole_json_ends_with_its_quote() {
    for (text, end, flags) in [
        ((MEMBER, "{\"b\": 1}\"}"), 8, 0),
        (("[\"", "{\"b\": 1} \"]"), 9, 0),
        (("{\"a\": '", "{\"b\": 'x'}'}"), 10, 0),
        // Escapes between the tokens are those of the whole text, others are those of the JSON.
        ((MEMBER, "{\\n\"b\": 1}\"}"), 10, flag::ESCAPED),
        ((MEMBER, "{\"b\": 1\\n}\"}"), 10, flag::ESCAPED),
        ((MEMBER, "{\"b\": 1}\\n\"}"), 10, flag::ESCAPED),
        ((MEMBER, "\\n{\"b\": 1}\"}"), 10, flag::ESCAPED),
        ((MEMBER, "{\"b\": \"\\q\"}\"}"), 11, 0),
    ] {
        let found = Some((end, end + 1, flags));
        let repairs = [(RepairKind::UnescapedJson, Class::Likely, 0, end)];
        assert_read(text, found, &repairs, end + MARGIN);
    }
    let repairs = [
        (RepairKind::UnescapedJson, Class::Likely, 0, 8),
        (RepairKind::ControlCharacter, Class::Certain, 0, 8),
    ];
    let found = Some((8, 9, 0));
    assert_read((MEMBER, "{\"b\":\n1}\"}"), found, &repairs, 8 + MARGIN);
}

#[test]
fn whole_json_may_lack_its_quote() {
    let repairs = [
        (RepairKind::UnescapedJson, Class::Guess, 0, 8),
        (RepairKind::MissingQuote, Class::Guess, 8, 8),
    ];
    let found = Some((8, 8, 0));
    let text = (MEMBER, "{\"b\": 1}, \"c\": 2}");
    assert_read(text, found, &repairs, 8 + MARGIN);
}

#[test]
fn the_text_may_end_in_json() {
    for (rest, flags) in [
        ("{\"b\": 1}", 0),
        ("{\"b\": 1} ", 0),
        ("{\"b\": 1, \"c\": \"x", 0),
        ("{\\n\"b\": 1, \"c\": \"x", flag::ESCAPED),
        ("{\"b\": \"c\\n\", \"c\": \"x", 0),
    ] {
        let end = rest.len();
        let repairs = [
            (RepairKind::UnclosedString, Class::Certain, end, end),
            (RepairKind::UnescapedJson, Class::Guess, 0, end),
        ];
        let found = Some((end, end, flag::TRUNCATED | flags));
        assert_read((MEMBER, rest), found, &repairs, usize::MAX);
    }
}

#[test]
fn other_strings_hold_no_json() {
    for (text, looked_to) in [
        ((MEMBER, "b\"}"), 0),
        ((MEMBER, "{x} is \"b\"\"}"), 1 + MARGIN),
        ((MEMBER, "{\\q\"b\": 1}\"}"), 1 + MARGIN),
        ((MEMBER, "{"), 1 + MARGIN),
        // Nothing follows that may.
        ((MEMBER, "{\"b\": 1} x"), 8 + MARGIN),
        ((MEMBER, "{\"b\": 1}\" x"), 8 + MARGIN),
        // No name shows that it is JSON.
        ((MEMBER, "{}, \"c\": 2}"), 2 + MARGIN),
        // The quotes inside need no escape.
        (("{\"a\": '", "{\"b\": 1}'}"), 8 + MARGIN),
    ] {
        assert_read(text, None, &[], looked_to);
    }
    let text = (MEMBER, "{\"b\": 1}\"}");
    let nothing = (None, Vec::new(), 0);
    let hopeless = |more| {
        move |reader: &mut Reader<'_>, start| {
            reader.counters.hopeless_from = start + more;
        }
    };
    assert_eq!(read_after(text, hopeless(0)), nothing);
    assert!(read_after(text, hopeless(1)).0.is_some());
    assert_eq!(
        read_after(text, |reader, _| reader.look.charge(1 << 30)),
        nothing
    );
    with_open(&[], "{\"{\"b\": 1}\": 1", &[0], |reader, here| {
        let found = reader.unescaped_json(here, StringRole::Key, 2, b'"');
        assert!(found.is_none());
    });
}

#[test]
fn records_about_the_string_are_dropped() {
    // Spans of earlier records, counted from the beginning of the string, and how many of them stay.
    for (spans, own, stays) in [
        (&[(0, 3)][..], 0, 0),
        (&[(0, 3), (0, 1)], 0, 0),
        (&[(0, 3), (0, 0)], 0, 2),
        (&[(0, 3), (1, 3)], 0, 2),
        (&[(1, 3), (0, 3)], 0, 1),
        (&[(0, 3), (0, 3)], 1, 1),
        (&[(0, 3)], 1, 1),
    ] {
        let (_, repairs, _) = read_after((MEMBER, "{\"b\": 1}\"}"), |reader, start| {
            for &(from, to) in spans {
                reader.repair_as(
                    RepairKind::InnerQuote,
                    Class::Guess,
                    start + from,
                    start + to,
                );
            }
            reader.first_repair = own;
            assert_eq!(reader.tape.repairs.len(), spans.len());
        });
        assert_eq!(repairs.len(), stays + 1, "{spans:?} {own}");
    }
}

#[test]
fn the_quote_behind_json_ends_the_string() {
    for (inside, rest, expected, looked_to) in [
        ("Use {", "\"b\": 1} here\"}", Some(17), 0),
        ("Use [", "\"b\"] here\"}", Some(14), 0),
        ("Use { ", "\"b\": 1} here\"}", Some(18), 0),
        ("{", "\"b\": 1} here\"}", Some(13), 0),
        ("Use ", "\"b\": 1} here\"}", None, 0),
        ("", "\"b\": 1} here\"}", None, 0),
        ("Use {", "\"b\": 1} here\" x", None, 12 + MARGIN),
        ("Use {", "\"b\": 1} here", None, 12 + MARGIN),
        ("Use {", "\"b\", 1} here\"}", None, 5 + MARGIN),
        ("Use {", "\"b\": 1", None, 11 + MARGIN),
    ] {
        let text = format!("{MEMBER}{inside}{rest}");
        let (start, first) = (MEMBER.len(), MEMBER.len() + inside.len());
        let read = |work| {
            with_open(&[], &text, &[0], |reader, here| {
                reader.look.charge(work);
                let found = reader.quote_behind_json(here, StringRole::Member, start, first);
                let looked_to = reader.scratch.pause.looked_to;
                (
                    found.map(|quote| quote - start),
                    looked_to.saturating_sub(start),
                )
            })
        };
        assert_eq!(read(0), (expected, looked_to), "{inside:?} {rest:?}");
        assert_eq!(read(1 << 30), (None, 0), "{inside:?} {rest:?}");
    }
}
