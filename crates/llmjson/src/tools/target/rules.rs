//! What each provider takes of JSON Schema: the keywords in one table, the rest in small functions.

use super::SchemaTarget;
use super::SchemaTarget::{Anthropic, GeminiJson, GeminiOpenApi, Mcp, OpenAiStrict};
use super::given::{Given, Ix, Value};

/// What becomes of a keyword at a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The model is held to it, or it is for people and does no harm.
    Taken,
    /// It is taken without notice.
    Ignored,
    /// The request comes to nothing.
    Refused,
}

use Fate::{Ignored as I, Refused as R, Taken as T};

/// A keyword, what becomes of it at each target in the order of [`SchemaTarget::ALL`], and what
/// rendering does about it.
struct Row(&'static str, [Fate; 5], &'static str);

const SAID: &str = "it is said in the description";
const LEFT_OUT: &str = "it is left out";
const LOST: &str = "it is left out, and only checked afterwards";
const NULL: &str = "a null is allowed in the type";
const LOCAL: &str = "references are written to $defs";

const KEYWORDS: &[Row] = &[
    Row("type", [T, T, T, T, T], ""),
    Row("description", [T, T, T, T, T], ""),
    Row("properties", [T, T, T, T, T], ""),
    Row("required", [T, T, T, T, T], ""),
    Row("additionalProperties", [T, T, R, T, T], LEFT_OUT),
    Row("items", [T, T, T, T, T], ""),
    Row(
        "prefixItems",
        [R, R, R, T, T],
        "the items may be any of them, and their order is said in the description",
    ),
    Row("additionalItems", [R, R, R, I, I], "it is written as items"),
    Row("anyOf", [T, T, T, T, T], ""),
    Row("oneOf", [R, R, R, I, T], "it is written as anyOf"),
    Row(
        "allOf",
        [R, R, R, I, T],
        "its parts are written as one schema",
    ),
    Row("enum", [T, T, T, T, T], ""),
    Row(
        "const",
        [T, T, R, I, T],
        "it is written as an enum of one value",
    ),
    Row("$ref", [T, T, R, T, T], "what it leads to is written out"),
    Row("$dynamicRef", [R, R, R, I, T], "it is written as $ref"),
    Row("$recursiveRef", [R, R, R, I, T], "it is written as $ref"),
    Row(
        "$defs",
        [T, T, R, T, T],
        "what references lead to is written out",
    ),
    Row("definitions", [T, T, R, I, T], LOCAL),
    Row("nullable", [R, R, T, I, I], NULL),
    Row("format", [T, T, T, T, T], SAID),
    Row("pattern", [T, T, I, I, T], SAID),
    Row("minLength", [R, R, I, I, T], SAID),
    Row("maxLength", [R, R, I, I, T], SAID),
    Row("minimum", [T, R, T, T, T], SAID),
    Row("maximum", [T, R, T, T, T], SAID),
    Row(
        "exclusiveMinimum",
        [T, R, R, I, T],
        "it is written as minimum or said in the description",
    ),
    Row(
        "exclusiveMaximum",
        [T, R, R, I, T],
        "it is written as maximum or said in the description",
    ),
    Row("multipleOf", [T, R, R, I, T], SAID),
    Row("minItems", [T, T, T, T, T], SAID),
    Row("maxItems", [T, R, T, T, T], SAID),
    Row("uniqueItems", [R, R, R, I, T], SAID),
    Row("minProperties", [R, R, I, I, T], SAID),
    Row("maxProperties", [R, R, I, I, T], SAID),
    Row("contains", [R, R, R, I, T], LOST),
    Row("minContains", [R, R, R, I, T], LOST),
    Row("maxContains", [R, R, R, I, T], LOST),
    Row("propertyNames", [R, R, R, I, T], LOST),
    Row("patternProperties", [R, R, R, I, T], LOST),
    Row("unevaluatedItems", [R, R, R, I, T], LOST),
    Row("unevaluatedProperties", [R, R, R, I, T], LOST),
    Row("not", [R, R, R, I, T], LOST),
    Row("if", [R, R, R, I, T], LOST),
    Row("then", [R, R, R, I, T], LOST),
    Row("else", [R, R, R, I, T], LOST),
    Row("dependentRequired", [R, R, R, I, T], LOST),
    Row("dependentSchemas", [R, R, R, I, T], LOST),
    Row("dependencies", [R, R, R, I, T], LOST),
    Row("contentMediaType", [R, R, R, I, T], SAID),
    Row("contentEncoding", [R, R, R, I, T], SAID),
    Row("contentSchema", [R, R, R, I, T], LEFT_OUT),
    Row("default", [R, T, R, I, T], SAID),
    Row("examples", [R, I, R, I, T], SAID),
    Row("example", [R, I, R, I, T], SAID),
    Row("title", [I, T, R, T, T], LEFT_OUT),
    Row("$schema", [I, I, R, I, T], LEFT_OUT),
    Row("$comment", [I, I, R, I, T], LEFT_OUT),
    Row("$id", [I, I, R, T, T], LEFT_OUT),
    Row("id", [R, I, R, I, T], LEFT_OUT),
    Row("$anchor", [R, R, R, T, T], LOCAL),
    Row("$dynamicAnchor", [R, R, R, I, T], LOCAL),
    Row("deprecated", [R, I, R, I, T], LEFT_OUT),
    Row("readOnly", [R, I, R, I, T], LEFT_OUT),
    Row("writeOnly", [R, I, R, I, T], LEFT_OUT),
    Row("propertyOrdering", [R, I, T, T, T], LEFT_OUT),
    Row("discriminator", [R, I, R, I, T], LEFT_OUT),
    Row("x-required-any", [R, I, R, I, T], SAID),
];

/// What becomes of keywords that nobody knows.
const UNKNOWN: Row = Row("", [R, I, R, I, T], LEFT_OUT);

impl SchemaTarget {
    /// What becomes of a keyword, and what rendering does about it.
    pub(super) fn fate(self, keyword: &str) -> (Fate, &'static str) {
        let mut rows = KEYWORDS.iter();
        let row = rows.find(|row| row.0 == keyword).unwrap_or(&UNKNOWN);
        (row.1[self as usize], row.2)
    }

    pub(super) fn takes(self, keyword: &str) -> bool {
        self.fate(keyword).0 == Fate::Taken
    }

    /// What messages call it.
    pub(super) const fn title(self) -> &'static str {
        match self {
            OpenAiStrict => "OpenAI's strict mode",
            Anthropic => "Anthropic's strict mode",
            GeminiOpenApi => "Gemini's responseSchema",
            GeminiJson => "Gemini's responseJsonSchema",
            Mcp => "MCP",
        }
    }

    /// Whether the root has to be an object.
    pub(super) const fn wants_object(self) -> bool {
        matches!(self, OpenAiStrict | Anthropic | Mcp)
    }

    /// Whether the root may be a union of objects.
    pub(super) const fn takes_union_at_root(self) -> bool {
        !matches!(self, OpenAiStrict | Anthropic)
    }

    /// Whether objects may have no members but those that are declared.
    pub(super) const fn closes_objects(self) -> bool {
        matches!(self, OpenAiStrict | Anthropic)
    }

    /// Whether there are no objects without declared members.
    pub(super) const fn declares_members(self) -> bool {
        self.closes_objects() || matches!(self, GeminiOpenApi)
    }

    /// Whether a schema may ask for itself.
    pub(super) const fn takes_recursion(self) -> bool {
        matches!(self, OpenAiStrict | GeminiJson | Mcp)
    }

    /// Whether each subschema has to say its type, and each list what its items are.
    pub(super) const fn wants_type(self) -> bool {
        matches!(self, OpenAiStrict | GeminiOpenApi)
    }

    /// Whether a reference may have other keywords beside it.
    pub(super) const fn takes_beside_reference(self) -> bool {
        matches!(self, Anthropic | Mcp)
    }

    /// Whether `type` may be a list.
    pub(super) const fn takes_type_lists(self) -> bool {
        !matches!(self, GeminiOpenApi)
    }

    /// The formats that are taken for texts (or not for texts); nothing if all are.
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

    /// Whether a regular expression is one of those that are taken.
    pub(super) fn takes_pattern(self, pattern: &str) -> bool {
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

    /// The limits on whole schemas.
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
    /// Whether something may stand in an enum.
    pub(super) fn takes_value(self, given: &Given, value: Ix) -> bool {
        match given.get(value) {
            Value::List(_) | Value::Object(_) => self == Self::Mcp,
            Value::Text(_) => true,
            Value::Number(_) => self != Self::GeminiOpenApi,
            Value::Bool(_) | Value::Null => !matches!(self, Self::GeminiOpenApi | Self::GeminiJson),
        }
    }

    /// The values that may not, for messages.
    pub(super) const fn untaken_values(self) -> &'static str {
        match self {
            Self::GeminiOpenApi => "values but strings",
            Self::GeminiJson => "values but strings and numbers",
            _ => "objects and lists",
        }
    }
}

/// How much of something a schema may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) properties: usize,
    /// How deep objects may nest, references not counted.
    pub(super) levels: usize,
    /// All allowed values together.
    pub(super) enum_values: usize,
    /// The characters of all names, allowed values and constants together.
    pub(super) name_chars: usize,
    /// An enum with more values than this is a large one.
    pub(super) large_enum: usize,
    /// The characters of the texts of a large enum.
    pub(super) large_enum_chars: usize,
    /// Members that are not required, all tools of a request together.
    pub(super) optional: usize,
    /// Members that are a union or have several types, all tools of a request together.
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
