//! Gemini's `responseJsonSchema`, with the keywords that its API reference lists for it.

use super::{Dialect, Recursion, Support};
use crate::types::Types;

pub(crate) const DIALECT: Dialect = Dialect {
    name: "gemini_json",
    title: "Gemini `responseJsonSchema`",
    supported: "type description properties required additionalProperties items prefixItems anyOf \
        enum $ref $defs format minimum maximum minItems maxItems title $id $anchor propertyOrdering",
    // Unlisted keywords are accepted silently: `const` would have no effect, and `oneOf` would mean
    // `anyOf`.
    others: Support::Ignored,
    // Null is not included: if null is allowed next to an `enum`, it is a separate branch.
    enum_values: Types::STRING.or(Types::NUMBER),
    recursion: Recursion::ThroughOptional,
    allows_any_reference: false,
    // Next to `$ref`, only keywords that begin with `$` are allowed.
    allows_reference_siblings: false,
    ..Dialect::FREE
};
