//! Brackets of values, and those of prose.

use alloc::vec::Vec;

use super::{INDEX_LOOK, is_number};
use crate::base::span::Span;
use crate::parser::look::{LOOK_AHEAD, answers, ask};
use crate::tape::readings::{Reading, Records};

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
        "[ ]\n",
        "{\"a",
        "so {\\\"a\\\": 1}",
        "{```",
        "{1, 2}",
        "{, \"a\": 1}",
        "[...]",
        "{red, blue}",
        "{“a”: 1}",
        "[“a”]",
        "[Point { x: 1 }]",
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
        "{]",
        "[`a`: 1]",
        "{. a}",
        "so {red, blue}",
        "so [Point { x: 1 }]",
        "so [[word]]",
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
    assert_eq!(last("a:"), (false, true));
    assert_eq!(last("a"), (false, false));
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
    assert!(value("[words]\n```"));
    assert!(value("[words]\n</a>"));
    assert!(ask("a: [words]\nmore", |look| look.words_are_value(3, 10)));
    assert!(!ask("a [words]\nmore", |look| look.words_are_value(2, 9)));
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
            ("(true, x)", false),
            ("(true", false),
            ("(0, 1]", false),
            ("(a, b)", false),
            ("(none of it)", false),
            ("(", false),
        ],
    );
}

#[test]
fn brackets_of_sections_numbers_and_types_are_no_values() {
    // The offset of the bracket.
    for (text, at, expected) in [
        ("see [#12] for", 4, true),
        ("[#12]", 0, false),
        ("<![CDATA[1]]>", 8, true),
        ("CDATA[1]", 5, false),
        ("\u{1b}[31m", 1, true),
        ("interface{}{", 9, true),
        ("[]struct{}]", 8, true),
        ("struct{}", 6, false),
        ("struct{a", 6, false),
        ("x{}{", 1, false),
        ("{}", 0, false),
    ] {
        let found = ask(text, |look| look.no_bracket_of_value(at));
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn names_stand_in_backticks() {
    answers(
        |look| look.backtick_name(0),
        &[
            ("`a`: 1", true),
            ("`a b` :", true),
            ("`a` {", true),
            ("`a` [", true),
            ("`a` \"b\"", true),
            ("`a` `b`", true),
            ("`a` 1", false),
            ("``: 1", false),
            ("`a\n`: 1", false),
            ("`a", false),
        ],
    );
}

#[test]
fn inner_brackets_open_values() {
    answers(
        |look| look.plausible_inner(0, 1),
        &[
            ("[[1]]", true),
            ("[{a: 1}]", true),
            ("[{\"a\": 1}]", true),
            ("[[[]]]", true),
            ("[[true]]", true),
            ("[[-1]]", true),
            ("[[a, b]]", true),
            ("[[a: 1]]", false),
            ("[[word]]", false),
            ("[{word}]", false),
            ("[[-f]]", false),
        ],
    );
    let deep = "[".repeat(LOOK_AHEAD + 2) + "word]";
    assert!(ask(&deep, |look| look.plausible_inner(0, 1)));
    assert!(!ask(&deep[1..], |look| look.plausible_inner(0, 1)));
}

#[test]
fn lists_without_quotes_are_seen() {
    // The offset of the bracket.
    for (text, at, expected) in [
        ("[red, blue]", 0, true),
        ("[dark red ink, blue]", 0, true),
        ("[a dark red ink, blue]", 0, false),
        ("[f(1)]", 0, true),
        ("[ (1)]", 0, false),
        ("[red]", 0, false),
        ("[red\n, blue]", 0, false),
        ("[true]", 0, true),
        ("so [true]", 3, true),
        ("so [None ]", 3, true),
        ("[False]", 0, true),
        ("[undefined]", 0, true),
        ("[trueish]", 0, false),
        ("so [red, blue]", 3, false),
        ("so [f(1)]", 3, false),
    ] {
        let found = ask(text, |look| look.list_ahead(at, at + 1));
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn indexes_follow_names_and_calls() {
    let index = |text: &str| {
        ask(text, |look| {
            look.is_index(text.rfind('[').expect("a bracket"))
        })
    };
    for text in [
        "items[0]",
        "_a[0]",
        "f(x)[0]",
        "a[1][2]",
        "a[1][2][3][4][5]",
        "x\\ab[1]",
    ] {
        assert!(index(text), "{text}");
    }
    for text in [
        "[0]",
        "a [0]",
        "\\n[0]",
        "```json[0]",
        "```python[0]",
        "JSON[0]",
        "json[0]",
        "]][0]",
        "a\u{1b}[0m[1]",
        "a[1][2][3][4][5][6]",
    ] {
        assert!(!index(text), "{text}");
    }
    let far = |spaces: usize| alloc::format!("a[{}][1]", " ".repeat(spaces));
    assert!(index(&far(INDEX_LOOK - 1)));
    assert!(!index(&far(INDEX_LOOK)));
}

#[test]
fn intervals_stand_amid_prose() {
    let interval = |text: &str| {
        ask(text, |look| {
            look.is_interval(text.find('[').expect("a bracket"))
        })
    };
    for text in [
        "in [0, 1) and",
        "in [-1.5, ∞)",
        "in [a/2,b)",
        "vec![1, 2]",
        "a_![1]",
    ] {
        assert!(interval(text), "{text}");
    }
    for text in [
        "[0, 1)",
        "a\n[0, 1)",
        "in [0, 1] and",
        "in [0) and",
        "in [0; 1) and",
        "in [$0, 1) and",
        "in [\"a\", 1)",
        "in [0, 1",
        "so! [1]",
        "?![1]",
    ] {
        assert!(!interval(text), "{text}");
    }
}

#[test]
fn signs_stand_before_numbers() {
    answers(
        |look| look.sign_ahead(0),
        &[
            ("-1", true),
            ("+.5", true),
            ("-Infinity", true),
            ("-NaN", true),
            ("-", true),
            ("-f", false),
            ("- 1", false),
        ],
    );
}

#[test]
fn braces_stand_in_formulas() {
    let formula = |text: &str| {
        ask(text, |look| {
            look.in_formula(text.find('{').expect("a brace"))
        })
    };
    for text in ["x_{1}", "2^{n}", "\\text{if}"] {
        assert!(formula(text), "{text}");
    }
    for text in ["{1}", "\\n{1}", "text{if}", "\\a b{1}", "\\ab1{1}", " {"] {
        assert!(!formula(text), "{text}");
    }
}

#[test]
fn strings_stand_alone_in_brackets() {
    answers(
        |look| look.only_string(1),
        &[
            ("[\"id\"]", true),
            ("[\"id\" ]", true),
            ("[\"id", true),
            ("[\"id\", 1]", false),
            ("[\"id\"", false),
        ],
    );
}

#[test]
fn sets_are_seen() {
    answers(
        |look| look.set_ahead(0),
        &[
            ("red, blue}", true),
            ("dark red, blue}", true),
            ("a = 1}", true),
            ("red", false),
            ("red}", false),
            ("red\n, blue}", false),
            ("so dark red, blue}", false),
        ],
    );
}

#[test]
fn numbers_of_sources_are_no_values() {
    // The spans of all brackets of a text.
    let readings = |text: &str| -> Vec<Reading> {
        let openers = text.match_indices(['[', '{']);
        let spans = openers.map(|(start, _)| {
            let length = text[start..].find([']', '}']).expect("a closer") + 1;
            Span::of(start, start + length)
        });
        let records = Records::of(0..0);
        spans
            .map(|span| Reading::new(0, span, records, records))
            .collect()
    };
    let citation = |text: &str| {
        let found = readings(text);
        ask(text, |look| look.is_citation(&found[0]))
    };
    for text in ["as shown [3].", "[3] says", "as [123]"] {
        assert!(citation(text), "{text}");
    }
    for text in ["[3]", "as: [3]", "as [1234]", "as [a]", "as []", "as {3}."] {
        assert!(!citation(text), "{text}");
    }
    let text = "as shown [3].";
    for change in [
        |reading: &mut Reading| reading.complete = false,
        |reading: &mut Reading| reading.fenced = true,
    ] {
        let mut found = readings(text);
        change(&mut found[0]);
        assert!(!ask(text, |look| look.is_citation(&found[0])));
    }
    for (text, expected) in [
        ("as shown [3].", true),
        ("as shown [3] and [4].", true),
        ("[1] says\n[2] says", true),
        ("[1] says", false),
        ("[1] says [2] says", false),
        ("as shown [3] and [a].", false),
        ("", false),
    ] {
        let found = readings(text);
        assert_eq!(
            ask(text, |look| look.only_citations(&found)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn numbers_have_many_spellings() {
    for word in ["12", "-1.5", "0x1F", "+1", "1_000"] {
        assert!(is_number(word), "{word}");
    }
    for word in ["12:30", "007", "a", "true", ""] {
        assert!(!is_number(word), "{word}");
    }
}
