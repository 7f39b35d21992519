//! The type that serde's derive macro reads in place of the partial type.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, Field, FieldsNamed, GenericArgument, GenericParam, Generics, Ident, PathArguments,
    Result, Type, Visibility, parse_quote, parse_quote_spanned,
};

use crate::attributes::{Attributes, quoted};
use crate::expand::{OF_CONTAINERS, OF_PARTS, partial_of};

/// A second type of the same shape, which serde's derive macro reads. Its members have type
/// parameters instead of partial types, so a type without a partial type is one error and not one
/// per use in the code of that macro.
pub(crate) struct Shadow<'t> {
    name: &'t Ident,
    generics: &'t Generics,
    /// The number of type parameters.
    count: usize,
    /// Functions that read members as serde would, and return `None` if that fails.
    functions: Vec<TokenStream>,
}

impl<'t> Shadow<'t> {
    pub(crate) fn of(name: &'t Ident, generics: &'t Generics) -> Self {
        Self {
            name,
            generics,
            count: 0,
            functions: Vec::new(),
        }
    }

    /// Adds a type parameter.
    pub(crate) fn parameter(&mut self) -> Ident {
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

    pub(crate) fn members(&mut self, fields: &FieldsNamed) -> Result<Vec<Member>> {
        let members = fields.named.iter().map(|field| Member::of(field, self));
        members.filter_map(Result::transpose).collect()
    }

    /// Returns a member that uses all parameters of the partial type.
    pub(crate) fn mark(&self) -> TokenStream {
        let (name, (_, arguments, _)) = (self.name, self.generics.split_for_impl());
        quote!(#[serde(skip)] __of: ::core::marker::PhantomData<fn() -> #name #arguments>,)
    }

    /// Returns the path of the second type, whose parameters for partial types are inferred.
    pub(crate) fn path(&self) -> TokenStream {
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

    pub(crate) fn read_type(
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
    pub(crate) fn implemented(&self, body: &TokenStream) -> TokenStream {
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
pub(crate) struct Member {
    ident: Ident,
    pub(crate) visibility: Visibility,
    /// `#[cfg(…)]`, and comments.
    copied: Vec<Attribute>,
    of: Type,
    /// The member of the type that serde reads.
    pub(crate) read: TokenStream,
}

impl Member {
    pub(crate) fn of(field: &Field, shadow: &mut Shadow<'_>) -> Result<Option<Self>> {
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
                let parameter = shadow.parameter();
                quote!(#flatten #ident: #parameter,)
            }
            None => {
                let parameter = shadow.parameter();
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
                let with = shadow.add(&shown, &body);
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

    pub(crate) fn shown(&self, visibility: &Visibility) -> TokenStream {
        let (copied, ident, of) = (&self.copied, &self.ident, &self.of);
        quote!(#(#copied)* #visibility #ident: #of,)
    }

    /// Returns its name, at the place of its type.
    pub(crate) fn placed(&self) -> Ident {
        let mut ident = self.ident.clone();
        ident.set_span(ident.span().located_at(self.of.span()));
        ident
    }

    pub(crate) fn empty(&self) -> TokenStream {
        let ident = self.placed();
        quote_spanned!(ident.span()=> #ident: ::core::default::Default::default(),)
    }
}
