//! Texts that are still coming: the argument at the end of a stream goes on piece by piece, without another
//! look at the call.

use llmjson_syntax::write_string;

use super::family::Family;
use super::tag::{PREFIX, normalized};
use super::{is_end, python};

/// The longest name of a tag that is waited for, in bytes.
const NAME_BYTES_MAX: usize = 48;

/// Tags that end an argument or begin one, by the words that their names begin with.
const OWN: &[&str] = &["param", "arg", "function", "invoke", "call"];

/// An argument that goes on at the end of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenArgument {
    /// Offset at which its part begins that was not shown.
    pub(super) at: usize,
    pub(super) form: Form,
}

/// The form in which an argument is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Tags: the normalized names of its closer and of that of the call.
    Tags {
        closers: [String; 2],
        has_entities: bool,
    },
    /// Marks around it: `<|"|>`.
    Marks(&'static str),
    /// A literal of Python, between one or three of these marks.
    Literal { mark: u8, count: usize },
    /// JSON, which goes on as it is.
    Json { depth: u32, is_text: bool },
    /// JSON in a string, between these marks.
    Escaped { mark: char },
}

/// The token at a place within a text.
enum Next {
    /// A part of the text, with its length in bytes.
    Text(usize),
    /// The same, which stands for another text.
    Other(usize, String),
    /// Text whose meaning more text has to tell.
    Wait,
    /// A sign that may end the text.
    End,
}

impl OpenArgument {
    /// Takes what is surely a part of the argument, and returns whether it goes on.
    pub(super) fn advance(&mut self, text: &str, out: &mut String) -> bool {
        let is_json = matches!(self.form, Form::Json { .. } | Form::Escaped { .. });
        let mut shown = String::new();
        let mut at = self.at;
        let mut goes_on = true;
        while at < text.len() {
            match self.next(text, at) {
                Next::Text(length) => {
                    shown.push_str(&text[at..at + length]);
                    at += length;
                }
                Next::Other(length, other) => {
                    shown.push_str(&other);
                    at += length;
                }
                Next::Wait => break,
                Next::End => {
                    goes_on = false;
                    break;
                }
            }
        }
        if is_json {
            self.at = at;
            out.push_str(&shown);
            return goes_on;
        }
        if matches!(self.form, Form::Tags { .. }) {
            // White space at the end may be that before a closer.
            at = self.at + text[self.at..at].trim_end().len();
            shown.truncate(shown.trim_end().len());
        }
        self.at = at;
        push_escaped(&shown, out);
        goes_on
    }

    /// Says what stands at a place.
    fn next(&mut self, text: &str, at: usize) -> Next {
        let rest = &text[at..];
        match &mut self.form {
            Form::Tags {
                closers,
                has_entities,
            } => in_tags(rest, closers, *has_entities),
            Form::Marks(mark) => match rest.find('<') {
                Some(0) if rest.starts_with(*mark) => Next::End,
                Some(0) if mark.starts_with(rest) => Next::Wait,
                Some(0) => Next::Text(1),
                found => Next::Text(found.unwrap_or(rest.len())),
            },
            Form::Literal { mark, count } => in_literal(rest, *mark, *count),
            Form::Json { depth, is_text } => in_json(rest, depth, is_text),
            Form::Escaped { mark } => in_string(rest, *mark),
        }
    }
}

/// Writes a text as a part of a string of JSON.
fn push_escaped(text: &str, out: &mut String) {
    let mut quoted = String::with_capacity(text.len() + 2);
    write_string(text, &mut quoted);
    out.push_str(&quoted[1..quoted.len() - 1]);
}

/// Returns the length of a text that a string of JSON has for another one.
pub(super) fn escaped_length(text: &str) -> usize {
    let mut out = String::new();
    push_escaped(text, &mut out);
    out.len()
}

fn in_tags(rest: &str, closers: &[String; 2], has_entities: bool) -> Next {
    let special = |one: char| "<]/\r".contains(one) || one == '&' && has_entities;
    let from = rest.find(special).unwrap_or(rest.len());
    // A closer whose first bracket was lost stands on a line of its own.
    match rest.as_bytes().first() {
        // `/parameter>`, whose first bracket was lost, may be still to come.
        Some(b'/') if "/parameter>".starts_with(rest) => Next::Wait,
        Some(b'/') if rest.starts_with("/parameter>") => Next::End,
        Some(b'/') => Next::Text(1),
        Some(b'&') if has_entities => entity(rest),
        Some(b'\r') => carriage_return(rest),
        Some(b']') if PREFIX.starts_with(rest) => Next::Wait,
        Some(b']') if rest.starts_with(PREFIX) => Next::End,
        Some(b']') => Next::Text(1),
        Some(b'<') => tag(rest, &|name| {
            let is_closer = |closer: &String| {
                name.starts_with(&**closer) || name.len() > 2 && closer.starts_with(name)
            };
            closers.iter().any(is_closer)
                || OWN.iter().any(|word| name.starts_with(word))
                || name.ends_with("toolcall")
        }),
        _ => Next::Text(from),
    }
}

/// A carriage return, which is no part of the text before a line feed.
fn carriage_return(rest: &str) -> Next {
    match rest.as_bytes() {
        [_] => Next::Wait,
        [_, b'\n', ..] => Next::Other(2, "\n".to_owned()),
        _ => Next::Text(1),
    }
}

/// Says whether the tag with which a text begins is one of those that matter, by its name alone.
fn tag(rest: &str, matters: &dyn Fn(&str) -> bool) -> Next {
    for separated in ["<|open|>", "<|close|>"] {
        if rest.starts_with(separated) {
            return Next::End;
        }
    }
    let named = rest[1..].trim_start_matches(['<', '|', '｜', '/', ' ']);
    let is_part = |one: char| one.is_alphanumeric() || "_-:.|｜▁ ".contains(one);
    let is_spaced = rest[1..].starts_with([' ', '|', '｜', '/']) && named.starts_with("DSML");
    let end = named.find(|one: char| !is_part(one) || one == ' ' && !is_spaced);
    let length = end.unwrap_or(named.len());
    if end.is_none() && length < NAME_BYTES_MAX && (rest.len() < 16 || length > 0) {
        return Next::Wait;
    }
    let name = named[..length].trim_end_matches(['|', '｜', ' ']);
    let local = name.rsplit([':', '|', '｜', ' ']).next().unwrap_or(name);
    match !name.is_empty() && (matters(&normalized(local)) || matters(&normalized(name))) {
        true => Next::End,
        false => Next::Text(1),
    }
}

/// One of the entities that values have.
fn entity(rest: &str) -> Next {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    for (entity, other) in entities {
        if rest.starts_with(entity) {
            return Next::Other(entity.len(), other.to_owned());
        }
        if entity.starts_with(rest) {
            return Next::Wait;
        }
    }
    Next::Text(1)
}

fn in_literal(rest: &str, mark: u8, count: usize) -> Next {
    let mark = char::from(mark);
    let from = rest.find([mark, '\\', '\r']).unwrap_or(rest.len());
    if from > 0 {
        return Next::Text(from);
    }
    if rest.starts_with('\r') {
        return carriage_return(rest);
    }
    if let Some(escape) = rest.strip_prefix('\\') {
        // The longest escape is two of `\uD83D`.
        let is_short = rest.len() < 12 && !escape.starts_with(['n', 't', '\'', '"']);
        return match is_short {
            true => Next::Wait,
            false => {
                let (text, length) = python::escape_at(rest);
                Next::Other(length, text)
            }
        };
    }
    let marks = rest.len() - rest.trim_start_matches(mark).len();
    match marks >= count || marks < rest.len() && count == 1 {
        true => Next::End,
        false if marks == rest.len() => Next::Wait,
        false => Next::Text(marks),
    }
}

/// JSON goes on up to its last bracket, or up to what may be a marker.
fn in_json(rest: &str, depth: &mut u32, is_text: &mut bool) -> Next {
    let bytes = rest.as_bytes();
    match bytes[0] {
        b'\\' if *is_text && bytes.len() < 2 => Next::Wait,
        b'\\' if *is_text => Next::Text(1 + rest[1..].chars().next().map_or(0, char::len_utf8)),
        b'<' => tag(rest, &|name| {
            is_end(name)
                || Family::opens(name, None)
                || matches!(name, "channel" | "start" | "function" | "invoke")
        }),
        b'[' if rest.len() < 3
            || rest[1..].starts_with(|one: char| one == '/' || one.is_ascii_uppercase()) =>
        {
            marker(rest, depth, *is_text)
        }
        b'"' if *is_text => {
            // `"Oslo, "days": 3`: where a quote is missing, the end of the call tells what is meant.
            match rest[1..].trim_start().chars().next() {
                None => return Next::Wait,
                Some(next) if !",:}]".contains(next) => return Next::End,
                Some(_) => *is_text = false,
            }
            Next::Text(1)
        }
        b'"' => {
            *is_text = true;
            Next::Text(1)
        }
        // `{"a": "["`: brackets within texts close nothing.
        b'{' | b'[' if !*is_text => {
            *depth += 1;
            Next::Text(1)
        }
        b'}' | b']' if !*is_text => {
            if *depth <= 1 {
                return Next::End;
            }
            *depth -= 1;
            Next::Text(1)
        }
        _ => {
            let special = |one: u8| b"\\<[]{}\"".contains(&one);
            let end = bytes.iter().skip(1).position(|one| special(*one));
            Next::Text(end.map_or(rest.len(), |end| end + 1))
        }
    }
}

/// `[TOOL_CALLS]` within JSON, or a list.
fn marker(rest: &str, depth: &mut u32, is_text: bool) -> Next {
    let name = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
    let end = name.find(|one: char| !(one.is_ascii_uppercase() || one == '_'));
    match end {
        None if rest.len() < NAME_BYTES_MAX => Next::Wait,
        Some(end) if end > 3 && name[end..].starts_with(']') => Next::End,
        _ => {
            *depth += u32::from(!is_text);
            Next::Text(1)
        }
    }
}

/// A string that holds JSON.
fn in_string(rest: &str, mark: char) -> Next {
    let from = rest.find([mark, '\\', '<']).unwrap_or(rest.len());
    match rest.as_bytes()[0] {
        first if char::from(first) == mark => Next::End,
        b'<' => tag(rest, &|name| is_end(name) || Family::opens(name, None)),
        b'\\' if rest.len() < 12 && !rest[1..].starts_with(['n', '"', '\'', '\\', 't', '/']) => {
            Next::Wait
        }
        b'\\' => {
            let unicode = if rest[1..].starts_with('u') { 6 } else { 2 };
            let pair = rest.get(6..8) == Some("\\u") && rest[2..].starts_with(['d', 'D']);
            let length = if unicode == 6 && pair { 12 } else { unicode };
            let Some(escape) = rest.get(..length) else {
                return Next::End;
            };
            let quoted = format!("\"{escape}\"");
            let document = llmjson_syntax::parse(&quoted);
            let text = document
                .root()
                .and_then(|root| root.as_str().map(Into::into));
            text.map_or(Next::End, |text| Next::Other(length, text))
        }
        _ => Next::Text(from),
    }
}
