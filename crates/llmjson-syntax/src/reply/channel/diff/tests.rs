//! Tests with JSON lines and diffs of them.

use super::{is_json_line, is_marked};

#[test]
fn lines_begin_with_tokens() {
    for line in [
        "",
        "  ",
        "{",
        "} x",
        " [",
        "] x",
        "\"a\": 1",
        "\"a\" : x",
        "\"a\"",
        "\"a\",",
        "\"a\", \"b\"",
        "\"a\", true",
        "\"a\"}",
        "\"a\"]",
        "\"a\\\"b\": 1",
        "\"a\\\\\": 1",
        "1,",
        "-1.5",
        "1 ,",
        "1 : 2",
        "true",
        "false}",
        "null]",
    ] {
        assert!(is_json_line(line), "{line}");
    }
    for line in [
        "\"a\" b",
        "\"a\"; 1",
        "\"a\", b",
        "\"a",
        "\"a\\\": 1",
        "12 apples",
        "1, x",
        "1:",
        "tru",
        "print(x)",
        "a: 1",
    ] {
        assert!(!is_json_line(line), "{line}");
    }
}

#[test]
fn lines_of_diffs_begin_with_signs() {
    for line in [
        "+ \"a\": 1",
        "- a",
        "+\"a\"",
        "+'a'",
        "+{",
        "-}",
        "+[",
        "-]",
        "+a",
        "+",
        "+\t1",
    ] {
        assert!(is_marked(line), "{line}");
    }
    for line in ["+1", "++", "--", "+(", " a", "a b", "\"", ""] {
        assert!(!is_marked(line), "{line}");
    }
}
