//! The text between two parts of a value.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::base::repair::RepairKind;
use crate::document::edits::records::Account;
use crate::document::edits::state::{Aligner, Change, Need, Role, is_quotes};

impl Aligner<'_> {
    /// Accounts for the text up to `until`, where the next part begins. The records of the gap
    /// begin no later than `recorded`.
    pub(super) fn gap(&mut self, until: usize, recorded: usize) {
        self.window.fill(self.records, self.next_record, recorded);
        let bytes = self.text.as_bytes();
        let begin = self.at;
        while self.at < until {
            if let Some(end) = self.pass_over(until) {
                self.at = end;
                continue;
            }
            match bytes[self.at] {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                sign @ (b',' | b':') if self.separator_here(until).is_none() => {
                    let (need, _) = separator(sign == b':');
                    if self.meet(&need) {
                        self.keep_sign();
                    } else {
                        self.drop_text(self.at + 1, self.account_of_junk(sign));
                    }
                }
                byte => self.odd(byte, until),
            }
        }
        self.at = self.at.max(begin);
        self.flush(self.pending.len());
    }

    /// Keeps the separator here.
    fn keep_sign(&mut self) {
        self.at += 1;
        self.kept = (self.at, self.changes.len());
    }

    /// Drops what a record says was passed over here; returns where that ends.
    fn pass_over(&mut self, until: usize) -> Option<usize> {
        while let Some(out) = self.outs.get(self.next_out)
            && out.end <= self.at
        {
            self.next_out += 1;
        }
        let out = *self.outs.get(self.next_out)?;
        if out.start > self.at {
            return None;
        }
        let end = out.end.min(until);
        let mut change = Change {
            start: self.at,
            end,
            text: Cow::Borrowed(""),
            record: Some(out.record),
            role: Role::Out,
        };
        match self.records[out.record].kind {
            // A byte order mark before everything goes.
            // A no-break space between tokens becomes a plain one, so that the columns stay.
            RepairKind::OddSpace if self.at > 0 => {
                let spaces = self.text[self.at..end].chars().count();
                change.text = match spaces {
                    1 => Cow::Borrowed(" "),
                    _ => Cow::Owned(" ".repeat(spaces)),
                };
            }
            // `ObjectId("x")`: the closing bracket further on belongs to the same record.
            RepairKind::Wrapper => self.call = Some(out.record),
            _ => {}
        }
        self.changes.push(change);
        Some(end)
    }

    /// A sign that JSON does not have here.
    fn odd(&mut self, byte: u8, until: usize) {
        if let Some((record, end)) = self.separator_here(until) {
            // `{"a" => 1; "b": 2}`: whichever separator is needed here takes the place of the sign.
            for colon in [true, false] {
                let (need, sign) = separator(colon);
                if self.meet(&need) {
                    let at = self.at;
                    let (text, role) = (Cow::Borrowed(sign), Role::Sign);
                    let record = Some(record);
                    self.changes.push(Change {
                        start: at,
                        end,
                        text,
                        record,
                        role,
                    });
                    self.at = end;
                    self.kept = (self.at, self.changes.len());
                    return;
                }
            }
            self.drop_text(end, Some(record));
            return;
        }
        let length = self.text[self.at..]
            .chars()
            .next()
            .map_or(1, char::len_utf8);
        let mut end = (self.at + length).min(until);
        let quotes = is_quotes(&self.text[self.at..end]);
        if quotes
            && let Some(last) = self.changes.last_mut()
            && last.role == Role::Token
            && last.end == self.at
        {
            last.end = end;
            self.at = end;
            self.kept = (self.at, self.changes.len());
            return;
        }
        let between = self.between_several();
        let record = match quotes {
            true => (self.window.last(Account::Scalar))
                .or(self.window.last(Account::Colon))
                .or(between),
            false => self.account_of_junk(byte),
        };
        if between.is_some() {
            // The rest of the line, as far as it is no separator.
            let rest = &self.text[self.at..until];
            let line = rest.split([',', '\n']).next().unwrap_or_default();
            end = end.max(self.at + line.trim_end().len());
        }
        self.drop_text(end, record);
    }

    /// The record of another sign than a comma or colon at this place, and where that ends.
    fn separator_here(&self, until: usize) -> Option<(usize, usize)> {
        self.window.last(Account::Separator)?;
        let here = self.records[self.next_record..]
            .iter()
            .take_while(|one| one.span.start as usize <= self.at)
            .position(|one| {
                one.kind == RepairKind::OddSeparator && one.span.start as usize == self.at
            })?;
        let record = self.next_record + here;
        let end = self.records[record].span.end as usize;
        (end > self.at).then_some((record, end.min(until)))
    }

    /// The record of the several values of the reply, between two of them.
    fn between_several(&self) -> Option<usize> {
        let begun = self.begun + opened(&self.pending);
        let (list, inner) = self.open.split_first()?;
        let record = list.record.filter(|_| inner.len() == begun)?;
        (self.records[record].kind == RepairKind::SeveralValues).then_some(record)
    }

    /// Returns the record that accounts for a sign without a record of its own.
    fn account_of_junk(&self, byte: u8) -> Option<usize> {
        let several = self.between_several();
        let closed = self.pending.iter().find_map(|need| match need {
            Need::Close(_, opened) => *opened,
            _ => None,
        });
        match byte {
            b',' => several.or(self.window.any).or(closed),
            b':' => several
                .or(self.window.last(Account::Colon))
                .or(self.window.last(Account::Separator))
                .or(self.window.last(Account::Scalar)),
            // `ObjectId("x")`
            b')' => several.or(self.call),
            _ => several.or(self.window.last(Account::Scalar).filter(|&record| {
                let span = self.records[record].span.range();
                span.contains(&self.at)
            })),
        }
    }

    /// Drops the text up to `end`.
    fn drop_text(&mut self, end: usize, record: Option<usize>) {
        let start = core::mem::replace(&mut self.at, end);
        let since_kept = self.kept.1 < self.changes.len();
        if let Some(last) = self.changes.last_mut()
            && since_kept
            && last.role == Role::Out
            && last.text.is_empty()
            && last.end == start
            && last.record == record
        {
            last.end = end;
            return;
        }
        let (text, role) = (Cow::Borrowed(""), Role::Out);
        self.changes.push(Change {
            start,
            end,
            text,
            record,
            role,
        });
    }

    /// Puts in what is needed before `need`. Returns `true` if `need` itself was needed here; it no
    /// longer is then.
    fn meet(&mut self, need: &Need) -> bool {
        let Some(at) = self.pending.iter().position(|one| one == need) else {
            return false;
        };
        self.flush(at);
        self.pending.remove(0);
        true
    }

    /// Inserts the first `count` of the tokens that are needed: closers and separators behind the text that was kept
    /// last, and from the first opener or value on at this place.
    fn flush(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        if let [Need::Comma | Need::Colon | Need::Close(..)] = self.pending[..] {
            // Nearly always one alone.
            let (kept, mark) = self.kept;
            let change = self.pending.pop().map(|need| self.put_in(kept, need));
            self.kept.1 += 1;
            match self.changes.len() == mark {
                true => self.changes.extend(change),
                false => drop(self.changes.splice(mark..mark, change)),
            }
            return;
        }
        let needs: Vec<Need> = self.pending.drain(..count).collect();
        self.begun = opened(&needs);
        let behind = needs
            .iter()
            .position(|need| matches!(need, Need::Open(_) | Need::Text(_)))
            .unwrap_or(needs.len());
        let (kept, mark) = self.kept;
        let mut put = Vec::with_capacity(needs.len());
        for (order, need) in needs.into_iter().enumerate() {
            let at = if order < behind { kept } else { self.at };
            put.push(self.put_in(at, need));
        }
        self.begun = 0;
        let rest = put.split_off(behind);
        let length = put.len();
        self.changes.splice(mark..mark, put);
        self.kept.1 += length;
        if !rest.is_empty() {
            self.changes.extend(rest);
            self.kept = (self.at, self.changes.len());
        }
    }

    fn put_in(&mut self, at: usize, need: Need) -> Change {
        let (text, record) = match need {
            Need::Comma => {
                let several = self.between_several();
                let window = &self.window;
                let record = window
                    .last(Account::Comma)
                    .or(window.last(Account::Close))
                    .or(window.last(Account::Null));
                (Cow::Borrowed(","), record.or(several))
            }
            Need::Colon => {
                let window = &self.window;
                let record = window.last(Account::Colon).or(window.last(Account::Null));
                (Cow::Borrowed(":"), record)
            }
            Need::Open(sign) => {
                let record = self.window.take(Account::Open).or(self.call);
                let level = self.open.iter_mut().rfind(|level| level.record.is_none());
                if let Some(level) = level {
                    level.record = record;
                }
                (Cow::Borrowed(sign), record)
            }
            Need::Close(sign, opened) => {
                let record = self.window.take(Account::Close).or(opened);
                (Cow::Borrowed(sign), record)
            }
            Need::Text(text) => {
                let record = self
                    .window
                    .take(Account::Null)
                    .or(self.window.last(Account::Scalar));
                (Cow::Owned(text), record)
            }
        };
        let role = Role::Sign;
        Change {
            start: at,
            end: at,
            text,
            record,
            role,
        }
    }

    /// Returns the offset at which a value begins of which only the end is known: behind the
    /// separators that it needs.
    pub(super) fn start_behind_separators(&self) -> usize {
        let bytes = self.text.as_bytes();
        let (mut at, mut out) = (self.at, self.next_out);
        let mut record = self.next_record;
        let mut needs: Vec<&Need> = self.pending.iter().collect();
        loop {
            while self.outs.get(out).is_some_and(|one| one.end <= at) {
                out += 1;
            }
            if let Some(one) = self.outs.get(out)
                && one.start <= at
            {
                at = one.end;
                continue;
            }
            while let Some(one) = self.records.get(record)
                && ((one.span.start as usize) < at
                    || one.kind != RepairKind::OddSeparator && one.span.start as usize == at)
            {
                record += 1;
            }
            let odd = self.records.get(record).filter(|one| {
                one.kind == RepairKind::OddSeparator && one.span.start as usize == at
            });
            let mut needed = |need: &Need| {
                let found = needs.iter().position(|one| *one == need);
                found.map(|found| needs.remove(found)).is_some()
            };
            match bytes.get(at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
                Some(b',') if needed(&Need::Comma) => at += 1,
                Some(b':') if needed(&Need::Colon) => at += 1,
                Some(_) if let Some(odd) = odd => {
                    at = (odd.span.end as usize).max(at + 1);
                }
                _ => return at,
            }
        }
    }
}

fn separator(colon: bool) -> (Need, &'static str) {
    if colon {
        (Need::Colon, ":")
    } else {
        (Need::Comma, ",")
    }
}

/// Returns the number of containers that begin and have no bracket in the text: the second one of
/// `{"a": 1} "b": 2}`.
fn opened(needs: &[Need]) -> usize {
    needs
        .iter()
        .filter(|need| matches!(need, Need::Open(_)))
        .count()
}
