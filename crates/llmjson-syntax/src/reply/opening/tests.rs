//! Tests of the search for the bracket that opens a value.

use alloc::string::String;

use super::Opening;
use crate::parser::look::{LOOK_AHEAD, answers, ask};
use crate::parser::state::pause::Await;
use crate::parser::state::test_reader::with_reader;

#[test]
fn openings_are_looked_for_when_text_has_come() {
    for (wait, text, ready, next) in [
        (Await::Length(3), "ab", false, Await::Length(3)),
        (Await::Length(3), "abc", true, Await::Length(3)),
        (Await::Length(3), "abcd", true, Await::Length(3)),
        (Await::Byte(0), " \n", false, Await::Byte(2)),
        (Await::Byte(1), " a", true, Await::Byte(1)),
        (Await::Byte(0), "", false, Await::Byte(0)),
        (Await::Never, "ab", false, Await::Never),
    ] {
        let mut opening = Opening {
            wait,
            ..Opening::default()
        };
        assert_eq!(opening.is_ready(text), ready, "{wait:?} {text:?}");
        assert_eq!(opening.wait, next, "{wait:?} {text:?}");
    }
}

/// Looks for the opening bracket in a text. Returns its offset and the progress of the search.
fn search(text: &str) -> (Option<usize>, Opening) {
    let mut opening = Opening::default();
    let found = with_reader(text, |reader| reader.find_opening(&mut opening));
    (found, opening)
}

#[test]
fn openings_are_found() {
    let long = String::from("x[0] {\"a\": 1}") + &" ".repeat(LOOK_AHEAD);
    for (text, at) in [
        ("{\"a\": 1", 0),
        ("Text {\"a\": 1", 5),
        (&*long, 5),
        ("[[ ## a ## ]]\n{\"a\": 1", 14),
        ("<think>{\"a\": 1}</think>{\"b\": 2", 23),
        ("a `b` {\"a\": 1", 6),
        ("```json\n{\"a\": 1", 8),
        ("// {\"b\": 2}\n{\"a\": 1", 12),
        ("/* {\"b\": 2} */\n{\"a\": 1", 15),
        ("a // {\"b\": 1}\n{\"a\": 1", 14),
        ("a http://{\"b\": 1}\n", 9),
        ("x\n(\"a\", 1)\n", 2),
        ("a \\n {\"a\": 1", 5),
    ] {
        assert_eq!(search(text).0, Some(at), "{text:?}");
    }
}

#[test]
fn openings_wait_for_more_text() {
    for (text, wait, at) in [
        ("", Await::Byte(0), 0),
        (" \n", Await::Byte(2), 0),
        (" \"a\" {\"b\": 1", Await::Never, 0),
        ("x [1] y", Await::Length(8), 2),
        ("{\\\"a\\\": 1}", Await::Never, 0),
        ("x \"a\": {\"b\": 1", Await::Never, 7),
        ("a \\\"b\\\": 1", Await::Never, 2),
        ("`", Await::Length(2), 0),
        ("a /* {\"b\": 1}\n", Await::Length(18), 2),
        ("a `", Await::Length(4), 2),
        ("a <b", Await::Length(5), 2),
        ("a <b>", Await::Length(6), 5),
        ("f(\"a\", 1)\n", Await::Length(11), 10),
        ("x\n(a b)\n", Await::Length(9), 8),
        ("<think>\n(\"a\", 1)\n", Await::Length(18), 17),
        ("abc", Await::Length(4), 3),
    ] {
        let (found, opening) = search(text);
        let found = (found, opening.wait, opening.at);
        assert_eq!(found, (None, wait, at), "{text:?}");
    }
}

#[test]
fn long_lines_are_not_waited_for() {
    let text = |length: usize| String::from("a <") + &"b".repeat(length - 1);
    let at = |text: &str| search(text).1.at;
    assert_eq!(at(&text(LOOK_AHEAD - 1)), 2);
    assert_eq!(at(&text(LOOK_AHEAD)), LOOK_AHEAD + 2);
}

#[test]
fn fences_are_noted() {
    let fence = |text: &str| search(text).1.found.zones.place.fence.is_some();
    assert!(fence("a\n```json\n"));
    assert!(fence("~~~\n"));
    assert!(!fence("`a` b\n"));
}

#[test]
fn quotes_at_the_beginning_are_no_matter_later() {
    let text = "\"a\" {\"b\": 1";
    let mut opening = Opening {
        at: 3,
        ..Opening::default()
    };
    let found = with_reader(text, |reader| reader.find_opening(&mut opening));
    assert_eq!(found, Some(4));
}

#[test]
fn openings_are_not_looked_for_once_the_work_is_used_up() {
    let mut opening = Opening::default();
    let found = with_reader("{\"a\": 1}", |reader| {
        reader.look.charge(1 << 30);
        reader.find_opening(&mut opening)
    });
    assert_eq!((found, opening.wait), (None, Await::Length(9)));
}

#[test]
fn texts_may_begin_otherwise() {
    answers(
        |look| look.begins_otherwise(),
        &[
            (" \"a", Some(Await::Never)),
            ("", Some(Await::Byte(0))),
            (" \n", Some(Await::Byte(2))),
            ("a \"b\"", None),
            ("{", None),
        ],
    );
}

#[test]
fn marks_are_seen_as_a_whole() {
    answers(
        |look| look.line_or_tag(0),
        &[
            ("<b>", true),
            ("</b>", true),
            ("< b", true),
            ("<1", true),
            ("<", false),
            ("<b", false),
            ("</", false),
            ("<|", false),
            ("<!", false),
            ("<é", false),
            ("`ab", true),
            ("~~x", true),
            ("``\n", true),
            ("```\n", true),
            ("```", false),
            ("``", false),
            ("`a", false),
            ("/a", true),
            ("// a\n", true),
            ("/* a\n", true),
            ("/", false),
            ("//", false),
            ("/*", false),
            ("\\n", true),
            ("\\", false),
            ("(\n", true),
            ("(a", false),
        ],
    );
}

/// Returns `true` if the first bracket of a text opens the value.
fn opens(text: &str) -> Option<bool> {
    let at = text.find(['{', '[']).expect("a bracket");
    ask(text, |look| look.opens(at))
}

#[test]
fn brackets_open_values() {
    for text in [
        "{\"a\": 1",
        "{\"a\": ",
        "{'a': ",
        "x {a: 1",
        "[\"a",
        "[{\"",
        "[{ '",
        "[{a: 1",
        "x [{\"a\": 1",
        "x [\"a\", ",
        "x [\"a\"]",
        "[[1",
        "x [1,",
        "x [-1 , 2",
    ] {
        assert_eq!(opens(text), Some(true), "{text:?}");
    }
}

#[test]
fn brackets_of_prose_open_none() {
    for text in ["\u{1b}[31", "\u{1b}[", "x {a b", "x {a b}"] {
        assert_eq!(opens(text), Some(false), "{text:?}");
    }
}

#[test]
fn brackets_may_need_more_text() {
    for text in [
        "{",
        "{}",
        "{\"a\"",
        "{\"a\" 1",
        "{a: ",
        "{a b",
        "x {1 b",
        "[\"",
        "x [\"a",
        "x [\"a\"",
        "x [\"a\" b",
        "[{a",
        "[{1 b",
        "x [{\"",
        "[[",
        "x [[1",
        "[1",
        "[1]",
        "[a, b",
        "x[0] ",
    ] {
        assert_eq!(opens(text), None, "{text:?}");
    }
}

#[test]
fn brackets_are_told_by_what_is_near() {
    for (text, opened) in [
        ("[a, b", true),
        ("[true]", true),
        ("x: [a, b", true),
        ("x: [true]", false),
        ("x[0]", false),
        ("{a b", false),
    ] {
        let at = text.find(['{', '[']).expect("a bracket");
        let padded = |length: usize| String::from(text) + &" ".repeat(at + length - text.len());
        assert_eq!(opens(&padded(LOOK_AHEAD)), Some(opened), "{text:?}");
        assert_eq!(opens(&padded(LOOK_AHEAD - 1)), None, "{text:?}");
    }
}
