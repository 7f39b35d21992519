//! The report on the treatment of a reply.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use llmjson::syntax::{Class, JsonOut as _, JsonText, json_members};

/// The maximum length of a report in a header, in bytes.
pub const HEADER_BYTES_MAX: usize = 1024;

/// The maximum number of places that a report lists.
pub const PLACES_MAX: usize = 100;

/// The outcome of a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The reply needed no change, and was sent byte for byte.
    #[default]
    Unchanged,
    /// Arguments or content were corrected.
    Repaired,
    /// Calls in text became `tool_calls`.
    Extracted,
    /// A part was sent as the model wrote it, because it does not conform or the policy refuses it.
    Refused,
    /// A stream ended with an error, because the whole reply contradicts the part that was sent.
    Superseded,
    /// The reply could not be read, or ended with an error.
    Failed,
}

impl Outcome {
    /// All outcomes, from the least to the most remarkable.
    pub const ALL: [Self; 6] = [
        Self::Unchanged,
        Self::Repaired,
        Self::Extracted,
        Self::Refused,
        Self::Superseded,
        Self::Failed,
    ];

    /// Returns the name, for headers and labels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Repaired => "repaired",
            Self::Extracted => "extracted",
            Self::Refused => "refused",
            Self::Superseded => "superseded",
            Self::Failed => "failed",
        }
    }
}

/// The lists of a report, in the order of [`NoteKind`].
const LISTS: [&str; 4] = ["repairs", "coercions", "violations", "reasons"];

/// Counts by name.
type Counts = BTreeMap<String, u32>;

/// A report of the changes made to a reply, for the header `x-llmjson`, the last SSE comment and
/// the report file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    outcome: Outcome,
    certainty: Option<Class>,
    retries: u32,
    /// Counts, in the order of [`LISTS`].
    counts: [Counts; 4],
    places: Vec<Place>,
}

/// A place in a reply where something was changed.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    choice: u32,
    part: String,
    kind: &'static str,
    name: String,
    span: Option<(usize, usize)>,
}

impl Report {
    /// Returns the outcome of the reply: the most remarkable outcome of its parts.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the certainty of the least certain change, or `None` if nothing was changed.
    #[must_use]
    pub const fn certainty(&self) -> Option<Class> {
        self.certainty
    }

    /// Returns the number of retries.
    #[must_use]
    pub const fn retries(&self) -> u32 {
        self.retries
    }

    /// Returns the repair kinds with their counts, by name.
    pub fn repairs(&self) -> impl Iterator<Item = (&str, u32)> {
        self.pairs(NoteKind::Repair)
    }

    /// Returns the kinds of value coercions with their counts, by name.
    pub fn coercions(&self) -> impl Iterator<Item = (&str, u32)> {
        self.pairs(NoteKind::Coercion)
    }

    /// Returns the kinds of violations and refusals with their counts, by name.
    pub fn violations(&self) -> impl Iterator<Item = (&str, u32)> {
        self.pairs(NoteKind::Violation)
    }

    /// Returns the reasons why something was not done or not as usual, as short codes: `cut`, `tool_schema`,
    /// `response_schema`, …
    pub fn reasons(&self) -> impl Iterator<Item = (&str, u32)> {
        self.pairs(NoteKind::Call)
    }

    fn pairs(&self, kind: NoteKind) -> impl Iterator<Item = (&str, u32)> {
        let counts = self.counts[kind as usize].iter();
        counts.map(|(name, count)| (name.as_str(), *count))
    }

    /// Returns the report as one line of ASCII of at most [`HEADER_BYTES_MAX`] bytes, for a header.
    #[must_use]
    pub fn header(&self) -> String {
        let mut out = format!("outcome={}", self.outcome.name());
        if let Some(certainty) = self.certainty {
            let _ = write!(out, "; certainty={}", certainty.name());
        }
        if self.retries > 0 {
            let _ = write!(out, "; retries={}", self.retries);
        }
        let lists = LISTS.iter().zip(&self.counts);
        for (title, counts) in lists.filter(|(_, counts)| !counts.is_empty()) {
            let end = out.len();
            let _ = write!(out, "; {title}=");
            for (place, (name, count)) in counts.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                let _ = write!(out, "{comma}{name}:{count}");
            }
            if out.len() > HEADER_BYTES_MAX - "; more".len() {
                out.truncate(end);
                out.push_str("; more");
                break;
            }
        }
        out.retain(|one| one.is_ascii() && !one.is_ascii_control());
        out
    }

    /// Returns the report as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let certainty = self.certainty.map(Class::name);
        JsonText::object_of(|out| {
            json_members!(out,
                "outcome": self.outcome.name(),
                "certainty"?: certainty,
                "retries": self.retries,
            );
            for (title, counts) in LISTS.iter().zip(&self.counts) {
                json_members!(out, title: { ..counts });
            }
            out.objects("places", &self.places, |place, out| {
                json_members!(out,
                    "choice": place.choice,
                    "part": &place.part,
                    "kind": place.kind,
                    "name": &place.name,
                    "start"?: place.span.map(|(start, _)| start),
                    "end"?: place.span.map(|(_, end)| end),
                );
            });
        })
    }

    /// Records the outcome of a part.
    pub(crate) fn raise(&mut self, outcome: Outcome) {
        self.outcome = self.outcome.max(outcome);
    }

    /// Records the certainty of a change.
    pub(crate) fn sure(&mut self, certainty: Class) {
        self.certainty = Some(
            self.certainty
                .map_or(certainty, |so_far| so_far.max(certainty)),
        );
    }

    pub(crate) fn set_retries(&mut self, retries: u32) {
        self.retries = retries;
    }

    /// Records why something was not done or not as usual.
    pub(crate) fn reason(&mut self, name: &str) {
        count(&mut self.counts[NoteKind::Call as usize], name);
    }

    /// Records a finding at a place in the reply, and counts it by kind.
    pub(crate) fn note(
        &mut self,
        kind: NoteKind,
        (choice, part): (u32, &str),
        name: &str,
        span: Option<(usize, usize)>,
    ) {
        count(&mut self.counts[kind as usize], name);
        if self.places.len() < PLACES_MAX {
            self.places.push(Place {
                choice,
                part: part.to_owned(),
                kind: kind.name(),
                name: name.to_owned(),
                span,
            });
        }
    }
}

/// The kind of a place in a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoteKind {
    Repair,
    Coercion,
    Violation,
    /// A call in text.
    Call,
}

impl NoteKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Repair => "repair",
            Self::Coercion => "coercion",
            Self::Violation => "violation",
            Self::Call => "call",
        }
    }
}

fn count(counts: &mut Counts, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(counts.insert(name.to_owned(), 1)),
    }
}
