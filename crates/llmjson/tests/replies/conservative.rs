//! Reading with as few liberties as replies allow: its pieces, and what holds for any text.

use llmjson::compat::conservative::{clean, recover, regions};
use llmjson::{
    Failure, Parsed, Policy, Schema, laws,
    policy::Handling,
    report::{Coercion, CoercionKind},
    syntax::{Class, Limits, RepairKind},
};
use llmjson_testutil::Rng;
use llmjson_testutil::table::{Lines, lines, rows_of, some};

/// The rows of the tests.
const FILE: &str = include_str!("conservative.txt");

/// One object with a required text and an optional number.
fn schema() -> Schema {
    Schema::from_text(
        r#"{"type": "object", "properties": {
            "reply": {"type": "string", "x-aliases": ["message", "text"]},
            "score": {"type": "integer"}
        }, "required": ["reply"]}"#,
    )
    .unwrap()
}

fn read<'t>(text: &'t str, schema: &Schema) -> Parsed<'t> {
    Policy::conservative().parse(text, Some(schema))
}

fn failure(text: &str, policy: &Policy) -> Failure {
    let parsed = policy.parse(text, Some(&schema()));
    parsed.into_result().expect_err(text)
}

#[test]
fn fences_around_a_reply_go() {
    for [text, inner] in rows_of(FILE, "fences around a reply go") {
        assert_eq!(clean(text), inner, "{text:?}");
    }
}

#[test]
fn regions_begin_at_every_opener_that_is_closed() {
    let found = |text: &'static str| -> Vec<&str> {
        regions(text).into_iter().map(|at| &text[at]).collect()
    };
    assert_eq!(found(r#"a {"b": "}{"} c"#), [r#"{"b": "}{"}"#]);
    assert_eq!(found("no brackets"), [""; 0]);
    assert_eq!(found("{[}] {"), ["{[}", "[}]"]);
    assert_eq!(
        found(r#"[{"a": [1]}]"#),
        [r#"[{"a": [1]}]"#, r#"{"a": [1]}"#, "[1]"]
    );
    assert_eq!(found(r#"{"a\"}": "{}"}"#), [r#"{"a\"}": "{}"}"#, "{}"]);
}

/// The definition, one opener at a time.
fn regions_by_definition(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for start in 0..bytes.len() {
        let close = match bytes[start] {
            b'{' => b'}',
            b'[' => b']',
            _ => continue,
        };
        let (mut depth, mut string, mut at) = (0, false, start);
        while at < bytes.len() {
            match bytes[at] {
                b'\\' if string => at += 1,
                b'"' => string = !string,
                byte if byte == bytes[start] && !string => depth += 1,
                byte if byte == close && !string => depth -= 1,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                found.push(start..at);
                break;
            }
        }
    }
    found
}

#[test]
fn regions_are_those_of_the_definition() {
    let mut numbers = Rng::new(1);
    for _ in 0..20_000 {
        let text: String = (0..numbers.below(24))
            .map(|_| char::from(numbers.pick(b"{}[]\"\"\\a")))
            .collect();
        assert_eq!(regions(&text), regions_by_definition(&text), "{text}");
    }
}

#[test]
fn much_of_anything_is_read() {
    let policy = Policy::conservative().with_recovered_strings(Handling::Accept);
    for piece in ["{", "[", "{\"", "[{", "\"", "\\\"{", "{}", "{\"a\":", "}"] {
        let text = piece.repeat(1_000_000 / piece.len());
        let parsed = policy.parse(&text, Some(&schema()));
        assert!(!parsed.conforms());
    }
}

#[test]
fn regions_within_each_other_are_tried_within_a_bound() {
    // The closers of the outermost list do not fit; each list within it is strict JSON.
    let nested = |inner: &str, depth: usize| {
        let open = "[{\"next\":".repeat(depth);
        format!("{open}{inner}{}]}}", "}]".repeat(depth - 1))
    };
    let right = nested(r#"{"reply":"yes"}"#, 20);
    let parsed = read(&right, &schema());
    assert_eq!(parsed.to_json().as_deref(), Some(r#"{"reply":"yes"}"#));
    let schema = Schema::from_text(
        r##"{"type": "object", "required": ["reply"], "properties": {"next": {"type": "array",
            "items": {"$ref": "#"}}}}"##,
    );
    let many = vec![nested("1", 200); 20].join(",");
    assert!(!read(&many, &schema.unwrap()).conforms());
}

#[test]
fn what_broke_off_in_a_string_is_closed() {
    let json = |text: &str| recover(text).and_then(|document| document.to_json());
    for [text, value] in rows_of(FILE, "what broke off in a string is closed") {
        assert_eq!(json(text).as_deref(), Some(value), "{text:?}");
        assert!(recover(text).is_some_and(|document| !document.is_complete()));
    }
    let half = b"{\"a\": \"na\xC3";
    assert_eq!(
        recover(half)
            .and_then(|document| document.to_json())
            .as_deref(),
        Some(r#"{"a":"na"}"#)
    );
    assert!(recover(b"{\"a\": \"\xFF").is_none());
}

#[test]
fn what_broke_off_elsewhere_is_not() {
    for text in lines(FILE, "what broke off elsewhere is not") {
        assert!(recover(text).is_none(), "{text:?}");
    }
}

#[test]
fn the_lenient_policy_closes_at_any_depth() {
    let text = r#"{"answer": {"reply": "so"#;
    let parsed = llmjson::parse(text, None);
    assert_eq!(
        parsed.to_json().as_deref(),
        Some(r#"{"answer":{"reply":"so"}}"#)
    );
    let policy = Policy::conservative().with_recovered_strings(Handling::Accept);
    assert!(!policy.parse(text, None).conforms());
}

#[test]
fn what_was_recovered_is_on_record() {
    let text = r#"Or: {"reply": "x"#;
    let policy = Policy::conservative().with_recovered_strings(Handling::Accept);
    // Only a reply that is the object, fence or no fence, is recovered.
    assert_eq!(failure(text, &policy).code(), "json_parse_error");
    let text = r#"{"reply": "the end\n\n"#;
    let parsed = policy.parse(text, Some(&schema()));
    let pieces: Vec<_> = parsed
        .repairs()
        .iter()
        .map(|one| (one.kind.name(), &text[one.span.range()]))
        .collect();
    assert_eq!(
        pieces,
        [("unclosed_string", r"\n\n"), ("unclosed_object", "")]
    );
    assert!(parsed.conforms() && !parsed.is_complete());
    let reply = parsed.value().and_then(|root| root.get("reply"));
    assert_eq!(
        reply
            .and_then(|reply| reply.span())
            .map(|span| &text[span.range()]),
        Some("the end")
    );
}

#[test]
fn failures_have_names() {
    let policy = Policy::conservative();
    for text in ["", "no json", "{nope}", "{\"reply\": \"x", "{'reply': 'x'}"] {
        assert_eq!(failure(text, &policy).code(), "json_parse_error", "{text}");
    }
    for text in ["[1, 2]", "7", "\"words\"", "null", "```json\n[{}]\n```"] {
        let code = failure(text, &policy).code();
        assert_eq!(code, "unexpected_parse_result", "{text}");
    }
    for text in ["{}", r#"Only {"score": 1} here"#, r#"{"reply": 7}"#] {
        assert_eq!(failure(text, &policy).code(), "validation_error", "{text}");
    }
    let deep = "[".repeat(600) + &"]".repeat(600);
    assert_eq!(failure(&deep, &policy).code(), "limit_reached");
}

#[test]
fn the_length_is_looked_at_before_all_else() {
    let text = r#"Here: {"reply": "x"} .........."#;
    let limited = |bytes| Policy::conservative().with_input_bytes(bytes).unwrap();
    let length = text.len() as u64;
    assert_eq!(
        failure(text, &limited(length - 1)).code(),
        "input_too_large"
    );
    let parsed = limited(length).parse(text, None);
    assert!(parsed.conforms());
    let blank = " ".repeat(50);
    assert_eq!(failure(&blank, &limited(10)).code(), "input_too_large");
    assert!(Policy::conservative().with_input_bytes(0).is_err());
    assert!(Policy::conservative().with_input_bytes(1 << 32).is_err());
}

#[test]
fn so_many_places_are_tried() {
    let text = "{a} ".repeat(64) + r#"{"reply": "x"}"#;
    assert_eq!(
        failure(&text, &Policy::conservative()).code(),
        "limit_reached"
    );
    let limits = Limits::DEFAULT.with_candidates(65);
    let policy = Policy::conservative().with_limits(limits);
    assert!(policy.parse(&text, Some(&schema())).conforms());
}

#[test]
fn what_does_not_fit_is_said_before_that_a_limit_was_reached() {
    let text = r#"{"score": 1} "#.to_owned() + &"{a} ".repeat(64) + r#"{"reply": "x"}"#;
    let failure = failure(&text, &Policy::conservative());
    assert_eq!(failure.code(), "validation_error");
    assert_eq!(failure.violations()[0].path.to_string(), "$input.reply");
}

#[test]
fn casts_are_those_of_whole_texts() {
    let schema = Schema::from_text(
        r#"{"type": "object", "properties": {
            "days": {"type": "integer"}, "share": {"type": "number"}, "open": {"type": "boolean"},
            "note": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
            "required": ["days"]}"#,
    )
    .unwrap();
    for [text, value] in rows_of(FILE, "casts are those of whole texts") {
        let value = some(value);
        let parsed = read(text, &schema);
        let json = parsed.conforms().then(|| parsed.to_json()).flatten();
        assert_eq!(json.as_deref(), value, "{text}");
    }
}

#[test]
fn drafts_in_reasoning_are_no_answers() {
    let schema = schema();
    let draft = r#"{"reply": "draft"}"#;
    let answer = Some(r#"{"reply":"answer"}"#);
    for (text, value) in [
        (
            format!(r#"<think>{draft}</think> {{"reply": "answer"}}"#),
            answer,
        ),
        (
            format!("{draft}\n</think>\n{{\"reply\": \"answer\"}}"),
            answer,
        ),
        (
            format!(r#"<think>{draft}</think><think>{draft}</think>{{"reply": "answer"}}"#),
            answer,
        ),
        (
            format!(r#"Take {{"reply": "answer"}} <think>{draft}"#),
            answer,
        ),
        // Tags in strings of a value are text.
        (
            format!(
                r#"So {{"score": 1, "mood": "<think>"}} then {{"reply": "answer"}} <think>{draft}"#
            ),
            answer,
        ),
        // What stands outside is the answer even if it does not fit.
        (format!(r#"<think>{draft}</think> {{"score": 1}}"#), None),
        (format!("{draft}\n</think>\n{{\"score\": 1}}"), None),
        (format!(r#"<think>{draft}</think> [1]"#), None),
    ] {
        let parsed = read(&text, &schema);
        let json = parsed.conforms().then(|| parsed.to_json()).flatten();
        assert_eq!(json.as_deref(), value, "{text}");
        assert_ne!(
            parsed.to_json().as_deref(),
            Some(r#"{"reply":"draft"}"#),
            "{text}"
        );
    }
}

#[test]
fn what_was_cut_off_is_refused_whatever_else_is_set() {
    let text = r#"{"reply": "the e"#;
    let refusing = Policy::conservative().with_truncated(Handling::Refuse);
    for policy in [
        refusing.clone().with_recovered_strings(Handling::Accept),
        Policy::conservative()
            .with_recovered_strings(Handling::Accept)
            .with_truncated(Handling::Refuse),
        refusing
            .with_recovered_strings(Handling::Accept)
            .allow_up_to(Class::Guess),
    ] {
        assert_eq!(failure(text, &policy).refusals()[0].name(), "truncated");
        laws::policy_is_kept(text, Some(&schema()), &policy);
    }
    let accepting = Policy::conservative()
        .with_truncated(Handling::Refuse)
        .with_recovered_strings(Handling::Accept)
        .with_truncated(Handling::Accept);
    assert!(accepting.parse(text, Some(&schema())).conforms());
}

#[test]
fn other_objects_beside_the_chosen_one_are_on_record() {
    for (text, class) in [
        (r#"Here: {"reply": "x"}."#, Class::Certain),
        (
            r#"First: {"score": 1}. Then: {"reply": "x"}."#,
            Class::Likely,
        ),
        (r#"Either {"reply": "x"} or {"reply": "y"}."#, Class::Guess),
        (
            r#"So {"reply": "x"}. Again: {"reply": "x"}."#,
            Class::Certain,
        ),
        (
            r#"Use {this}: {"reply": "x", "more": {"reply": "y"}}"#,
            Class::Likely,
        ),
    ] {
        let schema = schema();
        let parsed = read(text, &schema);
        assert!(parsed.conforms(), "{text}");
        assert_eq!(parsed.certainty(), class, "{text}");
        let reply = parsed.value().and_then(|root| root.get("reply"));
        assert_eq!(
            reply.and_then(|reply| reply.as_str()).as_deref(),
            Some("x"),
            "{text}"
        );
    }
    let text = r#"Either {"reply": "x"} or {"reply": "y"}."#;
    let policy = Policy::conservative().deny_repair_as(RepairKind::ChosenValue, Class::Guess);
    assert_eq!(failure(text, &policy).refusals()[0].name(), "chosen_value");
    laws::policy_is_kept(text, Some(&schema()), &policy);
}

#[test]
fn a_draft_before_an_answer_that_was_cut_off_is_none() {
    let text = r#"Draft: {"reply": "x"} Final: {"score": 2, "reply": "y"#;
    let refused = failure(text, &Policy::conservative());
    assert_eq!(refused.refusals()[0].name(), "truncated");
    for text in [
        r#"See {"reply": "x"} and {this"#,
        r#"See {"reply": "x"} and {"#,
        r#"See {"reply": "x {\"y\""} and so on"#,
    ] {
        assert!(read(text, &schema()).conforms(), "{text}");
    }
}

#[test]
fn without_a_schema_the_first_object_is_taken() {
    let json = |text| Policy::conservative().parse(text, None).to_json();
    assert_eq!(
        json("See [1]: {\"a\": 1} {\"b\": 2}").as_deref(),
        Some(r#"{"a":1}"#)
    );
    assert_eq!(json("See [1] and [2, 3]").as_deref(), Some("[1]"));
    assert_eq!(json(" [2] ").as_deref(), Some("[2]"));
}

#[test]
fn what_another_decoder_read_is_bound_the_same_way() {
    let value = serde_json::json!({"name": "answer", "arguments": {"message": "x"}});
    let policy = Policy::conservative();
    let parsed = policy.coerce(&value, &schema());
    assert_eq!(parsed.to_json().as_deref(), Some(r#"{"reply":"x"}"#));
    let kinds: Vec<_> = parsed.coercions().iter().map(kind).collect();
    assert_eq!(kinds, ["envelope", "key_alias"]);
}

fn kind(coercion: &Coercion) -> &'static str {
    coercion.kind.name()
}

#[test]
fn an_envelope_counts_when_something_known_is_in_it() {
    let optional = Schema::from_text(
        r#"{"type": "object", "properties": {"reply": {"type": "string"}, "score": {"type": "integer"}}}"#,
    )
    .unwrap();
    let json = |text| {
        let parsed = read(text, &optional);
        parsed.conforms().then(|| parsed.to_json()).flatten()
    };
    for [text, value] in rows_of(FILE, "an envelope counts when something known is in it") {
        let value = some(value);
        assert_eq!(json(text).as_deref(), value, "{text}");
    }
    let declared = Schema::from_text(
        r#"{"type": "object", "properties": {"arguments": {"type": "object"}, "reply": {"type": "string"}}}"#,
    )
    .unwrap();
    let text = r#"{"arguments": {"reply": "x"}}"#;
    assert_eq!(
        read(text, &declared).to_json().as_deref(),
        Some(r#"{"arguments":{"reply":"x"}}"#)
    );
}

#[test]
fn an_object_that_was_written_as_text_is_read_twice_at_most() {
    let schema = schema();
    let written = |times: u32| {
        let mut text = r#"{"reply": "x"}"#.to_owned();
        for _ in 0..times {
            text = serde_json::to_string(&text).unwrap();
        }
        text
    };
    for times in 1..=2 {
        let text = written(times);
        let parsed = read(&text, &schema);
        assert_eq!(parsed.to_json().as_deref(), Some(r#"{"reply":"x"}"#));
        assert_eq!(parsed.coercions()[0].kind, CoercionKind::DoubleEncoded);
        assert_eq!(parsed.coercions().len(), times as usize);
    }
    assert!(!read(&written(3), &schema).conforms());
    // Where a text is asked for it stays one.
    let text = Schema::from_text(r#"{"type": "string"}"#).unwrap();
    let parsed = read(r#""{\"reply\": \"x\"}""#, &text);
    assert!(parsed.conforms() && parsed.coercions().is_empty());
    for same in lines(
        FILE,
        "an object that was written as text is read twice at most",
    ) {
        let parsed = read(same, &schema);
        assert!(parsed.conforms() && parsed.coercions().is_empty(), "{same}");
    }
}

/// Replies of all sorts.
static REPLIES: Lines = Lines::new(|| lines(FILE, "replies"));

#[test]
fn every_preset_leaves_its_own_results_alone() {
    let schema = schema();
    for name in Policy::PRESETS {
        let policy = Policy::named(name).unwrap();
        for text in REPLIES.iter() {
            let parsed = policy.parse(text, Some(&schema));
            if !parsed.conforms() {
                continue;
            }
            let json = parsed.to_json().unwrap();
            let again = policy.parse(&json, Some(&schema));
            assert_eq!(again.to_json().as_ref(), Some(&json), "{name}: {text}");
            assert!(again.repairs().is_empty() && again.coercions().is_empty());
            assert!(schema.is_valid(again.value().unwrap()), "{name}: {text}");
        }
    }
}

#[test]
fn the_laws_hold_for_every_beginning_of_every_reply() {
    let schema = schema();
    for text in REPLIES.iter() {
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            laws::every_policy(&text[..end], Some(&schema));
            laws::every_policy(&text[..end], None);
        }
    }
}
