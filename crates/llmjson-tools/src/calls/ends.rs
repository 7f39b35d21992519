//! The ends of values and calls.

use llmjson_syntax::internal::zones::lexicon::WordList;
use llmjson_syntax::{Class, Document, RepairKind, Span, steps_of_search};

use super::super::cut;
use super::budget::Budget;
use super::family::Family;
use super::json;
use super::tag::Tag;

pub(super) fn span_of((start, end): (usize, usize)) -> Span {
    Span {
        start: u32::try_from(start).unwrap_or(u32::MAX),
        end: u32::try_from(end).unwrap_or(u32::MAX),
    }
}

/// Returns `true` if a value ends in its last bracket, which a lost quote conceals from a count of
/// brackets, but not from the search.
pub(super) fn is_ended(document: &Document<'_>) -> bool {
    document.is_complete() && document.text().trim_end().ends_with(['}', ']'])
}

/// Returns `true` if no bracket of a value was closed by a repair.
pub(super) fn is_balanced(document: &Document<'_>) -> bool {
    let mut kinds = document.repairs().iter().map(|repair| repair.kind);
    kinds.all(|kind| !matches!(kind, RepairKind::UnclosedObject | RepairKind::UnclosedArray))
}

/// Returns `true` if a value that a marker ends is complete: brackets may be missing, but no text
/// is truncated.
pub(super) fn is_whole(document: &Document<'_>) -> bool {
    document.is_complete() || cut::lacks_closers_alone(document)
}

/// Returns the text of a JSON value after a marker: up to its closing bracket, or up to an earlier
/// call marker outside its strings.
pub(super) fn bounded<'t>(
    text: &'t str,
    start: usize,
    budget: &mut Budget,
) -> (&'t str, usize, bool) {
    let had_reached_end = std::mem::take(&mut budget.reached_end);
    let end = json::extent(text, start, budget);
    let is_open = std::mem::replace(&mut budget.reached_end, had_reached_end);
    let marker = next_marker(&text[..end.unwrap_or(text.len())], start, budget);
    if let Some(end) = end {
        let json = &text[start..end];
        let Some(within) = marker else {
            return (json, end, true);
        };
        let document = budget.read(json);
        let is_strict = document.repairs().is_empty() && document.is_complete();
        if is_strict || keeps(&document, text, within, budget) {
            return (json, end, true);
        }
    }
    // A marker closes a value whose brackets do not, unless more text makes the marker part of a
    // string.
    let stop = marker.unwrap_or(text.len());
    let mut brackets = json::Brackets::from(start);
    if marker.is_some() && is_open {
        budget.charge(stop - start);
        brackets.close(&text.as_bytes()[..stop]);
    }
    // A string may have other quotes: `'End with </tool_call>`.
    let may_be_text = || brackets.is_text || text[start..stop].contains(['\'', '`']);
    budget.reached_end |= is_open && (marker.is_none() || may_be_text());
    (&text[start..stop], stop, marker.is_some())
}

/// Returns `true` if a value certainly includes the marker at a position in one of its strings.
fn keeps(document: &Document<'_>, text: &str, marker: usize, budget: &mut Budget) -> bool {
    let tag = Tag::look(text, marker, budget).map(|tag| tag.raw);
    budget.charge(document.text().len());
    document.is_complete()
        && document.certainty() != Class::Guess
        && tag.is_some_and(|tag| document.to_json().is_some_and(|json| json.contains(tag)))
}

/// Returns the position of the next call marker.
pub(super) fn next_marker(text: &str, mut at: usize, budget: &mut Budget) -> Option<usize> {
    while let Some(found) = memchr::memchr2(b'<', b'[', &text.as_bytes()[at..]) {
        budget.charge(steps_of_search(found));
        if budget.is_used_up() {
            return None;
        }
        at += found;
        if Tag::look(text, at, budget).is_some_and(|tag| is_marker(&tag)) {
            return Some(at);
        }
        at += 1;
    }
    budget.charge(steps_of_search(text.len() - at));
    None
}

/// Returns `true` if a tag is a call marker.
pub(super) fn is_marker(tag: &Tag<'_>) -> bool {
    let name = tag.normalized();
    is_end(&name)
        || matches!(&*name, "channel" | "start")
        || Family::opens(&name, None)
        || tag.is_closing && matches!(&*name, "function" | "invoke")
}

/// Words that occur in the names of markers that end calls.
const ABOUT_CALLS: [&str; 6] = ["tool", "function", "action", "python", "call", "plugin"];

/// The names of other markers that end calls.
static ENDS: WordList = WordList::new(
    "call closemessage closetools end endmessage endofmsg eom eomid eot eotid imend return toolssuffix",
);

/// Names of special tokens that mean nothing for calls and are not content.
static NOISE: WordList = WordList::new(
    "beginofsentence call chatbottoken closemessage closeresponse closetools contentmodelendsampling \
    contenttext endmessage endofmsg endofsentence endoftext endofturntoken endresponse endtext eom eomid eot eotid imend \
    messagemodel openmessage openresponse return s start startresponse starttext",
);

/// Returns `true` if a marker with that name ends calls.
pub(super) fn is_end(name: &str) -> bool {
    let is_end = name.ends_with("end") || name.starts_with("end");
    is_end && ABOUT_CALLS.iter().any(|word| name.contains(word)) || ENDS.has(name)
}

/// Returns `true` if a special token means nothing for calls and is not content.
pub(super) fn is_noise(name: &str) -> bool {
    NOISE.has(name)
}

/// Returns the text from a position on, at most so many bytes.
pub(super) fn near(text: &str, from: usize, bytes: usize) -> &str {
    &text[from..text.floor_char_boundary(text.len().min(from + bytes))]
}

pub(super) fn skip(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    text.len() - text[at..].trim_start().len()
}
