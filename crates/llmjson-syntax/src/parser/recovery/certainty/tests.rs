//! Texts of records that another damage would explain as well.

use super::*;

#[test]
fn records_of_texts_are_looked_into() {
    assert!(looks_inside(RepairKind::InnerQuote));
    assert!(looks_inside(RepairKind::JoinedStrings));
    assert!(looks_inside(RepairKind::UnquotedString));
    assert!(!looks_inside(RepairKind::MissingComma));
}

#[test]
fn values_stand_beside_words() {
    for text in [
        "ok -0",
        "2.50/",
        "true the",
        "the old 1",
        "(1)",
        ";",
        " 1, ",
    ] {
        assert!(is_value_beside_words(text), "{text}");
    }
    for text in ["1", "true", "the old", "a 1 b", "50%", "-a", "a;"] {
        assert!(!is_value_beside_words(text), "{text}");
    }
}

#[test]
fn keywords_stand_before_missing_commas() {
    for (text, at, expected) in [
        ("[true {}]", 5, true),
        ("[{} true]", 3, true),
        ("[1 None]", 2, true),
        ("[1 true", 2, true),
        ("[true \"a\"]", 5, true),
        ("{\"a\": true \"b\": 1}", 10, false),
        ("{\"a\": true \"b\" : 1}", 10, false),
        ("[1 2]", 2, false),
        ("[1 truest]", 2, false),
    ] {
        assert_eq!(is_keyword_between(text, at), expected, "{text}");
    }
}

#[test]
fn lists_hold_one_item() {
    let holds = |text: &str| holds_one_item(text, text.len());
    for text in ["\"id\":[ 5, ", "\"id\": [5", "\"id\" [ \"a\""] {
        assert!(holds(text), "{text}");
    }
    for text in [
        "\"id\": [5, 6, ",
        "\"id\": [\n5, ",
        "\"id\": [ ,",
        "a[5",
        "[[5]",
        "5",
    ] {
        assert!(!holds(text), "{text}");
    }
    let far = |spaces: usize| alloc::format!("\"é\": [{}5", " ".repeat(spaces));
    assert!(holds(&far(LOOK_AHEAD - 5)));
    assert!(!holds(&far(LOOK_AHEAD)));
}

#[test]
fn signs_of_comments_are_glued() {
    for (text, at, expected) in [
        ("1# a", 1, true),
        ("\"a\"# b", 3, true),
        ("#\"a\"", 0, true),
        (" #\"a\"", 1, true),
        ("1 # a", 2, false),
        ("]# a", 1, false),
        ("1// a", 1, false),
        ("# a", 0, false),
    ] {
        assert_eq!(is_glued(text, at), expected, "{text}");
    }
}

#[test]
fn strings_could_have_ended_at_their_quotes() {
    let holds = |text: &str| holds_end_of_string(text, Apostrophes::Text);
    for text in [
        "a\", \"b",
        "a\": 1",
        "a\" \n b",
        "a\"}, b",
        "a\n \"b\" c",
        "a” , “b",
        "\\\\\": 1",
    ] {
        assert!(holds(text), "{text}");
    }
    for text in ["a \"b\" c", "a\\\": 1", "a', 'b", "a", "é: 1", "a\\", ""] {
        assert!(!holds(text), "{text}");
    }
    assert!(holds_end_of_string("a', 'b", Apostrophes::Quotes));
    assert!(!holds_end_of_string("it's", Apostrophes::Quotes));
}

#[test]
fn strings_end_before_separators() {
    for text in [
        ": 1", " : 1", "\nb", " \n b", ", \"b\"", "; 'b'", ",", ",\nb", "}, b", "] }\n", ")\n",
        "\" b",
    ] {
        assert!(ends_at(text, '"'), "{text:?}");
    }
    for text in [" b", ", b", "} b", "}", "' b", "{", ""] {
        assert!(!ends_at(text, '"'), "{text:?}");
    }
    assert!(ends_at("' b", '\''));
}

#[test]
fn texts_hold_structure() {
    for text in [
        "a: b", "a:", "a:\"b", "a, b", "a\nb", "{", "}", "[", "]", "<", ">", "\"",
    ] {
        assert!(holds_structure(text), "{text:?}");
    }
    for text in ["https://a", "10:30", "a b", "it's", ""] {
        assert!(!holds_structure(text), "{text:?}");
    }
}

#[test]
fn strings_end_in_quotes_of_their_own() {
    for text in ["a\"", "\"a\" b\"", "\""] {
        assert!(ends_in_quote(text), "{text}");
    }
    for text in ["5\"", "\"a\"", "a", ""] {
        assert!(!ends_in_quote(text), "{text}");
    }
    for text in ["'a', 'b'", "'a': 'b'"] {
        assert!(apostrophes_inside(text), "{text}");
    }
    for text in ["'it's'", "'a'", "a', 'b'", "'a', 'b", "\"a', 'b\"", "'"] {
        assert!(!apostrophes_inside(text), "{text}");
    }
}

#[test]
fn values_with_escapes_are_parts_of_others() {
    for (text, start, expected) in [
        ("{\"a\": \\\"b\\\"", 6, true),
        ("[\\\"b\\\"", 1, true),
        ("\"a\": \\\"b\\\"", 5, true),
        ("“a”: \\\"b\\\"", 9, true),
        ("so: \\\"b\\\"", 4, false),
        ("\\\"a\\\": \\\"b\\\"", 7, false),
        ("{} \\\"b\\\"", 3, false),
        (": ", 2, false),
        ("", 0, false),
    ] {
        assert_eq!(part_of_another(text, start), expected, "{text}");
    }
    let far = |spaces: usize| alloc::format!("é[{}", " ".repeat(spaces));
    assert!(part_of_another(&far(LOOK_AHEAD - 1), LOOK_AHEAD + 2));
    assert!(!part_of_another(&far(LOOK_AHEAD), LOOK_AHEAD + 3));
}
