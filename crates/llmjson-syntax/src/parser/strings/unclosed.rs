//! Strings that nothing closes: where their text ends.

use crate::base::repair::RepairKind;
use crate::parser::look::Look;
use crate::parser::look::names::NameQuotes;
use crate::parser::look::notice::notice_behind;
use crate::parser::look::quotes::{FoundString, StringRole, quote_at};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::escape;
use crate::tape::flag;

impl Reader<'_> {
    /// A string that begins at `start` and that no quote closes: the text ended in it, or its
    /// quote was left out before the last closers.
    pub(crate) fn unclosed_string(
        &mut self,
        here: Container,
        role: StringRole,
        start: usize,
    ) -> FoundString {
        let bare = role == StringRole::Member && self.bare_habit(here);
        // `{\n  "a": "x\n}`: the line of the closer tells that the member ends before it, and the quote is
        // missing.
        if role != StringRole::Key
            && !self.look.work_is_used_up()
            && let Some((end, next)) = self.ends_by_line(here, start, self.look.bytes.len())
        {
            let text = self.look.before_odd_quote(start, end);
            return self.without_quote(start, text, next);
        }
        // `{"a": "x', 'b': 1}`: a single quote closes the string, and another one opens what follows the
        // comma.
        if role != StringRole::Key
            && let Some(end) = self.closed_by_other(here, role, start, '\'')
            && self.look.beyond_space(end + 1).0 == b','
            && quote_at(
                self.look.text,
                self.look
                    .beyond_space(self.look.beyond_space(end + 1).1 + 1)
                    .1,
            )
            .is_some()
        {
            return self.without_quote(start, end, end + 1);
        }
        self.look.charge_search(self.look.bytes.len() - start);
        if bare
            && !self.look.work_is_used_up()
            && let Some(found) = self.unclosed_before_member(start)
        {
            return found;
        }
        let mut limit = self.look.end_of_text(start);
        let inside = &self.look.text[start..limit];
        let unfenced = inside.trim_end().trim_end_matches('`');
        let fence = inside.trim_end().len() - unfenced.len() >= 3;
        let inside = if fence { unfenced } else { inside };
        // `{"a": "x}` and a fence right behind it, which ends the text as the end of the reply does.
        if fence && self.last_closers(here, inside).is_some() {
            limit = start + inside.len();
        }
        let line = self.look.line_of_last_closers(start).filter(|&end| {
            role != StringRole::Key
                && self
                    .last_closers(here, &self.look.text[start..end])
                    .is_some()
        });
        limit = line.unwrap_or(limit);
        let fence = fence || line.is_some();
        let inside = &self.look.text[start..limit];
        let behind = self.look.skip_space(limit).1;
        // `{"a": "x}`: the last closers are just those that are missing, so the quote is missing before them.
        if (behind >= self.look.bytes.len() || fence)
            && role != StringRole::Key
            && let Some(closers) = self.last_closers(here, inside)
        {
            return self.before_last_closers(here, start, limit, closers);
        }
        let mut end = limit;
        if limit < self.look.bytes.len() {
            // A fence on a line of its own ends the text; the line break before it is no part.
            end = start + inside.trim_end_matches(['\n', '\r']).len();
        }
        end = self.cut_at(role, start, end);
        let flags = self.inspect_all(start, end) | flag::TRUNCATED;
        let next = limit.max(end);
        FoundString {
            begin: start,
            start,
            end,
            next,
            flags,
        }
    }

    /// Returns the offset at which the text of a string ends that the end of the text cuts off at
    /// `cut`: before half an escape, and before a notice that says so.
    fn cut_at(&mut self, role: StringRole, start: usize, cut: usize) -> usize {
        let mut end = cut;
        // `{"a": "some text... [truncated]`: the notice is about the text, not part of it.
        if role != StringRole::Key
            && let Some(length) = notice_behind(&self.look.text[start..cut])
        {
            end = start + length;
        }
        let notice = end..cut;
        let whole = escape::whole_escapes(&self.look.text[start..end]);
        // `{"a": "x\u00`: half an escape is no character.
        if start + whole < end {
            self.repair(RepairKind::CutEscape, start + whole, end);
            end = start + whole;
        }
        self.repair(RepairKind::UnclosedString, end, end);
        if !notice.is_empty() {
            self.repair(RepairKind::Ellipsis, notice.start, notice.end);
        }
        end
    }

    /// A string whose quote was left out before the closers that end the text at `limit`.
    fn before_last_closers(
        &mut self,
        here: Container,
        start: usize,
        limit: usize,
        closers: usize,
    ) -> FoundString {
        let inside = &self.look.text[start..limit];
        let mut next = start + closers;
        let mut end = start + inside[..closers].trim_end().len();
        let comma = inside[..closers].trim_end().ends_with(',');
        // `{"a": "x,}`: a comma before the closers is one too many, and no text.
        if comma {
            end = start + inside[..closers].trim_end().len() - 1;
        }
        let comma = comma.then_some(end);
        let scalars = self
            .look
            .before_scalars(start, end)
            .filter(|_| !here.object);
        // `["a, 1, 2]`: the numbers are items of their own.
        if let Some(text) = scalars {
            (end, next) = (text, text);
        }
        let text = self.look.before_odd_quote(start, end);
        self.repair(RepairKind::MissingQuote, text, end);
        end = text;
        if let Some(comma) = comma.filter(|&comma| comma >= end) {
            self.repair(RepairKind::ExtraComma, comma, comma + 1);
        }
        // The closers may as well be the string's: a caller that must not act on half a value is
        // told.
        self.counters.cut = true;
        let flags = self.inspect_all(start, end) | flag::TRUNCATED;
        FoundString {
            begin: start,
            start,
            end,
            next,
            flags,
        }
    }

    /// A string that no quote closes, before members whose names have no double quotes.
    fn unclosed_before_member(&mut self, start: usize) -> Option<FoundString> {
        if !self.look.text.trim_end().ends_with(['}', ']']) {
            return None;
        }
        let next = self
            .look
            .bare_member_inside(start, self.look.bytes.len(), NameQuotes::Other)?;
        let end = start + self.look.text[start..next].trim_end().len();
        Some(self.without_quote(start, end, next))
    }

    /// A string that ends at `end` though no quote closes it there.
    fn without_quote(&mut self, start: usize, end: usize, next: usize) -> FoundString {
        self.repair(RepairKind::MissingQuote, end, end);
        let flags = self.inspect_all(start, end);
        FoundString {
            begin: start,
            start,
            end,
            next,
            flags,
        }
    }

    /// Offset in `inside` of the closers at its end, if they are just those that are missing.
    fn last_closers(&self, here: Container, inside: &str) -> Option<usize> {
        let mut at = here.current;
        let mut rest = inside.trim_end();
        let mut expected: smallvec::SmallVec<[u8; 16]> = smallvec::SmallVec::new();
        while let Some(node) = self.tape.nodes.get(at as usize) {
            expected.push(self.closer_of(at));
            self.look.charge(1);
            at = node.next;
        }
        for closer in expected.iter().rev() {
            rest = rest.strip_suffix(char::from(*closer))?.trim_end();
        }
        (!expected.is_empty() && self.look.balance_of(rest.as_bytes()) <= 0).then_some(rest.len())
    }
}

impl Look<'_> {
    /// Returns the last offset at which the text of the value may end, before a closing fence on its own line:
    /// 1 of `"a\n  ~~~\n"`.
    fn end_of_text(&self, start: usize) -> usize {
        let mut at = start;
        self.charge_search(self.bytes.len() - start);
        while let Some(newline) = memchr::memchr(b'\n', &self.bytes[at..]) {
            self.charge(1);
            at += newline + 1;
            let indent = self.bytes[at..]
                .iter()
                .take_while(|byte| matches!(byte, b' ' | b'\t'));
            let k = at + indent.count();
            if self.fence_at(k) && self.text[k..].trim_matches(['`', '~']).trim().is_empty() {
                return at - 1;
            }
        }
        self.bytes.len()
    }

    /// Returns the offset at which the last closers of the text end, if the line ends there too and more lines
    /// follow: 2 of `"a}\nmore"`.
    fn line_of_last_closers(&self, start: usize) -> Option<usize> {
        let rest = &self.bytes[start..];
        self.charge_search(rest.len());
        let behind = memchr::memrchr2(b'}', b']', rest)? + 1;
        let line = rest[behind..].trim_ascii_start();
        let broken = rest[behind..rest.len() - line.len()].contains(&b'\n');
        (broken && !line.is_empty()).then_some(start + behind)
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::answers;

    #[test]
    fn texts_end_before_closing_fences() {
        answers(
            |look| look.end_of_text(0),
            &[
                ("a\n```", 1),
                ("a\n  ~~~\n", 1),
                ("a\n```json", 9),
                ("a\n```\nb", 7),
                ("a\nb\n```\n\n", 3),
                ("a", 1),
            ],
        );
    }

    #[test]
    fn closers_end_lines() {
        answers(
            |look| look.line_of_last_closers(0),
            &[
                ("a}\nmore", Some(2)),
                ("a}] \n\n more", Some(3)),
                ("a} more", None),
                ("a}\n", None),
                ("a\nmore", None),
            ],
        );
    }
}
