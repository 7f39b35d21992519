//! Text laid out in lines: indented code, quotations, logs, comments, tables, patches.

use alloc::borrow::ToOwned;
use alloc::format;

use crate::base::work::steps_of_search;
use crate::zones::lexicon::{BLOCKS, BOXES, LEVELS, MONTHS};
use crate::zones::pass::{Pass, without_bullet};
use crate::zones::zone::{Asker, ZoneKind};

impl<A: Asker> Pass<'_, '_, A> {
    /// Returns the end of an indented block or of quotation lines that begin at a place. `inner` is
    /// the line without its indentation.
    pub(crate) fn set_off(
        &mut self,
        from: usize,
        line: &str,
        inner: &str,
    ) -> Option<(usize, ZoneKind)> {
        let is_indented = |line: &str| line.starts_with("    ") || line.starts_with('\t');
        let before = &self.text[..from];
        // An indented block below an empty line is code in Markdown.
        if is_indented(line)
            && !inner.is_empty()
            && ends_with_empty_line(before)
            && !before.trim().is_empty()
        {
            let end = self.lines(from, |line| is_indented(line) || line.trim().is_empty());
            return Some((end, ZoneKind::Code));
        }
        // `> <tool_call>…`: a quoted message, also in a list, while `>>` begins calls of one
        // family.
        let may_quote = line.as_bytes().iter().take(8).any(|one| *one == b'>');
        let item = || without_bullet(line.trim_start());
        if may_quote && item().starts_with('>') && !item().starts_with(">>") {
            let next = self.text.len().min(from + line.len() + 1);
            let end = self.lines(next, |line| line.trim_start().starts_with('>'));
            return Some((end, ZoneKind::Quotation));
        }
        None
    }

    /// Returns the end of the lines that begin at a place and belong to a log, a comment, a table
    /// or other text laid out in lines.
    pub(crate) fn lines_of_others(&mut self, from: usize, line: &str) -> Option<(usize, ZoneKind)> {
        let trimmed = line.trim_start();
        match trimmed.as_bytes().first()? {
            b'/' if trimmed.starts_with("//") => {
                let end = self.lines(from, |line| line.trim_start().starts_with("//"));
                Some((end, ZoneKind::Comment))
            }
            b'/' if trimmed.starts_with("/*") => {
                let end = self.find_closer(from, "*/".to_owned())?;
                Some((end, ZoneKind::Comment))
            }
            b'|' if trimmed.starts_with("| ") || trimmed.trim_end().ends_with('|') => {
                let end = self.lines(from, |line| line.trim_start().starts_with('|'));
                Some((end, ZoneKind::Data))
            }
            // A table without marks at the ends of its rows, below its header.
            b'-' | b':' | b'+' | b'|' if is_ruled(trimmed) => {
                // The next cell of a row may not have arrived yet.
                let is_open = self.is_open;
                let end = self.lines(from, |line| {
                    line.contains('|') || is_open && !line.ends_with('\n')
                });
                Some((end, ZoneKind::Data))
            }
            0xe2 if trimmed.starts_with(BOXES) => {
                let end = self.lines(from, |line| line.trim_start().starts_with(BOXES));
                Some((end, ZoneKind::Data))
            }
            // A patch: its lines begin with a marker.
            b'@' if line.starts_with("@@ -") => {
                let signs = [' ', '+', '-', '@', '\\'];
                let end = self.lines(from, |line| line.starts_with(signs));
                Some((end, ZoneKind::Code))
            }
            // A Python session, while `>>>name` begins calls of one family.
            b'>' if line.starts_with(">>> ") => {
                let end = self.lines(from, |line| {
                    line.starts_with(">>>") || line.starts_with("...")
                });
                Some((end, ZoneKind::Code))
            }
            _ if is_logged(trimmed) => Some((self.end_of_log(from), ZoneKind::Log)),
            _ => self.text_of_other_notation(from, line),
        }
    }

    /// Returns the end of a text that a line of another notation begins: YAML's `text: |`, a
    /// shell's `cat <<EOF`.
    fn text_of_other_notation(&mut self, from: usize, line: &str) -> Option<(usize, ZoneKind)> {
        let next = self.text.len().min(from + line.len() + 1);
        let written = line.trim_end();
        if written.ends_with(['|', '>', '-', '+'])
            && BLOCKS.iter().any(|block| written.ends_with(block))
        {
            let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
            let own = indent(line);
            let end = self.lines(next, |line| line.trim().is_empty() || indent(line) > own);
            return Some((end, ZoneKind::Data));
        }
        let at = memchr::memchr(b'<', line.as_bytes())?;
        let (_, word) = line[at..].split_once("<<")?;
        let word = word.trim_start_matches(['-', '~']).trim_start();
        let is_part = |one: char| one.is_ascii_uppercase() || one == '_';
        let word = word.trim_start_matches(['"', '\'', '\\']);
        let word = &word[..word.find(|one| !is_part(one)).unwrap_or(word.len())];
        if word.len() < 2 {
            return None;
        }
        let closer = format!("\n{word}");
        let mut end = self.find_closer(next.saturating_sub(1), closer.clone());
        if end.is_none() && self.is_open {
            // Text that has yet to arrive may close it.
            self.wait_for(&closer);
            end = Some(self.text.len());
        }
        Some((end?, ZoneKind::Code))
    }

    /// Returns the end of the last log line in the paragraph that begins at a place.
    fn end_of_log(&mut self, from: usize) -> usize {
        let (mut at, mut end) = (from, from);
        for line in self.text[from..].split_inclusive('\n') {
            if line.trim().is_empty() {
                break;
            }
            at += line.len();
            if is_logged(line.trim_start()) {
                end = at;
            }
        }
        self.asker.charge(steps_of_search(at - from) * 4);
        if at == self.text.len() {
            // Another line of it may arrive.
            self.asker.reach_end();
            self.zones.is_doubtful |= self.is_open;
        }
        end
    }
}

/// Returns `true` if the line before a place is blank.
fn ends_with_empty_line(before: &str) -> bool {
    let line = before.strip_suffix('\n');
    line.is_some_and(|line| line.trim_end_matches([' ', '\t', '\r']).ends_with('\n'))
}

/// Returns `true` if a line separates the header of a table from its rows: `--- | ---`.
fn is_ruled(line: &str) -> bool {
    line.contains("--")
        && line.contains('|')
        && line.trim_end().chars().all(|one| "-:| +".contains(one))
}

/// Returns `true` if a line belongs to a log: it begins with a date and time, a time or a level.
fn is_logged(line: &str) -> bool {
    let is_bracketed = line.starts_with('[');
    let line = line.strip_prefix('[').unwrap_or(line);
    let digits = |text: &str| {
        text.len()
            - text
                .trim_start_matches(|one: char| one.is_ascii_digit())
                .len()
    };
    let is_time = |text: &str| {
        let hour = digits(text);
        let parts = text.get(hour..hour + 1) == Some(":") && digits(&text[hour + 1..]) == 2;
        let rest = text.get(hour + 3..).unwrap_or_default();
        (1..=2).contains(&hour) && parts && rest.starts_with(':') && digits(&rest[1..]) >= 2
    };
    let word = line
        .split(|one: char| !one.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    if LEVELS.contains(&word) {
        let rest = &line[word.len()..];
        return rest.starts_with([']', ':', ' ']) && (is_bracketed || rest.starts_with([':', ' ']));
    }
    // `level=info ts=…`, `02/Nov/2026:12:00:01`, `127.0.0.1 - - [02/Nov/2026:12:00:01`
    let near = &line.as_bytes()[..line.len().min(60)];
    let mut brackets = memchr::memchr_iter(b'[', near);
    let is_access = brackets.any(|at| near[..at].ends_with(b" - - "));
    let is_pair = ["level", "ts", "time"].contains(&word) && line[word.len()..].starts_with('=');
    if is_access
        || is_pair
        || digits(line) == 2 && line[2..].starts_with('/') && line.get(11..12) == Some(":")
    {
        return true;
    }
    // `2026-11-02 12:00:01`, `2026/11/02T12:00`
    if digits(line) == 4 && line[4..].starts_with(['-', '/']) && digits(&line[5..]) == 2 {
        let rest = line.get(10..).unwrap_or_default();
        return digits(rest.trim_start_matches(['T', ' '])) == 2 && rest.starts_with(['T', ' ']);
    }
    // `Nov  2 12:00:01`
    if word.len() == 3 && MONTHS.contains(word) {
        let day = line[3..].trim_start();
        return is_time(day[digits(day)..].trim_start());
    }
    is_time(line)
}
