//! Unambiguous lenient syntax: constructs that JSON does not have, but that can have only one
//! meaning in their place. Everything else is read by the search, which also reads these in the
//! same way; a law checks this.

pub(crate) mod learned;
mod plain;

use crate::base::repair::RepairKind;
use crate::parser::state::pause::{MARGIN, TOLD};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep, ValueStep};
use crate::scan::{self, peek, skip_space};
use crate::tape::{NONE, flag};

impl Reader<'_> {
    /// Skips unusual white space and comments at `k`. Returns the offset after them.
    pub(crate) fn liberty_between(&mut self, byte: u8, k: usize) -> Option<usize> {
        if self.scratch.without_fast_path {
            return None;
        }
        self.look.plain_gap(byte, k)?;
        self.skip_trivia(k)
    }

    /// Reads the unusual value under `key` at `k`, if it is unambiguous.
    pub(crate) fn liberty_for_value(
        &mut self,
        here: Container,
        key: KeySpan,
        byte: u8,
        k: usize,
    ) -> Option<ValueStep> {
        if let Some(next) = self.liberty_between(byte, k) {
            return Some(ValueStep::Again(next));
        }
        let (node, next) = match byte {
            // `[1, ]`
            b']' if !here.object && here.current != NONE && self.usual(here, b'[') => {
                return self.extra_comma(k).then_some(ValueStep::Nothing(here, k));
            }
            // `[}`
            b'}' if !here.object && here.count == 0 && here.current != NONE => {
                let (outside, next) = self.learned_closer(here, byte, k)?;
                return Some(ValueStep::Nothing(outside, next));
            }
            b'\'' => self.plain_quoted(here, key, k)?,
            // The shape of rows is left to the search.
            b'(' if key.end != 0 => {
                return self.plain_tuple(here, k).then_some(ValueStep::Open(k + 1));
            }
            b'T' | b'F' | b'N' | b'I' | b'-' if let Some(word) = self.python_word(key, k) => word,
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n'
                if let Some(scalar) = self.learned_scalar(key, k) =>
            {
                scalar
            }
            b'A'..=b'Z' | b'a'..=b'z' => self.plain_call(here, key, k)?,
            _ => return None,
        };
        Some(ValueStep::Scalar(node, next))
    }

    /// Records the comma before the closer at `k`, if there is one.
    fn extra_comma(&mut self, k: usize) -> bool {
        if !self.scratch.without_fast_path
            && let Some(comma) = self.last_comma(k)
        {
            self.repair(RepairKind::ExtraComma, comma.start, comma.end);
            return true;
        }
        false
    }

    /// Returns `true` if a container was opened by this bracket.
    fn usual(&self, here: Container, bracket: u8) -> bool {
        let start = self.tape.nodes[here.current as usize].start as usize;
        peek(self.look.bytes, start) == bracket
    }

    /// Reads a member's key and its colon at `at`, if they are unambiguous. Otherwise returns the
    /// ambiguous place.
    pub(crate) fn liberty_for_key(&mut self, here: Container, at: usize) -> Result<KeyStep, usize> {
        let bytes = self.look.bytes;
        let (mut byte, mut k) = skip_space(bytes, at);
        while let Some(next) = self.liberty_between(byte, k) {
            (byte, k) = skip_space(bytes, next);
        }
        if byte == b'}' && self.usual(here, b'{') && (here.count == 0 || self.extra_comma(k)) {
            return Ok(KeyStep::Nothing(here, k));
        }
        if byte == b'\'' || byte.is_ascii_alphabetic() {
            let key = self.plain_key(byte, k).ok_or(k)?;
            return Ok(KeyStep::Member(key.0, key.1));
        }
        if byte != b'"' {
            return Err(k);
        }
        let quoted = scan::quoted(bytes, k + 1).ok_or(k)?;
        let flags = if quoted.flags == 0 {
            0
        } else {
            flag::KEY_ESCAPED
        };
        let key = KeySpan {
            start: k as u32 + 1,
            end: quoted.end as u32,
            flags,
        };
        let (byte, colon) = skip_space(bytes, quoted.end + 1);
        let value = match byte {
            b':' => colon + 1,
            _ => self.learned_colon(byte, colon).ok_or(k)?,
        };
        if quoted.suspect {
            self.inspect(k + 1, quoted.end);
        }
        Ok(KeyStep::Member(key, value))
    }

    /// Does the work of [`liberty_for_value`](Self::liberty_for_value) while more text may arrive,
    /// limited to cases that such text cannot change.
    pub(crate) fn growing_value(
        &mut self,
        here: Container,
        key: KeySpan,
        byte: u8,
        k: usize,
    ) -> Option<ValueStep> {
        // The search waits for the end of a tuple, and a container that was closed stays closed.
        if matches!(byte, b'(' | b'}') {
            return None;
        }
        let repairs = self.tape.repairs.len();
        let step = self.liberty_for_value(here, key, byte, k)?;
        let next = match &step {
            ValueStep::Scalar(_, next) | ValueStep::Again(next) | ValueStep::Nothing(_, next) => {
                *next
            }
            ValueStep::Open(next) => *next,
        };
        // `'x', "b": 1`: the text after the quote proves that it closes the string.
        let told = match step {
            ValueStep::Scalar(..) => next + TOLD <= self.look.bytes.len(),
            ValueStep::Again(_) => self.is_told(k, next),
            ValueStep::Nothing(..) | ValueStep::Open(_) => false,
        };
        (told && self.keeps(repairs) || self.is_certain(next, repairs)).then_some(step)
    }

    /// Reads an unusual key while more text may arrive.
    pub(crate) fn growing_key(&mut self, here: Container, at: usize) -> Result<KeyStep, usize> {
        let repairs = self.tape.repairs.len();
        let step = self.liberty_for_key(here, at)?;
        let next = match &step {
            // `{}`
            KeyStep::Nothing(..) if self.tape.repairs.len() == repairs => return Ok(step),
            KeyStep::Member(_, next) | KeyStep::Nothing(_, next) => *next,
        };
        // A key and its colon are certain as soon as a value begins.
        let begun = matches!(step, KeyStep::Member(..))
            && self.look.beyond_space(next).1 < self.look.bytes.len();
        match begun && self.keeps(repairs) || self.is_certain(next, repairs) {
            true => Ok(step),
            false => Err(skip_space(self.look.bytes, at).1),
        }
    }

    /// Reads the trivia between tokens while more text may arrive.
    pub(crate) fn growing_between(&mut self, byte: u8, k: usize) -> Option<usize> {
        let repairs = self.tape.repairs.len();
        let next = self.liberty_between(byte, k)?;
        let told = self.is_told(k, next);
        (told && self.keeps(repairs) || self.is_certain(next, repairs)).then_some(next)
    }

    /// Reads the trivia before a key while more text may arrive.
    pub(crate) fn growing_gap(&mut self, at: usize) -> Option<usize> {
        let (byte, k) = skip_space(self.look.bytes, at);
        self.growing_between(byte, k)
    }

    /// Returns `true` if no further text can change the trivia from `k` to `next`: a token has
    /// begun.
    fn is_told(&self, k: usize, next: usize) -> bool {
        let begun = self.look.beyond_space(next).1 < self.look.bytes.len();
        begun && memchr::memchr(b'\\', &self.look.bytes[k..next]).is_none()
    }

    /// Marks the shown value as no longer strict JSON if anything was recorded.
    fn keeps(&mut self, repairs: usize) -> bool {
        self.scratch.pause.odd |= self.tape.repairs.len() > repairs;
        true
    }

    /// Returns `true` if the text that decided a step up to `next` lies clearly before the end of
    /// the text. Otherwise removes the records of the step.
    fn is_certain(&mut self, next: usize, repairs: usize) -> bool {
        let certain = next + MARGIN <= self.look.bytes.len();
        match certain {
            true => self.scratch.pause.odd = true,
            false => self.tape.repairs.truncate(repairs),
        }
        certain
    }
}
