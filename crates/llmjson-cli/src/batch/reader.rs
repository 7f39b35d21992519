//! Cutting the input into chunks of whole lines.
//!
//! A chunk ends where waiting for more input would begin, so that a slow writer gets its answers
//! as soon as it has written a line. A line that is too long is passed over without being held.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::input::{CommandError, Source};

use super::rows::{RowFormat, csv, parquet};

/// The longest line that is read.
pub(super) const LINE_BYTES_MAX: usize = 64_000_000;

/// A chunk is as long as this, and the line that reaches over it.
const CHUNK_BYTES: usize = 64 * 1024;
const CHUNK_LINES: usize = 256;
const BUFFER_BYTES: usize = 256 * 1024;

/// One line of the input.
#[derive(Debug)]
pub(super) struct Line {
    /// The number of the line, from 1.
    pub(super) number: u64,
    /// The line without its line feed; `None` if it is too long.
    pub(super) bytes: Option<Vec<u8>>,
}

/// Lines one after another.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) lines: Vec<Line>,
    /// The name of the input, if there are several.
    pub(super) file: Option<Arc<str>>,
    /// Number of bytes of the input that this is.
    pub(super) bytes: usize,
}

/// All inputs, one after the other.
pub(super) struct Inputs {
    sources: std::vec::IntoIter<Source>,
    are_named: bool,
    /// The format of all rows, whatever the names of the files.
    format: Option<RowFormat>,
    /// Number of bytes that were read of the files as they are.
    read: Arc<AtomicU64>,
    open: Option<(Source, Lines<Box<dyn Read + Send>>)>,
}

impl Inputs {
    pub(super) fn new(sources: Vec<Source>, format: Option<RowFormat>) -> Self {
        Self {
            are_named: sources.len() > 1,
            format,
            read: Arc::default(),
            sources: sources.into_iter(),
            open: None,
        }
    }

    /// Returns the counter of the bytes that were read.
    pub(super) fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }

    /// Opens an input as lines.
    fn lines(&self, source: &Source) -> Result<Box<dyn Read + Send>, CommandError> {
        let format = self.format.or_else(|| RowFormat::of(&source.name()));
        let lines = match (format, source.path()) {
            (Some(RowFormat::Parquet), Some(path)) => File::open(path).and_then(parquet),
            (Some(RowFormat::Parquet), None) => Err(io::Error::other(
                "a Parquet file cannot be read from a pipe",
            )),
            (Some(RowFormat::Csv), _) => csv(source.open_counted(&self.read)?),
            _ => return source.open_counted(&self.read),
        };
        lines.map_err(|error| CommandError::new(&source.name(), error))
    }

    /// The next chunk; without lines at the end of the last input.
    pub(super) fn next_chunk(&mut self) -> Result<Chunk, CommandError> {
        loop {
            if let Some((source, lines)) = &mut self.open {
                let chunk = lines.next_chunk();
                let chunk = chunk.map_err(|error| CommandError::new(&source.name(), error))?;
                if !chunk.lines.is_empty() {
                    let file = self.are_named.then(|| source.name().into());
                    return Ok(Chunk { file, ..chunk });
                }
            }
            let Some(source) = self.sources.next() else {
                return Ok(Chunk::default());
            };
            let input = self.lines(&source)?;
            self.open = Some((source, Lines::new(input)));
        }
    }
}

/// One input and how far it was read.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    number: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(BUFFER_BYTES, input),
            number: 0,
        }
    }

    /// The next chunk; without lines at the end of the input. Blank lines are left out.
    pub(super) fn next_chunk(&mut self) -> io::Result<Chunk> {
        let mut chunk = Chunk::default();
        while self.next_line(&mut chunk)? {
            let full = chunk.bytes >= CHUNK_BYTES || chunk.lines.len() >= CHUNK_LINES;
            let waits = !self.input.buffer().contains(&b'\n');
            if !chunk.lines.is_empty() && (full || waits) {
                break;
            }
        }
        Ok(chunk)
    }

    /// Returns whether there was a line.
    fn next_line(&mut self, chunk: &mut Chunk) -> io::Result<bool> {
        let mut bytes = Vec::new();
        let limit = LINE_BYTES_MAX as u64 + 1;
        let mut read = (&mut self.input)
            .take(limit)
            .read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        let whole = bytes.last() == Some(&b'\n');
        let bytes = if whole || read <= LINE_BYTES_MAX {
            let end = bytes.len() - usize::from(whole);
            bytes.truncate(end);
            Some(bytes)
        } else {
            read += self.skip_line()?;
            None
        };
        chunk.bytes += read;
        if bytes
            .as_ref()
            .is_none_or(|bytes| !bytes.trim_ascii().is_empty())
        {
            chunk.lines.push(Line {
                number: self.number,
                bytes,
            });
        }
        Ok(true)
    }

    fn skip_line(&mut self) -> io::Result<usize> {
        let mut skipped = 0;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(length);
            skipped += length;
            if end.is_some() || length == 0 {
                return Ok(skipped);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<(u64, Option<usize>)> {
        let mut lines = Lines::new(text.as_bytes());
        let mut numbers = Vec::new();
        loop {
            let chunk = lines.next_chunk().expect("memory can be read");
            if chunk.lines.is_empty() {
                return numbers;
            }
            let lines = chunk.lines.iter();
            numbers.extend(lines.map(|line| (line.number, line.bytes.as_ref().map(Vec::len))));
        }
    }

    #[test]
    fn blank_lines_count_but_are_left_out() {
        assert_eq!(
            numbers("a\n\n  \r\nbc\nd"),
            [(1, Some(1)), (4, Some(2)), (5, Some(1))]
        );
        assert_eq!(numbers("\n\n"), []);
        assert_eq!(numbers(""), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let (fits, long) = ("x".repeat(LINE_BYTES_MAX), "x".repeat(LINE_BYTES_MAX + 1));
        let text = format!("{fits}\n{long}\ny\n{long}");
        let wanted = [
            (1, Some(LINE_BYTES_MAX)),
            (2, None),
            (3, Some(1)),
            (4, None),
        ];
        assert_eq!(numbers(&text), wanted);
    }
}
