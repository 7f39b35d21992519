//! Models that are awaited, and messages of other libraries.

use std::future::ready;
use std::sync::{Arc, Mutex};

use super::*;
use crate::block_on::block_on;

#[test]
fn awaiting_does_the_same_as_waiting() {
    fn can_be_sent<F: Future + Send>(future: F) -> F {
        future
    }
    let retry = bare_retry(&schema());
    let (mut waited, mut awaited) = (Replies::new([BAD, GOOD]), Replies::new([BAD, GOOD]));
    let answer = run(&retry, &mut waited).unwrap();
    let model = |turn| ready(Ok::<_, Infallible>(awaited.answer(&turn)));
    let same = block_on(retry.run_async(model, ask())).unwrap();
    assert_eq!(waited.asked, awaited.asked);
    assert_eq!(answer.parsed.to_json(), same.parsed.to_json());

    // Each future owns what it uses, so the conversation can be spawned.
    let owned = Arc::new(Mutex::new(Replies::new([GOOD])));
    let model = |turn| {
        let replies = Arc::clone(&owned);
        async move { Ok::<_, Infallible>(replies.lock().unwrap().answer(&turn)) }
    };
    let sent = block_on(can_be_sent(retry.run_async(model, ask()))).unwrap();
    assert_eq!(sent.attempts, 1);
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

        fn role(&self) -> Option<Role> {
            matches!(self, Self::Instructions(_)).then_some(Role::System)
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
    let retry = bare_retry(&schema()).with_feedback_place(FeedbackPlace::System);
    let Next::NeedCompletion(second) = retry.start(messages).feed(BAD) else {
        panic!()
    };
    assert_eq!(second.messages()[0], Theirs::Picture(b"png"));
    let Theirs::Instructions(said) = &second.messages()[1] else {
        panic!()
    };
    assert!(said.starts_with("Look.\n\nYour previous answer"));
}
