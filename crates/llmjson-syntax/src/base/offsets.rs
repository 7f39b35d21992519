//! Byte offsets as other languages and editors count them.

use alloc::vec::Vec;

/// The unit of an offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OffsetUnit {
    /// Bytes of UTF-8, as Rust counts.
    #[default]
    Bytes,
    /// Characters (Unicode scalar values), as Python counts.
    Chars,
    /// Code units of UTF-16, as JavaScript, Java and the Language Server Protocol count.
    Utf16,
}

/// Converts byte offsets of one text. Built in one pass over it; each conversion takes constant
/// time.
///
/// ```
/// use llmjson_syntax::{OffsetIndex, OffsetUnit};
///
/// let text = "{\"😀\": oops}";
/// let offset = |unit| OffsetIndex::new(text, unit).offset(9);
/// assert_eq!(offset(OffsetUnit::Bytes), 9);
/// assert_eq!(offset(OffsetUnit::Chars), 6);
/// assert_eq!(offset(OffsetUnit::Utf16), 7);
/// ```
#[derive(Clone, Debug)]
pub struct OffsetIndex<'t> {
    text: &'t str,
    unit: OffsetUnit,
    /// The count before each block of the text; empty if bytes are counted.
    blocks: Vec<u32>,
}

/// Distance in bytes between two places whose count is stored.
const BLOCK: usize = 256;

impl<'t> OffsetIndex<'t> {
    /// Creates an index of a text.
    #[must_use]
    pub fn new(text: &'t str, unit: OffsetUnit) -> Self {
        let mut blocks = Vec::new();
        if unit != OffsetUnit::Bytes && !text.is_ascii() {
            let mut count = 0;
            for block in text.as_bytes().chunks(BLOCK) {
                blocks.push(count);
                count += units(block, unit);
            }
        }
        Self { text, unit, blocks }
    }

    /// Returns the offset of a byte. A byte offset past the end counts as the end, and one inside a
    /// character as the beginning of that character.
    #[must_use]
    pub fn offset(&self, byte: u32) -> u32 {
        let byte = self.text.floor_char_boundary(byte as usize);
        let block = byte / BLOCK;
        // A text whose length is a multiple of the block has no block after its end.
        let block = block.min(self.blocks.len().saturating_sub(1));
        match self.blocks.get(block) {
            Some(before) => before + units(&self.text.as_bytes()[block * BLOCK..byte], self.unit),
            None => byte as u32,
        }
    }
}

/// Returns the number of units that begin in these bytes.
fn units(bytes: &[u8], unit: OffsetUnit) -> u32 {
    // A character of four bytes takes two UTF-16 units.
    let wide = unit == OffsetUnit::Utf16;
    let begun = |byte: &u8| u32::from(byte & 0xC0 != 0x80) + u32::from(wide && *byte >= 0xF0);
    match unit {
        OffsetUnit::Bytes => bytes.len() as u32,
        OffsetUnit::Chars | OffsetUnit::Utf16 => bytes.iter().map(begun).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn every_offset_counts_what_stands_before_it() {
        let piece = "a\u{e9}\u{20ac}\u{1f600}\n";
        for length in [0, 1, 3, 40, 64, 100] {
            let text: String = piece.chars().cycle().take(length).collect();
            let chars = OffsetIndex::new(&text, OffsetUnit::Chars);
            let utf16 = OffsetIndex::new(&text, OffsetUnit::Utf16);
            for byte in 0..=text.len() + 2 {
                let before = &text[..text.floor_char_boundary(byte)];
                assert_eq!(chars.offset(byte as u32), before.chars().count() as u32);
                let units = before.encode_utf16().count() as u32;
                assert_eq!(utf16.offset(byte as u32), units);
            }
        }
        let text = "x".repeat(BLOCK * 2);
        let index = OffsetIndex::new(&text, OffsetUnit::Utf16);
        assert_eq!(index.offset(u32::MAX), text.len() as u32);
    }

    #[test]
    fn text_of_whole_blocks_has_an_end() {
        let text = "\u{e9}".repeat(BLOCK);
        let index = OffsetIndex::new(&text, OffsetUnit::Chars);
        assert_eq!(index.offset(text.len() as u32), BLOCK as u32);
    }
}
