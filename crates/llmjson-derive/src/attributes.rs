//! The attributes of a type, a variant and a member.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, ExprPath, Lit, Meta, Path, Result, Token};

/// The attributes of one item.
pub(crate) struct Attributes {
    /// The parts of `#[serde(…)]`.
    serde: Vec<Meta>,
    /// The parts of `#[partial(…)]`.
    partial: Vec<Meta>,
    /// `#[cfg(…)]`, and comments.
    copied: Vec<Attribute>,
}

type Metas = Punctuated<Meta, Token![,]>;

impl Attributes {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut of = Self {
            serde: Vec::new(),
            partial: Vec::new(),
            copied: Vec::new(),
        };
        for attribute in attributes {
            let path = attribute.path();
            if path.is_ident("serde") {
                of.serde
                    .extend(attribute.parse_args_with(Metas::parse_terminated)?);
            } else if path.is_ident("partial") {
                of.partial
                    .extend(attribute.parse_args_with(Metas::parse_terminated)?);
            } else if ["doc", "cfg"].iter().any(|name| path.is_ident(name)) {
                of.copied.push(attribute.clone());
            }
        }
        Ok(of)
    }

    pub(crate) fn copied(&self) -> impl Iterator<Item = &Attribute> {
        self.copied.iter()
    }

    /// Returns serde's argument with one of these names.
    pub(crate) fn serde(&self, names: &[&str]) -> Option<&Meta> {
        self.serde.iter().find(|meta| is_one(meta, names))
    }

    /// Returns all of serde's arguments with these names, as attributes.
    pub(crate) fn kept(&self, names: &[&str]) -> TokenStream {
        let kept = self.serde.iter().filter(|meta| is_one(meta, names));
        quote!(#(#[serde(#kept)])*)
    }

    /// Returns the path of the function that serde uses to read a member.
    pub(crate) fn reader(&self) -> Result<Option<ExprPath>> {
        let Some(meta) = self.serde(&["with", "deserialize_with"]) else {
            return Ok(None);
        };
        let Expr::Lit(ExprLit {
            lit: Lit::Str(path),
            ..
        }) = &meta.require_name_value()?.value
        else {
            return Err(Error::new_spanned(meta, "expected a path in quotes"));
        };
        let mut reader: ExprPath = path.parse()?;
        if meta.path().is_ident("with") {
            let function = syn::PathSegment::from(syn::Ident::new("deserialize", path.span()));
            reader.path.segments.push(function);
        }
        Ok(Some(reader))
    }

    /// Returns `true` if the member is read without a partial type.
    pub(crate) fn is_whole(&self) -> Result<bool> {
        for meta in &self.partial {
            if !matches!(meta, Meta::Path(path) if path.is_ident("whole")) {
                return Err(Error::new_spanned(meta, "expected `whole`"));
            }
        }
        Ok(!self.partial.is_empty())
    }

    /// Returns the traits that the partial type must derive.
    pub(crate) fn derives(&self) -> Result<Vec<Path>> {
        let mut derives = Vec::new();
        for meta in &self.partial {
            let list = match meta {
                Meta::List(list) if list.path.is_ident("derive") => list,
                _ => return Err(Error::new_spanned(meta, "expected `derive(…)`")),
            };
            derives.extend(list.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)?);
        }
        Ok(derives)
    }
}

fn is_one(meta: &Meta, names: &[&str]) -> bool {
    names.iter().any(|name| meta.path().is_ident(name))
}

/// Returns a path as serde expects it, in quotes.
pub(crate) fn quoted(path: &impl ToTokens) -> String {
    path.to_token_stream().to_string()
}
