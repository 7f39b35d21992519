//! Replies that something carried, and replies that only look so.

use std::fmt::Write as _;

use llmjson_syntax::laws::work::{cost_of_parse, work_is_bounded};
use llmjson_syntax::{Class, parse};

/// JSON whose strings hold what carriers leave: it is what it says.
const STRICT: &[&str] = &[
    r#"{"a": "x &lt; y &amp;&quot;z&quot;"}"#,
    r#"{"a": "https://example.org/%7B%22b%22%3A%201%7D?c=%20"}"#,
    r#"{"a": "{\\u0022b\\u0022: 1}", "c": "\u0022"}"#,
    r#"{"a": "{\\x22b\\x22: 1}"}"#,
    r#"{"a": "=7B=22b=22: 1}", "c": "d=3D"}"#,
    r#"{"a": "ĠxĊy", "b": "▁x"}"#,
    r#"{"a": "â€œxâ€", "b": "Ã¶"}"#,
    r#"{"a": "<br>x<span class='y'>z</span>"}"#,
    r#"{"a": "it'\\''s", "b": "`\"x`\""}"#,
    r#"{"a": "｛＂b＂：１｝"}"#,
    r#"{"a": "data: {\"choices\": [{\"delta\": {\"content\": \"x\"}}]}"}"#,
];

#[test]
fn what_needs_no_repair_is_read_as_it_stands() {
    for json in STRICT {
        let expected: serde_json::Value = serde_json::from_str(json).expect("strict JSON");
        for text in [
            (*json).to_owned(),
            format!("```json\n{json}\n```"),
            format!("Here it is:\n{json}\nDone."),
        ] {
            let document = parse(&text);
            let value = document.to_json().expect("a value");
            assert_eq!(
                serde_json::from_str::<serde_json::Value>(&value).ok(),
                Some(expected.clone()),
                "{text}"
            );
            assert_eq!(document.certainty(), Class::Certain, "{text}");
        }
    }
}

/// What a carrier leaves costs no more than letters do.
#[test]
fn what_needs_no_repair_costs_nothing_more() {
    let letters = "```json\n{\"a\": \"x22x7Bx22\", \"b\": [1, 2]}\n```\n";
    let signs = letters.replace("x22", "%22").replace("x7B", "%7B");
    assert_eq!(cost_of_parse(&signs).work, cost_of_parse(letters).work);
}

/// What only looks like a carrier stays although the reply is damaged.
#[test]
fn damage_is_no_carrier() {
    for (text, value) in [
        (
            "{'link': 'https://example.org/a%20b?q=%22x%22', 'n': 1,}",
            r#"{"link":"https://example.org/a%20b?q=%22x%22","n":1}"#,
        ),
        (
            "{\"html\": \"<a href=\"x.html\" class=\"y\">go</a>\", 'n': 1,}",
            r#"{"html":"<a href=\"x.html\" class=\"y\">go</a>","n":1}"#,
        ),
        (
            "{\"a\": \"x &lt; y\", b: 'c', d: True,}",
            r#"{"a":"x &lt; y","b":"c","d":true}"#,
        ),
        (
            "{a: 'f(x)\n  1: one\n  2: two', b: None,}",
            r#"{"a":"f(x)\n  1: one\n  2: two","b":null}"#,
        ),
        (
            "{'table': '+---+---+\n| a | b |\n+---+---+', 'n': 1,}",
            r#"{"table":"+---+---+\n| a | b |\n+---+---+","n":1}"#,
        ),
    ] {
        assert_eq!(parse(text).to_json().as_deref(), Some(value), "{text}");
    }
}

/// Each carrier over a long reply, whole and broken, and many of them one within the other.
#[test]
fn work_is_bounded_over_long_replies() {
    let mut json = String::from("[");
    for at in 0..400 {
        let _ = writeln!(json, "{{\"name\": \"boat {at}\", \"crew\": {at}}},");
    }
    json.push_str("null]");
    let lines = |prefix: &str| json.replace('\n', &format!("\n{prefix}"));
    let shapes = [
        lines("12:00:01 INFO "),
        lines("app-1  | "),
        lines("> "),
        lines("data: "),
        json.replace('"', "\\u0022"),
        json.replace('"', "\\x22"),
        json.replace('"', "%22").replace('{', "%7B"),
        json.replace('"', "&quot;"),
        json.replace('"', "&amp;amp;quot;"),
        json.replace('"', "=22"),
        json.replace(' ', "Ġ"),
        json.replace(' ', "▁"),
        json.replace('"', "â€œ"),
        json.replace('"', "＂").replace('{', "｛"),
        json.replace('"', "`\""),
        json.replace('{', "\\{").replace('[', "\\["),
        json.replace('"', "``").replace("``,", "'',"),
        json.replace('\n', "<br>\n").replace('"', "&quot;"),
        json.replace("\",", "'\\''"),
        "data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n".repeat(500),
        "%22%7B&quot;\\u0022\\x22=22Ġ▁â€œ＂`\"\\{``''<br>\n| > 1: ".repeat(300),
        "{\"choices\":[\n".repeat(500),
        "12:00:01 {\n".repeat(800),
        "%25".repeat(3000) + "7B%22",
        "```json\n{\"a\": [\n```\n".repeat(400),
        "{\"a\": [1,\nUser: continue\nAssistant:\n".repeat(300),
        "{\"aaaaaaaaaaaaaaaaaaaaaaaa\n(continued)\n".repeat(300),
    ];
    for shape in shapes {
        work_is_bounded(&shape);
        work_is_bounded(&shape[..shape.floor_char_boundary(shape.len() / 2)]);
    }
}
