//! Gemini's `responseSchema` and the parameters of its function declarations: the type `Schema` of its API
//! reference, a subset of OpenAPI 3.0.

use super::{Dialect, Recursion, Support};
use crate::types::Types;

pub(crate) const DIALECT: Dialect = Dialect {
    name: "gemini_openapi",
    title: "Gemini `responseSchema`",
    supported: "type description properties required items anyOf enum nullable format minimum maximum \
        minItems maxItems propertyOrdering",
    ignored: "pattern minLength maxLength minProperties maxProperties",
    // The request is a protocol buffer: the decoder rejects unknown names (`$schema`, `title`).
    others: Support::Refused,
    text_formats: "enum date-time",
    number_formats: "float double int32 int64",
    enum_values: Types::STRING,
    // `OBJECT` without `properties` is rejected: "should be non-empty for OBJECT type".
    requires_declared_members: true,
    recursion: Recursion::Refused,
    requires_type: true,
    allows_any_reference: false,
    allows_reference_siblings: false,
    allows_type_lists: false,
    // Otherwise the model writes the members in alphabetical order, and the answer before its
    // reasons.
    orders_members: true,
    ..Dialect::FREE
};
