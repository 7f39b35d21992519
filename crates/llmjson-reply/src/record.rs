//! Serialization of records with serde.

use llmjson_schema::JsonValue;
use llmjson_syntax::{Document, ToJson};
use serde::ser::{Error as _, Serializer};

/// Serializes an object that can be written as JSON, member by member.
pub fn serialize_record<S: Serializer>(record: &impl ToJson, to: S) -> Result<S::Ok, S::Error> {
    let document = Document::of(record);
    let Some(members) = document.root().map(|root| root.members()) else {
        return Err(S::Error::custom("the report is too long"));
    };
    to.collect_map(members.map(|(name, member)| (name, JsonValue::of(member))))
}
