//! Columns in which the lines of open containers begin, if their children stand on lines of their own.

use crate::parser::look::lines::{COLUMNS_MAX, LINES_AHEAD};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::tape::NONE;

/// Maximum number of lines of such a string that are looked at.
const NEWLINES_MAX: usize = 64;

impl Reader<'_> {
    /// The column in which children of that container begin, if the first one has its own line.
    pub(crate) fn child_column(&self, container: u32) -> Option<usize> {
        let opener = self.tape.nodes.get(container as usize)?.start as usize;
        let window = self.look.bytes.get(opener + 1..)?;
        let space = |byte: &&u8| byte.is_ascii_whitespace();
        let length = window.iter().take(COLUMNS_MAX).take_while(space).count();
        self.look.charge_search(length);
        let newline = memchr::memrchr(b'\n', &window[..length])?;
        (length < COLUMNS_MAX).then_some(length - newline - 1)
    }

    /// The column in which the closer of that container belongs, if it has its own line.
    pub(crate) fn closer_column(&self, container: u32) -> Option<usize> {
        let node = self.tape.nodes.get(container as usize)?;
        match node.next {
            NONE => self.look.column_of_line(node.start as usize),
            parent => self.child_column(parent),
        }
    }

    /// Returns the offsets at which a string ends at the end of a line and at which reading goes
    /// on, if no quote closes it before `to`, its inside begins at `start`, and the next line
    /// begins like the next child of its container or like the closer.
    pub(crate) fn ends_by_line(
        &self,
        here: Container,
        start: usize,
        to: usize,
    ) -> Option<(usize, usize)> {
        let own = self.child_column(here.current)?;
        let inside = &self.look.bytes[start..to.min(start + LINES_AHEAD)];
        self.look.charge_search(inside.len());
        // With quotes in it the string is looked at once for each of them; they tell more.
        if memchr::memchr(b'"', inside).is_some() {
            return None;
        }
        let newlines = memchr::memchr_iter(b'\n', inside).take(NEWLINES_MAX);
        newlines.map(|at| start + at).find_map(|newline| {
            let (byte, k) = self.look.skip_space(newline + 1);
            let column = self.look.column(k)?;
            let text = self.look.text[start..newline].trim_end();
            if byte == self.closer_of(here.current) {
                let closes = self.closer_column(here.current) == Some(column);
                let end = start + text.len();
                return (closes && self.look.balance_of(text.as_bytes()) == 0)
                    .then_some((end, end));
            }
            let text = text.strip_suffix(',')?;
            let next = if here.object {
                self.look.key_ahead(k)
            } else {
                self.look.value_ahead(k) && !self.look.key_ahead(k)
            };
            (column == own && next && self.look.balance_of(text.as_bytes()) == 0)
                .then_some((start + text.trim_end().len(), start + text.len()))
        })
    }
}
