//! Schemas for providers: checks which features of a schema a provider does not support, and
//! rewrites the schema in the provider's dialect.
//!
//! This file has the targets and their renderings, `record` the lints. `dialect` has a file for
//! each provider: its supported keywords, its limits, and its special rendering. `graph` finds
//! recursive references. `lint` checks the schema. `render` writes the new one, with `merged` (the
//! combined requirements of several subschemas), `union`, `reference`, `object` and `keywords`.
//! `prompt` writes a schema for prompts.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod dialect;
mod findings;
mod graph;
mod json;
mod keywords;
mod lint;
mod merged;
mod object;
mod prompt;
mod record;
mod reference;
mod render;
/// Sentences for descriptions, in place of unsupported keywords; not a public API.
#[doc(hidden)]
pub mod sentences;
mod types;
mod union;

use std::fmt;
use std::str::FromStr;

use llmjson_schema::Schema;
use llmjson_syntax::UnknownName;
use serde_json::Value;

use graph::Graph;
pub use record::{Lint, LintCode, Severity};

/// A provider's dialect of JSON Schema.
///
/// Providers that constrain a model's output to a schema support only a subset of JSON Schema.
/// [`lint`](Self::lint) lists what a provider rejects or ignores in a schema, and
/// [`render`](Self::render) rewrites the schema so that the provider accepts it. Arguments are always
/// validated against the original schema; the rendered one is only sent to the provider.
///
/// ```
/// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_targets::*; } }
/// use llmjson::Schema;
/// use llmjson::tools::SchemaTarget;
///
/// let schema = Schema::from_text(
///     r#"{"type": "object", "properties": {"city": {"type": "string", "minLength": 1}, "days": {"type": "integer"}},
///         "required": ["city"]}"#,
/// )?;
/// let lints = SchemaTarget::OpenAiStrict.lint(&schema);
/// let places: Vec<_> = lints.iter().map(|lint| (&*lint.pointer, &*lint.keyword)).collect();
/// assert_eq!(
///     places,
///     [("", "additionalProperties"), ("/properties/days", "required"), ("/properties/city/minLength", "minLength")],
/// );
///
/// let rendered = SchemaTarget::OpenAiStrict.render(&schema);
/// assert_eq!(
///     rendered.as_json(),
///     concat!(
///         r#"{"type":"object","properties":{"#,
///         r#""city":{"type":"string","description":"At least 1 character."},"days":{"type":["integer","null"]}},"#,
///         r#""required":["city","days"],"additionalProperties":false}"#,
///     ),
/// );
/// assert!(rendered.unsupported().is_empty());
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaTarget {
    /// OpenAI's strict functions and structured outputs: every member is required, and every object
    /// has `"additionalProperties": false`.
    OpenAiStrict,
    /// Anthropic's strict tools and output format: every object has
    /// `"additionalProperties": false`; recursion and most bounds are not supported.
    Anthropic,
    /// Gemini's `responseSchema` and function declarations: a subset of OpenAPI 3.0, without
    /// references.
    GeminiOpenApi,
    /// Gemini's `responseJsonSchema`: a subset of JSON Schema.
    GeminiJson,
    /// The `inputSchema` of a tool in the Model Context Protocol: JSON Schema 2020-12 whose root has
    /// `"type": "object"`.
    Mcp,
}

impl SchemaTarget {
    /// All targets.
    pub const ALL: [Self; 5] = [
        Self::OpenAiStrict,
        Self::Anthropic,
        Self::GeminiOpenApi,
        Self::GeminiJson,
        Self::Mcp,
    ];

    /// The names of all targets, in the order of [`ALL`](Self::ALL).
    pub const NAMES: [&str; 5] = {
        let [a, b, c, d, e] = dialect::DIALECTS;
        [a.name, b.name, c.name, d.name, e.name]
    };

    /// Returns the stable name: `openai_strict`, `anthropic`, `gemini_openapi`, `gemini_json` or `mcp`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the target with the given [name](Self::name).
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_targets::*; } }
    /// use llmjson::tools::SchemaTarget;
    ///
    /// assert_eq!(SchemaTarget::named("mcp"), Some(SchemaTarget::Mcp));
    /// assert_eq!(SchemaTarget::named("grok"), None);
    /// assert_eq!("mcp".parse(), Ok(SchemaTarget::Mcp));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Lists the features of a schema that the provider rejects, or accepts without enforcing them.
    ///
    /// The lints are in schema order. At most 1,000 are listed, with at most about 1 MB of pointers
    /// in total; the last one, at the root, then counts the rest. Takes time linear in the size of the
    /// schema.
    ///
    /// ```
    /// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_targets::*; } }
    /// use llmjson::Schema;
    /// use llmjson::tools::{LintCode, SchemaTarget};
    ///
    /// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "string", "pattern": "a"}}"#)?;
    /// let lints = SchemaTarget::GeminiOpenApi.lint(&schema);
    /// assert_eq!((&*lints[0].pointer, lints[0].code), ("/items/pattern", LintCode::Ignored));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn lint(self, schema: &Schema) -> Vec<Lint> {
        let source = schema.source();
        lint::lint(self.dialect(), &source, &Graph::of(&source))
    }

    /// Rewrites a schema so that the provider accepts it. Rendering is idempotent.
    ///
    /// - For OpenAI, optional members become required and nullable. Coercion drops the nulls that the
    ///   model then writes.
    /// - Bounds, formats, defaults and examples that the provider does not support are moved to the
    ///   `description`.
    /// - References are inlined if the provider does not support them. If it does not support
    ///   recursion, a recursive schema is inlined a few levels deep, and deeper values become
    ///   strings that hold JSON text, which coercion parses. Maps also become such strings if the
    ///   provider requires `"additionalProperties": false`.
    /// - A root that is not a single object is wrapped in one if the provider requires an object:
    ///   see [`wrapper`](Rendered::wrapper).
    /// - `x-required-any` at the root is an array of name groups; at least one member of each group
    ///   is required. It is added to the description, and kept as a keyword if the provider allows
    ///   unknown keywords.
    ///
    /// [`Rendered::unsupported`] lists the features that the provider's dialect cannot express.
    /// Time and size are linear in the size of the schema: if inlining references would make the
    /// result more than a few times as large, fewer levels are inlined.
    #[must_use]
    pub fn render(self, schema: &Schema) -> Rendered {
        let source = schema.source();
        render::render(self.dialect(), &source, &Graph::of(&source))
    }
}

impl FromStr for SchemaTarget {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        UnknownName::find(name, &Self::ALL, Self::name)
    }
}

/// Writes a schema compactly for a prompt: as a TypeScript-like type, with descriptions, bounds,
/// formats and defaults as comments.
///
/// It takes less than half the bytes and tokens of the schema. Rules that this type cannot express
/// (`not`, `if`, dependent members) are left out: replies are validated by the schema. Time and
/// size are linear in the size of the schema, and anything nested more than 64 levels deep is
/// `any`.
///
/// ```
/// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_targets::*; } }
/// use llmjson::Schema;
/// use llmjson::tools::schema_prompt;
///
/// let schema = Schema::from_text(
///     r#"{"type": "object", "properties": {"city": {"type": "string", "description": "Where to."},
///         "days": {"type": "integer", "minimum": 1}, "by": {"type": ["string", "null"], "enum": ["rail", "air", null]},
///         "tags": {"type": "array", "items": {"type": "string"}}}, "required": ["city", "days"]}"#,
/// )?;
/// assert_eq!(
///     schema_prompt(&schema),
///     r#"{
///   city: string // Where to.
///   days: integer // At least 1.
///   by?: "rail" | "air" | null
///   tags?: string[]
/// }"#,
/// );
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[must_use]
pub fn schema_prompt(schema: &Schema) -> String {
    let source = schema.source();
    prompt::prompt(&source, &Graph::of(&source))
}

impl fmt::Display for SchemaTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A schema in a provider's dialect. See [`SchemaTarget::render`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    json: String,
    unsupported: Vec<Lint>,
    wrapper: Option<&'static str>,
    excludes_values: bool,
}

impl Rendered {
    /// Returns the schema as compact JSON. Properties keep the order of the original schema.
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.json
    }

    /// Returns the schema as a value, which keeps neither the order of members nor every digit of a
    /// number. Returns null if the schema contains a number that does not fit an `f64`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        llmjson_syntax::parse(&self.json)
            .root()
            .map_or(Value::Null, |root| {
                llmjson_schema::to_value(root).unwrap_or_default()
            })
    }

    /// Returns the features that the provider's dialect cannot express ([`LintCode::Lost`]), and
    /// those that the provider rejects even in the rendered schema ([`LintCode::Refused`]), such as
    /// too many properties. Pointers refer to the original schema.
    #[must_use]
    pub fn unsupported(&self) -> &[Lint] {
        &self.unsupported
    }

    /// Returns the name of the member that holds the value, if the root of the original schema is not
    /// a single object and the provider requires one. Coercion unwraps objects and arrays, but not
    /// scalars.
    ///
    /// ```
    /// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_targets::*; } }
    /// use llmjson::Schema;
    /// use llmjson::tools::SchemaTarget;
    ///
    /// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "integer"}}"#)?;
    /// let rendered = SchemaTarget::OpenAiStrict.render(&schema);
    /// assert_eq!(rendered.wrapper(), Some("data"));
    /// let parsed = llmjson::parse(r#"{"data": [1, 2]}"#, Some(&schema));
    /// assert_eq!(parsed.to_json().as_deref(), Some("[1,2]"));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn wrapper(&self) -> Option<&str> {
        self.wrapper
    }

    /// Returns `true` if the original schema allows values that the rendered one excludes:
    /// undeclared members, or objects and arrays where any value is allowed.
    ///
    /// ```
    /// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_targets::*; } }
    /// use llmjson::Schema;
    /// use llmjson::tools::SchemaTarget;
    ///
    /// let schema = Schema::from_text(r#"{"type": "object", "properties": {"extra": {}}}"#)?;
    /// assert!(SchemaTarget::OpenAiStrict.render(&schema).excludes_values());
    /// assert!(!SchemaTarget::GeminiJson.render(&schema).excludes_values());
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub const fn excludes_values(&self) -> bool {
        self.excludes_values
    }
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
