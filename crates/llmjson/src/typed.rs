//! Parsing into a Rust type, guided by the schema that the type derives.
//!
//! [`from_str`](crate::from_str) deserializes the value without changing it. The functions here
//! first coerce it to the type's schema (from `schemars`): `"42"` becomes 42 for a `u32`, a single
//! item becomes an array, `phone_number` becomes `phoneNumber`. The value is then validated and
//! deserialized. A value that differs from the schema only in form, such as an array with repeated
//! items for a set, is also deserialized, so a value that the type accepts is never refused. If a
//! bound or a pattern is violated, or serde refuses the value, the error has feedback for the
//! model.
//!
//! | you have | call | you get |
//! |---|---|---|
//! | a reply | [`from_str`] | the value |
//! | the arguments of a tool call | [`arguments`] | the same; blank text is `{}` where nothing is required |
//! | a value that another library read | [`coerce`] | the value coerced to the type |
//! | a reply that is still coming | [`Stream`] | what has come of it (in a [`Partial`](trait@Partial) type), or each item when it is whole |
//!
//! To get the report too, or to set a policy, parse with the type's [`schema`] and convert the
//! result:
//!
//! ```
//! use llmjson::{Policy, typed};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Payment {
//!     to: String,
//!     cents: u64,
//! }
//!
//! let schema = typed::schema::<Payment>()?;
//! let parsed = Policy::exact().parse(r#"{"to": "Ada", "cents": "1200"}"#, Some(&schema));
//! assert_eq!(parsed.coercions()[0].kind.name(), "text_to_number");
//! let payment: Payment = parsed.into_type()?;
//! assert_eq!((payment.to.as_str(), payment.cents), ("Ada", 1200));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! schemars does not add `#[serde(alias = "…")]` to the schema. To accept another key for a field,
//! add `#[schemars(extend("x-aliases" = ["…"]))]`: see [`schema`].

pub(crate) mod partial;
mod stream;

use std::fmt;
use std::sync::Arc;

use llmjson_schema::{Failure, SchemaError, stringify};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

// Hidden, since the trait with the same name documents it.
#[cfg(feature = "derive")]
#[doc(hidden)]
pub use llmjson_derive::Partial;
pub use llmjson_reply::internal::schema;
pub use partial::Partial;
pub use stream::Stream;

use llmjson_reply::{DeserializeExt, Input, Parsed};

/// Parses a model's reply into a Rust type, guided by the type's own schema.
///
/// A truncated reply is an error. To [allow](crate::Policy::allow_truncated) truncation, to see the
/// changes, or for a type that borrows, call [`crate::parse`] with the type's [`schema`], then
/// [`Parsed::into_type`] or [`Parsed::deserialize`].
///
/// # Errors
///
/// If the reply holds no value or is truncated, if the value does not satisfy the schema after
/// coercion or serde refuses it, or if the type's schema is invalid.
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
/// assert!(llmjson::typed::from_str::<Booking>(r#"{"guests": ["Ada"], "nights": 3"#).is_err());
/// # Ok::<(), llmjson::typed::Error>(())
/// ```
pub fn from_str<T: DeserializeOwned + JsonSchema + 'static>(text: &str) -> Result<T, Error> {
    let schema = schema::<T>().map_err(Error::Schema)?;
    typed(crate::parse(text, Some(&schema)))
}

/// Parses the arguments of a tool call into a Rust type. Blank input and `null` are read as `{}` if
/// the type has no required fields.
///
/// # Errors
///
/// See [`from_str`].
///
/// ```
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct List {
///     folder: Option<String>,
/// }
///
/// assert!(llmjson::typed::arguments::<List>("")?.folder.is_none());
/// let list = llmjson::typed::arguments::<List>("{folder: 'a'}")?;
/// assert_eq!(list.folder.as_deref(), Some("a"));
/// # Ok::<(), llmjson::typed::Error>(())
/// ```
pub fn arguments<T: DeserializeOwned + JsonSchema + 'static>(text: &str) -> Result<T, Error> {
    let schema = schema::<T>().map_err(Error::Schema)?;
    typed(crate::arguments(text, Some(&schema)))
}

/// Coerces a value parsed by another library, such as a [`serde_json::Value`] or a
/// [`Document`](crate::syntax::Document), into a Rust type.
///
/// # Errors
///
/// See [`from_str`].
///
/// ```
/// let value = serde_json::json!(["1", 2]);
/// assert_eq!(llmjson::typed::coerce::<Vec<u8>>(&value)?, [1, 2]);
/// # Ok::<(), llmjson::typed::Error>(())
/// ```
pub fn coerce<'t, T: DeserializeOwned + JsonSchema + 'static>(
    value: impl Into<Input<'t>>,
) -> Result<T, Error> {
    let schema = schema::<T>().map_err(Error::Schema)?;
    typed(crate::coerce(value, &schema))
}

/// Deserializes a value that conforms, or that differs from the schema only in form. If serde
/// refuses it, that is reported like a violation of the schema.
fn typed<T: DeserializeOwned>(mut parsed: Parsed<'_>) -> Result<T, Error> {
    let conforms = parsed.conforms();
    let is_other_form = !conforms && is_other_form(&parsed);
    if conforms || is_other_form {
        parsed.refuse_truncated();
    }
    if parsed.refused().is_empty() && (conforms || is_other_form) {
        match parsed.document().deserialize() {
            Ok(value) => return Ok(value),
            Err(error) if conforms => {
                let schema = parsed.schema.as_ref();
                let violation = error.violation(&parsed.document, schema);
                parsed.violations.push(violation);
            }
            Err(_) => {}
        }
    }
    Err(Error::Failure(parsed.into_failure()))
}

/// Keywords that describe the form of a value. The others restrict it, and serde does not know
/// them.
const FORM: [&str; 7] = [
    "type",
    "required",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "uniqueItems",
];

/// Returns `true` if only the form of a value is wrong.
fn is_other_form(parsed: &Parsed<'_>) -> bool {
    let mut violations = parsed.violations().iter();
    parsed.value().is_some()
        && parsed.refused().is_empty()
        && violations.all(|violation| FORM.contains(&violation.keyword))
}

/// A failure to read a reply into a type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The schema that the type derives is invalid.
    Schema(SchemaError),
    /// The reply has no value, or its value does not satisfy the schema.
    Failure(Failure),
    /// Serde refused a value that satisfies the schema.
    Read(crate::Error),
    /// The source of a streamed reply failed, or its pieces are not UTF-8.
    Source(Arc<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Returns feedback for the model, or `None` if the reply is not the cause.
    #[must_use]
    pub fn feedback(&self) -> Option<String> {
        match self {
            Self::Failure(failure) => Some(stringify(failure)),
            Self::Schema(_) | Self::Read(_) | Self::Source(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schema(error) => error.fmt(f),
            Self::Failure(failure) => failure.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Source(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Schema(error) => Some(error),
            Self::Failure(failure) => Some(failure),
            Self::Read(error) => Some(error),
            Self::Source(error) => Some(&**error),
        }
    }
}
