use super::*;
use crate::parser::look::ask;

#[test]
fn names_stand_before_containers() {
    for (text, expected) in [
        ("Point {\"x\": 1}", Some(6)),
        ("Point{\"x\": 1}", Some(5)),
        ("Tags [{\"a\": 1}]", Some(5)),
        ("Tags[{\"a\": 1}]", None),
        ("Point {x: 1}", None),
        ("Point {1}", None),
        ("true {\"x\": 1}", None),
        ("1 {\"x\": 1}", None),
        ("a b c d e f g {\"x\": 1}", None),
        ("Point", None),
        ("{\"x\": 1}", None),
        ("", None),
    ] {
        assert_eq!(
            ask(text, |look| look.named_container(
                Container {
                    current: 0,
                    object: false,
                    count: 0
                },
                0
            )),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn calls_of_methods_end_before_a_separator() {
    for (text, expected) in [
        (".to_string(),", Some(12)),
        (".a().b()", Some(8)),
        (".a()}", Some(4)),
        (".a(", None),
        (".()", None),
        (".a(1)", None),
        (".a() x", None),
        (",", None),
        ("", None),
    ] {
        assert_eq!(ask(text, |look| look.methods_at(0)), expected, "{text:?}");
    }
}

#[test]
fn classes_stand_before_containers() {
    for (text, expected) in [
        ("<class 'int'>, {}", Some(15)),
        ("<class 'int'>,[", Some(14)),
        ("<class 'int'>, 1", None),
        ("<class 'int'> {}", None),
        ("<class 'int'", None),
        ("", None),
    ] {
        assert_eq!(ask(text, |look| look.beyond_class(0)), expected, "{text:?}");
    }
}

#[test]
fn round_brackets_list_plain_items() {
    for (text, expected) in [
        ("()", true),
        ("( )", true),
        ("(\"a\")", true),
        ("('a')", true),
        ("(\"a", false),
        ("('a", false),
        ("(1)", false),
        ("(", false),
    ] {
        assert_eq!(
            ask(text, |look| look.lists_plainly(0)),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn calls_have_members_by_name() {
    for (text, bracket, expected) in [
        ("f(a=1)", 1, true),
        ("f(a => 1)", 1, true),
        ("f(\"a\" => 1)", 1, true),
        ("array (\"a\" => 1)", 6, true),
        ("f(a==1)", 1, false),
        ("f(\"a\"=1)", 1, false),
        ("f(1)", 1, false),
        ("f(=1)", 1, false),
        ("f()", 1, false),
        ("dict()", 4, true),
        ("(a=1)", 0, false),
        ("f (a=1)", 2, false),
        ("f(", 1, false),
    ] {
        assert_eq!(
            ask(text, |look| look.members_in_call(bracket)),
            expected,
            "{text:?}"
        );
    }
}
