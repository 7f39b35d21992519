//! Whole strict JSON values that begin a line, and damaged values that were read across them.
//!
//! Code before an answer may look like damaged JSON whose strings extend over the answer:
//!
//! ```text
//! {
//!   [Column("id")]
//! }
//! {"id": 4}
//! ```

use alloc::vec::Vec;

use memchr::memchr;

use crate::base::repair::{Class, Repair};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::reply::found::ReplySearch;
use crate::reply::scalar::keyword;
use crate::scan::{has_control, number, peek, quoted, skip_space};
use crate::zones::fence::fence_run;
use crate::zones::pass::without_bullet;

/// Maximum nesting depth of complete values that are searched for.
const DEPTH: usize = 512;

impl Reader<'_> {
    /// Returns `true` if the last value needed a repair that is not certain.
    pub(crate) fn is_damaged(&self) -> bool {
        let doubtful = |one: &Repair| one.class > Class::Certain;
        self.tape.repairs[self.first_repair..].iter().any(doubtful)
    }

    /// Returns the offset at which a damaged value must end that was read past its end: before a complete value that its
    /// brackets do not enclose.
    pub(crate) fn left_behind(
        &self,
        found: &mut ReplySearch,
        start: usize,
        read: ValueEnd,
        root: usize,
    ) -> Option<usize> {
        if !self.is_damaged() || !self.look.has_half_its_work() {
            return None;
        }
        let closed = self.look.end_of_brackets(start)?;
        if closed >= read.end {
            return None;
        }
        let wholes = found.wholes.get_or_insert_with(|| {
            let mut all = self.look.whole_values();
            // `[1]` and `{}` may equally be code.
            let inside = |whole: &Span| self.look.skip_space(whole.start as usize + 1).0;
            all.retain(|whole| matches!(inside(whole), b'"' | b'{' | b'['));
            all
        });
        let next = wholes.partition_point(|whole| (whole.start as usize) < closed);
        let next = wholes
            .get(next)
            .map_or(read.end as u32, |whole| whole.start);
        // `{"a": 1}},\n"b": [\n[1]]`: a surplus closing bracket, after which the value continues.
        self.look.charge((self.tape.nodes.len() - root) / 4);
        let mut nodes = self.tape.nodes[root..].iter();
        let is_inside = nodes.any(|node| node.is_container() && node.start == next);
        let is_left = !is_inside && (next as usize) < read.end;
        found.swallowed |= is_left;
        is_left.then_some(closed)
    }
}

impl Look<'_> {
    /// Returns `true` if at least half of the work budget is left. Repeated scans of a text stop at
    /// that point, so that the rest suffices to read it to its end.
    pub(crate) fn has_half_its_work(&self) -> bool {
        self.work.get().left() > self.work.get().spent()
    }

    /// Returns the latest possible end of a value at `start`, once damaged values were found to
    /// extend over others.
    pub(crate) fn bound_before_whole(&self, found: &ReplySearch, start: usize) -> Option<usize> {
        let looks = found.swallowed && self.has_half_its_work();
        let wholes = found.wholes.as_ref().filter(|_| looks);
        let last = wholes
            .and_then(|all| all.last())
            .filter(|last| last.start as usize > start);
        let last = last?.start as usize;
        self.end_of_brackets(start).filter(|closed| *closed <= last)
    }

    /// Returns the objects and arrays of strict JSON that begin a line and are not nested in one
    /// another: both of `[1]\n{"a\n{}`. A fence or a list marker may precede them on the line.
    pub(crate) fn whole_values(&self) -> Vec<Span> {
        let (mut all, mut at) = (Vec::new(), 0);
        while at < self.bytes.len() && !self.work_is_used_up() {
            let line = without_bullet(self.text[at..].trim_start_matches([' ', '\t']));
            let line = match fence_run(line) {
                Some(run) => line[run.len()..]
                    .trim_start_matches(|one: char| one.is_ascii_alphanumeric())
                    .trim_start_matches(' '),
                None => line,
            };
            let begin = self.text.len() - line.len();
            let end = match line.as_bytes() {
                [b'{' | b'[', ..] => self.strict_values(begin, &mut all),
                _ => begin,
            };
            let next =
                memchr(b'\n', &self.bytes[end..]).map_or(self.bytes.len(), |next| end + next + 1);
            self.charge_search(next - at);
            at = if end > begin && self.line_begins(end) {
                end
            } else {
                next
            };
        }
        all
    }

    /// Adds the value at `start` if it is strict JSON, or otherwise the strict containers in it
    /// that begin a line. Returns its end, or the offset up to which it is strict.
    fn strict_values(&self, start: usize, all: &mut Vec<Span>) -> usize {
        // The open containers, and the number of values found before them.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let (mut at, mut ended) = (start, false);
        let end = loop {
            let (byte, mut k) = skip_space(self.bytes, at);
            let outer = open.last().copied();
            let is_empty = outer.is_some_and(|(opener, _)| opener + 1 == at);
            if let Some((opener, before)) = outer
                && (ended || is_empty)
                && byte == self.bytes[opener] + 2
            {
                if opener == start || self.line_begins(opener) {
                    all.truncate(before);
                    all.push(Span::of(opener, k + 1));
                }
                open.pop();
                (at, ended) = (k + 1, true);
                if open.is_empty() {
                    break at;
                }
                continue;
            }
            if ended {
                if byte != b',' {
                    break k;
                }
                (at, ended) = (k + 1, false);
                continue;
            }
            if outer.is_some_and(|(opener, _)| self.bytes[opener] == b'{') {
                let Some(name) = self.string_end(k) else {
                    break k;
                };
                let (byte, colon) = skip_space(self.bytes, name);
                if byte != b':' {
                    break colon;
                }
                k = skip_space(self.bytes, colon + 1).1;
            }
            let scalar = match peek(self.bytes, k) {
                b'{' | b'[' if open.len() < DEPTH => {
                    open.push((k, all.len()));
                    at = k + 1;
                    continue;
                }
                b'"' => self.string_end(k),
                b't' | b'f' | b'n' => keyword(&self.bytes[k..]).map(|(_, length)| k + length),
                _ => number::scan(self.bytes, k).map(|number| number.end),
            };
            match scalar {
                Some(end) => (at, ended) = (end, true),
                None => break k,
            }
        };
        self.charge((end - start) / 4 + 1);
        end.max(start + 1)
    }

    /// Returns the end of the string at `at`, if it has no line breaks: 3 of `"a"`. Its escapes are
    /// not validated.
    fn string_end(&self, at: usize) -> Option<usize> {
        let string = (peek(self.bytes, at) == b'"').then(|| quoted(self.bytes, at + 1))?;
        let is_strict = |end| !has_control(&self.bytes[at + 1..end]);
        string
            .filter(|string| !string.suspect || is_strict(string.end))
            .map(|string| string.end + 1)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::parser::look::ask;

    fn wholes(text: &str) -> Vec<&str> {
        let spans = ask(text, |look| look.whole_values());
        spans.into_iter().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn whole_values_begin_lines() {
        for (text, expected) in [
            (r#"{"a": [1, "\u00e9"]}"#, &[r#"{"a": [1, "\u00e9"]}"#][..]),
            ("x {}\n  [1]", &["[1]"]),
            ("[1]\n{\"a\n{}", &["[1]", "{}"]),
            (
                "```json {}\n- [true, null]\n2. {\"b\": -1e3}",
                &["{}", "[true, null]", "{\"b\": -1e3}"],
            ),
            ("{\"a\": x,\n\"b\": {},\n\"c\": [\n{}]}", &["{}"]),
            ("[\n[1],\n[\n[2]],\n{]", &["[1]", "[\n[2]]"]),
            ("[\n{\n[1]\n{}", &["[1]", "{}"]),
            (
                "[1,]\n{\"a\" 1}\n{\"a\":}\n[01]\n[.5]\n[tru]\n{1}\n[\"\n\"]\n[",
                &[],
            ),
        ] {
            assert_eq!(wholes(text), expected, "{text:?}");
        }
    }
}
