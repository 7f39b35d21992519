//! The derive macro `Partial` of llmjson, which is re-exported and documented as
//! `llmjson::typed::Partial`.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod attributes;
mod expand;
mod shadow;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes the type of a value that is still streaming: for `struct Trip` a `PartialTrip` with the
/// same members, all optional. Members whose types also derive this have their partial types.
///
/// Serde's attributes apply to it as well (`rename`, `rename_all`, `alias`, `flatten`, `tag`,
/// `with` and so on). A member that is missing or cannot be read yet is `None`, whatever its
/// default.
///
/// - `#[partial(derive(Clone, Debug))]` on the type: traits that the partial type derives in
///   addition to `Deserialize` and `Default`.
/// - `#[partial(whole)]` on a member: its type has no partial type and is read as a whole; it is
///   `None` until that succeeds.
///
/// An enum without data, or one that is `untagged`, is its own partial type. A struct around a
/// single type (`struct Id(String)`, `transparent`) has the partial type of that type.
#[proc_macro_derive(Partial, attributes(partial, serde))]
pub fn partial(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let made = expand::partial(&input);
    made.unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Shows the README to rustdoc.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
