//! Names and scalars at their places.

use alloc::string::String;
use core::ops::Range;

use crate::base::repair::RepairKind;
use crate::document::edits::parts::{Unfinished, is_recoded};
use crate::document::edits::records::{Account, QUOTES, account};
use crate::document::edits::state::{Aligner, Need};
use crate::document::parser::parse;
use crate::scan::{escape, number};
use crate::tape::{Escaping, Tag, flag};
use crate::view::write::write_string;
use crate::view::{Key, ValueRef};

impl Aligner<'_> {
    pub(super) fn key(&mut self, index: u32) {
        let node = self.tape.node(index);
        let inside = node.key_start as usize..node.key_end as usize;
        let key = Key::of(self.tape, self.text, index);
        let located = !node.has(flag::KEY_SIDE);
        let place = located.then_some(inside);
        self.string(place, node.key_escaping(), || {
            let mut written = String::new();
            write_string(&key.decoded(), &mut written);
            written
        });
    }

    pub(super) fn value(&mut self, index: u32) {
        let value = ValueRef::new(self.tape, self.text, index);
        let node = value.node();
        if is_recoded(self.tape, index) {
            self.recoded(value);
            return;
        }
        let inside = node.start as usize..node.end as usize;
        if node.has(flag::SIDE) {
            self.beside(value, node.next as usize);
        } else if node.tag == Tag::String {
            self.string(Some(inside), node.escaping(), || value.to_json());
        } else if inside.start < self.at {
            self.pending.push(Need::Text(value.to_json()));
        } else {
            self.gap(inside.start, inside.end);
            let raw = &self.text[inside.clone()];
            // `True` is written as `true`; numbers keep their spelling, which is that of JSON.
            let kept = match node.tag {
                Tag::Null => raw == "null",
                Tag::True => raw == "true",
                Tag::False => raw == "false",
                _ => !inside.is_empty(),
            };
            if kept {
                self.keep(inside.start, inside.end);
                self.complete_number(inside.start);
            } else {
                let null = self.window.last(Account::Null);
                let record = null.filter(|_| inside.is_empty());
                let record = record.or_else(|| self.record_within(&inside));
                self.write(inside.start, inside.end, value.to_json(), record);
            }
        }
    }

    /// A number that has just been kept goes on with a point or an exponent without digits: a digit is
    /// put in, if that is what to do with it.
    fn complete_number(&mut self, start: usize) {
        let records = self.records[self.next_record..].iter().enumerate();
        let mut near = records.take_while(|(_, one)| one.span.start as usize <= self.at);
        let cut = near.find(|(_, one)| {
            one.kind == RepairKind::CutNumber && one.span.start as usize == self.at
        });
        if let Some((ahead, cut)) = cut
            && self.unfinished == Unfinished::Complete
        {
            let (end, record) = (cut.span.end as usize, self.next_record + ahead);
            // `12.` becomes `12.0`, `1e` becomes `1e0`.
            if number::is_json(&[&self.text[start..end], "0"].concat()) {
                self.keep(self.at, end);
                self.put(end, "0", Some(record));
            }
        }
    }

    /// A string, of which the inside stands at a place in the text.
    fn string(
        &mut self,
        inside: Option<Range<usize>>,
        escaping: Escaping,
        written: impl FnOnce() -> String,
    ) {
        let place = inside.filter(|inside| inside.start >= self.at);
        let Some(inside) = place else {
            self.pending.push(Need::Text(written()));
            return;
        };
        let bytes = self.text.as_bytes();
        let quoted = inside.start > self.at
            && bytes[inside.start - 1] == b'"'
            && bytes.get(inside.end) == Some(&b'"');
        let place = self.with_marks(&inside);
        // Strict as it stands: no change.
        if quoted && place == inside && is_strict(&self.text[inside.clone()], escaping) {
            self.gap(inside.start - 1, inside.start);
            self.keep(inside.start - 1, inside.end + 1);
        } else {
            self.gap(place.start, inside.start);
            let record = self.record_within(&place);
            let raw = &self.text[inside];
            let written = match is_strict(raw, escaping) {
                true => ["\"", raw, "\""].concat(),
                false => written(),
            };
            self.write(place.start, place.end, written, record);
        }
    }

    /// The place of a string with what a record says is around it, or stands for one of its quotes:
    /// `"word>, `.
    fn with_marks(&self, inside: &Range<usize>) -> Range<usize> {
        let mut place = inside.clone();
        for record in &self.records[self.next_record..] {
            let span = record.span.range();
            if span.start > inside.end {
                break;
            }
            let around = span.start <= inside.start && span.end >= inside.end;
            let quote = record.kind == RepairKind::MismatchedQuotes
                && (span.end == inside.start || span.start == inside.end);
            let found = (around || quote) && span.start >= self.at && !span.is_empty();
            if found && account(record.kind) == Account::Scalar {
                place = place.start.min(span.start)..place.end.max(span.end);
            }
        }
        place
    }

    /// A scalar whose text stands beside the document's, of which at most the end is known.
    fn beside(&mut self, value: ValueRef<'_>, next: usize) {
        let start = self.start_behind_separators();
        let mut end = start;
        if value.node().tag == Tag::String && next >= start && self.text.is_char_boundary(next) {
            end = next;
        }
        for record in &self.records[self.next_record..] {
            let begin = record.span.start as usize;
            if begin > end {
                break;
            }
            if account(record.kind) == Account::Scalar && begin >= start {
                end = end.max(record.span.end as usize);
            }
        }
        if end == start && self.is_capped() {
            end = self.end_of_word(start);
        }
        if end == start {
            self.pending.push(Need::Text(value.to_json()));
            return;
        }
        let length = self.text[start..end].trim_end().len();
        let end = start + length.max(1);
        self.gap(start, start);
        let record = self.record_within(&(start..end));
        let mut written = value.to_json();
        if self.unfinished == Unfinished::Complete {
            let completed = [&self.text[start..end], "0"].concat();
            if number::is_json(&completed) && written.starts_with(|c| c != '"') {
                written = completed;
            }
        }
        self.write(start, end, written, record);
    }

    /// Returns `true` if there were more repairs than records, so that a value may have none.
    fn is_capped(&self) -> bool {
        let last = self.records.last();
        last.is_some_and(|last| last.kind == RepairKind::RecordsCapped)
    }

    /// Returns the offset at which a number without a record ends: `+1` in `[+1, +2]`. If that is
    /// too early, the rest of it is dropped as text between two parts.
    fn end_of_word(&self, start: usize) -> usize {
        let ends = |c: char| c.is_whitespace() || c == '"' || ",:;[]{}()".contains(c);
        let rest = &self.text[start..];
        start + rest.find(ends).unwrap_or(rest.len())
    }

    /// A value that was written once more as a whole: all of it is one change.
    fn recoded(&mut self, value: ValueRef<'_>) {
        let node = value.node();
        let record = self.records[self.next_record..].iter().position(|one| {
            one.span.start as usize >= self.at
                && matches!(
                    one.kind,
                    RepairKind::EscapedDocument
                        | RepairKind::HtmlEntities
                        | RepairKind::CsvQuotes
                        | RepairKind::LineMarks
                )
        });
        let json = value.to_json();
        let source = self.tape.side.get(node.start as usize..node.end as usize);
        let inner = source.map(parse).and_then(|inner| {
            let same = inner.to_json().as_deref() == Some(&json);
            let again = same.then(|| inner.repaired_text().ok())??;
            Some(again.into_owned())
        });
        let written = inner.unwrap_or(json);
        match record.map(|record| self.next_record + record) {
            Some(record) => {
                let span = self.records[record].span.range();
                self.gap(span.start, span.start);
                self.write(span.start, span.end, written, Some(record));
            }
            None => self.pending.push(Need::Text(written)),
        }
    }

    /// The member of that record, with null in place of the value that was cut off.
    pub(super) fn cut_member(&mut self, record: usize) {
        let span = self.records[record].span.range();
        let start = span.start.max(self.at);
        let name = name_of_cut(self.text.get(start..span.end).unwrap_or_default());
        let mut written = String::new();
        match name.contains('\\') {
            true => write_string(&escape::decode(name), &mut written),
            false => write_string(name, &mut written),
        }
        written.push_str(":null");
        self.gap(start, start);
        let rest = self.text.get(start..).unwrap_or_default();
        let end = span.end.max(start + rest.trim_end().len());
        self.write(start, end, written, Some(record));
    }

    /// The least sure record of how this name or scalar is written.
    fn record_within(&self, inside: &Range<usize>) -> Option<usize> {
        let mut least: Option<usize> = self.window.last(Account::Scalar);
        let records = self.records[self.next_record..].iter().enumerate();
        for (at, record) in records {
            let start = record.span.start as usize;
            if start > inside.end + QUOTES_BYTES {
                break;
            }
            let touches = record.span.end as usize + QUOTES_BYTES >= inside.start;
            let about = match account(record.kind) {
                Account::Scalar => touches,
                // A colon within the quotes of a name.
                Account::Colon => touches && !record.span.is_empty(),
                _ => false,
            };
            let at = self.next_record + at;
            if about && least.is_none_or(|least| self.records[least].class < record.class) {
                least = Some(at);
            }
        }
        least
    }
}

/// The name of a member that was cut off, without half an escape.
fn name_of_cut(text: &str) -> &str {
    let text = text.trim_start_matches(QUOTES);
    let mut escaped = false;
    let ends = |c: char| {
        let inside = escaped;
        escaped = c == '\\' && !escaped;
        !inside && c != '\\' && (c == ':' || QUOTES.contains(&c))
    };
    let name = text[..text.find(ends).unwrap_or(text.len())].trim_end();
    &name[..escape::whole_escapes(name)]
}

/// The longest quotes around a string.
pub(super) const QUOTES_BYTES: usize = 9;

/// Returns `true` if `inside` may stand between double quotes as it is.
pub(super) fn is_strict(inside: &str, escaping: Escaping) -> bool {
    let bytes = inside.as_bytes();
    if escaping == Escaping::Plain {
        return !bytes
            .iter()
            .any(|byte| *byte < b' ' || matches!(byte, b'"' | b'\\'));
    }
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => match strict_escape(&bytes[at..]) {
                Some(length) => at += length,
                None => return false,
            },
            b'"' | 0..b' ' => return false,
            _ => at += 1,
        }
    }
    true
}

/// The length of the escape that begins here, both halves of a surrogate pair together.
fn strict_escape(bytes: &[u8]) -> Option<usize> {
    match bytes.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => match unit(bytes)? {
            0xD800..0xDC00 => matches!(unit(bytes.get(6..)?)?, 0xDC00..0xE000).then_some(12),
            0xDC00..0xE000 => None,
            _ => Some(6),
        },
        _ => None,
    }
}

fn unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes else {
        return None;
    };
    digits.get(..4)?.iter().try_fold(0, |unit, digit| {
        Some(unit << 4 | char::from(*digit).to_digit(16)?)
    })
}
