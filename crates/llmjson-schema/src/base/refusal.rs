//! Parser results that a caller does not allow, and their messages.

use std::fmt;

use llmjson_syntax::{Document, LineIndex, Repair, RepairKind, Span};

use crate::base::annotation::{Annotation, AnnotationPath};
use crate::base::path::Path;

/// Maximum number of places listed for one kind of refusal; the others are counted.
const PLACES_SHOWN: usize = 5;

/// Maximum length of a quoted piece of the reply.
const SHOWN_BYTES_MAX: usize = 60;

/// A property of a reply that the caller does not allow.
///
/// Displays as one sentence with the byte position; a [`Failure`](crate::Failure) has the text and
/// shows line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A repair needed to read the text.
    Repair(Repair),
    /// The text ended before its value did; the span is the end of the text.
    Truncated(Span),
    /// A duplicate key.
    DuplicateKey(Span),
    /// The reply repeats the schema at this span instead of giving a value of it.
    Schema(Span),
}

impl Refusal {
    /// Returns the stable snake_case name: the name of the repair, `truncated`, `duplicate_key` or
    /// `schema_repeated`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Repair(repair) => repair.kind.name(),
            Self::Truncated(_) => "truncated",
            Self::DuplicateKey(_) => "duplicate_key",
            Self::Schema(_) => "schema_repeated",
        }
    }

    /// Returns the byte span in the text.
    #[must_use]
    pub const fn span(self) -> Span {
        match self {
            Self::Repair(repair) => repair.span,
            Self::Truncated(span) | Self::DuplicateKey(span) | Self::Schema(span) => span,
        }
    }

    /// Returns a sentence for people: lower case, without a full stop.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Repair(repair) => repair.kind.sentence(),
            Self::Truncated(_) => "the text ended before its value did",
            Self::DuplicateKey(_) => "a member's name comes more than once",
            Self::Schema(_) => "the reply repeats the schema instead of a value of it",
        }
    }

    /// Returns the sentence with line and column in the text.
    pub(crate) fn located(self, lines: &LineIndex<'_>) -> String {
        let place = lines.position(self.span().start);
        let (line, column, byte) = (place.line, place.column, self.span().start);
        let (name, sentence) = (self.name(), self.sentence());
        format!("{sentence} ({name}) at line {line}, column {column} (byte {byte})")
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sentence, name, start) = (self.sentence(), self.name(), self.span().start);
        write!(f, "{sentence} ({name}) at byte {start}")
    }
}

/// Returns the feedback: one annotation for each kind of refusal, all about the whole value,
/// because the problem is in the text rather than in a place of the value.
pub(crate) fn annotations(document: &Document<'_>, refusals: &[Refusal]) -> Vec<Annotation> {
    let lines = LineIndex::new(document.text());
    let place = |refusal: &Refusal| {
        let place = lines.position(refusal.span().start);
        format!("line {}, column {}", place.line, place.column)
    };
    let cut = refusals
        .iter()
        .find(|refusal| matches!(refusal, Refusal::Truncated(_)));
    let repairs = refusals.iter().filter(|refusal| match refusal {
        Refusal::Repair(repair) => cut.is_none() || !is_of_the_end(repair.kind),
        _ => false,
    });
    let repairs = listed(repairs, |refusal| {
        let text = excerpt(document, *refusal);
        format!("{}: {}{text}", place(refusal), refusal.sentence())
    });
    let duplicates = refusals
        .iter()
        .filter(|refusal| matches!(refusal, Refusal::DuplicateKey(_)));
    let duplicates = listed(duplicates, |refusal| {
        format!("{}{}", place(refusal), excerpt(document, *refusal))
    });
    let mut annotations = Vec::new();
    let mut say = |expected: &str, description: String| {
        let path = AnnotationPath::Place(Path::root());
        annotations.push(Annotation::new(path, expected).with_description(description));
    };
    if let Some(cut) = cut {
        let description = format!(
            "The reply broke off at {}, before the value was whole.\n\nPlease write the whole value \
             next time, more briefly if it is too long.",
            place(cut)
        );
        say("a value with an end", description);
    }
    if let Some(repairs) = repairs {
        let description = format!(
            "The reply is not the JSON value alone. Reading it took what is not allowed \
             here:\n{repairs}\n\nPlease write the value as strict JSON next time, with nothing \
             around it."
        );
        say("strict JSON", description);
    }
    if let Some(duplicates) = duplicates {
        let description = format!(
            "These members come more than once, so nobody knows which value is \
             meant:\n{duplicates}\n\nPlease write each member once next time."
        );
        say("each member once", description);
    }
    annotations
}

/// Returns `true` if a repair only repeats that the text is truncated.
const fn is_of_the_end(kind: RepairKind) -> bool {
    use RepairKind as Kind;
    matches!(
        kind,
        Kind::UnclosedObject
            | Kind::UnclosedArray
            | Kind::UnclosedString
            | Kind::CutEscape
            | Kind::CutKeyword
            | Kind::CutNumber
            | Kind::CutMember
    )
}

/// Returns a list of the first few, and the number of the others, or nothing if there are none.
fn listed<'r>(
    refusals: impl Iterator<Item = &'r Refusal>,
    show: impl Fn(&Refusal) -> String,
) -> Option<String> {
    let mut list = String::new();
    let mut more = 0;
    for (count, refusal) in refusals.enumerate() {
        if count >= PLACES_SHOWN {
            more += 1;
            continue;
        }
        if count > 0 {
            list.push('\n');
        }
        list.push_str("- ");
        list.push_str(&show(refusal));
    }
    if more > 0 {
        list.push_str(&format!("\n- and {more} more"));
    }
    (!list.is_empty()).then_some(list)
}

/// Returns the text in question, if there is any and it is short: for a member, its key.
fn excerpt(document: &Document<'_>, refusal: Refusal) -> String {
    let text = document.text().get(refusal.span().range());
    let mut text = text.unwrap_or_default();
    if matches!(refusal, Refusal::DuplicateKey(_)) {
        text = text.split(['"', '\'', ':']).next().unwrap_or_default();
    }
    // A fence in the feedback would need a longer one around it.
    if text.is_empty() || text.len() > SHOWN_BYTES_MAX || text.contains('`') {
        return String::new();
    }
    format!(" (`{text}`)")
}
