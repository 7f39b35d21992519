//! The report of what became of a reply, and refusals of requests.

/// What became of a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// It needed nothing, and went out byte for byte as it came.
    #[default]
    Unchanged,
    /// Arguments or content were corrected.
    Repaired,
    /// Calls in texts became `tool_calls`.
    Lifted,
    /// Something went out as the model wrote it, since it does not conform or the policy does not allow it.
    Refused,
    /// What a stream had sent stays, though the whole reply gives another value.
    Superseded,
    /// The reply could not be read, or the upstream ended it with an error.
    Failed,
}

impl Outcome {
    /// All outcomes, from the least remarkable on.
    pub const ALL: [Self; 6] = [
        Self::Unchanged,
        Self::Repaired,
        Self::Lifted,
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
            Self::Lifted => "lifted",
            Self::Refused => "refused",
            Self::Superseded => "superseded",
            Self::Failed => "failed",
        }
    }
}

/// What was done to a reply, for the header `x-llmjson`, the last SSE comment and the report file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    outcome: Outcome,
    retries: u32,
}

impl Report {
    /// Returns what became of the reply.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the number of further requests.
    #[must_use]
    pub const fn retries(&self) -> u32 {
        self.retries
    }

    /// Returns the kinds of repairs and their numbers, by name.
    pub fn repairs(&self) -> impl Iterator<Item = (&str, u32)> {
        std::iter::empty()
    }

    /// Returns the report as one line of ASCII of bounded length, for a header.
    #[must_use]
    pub fn header(&self) -> String {
        format!("outcome={}", self.outcome.name())
    }

    /// Returns the report as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        format!(r#"{{"outcome":"{}"}}"#, self.outcome.name())
    }
}

/// A request that is refused, with its status code and the dialect's error body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejection {
    /// The status code of HTTP.
    pub status: u16,
    /// The body, as JSON.
    pub body: Vec<u8>,
}
