//! Streamed replies of any dialect.
//!
//! For an upstream that supports the dialect, each event becomes exactly one event of the chat
//! machine, with a number in front of it, and waits under that number until it comes out again. So
//! the machine's order, bounds and retries also apply to the dialect.

use std::collections::VecDeque;

use llmjson::syntax::Document;
use llmjson_wire::sse::FrameDecoder;

use super::{Exchange, Way};
use crate::chat::{self, Finished};
use crate::json;
use crate::received::{Events, Received};

/// An upstream event that waits for its treated form, or a comment.
#[derive(Debug)]
pub(crate) struct Kept {
    number: u64,
    pub(crate) event: Received,
    /// The chunk that was passed to the machine.
    pub(crate) given: String,
}

impl Kept {
    /// Keeps a comment.
    pub(crate) fn comment(bytes: &[u8]) -> Self {
        Self {
            number: 0,
            event: Received::comment(bytes),
            given: String::new(),
        }
    }
}

/// The meaning of an event, in chat.
#[derive(Debug)]
pub(crate) enum Given {
    /// A chunk, without choices if it has no chat equivalent.
    Chunk(String),
    /// The last event of a reply.
    Done,
    /// An error reported by the upstream.
    Error,
}

impl Given {
    /// An event without content to treat.
    pub(crate) fn nothing() -> Self {
        Self::Chunk(r#"{"choices":[]}"#.to_owned())
    }
}

/// A streamed reply, like [`chat::Stream`].
#[derive(Debug)]
pub struct Stream {
    chat: chat::Stream,
    way: Option<Way>,
    /// The events of an upstream that supports the dialect.
    events: Events,
    /// Reads the chat machine's output.
    treated: FrameDecoder,
    kept: VecDeque<Kept>,
    /// The size of the kept events in bytes.
    held: usize,
    numbers: u64,
}

impl Stream {
    pub(super) fn new(exchange: Exchange) -> Self {
        let chat = exchange.chat.stream();
        Self {
            events: chat.events_of_upstream(),
            chat,
            way: exchange.way,
            // The machine has checked the size of its input.
            treated: FrameDecoder::new().with_frame_bytes_max(usize::MAX),
            kept: VecDeque::new(),
            held: 0,
            numbers: 0,
        }
    }

    /// Takes a piece of the upstream's body, and appends the client's output so far to `out`.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        self.begin_again(out);
        let Some(way) = &self.way else {
            return self.chat.push(piece, out);
        };
        if way.native.is_none() {
            return self.treat(out, |chat, out| chat.push(piece, out));
        }
        if self.chat.is_idle() {
            return self.chat.push(piece, out);
        }
        if self.chat.is_closed() {
            return;
        }
        self.events.push(piece);
        self.read(out);
    }

    /// Ends the reply, as [`chat::Stream::finish`] does; the error is in the dialect.
    pub fn finish(&mut self, complete: bool, out: &mut Vec<u8>) -> Finished {
        if self.way.is_none() {
            return self.chat.finish(complete, out);
        }
        self.begin_again(out);
        if complete && self.is_translated() {
            // The last event may lack its blank line.
            self.push(b"\n\n", out);
        } else if !self.chat.is_idle() {
            self.events.finish(complete);
            self.read(out);
        }
        let before = out.len();
        let finished = self.treat(out, |chat, out| chat.finish(complete, out));
        let finished = self.end(finished, out);
        // A separate event follows, not another line of a truncated one.
        if out.len() > before && chat::is_cut(&out[..before]) {
            out.splice(before..before, *b"\n\n");
        }
        finished
    }

    /// Ends with the replies so far, as [`chat::Stream::keep`] does.
    pub fn keep(&mut self, out: &mut Vec<u8>) -> Option<Finished> {
        let finished = self.treat(out, chat::Stream::keep);
        finished.map(|finished| self.end(finished, out))
    }

    /// Begins to read the further reply that was requested, if any.
    fn begin_again(&mut self, out: &mut Vec<u8>) {
        if !self.chat.is_asking() {
            return;
        }
        self.treat(out, chat::Stream::begin_again);
        if let Some(way) = &mut self.way {
            way.codec.again(out);
            self.events = self.chat.events_of_upstream();
            self.kept.clear();
            self.held = 0;
        }
    }

    /// Ends an open stream with an error, after all events that may be sent.
    #[cfg(feature = "server")]
    pub(crate) fn break_off(&mut self, message: &str, code: &str, out: &mut Vec<u8>) {
        self.treat(out, |chat, out| chat.break_off(message, code, out));
    }

    /// Lets the machine act, and writes its output in the dialect, if there is one.
    fn treat<T>(
        &mut self,
        out: &mut Vec<u8>,
        act: impl FnOnce(&mut chat::Stream, &mut Vec<u8>) -> T,
    ) -> T {
        if self.way.is_none() {
            return act(&mut self.chat, out);
        }
        let mut written = Vec::new();
        let result = act(&mut self.chat, &mut written);
        self.write(&written, out);
        result
    }

    /// Returns `true` if the output so far does not end inside an event.
    #[cfg(feature = "server")]
    pub(crate) fn is_between_events(&self) -> bool {
        self.chat.is_between_events()
    }

    /// Returns `true` if a further reply may be requested.
    #[cfg(feature = "server")]
    pub(crate) const fn may_ask(&self) -> bool {
        self.chat.may_ask()
    }

    /// Returns `true` if the upstream uses chat and the client does not.
    fn is_translated(&self) -> bool {
        self.way.as_ref().is_some_and(|way| way.native.is_none())
    }

    fn end(&mut self, finished: Finished, out: &mut Vec<u8>) -> Finished {
        let Some(way) = &mut self.way else {
            return finished;
        };
        match finished {
            Finished::Ask(body) => Finished::Ask(way.ask(body)),
            Finished::Done(report) => {
                // An upstream that uses chat may omit `[DONE]`.
                way.codec.end(out);
                Finished::Done(report)
            }
        }
    }

    /// Passes the upstream's events to the machine.
    fn read(&mut self, out: &mut Vec<u8>) {
        loop {
            let block = match self.events.next() {
                None => return,
                Some(Ok(block)) => block,
                Some(Err(error)) => {
                    let message = error.to_string();
                    return self.treat(out, |chat, out| {
                        chat.break_off(&message, "frame_too_large", out);
                    });
                }
            };
            let Some(way) = &mut self.way else {
                return;
            };
            let number = self.numbers;
            self.numbers += 1;
            let data = block.frame.map(|frame| std::str::from_utf8(frame.data));
            let name = block.frame.and_then(|frame| frame.event);
            let given = data.map(|data| match data.map(|data| way.codec.event(name, data)) {
                Ok(Given::Chunk(chunk)) => ("", chunk.replace(['\n', '\r'], " ")),
                Ok(Given::Done) => ("", "[DONE]".to_owned()),
                Ok(Given::Error) => ("event: error\n", "{}".to_owned()),
                Err(_) => ("", "?".to_owned()),
            });
            let event = match &given {
                None => format!(":{number}\n\n"),
                Some((kind, data)) => format!("id: {number}\n{kind}data: {data}\n\n"),
            };
            self.held += block.bytes.len();
            self.kept.push_back(Kept {
                number,
                event: Received::of(&block),
                given: given.map(|(_, data)| data).unwrap_or_default(),
            });
            self.treat(out, |chat, out| chat.push(event.as_bytes(), out));
            let held = self.held + self.way.as_ref().map_or(0, |way| way.codec.held());
            self.treat(out, |chat, out| chat.bound(held, out));
        }
    }

    /// Writes the machine's output in the dialect.
    fn write(&mut self, written: &[u8], out: &mut Vec<u8>) {
        let Some(way) = &mut self.way else {
            return;
        };
        self.treated.push(written);
        while let Some(Ok(block)) = self.treated.next_block() {
            let number = number_of(block.bytes).filter(|_| way.native.is_some());
            let data = block
                .frame
                .and_then(|frame| std::str::from_utf8(frame.data).ok());
            let Some(number) = number else {
                match data {
                    None if way.native.is_some() => way.codec.comment(block.bytes, out),
                    None => {
                        let lines = block.bytes.split(|byte| b"\r\n".contains(byte));
                        for line in lines.filter(|line| line.starts_with(b":")) {
                            way.codec.comment(&[line, b"\n\n"].concat(), out);
                        }
                    }
                    Some(data) if data.trim() == "[DONE]" => way.codec.end(out),
                    Some(data) if is_error(data) => way.codec.fail(data, out),
                    Some(data) => way.codec.add(data, out),
                }
                continue;
            };
            while let Some(kept) = self.kept.pop_front_if(|kept| kept.number <= number) {
                self.held -= kept.event.bytes.len();
                let is_left = kept.number == number;
                match data {
                    None if is_left => way.codec.comment(&kept.event.bytes, out),
                    _ => way.codec.take(kept, data.filter(|_| is_left), out),
                }
            }
        }
    }
}

/// The number in front of an event or in a comment.
fn number_of(bytes: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(bytes).ok()?;
    let rest = text.strip_prefix("id: ").or(text.strip_prefix(':'))?;
    rest.lines().next()?.parse().ok()
}

/// Returns `true` if a chunk holds only an error.
fn is_error(data: &str) -> bool {
    let document = json::read(data.as_bytes());
    let root = document.as_ref().and_then(Document::root);
    root.is_some_and(|root| {
        json::member(root, "error").is_some() && json::member(root, "choices").is_none()
    })
}
