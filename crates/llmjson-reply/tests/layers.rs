//! The folders of this crate are layers: each imports only from those below it.

use std::path::Path;

#[path = "../../llmjson-schema/tests/support/layers.rs"]
mod support;

/// The folders and files at the root of the crate, the lowest first.
const LAYERS: &[&str] = &[
    "pointer",
    "insert",
    "guarded",
    "record",
    "issue",
    "issues",
    "policy",
    "de",
    "anchored",
    "reply",
    "report",
    "feedback",
    "derived_schema",
    "stream",
    "compat",
    "presets",
];

/// Modules that look at everything: the crate's face.
const ABOVE_ALL: &[&str] = &["lib"];

#[test]
fn imports_point_downwards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    support::assert_imports_point_downwards(&root, LAYERS, ABOVE_ALL, 20);
}
