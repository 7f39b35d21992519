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

use llmjson_schema::{Failure, Schema, SchemaError, stringify};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;

use crate::policy::Policy;
use crate::reply::LENIENT;

/// Reads whatever a language model wrote into a Rust type, guided by the type's own schema.
///
/// A reply that breaks off is read as far as it goes. To look at that first, and at what was
/// changed, call [`parse`](crate::parse) with the [`schema`] of the type and hand the document to
/// [`from_document`](crate::from_document).
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
    from_str_with(text, &LENIENT)
}

/// Reads whatever a language model wrote into a Rust type as [`from_str`] does, as far as a policy
/// allows.
///
/// # Errors
///
/// As [`from_str`], and where the policy does not allow the way in which the text has to be read.
///
/// ```
/// use llmjson::Policy;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Payment {
///     to: String,
///     cents: u64,
/// }
///
/// let reply = r#"{"to": "Ada", "cents": "1200"}"#;
/// let payment: Payment = llmjson::typed::from_str_with(reply, &Policy::exact())?;
/// assert_eq!((payment.to.as_str(), payment.cents), ("Ada", 1200));
///
/// let reply = r#"{"to": "Ada", "cents": 1200, "cents": 9"#;
/// let error = llmjson::typed::from_str_with::<Payment>(reply, &Policy::exact()).err();
/// assert_eq!(
///     error.map(|error| error.to_string()).as_deref(),
///     Some(
///         "not allowed: the text ended before its value did (truncated) at line 1, column 40 \
///          (byte 39) (and 1 more)"
///     ),
/// );
/// # Ok::<(), llmjson::typed::Error>(())
/// ```
pub fn from_str_with<T>(text: &str, policy: &Policy) -> Result<T, Error>
where
    T: DeserializeOwned + JsonSchema + 'static,
{
    let schema = schema::<T>().map_err(Error::Schema)?;
    match crate::parse_with(text, Some(&schema), policy).into_result() {
        Ok(document) => crate::from_document(&document).map_err(Error::Read),
        Err(failure) => Err(Error::Failure(Box::new(failure.into_owned()))),
    }
}

/// Returns the compiled schema that a Rust type derives. It is made once for each type and then kept.
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
    let generator = SchemaSettings::draft2020_12()
        .for_deserialize()
        .into_generator();
    let schema = Schema::compile(generator.into_root_schema_for::<T>().as_value());
    known
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(id, schema.clone());
    schema
}

/// The error of reading a reply into a type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The schema that the type derives cannot be used.
    Schema(SchemaError),
    /// There is no value, or none that satisfies the schema.
    Failure(Box<Failure<'static>>),
    /// Serde refused a value that satisfies the schema.
    Read(crate::Error),
}

impl Error {
    /// Returns what to tell the model so that it can correct its reply, or `None` if the schema of the
    /// type cannot be used.
    #[must_use]
    pub fn feedback(&self) -> Option<String> {
        match self {
            Self::Failure(failure) => Some(stringify(failure)),
            Self::Schema(_) | Self::Read(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schema(error) => error.fmt(f),
            Self::Failure(failure) => failure.fmt(f),
            Self::Read(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
