//! Rows for each form of a reply without containers.

use alloc::format;
use alloc::string::{String, ToString};

use super::*;
use crate::parser::state::test_reader::with_reader;
use crate::tape::{NONE, flag};

#[test]
fn the_reply_without_fence_and_reasoning_is_bare() {
    for (text, is_value) in [
        ("42", true),
        ("</think> 42", true),
        ("<think>a</think>42", true),
        ("```\n42\n```", true),
        ("~~~\n42\n~~~\n", true),
        (" \n```\n42\n```", true),
        ("```json\n42", true),
        ("◁think▷Hm.◁/think▷42", true),
        ("<|channel|>analysis<|message|>Hm.<|end|>42", true),
        ("```\n42\n```\nmore", false),
        ("```x = 1\n42\n```", false),
        ("```\"a\"\n42\n```", false),
        ("```json", false),
        ("<think> 42", false),
    ] {
        let root = with_reader(text, |reader| {
            reader.reply();
            reader.tape.root
        });
        assert_eq!(root != NONE, is_value, "{text}");
    }
}

#[test]
fn keywords_have_a_length() {
    for (text, expected) in [
        ("true", Some((Tag::True, 4))),
        ("false, 1", Some((Tag::False, 5))),
        ("nullable", Some((Tag::Null, 4))),
        ("True", None),
        ("tru", None),
        ("", None),
    ] {
        assert_eq!(keyword(text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn digits_and_signs_may_be_one_value() {
    for (text, expected) in [
        ("12:30", true),
        ("1a-2+3.4:5/6_7", true),
        ("5 kg", false),
        ("5,6", false),
        ("é", false),
    ] {
        assert_eq!(number_like(text), expected, "{text}");
    }
    assert!(number_like(&"1".repeat(64)));
    assert!(!number_like(&"1".repeat(65)));
}

#[test]
fn strings_hold_what_json_allows() {
    for (text, expected) in [
        ("a\\u00e9", true),
        ("a", true),
        ("a\tb", false),
        ("\\x", false),
    ] {
        let allowed = with_reader(text, |reader| {
            let allowed = reader.allowed(0, text.len());
            assert!(reader.tape.repairs.is_empty() && reader.tape.notes.is_empty());
            allowed
        });
        assert_eq!(allowed, expected, "{text:?}");
    }
}

/// Describes what a reply is read as: its kind, its text, what was done.
fn outcome(text: &str) -> String {
    with_reader(text, |reader| {
        let complete = reader.reply();
        if reader.tape.root == NONE {
            return String::from("none");
        }
        let node = reader.tape.nodes[reader.tape.root as usize];
        let source = match node.has(flag::SIDE) {
            true => &reader.tape.side,
            false => text,
        };
        let inside = &source[node.start as usize..node.end as usize];
        let mut all = format!("{:?} {inside}", node.tag);
        if node.tag == Tag::Array {
            all += &format!(" of {}", node.count);
        }
        if !complete {
            all += ", cut";
        }
        for repair in &reader.tape.repairs {
            all += ", ";
            all += &repair.kind.to_string();
        }
        all
    })
}

#[test]
fn replies_are_one_scalar() {
    for (text, expected) in [
        ("42", "Integer 42"),
        (" -4.5 ", "Float -4.5"),
        ("true", "True true"),
        ("false\n", "False false"),
        ("null", "Null null"),
        ("truex", "none"),
        ("-", "none"),
        ("\"x\"", "String x"),
        ("\"\"", "String "),
        ("\"a\\u00e9\"", "String a\\u00e9"),
        ("\"a\tb\"", "String a\tb, control_character"),
        ("\"a\" b", "none"),
        ("```\n\"x\"\n```", "String x, code_fence, code_fence"),
        ("```\n```", "none"),
        ("<think>a</think>7", "Integer 7, reasoning_block"),
        ("42;", "Integer 42, extra_comma"),
        ("\"x\",", "String x, extra_comma"),
    ] {
        assert_eq!(outcome(text), expected, "{text:?}");
    }
}

#[test]
fn strings_are_damaged_inside_or_quoted_otherwise() {
    for (text, expected) in [
        ("\"He said \"no\"\"", "String He said \"no\", inner_quote"),
        (
            "\"He said \"no\" to it\"",
            "String He said \"no\" to it, inner_quote",
        ),
        ("\"a\"]b\"", "String a\"]b, inner_quote"),
        ("\"a\"b c", "none"),
        ("\"a \"b\" c\n\nd\"", "none"),
        ("\"x\" said \"y", "none"),
        ("'x'", "String x, other_quotes"),
        ("“x”", "String x, other_quotes"),
        ("'it's'", "String it's, other_quotes, inner_quote"),
        ("“a” or “b”", "String a” or “b, other_quotes, inner_quote"),
        ("'a 'b' c\n\nd'", "none"),
        ("'a\n\nd'", "String a\n\nd, other_quotes, control_character"),
        ("'a' b", "none"),
        ("\"x”", "none"),
        ("'x", "String x, cut, other_quotes, unclosed_string"),
        ("'", "String , cut, other_quotes, unclosed_string"),
        ("\"x", "String x, cut, unclosed_string"),
        ("\"", "String , cut, unclosed_string"),
    ] {
        assert_eq!(outcome(text), expected, "{text:?}");
    }
}

#[test]
fn one_group_of_digits_may_be_two_numbers() {
    for (text, expected) in [
        ("1,234", Class::Guess),
        ("1,234.5", Class::Likely),
        ("1,234,567", Class::Likely),
    ] {
        let class = with_reader(text, |reader| {
            reader.reply();
            reader.tape.repairs[0].class
        });
        assert_eq!(class, expected, "{text}");
    }
}

#[test]
fn strings_are_joined() {
    for (text, expected) in [
        ("\"a\" + \"b\"", "String ab, joined_strings"),
        ("\"a\" + 'b'", "String ab, other_quotes, joined_strings"),
        ("\"a\" + \"b\" + \"c\"", "String abc, joined_strings"),
        (
            "\"a\" + \"b",
            "String ab, cut, unclosed_string, joined_strings",
        ),
        (
            "'a' + 'b'",
            "String ab, other_quotes, other_quotes, joined_strings",
        ),
        ("“a” + \"b\"", "String ab, other_quotes, joined_strings"),
        ("'a' +", "none"),
        ("\"a\" + b", "none"),
        ("\"a\" + \"b\" x", "none"),
        ("\"a\" + \"b\" +", "none"),
    ] {
        assert_eq!(outcome(text), expected, "{text:?}");
    }
}

#[test]
fn scalars_are_listed() {
    for (text, expected) in [
        ("1, 2", "Array 1, 2 of 2, several_values"),
        ("1\n2\n3", "Array 1\n2\n3 of 3, several_values"),
        ("true, false", "Array true, false of 2, several_values"),
        (
            "```\n1.5, null\n```",
            "Array 1.5, null of 2, code_fence, several_values, code_fence",
        ),
        ("1,", "Integer 1, extra_comma"),
        ("1,234,99", "Array 1,234,99 of 3, several_values"),
        ("1, x", "none"),
        ("1, truex", "none"),
    ] {
        assert_eq!(outcome(text), expected, "{text:?}");
    }
}

#[test]
fn numbers_are_spelled_otherwise_or_text() {
    for (text, expected) in [
        ("+5", "Integer 5, other_number"),
        (".5", "Float 0.5, other_number"),
        ("0x1F", "Integer 31, other_number"),
        ("1,234", "Integer 1234, grouped_digits"),
        ("1,234,567.5", "Float 1234567.5, grouped_digits"),
        ("// a\n4.5", "Float 4.5, comment"),
        ("2025-01-01", "String 2025-01-01, number_as_text"),
        ("12:30", "String 12:30, number_as_text"),
        ("1.2.3", "String 1.2.3, number_as_text"),
        ("1.", "Integer 1, cut, cut_number"),
        ("1e", "Integer 1, cut, cut_number"),
        ("```\n42\n```", "Integer 42, code_fence, code_fence"),
        ("```\n4.2e", "Float 4.2, cut, code_fence, cut_number"),
        ("5 apples", "none"),
        ("1 2", "none"),
        ("+", "none"),
    ] {
        assert_eq!(outcome(text), expected, "{text:?}");
    }
}

#[test]
fn keywords_are_spelled_otherwise_or_cut() {
    for (text, expected) in [
        ("True", "True True, other_keyword"),
        ("False", "False False, other_keyword"),
        ("None", "Null None, other_keyword"),
        ("```\ntrue\n```", "True true, code_fence, code_fence"),
        ("```\nnull\n```", "Null null, code_fence, code_fence"),
        ("undefined", "Null undefined, undefined"),
        ("NaN", "String NaN, not_a_number"),
        ("tru", "True tru, cut, cut_keyword"),
        ("fals", "False fals, cut, cut_keyword"),
        ("tr", "True tr, cut, cut_keyword"),
        ("```\ntr\n```", "none"),
        ("yes", "none"),
    ] {
        assert_eq!(outcome(text), expected, "{text:?}");
    }
}

#[test]
fn scalars_stand_in_calls() {
    for (text, expected) in [
        ("callback(2);", "Integer 2, wrapper, wrapper, extra_comma"),
        (
            "```\nf( 2.5 )\n```",
            "Float 2.5, code_fence, wrapper, wrapper, code_fence",
        ),
        ("f_1(2)", "Integer 2, wrapper, wrapper"),
        ("f (2)", "Integer 2, wrapper, wrapper"),
        ("_f(null)", "Null null, wrapper, wrapper"),
        ("f(true)", "True true, wrapper, wrapper"),
        ("f(truex)", "none"),
        ("f(\"x\" )", "String x, wrapper, wrapper"),
        ("f(\"x\"y)", "none"),
        ("f()", "none"),
        ("f(x)", "none"),
        ("f(2", "none"),
        ("f 2", "none"),
        ("f.g(1)", "none"),
    ] {
        assert_eq!(outcome(text), expected, "{text:?}");
    }
}
