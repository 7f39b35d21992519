//! Fits a value to a schema under a policy: coercion, then validation.

use llmjson_schema::{CoerceOptions, Coercion, Schema, Violation, fit};
use llmjson_syntax::Document;

use crate::policy::Policy;

/// Fits a document's value to a schema, and returns the changes and the remaining violations.
pub fn fit_value(
    document: &mut Document<'_>,
    schema: &Schema,
    options: &CoerceOptions,
    policy: &Policy,
) -> (Vec<Coercion>, Vec<Violation>) {
    let as_read = document.root().map(|root| root.id());
    let undeclared = policy.undeclared();
    let (walked, judging) = (policy.opens(schema), policy.judges_by(schema));
    let (mut coercions, mut violations) = fit(document, walked, options, undeclared);
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
        violations = judging.violations(document.node(as_read), undeclared);
    }
    (coercions, violations)
}
