//! Streamed replies of any dialect.
//!
//! For an upstream that supports the dialect, each event becomes exactly one event of the chat
//! machine, with a number in front of it, and waits under that number until it comes out again. So
//! the machine's order, bounds and retries also apply to the dialect.

use std::collections::VecDeque;
use std::ops::Range;

use llmjson::syntax::Document;
use llmjson_wire::sse::FrameDecoder;

use super::{Exchange, Way};
use crate::chat::{self, Finished};
use crate::json;

/// An upstream event that waits for its treated form, or a comment.
#[derive(Debug)]
pub(crate) struct Kept {
    number: u64,
    /// The whole event as received.
    pub(crate) bytes: Vec<u8>,
    /// The range of the data in it, if it is one line.
    place: Option<Range<usize>>,
    name: Option<Vec<u8>>,
    /// The data; empty for a comment, and if it is not UTF-8.
    pub(crate) data: String,
    /// The chunk that was passed to the machine.
    pub(crate) given: String,
}

impl Kept {
    /// Writes it with other data, which must be one line.
    pub(crate) fn put_with(&self, data: &str, out: &mut Vec<u8>) {
        if let Some(place) = &self.place {
            out.extend_from_slice(&self.bytes[..place.start]);
            out.extend_from_slice(data.as_bytes());
            out.extend_from_slice(&self.bytes[place.end..]);
            return;
        }
        // Data on several lines becomes one line.
        if let Some(name) = &self.name {
            out.extend_from_slice(&[b"event: ", &name[..], b"\n"].concat());
        }
        let data = data.replace(['\n', '\r'], " ");
        out.extend_from_slice(format!("data: {data}\n\n").as_bytes());
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
    /// Reads an upstream that supports the dialect.
    decoder: FrameDecoder,
    /// `true` if the last piece ended with a carriage return, which is read with the next piece.
    is_split: bool,
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
            decoder: chat.decoder_of_upstream(),
            chat,
            way: exchange.way,
            is_split: false,
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
            let mut written = Vec::new();
            self.chat.push(piece, &mut written);
            return self.write(&written, out);
        }
        if self.chat.is_idle() {
            return self.chat.push(piece, out);
        }
        if self.chat.is_closed() {
            return;
        }
        // Blocks do not depend on the pieces if no line end is split.
        if self.is_split && !piece.is_empty() {
            self.decoder.push(b"\r");
            self.is_split = false;
        }
        let whole = piece.strip_suffix(b"\r");
        self.is_split |= whole.is_some();
        self.decoder.push(whole.unwrap_or(piece));
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
        } else if complete && !self.chat.is_idle() {
            if std::mem::take(&mut self.is_split) {
                self.decoder.push(b"\r");
            }
            self.decoder.finish();
            self.read(out);
        }
        let (before, mut written) = (out.len(), Vec::new());
        let finished = self.chat.finish(complete, &mut written);
        self.write(&written, out);
        let finished = self.end(finished, out);
        // A separate event follows, not another line of a truncated one.
        if out.len() > before && chat::is_cut(&out[..before]) {
            out.splice(before..before, *b"\n\n");
        }
        finished
    }

    /// Ends with the replies so far, as [`chat::Stream::keep`] does.
    pub fn keep(&mut self, out: &mut Vec<u8>) -> Option<Finished> {
        let mut written = Vec::new();
        let finished = self.chat.keep(&mut written);
        self.put(written, out);
        finished.map(|finished| self.end(finished, out))
    }

    /// Begins to read the further reply that was requested, if any.
    fn begin_again(&mut self, out: &mut Vec<u8>) {
        if !self.chat.is_asking() {
            return;
        }
        let mut written = Vec::new();
        self.chat.begin_again(&mut written);
        self.put(written, out);
        if let Some(way) = &mut self.way {
            way.codec.again(out);
            self.decoder = self.chat.decoder_of_upstream();
            self.is_split = false;
            self.kept.clear();
            self.held = 0;
        }
    }

    /// Ends an open stream with an error, after all events that may be sent.
    #[cfg(feature = "server")]
    pub(crate) fn break_off(&mut self, message: &str, code: &str, out: &mut Vec<u8>) {
        let mut written = Vec::new();
        self.chat.break_off(message, code, &mut written);
        self.put(written, out);
    }

    /// Writes the machine's output, in the dialect if there is one.
    fn put(&mut self, mut written: Vec<u8>, out: &mut Vec<u8>) {
        match self.way {
            None => out.append(&mut written),
            Some(_) => self.write(&written, out),
        }
    }

    /// Returns `true` if the output so far does not end inside an event.
    #[cfg(feature = "server")]
    pub(crate) fn is_between_events(&self) -> bool {
        self.chat.is_between_events()
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
            let block = match self.decoder.next_block() {
                None => return,
                Some(Ok(block)) => block,
                Some(Err(error)) => {
                    let mut written = Vec::new();
                    self.chat
                        .break_off(&error.to_string(), "frame_too_large", &mut written);
                    return self.write(&written, out);
                }
            };
            let Some(way) = &mut self.way else {
                return;
            };
            let number = self.numbers;
            self.numbers += 1;
            let data = block.frame.map(|frame| std::str::from_utf8(frame.data));
            let name = block.frame.and_then(|frame| frame.event);
            let given = match data {
                None => None,
                Some(Ok(data)) => Some(way.codec.event(name, data)),
                Some(Err(_)) => Some(Given::Chunk("?".to_owned())),
            };
            let (event, given) = match given {
                None => (format!(":{number}\n\n"), String::new()),
                Some(Given::Error) => (
                    format!("id: {number}\nevent: error\ndata: {{}}\n\n"),
                    "{}".to_owned(),
                ),
                Some(Given::Done) => (
                    format!("id: {number}\ndata: [DONE]\n\n"),
                    "[DONE]".to_owned(),
                ),
                Some(Given::Chunk(chunk)) => {
                    let chunk = chunk.replace(['\n', '\r'], " ");
                    (format!("id: {number}\ndata: {chunk}\n\n"), chunk)
                }
            };
            self.held += block.bytes.len();
            self.kept.push_back(Kept {
                number,
                bytes: block.bytes.to_vec(),
                place: block.place,
                name: name.map(<[u8]>::to_vec),
                data: data.and_then(Result::ok).unwrap_or_default().to_owned(),
                given,
            });
            let mut written = Vec::new();
            self.chat.push(event.as_bytes(), &mut written);
            self.write(&written, out);
            let held = self.held + self.way.as_ref().map_or(0, |way| way.codec.held());
            let mut written = Vec::new();
            self.chat.bound(held, &mut written);
            self.write(&written, out);
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
                self.held -= kept.bytes.len();
                let is_left = kept.number == number;
                match data {
                    None if is_left => way.codec.comment(&kept.bytes, out),
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
