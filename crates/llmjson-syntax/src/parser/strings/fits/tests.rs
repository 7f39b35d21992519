//! The texts that may follow a string.

use alloc::string::String;

use crate::parser::look::quotes::StringRole;
use crate::parser::look::{LOOK_AHEAD, answers, ask};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::parser::state::test_reader::ask_reader;

/// Returns whether `rest` may follow a string in the innermost of these brackets, where `wrappers` calls stand
/// around it.
fn fits_in_calls(wrappers: u32, open: &str, rest: &str) -> bool {
    ask_reader(open, rest, |reader, here| {
        reader.counters.wrappers = wrappers;
        reader.fits(here, Reader::role(here), open.len())
    })
}

pub(super) fn fits(open: &str, rest: &str) -> bool {
    fits_in_calls(0, open, rest)
}

/// Asserts that all of these texts may follow a string in the brackets before them, or that none may.
pub(super) fn assert_fits(expected: bool, table: &[(&str, &str)]) {
    for (open, rest) in table {
        assert_eq!(fits(open, rest), expected, "{open} {rest:?}");
    }
}

#[test]
fn roles_are_those_of_the_container() {
    let role =
        |open: &str| ask_reader(open, "", |_, here| Reader::role(here) == StringRole::Member);
    assert!(role("{"));
    assert!(!role("{["));
}

#[test]
fn signs_of_colons_follow_names() {
    let key = |rest: &str| {
        ask_reader("{", rest, |reader, here| {
            reader.fits(here, StringRole::Key, 1)
        })
    };
    for rest in [": 1", " : 1", "= 1", "：1", ""] {
        assert!(key(rest), "{rest}");
    }
    for rest in [", \"b\": 1", "}", " 1"] {
        assert!(!key(rest), "{rest}");
    }
}

#[test]
fn separators_and_closers_follow_strings() {
    assert_fits(
        true,
        &[
            ("[", ""),
            ("[", "  "),
            ("[", ", 1"),
            ("[", "; 1"),
            ("[", "，1"),
            ("[", "、1"),
            ("{", ", \"b\": 1"),
            ("{", "，\"b\": 1"),
            ("{", "}"),
            ("[", "]"),
            ("(", ")"),
            ("[", "{"),
            ("[", "["),
            ("[", "\u{a0}]"),
        ],
    );
    assert_fits(
        false,
        &[
            ("[", " x"),
            ("[", ", a: b"),
            ("[", "，a: b"),
            ("{", ", b c"),
            ("{", "]"),
            ("[", "}"),
            ("[", ")]"),
        ],
    );
}

#[test]
fn marks_around_a_value_follow_strings() {
    assert_fits(
        true,
        &[
            ("[", "\n```"),
            ("[", " `a`"),
            ("[", "</a>"),
            ("[", "<|end|>"),
            ("[", "<!-- a -->"),
            ("[", "// a\n]"),
            ("[", "/* a */ ]"),
            ("[", " # a"),
            ("[", "\\n]"),
            ("[", "\\n\\t]"),
            ("[", "...]"),
            ("[", " (see below), 1"),
            ("[", "(a)]"),
            ("{", " (a)}"),
        ],
    );
    assert_fits(
        false,
        &[
            ("[", " ```"),
            ("[", "<a>"),
            ("[", "/ a"),
            ("[", "// a\", 1]"),
            ("[", "# a"),
            ("[", " # a\", 1]"),
            ("[", "\\x]"),
            ("[", "\\nx"),
            ("[", "\\n`"),
            ("[", "\\n\\x"),
            ("[", "... a"),
            ("[", " (a) b"),
            ("[", " (a), b: c"),
            ("[", " (1), 2"),
        ],
    );
}

#[test]
fn members_follow_members() {
    assert_fits(
        true,
        &[
            ("{", ": \"b\": 1"),
            ("{", "\nb: 1"),
            ("{", " \"b\": 1"),
            ("{", "\"b\": 1"),
        ],
    );
    assert_fits(
        false,
        &[
            ("{", ": 1"),
            ("{", ":\"b\": 1"),
            ("{", " b: 1"),
            ("{", "\nb"),
            ("{", " \"b\" 1"),
            ("{", "=> 1"),
            ("{", " {"),
        ],
    );
}

#[test]
fn a_list_turns_into_an_object_at_its_first_item() {
    let first = |open: &str, rest: &str, count: u32| {
        ask_reader(open, rest, |reader, here| {
            let here = Container { count, ..here };
            reader.fits(here, Reader::role(here), open.len())
        })
    };
    for sign in [":", "=>"] {
        let value = alloc::format!("{sign} 1");
        assert!(first("[", &value, 0), "{value}");
        assert!(!first("[", &value, 1), "{value}");
        assert!(first("{[", &value, 1), "{value}");
        let spaced = alloc::format!(" {sign} x");
        assert!(!first("[", &spaced, 0), "{spaced}");
        assert!(!first("[", &alloc::format!("{sign} x"), 0), "{sign}");
    }
    assert!(!first("[", "= 1", 0));
    assert!(!first("{", "=> 1", 0));
}

#[test]
fn items_follow_items() {
    assert_fits(
        true,
        &[
            ("[", " \"b\""),
            ("[", " 'b'"),
            ("[", " 12"),
            ("[", " true]"),
            ("[", "\nred, 1"),
            // What follows is text of the string: two brackets and its quote.
            ("[", "\n\"]\""),
            ("[", "\n\"]]\""),
        ],
    );
    assert_fits(
        false,
        &[
            ("[", "\"b\""),
            ("[", " \", 1"),
            ("[", " \"]"),
            ("[", " \"}"),
            ("[", " \"]\""),
            ("[", "\n\"]"),
            ("[", "\n\"]'"),
            ("[", "12"),
            ("[", " red, 1"),
            ("[", "\nred: 1"),
        ],
    );
}

#[test]
fn closing_brackets_of_calls_follow_strings() {
    for (wrappers, open, rest) in [
        (1, "[", ")"),
        (1, "[", ")]"),
        (1, "{", ") }"),
        (2, "[", "))]"),
        (1, "[", "), 1"),
        (1, "[", "); 1"),
        (1, "", ") x"),
        // The bracket is that of the list itself.
        (1, "(", ") x"),
    ] {
        assert!(fits_in_calls(wrappers, open, rest), "{open} {rest}");
    }
    for (wrappers, open, rest) in [
        (0, "[", ")]"),
        (1, "[", "))]"),
        (1, "[", ") x"),
        (1, "[", ")}"),
        (1, "[", "), a: b"),
        (1, "", ")) x"),
    ] {
        assert!(!fits_in_calls(wrappers, open, rest), "{open} {rest}");
    }
}

#[test]
fn items_follow_commas() {
    assert_fits(
        true,
        &[
            ("[", ","),
            ("[", ",]"),
            ("[", ", // a\n1"),
            ("[", ", /* \"a\" */ 1"),
            ("[", ", # \"a\""),
            ("[", ",, \"b\""),
            ("[", ", <!-- \"a\" -->"),
            ("[", ", ...]"),
            ("[", ",\n```\""),
            ("[", ",\\n1"),
            ("[", ",\\\"b\\\""),
            ("[", ", {\"a\": 1}"),
            ("", ", {"),
            ("[", ", 1\""),
            ("[", ", -\""),
            ("[", ", b'x'"),
            ("[", ", \"b\""),
            ("[", ", “b”"),
            ("[", ", red]"),
            ("[", ", f(\"b\")"),
        ],
    );
    assert_fits(
        false,
        &[
            ("[", ",}"),
            ("[", ", / a"),
            ("[", ", <a\""),
            ("[", ", .5"),
            ("[", ",\\x"),
            ("[", ", b: 'x'"),
            ("[", ", a: b"),
        ],
    );
}

#[test]
fn members_follow_commas() {
    assert_fits(
        true,
        &[
            ("{", ",}"),
            ("{", ", # a\n"),
            ("{", ",, b"),
            ("{", ", <!-- a -->"),
            ("{", ",\n```"),
            ("{", ",\\n\"b\": 1"),
            ("{", ", \\\"b\\\": 1"),
            ("{", ",    \\\"b\\\" : 1"),
            // The next object of a list, whose own closer is missing.
            ("[{", ", {"),
            ("{", ", \"b\": 1"),
            ("{", ", b: 1"),
            ("{", ", \"b\" 1, \"c\": 2"),
            ("{", ", \"b"),
            ("{", ", and so \"b\": 1"),
            ("{", ", 1, \"b\": 2"),
        ],
    );
    assert_fits(
        false,
        &[
            ("{", ",]"),
            ("{", ", <a>"),
            ("{", ", `b` x"),
            ("{", ",\\n1"),
            ("{", ", \\\"b\\\" 1"),
            ("{", ", \\x"),
            ("{", ", {"),
            ("{", ", b c, \"d\": 1"),
        ],
    );
}

#[test]
fn closers_are_followed_by_what_may_follow_them() {
    let closes = |open: &str, rest: &str| {
        ask_reader(open, rest, |reader, here| {
            reader.closer_fits(here, open.len())
        })
    };
    for (open, rest) in [
        ("[", "]"),
        ("{[", "] }"),
        ("[[", "], \"b\""),
        ("[[", "];"),
        ("[[", "]/"),
        ("[[", "]#"),
        ("[[", "]<"),
        ("[[", "]`"),
        ("[[", "]\\"),
        ("[[", "]\n\""),
        ("[[", "]\n'"),
        ("[", "] x"),
        ("[", "]:"),
        ("[[", "]{"),
        ("[[", "]["),
        ("[[", "]\nx"),
        ("[[", "]；x"),
        ("[[", "]"),
    ] {
        assert!(closes(open, rest), "{open} {rest:?}");
    }
    for (open, rest) in [
        ("[", "}"),
        ("{", ")"),
        ("[[", "] \""),
        ("[[", "] '"),
        ("[", "]\n\""),
        ("[", "]x"),
        ("[[", "] x"),
        ("[[", "]x"),
        ("[[", "]\0"),
    ] {
        assert!(!closes(open, rest), "{open} {rest:?}");
    }
    let open = "[".repeat(LOOK_AHEAD + 1);
    assert!(closes(&open, &"]".repeat(LOOK_AHEAD)));
    assert!(!closes(&open, &"]".repeat(LOOK_AHEAD + 1)));
}

#[test]
fn names_in_quotes_stand_behind_space() {
    answers(
        |look| look.quoted_key_ahead(0),
        &[
            (" \"a\": 1", true),
            ("\"a\": 1", false),
            (" \"a\" 1", false),
            (" a: 1", false),
            ("", false),
        ],
    );
}

#[test]
fn nothing_follows_dots_but_separators_and_closers() {
    answers(
        |look| look.ellipsis_fits(1),
        &[
            ("x...]", true),
            ("x...base}", true),
            ("x... , 1", true),
            ("x...}", true),
            ("x...)", true),
            ("x…", true),
            ("x...", true),
            ("x... a", false),
            ("x]", false),
        ],
    );
}

#[test]
fn escapes_for_space_are_passed_over() {
    answers(
        |look| look.beyond_escapes(0),
        &[("\\n\\t a", 5), ("\\r1", 2), ("\\x", 0), ("xn", 0), ("", 0)],
    );
    let long = |escapes: usize| String::from("  ") + &"\\n".repeat(escapes);
    let end = |text: &str| ask(text, |look| look.beyond_escapes(2));
    assert_eq!(end(&long(LOOK_AHEAD / 2)), 2 + LOOK_AHEAD);
    assert_eq!(end(&long(LOOK_AHEAD)), 2 + LOOK_AHEAD);
}

#[test]
fn signs_join_pieces() {
    answers(
        |look| look.joins(0),
        &[
            ("+", true),
            (". $name", true),
            (". \"a\"", true),
            (".$name", false),
            (". a", false),
            ("- \"a\"", false),
            ("", false),
        ],
    );
    assert!(ask("ab. $c", |look| look.joins(2)));
}

#[test]
fn operands_end() {
    answers(
        |look| look.operand_end(1),
        &[
            ("+a]", Some(2)),
            ("+f(x)[0],", Some(8)),
            ("+data[\"key\"]+", Some(12)),
            ("+_a.b$1 ", Some(7)),
            ("+é ", Some(3)),
            ("+f(x, y) z", Some(8)),
            // Brackets in quotes close nothing.
            ("+f(\")\")", Some(7)),
            ("+a\"b\"", Some(2)),
            ("+a)", Some(2)),
            ("+a\nb", Some(2)),
            ("+f(x\n)", None),
            ("+f(x", None),
            ("+f(\"x)", None),
            ("+[a]", None),
            ("++", None),
            ("+", None),
        ],
    );
}

#[test]
fn items_in_single_quotes_end_before_a_separator() {
    answers(
        |look| look.single_item_ahead(1),
        &[
            ("x'red',", true),
            ("x'red' ]", true),
            ("x'red' a", false),
            ("x'red'}", false),
            ("x'red\"]", false),
            ("x'red\n']", false),
            ("x'red]", false),
            ("x'']", false),
            ("xxred']", false),
        ],
    );
}
