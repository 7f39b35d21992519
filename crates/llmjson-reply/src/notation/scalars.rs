//! Scalars: quoted in various ways, in blocks, or plain, possibly with a comment after them.

use llmjson_syntax::{Class, Kind, parse};

use super::key::without_marks;
use super::tags::{unescaped, without_tags};
use super::tree::{Part, Value};

/// The spelling of scalars in a notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelling {
    /// Markdown marks around keys and values are not part of them.
    pub(super) marks: bool,
    /// The character that begins a comment.
    pub(super) comment: Option<&'static str>,
    /// A comma or semicolon may follow a value.
    pub(super) separators: bool,
    /// Two double quotes are one within a double-quoted string.
    pub(super) doubled: bool,
    /// A bar within a string has a backslash before it.
    pub(super) bars: bool,
    /// Strings may contain tags and entities.
    pub(super) tags: bool,
}

impl Spelling {
    pub(super) const PLAIN: Self = Self {
        marks: false,
        comment: None,
        separators: false,
        doubled: false,
        bars: false,
        tags: false,
    };

    /// The notations of people and Markdown.
    pub(super) const MARKS: Self = Self {
        marks: true,
        ..Self::PLAIN
    };

    /// Reads a scalar on one line.
    pub(super) fn read(self, text: &str, part: Part) -> Value {
        match self.read_part(text, part) {
            Value::Plain(part) if self.bars && text[part.clone()].contains("\\|") => {
                Value::Made(text[part].replace("\\|", "|"))
            }
            Value::Plain(part) if self.tags && text[part.clone()].contains(['<', '&']) => {
                Value::Made(unescaped(&without_tags(&text[part])))
            }
            value => value,
        }
    }

    fn read_part(self, text: &str, part: Part) -> Value {
        let mut part = trimmed(text, part);
        let inside = text[part.clone()]
            .strip_prefix('"')
            .and_then(|inner| inner.strip_suffix('"'));
        if let Some(inside) = inside.filter(|_| self.doubled) {
            return match inside.contains("\"\"") {
                true => Value::Made(inside.replace("\"\"", "\"")),
                false => Value::Text(part.start + 1..part.end - 1),
            };
        }
        if let Some((value, end)) = quoted(text, &part) {
            let behind = &text[end..part.end];
            if self.ends(behind) {
                return value;
            }
        }
        if let Some(sign) = self.comment {
            let inner = &text[part.clone()];
            if let Some(at) = comment_at(inner, sign) {
                part = trimmed(text, part.start..part.start + at);
            }
        }
        if self.separators {
            let inner = text[part.clone()].trim_end_matches([',', ';']);
            part = trimmed(text, part.start..part.start + inner.len());
        }
        if self.marks {
            let marked = without_marks(text, part.clone());
            if marked != part {
                return match quoted(text, &marked) {
                    Some((value, end)) if end == marked.end => value,
                    _ => Value::Plain(marked),
                };
            }
        }
        match quoted(text, &part) {
            Some((value, end)) if end == part.end => value,
            _ => Value::Plain(part),
        }
    }

    /// Returns `true` if nothing more follows a value on its line.
    pub(super) fn ends(self, behind: &str) -> bool {
        let behind = behind.trim_start();
        let rest = match self.separators {
            true => behind.trim_start_matches([',', ';']).trim_start(),
            false => behind,
        };
        rest.is_empty() || self.comment.is_some_and(|sign| rest.starts_with(sign))
    }
}

/// Returns the position of a comment after a plain value. A comment character followed directly by
/// a word, as in `#ff0000`, does not begin a comment at the beginning of the value.
fn comment_at(value: &str, sign: &str) -> Option<usize> {
    let mut found = value.match_indices(sign).map(|(at, _)| at);
    found.find(|&at| match at {
        0 => value[sign.len()..].starts_with([' ', '\t']),
        _ => value[..at].ends_with([' ', '\t']),
    })
}

pub(super) fn trimmed(text: &str, part: Part) -> Part {
    let inner = &text[part.clone()];
    let start = part.start + (inner.len() - inner.trim_start().len());
    start..(start + inner.trim().len())
}

/// Returns the quoted string at the beginning of a part, and its end.
pub(super) fn quoted(text: &str, part: &Part) -> Option<(Value, usize)> {
    let inner = &text[part.clone()];
    for triple in ["\"\"\"", "'''"] {
        if let Some(rest) = inner.strip_prefix(triple) {
            let close = rest.find(triple)?;
            let start = part.start + 3;
            return Some((dedented(&rest[..close], start), start + close + 3));
        }
    }
    let quote = inner.chars().next()?;
    match quote {
        '"' => {
            let bytes = inner.as_bytes();
            let (mut at, mut escaped) = (1, false);
            while at < bytes.len() && bytes[at] != b'"' {
                escaped |= bytes[at] == b'\\';
                at += 1 + usize::from(bytes[at] == b'\\');
            }
            if at >= bytes.len() {
                return None;
            }
            let inside = part.start + 1..part.start + at;
            let end = part.start + at + 1;
            let raw = &text[inside.clone()];
            if raw.contains('\n') {
                return Some((Value::Made(decoded(&folded(raw))), end));
            }
            match escaped {
                true => Some((Value::Made(decoded(raw)), end)),
                false => Some((Value::Text(inside), end)),
            }
        }
        '\'' => {
            let mut at = 1;
            loop {
                at += inner[at..].find('\'')?;
                match inner[at + 1..].starts_with('\'') {
                    true => at += 2,
                    false => break,
                }
            }
            let raw = &inner[1..at];
            let end = part.start + at + 1;
            match raw.contains("''") || raw.contains('\n') {
                true => Some((Value::Made(folded(raw).replace("''", "'")), end)),
                false => Some((Value::Text(part.start + 1..part.start + at), end)),
            }
        }
        '“' => {
            let close = inner.find('”')?;
            let inside = part.start + quote.len_utf8()..part.start + close;
            Some((Value::Text(inside), part.start + close + '”'.len_utf8()))
        }
        _ => None,
    }
}

/// Returns a double-quoted string with its escapes decoded.
fn decoded(raw: &str) -> String {
    let string = ["\"", raw, "\""].concat();
    let read = parse(&string);
    let text = read.root().filter(|root| root.kind() == Kind::String);
    let text = text.and_then(|root| root.as_str().map(std::borrow::Cow::into_owned));
    text.unwrap_or_else(|| raw.to_owned())
}

/// Returns the lines of a quoted string as one: a line break is a space, a blank line a line break.
fn folded(raw: &str) -> String {
    if !raw.contains('\n') {
        return raw.to_owned();
    }
    let mut out = String::with_capacity(raw.len());
    let mut breaks = 0;
    for (index, line) in raw.split('\n').enumerate() {
        let line = line.trim_matches([' ', '\t', '\r']);
        if index > 0 && line.is_empty() {
            breaks += 1;
            continue;
        }
        if index > 0 {
            match breaks {
                0 => out.push(' '),
                more => out.extend(std::iter::repeat_n('\n', more)),
            }
        }
        breaks = 0;
        out.push_str(line);
    }
    out
}

/// Returns the lines of a triple-quoted string, without their common indentation.
fn dedented(raw: &str, start: usize) -> Value {
    if !raw.contains('\n') {
        return Value::Text(start..start + raw.len());
    }
    let raw = raw.strip_prefix('\n').unwrap_or(raw);
    let lines = || raw.split('\n').filter(|line| !line.trim().is_empty());
    let space = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = lines().map(space).min().unwrap_or_default();
    let dedented = raw
        .split('\n')
        .map(|line| line.get(common..).unwrap_or_default());
    let joined = dedented.collect::<Vec<_>>().join("\n");
    Value::Made(joined.trim_end().to_owned())
}

/// Returns `true` if a part is unambiguously a JSON container.
pub(super) fn is_json(text: &str, part: Part) -> bool {
    let read = parse(&text[part]);
    let container = |kind| matches!(kind, Kind::Array | Kind::Object);
    let root = read.root().is_some_and(|root| container(root.kind()));
    root && read.is_complete() && read.certainty() < Class::Guess
}

/// Returns the end of the container that opens at the beginning of a part; brackets in quotes are
/// ignored.
pub(super) fn bracket_end(text: &str, part: Part) -> Option<usize> {
    let bytes = text[part.clone()].as_bytes();
    let (mut depth, mut quote, mut at) = (0_usize, 0_u8, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'\\' if quote != 0 => at += 1,
            _ if quote != 0 => quote = if byte == quote { 0 } else { quote },
            // An apostrophe within a word opens nothing.
            b'"' | b'\'' if at > 0 && !bytes[at - 1].is_ascii_alphanumeric() => quote = byte,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(part.start + at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}
