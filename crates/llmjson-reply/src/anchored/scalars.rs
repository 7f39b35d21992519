//! Strings in quotes, in blocks and between marks.

use llmjson_syntax::{Kind, parse};

use super::key::without_marks;
use super::tree::{Part, Value};

/// Reads a scalar in quotes or marks, or as written.
pub(super) fn read(text: &str, part: Part) -> Value {
    let part = trimmed(text, part);
    if let Some((value, _)) = quoted(text, &part).filter(|(_, end)| *end == part.end) {
        return value;
    }
    let bare = without_marks(text, part);
    match quoted(text, &bare) {
        Some((value, end)) if end == bare.end => value,
        _ => Value::Plain(bare),
    }
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
    let close = match quote {
        '"' => '"',
        '\'' => '\'',
        '“' => '”',
        '`' => '`',
        _ => return None,
    };
    let bytes = inner.as_bytes();
    let (mut at, mut changed) = (quote.len_utf8(), false);
    loop {
        at += inner[at..].find(['\\', close])?;
        let doubled = quote == '\'' && inner[at + 1..].starts_with('\'');
        match bytes[at] {
            b'\\' if quote == '"' || inner[at + 1..].starts_with(close) => {
                at += 1 + inner[at + 1..].chars().next()?.len_utf8();
                changed = true;
            }
            b'\\' => at += 1,
            _ if doubled => {
                at += 2;
                changed = true;
            }
            _ => break,
        }
    }
    let inside = part.start + quote.len_utf8()..part.start + at;
    let end = inside.end + close.len_utf8();
    let raw = &text[inside.clone()];
    let value = match quote {
        '"' if changed || raw.contains('\n') => Value::Made(decoded(&folded(raw))),
        '\'' if changed || raw.contains('\n') => {
            Value::Made(folded(raw).replace("''", "'").replace("\\'", "'"))
        }
        _ => Value::Text(inside),
    };
    Some((value, end))
}

/// Returns a value of an address's query with its codes decoded: `New%20York`, `New+York`. `C++` stays.
pub(super) fn of_query(text: &str) -> String {
    let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let code = behind.get(..2).filter(|_| byte == b'%');
        let code = code.and_then(|code| str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let is_blank = byte == b'+' && is_letter(bytes.last()) && is_letter(behind.first());
        bytes.push(code.unwrap_or(if is_blank { b' ' } else { byte }));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Returns a double-quoted string with its escapes decoded.
fn decoded(raw: &str) -> String {
    let string = ["\"", raw, "\""].concat();
    let read = parse(&string);
    let text = read.root().filter(|root| root.kind() == Kind::String);
    let text = text.and_then(|root| root.as_str().map(std::borrow::Cow::into_owned));
    text.unwrap_or_else(|| raw.to_owned())
}

/// Returns the lines of a string as one: a line break is a space, a blank line a line break.
pub(super) fn folded(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut breaks = 0;
    for (index, line) in raw.split('\n').enumerate() {
        let line = match raw.contains('\n') {
            true => line.trim_matches([' ', '\t', '\r']),
            false => line,
        };
        if index > 0 && line.is_empty() {
            breaks += 1;
            continue;
        }
        match breaks {
            0 if index > 0 && !out.is_empty() => out.push(' '),
            more => out.extend(std::iter::repeat_n('\n', more)),
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
    Value::Made(without_indent(raw).trim_end().to_owned())
}

fn without_indent(raw: &str) -> String {
    let lines = || raw.split('\n').filter(|line| !line.trim().is_empty());
    let space = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = lines().map(space).min().unwrap_or_default();
    let lines = raw
        .split('\n')
        .map(|line| line.get(common..).unwrap_or_default());
    lines.map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Reads a block string of YAML: an indicator such as `|-`, and lines below it.
pub(super) fn block(text: &str, part: &Part) -> Option<Value> {
    let (head, lines) = text[part.clone()]
        .trim_start_matches(' ')
        .split_once('\n')?;
    let head = head.split(" #").next().unwrap_or_default().trim_end();
    let style = head.strip_prefix(['|', '>'])?;
    let counted = style
        .bytes()
        .all(|byte| matches!(byte, b'-' | b'+' | b'0'..=b'9'));
    let string = without_indent(lines);
    let string = string.trim_end_matches('\n');
    (style.len() < 3 && counted).then(|| match head.starts_with('|') {
        true => Value::Made(string.to_owned()),
        false => Value::Made(folded(string)),
    })
}
