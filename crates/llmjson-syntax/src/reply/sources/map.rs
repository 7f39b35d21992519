//! A text derived from another one, with the positions of its parts there.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::scan::escape::{Piece, Pieces};
use crate::tape::source_map::Places;

/// A text with the origin of each of its parts.
#[derive(Default)]
pub(crate) struct Derived {
    pub(crate) text: String,
    /// Offsets in the text and in the source at which another part begins.
    pub(crate) parts: Places,
    /// `true` if other texts are as likely as this one.
    pub(crate) is_guess: bool,
}

/// The meaning of a code in an encoding.
#[derive(Clone, Copy)]
pub(crate) enum Means {
    Byte(u8),
    Char(char),
    Nothing,
}

impl Derived {
    /// Creates a text that is a part of the source.
    pub(crate) fn part(source: &str, part: Range<usize>) -> Self {
        let mut derived = Self::default();
        derived.push(part.start, &source[part.clone()]);
        derived
            .parts
            .push(((part.end - part.start) as u32, part.end as u32));
        derived
    }

    /// Returns the offsets in the source between which the text lies.
    pub(crate) fn ends(&self) -> Range<usize> {
        let place = |part: Option<&(u32, u32)>| part.map_or(0, |&(_, source)| source as usize);
        place(self.parts.first())..place(self.parts.last())
    }

    /// Appends a part of the source, from `at` on, that means `text`.
    pub(crate) fn push(&mut self, at: usize, text: &str) {
        self.parts.push((self.text.len() as u32, at as u32));
        self.text.push_str(text);
    }

    pub(crate) fn push_char(&mut self, at: usize, character: char) {
        self.push(at, character.encode_utf8(&mut [0; 4]));
    }

    /// Appends a part of the source, from `at` on, with its escapes decoded: `\\"` is `"`.
    pub(crate) fn push_unescaped(&mut self, at: usize, text: &str) {
        let mut pieces = Pieces::onwards(text);
        while let Some((place, piece, _)) = pieces.next() {
            match piece {
                Piece::Text(text) => self.push(at + place, text),
                Piece::Char(character) => self.push_char(at + place, character),
            }
        }
    }

    /// Appends the rest of the source.
    pub(crate) fn finish(mut self, source: &str, at: usize) -> Self {
        self.push(at, &source[at..]);
        self.parts
            .push((self.text.len() as u32, source.len() as u32));
        self
    }

    /// Appends bytes with their places: the UTF-8 characters that they form, otherwise a character
    /// for each.
    fn push_bytes(&mut self, run: &mut Vec<(u8, usize)>) {
        let bytes: Vec<u8> = run.iter().map(|(byte, _)| *byte).collect();
        let mut places = run.drain(..).map(|(_, place)| place);
        for chunk in bytes.utf8_chunks() {
            let invalid = chunk.invalid().iter().map(|byte| (char::from(*byte), 1));
            let valid = chunk.valid().chars().map(|one| (one, one.len_utf8()));
            for (character, length) in valid.chain(invalid) {
                if let Some(place) = places.next() {
                    self.push_char(place, character);
                }
                places.by_ref().take(length - 1).for_each(drop);
            }
        }
    }
}

/// Replaces each code that `read` recognizes at its place by its meaning. Returns `None` if there
/// is none.
pub(crate) fn rewritten(
    source: &str,
    mut read: impl FnMut(&str, usize) -> Option<(Means, usize)>,
) -> Option<Derived> {
    let mut derived = Derived::default();
    let (mut at, mut plain) = (0, 0);
    let mut run = Vec::new();
    while at < source.len() {
        let Some((means, length)) = read(source, at) else {
            // The length of the character, by its first byte.
            at += match source.as_bytes()[at] {
                ..=0xBF => 1,
                0xC0..=0xDF => 2,
                0xE0..=0xEF => 3,
                _ => 4,
            };
            continue;
        };
        if plain < at {
            derived.push_bytes(&mut run);
            derived.push(plain, &source[plain..at]);
        }
        match means {
            Means::Byte(byte) => run.push((byte, at)),
            Means::Char(character) => {
                derived.push_bytes(&mut run);
                derived.push_char(at, character);
            }
            Means::Nothing => {}
        }
        at += length;
        plain = at;
    }
    derived.push_bytes(&mut run);
    (plain > 0).then(|| derived.finish(source, plain))
}
