use alloc::format;

use super::tests::{NOTHING, OUTER, next, told};
use super::*;
use crate::parser::state::test_reader::with_open;
use crate::tape::flag;

/// A text that breaks off behind a string that is open: what stands before the string with its quote, its
/// inside, and the rest. With the brackets before it, which are all open, and the offsets of the inside and
/// of the next quote.
fn within<T>(
    (before, inside, rest): (&str, &str, &str),
    question: impl FnOnce(&mut Reader<'_>, Container, usize, usize) -> T,
) -> T {
    let text = format!("{before}{inside}{rest}");
    let brackets = smallvec::SmallVec::<[usize; 8]>::from_iter(
        before.match_indices(['{', '[']).map(|(at, _)| at),
    );
    let (start, quote) = (before.len(), before.len() + inside.len());
    with_open(&[], &text, &brackets, |reader, here| {
        question(reader, here, start, quote)
    })
}

#[test]
fn closers_stand_at_the_end_of_a_string() {
    for (text, expected) in [
        // A member or an item of the container around.
        (("{\"a\": [\"", "b], ", "\"name\": 1}"), Some((1, 1))),
        (("{\"a\": [\"", "b ]，", "\"name\": 1}"), Some((1, 2))),
        (("{\"a\": [\"", "b], ", "\"name\"}"), None),
        (("{\"a\": [\"", "b]", "\"name\": 1}"), None),
        (("[[\"", "a], ", "\"b\"]"), Some((1, 1))),
        (("[[\"", "a], ", "\"b\": 1]"), None),
        (("[[\"", "a], ", "\"b\" c]"), None),
        // The next container of the list around.
        (("[{\"a\": \"", "x}, {", "\"name\": 1}]"), Some((1, 1))),
        (("[{\"a\": \"", "x}, {", "\"name\"]"), None),
        (("{\"k\": {\"a\": \"", "x}, {", "\"name\": 1}}"), None),
        (("[[\"", "a], [", "\"b\"]]"), Some((1, 1))),
        (("{\"k\": [\"", "a], [", "\"b\"]}"), None),
        // Several closers, and numbers between them.
        (("[[{\"a\": \"", "x}], ", "\"b\"]"), Some((1, 1))),
        (("[[{\"a\": \"", "x}, 1], ", "\"b\"]"), Some((1, 1))),
        (("[[{\"a\": \"", "x}, y], ", "\"b\"]"), None),
        // Brackets that close nothing around the string are its text, and so are those that it opens.
        (("[[\"", "see x}, ", "\"b\"]]"), None),
        (("[\"", "b]], ", "\"n\": 1"), None),
        (("[\"", "b], ", "\"c\"]"), None),
        (("[\"", "b, ", "\"c\"]"), None),
        (("[[\"", "a[0], ", "\"b\"]]"), None),
        // Numbers before the closers are items of a list.
        (("{\"a\": [\"", "x, 1, 2], ", "\"b\": 3}"), Some((1, 1))),
        (("[{\"a\": \"", "x, 1}, {", "\"b\": 3}]"), Some((4, 4))),
    ] {
        let found = within(text, |reader, here, start, quote| {
            let trimmed = trim_gap(text.1);
            let found = reader.closed_before(here, start, quote, trimmed);
            found.map(|(end, next)| (end - start, next - start))
        });
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn quotes_open_what_comes_next() {
    let opens = |text, role, first| {
        within(text, |reader, here, start, quote| {
            told(reader.opens_next(here, role, start, (quote, first), 0))
        })
    };
    let closed = ("{\"a\": [\"", "b], ", "\"name\": 1}");
    assert_eq!(opens(closed, StringRole::Item, true), next(9, 9));
    assert_eq!(opens(closed, StringRole::Item, false), OUTER);
    assert_eq!(opens(closed, StringRole::Key, true), NOTHING);
    let member = ("{\"a\": \"", "x, ", "\"b\": 1}");
    assert_eq!(opens(member, StringRole::Member, true), next(8, 8));
    let item = ("[\"", "x, ", "\"b\"]");
    assert_eq!(opens(item, StringRole::Item, true), next(3, 3));
}

#[test]
fn the_outermost_object_begins_once_more() {
    type Change = fn(&mut Reader<'_>, &mut Container);
    fn again(text: (&str, &str, &str), change: Change) -> Option<usize> {
        within(text, |reader, mut here, start, quote| {
            change(reader, &mut here);
            let found = reader.begins_again(here, start, quote);
            found.map(|brace| brace - start)
        })
    }
    let plain = ("{\"a\": 1, \"b\": \"", "x {", "\"a\": 1, \"b\": 2}");
    for (text, expected) in [
        (plain, Some(2)),
        (("{\"a\": 1, \"b\": \"", "{ ", "\"a\": 1}"), None),
        (("{ \"a\": 1, \"b\": \"", "{ ", "\"a\": 1}"), Some(0)),
        (("{\"a\": 1, \"b\": \"", "x {", "\"c\": 1, \"b\": 2}"), None),
        (("{\"a\": 1, \"b\": \"", "x ", "\"a\": 1, \"b\": 2}"), None),
        (("{\"a\": 1, \"b\": \"", "x {", "\"a\", 2}"), None),
        (("{\"a\": 1, \"b\": \"", "x {", "\"a\": 1}}"), None),
        (("{\"a\": 1, \"b\": \"", "x {", "\"a\": 1"), None),
        (("{\"a\": 1", "", "\"a\": 1}"), None),
        (
            ("[{\"a\": 1, \"b\": \"", "x {", "\"a\": 1, \"b\": 2}"),
            None,
        ),
    ] {
        assert_eq!(again(text, |_, _| {}), expected, "{text:?}");
    }
    assert_eq!(again(plain, |_, here| here.count = 0), None);
    assert_eq!(again(plain, |reader, _| reader.growing = true), None);
    // The brace stands before the string.
    assert_eq!(again(("{\"a\": 1 {", "", "\"a\": 1}"), |_, _| {}), None);
    // Long texts are not looked at.
    let (before, inside) = ("{\"a\": \"", "{");
    let short = "\"a\": \"\"}".len() + before.len() + inside.len();
    for (more, expected) in [(0, Some(0)), (1, None)] {
        let rest = format!("\"a\": \"{}\"}}", "x".repeat(RESTART_MAX - short + more));
        assert_eq!(again((before, inside, &rest), |_, _| {}), expected);
    }
}

#[test]
fn the_last_name_is_written_with_or_without_quotes() {
    let bare = |text: &str, start: u32, end: u32, flags: u8| {
        with_open(&[], text, &[0], |reader, _| {
            let node = reader.tape.nodes.last_mut().expect("a node");
            (node.key_start, node.key_end, node.flags) = (start, end, flags);
            let bare = reader.last_name_bare();
            assert!(reader.last_name() == NameQuotes::missing_if(bare));
            bare
        })
    };
    assert!(bare("{a: 1", 1, 2, 0));
    assert!(bare("{'a': 1", 2, 3, 0));
    assert!(bare("{“a”: 1", 4, 5, 0));
    assert!(!bare("{\"a\": 1", 2, 3, 0));
    // No name, or one that was put aside.
    assert!(!bare("{a: 1", 0, 0, 0));
    assert!(!bare("{a: 1", 1, 2, flag::KEY_SIDE));
    assert!(bare("{a: 1", 9, 10, 0));
    assert!(!with_open(&[], "", &[], |reader, _| reader.last_name_bare()));
}

#[test]
fn the_first_name_shows_the_habit() {
    for (text, expected) in [
        ("{\"a\": 1", false),
        ("{ \"a\": 1", false),
        ("{a: 1", true),
        ("{ 'a': 1", true),
    ] {
        let habit = with_open(&[], text, &[0], |reader, here| reader.bare_habit(here));
        assert_eq!(habit, expected, "{text:?}");
    }
}
