//! Removal of undeclared members: exactly the members that validation would reject.

use llmjson_syntax::Document;

use super::cut::Places;
use crate::base::report::{Coercion, CoercionKind, Found};
use crate::base::undeclared::Undeclared;
use crate::schema::Schema;

/// Removes the undeclared members from a document's value, and records them.
///
/// A value that would no longer be valid without them keeps them.
pub(super) fn drop_undeclared(document: &mut Document<'_>, schema: &Schema) -> Vec<Coercion> {
    let Some(root) = document.root() else {
        return Vec::new();
    };
    let mut violations = schema.violations(root, Undeclared::Reject);
    violations.retain(|one| one.keyword == "additionalProperties");
    if violations.is_empty() {
        return Vec::new();
    }
    let (was_valid, root) = (schema.is_valid(root), root.id());
    let places = Places::of(document, root, violations.iter().map(|one| &one.path));
    let mut goes = vec![false; places.all.len()];
    places.ends.iter().for_each(|at| goes[*at] = true);
    let node = places.without(document, &goes, &[]).unwrap_or(root);
    document.edit().set_root(node);
    // `minProperties` may need an undeclared member.
    if was_valid && !schema.is_valid(document.node(node)) {
        document.edit().set_root(root);
        return Vec::new();
    }
    let records = violations.into_iter().filter_map(|one| match one.found {
        Found::Value(before) => Some(Coercion {
            kind: CoercionKind::DropUndeclared,
            class: CoercionKind::DropUndeclared.class(),
            path: one.path,
            before,
            after: None,
            violations: Vec::new(),
        }),
        Found::Missing => None,
    });
    records.collect()
}
