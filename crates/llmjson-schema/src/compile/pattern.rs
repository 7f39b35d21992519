//! Has every pattern of a schema compiled by the engine that will run it.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::normal::Normal;
use crate::normal::tree::{Json, NodeIx};
use crate::schema::SchemaError;

/// Fails with a pattern that cannot be used.
pub(super) fn check(normal: &Normal) -> Result<(), SchemaError> {
    let tree = &normal.tree;
    let mut seen = HashSet::new();
    let mut patterns: Vec<(NodeIx, &str)> = Vec::new();
    for &schema in &normal.references.schemas {
        for (keyword, value) in tree.members(schema) {
            match (&**keyword, tree.get(*value)) {
                ("pattern", Json::String(pattern)) => patterns.push((*value, pattern)),
                ("patternProperties", Json::Object(members)) => {
                    patterns.extend(members.iter().map(|(pattern, value)| (*value, &**pattern)));
                }
                _ => {}
            }
        }
    }
    patterns.retain(|&(_, pattern)| seen.insert(pattern));
    if patterns.is_empty() {
        return Ok(());
    }
    let all = patterns
        .iter()
        .map(|(_, pattern)| json!({ "pattern": pattern }));
    let schema = json!({ "allOf": all.collect::<Vec<Value>>() });
    let Err(error) = crate::oracle::options().build(&schema) else {
        return Ok(());
    };
    // The place of the pattern in the list is the second step of the error's path.
    let path = error.instance_path().as_str();
    let at = path
        .split('/')
        .nth(2)
        .and_then(|step| step.parse::<usize>().ok())
        .unwrap_or(0);
    let (node, pattern) = patterns[at.min(patterns.len() - 1)];
    Err(tree.error(node, format!("{pattern:?} is not a regular expression")))
}
