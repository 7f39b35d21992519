use alloc::format;
use alloc::string::String;

use super::*;
use crate::parser::look::{answers, ask, ask_with};

pub(super) const NOTHING: (&str, usize, usize) = ("nothing", 0, 0);
pub(super) const OUTER: (&str, usize, usize) = ("outer", 0, 0);

pub(super) const fn next(end: usize, next: usize) -> (&'static str, usize, usize) {
    ("next", end, next)
}

pub(super) fn told(opens: Opens) -> (&'static str, usize, usize) {
    match opens {
        Opens::Nothing => NOTHING,
        Opens::Outer => OUTER,
        Opens::Next(end, at) => next(end, at),
    }
}

/// A text that begins with a string: the quote, what stands inside before the next quote, and the rest. With
/// the offset of that next quote, and the inside as the questions take it.
fn string<'a>(inside: &'a str, rest: &str) -> (String, usize, &'a str, &'a str) {
    let trimmed = trim_gap(inside);
    let gap = &inside[trimmed.len()..];
    (format!("\"{inside}{rest}"), 1 + inside.len(), trimmed, gap)
}

fn member(names: &[&str], inside: &str, rest: &str) -> (&'static str, usize, usize) {
    let (text, quote, trimmed, gap) = string(inside, rest);
    ask_with(names, &text, |look| {
        told(look.opens_member(1, quote, trimmed, gap))
    })
}

#[test]
fn a_name_behind_a_comma_or_line_break_is_the_next_member() {
    for (inside, rest, expected) in [
        ("x, ", r#""b": 1}"#, next(2, 2)),
        ("x , ", r#""b": 1}"#, next(2, 3)),
        ("x，", r#""b": 1}"#, next(2, 2)),
        ("x\n ", r#""b": 1}"#, next(2, 4)),
        // Right behind the text it needs neither.
        ("x", r#""b": 1}"#, next(2, 2)),
        ("x", r#""b c": 1}"#, NOTHING),
        ("see ", r#""b": 1}"#, NOTHING),
        ("see ", r#""b": it"#, NOTHING),
        ("x, ", r#""b": it"#, NOTHING),
        ("x, ", r#""b", "#, NOTHING),
        // With both, no value need follow.
        ("x,\n", r#""b": it"#, next(2, 2)),
        (r"x,\n", r#""b": it"#, next(2, 2)),
        ("x,\n", r#""b c": it"#, NOTHING),
        ("x\n", r#""b": it"#, NOTHING),
        // The name of another object.
        ("x, {", r#""b": 1}"#, OUTER),
        ("x, {", r#""b", "#, NOTHING),
    ] {
        assert_eq!(member(&[], inside, rest), expected, "{inside:?} {rest:?}");
    }
    assert_eq!(member(&["b"], "see ", r#""b": 1}"#), next(4, 5));
    assert_eq!(member(&["c"], "see ", r#""b": 1}"#), NOTHING);
}

#[test]
fn a_comma_and_a_line_break_make_up_for_a_colon() {
    for (inside, expected) in [
        ("x,\n", next(2, 2)),
        ("x ,\n", next(2, 3)),
        ("x, ", NOTHING),
        ("x\n", NOTHING),
    ] {
        let found = member(&[], inside, "\"b\" 1,\n\"c\": 2}");
        assert_eq!(found, expected, "{inside:?}");
    }
}

#[test]
fn a_name_may_lack_its_opening_quote() {
    for (inside, rest, expected) in [
        ("cher", "'rating\": 4}", next(5, 6)),
        ("ch", "'rating\": 4}", next(3, 4)),
        ("c", "'rating\": 4}", NOTHING),
        ("cher ", "'rating\": 4}", NOTHING),
        ("cher", "'x", NOTHING),
        ("cher\t", "\"rating\": 4}", next(6, 7)),
    ] {
        assert_eq!(member(&[], inside, rest), expected, "{inside:?} {rest:?}");
    }
}

fn item(inside: &str, rest: &str, first: bool, open: i32) -> (&'static str, usize, usize) {
    let (text, quote, trimmed, gap) = string(inside, rest);
    ask(&text, |look| {
        told(look.opens_item(1, (quote, first), (trimmed, gap), open))
    })
}

#[test]
fn a_whole_string_behind_a_comma_is_the_next_item() {
    for (inside, rest, first, expected) in [
        ("a, ", r#""bc"]"#, true, next(2, 2)),
        ("a , ", r#""bc"]"#, true, next(2, 3)),
        ("a, ", r#""bc", "d"]"#, true, next(2, 2)),
        ("a,", r#""bc"]"#, false, next(2, 2)),
        ("a,\n", r#""bc"]"#, false, next(2, 2)),
        ("a, ", r#""bc"]"#, false, NOTHING),
        ("a, ", r#""bc" d"#, true, NOTHING),
        ("a, ", r#""]"#, true, NOTHING),
        ("a, ", r#""bc"#, true, NOTHING),
        ("a", r#""bc"]"#, true, NOTHING),
        // Numbers before it are items of their own.
        ("a, 1, ", r#""bc"]"#, true, next(2, 2)),
        ("a, 1 x, ", r#""bc"]"#, true, next(7, 7)),
        // The list has ended.
        ("c], ", r#""n": 1"#, false, OUTER),
        ("c}, ", r#""n": 1"#, true, OUTER),
        ("c], ", r#""n"]"#, true, next(3, 3)),
        ("c, ", r#""n": 1"#, true, NOTHING),
    ] {
        assert_eq!(
            item(inside, rest, first, 0),
            expected,
            "{inside:?} {rest:?} {first}"
        );
    }
}

#[test]
fn a_container_behind_a_comma_is_the_next_item() {
    for (inside, rest, open, expected) in [
        ("a, {", r#""b": 1}]"#, 1, next(2, 2)),
        ("a , { ", r#""b": 1}]"#, 1, next(2, 2)),
        ("a, [", r#""b"]]"#, 1, next(2, 2)),
        ("a, 1, {", r#""b": 1}]"#, 1, next(2, 2)),
        ("a, {", r#""b": 1}]"#, 2, NOTHING),
        ("a, {", r#""b": 1}]"#, 0, NOTHING),
        ("a, {", r#""b"]]"#, 1, NOTHING),
        ("a, [", r#""b": 1}]"#, 1, NOTHING),
        ("a, [", r#""b" c"#, 1, NOTHING),
        ("a {", r#""b": 1}]"#, 1, NOTHING),
        ("a", r#""b": 1}]"#, 1, NOTHING),
    ] {
        assert_eq!(
            item(inside, rest, true, open),
            expected,
            "{inside:?} {rest:?} {open}"
        );
    }
}

#[test]
fn numbers_and_keywords_behind_a_text_are_items() {
    answers(
        |look| look.before_scalars(0, look.bytes.len()),
        &[
            ("a, 1, true", Some(1)),
            ("a , null , false", Some(1)),
            ("1, 2", Some(1)),
            (", 1", None),
            ("a, b", None),
            ("a, 1, b", None),
            ("a", None),
            ("", None),
        ],
    );
    assert_eq!(ask("[\"ab, 1]", |look| look.before_scalars(2, 7)), Some(4));
    answers(
        |look| look.is_scalar(look.text),
        &[
            ("-1.5e3", true),
            ("true", true),
            ("false", true),
            ("null", true),
            ("None", false),
            ("1 a", false),
            ("", false),
        ],
    );
    let cost = |look: Look<'_>| {
        look.is_scalar(look.text);
        look.work.get().spent()
    };
    answers(cost, &[("true", 5), ("", 1)]);
}

#[test]
fn a_few_words_stand_before_a_name() {
    answers(
        |look| look.words_before_key(0),
        &[
            (r#"COMMENT "name": 1"#, true),
            (r#"a_b-c.d "name": 1"#, true),
            (r#"a b c "name": 1"#, true),
            (r#"a    b "name": 1"#, true),
            (r#"a b c d "name": 1"#, false),
            (r#"1a "name": 1"#, false),
            (r#"a; "name": 1"#, false),
            (r#"a 'name': 1"#, false),
            (r#"a "name" 1"#, false),
            (r#"a "name": ?"#, false),
            (r#""name": 1"#, false),
            ("a", false),
        ],
    );
}

#[test]
fn a_quote_sign_of_another_kind_stands_for_the_one_that_is_missing() {
    answers(
        |look| look.before_odd_quote(0, look.bytes.len()),
        &[
            ("Bob”", 3),
            ("Bob' ", 3),
            ("Bob", 3),
            ("Bob  ", 5),
            // The sign closes a quotation in the text.
            ("said “hi”", 13),
            ("said «hi»", 11),
            ("said ‘hi’", 13),
            // With two signs, either may belong to the text.
            ("the '80s'", 9),
            ("‘x”", 7),
            ("it's”", 7),
            ("“x’", 4),
            ("", 0),
        ],
    );
    assert_eq!(ask("\"Bob”, ", |look| look.before_odd_quote(1, 7)), 4);
    let cost = |look: Look<'_>| {
        look.before_odd_quote(16, 32);
        look.work.get().spent()
    };
    answers(cost, &[("0123456789abcdef0123456789abcdef", 2)]);
    for (closing, opening) in [
        ('’', Some('‘')),
        ('”', Some('“')),
        ('»', Some('«')),
        ('\'', None),
        ('“', None),
    ] {
        assert_eq!(opening_of(closing), opening);
    }
}

#[test]
fn items_ahead_are_whole() {
    answers(
        |look| look.item_ahead(0),
        &[
            (r#""bc"]"#, true),
            (r#""bc", "#, true),
            (r#""bc" ]"#, true),
            (r#"“bc"]"#, true),
            (r#""b\"c"]"#, true),
            (r#""bc" d"#, false),
            (r#""bc"}"#, false),
            (r#""bc]"#, false),
        ],
    );
    answers(
        |look| look.whole_item_ahead(0),
        &[
            (r#""a"]"#, true),
            (r#""a" b"#, false),
            ("{a", true),
            ("[a", true),
            ("12]", true),
            ("12 , x", true),
            ("true\nx y", true),
            ("12", true),
            ("12 apples]", false),
            ("1\"x\"]", false),
            ("1'x']", false),
            ("word]", false),
            ("", false),
        ],
    );
}

#[test]
fn members_whose_names_have_no_double_quotes_begin_inside_a_string() {
    let inside = |names: &[&str], text: &str, to: usize, habit| {
        ask_with(names, text, |look| look.bare_member_inside(0, to, habit))
    };
    use NameQuotes::{Double, Other};
    for (names, text, habit, expected) in [
        (&[][..], "x,\nb: 1}", Other, Some(1)),
        (&[], "x,\n'b': 1}", Other, Some(1)),
        (&[], "x,\nb: 1}", Double, None),
        (&[], "x, b: 1}", Other, None),
        (&[], "x\nb: 1}", Other, None),
        (&[], "x,\n\"b\": 1}", Other, None),
        (&[], "x,\nb: ?}", Other, None),
        (&[], "x,\n'b': ?}", Other, None),
        (&[], "x,\nb 1}", Other, None),
        (&[], "x, y,\nb: 1}", Other, Some(4)),
        (&["b"], "x, b: 1}", Double, Some(1)),
        (&["b"], "x\nb: 1}", Double, Some(1)),
        (&["b"], "x, 'b': 1}", Double, Some(1)),
        (&["b"], "x, \"b\": 1}", Double, None),
        (&["b"], "x, c: 1}", Double, None),
        (&["b"], "x, b: ?}", Double, None),
        (&["b"], "x,, b: 1}", Double, Some(2)),
    ] {
        let found = inside(names, text, text.len(), habit);
        assert_eq!(found, expected, "{names:?} {text:?}");
    }
    // The name has to begin inside.
    assert_eq!(inside(&["b"], "x, b: 1}", 3, Double), None);
    assert_eq!(inside(&["b"], "x, b: 1}", 4, Double), Some(1));
    let from = |look: Look<'_>| look.bare_member_inside(2, look.bytes.len(), Other);
    answers(from, &[(",\nb,\nc: 1", Some(3)), ("xyz,\nc: 1", Some(3))]);
    let tired = |look: Look<'_>| {
        look.charge(1 << 30);
        look.bare_member_inside(0, look.bytes.len(), Other)
    };
    answers(tired, &[("x,\nb: 1", None)]);
}

#[test]
fn values_follow_bare_names() {
    answers(
        |look| look.bare_value_ahead(1),
        &[
            (",b: 1", true),
            (",b:1", true),
            (",b: x", true),
            (",b:x", false),
            (",b: ?", false),
            (",b 1", false),
            (",bcd: x", true),
        ],
    );
}

#[test]
fn remarks_are_words_in_brackets() {
    answers(
        |look| look.remark_end(0),
        &[
            ("(see below), ", Some(11)),
            ("(é)", Some(4)),
            ("(1)", None),
            ("()", None),
            ("(a \"b\")", None),
            ("(it's)", None),
            ("(a\nb)", None),
            ("(a(b))", None),
            ("(a", None),
            ("a)", None),
            ("", None),
        ],
    );
    assert_eq!(ask("\" (ab)", |look| look.remark_end(2)), Some(6));
}

#[test]
fn gaps_and_commas_are_cut_off() {
    for (text, expected) in [
        ("x,  ", "x,"),
        ("x ", "x"),
        (r"x,\n", "x,"),
        (r"x, \r\n\t ", "x,"),
        ("x，\\n", "x，"),
        (r"x\n", r"x\n"),
        (r"x\n ", r"x\n"),
        (r"x,\b", r"x,\b"),
        ("", ""),
    ] {
        assert_eq!(trim_gap(text), expected, "{text:?}");
    }
    for (text, expected) in [
        ("a,", Some("a")),
        ("a，", Some("a")),
        ("a、", Some("a")),
        ("a,,", Some("a,")),
        ("a", None),
        ("a, ", None),
        ("", None),
    ] {
        assert_eq!(strip_comma(text), expected, "{text:?}");
    }
}
