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

/// Number of bytes per read: a chunk is only longer if its last line extends beyond them.
const BUFFER_BYTES: usize = 64 * 1024;

/// One line of the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'c> {
    /// The number of the line, from 1.
    pub(super) number: u64,
    /// The line without its line feed; `None` if it is too long.
    pub(super) bytes: Option<&'c [u8]>,
}

/// Lines one after another.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    lines: Vec<u8>,
    /// The number of the first line.
    number: u64,
    /// `true` if the chunk is a single line that is too long.
    is_too_long: bool,
    /// The name of the input, if there are several.
    pub(super) file: Option<Arc<str>>,
    /// Number of bytes of the input that this is.
    pub(super) bytes: usize,
}

impl Chunk {
    /// Returns the lines; blank ones are left out.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let bytes = self.lines.split(|byte| *byte == b'\n');
        let lines = (self.number..).zip(bytes).map(|(number, bytes)| Line {
            number,
            bytes: (!self.is_too_long).then_some(bytes),
        });
        let is_blank = |bytes: &[u8]| bytes.trim_ascii().is_empty();
        lines.filter(move |line| !line.bytes.is_some_and(is_blank))
    }
}

/// All inputs, one after the other.
pub(super) struct Inputs {
    sources: std::vec::IntoIter<Source>,
    are_named: bool,
    /// The format of all rows, whatever the names of the files.
    format: Option<RowFormat>,
    /// Number of bytes read from the files, before decoding.
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
        lines.map_err(|error| source.error(error))
    }

    /// The next chunk, `None` at the end of the last input.
    pub(super) fn next_chunk(&mut self) -> Result<Option<Chunk>, CommandError> {
        loop {
            if let Some((source, lines)) = &mut self.open {
                let chunk = lines.next_chunk();
                let chunk = chunk.map_err(|error| source.error(error))?;
                if let Some(chunk) = chunk {
                    let file = self.are_named.then(|| source.name().into());
                    return Ok(Some(Chunk { file, ..chunk }));
                }
            }
            let Some(source) = self.sources.next() else {
                return Ok(None);
            };
            let input = self.lines(&source)?;
            self.open = Some((source, Lines::new(input)));
        }
    }
}

/// One input and how far it was read.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    /// Number of lines that were read.
    number: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(BUFFER_BYTES, input),
            number: 0,
        }
    }

    /// Returns the next chunk: all complete lines that have arrived, or `None` at the end of the input.
    pub(super) fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        let mut lines = Vec::new();
        let mut bytes = 0;
        let mut is_too_long = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = buffer.iter().rposition(|byte| *byte == b'\n');
            let first = || buffer.iter().position(|byte| *byte == b'\n');
            let whole = end.map_or(buffer.len(), |end| end + 1);
            // The line began in an earlier read and exceeds the maximum length.
            let line = lines.len() + first().unwrap_or(buffer.len());
            if line > LINE_BYTES_MAX {
                is_too_long = true;
                lines.clear();
                bytes += self.skip_line()?;
                break;
            }
            lines.extend_from_slice(&buffer[..whole]);
            bytes += whole;
            let is_end = buffer.is_empty();
            self.input.consume(whole);
            if end.is_some() || is_end {
                break;
            }
        }
        if bytes == 0 {
            return Ok(None);
        }
        let number = self.number + 1;
        let ends = lines.iter().filter(|byte| **byte == b'\n').count() as u64;
        // A line that ends with the input has no line feed.
        self.number += ends + u64::from(is_too_long || !lines.ends_with(b"\n"));
        Ok(Some(Chunk {
            lines,
            number,
            is_too_long,
            file: None,
            bytes,
        }))
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
        while let Some(chunk) = lines.next_chunk().expect("memory can be read") {
            numbers.extend(
                chunk
                    .lines()
                    .map(|line| (line.number, line.bytes.map(<[u8]>::len))),
            );
        }
        numbers
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
