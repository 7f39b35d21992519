//! Edits for keys and scalars: keeps each valid spelling and rewrites the others in place.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use crate::base::repair::RepairKind;
use crate::base::repair_set::RepairSet;
use crate::base::span::Span;
use crate::document::edits::align::{Aligner, Role, SPACE, role_of};
use crate::document::edits::options::Unfinished;
use crate::document::parser::parse;
use crate::parser::look::quotes::closers;
use crate::scan::{escape, number};
use crate::tape::{Tag, flag};
use crate::view::write::JsonText;
use crate::view::{Key, ValueRef};

impl Aligner<'_> {
    pub(super) fn key(&mut self, index: u32) {
        let key = Key::of(self.tape, self.text, index);
        let node = self.tape.node(index);
        let inside = node.key_start as usize..node.key_end as usize;
        self.string(inside, &key.decoded());
    }

    pub(super) fn value(&mut self, value: ValueRef<'_>) {
        let node = value.node();
        let (inside, next) = (node.start as usize..node.end as usize, node.next as usize);
        if node.has(flag::SIDE) {
            // For a value that is written elsewhere, at most the end is known: `+1`, `"a" + "b"`.
            if !node.is_container() && next > self.at && self.text.is_char_boundary(next) {
                self.gap(next, true);
                if self.at < next {
                    return self.put(self.at..next, Cow::Owned(value.to_json()), Role::Token);
                }
            }
            return self.recoded(value);
        }
        if node.tag == Tag::String {
            return self.string(inside, &value.as_str().unwrap_or_default());
        }
        if inside.is_empty() {
            return self.token(inside, value.to_json(), Role::Sign);
        }
        let Range { start, end } = inside;
        // Numbers keep their spelling, which is valid JSON.
        self.token(inside, value.to_json(), Role::Token);
        // `12.` at the end of the text becomes `12.0`, `1e` becomes `1e0`.
        if self.options.unfinished == Unfinished::Complete
            && matches!(self.text.as_bytes().get(end), Some(b'.' | b'e' | b'E'))
            && let begun = self.text[start..].trim_end()
            && number::is_json(&[begun, "0"].concat())
        {
            self.at = start + begun.len();
            self.put(self.at..self.at, Cow::Borrowed("0"), Role::Token);
        }
    }

    /// Writes a key or scalar at its place, if that is still ahead.
    fn token(&mut self, place: Range<usize>, written: String, role: Role) {
        match place.start < self.at {
            true => self.needs.push((Cow::Owned(written), role)),
            false => self.put(place, Cow::Owned(written), role),
        }
    }

    /// Keeps or rewrites a string whose content is at a place in the text. Valid spellings are
    /// kept.
    fn string(&mut self, inside: Range<usize>, decoded: &str) {
        let raw = self.text.get(inside.clone()).unwrap_or_default();
        let place = self.with_marks(&inside);
        let written = ["\"", raw, "\""];
        match is_strict(raw, decoded) {
            true if written.concat() == self.text[place.clone()] => self.keep(place),
            true => self.token(place, written.concat(), Role::Token),
            false => self.token(place, JsonText::of(decoded), Role::Token),
        }
    }

    /// Returns the place of a string including its quotes and any text that a record counts as part
    /// of it.
    fn with_marks(&self, inside: &Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = *inside;
        if start < self.at {
            return start..end;
        }
        // Whether the quote before or after the string is missing: `word"`, `"word`.
        let (mut unopened, mut unclosed) = (false, false);
        let near = self.records[self.next..].iter();
        let near = near.take_while(|one| one.span.start as usize <= inside.end);
        for record in near.filter(|one| role_of(one.kind) == Role::Token) {
            let (from, to) = (record.span.start as usize, record.span.end as usize);
            let to = from + self.text[from..to].trim_end_matches(SPACE).len();
            let mut part = from <= start && to >= end;
            match record.kind {
                RepairKind::MissingQuote if to == start => unopened = true,
                RepairKind::MissingQuote if from == end => unclosed = true,
                // `\"word\"`, `"word>`
                RepairKind::MismatchedQuotes | RepairKind::InvalidEscape if from < to => {
                    part |= to == start || from == end;
                    unopened |= to == start;
                }
                _ => {}
            }
            if part && self.at <= from {
                (start, end) = (start.min(from), end.max(to));
            }
        }
        let before = self.text[self.at..start].chars().next_back();
        let before = before.filter(|sign| is_quote(*sign) && !unopened);
        let behind = self.text[end..].chars().next();
        let behind = behind.filter(|sign| is_quote(*sign) && !unclosed);
        let behind = behind.filter(|_| before.is_some() || unopened);
        start - before.map_or(0, char::len_utf8)..end + behind.map_or(0, char::len_utf8)
    }

    /// Writes a value whose place only a record knows: it is rewritten as a whole.
    fn recoded(&mut self, value: ValueRef<'_>) {
        let mut ahead = self.records[self.next..].iter();
        let record = ahead
            .find(|one| one.span.start as usize >= self.at && RepairSet::RECODED.has(one.kind));
        let (json, inner) = (value.to_json(), parse(value.raw()));
        let again = inner.repaired_text().ok();
        let again = again.filter(|_| inner.to_json().as_deref() == Some(&json));
        let written = again.map_or_else(|| json.clone(), Cow::into_owned);
        match record {
            Some(record) => self.put(record.span.range(), Cow::Owned(written), Role::Token),
            None => self.needs.push((Cow::Owned(written), Role::Token)),
        }
    }

    /// Writes the member at that place, with null in place of the truncated value.
    pub(super) fn cut_member(&mut self, span: Span) {
        let start = self.at.max(span.start as usize);
        let ahead = self.text[start..].trim_start_matches(is_quote);
        let mut escaped = false;
        let ends = |c: char| {
            let inside = escaped;
            escaped = c == '\\' && !escaped;
            !inside && (c == ':' || is_quote(c))
        };
        let name = ahead[..ahead.find(ends).unwrap_or(ahead.len())].trim_end();
        let name = &name[..escape::whole_escapes(name)];
        let written = match name.contains('\\') {
            true => JsonText::of(&escape::decode(name)),
            false => JsonText::of(name),
        };
        let end = self.text.len();
        let written = Cow::Owned(written + ":null");
        self.put(end - ahead.len()..end, written, Role::Token);
    }
}

/// Returns `true` if the content of a string is valid between double quotes.
fn is_strict(inside: &str, decoded: &str) -> bool {
    let odd = |byte: u8| byte < b' ' || matches!(byte, b'"' | b'\\');
    if inside == decoded {
        return !inside.bytes().any(odd);
    }
    let list = ["[\"", inside, "\"]"].concat();
    let list = parse(&list);
    list.repairs().is_empty() && list.root().is_some_and(|root| root.len() == 1)
}

fn is_quote(sign: char) -> bool {
    "”’」』".contains(sign) || !closers(sign).is_empty()
}
