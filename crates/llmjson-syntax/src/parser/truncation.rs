//! The end of text that is a prefix of JSON with lenient syntax: it was truncated, so no search for
//! other interpretations runs.

use alloc::vec::Vec;
use core::slice;

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::notice::notice_behind;
use crate::parser::search::build::Written;
use crate::parser::search::ends::quoted::half_escape;
use crate::parser::search::hand_over::Handed;
use crate::parser::search::reading::{Event, Move, StringPlace};
use crate::parser::search::text::quotes::Quote;
use crate::parser::state::pause::Phase;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan};
use crate::parser::words::word;
use crate::scan::skip_space;
use crate::tape::NONE;

/// Maximum length in bytes of a mark around a value: `</tool_call>`, `<|im_end|>`.
const MARK_LOOK: usize = 32;

impl Reader<'_> {
    /// Reads the last token of a text that was valid JSON up to `k`, where `phase` is the expected
    /// token, and closes the open containers. Returns `None` if the text does not end there or
    /// needed repairs before.
    #[cold]
    #[inline(never)]
    pub(crate) fn truncated(
        &mut self,
        here: Container,
        key: KeySpan,
        phase: Phase,
        k: usize,
    ) -> Option<Handed> {
        let (bytes, length) = (self.look.bytes, self.look.bytes.len());
        let damaged = self.scratch.left.0 != self.value_node;
        // The members are in other columns than those of their object: a closer is missing before
        // them.
        if here.current == NONE
            || damaged
            || self.misplaced(here, length).is_some()
            || self.unclosed_row(length).is_some()
        {
            return None;
        }
        let (mut here, mut end) = (here, length);
        match (phase, bytes.get(k)) {
            (_, None) if key.end == 0 => {}
            (_, None) => self.repair(RepairKind::CutMember, key.start as usize, length),
            (Phase::Value, Some(b'"' | b'\'')) => {
                let forgotten;
                (here, end, forgotten) = self.open_string(here, key, k)?;
                if forgotten {
                    return Some(Handed::After(here, end));
                }
            }
            (Phase::Value, _) => {
                let text = self.look.text.get(k..)?.trim_end();
                let cut = word::cut_keyword(text).is_some() || word::cut_number(text).is_some();
                if !cut && text != "-" {
                    return None;
                }
                if let Some(node) = self.cut_word(key, k, k + text.len()) {
                    self.tape.nodes.push(node);
                    here.count += 1;
                }
            }
            (Phase::Key, Some(b'"')) => {
                let whole = self.look.quoted_at(k + 1);
                let whole = whole.map(|name| skip_space(bytes, name.end + 1).1);
                let odd = || memchr::memchr2(b'\n', b':', &bytes[k + 1..]).is_some();
                // `"a": 1,"}`: a surplus quote.
                let rest = bytes[k + 1..].trim_ascii();
                let stray = !rest.is_empty() && rest.iter().all(|c| matches!(c, b'}' | b']'));
                if stray || whole.map_or_else(odd, |behind| behind < length) {
                    return None;
                }
                self.repair(RepairKind::CutMember, k + 1, length);
            }
            _ => return None,
        }
        self.scratch.signatures.forget();
        Some(Handed::End(self.finish(here, end)))
    }

    /// Reads the unclosed string at `k`. Returns the container that it is in, its end, and `true`
    /// if it ends before the closers at the end of the text, since its quote was forgotten.
    fn open_string(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
    ) -> Option<(Container, usize, bool)> {
        if self.look.work_is_used_up() {
            return None;
        }
        let (start, length) = (k + 1, self.look.bytes.len());
        let end = notice_behind(self.look.text).unwrap_or(length).max(start);
        let inside = &self.look.bytes[start..end];
        self.look.charge_search(inside.len());
        // Line feeds are literal, except at the end, where they prove no more than the end itself.
        if memchr::memchr2(b'\n', b'\r', inside.trim_ascii_end()).is_some() {
            return None;
        }
        let quote = match self.look.bytes[k] {
            b'"' => Quote::Double,
            _ if memchr::memchr2(b'\'', b'"', inside).is_some() => return None,
            _ => Quote::Single,
        };
        let forgotten = self.forgotten_quote(here, inside);
        let (end, next) = match forgotten {
            // `"x'}`: another character replaces the quote. `"x, b: 1}`: the quote may have been
            // before the comma.
            Some(text) if ends_in_quote(&inside[..text]) || inside[..text].contains(&b',') => {
                return None;
            }
            Some(text) => (start + text, start + text),
            None => (end - half_escape(inside), end),
        };
        let place = StringPlace {
            begin: k as u32,
            start: start as u32,
            end: end as u32,
            next: next as u32,
        };
        let unclosed = Event::Made(Move::Unclosed, place.end, place.end);
        let events = [unclosed, Event::Text(place, quote, 0)];
        let mut made = Written::under(here, key);
        self.play(&mut made, &events[usize::from(forgotten.is_some())..]);
        if forgotten.is_some() {
            self.repair_as(RepairKind::MissingQuote, Class::Likely, end, end);
            self.scratch.unquoted = end;
        }
        Some((made.here, next, forgotten.is_some()))
    }

    /// Returns the length of an open string whose quote was forgotten: 3 for `Ann}`, in one object.
    /// It ends in the closers of every open container, none of which closes a bracket inside the
    /// string, and contains no escaped line feed or quote.
    fn forgotten_quote(&self, here: Container, inside: &[u8]) -> Option<usize> {
        let mut text = before_mark(inside.trim_ascii_end());
        let (mut closers, mut open) = (Vec::new(), here.current);
        while open != NONE {
            closers.push(if self.is_object(open) { b'}' } else { b']' });
            open = self.tape.nodes[open as usize].next;
        }
        self.look.charge(closers.len());
        for closer in closers.iter().rev() {
            text = text.strip_suffix(slice::from_ref(closer))?.trim_ascii_end();
        }
        self.look.charge(text.len() / 4);
        let mut depth = 0usize;
        let mut bytes = text.iter();
        while let Some(byte) = bytes.next() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.checked_sub(1)?,
                b'\\' if matches!(bytes.next(), Some(b'n' | b'"')) => return None,
                _ => {}
            }
        }
        (depth == 0).then_some(text.len())
    }
}

/// Returns the text before a closing fence, tag or special token: `x}` for `x}</tool_call>`.
fn before_mark(text: &[u8]) -> &[u8] {
    let near = text.len().saturating_sub(MARK_LOOK);
    let tag = memchr::memrchr(b'<', &text[near..]).map(|at| near + at);
    match tag {
        Some(at) if text.ends_with(b">") && matches!(text[at + 1], b'/' | b'|') => &text[..at],
        _ => text.strip_suffix(b"```").unwrap_or(text),
    }
    .trim_ascii_end()
}

/// Returns `true` if a text ends in an unpaired quote of another kind: `x'`.
fn ends_in_quote(text: &[u8]) -> bool {
    match text.last() {
        Some(quote @ (b'\'' | b'`')) => memchr::memchr_iter(*quote, text).count() % 2 == 1,
        _ => ["”", "’", "»"]
            .iter()
            .any(|quote| text.ends_with(quote.as_bytes())),
    }
}
