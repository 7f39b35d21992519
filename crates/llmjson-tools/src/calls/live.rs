//! Streamed arguments: the argument at the end of a stream grows piece by piece, without re-reading
//! the call.

use llmjson_syntax::{steps_of_search, write_string};

use super::budget::Budget;
use super::draft::CallDraft;
use super::family::Family;
use super::is_end;
use super::json;
use super::literal::push_literal;
use super::payload::Payload;
use super::tag::{PREFIX, normalized};

/// Maximum length of a tag's name that is awaited, in bytes.
const NAME_BYTES_MAX: usize = 48;

/// Tags that begin or end an argument, by the words with which their names begin.
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
    /// Tags: the normalized names of its closer and of the call's closer.
    Tags {
        closers: [String; 2],
        has_entities: bool,
    },
    /// Marks around it: `<|"|>`.
    Marks(&'static str),
    /// A literal of a program, between these quotes.
    Literal(&'static str),
    /// JSON, which continues unchanged.
    Json { depth: u32, is_text: bool },
    /// JSON in a string, between these marks.
    Escaped { mark: char },
}

/// The token at a place within a text.
enum Next {
    /// A part of the text, with its length in bytes.
    Text(usize),
    /// A part of the text that represents another text.
    Other(usize, String),
    /// Text whose meaning depends on more text.
    Wait,
    /// A delimiter that may end the string.
    End,
}

impl OpenArgument {
    /// Consumes text that is certainly part of the argument, and returns `true` if the argument
    /// continues.
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
            // White space at the end may precede a closer.
            at = self.at + text[self.at..at].trim_end().len();
            shown.truncate(shown.trim_end().len());
        }
        self.at = at;
        push_escaped(&shown, out);
        goes_on
    }

    /// Classifies the text at a position.
    fn next(&mut self, text: &str, at: usize) -> Next {
        let rest = &text[at..];
        match &mut self.form {
            Form::Tags {
                closers,
                has_entities,
            } => in_tags(rest, closers, *has_entities),
            Form::Marks(mark) => in_brackets(text, at, mark, false),
            Form::Literal(mark) => in_brackets(text, at, mark, true),
            Form::Json { depth, is_text } => in_json(rest, depth, is_text),
            Form::Escaped { mark } => in_string(rest, *mark),
        }
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

fn in_tags(rest: &str, closers: &[String; 2], has_entities: bool) -> Next {
    let special = |one: char| "<]/\r".contains(one) || one == '&' && has_entities;
    let from = rest.find(special).unwrap_or(rest.len());
    // A closer whose first bracket was lost is on a separate line.
    match rest.as_bytes().first() {
        // `/parameter>`, whose first bracket was lost, may have yet to arrive.
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

/// A carriage return, which is not part of the string before a line feed.
fn carriage_return(rest: &str) -> Next {
    match rest.as_bytes() {
        [_] => Next::Wait,
        [_, b'\n', ..] => Next::Other(2, "\n".to_owned()),
        _ => Next::Text(1),
    }
}

/// Returns `true` if the tag at the beginning of a text is relevant, judging only by its name.
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

/// One of the entities in values.
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

/// A string in quotes or marks inside brackets continues up to these, or up to its possible end
/// without them.
fn in_brackets(text: &str, at: usize, mark: &str, is_literal: bool) -> Next {
    let rest = &text[at..];
    let first = mark.chars().next().unwrap_or('"');
    let special = |one: char| one == first || "\r<,)}".contains(one) || one == '\\' && is_literal;
    let from = rest.find(special).unwrap_or(rest.len());
    if from > 0 {
        return Next::Text(from);
    }
    let marks = rest.len() - rest.trim_start_matches(first).len();
    match rest.as_bytes()[0] {
        b'\r' => carriage_return(rest),
        _ if rest.starts_with(mark) => Next::End,
        _ if mark.starts_with(rest) => Next::Wait,
        // Three quotes end a string that contains two.
        _ if is_literal && rest.starts_with(first) => match marks == rest.len() {
            true => Next::Wait,
            false => Next::Text(marks),
        },
        // `C:\new` may be a path.
        b'\\' if text[..at].ends_with(':') => Next::End,
        b'\\' => escape(rest),
        b'<' => tag(rest, &|name| is_end(name) || Family::opens(name, None)),
        _ if mark.len() == 3 && is_literal => Next::Text(1),
        // `city="Oslo, days=3)]<|tool_call_end|>`: the missing part depends on the end of the call.
        b',' => {
            let after = rest[1..].trim_start();
            let is_part = |one: char| one.is_alphanumeric() || "_-.".contains(one);
            let sign = after.trim_start_matches(is_part);
            match sign.trim_start().chars().next() {
                None if after.len() < NAME_BYTES_MAX => Next::Wait,
                Some('=' | ':') if sign.len() < after.len() => Next::End,
                _ => Next::Text(1),
            }
        }
        _ => match rest[1..].trim_start().chars().next() {
            None => Next::Wait,
            Some(']' | '<') => Next::End,
            _ => Next::Text(1),
        },
    }
}

/// An escape in a quoted string.
fn escape(rest: &str) -> Next {
    let plain = ['n', 't', 'r', 'b', 'f', '"', '\'', '\\', '/', '\n'];
    // The longest escape is a surrogate pair such as `\uD83D`.
    let length = match rest.as_bytes().get(1) {
        Some(b'u') if rest.get(6..8) == Some("\\u") && rest[2..].starts_with(['d', 'D']) => 12,
        Some(b'u') => 6,
        Some(b'U') => 10,
        Some(b'x') => 4,
        _ if rest[1..].starts_with(plain) => 2,
        None => return Next::Wait,
        _ => return Next::End,
    };
    let Some(written) = rest
        .get(..length)
        .filter(|_| length < 4 || rest.len() >= 12)
    else {
        return if rest.len() < 12 {
            Next::Wait
        } else {
            Next::End
        };
    };
    let mut quoted = String::new();
    push_literal(written, "'", &mut quoted);
    let document = llmjson_syntax::parse(&quoted);
    let text = document
        .root()
        .and_then(|root| root.as_str().map(Into::into));
    text.map_or(Next::End, |text| Next::Other(length, text))
}

/// JSON continues up to its last bracket, or up to a possible marker.
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
            // `"Oslo, "days": 3`: if a quote is missing, the meaning depends on the end of the
            // call.
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
        // `{"a": "["`: brackets within strings close nothing.
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

/// `[TOOL_CALLS]` within JSON, or an array.
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

/// A string of JSON.
fn in_string(rest: &str, mark: char) -> Next {
    let from = rest.find([mark, '\\', '<']).unwrap_or(rest.len());
    match rest.as_bytes()[0] {
        first if char::from(first) == mark => Next::End,
        b'<' => tag(rest, &|name| is_end(name) || Family::opens(name, None)),
        b'\\' => escape(rest),
        _ => Next::Text(from),
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
    let from = match &draft.arguments {
        Payload::Read((from, _)) => *from,
        Payload::Text { string, .. } => {
            let open = string.map(|(at, _)| {
                let mark = if text[..at].ends_with('\'') {
                    '\''
                } else {
                    '"'
                };
                let form = Form::Escaped { mark };
                OpenArgument { at, form }
            });
            return Some((String::new(), open));
        }
        Payload::Built(json) => {
            let settled = json.get(..draft.settled).unwrap_or_default();
            return Some((settled.to_owned(), draft.open.clone()));
        }
    };
    let open = |form| Some(OpenArgument { at: from, form });
    let is_text = false;
    match json::extent(text, from, budget) {
        Some(end) => {
            // The text is copied, and compared with the shown text.
            budget.charge(2 * steps_of_search(end - from));
            Some((text[from..end].to_owned(), None))
        }
        None => Some((String::new(), open(Form::Json { depth: 0, is_text }))),
    }
}
