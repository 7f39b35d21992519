//! Calls that are written as in Python: `[name(key=value), …]`.

use llmjson_syntax::{Class, Kind, RepairKind, write_string};

use super::json::{NAME_BYTES_MAX, is_name, is_spaced};
use super::live::{Form, OpenArgument, escaped_length};
use super::values::{Schemas, with_plain_line_ends};
use super::{Budget, CallDraft, CallReading, Payload};

/// Reads one call or a list of calls that begins at `start`, and returns where it ends.
pub(super) fn calls(
    text: &str,
    start: usize,
    schemas: &mut Schemas<'_>,
    budget: &mut Budget,
) -> Option<(Vec<CallDraft>, usize)> {
    let mut at = start;
    let is_list = text[at..].starts_with('[');
    if is_list {
        at = skip(text, at + 1);
    }
    let mut found = Vec::new();
    loop {
        let (draft, end) = call(text, at, schemas, budget)?;
        let is_complete = draft.complete;
        found.push(draft);
        at = skip(text, end);
        match text[at..].chars().next() {
            // `[f(a="x"), f(a="y")]`
            Some(',' | ';') if is_list => at = skip(text, at + 1),
            Some(']') if is_list => return Some((found, at + 1)),
            _ if !is_list && begins(text, at, schemas) && text[end..at].contains('\n') => {}
            // Calls in a row are taken together, or none of them.
            Some(',' | ';') if begins(text, skip(text, at + 1), schemas) => {
                at = skip(text, at + 1);
            }
            Some(',') if !is_list => return None,
            _ if !is_list => {
                budget.reached_end |= name_at(text, at).1 == text.len();
                return Some((found, end));
            }
            None => {
                budget.reached_end = true;
                mark_incomplete(&mut found);
                return Some((found, at));
            }
            _ if !is_complete => return Some((found, at)),
            _ => {
                // The list is not closed, but its last call is.
                found.last_mut()?.class = Class::Likely;
                return Some((found, at));
            }
        }
        if is_list && text[at..].starts_with(']') {
            return Some((found, at + 1));
        }
    }
}

fn mark_incomplete(found: &mut [CallDraft]) {
    if let Some(last) = found.last_mut() {
        last.class = last.class.max(Class::Likely);
    }
}

/// Returns `true` if a call in Python's form begins here: a name, then a bracket.
pub(super) fn begins(text: &str, start: usize, schemas: &Schemas<'_>) -> bool {
    tool_at(text, start, schemas).is_some()
}

/// Returns the name before a bracket at a place, and where the bracket stands. A name with spaces is one of a
/// tool: `get weather(city="Oslo")`.
fn tool_at<'t>(text: &'t str, start: usize, schemas: &Schemas<'_>) -> Option<(&'t str, usize)> {
    let (name, end) = name_at(text, start);
    if !is_name(name) || text[end..].starts_with('(') {
        return is_name(name).then_some((name, end));
    }
    let stop = text.len().min(start + NAME_BYTES_MAX + 1);
    let near = &text[start..text.floor_char_boundary(stop)];
    let (name, _) = near
        .split_once('(')
        .filter(|_| text[end..].starts_with(' '))?;
    // Words before a colon are about the call: `[Calling tool: weather(…)]`.
    let is_one = is_spaced(name) && !name.contains(':') && schemas.knows(name);
    is_one.then_some((name, start + name.len()))
}

fn name_at(text: &str, start: usize) -> (&str, usize) {
    let rest = &text[start..];
    let is_part = |one: char| one.is_alphanumeric() || "_.-:".contains(one);
    let length = rest.find(|one: char| !is_part(one)).unwrap_or(rest.len());
    let starts_well = rest.starts_with(|one: char| one.is_alphabetic() || one == '_');
    let length = if starts_well { length } else { 0 };
    (&rest[..length], start + length)
}

fn call(
    text: &str,
    start: usize,
    schemas: &mut Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize)> {
    let (name, open) = tool_at(text, start, schemas)?;
    let mut written = Written::default();
    let mut at = skip(text, open + 1);
    let mut complete = true;
    let mut is_open = false;
    loop {
        if text[at..].starts_with(')') {
            at += 1;
            break;
        }
        if at >= text.len() {
            complete = false;
            break;
        }
        if budget.ends_search() {
            return None;
        }
        let from = at;
        at = written.argument(text, at, &mut |place| schemas.name_at(name, place))?;
        budget.charge(at - from);
        budget.reached_end |= at == text.len();
        at = skip(text, at);
        if text[at..].starts_with(',') {
            at = skip(text, at + 1);
        // `[f(a="x"]`: the round bracket is missing.
        } else if text[at..].starts_with(']') {
            is_open = true;
            break;
        } else if !text[at..].starts_with(')') {
            complete = false;
            break;
        }
    }
    let mut draft = written.draft((open, at), budget)?;
    name.clone_into(&mut draft.name);
    draft.complete &= complete;
    if is_open {
        draft.class = draft.class.max(Class::Likely);
    }
    Some((draft, at))
}

/// The arguments so far: one JSON text is written of them, and read as leniently as any.
#[derive(Default)]
struct Written<'t> {
    json: String,
    /// The only argument, which holds all of them.
    whole: Option<&'t str>,
    count: usize,
    /// The literal that is not closed.
    open: Option<OpenArgument>,
    /// The length of what is written for it and behind it.
    unsettled: usize,
}

impl<'t> Written<'t> {
    /// Reads the argument at a place, and returns where it ends.
    fn argument(
        &mut self,
        text: &'t str,
        at: usize,
        name_at_place: &mut dyn FnMut(usize) -> Option<String>,
    ) -> Option<usize> {
        let (key, after) = name_at(text, at);
        let after = skip(text, after);
        let is_named = !key.is_empty()
            && text[after..].starts_with(['=', ':'])
            && !text[after..].starts_with("==");
        let start = if is_named { skip(text, after + 1) } else { at };
        let end = value_end(text, start);
        let value = text[start..end].trim_end();
        if end < text.len() && is_named {
            push_member(&mut self.json, key, value);
        // `f({"a": "x"})`: one object holds all arguments.
        } else if end < text.len() && self.count == 0 && value.starts_with('{') {
            self.whole = Some(value);
        } else if end < text.len() {
            // `f("x", 5)`: arguments by their places, in the order in which the tool declares them.
            push_member(&mut self.json, &name_at_place(self.count)?, value);
        } else if let Some(open) = open_literal(text, start).filter(|_| is_named) {
            let inner = literal(&with_plain_line_ends(&text[open.at..]));
            push_member(&mut self.json, key, "");
            write_string(&inner, &mut self.json);
            self.unsettled = escaped_length(&inner) + 2;
            self.open = Some(open);
        } else if is_named {
            push_member(&mut self.json, key, value);
        }
        // At the end of the text, what has no name may become one.
        self.count += 1;
        Some(end)
    }

    fn draft(mut self, place: (usize, usize), budget: &mut Budget) -> Option<CallDraft> {
        if self.json.is_empty() {
            self.json.push('{');
        }
        self.json.push('}');
        let document = budget.read(match self.whole {
            Some(whole) if self.count == 1 => whole,
            _ => &self.json,
        });
        let root = document.root().filter(|root| root.kind() == Kind::Object)?;
        let mut arguments = String::new();
        root.write_json(&mut arguments);
        let is_cut = self.open.is_some();
        let mut read = CallReading::of(&document, place).without_dialect();
        // `filter={"only": "a")`: the bracket of the call closes the value.
        let mut repairs = document.repairs().iter();
        read.is_cut |= repairs.any(|one| one.kind == RepairKind::WrongCloser);
        Some(CallDraft {
            // What stands behind the settled part is the text of the open literal, its quote and a bracket.
            settled: if is_cut {
                arguments.len().saturating_sub(self.unsettled)
            } else {
                0
            },
            arguments: Payload::Built(arguments),
            // It is unknown where its text would have ended.
            class: if is_cut { Class::Guess } else { Class::Certain },
            read,
            complete: document.is_complete(),
            open: self.open,
            ..CallDraft::default()
        })
    }
}

/// Returns the literal that begins at a place and is not closed.
fn open_literal(text: &str, start: usize) -> Option<OpenArgument> {
    let bytes = text.as_bytes();
    let mark = *bytes.get(start).filter(|one| b"\"'".contains(one))?;
    let marks = text[start..].len() - text[start..].trim_start_matches(char::from(mark)).len();
    // Two marks may be an empty text, or the beginning of three.
    let is_sure = marks != 2 && start + marks < text.len();
    let count = if marks >= 3 { 3 } else { 1 };
    let is_open = literal_end(bytes, start, mark) >= bytes.len();
    (is_sure && is_open).then_some(OpenArgument {
        at: start + count,
        form: Form::Literal { mark, count },
    })
}

fn push_member(json: &mut String, name: &str, value: &str) {
    json.push(if json.is_empty() { '{' } else { ',' });
    write_string(name, json);
    json.push(':');
    write_value(value, json);
}

/// Writes a value with its texts as JSON has them; all else is read as leniently as any.
fn write_value(value: &str, json: &mut String) {
    let bytes = value.as_bytes();
    let (mut at, mut written) = (0, 0);
    while let Some(found) = memchr::memchr2(b'"', b'\'', &bytes[at..]) {
        let open = at + found;
        let end = literal_end(bytes, open, bytes[open]);
        at = (end + 1).min(bytes.len());
        let is_prefixed = value[..open].ends_with(|one: char| one.is_alphanumeric());
        if end == bytes.len() || is_prefixed {
            continue;
        }
        let triple = [bytes[open]; 3];
        let marks = if bytes[open..].starts_with(&triple) && end >= open + 5 {
            3
        } else {
            1
        };
        json.push_str(&value[written..open]);
        let inner = with_plain_line_ends(&value[open + marks..=end - marks]);
        write_string(&literal(&inner), json);
        written = at;
    }
    json.push_str(&value[written..]);
}

/// Returns what the inside of a literal stands for.
fn literal(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let (one, length) = escaped(escape);
        match one {
            Some(one) => text.extend(one),
            // Python keeps the backslash of what is no escape.
            None => text.push('\\'),
        }
        rest = &escape[length..];
    }
    text.push_str(rest);
    text
}

/// Returns what the escape with which a text begins stands for, and its length.
pub(super) fn escape_at(text: &str) -> (String, usize) {
    let (one, length) = escaped(&text[1..]);
    let text = match one {
        Some(one) => one.into_iter().collect(),
        None => "\\".to_owned(),
    };
    (text, length + 1)
}

/// Returns the character of an escape, if it has one, and how long it is behind its backslash; `None` for
/// what is no escape.
fn escaped(escape: &str) -> (Option<Option<char>>, usize) {
    let Some(sign) = escape.chars().next() else {
        return (None, 0);
    };
    let plain = match sign {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'a' => '\u{7}',
        'v' => '\u{b}',
        '\\' | '\'' | '"' | '/' => sign,
        // A backslash at the end of a line continues it, and stands for nothing.
        '\n' => return (Some(None), 1),
        'x' | 'u' | 'U' => return by_number(escape, sign),
        '0' => '\0',
        _ => return (None, 0),
    };
    (Some(Some(plain)), 1)
}

/// `\x41`, `\u0041`, `\U00000041`, and two of `\uD83D\uDE00` that are one character.
fn by_number(escape: &str, sign: char) -> (Option<Option<char>>, usize) {
    let digits = match sign {
        'x' => 2,
        'u' => 4,
        _ => 8,
    };
    let number = |text: &str| {
        let digits = text.get(1..=digits)?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(first) = number(escape) else {
        return (None, 0);
    };
    let second = escape
        .get(digits + 1..)
        .and_then(|rest| rest.strip_prefix('\\'));
    let second = second.filter(|rest| rest.starts_with('u')).and_then(number);
    match (char::from_u32(first), second) {
        (Some(one), _) => (Some(Some(one)), digits + 1),
        (None, Some(second)) if (0xDC00..0xE000).contains(&second) && first < 0xDC00 => {
            let one = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            (Some(char::from_u32(one)), 2 * (digits + 1) + 1)
        }
        _ => (Some(Some(char::REPLACEMENT_CHARACTER)), digits + 1),
    }
}

/// Returns where a literal ends: before the comma or bracket that is not inside of it.
fn value_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0_u32;
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            // `f(a=[1, 2], n=5)`: the comma within brackets ends no argument.
            b')' | b']' | b'}' | b',' if depth == 0 => return at,
            quote @ (b'"' | b'\'') => at = literal_end(bytes, at, quote),
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Returns where the quote stands that closes a string, also one with three quotes.
fn literal_end(bytes: &[u8], open: usize, quote: u8) -> usize {
    let triple = [quote; 3];
    let is_triple = bytes[open..].starts_with(&triple);
    let mut at = open + if is_triple { 3 } else { 1 };
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 2;
            continue;
        }
        if is_triple && bytes[at..].starts_with(&triple) {
            return at + 2;
        }
        if !is_triple && bytes[at] == quote {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

fn skip(text: &str, at: usize) -> usize {
    let rest = &text[at.min(text.len())..];
    text.len() - rest.trim_start().len()
}
