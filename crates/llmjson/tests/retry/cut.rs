//! Replies that were cut off: what is an answer all the same, and what the model is told.

use llmjson::policy::Handling;

use super::*;

#[test]
fn replies_that_were_cut_off_are_what_the_caller_says() {
    let retry = bare_retry(&schema());
    let looks_whole = || Reply::new(GOOD).with_finish_reason(FinishReason::Length);
    for reply in [looks_whole(), Reply::new(r#"{"name": "Ada", "age": 36"#)] {
        let next = turn(retry.start(ask()).feed(reply.clone()));
        let (kind, text) = next.feedback().unwrap();
        assert_eq!(kind, FeedbackKind::Syntax);
        assert!(
            text.starts_with("Your previous answer was cut off before its value was whole."),
            "{text}"
        );
        assert!(
            text.contains("the text ended before its value did (truncated)"),
            "{text}"
        );
        assert!(!text.contains("unclosed"), "{text}");

        let error = failed(
            retry
                .clone()
                .with_truncation(OnTruncation::Fail)
                .start(ask())
                .feed(reply.clone()),
        );
        assert_eq!((error.code(), error.attempts()), ("truncated", 1));

        let accepts = Policy::lenient().allow_truncated();
        let accepts = retry.clone().with_policy(accepts);
        let Next::Done(answer) = accepts.start(ask()).feed(reply.clone()) else {
            panic!()
        };
        assert!(!answer.parsed.is_complete());
        let tool = accepts.with_policy(Policy::tool());
        let refused = turn(tool.start(ask()).feed(reply));
        assert_eq!(refused.feedback().unwrap().0, FeedbackKind::Syntax);
    }
    // A reply that was cut off before a value began is one too.
    for text in ["", "Let me see", "```json\n"] {
        let reply = Reply::new(text).with_finish_reason(FinishReason::Length);
        let (_, told) = told_about(&retry, reply.clone());
        assert!(
            told.starts_with("Your previous answer was cut off"),
            "{told}"
        );
        assert!(!told.contains("could not be read"), "{told}");
        let error = failed(
            retry
                .clone()
                .with_truncation(OnTruncation::Fail)
                .start(ask())
                .feed(reply),
        );
        assert_eq!((error.code(), error.attempts()), ("truncated", 1));
    }
    // A policy accepts what was cut off only if it says so.
    let recovers = Policy::conservative().with_recovered_strings(Handling::Accept);
    let broken_off = r#"{"age": 36, "name": "Ada"#;
    for (cut, asked_again) in [(OnTruncation::Retry, true), (OnTruncation::Fail, false)] {
        let retry = retry
            .clone()
            .with_policy(recovers.clone())
            .with_truncation(cut);
        let step = retry.start(ask()).feed(broken_off);
        assert_eq!(
            matches!(step, Next::NeedCompletion(_)),
            asked_again,
            "{step:?}"
        );
        assert!(!matches!(step, Next::Done(_)));
    }
    let recovers = recovers.allow_truncated();
    let recovered = retry.clone().with_policy(recovers);
    let step = recovered.start(ask()).feed(broken_off);
    assert!(matches!(step, Next::Done(_)));
    let stopped = Reply::new(GOOD).with_finish_reason(FinishReason::Stop);
    assert!(matches!(retry.start(ask()).feed(stopped), Next::Done(_)));
}

#[test]
fn a_value_that_lacks_closers_alone_is_an_answer_if_the_model_was_done() {
    let retry = bare_retry(&schema());
    let lists = Schema::compile(&json!({"items": {"items": {"type": "string"}}})).unwrap();
    let lists = bare_retry(&lists);
    // Replies, and whether they are answers where the finish reason is `stop`.
    let table = [
        (&retry, r#"{"age": 36, "name": "Ada""#, true),
        (&retry, "Sure: {name: 'Ada', age: 36\n", true),
        (&lists, r#"[["a", "b"], ["c""#, true),
        (&lists, r#"[["a", "b"]"#, true),
        (&retry, r#"{"age": 36, "name": "Ad"#, false),
        (&retry, r#"{"name": "Ada", "age": 36."#, false),
        (&retry, r#"{"name": "Ada", "age": 36, "friends": "#, false),
        (&retry, r#"{"name": "Ada", "age": 36, "#, false),
        (&lists, r#"[["a", "b"], ["c"#, false),
        (&lists, r#"[["a", "b"], ["#, false),
        (&lists, r#"[["a", "b"], "#, false),
    ];
    for (retry, text, is_answer) in table {
        let said = |reason| match reason {
            Some(reason) => Reply::new(text).with_finish_reason(reason),
            None => Reply::new(text),
        };
        let other = FinishReason::Other("unknown".to_owned());
        for reason in [None, Some(FinishReason::Length), Some(other)] {
            let (kind, told) = told_about(retry, said(reason));
            assert_eq!(kind, FeedbackKind::Syntax, "{text}");
            assert!(
                told.starts_with("Your previous answer was cut off"),
                "{told}"
            );
        }
        let stopped = said(Some(FinishReason::Stop));
        for cut in [OnTruncation::Retry, OnTruncation::Fail] {
            let step = retry
                .clone()
                .with_truncation(cut)
                .start(ask())
                .feed(stopped.clone());
            let done = matches!(step, Next::Done(_));
            assert_eq!(done, is_answer, "{text}: {step:?}");
        }
        // Brackets that the end stands for are a repair then, which `tool` takes and `exact` refuses.
        for (policy, takes) in [(Policy::tool(), is_answer), (Policy::exact(), false)] {
            let step = retry.clone().with_policy(policy).start(ask());
            let done = matches!(step.feed(stopped.clone()), Next::Done(_));
            assert_eq!(done, takes, "{text}");
        }
    }
    // What is wrong beside it is told.
    let negative = Reply::new(r#"{"name": "Ada", "age": -4"#);
    let stopped = negative.clone().with_finish_reason(FinishReason::Stop);
    let (kind, told) = told_about(&retry, stopped);
    assert_eq!(kind, FeedbackKind::Validation);
    assert!(told.contains("does not fit the schema") && !told.contains("cut off"));
    let accepts = Policy::lenient().allow_truncated();
    let (kind, told) = told_about(&retry.with_policy(accepts), negative);
    assert_eq!(kind, FeedbackKind::Validation);
    assert!(
        told.contains("was cut off, and does not fit the schema"),
        "{told}"
    );
    assert!(
        told.contains("- $input.age: expected integer & Minimum<0>"),
        "{told}"
    );
}
