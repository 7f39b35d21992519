//! Observers: the reports about each reply, and their receivers.

use std::sync::{Arc, Mutex};

use llmjson::{
    Policy, Schema,
    policy::{FinishReason, Observation, Outcome},
    syntax::Class,
};

/// What an observer saw of a call.
type Seen = (
    Outcome,
    Option<String>,
    Vec<&'static str>,
    Option<Class>,
    bool,
);

fn observed(policy: Policy, call: impl Fn(&Policy)) -> Vec<Seen> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let policy = policy.with_observer(move |event: &Observation<'_>| {
        let tool = event.tool.map(str::to_owned);
        let (outcome, certainty, complete) = (event.outcome, event.certainty, event.complete);
        let event = (outcome, tool, event.kinds(), certainty, complete);
        sink.lock().unwrap().push(event);
    });
    call(&policy);
    let seen = seen.lock().unwrap();
    seen.clone()
}

fn schema() -> Schema {
    let text = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
    Schema::from_text(text).unwrap()
}

#[test]
fn an_observer_hears_of_every_call_once() {
    let schema = schema();
    let table: &[(&str, Policy, Seen)] = &[
        (
            r#"{"n": 1}"#,
            Policy::lenient(),
            (Outcome::Unchanged, None, vec![], Some(Class::Certain), true),
        ),
        (
            r#"{'n': "1",}"#,
            Policy::tool().with_tool("add"),
            (
                Outcome::Repaired,
                Some("add".to_owned()),
                vec!["other_quotes", "extra_comma", "text_to_number"],
                Some(Class::Certain),
                true,
            ),
        ),
        (
            r#"{"n": 1"#,
            Policy::lenient(),
            (
                Outcome::Repaired,
                None,
                vec!["unclosed_object"],
                Some(Class::Likely),
                false,
            ),
        ),
        (
            r#"{"n": 1}"#,
            Policy::tool().with_finish_reason(FinishReason::Length),
            (Outcome::Refused, None, vec![], Some(Class::Likely), false),
        ),
        (
            r#"{"n": "x"}"#,
            Policy::lenient(),
            (
                Outcome::Violations,
                None,
                vec![],
                Some(Class::Certain),
                true,
            ),
        ),
        (
            "no",
            Policy::lenient(),
            (Outcome::NoValue, None, vec![], None, true),
        ),
    ];
    for (text, policy, wanted) in table {
        let seen = observed(policy.clone(), |policy| {
            let _ = policy.parse(text, Some(&schema));
        });
        assert_eq!(seen, std::slice::from_ref(wanted), "{text}");
    }
}

#[test]
fn events_name_the_model() {
    let models = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&models);
    let policy = Policy::lenient().with_observer(move |event: &Observation<'_>| {
        sink.lock().unwrap().push(event.model.map(str::to_owned));
    });
    let _ = policy.parse("[1]", None);
    let _ = policy.with_model("small-1").parse("[1]", None);
    assert_eq!(*models.lock().unwrap(), [None, Some("small-1".to_owned())]);
}

#[test]
fn arguments_and_values_are_observed_too() {
    let seen = observed(Policy::tool(), |policy| {
        let _ = policy.arguments("", None);
        let _ = policy.arguments("null", Some(&schema()));
        let _ = policy.coerce(serde_json::json!({"n": "1"}), &schema());
        let _ = policy.from_str::<u8>("7");
    });
    let outcomes: Vec<_> = seen.into_iter().map(|event| event.0).collect();
    assert_eq!(
        outcomes,
        [
            Outcome::Unchanged,
            Outcome::Violations,
            Outcome::Repaired,
            Outcome::Unchanged
        ]
    );
}

#[cfg(feature = "tracing")]
mod traced {
    use std::fmt;
    use std::sync::{Arc, Mutex};

    use llmjson::retry::{Message, Retry};
    use llmjson::{Policy, policy::FinishReason};
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber, subscriber};

    /// Writes down events, one a line.
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<String>>>);

    struct Line(String);

    impl Visit for Line {
        fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
            self.0.push_str(&format!(" {field}={value:?}"));
        }
    }

    impl Subscriber for Paper {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            let about = event.metadata();
            let head = format!("{} {} {}", about.level(), about.target(), about.name());
            let mut line = Line(head);
            event.record(&mut line);
            self.0.lock().unwrap().push(line.0);
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    fn written(run: impl FnOnce()) -> Vec<String> {
        let paper = Paper::default();
        subscriber::with_default(paper.clone(), run);
        let lines = paper.0.lock().unwrap();
        lines.clone()
    }

    fn traced(text: &str, policy: &Policy) -> String {
        let lines = written(|| {
            let _ = policy.parse(text, None);
        });
        assert_eq!(lines.len(), 1, "{lines:?}");
        lines[0].clone()
    }

    #[cfg(feature = "wire")]
    #[test]
    fn conflicts_in_a_stream_are_told_too() {
        let lines = written(|| {
            let mut reply = llmjson_wire::Accumulator::new();
            for number in [1, 2] {
                let chunk = format!(r#"{{"choices":[],"p":{number}}}"#);
                reply.push_text(&chunk).unwrap();
            }
        });
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains("llmjson.stream_conflict"), "{lines:?}");
    }

    #[test]
    fn asking_again_has_stable_names_and_fields_too() {
        let retry = Retry::new(&super::schema()).with_max_retries(1);
        let fallback = serde_json::json!({"n": 0});
        let (wont, given_up) = (["no", "[]"], "max_retries=1 count=1");
        for (retry, last) in [
            (
                retry.clone(),
                "WARN llmjson llmjson.give_up step=\"give_up\"",
            ),
            (
                retry.with_fallback(fallback),
                "WARN llmjson llmjson.fallback step=\"fallback\"",
            ),
        ] {
            let lines = written(|| {
                let mut replies = wont.into_iter();
                let model = |_| Ok::<_, std::convert::Infallible>(replies.next().unwrap_or(""));
                let _ = retry.run(model, vec![Message::user("n?")]);
            });
            let told: Vec<_> = lines
                .iter()
                .filter(|line| line.contains(" step="))
                .collect();
            let first = "INFO llmjson llmjson.retry step=\"retry\" reason=\"no_value\" attempts=1";
            assert_eq!(
                told,
                [
                    &format!("{first} {given_up}"),
                    &format!("{last} reason=\"violations\" attempts=2 {given_up}")
                ]
            );
        }
    }

    #[test]
    fn events_have_stable_names_and_fields() {
        let tool = Policy::tool().with_tool("add");
        let lenient = Policy::lenient();
        let table = [
            (
                traced("[1]", &lenient),
                "DEBUG llmjson llmjson.read outcome=\"unchanged\" kinds=\"\" repairs=0 coercions=0 \
                 violations=0 refused=0 certainty=\"certain\" complete=true byte_size_before=3",
            ),
            (
                traced("[1,]", &lenient),
                "INFO llmjson llmjson.repair outcome=\"repaired\" kinds=\"extra_comma\" repairs=1 \
                 coercions=0 violations=0 refused=0 certainty=\"certain\" complete=true \
                 byte_size_before=4",
            ),
            (
                traced("[1,]", &tool),
                "INFO llmjson tool_input_repaired outcome=\"repaired\" tool=\"add\" \
                 kinds=\"extra_comma\" repairs=1 coercions=0 violations=0 refused=0 \
                 certainty=\"certain\" complete=true byte_size_before=4",
            ),
            (
                traced("[1,]", &tool.clone().with_model("small-1")),
                "INFO llmjson tool_input_repaired outcome=\"repaired\" tool=\"add\" \
                 model=\"small-1\" kinds=\"extra_comma\" repairs=1 coercions=0 violations=0 \
                 refused=0 certainty=\"certain\" complete=true byte_size_before=4",
            ),
            (
                traced("[\"a", &lenient),
                "INFO llmjson llmjson.recovery outcome=\"repaired\" \
                 kinds=\"unclosed_string,unclosed_array\" repairs=2 coercions=0 violations=0 \
                 refused=0 certainty=\"likely\" complete=false byte_size_before=3 recovered=1 \
                 strategy=\"truncated_string\" byte_size_after=5",
            ),
            (
                traced(
                    "[1]",
                    &tool.clone().with_finish_reason(FinishReason::Length),
                ),
                "WARN llmjson llmjson.failure outcome=\"refused\" tool=\"add\" kinds=\"\" repairs=0 \
                 coercions=0 violations=0 refused=1 certainty=\"likely\" complete=false byte_size_before=3",
            ),
        ];
        for (line, wanted) in table {
            assert_eq!(line, wanted);
        }
    }
}
