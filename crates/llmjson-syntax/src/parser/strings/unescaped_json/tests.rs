use super::*;
use crate::parser::look::{answers, ask};

/// Steps that use up any account of these tests.
const ALL_WORK: usize = 1 << 30;

/// Follows the JSON with which a text begins: the outcome, where that was, how many names and texts were
/// seen, and whether the white space was escaped.
fn followed(look: Look<'_>) -> (&'static str, usize, u32, bool) {
    let mut walk = JsonWalk::new(look, 0);
    let (outcome, at) = match walk.follow() {
        Inside::Whole(at) => ("whole", at),
        Inside::Cut => ("cut", 0),
        Inside::Nowhere(at) => ("nowhere", at),
    };
    (outcome, at, walk.seen, walk.escaped)
}

#[test]
fn json_is_followed_to_its_end() {
    answers(
        followed,
        &[
            (r#"{"a": 1}" x"#, ("whole", 8, 1, false)),
            (r#"{"a": "b"}""#, ("whole", 10, 1, false)),
            (r#"['a', "b"]""#, ("whole", 10, 2, false)),
            ("{}", ("whole", 2, 0, false)),
            ("[]", ("whole", 2, 0, false)),
            ("[1, true, [-2.5]]", ("whole", 17, 0, false)),
            (r#"{"a": 1, 'b': 2}"#, ("whole", 16, 2, false)),
            (r#"{"a": 1, }"#, ("whole", 10, 1, false)),
            ("[1, ]", ("whole", 5, 0, false)),
            // Several values, one after another.
            (r#"{"a": 1} {"b": 2}""#, ("whole", 17, 2, false)),
            ("[1][2] 3", ("whole", 6, 0, false)),
            // Names without quotes.
            (r#"{a: 1, "b": 2}"#, ("whole", 14, 2, false)),
            ("{ab : 1}", ("whole", 8, 1, false)),
            // JSON in a string of JSON.
            (r#"{"a": "{"b": 1}"}"#, ("whole", 17, 2, false)),
            (r#"["{"b": 1}"]"#, ("whole", 12, 1, false)),
        ],
    );
}

#[test]
fn escaped_space_in_json_is_marked_outside_of_nested_json() {
    answers(
        followed,
        &[
            (r#"{\n "a": 1\n}"#, ("whole", 13, 1, true)),
            (r#"{\t"a": "{"b": 1}"}"#, ("whole", 19, 2, true)),
            (r#"{"a": "{\n"b": 1}"}"#, ("whole", 19, 2, false)),
            (r#"{"a": "\n"}"#, ("whole", 11, 1, false)),
        ],
    );
    let token = |look: Look<'_>| {
        let mut walk = JsonWalk::new(look, 1);
        (walk.between_tokens(), walk.escaped)
    };
    answers(
        token,
        &[
            (r"[\n 1", ((b'1', 4), true)),
            ("[ 1", ((b'1', 2), false)),
            ("[", ((0, 1), false)),
        ],
    );
}

#[test]
fn json_may_break_off() {
    answers(
        followed,
        &[
            ("", ("cut", 0, 0, false)),
            (r#"{"a": 1"#, ("cut", 0, 1, false)),
            (r#"{"a": "b" c"#, ("cut", 0, 1, false)),
            (r#"{"a"#, ("cut", 0, 0, false)),
            ("[1, ", ("cut", 0, 0, false)),
        ],
    );
}

#[test]
fn prose_behind_a_bracket_is_no_json() {
    answers(
        followed,
        &[
            (r#"{"a", 1}"#, ("nowhere", 1, 0, false)),
            (r#"{"a": 1; "b": 2}"#, ("nowhere", 7, 1, false)),
            ("[,", ("nowhere", 1, 0, false)),
            ("[1}", ("nowhere", 2, 0, false)),
            ("{a 1}", ("nowhere", 1, 0, false)),
            ("{1: 2}", ("nowhere", 1, 0, false)),
            (r#"{"a": 1, 2}"#, ("nowhere", 9, 1, false)),
            (r#"{"a": }"#, ("nowhere", 6, 1, false)),
            (r#"{"a": "{"b": 1}, 2"}"#, ("nowhere", 15, 2, false)),
            ("a", ("whole", 1, 0, false)),
            (",", ("nowhere", 0, 0, false)),
        ],
    );
    let tired = |look: Look<'_>| {
        look.charge(ALL_WORK);
        followed(look)
    };
    answers(tired, &[(r#" {"a": 1}"#, ("nowhere", 1, 0, false))]);
}

#[test]
fn quotes_without_a_backslash_are_seen() {
    answers(
        |look| look.holds_quote(0, look.bytes.len(), b'"'),
        &[
            (r#"a"b"#, true),
            (r#"a\"b"#, false),
            (r#"a\\"b"#, true),
            (r#"a\\\"b"#, false),
            (r#"a\"b""#, true),
            ("\"", true),
            ("it's", false),
            ("", false),
        ],
    );
    assert!(!ask("\"a\"", |look| look.holds_quote(1, 2, b'"')));
    assert!(ask("'a'", |look| look.holds_quote(1, 3, b'\'')));
    // It costs a step for each sixteen bytes.
    let cost = |text: &str| {
        ask(text, |look| {
            look.holds_quote(0, look.bytes.len(), b'"');
            look.work.get().spent()
        })
    };
    assert_eq!(cost(&"a".repeat(47)), 2);
    assert_eq!(cost(&"a".repeat(48)), 3);
}

#[test]
fn escaped_space_is_passed_over() {
    answers(
        |look| look.beyond_escaped_space(0),
        &[
            ("  a", 2),
            (r"\na", 2),
            (r" \n \ta", 6),
            (r"\r\n\t", 6),
            (r"\ba", 0),
            (r"\", 0),
            ("na", 0),
            ("an", 0),
            ("", 0),
        ],
    );
    assert_eq!(ask(r"a \nb", |look| look.beyond_escaped_space(1)), 4);
}

#[test]
fn a_bracket_and_an_unescaped_quote_open_json_in_a_string() {
    answers(
        |look| look.holds_json(0),
        &[
            (r#""{"a": 1}""#, true),
            (r#""[ "a" ]""#, true),
            (r#""\n{"a": 1}""#, true),
            ("'{'a': 1}'", true),
            (r#""{x" y"#, true),
            (r#""{\"a\": 1}""#, false),
            (r#""{x", 1"#, false),
            (r#""{x}", 1"#, false),
            (r#""{x" }"#, false),
            (r#""{x"]"#, false),
            (r#""{x": 1"#, false),
            (r#"'{"a": 1}'}"#, false),
            (r#""a" b"#, false),
            (r#""{a: 1}"#, false),
            ("\"", false),
        ],
    );
}

#[test]
fn a_quote_ends_a_text_where_its_successor_may_follow() {
    let end = |closer| move |look: Look<'_>| look.text_in_json(0, closer);
    answers(
        end(b'}'),
        &[
            (r#""a"}"#, Some(2)),
            (r#""a"\n}"#, Some(2)),
            (r#""}"}"#, Some(2)),
            (r#"'a"'}"#, Some(3)),
            (r#""a "b" c"}"#, Some(8)),
            (r#""a", "b": 1}"#, Some(2)),
            (r#""a", "b"}"#, Some(7)),
            (r#""a",}"#, Some(2)),
            (r#""a", "#, Some(2)),
            (r#""a""#, Some(2)),
            (r#""a" b"#, None),
            (r#""a"]"#, None),
            (r#""a\"}"#, None),
            (r#""a"#, None),
        ],
    );
    answers(
        end(b']'),
        &[
            (r#""a" ]"#, Some(2)),
            (r#""a", 1]"#, Some(2)),
            (r#""a", "b"]"#, Some(2)),
            (r#""a", 'b']"#, Some(2)),
            (r#""a",\n]"#, Some(2)),
            (r#""a", "#, Some(2)),
            (r#""a", x]"#, None),
        ],
    );
    // Behind JSON in a string comes its quote.
    answers(end(b'"'), &[(r#""a", 1"#, None), (r#""a"""#, Some(2))]);
    // With no work left, the first quote is the only one to be looked at.
    let tired = |look: Look<'_>| {
        look.charge(ALL_WORK);
        look.text_in_json(0, b'}')
    };
    answers(tired, &[(r#""a"}"#, Some(2)), (r#""a "b"}"#, None)]);
}

#[test]
fn a_colon_follows_a_name() {
    answers(
        |look| look.name_in_json(0),
        &[
            (r#""a": 1"#, Some(3)),
            ("'a' : 1", Some(3)),
            (r#""a"\n: 1"#, Some(3)),
            (r#""a"  "#, Some(3)),
            (r#""a"#, Some(2)),
            (r#""a", 1"#, None),
            (r#""a" b"#, None),
            (r#""a'": 1"#, Some(4)),
        ],
    );
}

#[test]
fn the_next_quote_of_a_kind_is_found() {
    answers(
        |look| look.next_like(b'"', 0),
        &[
            ("a\"", Some(1)),
            (r#"a\"b""#, Some(4)),
            (r#"\\""#, Some(2)),
            (r#"\'""#, Some(2)),
            ("a'", None),
            (r"a\", None),
            ("", None),
        ],
    );
    assert_eq!(ask("\"a\"", |look| look.next_like(b'"', 1)), Some(2));
    assert_eq!(ask("\"a'", |look| look.next_like(b'\'', 0)), Some(2));
}

#[test]
fn numbers_and_words_are_measured() {
    answers(
        |look| look.bare_in_json(0),
        &[
            ("true, 1", 4),
            ("-1.5e+3]", 7),
            ("a_b c", 3),
            (",", 0),
            ("é", 0),
            ("", 0),
        ],
    );
    assert_eq!(ask("[12]", |look| look.bare_in_json(1)), 3);
}
