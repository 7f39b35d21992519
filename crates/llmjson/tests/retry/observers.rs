//! What observers hear.

use std::sync::{Arc, Mutex};

use llmjson::policy::{Observation, Observer, RetryEvent, RetryStep};

use super::*;

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

    fn observe_retry(&self, event: &RetryEvent<'_>) {
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
        let mut retry = bare_retry(&schema())
            .with_policy(policy)
            .with_max_retries(1);
        if fallback {
            retry = retry.with_fallback(json!({"age": 1, "name": "x"}));
        }
        let _ = run(&retry, &mut Replies::new(replies.iter().copied()));
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

#[test]
fn events_name_the_model_where_it_is_known() {
    #[derive(Clone, Default)]
    struct Names(Arc<Mutex<Vec<Option<String>>>>);

    impl Observer for Names {
        fn observe(&self, event: &Observation<'_>) {
            let model = event.model.map(str::to_owned);
            self.0.lock().unwrap().push(model);
        }

        fn observe_retry(&self, event: &RetryEvent<'_>) {
            let model = event.model.map(str::to_owned);
            self.0.lock().unwrap().push(model);
        }
    }

    let heard = |policy: Policy, replies: Vec<Reply>| {
        let names = Names::default();
        let retry = bare_retry(&schema()).with_policy(policy.with_observer(names.clone()));
        let _ = run(&retry, &mut Replies::new(replies));
        let heard = names.0.lock().unwrap();
        heard.clone()
    };
    let of = |name: &str| Some(name.to_owned());
    let replies = || vec![Reply::new("no").with_model("small-1"), Reply::new(GOOD)];
    assert_eq!(
        heard(Policy::lenient(), replies()),
        [of("small-1"), of("small-1"), None]
    );
    assert_eq!(
        heard(Policy::lenient().with_model("small"), replies()),
        [of("small-1"), of("small-1"), of("small")]
    );
}
