//! Brackets of values, and those of prose.

use crate::parser::look::{answers, ask};

/// Returns `true` if the first bracket of a text looks like the beginning of a value.
fn plausible(text: &str) -> bool {
    let at = text.find(['{', '[']).expect("a bracket");
    ask(text, |look| look.plausible(at))
}

#[test]
fn brackets_of_values_are_plausible() {
    for text in [
        "{\"a\": 1}",
        "{'a': 1}",
        "{a: 1}",
        "{",
        "{}",
        "[]",
        "[[1]]",
        "[{\"a\": 1}]",
        "[1, 2]",
        "[-1]",
        "[(1, 2)]",
        "[true]",
        "[None]",
        "list: [red, blue]",
        "[, 1]",
        "{...}",
        "{`a`: 1}",
        "{1: 2}",
        "{\n  // note\n  \"a\": 1}",
        "row[\"id\", \"name\"]",
        "json[1]",
    ] {
        assert!(plausible(text), "{text}");
    }
}

#[test]
fn brackets_of_prose_are_not() {
    for text in [
        "items[0]",
        "row[\"id\"]",
        "f(x)[0]",
        "a[1][2]",
        "in [0, 1) and",
        "vec![1, 2]",
        "x_{1}",
        "2^{n}",
        "\\text{if}",
        "[12:30 Bob]",
        "[ -f \"$x\" ]",
        "see [#12] for",
        "<![CDATA[1]]>",
        "\u{1b}[31m",
        "interface{}{",
        "some [words] here",
        "{some words here}",
        "[ ] to do",
    ] {
        assert!(!plausible(text), "{text}");
    }
}

#[test]
fn brackets_are_judged_without_looking() {
    answers(
        |look| look.plausible_without_looking(0),
        &[
            ("{\"", true),
            ("[ {", true),
            ("[[", true),
            ("{}", true),
            ("[]", false),
            ("[1", false),
            ("{a", false),
        ],
    );
}

#[test]
fn lines_begin_and_end() {
    let last = |text: &str| {
        ask(text, |look| {
            (look.line_begins(text.len()), look.stands_apart(text.len()))
        })
    };
    assert_eq!(last(""), (true, true));
    assert_eq!(last("a\n \t"), (true, true));
    assert_eq!(last("a: "), (false, true));
    assert_eq!(last("a："), (false, true));
    assert_eq!(last("<a>"), (false, true));
    assert_eq!(last("**a:**"), (false, true));
    assert_eq!(last("a "), (false, false));
    answers(
        |look| look.line_ends(0),
        &[
            (" \r\na", true),
            ("</a>", true),
            (" `", true),
            (" ,; ", true),
            ("", true),
            (" a", false),
            (", a", false),
        ],
    );
}

#[test]
fn words_in_brackets_are_labels() {
    answers(
        |look| look.word_in_brackets(0),
        &[
            ("[words]", true),
            ("{name}", true),
            ("[[link]]", true),
            ("[12:30 Bob]", true),
            ("[^1]", true),
            ("[!note]", true),
            ("[words", true),
            ("[1]", false),
            ("[1 2]", false),
            ("[a, b]", false),
            ("[a: 1]", false),
            ("[\"a\"]", false),
            ("[\n1]", false),
            ("[-]", false),
        ],
    );
    let value = |text: &str| {
        ask(text, |look| {
            look.words_are_value(0, text.find(']').expect("a closer") + 1)
        })
    };
    assert!(value("[words]"));
    assert!(value("[words]\n\nmore"));
    assert!(!value("[words]\nmore"));
    assert!(!value("[words] more"));
    assert!(!value("[^1]"));
    assert!(!value("{words]"));
}

#[test]
fn tuples_are_seen() {
    answers(
        |look| look.tuple_ahead(0),
        &[
            ("(\"a\", 1)", true),
            ("((1, 2), 3)", true),
            ("(1, 2)", true),
            ("(-1)", true),
            ("(true, 1)", true),
            ("(None,)", true),
            ("(2)", false),
            ("(0, 1]", false),
            ("(a, b)", false),
            ("(none of it)", false),
            ("(", false),
        ],
    );
}
