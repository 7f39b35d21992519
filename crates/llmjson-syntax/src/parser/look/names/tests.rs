
use crate::parser::look::{ask, ask_with};

#[test]
fn key_end_is_past_the_colon() {
    for (text, end) in [
        (r#""a": 1"#, Some(4)),
        ("'a' : 1", Some(5)),
        ("“a”: 1", Some(8)),
        ("a: 1", Some(2)),
        ("a => 1", Some(4)),
        (r#"a": 1"#, Some(3)),
        ("a：1", Some(4)),
        // Behind a name in quotes its colon suffices; behind a bare one a value follows, or the end.
        (r#""a": ?"#, Some(4)),
        ("a: ?", None),
        ("a:", Some(2)),
        (r#""a" 1"#, None),
        ("\"a\n\": 1", None),
        ("", None),
    ] {
        assert_eq!(ask(text, |look| look.key_end(0)), end, "{text}");
    }
}

#[test]
fn names_of_every_spelling_end_past_their_colon() {
    for (text, expected) in [
        ("u'a': 1", Some(5)),
        (":a => 1", Some(5)),
        ("['a'] => 1", Some(8)),
        ("*a*: 1", Some(4)),
        ("a = 1", Some(3)),
        ("\"a\" => ?", Some(6)),
        ("\"a\" = ?", Some(5)),
        ("\"a\"： ?", Some(6)),
        ("“a\n”: 1", None),
        ("“a", None),
        ("'a\n': 1", None),
        ("\"a", None),
        ("'a': ?", Some(4)),
        ("a-b.c$d_e: 1", Some(10)),
        ("é: 1", Some(3)),
        ("?: 1", None),
        ("a ? 1", None),
    ] {
        assert_eq!(ask(text, |look| look.key_end(0)), expected, "{text:?}");
    }
}

#[test]
fn a_name_ends_within_the_look_ahead() {
    for (length, end) in [(255, Some(258)), (256, None)] {
        let text = alloc::format!("\"{}\":", "x".repeat(length));
        assert_eq!(ask(&text, |look| look.key_end(0)), end);
        assert_eq!(ask(&text, |look| look.key_ahead(0)), end.is_some());
    }
}

#[test]
fn names_in_brackets_need_their_bracket_and_a_sign() {
    for (text, expected) in [
        ("[\"a\"]: 1", Some((2..3, 4, 5, 1))),
        ("[ 'a' ] = 1", Some((3..4, 6, 8, 1))),
        ("[\"a\"] => 1", Some((2..3, 4, 6, 2))),
        ("[\"a\"]:", Some((2..3, 4, 5, 1))),
        ("[\"a\"] 1", None),
        ("[\"a\"", None),
        ("[a]: 1", None),
        ("[\"a\n]: 1", None),
        ("[\"a\"}: 1", None),
        ("[\"a\", 1]: 1", None),
        ("[\"a\"]: ?", None),
        ("(\"a\"]: 1", None),
        ("", None),
    ] {
        assert_eq!(
            ask(text, |look| look.bracketed_name_at(0)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn symbols_end_before_their_arrow() {
    for (text, expected) in [
        (":a => 1", Some((2, 3))),
        (":\"a b\" => 1", Some((6, 7))),
        (":a=>1", Some((2, 2))),
        (":a? => 1", Some((3, 4))),
        (":a_! => 1", Some((4, 5))),
        (": => 1", None),
        (":a", None),
        (":a -> 1", None),
        ("a => 1", None),
        (":\"a\n\" => 1", None),
        (":\"a\\\" => 1", None),
        (":\"a", None),
        ("", None),
    ] {
        assert_eq!(ask(text, |look| look.symbol_at(0)), expected, "{text:?}");
    }
}

#[test]
fn marks_of_strings_stand_before_names() {
    for (text, expected) in [
        ("u'a': 1", true),
        ("b\"a\": 1", true),
        ("r'a': 1", true),
        ("f'a': 1", true),
        ("u'': 1", true),
        ("x'a': 1", false),
        ("u'a'", false),
        ("u': 1, 'b': 2", false),
        ("u", false),
        ("", false),
    ] {
        assert_eq!(
            ask(text, |look| look.marked_name_ahead(0)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn bare_names_have_a_colon_that_begins_no_address() {
    for (text, expected) in [
        ("a: 1", true),
        ("a : ?", true),
        ("a:", true),
        ("é-_$1: 1", true),
        ("a:/", true),
        ("http://x", false),
        (": 1", false),
        ("a", false),
        ("a = 1", false),
        ("\"a\": 1", false),
        ("a\n: 1", false),
        ("", false),
    ] {
        assert_eq!(ask(text, |look| look.name_ahead(0)), expected, "{text:?}");
    }
}

#[test]
fn tight_names_have_no_spaces() {
    for (text, expected) in [
        ("\"a\": 1", true),
        ("“a\"", true),
        ("\"\"", true),
        ("\"a b\": 1", false),
        ("\"a", false),
        ("", false),
    ] {
        assert_eq!(ask(text, |look| look.tight_key(0)), expected, "{text:?}");
    }
}

#[test]
fn names_may_lack_their_opening_quote() {
    for (text, expected) in [
        ("a\": 1", true),
        ("a-b_1\": \"x\"", true),
        ("é\" : 1", true),
        ("a\":", true),
        ("\": 1", false),
        ("a b\": 1", false),
        ("a\" 1", false),
        ("a\": ?", false),
        ("a: 1", false),
        ("a\"", false),
        ("", false),
    ] {
        assert_eq!(
            ask(text, |look| look.bare_key_after(0)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn members_have_a_name_and_a_value() {
    for (text, expected) in [
        (" \"a\": 1", true),
        ("\"a\":", true),
        ("\"a\": ?", false),
        ("1", false),
        (", \"a\": 1", false),
        ("", false),
    ] {
        assert_eq!(ask(text, |look| look.member_ahead(0)), expected, "{text:?}");
    }
}

#[test]
fn cut_names_reach_the_end() {
    for (text, at, expected) in [
        ("", 0, true),
        ("\"", 0, true),
        ("\"ab", 0, true),
        ("'é", 0, true),
        ("a-b_c.d$", 0, true),
        (", ab", 2, true),
        (", ab", 0, false),
        ("a b", 0, false),
        ("\"a\"", 0, false),
        ("\"\"a", 0, false),
    ] {
        assert_eq!(
            ask(text, |look| look.cut_name_ahead(at)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn cut_names_are_short() {
    assert!(ask(&"a".repeat(64), |look| look.cut_name_ahead(0)));
    assert!(!ask(&"a".repeat(65), |look| look.cut_name_ahead(0)));
    assert!(ask(&"a".repeat(128), |look| look.cut_name_ahead(64)));
}

#[test]
fn expected_names_are_known_in_any_quotes() {
    for (text, expected) in [
        ("\"name\": 1", true),
        ("'name'", true),
        ("name: 1", true),
        ("name=1", true),
        ("name x", true),
        ("“name”", true),
        ("größe: 1", true),
        ("other: 1", false),
        ("\"name", false),
        ("name", false),
        ("", false),
    ] {
        let found = ask_with(&["name", "größe"], text, |look| look.expected_at(0));
        assert_eq!(found, expected, "{text}");
        assert!(!ask(text, |look| look.expected_at(0)), "{text}");
    }
}

#[test]
fn signs_like_colons_are_measured() {
    for (text, expected) in [
        ("=> 1", Some(2)),
        ("-> 1", Some(2)),
        ("= 1", Some(1)),
        ("：1", Some(3)),
        ("﹕1", Some(3)),
        ("꞉1", Some(3)),
        (": 1", None),
        ("- 1", None),
        ("é", None),
        ("", None),
    ] {
        assert_eq!(ask(text, |look| look.colon_like(0)), expected, "{text:?}");
    }
}

#[test]
fn a_word_between_commas_stands_for_a_member() {
    for (text, bare, expected) in [
        ("etc., \"b\": 1", false, true),
        ("x, \"b\": 1", false, true),
        ("étc., \"b\": 1", false, true),
        ("x, b: 1", false, false),
        ("x, b: 1", true, true),
        ("x \"b\": 1", true, false),
        (", \"b\": 1", true, false),
        ("x, \"b\"", true, false),
        ("x1, \"b\": 1", true, false),
        ("x", true, false),
        ("", true, false),
    ] {
        assert_eq!(
            ask(text, |look| look.word_for_member(0, bare)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn names_are_plain_as_far_as_the_text_tells() {
    for (text, expected) in [
        ("\"a\": 1", Some(true)),
        ("'a': 1", Some(true)),
        ("a: 1", Some(true)),
        ("a-b$_ : 1", Some(true)),
        ("\"a\\\"b\": 1", Some(true)),
        ("\"a\" 1", Some(false)),
        ("'a' 1", Some(false)),
        ("? 1", Some(false)),
        ("a = 1", Some(false)),
        ("é: 1", Some(false)),
        ("{", Some(false)),
        ("\"a\"", None),
        ("\"a", None),
        ("'a", None),
        ("'", None),
        ("a", None),
        ("a ", None),
        ("", None),
    ] {
        assert_eq!(ask(text, |look| look.name_at(0)), expected, "{text:?}");
    }
}
