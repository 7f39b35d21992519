//! A growing string, decoded piece by piece.

use alloc::string::String;

use crate::scan::escape::{Piece, Pieces};
use crate::tape::flag;
use crate::view::ValueRef;

/// The part of a string that has been decoded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decoded {
    start: u32,
    end: u32,
    side: bool,
    raw: bool,
    length: usize,
}

impl Decoded {
    /// Creates the state before any part of a string was delivered.
    #[must_use]
    pub fn nothing_of(value: ValueRef<'_>) -> Self {
        let node = value.node();
        Self {
            start: node.start,
            end: node.start,
            side: node.has(flag::SIDE),
            ..Self::default()
        }
    }

    /// Returns the text of the string after the part returned by the last call.
    pub fn rest(&mut self, value: ValueRef<'_>) -> String {
        let node = value.node();
        let side = node.has(flag::SIDE);
        let same = self.start == node.start && self.side == side && self.end <= node.end;
        let mut piece = String::new();
        if same {
            let offset = (self.end - node.start) as usize;
            let rest = value.raw().get(offset..).unwrap_or_default();
            if node.has(flag::ESCAPED) {
                let mut pieces = Pieces::resumed(value.raw(), offset, self.raw);
                while let Some((_, part, _)) = pieces.next() {
                    match part {
                        Piece::Text(text) => piece.push_str(text),
                        Piece::Char(character) => piece.push(character),
                    }
                }
                self.raw = pieces.is_raw();
            } else {
                piece.push_str(rest);
            }
        } else {
            // The string has been concatenated anew, from separately quoted pieces.
            let whole = value.as_str().unwrap_or_default();
            piece.push_str(whole.get(self.length..).unwrap_or_default());
        }
        *self = Self {
            start: node.start,
            end: node.end,
            side,
            raw: self.raw,
            length: self.length + piece.len(),
        };
        piece
    }
}
