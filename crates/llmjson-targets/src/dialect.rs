//! The tables of all provider dialects. Each dialect is one file, with its keywords, its limits,
//! and its special rendering.
//!
//! The tables follow the providers' documentation. If their servers are known to differ, the file
//! says so. A provider's rules are data here as far as possible: code that checks for a provider
//! would have to be found each time a new one is added.

mod anthropic;
mod gemini_json;
mod gemini_openapi;
pub(crate) mod keyword;
mod mcp;
mod openai_strict;

use llmjson_schema::internal::source::{NodeIx as Ix, Source};

use crate::SchemaTarget;
use crate::graph::Graph;
use crate::render::SchemaDraft;
use crate::types::Types;

/// A provider's support for a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Support {
    /// Enforced, or an annotation.
    Supported,
    /// Accepted and not enforced.
    Ignored,
    /// Rejected: the request fails.
    Refused,
}

/// A custom rendering that shares nothing with other dialects.
pub(crate) type Render = for<'g> fn(&'g Source, &Graph<'_>) -> SchemaDraft<'g>;

/// The table of a dialect. Name lists are separated by spaces.
pub(crate) struct Dialect {
    /// The stable name.
    pub(crate) name: &'static str,
    /// The provider's name for messages.
    pub(crate) title: &'static str,
    pub(crate) supported: &'static str,
    pub(crate) ignored: &'static str,
    pub(crate) refused: &'static str,
    /// The support for keywords that are in none of these lists.
    pub(crate) others: Support,
    /// The supported formats of strings; `*` for all.
    pub(crate) text_formats: &'static str,
    /// The supported formats of numbers; `*` for all.
    pub(crate) number_formats: &'static str,
    /// Returns `true` if a regular expression is supported.
    pub(crate) takes_pattern: fn(&str) -> bool,
    /// The types of the values that `enum` and `const` may have.
    pub(crate) enum_values: Types,
    pub(crate) limits: Bounds,
    /// The root must be an object.
    pub(crate) requires_root_object: bool,
    /// The root may be a union of objects.
    pub(crate) allows_root_union: bool,
    /// Every object must have `"additionalProperties": false`.
    pub(crate) requires_closed_objects: bool,
    /// Every object must declare members.
    pub(crate) requires_declared_members: bool,
    /// Every member must be required; optional ones are written as nullable.
    pub(crate) requires_all_members: bool,
    pub(crate) recursion: Recursion,
    /// Each subschema must have a type, and each array `items`.
    pub(crate) requires_type: bool,
    /// References may point anywhere, not only to `$defs`.
    pub(crate) allows_any_reference: bool,
    /// A reference may have other keywords next to it.
    pub(crate) allows_reference_siblings: bool,
    /// `type` may be an array, and its names are in lower case. Otherwise it is one name in upper
    /// case, with `nullable`, as in OpenAPI 3.0.
    pub(crate) allows_type_lists: bool,
    /// `minItems` may be more than 1.
    pub(crate) allows_any_min_items: bool,
    /// The order of members is given separately, in `propertyOrdering`.
    pub(crate) orders_members: bool,
    /// A custom rendering.
    pub(crate) render: Option<Render>,
}

/// The places in which a schema may refer to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recursion {
    Refused,
    /// Optional members only, so that a value can end.
    ThroughOptional,
    Free,
}

/// All dialects, in the order of [`SchemaTarget::ALL`].
pub(crate) const DIALECTS: [&Dialect; 5] = [
    &openai_strict::DIALECT,
    &anthropic::DIALECT,
    &gemini_openapi::DIALECT,
    &gemini_json::DIALECT,
    &mcp::DIALECT,
];

impl SchemaTarget {
    pub(crate) const fn dialect(self) -> &'static Dialect {
        DIALECTS[self as usize]
    }
}

impl Dialect {
    /// All of JSON Schema, without limits: each table states how its provider differs.
    const FREE: Self = Self {
        name: "",
        title: "",
        supported: "",
        ignored: "",
        refused: "",
        others: Support::Supported,
        text_formats: "*",
        number_formats: "*",
        takes_pattern: |_| true,
        enum_values: Types::ALL,
        limits: Bounds::NONE,
        requires_root_object: false,
        allows_root_union: true,
        requires_closed_objects: false,
        requires_declared_members: false,
        requires_all_members: false,
        recursion: Recursion::Free,
        requires_type: false,
        allows_any_reference: true,
        allows_reference_siblings: true,
        allows_type_lists: true,
        allows_any_min_items: true,
        orders_members: false,
        render: None,
    };

    /// Returns the support of a keyword.
    pub(crate) fn support(&self, keyword: &str) -> Support {
        if is_among(self.supported, keyword) {
            Support::Supported
        } else if is_among(self.ignored, keyword) {
            Support::Ignored
        } else if is_among(self.refused, keyword) {
            Support::Refused
        } else {
            self.others
        }
    }

    pub(crate) fn supports(&self, keyword: &str) -> bool {
        self.support(keyword) == Support::Supported
    }

    /// Returns `true` if a format of values of some types is supported.
    pub(crate) fn supports_format(&self, format: &str, types: Types) -> bool {
        let formats = match types.meets(Types::STRING) {
            true => self.text_formats,
            false => self.number_formats,
        };
        formats == "*" || is_among(formats, format)
    }

    pub(crate) fn supports_enum_value(&self, source: &Source, value: Ix) -> bool {
        self.enum_values.has(Types::of(source, value))
    }

    /// Returns the values that are not allowed in an `enum`, for messages.
    pub(crate) fn unsupported_enum_values(&self) -> &'static str {
        match self.enum_values {
            Types::STRING => "values other than strings",
            types if !types.meets(Types::NULL) => "values other than strings and numbers",
            _ => "objects and arrays",
        }
    }
}

fn is_among(names: &str, name: &str) -> bool {
    !name.is_empty() && names.split(' ').any(|one| one == name)
}

/// The limits on a whole schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) properties: usize,
    /// Maximum depth of objects, references not counted.
    pub(crate) levels: usize,
    /// All `enum` values in total.
    pub(crate) enum_values: usize,
    /// The characters of all names, `enum` values and constants in total.
    pub(crate) name_chars: usize,
    /// An `enum` with more values than this is a large one.
    pub(crate) large_enum: usize,
    /// The characters of all values of a large `enum`.
    pub(crate) large_enum_chars: usize,
    /// Optional members, over all tools of a request.
    pub(crate) optional: usize,
    /// Members that are a union or have several types, over all tools of a request.
    pub(crate) unions: usize,
}

impl Bounds {
    pub(crate) const NONE: Self = Self {
        properties: usize::MAX,
        levels: usize::MAX,
        enum_values: usize::MAX,
        name_chars: usize::MAX,
        large_enum: usize::MAX,
        large_enum_chars: usize::MAX,
        optional: usize::MAX,
        unions: usize::MAX,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_keyword_is_known_and_listed_once() {
        for dialect in DIALECTS {
            let lists = [dialect.supported, dialect.ignored, dialect.refused];
            let mut listed: Vec<&str> = lists.iter().flat_map(|list| list.split(' ')).collect();
            listed.retain(|name| !name.is_empty());
            listed.sort_unstable();
            assert!(
                listed.is_sorted_by(|one, next| one < next),
                "{}",
                dialect.name
            );
            for name in listed {
                assert!(keyword::is_known(name), "{}: {name}", dialect.name);
            }
        }
    }

    #[test]
    fn names_are_those_of_the_targets() {
        for target in SchemaTarget::ALL {
            assert_eq!(SchemaTarget::named(target.dialect().name), Some(target));
        }
    }
}
