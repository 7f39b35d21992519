//! Laws of every text and every way to split it. Called by the tests and by the fuzz targets; each
//! panics if it does not hold.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::accumulate::Accumulator;
use crate::error::decode_error;
use crate::sse::{Applied, Decoder, FrameDecoder, OnMalformed, SseError, StreamItem};
use crate::{
    ApiError, Choice, ContentPart, EmbeddingDatum, EmbeddingsRequest, EmbeddingsResponse, Extras,
    Function, FunctionDefinition, ImageUrl, JsonSchema, Message, Request, Response, ResponseFormat,
    StreamChunk, StreamOptions, Thinking, Tool, ToolCall, Usage, split_thinking,
};

/// Checks that a stream has the same result regardless of the boundaries of its pieces. The pieces
/// have the given lengths, repeated in a cycle; 0 stands for 1.
pub fn splitting_changes_nothing(stream: &[u8], lengths: &[u8], frame_bytes_max: usize) {
    let whole = frames(&[stream], frame_bytes_max);
    let pieces = pieces(stream, lengths);
    assert_eq!(frames(&pieces, frame_bytes_max), whole, "frames");
    blocks_are_the_stream(stream, &[stream], frame_bytes_max);
    blocks_are_the_stream(stream, &pieces, frame_bytes_max);

    for on_malformed in [OnMalformed::Fail, OnMalformed::Skip] {
        let decoder = || {
            Decoder::new()
                .with_frame_bytes_max(frame_bytes_max)
                .with_on_malformed(on_malformed)
        };
        let whole = items(decoder(), &[stream]);
        assert_eq!(items(decoder(), &pieces), whole, "items");
        let reply = assembled(decoder(), &[stream]);
        assert_eq!(assembled(decoder(), &pieces), reply, "reply");
        assert_eq!(reply, added_up(&whole), "chunks taken out and pushed");
    }
}

/// Checks that any text is read into every type or refused, and that a value survives writing and
/// reading.
pub fn types_round_trip(text: &str) {
    round_trip::<Request>(text, |it| &it.extras);
    round_trip::<StreamOptions>(text, |it| &it.extras);
    round_trip::<Tool>(text, |it| &it.extras);
    round_trip::<FunctionDefinition>(text, |it| &it.extras);
    round_trip::<ResponseFormat>(text, |it| &it.extras);
    round_trip::<JsonSchema>(text, |it| &it.extras);
    round_trip::<Message>(text, |it| &it.extras);
    round_trip::<ToolCall>(text, |it| &it.extras);
    round_trip::<Function>(text, |it| &it.extras);
    round_trip::<ContentPart>(text, |it| &it.extras);
    round_trip::<ImageUrl>(text, |it| &it.extras);
    round_trip::<Response>(text, |it| &it.extras);
    round_trip::<StreamChunk>(text, |it| &it.extras);
    round_trip::<Choice>(text, |it| &it.extras);
    round_trip::<Usage>(text, |it| &it.extras);
    round_trip::<EmbeddingsRequest>(text, |it| &it.extras);
    round_trip::<EmbeddingsResponse>(text, |it| &it.extras);
    round_trip::<EmbeddingDatum>(text, |it| &it.extras);
    if let Ok(message) = serde_json::from_str::<Message>(text) {
        let _ = message.content.as_parts();
    }
    let _ = Accumulator::new().push_text(text);
    thoughts_are_part_of_the_text(text);
}

/// Checks that the remaining text and the reasoning are parts of the original text.
fn thoughts_are_part_of_the_text(text: &str) {
    let Thinking {
        text: left,
        reasoning,
    } = split_thinking(text);
    let thought = reasoning.as_deref().unwrap_or_default();
    assert!(left.len() + thought.len() <= text.len());
    assert!(reasoning.is_none() || !thought.trim().is_empty());
    for line in thought.split('\n') {
        assert!(text.contains(line), "{line:?} was never thought");
    }
}

/// Checks that every body gives a meaningful error, and keeps the body.
pub fn errors_say_something(status: u16, body: &[u8]) {
    let error = decode_error(status, body);
    assert!(!error.message.is_empty());
    assert_eq!((error.status, error.body.as_slice()), (Some(status), body));
    assert!(!error.to_string().is_empty());
    serde_json::to_string(&error).expect("its extras are none of its members");
}

fn round_trip<T>(text: &str, extras: impl Fn(&T) -> &Extras)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let Ok(first) = serde_json::from_str::<T>(text) else {
        return;
    };
    let written = serde_json::to_string(&first).expect("its extras are none of its members");
    let second: T = serde_json::from_str(&written).expect("what was written can be read");
    assert_eq!(second, first);
    assert_eq!(serde_json::to_string(&second).ok(), Some(written));
    for (name, value) in extras(&first).iter() {
        assert!(text.contains(value.as_str()), "{name} is not as it came");
    }
}

/// Checks that the blocks together are the stream, unless a frame is too large, and that their
/// frames equal those read without blocks, up to the frame that ends the stream.
fn blocks_are_the_stream(stream: &[u8], pieces: &[&[u8]], frame_bytes_max: usize) {
    let decoder = || FrameDecoder::new().with_frame_bytes_max(frame_bytes_max);
    let (mut blocks, mut plain) = (decoder(), decoder());
    let (mut bytes, mut found, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    let mut has_failed = false;
    for at in 0..=pieces.len() {
        match pieces.get(at) {
            Some(piece) => {
                blocks.push(piece);
                plain.push(piece);
            }
            None => {
                blocks.finish();
                plain.finish();
            }
        }
        while let Some(Ok(block)) = blocks.next_block() {
            bytes.extend_from_slice(block.bytes);
            if let (Some(frame), Some(place)) = (block.frame, block.place) {
                assert_eq!(&block.bytes[place], frame.data);
            }
            found.extend(block.frame.map(|frame| frame.data.to_vec()));
        }
        has_failed = matches!(blocks.next_block(), Some(Err(_)));
        while let Some(Ok(frame)) = plain.next_frame() {
            expected.push(frame.data.to_vec());
        }
    }
    assert!(stream.starts_with(&bytes) && (has_failed || bytes == stream));
    let found = found.iter().filter(|data| !data.is_empty());
    let expected: Vec<&Vec<u8>> = expected.iter().collect();
    let found: Vec<&Vec<u8>> = found.take(expected.len()).collect();
    assert_eq!(found, expected, "frames in blocks");
}

/// Returns a stream in pieces of these lengths, repeated in a cycle.
#[must_use]
pub fn pieces<'s>(stream: &'s [u8], lengths: &[u8]) -> Vec<&'s [u8]> {
    let mut rest = stream;
    let mut pieces = Vec::new();
    for &length in lengths.iter().cycle() {
        let length = usize::from(length).max(1).min(rest.len());
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
        if rest.is_empty() {
            return pieces;
        }
    }
    vec![stream]
}

/// The data and event of each frame, and whether `[DONE]` or a frame that is too large came at the
/// end.
type Frames = (Vec<(Vec<u8>, Option<Vec<u8>>)>, bool, bool);

fn frames(pieces: &[&[u8]], frame_bytes_max: usize) -> Frames {
    let mut decoder = FrameDecoder::new().with_frame_bytes_max(frame_bytes_max);
    let mut frames = Vec::new();
    for piece in pieces.iter().map(Some).chain([None]) {
        match piece {
            Some(piece) => decoder.push(piece),
            None => decoder.finish(),
        }
        while let Some(frame) = decoder.next_frame() {
            let Ok(frame) = frame else {
                return (frames, false, true);
            };
            assert!(frame_bytes_max == 0 || frame.data.len() <= frame_bytes_max);
            frames.push((frame.data.to_vec(), frame.event.map(<[u8]>::to_vec)));
        }
    }
    let done = decoder.is_done();
    (frames, done, false)
}

fn items(mut decoder: Decoder, pieces: &[&[u8]]) -> Vec<Result<StreamItem, SseError>> {
    let mut items = Vec::new();
    for piece in pieces.iter().map(Some).chain([None]) {
        match piece {
            Some(piece) => decoder.push(piece),
            None => decoder.finish(),
        }
        while let Some(item) = decoder.next_item() {
            items.push(item);
            if let Some(Err(error)) = items.last() {
                assert_eq!(decoder.next_item(), Some(Err(error.clone())), "it stays so");
                return items;
            }
        }
    }
    items
}

/// A reply, its errors, and the error that ended it.
type Assembled = (Response, Vec<ApiError>, usize, bool);

fn assembled(mut decoder: Decoder, pieces: &[&[u8]]) -> Assembled {
    let mut reply = Accumulator::new();
    let (mut errors, mut skipped) = (Vec::new(), 0);
    for piece in pieces.iter().map(Some).chain([None]) {
        match piece {
            Some(piece) => decoder.push(piece),
            None => decoder.finish(),
        }
        while let Some(applied) = decoder.next_into(&mut reply) {
            match applied {
                Ok(Applied::Chunk) => {}
                Ok(Applied::Error(error)) => errors.push(error),
                Ok(Applied::Skipped(_)) => skipped += 1,
                Err(_) => return (reply.response(), errors, skipped, true),
            }
        }
    }
    (reply.response(), errors, skipped, false)
}

fn added_up(items: &[Result<StreamItem, SseError>]) -> Assembled {
    let mut reply = Accumulator::new();
    let (mut errors, mut skipped) = (Vec::new(), 0);
    for item in items {
        match item {
            Ok(StreamItem::Chunk(chunk)) => reply.push(chunk),
            Ok(StreamItem::Error(error)) => errors.push(error.clone()),
            Ok(StreamItem::Skipped(_)) => skipped += 1,
            Err(_) => return (reply.response(), errors, skipped, true),
        }
    }
    (reply.response(), errors, skipped, false)
}
