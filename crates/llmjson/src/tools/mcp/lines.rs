//! Two writers of lines and one reader.

/// Keeps lines whole where a stream of bytes and lines of somebody else go to the same reader.
///
/// The pieces of the stream may end anywhere. A line of somebody else waits for the next end of a line.
///
/// ```
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
    /// The last line of the stream has not ended yet.
    open: bool,
    waiting: Vec<u8>,
}

impl Lines {
    /// Appends the next bytes of the stream, and at the first end of a line those that waited for it.
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

    /// Appends whole lines, or keeps them until the stream is at the end of a line.
    pub fn insert(&mut self, lines: &[u8], out: &mut Vec<u8>) {
        if self.open {
            self.waiting.extend_from_slice(lines);
        } else {
            out.extend_from_slice(lines);
        }
    }

    /// Ends the stream. A last line that was left open ends here if something has to follow.
    pub fn finish(&mut self, lines: &[u8], out: &mut Vec<u8>) {
        if self.open && !(lines.is_empty() && self.waiting.is_empty()) {
            out.push(b'\n');
            self.open = false;
        }
        out.append(&mut self.waiting);
        out.extend_from_slice(lines);
    }
}
