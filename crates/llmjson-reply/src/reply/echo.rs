//! Replies that repeat the schema instead of a value of it.
//!
//! Small models do this: `{"type": "object", "properties": {"city": {"type": "string"}}}`, also in
//! an envelope, truncated, or reduced to its properties. If the schema itself describes schemas or
//! types, this may be the intended value.

use llmjson_schema::Schema;
use llmjson_schema::internal::{TYPES, is_keyword, is_typing};
use llmjson_syntax::{Kind, ValueRef};

/// Maximum number of envelopes around a schema.
const ENVELOPES_MAX: usize = 3;

/// Maximum number of members that are examined.
const MEMBERS_MAX: usize = 64;

/// Returns `true` if a value is the schema, or describes its declared members like a schema.
pub(crate) fn repeats_schema(value: ValueRef<'_>, schema: &Schema) -> bool {
    let Some((name, first)) = value.members().next() else {
        return false;
    };
    // Nearly all values begin with something else.
    if !is_keyword(&name) && first.kind() != Kind::Object {
        return false;
    }
    let names = schema.names();
    let known = |name: &str| names.contains(name);
    if known("properties") {
        return false;
    }
    // The names of types may be values of this schema.
    let typed = known("type");
    let mut inner = value;
    for _ in 0..=ENVELOPES_MAX {
        let properties = member(inner, "properties");
        let described = properties.is_some_and(|properties| describe(properties, known));
        if described && !holds_values(inner, known) || !typed && is_whole(inner, schema) {
            return true;
        }
        // Only keys and types. A schema that allows any members may expect this value.
        if !typed && describe(inner, known) {
            return !schema.is_valid(value);
        }
        let mut envelopes = (inner.members().take(MEMBERS_MAX))
            .filter(|(name, value)| value.kind() == Kind::Object && !known(name));
        match (envelopes.next(), envelopes.next()) {
            (Some((_, within)), None) => inner = within,
            _ => return false,
        }
    }
    false
}

fn member<'v>(value: ValueRef<'v>, wanted: &str) -> Option<ValueRef<'v>> {
    let mut members = value.members().take(MEMBERS_MAX);
    members.find_map(|(name, value)| (name == wanted).then_some(value))
}

/// Returns `true` if the members of a value are schemas, nearly all with a type, and at least half
/// of them have known keys.
fn describe(value: ValueRef<'_>, known: impl Fn(&str) -> bool) -> bool {
    let (mut all, mut familiar, mut typed) = (0, 0, 0);
    for (name, one) in value.members().take(MEMBERS_MAX) {
        if !is_subschema(one) {
            return false;
        }
        all += 1;
        familiar += usize::from(known(&name));
        let mut members = one.members().take(MEMBERS_MAX);
        typed += usize::from(members.any(|(name, _)| is_typing(&name)));
    }
    // The last may be truncated.
    familiar > 0 && 2 * familiar >= all && typed > 0 && typed + 1 >= all
}

/// Returns `true` if a value is an object of keywords only, whose type, if any, exists.
fn is_subschema(value: ValueRef<'_>) -> bool {
    let is_type = |value: ValueRef<'_>| {
        let name = value.as_str();
        name.is_some_and(|name| TYPES.iter().any(|one| one.eq_ignore_ascii_case(&name)))
    };
    value.kind() == Kind::Object
        && value
            .members()
            .take(MEMBERS_MAX)
            .all(|(name, value)| match &*name {
                "type" => is_type(value) || value.items().next().is_some_and(is_type),
                name => is_keyword(name),
            })
}

/// Returns `true` if values of the schema are next to schema keywords.
fn holds_values(value: ValueRef<'_>, known: impl Fn(&str) -> bool) -> bool {
    let mut members = value.members().take(MEMBERS_MAX);
    members.any(|(name, _)| known(&name) && !is_keyword(&name))
}

/// Returns `true` if a value equals the schema as given, if that is more than a type.
fn is_whole(value: ValueRef<'_>, schema: &Schema) -> bool {
    value.len() > 1
        && value
            .members()
            .take(MEMBERS_MAX)
            .all(|(name, _)| is_keyword(&name))
        && llmjson_syntax::parse(schema.as_json()).root() == Some(value)
}

#[cfg(test)]
mod tests {
    use super::repeats_schema;
    use llmjson_schema::Schema;

    const SCHEMA: &str = r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}"#;

    fn repeats(text: &str, schema: &str) -> bool {
        let schema = Schema::from_text(schema).expect("it compiles");
        let document = llmjson_syntax::parse(text);
        repeats_schema(document.root().expect("a value"), &schema)
    }

    #[test]
    fn schemas_are_no_values() {
        for (text, expected) in [
            (SCHEMA, true),
            (r#"{"properties": {"days": {"type": "integer"}}}"#, true),
            (
                r#"{"$schema": "x", "title": "Trip", "properties": {"city": {"type": ["string", "null"]}, "days": {}}}"#,
                true,
            ),
            (
                r#"{"type": "object", "properties": {"city": {"type": "STRING"}, "da"#,
                true,
            ),
            (
                r#"{"city": {"type": "string"}, "days": {"type": "integer", "minimum": 0}}"#,
                true,
            ),
            (
                r#"{"schema": {"type": "object", "properties": {"city": {"type": "string"}}}}"#,
                true,
            ),
            (
                r#"{"json_schema": {"name": "a", "schema": {"properties": {"city": {"type": "string"}}}}}"#,
                true,
            ),
            // Values in the form of a schema.
            (
                r#"{"type": "object", "properties": {"city": "Oslo", "days": 3}}"#,
                false,
            ),
            (r#"{"city": {"type": "string", "value": "Oslo"}}"#, false),
            (
                r#"{"properties": {"city": {"type": "string"}}, "city": "Oslo"}"#,
                false,
            ),
            (r#"{"properties": {"street": {"type": "string"}}}"#, false),
            (r#"{"properties": {"city": {"type": "town"}}}"#, false),
            (r#"{"city": "Oslo", "days": 3}"#, false),
            (r#"{"result": {"city": "Oslo", "days": 3}}"#, false),
            (r#"{"properties": {}}"#, false),
            (r#"{"properties": {"city": {}, "days": {}}}"#, false),
            (r#"{"city": {"items": ["Oslo"]}}"#, false),
            (r#"{"city": {}}"#, false),
            (
                r#"{"schema": {"properties": {"city": {"type": "string"}}}, "result": {"city": "Oslo"}}"#,
                false,
            ),
            ("[]", false),
            ("{}", false),
        ] {
            assert_eq!(repeats(text, SCHEMA), expected, "{text}");
        }
    }

    #[test]
    fn other_roots_are_repeated_too() {
        let list = r#"{"type": "array", "items": {"properties": {"city": {"type": "string"}}}}"#;
        assert!(repeats(list, list));
        let word = r#"{"type": "string", "enum": ["red", "blue"]}"#;
        assert!(repeats(word, word));
        assert!(!repeats(r#"{"type": "string", "enum": ["red"]}"#, word));
        assert!(!repeats(r#"{"type": "object"}"#, r#"{"type": "object"}"#));
    }

    #[test]
    fn schemas_may_describe_schemas() {
        let meta =
            r#"{"properties": {"type": {"type": "string"}, "properties": {"type": "object"}}}"#;
        assert!(!repeats(
            r#"{"type": "object", "properties": {"type": {"type": "string"}}}"#,
            meta
        ));
        let columns = r#"{"additionalProperties": {"properties": {"type": {"type": "string"}}}, "properties": {"city": {}}}"#;
        assert!(!repeats(r#"{"city": {"type": "string"}}"#, columns));
        let open = r#"{"properties": {"city": {"type": "object"}}}"#;
        assert!(!repeats(r#"{"city": {"type": "string"}}"#, open));
        assert!(repeats(
            r#"{"properties": {"city": {}, "type": {"type": "string"}}}"#,
            r#"{"properties": {"city": {}, "type": {}}}"#
        ));
    }
}
