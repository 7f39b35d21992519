//! Streamed arguments: the argument at the end of a stream grows piece by piece, without re-reading
//! the call. Text is certain up to the first place where the scanners of whole texts would examine
//! a possible end.

use llmjson_syntax::{steps_of_search, write_string};

use super::budget::Budget;
use super::draft::CallDraft;
use super::ends::is_marker;
use super::json::{self, Brackets};
use super::literal::push_literal;
use super::payload::Payload;
use super::tag::{PREFIX, Tag, may_become_tag};
use super::values::{unescaped, with_plain_line_ends};

/// Maximum length of an argument's name that is awaited, in bytes.
const NAME_BYTES_MAX: usize = 48;

/// Maximum length of an entity, in bytes.
const ENTITY_BYTES_MAX: usize = 6;

/// The words with which the names of tags begin that begin or end an argument.
const OWN: &[&str] = &["param", "arg", "function", "invoke", "call"];

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
    /// Text between tags, with the normalized names of the tags around it.
    Tags {
        names: Vec<String>,
        has_entities: bool,
    },
    /// A string between marks, which may have the escapes of a program.
    Marks {
        mark: &'static str,
        has_escapes: bool,
    },
    /// JSON, which continues unchanged.
    Json(Brackets),
    /// JSON in a string, between these marks.
    Escaped(&'static str),
}

/// The purpose of the text at a position.
enum Next {
    /// Part of the argument, with its length in bytes.
    Text(usize),
    /// Unknown until more text arrives.
    Wait,
    /// A possible end of the argument.
    End,
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
            Self::Tags { names, .. } => in_tags(text, at, names),
            Self::Marks { mark, has_escapes } => {
                // `C:\new` may be a path.
                if *has_escapes && text[..at].ends_with(':') && text[at..].starts_with('\\') {
                    return Next::End;
                }
                let next = in_marks(text, at, mark, *has_escapes);
                next.unwrap_or_else(|| in_brackets(&text[at..], mark))
            }
            Self::Escaped(mark) => in_marks(text, at, mark, true).unwrap_or(Next::Text(1)),
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
            Self::Marks { .. } | Self::Escaped(_) => part.trim_end_matches('\r'),
        };
        let plain = with_plain_line_ends(part);
        match self {
            Self::Json(_) => out.push_str(part),
            Self::Tags {
                has_entities: true, ..
            } => push_escaped(&unescaped(&plain), out),
            Self::Marks {
                has_escapes: true, ..
            } => push_escaped(&decoded(&plain), out),
            Self::Tags { .. } | Self::Marks { .. } => push_escaped(&plain, out),
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

/// Returns the length of the escaped text in a JSON string.
pub(super) fn escaped_length(text: &str) -> usize {
    let mut out = String::new();
    push_escaped(text, &mut out);
    out.len()
}

/// A bracket, which may begin a tag with a purpose.
fn tag(text: &str, at: usize, has_purpose: impl Fn(&Tag<'_>) -> bool) -> Next {
    // A tag is short.
    let budget = &mut Budget::new(u32::MAX, text.len(), 0);
    match Tag::look(text, at, budget) {
        Some(tag) if has_purpose(&tag) => Next::End,
        Some(tag) if tag.end == text.len() && !tag.raw.ends_with(['>', ']']) => Next::Wait,
        None if may_become_tag(text, at, budget) => Next::Wait,
        _ => Next::Text(1),
    }
}

fn in_tags(text: &str, at: usize, names: &[String]) -> Next {
    let rest = &text[at..];
    match rest.as_bytes()[0] {
        b'<' => tag(text, at, |tag| is_beside(tag, names)),
        // The first bracket of a closer may be lost.
        b'/' => begun(rest, "/parameter>"),
        b']' => begun(rest, PREFIX),
        _ => Next::Text(rest.find(['<', ']', '/']).unwrap_or(rest.len())),
    }
}

/// A character that begins the end of an argument, if the others follow.
fn begun(rest: &str, end: &str) -> Next {
    match rest.starts_with(end) {
        true => Next::End,
        false if end.starts_with(rest) => Next::Wait,
        false => Next::Text(1),
    }
}

/// Returns `true` if a tag is one of those around an argument, or may be a damaged one.
fn is_beside(tag: &Tag<'_>, names: &[String]) -> bool {
    [tag.normalized(), tag.local_name()].iter().any(|name| {
        let is_like =
            |one: &String| name.starts_with(&**one) || name.len() > 2 && one.starts_with(&**name);
        OWN.iter().any(|word| name.starts_with(word))
            || name.ends_with("toolcall")
            || names.iter().any(is_like)
    })
}

/// Text between marks: these end it, and so may a marker. `None` if a character may end a string in
/// brackets.
fn in_marks(text: &str, at: usize, mark: &str, has_escapes: bool) -> Option<Next> {
    let rest = &text[at..];
    match rest.as_bytes()[0] {
        _ if rest.starts_with(mark) => Some(Next::End),
        _ if mark.starts_with(rest) => Some(Next::Wait),
        b'<' => Some(tag(text, at, is_marker)),
        b'\\' if has_escapes => Some(match escape_length(rest) {
            Some(length) if length > rest.len() => Next::Wait,
            Some(length) if rest.is_char_boundary(length) => Next::Text(length),
            _ => Next::End,
        }),
        _ => {
            let first = mark.chars().next().unwrap_or('"');
            let special = |one: char| one == first || "\\<,)}".contains(one);
            let from = rest.find(special).unwrap_or(rest.len());
            (from > 0).then_some(Next::Text(from))
        }
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

/// Returns the length of an escape, or `None` if it is unusual.
fn escape_length(rest: &str) -> Option<usize> {
    match rest.as_bytes() {
        [
            _,
            b'u',
            b'd' | b'D',
            b'8' | b'9' | b'a' | b'b' | b'A' | b'B',
            low @ ..,
        ] => (low.len() < 4 || low[2..].starts_with(b"\\u")).then_some(12),
        [_, b'u', ..] => Some(6),
        [_, b'U', ..] => Some(10),
        [_, b'x', ..] => Some(4),
        [_, one, ..] => b"ntrbf\"'\\/\n".contains(one).then_some(2),
        _ => Some(2),
    }
}

/// Decodes the escapes of a part of a literal.
fn decoded(part: &str) -> String {
    let (mut text, mut rest) = (String::new(), part);
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let length = escape_length(&rest[at..]).unwrap_or(2);
        let (escape, behind) = rest[at..].split_at(length);
        let mut quoted = String::new();
        push_literal(escape, "'", &mut quoted);
        let document = llmjson_syntax::parse(&quoted);
        text.extend(document.root().and_then(|root| root.as_str()));
        rest = behind;
    }
    text.push_str(rest);
    text
}

/// JSON continues up to its last bracket, or up to a possible marker.
fn in_json(text: &str, brackets: &mut Brackets) -> Next {
    let at = brackets.at;
    match text.as_bytes()[at] {
        b'<' | b'[' => match tag(text, at, is_marker) {
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
            let mark = if text[..*at].ends_with('\'') {
                "'"
            } else {
                "\""
            };
            begun(*at, Form::Escaped(mark))
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
