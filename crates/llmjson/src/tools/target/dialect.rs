//! What each provider supports of JSON Schema: the keywords in one table, other rules in functions.

use super::SchemaTarget;
use super::SchemaTarget::{Anthropic, GeminiJson, GeminiOpenApi, Mcp, OpenAiStrict};
use super::arena::{Arena, Ix, Value};

/// How a provider treats a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    /// It is enforced, or it is an annotation.
    Supported,
    /// It is accepted and not enforced.
    Ignored,
    /// The request fails.
    Refused,
}

use Support::{Ignored as I, Refused as R, Supported as S};

/// A keyword, its support by each target in the order of [`SchemaTarget::ALL`], and what rendering
/// does about it.
struct Row(&'static str, [Support; 5], &'static str);

const DESCRIBED: &str = "it is moved to the description";
const REMOVED: &str = "it is removed";
const VALIDATED: &str = "it is removed, and enforced only when arguments are validated";
const NULLABLE: &str = "`null` is added to the type";
const DEFS: &str = "references to it are rewritten";

const KEYWORDS: &[Row] = &[
    Row("type", [S, S, S, S, S], ""),
    Row("description", [S, S, S, S, S], ""),
    Row("properties", [S, S, S, S, S], ""),
    Row("required", [S, S, S, S, S], ""),
    Row("additionalProperties", [S, S, R, S, S], REMOVED),
    Row("items", [S, S, S, S, S], ""),
    Row(
        "prefixItems",
        [R, R, R, S, S],
        "`items` allows any of them, and their order is moved to the description",
    ),
    Row(
        "additionalItems",
        [R, R, R, I, I],
        "it is rewritten as `items`",
    ),
    Row("anyOf", [S, S, S, S, S], ""),
    Row("oneOf", [R, R, R, I, S], "it is rewritten as `anyOf`"),
    Row(
        "allOf",
        [R, R, R, I, S],
        "its subschemas are merged into one",
    ),
    Row("enum", [S, S, S, S, S], ""),
    Row(
        "const",
        [S, S, R, I, S],
        "it is rewritten as an `enum` of one value",
    ),
    Row("$ref", [S, S, R, S, S], "its target is inlined"),
    Row("$dynamicRef", [R, R, R, I, S], "it is written as $ref"),
    Row("$recursiveRef", [R, R, R, I, S], "it is written as $ref"),
    Row(
        "$defs",
        [S, S, R, S, S],
        "the targets of references are inlined",
    ),
    Row("definitions", [S, S, R, I, S], DEFS),
    Row("nullable", [R, R, S, I, I], NULLABLE),
    Row("format", [S, S, S, S, S], DESCRIBED),
    Row("pattern", [S, S, I, I, S], DESCRIBED),
    Row("minLength", [R, R, I, I, S], DESCRIBED),
    Row("maxLength", [R, R, I, I, S], DESCRIBED),
    Row("minimum", [S, R, S, S, S], DESCRIBED),
    Row("maximum", [S, R, S, S, S], DESCRIBED),
    Row(
        "exclusiveMinimum",
        [S, R, R, I, S],
        "it is rewritten as `minimum` or moved to the description",
    ),
    Row(
        "exclusiveMaximum",
        [S, R, R, I, S],
        "it is rewritten as `maximum` or moved to the description",
    ),
    Row("multipleOf", [S, R, R, I, S], DESCRIBED),
    Row("minItems", [S, S, S, S, S], DESCRIBED),
    Row("maxItems", [S, R, S, S, S], DESCRIBED),
    Row("uniqueItems", [R, R, R, I, S], DESCRIBED),
    Row("minProperties", [R, R, I, I, S], DESCRIBED),
    Row("maxProperties", [R, R, I, I, S], DESCRIBED),
    Row("contains", [R, R, R, I, S], VALIDATED),
    Row("minContains", [R, R, R, I, S], VALIDATED),
    Row("maxContains", [R, R, R, I, S], VALIDATED),
    Row("propertyNames", [R, R, R, I, S], VALIDATED),
    Row("patternProperties", [R, R, R, I, S], VALIDATED),
    Row("unevaluatedItems", [R, R, R, I, S], VALIDATED),
    Row("unevaluatedProperties", [R, R, R, I, S], VALIDATED),
    Row("not", [R, R, R, I, S], VALIDATED),
    Row("if", [R, R, R, I, S], VALIDATED),
    Row("then", [R, R, R, I, S], VALIDATED),
    Row("else", [R, R, R, I, S], VALIDATED),
    Row("dependentRequired", [R, R, R, I, S], VALIDATED),
    Row("dependentSchemas", [R, R, R, I, S], VALIDATED),
    Row("dependencies", [R, R, R, I, S], VALIDATED),
    Row("contentMediaType", [R, R, R, I, S], DESCRIBED),
    Row("contentEncoding", [R, R, R, I, S], DESCRIBED),
    Row("contentSchema", [R, R, R, I, S], REMOVED),
    Row("default", [R, S, R, I, S], DESCRIBED),
    Row("examples", [R, I, R, I, S], DESCRIBED),
    Row("example", [R, I, R, I, S], DESCRIBED),
    Row("title", [I, S, R, S, S], REMOVED),
    Row("$schema", [I, I, R, I, S], REMOVED),
    Row("$comment", [I, I, R, I, S], REMOVED),
    Row("$id", [I, I, R, S, S], REMOVED),
    Row("id", [R, I, R, I, S], REMOVED),
    Row("$anchor", [R, R, R, S, S], DEFS),
    Row("$dynamicAnchor", [R, R, R, I, S], DEFS),
    Row("deprecated", [R, I, R, I, S], REMOVED),
    Row("readOnly", [R, I, R, I, S], REMOVED),
    Row("writeOnly", [R, I, R, I, S], REMOVED),
    Row("propertyOrdering", [R, I, S, S, S], REMOVED),
    Row("discriminator", [R, I, R, I, S], REMOVED),
    Row("x-required-any", [R, I, R, I, S], DESCRIBED),
];

/// The support of unknown keywords.
const UNKNOWN: Row = Row("", [R, I, R, I, S], REMOVED);

impl SchemaTarget {
    /// Returns the support of a keyword, and what rendering does about it.
    pub(super) fn support(self, keyword: &str) -> (Support, &'static str) {
        let mut rows = KEYWORDS.iter();
        let row = rows.find(|row| row.0 == keyword).unwrap_or(&UNKNOWN);
        (row.1[self as usize], row.2)
    }

    pub(super) fn supports(self, keyword: &str) -> bool {
        self.support(keyword).0 == Support::Supported
    }

    /// Returns the name of the provider for messages.
    pub(super) const fn title(self) -> &'static str {
        match self {
            OpenAiStrict => "OpenAI strict mode",
            Anthropic => "Anthropic strict mode",
            GeminiOpenApi => "Gemini `responseSchema`",
            GeminiJson => "Gemini `responseJsonSchema`",
            Mcp => "MCP",
        }
    }

    /// Whether the root has to be an object.
    pub(super) const fn requires_root_object(self) -> bool {
        matches!(self, OpenAiStrict | Anthropic | Mcp)
    }

    /// Whether the root may be a union of objects.
    pub(super) const fn allows_root_union(self) -> bool {
        !matches!(self, OpenAiStrict | Anthropic)
    }

    /// Whether every object must have `"additionalProperties": false`.
    pub(super) const fn requires_closed_objects(self) -> bool {
        matches!(self, OpenAiStrict | Anthropic)
    }

    /// Whether every object must declare members.
    pub(super) const fn requires_declared_members(self) -> bool {
        self.requires_closed_objects() || matches!(self, GeminiOpenApi)
    }

    /// Whether a schema may refer to itself.
    pub(super) const fn supports_recursion(self) -> bool {
        matches!(self, OpenAiStrict | GeminiJson | Mcp)
    }

    /// Whether each subschema must have a type, and each array `items`.
    pub(super) const fn requires_type(self) -> bool {
        matches!(self, OpenAiStrict | GeminiOpenApi)
    }

    /// Whether a reference may have other keywords beside it.
    pub(super) const fn allows_reference_siblings(self) -> bool {
        matches!(self, Anthropic | Mcp)
    }

    /// Whether `type` may be an array.
    pub(super) const fn allows_type_lists(self) -> bool {
        !matches!(self, GeminiOpenApi)
    }

    /// Returns the supported formats for strings (or for other types); `None` if all are.
    pub(super) const fn formats(self, of_text: bool) -> Option<&'static [&'static str]> {
        match (self, of_text) {
            (OpenAiStrict, true) => Some(&[
                "date-time",
                "time",
                "date",
                "duration",
                "email",
                "hostname",
                "ipv4",
                "ipv6",
                "uuid",
            ]),
            (Anthropic, true) => Some(&[
                "date-time",
                "time",
                "date",
                "duration",
                "email",
                "hostname",
                "uri",
                "ipv4",
                "ipv6",
                "uuid",
            ]),
            (GeminiOpenApi, true) => Some(&["enum", "date-time"]),
            (GeminiOpenApi, false) => Some(&["float", "double", "int32", "int64"]),
            (OpenAiStrict | Anthropic, false) => Some(&[]),
            (GeminiJson | Mcp, _) => None,
        }
    }

    /// Whether a regular expression is supported.
    pub(super) fn supports_pattern(self, pattern: &str) -> bool {
        let looks_around = ["(?=", "(?!", "(?<=", "(?<!"]
            .iter()
            .any(|part| pattern.contains(part));
        let mut escaped = pattern.split('\\').skip(1).map(|part| part.bytes().next());
        match self {
            OpenAiStrict => !looks_around,
            Anthropic => {
                !looks_around
                    && !escaped.any(|byte| matches!(byte, Some(b'b' | b'B' | b'1'..=b'9')))
            }
            _ => true,
        }
    }

    /// Returns the limits on a whole schema.
    pub(super) const fn limits(self) -> Bounds {
        match self {
            OpenAiStrict => Bounds {
                properties: 5_000,
                levels: 10,
                enum_values: 1_000,
                name_chars: 120_000,
                large_enum: 250,
                large_enum_chars: 15_000,
                ..Bounds::NONE
            },
            Anthropic => Bounds {
                optional: 24,
                unions: 16,
                ..Bounds::NONE
            },
            GeminiOpenApi | GeminiJson | Mcp => Bounds::NONE,
        }
    }
}

impl SchemaTarget {
    /// Whether a value may be in an `enum`.
    pub(super) fn supports_enum_value(self, arena: &Arena, value: Ix) -> bool {
        match arena.get(value) {
            Value::List(_) | Value::Object(_) => self == Self::Mcp,
            Value::Text(_) => true,
            Value::Number(_) => self != Self::GeminiOpenApi,
            Value::Bool(_) | Value::Null => !matches!(self, Self::GeminiOpenApi | Self::GeminiJson),
        }
    }

    /// Returns the values that may not be in an `enum`, for messages.
    pub(super) const fn unsupported_enum_values(self) -> &'static str {
        match self {
            Self::GeminiOpenApi => "values other than strings",
            Self::GeminiJson => "values other than strings and numbers",
            _ => "objects and arrays",
        }
    }
}

/// The limits on a whole schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) properties: usize,
    /// How deep objects may nest, references not counted.
    pub(super) levels: usize,
    /// All `enum` values in total.
    pub(super) enum_values: usize,
    /// The characters of all names, `enum` values and constants in total.
    pub(super) name_chars: usize,
    /// An `enum` with more values than this is a large one.
    pub(super) large_enum: usize,
    /// The characters of all values of a large `enum`.
    pub(super) large_enum_chars: usize,
    /// Optional members, over all tools of a request.
    pub(super) optional: usize,
    /// Members that are a union or have several types, over all tools of a request.
    pub(super) unions: usize,
}

impl Bounds {
    const NONE: Self = Self {
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
