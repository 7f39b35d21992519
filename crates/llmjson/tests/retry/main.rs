//! Asking again: how often, with which words, and what becomes of it.

mod feedback;
mod models;
mod observers;

use std::convert::Infallible;
use std::future::Future;

use llmjson::retry::{
    AsyncModel, Cause, ChatMessage, Cut, Fallback, FeedbackKind, Message, Model, Reply, Retry,
    RetryError, Role, RunError, Step, Turn,
};
use llmjson::{
    Policy, Schema,
    policy::{FinishReason, Limits},
    report::CoercionKind,
};
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

impl Model for Replies {
    type Error = Infallible;

    fn complete(&mut self, turn: &Turn) -> Result<Reply, Infallible> {
        Ok(self.answer(turn))
    }
}

impl AsyncModel for Replies {
    type Error = Infallible;

    async fn complete(&mut self, turn: &Turn) -> Result<Reply, Infallible> {
        Ok(self.answer(turn))
    }
}

fn turn(step: Step) -> Turn {
    match step {
        Step::NeedCompletion(turn) => turn,
        other => panic!("{other:?}"),
    }
}

fn failed(step: Step) -> RetryError {
    match step {
        Step::Failed(error) => *error,
        other => panic!("{other:?}"),
    }
}

/// What the model is told about a reply.
fn told_about(retry: &Retry, reply: impl Into<Reply>) -> (FeedbackKind, String) {
    let next = turn(turn(retry.start(ask())).feed(reply));
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
        let retry = Retry::new(&schema).with_max_retries(*max_retries);
        let mut model = Replies::new(replies.iter().copied());
        match retry.run(&mut model, ask()) {
            Ok(answer) => {
                assert!(*is_value && !answer.is_fallback);
                assert_eq!(answer.attempts as usize, *asked);
                assert_eq!(
                    answer.parsed.to_json().unwrap(),
                    r#"{"age":36,"name":"Ada"}"#
                );
            }
            Err(RunError::Retry(error)) => {
                assert!(!is_value);
                assert_eq!(
                    (error.code(), error.attempts() as usize),
                    ("max_retries_reached", *asked)
                );
                assert_eq!(error.reply().text(), BAD);
                let violation = &error.failure().violations()[0];
                assert_eq!(violation.path.to_string(), "$input.age");
            }
            Err(RunError::Model(never)) => match never {},
            Err(other) => panic!("{other}"),
        }
        assert_eq!(model.asked.len(), *asked);
    }
    let error = failed(turn(Retry::new(&schema).with_max_retries(0).start(ask())).feed(BAD));
    assert_eq!(
        error.to_string(),
        "max_retries_reached after 1 reply: expected integer & Minimum<0>, found -4 at $input.age, \
         line 1 column 9"
    );
}

#[test]
fn replies_that_were_cut_off_are_what_the_caller_says() {
    let retry = Retry::new(&schema());
    let looks_whole = || Reply::new(GOOD).with_finish_reason(FinishReason::Length);
    for reply in [looks_whole(), Reply::new(r#"{"name": "Ada", "age": 36"#)] {
        let next = turn(turn(retry.start(ask())).feed(reply.clone()));
        let (kind, text) = next.feedback().unwrap();
        assert_eq!(kind, FeedbackKind::Syntax);
        assert!(
            text.contains("the text ended before its value did (truncated)"),
            "{text}"
        );
        assert!(!text.contains("unclosed"), "{text}");

        let error =
            failed(turn(retry.clone().with_cut(Cut::Fail).start(ask())).feed(reply.clone()));
        assert_eq!(
            (error.cause(), error.code(), error.attempts()),
            (Cause::Truncated, "truncated", 1)
        );

        let lenient = retry.clone().with_cut(Cut::AsPolicySays);
        let Step::Done(answer) = turn(lenient.start(ask())).feed(reply.clone()) else {
            panic!()
        };
        assert!(!answer.parsed.is_complete());
        let tool = lenient.with_policy(Policy::tool());
        let refused = turn(turn(tool.start(ask())).feed(reply));
        assert_eq!(refused.feedback().unwrap().0, FeedbackKind::Syntax);
    }
    // A reply that was cut off before a value began is one too.
    for text in ["", "Let me see", "```json\n"] {
        let reply = Reply::new(text).with_finish_reason(FinishReason::Length);
        let error = failed(turn(retry.clone().with_cut(Cut::Fail).start(ask())).feed(reply));
        assert_eq!((error.cause(), error.attempts()), (Cause::Truncated, 1));
    }
    // No policy lets what was cut off through.
    let recovers = Policy::conservative().with_recovered_strings(llmjson::policy::Handling::Accept);
    let broken_off = r#"{"age": 36, "name": "Ada"#;
    for (cut, asked_again) in [(Cut::Retry, true), (Cut::Fail, false)] {
        let retry = retry.clone().with_policy(recovers.clone()).with_cut(cut);
        let step = turn(retry.start(ask())).feed(broken_off);
        assert_eq!(
            matches!(step, Step::NeedCompletion(_)),
            asked_again,
            "{step:?}"
        );
        assert!(!matches!(step, Step::Done(_)));
    }
    let recovered = retry
        .clone()
        .with_policy(recovers)
        .with_cut(Cut::AsPolicySays);
    let step = turn(recovered.start(ask())).feed(broken_off);
    assert!(matches!(step, Step::Done(_)));
    let stopped = Reply::new(GOOD).with_finish_reason(FinishReason::Stop);
    assert!(matches!(
        turn(retry.start(ask())).feed(stopped),
        Step::Done(_)
    ));
}

#[test]
fn a_fallback_is_taken_only_by_choice_and_only_if_it_fits() {
    let schema = schema();
    let retry = Retry::new(&schema).with_max_retries(0);
    let feed = |retry: &Retry, reply: &str| turn(retry.start(ask())).feed(reply);
    assert!(matches!(feed(&retry, "no"), Step::Failed(_)));
    let fallback = Fallback::new(json!({"age": 0, "name": "nobody"})).with_text_in("name");
    let retry = retry.with_fallback(fallback);
    for (reply, json) in [
        (" somebody ", r#"{"age":0,"name":"somebody"}"#),
        ("", r#"{"age":0,"name":"nobody"}"#),
    ] {
        let Step::Done(answer) = feed(&retry, reply) else {
            panic!()
        };
        assert!(answer.is_fallback && answer.parsed.conforms());
        assert_eq!(answer.parsed.to_json().unwrap(), json);
    }
    let Step::Done(answer) = feed(&retry, GOOD) else {
        panic!()
    };
    assert!(!answer.is_fallback);
    let unfit = retry.with_fallback(Fallback::new(json!({"age": 0})));
    assert_eq!(failed(feed(&unfit, "no")).code(), "max_retries_reached");
}

#[test]
fn structured_output_comes_first_and_yields_to_a_server_that_refuses_it() {
    #[derive(Debug, PartialEq)]
    enum Trouble {
        Shape,
        Key,
    }

    struct Server {
        takes_schemas: bool,
        key: bool,
        asked: Vec<(bool, usize)>,
    }

    impl Model for Server {
        type Error = Trouble;

        fn complete(&mut self, turn: &Turn) -> Result<Reply, Trouble> {
            let structured = turn.structured_output().is_some();
            self.asked.push((structured, turn.messages()[0].text.len()));
            match structured {
                _ if !self.key => Err(Trouble::Key),
                true if !self.takes_schemas => Err(Trouble::Shape),
                _ if self.asked.len() < 3 => Ok(BAD.into()),
                _ => Ok(GOOD.into()),
            }
        }

        fn refuses_structured_output(&self, error: &Trouble) -> bool {
            *error == Trouble::Shape
        }
    }

    let retry = Retry::new(&schema()).with_structured_output();
    let run = |takes_schemas, key| {
        let mut server = Server {
            takes_schemas,
            key,
            asked: Vec::new(),
        };
        let answer = retry.run(&mut server, ask());
        (answer, server.asked)
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
    assert!(matches!(answer, Err(RunError::Model(Trouble::Key))));
    assert_eq!(asked.len(), 1);

    // An error that is about the request is passed on where there was no schema in it.
    let mut model = |_: &Turn| Err::<Reply, _>(Trouble::Shape);
    let error = Retry::new(&schema()).run(&mut model, ask()).unwrap_err();
    assert_eq!(error.code(), "llm_call_failed");
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
        let retry = Retry::new(&schema).with_structured_output();
        let first = turn(retry.start(ask()));
        let sent = Schema::from_text(first.structured_output().unwrap()).unwrap();
        let written: Value = serde_json::from_str(reply).unwrap();
        assert!(sent.validate(&written).is_ok(), "{}", sent.as_json());
        let Step::Done(answer) = first.feed(reply) else {
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
        let retry = Retry::new(&Schema::from_text(schema).unwrap());
        let retry = retry.with_structured_output().with_policy(policy);
        let first = turn(retry.start(ask()));
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
    const CUTS: [Cut; 3] = [Cut::Retry, Cut::Fail, Cut::AsPolicySays];
    let schema = schema();
    for seed in 1..400 {
        let play = || {
            let mut chance = Chance(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15));
            let policy =
                Policy::named(Policy::PRESETS[chance.below(Policy::PRESETS.len())]).unwrap();
            let max_retries = chance.below(5) as u32;
            let mut retry = Retry::new(&schema)
                .with_policy(policy)
                .with_max_retries(max_retries)
                .with_cut(CUTS[chance.below(3)]);
            if chance.below(3) == 0 {
                retry = retry.with_fallback(Fallback::new(json!({"age": 1, "name": ""})));
            }
            if chance.below(3) == 0 {
                retry = retry.with_structured_output();
            }
            let mut log = String::new();
            let (mut replies, mut refusals) = (0, 0);
            let mut step = retry.start(ask());
            loop {
                log.push_str(&format!("{step:?}\n"));
                step = match step {
                    Step::NeedCompletion(turn) => {
                        assert!(replies <= max_retries, "{log}");
                        assert_eq!(turn.attempts(), replies);
                        assert_eq!(turn.messages().len(), 2);
                        assert!(turn.messages()[0].text.starts_with("You are terse."));
                        assert_eq!(turn.messages()[1], Message::user("Who?"));
                        if turn.structured_output().is_some() && chance.below(2) == 0 {
                            refusals += 1;
                            turn.without_structured_output()
                        } else {
                            replies += 1;
                            let mut reply = Reply::new(REPLIES[chance.below(REPLIES.len())]);
                            if chance.below(4) == 0 {
                                reply = reply.with_finish_reason(FinishReason::Length);
                            }
                            turn.feed(reply)
                        }
                    }
                    Step::Done(answer) => {
                        assert_eq!(answer.attempts, replies);
                        assert!(answer.parsed.conforms());
                        break;
                    }
                    Step::Failed(error) => {
                        assert_eq!(error.attempts(), replies);
                        let all = error.cause() == Cause::MaxRetriesReached;
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
