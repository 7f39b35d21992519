//! Limits how far subschemas lead to others for the same value: by references, unions, `allOf`,
//! `not` and conditions. Checking a value follows that chain, so it must be finite and short.

use super::order;
use crate::base::error::SchemaError;
use crate::normal::keyword::{Holds, holds};
use crate::normal::tree::{NodeIx, ROOT, Tree};

/// The maximum number of consecutive subschemas for one value.
const DEPTH_MAX: u32 = 128;
/// Maximum number of subschemas that are about one value, repeated ones counted each time.
const SIZE_MAX: u64 = 1_000_000;

/// Checks the subschemas in use.
pub(super) fn check(tree: &Tree, in_use: &[bool]) -> Result<(), SchemaError> {
    let leads_to = |ix: NodeIx| {
        let inner = if in_use[ix as usize] {
            in_place(tree, ix)
        } else {
            Vec::new()
        };
        inner.into_iter()
    };
    let order = order::inside_out(tree.len(), leads_to).map_err(|ix| endless(tree, ix))?;
    let extents = order::extents(&order, leads_to);
    // The first one, from the inside, that goes too far: the error is there or just below.
    for ix in order {
        let (size, depth) = extents[ix as usize];
        if depth > DEPTH_MAX {
            let message = format!("subschemas for one value nest deeper than {DEPTH_MAX}");
            return Err(tree.error(ix, message));
        }
        if size > SIZE_MAX {
            let message = format!("more than {SIZE_MAX} subschemas apply to one value");
            return Err(tree.error(ix, message));
        }
    }
    Ok(())
}

pub(super) fn endless(tree: &Tree, ix: NodeIx) -> SchemaError {
    tree.error(
        ix,
        "this subschema asks about the same value again without end",
    )
}

/// The subschemas reachable from the root. Excessive nesting of unused definitions does no harm.
pub(super) fn in_use(tree: &Tree) -> Vec<bool> {
    let mut seen = vec![false; tree.len()];
    let mut open = vec![ROOT];
    while let Some(ix) = open.pop() {
        if std::mem::replace(&mut seen[ix as usize], true) {
            continue;
        }
        open.extend(tree.references.target(ix));
        for (keyword, value) in tree.members(ix) {
            match holds(keyword) {
                _ if matches!(keyword, "$defs" | "definitions" | "additionalItems") => {}
                Some(Holds::Schema | Holds::SchemaOrSchemas) => open.push(value),
                Some(Holds::Schemas) => open.extend(tree.items(value)),
                Some(Holds::SchemaMap) => {
                    open.extend(tree.members(value).map(|(_, schema)| schema));
                }
                _ => {}
            }
        }
    }
    seen
}

/// The subschemas that a subschema asks about its own value.
fn in_place(tree: &Tree, ix: NodeIx) -> Vec<NodeIx> {
    let mut inner: Vec<NodeIx> = tree.references.target(ix).into_iter().collect();
    for (keyword, value) in tree.members(ix) {
        match keyword {
            "allOf" | "anyOf" | "oneOf" => inner.extend(tree.items(value)),
            "not" | "if" | "then" | "else" => inner.push(value),
            "dependentSchemas" => inner.extend(tree.members(value).map(|(_, ix)| ix)),
            _ => {}
        }
    }
    inner
}
