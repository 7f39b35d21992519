//! Aliases of properties at the root of a schema, given beside it.

use llmjson::syntax::{JsonOut, JsonText, Kind, ValueRef, parse};

const KEYWORD: &str = "x-aliases";

/// Returns the text of the schema with the aliases added.
///
/// # Errors
///
/// If `aliases` is not an object with arrays of strings, or names a property that the root of the schema does not
/// declare.
pub(super) fn add(schema: &str, aliases: ValueRef<'_>) -> Result<String, String> {
    if aliases.kind() != Kind::Object {
        return Err("aliases: expected an object with arrays of strings".to_owned());
    }
    let document = parse(schema);
    let root = document
        .root()
        .ok_or_else(|| "the schema is empty".to_owned())?;
    let properties = root
        .get("properties")
        .filter(|value| value.kind() == Kind::Object);
    for (name, others) in aliases.members() {
        let names = others.items().all(|other| other.kind() == Kind::String);
        if others.kind() != Kind::Array || !names {
            return Err(format!("aliases: expected an array of strings at {name:?}"));
        }
        if properties.is_none_or(|properties| properties.get(&name).is_none()) {
            return Err(format!(
                "aliases: the root of the schema declares no property {name:?}"
            ));
        }
    }
    Ok(JsonText::object_of(|out| {
        for (keyword, value) in root.members() {
            if keyword == "properties" {
                out.object_in(&keyword, |out| write_properties(value, aliases, out));
            } else {
                out.member(&keyword, value);
            }
        }
    }))
}

fn write_properties(properties: ValueRef<'_>, aliases: ValueRef<'_>, out: &mut JsonText<'_>) {
    for (name, property) in properties.members() {
        match aliases
            .get(&name)
            .filter(|_| property.as_bool() != Some(false))
        {
            Some(others) => out.object_in(&name, |out| write_property(property, others, out)),
            None => out.member(&name, property),
        }
    }
}

/// Writes a property, which is an object, or `true`, which has no constraints. `false` stays unchanged.
fn write_property(property: ValueRef<'_>, others: ValueRef<'_>, out: &mut JsonText<'_>) {
    for (keyword, value) in property.members().filter(|(keyword, _)| keyword != KEYWORD) {
        out.member(&keyword, value);
    }
    let known = property.get(KEYWORD);
    let known = known.into_iter().flat_map(ValueRef::items);
    out.list(KEYWORD, known.chain(others.items()), |name, out| {
        out.string(&name.as_str().unwrap_or_default());
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(schema: &str, aliases: &str) -> Result<String, String> {
        add(schema, parse(aliases).root().expect("there is a value"))
    }

    #[test]
    fn names_are_put_into_the_schema() {
        let schema = r#"{"properties":{"a":{"minimum":1e99,"x-aliases":["p"]},"b":true,"c":{}}}"#;
        let wanted = concat!(
            r#"{"properties":{"a":{"minimum":1e99,"x-aliases":["p","q"]},"#,
            r#""b":{"x-aliases":["r"]},"c":{}}}"#
        );
        assert_eq!(
            added(schema, r#"{"a":["q"],"b":["r"]}"#).as_deref(),
            Ok(wanted)
        );
        assert_eq!(added(schema, "{}").as_deref(), Ok(schema));
    }

    #[test]
    fn mistakes_are_named() {
        let table = [
            ("[]", "aliases: expected an object with arrays of strings"),
            (
                r#"{"a":"q"}"#,
                "aliases: expected an array of strings at \"a\"",
            ),
            (
                r#"{"a":[1]}"#,
                "aliases: expected an array of strings at \"a\"",
            ),
            (
                r#"{"z":[]}"#,
                "aliases: the root of the schema declares no property \"z\"",
            ),
        ];
        for (aliases, wanted) in table {
            let error = added(r#"{"properties":{"a":{}}}"#, aliases).expect_err(aliases);
            assert_eq!(error, wanted);
        }
    }
}
