//! Laws of schemas that are rendered for providers.

use llmjson_schema::{Schema, Undeclared, document_from_value};
use serde_json::{Value, json};

use crate::tools::{LintCode, Rendered, SchemaTarget};

/// Checks all laws of any schema for any provider: the rendered schema is valid, rendering it again
/// changes nothing, the provider rejects only reported features, and its size is linear.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn every_target(schema: &Schema) {
    for target in SchemaTarget::ALL {
        rendered_is_taken(target, schema);
    }
}

/// Checks the laws of a schema at one provider. Returns the rendered schema.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn rendered_is_taken(target: SchemaTarget, schema: &Schema) -> Rendered {
    let given = schema.as_json();
    let rendered = target.render(schema);
    let json = rendered.as_json();
    let most = 24 * given.len() + 400_000;
    assert!(
        json.len() < most,
        "{target} grows to {} bytes: {given}",
        json.len()
    );
    let again = Schema::from_text(json)
        .unwrap_or_else(|error| panic!("{target} writes {json} for {given}: {error}"));
    assert_eq!(
        target.render(&again).as_json(),
        json,
        "{target} writes what it wrote for {given} in another way"
    );
    let left = rendered.unsupported();
    for lint in target.lint(&again) {
        let is_same = |one: &&_| {
            let one: &crate::tools::Lint = one;
            (&one.keyword, &one.message) == (&lint.keyword, &lint.message)
        };
        assert!(
            lint.code != LintCode::Refused || left.iter().any(|one| is_same(&one)),
            "{lint} in what {target} writes for {given}: {json}"
        );
    }
    rendered
}

/// Checks that a value that fits a schema without undeclared members also fits the provider's
/// schema, unless the rendering is reported to exclude values or to require strings. Writing
/// OpenAI's optional members as null is left to the caller.
///
/// # Panics
///
/// If the law does not hold.
pub fn what_fits_fits_the_rendered(target: SchemaTarget, schema: &Schema, value: &Value) {
    let document = document_from_value(value);
    let fits = (document.root())
        .is_some_and(|root| schema.violations(root, Undeclared::Reject).is_empty());
    let rendered = target.render(schema);
    let is_lossy = rendered
        .unsupported()
        .iter()
        .any(|lint| lint.code == LintCode::Lost);
    if !fits || is_lossy {
        return;
    }
    // If the root may be anything, objects are expected.
    let asks_for_object = rendered.to_value()["type"] == "object";
    if rendered.wrapper().is_none() && asks_for_object && !value.is_object() {
        return;
    }
    let whole = match rendered.wrapper() {
        Some(name) => json!({name: value}),
        None => value.clone(),
    };
    let asked = Schema::from_text(rendered.as_json()).expect("what was rendered is a schema");
    // Whether other members are allowed differs between providers: a schema that does not say is
    // closed.
    assert!(
        asked.opened().validate(&whole).is_ok(),
        "{target}: {value} fits {} and not {}",
        schema.as_json(),
        rendered.as_json()
    );
}
