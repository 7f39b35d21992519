//! Gemini's `responseJsonSchema`, with the keywords that its API reference lists for it.

use super::{Dialect, Recursion, Support};
use crate::types::Types;

pub(crate) const DIALECT: Dialect = Dialect {
    name: "gemini_json",
    title: "Gemini `responseJsonSchema`",
    supported: "type description properties required additionalProperties items prefixItems anyOf \
        enum $ref $defs format minimum maximum minItems maxItems title $id $anchor propertyOrdering",
    // What is not listed is taken without a word: a `const` would mean nothing, and `oneOf` what `anyOf` means.
    others: Support::Ignored,
    // No null: where null is allowed beside an `enum`, it is a branch of its own.
    enum_values: Types::STRING.or(Types::NUMBER),
    recursion: Recursion::ThroughOptional,
    allows_any_reference: false,
    // Beside `$ref` only keywords that begin with `$` are allowed.
    allows_reference_siblings: false,
    ..Dialect::FREE
};
