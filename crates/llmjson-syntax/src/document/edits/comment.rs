//! Comments that are kept.

use alloc::borrow::Cow;

use crate::base::repair::{Repair, RepairKind};
use crate::document::edits::align::{Aligner, Role};
use crate::document::edits::options::Comments;
use crate::parser::look::trivia::escaped_line_end;

impl Aligner<'_> {
    /// Skips the comment at this place to which the record refers. Returns `false` if it is
    /// removed.
    pub(super) fn keep_comment(&mut self, record: &Repair) -> bool {
        let (start, end) = (record.span.start as usize, record.span.end as usize);
        let stays = self.options.comments == Comments::Keep && start == self.at;
        if !stays || record.kind != RepairKind::Comment {
            return false;
        }
        let comment = &self.text[start..end];
        let is_block = comment.starts_with("/*");
        let is_other = comment.starts_with('#');
        let whole = match is_block {
            // A comment that the text truncates would absorb anything inserted after it. `/**/` may
            // be part of a path.
            true => comment.len() > 4 && comment[2..].find("*/") == Some(comment.len() - 4),
            // An escape may end its line, once other text follows it.
            false => {
                (is_other || comment.starts_with("//"))
                    && !comment.contains(['\n', '\r'])
                    && escaped_line_end(comment.as_bytes()).is_none()
            }
        };
        if !whole {
            return false;
        }
        // `1,// one`: without the comma the comment would touch the number.
        if let Some(last) = self.changes.last_mut()
            && last.end == start
            && last.text.is_empty()
        {
            last.text = Cow::Borrowed(" ");
        }
        if is_other {
            self.change(start..start + 1, end, Cow::Borrowed("//"), Role::Out);
        }
        self.at = end;
        if is_block {
            return true;
        }
        match self.text.as_bytes().get(end) {
            Some(b'\n' | b'\r') | None => self.line = Some(end),
            // The comment's line continued with an escape, or with text that a guess reads as
            // members.
            Some(_) => self.change(end..end, end, Cow::Borrowed("\n"), Role::Out),
        }
        true
    }

    /// Returns the text to write at this place, on a separate line if a retained comment ends
    /// directly before it.
    pub(super) fn behind_comment(
        &mut self,
        at: usize,
        text: Cow<'static, str>,
    ) -> Cow<'static, str> {
        match self.line.take_if(|line| *line == at) {
            Some(_) if !text.starts_with('\n') => Cow::Owned(["\n", &text].concat()),
            _ => text,
        }
    }
}
