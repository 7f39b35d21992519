//! Asking again: how often, with which words, and what becomes of it.

#[path = "../support/block_on.rs"]
mod block_on;
#[cfg(feature = "blocking")]
mod chat;
mod checks;
mod cut;
mod feedback;
mod models;
mod observers;
#[cfg(feature = "blocking")]
#[path = "../support/server.rs"]
mod server;

use std::convert::Infallible;
use std::future::Future;

use llmjson::retry::{
    Answer, ChatMessage, FeedbackKind, FeedbackPlace, Message, Next, OnTruncation, Reply, Retry,
    RetryError, Role, SchemaIn, Turn,
};
use llmjson::{Policy, Schema, policy::FinishReason, report::CoercionKind, syntax::Limits};
use serde_json::{Value, json};

fn schema() -> Schema {
    Schema::compile(&json!({
        "type": "object",
        "properties": {"age": {"type": "integer", "minimum": 0}, "name": {"type": "string"}},
        "required": ["age", "name"]
    }))
    .unwrap()
}

const GOOD: &str = r#"{"age": 36, "name": "Ada"}"#;
const BAD: &str = r#"{"age": -4, "name": "Ada"}"#;

fn ask() -> Vec<Message> {
    vec![Message::system("You are terse."), Message::user("Who?")]
}

/// Answers with these replies, and then with nothing; counts the questions.
/// Settings that add only feedback to the messages of a test.
fn bare_retry(schema: &Schema) -> Retry {
    Retry::new(schema).with_schema_in(SchemaIn::Feedback)
}

struct Replies {
    replies: Vec<Reply>,
    asked: Vec<Vec<Message>>,
}

impl Replies {
    fn new<R: Into<Reply>>(replies: impl IntoIterator<Item = R>) -> Self {
        let replies = replies.into_iter().map(Into::into).collect();
        Self {
            replies,
            asked: Vec::new(),
        }
    }

    fn answer(&mut self, turn: &Turn) -> Reply {
        self.asked.push(turn.messages().to_vec());
        let place = self.asked.len() - 1;
        self.replies.get(place).cloned().unwrap_or_default()
    }
}

fn run(retry: &Retry, replies: &mut Replies) -> Result<Answer, RetryError> {
    retry.run(|turn| Ok::<_, Infallible>(replies.answer(&turn)), ask())
}

fn turn(next: Next) -> Turn {
    match next {
        Next::NeedCompletion(turn) => turn,
        other => panic!("{other:?}"),
    }
}

fn failed(step: Next) -> RetryError {
    match step {
        Next::Failed(error) => error,
        other => panic!("{other:?}"),
    }
}

/// What the model is told about a reply.
fn told_about(retry: &Retry, reply: impl Into<Reply>) -> (FeedbackKind, String) {
    let next = turn(retry.start(ask()).feed(reply));
    let (kind, text) = next.feedback().unwrap();
    (kind, text.to_owned())
}

#[test]
fn a_model_is_asked_once_and_as_often_again_as_it_may_be() {
    let schema = schema();
    // Replies, retries allowed, how often it was asked, whether there is a value.
    let table: &[(&[&str], u32, usize, bool)] = &[
        (&[GOOD], 2, 1, true),
        (&[BAD, BAD, GOOD], 2, 3, true),
        (&[BAD, "no", BAD, GOOD], 2, 3, false),
        (&[BAD, GOOD], 0, 1, false),
        (&[BAD, "", "[", GOOD], 3, 4, true),
    ];
    for (replies, max_retries, asked, is_value) in table {
        let retry = bare_retry(&schema).with_max_retries(*max_retries);
        let mut model = Replies::new(replies.iter().copied());
        match run(&retry, &mut model) {
            Ok(answer) => {
                assert!(*is_value && !answer.is_fallback);
                assert_eq!(answer.attempts as usize, *asked);
                assert_eq!(
                    answer.parsed.to_json().unwrap(),
                    r#"{"age":36,"name":"Ada"}"#
                );
            }
            Err(error) => {
                assert!(!is_value);
                assert_eq!(
                    (error.code(), error.attempts() as usize),
                    ("max_retries_reached", *asked)
                );
                assert_eq!(error.reply().unwrap().text(), BAD);
                let violation = &error.failure().unwrap().violations()[0];
                assert_eq!(violation.path.to_string(), "$input.age");
            }
        }
        assert_eq!(model.asked.len(), *asked);
    }
    let error = failed(
        bare_retry(&schema)
            .with_max_retries(0)
            .start(ask())
            .feed(BAD),
    );
    assert_eq!(
        error.to_string(),
        "max_retries_reached after 1 reply: expected integer & Minimum<0>, found -4 at $input.age, \
         line 1 column 9"
    );
}

#[test]
fn a_fallback_is_taken_only_by_choice_and_only_if_it_fits() {
    let schema = schema();
    let retry = bare_retry(&schema).with_max_retries(0);
    let feed = |retry: &Retry, reply: &str| retry.start(ask()).feed(reply);
    assert!(matches!(feed(&retry, "no"), Next::Failed(_)));
    let retry = retry.with_fallback_text_in("name", json!({"age": 0, "name": "nobody"}));
    for (reply, json) in [
        (" somebody ", r#"{"age":0,"name":"somebody"}"#),
        ("", r#"{"age":0,"name":"nobody"}"#),
    ] {
        let Next::Done(answer) = feed(&retry, reply) else {
            panic!()
        };
        assert!(answer.is_fallback && answer.parsed.conforms());
        assert_eq!(answer.parsed.to_json().unwrap(), json);
    }
    let Next::Done(answer) = feed(&retry, GOOD) else {
        panic!()
    };
    assert!(!answer.is_fallback);
    let unfit = retry.with_fallback(json!({"age": 0}));
    assert_eq!(failed(feed(&unfit, "no")).code(), "max_retries_reached");
}

#[test]
fn structured_output_comes_first_and_yields_to_a_server_that_refuses_it() {
    let retry = Retry::new(&schema()).with_schema_in(SchemaIn::Request);
    let run = |takes_schemas: bool, key: bool| {
        let mut asked = Vec::new();
        let answer = retry.run(
            |turn| {
                let structured = turn.structured_output().is_some();
                asked.push((structured, turn.messages()[0].text.len()));
                match structured {
                    _ if !key => Err("no key"),
                    true if !takes_schemas => Ok(Reply::structured_output_refused()),
                    _ if asked.len() < 3 => Ok(BAD.into()),
                    _ => Ok(GOOD.into()),
                }
            },
            ask(),
        );
        (answer, asked)
    };
    let (answer, asked) = run(true, true);
    assert_eq!(answer.unwrap().attempts, 3);
    assert!(asked.iter().all(|(structured, _)| *structured));
    assert_eq!(asked[0].1, "You are terse.".len());

    // The refused request is no attempt, and from then on the schema is in words.
    let (answer, asked) = run(false, true);
    assert_eq!(answer.unwrap().attempts, 2);
    let structured: Vec<_> = asked.iter().map(|(structured, _)| *structured).collect();
    assert_eq!(structured, [true, false, false]);
    assert!(asked[1].1 > 100);

    let (answer, asked) = run(true, false);
    assert_eq!(answer.unwrap_err().code(), "llm_call_failed");
    assert_eq!(asked.len(), 1);

    // Where there was no schema in the request, that is an empty reply: it ends in time.
    let refuses = |_: Turn| Ok::<_, Infallible>(Reply::structured_output_refused());
    let error = bare_retry(&schema()).run(refuses, ask()).unwrap_err();
    assert_eq!((error.code(), error.attempts()), ("max_retries_reached", 3));
}

#[test]
fn structured_output_is_what_leads_back_to_the_schema() {
    let object = |members: &str| {
        format!(r#"{{"type":"object","properties":{{{members}}},"required":["name"]}}"#)
    };
    let optional = object(r#""name":{"type":"string"},"age":{"type":"integer"}"#);
    let map = object(
        r#""name":{"type":"string"},"sums":{"type":"object","additionalProperties":{"type":"integer"}}"#,
    );
    let list = r#"{"type":"array","items":{"type":"integer"}}"#.to_owned();
    // Schema, reply by the schema that was sent, value.
    let table = [
        (
            &optional,
            r#"{"name":"Ada","age":null}"#,
            r#"{"name":"Ada"}"#,
        ),
        (
            &map,
            r#"{"name":"Ada","sums":"{\"a\":1}"}"#,
            r#"{"name":"Ada","sums":{"a":1}}"#,
        ),
        (&list, r#"{"data":[1,2]}"#, "[1,2]"),
    ];
    for (schema, reply, value) in table {
        let schema = Schema::from_text(schema).unwrap();
        let retry = Retry::new(&schema).with_schema_in(SchemaIn::Request);
        let first = retry.start(ask());
        let sent = Schema::from_text(first.structured_output().unwrap()).unwrap();
        let written: Value = serde_json::from_str(reply).unwrap();
        assert!(sent.validate(&written).is_ok(), "{}", sent.as_json());
        let Next::Done(answer) = first.feed(reply) else {
            panic!("{reply}")
        };
        assert_eq!(answer.parsed.to_json().as_deref(), Some(value));
        assert!(answer.parsed.is_certain() || schema.wants_array());
    }

    // Where it would not, the schema is sent as it is.
    let any = object(r#""name":{}"#);
    let scalar = r#"{"type":"integer"}"#.to_owned();
    let lenient = Policy::lenient();
    let without = lenient.clone().deny_coercion(CoercionKind::TextToContainer);
    for (schema, policy) in [
        (&optional, Policy::strict()),
        (&optional, Policy::shape()),
        (&map, without),
        (&any, lenient.clone()),
        (&scalar, lenient),
    ] {
        let retry = bare_retry(&Schema::from_text(schema).unwrap());
        let retry = retry.with_schema_in(SchemaIn::Request).with_policy(policy);
        let first = retry.start(ask());
        assert_eq!(first.structured_output(), Some(&**schema));
    }
}

/// A small generator, so that a failure comes again.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Nothing piles up but after the replies, and there the roles alternate.
fn check_conversation(turn: &Turn, place: FeedbackPlace) {
    let roles: Vec<_> = turn.messages().iter().map(|one| one.role).collect();
    let replies = turn.attempts() as usize;
    match place {
        FeedbackPlace::AfterReply => {
            let pairs = [Role::Assistant, Role::User].repeat(replies);
            assert_eq!(roles, [vec![Role::System, Role::User], pairs].concat());
        }
        FeedbackPlace::System => assert_eq!(roles, [Role::System, Role::User]),
        _ => assert!(roles.len() >= 2 + replies.min(1) && roles.len() <= 4),
    }
    assert!(turn.messages().iter().all(|one| !one.text.is_empty()));
}

#[test]
fn whatever_is_said_the_end_comes_in_time_and_is_always_the_same() {
    const REPLIES: &[&str] = &[
        GOOD,
        BAD,
        "",
        "null",
        "```json",
        "{\"age\": ",
        "{'age': '1', name: A}",
        "````````",
        "Sorry, no.",
        "[[[[",
        "{\"age\": 1, \"age\": 2, \"name\": \"\\ud800\"}",
        "\u{0}",
        "-",
    ];
    const PLACES: [FeedbackPlace; 3] = [
        FeedbackPlace::AfterReply,
        FeedbackPlace::System,
        FeedbackPlace::AtEnd(Role::Developer),
    ];
    const CUTS: [OnTruncation; 2] = [OnTruncation::Retry, OnTruncation::Fail];
    let schema = schema();
    for seed in 1..400 {
        let play = || {
            let mut chance = Chance(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15));
            let policy =
                Policy::named(Policy::PRESETS[chance.below(Policy::PRESETS.len())]).unwrap();
            let max_retries = chance.below(5) as u32;
            let mut retry = bare_retry(&schema)
                .with_policy(policy)
                .with_max_retries(max_retries)
                .with_truncation(CUTS[chance.below(2)]);
            let place = PLACES[chance.below(3)];
            retry = retry.with_feedback_place(place);
            if chance.below(3) == 0 {
                retry = retry.with_check(|value: &Value, issues| {
                    if value["age"] == 36 {
                        issues.reject("age", "Nobody is that old.");
                    }
                });
            }
            if chance.below(3) == 0 {
                retry = retry.with_fallback(json!({"age": 1, "name": ""}));
            }
            if chance.below(3) == 0 {
                retry = retry.with_schema_in(SchemaIn::Request);
            }
            let mut log = String::new();
            let (mut replies, mut refusals) = (0, 0);
            let mut step = Next::NeedCompletion(retry.start(ask()));
            loop {
                log.push_str(&format!("{step:?}\n"));
                step = match step {
                    Next::NeedCompletion(turn) => {
                        assert!(replies <= max_retries, "{log}");
                        assert_eq!(turn.attempts(), replies);
                        check_conversation(&turn, place);
                        assert!(turn.messages()[0].text.starts_with("You are terse."));
                        assert_eq!(turn.messages()[1], Message::user("Who?"));
                        if turn.structured_output().is_some() && chance.below(2) == 0 {
                            refusals += 1;
                            turn.feed(Reply::structured_output_refused())
                        } else {
                            replies += 1;
                            let mut reply = Reply::new(REPLIES[chance.below(REPLIES.len())]);
                            if chance.below(4) == 0 {
                                reply = reply.with_finish_reason(FinishReason::Length);
                            }
                            turn.feed(reply)
                        }
                    }
                    Next::Done(answer) => {
                        assert_eq!(answer.attempts, replies);
                        assert!(answer.parsed.conforms());
                        break;
                    }
                    Next::Failed(error) => {
                        assert_eq!(error.attempts(), replies);
                        let all = error.code() == "max_retries_reached";
                        assert_eq!(
                            all,
                            replies == max_retries + 1 && error.code() != "truncated"
                        );
                        break;
                    }
                };
            }
            assert!(refusals <= 1);
            log
        };
        assert_eq!(play(), play());
    }
}
