//! Policies: what they allow, what they refuse, and how that is said.

use llmjson::{
    Policy, Schema,
    feedback::Reason,
    policy::{AllowedRepairs, FinishReason, Handling, Names, Undeclared},
    report::CoercionKind,
    stream::Stream,
    stringify,
    syntax::{Change, Class, Limits, RepairKind},
};
use llmjson_testutil::table::{lines, rows_of};

/// The rows of the tests.
const FILE: &str = include_str!("policy.txt");

fn schema(text: &str) -> Schema {
    Schema::from_text(text).unwrap()
}

fn payment() -> Schema {
    schema(
        r#"{"type": "object",
            "properties": {"recipientName": {"type": "string"}, "cents": {"type": "integer"}},
            "required": ["recipientName", "cents"]}"#,
    )
}

/// The value as JSON if it conforms.
fn accepted(text: &str, schema: &Schema, policy: &Policy) -> Option<String> {
    let parsed = policy.parse(text, Some(schema));
    parsed.conforms().then(|| parsed.to_json().unwrap())
}

/// A policy may take another reading than the one that a stream without a schema has shown.
#[test]
fn a_stream_without_a_schema_ends_as_its_policy_says() {
    for text in lines(FILE, "a stream without a schema ends as its policy says") {
        for policy in ["lenient", "strict", "exact", "shape", "conservative"] {
            let policy: Policy = policy.parse().expect("a preset");
            for (followed, length) in [(false, 1), (true, 3), (false, text.len())] {
                let mut stream = Stream::new(None).with_policy(policy.clone());
                let mut has_shown = false;
                for piece in text.as_bytes().chunks(length) {
                    stream.push_bytes(piece).expect("the text is UTF-8");
                    has_shown |= stream.value().is_some();
                    if followed {
                        stream.events();
                    }
                }
                let finished = stream.finish();
                let whole = policy.parse(text, None);
                assert_eq!(finished.parsed.to_json(), whole.to_json(), "{text}");
                assert_eq!(finished.parsed.refused(), whole.refused(), "{text}");
                assert!(has_shown || !finished.superseded, "{text}");
                let mut events = finished.events.iter();
                let told = events.any(|one| one.change == Change::Superseded);
                assert_eq!(told, followed && finished.superseded, "{text}");
                assert!(followed || finished.events.is_empty(), "{text}");
            }
        }
    }
}

#[test]
fn lenient_is_what_calls_without_a_policy_do() {
    let schema = payment();
    for text in ["{cents: '3', recipient_name: 'Ada'", "[1", "", "no", "{}"] {
        let shown = |parsed: llmjson::Parsed<'_>| format!("{parsed:?}");
        let with = Policy::default().parse(text, Some(&schema));
        assert_eq!(shown(with), shown(llmjson::parse(text, Some(&schema))));
        let with = Policy::lenient().arguments(text, None);
        assert_eq!(shown(with), shown(llmjson::arguments(text, None)));
        let value = serde_json::json!({"text": text, "Cents": "3"});
        let with = Policy::lenient().coerce(&value, &schema);
        assert_eq!(shown(with), shown(llmjson::coerce(&value, &schema)));
    }
}

#[test]
fn names_are_compared_as_asked() {
    let schema = payment();
    let spelled = r#"{"recipient_name": "Ada", "cents": 3}"#;
    let derived = r#"{"recipient": "Ada", "cents": 3}"#;
    let value = Some(r#"{"recipientName":"Ada","cents":3}"#.to_owned());
    let table = [
        (Names::Exact, None, None),
        (Names::Normalized, value.clone(), None),
        (Names::Derived, value.clone(), value.clone()),
    ];
    for (names, for_spelled, for_derived) in table {
        let policy = Policy::lenient().with_names(names);
        assert_eq!(
            accepted(spelled, &schema, &policy),
            for_spelled,
            "{names:?}"
        );
        assert_eq!(
            accepted(derived, &schema, &policy),
            for_derived,
            "{names:?}"
        );
    }
}

#[test]
fn classes_are_allowed_and_denied() {
    let schema = payment();
    // Certain, likely, a guess.
    let texts = [
        "{'recipientName': 'Ada', 'cents': \"3\"}",
        "{\"recipientName\" \"Ada\", \"cents\": 3}",
        "{\"recipientName\": \"Ada, \"cents\": 3}",
    ];
    let classes = [Class::Certain, Class::Likely, Class::Guess];
    for (at, class) in classes.into_iter().enumerate() {
        for policy in [
            Policy::strict().allow_up_to(class),
            Policy::lenient().deny_beyond(class),
        ] {
            for (index, text) in texts.iter().enumerate() {
                let allowed = accepted(text, &schema, &policy).is_some();
                assert_eq!(allowed, index <= at, "{text} up to {class}");
            }
        }
    }
    let policy = Policy::strict().allow_up_to(Class::Guess);
    let on_request = CoercionKind::ALL.iter().filter(|kind| kind.is_opt_in());
    assert!(on_request.clone().count() > 0);
    assert!(
        on_request
            .clone()
            .all(|kind| !policy.allows_coercion(*kind))
    );
}

#[test]
fn undeclared_members_are_kept_dropped_or_rejected() {
    let schema = payment();
    let text = r#"{"recipientName": "Ada", "cents": 3, "memo": 1}"#;
    let with = |unknown| accepted(text, &schema, &Policy::lenient().with_undeclared(unknown));
    let kept = r#"{"recipientName":"Ada","cents":3,"memo":1}"#.to_owned();
    let dropped = r#"{"recipientName":"Ada","cents":3}"#.to_owned();
    assert_eq!(with(Undeclared::Keep), Some(kept));
    assert_eq!(with(Undeclared::Drop), Some(dropped));
    assert_eq!(with(Undeclared::Reject), None);
}

#[test]
fn limits_are_those_of_the_policy() {
    let policy = Policy::lenient().with_limits(Limits::DEFAULT.with_input_bytes(3));
    let failure = policy.parse("[1, 2]", None).into_result();
    let reason = failure.unwrap_err().reason().clone();
    assert!(matches!(reason, Reason::Limit(_)), "{reason:?}");
    let policy = Policy::lenient().with_limits(Limits::DEFAULT.with_depth(2));
    assert!(!policy.parse("[[[1]]]", None).conforms());
    assert!(policy.parse("[[1]]", None).conforms());
}

#[test]
fn more_repairs_than_are_recorded_may_be_any() {
    let limits = Limits::DEFAULT.with_records(1);
    let lenient = Policy::lenient().with_limits(limits);
    assert!(lenient.parse("['a', 'b', 'c']", None).conforms());
    let policy = lenient.deny_repair(RepairKind::Tuple);
    let parsed = policy.parse("['a', 'b', 'c']", None);
    let refused: Vec<_> = parsed.refused().iter().map(|one| one.name()).collect();
    assert_eq!(refused, ["records_capped"]);
}

#[test]
fn arguments_that_were_not_written() {
    let nothing_required =
        schema(r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#);
    for text in ["", " \n", "null"] {
        for policy in [Policy::lenient(), Policy::tool(), Policy::exact()] {
            let parsed = policy.arguments(text, Some(&nothing_required));
            assert_eq!(parsed.to_json().as_deref(), Some("{}"), "{text:?}");
            assert!(parsed.conforms());
        }
        let parsed = Policy::strict().arguments(text, Some(&nothing_required));
        assert!(!parsed.conforms(), "{text:?}");
    }
    // A reply that was cut off before anything was written holds no empty object.
    let policy = Policy::tool().with_finish_reason(FinishReason::Length);
    let parsed = policy.arguments("", Some(&nothing_required));
    assert!(!parsed.conforms());
}

#[test]
fn a_tool_has_a_name_for_its_envelope() {
    let schema = payment();
    let text = r#"{"pay": {"recipientName": "Ada", "cents": 3}}"#;
    assert_eq!(accepted(text, &schema, &Policy::tool()), None);
    let policy = Policy::tool().with_tool("pay");
    let value = r#"{"recipientName":"Ada","cents":3}"#.to_owned();
    assert_eq!(accepted(text, &schema, &policy), Some(value));
}

#[test]
fn a_document_is_judged_by_how_it_was_read() {
    let schema = payment();
    let reply = "{recipientName: 'Ada', \"cents\": 3";
    let coerce = |policy: &Policy| {
        let document = llmjson::syntax::parse(reply);
        let parsed = policy.coerce(document, &schema);
        let refused: Vec<_> = parsed.refused().iter().map(|one| one.name()).collect();
        refused
    };
    assert!(coerce(&Policy::lenient()).is_empty());
    assert_eq!(coerce(&Policy::tool()), ["truncated"]);
    assert_eq!(
        coerce(&Policy::strict()),
        [
            "truncated",
            "unquoted_key",
            "other_quotes",
            "unclosed_object"
        ]
    );
}

#[test]
fn json_in_strings_is_read_under_the_same_policy() {
    let schema = schema(
        r#"{"type": "object", "required": ["list"],
            "properties": {"list": {"type": "array", "items": {"type": "integer"}}}}"#,
    );
    let table = [
        (r#"{"list": "[1, 2]"}"#, [true, true, true]),
        (r#"{"list": "[1, 2"}"#, [true, false, false]),
        (r#"{"list": "[1, 2,]"}"#, [true, true, false]),
    ];
    let commas = AllowedRepairs::ALL.without(RepairKind::ExtraComma);
    let policies = [
        Policy::lenient(),
        Policy::lenient().with_truncated(Handling::Refuse),
        Policy::lenient().with_allowed_repairs(commas.without_truncated()),
    ];
    for (text, wanted) in table {
        let allowed = policies
            .each_ref()
            .map(|policy| accepted(text, &schema, policy).is_some());
        assert_eq!(allowed, wanted, "{text}");
    }
}

#[test]
fn an_item_is_no_answer_where_the_list_was_cut() {
    let item = r#"{"type": "object", "properties": {"id": {"type": "integer"}}}"#;
    let schema = schema(&format!(r#"{{"type": "array", "items": {item}}}"#));
    for text in ["{\"id\": 1}\n{\"id\": 2", "[{\"id\": 1}, {\"id\": 2"] {
        let lenient = accepted(text, &schema, &Policy::lenient());
        assert_eq!(lenient.as_deref(), Some(r#"[{"id":1},{"id":2}]"#));
        let parsed = Policy::tool().parse(text, Some(&schema));
        let refused: Vec<_> = parsed.refused().iter().map(|one| one.name()).collect();
        assert_eq!(refused, ["truncated"], "{parsed:?}");
    }
}

#[test]
fn finish_reasons_cut_off_or_not() {
    for name in ["length", "max_tokens", "MAX_TOKENS", "content_filter"] {
        assert!(FinishReason::named(name).cuts_off(), "{name}");
    }
    for name in ["stop", "tool_calls", "end_turn", "", "new_reason"] {
        assert!(!FinishReason::named(name).cuts_off(), "{name}");
    }
    assert_eq!(FinishReason::named("new_reason").name(), "new_reason");
    let cut = Policy::lenient().with_finish_reason(FinishReason::Length);
    let parsed = cut.parse("[1]", None);
    assert!(parsed.conforms() && !parsed.is_complete());
    assert!(!parsed.into_document().is_complete());
    // There is no value that could be cut off.
    assert!(cut.parse("no", None).is_complete());
}

#[test]
fn a_refusal_and_what_does_not_fit_are_both_told() {
    let schema = payment();
    let reply = "{\"recipientName\": \"Ada\", \"cents\": \"many\"";
    let failure = Policy::tool()
        .parse(reply, Some(&schema))
        .into_result()
        .unwrap_err();
    assert!(matches!(failure.reason(), Reason::Refused(_)));
    assert_eq!(failure.refusals().len(), 1);
    assert_eq!(failure.violations().len(), 1);
    let feedback = stringify(&failure);
    for wanted in [
        "The reply broke off at line 1, column 41",
        r#""cents": "many" // ❌ [{"path":"$input.cents","expected":"integer"}]"#,
    ] {
        assert!(feedback.contains(wanted), "{feedback}");
    }
}

#[test]
fn all_values_of_a_reply_are_judged_one_by_one() {
    let schema = payment();
    let reply = "First {\"cents\": 1}, no: {\"recipientName\": \"Ada\", \"cents\": \"2\"}, or\n\
                 ```json\n{\"recipientName\": 'Bob', \"cents\": 3}\n```\nor {\"recipientName\": \"Eve\", \"cents\": 4";
    let conform = |policy: &Policy| -> Vec<bool> {
        let all = policy.parse_all(reply, Some(&schema));
        all.iter().map(|one| one.conforms()).collect()
    };
    assert_eq!(conform(&Policy::lenient()), [false, true, true, true]);
    assert_eq!(conform(&Policy::tool()), [false, true, true, false]);
    assert_eq!(conform(&Policy::strict()), [false; 4]);
    let no_coercions = Policy::lenient().deny_coercion(CoercionKind::TextToNumber);
    assert_eq!(conform(&no_coercions), [false, false, true, true]);

    let shown = |all: Vec<llmjson::ParsedCandidate<'_>>| format!("{all:?}");
    let with = Policy::default().parse_all(reply, Some(&schema));
    assert_eq!(shown(with), shown(llmjson::parse_all(reply, Some(&schema))));

    // Only the last value can be the one that was being written.
    let cut = Policy::lenient().with_finish_reason(FinishReason::Length);
    let all = cut.parse_all("[1] and [2] and [3]", None);
    let complete: Vec<_> = all.iter().map(|one| one.is_complete()).collect();
    assert_eq!(complete, [true, true, false]);

    // Past a limit there are none.
    let short = Policy::lenient().with_limits(Limits::DEFAULT.with_input_bytes(10));
    assert_eq!(short.parse_all("[1] and []", None).len(), 2);
    assert!(short.parse_all("[1] and [ ]", None).is_empty());
}

#[test]
fn observers_hear_of_every_value() {
    let (sender, heard) = std::sync::mpsc::channel();
    let policy =
        Policy::lenient().with_observer(move |observed: &llmjson::policy::Observation<'_>| {
            sender.send(observed.outcome).unwrap();
        });
    let all = policy.parse_all("[1] and {a: 2}", None);
    assert_eq!((all.len(), heard.try_iter().count()), (2, 2));
}

/// A patch applies as a whole or not at all, and only on request.
#[test]
fn patches_are_applied_on_request() {
    let apply = |patch: &str| {
        let text =
            format!("{{\"name\": \"Ana\", \"roles\": [\"a\", \"b\"], \"age\": 34}}\n\n{patch}");
        let mut document = llmjson::syntax::parse(&text);
        let applied = document.apply_patches();
        (document.to_json().unwrap_or_default(), applied)
    };
    let written = r#"{"name":"Ana","roles":["a","b"],"age":34}"#;
    for [patch, expected] in rows_of(FILE, "patches are applied on request") {
        let (value, applied) = apply(patch);
        assert_eq!((&*value, applied), (expected, 1), "{patch}");
    }
    for failing in lines(FILE, "patches are applied on request 2") {
        let (value, applied) = apply(failing);
        assert_eq!((&*value, applied), (written, 0), "{failing}");
    }
}

/// A list of operations that the schema asks for is the value, whatever stands before it.
#[test]
fn a_patch_that_is_asked_for_is_the_value() {
    let steps = schema(r#"{"type": "array", "items": {"required": ["op", "path"]}}"#);
    let patch = r#"[{"op":"remove","path":"/a"}]"#;
    let read = |text: &str| Policy::lenient().parse(text, Some(&steps)).to_json();
    assert_eq!(read(patch).as_deref(), Some(patch));
    assert_eq!(
        read(&format!("Of {{\"a\": 1}}:\n{patch}")).as_deref(),
        Some(patch)
    );
}
