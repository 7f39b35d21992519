//! Serialization of coercions and violations with serde: the members that reports have, except
//! values and their types, which need the document.

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::report::{Coercion, Found, Violation};

/// Writes `kind`, `class`, `path` and `sentence`, and `violations` if a value was dropped for them.
///
/// ```
/// use llmjson_schema::{CoerceOptions, Schema, coerce};
///
/// let schema = Schema::from_text(r#"{"properties": {"days": {"type": "integer"}}}"#)?;
/// let mut document = llmjson_syntax::parse(r#"{"days": "3"}"#);
/// let coercions = coerce(&mut document, &schema, &CoerceOptions::default());
/// let json = serde_json::to_value(&coercions[0])?;
/// assert_eq!((&json["kind"], &json["path"]), (&"text_to_number".into(), &"$input.days".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Coercion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("kind", self.kind.name())?;
        members.serialize_entry("class", self.class.name())?;
        members.serialize_entry("path", &self.path.to_string())?;
        members.serialize_entry("sentence", self.kind.sentence())?;
        if !self.violations.is_empty() {
            members.serialize_entry("violations", &self.violations)?;
        }
        members.end()
    }
}

/// Writes `path`, `expected`, `keyword`, `schema` and, if there is one, `description`; `found` is
/// present only as `undefined`, for a missing member.
///
/// ```
/// use llmjson_schema::{Schema, Undeclared};
///
/// let schema = Schema::from_text(r#"{"required": ["city"]}"#)?;
/// let document = llmjson_syntax::parse("{}");
/// let root = document.root().expect("an object");
/// let violations = schema.violations(root, Undeclared::Keep);
/// let json = serde_json::to_value(&violations[0])?;
/// assert_eq!((&json["path"], &json["found"]), (&"$input.city".into(), &"undefined".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for Violation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("path", &self.path.to_string())?;
        members.serialize_entry("expected", &*self.expected)?;
        if self.found == Found::Missing {
            members.serialize_entry("found", "undefined")?;
        }
        members.serialize_entry("keyword", self.keyword)?;
        members.serialize_entry("schema", &*self.schema)?;
        if let Some(description) = &self.description {
            members.serialize_entry("description", &**description)?;
        }
        members.end()
    }
}
