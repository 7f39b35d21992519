//! A reading that was made fit: the document, what was changed, what still does not fit, and what
//! the policy does not allow.

use llmjson_schema::{
    CoerceOptions, Coercion, CoercionKind, Refusal, Schema, Violation, fit as fit_document,
};
use llmjson_syntax::{Document, Limits};

use crate::conservative;
use crate::policy::{Binding, Policy};
use crate::reply::Parsed;

/// A reading that was made fit. It is what came of the reply if it is chosen, so that a document,
/// which is large, need not be moved; only then is the schema noted down.
pub(crate) type Fitted<'t> = Parsed<'t>;

impl<'t> Parsed<'t> {
    /// Makes a document's value fit, and asks the policy about the way it was read.
    pub(crate) fn of(document: Document<'t>, schema: Option<&Schema>, policy: &Policy) -> Self {
        let mut fitted = Self::unread(document, Vec::new());
        fitted.fit(schema, policy);
        fitted
    }

    /// Makes the text of a document fit as it stands, as a string. What containers there are in it
    /// has been seen; as the text's own value they would be no other ones, so it is not read again.
    pub(crate) fn of_text(document: &Document<'t>, schema: &Schema, policy: &Policy) -> Self {
        let options = policy.coercion().clone();
        let options = options
            .without(CoercionKind::TextToContainer)
            .without(CoercionKind::DamagedTextToContainer);
        let mut fitted = Self::unread(document.to_verbatim(), Vec::new());
        fitted.fit_with(Some(schema), &options, policy);
        fitted
    }

    /// The same for the present reading of the document.
    #[inline]
    pub(crate) fn fit(&mut self, schema: Option<&Schema>, policy: &Policy) {
        self.fit_with(schema, policy.coercion(), policy);
    }

    /// The same with these options in place of the policy's where one walk does it.
    #[inline]
    pub(crate) fn fit_with(
        &mut self,
        schema: Option<&Schema>,
        options: &CoerceOptions,
        policy: &Policy,
    ) {
        if let Some(schema) = schema.filter(|_| policy.binding() == Binding::Object) {
            let document = std::mem::replace(&mut self.document, Document::verbatim(""));
            *self = conservative::bind(document, schema, policy);
            self.feedback_bytes = policy.limits().feedback_bytes;
            return;
        }
        self.feedback_bytes = policy.limits().feedback_bytes;
        policy.inform(&mut self.document);
        self.refused = policy.refusals(&self.document);
        if let Some(schema) = schema {
            (self.coercions, self.violations) =
                fit_value(&mut self.document, schema, options, policy);
        }
    }

    /// A document of whose value nothing is asked.
    #[inline]
    pub(crate) fn unread(document: Document<'t>, refused: Vec<Refusal>) -> Self {
        let (coercions, violations) = (Vec::new(), Vec::new());
        Self {
            document,
            schema: None,
            coercions,
            violations,
            refused,
            feedback_bytes: Limits::DEFAULT.feedback_bytes,
        }
    }

    /// Whether there is a value, it satisfies the schema, and the policy allows it.
    pub(crate) fn is_usable(&self) -> bool {
        self.is_valid() && self.refused.is_empty()
    }

    /// Whether there is a value and it satisfies the schema.
    pub(crate) fn is_valid(&self) -> bool {
        self.document.root().is_some() && self.violations.is_empty()
    }

    /// The result under the schema that it was made fit.
    pub(crate) fn under(mut self, schema: Option<&Schema>) -> Self {
        self.schema = schema.cloned();
        self
    }
}

/// Makes the value of a document fit, and says what was changed and what still does not fit.
pub(crate) fn fit_value(
    document: &mut Document<'_>,
    schema: &Schema,
    options: &CoerceOptions,
    policy: &Policy,
) -> (Vec<Coercion>, Vec<Violation>) {
    let as_read = document.root().map(|root| root.id());
    let undeclared = policy.undeclared();
    let (walked, judging) = (policy.opens(schema), policy.judges_by(schema));
    let (mut coercions, mut violations) = fit_document(document, walked, options, undeclared);
    if let Some(root) = document.root().filter(|_| !walked.is_same(judging)) {
        violations = judging.violations(root, undeclared);
    }
    if let Some(as_read) = as_read
        && policy.is_all_or_nothing()
        && !violations.is_empty()
        && !coercions.is_empty()
    {
        document.edit().set_root(as_read);
        coercions.clear();
        violations = judging.violations(document.value(as_read), undeclared);
    }
    (coercions, violations)
}
