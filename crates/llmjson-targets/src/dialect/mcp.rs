//! Renders schemas for MCP, which supports JSON Schema 2020-12: keywords of older dialects are
//! rewritten, and the root becomes an object.

use super::Dialect;
use crate::findings::Findings;
use crate::graph::Graph;
use crate::json::{self, Json, Members};
use crate::merged::{Merged, SchemaPiece, is_nullable};
use crate::render::{SchemaDraft, required_any, wrapper};
use crate::types::Types;
use crate::union::required_sets;
use crate::{LintCode, sentences};
use llmjson_schema::internal::source::{Holds, NodeIx as Ix, ROOT, Source, Written, holds};

/// The table. The specification accepts all of JSON Schema 2020-12; only keywords of other dialects
/// have no effect.
pub(crate) const DIALECT: Dialect = Dialect {
    name: "mcp",
    title: "MCP",
    ignored: "additionalItems nullable",
    // Arguments are an object by name: `inputSchema` has `"type": "object"`.
    requires_root_object: true,
    // Nothing must be merged or inlined: the schema is copied, and only outdated parts are
    // rewritten.
    render: Some(render),
    ..Dialect::FREE
};

/// The maximum depth of a subschema.
const DEPTH_MAX: u16 = 200;

/// Rewrites a schema in 2020-12, with the root wrapped in an object if it is not one.
fn render<'g>(source: &'g Source, graph: &Graph<'_>) -> SchemaDraft<'g> {
    let merged = Merged::of(source, graph, &[SchemaPiece::whole(ROOT)]);
    let is_open = || merged.kinds(source) == Types::ALL || merged.kinds(source) == Types::OBJECT;
    // A union is an object if all of its branches are.
    let is_object = match merged.unions.is_empty() {
        _ if merged.has_type => merged.types == Types::OBJECT,
        true => is_open(),
        false => {
            // A bound on the work, as branches may share subschemas.
            let mut left = 4 * source.size(ROOT);
            let branches = merged.unions.iter().flat_map(|union| &union.branches);
            branches
                .map_while(|ix| {
                    let branch = Merged::of(source, graph, &[SchemaPiece::whole(*ix)]);
                    left = left.checked_sub(branch.cost)?;
                    Some(branch)
                })
                .all(|branch| branch.unions.is_empty() && branch.kinds(source) == Types::OBJECT)
        }
    };
    let is_object = is_object && !merged.is_nullable;
    let wrapper = (!is_object).then(|| wrapper(source, graph));
    let mut converter = Converter {
        source,
        found: Findings::new(source),
        prefix: wrapper,
    };
    let mut json = converter.schema(ROOT, if wrapper.is_some() { 2 } else { 0 });
    describe(source, &mut json);
    let json = match wrapper {
        Some(name) => wrapped(json, name),
        None => with_type(json),
    };
    SchemaDraft {
        json,
        wrapper,
        excludes_values: false,
        found: converter.found,
        is_whole: true,
    }
}

struct Converter<'g> {
    source: &'g Source,
    found: Findings<'g>,
    /// The member that wraps the root.
    prefix: Option<&'static str>,
}

impl Converter<'_> {
    fn schema(&mut self, schema: Ix, depth: u16) -> Json {
        let source = self.source;
        if !matches!(source.get(schema), Written::Object) {
            return json::of(source, schema);
        }
        if depth > DEPTH_MAX {
            let message = "the schema nests too deeply; any value is allowed";
            self.found
                .add(LintCode::Lost, schema, "type", message.to_owned());
            return Json::Object(Members::new());
        }
        let mut members = Members::new();
        let is_nullable = is_nullable(source, schema);
        let items = source.member(schema, "items");
        let is_old_list = items.is_some_and(|ix| matches!(source.get(ix), Written::List(_)));
        for (keyword, value) in source.members(schema) {
            let (keyword, json) = match keyword {
                "type" => (keyword, types(source, value, is_nullable)),
                "enum" if is_nullable => (keyword, with_null(json::of(source, value))),
                "nullable" => continue,
                "$schema"
                    if source
                        .text(value)
                        .is_some_and(|text| !text.contains("2020-12")) =>
                {
                    continue;
                }
                "items" if is_old_list => (
                    "prefixItems",
                    self.within(Some(Holds::Schemas), value, depth),
                ),
                "additionalItems" if is_old_list => ("items", self.schema(value, depth + 1)),
                "additionalItems" => continue,
                "minimum" if source.has_flag(schema, "exclusiveMinimum") => {
                    ("exclusiveMinimum", json::of(source, value))
                }
                "maximum" if source.has_flag(schema, "exclusiveMaximum") => {
                    ("exclusiveMaximum", json::of(source, value))
                }
                "exclusiveMinimum" | "exclusiveMaximum" if source.number(value).is_none() => {
                    continue;
                }
                "$ref" => (keyword, self.reference(value)),
                name => (name, self.within(holds(name), value, depth)),
            };
            members.push((keyword.to_owned(), json));
        }
        let has = |name: &str| source.member(schema, name).is_some();
        let others = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "const"];
        match is_nullable && (!has("type") || others.into_iter().any(has)) {
            true => or_null(members),
            false => Json::Object(members),
        }
    }

    /// Rewrites the subschemas in the value of a keyword.
    fn within(&mut self, holds: Option<Holds>, value: Ix, depth: u16) -> Json {
        let source = self.source;
        match (holds, source.get(value)) {
            (Some(Holds::SchemaMap | Holds::Dependencies), Written::Object) => {
                let members = source.members(value);
                Json::Object(
                    members
                        .map(|(name, ix)| (name.to_owned(), self.schema(ix, depth + 2)))
                        .collect(),
                )
            }
            (Some(Holds::Schemas | Holds::SchemaOrSchemas), Written::List(items)) => {
                Json::List(items.iter().map(|ix| self.schema(*ix, depth + 2)).collect())
            }
            (Some(Holds::Schema | Holds::Schemas | Holds::SchemaOrSchemas), Written::Object) => {
                self.schema(value, depth + 1)
            }
            _ => json::of(source, value),
        }
    }

    /// Rewrites a reference, as its target moves if the root is wrapped.
    fn reference(&self, value: Ix) -> Json {
        let text = self.source.text(value).unwrap_or_default();
        let moved = self.prefix.and_then(|name| {
            let pointer = text.strip_prefix('#')?;
            let stays = pointer.starts_with("/$defs/") || pointer.starts_with("/definitions/");
            (!stays && (pointer.is_empty() || pointer.starts_with('/')))
                .then(|| format!("#/properties/{name}{pointer}"))
        });
        Json::Text(moved.unwrap_or_else(|| text.to_owned()))
    }
}

/// Returns `type` in lowercase, with `null` added if `nullable` is set.
fn types(source: &Source, value: Ix, is_nullable: bool) -> Json {
    let lower = |ix: Ix| Json::Text(source.text(ix).unwrap_or_default().to_ascii_lowercase());
    let mut names = match source.get(value) {
        Written::List(items) => items.iter().map(|ix| lower(*ix)).collect(),
        _ if !is_nullable => return lower(value),
        _ => vec![lower(value)],
    };
    if is_nullable && !names.contains(&Json::text("null")) {
        names.push(Json::text("null"));
    }
    Json::List(names)
}

/// Adds null as a branch. Definitions stay at the top, where references expect them.
fn or_null(members: Members) -> Json {
    let is_outside =
        |name: &str| matches!(name, "$defs" | "definitions" | "$schema" | "description");
    let (mut outside, inside): (Members, Members) =
        (members.into_iter()).partition(|(name, _)| is_outside(name));
    let null = Json::object([("type", Json::text("null"))]);
    let branches = Json::List(vec![Json::Object(inside), null]);
    outside.push(("anyOf".to_owned(), branches));
    Json::Object(outside)
}

fn with_null(mut json: Json) -> Json {
    if let Json::List(values) = &mut json
        && !values.contains(&Json::Null)
    {
        values.push(Json::Null);
    }
    json
}

/// Adds the groups of `x-required-any` and of unions of `required` to the description, and the
/// former as keywords too.
fn describe(source: &Source, json: &mut Json) {
    let Json::Object(members) = json else { return };
    let groups = required_any(source);
    let sentences = groups.iter().map(|group| sentences::at_least_one(group));
    let mut sentences: Vec<String> = sentences.collect();
    for (keyword, start) in [("anyOf", "At least one"), ("oneOf", "Exactly one")] {
        let branches = source.items_in(ROOT, keyword);
        if let Some(sets) = required_sets(source, branches).filter(|sets| !sets.is_empty()) {
            sentences.push(sentences::one_set(start, &sets));
        }
    }
    if sentences.is_empty() {
        return;
    }
    let own = source
        .member(ROOT, "description")
        .and_then(|ix| source.text(ix));
    let mut notes = own.unwrap_or_default().to_owned();
    for sentence in &sentences {
        sentences::append(&mut notes, sentence);
    }
    set(members, "description", Json::Text(notes));
    require(members, &groups);
}

/// Writes a union of `required` for each group, unless there is a union already.
fn require(members: &mut Members, groups: &[Vec<&str>]) {
    let has = |name: &str| members.iter().any(|(keyword, _)| keyword == name);
    let branch = |name: &&str| Json::object([("required", Json::texts([*name]))]);
    let union = |group: &Vec<&str>| Json::List(group.iter().map(branch).collect());
    match groups {
        [group] if !has("anyOf") => members.push(("anyOf".to_owned(), union(group))),
        [_, _, ..] if !has("allOf") => {
            let parts = groups
                .iter()
                .map(|group| Json::object([("anyOf", union(group))]));
            members.push(("allOf".to_owned(), Json::List(parts.collect())));
        }
        _ => {}
    }
}

fn set(members: &mut Members, name: &str, json: Json) {
    match members.iter_mut().find(|(one, _)| one == name) {
        Some((_, value)) => *value = json,
        None => members.push((name.to_owned(), json)),
    }
}

fn with_type(json: Json) -> Json {
    let mut members = match json {
        Json::Object(members) => members,
        _ => Members::new(),
    };
    match members.iter_mut().find(|(name, _)| name == "type") {
        Some((_, types)) => *types = Json::text("object"),
        None => members.insert(0, ("type".to_owned(), Json::text("object"))),
    }
    Json::Object(members)
}

/// Wraps the root in an object, next to its definitions.
fn wrapped(json: Json, name: &str) -> Json {
    let is_definitions = |name: &str| matches!(name, "$defs" | "definitions" | "$schema");
    let (outside, inside): (Members, Members) = match json {
        Json::Object(members) => members
            .into_iter()
            .partition(|(name, _)| is_definitions(name)),
        _ => Default::default(),
    };
    let mut members = Json::wrapper(name, Json::Object(inside));
    members.extend(outside);
    Json::Object(members)
}
