//! OpenAI's Responses dialect.

mod input;
mod items;
mod reading;
mod reply;
mod request;
mod stream;
mod tools;
mod writer;

use llmjson::syntax::{Document, ValueRef};

use self::reading::Reading;
use self::stream::Passing;
use self::writer::Writer;
use super::{Asked, Codec, Given, Kept, Own};
use crate::error::error_object;
use crate::json::{self, Node};
use crate::{Rejection, Unknown};

/// Converts between Responses and chat.
#[derive(Debug, Default)]
pub(super) struct Responses {
    /// The reply being read, if it is in this dialect.
    reading: Reading,
    /// The events of a native reply on their way to the client.
    passing: Passing,
    /// The response as the client has received it.
    writer: Writer,
}

impl Codec for Responses {
    fn request(
        &mut self,
        root: ValueRef<'_>,
        unknown: Option<Unknown>,
    ) -> Result<Asked, Rejection> {
        self.writer.is_native = unknown.is_none();
        self.writer.is_silent = unknown.is_none();
        request::asked(root, unknown, &mut self.writer)
    }

    fn further(&self, body: &mut Node<'_>, messages: &[ValueRef<'_>]) {
        request::further(body, messages, &self.writer.tools);
    }

    fn given(&mut self, reply: ValueRef<'_>) -> String {
        reply::given(reply)
    }

    fn written(&self, own: Option<Own<'_>>, treated: ValueRef<'_>) -> String {
        match own {
            Some(own) => reply::changed(own, treated, &self.writer),
            None => self.writer.clone().whole(treated),
        }
    }

    fn event(&mut self, _: Option<&[u8]>, data: &str) -> Given {
        self.reading.event(data)
    }

    fn take(&mut self, event: Kept, chunk: Option<&str>, out: &mut Vec<u8>) {
        self.passing.take(event, chunk, &mut self.writer, out);
    }

    fn add(&mut self, chunk: &str, out: &mut Vec<u8>) {
        self.passing.begin_to_write(&mut self.writer, out);
        let document = json::read(chunk.as_bytes());
        if let Some(root) = document.as_ref().and_then(Document::root) {
            self.writer.chunk(root, out);
        }
    }

    fn comment(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.passing.comment(bytes, out);
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        self.passing.flush(&mut self.writer, out);
        self.writer.end(out);
    }

    fn fail(&mut self, error: &str, out: &mut Vec<u8>) {
        self.passing.begin_to_write(&mut self.writer, out);
        self.writer.fail(error, out);
    }

    fn again(&mut self, out: &mut Vec<u8>) {
        self.reading = Reading::default();
        self.passing.begin_to_write(&mut self.writer, out);
        self.writer.again();
    }

    fn held(&self) -> usize {
        self.passing.held()
    }
}

/// Returns a chat error, which has the same format; text that is not JSON becomes its message.
pub(super) fn error(chat: &[u8]) -> Vec<u8> {
    if json::read(chat).is_some() {
        return chat.to_vec();
    }
    let message = String::from_utf8_lossy(chat);
    error_object(&message, "upstream_error", "unreadable", None).into_bytes()
}

/// Returns the type of a value.
fn kind_of(value: ValueRef<'_>) -> String {
    json::text(value, "type").unwrap_or_default()
}

/// Returns a member that is a number.
fn number(value: ValueRef<'_>, name: &str) -> Option<u64> {
    value.get(name).and_then(ValueRef::as_u64)
}
