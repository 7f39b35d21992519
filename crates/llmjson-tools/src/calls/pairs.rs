//! Calls whose arguments are pairs of keys and values: `<arg_key>key</arg_key><arg_value>value</arg_value>`,
//! and `key=value`.

use llmjson_syntax::{Class, steps_of_search, write_string};

use super::family::{Family, Shape};
use super::json::is_name;
use super::live::{Form, OpenArgument};
use super::tag::Tag;
use super::values::{self, Schemas};
use super::{Budget, CallDraft, Payload, is_end, skip};

/// The longest name of an argument, in bytes.
const KEY_BYTES_MAX: usize = 128;

/// The tags of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PairTag {
    Key,
    Value,
}

/// The tags of one family: LongCat's have its name before theirs.
struct Marks {
    /// The namespace before the names of the tags.
    space: &'static str,
    /// The normalized name of the tag around the call.
    around: String,
    has_bars: bool,
    /// `true` if calls are looked for in values. One that does not end is none.
    nests: bool,
}

impl Marks {
    fn of(opener: &Tag<'_>) -> Self {
        let around = opener.normalized();
        let is_longcat = around.starts_with("longcat");
        Self {
            space: if is_longcat { "longcat" } else { "" },
            around,
            has_bars: opener.raw.contains('|'),
            nests: true,
        }
    }

    /// Returns the part of a pair that a tag is, if it is one.
    fn part(&self, tag: &Tag<'_>) -> Option<PairTag> {
        match tag.normalized().strip_prefix(self.space)? {
            "argkey" => Some(PairTag::Key),
            "argvalue" => Some(PairTag::Value),
            _ => None,
        }
    }

    /// Returns `true` if a name and the first pair of a call stand behind a tag.
    fn begins_call(&self, text: &str, tag: &Tag<'_>, budget: &mut Budget) -> bool {
        let near = text.floor_char_boundary((tag.end + KEY_BYTES_MAX).min(text.len()));
        let Some(open) = text[tag.end..near].find('<').map(|at| tag.end + at) else {
            return false;
        };
        let is_named = is_name(text[tag.end..open].trim());
        is_named
            && Tag::look(text, open, budget)
                .is_some_and(|next| self.part(&next) == Some(PairTag::Key) && !next.is_closing)
    }

    /// Returns the name of the tag that closes a value.
    fn closer(&self) -> String {
        format!("{}argvalue", self.space)
    }

    /// Returns `true` if a tag stands around calls.
    fn is_around(&self, tag: &Tag<'_>) -> bool {
        tag.raw.contains('|') == self.has_bars && tag.normalized() == self.around
    }
}

/// Returns `true` if a pair begins whose first tag was lost: `key</arg_key>`.
pub(super) fn starts_pair(rest: &str) -> bool {
    let end = rest.floor_char_boundary(KEY_BYTES_MAX.min(rest.len()));
    let key = rest[..end].split_once('<');
    key.is_some_and(|(key, tag)| {
        let closers = ["/arg_key>", "/longcat_arg_key>"];
        !key.is_empty()
            && !key.contains(char::is_whitespace)
            && closers.iter().any(|closer| tag.starts_with(closer))
    })
}

/// Reads `<arg_key>key</arg_key><arg_value>value</arg_value>` in turn. One tag of a pair may be lost.
pub(super) fn pairs(
    text: &str,
    name: &str,
    opener: &Tag<'_>,
    start: usize,
    schemas: &mut Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize, Shape)> {
    let mut marks = Marks::of(opener);
    let mut draft = CallDraft::default();
    draft.set_name(name);
    let mut json = String::from("{");
    let mut at = start;
    loop {
        let from = skip(text, at);
        let tag = Tag::look(text, from, budget);
        let opener = tag.filter(|tag| marks.part(tag) == Some(PairTag::Key) && !tag.is_closing);
        if opener.is_none() && !starts_pair(&text[from..]) {
            break;
        }
        let key = key(text, opener.map_or(from, |tag| tag.end), &marks, budget);
        let from_value = skip(text, key.end);
        let tag = Tag::look(text, from_value, budget);
        let tag = tag.filter(|tag| marks.part(tag) == Some(PairTag::Value) && !tag.is_closing);
        let is_damaged = opener.is_none() || tag.is_none() || !key.is_closed;
        let had_reached_end = std::mem::take(&mut budget.reached_end);
        let value = value(text, tag.map_or(key.end, |tag| tag.end), &mut marks, budget);
        // More text may tell that a closer is a part of the value.
        let is_sure = value.is_closed && !budget.reached_end && !had_reached_end;
        budget.reached_end |= had_reached_end;
        if tag.is_none() && value.text.trim().is_empty() && !value.is_closed {
            draft.complete = false;
            at = value.end;
            break;
        }
        draft.complete &= value.end < text.len() || value.is_closed;
        if is_damaged {
            draft.class = draft.class.max(Class::Likely);
        }
        let key = key.text.trim();
        if json.len() > 1 {
            json.push(',');
        }
        write_string(key, &mut json);
        json.push(':');
        budget.charge(value.end - at);
        let takes = schemas.takes(&draft.name, key);
        let own = values::with_plain_line_ends(value.text);
        let own = if is_damaged { own.trim() } else { &own };
        let before = json.len();
        let place = (at, value.end);
        let (out, read) = (&mut json, &mut draft.read);
        let sure = values::write(own, takes, place, out, read, budget);
        let is_begun = tag.is_some_and(|tag| tag.end < text.len()) && !had_reached_end;
        if is_begun
            && !value.is_closed
            && value.end == text.len()
            && values::is_surely_text(own, takes)
        {
            draft.settled = before + 1;
            draft.open = tag.map(|tag| OpenArgument {
                at: tag.end,
                form: Form::Tags {
                    closers: [marks.closer(), marks.around.clone()],
                    has_entities: false,
                },
            });
        }
        draft.class = draft.class.max(sure);
        at = value.end;
        if is_sure {
            draft.settled = json.len();
        }
    }
    json.push('}');
    draft.arguments = Payload::Built(json);
    end_call(text, at, &mut draft, budget);
    Some((draft, at, Shape::Pairs))
}

/// Says of a call whether its text is whole: a marker has to end it.
fn end_call(text: &str, at: usize, draft: &mut CallDraft, budget: &mut Budget) {
    let at = skip(text, at);
    match Tag::look(text, at, budget) {
        Some(tag) if tag.is_closing || is_end(&tag.normalized()) => {}
        Some(tag) if Family::opens(&tag.normalized(), None) => {
            draft.class = draft.class.max(Class::Likely);
        }
        _ => {
            budget.reached_end |= text.len() - at < super::stream::MARKER_BYTES_MAX;
            draft.complete &= at < text.len();
            draft.is_partly_read |= at < text.len();
        }
    }
}

/// A key or a value.
struct PairText<'t> {
    text: &'t str,
    end: usize,
    is_closed: bool,
}

impl<'t> PairText<'t> {
    fn closed(text: &'t str, start: usize, closer: &Tag<'t>) -> Self {
        Self {
            text: &text[start..closer.begin()],
            end: closer.end,
            is_closed: true,
        }
    }

    /// A piece whose closer is missing.
    fn open(text: &'t str, start: usize, end: usize) -> Self {
        let piece = &text[start..end];
        Self {
            text: if end < text.len() {
                piece.trim_end()
            } else {
                piece
            },
            end,
            is_closed: false,
        }
    }
}

/// Returns the next tag.
fn next<'t>(text: &'t str, mut at: usize, budget: &mut Budget) -> Option<Tag<'t>> {
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        at += found;
        if let Some(tag) = Tag::look(text, at, budget) {
            return Some(tag);
        }
        at += 1;
    }
    None
}

/// Reads a key. Without its closing tag, it ends before the next one.
fn key<'t>(text: &'t str, start: usize, marks: &Marks, budget: &mut Budget) -> PairText<'t> {
    let mut at = start;
    while let Some(tag) = next(text, at, budget) {
        let part = marks.part(&tag);
        if tag.is_closing && part == Some(PairTag::Key) {
            return PairText::closed(text, start, &tag);
        }
        if part.is_some() || tag.is_closing && marks.is_around(&tag) {
            return PairText::open(text, start, tag.start);
        }
        at = tag.end;
    }
    budget.reached_end = true;
    PairText::open(text, start, text.len())
}

/// Reads a value, which ends with the first closing tag that the next pair or the end of the call follows.
/// Calls in it are a part of it.
fn value<'t>(text: &'t str, start: usize, marks: &mut Marks, budget: &mut Budget) -> PairText<'t> {
    let (mut at, mut depth) = (start, 0_u32);
    let mut first = None;
    // Where the value ends, if it does behind a marker.
    let mut goes_on = None;
    while let Some(tag) = next(text, at, budget) {
        at = tag.end;
        let part = marks.part(&tag);
        let is_around = marks.is_around(&tag);
        if is_around && !tag.is_closing && marks.nests && marks.begins_call(text, &tag, budget) {
            depth += 1;
        } else if is_around && tag.is_closing && depth > 0 {
            depth -= 1;
        }
        if depth > 0 || is_around && !tag.is_closing {
            continue;
        }
        let after = skip(text, tag.end);
        let follows = Tag::look(text, after, budget);
        let is_closer = part == Some(PairTag::Value) && tag.is_closing;
        if is_closer {
            let is_last = follows.is_none_or(|next| {
                marks.is_around(&next)
                    || marks.part(&next) == Some(PairTag::Key)
                    || is_end_of_all(&next)
            });
            if is_last && (follows.is_some() || after == text.len() || starts_pair(&text[after..]))
            {
                budget.reached_end |= after == text.len();
                return PairText::closed(text, start, &tag);
            }
            first = first.or(Some(tag));
            continue;
        }
        let is_next = part == Some(PairTag::Key) && !tag.is_closing;
        // Within a value the marker is a word.
        let is_end = is_around && tag.is_closing && {
            let is_word = |next: Tag<'_>| marks.part(&next) == Some(PairTag::Value);
            after == text.len() || follows.is_some_and(|next| !is_word(next))
        };
        // A call of another format, which the value goes on behind.
        if is_end && first.is_none() && after < text.len() {
            goes_on = goes_on.filter(|end| *end > after);
            goes_on = goes_on.or_else(|| next_closer(text, after, marks, budget));
            if goes_on.is_some() {
                continue;
            }
        }
        if is_next || is_end {
            budget.reached_end |= is_end && after == text.len();
            return match first {
                Some(closer) => PairText::closed(text, start, &closer),
                None => PairText::open(text, start, tag.start),
            };
        }
    }
    budget.reached_end = true;
    if depth > 0 {
        marks.nests = false;
        return value(text, start, marks, budget);
    }
    match first {
        Some(closer) => PairText::closed(text, start, &closer),
        None => PairText::open(text, start, text.len()),
    }
}

/// Returns where the next closer of a value stands, if no other tag of a pair comes before it.
fn next_closer(text: &str, mut at: usize, marks: &Marks, budget: &mut Budget) -> Option<usize> {
    while let Some(tag) = next(text, at, budget) {
        budget.charge(steps_of_search(tag.start - at));
        if let Some(part) = marks.part(&tag) {
            return (part == PairTag::Value && tag.is_closing).then_some(tag.start);
        }
        at = tag.end;
    }
    budget.charge(steps_of_search(text.len() - at));
    budget.reached_end = true;
    None
}

/// Returns `true` if a tag ends calls, whosever they are, or the message.
fn is_end_of_all(tag: &Tag<'_>) -> bool {
    is_end(&tag.normalized()) || tag.is_closing && Family::opens(&tag.normalized(), None)
}

/// Reads `key=value key="value"` up to a marker that ends the call.
pub(super) fn signs(
    text: &str,
    name: &str,
    start: usize,
    schemas: &mut Schemas<'_>,
    budget: &mut Budget,
) -> Option<(CallDraft, usize)> {
    let mut draft = CallDraft {
        class: Class::Likely,
        ..CallDraft::default()
    };
    draft.set_name(name);
    let mut json = String::from("{");
    let mut at = start;
    let end = loop {
        at = skip(text, at);
        if let Some(tag) = Tag::look(text, at, budget) {
            let ends = tag.is_closing || is_end(&tag.normalized());
            break (ends && json.len() > 1).then_some(at)?;
        }
        let rest = &text[at..];
        let length = rest.find(|one: char| !(one.is_alphanumeric() || "_-.".contains(one)))?;
        let key = &rest[..length];
        let value = rest[length..].strip_prefix('=').filter(|_| length > 0)?;
        let quote = value.chars().next().filter(|one| "\"'".contains(*one));
        let (value, behind) = match quote {
            Some(quote) => value[1..].split_once(quote)?,
            None => value.split_at(value.find(|one: char| one.is_whitespace() || one == '<')?),
        };
        let after = text.len() - behind.len();
        budget.charge(after - at);
        if json.len() > 1 {
            json.push(',');
        }
        write_string(key, &mut json);
        json.push(':');
        let takes = schemas.takes(&draft.name, key);
        values::write(
            value,
            takes,
            (at, after),
            &mut json,
            &mut draft.read,
            budget,
        );
        at = after;
    };
    json.push('}');
    draft.arguments = Payload::Built(json);
    Some((draft, end))
}
