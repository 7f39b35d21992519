//! A candidate fitted to a schema under a policy: the document, the changes, the remaining
//! violations, and the refusals.

use llmjson_schema::{CoerceOptions, CoercionKind, Schema, drop_invalid, replace_invalid};
use llmjson_syntax::Document;

use crate::policy::{Invalid, Policy};
use crate::reply::fit_value::fit_value;
use crate::reply::parsed::Parsed;

impl<'t> Parsed<'t> {
    /// Fits a document's value to a schema, and checks its repairs against the policy.
    pub(crate) fn of(document: Document<'t>, schema: Option<&Schema>, policy: &Policy) -> Self {
        let mut fitted = Self::unread(document, Vec::new());
        fitted.fit(schema, policy);
        fitted
    }

    /// Fits the text of a document to a schema, as a string. Any containers in it were already
    /// tried; as the text's own value they would be the same, so it is not parsed again.
    pub(crate) fn of_text(document: &Document<'t>, schema: &Schema, policy: &Policy) -> Self {
        let options = policy.coercion().clone();
        let options = options
            .without(CoercionKind::TextToContainer)
            .without(CoercionKind::DamagedTextToContainer);
        let mut fitted = Self::unread(document.to_verbatim(), Vec::new());
        fitted.fit_with(Some(schema), &options, policy);
        fitted
    }

    /// Fits the document's current candidate.
    #[inline]
    pub fn fit(&mut self, schema: Option<&Schema>, policy: &Policy) {
        self.fit_with(schema, policy.coercion(), policy);
    }

    /// Fits the current candidate with these options instead of the policy's, if one walk does it.
    #[inline]
    pub(crate) fn fit_with(
        &mut self,
        schema: Option<&Schema>,
        options: &CoerceOptions,
        policy: &Policy,
    ) {
        self.feedback_bytes = policy.limits().feedback_bytes;
        self.allows_truncated = policy.allows_truncated();
        policy.inform(&mut self.document);
        self.refused = policy.refusals(&self.document);
        if let Some(schema) = schema {
            let document = &mut self.document;
            (self.coercions, self.violations) = match policy.ways.fit {
                None => fit_value(document, schema, options, policy),
                Some(fit) => fit(document, schema, options, policy),
            };
        }
    }

    /// Drops nonconforming parts, if the policy requests that. It is done once the value is chosen:
    /// an array that contains nothing but unrelated items would conform without them.
    #[inline]
    pub(crate) fn leave_out_invalid(&mut self, schema: &Schema, policy: &Policy) {
        let asks = || policy.invalid() != Invalid::Report && !policy.is_all_or_nothing();
        if !self.violations.is_empty() && asks() {
            self.leave_out(schema, policy);
        }
    }

    #[cold]
    fn leave_out(&mut self, schema: &Schema, policy: &Policy) {
        let (judging, undeclared) = (policy.judges_by(schema), policy.undeclared());
        let violations = std::mem::take(&mut self.violations);
        let limit = policy.limits().records as usize;
        let room = limit.saturating_sub(self.coercions.len());
        let leave_out = match policy.invalid() {
            Invalid::Replace => replace_invalid,
            Invalid::Drop | Invalid::Report => drop_invalid,
        };
        let (dropped, left) = leave_out(&mut self.document, judging, undeclared, violations, room);
        self.violations = left;
        self.coercions.extend(dropped);
    }
}
