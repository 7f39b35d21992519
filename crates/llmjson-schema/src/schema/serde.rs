//! Schemas within other data: settings, requests, tool lists.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use super::Schema;
use crate::convert::JsonValue;

/// Writes the schema as JSON, as given.
impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document = llmjson_syntax::parse(self.as_json());
        match document.root() {
            Some(root) => JsonValue::of(root).serialize(serializer),
            None => Err(S::Error::custom("the schema is no JSON value")),
        }
    }
}

/// Compiles a schema from JSON, as [`from_text`](Schema::from_text) does: its members keep their
/// order.
///
/// ```
/// use llmjson_schema::Schema;
///
/// #[derive(serde::Deserialize, serde::Serialize)]
/// struct Settings {
///     schema: Schema,
/// }
///
/// let text = r#"{"schema":{"required":["b"],"properties":{"b":{"maximum":1.5},"a":true}}}"#;
/// let settings: Settings = serde_json::from_str(text)?;
/// assert_eq!(serde_json::to_string(&settings)?, text);
/// assert!(serde_json::from_str::<Schema>(r#"{"type": "int"}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let JsonText(text) = JsonText::deserialize(deserializer)?;
        Self::from_text(&text).map_err(D::Error::custom)
    }
}

/// The JSON text of any value.
struct JsonText(String);

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SchemaWriter).map(Self)
    }
}

struct SchemaWriter;

impl<'de> Visitor<'de> for SchemaWriter {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON Schema")
    }

    fn visit_unit<E>(self) -> Result<String, E> {
        Ok("null".to_owned())
    }

    fn visit_bool<E>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_u64<E>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<String, E> {
        serde_json::to_string(&value).map_err(E::custom)
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<String, E> {
        serde_json::to_string(value).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<String, A::Error> {
        let mut text = String::from("[");
        while let Some(JsonText(item)) = items.next_element()? {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&item);
        }
        text.push(']');
        Ok(text)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<String, A::Error> {
        let mut text = String::from("{");
        while let Some((name, JsonText(member))) = members.next_entry::<String, JsonText>()? {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&serde_json::to_string(&name).map_err(A::Error::custom)?);
            text.push(':');
            text.push_str(&member);
        }
        text.push('}');
        Ok(text)
    }
}
