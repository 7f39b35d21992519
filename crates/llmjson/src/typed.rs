//! Reading into a Rust type by the schema that the type itself derives.
//!
//! [`from_str`](crate::from_str) takes a value as it is. Here the schema of the type (from
//! `schemars`) first says what was meant: `"42"` becomes 42 for a `u32`, one item becomes a list,
//! `phone_number` becomes `phoneNumber`. Then it is validated, and what conforms is handed to serde. So is
//! what only has another form than the schema describes, a list with repeated items for a set say: what the
//! type accepts is never refused. What keeps no bound or pattern, and what serde refuses, comes back with
//! feedback for the model.
//!
//! | you have | call | you get |
//! |---|---|---|
//! | a reply | [`from_str`] | the value |
//! | a reply | [`parse`] | [`Typed`]: the value, and how it was read |
//! | the arguments of a tool call | [`arguments`] | the same; blank text is `{}` where nothing is required |
//! | a value that another library read | [`coerce`] | the value coerced to the type |
//! | a value to check | [`validate`] | the value as it is, or what does not fit |
//! | a reply that is still coming | [`Stream`], [`Items`] | what has come of it, or each item when it is whole |
//!
//! Names that serde accepts for a field (`#[serde(alias = "…")]`) are accepted here too, although
//! `schemars` does not put them into the schema: see [`schema`].

mod stream;

use std::fmt;

use llmjson_schema::{Failure, SchemaError, document_from_value, stringify};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use llmjson_reply::derived_schema::schema;
pub use stream::{Items, Partials, Stream};

use llmjson_reply::policy::{LENIENT, Policy};
use llmjson_reply::reply::{Input, Parsed};

/// A value of a Rust type, and how it was read.
///
/// The value conforms to the schema of the type, or has another form that serde takes for the type, such
/// as a list with repeated items for a set; its [violations](Parsed::violations) then say so. Ask [`Parsed::is_complete`] before acting on it: a
/// reply that breaks off is read as far as it goes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Typed<'t, T> {
    /// The value.
    pub value: T,
    /// The document it was read from, its repairs, and the coercions that made it fit.
    pub parsed: Parsed<'t>,
}

impl<T> Typed<'_, T> {
    /// Returns the same with a text of its own.
    #[must_use]
    pub fn into_owned(self) -> Typed<'static, T> {
        Typed {
            value: self.value,
            parsed: self.parsed.into_owned(),
        }
    }
}

/// Reads whatever a language model wrote into a Rust type, guided by the type's own schema.
///
/// A reply that breaks off is read as far as it goes. To see that, and what was changed, call
/// [`parse`]. For a type that borrows, call [`crate::parse`] with the [`schema`] of the type and then
/// [`Parsed::deserialize`].
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
pub fn from_str<T: DeserializeOwned + JsonSchema + 'static>(text: &str) -> Result<T, Error> {
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
pub fn from_str_with<T: DeserializeOwned + JsonSchema + 'static>(
    text: &str,
    policy: &Policy,
) -> Result<T, Error> {
    parse_with(text, policy).map(|typed| typed.value)
}

/// Reads whatever a language model wrote into a Rust type as [`from_str`] does, and returns with the
/// value how it was read.
///
/// # Errors
///
/// As [`from_str`].
///
/// ```
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Booking {
///     #[serde(alias = "visitors")]
///     guests: Vec<String>,
///     nights: u32,
/// }
///
/// let booking = llmjson::typed::parse::<Booking>(r#"{"visitors": ["Ada"], "nights": "3""#)?;
/// assert_eq!((booking.value.guests[0].as_str(), booking.value.nights), ("Ada", 3));
/// let kinds: Vec<_> = booking.parsed.coercions().iter().map(|one| one.kind.name()).collect();
/// assert_eq!(kinds, ["key_alias", "text_to_number"]);
/// assert!(!booking.parsed.is_complete());
/// # Ok::<(), llmjson::typed::Error>(())
/// ```
pub fn parse<T: DeserializeOwned + JsonSchema + 'static>(
    text: &str,
) -> Result<Typed<'_, T>, Error> {
    parse_with(text, &LENIENT)
}

/// Reads whatever a language model wrote into a Rust type as [`parse`] does, as far as a policy allows.
///
/// # Errors
///
/// As [`from_str_with`].
///
/// ```
/// use llmjson::Policy;
/// use llmjson::typed;
///
/// let policy = Policy::tool();
/// assert_eq!(typed::parse_with::<Vec<u8>>("['1', 2]", &policy)?.value, [1, 2]);
/// assert!(typed::parse_with::<Vec<u8>>("['1', 2", &policy).is_err());
/// # Ok::<(), typed::Error>(())
/// ```
pub fn parse_with<'t, T: DeserializeOwned + JsonSchema + 'static>(
    text: &'t str,
    policy: &Policy,
) -> Result<Typed<'t, T>, Error> {
    let schema = schema::<T>().map_err(Error::Schema)?;
    typed(crate::parse_with(text, Some(&schema), policy))
}

/// Reads the arguments of a tool call into a Rust type. Blank text and `null` are `{}` where the type
/// requires nothing.
///
/// # Errors
///
/// As [`from_str`].
///
/// ```
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct List {
///     folder: Option<String>,
/// }
///
/// assert!(llmjson::typed::arguments::<List>("")?.value.folder.is_none());
/// let list = llmjson::typed::arguments::<List>("{folder: 'a'}")?;
/// assert_eq!(list.value.folder.as_deref(), Some("a"));
/// assert_eq!(list.parsed.repairs().len(), 2);
/// # Ok::<(), llmjson::typed::Error>(())
/// ```
pub fn arguments<T: DeserializeOwned + JsonSchema + 'static>(
    text: &str,
) -> Result<Typed<'_, T>, Error> {
    arguments_with(text, &LENIENT)
}

/// Reads the arguments of a tool call as [`arguments`] does, as far as a policy allows.
///
/// # Errors
///
/// As [`from_str_with`].
///
/// ```
/// use llmjson::Policy;
///
/// #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
/// struct Remove {
///     path: String,
/// }
///
/// let error = llmjson::typed::arguments_with::<Remove>("{\"path\": \"/us", &Policy::tool());
/// assert!(error.unwrap_err().to_string().contains("truncated"));
/// ```
pub fn arguments_with<'t, T: DeserializeOwned + JsonSchema + 'static>(
    text: &'t str,
    policy: &Policy,
) -> Result<Typed<'t, T>, Error> {
    let schema = schema::<T>().map_err(Error::Schema)?;
    typed(crate::arguments_with(text, Some(&schema), policy))
}

/// Coerces a value that another library read to a Rust type: a [`serde_json::Value`] or a
/// [`Document`](crate::syntax::Document).
///
/// # Errors
///
/// As [`from_str`].
///
/// ```
/// let value = serde_json::json!(["1", 2]);
/// let typed = llmjson::typed::coerce::<Vec<u8>>(&value)?;
/// assert_eq!(typed.value, [1, 2]);
/// assert_eq!(typed.parsed.coercions().len(), 1);
/// # Ok::<(), llmjson::typed::Error>(())
/// ```
pub fn coerce<'t, T: DeserializeOwned + JsonSchema + 'static>(
    value: impl Into<Input<'t>>,
) -> Result<Typed<'t, T>, Error> {
    coerce_with(value, &LENIENT)
}

/// Coerces a value to a Rust type as [`coerce`] does, as far as a policy allows. Of a
/// [`Document`](crate::syntax::Document) the policy also judges how it was read.
///
/// # Errors
///
/// As [`from_str_with`].
///
/// ```
/// use llmjson::{Policy, typed};
///
/// let value = serde_json::json!(["1", 2]);
/// assert!(typed::coerce_with::<Vec<u8>>(&value, &Policy::strict()).is_err());
/// ```
pub fn coerce_with<'t, T: DeserializeOwned + JsonSchema + 'static>(
    value: impl Into<Input<'t>>,
    policy: &Policy,
) -> Result<Typed<'t, T>, Error> {
    let schema = schema::<T>().map_err(Error::Schema)?;
    typed(crate::coerce_with(value, &schema, policy))
}

/// Reads a value into a Rust type if it satisfies the schema of the type as it is: nothing is changed,
/// and an alias is not the name of a required member.
///
/// # Errors
///
/// Where the value does not satisfy the schema, serde refuses it, or the type's schema cannot be used.
///
/// ```
/// use llmjson::typed;
/// use serde_json::json;
///
/// assert_eq!(typed::validate::<Vec<u8>>(&json!([1, 2]))?, [1, 2]);
/// let error = typed::validate::<Vec<u8>>(&json!(["1", 2])).unwrap_err();
/// assert!(error.feedback().is_some_and(|feedback| feedback.contains("$input[0]")));
/// # Ok::<(), typed::Error>(())
/// ```
pub fn validate<T: DeserializeOwned + JsonSchema + 'static>(value: &Value) -> Result<T, Error> {
    let schema = schema::<T>().map_err(Error::Schema)?;
    schema
        .validate(value)
        .map_err(|failure| Error::Failure(Box::new(failure)))?;
    llmjson_reply::de::from_document(&document_from_value(value)).map_err(Error::Read)
}

/// Reads a value that conforms by serde, and one that only lacks the form that the schema describes.
fn typed<T: DeserializeOwned>(parsed: Parsed<'_>) -> Result<Typed<'_, T>, Error> {
    let conforms = parsed.conforms();
    if conforms || is_other_form(&parsed) {
        match llmjson_reply::de::from_document(parsed.document()) {
            Ok(value) => return Ok(Typed { value, parsed }),
            Err(error) if conforms => return Err(Error::Read(error)),
            Err(_) => {}
        }
    }
    let failure = parsed.into_failure().into_owned();
    Err(Error::Failure(Box::new(failure)))
}

/// Keywords that describe the form of a value. The others restrict it, and serde does not know them.
const FORM: [&str; 7] = [
    "type",
    "required",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "uniqueItems",
];

/// Returns `true` if nothing is wrong with a value but its form.
fn is_other_form(parsed: &Parsed<'_>) -> bool {
    let mut violations = parsed.violations().iter();
    parsed.value().is_some()
        && parsed.refused().is_empty()
        && violations.all(|violation| FORM.contains(&violation.keyword))
}

/// The error of reading a reply into a type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The schema that the type derives cannot be used.
    Schema(SchemaError),
    /// A reply without a value, or without one that satisfies the schema.
    Failure(Box<Failure<'static>>),
    /// Serde refused a value that satisfies the schema.
    Read(crate::Error),
}

impl Error {
    /// Returns the feedback for the model, or `None` if the schema of the type cannot be used.
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

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Schema(error) => Some(error),
            Self::Failure(failure) => Some(&**failure),
            Self::Read(error) => Some(error),
        }
    }
}
