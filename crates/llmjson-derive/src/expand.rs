//! The partial type of a type.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{
    Data, DataEnum, DeriveInput, Error, Field, Fields, FieldsNamed, Generics, Ident, Result, Type,
    Variant, Visibility, parse_quote,
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

fn partial_of(of: &Type) -> Type {
    parse_quote!(<#of as ::llmjson::typed::Partial>::Type)
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
fn head(input: &DeriveInput, attributes: &Attributes, is_default: bool) -> Result<TokenStream> {
    let derives = attributes.derives()?;
    let default = is_default.then(|| quote!(::core::default::Default,));
    let kept = attributes.kept(OF_CONTAINERS);
    let cfg = attributes.copied().filter(|one| one.path().is_ident("cfg"));
    let comment = format!("[`{}`] while it is still coming.", input.ident);
    let generics = bounded(input)?;
    let bounds = generics.type_params().map(|parameter| {
        let (name, bounds) = (&parameter.ident, &parameter.bounds);
        quoted(&quote!(#name: #bounds))
    });
    let bounds: Vec<_> = bounds.collect();
    let bound = (!bounds.is_empty()).then(|| {
        let bounds = bounds.join(", ");
        quote!(#[serde(bound(deserialize = #bounds))])
    });
    Ok(quote! {
        #[doc = #comment]
        #(#cfg)*
        #[derive(::serde::Deserialize, #default #(#derives),*)]
        #kept
        #bound
    })
}

fn members(
    input: &DeriveInput,
    attributes: &Attributes,
    fields: &FieldsNamed,
) -> Result<TokenStream> {
    let head = head(input, attributes, true)?;
    let (visibility, name, generics) = (&input.vis, name(input), bounded(input)?);
    let mut readers = Readers::of(&name, &generics);
    let fields = fields.named.iter();
    let fields = fields.map(|field| member(field, &field.vis, &mut readers));
    let fields = fields.collect::<Result<Vec<_>>>()?;
    let (conditions, readers) = (&generics.where_clause, readers.placed());
    Ok(quote! {
        #head
        #visibility struct #name #generics #conditions {
            #(#fields)*
        }
        #readers
    })
}

fn variants(input: &DeriveInput, attributes: &Attributes, data: &DataEnum) -> Result<TokenStream> {
    let head = head(input, attributes, false)?;
    let (visibility, name, generics) = (&input.vis, name(input), bounded(input)?);
    let mut readers = Readers::of(&name, &generics);
    let mut variants = Vec::new();
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
        let content = match &variant.fields {
            Fields::Unit => quote!(),
            Fields::Unnamed(fields) => {
                let types: Vec<_> = fields.unnamed.iter().map(|field| &field.ty).collect();
                match types[..] {
                    [one] => {
                        let one = partial_of(one);
                        quote!((#one))
                    }
                    _ => quote!((#(#types),*)),
                }
            }
            Fields::Named(fields) => {
                let fields = fields.named.iter();
                let fields =
                    fields.map(|field| member(field, &Visibility::Inherited, &mut readers));
                let fields = fields.collect::<Result<Vec<_>>>()?;
                quote!({ #(#fields)* })
            }
        };
        variants.push(quote!(#(#copied)* #kept #ident #content,));
    }
    let (conditions, readers) = (&generics.where_clause, readers.placed());
    Ok(quote! {
        #head
        #visibility enum #name #generics #conditions {
            #(#variants)*
        }
        #readers
    })
}

/// Functions that read members as serde would, and return `None` if that fails.
struct Readers<'t> {
    name: &'t Ident,
    generics: &'t Generics,
    functions: Vec<TokenStream>,
}

impl<'t> Readers<'t> {
    fn of(name: &'t Ident, generics: &'t Generics) -> Self {
        Self {
            name,
            generics,
            functions: Vec::new(),
        }
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

    fn placed(self) -> Option<TokenStream> {
        let (name, functions) = (self.name, self.functions);
        let (parameters, arguments, conditions) = self.generics.split_for_impl();
        (!functions.is_empty()).then(|| {
            quote! {
                #[automatically_derived]
                impl #parameters #name #arguments #conditions {
                    #(#functions)*
                }
            }
        })
    }
}

/// Returns `true` for `Option<T>`, by any path.
fn is_option(of: &Type) -> bool {
    let Type::Path(path) = of else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|last| last.ident == "Option")
}

fn member(
    field: &Field,
    visibility: &Visibility,
    readers: &mut Readers<'_>,
) -> Result<TokenStream> {
    let attributes = Attributes::of(&field.attrs)?;
    if attributes.serde(&["skip", "skip_deserializing"]).is_some() {
        return Ok(quote!());
    }
    let (ident, of, is_whole) = (&field.ident, &field.ty, attributes.is_whole()?);
    let (kept, copied) = (attributes.kept(OF_PARTS), attributes.copied());
    let flatten = attributes.kept(&["flatten"]);
    if !flatten.is_empty() && !is_whole {
        let partial = partial_of(of);
        return Ok(quote!(#(#copied)* #flatten #visibility #ident: #partial,));
    }
    let reader = attributes.reader()?;
    let shown: Type = match (is_whole || reader.is_some(), is_option(of)) {
        (true, true) => of.clone(),
        (true, false) => parse_quote!(::core::option::Option<#of>),
        (false, true) => partial_of(of),
        (false, false) => {
            let partial = partial_of(of);
            parse_quote!(::core::option::Option<#partial>)
        }
    };
    let read = match reader {
        None => "::llmjson::internal::when_whole".to_owned(),
        Some(reader) if is_option(of) => {
            readers.add(&shown, &quote!(#reader(value).unwrap_or_default()))
        }
        Some(reader) => readers.add(&shown, &quote!(#reader(value).ok())),
    };
    Ok(quote! {
        #(#copied)*
        #kept
        #flatten
        #[serde(default, deserialize_with = #read)]
        #visibility #ident: #shown,
    })
}
