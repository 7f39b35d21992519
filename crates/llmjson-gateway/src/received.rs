//! Received events of a stream.

use std::ops::Range;

use llmjson_wire::sse::{Block, FrameDecoder, FrameTooLarge};

use crate::json::Node;

/// The events of an upstream. They do not depend on the pieces, since a carriage return at the end of
/// one, which a line feed may follow, is read with the next piece.
#[derive(Debug)]
pub(crate) struct Events {
    decoder: FrameDecoder,
    is_split: bool,
}

impl Events {
    pub(crate) fn new(frame_bytes_max: usize) -> Self {
        Self {
            decoder: FrameDecoder::new().with_frame_bytes_max(frame_bytes_max),
            is_split: false,
        }
    }

    pub(crate) fn push(&mut self, piece: &[u8]) {
        if self.is_split && !piece.is_empty() {
            self.decoder.push(b"\r");
            self.is_split = false;
        }
        let whole = piece.strip_suffix(b"\r");
        self.is_split |= whole.is_some();
        self.decoder.push(whole.unwrap_or(piece));
    }

    /// Ends the stream, whose last event may lack its blank line if it is complete.
    pub(crate) fn finish(&mut self, complete: bool) {
        if std::mem::take(&mut self.is_split) {
            self.decoder.push(b"\r");
        }
        if complete {
            self.decoder.finish();
        }
    }

    pub(crate) fn next(&mut self) -> Option<Result<Block<'_>, FrameTooLarge>> {
        self.decoder.next_block()
    }
}

/// A received event or comment, whose data can be changed.
#[derive(Debug, Default)]
pub(crate) struct Received {
    /// The whole event as received.
    pub(crate) bytes: Vec<u8>,
    /// The range of the data in it, if it is one line.
    place: Option<Range<usize>>,
    name: Option<Vec<u8>>,
    /// The data; empty for a comment, and if it is not UTF-8.
    pub(crate) data: Node<'static>,
}

impl Received {
    pub(crate) fn of(block: &Block<'_>) -> Self {
        let data = block
            .frame
            .and_then(|frame| std::str::from_utf8(frame.data).ok());
        let name = block.frame.and_then(|frame| frame.event);
        Self {
            bytes: block.bytes.to_vec(),
            place: block.place.clone(),
            name: name.map(<[u8]>::to_vec),
            data: Node::of(data.unwrap_or_default().to_owned()),
        }
    }

    pub(crate) fn comment(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.to_vec(),
            ..Self::default()
        }
    }

    /// Creates an event, whose data may be changed before it is written.
    pub(crate) fn new(name: &str, data: String) -> Self {
        Self {
            name: Some(name.as_bytes().to_vec()),
            data: Node::new(data),
            ..Self::default()
        }
    }

    /// Writes it: as received, unless its data was changed.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        match &self.place {
            _ if !self.data.is_changed() => out.extend_from_slice(&self.bytes),
            Some(place) => {
                out.extend_from_slice(&self.bytes[..place.start]);
                out.extend_from_slice(self.data.written().as_bytes());
                out.extend_from_slice(&self.bytes[place.end..]);
            }
            // Data on several lines becomes one line.
            None => put_event(self.name.as_deref(), &self.data.written(), out),
        }
    }
}

/// Writes an event.
pub(crate) fn put_event(name: Option<&[u8]>, data: &str, out: &mut Vec<u8>) {
    if let Some(name) = name {
        out.extend_from_slice(&[b"event: ", name, b"\n"].concat());
    }
    // Raw JSON from elsewhere may have several lines.
    let data = data.replace(['\n', '\r'], " ");
    out.extend_from_slice(&[b"data: ", data.as_bytes(), b"\n\n"].concat());
}
