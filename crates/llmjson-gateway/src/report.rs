//! The report of what became of a reply.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use llmjson::syntax::{Class, JsonOut, JsonText};

/// Maximum length of a report in a header, in bytes.
pub const HEADER_BYTES_MAX: usize = 1024;

/// Maximum number of places that a report lists.
pub const PLACES_MAX: usize = 100;

/// The outcome of a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The reply needed nothing, and went out byte for byte as it came.
    #[default]
    Unchanged,
    /// Arguments or content were corrected.
    Repaired,
    /// Calls in texts became `tool_calls`.
    Extracted,
    /// A part went out as the model wrote it, since it does not conform or the policy does not allow it.
    Refused,
    /// A stream ended with an error, since the whole reply contradicts the value that was begun.
    Superseded,
    /// The reply could not be read, or ended with an error.
    Failed,
}

impl Outcome {
    /// All outcomes, from the least remarkable on.
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

/// Numbers of occurrences by name.
type Counts = BTreeMap<String, u32>;

/// A report of what was done to a reply, for the header `x-llmjson`, the last SSE comment and the report file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    outcome: Outcome,
    certainty: Option<Class>,
    retries: u32,
    repairs: Counts,
    coercions: Counts,
    violations: Counts,
    reasons: Counts,
    places: Vec<Place>,
}

/// A place of a reply at which something was done.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    choice: u32,
    part: String,
    kind: &'static str,
    name: String,
    span: Option<(usize, usize)>,
}

impl Report {
    /// Returns what became of the reply: the most remarkable outcome of its parts.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the least certainty of what was changed; `None` if nothing was.
    #[must_use]
    pub const fn certainty(&self) -> Option<Class> {
        self.certainty
    }

    /// Returns the number of further requests.
    #[must_use]
    pub const fn retries(&self) -> u32 {
        self.retries
    }

    /// Returns the kinds of repairs of texts, and their numbers, by name.
    pub fn repairs(&self) -> impl Iterator<Item = (&str, u32)> {
        pairs(&self.repairs)
    }

    /// Returns the kinds of coercions of values, and their numbers, by name.
    pub fn coercions(&self) -> impl Iterator<Item = (&str, u32)> {
        pairs(&self.coercions)
    }

    /// Returns the kinds of violations, and of what a policy does not allow, with their numbers.
    pub fn violations(&self) -> impl Iterator<Item = (&str, u32)> {
        pairs(&self.violations)
    }

    /// Returns why something was not done or not as usual, as short names: `cut`, `tool_schema`, `response_schema`, …
    pub fn reasons(&self) -> impl Iterator<Item = (&str, u32)> {
        pairs(&self.reasons)
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
        let lists = [
            ("repairs", &self.repairs),
            ("coercions", &self.coercions),
            ("violations", &self.violations),
            ("reasons", &self.reasons),
        ];
        for (title, counts) in lists.into_iter().filter(|(_, counts)| !counts.is_empty()) {
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
        JsonText::object_of(|out| {
            out.member("outcome", self.outcome.name());
            if let Some(certainty) = self.certainty {
                out.member("certainty", certainty.name());
            }
            out.name("retries");
            out.number(&self.retries.to_string());
            let lists = [
                ("repairs", &self.repairs),
                ("coercions", &self.coercions),
                ("violations", &self.violations),
                ("reasons", &self.reasons),
            ];
            for (title, counts) in lists {
                out.object_in(title, |out| {
                    for (name, count) in counts {
                        out.name(name);
                        out.number(&count.to_string());
                    }
                });
            }
            out.objects("places", &self.places, |place, out| {
                out.name("choice");
                out.number(&place.choice.to_string());
                out.member("part", place.part.as_str());
                out.member("kind", place.kind);
                out.member("name", place.name.as_str());
                if let Some((start, end)) = place.span {
                    out.name("start");
                    out.number(&start.to_string());
                    out.name("end");
                    out.number(&end.to_string());
                }
            });
        })
    }

    /// Notes an outcome of a part.
    pub(crate) fn raise(&mut self, outcome: Outcome) {
        self.outcome = self.outcome.max(outcome);
    }

    /// Notes down how sure a change is.
    pub(crate) fn sure(&mut self, certainty: Class) {
        self.certainty = Some(
            self.certainty
                .map_or(certainty, |so_far| so_far.max(certainty)),
        );
    }

    pub(crate) fn set_retries(&mut self, retries: u32) {
        self.retries = retries;
    }

    /// Notes why something was not done or not as usual.
    pub(crate) fn reason(&mut self, name: &str) {
        count(&mut self.reasons, name);
    }

    /// Notes something at a place of the reply, and counts it by its kind.
    pub(crate) fn note(
        &mut self,
        kind: NoteKind,
        (choice, part): (u32, &str),
        name: &str,
        span: Option<(usize, usize)>,
    ) {
        let counts = match kind {
            NoteKind::Repair => &mut self.repairs,
            NoteKind::Coercion => &mut self.coercions,
            NoteKind::Violation => &mut self.violations,
            NoteKind::Call => &mut self.reasons,
        };
        count(counts, name);
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
    /// A call in a text.
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

fn pairs(counts: &Counts) -> impl Iterator<Item = (&str, u32)> {
    counts.iter().map(|(name, count)| (name.as_str(), *count))
}
