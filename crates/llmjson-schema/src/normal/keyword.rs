//! The values that schema keywords may have, in all supported dialects.

use super::tree::{Json, NodeIx, Tree};
use crate::base::error::SchemaError;

/// The content of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A schema.
    Schema,
    /// A schema or an array of schemas. `items`: an array in older dialects.
    SchemaOrSchemas,
    /// An array of schemas.
    Schemas,
    /// An object whose members are schemas.
    SchemaMap,
    /// `dependencies`: a schema or an array of names for each key.
    Dependencies,
    /// A string.
    Text,
    /// A number.
    Number,
    /// `exclusiveMinimum`: a boolean in draft 4.
    NumberOrFlag,
    /// A number above 0.
    PositiveNumber,
    /// An integer from 0.
    Count,
    /// A boolean.
    Flag,
    /// An array of strings.
    Names,
    /// An object whose members are arrays of strings.
    NamesMap,
    /// A type name or an array of type names.
    Types,
    /// An array of any values.
    Values,
}

macro_rules! keywords {
    ($($holds:ident: $($name:literal)*;)*) => {
        /// The keywords with a content.
        pub(crate) const KEYWORDS: &[&str] = &[$($($name),*),*];

        /// Returns the content of a keyword, or `None` for unknown keywords and keywords that hold
        /// anything or do not matter.
        #[must_use]
        pub fn holds(keyword: &str) -> Option<Holds> {
            Some(match keyword {
                $($($name)|* => Holds::$holds,)*
                _ => return None,
            })
        }
    };
}

keywords! {
    Schema: "if" "then" "else" "not" "contains" "propertyNames" "contentSchema" "additionalItems"
        "additionalProperties" "unevaluatedItems" "unevaluatedProperties";
    SchemaOrSchemas: "items";
    Schemas: "allOf" "anyOf" "oneOf" "prefixItems";
    SchemaMap: "$defs" "definitions" "properties" "patternProperties" "dependentSchemas";
    Dependencies: "dependencies";
    Text: "$id" "$ref" "$anchor" "$dynamicRef" "$dynamicAnchor" "$recursiveRef" "format" "pattern"
        "contentEncoding" "contentMediaType";
    Number: "minimum" "maximum";
    NumberOrFlag: "exclusiveMinimum" "exclusiveMaximum";
    PositiveNumber: "multipleOf";
    Count: "minLength" "maxLength" "minItems" "maxItems" "minContains" "maxContains" "minProperties"
        "maxProperties";
    Flag: "nullable" "uniqueItems";
    Names: "required";
    NamesMap: "dependentRequired";
    Types: "type";
    Values: "enum";
}

/// Keywords that hold anything or restrict nothing.
const OTHERS: &[&str] = &[
    "const",
    "default",
    "deprecated",
    "description",
    "example",
    "examples",
    "propertyOrdering",
    "readOnly",
    "title",
    "writeOnly",
];

/// Returns `true` if a key is a keyword of schemas.
#[must_use]
pub fn is_keyword(name: &str) -> bool {
    name.starts_with('$') || OTHERS.contains(&name) || holds(name).is_some()
}

/// Returns `true` if a keyword describes a value's type.
#[must_use]
pub fn is_typing(name: &str) -> bool {
    matches!(
        name,
        "$ref" | "allOf" | "anyOf" | "const" | "enum" | "oneOf" | "type"
    )
}

/// The value that a keyword applies its subschemas to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// The value itself: `allOf` and similar keywords.
    InPlace,
    /// The value itself, which need not satisfy the subschema: `not`, `if`.
    Condition,
    /// A child of the value: `properties`, `items`.
    Child,
    /// No value, unless a reference leads there: `$defs`.
    Definition,
}

/// Returns the value that a keyword applies its subschemas to, or `None` for keywords without
/// subschemas.
pub fn applies(keyword: &str) -> Option<Applies> {
    Some(match keyword {
        "allOf" | "anyOf" | "oneOf" | "then" | "else" | "dependencies" | "dependentSchemas" => {
            Applies::InPlace
        }
        "not" | "if" => Applies::Condition,
        "$defs" | "definitions" => Applies::Definition,
        _ => match holds(keyword)? {
            Holds::Schema | Holds::SchemaOrSchemas | Holds::Schemas | Holds::SchemaMap => {
                Applies::Child
            }
            _ => return None,
        },
    })
}

/// Returns `true` if the subschemas of a keyword apply to the same value.
pub(super) fn leads_on(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef")
        || matches!(
            applies(keyword),
            Some(Applies::InPlace | Applies::Condition)
        )
}

impl Holds {
    fn words(self) -> &'static str {
        match self {
            Self::Schema => "a schema",
            Self::SchemaOrSchemas => "a schema or a list of schemas",
            Self::Schemas => "a list of schemas",
            Self::SchemaMap => "an object of schemas",
            Self::Dependencies => "an object of schemas and lists of names",
            Self::Text => "a string",
            Self::Number => "a number",
            Self::NumberOrFlag => "a number, or true or false",
            Self::PositiveNumber => "a number above 0",
            Self::Count => "a whole number from 0 on",
            Self::Flag => "true or false",
            Self::Names => "a list of strings",
            Self::NamesMap => "an object of lists of strings",
            Self::Types => "the name of a type or a list of such names",
            Self::Values => "a list",
        }
    }

    /// Checks the value of a keyword, without its subschemas.
    pub(crate) fn check(
        self,
        tree: &Tree,
        keyword: &str,
        value: NodeIx,
    ) -> Result<(), SchemaError> {
        let json = tree.get(value);
        let fits = match self {
            Self::Schema => is_schema(json),
            Self::SchemaOrSchemas => is_schema(json) || is_schema_list(tree, value),
            Self::Schemas => {
                let may_be_empty = matches!(keyword, "allOf" | "prefixItems");
                is_schema_list(tree, value) && (may_be_empty || !tree.items(value).is_empty())
            }
            Self::SchemaMap => {
                matches!(json, Json::Object(_))
                    && tree
                        .members(value)
                        .all(|(_, schema)| is_schema(tree.get(schema)))
            }
            Self::Dependencies => {
                let fits = |ix| is_schema(tree.get(ix)) || is_names(tree, ix);
                matches!(json, Json::Object(_)) && tree.members(value).all(|(_, d)| fits(d))
            }
            Self::Text => matches!(json, Json::String(_)),
            Self::Number => matches!(json, Json::Number(_)),
            Self::NumberOrFlag => matches!(json, Json::Number(_) | Json::Bool(_)),
            Self::PositiveNumber => {
                let number = tree.number(value);
                number.is_some_and(|text| text.parse().is_ok_and(|value: f64| value > 0.0))
            }
            Self::Count => count(tree, value).is_some(),
            Self::Flag => matches!(json, Json::Bool(_)),
            Self::Names => is_names(tree, value),
            Self::NamesMap => {
                matches!(json, Json::Object(_))
                    && tree.members(value).all(|(_, names)| is_names(tree, names))
            }
            Self::Types => return check_types(tree, value),
            Self::Values => matches!(json, Json::Array(_)),
        };
        if fits {
            return Ok(());
        }
        // An invalid subschema is reported by itself rather than as part of an array or an object.
        let inner = match self {
            Self::Schemas | Self::SchemaOrSchemas => tree
                .items(value)
                .iter()
                .copied()
                .find(|&ix| !is_schema(tree.get(ix))),
            Self::SchemaMap => {
                let mut values = tree.members(value).map(|(_, ix)| ix);
                values.find(|&ix| !is_schema(tree.get(ix)))
            }
            _ => None,
        };
        match inner {
            Some(ix) => Err(not_a_schema(tree, ix)),
            None if self == Self::Schemas && tree.items(value).is_empty() => {
                let or = if matches!(json, Json::Array(_)) {
                    ", at least one"
                } else {
                    ""
                };
                Err(tree.error(
                    value,
                    format!("`{keyword}` has to be a list of schemas{or}"),
                ))
            }
            None => Err(tree.error(value, format!("`{keyword}` has to be {}", self.words()))),
        }
    }
}

pub(crate) fn not_a_schema(tree: &Tree, ix: NodeIx) -> SchemaError {
    tree.error(ix, "a schema has to be an object, or true or false")
}

pub(crate) fn is_schema(json: &Json) -> bool {
    matches!(json, Json::Object(_) | Json::Bool(_))
}

fn is_schema_list(tree: &Tree, ix: NodeIx) -> bool {
    matches!(tree.get(ix), Json::Array(_))
        && tree.items(ix).iter().all(|&item| is_schema(tree.get(item)))
}

pub(crate) fn is_names(tree: &Tree, ix: NodeIx) -> bool {
    matches!(tree.get(ix), Json::Array(_))
        && (tree.items(ix).iter()).all(|&item| matches!(tree.get(item), Json::String(_)))
}

/// Returns the value of a length or a count. JSON generated from protocol buffers writes them as
/// strings.
pub(crate) fn count(tree: &Tree, value: NodeIx) -> Option<u64> {
    let text = tree.number(value).or_else(|| tree.text(value))?;
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    let document = llmjson_syntax::parse(tree.number(value)?);
    document.root()?.as_i128()?.try_into().ok()
}

/// The names of types.
pub const TYPES: &[&str] = &[
    "null", "boolean", "integer", "number", "string", "array", "object",
];

/// Returns the type of that name, which some dialects write in upper case.
pub(crate) fn type_name(written: &str) -> Option<&'static str> {
    let upper = |name: &str| {
        written
            .bytes()
            .eq(name.bytes().map(|byte| byte.to_ascii_uppercase()))
    };
    TYPES
        .iter()
        .copied()
        .find(|&name| name == written || upper(name))
}

fn check_types(tree: &Tree, value: NodeIx) -> Result<(), SchemaError> {
    let one = |ix: NodeIx| match tree.text(ix) {
        Some(name) if type_name(name).is_some() => Ok(()),
        Some(name) => Err(tree.error(ix, format!("there is no type {name:?}"))),
        None => Err(tree.error(value, format!("`type` has to be {}", Holds::Types.words()))),
    };
    match tree.get(value) {
        Json::Array(items) if !items.is_empty() => items.iter().try_for_each(|&item| one(item)),
        _ => one(value),
    }
}
