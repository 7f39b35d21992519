//! The hypotheses that the search weighs at a position, to explain how a text was parsed.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::base::expected_names::{ExpectedNames, ExpectedValue};
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::base::work::Work;
use crate::parser::search::beam::Search;
pub use crate::parser::search::certainty::lead_of;
use crate::parser::search::reading::{Event, Move, Reading, SearchContainer, Want};
use crate::parser::search::text::Text;
use crate::scan::escape::decode_to;
use crate::view::write::JsonText;

/// One possible interpretation of a text, with its cost up to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// The total cost, in fifths of a bit.
    pub price: u32,
    /// The offset up to which it has read.
    pub end: usize,
    /// The interpretation of the span, as JSON: keys and values, starting where the span begins. An
    /// unfinished string ends with `…`.
    pub value: String,
    /// The moves from the beginning of the span, with their positions.
    pub moves: Vec<(String, Span)>,
}

/// Returns the hypotheses for a text, cheapest first, once all have passed a span. Their costs
/// include everything before the span.
///
/// Here the search starts at the first bracket, while normal parsing uses the strict loop up to the
/// first ambiguous position.
#[must_use]
pub fn readings(text: &str, names: Option<&ExpectedNames>, span: Span) -> Vec<Weighed> {
    let start = text.find(['{', '[']).unwrap_or(text.len());
    let allowed = Work::for_bytes(Limits::DEFAULT.work, text.len()).left();
    let allowed = usize::try_from(allowed).unwrap_or(usize::MAX);
    let mut text = Text::new(text, names);
    text.habits.rows.count(text.bytes);
    let root = SearchContainer {
        expected: names.map_or(ExpectedValue::ANY, ExpectedNames::root),
        ..SearchContainer::ROOT
    };
    let mut search = Search::new(text, allowed, Vec::from([root]));
    // Every hypothesis is listed, whatever its cost.
    search.patience = u32::MAX;
    search.live.push(Reading::new(start, 0, Want::Value));
    let behind = |search: &Search<'_>| search.live.iter().any(|reading| reading.at < span.end);
    while behind(&search) && !search.is_spent() && search.advance() {}
    let mut weighed: Vec<_> = (search.live.iter().chain(&search.ended))
        .map(|reading| weighed(&search, reading, span))
        .collect();
    weighed.sort_by_key(|one| one.price);
    weighed
}

fn weighed(search: &Search<'_>, reading: &Reading, span: Span) -> Weighed {
    let (mut moves, mut at) = (Vec::new(), reading.trail);
    while at != 0 {
        let step = search.trail[at as usize];
        if let Event::Made(what, start, end) = step.event
            && end >= span.start
        {
            moves.push((snake_case(&what), Span { start, end }));
        }
        at = step.before;
    }
    moves.reverse();
    Weighed {
        price: reading.cost,
        end: reading.at as usize,
        value: value(search, reading, span),
        moves,
    }
}

/// Returns the text read by a hypothesis from a span on.
fn value(search: &Search<'_>, reading: &Reading, span: Span) -> String {
    let (mut out, mut open) = (String::new(), Vec::new());
    let text = |start: u32, end: u32| {
        let inside = search.text.text.get(start as usize..end as usize);
        let mut decoded = String::new();
        decode_to(inside.unwrap_or_default(), &mut decoded);
        decoded
    };
    for event in search.path(reading) {
        let (token, behind) = match event {
            Event::Object(at) => (String::from('{'), at + 1),
            Event::Array(at) => (String::from('['), at + 1),
            Event::Close(end, _) => (open.pop().map_or("", |one| one).into(), end),
            Event::Name(place, ..) => (
                JsonText::of(&text(place.start, place.end)) + ":",
                place.next,
            ),
            Event::Text(place, ..) => (JsonText::of(&text(place.start, place.end)), place.next),
            Event::Bare(start, end, _) => {
                (search.text.text[start as usize..end as usize].into(), end)
            }
            Event::Null(at) => ("null".into(), at),
            Event::Made(Move::Join, _, end) => (String::from('+'), end),
            _ => continue,
        };
        match event {
            Event::Object(_) => open.push("}"),
            Event::Array(_) => open.push("]"),
            _ => {}
        }
        if behind >= span.start {
            put(&mut out, &token);
        }
    }
    if let Some(open) = reading.open {
        put(
            &mut out,
            &(JsonText::of(&text(open.start, reading.at)) + "…"),
        );
    }
    out
}

/// Appends a token, after a comma if one is needed.
fn put(out: &mut String, token: &str) {
    let follows = !out.is_empty() && !out.ends_with(['{', '[', ':', '+']);
    if follows && !token.starts_with(['}', ']', '+']) {
        out.push(',');
    }
    out.push_str(token);
}

/// Returns the name of a move, spelled like the kinds of repairs.
fn snake_case(what: &impl fmt::Debug) -> String {
    let mut name = String::new();
    for c in alloc::format!("{what:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_stand_behind_the_cheapest() {
        // The quote before the comma may close the text, or stand in it.
        let text = r#"{"a": "say "hi", and go", "b": 1}"#;
        let span = Span { start: 11, end: 16 };
        let weighed = readings(text, None, span);
        assert!(weighed.len() > 1);
        assert!(weighed.is_sorted_by_key(|one| one.price));
        assert_eq!(weighed[0].moves[0].0, "inner_quote");
        assert_eq!(weighed[0].value, r#""say \"hi\", and go""#);
        assert_ne!(weighed[1].value, weighed[0].value);
    }

    #[test]
    fn strict_text_has_one_reading_without_a_price() {
        let text = r#"{"a": 1, "b": [2]}"#;
        let weighed = readings(text, None, Span { start: 0, end: 8 });
        assert_eq!((weighed.len(), weighed[0].price), (1, 0));
        assert!(weighed[0].moves.is_empty());
    }

    #[test]
    fn any_span_of_any_text_is_answered() {
        for text in ["", "no value", "{", "[\"a\" \"b", "é{"] {
            for end in 0..=text.len() as u32 + 3 {
                let _ = readings(text, None, Span { start: 0, end });
            }
        }
    }
}
