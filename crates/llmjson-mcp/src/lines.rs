//! Merges whole lines into a byte stream.

/// Merges whole lines into a byte stream without breaking its lines.
///
/// The pieces of the stream may end anywhere. Inserted lines wait for the end of the current line.
///
/// ```
/// # mod llmjson { pub mod tools { pub mod mcp { pub use llmjson_mcp::*; } } }
/// use llmjson::tools::mcp::Lines;
///
/// let (mut lines, mut out) = (Lines::default(), Vec::new());
/// lines.relay(b"one\ntw", &mut out);
/// lines.insert(b"between\n", &mut out);
/// lines.relay(b"o\nthree\n", &mut out);
/// assert_eq!(out, b"one\ntwo\nbetween\nthree\n");
/// ```
#[derive(Debug, Default)]
pub struct Lines {
    /// `true` if the last line of the stream has not ended yet.
    open: bool,
    /// Inserted lines that wait for the end of the current line.
    waiting: Vec<u8>,
}

impl Lines {
    /// Appends the next bytes of the stream to `out`, with waiting lines after the first line break.
    pub fn relay(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let Some(&last) = bytes.last() else {
            return;
        };
        self.open = last != b'\n';
        if self.waiting.is_empty() {
            out.extend_from_slice(bytes);
            return;
        }
        let line_end = bytes.iter().position(|&byte| byte == b'\n');
        let (line, rest) = bytes.split_at(line_end.map_or(bytes.len(), |at| at + 1));
        out.extend_from_slice(line);
        if line_end.is_some() {
            out.append(&mut self.waiting);
        }
        out.extend_from_slice(rest);
    }

    /// Appends whole lines to `out`, or keeps them until the current line of the stream ends.
    pub fn insert(&mut self, lines: &[u8], out: &mut Vec<u8>) {
        if self.open {
            self.waiting.extend_from_slice(lines);
        } else {
            out.extend_from_slice(lines);
        }
    }

    /// Ends the stream and appends waiting lines and `lines` to `out`. If there are any and the last line
    /// of the stream has no line break, adds one.
    pub fn finish(&mut self, lines: &[u8], out: &mut Vec<u8>) {
        if self.open && !(lines.is_empty() && self.waiting.is_empty()) {
            out.push(b'\n');
            self.open = false;
        }
        out.append(&mut self.waiting);
        out.extend_from_slice(lines);
    }
}
