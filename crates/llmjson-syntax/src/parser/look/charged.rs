//! The primitive lookups that all others use. Each is charged to the reader's work budget, whatever
//! its result.
//!
//! Parsing steps call the functions in `scan` directly; any further lookahead calls these. A loop
//! over them without a constant bound checks [`work_is_used_up`](Look::work_is_used_up) in every
//! iteration, so the budget is exceeded by at most one lookup.

use crate::base::repair::RepairKind;
use crate::base::work::steps_of_search;
use crate::parser::look::Look;
use crate::parser::look::notice::NOTICE_MAX;
use crate::parser::look::trivia::trivia_at;
use crate::scan;
use crate::scan::tag::tag;
use crate::scan::{Quoted, peek};

/// Steps charged to identify a token that is not strict JSON, before any lookahead.
pub(crate) const STEPS_OF_RECOVERY: usize = 8;

/// Minimum number of steps charged for a lookahead at a tag.
pub(crate) const TAG_STEPS: usize = 4;

impl<'r> Look<'r> {
    /// Charges the steps of a lookahead: after `charge(3)`, three more steps of the work budget are
    /// used.
    #[inline]
    pub(crate) fn charge(&self, steps: usize) {
        let mut work = self.work.get();
        work.charge(steps);
        self.work.set(work);
    }

    /// Charges a search over `bytes` bytes: 2 steps for the 16 of `0123456789abcdef`.
    #[inline]
    pub(crate) fn charge_search(&self, bytes: usize) {
        self.charge(steps_of_search(bytes));
    }

    /// Returns `true` if the work budget of the text is used up, as the budget of `[1]` is after
    /// one step more than a text of 1,027 bytes is allowed. From then on there is no lookahead.
    #[inline]
    pub(crate) fn work_is_used_up(&self) -> bool {
        self.work.get().is_used_up()
    }

    /// Returns `true` if nobody waits for the result.
    pub(crate) fn is_stopped(&self) -> bool {
        self.work.get().is_stopped()
    }

    /// Returns the first byte from `at` on other than white space, and its offset: `a` at 2 of
    /// `"\n a"`.
    #[inline]
    pub(crate) fn skip_space(&self, at: usize) -> (u8, usize) {
        let (byte, k) = scan::skip_space(self.bytes, at);
        self.charge_search(k.saturating_sub(at));
        (byte, k)
    }

    /// Returns the kind of a comment, an unusual space or an escape used as white space at `at`,
    /// and its end: a comment that ends at 7 of `/* a */ 1`.
    #[inline]
    pub(crate) fn trivia_at(&self, at: usize) -> Option<(RepairKind, usize)> {
        if matches!(peek(self.bytes, at), b'.' | b'[' | b'(' | b'<') {
            self.charge_search(NOTICE_MAX);
        }
        let (kind, end) = trivia_at(self.text, at)?;
        self.charge_search(end - at);
        Some((kind, end))
    }

    /// Finds the first double quote from `from` on that closes the string which begins at `start`: the one at 4
    /// of `a\"b"`, from 2 on.
    #[inline]
    pub(crate) fn closing_quote_from(&self, start: usize, from: usize) -> Option<usize> {
        let found = scan::closing_quote(self.bytes, start, from);
        let end = found.unwrap_or(self.bytes.len());
        self.charge_search(end.saturating_sub(from));
        found
    }

    /// Finds the first double quote from `start` on, before `end`, that no backslash escapes: the one at 4 of
    /// `a\"b"`.
    pub(crate) fn closing_quote_within(&self, start: usize, end: usize) -> Option<usize> {
        let found = scan::closing_quote(&self.bytes[..end], start, start);
        self.charge_search(found.unwrap_or(end) - start);
        found
    }

    /// Returns the double-quoted string whose content begins at `start`: in `"a", 1` the content
    /// begins at 1 and ends at 2.
    #[inline]
    pub(crate) fn quoted_at(&self, start: usize) -> Option<Quoted> {
        let found = scan::quoted(self.bytes, start);
        let end = found.as_ref().map_or(self.bytes.len(), |found| found.end);
        self.charge_search(end.saturating_sub(start));
        found
    }

    /// Returns the tag or special token at `at`, with its name, its end, and whether it closes:
    /// `a`, which closes and ends at 4 of `</a> b`.
    #[inline]
    pub(crate) fn tag_token_at(&self, at: usize) -> Option<(bool, &'r str, usize)> {
        let found = tag(self.text, at);
        let end = found.map_or(at, |(.., end)| end);
        self.charge(TAG_STEPS + (end - at) / 4);
        found
    }

    /// Returns the text before `end` without the white space at its end: `a` before 3 of `"a \nb"`.
    #[inline]
    pub(crate) fn text_before(&self, end: usize) -> &'r str {
        let before = &self.text[..end];
        let trimmed = before.trim_end();
        self.charge_search(before.len() - trimmed.len());
        trimmed
    }
}

#[cfg(test)]
mod tests {
    use super::TAG_STEPS;
    use crate::base::limits::Limits;
    use crate::base::repair::RepairKind;
    use crate::parser::look::notice::NOTICE_MAX;
    use crate::parser::look::{Look, answers, ask};

    /// The steps that a question costs.
    fn cost<T>(text: &str, question: impl FnOnce(Look<'_>) -> T) -> u64 {
        ask(text, |look| {
            question(look);
            look.work.get().spent()
        })
    }

    #[test]
    fn steps_are_charged_until_the_work_is_used_up() {
        assert_eq!(cost("", |look| look.charge(3)), 3);
        for (bytes, steps) in [(0, 1), (15, 1), (16, 2), (160, 11)] {
            assert_eq!(cost("", |look| look.charge_search(bytes)), steps);
        }
        let allowed = Limits::DEFAULT.work as usize * 1027;
        for (steps, expected) in [(0, false), (allowed, false), (allowed + 1, true)] {
            let used_up = ask("[1]", |look| {
                look.charge(steps);
                look.work_is_used_up()
            });
            assert_eq!(used_up, expected, "{steps}");
        }
    }

    #[test]
    fn white_space_and_gaps_are_passed_over() {
        answers(
            |look| look.skip_space(0),
            &[
                ("\n a", (b'a', 2)),
                ("a", (b'a', 0)),
                ("\u{a0}", (0xC2, 0)),
                (" ", (0, 1)),
            ],
        );
        assert_eq!(cost(&" ".repeat(16), |look| look.skip_space(0)), 2);
        assert_eq!(cost(" ", |look| look.skip_space(9)), 1);
        answers(
            |look| look.trivia_at(0),
            &[
                ("/* a */ 1", Some((RepairKind::Comment, 7))),
                ("...", None),
                ("\\n1", Some((RepairKind::EscapedSpace, 2))),
                ("\u{a0}", Some((RepairKind::OddSpace, 2))),
                ("1", None),
                (" ", None),
            ],
        );
        // A notice that the text was cut is looked for whether or not it stands there.
        let notice = (NOTICE_MAX / 16 + 1) as u64;
        assert_eq!(cost("[1]", |look| look.trivia_at(0)), notice);
        assert_eq!(
            cost("... [truncated]", |look| look.trivia_at(0)),
            notice + 1
        );
        assert_eq!(cost("/* a */ 1", |look| look.trivia_at(0)), 1);
        assert_eq!(cost("1", |look| look.trivia_at(0)), 0);
    }

    #[test]
    fn strings_end_at_their_quotes() {
        let closing = |text: &str, from: usize| ask(text, |look| look.closing_quote_from(0, from));
        assert_eq!(closing("a\\\"b\"", 2), Some(4));
        assert_eq!(closing("a\\\"b\"", 0), Some(4));
        assert_eq!(closing("a\"b\"", 2), Some(3));
        assert_eq!(closing("a\\\"b", 0), None);
        assert_eq!(
            cost(&"a".repeat(32), |look| look.closing_quote_from(0, 0)),
            3
        );
        answers(
            |look| look.quoted_at(1).map(|quoted| quoted.end),
            &[
                ("\"a\", 1", Some(2)),
                ("\"a\\\"\"", Some(4)),
                ("\"\"", Some(1)),
                ("\"a", None),
            ],
        );
        assert_eq!(cost(&"a".repeat(33), |look| look.quoted_at(1)), 3);
    }

    #[test]
    fn quotes_close_within_a_limit() {
        let text = "a\\\"b\" \"";
        assert_eq!(ask(text, |look| look.closing_quote_within(0, 7)), Some(4));
        assert_eq!(ask(text, |look| look.closing_quote_within(0, 4)), None);
        assert_eq!(ask(text, |look| look.closing_quote_within(5, 7)), Some(6));
    }

    #[test]
    fn tags_are_told() {
        let tag = |text: &str| {
            ask(text, |look| {
                let (closing, name, end) = look.tag_token_at(0)?;
                Some((closing, alloc::string::String::from(name), end))
            })
        };
        assert_eq!(tag("</a> b"), Some((true, "a".into(), 4)));
        assert_eq!(tag("<a b=\"c\">"), Some((false, "a".into(), 9)));
        assert_eq!(tag("<|im_end|>"), Some((false, "im_end|".into(), 10)));
        assert_eq!(tag("<1>"), None);
        assert_eq!(tag("a"), None);
        let steps = TAG_STEPS as u64;
        assert_eq!(cost("a", |look| look.tag_token_at(0).is_some()), steps);
        assert_eq!(
            cost("</abcde>", |look| look.tag_token_at(0).is_some()),
            steps + 2
        );
    }

    #[test]
    fn texts_end_before_white_space() {
        let before = |text: &str, end: usize| {
            ask(text, |look| {
                alloc::string::String::from(look.text_before(end))
            })
        };
        assert_eq!(before("a \nb", 3), "a");
        assert_eq!(before("a \nb", 4), "a \nb");
        assert_eq!(before("a\u{a0}", 3), "a");
        assert_eq!(before("  ", 2), "");
        assert_eq!(cost(&" ".repeat(16), |look| look.text_before(16).len()), 2);
    }
}
