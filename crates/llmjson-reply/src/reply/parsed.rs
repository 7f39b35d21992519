//! The result of reading a reply.

use std::fmt;
use std::ops::Index;
use std::sync::OnceLock;

use llmjson_schema::{AllowedRepairs, Coercion, Failure, FormatNote, Refusal, Schema, Violation};
use llmjson_syntax::{Class, Document, Limits, Note, Repair, Truncation, ValueRef};
use serde_json::Value;

use crate::policy::{Found, Policy};

/// The result of parsing a reply: the best value, how it was read, the changes made to fit the
/// schema, and the remaining violations.
///
/// It borrows the reply. Parsing never fails. Check [`conforms`](Self::conforms), or call
/// [`into_result`](Self::into_result) for a `Result`.
#[derive(Clone, Debug)]
pub struct Parsed<'t> {
    #[doc(hidden)]
    pub document: Document<'t>,
    #[doc(hidden)]
    pub schema: Option<Schema>,
    #[doc(hidden)]
    pub coercions: Vec<Coercion>,
    #[doc(hidden)]
    pub violations: Vec<Violation>,
    #[doc(hidden)]
    pub refused: Vec<Refusal>,
    /// The value as serde has it, for indexing; computed on first use.
    pub(crate) indexed: OnceLock<Box<Value>>,
    /// The notes about formats, computed on first use.
    pub(crate) format_notes: OnceLock<Box<[FormatNote]>>,
    /// The maximum length of the feedback in bytes.
    pub(crate) feedback_bytes: u32,
    /// `true` if the policy accepts a truncated value where only the value is returned.
    pub(crate) allows_truncated: bool,
}

/// A coerced candidate. It is the result of the reply if it is chosen, so that a document, which is
/// large, need not be moved; only then is the schema stored.
pub(crate) type Fitted<'t> = Parsed<'t>;

impl<'t> Parsed<'t> {
    /// Returns the value, or `None` if the reply has none.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        self.document.root()
    }

    /// Returns the value with the record of how it was read.
    #[must_use]
    pub fn document(&self) -> &Document<'t> {
        &self.document
    }

    /// Returns the value with the record of how it was read.
    #[must_use]
    pub fn into_document(self) -> Document<'t> {
        self.document
    }

    /// Returns the same result with its own copy of the reply.
    #[must_use]
    pub fn into_owned(self) -> Parsed<'static> {
        Parsed {
            document: self.document.into_owned(),
            schema: self.schema,
            coercions: self.coercions,
            violations: self.violations,
            refused: self.refused,
            indexed: self.indexed,
            format_notes: self.format_notes,
            feedback_bytes: self.feedback_bytes,
            allows_truncated: self.allows_truncated,
        }
    }

    /// Returns every change made to read the text as JSON.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        self.document.repairs()
    }

    /// Returns the notes: facts worth knowing that needed no repair.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        self.document.notes()
    }

    /// Returns a note for each string that matches its format
    /// [leniently](crate::policy::FormatStrictness::Lenient) but not strictly. Computed on the
    /// first call.
    #[must_use]
    pub fn format_notes(&self) -> &[FormatNote] {
        self.format_notes.get_or_init(|| {
            let asked = self.schema.as_ref().zip(self.document.root());
            let notes = asked.map(|(schema, root)| schema.format_notes(root));
            notes.unwrap_or_default().into()
        })
    }

    /// Returns every change made to fit the value to the schema.
    #[must_use]
    pub fn coercions(&self) -> &[Coercion] {
        &self.coercions
    }

    /// Returns every remaining violation of the schema.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Returns everything the policy refuses: repairs, truncation, duplicate keys. Under the
    /// default policy, only `schema_repeated` can appear.
    #[must_use]
    pub fn refused(&self) -> &[Refusal] {
        &self.refused
    }

    /// Returns `true` if there is a value, the policy allows it, and it satisfies the schema, if
    /// one was given.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.document.root().is_some() && self.violations.is_empty() && self.refused.is_empty()
    }

    /// Returns `true` if the value was not truncated. Otherwise the value is only the beginning of
    /// the intended one, and a caller with side effects should refuse it.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.document.is_complete()
    }

    /// Returns which part of a truncated value is missing, or `None` if the value is complete.
    #[must_use]
    pub fn truncation(&self) -> Option<Truncation> {
        self.document.truncation()
    }

    /// Returns `true` if [`certainty`](Self::certainty) is [`Class::Certain`]: every change has
    /// only one interpretation, and the reply was not truncated.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.certainty() == Class::Certain
    }

    /// Returns how certain it is that the value is the intended one: the least certain class of its
    /// repairs, notes and coercions. A truncated value is never certain, since its last number or
    /// word may be incomplete.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::syntax::Class;
    ///
    /// assert_eq!(llmjson::parse("{a: 'x'}", None).certainty(), Class::Certain);
    /// assert_eq!(llmjson::parse("{a: [1, 12", None).certainty(), Class::Likely);
    /// ```
    #[must_use]
    pub fn certainty(&self) -> Class {
        let formats = self.format_notes().iter().map(|_| FormatNote::CLASS);
        let coercions = self.coercions.iter().map(|coercion| coercion.class);
        (formats.chain(coercions)).fold(self.document.certainty(), Class::max)
    }

    /// Returns the value as compact JSON, or `None` if there is none.
    #[must_use]
    pub fn to_json(&self) -> Option<String> {
        self.document.to_json()
    }

    /// Returns the value if it satisfies the schema, the policy allows it, and it is not truncated.
    /// A truncated value is returned if the policy [allows](crate::Policy::allow_truncated) it;
    /// [`into_document`](Self::into_document) returns any value.
    ///
    /// # Errors
    ///
    /// If there is no value, if it violates the schema, or if the policy refuses it; pass the error
    /// to [`stringify()`](crate::stringify) for feedback. The failure owns its text, so `?` works
    /// in any function.
    pub fn into_result(mut self) -> Result<Document<'t>, Failure> {
        if self.conforms() {
            self.refuse_truncated();
        }
        match self.conforms() {
            true => Ok(self.document),
            false => Err(self.into_failure()),
        }
    }

    /// Refuses a conforming but truncated value, unless the policy allows one where only the value
    /// is returned.
    #[doc(hidden)]
    pub fn refuse_truncated(&mut self) {
        if !self.allows_truncated {
            self.refused = AllowedRepairs::ALL
                .without_truncated()
                .refusals(&self.document);
        }
    }

    /// Returns why the value does not conform: the error of [`into_result`](Self::into_result).
    #[must_use]
    pub fn into_failure(self) -> Failure {
        let failure = Failure::new(self.document, self.schema.as_ref(), self.violations);
        let limits = Limits::DEFAULT.with_feedback_bytes(self.feedback_bytes);
        failure.with_refusals(self.refused).with_limits(limits)
    }

    /// Creates the result of a document whose value is not coerced.
    #[inline]
    pub(crate) fn unread(document: Document<'t>, refused: Vec<Refusal>) -> Self {
        let (coercions, violations) = (Vec::new(), Vec::new());
        Self {
            document,
            schema: None,
            coercions,
            violations,
            refused,
            indexed: OnceLock::new(),
            format_notes: OnceLock::new(),
            feedback_bytes: Limits::DEFAULT.feedback_bytes,
            allows_truncated: false,
        }
    }

    /// Creates the result of a value that a policy's own function found.
    pub(crate) fn found(found: Found<'t>, policy: &Policy) -> Self {
        let (coercions, violations) = found.fit;
        Self {
            coercions,
            violations,
            feedback_bytes: policy.limits().feedback_bytes,
            allows_truncated: policy.allows_truncated(),
            ..Self::unread(found.document, found.refused)
        }
    }

    /// Returns `true` if there is a value, it satisfies the schema, and the policy allows it.
    pub(crate) fn is_usable(&self) -> bool {
        self.is_valid() && self.refused.is_empty()
    }

    /// Returns `true` if there is a value and it satisfies the schema.
    pub(crate) fn is_valid(&self) -> bool {
        self.document.root().is_some() && self.violations.is_empty()
    }

    /// Adds the schema that the value was coerced to.
    pub(crate) fn under(mut self, schema: Option<&Schema>, policy: &Policy) -> Self {
        if let Some(schema) = schema {
            self.leave_out_invalid(schema, policy);
        }
        self.schema = schema.map(|schema| policy.asks(schema).clone());
        self
    }
}

/// Formats the value as JSON, or with `{:#}` as JSON over several lines; nothing if there is none.
impl fmt::Display for Parsed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.document, f)
    }
}

/// Returns a part of the value as serde has it; null if there is none. The first use converts the
/// whole value with [`to_value`](Parsed::to_value); [`value`](Parsed::value) has views without
/// conversion.
///
/// ```
/// # use llmjson_reply as llmjson;
/// let parsed = llmjson::parse("{city: 'Oslo', stops: [{name: 'Hamar'}]}", None);
/// assert_eq!(parsed["city"], "Oslo");
/// assert_eq!(parsed["stops"][0]["name"], "Hamar");
/// assert!(parsed["days"].is_null());
/// ```
impl<I: serde_json::value::Index> Index<I> for Parsed<'_> {
    type Output = Value;

    fn index(&self, index: I) -> &Value {
        let value = self
            .indexed
            .get_or_init(|| Box::new(self.to_value().unwrap_or_default()));
        &value[index]
    }
}
