//! Streamed replies of any dialect.
//!
//! Of an upstream that has the dialect, each event becomes exactly one event of the machine for chat, with a number in
//! front of it, and waits under that number until it comes out again. So the machine's order, bounds and retries are those
//! of the dialect.

use std::collections::VecDeque;
use std::ops::Range;

use llmjson::syntax::Document;
use llmjson_wire::sse::FrameDecoder;

use super::{Exchange, Way};
use crate::chat::{self, Finished};
use crate::json;

/// An event of an upstream that waits for what becomes of it, or a comment.
#[derive(Debug)]
pub(crate) struct Kept {
    number: u64,
    /// All of it, as it came.
    pub(crate) bytes: Vec<u8>,
    /// The place of the data in it, if it is one line.
    place: Option<Range<usize>>,
    name: Option<Vec<u8>>,
    /// The data; empty for a comment, and for what is not UTF-8.
    pub(crate) data: String,
    /// The chunk as which it was given.
    pub(crate) given: String,
}

impl Kept {
    /// Writes it with other data, which is one line.
    pub(crate) fn put_with(&self, data: &str, out: &mut Vec<u8>) {
        if let Some(place) = &self.place {
            out.extend_from_slice(&self.bytes[..place.start]);
            out.extend_from_slice(data.as_bytes());
            out.extend_from_slice(&self.bytes[place.end..]);
            return;
        }
        // Data of several lines becomes one.
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
    /// A chunk; one without choices for what chat has no word for.
    Chunk(String),
    /// The last event of a reply.
    Done,
    /// An error that the upstream tells.
    Error,
}

impl Given {
    /// An event that says nothing that is treated.
    pub(crate) fn nothing() -> Self {
        Self::Chunk(r#"{"choices":[]}"#.to_owned())
    }
}

/// A streamed reply on its way, as [`chat::Stream`] is one.
#[derive(Debug)]
pub struct Stream {
    chat: chat::Stream,
    way: Option<Way>,
    /// Reads an upstream that has the dialect.
    decoder: FrameDecoder,
    /// `true` if the last piece ended with a carriage return, which is read with what follows.
    is_split: bool,
    /// Reads what the machine for chat writes.
    treated: FrameDecoder,
    kept: VecDeque<Kept>,
    /// Number of bytes of the kept events.
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
            // The machine has checked the size of what it read.
            treated: FrameDecoder::new().with_frame_bytes_max(usize::MAX),
            kept: VecDeque::new(),
            held: 0,
            numbers: 0,
        }
    }

    /// Takes a piece of the upstream's body, and appends to `out` what the client gets by now.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
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
        // Blocks are the same in any pieces if no end of a line is cut in two.
        if self.is_split && !piece.is_empty() {
            self.decoder.push(b"\r");
            self.is_split = false;
        }
        let whole = piece.strip_suffix(b"\r");
        self.is_split |= whole.is_some();
        self.decoder.push(whole.unwrap_or(piece));
        self.read(out);
    }

    /// Ends the reply, as [`chat::Stream::finish`] does; the error is one of the dialect.
    pub fn finish(&mut self, complete: bool, out: &mut Vec<u8>) -> Finished {
        if self.way.is_none() {
            return self.chat.finish(complete, out);
        }
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
        // An event of its own follows, not a line more of one that was cut.
        if out.len() > before && chat::is_cut(&out[..before]) {
            out.splice(before..before, *b"\n\n");
        }
        finished
    }

    /// Ends an open stream with an error, after all events that may go out.
    #[cfg(feature = "server")]
    pub(crate) fn break_off(&mut self, message: &str, code: &str, out: &mut Vec<u8>) {
        let mut written = Vec::new();
        self.chat.break_off(message, code, &mut written);
        match self.way {
            None => out.append(&mut written),
            Some(_) => self.write(&written, out),
        }
    }

    /// Returns `true` if the output so far does not end within an event.
    #[cfg(feature = "server")]
    pub(crate) fn is_between_events(&self) -> bool {
        self.chat.is_between_events()
    }

    /// Returns `true` if the upstream speaks chat, and the client does not.
    fn is_translated(&self) -> bool {
        self.way.as_ref().is_some_and(|way| way.native.is_none())
    }

    fn end(&mut self, finished: Finished, out: &mut Vec<u8>) -> Finished {
        let Some(way) = &mut self.way else {
            return finished;
        };
        match finished {
            Finished::Ask(body) => {
                let body = way.ask(body);
                way.codec.again(out);
                self.decoder = self.chat.decoder_of_upstream();
                self.is_split = false;
                self.kept.clear();
                self.held = 0;
                Finished::Ask(body)
            }
            Finished::Done(report) => {
                // An upstream that speaks chat may leave `[DONE]` out.
                way.codec.end(out);
                Finished::Done(report)
            }
        }
    }

    /// Gives the machine what has been read of the upstream.
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

    /// Writes in the dialect what the machine has written.
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

/// The number that stands in front of an event or in a comment.
fn number_of(bytes: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(bytes).ok()?;
    let rest = text.strip_prefix("id: ").or(text.strip_prefix(':'))?;
    rest.lines().next()?.parse().ok()
}

/// Returns `true` if a chunk tells an error and nothing else.
fn is_error(data: &str) -> bool {
    let document = json::read(data.as_bytes());
    let root = document.as_ref().and_then(Document::root);
    root.is_some_and(|root| {
        json::member(root, "error").is_some() && json::member(root, "choices").is_none()
    })
}
