//! Coercion and validation in one call, because most values need neither.

use llmjson_syntax::Document;

use crate::base::report::{Coercion, Violation};
use crate::base::undeclared::Undeclared;
use crate::check::fast_check::Findings;
use crate::coerce::{CoerceOptions, coerce_closely};
use crate::schema::Schema;

/// Coerces a document's value as [`coerce`](crate::coerce) does, and returns the remaining
/// violations as [`Schema::violations`] does.
///
/// The result equals the two separate calls. A conforming value, the usual case, is walked once
/// instead of twice. Without a value, both vectors are empty.
///
/// ```
/// use llmjson_schema::{CoerceOptions, Schema, Undeclared, fit};
///
/// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "integer"}}"#)?;
/// let mut document = llmjson_syntax::parse(r#"[1, "2", "many"]"#);
/// let options = CoerceOptions::default();
/// let (coercions, violations) = fit(&mut document, &schema, &options, Undeclared::Keep);
/// assert_eq!(coercions[0].path.to_string(), "$input[1]");
/// assert_eq!(violations[0].path.to_string(), "$input[2]");
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
pub fn fit(
    document: &mut Document<'_>,
    schema: &Schema,
    options: &CoerceOptions,
    undeclared: Undeclared,
) -> (Vec<Coercion>, Vec<Violation>) {
    let schema = schema.allowing(undeclared);
    let compiled = &*schema.compiled;
    let mut findings = Findings::default();
    let mut fits = |root| compiled.surely_fits(root, Undeclared::Reject, &mut findings);
    match document.root() {
        Some(root) if options.changes_fitting() || !fits(root) => {}
        _ => return (Vec::new(), Vec::new()),
    }
    let before = document.root().map(|root| root.id());
    let coerced = coerce_closely(document, schema, options, findings, undeclared);
    let Some(root) = document.root() else {
        return (coerced.coercions, Vec::new());
    };
    let mut spent = 0;
    let violations = match undeclared {
        Undeclared::Reject if coerced.is_declared => Vec::new(),
        // The same value was just checked with the same settings.
        Undeclared::Reject if before == Some(root.id()) => {
            compiled.violations_looked_for(root, undeclared, Findings::default(), &mut spent)
        }
        Undeclared::Reject => {
            compiled.violations(root, undeclared, Findings::default(), &mut spent)
        }
        _ if coerced.is_valid => Vec::new(),
        _ => compiled.violations(root, undeclared, coerced.findings, &mut spent),
    };
    document.work_mut().charge(spent);
    (coerced.coercions, violations)
}
