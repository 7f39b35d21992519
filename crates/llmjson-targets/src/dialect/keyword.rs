//! The keywords of JSON Schema that a dialect may lack: their scope, and the remedy if they are
//! unsupported.
//!
//! The file of a dialect lists the keywords it lacks; a keyword that is in none of these rows is at
//! most an annotation (`x-…`).

use crate::types::Types;

/// A keyword.
struct Row {
    name: &'static str,
    /// The types that it applies to; none if it applies to all.
    about: Types,
    /// The remedy that rendering takes, as the end of a message.
    then: &'static str,
}

const DESCRIBED: &str = "it is moved to the description";
const REMOVED: &str = "it is removed";
pub(crate) const VALIDATED: &str = "it is removed, and enforced only when arguments are validated";
const NULLABLE: &str = "`null` is added to the type";
const DEFS: &str = "references to it are rewritten";

macro_rules! keywords {
    ($($name:literal $about:ident $then:expr;)*) => {
        &[$(Row { name: $name, about: Types::$about, then: $then }),*]
    };
}

// A bound or a format is worth a sentence, since models follow descriptions. Rules that a sentence
// cannot express (`not`, `if`) are left to the validator.
const KEYWORDS: &[Row] = keywords! {
    "type" NONE "";
    "description" NONE "";
    "properties" NONE "";
    "required" NONE "";
    "additionalProperties" NONE REMOVED;
    "items" NONE "";
    "prefixItems" NONE "`items` allows any of them, and their order is moved to the description";
    "additionalItems" NONE "it is rewritten as `items`";
    "anyOf" NONE "";
    "oneOf" NONE "it is rewritten as `anyOf`";
    "allOf" NONE "its subschemas are merged into one";
    "enum" NONE "";
    "const" NONE "it is rewritten as an `enum` of one value";
    "$ref" NONE "its target is inlined";
    "$dynamicRef" NONE "it is written as $ref";
    "$recursiveRef" NONE "it is written as $ref";
    "$defs" NONE "the targets of references are inlined";
    "definitions" NONE DEFS;
    "nullable" NONE NULLABLE;
    "format" NONE DESCRIBED;
    "pattern" STRING DESCRIBED;
    "minLength" STRING DESCRIBED;
    "maxLength" STRING DESCRIBED;
    "minimum" NUMBER DESCRIBED;
    "maximum" NUMBER DESCRIBED;
    "exclusiveMinimum" NUMBER "it is rewritten as `minimum` or moved to the description";
    "exclusiveMaximum" NUMBER "it is rewritten as `maximum` or moved to the description";
    "multipleOf" NUMBER DESCRIBED;
    "minItems" ARRAY DESCRIBED;
    "maxItems" ARRAY DESCRIBED;
    "uniqueItems" ARRAY DESCRIBED;
    "minProperties" OBJECT DESCRIBED;
    "maxProperties" OBJECT DESCRIBED;
    "contains" ARRAY VALIDATED;
    "minContains" NONE VALIDATED;
    "maxContains" NONE VALIDATED;
    "propertyNames" OBJECT VALIDATED;
    "patternProperties" OBJECT VALIDATED;
    "unevaluatedItems" ARRAY VALIDATED;
    "unevaluatedProperties" OBJECT VALIDATED;
    "not" NONE VALIDATED;
    "if" NONE VALIDATED;
    "then" NONE VALIDATED;
    "else" NONE VALIDATED;
    "dependentRequired" OBJECT VALIDATED;
    "dependentSchemas" OBJECT VALIDATED;
    "dependencies" OBJECT VALIDATED;
    "contentMediaType" STRING DESCRIBED;
    "contentEncoding" STRING DESCRIBED;
    "contentSchema" NONE REMOVED;
    "default" NONE DESCRIBED;
    "examples" NONE DESCRIBED;
    "example" NONE DESCRIBED;
    "title" NONE REMOVED;
    "$schema" NONE REMOVED;
    "$comment" NONE REMOVED;
    "$id" NONE REMOVED;
    "id" NONE REMOVED;
    "$anchor" NONE DEFS;
    "$dynamicAnchor" NONE DEFS;
    "deprecated" NONE REMOVED;
    "readOnly" NONE REMOVED;
    "writeOnly" NONE REMOVED;
    "propertyOrdering" NONE REMOVED;
    "discriminator" NONE REMOVED;
    "x-required-any" NONE DESCRIBED;
};

/// The row of unknown keywords.
const UNKNOWN: Row = Row {
    name: "",
    about: Types::NONE,
    then: REMOVED,
};

fn row(keyword: &str) -> &'static Row {
    let mut rows = KEYWORDS.iter();
    rows.find(|row| row.name == keyword).unwrap_or(&UNKNOWN)
}

/// Returns `true` if a keyword has a row.
#[cfg(test)]
pub(crate) fn is_known(keyword: &str) -> bool {
    !row(keyword).name.is_empty()
}

/// Returns the types that a keyword applies to; none if it applies to all.
pub(crate) fn about(keyword: &str) -> Types {
    row(keyword).about
}

/// Returns how rendering handles an unsupported keyword, as the end of a message.
pub(crate) fn then(keyword: &str) -> &'static str {
    row(keyword).then
}

/// Returns `true` if a keyword is an annotation, which excludes no value.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    let others = [
        "not",
        "if",
        "then",
        "else",
        "format",
        "minContains",
        "maxContains",
    ];
    about(keyword) == Types::NONE && !others.contains(&keyword)
}
