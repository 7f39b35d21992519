//! Document values for serde's serializers.

use llmjson_syntax::{Kind, ValueRef};
use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};

/// Deeper values are not serialized, because every level uses stack.
const DEPTH_MAX: usize = 512;

/// A serializable value of a document, with its members in order.
///
/// Integers that fit 64 bits are serialized as integers, other numbers as the nearest double, and
/// numbers too large for a double as strings. The last duplicate key wins.
///
/// # Errors
///
/// A value nested deeper than 512 levels makes the serializer fail.
///
/// ```
/// use llmjson_schema::JsonValue;
///
/// let document = llmjson_syntax::parse("{b: 1, a: [2.50]}");
/// let value = document.root().map(JsonValue::of);
/// assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"b":1,"a":[2.5]}"#);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JsonValue<'d> {
    value: ValueRef<'d>,
    /// Number of nesting levels left.
    depth: usize,
}

impl<'d> JsonValue<'d> {
    /// Returns a serializable view of the value.
    #[must_use]
    pub fn of(value: ValueRef<'d>) -> Self {
        let depth = DEPTH_MAX;
        Self { value, depth }
    }

    fn within<E: Error>(&self, value: ValueRef<'d>) -> Result<Self, E> {
        let depth = self.depth.checked_sub(1);
        let deep = || E::custom(format_args!("containers nest deeper than {DEPTH_MAX}"));
        let depth = depth.ok_or_else(deep)?;
        Ok(Self { value, depth })
    }
}

impl Serialize for JsonValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        match value.kind() {
            Kind::Null => serializer.serialize_unit(),
            Kind::Bool => serializer.serialize_bool(value.as_bool().unwrap_or_default()),
            Kind::Number => serialize_number(value, serializer),
            Kind::String => serializer.serialize_str(&value.as_str().unwrap_or_default()),
            Kind::Array => {
                let mut items = serializer.serialize_seq(None)?;
                for item in value.items() {
                    items.serialize_element(&self.within(item)?)?;
                }
                items.end()
            }
            Kind::Object => {
                let mut members = serializer.serialize_map(None)?;
                for (name, member) in value.members() {
                    members.serialize_entry(&*name, &self.within(member)?)?;
                }
                members.end()
            }
        }
    }
}

fn serialize_number<S: Serializer>(value: ValueRef<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = value.as_number().unwrap_or_default();
    // A fraction or an exponent makes a double, as in serde_json, and so does a negative zero.
    let is_integer = text != "-0" && !text.contains(['.', 'e', 'E']);
    if let Some(number) = value.as_u64().filter(|_| is_integer) {
        return serializer.serialize_u64(number);
    }
    if let Some(number) = value.as_i64().filter(|_| is_integer) {
        return serializer.serialize_i64(number);
    }
    match value.as_f64() {
        Some(number) => serializer.serialize_f64(number),
        None => serializer.serialize_str(text),
    }
}
