//! Calls whose arguments are in brackets after the name: `name(key=value)`, `call:name{key:value}`.
//!
//! The format determines names, colons, string delimiters and closers. The arguments are converted
//! to the text of an object, whose damage the parser then repairs.

use llmjson_syntax::{Class, Document, Kind, RepairKind, write_string};

use super::super::cut;
use super::ends::next_marker;
use super::family::Signs;
use super::json::{NAME_BYTES_MAX, is_name, is_spaced};
use super::literal::{push_literal, without_half_escape};
use super::live::{Form, OpenArgument};
use super::scan::Marks;
use super::values::{Schemas, with_plain_line_ends};
use super::{Budget, CallDraft, CallReading, Payload, near, skip};

/// The text before a call whose result a program prints.
pub(super) const PRINT: &str = "print(";

/// The quotes around strings, the longer ones first.
const QUOTES: &[&str] = &["\"\"\"", "'''", "\"", "'"];

/// Reads the calls that begin at a place, in a list or one after the other, and returns their end.
pub(super) fn calls(
    text: &str,
    start: usize,
    signs: &'static Signs,
    schemas: Schemas<'_>,
    budget: &mut Budget,
) -> Option<(Vec<CallDraft>, usize)> {
    let is_list = text[start..].starts_with('[') && signs.has_names();
    let mut at = if is_list {
        skip(text, start + 1)
    } else {
        start
    };
    let mut found = Vec::new();
    loop {
        budget.read_to = name_at(text, at).1;
        let is_printed = behind_print(text, at, schemas).is_some_and(|inner| inner > at);
        let (draft, mut end) = call(text, at, signs, schemas, budget)?;
        let is_complete = draft.complete;
        found.push(draft);
        if is_printed && text[end..].starts_with(')') {
            end += 1;
        }
        at = skip(text, end);
        let separator = text[at..].chars().next().filter(|one| ",;".contains(*one));
        let next = separator.map_or(at, |_| skip(text, at + 1));
        if is_list && separator.is_some() {
            // `[f(a="x"), f(a="y")]`
            at = next;
            if !text[at..].starts_with(']') {
                continue;
            }
        }
        if is_list && text[at..].starts_with(']') {
            return Some((found, at + 1));
        }
        let is_apart = separator.is_some() || text[end..at].contains('\n') || !signs.has_names();
        if begins(text, next, signs, schemas) && (is_apart && !is_list || separator.is_some()) {
            at = next;
            continue;
        }
        // Consecutive calls are accepted together, or not at all.
        if signs.has_names() && separator == Some(',') {
            budget.read_to = name_at(text, next).1;
            return None;
        }
        if !is_list {
            budget.reached_end |= signs.has_names() && name_at(text, at).1 == text.len();
            return Some((found, end));
        }
        budget.reached_end |= at == text.len();
        // The list is not closed, but its last call is.
        if (is_complete || at == text.len())
            && let Some(last) = found.last_mut()
        {
            last.class = last.class.max(Class::Likely);
        }
        return Some((found, at));
    }
}

/// Returns `true` if a call begins here: a name, then a bracket.
pub(super) fn begins(text: &str, start: usize, signs: &Signs, schemas: Schemas<'_>) -> bool {
    tool_at(text, start, signs, schemas).is_some()
}

/// Returns the name before a bracket, and the position of the bracket. A name with spaces must
/// match a tool: `get weather(city="Oslo")`.
fn tool_at<'t>(
    text: &'t str,
    start: usize,
    signs: &Signs,
    schemas: Schemas<'_>,
) -> Option<(&'t str, usize)> {
    let lead = signs
        .leads
        .iter()
        .find(|lead| text[start..].starts_with(**lead))?;
    let start = behind_print(text, start + lead.len(), schemas)?;
    let (name, end) = name_at(text, start);
    if is_name(name) && text[end..].starts_with(signs.open) {
        return Some((name, end));
    }
    let (name, _) = near(text, start, NAME_BYTES_MAX + 1).split_once(signs.open)?;
    if !signs.has_names() {
        let is_one = is_spaced(name.trim_ascii());
        return is_one.then_some((name.trim_ascii(), start + name.len()));
    }
    // Words before a colon are about the call: `[Calling tool: weather(…)]`.
    let is_spaced = text[end..].starts_with(' ') && is_spaced(name) && !name.contains(':');
    (is_spaced && schemas.knows(name)).then_some((name, start + name.len()))
}

/// Returns the beginning of the call in `print(f(x))`, or `None` if its name may continue.
fn behind_print(text: &str, start: usize, schemas: Schemas<'_>) -> Option<usize> {
    let inner = text[start..].strip_prefix(PRINT);
    let Some(inner) = inner.filter(|_| !schemas.knows("print")) else {
        return Some(start);
    };
    let inner = text.len() - inner.len();
    let (name, end) = name_at(text, inner);
    let is_call = is_name(name) && text[end..].starts_with('(');
    (end < text.len()).then_some(if is_call { inner } else { start })
}

fn name_at(text: &str, start: usize) -> (&str, usize) {
    let rest = &text[start..];
    let is_part = |one: char| one.is_alphanumeric() || "_-.:".contains(one);
    let length = rest.find(|one: char| !is_part(one)).unwrap_or(rest.len());
    let starts_well = rest.starts_with(|one: char| one.is_alphabetic() || one == '_');
    let length = if starts_well { length } else { 0 };
    (&rest[..length], start + length)
}

fn call(
    text: &str,
    start: usize,
    signs: &'static Signs,
    schemas: Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize)> {
    let (name, open) = tool_at(text, start, signs, schemas)?;
    if budget.ends_search() {
        return None;
    }
    let mut body = Body {
        text,
        tool: (name, schemas),
        signs,
        at: open + 1,
        json: String::from("{"),
        depth: 1,
        count: 0,
        is_whole: false,
        unnamed: None,
        is_doubtful: false,
        open: None,
        open_at: 0,
    };
    let end = body.pass(budget);
    budget.charge(body.at - start);
    let end = end?;
    budget.reached_end |= end == End::OfText;
    let at = body.at;
    let mut draft = body.draft((open, at), end, budget)?;
    draft.set_name(name);
    Some((draft, at))
}

/// The end of arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Their bracket.
    Closed,
    /// Another bracket or a marker, so that their bracket is missing.
    Behind,
    OfText,
}

/// The arguments so far, as the text of an object.
struct Body<'t, 'r> {
    text: &'t str,
    /// The tool, which maps argument indices to names.
    tool: (&'t str, Schemas<'r>),
    signs: &'static Signs,
    at: usize,
    json: String,
    depth: u32,
    /// Number of arguments.
    count: usize,
    /// `true` if the first argument is an object without a name.
    is_whole: bool,
    /// The length of the text before an unnamed argument, which may be the beginning of a name.
    unnamed: Option<usize>,
    /// `true` if a string may include the text after the call.
    is_doubtful: bool,
    /// The unclosed string, and the length of the text before it.
    open: Option<OpenArgument>,
    open_at: usize,
}

impl Body<'_, '_> {
    /// Reads the arguments to their end.
    fn pass(&mut self, budget: &mut Budget) -> Option<End> {
        self.argument()?;
        loop {
            let rest = &self.text[self.at..];
            let Some(one) = rest.chars().next() else {
                return Some(End::OfText);
            };
            let mut marks = self.signs.marks.iter();
            if let Some(mark) = marks.find(|mark| rest.starts_with(**mark)) {
                if let Some(end) = self.marked(mark, budget) {
                    return Some(end);
                }
                continue;
            }
            match one {
                '"' | '\'' if self.may_begin_text() => {
                    if let Some(end) = self.literal(budget) {
                        return Some(end);
                    }
                    continue;
                }
                // `[f(a="x"]`: the bracket of the call is missing.
                ']' if self.depth == 1 && self.is_end_of_list() => return Some(End::Behind),
                '<' if self.is_marker(budget) => return Some(End::Behind),
                '(' | '[' | '{' => self.depth += 1,
                ')' | ']' | '}' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.at += 1;
                        self.json.push('}');
                        return Some(End::Closed);
                    }
                }
                ',' | ';' if self.depth == 1 && self.signs.has_names() => {
                    self.json.push(',');
                    self.at += 1;
                    self.argument()?;
                    continue;
                }
                _ => {}
            }
            self.json.push(one);
            self.at += one.len_utf8();
        }
    }

    /// Begins an argument: writes its name and a colon.
    fn argument(&mut self) -> Option<()> {
        if !self.signs.has_names() {
            return Some(());
        }
        self.at = skip(self.text, self.at);
        self.unnamed = None;
        let rest = &self.text[self.at..];
        if rest.is_empty() || rest.starts_with([')', ']']) {
            return Some(());
        }
        let (key, after) = name_at(self.text, self.at);
        let after = skip(self.text, after);
        let sign = &self.text[after..];
        let key_ends = sign.starts_with(['=', ':']) && !sign.starts_with("==");
        if !key.is_empty() && key_ends {
            write_string(key, &mut self.json);
            self.json.push(':');
            self.at = after + 1;
        } else {
            self.unnamed = Some(self.json.len());
            // `f({"a": "x"})`: one object contains all arguments.
            self.is_whole |= self.count == 0 && rest.starts_with('{');
            // `f("x", 5)`: positional arguments, in the order in which the tool declares them.
            if !self.is_whole {
                let (tool, schemas) = self.tool;
                let name = schemas.name_at(tool, self.count);
                // At the end of the text, an argument without a name may still become one.
                if name.is_none() && !after_is_open(self.text, after) {
                    return None;
                }
                write_string(name.unwrap_or_default(), &mut self.json);
                self.json.push(':');
            }
        }
        self.count += 1;
        self.is_doubtful |= is_expression(self.text[self.at..].trim_start());
        Some(())
    }

    /// Returns `true` if a quote at this place may begin a string: a value begins here, or another
    /// string has ended.
    fn may_begin_text(&self) -> bool {
        let before = self.json.trim_end();
        let letters = before.trim_end_matches(|one: char| one.is_ascii_alphabetic());
        let is_prefix = before.len() - letters.len() <= 2 && before.len() == self.json.len();
        let before = if is_prefix { letters } else { before };
        before.ends_with([':', ',', '=', '[', '{', '(', '+', '"', '\''])
    }

    /// Reads a string between marks of the format: `<|"|>Oslo<|"|>`.
    fn marked(&mut self, mark: &'static str, budget: &mut Budget) -> Option<End> {
        let start = self.at + mark.len();
        let before = self.json.trim_end();
        // `city:Oslo<|"|>`: the opening mark of the string was lost.
        if !before.ends_with([':', ',', '[', '{', '=']) {
            self.json.push('"');
            self.at = start;
            return None;
        }
        let marks = Marks {
            mark,
            has_escapes: false,
        };
        let Some(end) = marks.end(self.text, start) else {
            return self.open_text(start, marks, budget);
        };
        write_string(&self.text[start..end], &mut self.json);
        self.at = end + mark.len();
        None
    }

    /// Reads a string between quotes.
    fn literal(&mut self, budget: &mut Budget) -> Option<End> {
        let rest = &self.text[self.at..];
        let mut quotes = QUOTES.iter();
        let quote = quotes.find(|quote| rest.starts_with(**quote))?;
        let start = self.at + quote.len();
        let marks = Marks {
            mark: quote,
            has_escapes: true,
        };
        if let Some(end) = marks.end(self.text, start) {
            let (literal, behind) = (&self.text[start..end], &self.text[end + quote.len()..]);
            // `f(city="Oslo), g(query="opera")`: a quote is missing, which makes the end of the
            // call uncertain.
            let ends = |one: char| ",;)]}:+%".contains(one);
            let behind = behind.trim_start();
            let is_end = behind.chars().next().is_none_or(ends);
            self.is_doubtful |= !is_end && literal.contains(['(', ')']);
            // `"/tmp/" + name`: the value is not written.
            let other = behind.strip_prefix(['+', '%']).map(str::trim_start);
            self.is_doubtful |= self.signs.has_names()
                && other.is_some_and(|other| !other.starts_with(['"', '\'']));
            push_literal(literal, quote, &mut self.json);
            self.at = end + quote.len();
            return None;
        }
        let end = self.open_text(start, marks, budget);
        // Two quotes may be an empty string, or the beginning of three.
        self.open = self.open.take().filter(|_| rest != *quote);
        end
    }

    /// An unclosed string: a marker after it ends it and the call, or the string continues.
    fn open_text(&mut self, start: usize, marks: Marks, budget: &mut Budget) -> Option<End> {
        let text = self.text;
        // More text may close it.
        budget.reached_end = true;
        let is_short = !(marks.has_escapes && marks.mark.len() == 3);
        let marker = is_short.then(|| self.closing_marker(start, budget));
        let marker = marker.flatten();
        let inner = &text[start..marker.unwrap_or(text.len())];
        self.at = start + inner.len();
        self.open_at = self.json.len();
        match marks.has_escapes {
            true => push_literal(without_half_escape(inner), marks.mark, &mut self.json),
            false => write_string(inner, &mut self.json),
        }
        if marker.is_none() {
            let form = Form::Marks(marks);
            self.open = Some(OpenArgument { at: start, form });
            return Some(End::OfText);
        }
        // The parser finds the missing brackets.
        self.json.pop();
        let written = self.json.trim_end();
        let written = written.strip_suffix(']').unwrap_or(written);
        let length = written.strip_suffix([')', '}']).unwrap_or(written).len();
        self.json.truncate(length);
        self.json.push('}');
        Some(End::Behind)
    }

    /// Returns `true` if a bracket at this place closes a list of calls.
    fn is_end_of_list(&self) -> bool {
        self.signs.has_names() && !self.text[self.at + 1..].trim_start().starts_with(')')
    }

    /// Returns the position of a marker after the call's bracket:
    /// `city="Oslo, days=3)]<|tool_call_end|>`.
    fn closing_marker(&self, start: usize, budget: &mut Budget) -> Option<usize> {
        let mut at = start;
        loop {
            let marker = next_marker(self.text, at, budget)?;
            let before = self.text[start..marker].trim_end();
            let before = before.strip_suffix(']').unwrap_or(before);
            let is_end = |one: char| one == ')' || one == '}' && !self.signs.has_names();
            if before.ends_with(is_end) {
                return Some(marker);
            }
            at = marker + 1;
        }
    }

    /// Returns `true` if a marker at this position ends the call.
    fn is_marker(&self, budget: &mut Budget) -> bool {
        super::tag::Tag::look(self.text, self.at, budget).is_some_and(|tag| {
            !self.signs.has_names() || tag.is_closing || super::is_end(&tag.normalized())
        })
    }

    /// Returns the call with these arguments, at a position.
    fn draft(mut self, place: (usize, usize), end: End, budget: &mut Budget) -> Option<CallDraft> {
        if end == End::Behind && self.signs.has_names() && !self.json.ends_with('}') {
            self.json.push('}');
        }
        if let Some(unnamed) = self.unnamed.filter(|_| end == End::OfText) {
            self.json.truncate(unnamed);
            self.count -= 1;
            self.open = None;
        }
        let is_whole = self.is_whole && self.count == 1;
        let json = match self.json.strip_suffix('}') {
            Some(inner) if is_whole && end == End::Closed => &inner[1..],
            _ if is_whole => &self.json[1..],
            _ => &self.json,
        };
        let json = with_plain_line_ends(json);
        let document = budget.read(&json);
        let root = document.root().filter(|root| root.kind() == Kind::Object)?;
        let mut arguments = String::new();
        root.write_json(&mut arguments);
        let mut read = CallReading::of(&document, place).without_dialect();
        read.is_cut = cut::in_arguments(&document).is_some() || has_wrong_closer(&document);
        let (mut settled, mut class) = (0, Class::Certain);
        if self.open.is_some() {
            // The end of its string is unknown.
            class = match self.signs.has_names() {
                true => Class::Guess,
                false => Class::Likely,
            };
            let head = &self.json[usize::from(is_whole)..self.open_at];
            settled = settled_before(head, budget).unwrap_or_default();
            self.open = self.open.filter(|_| settled > 0);
        } else if self.is_doubtful {
            class = Class::Guess;
        } else if end == End::Behind {
            class = Class::Likely;
        }
        Some(CallDraft {
            settled,
            arguments: Payload::Built(arguments),
            class,
            read,
            complete: end != End::OfText,
            is_partly_read: self.is_doubtful,
            open: self.open,
            ..CallDraft::default()
        })
    }
}

/// Returns `true` if a value is not written but computed: `f"{x}"`, `*args`, `010`.
fn is_expression(value: &str) -> bool {
    match value.as_bytes() {
        [b'f' | b'F', b'"' | b'\'', ..] | [b'*', ..] => true,
        [b'0', digit, ..] => digit.is_ascii_digit(),
        _ => false,
    }
}

/// Returns `true` if the text at a position does not determine an argument yet.
fn after_is_open(text: &str, at: usize) -> bool {
    text[at..].trim_start().is_empty()
}

/// `filter={"only": "a")`: the parenthesis of the call closes the value.
fn has_wrong_closer(document: &Document<'_>) -> bool {
    let mut repairs = document.repairs().iter();
    repairs.any(|one| one.kind == RepairKind::WrongCloser)
}

/// Returns the length of the arguments up to their last string, which begins after this text: more
/// of it may arrive.
fn settled_before(head: &str, budget: &mut Budget) -> Option<usize> {
    let written = budget.read(&[head, "\"\""].concat()).to_json()?;
    // The unfinished text may be a name rather than a value.
    let written = written.trim_end_matches(['}', ']']).strip_suffix("\"\"")?;
    Some(written.len() + 1)
}
