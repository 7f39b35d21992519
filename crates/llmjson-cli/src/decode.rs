//! Bytes of files as text in UTF-8: unpacked, and decoded from other encodings.

use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use flate2::read::MultiGzDecoder;

/// Number of bytes that are decoded at once.
const PIECE_BYTES: usize = 16 * 1024;
/// Number of bytes that are read to see what they are.
const HEAD_BYTES: usize = 64 * 1024;

/// Replacements for bytes that are not a character in the source encoding. The first is invalid UTF-8, so the error
/// names its place; the second, at the end, is half a character, so the text counts as truncated.
const NO_CHARACTER: u8 = 0xff;
const HALF_A_CHARACTER: u8 = 0xe2;

type Bytes = Box<dyn Read + Send>;

/// Property of an input that its first bytes tell.
#[derive(Clone, Copy)]
enum Sign {
    Encoded(&'static Encoding),
    Gzip,
    Zstd,
}

const SIGNS: &[(&[u8], Sign)] = &[
    (&[0xff, 0xfe], Sign::Encoded(UTF_16LE)),
    (&[0xfe, 0xff], Sign::Encoded(UTF_16BE)),
    (&[0x1f, 0x8b], Sign::Gzip),
    (&[0x28, 0xb5, 0x2f, 0xfd], Sign::Zstd),
];

/// Returns the text of an input in UTF-8: unpacked if it is packed, and decoded if it begins with the mark of UTF-16 or
/// another encoding is named.
pub(crate) fn text(input: Bytes, encoding: Option<&'static Encoding>) -> io::Result<Bytes> {
    let (sign, input) = look_at(input)?;
    let (sign, input) = match sign {
        Some(Sign::Gzip) => look_at(Box::new(MultiGzDecoder::new(input)))?,
        Some(Sign::Zstd) => look_at(Box::new(zstd::Decoder::new(input)?))?,
        sign => (sign, input),
    };
    let encoding = match sign {
        Some(Sign::Encoded(marked)) => Some(marked),
        _ => encoding,
    };
    match encoding.filter(|encoding| *encoding != UTF_8) {
        Some(encoding) => Ok(Box::new(Decoded::new(input, encoding))),
        None => Ok(input),
    }
}

/// Returns `true` if a file is packed.
pub(crate) fn is_packed(input: Bytes) -> io::Result<bool> {
    let (sign, _) = look_at(input)?;
    Ok(matches!(sign, Some(Sign::Gzip | Sign::Zstd)))
}

/// Reads what an input begins with, and no more than that needs.
fn look_at(mut input: Bytes) -> io::Result<(Option<Sign>, Bytes)> {
    let mut head = Vec::new();
    let mut piece = vec![0; HEAD_BYTES];
    let sign = loop {
        match input.read(&mut piece) {
            Ok(0) => break None,
            Ok(length) => head.extend_from_slice(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if let Some((_, what)) = SIGNS.iter().find(|(sign, _)| head.starts_with(sign)) {
            break Some(*what);
        }
        if !SIGNS.iter().any(|(sign, _)| sign.starts_with(&head)) {
            break None;
        }
    };
    // Pass on the bytes that were read for detection without waiting for more.
    Ok((sign, Box::new(io::Cursor::new(head).chain(input))))
}

/// A text in another encoding, read as UTF-8.
struct Decoded<R> {
    input: R,
    decoder: Decoder,
    /// Text that was decoded, and how much of it was read.
    text: Vec<u8>,
    read: usize,
    is_over: bool,
}

impl<R: Read> Decoded<R> {
    fn new(input: R, encoding: &'static Encoding) -> Self {
        Self {
            input,
            decoder: encoding.new_decoder(),
            text: Vec::new(),
            read: 0,
            is_over: false,
        }
    }

    fn decode(&mut self) -> io::Result<()> {
        let mut bytes = [0; PIECE_BYTES];
        let length = self.input.read(&mut bytes)?;
        self.is_over = length == 0;
        self.text.clear();
        self.read = 0;
        let mut rest = &bytes[..length];
        loop {
            let mut piece = [0; PIECE_BYTES];
            let (result, read, written) =
                (self.decoder).decode_to_utf8_without_replacement(rest, &mut piece, self.is_over);
            rest = &rest[read..];
            self.text.extend_from_slice(&piece[..written]);
            match result {
                DecoderResult::InputEmpty => return Ok(()),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) if self.is_over => self.text.push(HALF_A_CHARACTER),
                DecoderResult::Malformed(..) => self.text.push(NO_CHARACTER),
            }
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.read == self.text.len() && !self.is_over {
            self.decode()?;
        }
        let length = (&self.text[self.read..]).read(out)?;
        self.read += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], label: &str) -> Vec<u8> {
        let encoding = Encoding::for_label(label.as_bytes());
        let mut text = Vec::new();
        let input = Box::new(io::Cursor::new(bytes.to_vec()));
        let mut decoded = super::text(input, encoding).expect("memory can be read");
        decoded.read_to_end(&mut text).expect("memory can be read");
        text
    }

    #[test]
    fn other_encodings_are_read_as_utf8() {
        let table: &[(&[u8], &str, &[u8])] = &[
            (b"", "", b""),
            (b"\xff", "", b"\xff"),
            (b"[1]", "", b"[1]"),
            (b"\xef\xbb\xbf\xc3\xa9", "utf-8", b"\xef\xbb\xbf\xc3\xa9"),
            (b"\xff\xfe[\0\xe9\0", "", "[é".as_bytes()),
            (b"\xfe\xff\0[\xd8\x3d\xde\x00", "", "[😀".as_bytes()),
            // The mark says more than the option.
            (b"\xff\xfe[\0", "latin1", b"["),
            (b"[\xe9", "latin1", "[é".as_bytes()),
            (b"\x83e", "shift_jis", "テ".as_bytes()),
            // Half a pair in the middle and at the end, half a unit.
            (b"\xff\xfe\x3d\xd8[\0", "", b"\xff["),
            (b"\xff\xfe[\0\x3d\xd8", "", b"[\xe2"),
            (b"\xff\xfe[\0]", "", b"[\xe2"),
        ];
        for (bytes, label, text) in table {
            assert_eq!(read(bytes, label), *text, "{bytes:?}");
        }
        let long = "é".repeat(3 * PIECE_BYTES);
        let latin1 = vec![0xe9; 3 * PIECE_BYTES];
        assert_eq!(read(&latin1, "latin1"), long.as_bytes());
    }
}
