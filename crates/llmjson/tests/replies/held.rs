//! What a stream with a schema holds back, and for how long.

use llmjson::Schema;
use llmjson::stream::Stream;

/// A schema, pieces of a reply, and the value that is shown after each and at the end.
struct Case {
    name: &'static str,
    schema: &'static str,
    pieces: &'static [(&'static str, &'static str)],
    whole: &'static str,
}

/// Two members that are declared, one of which is required.
const TRIP: &str = r#"{"type": "object", "properties": {
    "city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["days"]}"#;

/// A list of objects whose numbers are required.
const LINES: &str = r#"{"type": "object", "properties": {"lines": {"type": "array", "items":
    {"type": "object", "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}},
     "required": ["sku", "count"]}}}}"#;

/// An object that takes numbers under any other name.
const OPEN: &str = r#"{"type": "object", "properties": {"city": {"type": "string"},
    "days": {"type": "integer"}}, "required": ["city"], "additionalProperties": {"type": "number"}}"#;

/// An object that declares names by pattern.
const PATTERNS: &str = r#"{"type": "object", "properties": {"city": {"type": "string"}},
    "patternProperties": {"^n_": {"type": "integer"}}}"#;

/// Two branches that are told apart by a tag.
const TAGGED: &str = r#"{"type": "object", "properties": {"step": {"oneOf": [
    {"type": "object", "properties": {"kind": {"const": "go"}, "to": {"type": "string"}},
     "required": ["kind", "to"]},
    {"type": "object", "properties": {"kind": {"const": "stay"}, "days": {"type": "integer"}},
     "required": ["kind", "days"]}]}}}"#;

const CASES: &[Case] = &[
    Case {
        name: "an undeclared text that can mean nothing else grows in its place",
        schema: TRIP,
        pieces: &[
            (r#"{"reason": ""#, "{}"),
            ("It is ", r#"{"reason":"It is"}"#),
            (
                r#"near.", "city": "Par"#,
                r#"{"reason":"It is near.","city":"Par"}"#,
            ),
        ],
        whole: r#"{"reason":"It is near.","city":"Par"}"#,
    },
    Case {
        name: "an undeclared object may be the value in an envelope until the end",
        schema: TRIP,
        pieces: &[
            (r#"{"notes": {"a": 1}, "city": "Par"#, r#"{"city":"Par"}"#),
            (
                r#"is", "days": "2", "extra": [1"#,
                r#"{"city":"Paris","days":2,"extra":[]}"#,
            ),
            (
                "]}",
                r#"{"notes":{"a":1},"city":"Paris","days":2,"extra":[1]}"#,
            ),
        ],
        whole: r#"{"notes":{"a":1},"city":"Paris","days":2,"extra":[1]}"#,
    },
    Case {
        name: "a respelled member waits, those behind it do not",
        schema: TRIP,
        pieces: &[
            (r#"{"City": "Paris", "#, "{}"),
            (r#""days": "3"#, "{}"),
            (r#"", "note": "by tr"#, r#"{"days":3,"note":"by tr"}"#),
            (r#"ain"}"#, r#"{"city":"Paris","days":3,"note":"by train"}"#),
        ],
        whole: r#"{"city":"Paris","days":3,"note":"by train"}"#,
    },
    Case {
        name: "another spelling of a member that has come stays what it is",
        schema: TRIP,
        pieces: &[
            (
                r#"{"city": "Paris", "CITY": "Ly"#,
                r#"{"city":"Paris","CITY":"Ly"}"#,
            ),
            (r#"on", "days": 1"#, r#"{"city":"Paris","CITY":"Lyon"}"#),
            ("}", r#"{"city":"Paris","CITY":"Lyon","days":1}"#),
        ],
        whole: r#"{"city":"Paris","CITY":"Lyon","days":1}"#,
    },
    Case {
        name: "a respelled member whose own name comes later stays what it is",
        schema: TRIP,
        pieces: &[
            (r#"{"CITY": "Lyon", "city": "Par"#, r#"{"city":"Par"}"#),
            (r#"is"}"#, r#"{"CITY":"Lyon","city":"Paris"}"#),
        ],
        whole: r#"{"CITY":"Lyon","city":"Paris"}"#,
    },
    Case {
        name: "an envelope is opened at the end",
        schema: TRIP,
        pieces: &[
            (r#"{"tool": "plan", "arguments": {"city": "Paris""#, "{}"),
            (r#", "days": "3"}}"#, r#"{"city":"Paris","days":3}"#),
        ],
        whole: r#"{"city":"Paris","days":3}"#,
    },
    Case {
        name: "what may be an envelope shows what is declared beside it",
        schema: TRIP,
        pieces: &[
            (r#"{"type": "trip", "city": "Par"#, r#"{"city":"Par"}"#),
            (r#"is", "arguments": {"days": "3"}"#, r#"{"city":"Paris"}"#),
            ("}", r#"{"city":"Paris","days":3}"#),
        ],
        whole: r#"{"city":"Paris","days":3}"#,
    },
    Case {
        name: "content of an envelope comes before what is declared behind it",
        schema: TRIP,
        pieces: &[
            (
                r#"{"data": {"days": "3"}, "city": "Par"#,
                r#"{"city":"Par"}"#,
            ),
            (r#"is"}"#, r#"{"days":3,"city":"Paris"}"#),
        ],
        whole: r#"{"days":3,"city":"Paris"}"#,
    },
    Case {
        name: "a null waits, those behind it do not",
        schema: TRIP,
        pieces: &[
            (
                r#"{"city": null, "days": 2, "note": "a"#,
                r#"{"days":2,"note":"a"}"#,
            ),
            (
                r#"", "City": "Paris"}"#,
                r#"{"days":2,"note":"a","city":"Paris"}"#,
            ),
        ],
        whole: r#"{"days":2,"note":"a","city":"Paris"}"#,
    },
    Case {
        name: "objects in a list show what they held back as each is closed",
        schema: LINES,
        pieces: &[
            (
                r#"{"lines": [{"meta": {}, "sku": "A"#,
                r#"{"lines":[{"sku":"A"}]}"#,
            ),
            (r#"-1", "Count": "2"#, r#"{"lines":[{"sku":"A-1"}]}"#),
            (
                r#""}, {"#,
                r#"{"lines":[{"meta":{},"sku":"A-1","count":2}]}"#,
            ),
            (
                r#""SKU": "B", "count": 1, "x": t"#,
                r#"{"lines":[{"meta":{},"sku":"A-1","count":2},{"count":1}]}"#,
            ),
            (
                r#"rue}]"#,
                r#"{"lines":[{"meta":{},"sku":"A-1","count":2},{"sku":"B","count":1,"x":true}]}"#,
            ),
        ],
        whole: r#"{"lines":[{"meta":{},"sku":"A-1","count":2},{"sku":"B","count":1,"x":true}]}"#,
    },
    Case {
        name: "what is welcome is shown once nothing required is missing",
        schema: OPEN,
        pieces: &[
            (r#"{"Days": "1", "CITY": "Paris", "#, r#"{"Days":1}"#),
            (
                r#""city": "Lyon", "DAYS": "2", "x": 7"#,
                r#"{"Days":1,"city":"Lyon","DAYS":2}"#,
            ),
            (
                r#"}"#,
                r#"{"Days":1,"CITY":"Paris","city":"Lyon","DAYS":2,"x":7}"#,
            ),
        ],
        whole: r#"{"Days":1,"CITY":"Paris","city":"Lyon","DAYS":2,"x":7}"#,
    },
    Case {
        name: "a name that a pattern declares is declared",
        schema: PATTERNS,
        pieces: &[(
            r#"{"n_a": "1", "X": {}, "n_b": 2, "City": "Paris", "why": "s"#,
            r#"{"n_a":1,"n_b":2,"why":"s"}"#,
        )],
        whole: r#"{"n_a":1,"X":{},"n_b":2,"city":"Paris","why":"s"}"#,
    },
    Case {
        name: "an object waits for its tag, and no longer",
        schema: TAGGED,
        pieces: &[
            (r#"{"step": {"x": {}, "to": "Par"#, "{}"),
            (
                r#"is", "kind": "go", "why": "#,
                r#"{"step":{"to":"Paris","kind":"go"}}"#,
            ),
            (
                r#""so"}"#,
                r#"{"step":{"to":"Paris","kind":"go","why":"so"}}"#,
            ),
            (
                "}",
                r#"{"step":{"x":{},"to":"Paris","kind":"go","why":"so"}}"#,
            ),
        ],
        whole: r#"{"step":{"x":{},"to":"Paris","kind":"go","why":"so"}}"#,
    },
    Case {
        name: "JSON in a string holds back no more than JSON outside",
        schema: LINES,
        pieces: &[
            (
                r#"{"lines": "[{\"meta\": {}, \"sku\": \"A\", "#,
                r#"{"lines":[{"sku":"A"}]}"#,
            ),
            (
                r#"\"Count\": 1}, {\"co"#,
                r#"{"lines":[{"meta":{},"sku":"A","count":1}]}"#,
            ),
            (
                r#"unt\": 2}]"}"#,
                r#"{"lines":[{"meta":{},"sku":"A","count":1},{"count":2}]}"#,
            ),
        ],
        whole: r#"{"lines":[{"meta":{},"sku":"A","count":1},{"count":2}]}"#,
    },
];

#[test]
fn members_hold_back_only_themselves() {
    for case in CASES {
        let schema = Schema::from_text(case.schema).expect("a schema");
        let mut stream = Stream::new(Some(&schema));
        for (piece, shown) in case.pieces {
            stream.push(piece);
            let value = stream.value().map(|value| value.to_json());
            assert_eq!(value.as_deref(), Some(*shown), "{}: {piece}", case.name);
        }
        let finished = stream.finish();
        let whole = finished.parsed.to_json();
        assert_eq!(whole.as_deref(), Some(case.whole), "{}", case.name);
        assert!(!finished.superseded, "{}", case.name);
    }
}

/// Pieces of any length show members in the same order, and give the same.
#[test]
fn the_laws_of_streams_hold_for_what_is_held_back() {
    for case in CASES {
        let schema = Schema::from_text(case.schema).expect("a schema");
        let text: String = case.pieces.iter().map(|(piece, _)| *piece).collect();
        for length in [1, 2, 3, 7, 1000] {
            llmjson::laws::every_coerced_stream(&text, &schema, || || length);
        }
    }
}

#[test]
fn objects_within_objects_are_shown_though_each_holds_a_member_back() {
    let schema = r##"{"type": "object", "properties": {"city": {"type": "string"},
        "note": {"type": "string"}, "next": {"$ref": "#"}}, "required": ["city"]}"##;
    let schema = Schema::from_text(schema).unwrap();
    for depth in [1, 4, 16, 64] {
        let reply = r#"{"the_city": "Oslo", "next": "#.repeat(depth) + r#"{"note": "Rain all day"#;
        for length in [1, 7, usize::MAX] {
            let mut stream = Stream::new(Some(&schema));
            for piece in reply.as_bytes().chunks(length) {
                stream.push_bytes(piece).unwrap();
            }
            let shown = stream.value().map(|value| value.to_json());
            let shown = shown.unwrap_or_default();
            assert_eq!(
                shown.matches("next").count(),
                depth,
                "{depth} by {length}: {shown}"
            );
            assert!(shown.contains("Rain"), "{depth} by {length}: {shown}");
        }
    }
}
