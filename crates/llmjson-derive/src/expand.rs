//! The partial type of a type.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Error, Field, Fields, FieldsNamed, GenericArgument,
    GenericParam, Generics, Ident, Index, PathArguments, Result, Type, Variant, Visibility,
    parse_quote, parse_quote_spanned,
};

use crate::attributes::{Attributes, quoted};

/// The attributes of a container that also apply to the partial type.
const OF_CONTAINERS: &[&str] = &[
    "rename_all",
    "rename_all_fields",
    "tag",
    "content",
    "crate",
    "expecting",
];

/// The attributes of a member or variant that also apply to the partial type.
const OF_PARTS: &[&str] = &["rename", "alias", "rename_all", "other"];

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
fn partial_of(of: &Type) -> Type {
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
    let mut readers = Readers::of(&name, &generics);
    let members = readers.members(fields)?;
    let shown = members
        .iter()
        .map(|member| member.shown(&member.visibility));
    let names: Vec<_> = members.iter().map(Member::placed).collect();
    let empty = members.iter().map(Member::empty);
    let (read, mark) = (members.iter().map(|member| &member.read), readers.mark());
    let shadow = readers.shadow(attributes, &quote!(struct), &quote!(#(#read)* #mark));
    let (parameters, arguments, conditions) = generics.split_for_impl();
    let path = readers.path();
    let implementation = readers.implemented(&quote! {
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
            #shadow
            #implementation
        };
    })
}

fn variants(input: &DeriveInput, attributes: &Attributes, data: &DataEnum) -> Result<TokenStream> {
    let head = head(input, attributes)?;
    let (visibility, name, generics) = (&input.vis, name(input), bounded(input)?);
    let mut readers = Readers::of(&name, &generics);
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
                        let (partial, parameter) = (partial_of(one), readers.parameter());
                        (quote!((#partial)), quote!((#parameter)))
                    }
                    _ => (quote!((#(#types),*)), quote!((#(#types),*))),
                };
                (shown, read, parts)
            }
            Fields::Named(fields) => {
                let members = readers.members(fields)?;
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
    let mark = readers.mark();
    let body =
        quote!(#[serde(skip)] __Never { never: ::core::convert::Infallible, #mark }, #(#read)*);
    let shadow = readers.shadow(attributes, &quote!(enum), &body);
    let path = readers.path();
    let implementation = readers.implemented(&quote! {
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
            #shadow
            #implementation
        };
    })
}

/// A second type of the same shape, which serde's derive macro reads. Its members have type
/// parameters instead of partial types, so a type without a partial type is one error and not one
/// per use in the code of that macro.
struct Readers<'t> {
    name: &'t Ident,
    generics: &'t Generics,
    /// The number of type parameters.
    count: usize,
    /// Functions that read members as serde would, and return `None` if that fails.
    functions: Vec<TokenStream>,
}

impl<'t> Readers<'t> {
    fn of(name: &'t Ident, generics: &'t Generics) -> Self {
        Self {
            name,
            generics,
            count: 0,
            functions: Vec::new(),
        }
    }

    /// Adds a type parameter.
    fn parameter(&mut self) -> Ident {
        self.count += 1;
        format_ident!("__T{}", self.count - 1)
    }

    /// Adds a function, and returns the path to it.
    fn add(&mut self, of: &Type, body: &TokenStream) -> String {
        let function = format_ident!("__read_{}", self.functions.len());
        self.functions.push(quote! {
            fn #function<'de, D: ::serde::Deserializer<'de>>(
                value: D,
            ) -> ::core::result::Result<#of, D::Error> {
                ::core::result::Result::Ok(#body)
            }
        });
        let (name, (_, arguments, _)) = (self.name, self.generics.split_for_impl());
        let arguments = arguments.as_turbofish();
        quoted(&quote!(#name #arguments::#function))
    }

    fn members(&mut self, fields: &FieldsNamed) -> Result<Vec<Member>> {
        let members = fields.named.iter().map(|field| Member::of(field, self));
        members.filter_map(Result::transpose).collect()
    }

    /// Returns a member that uses all parameters of the partial type.
    fn mark(&self) -> TokenStream {
        let (name, (_, arguments, _)) = (self.name, self.generics.split_for_impl());
        quote!(#[serde(skip)] __of: ::core::marker::PhantomData<fn() -> #name #arguments>,)
    }

    /// Returns the path of the second type, whose parameters for partial types are inferred.
    fn path(&self) -> TokenStream {
        let own = self
            .generics
            .params
            .iter()
            .map(|parameter| match parameter {
                GenericParam::Lifetime(one) => one.lifetime.to_token_stream(),
                GenericParam::Type(one) => one.ident.to_token_stream(),
                GenericParam::Const(one) => one.ident.to_token_stream(),
            });
        let inferred = self.parameters().map(|_| quote!(_));
        quote!(__Read::<#(#own,)* #(#inferred),*>)
    }

    fn parameters(&self) -> impl Iterator<Item = Ident> {
        (0..self.count).map(|at| format_ident!("__T{at}"))
    }

    fn shadow(
        &self,
        attributes: &Attributes,
        kind: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let kept = attributes.kept(OF_CONTAINERS);
        let expecting = attributes.serde(&["expecting"]).is_none().then(|| {
            let kind = format!("{kind} {}", self.name);
            quote!(#[serde(expecting = #kind)])
        });
        let mut generics = self.generics.clone();
        generics.params.extend(
            self.parameters()
                .map(|one| -> GenericParam { parse_quote!(#one) }),
        );
        let own = self.generics.type_params().map(|parameter| {
            let (name, bounds) = (&parameter.ident, &parameter.bounds);
            quoted(&quote!(#name: #bounds))
        });
        let read = self
            .parameters()
            .map(|one| quoted(&quote!(#one: ::serde::de::DeserializeOwned)));
        let bound = own.chain(read).collect::<Vec<_>>().join(", ");
        let conditions = &self.generics.where_clause;
        let body = quote!({ #body });
        quote! {
            #[derive(::serde::Deserialize)]
            #kept
            #expecting
            #[serde(bound(deserialize = #bound))]
            #[allow(dead_code)]
            #kind __Read #generics #conditions #body
        }
    }

    /// Returns the implementation of `Deserialize`, and the functions.
    fn implemented(&self, body: &TokenStream) -> TokenStream {
        let (name, functions) = (self.name, &self.functions);
        let (parameters, arguments, conditions) = self.generics.split_for_impl();
        let mut of_trait = self.generics.clone();
        of_trait.params.insert(0, parse_quote!('de));
        let (of_trait, ..) = of_trait.split_for_impl();
        let functions = (!functions.is_empty()).then(|| {
            quote! {
                #[automatically_derived]
                impl #parameters #name #arguments #conditions {
                    #(#functions)*
                }
            }
        });
        quote! {
            #[automatically_derived]
            impl #of_trait ::serde::Deserialize<'de> for #name #arguments #conditions {
                fn deserialize<D: ::serde::Deserializer<'de>>(
                    deserializer: D,
                ) -> ::core::result::Result<Self, D::Error> {
                    #body
                }
            }
            #functions
        }
    }
}

/// Returns `T` of `Option<T>`, by any path.
fn optional(of: &Type) -> Option<&Type> {
    let Type::Path(path) = of else {
        return None;
    };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == "Option")?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

/// A member of the partial type.
struct Member {
    ident: Ident,
    visibility: Visibility,
    /// `#[cfg(…)]`, and comments.
    copied: Vec<Attribute>,
    of: Type,
    /// The member of the type that serde reads.
    read: TokenStream,
}

impl Member {
    fn of(field: &Field, readers: &mut Readers<'_>) -> Result<Option<Self>> {
        let attributes = Attributes::of(&field.attrs)?;
        if attributes.serde(&["skip", "skip_deserializing"]).is_some() {
            return Ok(None);
        }
        let (of, is_whole) = (&field.ty, attributes.is_whole()?);
        let ident = field.ident.clone().expect("a named member");
        let (kept, flatten) = (attributes.kept(OF_PARTS), attributes.kept(&["flatten"]));
        let reader = attributes.reader()?;
        let is_flat = !flatten.is_empty() && !is_whole;
        let option =
            |of: Type| -> Type { parse_quote_spanned!(of.span()=> ::core::option::Option<#of>) };
        let shown: Type = match (is_whole || reader.is_some(), optional(of)) {
            (true, Some(_)) => of.clone(),
            (true, None) => option(of.clone()),
            (false, _) if is_flat => partial_of(of),
            (false, inner) => option(partial_of(inner.unwrap_or(of))),
        };
        let read = match reader {
            _ if is_flat => {
                let parameter = readers.parameter();
                quote!(#flatten #ident: #parameter,)
            }
            None => {
                let parameter = readers.parameter();
                let with = "::llmjson::internal::when_whole";
                quote! {
                    #kept #flatten
                    #[serde(default, deserialize_with = #with)]
                    #ident: ::core::option::Option<#parameter>,
                }
            }
            Some(reader) => {
                let body = match optional(of) {
                    Some(_) => quote!(#reader(value).unwrap_or_default()),
                    None => quote!(#reader(value).ok()),
                };
                let with = readers.add(&shown, &body);
                quote!(#kept #flatten #[serde(default, deserialize_with = #with)] #ident: #shown,)
            }
        };
        Ok(Some(Self {
            ident,
            visibility: field.vis.clone(),
            copied: attributes.copied().cloned().collect(),
            of: shown,
            read,
        }))
    }

    fn shown(&self, visibility: &Visibility) -> TokenStream {
        let (copied, ident, of) = (&self.copied, &self.ident, &self.of);
        quote!(#(#copied)* #visibility #ident: #of,)
    }

    /// Returns its name, at the place of its type.
    fn placed(&self) -> Ident {
        let mut ident = self.ident.clone();
        ident.set_span(ident.span().located_at(self.of.span()));
        ident
    }

    fn empty(&self) -> TokenStream {
        let ident = self.placed();
        quote_spanned!(ident.span()=> #ident: ::core::default::Default::default(),)
    }
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
