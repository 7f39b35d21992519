//! Whether a subschema is written the usual way already, as most are: then nobody rewrites it.

use super::keyword::{Holds, type_name};
use super::tree::{Json, NodeIx, ROOT, Tree};

/// Whether a subschema has nothing to rewrite: most are written in today's dialect.
pub(super) fn is_normal(tree: &Tree, schema: NodeIx) -> bool {
    const NAMES_COMPARED: usize = 16;
    tree.members(schema).iter().all(|(keyword, value)| {
        let json = tree.get(*value);
        match &**keyword {
            "type" => match json {
                Json::Array(names) => are_types(tree, names),
                _ => is_type(tree, *value),
            },
            "description" | "title" | "$comment" => matches!(json, Json::String(_)),
            "required" => {
                let names = tree.items(*value);
                names.len() <= NAMES_COMPARED
                    && (names.iter().enumerate()).all(|(at, name)| {
                        names[..at]
                            .iter()
                            .all(|one| tree.get(*one) != tree.get(*name))
                    })
            }
            "items" => !matches!(json, Json::Array(_)),
            "allOf" | "prefixItems" => !tree.items(*value).is_empty(),
            "exclusiveMinimum" | "exclusiveMaximum" => matches!(json, Json::Number(_)),
            "$schema" => schema == ROOT,
            "$id" | "id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" | "$vocabulary"
            | "$dynamicRef" | "$recursiveRef" | "dependencies" | "nullable" | "deprecated"
            | "readOnly" | "writeOnly" | "examples" => false,
            _ => keyword.holds() != Some(Holds::Count) || is_plain_count(json),
        }
    })
}

/// Whether a count is written as a number, and that in the usual way.
fn is_plain_count(json: &Json) -> bool {
    let Json::Number(text) = json else {
        return false;
    };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text.len() == 1 || !text.starts_with('0'))
}

fn is_type(tree: &Tree, name: NodeIx) -> bool {
    (tree.text(name)).is_some_and(|name| type_name(name) == Some(name))
}

/// Whether all are names of types, none of them twice.
fn are_types(tree: &Tree, names: &[NodeIx]) -> bool {
    const TYPES: usize = 7;
    let repeats = |at: usize| {
        names[..at]
            .iter()
            .any(|one| tree.get(*one) == tree.get(names[at]))
    };
    names.len() <= TYPES
        && (names.iter().enumerate()).all(|(at, name)| is_type(tree, *name) && !repeats(at))
}
