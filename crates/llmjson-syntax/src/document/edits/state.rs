//! The state of the way through a text: what has been dealt with, what is open, what is still
//! needed, and the changes so far.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::base::repair::Repair;
use crate::document::edits::parts::Unfinished;
use crate::document::edits::records::{Out, QUOTES, Window};
use crate::tape::Tape;

/// A sign that has to stand between two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Comma,
    Colon,
    /// The bracket of a container that has none in the text.
    Open(&'static str),
    /// The same for its end, with the record of how it began.
    Close(&'static str, Option<usize>),
    /// A value that is not in the text.
    Text(String),
}

/// The purpose of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A name or value is written as JSON writes it.
    Token,
    /// Text that goes.
    Out,
    /// A sign that is put in or changed.
    Sign,
}

/// A change of the text, and the number of the record that accounts for it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: Cow<'static, str>,
    pub(crate) record: Option<usize>,
    pub(crate) role: Role,
}

/// A container that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) object: bool,
    pub(super) filled: bool,
    /// The record of how it began, if it did not begin as JSON wants it.
    pub(super) record: Option<usize>,
}

pub(super) struct Aligner<'d> {
    pub(super) text: &'d str,
    pub(super) tape: &'d Tape,
    pub(super) records: &'d [Repair],
    pub(super) outs: Vec<Out>,
    /// The first piece of passed over text that does not end before `at`.
    pub(super) next_out: usize,
    /// The first record that does not begin before the last part.
    pub(super) next_record: usize,
    pub(super) window: Window,
    pub(super) unfinished: Unfinished,
    /// Offset up to which the text has been dealt with.
    pub(super) at: usize,
    /// Offset behind what was kept or put in last, and the number of changes at that moment.
    pub(super) kept: (usize, usize),
    /// The signs that have to stand before the next part.
    pub(super) pending: Vec<Need>,
    pub(super) open: Vec<Level>,
    /// Number of them whose brackets are being put in.
    pub(super) begun: usize,
    /// The last call or name of a type around a value.
    pub(super) call: Option<usize>,
    pub(super) changes: Vec<Change>,
}

impl Aligner<'_> {
    /// Keeps text as it is.
    pub(super) fn keep(&mut self, start: usize, end: usize) {
        self.arrive(start, end);
    }

    pub(super) fn replace_sign(
        &mut self,
        start: usize,
        end: usize,
        sign: &'static str,
        record: Option<usize>,
    ) {
        let text = Cow::Borrowed(sign);
        let role = Role::Sign;
        self.changes.push(Change {
            start,
            end,
            text,
            record,
            role,
        });
        self.arrive(start, end);
    }

    /// Puts a sign in.
    pub(super) fn put(&mut self, at: usize, sign: &'static str, record: Option<usize>) {
        self.replace_sign(at, at, sign, record);
    }

    /// The next part is that at `start..end` of the text.
    pub(super) fn arrive(&mut self, start: usize, end: usize) {
        self.at = self.at.max(end);
        while let Some(record) = self.records.get(self.next_record)
            && (record.span.start as usize) < start
        {
            self.next_record += 1;
        }
        while let Some(out) = self.outs.get(self.next_out)
            && out.end <= self.at
        {
            self.next_out += 1;
        }
        self.kept = (self.at, self.changes.len());
    }

    /// Writes a name or value in place of a part of the text.
    pub(super) fn write(&mut self, start: usize, end: usize, text: String, record: Option<usize>) {
        let mut change = Change {
            start,
            end,
            text: Cow::Owned(text),
            record,
            role: Role::Token,
        };
        // Its quotes before it went already.
        let mut quotes = 0;
        if let Some(last) = self.changes.last()
            && self.changes.len() > self.kept.1
            && last.role == Role::Out
            && last.end == start
            && last.text.is_empty()
            && is_quotes(&self.text[last.start..last.end])
        {
            quotes = self.text[last.start..last.end].chars().count();
            change.start = last.start;
            change.record = change.record.or(last.record);
            self.changes.pop();
        }
        let closing = self.text[end..].chars().take(quotes);
        let closing = closing.take_while(|c| QUOTES.contains(c));
        change.end += closing.map(char::len_utf8).sum::<usize>();
        let (start, end) = (change.start, change.end);
        self.changes.push(change);
        self.arrive(start, end);
    }
}

pub(super) fn is_quotes(text: &str) -> bool {
    text.chars().all(|c| QUOTES.contains(&c))
}
