//! Decodes bytes into frames of server-sent events.
//!
//! This module knows lines, fields and blank lines, but not JSON, and does no I/O: push bytes as
//! they arrive, in pieces of any size, and take frames out. The result does not depend on the
//! pieces.

use std::fmt;
use std::ops::Range;

/// The default maximum length of a frame, in bytes.
pub const FRAME_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The number of bytes that the buffer holds before it first grows.
const BUFFER_BYTES: usize = 64 * 1024;

/// The data of the frame that ends a stream.
const DONE: &[u8] = b"[DONE]";

/// The byte order mark that some editors and servers put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Decodes bytes into frames.
///
/// Lines end with LF, CR LF or CR, frames with a blank line, and line ends may be mixed. Comments
/// and fields other than `data` and `event` are skipped; a frame without data is ignored. `[DONE]`
/// ends the stream, whatever follows.
///
/// Unread bytes are kept; a frame has at most [`frame_bytes_max`](Self::with_frame_bytes_max)
/// bytes, so a caller that reads after each push needs no more memory than that plus one push.
///
/// ```
/// use llmjson_wire::sse::FrameDecoder;
///
/// let mut decoder = FrameDecoder::new();
/// decoder.push(b": ping\r\n\r\ndata: {\"a\":\r");
/// assert!(decoder.next_frame().is_none());
/// decoder.push(b"\ndata: 1}\n\ndata: [DONE]\n\ndata: late\n\n");
/// let frame = decoder.next_frame().expect("a blank line was read")?;
/// assert_eq!(frame.data, b"{\"a\":\n1}");
/// assert!(decoder.next_frame().is_none() && decoder.is_done());
/// # Ok::<(), llmjson_wire::sse::FrameTooLarge>(())
/// ```
#[derive(Debug)]
pub struct FrameDecoder {
    buffer: Vec<u8>,
    /// The offset at which the current frame begins.
    frame: usize,
    /// The offset of the first byte not returned in a [`Block`], once one was requested.
    block: Option<usize>,
    /// The offset at which the current line begins.
    line: usize,
    /// The offset from which the end of that line is searched.
    scan: usize,
    /// `true` if the last line ended with CR, so that an LF at the beginning of this one belongs to
    /// it.
    after_cr: bool,
    first_line: bool,
    data: Data,
    /// The data of a frame with several data lines.
    joined: Vec<u8>,
    event: Option<Range<usize>>,
    frame_bytes_max: usize,
    state: State,
}

/// The data of the current frame.
#[derive(Debug, Default)]
enum Data {
    #[default]
    None,
    /// One line of the buffer.
    Line(Range<usize>),
    /// Lines joined in `joined`.
    Lines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// No more bytes will arrive; the buffered ones may still be read.
    Finished,
    /// `[DONE]` was read.
    Done,
    Failed(FrameTooLarge),
}

/// A frame with data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame<'d> {
    /// The lines of data, joined with LF.
    pub data: &'d [u8],
    /// The name of the event, if the frame has one.
    pub event: Option<&'d [u8]>,
}

/// The bytes of a stream up to the end of a blank line, as received: a frame, comments, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block<'d> {
    /// The whole block. All blocks together are the stream.
    pub bytes: &'d [u8],
    /// The frame, if the block has data. Here `[DONE]` counts as a frame.
    pub frame: Option<Frame<'d>>,
    /// The range of the data in `bytes`, if it is a single line.
    pub place: Option<Range<usize>>,
}

/// The error for a frame that exceeds the maximum length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameTooLarge {
    /// The maximum length of a frame, in bytes.
    pub bytes_max: usize,
}

impl fmt::Display for FrameTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes_max = self.bytes_max;
        write!(
            f,
            "frame_too_large: a frame has more than {bytes_max} bytes"
        )
    }
}

impl std::error::Error for FrameTooLarge {}

impl Default for FrameDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl FrameDecoder {
    /// Creates a decoder at the beginning of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self {
            buffer: Vec::new(),
            frame: 0,
            block: None,
            line: 0,
            scan: 0,
            after_cr: false,
            first_line: true,
            data: Data::None,
            joined: Vec::new(),
            event: None,
            frame_bytes_max: FRAME_BYTES_MAX,
            state: State::Open,
        }
    }

    /// Sets the maximum length of a frame in bytes, up to its blank line, including comments and
    /// line ends; 0 means [`FRAME_BYTES_MAX`].
    #[must_use]
    pub fn with_frame_bytes_max(mut self, bytes_max: usize) -> Self {
        self.frame_bytes_max = if bytes_max == 0 {
            FRAME_BYTES_MAX
        } else {
            bytes_max
        };
        self
    }

    /// Adds the next bytes of the stream. Bytes after `[DONE]`, after an error or after
    /// [`finish`](Self::finish) are dropped.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.state != State::Open {
            return;
        }
        // Moving the rest only if it is the smaller half keeps the work linear.
        if self.read() > self.buffer.len() / 2 {
            self.forget_read();
        }
        if self.buffer.capacity() == 0 {
            self.buffer.reserve(BUFFER_BYTES.max(bytes.len()));
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Ends the stream: a last frame without a blank line is still read. Calling it again has no
    /// effect.
    pub fn finish(&mut self) {
        if self.state == State::Open {
            self.state = State::Finished;
        }
    }

    /// Returns `true` if `[DONE]` was read.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// Returns `true` if no more bytes are accepted: after `[DONE]`, an error or
    /// [`finish`](Self::finish).
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state != State::Open
    }

    /// Returns the next complete frame.
    ///
    /// `None` means that there is none yet, or, after `[DONE]` or [`finish`](Self::finish), that
    /// there are no more.
    ///
    /// # Errors
    ///
    /// If a frame is too large. Later calls return the same error.
    pub fn next_frame(&mut self) -> Option<Result<Frame<'_>, FrameTooLarge>> {
        match self.advance() {
            Ok(None) => None,
            Ok(Some(frame)) => Some(Ok(self.frame_of(frame))),
            Err(error) => Some(Err(error)),
        }
    }

    /// Returns the next complete block, so that unchanged parts can be forwarded.
    ///
    /// `None` means that there is none yet, or, after [`finish`](Self::finish), that there are no
    /// more. Read a decoder either by blocks or by frames. If the bytes end between the CR and the
    /// LF of a blank line, the LF begins the next block.
    ///
    /// ```
    /// use llmjson_wire::sse::FrameDecoder;
    ///
    /// let mut decoder = FrameDecoder::new();
    /// decoder.push(b": ping\r\n\r\nid: 1\ndata: {}\n\ndata: [DONE]\n\n");
    /// let block = decoder.next_block().expect("a blank line was read")?;
    /// assert_eq!((block.bytes, block.frame), (&b": ping\r\n\r\n"[..], None));
    /// let block = decoder.next_block().expect("a blank line was read")?;
    /// assert_eq!(&block.bytes[block.place.expect("one line")], b"{}");
    /// let block = decoder.next_block().expect("a blank line was read")?;
    /// assert_eq!(block.frame.expect("there is data").data, b"[DONE]");
    /// # Ok::<(), llmjson_wire::sse::FrameTooLarge>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a frame is too large. Later calls return the same error.
    pub fn next_block(&mut self) -> Option<Result<Block<'_>, FrameTooLarge>> {
        let start = *self.block.get_or_insert(0);
        if let State::Failed(error) = self.state {
            return Some(Err(error));
        }
        let found = loop {
            self.skip_lf();
            let rest = &self.buffer[self.scan..];
            let length = memchr::memchr2(b'\n', b'\r', rest);
            let end = length.map_or(self.buffer.len(), |length| self.scan + length);
            self.scan = end;
            if let Err(error) = self.check_size(end) {
                return Some(Err(error));
            }
            let line = self.line..end;
            if length.is_none() {
                if self.state == State::Open || start == end {
                    return None;
                }
                self.line = end;
                if !line.is_empty() {
                    self.take_line(line);
                }
                break self.take_line(end..end);
            }
            self.after_cr = self.buffer[end] == b'\r';
            self.line = end + 1;
            self.scan = end + 1;
            let is_blank = line.is_empty();
            let found = self.take_line(line);
            if is_blank {
                break found;
            }
        };
        self.skip_lf();
        self.block = Some(self.line);
        let bytes = &self.buffer[start..self.line];
        let place = found.as_ref().and_then(|found| match &found.data {
            Data::Line(line) => Some(line.start - start..line.end - start),
            Data::None | Data::Lines => None,
        });
        let frame = found.map(|found| self.frame_of(found));
        Some(Ok(Block {
            bytes,
            frame,
            place,
        }))
    }

    fn frame_of(&self, frame: FrameBounds) -> Frame<'_> {
        let data = match frame.data {
            Data::Line(line) => &self.buffer[line],
            Data::None | Data::Lines => &self.joined[..],
        };
        let event = frame.event.map(|event| &self.buffer[event]);
        Frame { data, event }
    }

    /// Reads lines up to the end of a frame that has data.
    fn advance(&mut self) -> Result<Option<FrameBounds>, FrameTooLarge> {
        match self.state {
            State::Open | State::Finished => {}
            State::Done => return Ok(None),
            State::Failed(error) => return Err(error),
        }
        loop {
            self.skip_lf();
            let rest = &self.buffer[self.scan..];
            let Some(length) = memchr::memchr2(b'\n', b'\r', rest) else {
                return self.at_the_end();
            };
            let end = self.scan + length;
            self.check_size(end)?;
            let line = self.line..end;
            self.after_cr = self.buffer[end] == b'\r';
            self.line = end + 1;
            self.scan = end + 1;
            if let Some(found) = self.take_line(line) {
                return Ok(self.unless_done(found));
            }
        }
    }

    /// An LF after a CR belongs to the line before.
    fn skip_lf(&mut self) {
        if !self.after_cr || self.line == self.buffer.len() {
            return;
        }
        self.after_cr = false;
        if self.buffer[self.line] == b'\n' {
            if self.frame == self.line {
                self.frame += 1;
            }
            self.line += 1;
            self.scan = self.line;
        }
    }

    /// Ends the stream if no complete line is left.
    fn at_the_end(&mut self) -> Result<Option<FrameBounds>, FrameTooLarge> {
        let end = self.buffer.len();
        self.scan = end;
        self.check_size(end)?;
        if self.state == State::Open {
            return Ok(None);
        }
        let line = self.line..end;
        self.line = end;
        let found = match line.is_empty() {
            true => None,
            false => self.take_line(line),
        };
        Ok(found
            .or_else(|| self.take_line(end..end))
            .and_then(|found| self.unless_done(found)))
    }

    fn check_size(&mut self, end: usize) -> Result<(), FrameTooLarge> {
        if end - self.frame <= self.frame_bytes_max {
            return Ok(());
        }
        let bytes_max = self.frame_bytes_max;
        let error = FrameTooLarge { bytes_max };
        self.close(State::Failed(error));
        Err(error)
    }

    /// Returns the frame that a blank line ends, if it has data.
    fn take_line(&mut self, mut line: Range<usize>) -> Option<FrameBounds> {
        if self.first_line {
            self.first_line = false;
            if self.buffer[line.clone()].starts_with(BYTE_ORDER_MARK) {
                line.start += BYTE_ORDER_MARK.len();
            }
        }
        if line.is_empty() {
            self.frame = self.line;
            let data = std::mem::take(&mut self.data);
            let event = self.event.take();
            return match &data {
                Data::None => None,
                Data::Line(line) if line.is_empty() => None,
                Data::Line(_) | Data::Lines => Some(FrameBounds { data, event }),
            };
        }
        if let Some(value) = self.value_of(b"data", &line) {
            self.add_data(value);
        } else if let Some(value) = self.value_of(b"event", &line) {
            self.event = Some(value);
        }
        None
    }

    /// Returns the range of a field's value without its first space, if the line is that field.
    fn value_of(&self, name: &[u8], line: &Range<usize>) -> Option<Range<usize>> {
        let rest = self.buffer[line.clone()].strip_prefix(name)?;
        let skipped = match rest {
            [b':', b' ', ..] => 2,
            [b':', ..] => 1,
            [] => 0,
            _ => return None,
        };
        Some(line.start + name.len() + skipped..line.end)
    }

    fn add_data(&mut self, line: Range<usize>) {
        match std::mem::take(&mut self.data) {
            Data::None => {
                self.data = Data::Line(line);
                return;
            }
            Data::Line(first) => {
                self.joined.clear();
                self.joined.extend_from_slice(&self.buffer[first]);
            }
            Data::Lines => {}
        }
        self.joined.push(b'\n');
        self.joined.extend_from_slice(&self.buffer[line]);
        self.data = Data::Lines;
    }

    fn unless_done(&mut self, found: FrameBounds) -> Option<FrameBounds> {
        let done = match &found.data {
            Data::Line(line) => self.buffer[line.clone()].trim_ascii() == DONE,
            Data::None | Data::Lines => false,
        };
        if done {
            self.close(State::Done);
            return None;
        }
        Some(found)
    }

    /// Ends the stream and frees its memory.
    fn close(&mut self, state: State) {
        self.state = state;
        self.buffer = Vec::new();
        self.joined = Vec::new();
        self.data = Data::None;
        self.event = None;
        (self.frame, self.line, self.scan) = (0, 0, 0);
        self.block = self.block.map(|_| 0);
    }

    /// Returns the number of bytes that are no longer needed.
    fn read(&self) -> usize {
        self.block.unwrap_or(self.frame).min(self.frame)
    }

    /// Drops the frames already read.
    fn forget_read(&mut self) {
        let gone = self.read();
        self.buffer.drain(..gone);
        self.frame -= gone;
        self.block = self.block.map(|block| block - gone);
        self.line -= gone;
        self.scan -= gone;
        let moved = |range: &mut Range<usize>| *range = range.start - gone..range.end - gone;
        if let Data::Line(line) = &mut self.data {
            moved(line);
        }
        if let Some(event) = &mut self.event {
            moved(event);
        }
    }
}

/// The position of a frame in the buffer.
struct FrameBounds {
    data: Data,
    event: Option<Range<usize>>,
}
