//! The way in which the writer of a damaged value means escapes, which is one way for all its
//! strings: evidence from all strings decides an ambiguous one.

use alloc::string::String;
use alloc::vec::Vec;

use crate::base::repair::{Class, NoteKind, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::habits::Escapes;
use crate::parser::state::reader::Reader;
use crate::scan::escape::{self, Pieces, control_word_at, decode_raw, decoded_in_path, escapes};
use crate::tape::{Node, Tag, flag};

/// Number of control words that prove LaTeX without an impossible escape.
const WORDS_PROVE: usize = 2;

impl Escapes {
    fn count(&mut self, inside: &str) {
        let raw = Pieces::new(inside).is_raw();
        self.raw += usize::from(raw);
        if raw || escapes(inside).any(|(_, escaped)| matches!(escaped, b'b' | b'f')) {
            self.paths += usize::from(is_path(inside));
        }
        if raw {
            self.latex +=
                usize::from(!is_path(inside) && escapes(inside).any(|one| is_word(inside, one)));
            return;
        }
        self.drives += usize::from(decoded_in_path(inside).is_some());
        for (at, escaped) in escapes(inside) {
            let rare = matches!(escaped, b'b' | b'f');
            self.drives += usize::from(rare && escape::in_path(inside, at));
            self.words += match control_word_at(inside, at + 1) {
                // No text has a form feed or backspace before a letter.
                Some(word) if rare && word.len() > 2 => WORDS_PROVE,
                Some(word) if word.len() > 3 => 1,
                _ => 0,
            };
        }
    }

    /// Returns `true` if any string shows that escapes are not meant.
    fn prove(&self) -> bool {
        self.raw + self.paths + self.drives > 0 || self.words >= WORDS_PROVE
    }

    /// Returns the meaning of a string if it was not escaped and its own escapes do not show that.
    fn reread(&self, inside: &str) -> Option<String> {
        let latex = self.latex > 0 || self.words >= WORDS_PROVE;
        let raw = self.raw > 0 || latex;
        let words = self.raw > self.paths || latex;
        if self.paths > 0 && is_path(inside) {
            let decoded = |(_, escaped): (usize, u8)| b"bfnrt".contains(&escaped);
            return escapes(inside).any(decoded).then(|| String::from(inside));
        }
        if Pieces::new(inside).is_raw() {
            return None;
        }
        let drive = decoded_in_path(inside).is_some();
        // `A:\\nYes` is a label before a line.
        let in_path = |at| escape::in_path(inside, at) && !begins_line(inside, 2);
        let shown = escapes(inside).any(|(at, escaped)| match escaped {
            b'b' | b'f' => raw || in_path(at),
            b'n' | b'r' | b't' => {
                words && control_word_at(inside, at + 1).is_some() || raw && in_path(at)
            }
            _ => latex && escaped.is_ascii_punctuation() && !b"\"'/\\`".contains(&escaped),
        });
        (drive || shown).then(|| decode_raw(inside))
    }
}

/// Returns `true` if the escape at `at` is a line feed before a line that begins in upper case:
/// `A:\\nYes`.
fn begins_line(inside: &str, at: usize) -> bool {
    let line = inside.get(at..).unwrap_or_default().strip_prefix("\\n");
    line.is_some_and(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))
}

/// Returns `true` if a string is code that was not escaped at all: it has line feeds and quotes, but
/// no escaped quote.
fn is_verbatim(inside: &str) -> bool {
    // An escaped tab at the beginning of a line is its indentation.
    let mut meant = escapes(inside).filter(|&(at, escaped)| {
        escaped == b'"' || escaped == b't' && inside[..at].ends_with('\n')
    });
    inside.contains('\n') && inside.contains('"') && meant.next().is_none()
}

/// Returns `true` if an impossible escape begins a word of several letters: `\\cdot`, but not `\\d+`.
fn is_word(inside: &str, (at, escaped): (usize, u8)) -> bool {
    let letter = |byte: &u8| byte.is_ascii_alphabetic();
    letter(&escaped)
        && !b"bfnrtu".contains(&escaped)
        && inside.as_bytes().get(at + 2).is_some_and(letter)
}

/// Returns `true` if a string consists of names separated by backslashes, and more than lines of
/// one word each: `src\\new\\test`, `bin\\run.exe`, but not `alpha\\nNext`.
fn is_path(inside: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || b"._-$~@+".contains(&byte);
    // `\t\u00e9`: escapes, none of which begins a name.
    let digits = |at: usize| inside.as_bytes().get(at + 2..at + 6);
    let is_code = |at| digits(at).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit));
    let name = |(at, escaped): (usize, u8)| {
        escaped.is_ascii_alphanumeric()
            && !begins_line(inside, at)
            && !(escaped == b'u' && is_code(at))
    };
    if inside.split('\\').all(|name| name.len() < 2) {
        return false;
    }
    let last = inside.rsplit('\\').next().unwrap_or_default();
    let mut escaped = escapes(inside).map(|(_, escaped)| escaped);
    let Some(first) = escaped.next() else {
        return false;
    };
    (escaped.any(|other| other != first) || last.get(1..).is_some_and(|last| last.contains('.')))
        && escapes(inside).all(name)
        && inside.bytes().all(|byte| byte == b'\\' || part(byte))
}

impl Reader<'_> {
    /// Reads the strings of a value, from the node `root` and the record `first` on, as its other
    /// strings show that escapes are meant. Strict JSON is read as such.
    #[cold]
    #[inline(never)]
    pub(crate) fn keep_habits(&mut self, root: usize, first: usize) {
        self.look.charge_search(self.tape.nodes.len() - root);
        for node in &self.tape.nodes[root..] {
            if let Some(inside) = escaped_inside(self.look.text, node) {
                self.look.charge(2 * inside.len());
                self.scratch.habits.escapes.count(inside);
            }
        }
        let escapes_of_value = self.scratch.habits.escapes;
        let proved = escapes_of_value.prove();
        let mut reread = Vec::new();
        for index in root..self.tape.nodes.len() {
            let node = self.tape.nodes[index];
            let Some(inside) = escaped_inside(self.look.text, &node) else {
                continue;
            };
            self.look.charge(4 * inside.len());
            let (start, end) = (node.start as usize, node.end as usize);
            let verbatim = is_verbatim(inside);
            let text = match verbatim {
                true => Some(String::from(inside)),
                false if proved => escapes_of_value.reread(inside),
                false => None,
            };
            let Some(text) = text.filter(|_| !self.look.work_is_used_up()) else {
                continue;
            };
            // `\\_` may have been escaped for Markdown even where other strings are raw.
            let letters = escapes(inside).any(|(_, escaped)| escaped.is_ascii_alphabetic());
            let class = match letters && !verbatim {
                true => Class::Likely,
                false => Class::Guess,
            };
            self.record_habit(first, class, start, end);
            reread.push(Span::of(start, end));
            let next = self.look.beyond_quote(end) as u32;
            let (start, end) = self.tape.put_side(&text);
            let node = &mut self.tape.nodes[index];
            (node.next, node.start, node.end) = (next, start, end);
            node.flags = node.flags & !flag::ESCAPED | flag::SIDE;
        }
        if !reread.is_empty() {
            self.tape.repairs[first..].sort_by_key(|repair| repair.span.start);
            self.look.charge_search(self.tape.notes.len());
            self.tape.notes.retain(|note| {
                let after = reread.partition_point(|string| string.start <= note.span.start);
                note.kind != NoteKind::ControlEscape
                    || after == 0
                    || reread[after - 1].end < note.span.end
            });
        }
    }

    /// Records that the string at `start..end` was read as raw text, or that its invalid escapes
    /// were.
    fn record_habit(&mut self, first: usize, class: Class, start: usize, end: usize) {
        let records = self.tape.repairs[first..].iter_mut();
        self.look.charge_search(records.len());
        let invalid = |one: &&mut Repair| {
            one.kind == RepairKind::InvalidEscape && one.span.start as usize == start
        };
        match { records }.find(invalid) {
            Some(record) => record.class = class,
            None => self.repair_as(RepairKind::RawEscape, class, start, end),
        }
    }
}

/// Returns the content of a string whose escapes are decoded when it is read.
fn escaped_inside<'t>(text: &'t str, node: &Node) -> Option<&'t str> {
    let escaped = node.tag == Tag::String && node.has(flag::ESCAPED) && !node.has(flag::SIDE);
    escaped.then(|| &text[node.start as usize..node.end as usize])
}
