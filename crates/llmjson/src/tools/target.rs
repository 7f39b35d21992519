//! Schemas for providers: what of a schema they refuse, and the schema rewritten so that they take
//! it.
//!
//! Here is what users see. What each provider takes is a table in `rules`; `given` is a schema as
//! it was given, `links` its references; `lint` reads it, and `render`, with `shape` (what several
//! subschemas ask for together), `union`, `reference`, `object` and `scalar`, writes the other one;
//! `open` does that for MCP.

mod findings;
mod given;
mod json;
mod links;
mod lint;
mod object;
mod open;
mod reference;
mod render;
mod rules;
mod scalar;
mod shape;
mod types;
mod union;
pub(super) mod words;

use std::fmt;

use llmjson_schema::Schema;
use serde_json::Value;

use given::Given;
use links::Links;

/// Who is given a schema, and so which dialect of JSON Schema it has to be written in.
///
/// Providers that hold a model to a schema take a part of JSON Schema only. [`lint`](Self::lint)
/// tells what of a schema a provider refuses or takes no notice of, [`render`](Self::render) writes
/// the schema anew so that it is taken. Arguments are always checked against the schema as it was
/// given: the rendered one is text for the provider and for nobody else.
///
/// ```
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
/// assert!(rendered.left().is_empty());
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaTarget {
    /// OpenAI's strict functions and structured outputs: every member is required, every object
    /// closed.
    OpenAiStrict,
    /// Anthropic's strict tools and output format: closed objects, no recursion, no bounds.
    Anthropic,
    /// Gemini's `responseSchema` and function declarations: a part of OpenAPI 3.0, without
    /// references.
    GeminiOpenApi,
    /// Gemini's `responseJsonSchema`.
    GeminiJson,
    /// The `inputSchema` of a tool of the Model Context Protocol: JSON Schema 2020-12 with an object
    /// at its root.
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
    pub const NAMES: [&str; 5] = [
        "openai_strict",
        "anthropic",
        "gemini_openapi",
        "gemini_json",
        "mcp",
    ];

    /// The stable name: `openai_strict`, `anthropic`, `gemini_openapi`, `gemini_json` or `mcp`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The target of that [name](Self::name).
    ///
    /// ```
    /// use llmjson::tools::SchemaTarget;
    ///
    /// assert_eq!(SchemaTarget::named("mcp"), Some(SchemaTarget::Mcp));
    /// assert_eq!(SchemaTarget::named("grok"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Lists what the provider refuses in a schema, or takes without holding the model to it.
    ///
    /// In the order of the schema, at most 1,000 and about 1 MB of pointers; what is beyond that is
    /// counted in a last one at the root. Takes time linear in the schema.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::tools::{SchemaTarget, LintSeverity};
    ///
    /// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "string", "pattern": "a"}}"#)?;
    /// let lints = SchemaTarget::GeminiOpenApi.lint(&schema);
    /// assert_eq!((&*lints[0].pointer, lints[0].severity), ("/items/pattern", LintSeverity::Ignored));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn lint(self, schema: &Schema) -> Vec<Lint> {
        let given = Given::read(schema.as_json());
        lint::lint(self, &given, &Links::of(&given))
    }

    /// Writes a schema so that the provider takes it. Rendering what was rendered changes nothing.
    ///
    /// - Optional members become required ones that may be null for OpenAI; whoever reads the
    ///   arguments drops such nulls again, as coercion does.
    /// - Bounds, formats, defaults and examples that the provider does not take are said in the
    ///   `description`.
    /// - References are resolved where they are not taken. A schema that nests in itself is written
    ///   out a few levels deep where recursion is not taken; what is deeper is asked for as JSON text
    ///   in a string, which coercion reads. So are maps, where all objects have to be closed.
    /// - A root that is no single object is put into one where one is asked for: see
    ///   [`wrapper`](Rendered::wrapper).
    /// - `x-required-any` at the root, a list of lists of names, says that of each list at least one
    ///   member is needed. It is said in the description; where other keywords are free, it stays.
    ///
    /// Whatever cannot be said in the provider's dialect is [left](Rendered::left). Time and size are
    /// linear in the schema: where resolving references would make it larger than a few times the
    /// schema, less is written out.
    #[must_use]
    pub fn render(self, schema: &Schema) -> Rendered {
        let given = Given::read(schema.as_json());
        render::render(self, &given, &Links::of(&given))
    }
}

impl fmt::Display for SchemaTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How bad a [`Lint`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LintSeverity {
    /// The provider takes it, and does not hold the model to it.
    Ignored,
    /// The rendered schema does not say it: it asks for less, or for another form.
    Lost,
    /// The provider answers with an error.
    Refused,
}

impl LintSeverity {
    /// The stable name: `ignored`, `lost` or `refused`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ignored => "ignored",
            Self::Lost => "lost",
            Self::Refused => "refused",
        }
    }
}

impl fmt::Display for LintSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something in a schema that a provider does not take as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lint {
    /// JSON Pointer to it, in the schema as it was given: to the keyword, or where it is missing, to
    /// the subschema that lacks it.
    pub pointer: String,
    /// The keyword that it is about.
    pub keyword: String,
    /// How bad it is.
    pub severity: LintSeverity,
    /// What is wrong and what rendering makes of it, as a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match &*self.pointer {
            "" => "the root",
            pointer => pointer,
        };
        write!(f, "{}: {} at {place}", self.severity, self.message)
    }
}

/// A schema as a provider takes it. See [`SchemaTarget::render`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    json: String,
    left: Vec<Lint>,
    wrapper: Option<&'static str>,
    excludes_values: bool,
}

impl Rendered {
    /// The schema as compact JSON. Properties stand in the order in which they were given.
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.json
    }

    /// The schema as a value, which keeps neither the order of members nor every digit of a number;
    /// null if a number in it is larger than any double.
    #[must_use]
    pub fn to_value(&self) -> Value {
        llmjson_syntax::parse(&self.json)
            .root()
            .map_or(Value::Null, |root| {
                llmjson_schema::to_value(root).unwrap_or_default()
            })
    }

    /// What the provider's dialect could not express ([`LintSeverity::Lost`]), and what the provider
    /// refuses all the same ([`LintSeverity::Refused`]), such as too many properties. Pointers lead into
    /// the schema as it was given.
    #[must_use]
    pub fn left(&self) -> &[Lint] {
        &self.left
    }

    /// The name of the member that the value stands in, if the schema as given does not ask for a
    /// single object and the provider wants one. Coercion takes objects and lists out of it again,
    /// but no scalars.
    ///
    /// ```
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

    /// Whether the schema as given allows values that a model held to the rendered one cannot write:
    /// members that are not declared, or objects where anything may stand.
    ///
    /// ```
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
