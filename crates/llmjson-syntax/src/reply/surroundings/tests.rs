//! Rows for what stands around a value: parts of a larger one, and what is recorded.

use alloc::format;
use alloc::string::{String, ToString};

use super::*;
use crate::parser::look::{answers, ask};
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

#[test]
fn parts_of_a_larger_value_stand_before_one() {
    answers(
        |look| look.part_before(look.text.len()),
        &[
            ("\"a\":", true),
            ("\"a\": ", true),
            ("\"a\" = ", true),
            ("\"a\" => ", true),
            ("**\"a\"**: ", true),
            ("__“a”__: ", true),
            ("a => ", true),
            ("a_ => ", true),
            ("- => ", false),
            ("a: ", false),
            ("a = ", false),
            ("", false),
            ("a", false),
            ("\"b\", ", true),
            ("}, ", true),
            ("] , ", true),
            ("1, ", false),
            ("\"a\": \"", true),
            ("x = '", true),
            ("x = ' ", false),
            ("say \"", false),
        ],
    );
}

#[test]
fn parts_of_a_larger_value_stand_behind_one() {
    answers(
        |look| look.part_behind(0),
        &[
            (", \"b\": 2", true),
            (", 'b'", true),
            ("; “b”", true),
            (", b: 2", true),
            ("}, b: 2", true),
            (", } b: 2", true),
            ("} b: 2", false),
            (", b", false),
            (", {", true),
            ("] [", true),
            ("} 1", false),
            (" \"b\": 2", true),
            (" \"b\" c", false),
            (" b: 2", false),
            (" {", false),
            ("", false),
        ],
    );
    let closers = |space: usize, count: usize| {
        let text = format!("{}{}\"b\"", " ".repeat(space), "}".repeat(count));
        ask(&text, |look| look.part_behind(0))
    };
    assert!(closers(0, LOOK_AHEAD));
    assert!(!closers(0, LOOK_AHEAD + 1));
    assert!(closers(200, 100));
}

#[test]
fn strings_go_on_behind_their_closers() {
    for (value, behind, expected) in [
        ("{\"a\": \"b\"}", " c\"}", true),
        ("{\"a\": \"b\"}", " c\"}\n```\nmore", true),
        ("{\"a\": \"b\"}", " c\"", false),
        ("{\"a\": \"b\"}", " c}", false),
        ("{\"a\": \"b\"}", " c", false),
        ("{\"a\": \"b\"}", "", false),
        ("{\"a\": \"b\"}", " {\"c\": \"d\"}", false),
        ("{\"a\": 1}", " c\"}", false),
        ("{\"a\": [\"b\" ] }", " c\" ] }", true),
        ("{\"a\": [\"b\" ] }", " c\" }", false),
        ("{\"a\": \"say \\\"hi\"}", " there", true),
        ("{\"a\": \"say \\\"hi\"}", "\"x", true),
        ("{\"a\": \"say \\\"hi\"}", " . x", false),
        ("{\"a\": \"say \\\"hi\"}", "\nthere", false),
        ("{\"a\": \"say \\\"hi\\\" x\"}", " there", false),
        ("{\"a\": \"5\\\" x\"}", " there", false),
        ("\"b\"", " there", false),
        ("\\\"x\"", " there", true),
    ] {
        let text = format!("{value}{behind}");
        let goes_on = ask(&text, |look| look.string_goes_on(value.len()));
        assert_eq!(goes_on, expected, "{text}");
    }
}

#[test]
fn names_begin_lines_and_brackets() {
    for (text, expected) in [
        ("\"a\": 1", true),
        ("{\"a\" = 1", true),
        ("[\"a\": 1", true),
        ("1, \"a\": 1", true),
        ("not: {\"a\": 1", true),
        ("not\n\"a\": 1", true),
        ("**\"a\": 1", true),
        ("\"a-b_c\": 1", true),
        ("not \"a\": 1", false),
        ("\"a b\": 1", false),
        ("(a\": 1", false),
        ("\": 1", false),
        ("a: 1", false),
        (": 1", false),
        ("\"a\"", false),
    ] {
        assert_eq!(holds_name(text), expected, "{text}");
    }
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
        (r#"{"a": 1} text }"#, r#""text }" surrounding_text;"#),
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

#[test]
fn names_in_passed_text_cast_doubt() {
    let doubted = |text: &str, inside| {
        with_reader(text, |reader| {
            reader.repair(RepairKind::SurroundingText, 0, text.len());
            reader.doubt_text(inside);
            reader.tape.repairs[0].kind == RepairKind::StrayText
        })
    };
    assert!(doubted("\"b\": 2", 0));
    assert!(!doubted("\"b\": 2", 1));
    assert!(!doubted("b: 2", 0));
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
