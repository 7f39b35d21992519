//! Schemas unwrapped from a provider's format, and notes about schemas.

use std::sync::Arc;

use super::{Compiled, Schema};
use crate::base::error::SchemaError;
use crate::base::schema_note::SchemaNote;

impl Schema {
    /// Returns a schema that was unwrapped, with the notes about its wrappers.
    pub(super) fn within(
        wrappers: Vec<(&'static str, SchemaNote)>,
        schema: Result<Self, SchemaError>,
    ) -> Result<Self, SchemaError> {
        if wrappers.is_empty() {
            return schema;
        }
        let outer = wrappers.iter().map(|(name, _)| format!("/{name}"));
        let outer: String = outer.collect();
        let mut schema = schema.map_err(|error| SchemaError {
            pointer: format!("{outer}{}", error.pointer),
            ..error
        })?;
        if let Some(compiled) = Arc::get_mut(&mut schema.compiled) {
            compiled.wrappers = wrappers.into_iter().map(|(_, note)| note).collect();
        }
        Ok(schema)
    }

    /// Returns notes about the schema: the provider wrappers removed from it, and unknown keywords,
    /// such as misspelled ones. At most 1,000 of these are noted.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = Schema::from_text(r#"{"properties": {"age": {"type": "integer"}}, "requird": ["age"]}"#)?;
    /// let note = &schema.notes()[0];
    /// assert_eq!(note.message, "`requird` is no keyword, so it says nothing: did you mean `required`?");
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn notes(&self) -> &[SchemaNote] {
        let Compiled {
            wrappers, notes, ..
        } = &*self.compiled;
        notes.get_or_init(|| {
            let mut notes = wrappers.clone();
            let outer = wrappers.last().map_or("", |note| &note.pointer);
            for mut note in self.source().unknown_keywords() {
                note.pointer.insert_str(0, outer);
                notes.push(note);
            }
            notes
        })
    }
}
