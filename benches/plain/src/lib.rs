//! serde_json with its default features, whatever the rest of the build asks for. The build script
//! says where the source comes from.

#![no_std]
#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    nonstandard_style,
    missing_docs,
    unreachable_pub
)]
#![allow(
    mismatched_lifetime_syntaxes,
    macro_expanded_macro_exports_accessed_by_absolute_paths
)]

include!(concat!(env!("OUT_DIR"), "/serde_json/lib.rs"));
