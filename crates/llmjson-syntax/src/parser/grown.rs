//! How much of a string is certain before it is closed.

use crate::escape;
use crate::node::flag;
use crate::scan::{self, Quoted};

/// In more bytes than this the closing quote is looked for first: it often is there.
const FEW: usize = 32;

/// A string whose opening quote has come, as far as it has been looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grown {
    /// Where its inside begins.
    pub(crate) start: usize,
    /// Up to here the text has been looked at; half an escape waits for its other half.
    whole: usize,
    /// Up to here the text is the string's, whatever comes.
    end: usize,
    /// `flag::ESCAPED` if an escape has been seen.
    pub(crate) flags: u8,
    /// Whether something in it may not stand in JSON.
    suspect: bool,
    /// Where the closing quote is, once it has come.
    close: Option<usize>,
}

impl Grown {
    pub(crate) fn new(start: usize) -> Self {
        Self {
            start,
            whole: start,
            end: start,
            ..Self::default()
        }
    }

    /// The closing quote of the string.
    #[inline]
    pub(crate) fn close(&self) -> Option<usize> {
        self.close
    }

    /// The string as the reader wants it, once it is closed.
    #[inline]
    pub(crate) fn quoted(&self) -> Option<Quoted> {
        self.close.map(|end| Quoted {
            end,
            flags: self.flags,
            suspect: self.suspect,
        })
    }

    /// Up to here the text is the string's, whatever comes. White space and separators may turn out
    /// to stand behind it.
    pub(crate) fn certain_end(&self, bytes: &[u8]) -> usize {
        let Some(close) = self.close else {
            return self.end;
        };
        let inside = &bytes[self.start..close];
        let trailing = |byte: &&u8| **byte <= b' ' || matches!(byte, b',' | b'}' | b']');
        let solid = inside.len() - inside.iter().rev().take_while(trailing).count();
        // Half an escape does not count.
        let run = inside[..solid]
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\');
        self.start + solid - run.count() % 2
    }

    /// Takes in the text that has come, up to the closing quote if that is in it.
    #[inline]
    pub(crate) fn extend(&mut self, text: &str) {
        let bytes = text.as_bytes();
        if bytes.len() - self.whole > FEW && self.finds_close(bytes) {
            return;
        }
        while !self.extend_plainly(bytes) {
            if !self.passes_escape(text) {
                return;
            }
        }
    }

    /// Looks for the closing quote alone.
    #[inline(never)]
    fn finds_close(&mut self, bytes: &[u8]) -> bool {
        let Some(quoted) = scan::quoted_from(bytes, self.start, self.whole) else {
            return false;
        };
        self.close = Some(quoted.end);
        self.flags |= quoted.flags;
        self.suspect |= quoted.suspect;
        true
    }

    /// The same without the escapes that are rare. Returns whether it came to none.
    #[inline]
    fn extend_plainly(&mut self, bytes: &[u8]) -> bool {
        let (mut at, mut end) = (self.whole, self.end);
        let mut plain = true;
        while let Some(&byte) = bytes.get(at) {
            let letter = LETTERS[usize::from(byte)];
            if letter <= SEPARATOR {
                // Every few bytes a word ends: a branch would be guessed wrong as often.
                at += 1;
                end = end.max(at & usize::from(letter).wrapping_sub(1));
                continue;
            }
            match byte {
                b'"' => {
                    self.close = Some(at);
                    break;
                }
                b'\\' => match bytes.get(at + 1..) {
                    // What an escape means may depend on the character behind it.
                    Some([b'n' | b'"' | b'\\' | b't' | b'r', _, ..]) => {
                        self.flags = flag::ESCAPED;
                        at += 2;
                        end = at;
                    }
                    Some([_, _, ..]) => {
                        plain = false;
                        break;
                    }
                    _ => break,
                },
                _ => {
                    self.suspect = true;
                    at += 1;
                }
            }
        }
        (self.whole, self.end) = (at, end);
        plain
    }

    /// Takes in an escape that is rare, unless more text may change what it means.
    #[cold]
    #[inline(never)]
    fn passes_escape(&mut self, text: &str) -> bool {
        match escape::length(&text[self.whole..]) {
            Some(length) if self.whole + length < text.len() => {
                self.whole += length;
                self.end = self.whole;
                self.flags = flag::ESCAPED;
                self.suspect = true;
                true
            }
            _ => false,
        }
    }
}

/// May turn out to stand behind the string.
const SEPARATOR: u8 = 1;
/// A quote, a backslash or a control character.
const SPECIAL: u8 = 2;

/// What a byte may be in a string; 0 for nothing special.
static LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut at = 0;
    while at < b' ' as usize {
        letters[at] = SPECIAL;
        at += 1;
    }
    let (mut at, separators) = (0, b" ,}]");
    while at < separators.len() {
        letters[separators[at] as usize] = SEPARATOR;
        at += 1;
    }
    letters[b'"' as usize] = SPECIAL;
    letters[b'\\' as usize] = SPECIAL;
    letters
};
