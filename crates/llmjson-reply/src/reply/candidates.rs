//! All values of a reply, each coerced separately.

use std::ops::Deref;

use llmjson_schema::Schema;
use llmjson_syntax::{Origin, Parser, Span};

use crate::policy::{LENIENT, Policy};
use crate::reply::parsed::{Fitted, Parsed};

/// One value of a reply, coerced to the schema, with its place in the text. See [`parse_all`].
///
/// It dereferences to [`Parsed`].
#[derive(Clone, Debug)]
pub struct ParsedCandidate<'t> {
    parsed: Parsed<'t>,
    span: Span,
    origin: Origin<'t>,
}

impl<'t> ParsedCandidate<'t> {
    /// Returns the value and its records.
    #[must_use]
    pub fn parsed(&self) -> &Parsed<'t> {
        &self.parsed
    }

    /// Returns the value and its records.
    #[must_use]
    pub fn into_parsed(self) -> Parsed<'t> {
        self.parsed
    }

    /// Returns the byte span of the value in the reply.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the text that the value is part of: a code fence, a tag, a reasoning block, or
    /// prose.
    #[must_use]
    pub fn origin(&self) -> Origin<'t> {
        self.origin
    }
}

impl<'t> Deref for ParsedCandidate<'t> {
    type Target = Parsed<'t>;

    fn deref(&self) -> &Self::Target {
        &self.parsed
    }
}

/// Parses all values of a reply, in text order, and coerces each to the schema. This includes
/// values in reasoning blocks: see [`ParsedCandidate::origin`].
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::syntax::Origin;
///
/// let reply = "First {\"n\": 1}, then:\n```json\n{\"n\": 2}\n```";
/// let all = llmjson::parse_all(reply, None);
/// let values: Vec<_> = all.iter().filter_map(|one| one.to_json()).collect();
/// assert_eq!(values, [r#"{"n":1}"#, r#"{"n":2}"#]);
/// assert_eq!(all[1].origin(), Origin::Fence);
/// ```
#[must_use]
pub fn parse_all<'t>(text: &'t str, schema: Option<&Schema>) -> Vec<ParsedCandidate<'t>> {
    LENIENT.parse_all(text, schema)
}

impl Policy {
    /// Parses all values of a reply as [`parse_all`] does, with the changes that the policy allows.
    ///
    /// The policy does not filter the values: a refused value is returned and does not
    /// [conform](Parsed::conforms). If one of the policy's limits is exceeded there are none, and
    /// [`parse`](Self::parse) reports which limit it was. If the [finish
    /// reason](Policy::with_finish_reason) implies truncation, the last value is truncated.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Policy;
    ///
    /// let reply = "Draft: {n: 1}\n```json\n{\"n\": 2}\n```";
    /// let all = Policy::strict().parse_all(reply, None);
    /// let conform: Vec<_> = all.iter().map(|one| one.conforms()).collect();
    /// assert_eq!(conform, [false, true]);
    /// assert_eq!(all[0].refused()[0].name(), "unquoted_key");
    /// ```
    #[must_use]
    pub fn parse_all<'t>(
        &self,
        text: &'t str,
        schema: Option<&Schema>,
    ) -> Vec<ParsedCandidate<'t>> {
        let mut parser = Parser::new().with_limits(self.limits());
        let candidates = parser.parse_all(text);
        let last = candidates.len().saturating_sub(1);
        let of_whole = self.before_finish();
        let candidates = candidates.into_iter().enumerate();
        candidates
            .map(|(place, candidate)| {
                let policy = if place < last { &*of_whole } else { self };
                let (span, origin) = (candidate.span(), candidate.origin());
                let parsed =
                    Fitted::of(candidate.into_document(), schema, policy).under(schema, policy);
                policy.emit(&parsed);
                ParsedCandidate {
                    parsed,
                    span,
                    origin,
                }
            })
            .collect()
    }
}
