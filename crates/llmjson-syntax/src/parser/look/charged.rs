//! The looks of which all others are made. Each is charged to the reader's account, whatever comes of it.
//!
//! Steps of reading call the functions in `scan` themselves; whatever looks further calls these. A loop
//! over them that no constant bounds asks [`work_is_used_up`](Look::work_is_used_up) each time round,
//! so that the account is overdrawn by one look at most.

use crate::base::repair::RepairKind;
use crate::base::work::steps_of_search;
use crate::parser::look::Look;
use crate::parser::look::notice::NOTICE_MAX;
use crate::parser::look::quotes::balance_of;
use crate::parser::look::trivia::trivia_at;
use crate::scan;
use crate::scan::tag::tag;
use crate::scan::{Quoted, peek};

/// The steps that it costs to find out what stands where strict JSON has something else, before anything
/// is looked at.
pub(crate) const STEPS_OF_RECOVERY: usize = 8;

/// The steps that a look at a tag costs at least.
const TAG_STEPS: usize = 4;

impl<'r> Look<'r> {
    /// Charges the steps of a look-ahead.
    #[inline]
    pub(crate) fn charge(&self, steps: usize) {
        let mut work = self.work.get();
        work.charge(steps);
        self.work.set(work);
    }

    /// Charges a search over `bytes` bytes.
    #[inline]
    pub(crate) fn charge_search(&self, bytes: usize) {
        self.charge(steps_of_search(bytes));
    }

    /// Returns `true` if the work that the text may cause is used up: from here on nothing looks
    /// ahead.
    #[inline]
    pub(crate) fn work_is_used_up(&self) -> bool {
        self.work.get().is_used_up()
    }

    /// The first byte from `at` on that is no white space, and where it stands.
    #[inline]
    pub(crate) fn skip_space(&self, at: usize) -> (u8, usize) {
        let (byte, k) = scan::skip_space(self.bytes, at);
        self.charge_search(k.saturating_sub(at));
        (byte, k)
    }

    /// A comment, an unusual space or an escape at `at` that stands for white space, and where it ends.
    #[inline]
    pub(crate) fn trivia_at(&self, at: usize) -> Option<(RepairKind, usize)> {
        if matches!(peek(self.bytes, at), b'.' | b'[' | b'(' | b'<') {
            self.charge_search(NOTICE_MAX);
        }
        let (kind, end) = trivia_at(self.text, at)?;
        self.charge_search(end - at);
        Some((kind, end))
    }

    /// The first double quote from `from` on that closes the string which begins at `start`.
    #[inline]
    pub(crate) fn closing_quote_from(&self, start: usize, from: usize) -> Option<usize> {
        let found = scan::closing_quote(self.bytes, start, from);
        let end = found.unwrap_or(self.bytes.len());
        self.charge_search(end.saturating_sub(from));
        found
    }

    /// The string in double quotes whose text begins at `start`.
    #[inline]
    pub(crate) fn quoted_at(&self, start: usize) -> Option<Quoted> {
        let found = scan::quoted(self.bytes, start);
        let end = found.as_ref().map_or(self.bytes.len(), |found| found.end);
        self.charge_search(end.saturating_sub(start));
        found
    }

    /// Opening brackets less closing ones.
    #[inline]
    pub(crate) fn balance_of(&self, bytes: &[u8]) -> i32 {
        self.charge_search(bytes.len());
        balance_of(bytes)
    }

    /// The tag or special token at `at`: whether it closes, its name, and where it ends.
    #[inline]
    pub(crate) fn tag_token_at(&self, at: usize) -> Option<(bool, &'r str, usize)> {
        let found = tag(self.text, at);
        let end = found.map_or(at, |(.., end)| end);
        self.charge(TAG_STEPS + (end - at) / 4);
        found
    }

    /// The text before `end` without the white space at its end.
    #[inline]
    pub(crate) fn text_before(&self, end: usize) -> &'r str {
        let before = &self.text[..end];
        let trimmed = before.trim_end();
        self.charge_search(before.len() - trimmed.len());
        trimmed
    }
}
