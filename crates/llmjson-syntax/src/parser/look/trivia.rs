//! Trivia between tokens besides white space: comments, unusual spaces, escapes, colours of a terminal,
//! notices that the text was cut.

use crate::base::repair::RepairKind;
use crate::parser::look::comment::ends_before_member;
use crate::parser::look::notice::notice_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan::{peek, skip_space};

/// The beginning of the mark of a field.
const FIELD_MARK: &str = "[[ ## ";

/// Maximum length in bytes of the numbers in a terminal's colour: `31;1` in `ESC[31;1m`.
const COLOUR_MAX: usize = 32;

impl Look<'_> {
    /// Returns `true` if the comment at `at..end` is one up to the end of its line, but members
    /// follow on it.
    pub(crate) fn is_followed_on_its_line(&self, at: usize, end: usize) -> bool {
        let rest = &self.bytes[at..end];
        let line = rest.starts_with(b"//") || rest.starts_with(b"#");
        line && !matches!(peek(self.bytes, end), 0 | b'\n' | b'\r' | b'\\')
    }

    /// The first byte from `at` on that is neither white space nor a gap, without recording.
    pub(crate) fn beyond_trivia(&self, at: usize) -> (u8, usize) {
        let (mut byte, mut at) = self.skip_space(at);
        while let Some((_, end)) = self.trivia_at(at) {
            (byte, at) = self.skip_space(end);
        }
        (byte, at)
    }

    /// Returns `true` if a code fence ends the text of the value here.
    pub(crate) fn fence_at(&self, at: usize) -> bool {
        matches!(
            self.bytes[at..],
            [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..]
        )
    }

    /// Returns `true` if a closing tag or a special token ends the text of the value here:
    /// `</tool_call>`, `<|im_end|>`.
    pub(crate) fn tag_at(&self, at: usize) -> bool {
        match self.bytes[at..] {
            [b'<', b'/', name, ..] => name.is_ascii_alphabetic(),
            [b'<', b'|', ..] => true,
            _ => false,
        }
    }

    /// Returns `true` if a closing fence stands at `at`: nothing but white space follows it on its
    /// line.
    pub(crate) fn closing_fence_at(&self, at: usize) -> bool {
        if !self.fence_at(at) {
            return false;
        }
        let rest = &self.bytes[at..];
        let signs = rest.iter().take_while(|&&byte| byte == rest[0]).count();
        let space = rest[signs..]
            .iter()
            .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        matches!(space, None | Some(b'\n'))
    }

    /// The text before `at` without the colours of a terminal at its end.
    pub(crate) fn before_colours(&self, at: usize) -> &str {
        let mut end = at;
        while end > 0
            && self.bytes[end - 1] == b'm'
            && let near = &self.bytes[end.saturating_sub(COLOUR_MAX)..end]
            && let Some(escape) = memchr::memrchr(0x1B, near)
            && colour_length(&near[escape..]) == Some(near.len() - escape)
        {
            self.charge(1);
            end -= near.len() - escape;
        }
        &self.text[..end]
    }

    /// Returns the offset at which the mark of a field ends that begins at `at`:
    /// `[[ ## answer ## ]]`, as DSPy has models write them.
    pub(crate) fn field_mark_at(&self, at: usize) -> Option<usize> {
        let window = self.text.get(at..)?.strip_prefix(FIELD_MARK)?;
        let end = window.find([']', '\n'])?;
        let name = window[..end].strip_suffix(" ## ")?;
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '-');
        let marks = name.chars().all(part) && window[end..].starts_with("]]");
        marks.then_some(at + FIELD_MARK.len() + end + 2)
    }

    /// Returns `true` if the text ends before it can tell whether the bracket at `at` begins the
    /// mark of a field.
    pub(crate) fn may_be_field_mark(&self, at: usize) -> bool {
        let rest = &self.text[at..];
        FIELD_MARK.starts_with(rest) || rest.starts_with(FIELD_MARK) && rest.len() < LOOK_AHEAD
    }

    /// Returns `true` if a closing fence, a closing tag or a special token that ends a turn stands
    /// at `at`, and no separator or closer of a value behind it.
    pub(crate) fn closing_mark_at(&self, at: usize) -> bool {
        match peek(self.bytes, at) {
            b'`' | b'~' => self.closing_fence_at(at),
            b'<' => self
                .closing_tag_at(at)
                .is_some_and(|(_, end)| !matches!(self.skip_space(end).0, b',' | b'}' | b']')),
            _ => false,
        }
    }

    /// The name of the closing tag or special token at `at`, and where it ends.
    pub(crate) fn closing_tag_at(&self, at: usize) -> Option<(&str, usize)> {
        let (closing, name, end) = self.tag_token_at(at).filter(|_| self.tag_at(at))?;
        (closing || name.ends_with('|')).then_some((name, end))
    }
}

/// A comment, an unusual space or an escape that stands for white space.
#[inline]
pub(crate) fn trivia_at(text: &str, at: usize) -> Option<(RepairKind, usize)> {
    match peek(text.as_bytes(), at) {
        b'/' | b'#' | b'<' | b'\\' | ..b' ' | 0x80.. => trivia_of(text, at),
        b'.' | b'[' | b'(' => Some((RepairKind::Ellipsis, notice_at(text, at)?)),
        _ => None,
    }
}

#[inline(never)]
fn trivia_of(text: &str, at: usize) -> Option<(RepairKind, usize)> {
    let bytes = text.as_bytes();
    let to = |found: Option<usize>, from: usize, length: usize| match found {
        Some(offset) => from + offset + length,
        None => bytes.len(),
    };
    match (peek(bytes, at), peek(bytes, at + 1)) {
        (b'/', b'/') | (b'#', _) => {
            let end = to(memchr::memchr2(b'\n', b'\r', &bytes[at..]), at, 0);
            let escaped = || escaped_line_end(&bytes[at..end]);
            // Where the next line goes on with a token, escapes in the comment are its text.
            let line = if token_at(bytes, skip_space(bytes, end).1) {
                None
            } else {
                escaped()
            };
            let end = line.map_or(end, |line| at + line);
            let end = ends_before_member(text, at, end).unwrap_or(end);
            Some((RepairKind::Comment, end))
        }
        (b'/', b'*') => {
            let end = to(memchr::memmem::find(&bytes[at + 2..], b"*/"), at + 2, 2);
            Some((RepairKind::Comment, end))
        }
        (b'<', b'!') if bytes[at..].starts_with(b"<!--") => {
            let end = to(memchr::memmem::find(&bytes[at + 4..], b"-->"), at + 4, 3);
            Some((RepairKind::Comment, end))
        }
        (b'<' | 0xE2, _) if let Some(end) = notice_at(text, at) => {
            Some((RepairKind::Ellipsis, end))
        }
        (0x1B, _) if let Some(length) = colour_length(&bytes[at..]) => {
            Some((RepairKind::OddSpace, at + length))
        }
        (b'\\', b'n' | b't' | b'r') => Some((RepairKind::EscapedSpace, at + 2)),
        (b'\\', b'[' | b'{' | b']' | b'}' | b'\n' | b'\r') => {
            Some((RepairKind::EscapedSpace, at + 1))
        }
        (byte, _) => {
            let character = if byte < 0x80 {
                (byte < b' ' && at < bytes.len()).then(|| char::from(byte))
            } else {
                text.get(at..)?.chars().next().filter(|&c| odd_space(c))
            }?;
            Some((RepairKind::OddSpace, at + character.len_utf8()))
        }
    }
}

/// Returns the length of the sequence at the beginning with which terminals change colours,
/// `ESC[31m`, as far as the text goes.
pub(crate) fn colour_length(bytes: &[u8]) -> Option<usize> {
    let part = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    match bytes {
        [0x1B] => Some(1),
        [0x1B, b'[', inside @ ..] => {
            let length = 2 + inside.iter().take(COLOUR_MAX).take_while(part).count();
            match bytes.get(length) {
                Some(b'm') => Some(length + 1),
                None => Some(length),
                Some(_) => None,
            }
        }
        _ => None,
    }
}

/// Returns `true` if a value, a name, a closer or a comment begins at `at`.
fn token_at(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    match peek(bytes, at) {
        b'-' => peek(bytes, at + 1).is_ascii_digit(),
        b't' | b'f' | b'n' => [&b"true"[..], b"false", b"null"]
            .iter()
            .any(|word| rest.starts_with(word)),
        byte => byte.is_ascii_digit() || b"\"'{}[]/#".contains(&byte),
    }
}

/// Returns the offset at which a comment ends before an escaped line break behind which a token
/// follows.
fn escaped_line_end(comment: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\\', comment).find(|&at| {
        if peek(comment, at + 1) != b'n' {
            return false;
        }
        let (byte, next) = skip_space(comment, at + 2);
        match byte {
            b'}' | b']' => true,
            b'"' | b'\'' => next > at + 2,
            b'\\' => peek(comment, next + 1) == b'"',
            _ => false,
        }
    })
}

/// Returns whether an unusual space stands at `at`.
pub(crate) fn odd_space_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?
        .chars()
        .next()
        .filter(|&character| odd_space(character))
}

/// Characters that people and models use as white space though JSON does not.
pub(crate) fn odd_space(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{180e}'
        )
}

#[cfg(test)]
mod tests;
