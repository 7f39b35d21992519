//! The strings and brackets that are open at a place of damaged JSON.

/// The open strings and brackets after some text.
#[derive(Clone, Default)]
pub(crate) struct State {
    pub(crate) depth: usize,
    pub(crate) quoted: bool,
    escaped: bool,
    /// `true` in a comment up to the end of the line.
    pub(crate) comment: bool,
}

impl State {
    /// Continues with a line, or with a part of one.
    pub(crate) fn pass(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() && !self.comment {
            let escaped = core::mem::take(&mut self.escaped);
            if !escaped {
                let next = match self.quoted {
                    true => memchr::memchr2(b'"', b'\\', &bytes[at..]),
                    false => bytes[at..].iter().position(|byte| is_delimiter(*byte)),
                };
                let Some(next) = next else {
                    return;
                };
                at += next;
            }
            match bytes[at] {
                b'"' if !escaped && self.depth > 0 => self.quoted = !self.quoted,
                b'\\' => self.escaped = self.quoted && !escaped,
                b'{' | b'[' if !self.quoted => self.depth += 1,
                b'}' | b']' if !self.quoted => self.depth = self.depth.saturating_sub(1),
                b'/' if !self.quoted && self.depth > 0 => {
                    self.comment = bytes.get(at + 1) == Some(&b'/');
                }
                _ => {}
            }
            at += 1;
        }
    }
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b'/')
}

/// Returns `true` if a text ends within a string or a container.
pub(crate) fn is_cut(part: &str) -> bool {
    let mut state = State::default();
    for line in part.lines() {
        state.comment = false;
        state.pass(line);
    }
    state.quoted || state.depth > 0
}
