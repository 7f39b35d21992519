//! The folders of this crate are layers: each imports only from those below it.

use std::path::Path;

#[path = "support/layers.rs"]
mod support;

/// The folders and files at the root of the crate, the lowest first.
const LAYERS: &[&str] = &[
    "steps", "base", "convert", "normal", "ir", "check", "compile", "describe", "schema",
    "outline", "explain", "coerce", "fit", "feedback", "stream", "similar",
];

/// Modules that look at everything: the crate's face and its laws.
const ABOVE_ALL: &[&str] = &["lib", "laws", "annotate_laws"];

#[test]
fn imports_point_downwards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    support::assert_imports_point_downwards(&root, LAYERS, ABOVE_ALL, 100);
}
