//! Extensions that panic, do too much or nothing.

use super::*;

struct Broken;

impl FieldMatcher for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn candidates(&self, name: &str, _: ValueRef<'_>, _: &[Field<'_>]) -> Vec<FieldCandidate> {
        panic!("never heard of {name}")
    }
}

impl SchemaRenderer for Broken {
    fn render(&self, _: &Contract) -> Value {
        panic!("no schema")
    }
}

impl IssueReporter for Broken {
    fn explain(&self, _: &BindReport) -> String {
        panic!("no words")
    }
}

#[test]
fn a_panic_in_an_extension_does_not_affect_anything_else() {
    let schema = object(&json!({"city": {"type": "string"}, "country": {"type": "string"}}));
    let extensions = Extensions::new()
        .with_matcher(Broken)
        .with_matcher(Fuzzy::new())
        .with_reporter(Broken)
        .with_renderer(Broken);
    let contract = contract(extensions, &schema);
    let report = contract.report(r#"{"countri": "NO", "City": "Oslo"}"#);
    assert_eq!(
        report.canonical_arguments(),
        r#"{"country":"NO","city":"Oslo"}"#
    );
    assert_eq!(issues(&report), ["$input.countri extension_failed"]);
    assert!(
        report.issues()[0]
            .message
            .contains("never heard of countri")
    );
    assert!(report.explain().contains("never heard of countri"));
    assert_eq!(contract.schema_value(), schema);

    // If the predicate panics, the value is redacted.
    let secret = |_: &llmjson::report::Path| -> bool { panic!("no secrets") };
    let contract = self::contract(Extensions::new().with_redaction(secret), &schema);
    let written = serde_json::to_string(&contract.report(r#"{"City": "Oslo", "country": 4711}"#));
    let written = written.expect("a report");
    assert!(
        !written.contains("4711") && written.contains("number_to_text"),
        "{written}"
    );
}

#[test]
fn the_number_of_reported_panics_is_bounded() {
    let schema = object(&json!({"city": {"type": "string"}}));
    let contract = contract(Extensions::new().with_matcher(Broken), &schema);
    let arguments: serde_json::Map<_, _> = (0..100).map(|n| (format!("x{n}"), json!(n))).collect();
    let report = contract.report(&Value::Object(arguments));
    let failed = issues(&report);
    let failed = failed
        .iter()
        .filter(|issue| issue.ends_with("extension_failed"));
    assert_eq!(failed.count(), 16);
}

#[test]
fn the_work_on_hostile_names_is_bounded() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts the pairs for which it is called.
    struct Counting(Arc<AtomicUsize>, Fuzzy);

    impl FieldMatcher for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        fn candidates(
            &self,
            name: &str,
            value: ValueRef<'_>,
            open: &[Field<'_>],
        ) -> Vec<FieldCandidate> {
            self.0.fetch_add(open.len(), Ordering::Relaxed);
            self.1.candidates(name, value, open)
        }
    }

    let properties: serde_json::Map<_, _> = (0..1_000)
        .map(|n| {
            (
                format!("property_{n:04}_of_many"),
                json!({"type": "string"}),
            )
        })
        .collect();
    let schema = object(&Value::Object(properties));
    let arguments: serde_json::Map<_, _> = (0..10_000)
        .map(|n| (format!("name_{n:05}_of_many"), json!("x")))
        .collect();
    let count = Arc::new(AtomicUsize::new(0));
    let matcher = Counting(Arc::clone(&count), Fuzzy::new());
    let contract = contract(Extensions::new().with_matcher(matcher), &schema);
    let report = contract.report(&Value::Object(arguments));
    assert!(!report.is_ok());
    let count = count.load(Ordering::Relaxed);
    assert!(count > 0 && count <= 65_536, "{count}");
}

/// Never applies.
struct Silent;

impl FieldMatcher for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn candidates(&self, _: &str, _: ValueRef<'_>, _: &[Field<'_>]) -> Vec<FieldCandidate> {
        Vec::new()
    }
}

impl Coercer for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn coerce(&self, _: ValueRef<'_>, _: &Field<'_>) -> Coerced {
        Coerced::NotMine
    }
}

#[test]
fn extensions_that_do_not_apply_change_nothing() {
    let schema = json!({"type": "object", "properties": {
        "phoneNumber": {"type": "string", "format": "phone", "x-aliases": ["tel"]},
        "phoneType": {"enum": ["home", "work"]},
        "count": {"type": "integer", "minimum": 1, "default": 2},
        "when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
        "to": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "name": {"type": "string"}},
             "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"const": "b"}, "sizes": {
                "type": "array", "items": {"type": "number"}
            }}, "required": ["kind"], "additionalProperties": false}
        ]},
        "extra": {"type": "object", "additionalProperties": {"type": "integer"}}
    }, "required": ["phoneNumber"]});
    let arguments = [
        r#"{"phoneNumber": "1", "count": 3}"#,
        r#"{"phone_number": 1, "PhoneType": "HOME", "Count": "3"}"#,
        r#"{"phone": "1"}"#,
        r#"{"phone_number": "1", "mood": 1}"#,
        r#"{"phoneNumber": null, "phone_number": {"a": 1}}"#,
        r#"{"phoneNumber": "1", "To": {"name": "x"}}"#,
        r#"{"number": "1", "type": "work"}"#,
        r#"{"tel": "1", "phoneNumber": "2"}"#,
        r#"{"tel": "1", "phone_number": "1"}"#,
        r#"{"arguments": {"Phone-Number": "1", "to": {"Kind": "b", "sizes": "1"}}}"#,
        r#"{"t": {"phoneNumber": "1", "nope": null}}"#,
        r#"{"phoneNumber": "1", "to": {"kind": "a", "NAME": 3, "sizes": 4}}"#,
        r#"{"phoneNumber": "1", "to": "{\"kind\": \"b\", \"Sizes\": [\"1.5\"]}"}"#,
        r#"{"phoneNumber": "1", "to": {"kind": "c", "x": 1}}"#,
        r#"{"phoneNumber": null, "when": "soon", "count": "0", "mood": {"a": [1]}}"#,
        r#"{"phoneNumber": "1", "when": null, "extra": {"a": "1", "b": "x"}}"#,
        "{phoneNumber: '1', count: 3,",
        "```json\n{\"phoneNumber\": \"1\"}\n``` or {\"phoneNumber\": \"2\", \"count\": \"1\"}",
        "\"{\\\"phoneNumber\\\": \\\"1\\\"}\"",
        "[1, 2]",
        "no arguments",
        "",
    ];
    let tools = || {
        let tool = || Tool::new("t", "A tool.");
        let unknowns = [
            Undeclared::Drop,
            Undeclared::Keep,
            Undeclared::KeepForbidden,
        ];
        let unknowns = unknowns.map(|unknown| tool().with_undeclared(unknown));
        let others = [
            tool(),
            tool().with_defaults(),
            tool().with_matching(MatchingMode::Exact),
            tool().with_policy(Policy::lenient()),
            tool().with_policy(Policy::conservative()),
            tool()
                .with_policy(Policy::conservative().with_undeclared(Undeclared::Drop))
                .with_defaults(),
            tool()
                .with_policy(Policy::lenient())
                .with_undeclared(Undeclared::Drop)
                .with_defaults(),
            tool().with_policy(
                Policy::tool().with_partial_coercion(llmjson::policy::Handling::Refuse),
            ),
        ];
        unknowns.into_iter().chain(others)
    };
    let silent = [
        Extensions::new().with_coercer(Silent),
        Extensions::new().with_normalizer("phone", |_: &str| None),
        Extensions::new().with_matcher(Silent),
        Extensions::new().with_first_matcher(Silent),
    ];
    for (at, plain) in tools().enumerate() {
        let plain = Contract::new(plain, &schema).expect("a tool that can be used");
        for (which, extensions) in silent.iter().enumerate() {
            let tool = tools().nth(at).expect("the same tool");
            let Ok(contract) = Contract::new(tool.with_extensions(extensions.clone()), &schema)
            else {
                assert_eq!(plain.policy().names(), llmjson::policy::Names::Exact);
                continue;
            };
            for arguments in arguments {
                let place = format!("{arguments}, tool {at}, extensions {which}");
                let (wanted, report) = (plain.report(arguments), contract.report(arguments));
                assert_eq!(
                    report.canonical_arguments(),
                    wanted.canonical_arguments(),
                    "{place}"
                );
                assert_eq!(issues(&report), issues(&wanted), "{place}");
                assert_eq!(report.explain(), wanted.explain(), "{place}");
                assert_eq!(report.has_repairs(), wanted.has_repairs(), "{place}");
                let fields = |report: &BindReport| {
                    let mut fields = report.fields();
                    for entry in &mut fields {
                        entry.changes.sort();
                        // The order of changes in a container is not specified.
                        entry.after.take_if(|after| after.starts_with(['{', '[']));
                    }
                    fields.sort_by_key(|entry| entry.input_path.clone());
                    fields
                };
                assert_eq!(fields(&report), fields(&wanted), "{place}");
            }
        }
    }
}
