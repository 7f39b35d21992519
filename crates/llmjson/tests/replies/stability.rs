//! What a stream shows of a reply after each byte, held against the value at its end by a comparison
//! of its own: a member, item or piece of text that later vanishes or changes has the wrong shape.

use llmjson::{
    Schema, stream,
    syntax::{Kind, Stream, ValueRef},
};

/// A document with what tempts a reader to see structure inside strings.
const DOCUMENT: &str = r#"{
  "id": 1042,
  "title": "A \"quoted\" word, and: a colon",
  "note": "see {\"a\": [1, 2]}, then: stop",
  "ratio": -12.50e+3,
  "tags": ["new, name: x", "é \ud83d\ude00 \u00e9", "C:\\temp"],
  "customer": {"name": "O'Neil", "vip": true, "since": null, "open": []},
  "lines": [{"sku": "A-1", "count": 2}, {"sku": "B, \"2\"", "count": 10}],
  "last": "end"
}"#;

const SCHEMA: &str = r#"{"type": "object", "properties": {
    "id": {"type": "integer"}, "title": {"type": "string"}, "note": {"type": "string"},
    "ratio": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}},
    "customer": {"type": "object", "properties": {"name": {"type": "string"},
        "vip": {"type": "boolean"}, "since": {"type": ["string", "null"]},
        "open": {"type": "array"}}},
    "lines": {"type": "array", "items": {"type": "object", "properties": {
        "sku": {"type": "string"}, "count": {"type": "integer"}}}},
    "last": {"type": "string"}}}"#;

/// Whether a value that was shown may grow into the later one: its members and items are the first
/// ones there, in their order. Only the last string of all may be the beginning of the later one.
fn is_beginning(shown: ValueRef<'_>, later: ValueRef<'_>, last: bool) -> bool {
    if shown.kind() != later.kind() {
        return false;
    }
    match shown.kind() {
        Kind::Object => {
            let count = shown.members().count();
            let mut rest = later.members();
            let alike = shown.members().enumerate().all(|(place, (name, value))| {
                rest.next().is_some_and(|(other, later)| {
                    name == other && is_beginning(value, later, last && place + 1 == count)
                })
            });
            alike && (last || rest.next().is_none())
        }
        Kind::Array => {
            let count = shown.items().count();
            let mut rest = later.items();
            let alike = shown.items().enumerate().all(|(place, value)| {
                let last = last && place + 1 == count;
                rest.next()
                    .is_some_and(|later| is_beginning(value, later, last))
            });
            alike && (last || rest.next().is_none())
        }
        Kind::String if last => {
            (later.as_str().unwrap_or_default()).starts_with(&*shown.as_str().unwrap_or_default())
        }
        _ => shown.to_json() == later.to_json(),
    }
}

/// What was shown after each byte.
#[derive(Debug, Default, PartialEq)]
struct Count {
    /// Nothing yet.
    none: usize,
    /// Something that the whole value does not begin with.
    wrong: usize,
}

impl Count {
    fn add(&mut self, shown: Option<ValueRef<'_>>, whole: Option<ValueRef<'_>>) {
        match (shown, whole) {
            (None, _) => self.none += 1,
            (Some(shown), Some(whole)) if is_beginning(shown, whole, true) => {}
            _ => self.wrong += 1,
        }
    }
}

/// What a stream shows of a text whose value stands at its end.
fn count(text: &str) -> Count {
    let whole = llmjson::syntax::parse(text);
    let mut count = Count::default();
    let mut stream = Stream::new();
    for byte in text.as_bytes() {
        stream.push_bytes(&[*byte]).expect("a text");
        count.add(stream.document().root(), whole.root());
    }
    let finished = stream.finish();
    assert_eq!(finished.document.to_json(), whole.to_json(), "{text}");
    assert!(!finished.superseded, "{text}");
    count
}

/// The same with a schema.
fn count_coerced(text: &str, schema: &Schema) -> Count {
    let whole = llmjson::parse(text, Some(schema));
    let mut count = Count::default();
    let mut stream = stream::Stream::new(Some(schema));
    for byte in text.as_bytes() {
        stream.push_bytes(&[*byte]).expect("a text");
        count.add(stream.value(), whole.value());
    }
    let finished = stream.finish();
    assert_eq!(finished.parsed.to_json(), whole.to_json(), "{text}");
    assert!(!finished.superseded, "{text}");
    count
}

/// The document with one kind of damage each, and with what stands around replies.
fn damaged() -> Vec<(&'static str, String)> {
    let with = |from: &str, to: &str| {
        let text = DOCUMENT.replace(from, to);
        assert_ne!(text, DOCUMENT, "{from}");
        text
    };
    let bare = |text: &str| {
        let names = ["id", "title", "note", "ratio", "tags", "customer", "lines"];
        names.iter().fold(text.to_owned(), |text, name| {
            text.replace(&format!("\"{name}\":"), &format!("{name}:"))
        })
    };
    let single = with(r#""O'Neil""#, r#"'O\'Neil'"#).replace("\"last\": \"end\"", "'last': 'end'");
    vec![
        ("trailing comma", with("\"end\"\n", "\"end\",\n")),
        (
            "trailing comma in a list",
            with("\"C:\\\\temp\"", "\"C:\\\\temp\","),
        ),
        (
            "comments",
            with("  \"ratio\"", "  // the ratio\n  /* in all */ \"ratio\""),
        ),
        ("python", with("true", "True").replace("null", "None")),
        ("names without quotes", bare(DOCUMENT)),
        ("single quotes", single),
        ("missing comma", with("-12.50e+3,\n", "-12.50e+3\n")),
        ("missing comma in a list", with("2}, {", "2} {")),
        ("raw line break", with("then: stop", "then:\n stop")),
        ("invalid escape", with("C:\\\\temp", "C:\\temp\\users")),
        (
            "inner quotes",
            with("A \\\"quoted\\\" word", "A \"quoted\" word"),
        ),
        ("other number", with("1042", "+1042")),
        ("wrong closer", with("10}]", "10}}")),
        ("extra closer", with("\"open\": []}", "\"open\": []}}")),
        ("cut in a string", DOCUMENT[..DOCUMENT.len() - 6].to_owned()),
        (
            "cut in a list",
            DOCUMENT[..DOCUMENT.find("B, ").expect("it is there")].to_owned(),
        ),
        ("fence", format!("```json\n{DOCUMENT}\n```")),
        ("fence that stays open", format!("```json\n{DOCUMENT}")),
        (
            "prose",
            format!("Here is the order, as asked:\n\n{DOCUMENT}\n\nIs there anything else?"),
        ),
        (
            "reasoning",
            format!("<think>An object {{\"id\": 1}}? Yes.</think>\n{DOCUMENT}"),
        ),
        (
            "all at once",
            format!(
                "Sure!\n\n```json\n{}\n```\nDone.",
                bare(&with("\"end\"\n", "\"end\",\n")).replace("true", "True")
            ),
        ),
    ]
}

#[test]
fn valid_documents_never_show_a_wrong_shape() {
    // Until the first colon a brace may open a set.
    let colon = DOCUMENT.find(':').expect("it is there");
    let compact = llmjson::syntax::parse(DOCUMENT).to_json().expect("a value");
    let none = compact.find(':').expect("it is there");
    assert_eq!(
        count(DOCUMENT),
        Count {
            none: colon,
            wrong: 0
        }
    );
    assert_eq!(count(&compact), Count { none, wrong: 0 });
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    assert_eq!(count_coerced(DOCUMENT, &schema).wrong, 0);
    assert_eq!(count_coerced(&compact, &schema).wrong, 0);
}

#[test]
fn damaged_documents_never_show_a_wrong_shape() {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    for (name, text) in damaged() {
        let count = count(&text);
        assert_eq!(count.wrong, 0, "{name}");
        // What was put right does not hold the value back for long.
        let start = text.rfind("{\n").unwrap_or_default();
        assert!(
            count.none < start + 200,
            "{name}: {} before a value",
            count.none
        );
        assert_eq!(
            count_coerced(&text, &schema).wrong,
            0,
            "{name} with a schema"
        );
    }
}
