//! Whether a subschema is written the usual way already, as most are: then nobody rewrites it.

use super::keyword::{Holds, is_type};
use super::tree::{Json, NodeIx, ROOT, Tree};
use super::word::known;

/// Whether a subschema has nothing to rewrite: most are written in today's dialect.
pub(super) fn is_normal(tree: &Tree, schema: NodeIx) -> bool {
    const NAMES_COMPARED: usize = 16;
    tree.members(schema).iter().all(|(keyword, value)| {
        let json = tree.get(*value);
        match keyword.holds() {
            Some(Holds::Types) => match json {
                Json::Array(names) => are_types(tree, names),
                _ => is_type(tree, *value),
            },
            Some(Holds::Names) => {
                let names = tree.items(*value);
                names.len() <= NAMES_COMPARED
                    && (names.iter().enumerate()).all(|(at, name)| {
                        names[..at]
                            .iter()
                            .all(|one| tree.get(*one) != tree.get(*name))
                    })
            }
            Some(Holds::SchemaOrSchemas) => !matches!(json, Json::Array(_)),
            Some(Holds::Schemas) => !tree.items(*value).is_empty(),
            Some(Holds::NumberOrFlag) => matches!(json, Json::Number(_)),
            Some(Holds::Count) => is_plain_count(json),
            Some(Holds::Dependencies) => false,
            Some(Holds::Flag) => !keyword.is_known(known!("nullable")),
            Some(Holds::Text) => !matches!(
                &**keyword,
                "$id" | "$anchor" | "$dynamicAnchor" | "$dynamicRef" | "$recursiveRef"
            ),
            Some(_) => true,
            None if keyword.is_known(known!("description")) => matches!(json, Json::String(_)),
            None => match &**keyword {
                "title" | "$comment" => matches!(json, Json::String(_)),
                "$schema" => schema == ROOT,
                "id" | "$recursiveAnchor" | "$vocabulary" | "deprecated" | "readOnly"
                | "writeOnly" | "examples" => false,
                _ => true,
            },
        }
    })
}

/// Whether a count is written as a number, and that in the usual way.
fn is_plain_count(json: &Json) -> bool {
    let Json::Number(text) = json else {
        return false;
    };
    let digits = text.bytes().iter().all(u8::is_ascii_digit);
    digits && (text.len() == 1 || !text.bytes().starts_with(b"0"))
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
