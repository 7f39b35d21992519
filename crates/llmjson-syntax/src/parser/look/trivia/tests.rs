use super::*;
use crate::parser::look::ask;

#[test]
fn comments_to_the_end_of_a_line_may_have_members_behind_them() {
    for (text, end, expected) in [
        ("// x \"b\"", 5, true),
        ("# x, 1", 3, true),
        ("// x", 4, false),
        ("// x\n1", 4, false),
        ("// x\r1", 4, false),
        ("// x\\n", 4, false),
        ("/* x */ 1", 7, false),
        ("/ x", 1, false),
        ("", 0, false),
    ] {
        assert_eq!(
            ask(text, |look| look.is_followed_on_its_line(0, end)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn gaps_are_passed_over() {
    for (text, expected) in [
        (" // x\n1", (b'1', 6)),
        ("/* */ /* */2", (b'2', 11)),
        ("a", (b'a', 0)),
        ("\u{a0}1", (b'1', 2)),
        ("\\n1", (b'1', 2)),
        ("", (0, 0)),
    ] {
        assert_eq!(
            ask(text, |look| look.beyond_trivia(0)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn fences_have_three_signs() {
    for (text, expected) in [
        ("```", true),
        ("~~~", true),
        ("```json", true),
        ("``", false),
        ("~~`", false),
        ("``~", false),
        ("a```", false),
        ("", false),
    ] {
        assert_eq!(ask(text, |look| look.fence_at(0)), expected, "{text:?}");
    }
}

#[test]
fn tags_and_tokens_end_a_text() {
    for (text, expected) in [
        ("</a>", true),
        ("</T", true),
        ("<|im_end|>", true),
        ("<|", true),
        ("</1>", false),
        ("<a>", false),
        ("</", false),
        ("<", false),
        ("a", false),
        ("", false),
    ] {
        assert_eq!(ask(text, |look| look.tag_at(0)), expected, "{text:?}");
    }
}

#[test]
fn closing_fences_end_their_line() {
    for (text, expected) in [
        ("```", true),
        ("```\n", true),
        ("~~~\nx", true),
        ("```` \t\r\nx", true),
        ("```json", false),
        ("``` x", false),
        ("``", false),
        ("", false),
    ] {
        assert_eq!(
            ask(text, |look| look.closing_fence_at(0)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn colours_are_taken_off_the_end() {
    for (text, expected) in [
        ("a\u{1b}[31m", 1),
        ("a\u{1b}[0m\u{1b}[31;1m", 1),
        ("\u{1b}[31m", 0),
        ("am", 2),
        ("a\u{1b}[31mx", 7),
        ("a\u{1b}[xm", 5),
        ("m", 1),
        ("", 0),
    ] {
        assert_eq!(
            ask(text, |look| look.before_colours(look.bytes.len()).len()),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn marks_of_fields_are_whole() {
    for (text, expected) in [
        ("[[ ## answer ## ]]", Some(18)),
        ("[[ ## a-b_c d ## ]] x", Some(19)),
        ("[[ ## answer ##]]", None),
        ("[[ ## a.b ## ]]", None),
        ("[[ ## answer ## ]", None),
        ("[[ ## answer", None),
        ("[[ ## a\n ## ]]", None),
        ("[[1]]", None),
        ("", None),
    ] {
        assert_eq!(
            ask(text, |look| look.field_mark_at(0)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn a_text_may_end_within_the_mark_of_a_field() {
    for (length, expected) in [(0, true), (LOOK_AHEAD - 7, true), (LOOK_AHEAD - 6, false)] {
        let text = alloc::format!("[[ ## {}", "a".repeat(length));
        assert_eq!(
            ask(&text, |look| look.may_be_field_mark(0)),
            expected,
            "{length}"
        );
    }
    for (text, expected) in [
        ("", true),
        ("[", true),
        ("[[ #", true),
        ("[1", false),
        ("x", false),
    ] {
        assert_eq!(
            ask(text, |look| look.may_be_field_mark(0)),
            expected,
            "{text}"
        );
    }
    assert_eq!(
        ask("x[[ ## a ## ]]", |look| look.field_mark_at(1)),
        Some(14)
    );
}

#[test]
fn marks_close_a_text_where_no_value_goes_on() {
    for (text, expected) in [
        ("```", true),
        ("~~~\n", true),
        ("</a>", true),
        ("<|im_end|>", true),
        ("```json", false),
        ("</a>,", false),
        ("</a> }", false),
        ("</a>]", false),
        ("<a>", false),
        ("a", false),
        ("", false),
    ] {
        assert_eq!(
            ask(text, |look| look.closing_mark_at(0)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn closing_tags_are_named() {
    for (text, expected) in [
        ("</a>", Some((1, 4))),
        ("</a", None),
        ("<a>", None),
        ("", None),
    ] {
        assert_eq!(
            ask(text, |look| look
                .closing_tag_at(0)
                .map(|(name, end)| (name.len(), end))),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn gaps_are_told_from_text() {
    use RepairKind::{Comment, Ellipsis, EscapedSpace, OddSpace};
    for (text, expected) in [
        ("// a\nb", Some((Comment, 4))),
        ("// a\rb", Some((Comment, 4))),
        ("# a", Some((Comment, 3))),
        ("/* a */b", Some((Comment, 7))),
        ("/* a", Some((Comment, 4))),
        ("<!-- a -->b", Some((Comment, 10))),
        ("<!-- a", Some((Comment, 6))),
        ("// a\\n}", Some((Comment, 4))),
        ("// a\\n  \"b\": 1", Some((Comment, 4))),
        ("// a\\n\"b\"", Some((Comment, 9))),
        ("// a\\n}\n\"b\"", Some((Comment, 7))),
        ("[truncated]", Some((Ellipsis, 11))),
        ("... [truncated]", Some((Ellipsis, 15))),
        ("<truncated>", Some((Ellipsis, 11))),
        ("…[truncated]", Some((Ellipsis, 14))),
        ("\\n", Some((EscapedSpace, 2))),
        ("\\t", Some((EscapedSpace, 2))),
        ("\\[", Some((EscapedSpace, 1))),
        ("\\\n", Some((EscapedSpace, 1))),
        ("\u{a0}a", Some((OddSpace, 2))),
        ("\u{feff}", Some((OddSpace, 3))),
        ("\u{1}a", Some((OddSpace, 1))),
        ("\u{1b}[31mx", Some((OddSpace, 5))),
        ("<a", None),
        ("\\x", None),
        ("é", None),
        ("a", None),
        ("/a", None),
        (" ", None),
        ("", None),
    ] {
        assert_eq!(trivia_at(text, 0), expected, "{text:?}");
    }
}

#[test]
fn colours_are_as_long_as_the_text_goes() {
    for (text, expected) in [
        ("\u{1b}", Some(1)),
        ("\u{1b}[", Some(2)),
        ("\u{1b}[31;1mx", Some(7)),
        ("\u{1b}[31", Some(4)),
        ("\u{1b}[x", None),
        ("\u{1b}x", None),
        ("a", None),
        ("", None),
    ] {
        assert_eq!(colour_length(text.as_bytes()), expected, "{text:?}");
    }
}
