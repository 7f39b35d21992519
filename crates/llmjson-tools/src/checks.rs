//! Lints of tools, checked at registration.
//!
//! Each kind of check has its own file. The checks iterate over the [`subschemas`] of a schema,
//! which are collected once. They take time linear in the size of the schema, since schemas may be
//! untrusted.

mod contradictions;
mod examples;
mod fields;
mod findings;
mod metadata;
mod names;
mod options;
mod references;
mod subschemas;
mod targets;

use llmjson_schema::Schema;
use llmjson_syntax::Document;

use super::tool::Tool;
pub(super) use findings::Findings;
pub(super) use subschemas::Subschemas;
pub(super) use targets::TargetCheck;

/// Checks a tool and the text of its schema. Examples and defaults are only checked if the schema
/// could be compiled.
pub(super) fn check(
    tool: &Tool,
    text: &Document<'_>,
    schema: Option<&Schema>,
    targets: &[TargetCheck],
    findings: &mut Findings<'_>,
) {
    options::check(tool, findings);
    let is_strict = text.repairs().is_empty();
    let Some(root) = text.root().filter(|_| is_strict) else {
        return;
    };
    let Some(subschemas) = Subschemas::of(root) else {
        return;
    };
    references::check(&subschemas, findings);
    metadata::check(&subschemas, text, findings);
    contradictions::check(&subschemas, findings);
    fields::check(tool, &subschemas, findings);
    names::check(tool, &subschemas, findings);
    if let Some(schema) = schema {
        examples::check(tool, &subschemas, findings);
        targets::check(targets, schema, findings);
    }
}
