//! OpenAI's strict functions and structured outputs, as "Supported schemas" of its guide on structured outputs
//! describes them.

use super::{Bounds, Dialect, Support};
use crate::types::Types;

pub(crate) const DIALECT: Dialect = Dialect {
    name: "openai_strict",
    title: "OpenAI strict mode",
    supported: "type description properties required additionalProperties items anyOf enum const $ref \
        $defs definitions format pattern minimum maximum exclusiveMinimum exclusiveMaximum \
        multipleOf minItems maxItems",
    // Schema generators write these; the server drops them silently.
    ignored: "title $schema $comment $id",
    // A single unknown keyword fails the whole request, even `default`.
    others: Support::Refused,
    text_formats: "date-time time date duration email hostname ipv4 ipv6 uuid",
    number_formats: "",
    takes_pattern: |pattern| !looks_around(pattern),
    enum_values: Types::SCALARS,
    limits: Bounds {
        properties: 5_000,
        levels: 10,
        enum_values: 1_000,
        name_chars: 120_000,
        large_enum: 250,
        large_enum_chars: 15_000,
        ..Bounds::NONE
    },
    requires_root_object: true,
    allows_root_union: false,
    requires_closed_objects: true,
    requires_declared_members: true,
    // The model then writes null for optional members, which coercion drops.
    requires_all_members: true,
    requires_type: true,
    allows_any_reference: false,
    // `{"$ref": …, "description": …}` fails the request, although 2020-12 allows it.
    allows_reference_siblings: false,
    ..Dialect::FREE
};

/// Returns `true` if a regular expression has lookaround, which the grammars that constrain the
/// model cannot express.
pub(super) fn looks_around(pattern: &str) -> bool {
    let groups = ["(?=", "(?!", "(?<=", "(?<!"];
    groups.iter().any(|part| pattern.contains(part))
}
