//! The JSON Schema that each provider supports: the keywords in one table, other rules in functions.

use super::SchemaTarget;
use super::SchemaTarget::{Anthropic, GeminiJson, GeminiOpenApi, Mcp, OpenAiStrict};
use super::arena::{Arena, Ix, Value};
use super::types::Types;

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

/// How the value of a keyword holds subschemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Nothing,
    Schema,
    /// An array of subschemas, or a single one.
    Schemas,
    /// Subschemas by name.
    Map,
    /// Subschemas by name that apply only where a reference refers to them.
    Definitions,
}

/// A keyword.
struct Row {
    name: &'static str,
    /// Its support by each target, in the order of [`SchemaTarget::ALL`].
    support: [Support; 5],
    /// The types that it applies to; none if it applies to all.
    about: Types,
    holds: Holds,
    /// What rendering does about it.
    then: &'static str,
}

const DESCRIBED: &str = "it is moved to the description";
const REMOVED: &str = "it is removed";
pub(super) const VALIDATED: &str = "it is removed, and enforced only when arguments are validated";
const NULLABLE: &str = "`null` is added to the type";
const DEFS: &str = "references to it are rewritten";

macro_rules! keywords {
    ($($name:literal $support:tt $about:ident $holds:ident $then:expr;)*) => {
        &[$(Row {
            name: $name,
            support: $support,
            about: Types::$about,
            holds: Holds::$holds,
            then: $then,
        }),*]
    };
}

const KEYWORDS: &[Row] = keywords! {
    "type"                  [S, S, S, S, S] NONE   Nothing     "";
    "description"           [S, S, S, S, S] NONE   Nothing     "";
    "properties"            [S, S, S, S, S] NONE   Map         "";
    "required"              [S, S, S, S, S] NONE   Nothing     "";
    "additionalProperties"  [S, S, R, S, S] NONE   Schema      REMOVED;
    "items"                 [S, S, S, S, S] NONE   Schemas     "";
    "prefixItems"           [R, R, R, S, S] NONE   Schemas
        "`items` allows any of them, and their order is moved to the description";
    "additionalItems"       [R, R, R, I, I] NONE   Schema      "it is rewritten as `items`";
    "anyOf"                 [S, S, S, S, S] NONE   Schemas     "";
    "oneOf"                 [R, R, R, I, S] NONE   Schemas     "it is rewritten as `anyOf`";
    "allOf"                 [R, R, R, I, S] NONE   Schemas
        "its subschemas are merged into one";
    "enum"                  [S, S, S, S, S] NONE   Nothing     "";
    "const"                 [S, S, R, I, S] NONE   Nothing
        "it is rewritten as an `enum` of one value";
    "$ref"                  [S, S, R, S, S] NONE   Nothing     "its target is inlined";
    "$dynamicRef"           [R, R, R, I, S] NONE   Nothing     "it is written as $ref";
    "$recursiveRef"         [R, R, R, I, S] NONE   Nothing     "it is written as $ref";
    "$defs"                 [S, S, R, S, S] NONE   Definitions
        "the targets of references are inlined";
    "definitions"           [S, S, R, I, S] NONE   Definitions DEFS;
    "nullable"              [R, R, S, I, I] NONE   Nothing     NULLABLE;
    "format"                [S, S, S, S, S] NONE   Nothing     DESCRIBED;
    "pattern"               [S, S, I, I, S] STRING Nothing     DESCRIBED;
    "minLength"             [R, R, I, I, S] STRING Nothing     DESCRIBED;
    "maxLength"             [R, R, I, I, S] STRING Nothing     DESCRIBED;
    "minimum"               [S, R, S, S, S] NUMBER Nothing     DESCRIBED;
    "maximum"               [S, R, S, S, S] NUMBER Nothing     DESCRIBED;
    "exclusiveMinimum"      [S, R, R, I, S] NUMBER Nothing
        "it is rewritten as `minimum` or moved to the description";
    "exclusiveMaximum"      [S, R, R, I, S] NUMBER Nothing
        "it is rewritten as `maximum` or moved to the description";
    "multipleOf"            [S, R, R, I, S] NUMBER Nothing     DESCRIBED;
    "minItems"              [S, S, S, S, S] ARRAY  Nothing     DESCRIBED;
    "maxItems"              [S, R, S, S, S] ARRAY  Nothing     DESCRIBED;
    "uniqueItems"           [R, R, R, I, S] ARRAY  Nothing     DESCRIBED;
    "minProperties"         [R, R, I, I, S] OBJECT Nothing     DESCRIBED;
    "maxProperties"         [R, R, I, I, S] OBJECT Nothing     DESCRIBED;
    "contains"              [R, R, R, I, S] ARRAY  Schema      VALIDATED;
    "minContains"           [R, R, R, I, S] NONE   Nothing     VALIDATED;
    "maxContains"           [R, R, R, I, S] NONE   Nothing     VALIDATED;
    "propertyNames"         [R, R, R, I, S] OBJECT Schema      VALIDATED;
    "patternProperties"     [R, R, R, I, S] OBJECT Map         VALIDATED;
    "unevaluatedItems"      [R, R, R, I, S] ARRAY  Schema      VALIDATED;
    "unevaluatedProperties" [R, R, R, I, S] OBJECT Schema      VALIDATED;
    "not"                   [R, R, R, I, S] NONE   Schema      VALIDATED;
    "if"                    [R, R, R, I, S] NONE   Schema      VALIDATED;
    "then"                  [R, R, R, I, S] NONE   Schema      VALIDATED;
    "else"                  [R, R, R, I, S] NONE   Schema      VALIDATED;
    "dependentRequired"     [R, R, R, I, S] OBJECT Nothing     VALIDATED;
    "dependentSchemas"      [R, R, R, I, S] OBJECT Map         VALIDATED;
    "dependencies"          [R, R, R, I, S] OBJECT Map         VALIDATED;
    "contentMediaType"      [R, R, R, I, S] STRING Nothing     DESCRIBED;
    "contentEncoding"       [R, R, R, I, S] STRING Nothing     DESCRIBED;
    "contentSchema"         [R, R, R, I, S] NONE   Nothing     REMOVED;
    "default"               [R, S, R, I, S] NONE   Nothing     DESCRIBED;
    "examples"              [R, I, R, I, S] NONE   Nothing     DESCRIBED;
    "example"               [R, I, R, I, S] NONE   Nothing     DESCRIBED;
    "title"                 [I, S, R, S, S] NONE   Nothing     REMOVED;
    "$schema"               [I, I, R, I, S] NONE   Nothing     REMOVED;
    "$comment"              [I, I, R, I, S] NONE   Nothing     REMOVED;
    "$id"                   [I, I, R, S, S] NONE   Nothing     REMOVED;
    "id"                    [R, I, R, I, S] NONE   Nothing     REMOVED;
    "$anchor"               [R, R, R, S, S] NONE   Nothing     DEFS;
    "$dynamicAnchor"        [R, R, R, I, S] NONE   Nothing     DEFS;
    "deprecated"            [R, I, R, I, S] NONE   Nothing     REMOVED;
    "readOnly"              [R, I, R, I, S] NONE   Nothing     REMOVED;
    "writeOnly"             [R, I, R, I, S] NONE   Nothing     REMOVED;
    "propertyOrdering"      [R, I, S, S, S] NONE   Nothing     REMOVED;
    "discriminator"         [R, I, R, I, S] NONE   Nothing     REMOVED;
    "x-required-any"        [R, I, R, I, S] NONE   Nothing     DESCRIBED;
};

/// What holds for unknown keywords.
const UNKNOWN: Row = Row {
    name: "",
    support: [R, I, R, I, S],
    about: Types::NONE,
    holds: Holds::Nothing,
    then: REMOVED,
};

fn row(keyword: &str) -> &'static Row {
    let mut rows = KEYWORDS.iter();
    rows.find(|row| row.name == keyword).unwrap_or(&UNKNOWN)
}

pub(super) fn holds(keyword: &str) -> Holds {
    row(keyword).holds
}

/// Returns the types that a keyword applies to; none if it applies to all.
pub(super) fn about(keyword: &str) -> Types {
    row(keyword).about
}

/// Returns whether a keyword is an annotation, which excludes no value.
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

    /// Returns whether the root has to be an object.
    pub(super) const fn requires_root_object(self) -> bool {
        matches!(self, OpenAiStrict | Anthropic | Mcp)
    }

    /// Returns whether the root may be a union of objects.
    pub(super) const fn allows_root_union(self) -> bool {
        !matches!(self, OpenAiStrict | Anthropic)
    }

    /// Returns whether every object must have `"additionalProperties": false`.
    pub(super) const fn requires_closed_objects(self) -> bool {
        matches!(self, OpenAiStrict | Anthropic)
    }

    /// Returns whether every object must declare members.
    pub(super) const fn requires_declared_members(self) -> bool {
        self.requires_closed_objects() || matches!(self, GeminiOpenApi)
    }

    /// Returns whether a schema may refer to itself.
    pub(super) const fn supports_recursion(self) -> bool {
        matches!(self, OpenAiStrict | GeminiJson | Mcp)
    }

    /// Returns whether each subschema must have a type, and each array `items`.
    pub(super) const fn requires_type(self) -> bool {
        matches!(self, OpenAiStrict | GeminiOpenApi)
    }

    /// Returns whether a reference may have other keywords beside it.
    pub(super) const fn allows_reference_siblings(self) -> bool {
        matches!(self, Anthropic | Mcp)
    }

    /// Returns whether `type` may be an array.
    pub(super) const fn allows_type_lists(self) -> bool {
        !matches!(self, GeminiOpenApi)
    }

    /// Returns whether a format of strings (or of other types) is supported.
    pub(super) fn supports_format(self, format: &str, of_text: bool) -> bool {
        let formats = match (self, of_text) {
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

    /// Returns whether a regular expression is supported.
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
