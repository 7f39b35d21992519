//! The crate `jsonschema` as a second validator.

use jsonschema::{Draft, Validator};

use crate::base::error::SchemaError;
use crate::check::format::Format;
use crate::check::text_formats;
use crate::schema::Schema;

impl Schema {
    /// Returns a validator of the crate `jsonschema` for this schema, to use its reporting
    /// (`iter_errors`, `evaluate`) or to compare verdicts.
    ///
    /// It gets the schema as this crate understands it, in draft 2020-12, asserts formats with the
    /// same functions, and fetches nothing. The verdicts are equal, except that `jsonschema` does
    /// not check integer widths (`"format": "uint8"`), nor numbers beyond double precision exactly.
    ///
    /// # Errors
    ///
    /// If `jsonschema` cannot compile the schema.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = Schema::from_text(r#"{"type": "object", "unevaluatedProperties": {"type": "integer"}}"#)?;
    /// let judge = schema.to_jsonschema()?;
    /// let value = serde_json::json!({"a": 1, "b": "x"});
    /// assert_eq!(judge.iter_errors(&value).count(), 1);
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "full")))]
    pub fn to_jsonschema(&self) -> Result<Validator, SchemaError> {
        let options = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .offline();
        let tests = text_formats::TESTS.into_iter();
        let options = tests.fold(options, |options, (name, test)| {
            options.with_format(name, test)
        });
        let formats = self.compiled.formats;
        let decided = Format::DECIDED.into_iter();
        let options = decided.fold(options, |options, (name, format)| {
            let has = move |text: &str| format.tells(text.as_bytes(), formats).unwrap_or_default();
            options.with_format(name, has)
        });
        let built = options.build(self.compiled.tree.value());
        built.map_err(|error| SchemaError::of_whole(error.to_string()))
    }
}
