//! The JSON Schema that each provider supports: the keywords in one table, other rules in functions.

use super::SchemaTarget;
use super::SchemaTarget::{Anthropic, GeminiJson, GeminiOpenApi, Mcp, OpenAiStrict};
use super::types::Types;
use llmjson_schema::source::{NodeIx as Ix, Source, Written};

/// The treatment of a keyword by a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    /// Enforced, or an annotation.
    Supported,
    /// Accepted and not enforced.
    Ignored,
    /// The request fails.
    Refused,
}

use Support::{Ignored as I, Refused as R, Supported as S};

/// A keyword.
struct Row {
    name: &'static str,
    /// The support by each target, in the order of [`SchemaTarget::ALL`].
    support: [Support; 5],
    /// The types that it applies to; none if it applies to all.
    about: Types,
    /// The remedy that rendering takes, as the end of a message.
    then: &'static str,
}

const DESCRIBED: &str = "it is moved to the description";
const REMOVED: &str = "it is removed";
pub(super) const VALIDATED: &str = "it is removed, and enforced only when arguments are validated";
const NULLABLE: &str = "`null` is added to the type";
const DEFS: &str = "references to it are rewritten";

macro_rules! keywords {
    ($($name:literal $support:tt $about:ident $then:expr;)*) => {
        &[$(Row {
            name: $name,
            support: $support,
            about: Types::$about,
            then: $then,
        }),*]
    };
}

const KEYWORDS: &[Row] = keywords! {
    "type"                  [S, S, S, S, S] NONE   "";
    "description"           [S, S, S, S, S] NONE   "";
    "properties"            [S, S, S, S, S] NONE   "";
    "required"              [S, S, S, S, S] NONE   "";
    "additionalProperties"  [S, S, R, S, S] NONE   REMOVED;
    "items"                 [S, S, S, S, S] NONE   "";
    "prefixItems"           [R, R, R, S, S] NONE
        "`items` allows any of them, and their order is moved to the description";
    "additionalItems"       [R, R, R, I, I] NONE   "it is rewritten as `items`";
    "anyOf"                 [S, S, S, S, S] NONE   "";
    "oneOf"                 [R, R, R, I, S] NONE   "it is rewritten as `anyOf`";
    "allOf"                 [R, R, R, I, S] NONE
        "its subschemas are merged into one";
    "enum"                  [S, S, S, S, S] NONE   "";
    "const"                 [S, S, R, I, S] NONE
        "it is rewritten as an `enum` of one value";
    "$ref"                  [S, S, R, S, S] NONE   "its target is inlined";
    "$dynamicRef"           [R, R, R, I, S] NONE   "it is written as $ref";
    "$recursiveRef"         [R, R, R, I, S] NONE   "it is written as $ref";
    "$defs"                 [S, S, R, S, S] NONE
        "the targets of references are inlined";
    "definitions"           [S, S, R, I, S] NONE   DEFS;
    "nullable"              [R, R, S, I, I] NONE   NULLABLE;
    "format"                [S, S, S, S, S] NONE   DESCRIBED;
    "pattern"               [S, S, I, I, S] STRING DESCRIBED;
    "minLength"             [R, R, I, I, S] STRING DESCRIBED;
    "maxLength"             [R, R, I, I, S] STRING DESCRIBED;
    "minimum"               [S, R, S, S, S] NUMBER DESCRIBED;
    "maximum"               [S, R, S, S, S] NUMBER DESCRIBED;
    "exclusiveMinimum"      [S, R, R, I, S] NUMBER
        "it is rewritten as `minimum` or moved to the description";
    "exclusiveMaximum"      [S, R, R, I, S] NUMBER
        "it is rewritten as `maximum` or moved to the description";
    "multipleOf"            [S, R, R, I, S] NUMBER DESCRIBED;
    "minItems"              [S, S, S, S, S] ARRAY  DESCRIBED;
    "maxItems"              [S, R, S, S, S] ARRAY  DESCRIBED;
    "uniqueItems"           [R, R, R, I, S] ARRAY  DESCRIBED;
    "minProperties"         [R, R, I, I, S] OBJECT DESCRIBED;
    "maxProperties"         [R, R, I, I, S] OBJECT DESCRIBED;
    "contains"              [R, R, R, I, S] ARRAY  VALIDATED;
    "minContains"           [R, R, R, I, S] NONE   VALIDATED;
    "maxContains"           [R, R, R, I, S] NONE   VALIDATED;
    "propertyNames"         [R, R, R, I, S] OBJECT VALIDATED;
    "patternProperties"     [R, R, R, I, S] OBJECT VALIDATED;
    "unevaluatedItems"      [R, R, R, I, S] ARRAY  VALIDATED;
    "unevaluatedProperties" [R, R, R, I, S] OBJECT VALIDATED;
    "not"                   [R, R, R, I, S] NONE   VALIDATED;
    "if"                    [R, R, R, I, S] NONE   VALIDATED;
    "then"                  [R, R, R, I, S] NONE   VALIDATED;
    "else"                  [R, R, R, I, S] NONE   VALIDATED;
    "dependentRequired"     [R, R, R, I, S] OBJECT VALIDATED;
    "dependentSchemas"      [R, R, R, I, S] OBJECT VALIDATED;
    "dependencies"          [R, R, R, I, S] OBJECT VALIDATED;
    "contentMediaType"      [R, R, R, I, S] STRING DESCRIBED;
    "contentEncoding"       [R, R, R, I, S] STRING DESCRIBED;
    "contentSchema"         [R, R, R, I, S] NONE   REMOVED;
    "default"               [R, S, R, I, S] NONE   DESCRIBED;
    "examples"              [R, I, R, I, S] NONE   DESCRIBED;
    "example"               [R, I, R, I, S] NONE   DESCRIBED;
    "title"                 [I, S, R, S, S] NONE   REMOVED;
    "$schema"               [I, I, R, I, S] NONE   REMOVED;
    "$comment"              [I, I, R, I, S] NONE   REMOVED;
    "$id"                   [I, I, R, S, S] NONE   REMOVED;
    "id"                    [R, I, R, I, S] NONE   REMOVED;
    "$anchor"               [R, R, R, S, S] NONE   DEFS;
    "$dynamicAnchor"        [R, R, R, I, S] NONE   DEFS;
    "deprecated"            [R, I, R, I, S] NONE   REMOVED;
    "readOnly"              [R, I, R, I, S] NONE   REMOVED;
    "writeOnly"             [R, I, R, I, S] NONE   REMOVED;
    "propertyOrdering"      [R, I, S, S, S] NONE   REMOVED;
    "discriminator"         [R, I, R, I, S] NONE   REMOVED;
    "x-required-any"        [R, I, R, I, S] NONE   DESCRIBED;
};

/// The row of unknown keywords.
const UNKNOWN: Row = Row {
    name: "",
    support: [R, I, R, I, S],
    about: Types::NONE,
    then: REMOVED,
};

fn row(keyword: &str) -> &'static Row {
    let mut rows = KEYWORDS.iter();
    rows.find(|row| row.name == keyword).unwrap_or(&UNKNOWN)
}

/// Returns the types that a keyword applies to; none if it applies to all.
pub(super) fn about(keyword: &str) -> Types {
    row(keyword).about
}

/// Returns `true` if a keyword is an annotation, which excludes no value.
pub(super) fn is_annotation(keyword: &str) -> bool {
    let others = [
        "not",
        "if",
        "then",
        "else",
        "format",
        "minContains",
        "maxContains",
    ];
    about(keyword) == Types::NONE && !others.contains(&keyword)
}

impl SchemaTarget {
    /// Returns the support of a keyword, and what rendering does about it.
    pub(super) fn support(self, keyword: &str) -> (Support, &'static str) {
        let row = row(keyword);
        (row.support[self as usize], row.then)
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

    /// Returns `true` if the root has to be an object.
    pub(super) const fn requires_root_object(self) -> bool {
        matches!(self, OpenAiStrict | Anthropic | Mcp)
    }

    /// Returns `true` if the root may be a union of objects.
    pub(super) const fn allows_root_union(self) -> bool {
        !matches!(self, OpenAiStrict | Anthropic)
    }

    /// Returns `true` if every object must have `"additionalProperties": false`.
    pub(super) const fn requires_closed_objects(self) -> bool {
        matches!(self, OpenAiStrict | Anthropic)
    }

    /// Returns `true` if every object must declare members.
    pub(super) const fn requires_declared_members(self) -> bool {
        self.requires_closed_objects() || matches!(self, GeminiOpenApi)
    }

    /// Returns `true` if a schema may refer to itself.
    pub(super) const fn supports_recursion(self) -> bool {
        matches!(self, OpenAiStrict | GeminiJson | Mcp)
    }

    /// Returns `true` if each subschema must have a type, and each array `items`.
    pub(super) const fn requires_type(self) -> bool {
        matches!(self, OpenAiStrict | GeminiOpenApi)
    }

    /// Returns `true` if a reference may have other keywords beside it.
    pub(super) const fn allows_reference_siblings(self) -> bool {
        matches!(self, Anthropic | Mcp)
    }

    /// Returns `true` if `type` may be an array.
    pub(super) const fn allows_type_lists(self) -> bool {
        !matches!(self, GeminiOpenApi)
    }

    /// Returns `true` if a format of values of some types is supported.
    pub(super) fn supports_format(self, format: &str, types: Types) -> bool {
        let formats = match (self, types.meets(Types::STRING)) {
            (OpenAiStrict, true) => "date-time time date duration email hostname ipv4 ipv6 uuid",
            (Anthropic, true) => "date-time time date duration email hostname uri ipv4 ipv6 uuid",
            (GeminiOpenApi, true) => "enum date-time",
            (GeminiOpenApi, false) => "float double int32 int64",
            (OpenAiStrict | Anthropic, false) => "",
            (GeminiJson | Mcp, _) => return true,
        };
        formats
            .split(' ')
            .any(|one| !one.is_empty() && one == format)
    }

    /// Returns `true` if a regular expression is supported.
    pub(super) fn supports_pattern(self, pattern: &str) -> bool {
        let groups = ["(?=", "(?!", "(?<=", "(?<!"];
        let looks_around = groups.iter().any(|part| pattern.contains(part));
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
    pub(super) fn supports_enum_value(self, source: &Source, value: Ix) -> bool {
        match source.get(value) {
            Written::List(_) | Written::Object => self == Self::Mcp,
            Written::Text(_) => true,
            Written::Number(_) => self != Self::GeminiOpenApi,
            Written::Bool(_) | Written::Null => {
                !matches!(self, Self::GeminiOpenApi | Self::GeminiJson)
            }
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
    /// Maximum depth of objects, references not counted.
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
