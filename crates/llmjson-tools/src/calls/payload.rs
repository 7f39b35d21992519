//! A call's arguments before they are bound, and their position in the reply.

use std::borrow::Cow;

use llmjson_syntax::{Kind, Span, ValueRef};

use super::span_of;

/// A line that opens a fence, and a line that closes it.
const FENCE: [&str; 2] = ["```\n", "\n```"];

/// The arguments of a call.
#[derive(Clone, Debug)]
pub(super) enum Payload {
    /// JSON in the reply, at this place.
    Read((usize, usize)),
    /// JSON decoded from a string, and the place of that string's content if it is a JSON string.
    Text {
        json: String,
        string: Option<(usize, usize)>,
    },
    /// JSON assembled from tags, pairs or program literals.
    Built(String),
}

impl Payload {
    /// No arguments.
    pub(super) fn empty() -> Self {
        Self::Built("{}".to_owned())
    }

    /// Returns the arguments in a member, whose document begins at this offset of the reply. The
    /// value may be a string of JSON.
    pub(super) fn of(value: ValueRef<'_>, start: usize) -> Self {
        let span = value.span().map(|span| {
            let (from, to) = (span.start as usize, span.end as usize);
            (from + start, to + start)
        });
        match (value.as_str(), span) {
            (Some(json), string) if value.kind() == Kind::String => Self::Text {
                json: json.into_owned(),
                string,
            },
            (_, Some(place)) => Self::Read(place),
            (_, None) => Self::Built(value.to_json()),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Built(json) if json == "{}")
    }

    /// Returns the position of the arguments in the reply, if they are JSON there.
    pub(super) fn source(&self) -> Option<(usize, usize)> {
        match self {
            Self::Read(place) => Some(*place),
            Self::Text { string, .. } => *string,
            Self::Built(_) => None,
        }
    }

    /// Returns the position of the arguments' JSON in the reply: for a string, including its
    /// quotes.
    pub(super) fn json_source(&self, text: &str) -> Option<Span> {
        let (from, to) = self.source()?;
        let is_quoted = text[..from].ends_with('"') && text[to..].starts_with('"');
        match self {
            Self::Text { .. } => is_quoted.then(|| span_of((from - 1, to + 1))),
            _ => Some(span_of((from, to))),
        }
    }

    /// Returns the arguments as the model wrote them.
    pub(super) fn written<'a>(&'a self, text: &'a str) -> &'a str {
        match self {
            Self::Read((from, to)) => &text[*from..*to],
            Self::Text { json, .. } | Self::Built(json) => json,
        }
    }

    /// Returns the arguments of a call at a position as a separate text.
    pub(super) fn own<'a>(&'a self, text: &'a str, call: (usize, usize)) -> Own<'a> {
        Own {
            json: Cow::Borrowed(self.written(text)),
            place: self.source().unwrap_or(call),
            lead: matches!(self, Self::Read(_)).then_some(0),
        }
    }
}

/// The arguments of a call as a separate text.
pub(super) struct Own<'a> {
    pub(super) json: Cow<'a, str>,
    /// Their start and end in the reply.
    place: (usize, usize),
    /// The length of the text added before the reply's own; `None` if the text does not come from
    /// the reply.
    lead: Option<usize>,
}

impl Own<'_> {
    /// Reads the text, and returns `true` if it is complete. A text closed by a marker is complete
    /// if a fence around it closes it: `{"city": "Oslo"</tool_call>`.
    pub(super) fn read<R>(
        &mut self,
        is_closed: bool,
        mut read: impl FnMut(&str) -> (bool, R),
    ) -> (bool, R) {
        let (is_whole, alone) = read(&self.json);
        if is_whole || !is_closed || self.lead.is_none() {
            return (is_whole, alone);
        }
        let fenced = FENCE.join(&*self.json);
        let (is_whole, closed) = read(&fenced);
        if !is_whole {
            return (false, alone);
        }
        self.json = Cow::Owned(fenced);
        self.lead = Some(FENCE[0].len());
        (true, closed)
    }

    /// Returns the position in the reply of a span in the text. For a decoded string, this is the
    /// whole string.
    pub(super) fn placed(&self, span: Span) -> Span {
        let (start, end) = self.place;
        let Some(lead) = self.lead else {
            return span_of(self.place);
        };
        let place = |at: u32| (start + (at as usize).saturating_sub(lead)).min(end);
        span_of((place(span.start), place(span.end)))
    }

    /// Returns `true` if nothing was added around the reply's text.
    pub(super) fn is_bare(&self) -> bool {
        self.lead.is_none_or(|lead| lead == 0)
    }
}
