//! Strict decoding and, if that fails, four small repairs of an object's fields.
//!
//! Models that call tools write valid JSON of a slightly wrong shape: a single item where an array
//! is expected, an array inside a string, a null for an omitted field. `from_str` decodes strictly,
//! as `serde_json` does and at its speed. If that fails, it examines the fields that don't match
//! the type's schema, and makes only these repairs, of which the first successful one is kept:
//!
//! | [`Kind`] | from | to |
//! |---|---|---|
//! | `drop_null` | `null` for a text, number or boolean | no member, or the zero of its type where it is required |
//! | `unwrap_string_array` | `"[1, 2]"` | `[1, 2]` |
//! | `wrap_object_in_array` | `{"path": "a"}` where a list of scalars is expected | `["a"]` |
//! | `wrap_in_array` | `"a"` where a list of scalars is expected | `["a"]` |
//!
//! If no repair helps, the strict decoder's error is returned. The text is never repaired: a reply
//! that is not JSON fails. Only the object's own fields are repaired, unless
//! [`ShapeOptions::depth`] says otherwise, and maps and unions are not.
//!
//! `from_str` and similar functions require the feature `schemars`; [`from_str_by`] takes a schema
//! instead. [`Policy::shape`] is the same as a policy for replies.

mod kind;
mod order;

pub use kind::Kind;

use llmjson_schema::{AllowedRepairs, Coercion, CoercionKind, Schema, Step};
#[cfg(feature = "schemars")]
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Error;

use crate::policy::{FormatStrictness, Handling, Policy};
use crate::reply::Parsed;

/// The depth of repairs, and a listener for them. `Copy` and cheap.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::compat::shape::{self, ShapeOptions};
///
/// #[derive(serde::Deserialize)]
/// struct Read {
///     paths: Vec<String>,
/// }
///
/// let schema = llmjson::Schema::from_text(
///     r#"{"type": "object", "properties": {"paths": {"type": "array", "items": {"type": "string"}}}}"#,
/// )?;
/// let tell = |kinds: &[shape::Kind]| println!("repaired: {kinds:?}");
/// let options = ShapeOptions::new().on_repair(&tell);
/// let read: Read = shape::from_str_by(r#"{"paths": "a.txt"}"#, &schema, options)?;
/// assert_eq!(read.paths, ["a.txt"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct ShapeOptions<'f> {
    depth: u32,
    tool: Option<&'f str>,
    model: Option<&'f str>,
    on_repair: Option<Tell<'f>>,
}

/// The listener that receives the repairs.
type Tell<'f> = &'f dyn Fn(&[Kind]);

impl<'f> ShapeOptions<'f> {
    /// Creates options with depth 1 and without a listener.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            depth: 1,
            tool: None,
            model: None,
            on_repair: None,
        }
    }

    /// Sets how many steps below the root fields are repaired: 1 for the object's own fields, 2
    /// also for the fields of objects in them. An array is one step too.
    #[must_use]
    pub const fn depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }

    /// Names the tool whose arguments are decoded, for the event `tool_input_repaired` of the
    /// feature `tracing`.
    #[must_use]
    pub const fn tool(self, name: &'f str) -> Self {
        Self {
            tool: Some(name),
            ..self
        }
    }

    /// Names the model that wrote the arguments, for the same event.
    #[must_use]
    pub const fn model(self, name: &'f str) -> Self {
        Self {
            model: Some(name),
            ..self
        }
    }

    /// Sets a function that is called with the repairs: once, with all of them in the order in
    /// which the fields are declared, after the repaired value was decoded and before it is
    /// returned. It is not called if nothing needed repair or if repairs did not help.
    #[must_use]
    pub const fn on_repair(self, tell: &'f dyn Fn(&[Kind])) -> Self {
        Self {
            on_repair: Some(tell),
            ..self
        }
    }
}

impl Default for ShapeOptions<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for ShapeOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShapeOptions")
            .field("depth", &self.depth)
            .field("tool", &self.tool)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// Returns the policy [`Policy::shape`], derived from the policy that allows nothing.
pub(crate) fn changed(mut strict: Policy) -> Policy {
    let coercion = strict
        .coercion
        .with(CoercionKind::DropNull)
        .with(CoercionKind::TextToContainer)
        .with(CoercionKind::UnwrapPlaceholder)
        .with(CoercionKind::WrapInArray)
        .with_text_levels(1)
        .with_plain_fields()
        .with_zero_for_null();
    strict.coercion = coercion.with_allowed_repairs(AllowedRepairs::NONE);
    strict
        .with_formats(FormatStrictness::Lenient)
        .with_reach(1, 1)
        .with_partial_coercion(Handling::Refuse)
        .with_blank_arguments(Handling::Accept)
}

/// Decodes JSON into a type; if that fails, repairs fields and retries once.
///
/// # Errors
///
/// The strict decoder's error, even if repairs were tried.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::compat::shape;
///
/// #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
/// struct Read {
///     paths: Vec<String>,
///     lines: u32,
/// }
///
/// let read: Read = shape::from_str(r#"{"paths": "[\"a\", \"b\"]", "lines": null}"#)?;
/// assert_eq!((read.paths.len(), read.lines), (2, 0));
///
/// let error = shape::from_str::<Read>(r#"{"paths": 7, "lines": 1}"#).unwrap_err();
/// assert_eq!((error.line(), error.column()), (1, 11));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[cfg(feature = "schemars")]
#[inline]
pub fn from_str<T>(text: &str) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    from_str_with(text, ShapeOptions::new())
}

/// Decodes bytes as [`from_str`] does.
///
/// # Errors
///
/// The strict decoder's error, even if repairs were tried.
#[cfg(feature = "schemars")]
#[inline]
pub fn from_slice<T>(bytes: &[u8]) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    from_slice_with(bytes, ShapeOptions::new())
}

/// Decodes JSON as [`from_str`] does, with options.
///
/// # Errors
///
/// The strict decoder's error, even if repairs were tried.
#[cfg(feature = "schemars")]
#[inline]
pub fn from_str_with<T>(text: &str, options: ShapeOptions<'_>) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    serde_json::from_str(text).or_else(|error| second_try(text, error, options))
}

/// Decodes bytes as [`from_slice`] does, with options.
///
/// # Errors
///
/// The strict decoder's error, even if repairs were tried.
#[cfg(feature = "schemars")]
#[inline]
pub fn from_slice_with<T>(bytes: &[u8], options: ShapeOptions<'_>) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    serde_json::from_slice(bytes).or_else(|error| match std::str::from_utf8(bytes) {
        Ok(text) => second_try(text, error, options),
        Err(_) => Err(error),
    })
}

/// Decodes JSON as [`from_str_with`] does into an existing value, which is overwritten only on
/// success.
///
/// # Errors
///
/// The strict decoder's error, even if repairs were tried; `value` is then unchanged.
#[cfg(feature = "schemars")]
pub fn from_str_into<T>(text: &str, value: &mut T, options: ShapeOptions<'_>) -> Result<(), Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    *value = from_str_with(text, options)?;
    Ok(())
}

/// Decodes bytes as [`from_slice_with`] does into an existing value, which is overwritten only on
/// success.
///
/// # Errors
///
/// The strict decoder's error, even if repairs were tried; `value` is then unchanged.
#[cfg(feature = "schemars")]
pub fn from_slice_into<T>(
    bytes: &[u8],
    value: &mut T,
    options: ShapeOptions<'_>,
) -> Result<(), Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    *value = from_slice_with(bytes, options)?;
    Ok(())
}

/// Decodes the arguments of a tool call as [`from_str_with`] does. Blank input and `null` are read
/// as `{}` if the type has no required fields.
///
/// # Errors
///
/// The strict decoder's error, even if repairs were tried.
///
/// ```
/// # use llmjson_reply as llmjson;
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct List {
///     folder: Option<String>,
/// }
///
/// let options = llmjson::compat::shape::ShapeOptions::new();
/// for text in [" ", "null"] {
///     let list: List = llmjson::compat::shape::arguments(text, options)?;
///     assert!(list.folder.is_none());
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
#[cfg(feature = "schemars")]
pub fn arguments<T>(text: &str, options: ShapeOptions<'_>) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    if matches!(text.trim(), "" | "null")
        && let Ok(value) = serde_json::from_str("{}")
    {
        return Ok(value);
    }
    from_str_with(text, options)
}

/// Decodes JSON into a type; if that fails, repairs fields by a schema and retries once.
///
/// The schema is used only if decoding fails. Decoding into a type that accepts anything, such as
/// [`serde_json::Value`], never fails: use [`Policy::shape`] for that.
///
/// # Errors
///
/// The strict decoder's error, even if repairs were tried.
#[inline]
pub fn from_str_by<T: DeserializeOwned>(
    text: &str,
    schema: &Schema,
    options: ShapeOptions<'_>,
) -> Result<T, Error> {
    serde_json::from_str(text).or_else(|error| decode_repaired(text, schema, error, options))
}

/// Repairs by the type's own schema, which is built on first use.
#[cfg(feature = "schemars")]
#[cold]
fn second_try<T>(text: &str, error: Error, options: ShapeOptions<'_>) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    match crate::derived_schema::schema::<T>() {
        Ok(schema) => decode_repaired(text, &schema, error, options),
        Err(_) => Err(error),
    }
}

#[cold]
fn decode_repaired<T: DeserializeOwned>(
    text: &str,
    schema: &Schema,
    error: Error,
    options: ShapeOptions<'_>,
) -> Result<T, Error> {
    // A decoder may reject a duplicate key; rewriting the value would hide it.
    let mut policy = Policy::shape()
        .with_reach(1, options.depth)
        .with_duplicate_keys(Handling::Refuse);
    if let Some(tool) = options.tool {
        policy = policy.with_tool(tool);
    }
    if let Some(model) = options.model {
        policy = policy.with_model(model);
    }
    let parsed = crate::reply::read(text, Some(schema), &policy);
    let decode = |json: String| serde_json::from_str(&json).ok();
    let Some(value) = repaired(&parsed).and_then(decode) else {
        return Err(error);
    };
    if let Some(tell) = options.on_repair {
        tell(&kinds_of(&parsed, schema, order::fields_of::<T>()));
    }
    policy.emit(&parsed);
    Ok(value)
}

/// Returns the JSON of an object with its fields repaired, or `None` if there was nothing to repair
/// or it does not help.
fn repaired(parsed: &Parsed<'_>) -> Option<String> {
    let is_object = parsed.value()?.kind() == llmjson_syntax::Kind::Object;
    let helped = is_object && parsed.conforms() && !parsed.coercions().is_empty();
    helped.then(|| parsed.to_json()).flatten()
}

/// The repairs, in the order in which the fields are declared.
fn kinds_of(parsed: &Parsed<'_>, schema: &Schema, fields: &[&str]) -> Vec<Kind> {
    let members = schema.members();
    let declared = if fields.is_empty() { &members } else { fields };
    let mut coercions: Vec<_> = parsed.coercions().iter().collect();
    coercions.sort_by_cached_key(|coercion| place(coercion, declared));
    let kinds = coercions.iter().filter_map(|one| Kind::of(one.kind));
    kinds.collect()
}

/// Returns the index of the declared field in which a change was made, or `declared.len()` if it
/// was made elsewhere.
fn place(coercion: &Coercion, declared: &[&str]) -> usize {
    let field = match coercion.path.steps().first() {
        Some(Step::Member(name)) => declared.iter().position(|known| **known == **name),
        _ => None,
    };
    field.unwrap_or(declared.len())
}
