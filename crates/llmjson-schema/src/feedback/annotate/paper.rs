//! A text of bounded length to write to. Writing stops when it is full, so a limit bounds the work
//! and the memory too.

use std::fmt;

use llmjson_syntax::write_string;

/// The fence of a block without inner fences.
const FENCE: &str = "```";

/// A text buffer with a maximum length in bytes.
pub(super) struct Paper {
    text: String,
    limit: usize,
    /// `true` if something did not fit. In that case the text before it is not used either.
    full: bool,
}

impl Paper {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            limit,
            full: false,
        }
    }

    /// Returns `true` if more was written than fits.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Returns the text, or `None` if it is too long.
    pub(super) fn finish(self) -> Option<String> {
        (!self.full).then_some(self.text)
    }

    /// Returns `true` if `bytes` more bytes fit. Otherwise nothing more is written.
    fn has_room(&mut self, bytes: usize) -> bool {
        self.full |= self.text.len().saturating_add(bytes) > self.limit;
        !self.full
    }

    pub(super) fn push(&mut self, character: char) {
        if self.has_room(character.len_utf8()) {
            self.text.push(character);
        }
    }

    pub(super) fn push_str(&mut self, text: &str) {
        if self.has_room(text.len()) {
            self.text.push_str(text);
        }
    }

    /// Writes something whose length is at least `least` bytes.
    pub(super) fn write(&mut self, least: usize, write: impl FnOnce(&mut String)) {
        if self.has_room(least) {
            write(&mut self.text);
            self.has_room(0);
        }
    }

    /// Writes a string as a JSON string.
    pub(super) fn push_string(&mut self, text: &str) {
        self.write(text.len() + 2, |out| write_string(text, out));
    }

    /// Opens a block and returns its position.
    pub(super) fn open_fence(&mut self) -> usize {
        let start = self.text.len();
        self.push_str(FENCE);
        self.push_str("json\n");
        start
    }

    /// Closes the block opened at that position, with fences longer than any run of backticks in
    /// it.
    pub(super) fn close_fence(&mut self, start: usize) {
        if self.full {
            return;
        }
        let body = &self.text[start + FENCE.len()..];
        let (mut longest, mut run, mut next) = (0usize, 0, 0);
        for (at, _) in body.match_indices('`') {
            run = if at == next { run + 1 } else { 1 };
            next = at + 1;
            longest = longest.max(run);
        }
        let more = (longest + 1).saturating_sub(FENCE.len());
        if !self.has_room(1 + FENCE.len() + 2 * more) {
            return;
        }
        let fence = "`".repeat(FENCE.len() + more);
        self.text.insert_str(start, &fence[FENCE.len()..]);
        self.push('\n');
        self.push_str(&fence);
    }
}

/// Writing stops with an error once the buffer is full.
impl fmt::Write for Paper {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        if self.full { Err(fmt::Error) } else { Ok(()) }
    }
}
