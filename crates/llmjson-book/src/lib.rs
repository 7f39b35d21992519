//! Compiles and runs the Rust of the book in `docs` and of the README, a documentation test for each block.
//!
//! `cargo test -p llmjson-book` runs them, and checks the book's structure and links. What its shell
//! blocks print is compared by `cargo test -p llmjson-cli --test cli book`.

#![forbid(unsafe_code)]

/// Makes an item of each page, whose documentation is the page. A page with Rust that is missing here
/// fails `every_page_with_rust_is_compiled` in `tests/book.rs`.
macro_rules! pages {
    ($($item:ident: $page:literal,)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../../docs/src/", $page))]
            pub struct $item;
        )*
    };
}

pages! {
    Readme: "../../README.md",
    FirstReply: "first-reply.md",
    WhichCall: "which-call.md",
    ThreeTypes: "three-types.md",
    Schemas: "schemas.md",
    RustTypes: "types.md",
    Feedback: "feedback.md",
    Certainty: "certainty.md",
    Truncation: "truncation.md",
    Policies: "policies.md",
    Text: "text.md",
    Programs: "programs.md",
    Streams: "streams.md",
    Tools: "tools.md",
    Calls: "calls.md",
    Retries: "retries.md",
    Async: "async.md",
    Columns: "columns.md",
    Guarantees: "guarantees.md",
    Limits: "limits.md",
    Notations: "notations.md",
    WhenNot: "when-not.md",
    Baml: "moving/baml.md",
    Typia: "moving/typia.md",
}
