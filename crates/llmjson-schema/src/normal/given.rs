//! The value given as a schema: a schema, a schema in a provider's wrapper, or an object without
//! effect.
//!
//! `{"name": "f", "input_schema": {…}}` and `{"type": "object", "proprties": {…}}` are formally
//! schemas that every value satisfies. But this is never the intention, so the first is unwrapped,
//! and the second is an error.

use super::is_annotation;
use super::keyword::{KEYWORDS, holds};
use super::tree::{Json, NodeIx, ROOT, Tree};
use crate::base::edits::edit_distance;
use crate::base::error::SchemaError;
use crate::base::schema_note::{SchemaNote, SchemaNoteKind};

/// The wrapper members that contain the schema, and their providers.
const HOLDERS: [(&str, &str); 14] = [
    ("input_schema", "a tool of Anthropic"),
    ("inputSchema", "a tool of MCP"),
    ("function", "a tool of OpenAI"),
    ("parameters", "a function"),
    ("parametersJsonSchema", "a function of Gemini"),
    ("response_format", "a request of OpenAI"),
    ("json_schema", "a response format of OpenAI"),
    ("responseSchema", "a request of Gemini"),
    ("response_schema", "a request of Gemini"),
    ("responseJsonSchema", "a request of Gemini"),
    ("response_json_schema", "a request of Gemini"),
    ("toolSpec", "a tool of Bedrock"),
    ("schema", "a named schema"),
    ("json", "a tool of Bedrock"),
];
/// The `type` values of wrappers, none of which is a JSON Schema type.
const WRAPPER_TYPES: [&str; 4] = ["function", "json_schema", "json_object", "custom"];
/// Maximum number of nested wrappers: `{"response_format": {"json_schema": {"schema": …}}}`.
const WRAPPERS_MAX: usize = 4;
/// Maximum number of noted keywords, and maximum number of bytes of the pointers to them.
const NOTES_MAX: usize = 1_000;
const NOTE_BYTES_MAX: usize = 1_000_000;
/// Maximum number of members that an error names.
const NAMED_MAX: usize = 3;

/// Returns the keys that lead from the given value to the schema in it, and a note for each
/// wrapper.
pub(crate) fn wrappers(tree: &Tree) -> Vec<(&'static str, SchemaNote)> {
    let mut wrappers = Vec::new();
    let mut at = ROOT;
    while wrappers.len() < WRAPPERS_MAX
        && let Some((name, who, inner)) = held(tree, at, WRAPPERS_MAX)
    {
        let message = format!("took the schema out of the member `{name}` of {who}");
        let note = SchemaNote::new(
            SchemaNoteKind::Wrapper,
            tree.source_pointer(inner),
            name,
            message,
        );
        wrappers.push((name, note));
        at = inner;
    }
    // A wrapper without a schema in it does not count.
    match wrappers.is_empty() || is_schema(tree, at) {
        true => wrappers,
        false => Vec::new(),
    }
}

/// Returns the content of a wrapper of at most `depth` others.
fn held(tree: &Tree, at: NodeIx, depth: usize) -> Option<(&'static str, &'static str, NodeIx)> {
    let mut members = tree.members(at);
    let asks = members.any(|(name, value)| match name {
        // A tool has no type, or one specific to tools.
        "type" => !tree.text(value).is_some_and(is_type_around),
        _ => asks_for_something(name),
    });
    if asks {
        return None;
    }
    HOLDERS.iter().find_map(|&(name, who)| {
        let inner = tree.member(at, name)?;
        let holds = is_schema(tree, inner) || depth > 1 && held(tree, inner, depth - 1).is_some();
        holds.then_some((name, who, inner))
    })
}

fn is_type_around(name: &str) -> bool {
    WRAPPER_TYPES.contains(&name) || name == "object"
}

/// Returns `true` for an object that is meaningful as a schema, or empty.
fn is_schema(tree: &Tree, at: NodeIx) -> bool {
    let mut members = tree.members(at);
    match tree.get(at) {
        Json::Object(_) if members.len() == 0 => true,
        Json::Object(_) => members.any(|(name, value)| match name {
            "type" => !tree
                .text(value)
                .is_some_and(|name| WRAPPER_TYPES.contains(&name)),
            _ => asks_for_something(name),
        }),
        _ => false,
    }
}

/// Returns `true` for a keyword that a value may violate, or that leads to one.
fn asks_for_something(keyword: &str) -> bool {
    match keyword {
        "$defs" | "definitions" | "nullable" | "$id" | "$anchor" | "$dynamicAnchor" => false,
        "const" | "discriminator" | "x-discriminator" => true,
        _ => holds(keyword).is_some(),
    }
}

fn is_known(name: &str) -> bool {
    holds(name).is_some()
        || asks_for_something(name)
        || is_annotation(name)
        || name.starts_with('$')
        || name.starts_with("x-")
        || name == "id"
}

/// Rejects a schema that imposes no requirement although it seems intended to.
///
/// # Errors
///
/// At the first misspelled keyword if none is correct, or at the root.
pub(super) fn check(tree: &Tree) -> Result<(), SchemaError> {
    let zod = ["_def", "_zod", "def"].into_iter().find_map(|name| {
        let definition = tree.member(ROOT, name)?;
        let is_type = ["typeName", "type"].map(|name| tree.member(definition, name).is_some());
        (name == "_zod" || is_type.contains(&true)).then_some(name)
    });
    if let Some(name) = zod.filter(|_| tree.member(ROOT, "properties").is_none()) {
        let message = format!(
            "found `{name}` of a Zod type, which is no JSON Schema (`z.toJSONSchema` or `zod-to-json-schema` \
             makes one),"
        );
        return Err(tree.error(ROOT, message));
    }
    for &schema in tree.references.schemas() {
        let mut members = tree.members(schema);
        if members.any(|(name, _)| name != "type" && asks_for_something(name)) {
            continue;
        }
        let type_name = tree.member(schema, "type").and_then(|one| tree.text(one));
        let is_whole_object = schema == ROOT && type_name == Some("object");
        for (name, value) in tree.members(schema) {
            // `any_of` is the spelling of protocol buffers: noted, unless the schema has nothing
            // else.
            if let Some((edits, meant)) = meant(tree, name, value)
                && (edits > 0 || schema == ROOT)
            {
                let message = format!("there is no keyword `{name}`, did you mean `{meant}`?");
                return Err(tree.error(value, message));
            }
            // `{"type": "object", "age": {"type": "integer"}}` would accept any object. Inside a
            // schema it is noted.
            let is_empty = tree.members(value).len() == 0;
            if is_whole_object && !is_known(name) && !is_empty && is_schema(tree, value) {
                let message =
                    format!("there is no keyword `{name}`, is it meant to be in `properties`?");
                return Err(tree.error(value, message));
            }
        }
    }
    let says = |(name, _): (&str, NodeIx)| asks_for_something(name);
    if tree.members(ROOT).any(says) {
        return Ok(());
    }
    let is_large = |value| matches!(tree.get(value), Json::Object(_) | Json::Array(_));
    let unknown: Vec<_> = (tree.members(ROOT).filter(|(name, _)| !is_known(name))).collect();
    // A small value may describe the schema, as `tsType` next to a `title` does, but `{"n": 1}`
    // does not.
    let all = unknown.len() == tree.members(ROOT).len()
        && !unknown.iter().any(|(_, value)| is_large(*value));
    let mut misplaced = unknown.iter().filter(|(_, value)| all || is_large(*value));
    let named: Vec<String> = (misplaced.by_ref().take(NAMED_MAX))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if named.is_empty() {
        return Ok(());
    }
    let more = if misplaced.next().is_some() {
        ", …"
    } else {
        ""
    };
    let message = format!(
        "a schema without any keyword, which every value satisfies: found {}{more}, and expected `type`, \
         `properties` and the like",
        named.join(", "),
    );
    Err(tree.error(ROOT, message))
}

/// Returns the keyword that an unknown name was probably meant to be, if its value is valid for
/// that keyword, and the number of letters in which they differ.
fn meant(tree: &Tree, name: &str, value: NodeIx) -> Option<(usize, &'static str)> {
    const LONGEST: usize = 24;
    if is_known(name) || name.len() > LONGEST {
        return None;
    }
    let letters = |name: &str| -> String {
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        letters.collect::<String>().to_ascii_lowercase()
    };
    let own = letters(name);
    // `id` is not a misspelled `$id`.
    let names = KEYWORDS.iter().copied();
    let names = names.filter(|name| !name.starts_with('$') || *name == "$ref");
    let near = names.filter_map(|keyword| {
        // `def` is not a misspelled `$ref`, which has three letters.
        let most = if keyword == "$ref" {
            0
        } else {
            keyword.len() / 4
        };
        if own.len().abs_diff(keyword.len()) > most.max(1) {
            return None;
        }
        let edits = edit_distance(&own, &letters(keyword)).filter(|edits| *edits <= most)?;
        let fits = holds(keyword)?.check(tree, keyword, value).is_ok();
        fits.then_some((edits, keyword))
    });
    near.min()
}

/// Returns a note for each unknown keyword in a subschema.
pub(crate) fn unknown_keywords(tree: &Tree) -> Vec<SchemaNote> {
    let schemas = tree.references.schemas().iter();
    let members = schemas.flat_map(|schema| tree.members(*schema));
    let mut bytes = 0;
    let unknown = members.filter(|(name, _)| !is_known(name)).take(NOTES_MAX);
    let unknown = unknown.take_while(|(_, value)| {
        bytes += tree.pointer_bytes(*value);
        bytes <= NOTE_BYTES_MAX
    });
    let notes = unknown.map(|(name, value)| {
        let meant = meant(tree, name, value);
        let meant = meant.map_or_else(String::new, |(_, meant)| {
            format!(": did you mean `{meant}`?")
        });
        let message = format!("`{name}` is no keyword, so it says nothing{meant}");
        SchemaNote::new(
            SchemaNoteKind::UnknownKeyword,
            tree.source_pointer(value),
            name,
            message,
        )
    });
    notes.collect()
}
