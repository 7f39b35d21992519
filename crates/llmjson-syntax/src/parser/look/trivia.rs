//! Trivia between tokens other than white space: comments, unusual spaces, escapes, terminal
//! colours, truncation notices.

use crate::base::repair::RepairKind;
use crate::parser::look::comment::ends_before_member;
use crate::parser::look::notice::notice_at;
use crate::parser::look::tokens::token_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan::{peek, skip_space};

/// The beginning of a field mark.
const FIELD_MARK: &str = "[[ ## ";

/// Maximum length in bytes of the numbers in a terminal color: `31;1` in `ESC[31;1m`.
const COLOUR_MAX: usize = 32;

impl Look<'_> {
    /// Returns `true` if the comment at `at..end` extends to the end of its line, but members
    /// follow on that line: true at `0..5` of `// a "b": 1`.
    pub(crate) fn is_followed_on_its_line(&self, at: usize, end: usize) -> bool {
        let rest = &self.bytes[at..end];
        let line = rest.starts_with(b"//") || rest.starts_with(b"#");
        line && !matches!(peek(self.bytes, end), 0 | b'\n' | b'\r' | b'\\')
    }

    /// Returns the first byte from `at` on that is neither white space nor such a gap, and its
    /// offset.
    pub(crate) fn beyond_gaps(&self, at: usize) -> (u8, usize) {
        let (mut byte, mut at) = self.skip_space(at);
        while let Some(end) = self.plain_gap(byte, at) {
            (byte, at) = self.skip_space(end);
        }
        (byte, at)
    }

    /// Returns the end of unambiguous unusual white space or comment at `k`: 5 of `// a\n"b": 1`.
    pub(crate) fn plain_gap(&self, byte: u8, k: usize) -> Option<usize> {
        if !matches!(byte, b'/' | b'#' | 0x80..) {
            return None;
        }
        let (kind, end) = self.trivia_at(k)?;
        let gap = self.bytes.get(k..end)?;
        // A comment with quotes may hide members, and one at the end may hide closers.
        let plain = match kind {
            RepairKind::OddSpace => true,
            RepairKind::Comment => {
                end < self.bytes.len()
                    && memchr::memchr3(b'"', b'}', b']', gap).is_none()
                    && !self.is_followed_on_its_line(k, end)
                    && (gap.starts_with(b"// ") || gap.starts_with(b"/*") || gap.starts_with(b"# "))
                    && gap != b"/**/"
            }
            _ => false,
        };
        plain.then_some(end)
    }

    /// Returns `true` if a comment at `k` continues to the end of the text so far, or may begin
    /// there: `// fir`, `/`.
    pub(crate) fn open_gap(&self, byte: u8, k: usize) -> bool {
        let length = self.bytes.len();
        byte == b'/' && k + 1 == length
            || matches!(byte, b'/' | b'#') && self.trivia_at(k).is_some_and(|gap| gap.1 >= length)
    }

    /// Returns the first byte from `at` on that is neither white space nor a gap, and its offset,
    /// without recording anything: `]` at 16 of `... [truncated] ]`.
    pub(crate) fn beyond_trivia(&self, at: usize) -> (u8, usize) {
        let (mut byte, mut at) = self.skip_space(at);
        while let Some((_, end)) = self.trivia_at(at) {
            (byte, at) = self.skip_space(end);
        }
        (byte, at)
    }

    /// Returns `true` if there is a code fence at `at`, which ends the text of a value: `~~~`.
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

    /// Returns `true` if there is a closing fence at `at`, with only white space after it on its
    /// line: `~~~`, but not `~~~json`.
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

    /// Returns the text before `at` without trailing terminal colors: `a` before the end of
    /// `"a\u{1b}[31m"`.
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

    /// Returns the end of the field mark at `at`: `[[ ## answer ## ]]`, the format of DSPy.
    pub(crate) fn field_mark_at(&self, at: usize) -> Option<usize> {
        let window = self.text.get(at..)?.strip_prefix(FIELD_MARK)?;
        let end = window.find([']', '\n'])?;
        let name = window[..end].strip_suffix(" ## ")?;
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '-');
        let marks = name.chars().all(part) && window[end..].starts_with("]]");
        marks.then_some(at + FIELD_MARK.len() + end + 2)
    }

    /// Returns `true` if the text is too short to decide whether the bracket at `at` begins a field
    /// mark: `[[ ##`, but not `[[1`.
    pub(crate) fn may_be_field_mark(&self, at: usize) -> bool {
        let rest = &self.text[at..];
        FIELD_MARK.starts_with(rest) || rest.starts_with(FIELD_MARK) && rest.len() < LOOK_AHEAD
    }

    /// Returns `true` if there is a closing fence, a closing tag or a special token that ends a
    /// turn at `at`, without a separator or closer of a value after it: `</a>`, but not `</a>,`.
    pub(crate) fn closing_mark_at(&self, at: usize) -> bool {
        match peek(self.bytes, at) {
            b'`' | b'~' => self.closing_fence_at(at),
            b'<' => self
                .closing_tag_at(at)
                .is_some_and(|(_, end)| !matches!(self.skip_space(end).0, b',' | b'}' | b']')),
            _ => false,
        }
    }

    /// Returns the name of the closing tag or special token at `at`, and its end: `a` and 4 for
    /// `</a> b`.
    pub(crate) fn closing_tag_at(&self, at: usize) -> Option<(&str, usize)> {
        let (closing, name, end) = self.tag_token_at(at).filter(|_| self.tag_at(at))?;
        (closing || name.ends_with('|')).then_some((name, end))
    }
}

/// Returns the kind of a comment, an unusual space or an escape used as white space, and its end: a
/// comment that ends at 4 of `"// a\n1"`.
#[inline]
pub(crate) fn trivia_at(text: &str, at: usize) -> Option<(RepairKind, usize)> {
    match peek(text.as_bytes(), at) {
        b'/' | b'#' | b'<' | b'\\' | ..b' ' | 0x80.. => trivia_of(text, at),
        b'.' | b'[' | b'(' => Some((RepairKind::Ellipsis, notice_at(text, at)?)),
        _ => None,
    }
}

/// Returns the kind and end of trivia at a place without an ellipsis or bracket: an unusual space
/// that ends at 2 of `"\u{a0}1"`.
#[inline(never)]
fn trivia_of(text: &str, at: usize) -> Option<(RepairKind, usize)> {
    let bytes = text.as_bytes();
    if let Some(end) = comment_end(text, at, |sought, from| sought.find(bytes, from)) {
        return Some((RepairKind::Comment, end));
    }
    match (peek(bytes, at), peek(bytes, at + 1)) {
        // `<truncated>`, `… [truncated]`
        (b'<' | 0xE2, _) if let Some(end) = notice_at(text, at) => {
            Some((RepairKind::Ellipsis, end))
        }
        // `ESC[31m`: the reply was copied from a terminal.
        (0x1B, _) if let Some(length) = colour_length(&bytes[at..]) => {
            Some((RepairKind::OddSpace, at + length))
        }
        // `{\n  "a": 1}`, with the line break as an escape.
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

/// A mark to search a text for, from a place on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sought {
    LineEnd,
    /// The [end](escaped_line_end) of a comment, or the end of its line.
    EscapedLineEnd,
    /// A double quote, or the end of its line.
    QuoteOnLine,
    Space,
    BlockEnd,
    MarkupEnd,
}

impl Sought {
    /// Number of different marks.
    pub(crate) const COUNT: usize = Self::MarkupEnd as usize + 1;

    /// Returns the first place from `from` on, or the end of the text.
    pub(crate) fn find(self, bytes: &[u8], from: usize) -> usize {
        let rest = bytes.get(from..).unwrap_or_default();
        let found = match self {
            Self::LineEnd => memchr::memchr2(b'\n', b'\r', rest),
            Self::EscapedLineEnd => {
                let end = Self::LineEnd.find(rest, 0);
                Some(escaped_line_end(&rest[..end]).unwrap_or(end))
            }
            Self::QuoteOnLine => memchr::memchr3(b'"', b'\n', b'\r', rest),
            Self::Space => memchr::memchr(b' ', rest),
            Self::BlockEnd => memchr::memmem::find(rest, b"*/"),
            Self::MarkupEnd => memchr::memmem::find(rest, b"-->"),
        };
        found.map_or(bytes.len(), |at| from + at)
    }
}

/// Returns the offset at which a comment at `at` ends: 4 of `"// a\n1"`. `find` returns the first
/// match.
pub(crate) fn comment_end(
    text: &str,
    at: usize,
    find: impl Fn(Sought, usize) -> usize,
) -> Option<usize> {
    let bytes = text.as_bytes();
    match (peek(bytes, at), peek(bytes, at + 1)) {
        (b'/', b'/') | (b'#', _) => {
            let mut end = find(Sought::LineEnd, at);
            // If the next line continues with a token, escapes in the comment are part of its text.
            if !token_at(bytes, skip_space(bytes, end).1) {
                end = find(Sought::EscapedLineEnd, at);
            }
            let quote = find(Sought::QuoteOnLine, at);
            Some(ends_before_member(text, at, end, quote).unwrap_or(end))
        }
        (b'/', b'*') => Some(bytes.len().min(find(Sought::BlockEnd, at + 2) + 2)),
        (b'<', b'!') if bytes[at..].starts_with(b"<!--") => {
            Some(bytes.len().min(find(Sought::MarkupEnd, at + 4) + 3))
        }
        _ => None,
    }
}

/// Returns the length of a terminal color sequence at the beginning, `ESC[31m`, even if it is
/// incomplete.
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

/// Returns the offset at which a comment ends before an escaped line break that a token follows: 4
/// of `// a\n "b": 1`.
pub(crate) fn escaped_line_end(comment: &[u8]) -> Option<usize> {
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

/// Returns the unusual space at `at`, if there is one: at 1 of `"a\u{200b}"`.
pub(crate) fn odd_space_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?
        .chars()
        .next()
        .filter(|&character| odd_space(character))
}

/// Returns `true` for the characters that people and models use as white space although JSON does
/// not: `'\u{a0}'`, but not `'\u{2010}'`.
pub(crate) fn odd_space(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{180e}'
        )
}

#[cfg(test)]
mod tests {
    use super::{LOOK_AHEAD, colour_length};
    use crate::parser::look::{answers, ask};

    #[test]
    fn fences_and_tags_are_seen() {
        answers(
            |look| {
                (
                    look.fence_at(0),
                    look.tag_at(0),
                    look.closing_fence_at(0),
                    look.closing_mark_at(0),
                )
            },
            &[
                ("```", (true, false, true, true)),
                ("~~~", (true, false, true, true)),
                ("~~~json", (true, false, false, false)),
                ("~~~~ \t\r\n", (true, false, true, true)),
                ("```json\n", (true, false, false, false)),
                ("``", (false, false, false, false)),
                ("</a>", (false, true, false, true)),
                ("</a>,", (false, true, false, false)),
                ("</a> }", (false, true, false, false)),
                ("</1>", (false, false, false, false)),
                ("<|im_end|>", (false, true, false, true)),
                ("<a>", (false, false, false, false)),
                ("", (false, false, false, false)),
            ],
        );
        let name = |text: &str| {
            ask(text, |look| {
                look.closing_tag_at(0)
                    .map(|(name, end)| (alloc::string::String::from(name), end))
            })
        };
        assert_eq!(name("</a> b"), Some(("a".into(), 4)));
        assert_eq!(name("<a>"), None);
    }

    #[test]
    fn colours_are_left_out() {
        let before = |text: &str| ask(text, |look| look.before_colours(text.len()).len());
        assert_eq!(before("a\u{1b}[31m"), 1);
        assert_eq!(before("a\u{1b}[0m\u{1b}[1;31m"), 1);
        assert_eq!(before("am"), 2);
        assert_eq!(before("a\u{1b}[31"), 5);
        assert_eq!(before("\u{1b}[m"), 0);
        assert_eq!(before("a\u{1b}[3 1m"), 7);
        for (text, length) in [
            ("\u{1b}", Some(1)),
            ("\u{1b}[", Some(2)),
            ("\u{1b}[31;1mx", Some(7)),
            ("\u{1b}[31", Some(4)),
            ("\u{1b}[x", None),
            ("x", None),
        ] {
            assert_eq!(colour_length(text.as_bytes()), length, "{text:?}");
        }
    }

    #[test]
    fn marks_of_fields_are_found() {
        answers(
            |look| look.field_mark_at(0),
            &[
                ("[[ ## answer ## ]] 1", Some(18)),
                ("[[ ## my answer-1_b ## ]]", Some(25)),
                ("[[ ## a.b ## ]]", None),
                ("[[ ## a ##]]", None),
                ("[[ ## a ## ]", None),
                ("[[ ## a\n ## ]]", None),
                ("[[1]]", None),
            ],
        );
        answers(
            |look| look.may_be_field_mark(0),
            &[
                ("[", true),
                ("[[ ##", true),
                ("[[ ## a", true),
                ("[[1", false),
                ("", true),
            ],
        );
        let long = alloc::format!("[[ ## {}", "a".repeat(LOOK_AHEAD));
        assert!(!ask(&long, |look| look.may_be_field_mark(0)));
    }
}
