//! Edits as a unified diff.

use std::fmt::Write as _;
use std::ops::Range;

use llmjson::syntax::Edit;

use crate::terminal::picture_line;

/// Number of unchanged lines shown around changed lines.
const CONTEXT: usize = 3;

/// Lines that change, and the edits that change them.
struct ChangedLines {
    lines: Range<usize>,
    edits: Range<usize>,
}

/// Returns the changes that the edits, which are in order, make to a text.
pub(super) fn unified(name: &str, text: &str, edits: &[Edit]) -> String {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    if starts.last() == Some(&text.len()) && starts.len() > 1 {
        starts.pop();
    }
    let changes = changes(text, edits, &starts);
    let mut out = String::new();
    if changes.is_empty() {
        return out;
    }
    let name = crate::terminal::picture_text(name);
    writeln!(out, "--- {name}\n+++ {name}").expect("writing to a string does not fail");
    let lines = Lines { text, starts };
    let mut added = 0isize;
    let mut from = 0;
    while from < changes.len() {
        let near = |pair: &[ChangedLines]| pair[1].lines.start <= pair[0].lines.end + 2 * CONTEXT;
        let joined = changes[from..].windows(2).take_while(|pair| near(pair));
        let to = from + 1 + joined.count();
        added += hunk(&lines, edits, &changes[from..to], added, &mut out);
        from = to;
    }
    out
}

struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn range(&self, lines: &Range<usize>) -> Range<usize> {
        let place = |line| self.starts.get(line).copied().unwrap_or(self.text.len());
        place(lines.start)..place(lines.end)
    }

    fn of(&self, lines: &Range<usize>) -> &'t str {
        &self.text[self.range(lines)]
    }
}

fn changes(text: &str, edits: &[Edit], starts: &[usize]) -> Vec<ChangedLines> {
    let line = |at: usize| starts.partition_point(|&start| start <= at) - 1;
    let mut changes: Vec<ChangedLines> = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        let span = edit.span.range();
        // A line whose end goes is joined with the next one.
        let last = line(span.end.min(text.len()));
        let lines = line(span.start)..last + 1;
        match changes.last_mut() {
            Some(change) if lines.start < change.lines.end => {
                change.lines.end = change.lines.end.max(lines.end);
                change.edits.end = index + 1;
            }
            _ => changes.push(ChangedLines {
                lines,
                edits: index..index + 1,
            }),
        }
    }
    changes
}

/// Writes changes that are near each other; returns how many lines they add.
fn hunk(
    lines: &Lines<'_>,
    edits: &[Edit],
    changes: &[ChangedLines],
    added: isize,
    out: &mut String,
) -> isize {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
        return 0;
    };
    let start = first.lines.start.saturating_sub(CONTEXT);
    let end = (last.lines.end + CONTEXT).min(lines.starts.len());
    let (mut body, mut new_lines, mut at) = (String::new(), 0, start);
    for change in changes {
        let before = at..change.lines.start;
        new_lines += before.len();
        put(lines.of(&before), ' ', &mut body);
        put(lines.of(&change.lines), '-', &mut body);
        let new = changed(lines, change, edits);
        new_lines += put(&new, '+', &mut body);
        at = change.lines.end;
    }
    new_lines += put(lines.of(&(at..end)), ' ', &mut body);
    let old_lines = end - start;
    let new_start = (start as isize + 1 + added).max(0);
    writeln!(
        out,
        "@@ -{},{old_lines} +{new_start},{new_lines} @@",
        start + 1
    )
    .expect("writing to a string does not fail");
    out.push_str(&body);
    new_lines as isize - old_lines as isize
}

/// Lines with their edits made.
fn changed(lines: &Lines<'_>, change: &ChangedLines, edits: &[Edit]) -> String {
    let range = lines.range(&change.lines);
    let (mut new, mut at) = (String::new(), range.start);
    for edit in &edits[change.edits.clone()] {
        new.push_str(
            lines
                .text
                .get(at..edit.span.start as usize)
                .unwrap_or_default(),
        );
        new.push_str(&edit.replacement);
        at = edit.span.end as usize;
    }
    new.push_str(lines.text.get(at..range.end).unwrap_or_default());
    new
}

/// Writes lines with a mark before each; returns how many there are.
fn put(text: &str, mark: char, out: &mut String) -> usize {
    let mut count = 0;
    for line in text.split_inclusive('\n') {
        count += 1;
        out.push(mark);
        out.push_str(&picture_line(line.trim_end_matches('\n')));
        out.push('\n');
        if !line.ends_with('\n') {
            out.push_str("\\ No newline at end of file\n");
        }
    }
    count
}
