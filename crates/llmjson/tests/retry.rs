//! Asking again: how often, with which words, and what becomes of it.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use llmjson::retry::{
    AsyncModel, Cause, ChatMessage, Cut, Fallback, FeedbackKind, Message, Model, Reply, Retry,
    RetryError, Role, RunError, Step, Turn,
};
use llmjson::{FinishReason, Limits, Observation, Observer, Policy, RetryEvent, RetryStep, Schema};
use serde_json::json;

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
fn feedback_goes_to_the_end_of_what_governs_and_does_not_pile_up() {
    let retry = Retry::new(&schema());
    let messages = vec![
        Message::system("First."),
        Message::user("Hi"),
        Message::new(Role::Developer, "Second."),
        Message::assistant("Yes?"),
    ];
    let first = turn(retry.start(messages.clone()));
    assert_eq!((first.messages(), first.feedback()), (&messages[..], None));
    let second = turn(first.feed(BAD));
    let third = turn(second.clone().feed("no JSON here"));
    for next in [&second, &third] {
        let (_, feedback) = next.feedback().unwrap();
        let said = next.messages();
        assert_eq!(said.len(), 4);
        assert_eq!(said[0].text, format!("First.\n\n{feedback}"));
        assert_eq!(said[2].text, format!("Second.\n\n{feedback}"));
        assert_eq!((&said[1], &said[3]), (&messages[1], &messages[3]));
    }
    let (kind, text) = third.feedback().unwrap();
    assert_eq!((kind, third.attempts()), (FeedbackKind::Syntax, 2));
    assert!(!text.contains("-4"), "{text}");

    // Nothing governs: a message of its own.
    let alone = turn(turn(retry.start(vec![Message::user("Hi")])).feed(BAD));
    let (_, feedback) = alone.feedback().unwrap();
    let said = [Message::system(feedback), Message::user("Hi")];
    assert_eq!(alone.messages(), said);

    let retry = retry.with_feedback_role(Role::User);
    let chosen = turn(turn(retry.start(ask())).feed(BAD));
    let (_, feedback) = chosen.feedback().unwrap();
    let said = [ask(), vec![Message::user(feedback)]].concat();
    assert_eq!(chosen.messages(), said);
}

#[test]
fn each_kind_of_feedback_has_its_parts() {
    let retry = Retry::new(&schema());
    let (kind, text) = told_about(&retry, BAD);
    assert_eq!(kind, FeedbackKind::Validation);
    for part in [
        r#""age": -4, // ❌ [{"path":"$input.age","expected":"integer & Minimum<0>"}]"#,
        "- $input.age: expected integer & Minimum<0>",
        "Your previous answer:\n```\n{\"age\": -4, \"name\": \"Ada\"}\n```",
        r#""minimum":0"#,
        "\n5. ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("\n6. "));

    let strict = retry.clone().with_policy(Policy::strict());
    let (kind, text) = told_about(&strict, "{\n  'age': 36, \"name\": \"Ada\"}");
    assert_eq!(kind, FeedbackKind::Syntax);
    for part in [
        "- line 2, column 3: ",
        "(other_quotes)",
        r#""minimum":0"#,
        "\n6. ",
        "Good: {",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text.matches("\nBad, ").count(), 3);

    let (kind, text) = told_about(&retry, "I cannot say.");
    assert_eq!(kind, FeedbackKind::Syntax);
    assert!(
        text.contains("- expected value at line 1 column 1"),
        "{text}"
    );

    let (kind, text) = told_about(&retry, " \n");
    assert_eq!(kind, FeedbackKind::Other);
    assert!(
        text.contains("the text is empty") && !text.contains("previous answer:"),
        "{text}"
    );

    let small = Policy::lenient().with_limits(Limits::DEFAULT.with_input_bytes(8));
    let (kind, text) = told_about(&retry.with_policy(small), GOOD);
    assert_eq!(kind, FeedbackKind::Other);
    assert!(
        text.contains("Your previous answer:\n```\n{\"age\": 36"),
        "{text}"
    );
}

#[test]
fn a_long_answer_is_quoted_in_part_and_in_a_fence_of_its_own() {
    let retry = Retry::new(&schema());
    let reply = format!(
        "```````json\n{{\"age\": -1, \"name\": \"{}\"}}\n```````",
        "ü".repeat(600)
    );
    let (_, text) = told_about(&retry, reply.as_str());
    let (_, quoted) = text
        .split_once("Your previous answer:\n````````\n")
        .unwrap();
    let (quoted, _) = quoted.split_once("\n````````\n").unwrap();
    let begins: String = reply.chars().take(500).collect();
    assert_eq!(quoted, format!("{begins}…"));

    let retry = retry.with_annotated_bytes_max(200);
    let (_, text) = told_about(
        &retry,
        format!(r#"{{"age": -1, "name": "{}"}}"#, "x".repeat(9000)),
    );
    assert!(text.len() < 3000, "{}", text.len());
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
fn the_schema_is_told_before_the_first_reply_if_asked_for() {
    let retry = Retry::new(&schema()).with_instruction();
    let first = turn(retry.start(ask()));
    let text = &first.messages()[0].text;
    assert!(
        text.starts_with("You are terse.\n\nAnswer with one JSON value"),
        "{text}"
    );
    assert!(text.contains(r#""minimum":0"#));
    let second = turn(first.feed(BAD));
    assert!(
        !second.messages()[0]
            .text
            .contains("Answer with one JSON value that satisfies this")
    );
    // A request that holds the schema needs no words for it.
    let structured = turn(retry.with_structured_output().start(ask()));
    assert_eq!(structured.messages(), ask());
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

#[test]
fn awaiting_does_the_same_as_waiting() {
    fn can_be_sent<F: Future + Send>(future: F) -> F {
        future
    }
    let retry = Retry::new(&schema());
    let (mut waited, mut awaited) = (Replies::new([BAD, GOOD]), Replies::new([BAD, GOOD]));
    let answer = retry.run(&mut waited, ask()).unwrap();
    let same = block_on(can_be_sent(retry.run_async(&mut awaited, ask()))).unwrap();
    assert_eq!(waited.asked, awaited.asked);
    assert_eq!(answer.parsed.to_json(), same.parsed.to_json());
}

#[test]
fn messages_of_other_libraries_stay_what_they_are() {
    #[derive(Clone, Debug, PartialEq)]
    enum Theirs {
        Instructions(String),
        Picture(&'static [u8]),
    }

    impl ChatMessage for Theirs {
        fn from_text(_: Role, text: String) -> Self {
            Self::Instructions(text)
        }

        fn governs(&self) -> bool {
            matches!(self, Self::Instructions(_))
        }

        fn append(&mut self, text: &str) {
            if let Self::Instructions(said) = self {
                said.push_str(text);
            }
        }
    }

    let messages = vec![
        Theirs::Picture(b"png"),
        Theirs::Instructions("Look.".to_owned()),
    ];
    let Step::NeedCompletion(first) = Retry::new(&schema()).start(messages) else {
        panic!()
    };
    let Step::NeedCompletion(second) = first.feed(BAD) else {
        panic!()
    };
    assert_eq!(second.messages()[0], Theirs::Picture(b"png"));
    let Theirs::Instructions(said) = &second.messages()[1] else {
        panic!()
    };
    assert!(said.starts_with("Look.\n\nYour previous answer"));
}

/// What was done or read, why or how, and after how many replies.
type Told = (&'static str, &'static str, u32);

#[derive(Clone, Default)]
struct Ears(Arc<Mutex<Vec<Told>>>);

impl Observer for Ears {
    fn observe(&self, event: &Observation<'_>) {
        self.0
            .lock()
            .unwrap()
            .push(("read", event.outcome.name(), 0));
    }

    fn observe_retry(&self, event: &RetryEvent) {
        assert_eq!(event.max_retries, 1);
        let told = (event.step.name(), event.reason, event.attempts);
        self.0.lock().unwrap().push(told);
    }
}

#[test]
fn observers_hear_of_every_retry() {
    let heard = |replies: &[&str], fallback: bool| {
        let ears = Ears::default();
        let policy = Policy::lenient().with_observer(ears.clone());
        let mut retry = Retry::new(&schema())
            .with_policy(policy)
            .with_max_retries(1);
        if fallback {
            retry = retry.with_fallback(Fallback::new(json!({"age": 1, "name": "x"})));
        }
        let _ = retry.run(&mut Replies::new(replies.iter().copied()), ask());
        let heard = ears.0.lock().unwrap();
        heard.clone()
    };
    assert_eq!(
        heard(&["{\"age\": 1", GOOD], false),
        [
            ("read", "refused", 0),
            ("retry", "truncated", 1),
            ("read", "unchanged", 0)
        ]
    );
    assert_eq!(
        heard(&["no", BAD], false),
        [
            ("read", "no_value", 0),
            ("retry", "no_value", 1),
            ("read", "violations", 0),
            (RetryStep::GiveUp.name(), "violations", 2)
        ]
    );
    assert_eq!(
        heard(&["", ""], true)[3..],
        [("read", "unchanged", 0), ("fallback", "no_value", 2)]
    );
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
