//! The derive macro `Partial` of llmjson, which re-exports it as `llmjson::typed::Partial` and says there what it makes.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod attributes;
mod expand;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes the type of a value that is still coming: for `struct Trip` a `PartialTrip`, whose members are those of `Trip`,
/// all optional, and likewise the members of members whose types derive this too.
///
/// Serde's attributes hold for it as well (`rename`, `rename_all`, `alias`, `flatten`, `tag`, `with` and so on); what is
/// not there or cannot be read yet is `None`, whatever its default.
///
/// - `#[partial(derive(Clone, Debug))]` on the type: traits that the partial type derives besides `Deserialize` and
///   `Default`.
/// - `#[partial(whole)]` on a member: its type, which has no partial one, is read as it is, `None` until that works.
///
/// An enum without data, or one that is `untagged`, is its own partial type. A struct around a single type
/// (`struct Id(String)`, `transparent`) has that of what it holds.
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
