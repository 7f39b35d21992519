//! Anthropic's strict tools and output format, as "JSON Schema limitations" of its documentation of
//! structured outputs describes them.

use super::openai_strict::looks_around;
use super::{Bounds, Dialect, Recursion, Support};
use crate::types::Types;

pub(crate) const DIALECT: Dialect = Dialect {
    name: "anthropic",
    title: "Anthropic strict mode",
    supported: "type description properties required additionalProperties items anyOf enum const $ref \
        $defs definitions format pattern minItems default title",
    refused: "prefixItems additionalItems oneOf allOf $dynamicRef $recursiveRef nullable minLength \
        maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf maxItems uniqueItems \
        minProperties maxProperties contains minContains maxContains propertyNames \
        patternProperties unevaluatedItems unevaluatedProperties not if then else dependentRequired \
        dependentSchemas dependencies contentMediaType contentEncoding contentSchema $anchor \
        $dynamicAnchor",
    others: Support::Ignored,
    text_formats: "date-time time date duration email hostname uri ipv4 ipv6 uuid",
    number_formats: "",
    takes_pattern: is_plain,
    enum_values: Types::SCALARS,
    // Over all strict tools of a request: a schema at its limit leaves no room for another one, so
    // the lint reports it although it sees only one schema.
    limits: Bounds {
        optional: 24,
        unions: 16,
        ..Bounds::NONE
    },
    requires_root_object: true,
    allows_root_union: false,
    requires_closed_objects: true,
    requires_declared_members: true,
    recursion: Recursion::Refused,
    allows_any_reference: false,
    // 0 and 1 are supported; `"minItems": 2` fails the request.
    allows_any_min_items: false,
    ..Dialect::FREE
};

/// Returns `true` if a regular expression has neither lookaround nor word boundaries nor back references
/// (`\b`, `\1`).
fn is_plain(pattern: &str) -> bool {
    let mut escaped = pattern.split('\\').skip(1).map(|part| part.bytes().next());
    !looks_around(pattern) && !escaped.any(|byte| matches!(byte, Some(b'b' | b'B' | b'1'..=b'9')))
}
