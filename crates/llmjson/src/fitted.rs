//! A reading that was made fit: the document, what was changed, what still does not fit, and what
//! the policy does not allow.

use llmjson_schema::{CoerceOptions, Coercion, Refusal, Schema, Violation, fit as fit_document};
use llmjson_syntax::Document;

use crate::conservative;
use crate::policy::{Binding, Policy};
use crate::reply::Parsed;

/// A reading that was made fit.
pub(crate) struct Fitted<'t> {
    pub(crate) document: Document<'t>,
    pub(crate) coercions: Vec<Coercion>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) refused: Vec<Refusal>,
}

impl<'t> Fitted<'t> {
    /// Makes a document's value fit, and asks the policy about the way it was read.
    pub(crate) fn of(mut document: Document<'t>, schema: Option<&Schema>, policy: &Policy) -> Self {
        if let Some(schema) = schema.filter(|_| policy.binding() == Binding::Object) {
            return conservative::bind(document, schema, policy);
        }
        policy.inform(&mut document);
        let refused = policy.refusals(&document);
        let Some(schema) = schema else {
            return Self::unread(document, refused);
        };
        let (coercions, violations) = fit_value(&mut document, schema, policy.coercion(), policy);
        Self {
            document,
            coercions,
            violations,
            refused,
        }
    }

    /// A document of whose value nothing is asked.
    pub(crate) fn unread(document: Document<'t>, refused: Vec<Refusal>) -> Self {
        let (coercions, violations) = (Vec::new(), Vec::new());
        Self {
            document,
            coercions,
            violations,
            refused,
        }
    }

    pub(crate) fn into_owned(self) -> Fitted<'static> {
        let Self {
            document,
            coercions,
            violations,
            refused,
        } = self;
        Fitted {
            document: document.into_owned(),
            coercions,
            violations,
            refused,
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

    pub(crate) fn into_parsed(self, schema: Option<&Schema>) -> Parsed<'t> {
        Parsed {
            document: self.document,
            schema: schema.cloned(),
            coercions: self.coercions,
            violations: self.violations,
            refused: self.refused,
        }
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
    let (mut coercions, mut violations) = fit_document(document, schema, options, undeclared);
    if let Some(as_read) = as_read
        && policy.is_all_or_nothing()
        && !violations.is_empty()
        && !coercions.is_empty()
    {
        document.edit().set_root(as_read);
        coercions.clear();
        violations = schema.violations(document.value(as_read), undeclared);
    }
    (coercions, violations)
}
