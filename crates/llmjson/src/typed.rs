//! Reading into a Rust type by the schema that the type itself derives.
//!
//! [`from_str`](crate::from_str) takes a value as it is. Here the schema of the type (from
//! `schemars`) first says what was meant: `"42"` becomes 42 for a `u32`, one item becomes a list,
//! `phone_number` becomes `phoneNumber`. Then it is validated, and only what conforms is handed to
//! serde. What does not conform comes back with feedback for the model.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{OnceLock, PoisonError, RwLock};

use llmjson_schema::{
    AnnotateOptions, CoerceOptions, Remark, Schema, SchemaError, Undeclared, Violation, annotate,
    coerce,
};
use llmjson_syntax::Document;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;

/// Reads whatever a language model wrote into a Rust type, guided by the type's own schema.
///
/// A reply that breaks off is read as far as it goes; use [`from_document`] to look at
/// [`is_complete`](Document::is_complete) first.
///
/// # Errors
///
/// Where the text holds no value, the value does not satisfy the schema after coercion, serde
/// refuses it all the same, or the type's schema itself cannot be used.
///
/// ```
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Booking {
///     guests: Vec<String>,
///     nights: u32,
/// }
///
/// let booking: Booking = llmjson::typed::from_str(r#"{"guests": "Ada", "nights": "3"}"#)?;
/// assert_eq!((booking.guests[0].as_str(), booking.nights), ("Ada", 3));
///
/// let error = llmjson::typed::from_str::<Booking>(r#"{"guests": []}"#).err();
/// let feedback = error.and_then(|error| error.feedback()).expect("something is missing");
/// assert!(feedback.contains("\"nights\": undefined // ❌"));
/// # Ok::<(), llmjson::typed::Error>(())
/// ```
pub fn from_str<T>(text: &str) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    from_document(&mut llmjson_syntax::parse(text))
}

/// Puts a document's value right by the schema of a Rust type and reads it into that type. The
/// document then holds the value as it was put right.
///
/// # Errors
///
/// As [`from_str`].
pub fn from_document<T>(document: &mut Document<'_>) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    let schema = schema::<T>().map_err(Error::Schema)?;
    coerce(document, &schema, &CoerceOptions::default());
    let violations = match document.root() {
        Some(root) => schema.violations(root, Undeclared::Allow),
        None => Vec::new(),
    };
    if violations.is_empty() {
        return crate::from_document(document).map_err(Error::Read);
    }
    let document = document.clone().into_owned();
    Err(Error::Violations(Box::new(Violations { document, schema, violations })))
}

/// The schema that a Rust type derives, compiled. Made once for each type and then kept.
///
/// # Errors
///
/// If the schema that the type describes cannot be used.
pub fn schema<T: JsonSchema + 'static>() -> Result<Schema, SchemaError> {
    type Known = HashMap<TypeId, Result<Schema, SchemaError>>;
    static KNOWN: OnceLock<RwLock<Known>> = OnceLock::new();
    let known = KNOWN.get_or_init(RwLock::default);
    let id = TypeId::of::<T>();
    // Entries are written whole, so a thread that panicked left nothing half done.
    let reader = known.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(schema) = reader.get(&id) {
        return schema.clone();
    }
    drop(reader);
    let generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let schema = Schema::compile(generator.into_root_schema_for::<T>().as_value());
    known.write().unwrap_or_else(PoisonError::into_inner).insert(id, schema.clone());
    schema
}

/// Why a reply could not be read into a type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The schema that the type derives cannot be used.
    Schema(SchemaError),
    /// There is no value, or serde refused one that satisfies the schema.
    Read(crate::Error),
    /// The value does not satisfy the schema.
    Violations(Box<Violations>),
}

impl Error {
    /// What to tell the model so that it can put its reply right; nothing if the value was not the
    /// reason.
    #[must_use]
    pub fn feedback(&self) -> Option<String> {
        match self {
            Self::Violations(violations) => Some(violations.feedback(None)),
            Self::Schema(_) | Self::Read(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schema(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Violations(violations) => violations.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// A value that does not satisfy the schema of the type it was meant for.
#[derive(Clone, Debug)]
pub struct Violations {
    document: Document<'static>,
    schema: Schema,
    violations: Vec<Violation>,
}

impl Violations {
    /// The document with the value, as far as it could be put right.
    #[must_use]
    pub fn document(&self) -> &Document<'static> {
        &self.document
    }

    /// Every way in which the value does not fit; at least one.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The value with the violations written beside it, for the model; in at most that many bytes,
    /// if there is a limit. See [`annotate`].
    #[must_use]
    pub fn feedback(&self, max_bytes: Option<usize>) -> String {
        let remarks: Vec<Remark> = self.violations.iter().map(Remark::from).collect();
        let mut options = AnnotateOptions::new().with_schema(&self.schema);
        options.max_bytes = max_bytes;
        annotate(self.document.root(), &remarks, &options)
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Violation { path, expected, .. }) = self.violations.first() {
            write!(f, "expected {expected} at {path}")?;
        }
        match self.violations.len() {
            0 | 1 => Ok(()),
            count => write!(f, ", and {} more", count - 1),
        }
    }
}
