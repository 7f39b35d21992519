//! Streamed arguments: the argument at the end of a stream grows piece by piece, without re-reading
//! the call. Text is certain up to the first possible end that its scanner finds.

use llmjson_syntax::{steps_of_search, write_string};

use super::budget::Budget;
use super::draft::CallDraft;
use super::ends::is_marker;
use super::json::{self, Brackets};
use super::literal::{decoded, escape_length};
use super::payload::Payload;
use super::scan::{Marks, Next, Part, QUOTES, Tags, tag_at};
use super::values::{unescaped, with_plain_line_ends};

/// Maximum length of an argument's name that is awaited, in bytes.
const NAME_BYTES_MAX: usize = 48;

/// Maximum length of an entity, in bytes.
const ENTITY_BYTES_MAX: usize = 6;

/// An unfinished argument at the end of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenArgument {
    /// Offset at which its unshown part begins.
    pub(super) at: usize,
    pub(super) form: Form,
}

/// The notation of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Text between tags.
    Tags { tags: Tags, has_entities: bool },
    /// A string between marks in the brackets of a call.
    Marks(Marks),
    /// JSON, which continues unchanged.
    Json(Brackets),
    /// JSON in a string, between these marks.
    Escaped(Marks),
}

impl OpenArgument {
    /// Consumes text that is certainly part of the argument, and returns `true` if the argument
    /// continues.
    pub(super) fn advance(&mut self, text: &str, out: &mut String) -> bool {
        let mut at = self.at;
        let goes_on = loop {
            if at >= text.len() {
                break true;
            }
            match self.form.next(text, at) {
                Next::Text(length) => at += length,
                Next::Wait => break true,
                Next::End => break false,
            }
        };
        self.at += self.form.push(&text[self.at..at], out);
        goes_on
    }
}

impl Form {
    fn next(&mut self, text: &str, at: usize) -> Next {
        match self {
            Self::Json(brackets) => in_json(text, brackets),
            Self::Tags { tags, .. } => tags.next(text, at),
            // `C:\new` may be a path.
            Self::Marks(marks)
                if marks.has_escapes
                    && text[..at].ends_with(':')
                    && text[at..].starts_with('\\') =>
            {
                Next::End
            }
            Self::Marks(marks) => in_marks(text, at, *marks, true),
            Self::Escaped(marks) => in_marks(text, at, *marks, false),
        }
    }

    /// Writes a part of the argument as JSON, and returns the length of the part. Its end may be
    /// kept back: white space may precede a closer, and a line feed may follow a carriage return.
    fn push(&self, part: &str, out: &mut String) -> usize {
        let part = match self {
            Self::Json(_) => part,
            Self::Tags { has_entities, .. } => {
                let begun = part.rfind('&').filter(|at| !part[*at..].contains(';'));
                let begun = begun.filter(|at| *has_entities && part.len() - at < ENTITY_BYTES_MAX);
                part[..begun.unwrap_or(part.len())].trim_end()
            }
            Self::Marks(_) | Self::Escaped(_) => part.trim_end_matches('\r'),
        };
        let plain = with_plain_line_ends(part);
        match self {
            Self::Json(_) => out.push_str(part),
            Self::Tags {
                has_entities: true, ..
            } => push_escaped(&unescaped(&plain), out),
            Self::Marks(marks) if marks.has_escapes => push_escaped(&decoded(&plain), out),
            Self::Tags { .. } | Self::Marks(_) => push_escaped(&plain, out),
            Self::Escaped(_) => out.push_str(&decoded(part)),
        }
        part.len()
    }
}

/// Writes a text as part of a JSON string.
fn push_escaped(text: &str, out: &mut String) {
    let mut quoted = String::with_capacity(text.len() + 2);
    write_string(text, &mut quoted);
    out.push_str(&quoted[1..quoted.len() - 1]);
}

/// Text between marks: these end it, and so may a marker, and the end of the call around it.
fn in_marks(text: &str, at: usize, marks: Marks, is_in_call: bool) -> Next {
    let rest = &text[at..];
    let length = match marks.part(text, at) {
        None => return Next::Wait,
        Some(Part::Mark) => return Next::End,
        Some(Part::Escape) => {
            return match escape_length(rest) {
                Some(length) if length > rest.len() => Next::Wait,
                Some(length) if rest.is_char_boundary(length) => Next::Text(length),
                _ => Next::End,
            };
        }
        Some(Part::Text(length)) => length,
    };
    match rest[..length].find(['<', ',', ')', '}']) {
        Some(0) if rest.starts_with('<') => tag_at(text, at, is_marker),
        Some(0) if is_in_call => in_brackets(rest, marks.mark),
        Some(0) => Next::Text(1),
        found => Next::Text(found.unwrap_or(length)),
    }
}

/// A string inside brackets may end without its mark: `city="Oslo, days=3)]<|tool_call_end|>`.
fn in_brackets(rest: &str, mark: &str) -> Next {
    let after = rest[1..].trim_start();
    let sign = after.trim_start_matches(json::is_part);
    match (rest.as_bytes()[0], after.chars().next()) {
        _ if mark.len() == 3 => Next::Text(1),
        (b',', _) => match sign.trim_start().chars().next() {
            None if after.len() < NAME_BYTES_MAX => Next::Wait,
            Some('=' | ':') if sign.len() < after.len() => Next::End,
            _ => Next::Text(1),
        },
        (b')' | b'}', None) => Next::Wait,
        (b')' | b'}', Some(']' | '<')) => Next::End,
        _ => Next::Text(1),
    }
}

/// JSON continues up to its last bracket, or up to a possible marker.
fn in_json(text: &str, brackets: &mut Brackets) -> Next {
    let at = brackets.at;
    match text.as_bytes()[at] {
        b'<' | b'[' => match tag_at(text, at, is_marker) {
            Next::Text(_) => {}
            next => return next,
        },
        // `"Oslo, "days": 3`: if a quote is missing, the meaning depends on the end of the call.
        b'"' if brackets.is_text => match text[at + 1..].trim_start().chars().next() {
            None => return Next::Wait,
            Some(next) if !",:}]".contains(next) => return Next::End,
            Some(_) => {}
        },
        b'}' | b']' if brackets.is_last() => return Next::End,
        _ => {}
    }
    brackets.step(text.as_bytes());
    match brackets.at - at {
        0 => Next::Wait,
        length => Next::Text(length),
    }
}

/// Returns the settled arguments of an unfinished call, and their continuation, or `None` while its
/// name may continue.
pub(super) fn so_far(
    text: &str,
    draft: &CallDraft,
    budget: &mut Budget,
) -> Option<(String, Option<OpenArgument>)> {
    if draft.is_name_open {
        return None;
    }
    let begun = |at, form| (String::new(), Some(OpenArgument { at, form }));
    Some(match &draft.arguments {
        Payload::Built(json) => {
            let settled = json.get(..draft.settled).unwrap_or_default();
            (settled.to_owned(), draft.open.clone())
        }
        Payload::Text { string: None, .. } => (String::new(), None),
        Payload::Text {
            string: Some((at, _)),
            ..
        } => {
            let mark = match text[..*at].ends_with('\'') {
                true => "'",
                false => QUOTES.mark,
            };
            begun(*at, Form::Escaped(Marks { mark, ..QUOTES }))
        }
        Payload::Read((from, _)) => match json::extent(text, *from, budget) {
            Some(end) => {
                // The text is copied, and compared with the shown text.
                budget.charge(2 * steps_of_search(end - from));
                (text[*from..end].to_owned(), None)
            }
            None => begun(*from, Form::Json(Brackets::from(*from))),
        },
    })
}
