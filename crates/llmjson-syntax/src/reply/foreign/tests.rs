//! Values of mathematics, commands, style sheets, programs and forms.

use alloc::format;
use alloc::string::String;

use super::{
    CODE_BYTES, FORM_NODES, INTERVAL_BYTES, LINE_BYTES, PLACEHOLDER_BYTES, is_placeholder,
};
use crate::base::span::Span;
use crate::parser::look::{Look, ask};
use crate::parser::state::reader::Reader;
use crate::parser::state::test_reader::with_reader;
use crate::reply::before::Before;
use crate::reply::found::read_values;
use crate::reply::words::Words;
use crate::tape::readings::{Reading, Records};

/// Asks a question of the last value of a text and of the words before it.
fn of_value(
    text: &str,
    question: impl FnOnce(&Reader<'_>, &Reading, &Before<'_>, &Words) -> bool,
) -> bool {
    with_reader(text, |reader| {
        let found = read_values(reader);
        let value = found.candidates.last().expect("a value");
        let before = reader.look.before_value(0, value.span.start as usize);
        let words = Words::of(before.text).last_sentence();
        question(reader, value, &before, &words)
    })
}

fn is_mathematics(text: &str) -> bool {
    of_value(text, |reader, value, before, words| {
        reader.is_mathematics(value, before, words)
    })
}

#[test]
fn intervals_are_mathematics() {
    let long = format!("x ∈ [{}]", "1".repeat(INTERVAL_BYTES));
    for text in [
        "x ∈ [0, 1]",
        "x \\in [100, 200.5]",
        "x ∈ [a, bc]",
        "x ∈ [-1/2, 2*π^2]",
        "[0, 1]^n",
        "[0, 1] ∪ x",
        "[0, 1] \\times x",
        "f: [0, 1] -> R",
        "f: [0, 1] → ℝ",
        "$[0, 1]$",
        "$a$ and $[0, 1]$",
        "$f: [0, 1] \\to R$",
        "the range [0, 1]",
        "the range of [0, 1]",
        "the range is within [10, 20] now",
        &*long,
    ] {
        assert!(is_mathematics(text), "{text:?}");
    }
}

#[test]
fn other_lists_are_no_mathematics() {
    let long = format!("x ∈ [{}]", "1".repeat(INTERVAL_BYTES + 1));
    for text in [
        "list [0, 1]",
        "x ∈ [red, blue]",
        "x ∈ [\"a\", \"b\"]",
        "x ∈ [abc]",
        "x ∈ {}",
        "f: [0, 1] -> x",
        "f: [0, 1] to R",
        "costs $[0, 1] more",
        "costs $[0, 1] more\nor $2",
        "$a$ [0, 1] $b$",
        "list [0, 1] $",
        "the range, [0, 1]",
        "the range red blue [0, 1]",
        "take the range red blue [0, 1]",
        "the range:\n[0, 1]",
        &*long,
    ] {
        assert!(!is_mathematics(text), "{text:?}");
    }
    // A list that was put around a run of values.
    assert!(!of_value("x ∈ [0, 1]", |reader, value, before, words| {
        let list = Reading {
            list: true,
            ..value.clone()
        };
        reader.is_mathematics(&list, before, words)
    }));
}

fn is_form(text: &str) -> bool {
    of_value(text, |reader, value, _, _| reader.is_form(value))
}

#[test]
fn forms_are_to_be_filled_in() {
    let nodes = |count: usize| format!("[\"string\", {}\"Oslo\"]", "1, ".repeat(count));
    for (text, form) in [
        ("{\"a\": \"string\"}", true),
        ("{\"a\": 1, \"b\": \"<name>\"}", true),
        ("[\"string\", \"int\"]", true),
        ("{\"a\": {\"b\": \"string\"}}", true),
        ("{{#each a}}", true),
        ("{\"a\": \"string\", \"b\": \"Oslo\"}", false),
        ("{\"a\": \"Oslo\", \"b\": \"string\"}", false),
        ("{\"a\": {\"b\": \"Oslo\"}}", false),
        ("{\"a\": 1}", false),
        ("[]", false),
        (&*nodes(FORM_NODES - 3), false),
        (&*nodes(FORM_NODES - 2), true),
    ] {
        assert_eq!(is_form(text), form, "{text:?}");
    }
    // A list that was put around a run of values.
    assert!(!of_value("[\"string\"]", |reader, value, _, _| {
        let list = Reading {
            list: true,
            ..value.clone()
        };
        reader.is_form(&list)
    }));
}

#[test]
fn forms_cost_what_is_looked_at() {
    let cost = |text: &str| {
        with_reader(text, |reader| {
            let found = read_values(reader);
            let value = found.candidates.last().expect("a value");
            let before = reader.look.work.get().spent();
            assert!(reader.is_form(value));
            reader.look.work.get().spent() - before
        })
    };
    assert_eq!(cost("[\"string\"]"), 2);
    assert_eq!(cost("[1] [\"string\", 2, 3]"), 4);
}

#[test]
fn values_may_be_foreign() {
    for (text, foreign) in [
        ("x ∈ [0, 1]", true),
        ("curl '{\"a\": 1}'", true),
        ("h1 {color: red;}", true),
        ("{\"a\": \"string\"}", true),
        ("Answer: {\"a\": 1}", false),
    ] {
        let found = of_value(text, |reader, value, before, words| {
            reader.is_foreign(value, before, words)
        });
        assert_eq!(found, foreign, "{text:?}");
    }
}

/// Asks a question of what stands between the first and the last bracket of a text, outside of a fence and in one.
fn of_brackets(
    text: &str,
    question: impl Fn(Look<'_>, &Reading, &Before<'_>) -> bool,
) -> [bool; 2] {
    [false, true].map(|fenced| {
        ask(text, |look| {
            let start = text.find('{').expect("a bracket");
            let end = text.rfind('}').map_or(text.len(), |end| end + 1);
            let none = Records::of(0..0);
            let value = Reading {
                fenced,
                ..Reading::new(0, Span::of(start, end), none, none)
            };
            question(look, &value, &look.before_value(0, start))
        })
    })
}

#[test]
fn values_stand_in_commands() {
    let long = |length: usize| format!("curl {}'{{}}'", "a".repeat(length - 6));
    for (text, expected) in [
        ("curl -d {}", true),
        ("curl '{}'", true),
        ("curl \"{}\"", true),
        ("$ curl '{}'", true),
        ("> % - ` curl '{}'", true),
        ("`curl` '{}'", true),
        ("Try:\ncurl '{}'", true),
        ("use curl -d {}", true),
        ("use x --data '{}'", true),
        ("curl {}", false),
        ("curl red {}", false),
        ("curl -1 {}", false),
        ("curl - {}", false),
        ("curl\n'{}'", false),
        ("use curl '{}'", false),
        ("say '{}'", false),
        ("say -d {}", false),
        ("{}", false),
        (&*long(LINE_BYTES), true),
        (&*long(LINE_BYTES + 1), false),
    ] {
        let found = of_brackets(text, |look, value, before| look.is_command(value, before));
        assert_eq!(found, [expected; 2], "{text:?}");
    }
}

#[test]
fn values_stand_in_code_of_commands() {
    for (text, expected) in [
        ("```bash\nx {}", [false, true]),
        ("```json\nx {}", [false, false]),
        // A fence right before a value is around the value alone.
        ("```bash\n{}", [false, false]),
    ] {
        let found = of_brackets(text, |look, value, before| look.is_command(value, before));
        assert_eq!(found, expected, "{text:?}");
    }
    for (text, expected) in [
        ("```bash\nx", true),
        ("```CSS\nx", true),
        ("~~~sh\nx", true),
        ("```json\nx", false),
        ("```\nx", false),
        ("x", false),
    ] {
        let found = ask(text, |look| look.in_code(text.len()));
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn values_stand_in_programs() {
    for (text, expected) in [
        ("```python\nx = 1\nd = {}", true),
        ("```python\nx = 1\n{}", true),
        ("```python\nd = {}", false),
        ("```python\n \n\nd = {}", false),
        ("```python\n{}", false),
        ("```\nx = 1\nd = {}", false),
        ("```JSON\nx = 1\nd = {}", false),
        ("x = 1\nd = {}", false),
    ] {
        let found = of_brackets(text, |look, value, before| look.in_program(value, before));
        assert_eq!(found, [false, expected], "{text:?}");
    }
}

#[test]
fn code_stands_behind_a_fence() {
    let far = |length: usize| String::from("```sh\n") + &"x".repeat(length - 6);
    let (near, far) = (far(CODE_BYTES), far(CODE_BYTES + 1));
    for (text, code) in [
        ("a\n```json5\nab", Some(("json5", "\nab"))),
        ("~~~~py\nab", Some(("py", "\nab"))),
        ("``` sh\nab", Some(("", "\nab"))),
        ("```c++\nab", Some(("c", "\nab"))),
        ("```\nab", Some(("", "\nab"))),
        ("```py", Some(("py", ""))),
        ("```py\na\n```\nb\n```sh\nc", Some(("sh", "\nc"))),
        ("ab", None),
        (&*near, Some(("sh", &near[5..]))),
        (&*far, None),
    ] {
        ask(text, |look| {
            assert_eq!(look.code_before(text.len()), code, "{text:?}");
        });
    }
}

#[test]
fn objects_are_rules_of_styles() {
    for (text, expected) in [
        ("h1 {color: red;}", true),
        ("{color: red;\nwidth: 1px}", true),
        ("{ab: 1;}", true),
        ("p {font-size: 1em}", true),
        ("p:not(a){font-size: 1em}", true),
        ("a[b]{font-size: 1em\n}", true),
        ("{a: 1;}", false),
        ("{Color: red;}", false),
        ("{red; blue}", false),
        ("{color:: red;}", false),
        ("{color: \"red\";}", false),
        ("{color: red, blue;}", false),
        ("{color: [1;]}", false),
        ("{color: red\nwidth: 1px;}", false),
        ("a {color: red}", false),
        ("{font-size: 1em}", false),
        ("p{font-size: 1em}", false),
        ("p: {font-size: 1em}", false),
        ("{}", false),
        ("{color: red}; a", false),
    ] {
        let found = of_brackets(text, |look, value, before| look.is_style(value, before));
        assert_eq!(found, [expected; 2], "{text:?}");
    }
}

#[test]
fn texts_are_placeholders() {
    let long = |length: usize| format!("<{}>", "a".repeat(length - 2));
    for (text, expected) in [
        ("string", true),
        ("Integer", true),
        (" int ", true),
        ("list of strings", true),
        ("string | null", true),
        ("array<int>", true),
        ("str?", true),
        ("string (optional)", true),
        ("{{name}}", true),
        ("{name}", true),
        ("<your name>", true),
        ("[name]", true),
        ("${name}", true),
        ("__name__", true),
        ("%name%", true),
        ("...", true),
        ("…", true),
        ("xx", true),
        ("your_name", true),
        ("INSERT-name", true),
        ("enter_", true),
        (&*long(PLACEHOLDER_BYTES), true),
        (&*long(PLACEHOLDER_BYTES + 1), false),
        ("", false),
        (" ", false),
        ("x", false),
        ("ab", false),
        ("Oslo", false),
        ("red string", false),
        ("optional", false),
        ("{1}", false),
        ("<a<b>", false),
        ("<a", false),
        ("yourself", false),
        ("your name", false),
        ("your_ name", false),
    ] {
        assert_eq!(is_placeholder(text), expected, "{text:?}");
    }
}
