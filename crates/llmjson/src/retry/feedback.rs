//! Feedback for a model whose reply could not be used. It says what is wrong and what to do, and
//! repeats the parts of the reply and the schema that the messages don't contain.

use std::fmt::{self, Write as _};

use llmjson_schema::{Failure, Reason, Refusal};
use llmjson_syntax::LineIndex;

use crate::retry::check::is_sentence;
use crate::retry::error::is_cut;
use llmjson_syntax::named;

pub(super) const QUOTED_CHARS_MAX: usize = 500;

pub(super) const ANNOTATED_BYTES_MAX: usize = 16 * 1024;

/// Maximum number of errors that are listed; the others are counted.
const LISTED_MAX: usize = 20;

/// Maximum length of the expected shape in bytes; a longer one does not help.
const SHAPE_BYTES_MAX: usize = 500;

/// The cause of feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeedbackKind {
    /// The value does not satisfy the schema.
    Validation,
    /// The text is not JSON, is truncated, or needs a repair that the policy denies.
    Syntax,
    /// The reply is missing, or too large to read.
    Other,
}

named!(FeedbackKind: "validation" => Validation, "syntax" => Syntax, "other" => Other);

impl FeedbackKind {
    pub(super) fn of(failure: &Failure) -> Self {
        let blank = failure.document().text().trim().is_empty();
        match failure.reason() {
            Reason::Violations => Self::Validation,
            Reason::Refused(Refusal::Schema(_)) => Self::Other,
            Reason::Refused(_) => Self::Syntax,
            Reason::NoValue if !blank => Self::Syntax,
            _ => Self::Other,
        }
    }
}

const VALIDATION: &str = "\
Instructions:
1. Answer with one JSON value that satisfies the schema, and with nothing else.
2. Put right every place that is marked with ❌, and keep what is right.
3. Write every required member, under exactly the name that the schema declares.
4. Write the types that the schema asks for: numbers, true, false and null without quotes.
5. Write no comments, no ❌ and no `undefined`.";

const SYNTAX: &str = r#"Instructions:
1. Answer with one JSON value that satisfies the schema, and with nothing else: no prose, no code fence.
2. Put double quotes around every name and every string.
3. Inside strings write \" for a quote, \\ for a backslash and \n for a line break.
4. Write no comments, no comma before a closing bracket, and no name twice in one object.
5. Write true, false and null in lower case, and numbers without quotes.
6. Close every string, object and array; if the answer gets too long, say less in it.

Good: {"name": "Ada", "tags": ["a", "b"], "active": true}
Bad, text around it: Here you are: {"name": "Ada"}
Bad, other quotes and a last comma: {'name': 'Ada',}
Bad, not closed: {"name": "Ada", "tags": ["a""#;

const CUT: &str = "\
Instructions:
1. Answer with the whole JSON value that satisfies the schema, from its beginning, and with nothing else: no prose, no code fence.
2. Close every string, object and array.
3. If the answer gets too long, say less in it.";

/// The instruction before the first reply.
pub(super) fn instruction(schema: &str) -> String {
    let schema = fenced(schema, "json");
    format!(
        "Answer with one JSON value that satisfies this JSON Schema, and with nothing else:\n{schema}"
    )
}

/// The feedback about an unusable reply.
pub(super) struct Feedback<'f> {
    pub(super) failure: &'f Failure,
    /// `true` if the reply was truncated.
    pub(super) is_cut: bool,
    /// The schema, if the model has not seen it.
    pub(super) schema: Option<&'f str>,
    /// `true` if the beginning of the reply is repeated.
    pub(super) quotes: bool,
    /// `true` if the value is shown as parsed.
    pub(super) shows_reply: bool,
    /// The type that the schema requires.
    pub(super) shape: String,
    pub(super) annotated_bytes_max: usize,
}

impl Feedback<'_> {
    pub(super) fn write(&self) -> (FeedbackKind, String) {
        let (failure, bytes_max) = (self.failure, self.annotated_bytes_max);
        let kind = FeedbackKind::of(failure);
        let reply = failure.document().text();
        let mut said = String::new();
        match kind {
            FeedbackKind::Validation => {
                let what = match failure.violations().iter().all(is_sentence) {
                    _ if self.is_cut => "was cut off, and does not fit the schema",
                    true => "is rejected",
                    false => "does not fit the schema",
                };
                let _ = write!(said, "Your previous answer {what}.");
                if self.shows_reply {
                    said.push_str(" Here it is as it was read, with what is wrong after ❌:");
                }
                said.push_str("\n\n");
                if self.shows_reply {
                    push_paragraph(&mut said, &failure.feedback(Some(bytes_max)));
                }
                push_paragraph(&mut said, &listed_violations(failure, bytes_max));
            }
            _ if self.is_cut => {
                let what = "Your previous answer was cut off before its value was whole.";
                push_paragraph(&mut said, what);
                push_paragraph(&mut said, &listed_syntax(failure, reply));
                push_paragraph(&mut said, &self.wanted());
            }
            FeedbackKind::Syntax => {
                said.push_str("Your previous answer could not be read as JSON.\n\n");
                push_paragraph(&mut said, &listed_syntax(failure, reply));
                if !failure.violations().is_empty() {
                    push_paragraph(&mut said, &listed_violations(failure, bytes_max));
                }
            }
            FeedbackKind::Other
                if matches!(failure.reason(), Reason::Refused(Refusal::Schema(_))) =>
            {
                let what = "Your previous answer repeats the JSON Schema. Answer with a value that satisfies it.";
                push_paragraph(&mut said, what);
                push_paragraph(&mut said, &self.wanted());
            }
            FeedbackKind::Other => {
                let _ = write!(
                    said,
                    "Your previous answer could not be used: {failure}.\n\n"
                );
            }
        }
        if self.quotes && !reply.trim().is_empty() {
            let quoted = fenced(&quoted(reply), "");
            push_paragraph(&mut said, &format!("Your previous answer:\n{quoted}"));
        }
        if let (Some(schema), true) = (self.schema, kind != FeedbackKind::Other) {
            let schema = fenced(schema, "json");
            push_paragraph(
                &mut said,
                &format!("The JSON Schema of the answer:\n{schema}"),
            );
        }
        said.push_str(match kind {
            FeedbackKind::Validation => VALIDATION,
            _ if self.is_cut => CUT,
            FeedbackKind::Syntax => SYNTAX,
            FeedbackKind::Other => "Please answer again, with one JSON value alone.",
        });
        (kind, said)
    }

    /// Returns the expected shape in a line, as a reminder for models that have lost sight of the
    /// schema.
    fn wanted(&self) -> String {
        match self.shape.len() <= SHAPE_BYTES_MAX {
            true => format!("What is wanted: {}", self.shape),
            false => String::new(),
        }
    }
}

fn push_paragraph(said: &mut String, paragraph: &str) {
    if paragraph.is_empty() {
        return;
    }
    said.push_str(paragraph.trim_end());
    said.push_str("\n\n");
}

/// Returns one line for each invalid place, within that number of bytes in total; the others are
/// counted.
fn listed_violations(failure: &Failure, bytes_max: usize) -> String {
    let violations = failure.violations();
    let mut room = bytes_max;
    let lines = violations.iter().map_while(|violation| {
        let mut line = Line {
            text: String::new(),
            room,
        };
        let expected = if is_sentence(violation) {
            ""
        } else {
            "expected "
        };
        write!(
            line,
            "- {}: {expected}{}",
            violation.path, violation.expected
        )
        .ok()?;
        let description = violation.description.as_deref();
        if let Some(reason) = description.filter(|_| violation.keyword == "deserialize") {
            write!(line, " ({reason})").ok()?;
        }
        room = line.room;
        Some(line.text)
    });
    listed("What is wrong:", lines, violations.len())
}

/// A line of bounded length: writing more fails.
struct Line {
    text: String,
    room: usize,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.room = self.room.checked_sub(text.len()).ok_or(fmt::Error)?;
        self.text.push_str(text);
        Ok(())
    }
}

/// Returns the errors in the text, each with its place.
fn listed_syntax(failure: &Failure, reply: &str) -> String {
    let refusals = failure.refusals();
    if refusals.is_empty() {
        let mut wrong = format!("- {failure}");
        if let Some(annotation) = failure.annotations().first() {
            let _ = write!(wrong, "; expected: {}", annotation.expected);
        }
        return listed("What is wrong:", [wrong].into_iter(), 1);
    }
    let lines = LineIndex::new(reply);
    let cut = is_cut(failure);
    // In a truncated text every bracket is open, which need not be mentioned.
    let told: Vec<&Refusal> = refusals
        .iter()
        .filter(|refusal| !cut || refusal.name() == "truncated")
        .collect();
    let count = told.len();
    let told = told.into_iter().map(|refusal| {
        let place = lines.position(refusal.span().start);
        let (line, column) = (place.line, place.column);
        format!(
            "- line {line}, column {column}: {} ({})",
            refusal.sentence(),
            refusal.name()
        )
    });
    listed("What is wrong:", told, count)
}

fn listed(title: &str, lines: impl Iterator<Item = String>, count: usize) -> String {
    let mut list = title.to_owned();
    let mut rest = count;
    for line in lines.take(LISTED_MAX) {
        list.push('\n');
        list.push_str(&line);
        rest -= 1;
    }
    if rest > 0 {
        let _ = write!(list, "\n- and {rest} more");
    }
    list
}

/// Returns the beginning of a text, with an ellipsis if more follows.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns a text in a fence that is longer than any in the text.
fn fenced(text: &str, language: &str) -> String {
    let (mut longest, mut run) = (2, 0);
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    format!(
        "{fence}{language}\n{}\n{fence}",
        text.trim_end_matches('\n')
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_cut_between_characters() {
        let whole = "é".repeat(QUOTED_CHARS_MAX);
        assert_eq!(quoted(&whole), whole);
        assert_eq!(quoted(&format!("{whole}x")), format!("{whole}…"));
    }

    #[test]
    fn no_text_ends_its_fence() {
        assert_eq!(fenced("a", "json"), "```json\na\n```");
        assert_eq!(fenced("````\n", ""), "`````\n````\n`````");
    }
}
