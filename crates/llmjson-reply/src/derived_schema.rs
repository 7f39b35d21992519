//! Schemas of Rust types.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{OnceLock, PoisonError, RwLock};

use llmjson_schema::{Schema, SchemaError};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

/// Returns the compiled schema that a Rust type derives. It is compiled once per type and cached.
///
/// schemars does not add serde aliases to a schema, so declare other keys of a field with
/// `#[schemars(extend("x-aliases" = ["phone"]))]`.
///
/// # Errors
///
/// If the type's schema is invalid.
///
/// ```
/// # mod llmjson { pub use llmjson_reply::*; pub mod typed { pub use llmjson_reply::internal::schema; } }
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Sms {
///     #[schemars(extend("x-aliases" = ["phone"]))]
///     to: String,
/// }
///
/// let schema = llmjson::typed::schema::<Sms>()?;
/// let parsed = llmjson::parse(r#"{"phone": "+47 1"}"#, Some(&schema));
/// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"to":"+47 1"}"#));
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
pub fn schema<T>() -> Result<Schema, SchemaError>
where
    T: JsonSchema + 'static,
{
    type Known = HashMap<TypeId, Result<Schema, SchemaError>>;
    static KNOWN: OnceLock<RwLock<Known>> = OnceLock::new();
    let known = KNOWN.get_or_init(RwLock::default);
    let id = TypeId::of::<T>();
    // Entries are written whole, so a thread that panicked left nothing incomplete.
    let reader = known.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(schema) = reader.get(&id) {
        return schema.clone();
    }
    drop(reader);
    let schema = derived::<T>();
    known
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(id, schema.clone());
    schema
}

fn derived<T: JsonSchema>() -> Result<Schema, SchemaError> {
    let generator = SchemaSettings::draft2020_12()
        .for_deserialize()
        .into_generator();
    let schema = generator.into_root_schema_for::<T>();
    Schema::compile(schema.as_value())
}
