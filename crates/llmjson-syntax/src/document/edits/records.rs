//! The records by what they say about their places.

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::repair::{Repair, RepairKind};

/// Signs that stand around strings.
pub(super) const QUOTES: [char; 15] = [
    '"', '\'', '`', '´', '“', '”', '‘', '’', '«', '»', '„', '‚', '\\', '「', '」',
];

/// The kind of change that a record accounts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Account {
    /// The text of its span is passed over.
    Out,
    /// A comma that is put in.
    Comma,
    /// A colon that is put in.
    Colon,
    /// A value that is put in.
    Null,
    /// A bracket that is put in or changed where a container begins.
    Open,
    /// The same where one ends.
    Close,
    /// Another sign, as a comma or a colon.
    Separator,
    /// The way a name or scalar is written.
    Scalar,
}

/// Returns the kind of change that a record accounts for; [`Account::Out`] for most kinds: their
/// text is passed over.
pub(super) fn account(kind: RepairKind) -> Account {
    use RepairKind as Kind;
    match kind {
        Kind::MissingComma => Account::Comma,
        Kind::MissingColon => Account::Colon,
        Kind::MissingValue => Account::Null,
        Kind::UnclosedObject | Kind::UnclosedArray | Kind::MissingCloser | Kind::WrongCloser => {
            Account::Close
        }
        Kind::MissingOpener
        | Kind::MissingBraces
        | Kind::Tuple
        | Kind::Set
        | Kind::BracketedMembers
        | Kind::UnbracketedList
        | Kind::SeveralValues => Account::Open,
        Kind::OddSeparator => Account::Separator,
        Kind::UnquotedKey
        | Kind::UnquotedString
        | Kind::OtherQuotes
        | Kind::MismatchedQuotes
        | Kind::MissingQuote
        | Kind::DoubledQuote
        | Kind::InnerQuote
        | Kind::JoinedStrings
        | Kind::OtherKeyword
        | Kind::ShortKeyword
        | Kind::Undefined
        | Kind::NotANumber
        | Kind::OtherNumber
        | Kind::NumberAsText
        | Kind::ControlCharacter
        | Kind::InvalidEscape
        | Kind::RawEscape
        | Kind::LoneSurrogate
        | Kind::UnclosedString
        | Kind::CutEscape
        | Kind::CutKeyword
        | Kind::CutNumber
        | Kind::UnescapedJson
        | Kind::GroupedDigits
        | Kind::EscapedDocument
        | Kind::HtmlEntities
        | Kind::CsvQuotes
        | Kind::LineMarks => Account::Scalar,
        _ => Account::Out,
    }
}

/// Text that a record says was passed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) record: usize,
}

/// All text that was passed over, piece by piece in order, without what lies around the value or
/// within another piece.
pub(super) fn passed_over(text: &str, records: &[Repair], root: Range<usize>) -> Vec<Out> {
    let mut outs: Vec<Out> = Vec::new();
    let mut put = |start: usize, end: usize, record: usize| {
        let start = start.max(outs.last().map_or(0, |last| last.end));
        if start < end {
            outs.push(Out { start, end, record });
        }
    };
    for (record, repair) in records.iter().enumerate() {
        let written = &text[repair.span.range()];
        let out = match repair.kind {
            RepairKind::CutEscape => true,
            // Its end, unless all of the number was written anew.
            // `12.` loses its point, while `-` alone was replaced as a whole.
            RepairKind::CutNumber => {
                written.starts_with(['.', 'e', 'E'])
                    || !written.contains(|c: char| c.is_ascii_digit())
            }
            kind => account(kind) == Account::Out,
        };
        let Range { start, end } = match repair.kind {
            // `"b":`: the record is about the name, and its quotes and colon go with it.
            RepairKind::CutMember => with_quotes(text, repair.span.range()),
            // White space behind the bracket of a call stays.
            RepairKind::Wrapper => {
                let start = repair.span.start as usize;
                start..start + written.trim_end().len()
            }
            _ => repair.span.range(),
        };
        if !out || start >= end {
            continue;
        }
        if start <= root.start && root.end <= end && !root.is_empty() {
            put(start, root.start, record);
        } else {
            put(start, end, record);
        }
    }
    outs
}

/// The place of a name that was cut off with the quotes around it and the colon behind it.
pub(super) fn with_quotes(text: &str, name: Range<usize>) -> Range<usize> {
    let left = |c: char| c == ':' || QUOTES.contains(&c);
    let before = text[..name.start].trim_end_matches(QUOTES).len();
    let behind = &text[name.end..];
    before..text.len() - behind.trim_start_matches(left).len()
}

/// The records that touch a gap between two parts of the value, by what they account for.
#[derive(Debug, Default)]
pub(super) struct Window {
    found: [Vec<usize>; 8],
    /// The least sure of them all.
    pub(super) any: Option<usize>,
}

impl Window {
    /// Takes up the records from `from` on that begin no later than `end`.
    pub(super) fn fill(&mut self, records: &[Repair], from: usize, end: usize) {
        if self.any.take().is_some() {
            self.found.iter_mut().for_each(Vec::clear);
        }
        let mut at = from;
        while let Some(record) = records.get(at)
            && record.span.start as usize <= end
        {
            self.found[account(record.kind) as usize].push(at);
            if self.any.is_none_or(|any| records[any].class < record.class) {
                self.any = Some(at);
            }
            at += 1;
        }
        if at > from {
            self.found.iter_mut().for_each(|list| list.reverse());
        }
    }

    /// The next record that accounts for this; the last one accounts for all that is left.
    pub(super) fn take(&mut self, account: Account) -> Option<usize> {
        let list = &mut self.found[account as usize];
        if list.len() > 1 {
            list.pop()
        } else {
            list.last().copied()
        }
    }

    /// The last record that accounts for this, which stays.
    pub(super) fn last(&self, account: Account) -> Option<usize> {
        self.found[account as usize].first().copied()
    }
}
