//! Frames, chunks and errors of streams.

use llmjson_testutil::table::{list, rows_of};
use std::io::{self, Read};

use llmjson_wire::sse::{
    Decoder, FRAME_BYTES_MAX, FrameDecoder, OnMalformed, ReadChunks, ReadError, SseError,
    StreamItem,
};
use llmjson_wire::{Accumulator, laws};

/// The rows of the tests.
const FILE: &str = include_str!("sse.txt");

/// The data of all frames, whatever the pieces.
fn frames(stream: &[u8]) -> Vec<String> {
    laws::splitting_changes_nothing(stream, &[1], 0);
    laws::splitting_changes_nothing(stream, &[2, 1, 3], 0);
    let mut decoder = FrameDecoder::new();
    decoder.push(stream);
    decoder.finish();
    decoder.finish();
    let mut frames = Vec::new();
    while let Some(frame) = decoder.next_frame() {
        frames.push(String::from_utf8(frame.unwrap().data.to_vec()).unwrap());
    }
    frames
}

#[test]
fn frames_end_with_a_blank_line_of_any_kind() {
    for [stream, wanted] in rows_of(FILE, "frames end with a blank line of any kind") {
        let wanted = list(wanted);
        assert_eq!(frames(stream.as_bytes()), wanted, "{stream:?}");
    }
}

#[test]
fn a_frame_that_is_too_large_is_an_error_that_stays() {
    let mut decoder = FrameDecoder::new().with_frame_bytes_max(17);
    decoder.push(b"data: 0123456789\n\ndata: 01234567890\n\ndata: a\n\n");
    assert_eq!(decoder.next_frame().unwrap().unwrap().data, b"0123456789");
    for _ in 0..3 {
        let error = decoder.next_frame().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "frame_too_large: a frame has more than 17 bytes"
        );
        decoder.push(b"data: b\n\n");
    }
    assert!(decoder.is_over() && !decoder.is_done());

    // 0 stands for the usual limit, and lines of any kind count.
    let line = [b'x'; 1 << 20];
    let mut decoder = FrameDecoder::new().with_frame_bytes_max(0);
    for _ in 0..FRAME_BYTES_MAX >> 20 {
        decoder.push(&line);
        assert!(decoder.next_frame().is_none());
    }
    decoder.push(b"x");
    assert!(decoder.next_frame().unwrap().is_err());
}

#[test]
fn a_long_frame_in_small_pieces_takes_linear_time() {
    let mut decoder = FrameDecoder::new();
    decoder.push(b"data: a\n\ndata: ");
    for _ in 0..400_000 {
        decoder.push(b"0123456789");
        if let Some(frame) = decoder.next_frame() {
            assert_eq!(frame.unwrap().data, b"a");
        }
    }
    decoder.push(b"\n\n");
    assert_eq!(decoder.next_frame().unwrap().unwrap().data.len(), 4_000_000);
}

#[test]
fn what_is_no_chunk_ends_the_stream_or_is_left_out() {
    let good = "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n";
    for (data, reason) in [
        (&b"{"[..], "EOF while parsing an object at line 1 column 1"),
        (b"ping", "expected value at line 1 column 1"),
        (
            b"[]",
            "invalid type: sequence, expected an object at line 1 column 0",
        ),
        (
            b"null",
            "invalid type: null, expected an object at line 1 column 4",
        ),
        (
            b"{\"choices\":1}",
            "at `choices`: invalid type: integer `1`, expected a list at line 1 column 12",
        ),
        (b"\xff", "invalid utf-8 sequence of 1 bytes from index 0"),
    ] {
        let stream = [good.as_bytes(), b"data: ", data, b"\n\n", good.as_bytes()].concat();
        laws::splitting_changes_nothing(&stream, &[1, 5], 0);
        let mut decoder = Decoder::new();
        decoder.push(&stream);
        assert!(matches!(
            decoder.next_item(),
            Some(Ok(StreamItem::Chunk(_)))
        ));
        for _ in 0..2 {
            let error = decoder.next_item().unwrap().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("malformed_frame: frame 1 is no chunk: {reason}")
            );
            decoder.push(good.as_bytes());
        }
        let mut decoder = Decoder::new().with_on_malformed(OnMalformed::Skip);
        decoder.push(&stream);
        let items: Vec<_> = std::iter::from_fn(|| decoder.next_item())
            .map(Result::unwrap)
            .collect();
        let [
            StreamItem::Chunk(_),
            StreamItem::Skipped(skipped),
            StreamItem::Chunk(_),
        ] = &items[..]
        else {
            panic!("{items:?}");
        };
        assert_eq!(
            (
                skipped.frame,
                skipped.reason.as_str(),
                skipped.data.as_slice()
            ),
            (1, reason, data)
        );
    }
}

#[test]
fn errors_in_a_stream_are_told_beside_what_came() {
    let error = |message: &str| Some(message.to_owned());
    // Stream, text, message of the error.
    let table = [
        ("data: {\"error\":{\"message\":\"m\"}}\n\n", "", error("m")),
        ("data: {\"error\":\"m\"}\n\n", "", error("m")),
        (
            "event: error\ndata: {\"message\":\"m\"}\n\n",
            "",
            error("m"),
        ),
        (
            "event: error\ndata: busy\n\n",
            "",
            error("error in the stream: busy"),
        ),
        (
            "data: {\"error\":{\"code\":7}}\n\n",
            "",
            error("error in the stream: {\"error\":{\"code\":7}}"),
        ),
        // A chunk with an error is both.
        (
            "data: {\"error\":{\"message\":\"m\"},\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n",
            "x",
            error("m"),
        ),
        (
            "data: {\"error\":null,\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n",
            "x",
            None,
        ),
        (
            "data: {\"error\":{},\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n",
            "x",
            None,
        ),
    ];
    for (stream, text, message) in table {
        laws::splitting_changes_nothing(stream.as_bytes(), &[1], 0);
        let mut decoder = Decoder::new();
        decoder.push(stream.as_bytes());
        let (mut reply, mut found) = (Accumulator::new(), None);
        while let Some(item) = decoder.next_item() {
            match item.unwrap() {
                StreamItem::Chunk(chunk) => reply.push(&chunk),
                StreamItem::Error(error) => found = Some(error.message),
                StreamItem::Skipped(skipped) => panic!("{skipped:?}"),
            }
        }
        assert_eq!((reply.text(), found), (text, message), "{stream}");
    }
}

/// Gives a text and then fails.
struct Broken<'t>(&'t [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            count => Ok(count),
        }
    }
}

#[test]
fn whoever_reads_gets_one_error_and_then_the_end() {
    let good = "data: {\"choices\":[]}\n\n";
    let mut chunks = ReadChunks::new(Broken(good.as_bytes()));
    assert!(matches!(chunks.next(), Some(Ok(StreamItem::Chunk(_)))));
    assert!(matches!(chunks.next(), Some(Err(ReadError::Io(_)))));
    assert!(chunks.next().is_none());

    let bad = format!("{good}data: x\n\n{good}");
    let mut chunks = ReadChunks::new(bad.as_bytes());
    assert!(matches!(chunks.next(), Some(Ok(_))));
    let error = chunks.next();
    assert!(
        matches!(error, Some(Err(ReadError::Sse(SseError::Malformed { .. })))),
        "{error:?}"
    );
    assert!(chunks.next().is_none());

    // After `[DONE]` the source is not asked for more.
    let done = format!("{good}data: [DONE]\n\n");
    let mut chunks = ReadChunks::new(Broken(done.as_bytes()));
    assert_eq!(chunks.by_ref().filter(Result::is_ok).count(), 1);
    assert!(chunks.decoder().is_done());

    let mut chunks = ReadChunks::new(good.as_bytes());
    chunks.close();
    chunks.close();
    assert!(chunks.next().is_none());
}
