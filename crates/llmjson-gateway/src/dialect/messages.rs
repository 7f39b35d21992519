//! Anthropic's Messages dialect.

mod blocks;
mod parts;
mod reply;
mod request;
mod stream;

use llmjson::syntax::{Document, ValueRef, json_object};

use self::blocks::Blocks;
use self::stream::Reading;
use super::{Asked, Codec, Given, Kept, Own};
use crate::error::message_of;
use crate::json::{self, Node};
use crate::{Rejection, Unknown};

/// Converts between Messages and chat.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// The reply being read, if it is in this dialect.
    reading: Reading,
    /// The blocks of the stream being written.
    blocks: Blocks,
}

impl Codec for Messages {
    fn request(
        &mut self,
        root: ValueRef<'_>,
        unknown: Option<Unknown>,
    ) -> Result<Asked, Rejection> {
        self.blocks.is_native = unknown.is_none();
        request::asked(root, unknown)
    }

    fn further(&self, body: &mut Node<'_>, messages: &[ValueRef<'_>]) {
        request::further(body, messages, &self.reading.thoughts);
    }

    fn given(&mut self, reply: ValueRef<'_>) -> String {
        self.reading.whole(reply)
    }

    fn written(&self, own: Option<Own<'_>>, treated: ValueRef<'_>) -> String {
        reply::written(own, treated)
    }

    fn event(&mut self, _: Option<&[u8]>, data: &str) -> Given {
        self.reading.event(data)
    }

    fn take(&mut self, event: Kept, chunk: Option<&str>, out: &mut Vec<u8>) {
        self.blocks.take(event, chunk, out);
    }

    fn add(&mut self, chunk: &str, out: &mut Vec<u8>) {
        self.blocks.add(chunk, out);
    }

    fn comment(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.blocks.pass(bytes, out);
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        self.blocks.end(out);
    }

    fn fail(&mut self, chat: &str, out: &mut Vec<u8>) {
        self.blocks.fail(&error(None, chat.as_bytes()), out);
    }

    fn again(&mut self, out: &mut Vec<u8>) {
        self.reading = Reading::default();
        self.blocks.again(out);
    }

    fn held(&self) -> usize {
        self.blocks.held()
    }
}

/// Returns a chat error in the format of Messages; an error in that format is unchanged. Without a
/// status it is an error in a stream.
pub(super) fn error(status: Option<u16>, chat: &[u8]) -> String {
    let document = json::read(chat);
    let root = document.as_ref().and_then(Document::root);
    if let Some(root) = root
        && json::text(root, "type").is_some_and(|kind| kind == "error")
    {
        return root.document_text().to_owned();
    }
    let message = message_of(chat).unwrap_or_else(|| String::from_utf8_lossy(chat).into_owned());
    let kind = match status {
        Some(400 | 415 | 422) => "invalid_request_error",
        Some(401) => "authentication_error",
        Some(403) => "permission_error",
        Some(404) => "not_found_error",
        Some(413) => "request_too_large",
        Some(429) => "rate_limit_error",
        Some(504) => "timeout_error",
        Some(529) => "overloaded_error",
        _ => "api_error",
    };
    json_object!({
        "type": "error",
        "error": { "type": kind, "message": message },
    })
}
