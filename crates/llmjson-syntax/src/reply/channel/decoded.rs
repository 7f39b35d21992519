//! A text derived from another one, with the positions of its parts there.

use alloc::string::String;

use crate::base::repair::{Class, RepairKind};
use crate::scan::escape::{Piece, Pieces};
use crate::tape::carried::Places;

/// A text with the origin of each of its parts.
pub(crate) struct DecodedText {
    /// The repair that produced it.
    pub(crate) kind: RepairKind,
    /// The certainty that this is the intended text.
    pub(crate) class: Class,
    pub(crate) text: String,
    /// Offsets in the text and in the source at which another part begins.
    pub(crate) parts: Places,
}

impl DecodedText {
    /// Creates an empty text, produced by a repair of that kind.
    pub(crate) fn of(kind: RepairKind) -> Self {
        Self {
            kind,
            class: kind.class(),
            text: String::new(),
            parts: Places::new(),
        }
    }

    /// Appends a part of the source, from `at` on, that means `text`.
    pub(crate) fn push(&mut self, at: usize, text: &str) {
        self.parts.push((self.text.len() as u32, at as u32));
        self.text.push_str(text);
    }

    /// Appends a part of the source, from `at` on, with its escapes decoded: `\\"` is `"`.
    pub(crate) fn push_unescaped(&mut self, at: usize, text: &str) {
        let mut pieces = Pieces::onwards(text);
        while let Some((place, piece, _)) = pieces.next() {
            match piece {
                Piece::Text(text) => self.push(at + place, text),
                Piece::Char(sign) => self.push(at + place, sign.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// Notes that the source ends at `at`.
    pub(crate) fn end(&mut self, at: usize) {
        self.parts.push((self.text.len() as u32, at as u32));
    }
}
