//! Coercion and validation in one go, because most values need neither.

use llmjson_syntax::Document;

use crate::coerce::{CoerceOptions, coerce_closely};
use crate::glance::Strangers;
use crate::report::{Coercion, Violation};
use crate::schema::Schema;
use crate::validate::Undeclared;

/// Makes a document's value fit a schema as [`coerce`](crate::coerce) does, then says what still
/// does not fit as [`Schema::violations`] does.
///
/// The result is that of the two calls. A value that fits as it stands, as most do, is gone over
/// once instead of twice. Without a value both lists are empty.
///
/// ```
/// use llmjson_schema::{CoerceOptions, Schema, Undeclared, fit};
///
/// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "integer"}}"#)?;
/// let mut document = llmjson_syntax::parse(r#"[1, "2", "many"]"#);
/// let options = CoerceOptions::default();
/// let (coercions, violations) = fit(&mut document, &schema, &options, Undeclared::Allow);
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
    match document.root() {
        Some(root) if options.fills() || !schema.compiled.surely_fits(root, Strangers::Suspect) => {
        }
        _ => return (Vec::new(), Vec::new()),
    }
    let before = document.root().map(|root| root.id());
    let coercions = coerce_closely(document, schema, options);
    let Some(root) = document.root() else {
        return (coercions, Vec::new());
    };
    let violations = if undeclared == Undeclared::Reject && before == Some(root.id()) {
        // The same value was just looked at with the same question.
        schema.compiled.violations_looked_for(root, undeclared)
    } else {
        schema.violations(root, undeclared)
    };
    (coercions, violations)
}
