//! Laws of every text that arrives in pieces.

use std::collections::BTreeSet;
use std::ops::Bound;

use llmjson_schema::{CoerceOptions, CoercedStream, Schema, to_value};
use llmjson_syntax::laws::{
    Inspections, a_stream_grows_into_the_whole, a_stream_may_end_anywhere, is_beginning_of,
    lengths_are_those_of_children, values_come_alike_in_any_pieces, work_of_streams_is_bounded,
};
use llmjson_syntax::{Change, Document, Event, Kind, Stream, ValueRef};
use serde_json::{Map, Value};

use crate::{
    parse,
    stream::{self, All},
};

/// Returns piece lengths from 1 to 24, the same for the same seed.
pub fn random_lengths(seed: u64) -> impl FnMut() -> usize {
    let mut state = seed | 1;
    move || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
        1 + (state >> 33) as usize % 24
    }
}

/// Checks all laws of a text in pieces of these lengths, used in turn.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn every_stream<L: FnMut() -> usize>(text: &str, lengths: impl Fn() -> L) {
    a_stream_grows_into_the_whole(text, lengths());
    events_build_what_is_shown(text, lengths());
    values_come_alike_in_any_pieces(text, lengths());
    a_stream_may_end_anywhere(text, lengths());
    work_of_streams_is_bounded(text, &lengths);
}

/// Checks the laws of coerced values.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn every_coerced_stream<L: FnMut() -> usize>(
    text: &str,
    schema: &Schema,
    lengths: impl Fn() -> L,
) {
    a_coerced_stream_grows_into_the_whole(text, schema, lengths());
    coerced_events_build_what_is_shown(text, schema, &lengths);
    coerced_values_come_alike_in_any_pieces(text, schema, lengths());
    super::work_of_coerced_streams_is_bounded(text, schema, lengths());
}

/// Checks that several values of one reply are coerced alike in pieces of any length.
fn coerced_values_come_alike_in_any_pieces(
    text: &str,
    schema: &Schema,
    lengths: impl FnMut() -> usize,
) {
    let show = |stream: All| {
        let values = stream.finish().into_iter().map(|(offset, finished)| {
            let parsed = finished.parsed;
            (offset, parsed.to_json(), parsed.coercions().to_vec())
        });
        values.collect::<Vec<_>>()
    };
    let mut whole = All::new(Some(schema));
    whole.push(text);
    let mut stream = All::new(Some(schema));
    for piece in pieces(text, lengths) {
        assert_eq!(stream.push_bytes(piece), Ok(()), "{text:?}");
    }
    assert_eq!(show(stream), show(whole), "{text:?}");
}

/// Checks that a reply in pieces of any length yields the result of the whole, and that its coerced
/// value on the way only grows.
///
/// # Panics
///
/// If the law does not hold.
pub fn a_coerced_stream_grows_into_the_whole(
    text: &str,
    schema: &Schema,
    lengths: impl FnMut() -> usize,
) {
    let whole = parse(text, Some(schema));
    let mut stream = CoercedStream::new(schema, CoerceOptions::default());
    let mut reply = stream::Stream::new(Some(schema));
    let mut shown = stream.shown();
    let mut snapshots = Vec::new();
    let mut inspections = Inspections::at(text);
    let (mut at, mut count_of_pieces) = (0, 0);
    for piece in pieces(text, lengths) {
        count_of_pieces += 1;
        let pushed = stream.push_bytes(piece).and(reply.push_bytes(piece));
        assert_eq!(pushed, Ok(()), "{text:?}");
        at += piece.len();
        if !inspections.is_due(at) {
            continue;
        }
        let value = stream.value();
        value.into_iter().for_each(lengths_are_those_of_children);
        let grown = shown.goes_on_in(value);
        assert!(grown, "{shown:?} became {value:?} in {text:?}");
        snapshots.extend(value.map(|value| value.to_json()));
        shown = stream.shown();
    }
    let work = stream.work().spent();
    let bound = 64 * text.len() + 65_536 + 256 * count_of_pieces;
    assert!(work <= bound as u64, "work of {work} for {text:?}");
    let finished = reply.finish();
    assert_eq!(finished.parsed.to_json(), whole.to_json(), "{text:?}");
    assert_eq!(finished.parsed.coercions(), whole.coercions(), "{text:?}");
    assert_eq!(finished.parsed.violations(), whole.violations(), "{text:?}");
    whole
        .value()
        .into_iter()
        .for_each(lengths_are_those_of_children);
    // The last inspection of a long text may lie before its end.
    let grown = stream.shown().goes_on_in(whole.value());
    assert_eq!(finished.superseded, !grown, "{text:?}");
    for snapshot in &snapshots {
        let is_kept = finished.superseded || is_beginning_of(snapshot, whole.value());
        assert!(is_kept, "{snapshot} was taken back in {text:?}");
    }
}

/// A text in pieces of these lengths.
fn pieces(text: &str, mut lengths: impl FnMut() -> usize) -> impl Iterator<Item = &[u8]> {
    let mut rest = text.as_bytes();
    std::iter::from_fn(move || {
        let (piece, later) = rest.split_at(rest.len().min(lengths().max(1)));
        rest = later;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Checks that a reader that applies all events sees the stream's value at every step, and at the
/// end the whole value and all text around it, unless it is superseded. Each value is settled once,
/// and does not change afterwards. There are no events without a request.
///
/// # Panics
///
/// If the law does not hold.
pub fn events_build_what_is_shown(text: &str, lengths: impl FnMut() -> usize) {
    let mut stream = Stream::new();
    let mut mirror = Mirror::default();
    let mut inspections = Inspections::at(text);
    let mut at = 0;
    for piece in pieces(text, lengths) {
        assert_eq!(stream.push_bytes(piece), Ok(()), "{text:?}");
        mirror.apply_all(&stream.events());
        at += piece.len();
        if inspections.is_due(at) {
            mirror.compare(stream.document().root(), text);
        }
    }
    let finished = stream.finish();
    mirror.apply_all(&finished.events);
    assert_eq!(finished.superseded, mirror.superseded, "{text:?}");
    if !finished.superseded {
        mirror.compare_whole(&finished.document);
    }
    let mut unseen = Stream::new();
    unseen.push(text);
    assert_eq!(unseen.finish().events, [], "{text:?}");
}

/// Checks the same for coerced values, whether events are requested from the first piece on, after
/// half of the text, or rarely. A value is shown once and never replaced. A caller that does not
/// request events sees the same.
fn coerced_events_build_what_is_shown<L: FnMut() -> usize>(
    text: &str,
    schema: &Schema,
    lengths: impl Fn() -> L,
) {
    for (from, every) in [(0, 1), (text.len() / 2, 1), (0, 3)] {
        let mut stream = stream::Stream::new(Some(schema));
        let mut unasked = stream::Stream::new(Some(schema));
        let mut mirror = Mirror {
            once: true,
            ..Mirror::default()
        };
        let mut inspections = Inspections::at(text);
        let mut at = 0;
        for (number, piece) in pieces(text, lengths()).enumerate() {
            let pushed = stream.push_bytes(piece).and(unasked.push_bytes(piece));
            assert_eq!(pushed, Ok(()), "{text:?}");
            at += piece.len();
            if at < from || number % every > 0 {
                continue;
            }
            mirror.apply_all(&stream.events());
            if inspections.is_due(at) {
                mirror.compare(stream.value(), text);
                let json = |stream: &stream::Stream| stream.value().map(|value| value.to_json());
                assert_eq!(json(&stream), json(&unasked), "{text:?}");
            }
        }
        let finished = stream.finish();
        mirror.apply_all(&finished.events);
        assert_eq!(finished.superseded, mirror.superseded, "{text:?}");
        if !finished.superseded {
            mirror.compare_whole(finished.parsed.document());
        }
    }
    let mut unseen = stream::Stream::new(Some(schema));
    unseen.push(text);
    assert_eq!(unseen.finish().events, [], "{text:?}");
}

/// Returns the number of values in a value, including itself.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum::<usize>(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// The view of a reader that only gets the events.
#[derive(Debug, Default)]
struct Mirror {
    value: Option<Value>,
    passed: String,
    settled: BTreeSet<String>,
    superseded: bool,
    /// No member may occur twice.
    once: bool,
    /// `true` if a number that `Value` cannot hold has arrived.
    beyond: bool,
}

impl Mirror {
    fn apply_all(&mut self, events: &[Event]) {
        for event in events {
            self.apply(event);
        }
    }

    fn apply(&mut self, event: &Event) {
        let whole = event.path.to_string();
        let path = &*whole;
        assert!(!self.superseded, "{event:?} after the end");
        match &event.change {
            Change::Passed(text) => self.passed.push_str(text),
            Change::Opened(kind) => {
                let empty = match kind {
                    Kind::Object => Value::Object(Map::new()),
                    Kind::Array => Value::Array(Vec::new()),
                    _ => Value::String(String::new()),
                };
                self.put(event, empty);
            }
            Change::Appended(piece) => {
                self.may_change(event);
                match self.at(path) {
                    Some(Value::String(text)) => text.push_str(piece),
                    other => panic!("{event:?} at {other:?}"),
                }
            }
            Change::Value(json) => {
                let value = serde_json::from_str(json);
                self.beyond |= value.is_err();
                self.put(event, value.unwrap_or_default());
            }
            Change::Closed => {
                self.may_change(event);
                let there = self.at(path);
                assert!(there.is_some_and(|value| value.is_object() || value.is_array()));
            }
            Change::Settled => {
                assert!(self.at(path).is_some(), "{event:?}");
                self.may_change(event);
                assert!(self.settled.insert(path.into()), "{event:?} twice");
            }
            Change::Superseded => self.superseded = true,
            other => panic!("{other:?}"),
        }
    }

    /// Checks that no event has settled this value or one that contains it.
    fn may_change(&self, event: &Event) {
        self.is_open(&event.path.to_string(), event);
    }

    fn is_open(&self, mut path: &str, event: &Event) {
        loop {
            assert!(!self.settled.contains(path), "{event:?} is settled");
            let Some(slash) = path.rfind('/') else { return };
            path = &path[..slash];
        }
    }

    fn at(&mut self, path: &str) -> Option<&mut Value> {
        self.value.as_mut()?.pointer_mut(path)
    }

    /// Inserts a value, or replaces a member with the same key.
    fn put(&mut self, event: &Event, value: Value) {
        let whole = event.path.to_string();
        let path = &*whole;
        let Some(slash) = path.rfind('/') else {
            assert!(self.value.is_none(), "two roots");
            self.value = Some(value);
            return;
        };
        let (parent, name) = (&path[..slash], &path[slash + 1..]);
        let inside = format!("{path}/");
        self.settled.remove(path);
        let after = (Bound::Included(&*inside), Bound::Unbounded);
        let below = self.settled.range::<str, _>(after);
        let below = below.take_while(|other| other.starts_with(&inside));
        for other in below.cloned().collect::<Vec<_>>() {
            self.settled.remove(&other);
        }
        self.is_open(parent, event);
        let once = self.once;
        match self.at(parent) {
            Some(Value::Object(members)) => {
                let name = name.replace("~1", "/").replace("~0", "~");
                let before = members.insert(name, value);
                assert!(!once || before.is_none(), "{event:?} of {before:?}");
            }
            Some(Value::Array(items)) => {
                assert_eq!(name, items.len().to_string(), "the next item");
                items.push(value);
            }
            other => panic!("{path} in {other:?}"),
        }
    }

    /// Compares the value built from events with the shown value.
    fn compare(&self, shown: Option<ValueRef<'_>>, text: &str) {
        if let Ok(shown) = shown.map(to_value).transpose()
            && !self.beyond
        {
            assert_eq!(shown, self.value, "{text:?}");
        }
    }

    /// Checks that at the end the whole value was reported, each part of it was settled, and the
    /// text around it was passed, none of it twice. More text may have been passed: text that turns
    /// out to be a value only at the end was taken for prose.
    fn compare_whole(&self, document: &Document<'_>) {
        let text = document.text();
        self.compare(document.root(), text);
        let values = self.value.as_ref().map_or(0, count);
        assert_eq!(self.settled.len(), values, "settled in {text:?}");
        let passed = bytes_of([&*self.passed]);
        let around = match (document.root(), document.span_read()) {
            (None, _) => bytes_of([text]),
            (Some(_), None) => return,
            (Some(_), Some(span)) => {
                bytes_of([&text[..span.start as usize], &text[span.end as usize..]])
            }
        };
        let all = bytes_of([text]);
        for ((passed, around), all) in passed.into_iter().zip(around).zip(all) {
            assert!(around <= passed && passed <= all, "{self:?} of {text:?}");
        }
    }
}

/// Returns the number of times that each byte occurs.
fn bytes_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> [usize; 256] {
    let mut counts = [0; 256];
    for byte in texts.into_iter().flat_map(str::bytes) {
        counts[usize::from(byte)] += 1;
    }
    counts
}
