//! Rows for what stands around a value, and how it is recorded.

use alloc::format;
use alloc::string::{String, ToString};

use super::*;
use crate::parser::look::answers;
use crate::parser::state::test_reader::with_reader;

#[test]
fn words_stand_right_before_a_value() {
    answers(
        |look| {
            let start = look.text.find('{').expect("a value");
            look.amid_prose(Span::of(start, look.text.len()))
        },
        &[
            ("as {\"a\": 1}", true),
            ("as \t{\"a\": 1}", true),
            ("as: {\"a\": 1}", false),
            ("as, {\"a\": 1}", false),
            ("as\n{\"a\": 1}", false),
            ("{\"a\": 1}", false),
            // The sequence of a colour ends with a letter.
            ("as:\u{1b}[1m{\"a\": 1}", false),
        ],
    );
}

/// Lists the records of a reply: the text of each, what it is, and how sure that is if it is not as usual.
fn records(text: &str) -> String {
    with_reader(text, |reader| {
        reader.reply();
        let mut all = String::new();
        for one in &reader.tape.repairs {
            let passed = &text[one.span.range()];
            let class = match one.class == one.kind.class() {
                true => String::new(),
                false => format!(" {:?}", one.class),
            };
            all += &format!("{passed:?} {}{class}; ", one.kind);
        }
        all.trim_end().to_string()
    })
}

#[test]
fn text_around_a_value_is_recorded() {
    for (text, expected) in [
        (
            r#"Here: {"a": 1} Done."#,
            r#""Here:" surrounding_text; "Done." surrounding_text;"#,
        ),
        ("{\"a\": 1} \n", ""),
        (r#"Note {"a": 1}"#, r#""Note" surrounding_text;"#),
        (
            "Note {a: 1}",
            r#""Note" surrounding_text Likely; "a" unquoted_key;"#,
        ),
        (
            "Note: {a: 1}",
            r#""Note:" surrounding_text; "a" unquoted_key;"#,
        ),
        (
            "é {\"a\": 1}\né\u{a0}",
            r#""é" surrounding_text; "é" surrounding_text;"#,
        ),
        ("# Title\n{\"a\": 1}", r##""# Title" surrounding_text;"##),
        (
            "Hm `c` < d {\"a\": 1}\nx`y",
            r#""Hm `c` < d" surrounding_text; "x`y" surrounding_text;"#,
        ),
        (
            "// c\n{\"a\": 1} /* d */",
            r#""// c" comment; "/* d */" comment;"#,
        ),
    ] {
        assert_eq!(records(text), expected, "{text}");
    }
}

#[test]
fn parts_of_a_larger_value_are_stray_text() {
    for (text, expected) in [
        (r#"- "x": {"a": 1}"#, r#""- \"x\":" stray_text;"#),
        (
            r#"say "x": {"a": 1} ok"#,
            r#""say \"x\":" stray_text; "ok" surrounding_text;"#,
        ),
        (
            "ok {\"a\": 1}\n\"b\": 2",
            r#""ok" surrounding_text; "\"b\": 2" stray_text;"#,
        ),
        (r#"{"a": "b"} c"}"#, r#""c\"}" stray_text;"#),
    ] {
        assert_eq!(records(text), expected, "{text}");
    }
}

#[test]
fn signs_right_behind_a_value_are_its_damage() {
    for (text, expected) in [
        (r#"{"a": 1};"#, r#"";" extra_comma;"#),
        (r#"{"a": 1}}"#, r#""}" extra_closer;"#),
        (r#"{"a": 1} text }"#, r#""text }" stray_text;"#),
        (
            r#"{"a": 1}, text"#,
            r#""," extra_comma; "text" surrounding_text;"#,
        ),
        (r#"f({"a": 1})"#, r#""f(" wrapper;"#),
        (
            r#"f(g({"a": 1}));"#,
            r#""f(" wrapper; "g(" wrapper; ";" extra_comma;"#,
        ),
        (r#"f({"a": 1}) )"#, r#""f(" wrapper; ")" extra_closer;"#),
        (r#"f({"a": 1}"#, r#""f(" surrounding_text;"#),
        (
            r#"- f.g_h$( {"a": 1} ) x"#,
            r#""-" surrounding_text; "f.g_h$( " wrapper; "x" surrounding_text;"#,
        ),
    ] {
        assert_eq!(records(text), expected, "{text}");
    }
}

#[test]
fn fences_and_tags_around_a_value_are_recorded() {
    for (text, expected) in [
        (
            "```json\n{\"a\": 1}\n```\nDone.",
            r#""```json" code_fence; "```" code_fence; "Done." surrounding_text;"#,
        ),
        (
            "Hm\n```\n{\"a\": 1}\n```",
            r#""Hm" surrounding_text; "```" code_fence; "```" code_fence;"#,
        ),
        (
            r#"<answer>{"a": 1}</answer>"#,
            r#""<answer>" template_token; "</answer>" template_token;"#,
        ),
        (
            r#"<think>Hm</think>{"a": 1}"#,
            r#""<think>Hm</think>" reasoning_block;"#,
        ),
        (
            r#"<think>Hm {"a": 1}"#,
            r#""<think>Hm " reasoning_block; "" thought_value;"#,
        ),
        (
            r#"Hm <b>x</b> {"a": 1}"#,
            r#""Hm" surrounding_text; "<b>" template_token; "x" surrounding_text; "</b>" template_token;"#,
        ),
    ] {
        assert_eq!(records(text), expected, "{text}");
    }
}

/// Records only fences, tags and text around a value that was found by its brackets alone.
#[test]
fn text_apart_is_recorded() {
    let text = "Hm\n```json\n{\"a\": 1}\n```\n<b>x";
    let kinds = with_reader(text, |reader| {
        reader.record_apart(Span::of(11, 19));
        let mut all = String::new();
        for one in &reader.tape.repairs {
            let passed = &text[one.span.range()];
            all += &format!("{passed:?} {}; ", one.kind);
        }
        all
    });
    let expected = r#""Hm" surrounding_text; "```json" code_fence; "```" code_fence; "<b>" template_token; "x" surrounding_text; "#;
    assert_eq!(kinds, expected);
}
