//! Several values in one text that is still coming.

use alloc::collections::VecDeque;

use super::{Finished, Stream};
use crate::limits::Limits;

/// Reads a text that comes in pieces and holds several values: lines of JSON, calls one after the
/// other, values with prose between them. Each is delivered when its last closer has come.
///
/// ```
/// let mut stream = llmjson_syntax::StreamAll::new();
/// stream.push("{\"n\": 1}\n{\"n\": ");
/// let (offset, first) = stream.pop().expect("the first value is whole");
/// assert_eq!((offset, first.document.to_json().as_deref()), (0, Some(r#"{"n":1}"#)));
/// stream.push("2} and [1, 2");
/// assert_eq!(stream.pop().map(|(offset, _)| offset), Some(8));
/// assert_eq!(stream.current().document().to_json().as_deref(), Some("[1]"));
/// let last = stream.finish().pop_back().expect("what has begun");
/// assert_eq!(last.1.document.to_json().as_deref(), Some("[1,2]"));
/// assert!(!last.1.document.is_complete());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StreamAll {
    current: Stream,
    /// Where the text of the current value begins.
    offset: usize,
    limits: Limits,
    done: VecDeque<(usize, Finished)>,
}

impl StreamAll {
    /// An empty text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same stream with other limits, which hold for each value and the text before it.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let current = self.current.with_limits(limits);
        Self {
            current,
            limits,
            ..self
        }
    }

    /// Takes in the next piece of the text.
    pub fn push(&mut self, piece: &str) {
        self.current.push(piece);
        while let Some(end) = self.current.end() {
            let fresh = Stream::new().with_limits(self.limits);
            let mut whole = core::mem::replace(&mut self.current, fresh);
            let rest = whole.cut(end);
            self.done.push_back((self.offset, whole.finish()));
            self.offset += end;
            self.current.push(&rest);
        }
    }

    /// The next value that is whole, and the offset at which its text begins, with what stands
    /// before the value.
    pub fn pop(&mut self) -> Option<(usize, Finished)> {
        self.done.pop_front()
    }

    /// The value that is coming.
    #[must_use]
    pub fn current(&self) -> &Stream {
        &self.current
    }

    /// The value that is coming, for [`events`](Stream::events).
    pub fn current_mut(&mut self) -> &mut Stream {
        &mut self.current
    }

    /// The text has ended. Gives the values that have not been taken yet, the last one as far as
    /// it came.
    #[must_use]
    pub fn finish(mut self) -> VecDeque<(usize, Finished)> {
        let last = self.current.finish();
        if last.document.root().is_some() || self.done.is_empty() && self.offset == 0 {
            self.done.push_back((self.offset, last));
        }
        self.done
    }
}
