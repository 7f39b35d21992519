//! Models that are awaited, and messages of other libraries.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::*;

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
