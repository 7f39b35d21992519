//! Laws of every text. Called by the tests over the corpus and by the fuzz targets.

mod applied;
mod closed;
mod comments;
mod outside;
pub mod search;
pub mod sources;
mod truncated;
pub mod work;

pub use applied::records_lead_to_the_value;
pub use closed::closed_strings_stay_closed;
pub use comments::kept_comments_read_back;
pub use outside::nothing_of_a_larger_text_stands_outside;
pub use truncated::beginnings_are_truncated;
pub use work::{work_is_bounded, work_of_streams_is_bounded};

use crate::tape::flag;
use alloc::string::String;
use alloc::vec::Vec;

use crate::{
    Class, Document, Finished, Kind, NodeId, Parser, Repair, RepairKind, Span, Stream, StreamAll,
    ValueRef, parse,
};

/// Checks that the whole tree can be visited and printed, and that the output reads back as the
/// same value without repairs.
///
/// # Panics
///
/// If the law does not hold.
pub fn printed_value_reads_back(text: &str) {
    let document = parse(text);
    assert!(document.limit().is_none() || document.root().is_none());
    let Some(json) = document.to_json() else {
        return;
    };
    document
        .root()
        .into_iter()
        .for_each(lengths_are_those_of_children);
    let again = parse(&json);
    assert!(
        again.repairs().is_empty(),
        "{json:?} read from {text:?} needs repairs"
    );
    assert_eq!(
        again.to_json().as_deref(),
        Some(&*json),
        "read from {text:?}"
    );
    let pretty = document.to_json_pretty().unwrap_or_default();
    // Built without an intermediate text, it is the same value, and its parts are found at the same
    // places.
    let built = Document::of(&document.root());
    built
        .root()
        .into_iter()
        .for_each(lengths_are_those_of_children);
    for same in [parse(&pretty).to_json(), built.to_json()] {
        assert_eq!(same.as_deref(), Some(&*json), "read from {text:?}");
    }
    assert_eq!(built.to_json_pretty(), Some(pretty), "read from {text:?}");
}

/// The damage that becomes lenient syntax.
const LEARNED: [RepairKind; 4] = [
    RepairKind::MissingComma,
    RepairKind::MissingColon,
    RepairKind::OddSeparator,
    RepairKind::WrongCloser,
];

/// Checks that the fast path reads frequent damage like the general functions: the same value and
/// the same records. The two may differ if the work budget was used up, since they have looked at
/// different places, and in the last words of a truncated text. A guess may differ as well, since
/// another entry into the text may leave other hypotheses, and so may a value in parentheses with a
/// tuple in it. Damage that is repeated may differ, since only the fast path reads it as lenient
/// syntax once it was found twice.
///
/// # Panics
///
/// If the law does not hold.
pub fn the_fast_path_changes_nothing(text: &str) {
    let general = Parser::new().without_fast_path().parse(text);
    let document = parse(text);
    let guessed = |document: &Document<'_>| {
        let mut repairs = document.repairs().iter();
        repairs.any(|one| one.class == Class::Guess)
    };
    let repeated = |document: &Document<'_>| {
        let kind = |one: &Repair| LEARNED.contains(&one.kind);
        document.repairs().iter().filter(|one| kind(one)).count() > 2
    };
    let wrapped = |document: &Document<'_>| {
        let holds = |kind| document.repairs().iter().any(|one| one.kind == kind);
        holds(RepairKind::Wrapper) && holds(RepairKind::Tuple)
    };
    let differs = |document| guessed(document) || repeated(document) || wrapped(document);
    if differs(&general) || differs(&document) || !document.is_complete() {
        return;
    }
    assert_eq!(document.to_json(), general.to_json(), "read from {text:?}");
    assert_eq!(document.repairs(), general.repairs(), "read from {text:?}");
    assert_eq!(document.notes(), general.notes(), "read from {text:?}");
}

/// Checks that the order in which the sources of a reply are tried never changes the result, while the work
/// budget lasts.
///
/// # Panics
///
/// If the law does not hold.
pub fn the_order_of_sources_changes_nothing(text: &str) {
    let (document, other) = (
        parse(text),
        Parser::new().with_reversed_sources().parse(text),
    );
    if document.work.is_used_up() || other.work.is_used_up() {
        return;
    }
    assert_eq!(document.to_json(), other.to_json(), "read from {text:?}");
    assert_eq!(document.repairs(), other.repairs(), "read from {text:?}");
}

/// Checks that spans lie in the text, on character boundaries, and the records are in order.
///
/// # Panics
///
/// If the law does not hold.
pub fn spans_lie_in_the_text(text: &str) {
    let document = parse(text);
    let spans = (document.repairs().iter().map(|repair| repair.span))
        .chain(document.notes().iter().map(|note| note.span));
    for span in spans {
        assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}");
    }
}

/// Checks that every container reports its number of children.
///
/// # Panics
///
/// If the law does not hold.
pub fn lengths_are_those_of_children(value: ValueRef<'_>) {
    let mut open = alloc::vec![value];
    while let Some(value) = open.pop() {
        let mut length = 0;
        for (_, child) in value.entries() {
            length += 1;
            if child.node().is_container() {
                open.push(child);
            }
        }
        assert_eq!(value.len(), length, "{value:?}");
    }
}

/// Checks that values lie within their containers, in the order of the text, and that no span
/// splits a character.
///
/// # Panics
///
/// If the law does not hold.
pub fn values_lie_within_each_other(text: &str) {
    let document = parse(text);
    let Some(root) = document.root() else {
        return;
    };
    let everything = Span::new(0, text.len() as u32);
    let mut open = alloc::vec![(root, everything)];
    while let Some((value, outer)) = open.pop() {
        let span = value.span().unwrap_or(outer);
        assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}");
        let inside = outer.start <= span.start && span.end <= outer.end;
        assert!(inside, "{span:?} within {outer:?} in {text:?}");
        let members = value.members().map(|(_, value)| value);
        open.extend(value.items().chain(members).map(|value| (value, span)));
    }
}

/// Checks that the same text gives the same result.
///
/// # Panics
///
/// If the law does not hold.
pub fn reading_is_deterministic(text: &str) {
    let show = |document: Document<'_>| alloc::format!("{document:?}");
    assert_eq!(show(parse(text)), show(parse(text)));
}

/// Checks that every letter and digit of the text is in the value, under a repair, or under a note:
/// nothing is lost silently.
///
/// # Panics
///
/// If the law does not hold.
pub fn everything_is_accounted_for(text: &str) {
    let document = parse(text);
    let Some(root) = document.root() else { return };
    let mut covered = alloc::vec![false; text.len()];
    let records = (document.repairs().iter().map(|repair| repair.span))
        .chain(document.notes().iter().map(|note| note.span));
    records.for_each(|span| covered[span.range()].fill(true));
    // A repeated key is shown once, in the place of the first.
    for node in document
        .tape
        .nodes
        .iter()
        .filter(|node| node.has(flag::SHADOWED))
    {
        if !node.has(flag::KEY_SIDE) {
            covered[node.key_start as usize..node.key_end as usize].fill(true);
        }
    }
    let mut values = alloc::vec![root];
    while let Some(value) = values.pop() {
        let scalar = !matches!(value.kind(), crate::Kind::Array | crate::Kind::Object);
        if scalar && let Some(span) = value.span() {
            covered[span.range()].fill(true);
        }
        values.extend(value.items());
        for (key, value) in value.members().keyed() {
            if let Some(span) = key.span() {
                covered[span.range()].fill(true);
            }
            values.push(value);
        }
    }
    for (at, character) in text.char_indices() {
        let accounted = covered[at] || !character.is_alphanumeric();
        assert!(accounted, "byte {at} of {text:?} is nowhere: {document:?}");
    }
}

/// Checks that the values of a reply follow one another in the text, and that the chosen one is
/// among them unless it is an array of them.
///
/// # Panics
///
/// If the law does not hold.
pub fn candidates_are_in_order(text: &str) {
    let document = parse(text);
    let candidates = crate::parse_all(text);
    // Values in a reasoning block are shown even if none of them is the answer.
    let answers = candidates
        .iter()
        .filter(|one| one.origin() != crate::Origin::Reasoning);
    assert!(
        document.root().is_some() || answers.count() == 0,
        "{text:?}"
    );
    assert!(
        document.root().is_none() || !candidates.is_empty(),
        "{text:?}"
    );
    let mut end = 0;
    for candidate in &candidates {
        let span = candidate.span();
        assert!(span.start >= end, "{span:?} overlaps in {text:?}");
        assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}");
        assert!(candidate.document().to_json().is_some(), "{text:?}");
        end = span.end;
    }
    if let Some(best) = candidates.best() {
        assert_eq!(
            candidates[best].document().to_json(),
            document.to_json(),
            "{text:?}"
        );
    }
}

/// Checks that a text in pieces of any length yields the same value as the whole, that the value
/// shown on the way only grows, that settled values do not change, and that a value abandoned at
/// the end is reported as superseded.
///
/// # Panics
///
/// If the law does not hold.
pub fn a_stream_grows_into_the_whole(text: &str, mut lengths: impl FnMut() -> usize) {
    let whole = parse(text);
    let mut stream = Stream::new();
    let mut shown = Shown::of(&stream);
    let mut inspections = Inspections::at(text);
    let mut settled: Vec<(NodeId, Option<String>)> = Vec::new();
    let mut snapshots = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = text.len().min(at + lengths().max(1));
        stream
            .push_bytes(&text.as_bytes()[at..end])
            .expect("parts of a text");
        at = end;
        let is_due = inspections.is_due(at);
        shown.follow(&stream, is_due, text);
        snapshots.extend(stream.document().to_json().filter(|_| is_due));
        let now = stream.document();
        let last = NodeId((now.tape.nodes.len() as u32).wrapping_sub(1));
        let known = settled.last().is_some_and(|(id, _)| *id == last);
        if last.0 != u32::MAX && !known && stream.is_settled(last) {
            settled.push((last, Some(now.node(last).to_json())));
        }
    }
    for (id, json) in settled {
        let now = Some(stream.document().node(id).to_json());
        assert_eq!(now, json, "was settled in {text:?}");
    }
    let last = stream.clone();
    let finished = stream.finish();
    let document = &finished.document;
    assert_eq!(document.to_json(), whole.to_json(), "{text:?}");
    assert_eq!(document.repairs(), whole.repairs(), "{text:?}");
    assert_eq!(document.notes(), whole.notes(), "{text:?}");
    assert_eq!(document.is_complete(), whole.is_complete(), "{text:?}");
    assert_eq!(document.limit(), whole.limit(), "{text:?}");
    let grown = last.grows_into(document);
    assert_eq!(finished.superseded, !grown, "{text:?}");
    for snapshot in &snapshots {
        let is_kept = finished.superseded || is_beginning_of(snapshot, document.root());
        assert!(is_kept, "{snapshot} was taken back in {text:?}");
    }
}

/// Returns `true` if a value continues a snapshot, as a reader of its JSON sees it: the members and
/// items of the snapshot are present, and each of them continues its earlier state.
#[must_use]
pub fn is_beginning_of(snapshot: &str, whole: Option<ValueRef<'_>>) -> bool {
    let shown = parse(snapshot);
    let mut pairs = Vec::from_iter(shown.root().map(|shown| (shown, whole)));
    while let Some((shown, whole)) = pairs.pop() {
        let Some(whole) = whole.filter(|whole| whole.kind() == shown.kind()) else {
            return false;
        };
        match shown.kind() {
            Kind::Object => {
                pairs.extend(shown.members().map(|(name, one)| (one, whole.get(&name))))
            }
            Kind::Array => {
                let mut items = whole.items();
                pairs.extend(shown.items().map(|one| (one, items.next())));
            }
            Kind::String => {
                let (shown, whole) = (shown.as_str(), whole.as_str());
                if !whole
                    .unwrap_or_default()
                    .starts_with(&*shown.unwrap_or_default())
                {
                    return false;
                }
            }
            _ if shown.to_json() != whole.to_json() => return false,
            _ => {}
        }
    }
    true
}

/// The places at which a law inspects a text that arrives in pieces: after each piece of a short
/// text, and at few places of a longer one, so that all inspections together cost about the same.
#[derive(Clone, Copy, Debug)]
pub struct Inspections {
    gap: usize,
    next: usize,
}

impl Inspections {
    /// Returns the places for a cheap inspection.
    #[must_use]
    pub fn at(text: &str) -> Self {
        Self::within(text, 1_000)
    }

    /// Returns the places for a text, so that a text of `length` bytes is inspected at every byte.
    #[must_use]
    pub fn within(text: &str, length: usize) -> Self {
        let gap = text.len().saturating_mul(text.len()) / (length * length);
        Self { gap, next: 0 }
    }

    /// Returns `true` if an inspection is due after `bytes` bytes.
    pub fn is_due(&mut self, bytes: usize) -> bool {
        let due = bytes >= self.next;
        if due {
            self.next = bytes + self.gap;
        }
        due
    }
}

/// The state of a stream when it was last inspected.
struct Shown {
    document: Document<'static>,
    growing: Option<u32>,
    /// The open containers, in order.
    open: Vec<u32>,
}

impl Shown {
    /// Number of last nodes that are always compared.
    const LAST: usize = 32;

    fn of(stream: &Stream) -> Self {
        let document = stream.document().clone();
        let nodes = document.tape.nodes.len() as u32;
        let last = nodes.checked_sub(1);
        let is_open = |index: &u32| document.tape.is_open(*index);
        Self {
            open: (0..nodes).filter(is_open).collect(),
            document,
            growing: last.filter(|_| stream.may_grow()),
        }
    }

    /// Compares the value shown now with the one shown before, either all of it or only its end,
    /// and keeps it. Parts that were not compared are kept for a later comparison.
    fn follow(&mut self, stream: &Stream, all: bool, text: &str) {
        let now = stream.document();
        let nodes = now.tape.nodes.len().min(self.document.tape.nodes.len());
        let from = if all {
            0
        } else {
            nodes.saturating_sub(Self::LAST)
        };
        let grown = stream.continues_from(from, &self.document, self.growing);
        assert!(grown, "{:?} became {now:?} in {text:?}", self.document);
        if all {
            now.root()
                .into_iter()
                .for_each(lengths_are_those_of_children);
            *self = Self::of(stream);
            return;
        }
        let tape = &mut self.document.tape;
        let before = tape.nodes.len() as u32;
        self.open.retain(|&index| {
            let open = now.tape.is_open(index);
            if !open {
                assert!(now.tape.after(index) >= before, "{index} in {text:?}");
                tape.nodes[index as usize] = now.tape.nodes[index as usize];
            }
            open && (index as usize) < from
        });
        let later = from as u32..now.tape.nodes.len() as u32;
        self.open
            .extend(later.filter(|index| now.tape.is_open(*index)));
        tape.nodes.truncate(from);
        tape.nodes.extend_from_slice(&now.tape.nodes[from..]);
        tape.root = now.tape.root;
        if tape.side != now.tape.side {
            tape.side.clone_from(&now.tape.side);
        }
        let known = self.document.text.len();
        self.document.text.to_mut().push_str(&now.text[known..]);
        let last = (now.tape.nodes.len() as u32).checked_sub(1);
        self.growing = last.filter(|_| stream.may_grow());
    }
}

/// Checks that a stream may end between any two of its pieces, with the result of the text so far.
///
/// # Panics
///
/// If the law does not hold.
pub fn a_stream_may_end_anywhere(text: &str, mut lengths: impl FnMut() -> usize) {
    let mut stream = Stream::new();
    let mut inspections = Inspections::within(text, 400);
    let mut at = 0;
    while at < text.len() {
        let end = text.ceil_char_boundary(at + lengths().max(1));
        stream.push(&text[at..end]);
        at = end;
        if !inspections.is_due(at) {
            continue;
        }
        let so_far = &text[..at];
        let whole = parse(so_far);
        let finished = stream.clone().finish();
        let document = finished.document;
        assert_eq!(document.to_json(), whole.to_json(), "{so_far:?}");
        assert_eq!(document.repairs(), whole.repairs(), "{so_far:?}");
        assert_eq!(document.is_complete(), whole.is_complete(), "{so_far:?}");
        let grown = stream.grows_into(&document);
        assert_eq!(finished.superseded, !grown, "{so_far:?}");
    }
}

/// Checks that several values of one text are delivered alike in pieces of any length.
///
/// # Panics
///
/// If the law does not hold.
pub fn values_come_alike_in_any_pieces(text: &str, mut lengths: impl FnMut() -> usize) {
    let show = |values: alloc::collections::VecDeque<(usize, Finished)>| {
        let values = values.into_iter().map(|(offset, finished)| {
            let document = finished.document;
            let complete = document.is_complete();
            (
                offset,
                document.to_json(),
                document.repairs().to_vec(),
                complete,
            )
        });
        values.collect::<Vec<_>>()
    };
    let mut whole = StreamAll::new();
    whole.push(text);
    let mut stream = StreamAll::new();
    let mut at = 0;
    while at < text.len() {
        let end = text.len().min(at + lengths().max(1));
        stream
            .push_bytes(&text.as_bytes()[at..end])
            .expect("parts of a text");
        at = end;
    }
    assert_eq!(show(stream.finish()), show(whole.finish()), "{text:?}");
}
