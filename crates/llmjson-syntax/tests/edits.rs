//! What the edits of damaged texts are, and the text that they make.

use llmjson_syntax::{Comments, Document, EditOptions, Unfinished, parse};

/// A text and the text that is made of it.
const REPAIRED: &[(&str, &str)] = &[
    // Strict JSON stays as it is.
    (
        " {\"a\" : [1.50, \"\\u00e9\"]}\n",
        " {\"a\" : [1.50, \"\\u00e9\"]}\n",
    ),
    // Quotes, names and words.
    ("{name: 'Ada'}", "{\"name\": \"Ada\"}"),
    (
        "{'say': 'a \"b\" \\'c\\''}",
        "{\"say\": \"a \\\"b\\\" 'c'\"}",
    ),
    (
        "[True, None, undefined, .5, 0x1F]",
        "[true, null, null, 0.5, 31]",
    ),
    ("{\"a\": \"x\ny\"}", "{\"a\": \"x\\ny\"}"),
    (
        "{\"a\": \"one\" + \"two\" , b: 3}",
        "{\"a\": \"onetwo\" , \"b\": 3}",
    ),
    ("{“a”: “b”}", "{\"a\": \"b\"}"),
    // What is spelled as JSON allows keeps its spelling.
    ("['caf\\u00e9']", "[\"caf\\u00e9\"]"),
    // Separators; a missing one stands before white space.
    ("{\"a\": 1\n  \"b\": 2}", "{\"a\": 1,\n  \"b\": 2}"),
    ("{\"a\" 1}", "{\"a\": 1}"),
    ("{\"a\": 1; b = 2,}", "{\"a\": 1, \"b\" : 2}"),
    ("[1, , 2,\n]", "[1,  2\n]"),
    ("{\"a\": , \"b\": 2}", "{\"a\": null, \"b\": 2}"),
    // Comments go, white space stays.
    ("[1, // one\n 2 /* two */ ]", "[1, \n 2  ]"),
    ("[1,\u{a0}2]", "[1, 2]"),
    ("\u{feff}[1.50, 2]", "[1.50, 2]"),
    // Containers.
    ("{\"a\": [1, 2, \"b\": 3}", "{\"a\": [1, 2], \"b\": 3}"),
    ("{\"a\": [1, {\"b\": 2", "{\"a\": [1, {\"b\": 2}]}"),
    ("[1, 2}", "[1, 2]"),
    ("{\"a\": 1}}", "{\"a\": 1}"),
    ("{\"a\": (1, 2,)}", "{\"a\": [1, 2]}"),
    ("\"a\": 1, \"b\": 2", "{\"a\": 1, \"b\": 2}"),
    (
        "{\"id\": ObjectId(\"5f\"), \"n\": 1}",
        "{\"id\": \"5f\", \"n\": 1}",
    ),
    // Around the value.
    ("```json\n{\"a\": 1}\n```", "\n{\"a\": 1}\n"),
    (
        "{\"a\": 1}\n{\"a\": 2}\n",
        "[\n{\"a\": 1},\n{\"a\": 2}\n\n]",
    ),
    // Written once more as a whole.
    ("{\\\"a\\\": \\\"x\\\",}", "{\"a\": \"x\"}"),
    ("> {\n>   \"a\": 1,\n> }", "{\n  \"a\": 1\n}"),
    // The end is missing.
    ("{\"a\": \"on", "{\"a\": \"on\"}"),
    ("{\"a\": tr", "{\"a\": true}"),
    ("[1, 2.", "[1, 2]"),
    ("{\"a\": 1,\"b\":", "{\"a\": 1}"),
];

/// The same for texts of which what is unfinished is completed.
const COMPLETED: &[(&str, &str)] = &[
    ("{\"a\": 1, \"b\": ", "{\"a\": 1, \"b\":null}"),
    (
        "{\"a\": {\"x\": [1]}, \"na",
        "{\"a\": {\"x\": [1]}, \"na\":null}",
    ),
    ("{\"a\": {\"b\":", "{\"a\": {\"b\":null}}"),
    ("{'it\\'s':", "{\"it's\":null}"),
    ("[1, 2.", "[1, 2.0]"),
    ("{\"a\": 1e-", "{\"a\": 1e-0}"),
    ("[1", "[1]"),
];

/// The same for texts of which comments are kept.
const COMMENTED: &[(&str, &str)] = &[
    // JSON with comments stays as it is.
    (
        "// a\r\n{ // b\r\n  \"c\": [ /* d */ ], /* e */\r\n  \"f\": {// g\r\n  } // h\r\n}\r\n// i",
        "// a\r\n{ // b\r\n  \"c\": [ /* d */ ], /* e */\r\n  \"f\": {// g\r\n  } // h\r\n}\r\n// i",
    ),
    // Between members; signs go before the comment behind a value.
    (
        "{a: 1, // one\n 'b': [2 # two\n 3, /* three */]}",
        "{\"a\": 1, // one\n \"b\": [2, // two\n 3 /* three */]}",
    ),
    (
        "{\n  \"a\": 1, // one\n  \"b\": 2, // two\n}",
        "{\n  \"a\": 1, // one\n  \"b\": 2 // two\n}",
    ),
    ("[1,// one\n]", "[1 // one\n]"),
    ("{#a\n##b\n}", "{//a\n//#b\n}"),
    (
        "{\"a\": // none\n, \"b\": 2}",
        "{\"a\": // none\nnull, \"b\": 2}",
    ),
    // A comment ends with its line, whatever it was taken to end with.
    ("[1, 2 // two", "[1, 2] // two"),
    ("{\\n // a\\n \"b\": 1}", "{ // a\n \"b\": 1}"),
    (
        "{\"a\": 1 // first, \"b\": 2}",
        "{\"a\": 1 // first\n, \"b\": 2}",
    ),
    (
        "// a\n{\"b\": 1}\n{\"b\": 2} // c",
        "[\n// a\n{\"b\": 1},\n{\"b\": 2} // c\n]",
    ),
    // Comments of other kinds go, and those that nothing closes.
    ("[1, <!-- one --> 2\n]", "[1,  2\n]"),
    ("[1, /* two", "[1] "),
    ("[1, /**/ 2, // ... 7 more\n]", "[1,  2 \n]"),
    // No comments of the text: what a string holds, and words around the value.
    ("{'a': 'b // c'}", "{\"a\": \"b // c\"}"),
    (
        "# Result\nSee https://example.org/a\n[1, 2,]\n# Done\n",
        "\n[1, 2]\n\n",
    ),
    ("// a\n\"text\"", "\n\"text\""),
];

/// The edits of a text.
const EDITS: &[(&str, &str)] = &[
    (
        "{'a': 1 // one\n b: 2",
        "1..4 \"a\" other_quotes | 7..7 , missing_comma | 8..14  comment | \
         16..17 \"b\" unquoted_key | 20..20 } unclosed_object",
    ),
    (
        "Sure: [1, 2,]",
        "0..5  surrounding_text | 11..12  extra_comma",
    ),
    ("{\"a\": (1, 2]", "6..7 [ tuple | 12..12 } unclosed_object"),
    // Each belongs to what stands there, and not to what is less sure beside it.
    (
        "{foo: bar}",
        "1..4 \"foo\" unquoted_key | 6..9 \"bar\" unquoted_string",
    ),
    (
        "{\"a\": [1, 2 \"b\": 3}",
        "11..11 ] missing_closer | 11..11 , missing_comma",
    ),
    (
        "{\"a\":{},\"b\":#x([{\"c\":\"d\"}])}",
        "12..17 \"#x([{\" unquoted_string | 17..17 , missing_comma | \
         25..26  extra_closer | 26..27  extra_closer | 27..28  extra_closer",
    ),
    // The closing bracket of a call belongs to it, whatever stands before it.
    (
        "{\"id\": str('5f'), b: 2}",
        "7..10  wrapper | 10..11  wrapper | 11..15 \"5f\" other_quotes | 15..16  wrapper | \
         18..19 \"b\" unquoted_key",
    ),
    // The quote behind a text is that of the text.
    ("{\"a\": x\", \"b\": 1}", "6..8 \"x\" missing_quote"),
    // Without a value there is nothing to change.
    ("[Note] The request.", ""),
];

#[test]
fn texts_are_repaired() {
    for (text, expected) in REPAIRED {
        assert_eq!(
            parse(text).repaired_text().as_deref(),
            Ok(*expected),
            "{text}"
        );
    }
    for (text, expected) in COMPLETED {
        let document = parse(text);
        let completed = document.repaired_text_with(Unfinished::Complete);
        assert_eq!(
            completed.map(String::from).as_deref(),
            Ok(*expected),
            "{text}"
        );
    }
    for (text, expected) in COMMENTED {
        let document = parse(text);
        let commented = document.repaired_text_with(Comments::Keep);
        assert_eq!(commented.as_deref(), Ok(*expected), "{text}");
        llmjson_syntax::laws::records_lead_to_the_value(text);
        llmjson_syntax::laws::kept_comments_read_back(text);
    }
    let options = EditOptions::from(Comments::Keep).with_unfinished(Unfinished::Complete);
    let document = parse("{ // a\n\"b\":");
    let completed = document.repaired_text_with(options);
    assert_eq!(completed.as_deref(), Ok("{ // a\n\"b\":null}"));
}

#[test]
fn edits_have_places_and_kinds() {
    let shown = |text| {
        let edits = parse(text).edits();
        let edits = edits.iter().map(|edit| {
            let (range, text) = (edit.span.range(), &edit.replacement);
            format!("{range:?} {text} {}", edit.kind)
        });
        edits.collect::<Vec<_>>().join(" | ")
    };
    for (text, expected) in EDITS {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

#[test]
fn text_without_a_value_has_an_offset() {
    let error = |text: &str| parse(text).repaired_text().map(drop).expect_err("no value");
    assert_eq!(error("  no value").offset, 2);
    assert_eq!(error(" ").offset, 1);
    let shown = error("  no value").to_string();
    assert_eq!(shown, "no JSON value from byte 2 on");
}

#[test]
fn more_repairs_than_are_recorded_are_edits_too() {
    use llmjson_syntax::{Limits, Parser};
    let mut limits = Limits::DEFAULT;
    limits.records = 3;
    let text = "{a: 'b', c: 'd', e: 'f'";
    let mut parser = Parser::new().with_limits(limits);
    let document: Document<'_> = parser.parse(text);
    let repaired = document.repaired_text().expect("a value");
    assert_eq!(repaired, "{\"a\": \"b\", \"c\": \"d\", \"e\": \"f\"}");
    let document: Document<'_> = parser.parse("[+1, +2, 0x10, +4, 1_000, +6]");
    let repaired = document.repaired_text().expect("a value");
    assert_eq!(
        repaired,
        document.to_json().unwrap_or_default().replace(',', ", ")
    );
    // With the limits that hold by default: in time that grows with the text.
    let many = format!("[{}]", ["+1"; 100_000].join(", "));
    let repaired = parse(&many).repaired_text().map(String::from);
    assert_eq!(repaired.ok(), Some(many.replace('+', "")));
}
