//! Streams of chat completion chunks, and who reads them: to frames, or to the whole reply.
//!
//! Streams are made up here in the shapes that servers send: a few tokens a chunk, with all the
//! members that come along with each.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use eventsource_stream::Eventsource;
use futures_core::Stream;
use llmjson_wire::Accumulator;
use llmjson_wire::sse::{Decoder, FrameDecoder, StreamItem};
use serde::Deserialize;
use serde_json_plain::{Value, json};

use crate::contenders::Contender;

/// How many bytes come at once, as from a socket.
const PIECE_BYTES: usize = 4096;

/// How many chunks a stream has.
const CHUNKS: usize = 1000;

/// The names of the streams.
pub(crate) const STREAMS: [&str; 4] = ["token", "phrase", "call", "mixed"];

/// Frames first, then whole replies.
pub(crate) const READERS: [&Contender; 5] = [
    &Contender {
        name: "eventsource-stream",
        later: "the JSON, the reply",
        start: || Box::new(|stream| frames_of_peer(stream, touch) > 0),
        value: |stream| Some(frames_of_peer(stream, |_| ()).into()),
    },
    &Contender {
        name: "llmjson-wire-frames",
        later: "the JSON, the reply",
        start: || Box::new(|stream| frames(stream) > 0),
        value: |stream| Some(frames(stream).into()),
    },
    &Contender {
        name: "eventsource-stream+serde_json",
        later: "what the types do not know is gone",
        start: || Box::new(|stream| black_box(reply_of_peer(stream)).said > 0),
        value: |stream| Some(reply_of_peer(stream).value()),
    },
    &Contender {
        name: "llmjson-wire-items",
        later: "nothing",
        start: || Box::new(|stream| black_box(reply_by_items(stream)).message().is_some()),
        value: |stream| Some(value(&reply_by_items(stream))),
    },
    &Contender {
        name: "llmjson-wire",
        later: "nothing",
        start: || {
            Box::new(|stream| !black_box(reply(stream)).text().is_empty() || !stream.is_empty())
        },
        value: |stream| Some(value(&reply(stream))),
    },
];

/// A stream, how many frames it has, and what it adds up to.
pub(crate) fn stream(name: &str) -> (String, Value, Value) {
    let mut made = Made::default();
    match name {
        "mixed" => made.mixed(),
        _ => (0..CHUNKS).for_each(|number| {
            let words = if name == "phrase" { 30 } else { 1 };
            let delta = match name {
                "call" => made.arguments(number),
                _ => made.words("content", number, words),
            };
            made.chunk(&format!(
                "{{\"id\":\"chatcmpl-8fKq2sXwV0aYdTn5bJcRzUhG\",\"object\":\"chat.completion.chunk\",\
                 \"created\":1760000000,\"model\":\"small-2025-10-01\",\"service_tier\":\"default\",\
                 \"system_fingerprint\":\"fp_3a5b7c9d1e\",\"choices\":[{{\"index\":0,\"delta\":{delta},\
                 \"logprobs\":null,\"finish_reason\":null}}],\"usage\":null,\"obfuscation\":\"{number:x}\"}}"
            ));
        }),
    }
    made.stream.push_str("data: [DONE]\n\n");
    let reply = json!({"text": made.text, "arguments": made.arguments});
    (made.stream, made.frames.into(), reply)
}

/// A stream that is being made up, and what it adds up to.
#[derive(Default)]
struct Made {
    stream: String,
    frames: usize,
    text: String,
    arguments: String,
}

impl Made {
    /// One chunk, however it looks.
    fn chunk(&mut self, json: &str) {
        write!(self.stream, "data: {json}\n\n").expect("writing to a string does not fail");
        self.frames += 1;
    }

    /// A delta with words of the text.
    fn words(&mut self, name: &str, number: usize, words: usize) -> String {
        let piece = format!(" word{number}").repeat(words);
        if name == "content" {
            self.text.push_str(&piece);
        }
        format!("{{\"{name}\":\"{piece}\"}}")
    }

    /// A delta with a piece of the arguments of a call.
    fn arguments(&mut self, number: usize) -> String {
        let piece = format!("\"key {number}\": ");
        self.arguments.push_str(&piece);
        let piece = piece.replace('"', "\\\"");
        format!(r#"{{"tool_calls":[{{"index":0,"function":{{"arguments":"{piece}"}}}}]}}"#)
    }

    /// Short replies in the ways of servers of several kinds, one after another: what changes from
    /// chunk to chunk, how much comes along with each, how a reply begins and ends.
    fn mixed(&mut self) {
        for round in 0..20 {
            self.filtered(round);
            self.local(round);
            self.routed(round);
            self.counted(round);
        }
    }

    /// A first chunk without a choice, and an object with each choice that says nothing new.
    fn filtered(&mut self, round: usize) {
        let filter = r#"{"hate":{"filtered":false,"severity":"safe"},"violence":{"filtered":false,"severity":"safe"}}"#;
        let head = format!(
            "\"created\":17600{round:05},\"id\":\"chatcmpl-{round:024}\",\"model\":\"small\",\
             \"object\":\"chat.completion.chunk\",\"system_fingerprint\":\"fp_1\"}}"
        );
        self.chunk(&format!(
            "{{\"choices\":[],\"prompt_filter_results\":[{{\"prompt_index\":0,\"content_filter_results\":{filter}}}],{head}"
        ));
        for number in 0..12 {
            let delta = self.words("content", number, 1);
            self.chunk(&format!(
                "{{\"choices\":[{{\"content_filter_results\":{filter},\"delta\":{delta},\
                 \"finish_reason\":null,\"index\":0,\"logprobs\":null}}],{head}"
            ));
        }
        self.chunk(&format!(
            "{{\"choices\":[{{\"content_filter_results\":{{}},\"delta\":{{}},\
             \"finish_reason\":\"stop\",\"index\":0,\"logprobs\":null}}],{head}"
        ));
    }

    /// Small chunks, and the timings with the last one.
    fn local(&mut self, round: usize) {
        let tail = format!(
            "\"created\":17600{round:05},\"id\":\"chatcmpl-{round:020}\",\"model\":\"tiny.gguf\",\
             \"object\":\"chat.completion.chunk\""
        );
        for number in 0..24 {
            let delta = match number {
                0 => r#"{"role":"assistant","content":null}"#.to_owned(),
                1..12 => self.words("content", number, 1),
                _ => self.arguments(number),
            };
            self.chunk(&format!(
                "{{\"choices\":[{{\"finish_reason\":null,\"index\":0,\"delta\":{delta}}}],{tail}}}"
            ));
        }
        self.chunk(&format!(
            "{{\"choices\":[{{\"finish_reason\":\"stop\",\"index\":0,\"delta\":{{}}}}],{tail},\
             \"timings\":{{\"prompt_n\":9,\"prompt_ms\":4.081,\"predicted_n\":24,\"predicted_ms\":61.5{round}}}}}"
        ));
    }

    /// Reasoning first, the role again in every chunk, the name of whoever answered, counts last.
    fn routed(&mut self, round: usize) {
        let head = format!(
            "{{\"id\":\"gen-{round:010}\",\"provider\":\"Somebody\",\"model\":\"some/large\",\
             \"object\":\"chat.completion.chunk\",\"created\":17600{round:05},\"choices\":[{{\"index\":0,"
        );
        for number in 0..16 {
            let name = if number < 8 { "reasoning" } else { "content" };
            let delta = self.words(name, number, 1);
            let delta = delta.replacen('{', r#"{"role":"assistant","#, 1);
            self.chunk(&format!(
                "{head}\"delta\":{delta},\"finish_reason\":null,\
                 \"native_finish_reason\":null,\"logprobs\":null}}]}}"
            ));
        }
        self.chunk(&format!(
            "{head}\"delta\":{{\"role\":\"assistant\",\"content\":\"\"}},\"finish_reason\":\"stop\",\
             \"native_finish_reason\":\"stop\",\"logprobs\":null}}],\"usage\":{{\"prompt_tokens\":9,\
             \"completion_tokens\":16,\"total_tokens\":25,\"cost\":0.000{round},\
             \"completion_tokens_details\":{{\"reasoning_tokens\":8}}}}}}"
        ));
    }

    /// Counts with every chunk, so that no chunk is like another.
    fn counted(&mut self, round: usize) {
        for number in 0..8 {
            let delta = self.words("content", number, 1);
            self.chunk(&format!(
                "{{\"id\":\"{round:032x}\",\"object\":\"chat.completion.chunk\",\
                 \"created\":17600{round:05},\"model\":\"medium\",\"choices\":[{{\"index\":0,\
                 \"delta\":{delta}}}],\"usage\":{{\"prompt_tokens\":21,\"completion_tokens\":{number},\
                 \"total_tokens\":{}}}}}",
                21 + number
            ));
        }
    }
}

fn frames(stream: &str) -> usize {
    let mut decoder = FrameDecoder::new();
    let mut count = 0;
    for piece in stream.as_bytes().chunks(PIECE_BYTES) {
        decoder.push(piece);
        while let Some(frame) = decoder.next_frame() {
            black_box(frame.expect("the frames are small"));
            count += 1;
        }
    }
    count
}

fn reply(stream: &str) -> Accumulator {
    let (mut decoder, mut reply) = (Decoder::new(), Accumulator::new());
    for piece in stream.as_bytes().chunks(PIECE_BYTES) {
        decoder.push(piece);
        while let Some(applied) = decoder.next_into(&mut reply) {
            applied.expect("the chunks are right");
        }
    }
    reply
}

fn reply_by_items(stream: &str) -> Accumulator {
    let (mut decoder, mut reply) = (Decoder::new(), Accumulator::new());
    for piece in stream.as_bytes().chunks(PIECE_BYTES) {
        decoder.push(piece);
        while let Some(item) = decoder.next_item() {
            if let Ok(StreamItem::Chunk(chunk)) = item {
                reply.push(&chunk);
            }
        }
    }
    reply
}

fn value(reply: &Accumulator) -> Value {
    let arguments = reply
        .tool_calls()
        .first()
        .map_or("", |call| call.arguments());
    json!({"text": reply.text(), "arguments": arguments})
}

/// The bytes of a stream as an asynchronous stream that never waits.
struct Pieces<'s>(std::slice::Chunks<'s, u8>);

impl<'s> Stream for Pieces<'s> {
    type Item = Result<&'s [u8], Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.next().map(Ok))
    }
}

/// Lets the optimizer not skip making the data.
fn touch(data: &str) {
    black_box(data);
}

fn frames_of_peer(stream: &str, mut take: impl FnMut(&str)) -> usize {
    let pieces = Pieces(stream.as_bytes().chunks(PIECE_BYTES));
    let mut events = pin!(pieces.eventsource());
    let mut context = Context::from_waker(Waker::noop());
    let mut count = 0;
    while let Poll::Ready(Some(event)) = events.as_mut().poll_next(&mut context) {
        let event = event.expect("the stream is right");
        if event.data == "[DONE]" {
            break;
        }
        take(&event.data);
        count += 1;
    }
    count
}

/// What somebody who needs the text and the arguments would write.
#[derive(Default)]
struct Reply {
    said: usize,
    text: String,
    arguments: String,
}

impl Reply {
    fn value(&self) -> Value {
        json!({"text": self.text, "arguments": self.arguments})
    }
}

#[derive(Deserialize)]
struct Chunk {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Delta,
}

#[derive(Deserialize)]
struct Delta {
    content: Option<String>,
    tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
struct Call {
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    arguments: Option<String>,
}

fn reply_of_peer(stream: &str) -> Reply {
    let mut reply = Reply::default();
    frames_of_peer(stream, |data| {
        let chunk: Chunk = serde_json_plain::from_str(data).expect("the chunks are right");
        for choice in chunk.choices {
            reply
                .text
                .push_str(&choice.delta.content.unwrap_or_default());
            for call in choice.delta.tool_calls.into_iter().flatten() {
                reply
                    .arguments
                    .push_str(&call.function.arguments.unwrap_or_default());
            }
        }
        reply.said += 1;
    });
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_of_a_stream_is_right() {
        for name in STREAMS {
            let (stream, frames, reply) = stream(name);
            for reader in READERS {
                let found = (reader.value)(&stream).expect("there is always one");
                let wanted = if found.is_number() { &frames } else { &reply };
                assert_eq!(found, *wanted, "{} on {name}", reader.name);
            }
        }
    }
}
