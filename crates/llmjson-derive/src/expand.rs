//! The partial type of a type.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Data, DataEnum, DeriveInput, Error, Fields, FieldsNamed, Generics, Ident, Index, Result, Type,
    Variant, Visibility, parse_quote, parse_quote_spanned,
};

use crate::attributes::Attributes;
use crate::shadow::{Member, Shadow};

/// The attributes of a container that also apply to the partial type.
pub(crate) const OF_CONTAINERS: &[&str] = &[
    "rename_all",
    "rename_all_fields",
    "tag",
    "content",
    "crate",
    "expecting",
];

/// The attributes of a member or variant that also apply to the partial type.
pub(crate) const OF_PARTS: &[&str] = &["rename", "alias", "rename_all", "other"];

/// Returns the partial type of a type, and the implementation of the trait that names it.
pub(crate) fn partial(input: &DeriveInput) -> Result<TokenStream> {
    let attributes = Attributes::of(&input.attrs)?;
    if let Some(meta) = attributes.serde(&["from", "try_from", "remote"]) {
        let reason = "the JSON of this type is that of another one: mark members that are of it with `#[partial(whole)]`";
        return Err(Error::new_spanned(meta, reason));
    }
    if let Some(lifetime) = input.generics.lifetimes().next() {
        let reason = "a value that is still coming cannot be borrowed from";
        return Err(Error::new_spanned(lifetime, reason));
    }
    let is_transparent = attributes.serde(&["transparent"]).is_some();
    let is_untagged = attributes.serde(&["untagged"]).is_some();
    let made = match &input.data {
        Data::Union(data) => {
            let reason = "serde reads no unions";
            return Err(Error::new_spanned(data.union_token, reason));
        }
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) if !is_transparent => Some(members(input, &attributes, fields)?),
            fields => {
                // `struct Id(String)` is read like its only part.
                let mut parts = fields.iter();
                return match (parts.next(), parts.next()) {
                    (Some(part), None) => implemented(input, &partial_of(&part.ty)),
                    _ => implemented(input, &own(input)),
                };
            }
        },
        Data::Enum(data) if is_untagged || data.variants.iter().all(is_unit) => None,
        Data::Enum(data) => Some(variants(input, &attributes, data)?),
    };
    let Some(made) = made else {
        return implemented(input, &own(input));
    };
    let name = name(input);
    let (_, arguments, _) = input.generics.split_for_impl();
    let implementation = implemented(input, &parse_quote!(#name #arguments))?;
    Ok(quote!(#made #implementation))
}

fn name(input: &DeriveInput) -> Ident {
    format_ident!("Partial{}", input.ident)
}

/// Returns the type itself.
fn own(input: &DeriveInput) -> Type {
    let (name, (_, arguments, _)) = (&input.ident, input.generics.split_for_impl());
    parse_quote!(#name #arguments)
}

fn is_unit(variant: &Variant) -> bool {
    matches!(variant.fields, Fields::Unit)
}

/// Returns the partial type of a type. All tokens have the span of that type: the compiler reports
/// an error once if both derive macros cause it at the same place.
pub(crate) fn partial_of(of: &Type) -> Type {
    parse_quote_spanned!(of.span()=> <#of as ::llmjson::typed::Partial>::Type)
}

/// Returns generics whose types all have partial types, which implement the traits that the partial
/// type derives.
fn bounded(input: &DeriveInput) -> Result<Generics> {
    let derives = Attributes::of(&input.attrs)?.derives()?;
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        let bound = parse_quote!(::llmjson::typed::Partial<Type: #(#derives)+*>);
        parameter.bounds.push(bound);
    }
    Ok(generics)
}

fn implemented(input: &DeriveInput, partial: &Type) -> Result<TokenStream> {
    let name = &input.ident;
    let generics = bounded(input)?;
    let (parameters, arguments, conditions) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters ::llmjson::typed::Partial for #name #arguments #conditions {
            type Type = #partial;
        }
    })
}

/// Returns the attributes of the partial type.
fn head(input: &DeriveInput, attributes: &Attributes) -> Result<TokenStream> {
    let derives = attributes.derives()?;
    let cfg = attributes.copied().filter(|one| one.path().is_ident("cfg"));
    let comment = format!("[`{}`] while it is still coming.", input.ident);
    Ok(quote! {
        #[doc = #comment]
        #(#cfg)*
        #[derive(#(#derives),*)]
    })
}

fn members(
    input: &DeriveInput,
    attributes: &Attributes,
    fields: &FieldsNamed,
) -> Result<TokenStream> {
    let head = head(input, attributes)?;
    let (visibility, name, generics) = (&input.vis, name(input), bounded(input)?);
    let mut shadow = Shadow::of(&name, &generics);
    let members = shadow.members(fields)?;
    let shown = members
        .iter()
        .map(|member| member.shown(&member.visibility));
    let names: Vec<_> = members.iter().map(Member::placed).collect();
    let empty = members.iter().map(Member::empty);
    let (read, mark) = (members.iter().map(|member| &member.read), shadow.mark());
    let read_type = shadow.read_type(attributes, &quote!(struct), &quote!(#(#read)* #mark));
    let (parameters, arguments, conditions) = generics.split_for_impl();
    let path = shadow.path();
    let implementation = shadow.implemented(&quote! {
        let __Read { #(#names,)* .. } = #path::deserialize(deserializer)?;
        ::core::result::Result::Ok(Self { #(#names),* })
    });
    Ok(quote! {
        #head
        #visibility struct #name #generics #conditions {
            #(#shown)*
        }
        #[automatically_derived]
        impl #parameters ::core::default::Default for #name #arguments #conditions {
            fn default() -> Self {
                Self { #(#empty)* }
            }
        }
        const _: () = {
            #read_type
            #implementation
        };
    })
}

fn variants(input: &DeriveInput, attributes: &Attributes, data: &DataEnum) -> Result<TokenStream> {
    let head = head(input, attributes)?;
    let (visibility, name, generics) = (&input.vis, name(input), bounded(input)?);
    let mut shadow = Shadow::of(&name, &generics);
    let (mut shown, mut read, mut arms) = (Vec::new(), Vec::new(), Vec::new());
    for variant in &data.variants {
        let own = Attributes::of(&variant.attrs)?;
        if own.serde(&["skip", "skip_deserializing"]).is_some() {
            continue;
        }
        if let Some(meta) = own.serde(&["with", "deserialize_with", "untagged"]) {
            let reason = "a variant that is read in a way of its own has no partial one";
            return Err(Error::new_spanned(meta, reason));
        }
        let (kept, copied, ident) = (own.kept(OF_PARTS), own.copied(), &variant.ident);
        let (content, content_read, parts) = match &variant.fields {
            Fields::Unit => (quote!(), quote!(), quote!()),
            Fields::Unnamed(fields) => {
                let types: Vec<_> = fields.unnamed.iter().map(|field| &field.ty).collect();
                let parts = (0..).zip(&types).map(|(index, of)| {
                    let (span, name) = (of.span(), format_ident!("part_{index}", span = of.span()));
                    let index = Index { index, span };
                    quote_spanned!(span=> #index: #name)
                });
                let parts = quote!({ #(#parts),* });
                let (shown, read) = match types[..] {
                    [one] => {
                        let (partial, parameter) = (partial_of(one), shadow.parameter());
                        (quote!((#partial)), quote!((#parameter)))
                    }
                    _ => (quote!((#(#types),*)), quote!((#(#types),*))),
                };
                (shown, read, parts)
            }
            Fields::Named(fields) => {
                let members = shadow.members(fields)?;
                let shown = members
                    .iter()
                    .map(|member| member.shown(&Visibility::Inherited));
                let read = members.iter().map(|member| &member.read);
                let names = members.iter().map(Member::placed);
                (
                    quote!({ #(#shown)* }),
                    quote!({ #(#read)* }),
                    quote!({ #(#names),* }),
                )
            }
        };
        shown.push(quote!(#(#copied)* #ident #content,));
        read.push(quote!(#kept #ident #content_read,));
        arms.push(quote!(__Read::#ident #parts => Self::#ident #parts,));
    }
    let mark = shadow.mark();
    let body =
        quote!(#[serde(skip)] __Never { never: ::core::convert::Infallible, #mark }, #(#read)*);
    let read_type = shadow.read_type(attributes, &quote!(enum), &body);
    let path = shadow.path();
    let implementation = shadow.implemented(&quote! {
        ::core::result::Result::Ok(match #path::deserialize(deserializer)? {
            __Read::__Never { never, .. } => match never {},
            #(#arms)*
        })
    });
    let conditions = &generics.where_clause;
    Ok(quote! {
        #head
        #visibility enum #name #generics #conditions {
            #(#shown)*
        }
        const _: () = {
            #read_type
            #implementation
        };
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serde's derive macro would report an error for each partial type that it reads.
    #[test]
    fn partial_types_are_only_in_the_type_that_is_shown() {
        let inputs: [DeriveInput; 3] = [
            parse_quote!(
                struct Trip {
                    by: Vehicle,
                    stops: Vec<Stop>,
                    next: Option<Stop>,
                }
            ),
            parse_quote!(
                struct Trip {
                    #[serde(flatten)]
                    stop: Stop,
                    #[partial(whole)]
                    by: Vehicle,
                }
            ),
            parse_quote!(
                enum Step {
                    Drive { by: Vehicle, to: Option<Stop> },
                    Stay(Stop),
                    End,
                }
            ),
        ];
        for input in inputs {
            let made = partial(&input).expect("a partial type").to_string();
            let (shown, read) = made.split_once("const _").expect("two types");
            let read = read
                .split("typed :: Partial for")
                .next()
                .unwrap_or_default();
            assert!(shown.contains("typed :: Partial > :: Type"), "{shown}");
            assert!(
                read.contains("__T0") && !read.contains("Partial >"),
                "{read}"
            );
        }
    }
}
