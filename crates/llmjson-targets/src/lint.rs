//! Lists the features of a schema that a target does not support.

mod keyword;

use std::collections::HashSet;
use std::fmt;

use super::dialect::{Dialect, Recursion};
use super::findings::Findings;
use super::graph::{Graph, is_reference};
use super::types::Types;
use super::{Lint, LintCode};
use llmjson_schema::internal::source::{Applies, NodeIx as Ix, ROOT, Source, Written, applies};

pub(super) use keyword::{chars, is_few};

pub(super) fn lint(target: &'static Dialect, source: &Source, graph: &Graph<'_>) -> Vec<Lint> {
    let mut linter = Linter {
        target,
        source,
        graph,
        levels: vec![0; source.node_count()],
        is_dropped: vec![false; source.node_count()],
        sums: Sums::default(),
        found: Findings::new(source),
    };
    linter.root();
    for &schema in graph.schemas() {
        linter.schema(schema);
    }
    linter.whole();
    linter.found.into_lints()
}

struct Linter<'g> {
    target: &'static Dialect,
    source: &'g Source,
    graph: &'g Graph<'g>,
    /// Number of objects that enclose each subschema, itself included.
    levels: Vec<u16>,
    /// The values of keywords that rendering removes, and the subschemas within them.
    is_dropped: Vec<bool>,
    sums: Sums,
    found: Findings<'g>,
}

/// Counts over a whole schema.
#[derive(Debug, Default)]
struct Sums {
    properties: usize,
    enum_values: usize,
    name_chars: usize,
    optional: usize,
    unions: usize,
}

impl Linter<'_> {
    fn refuse(&mut self, at: Ix, keyword: &str, message: impl fmt::Display) {
        self.tell(LintCode::Refused, at, keyword, message);
    }

    /// Adds a lint whose message begins with the provider's name.
    fn tell(&mut self, code: LintCode, at: Ix, keyword: &str, message: impl fmt::Display) {
        let message = format!("{} {message}", self.target.title);
        self.found.add(code, at, keyword, message);
    }

    fn root(&mut self) {
        if !self.target.requires_root_object {
            return;
        }
        let said = self.source.member(ROOT, "type");
        let types = said.map_or(Types::NONE, |ix| Types::named_in(self.source, ix));
        if types != Types::OBJECT {
            let message = "requires `\"type\": \"object\"` at the root; any other root is wrapped \
                in an object";
            self.refuse(said.unwrap_or(ROOT), "type", message);
        }
        if self.target.allows_root_union {
            return;
        }
        for keyword in ["anyOf", "oneOf", "allOf", "$ref"] {
            if let Some(at) = self.source.member(ROOT, keyword) {
                let message = format!(
                    "does not support `{keyword}` at the root; a union is wrapped in an object, \
                     anything else is inlined"
                );
                self.refuse(at, keyword, message);
            }
        }
    }

    fn schema(&mut self, schema: Ix) {
        let source = self.source;
        let around = self.graph.within(schema);
        let level = around.map_or(0, |around| self.levels[around as usize]);
        if self.is_in_dropped(schema, around) {
            self.is_dropped[schema as usize] = true;
            return;
        }
        let types = self.types(schema);
        let is_object = source.member(schema, "properties").is_some()
            || types.is_some_and(|types| types.has(Types::OBJECT));
        self.levels[schema as usize] = level + u16::from(is_object);
        for (keyword, value) in source.members(schema) {
            self.is_dropped[value as usize] |= self.drops(keyword);
            self.keyword(keyword, value);
        }
        if usize::from(level) == self.target.limits.levels && is_object {
            let most = self.target.limits.levels;
            let message = format!(
                "supports at most {most} levels of nested objects; deeper ones become JSON text \
                 in a string"
            );
            self.refuse(schema, "properties", message);
        }
        self.kinds(schema, types);
        if is_object {
            self.object(schema);
        }
        self.reference(schema);
        self.union(schema, types);
    }

    /// Returns `true` if rendering removes a keyword with its subschemas.
    fn drops(&self, keyword: &str) -> bool {
        let is_rewritten = matches!(
            keyword,
            "oneOf" | "allOf" | "prefixItems" | "additionalItems" | "additionalProperties"
        );
        let applies = !matches!(applies(keyword), None | Some(Applies::Definition));
        !is_rewritten && applies && !self.target.supports(keyword)
    }

    /// Returns `true` if a subschema is within something that rendering removes.
    fn is_in_dropped(&self, schema: Ix, around: Option<Ix>) -> bool {
        let Some(around) = around else { return false };
        let parent = self.source.parent(schema).unwrap_or(ROOT);
        let holder = if parent == around { schema } else { parent };
        self.is_dropped[around as usize] || self.is_dropped[holder as usize]
    }

    /// Returns the types in the keyword `type`, if present.
    fn types(&self, schema: Ix) -> Option<Types> {
        let said = self.source.member(schema, "type")?;
        Some(Types::named_in(self.source, said))
    }

    /// Checks that `type` and `items` are present where they are required.
    fn kinds(&mut self, schema: Ix, types: Option<Types>) {
        let source = self.source;
        // A boolean `additionalProperties` or `items` needs no type.
        let is_flag = matches!(source.get(schema), Written::Bool(_))
            && self.graph.is_required(schema).is_none();
        if !self.target.requires_type || is_flag {
            return;
        }
        let mut members = source.members(schema);
        let is_other =
            |name: &str| is_reference(name) || matches!(name, "anyOf" | "oneOf" | "allOf");
        if types.is_none() && !members.clone().any(|(name, _)| is_other(name)) {
            let message = "requires `type` in every subschema; it is inferred from other \
                keywords, or any scalar is allowed";
            self.refuse(schema, "type", message);
        }
        let is_list = types.is_some_and(|types| types.has(Types::ARRAY));
        let is_items = |name: &str| matches!(name, "items" | "prefixItems");
        if is_list && !members.any(|(name, _)| is_items(name)) {
            let message = "requires `items` in every array; any scalar is allowed";
            self.refuse(schema, "items", message);
        }
    }

    fn object(&mut self, schema: Ix) {
        let (source, target) = (self.source, self.target);
        let properties = source.members_in(schema, "properties");
        let names = properties.clone().map(|(name, _)| name.chars().count());
        let count = properties.clone().count();
        self.sums.properties += count;
        self.sums.name_chars += names.sum::<usize>();
        let others = source.member(schema, "additionalProperties");
        if target.requires_closed_objects && !others.is_some_and(|ix| source.is_false(ix)) {
            let then = match count == 0 && schema != ROOT {
                true => "the object becomes JSON text in a string",
                false => "it is set",
            };
            let message =
                format!("requires `\"additionalProperties\": false` in every object; {then}");
            self.refuse(others.unwrap_or(schema), "additionalProperties", message);
        }
        if target.requires_declared_members
            && count == 0
            && schema != ROOT
            && !target.requires_closed_objects
        {
            let message = "requires every object to declare members; the object becomes JSON text \
                in a string";
            self.refuse(schema, "properties", message);
        }
        for (_, member) in properties {
            if self.graph.is_required(member) != Some(false) {
                continue;
            }
            self.sums.optional += 1;
            if target.requires_all_members {
                let message = "requires every member to be required; this one becomes required \
                    and nullable";
                self.refuse(member, "required", message);
            }
        }
        if target.requires_declared_members {
            self.undeclared(schema);
        }
    }

    fn undeclared(&mut self, schema: Ix) {
        let source = self.source;
        let properties = source.members_in(schema, "properties");
        let declared: HashSet<&str> = properties.map(|(name, _)| name).collect();
        for &name in source.items_in(schema, "required") {
            let text = source.text(name);
            if text.is_some_and(|text| !declared.contains(text)) {
                let message = "requires required members to be declared; it is declared as any \
                    scalar";
                self.refuse(name, "required", message);
            }
        }
    }

    fn reference(&mut self, schema: Ix) {
        let (source, target) = (self.source, self.target);
        let mut members = source.members(schema);
        let Some((keyword, value)) = members.clone().find(|(name, _)| is_reference(name)) else {
            return;
        };
        if target.allows_any_reference || !target.supports(keyword) {
            return;
        }
        let text = source.text(value).unwrap_or_default();
        let mut starts = ["#/$defs/", "#/definitions/"].into_iter();
        let name = starts.find_map(|start| text.strip_prefix(start));
        if text != "#" && name.is_none_or(|name| name.contains('/')) {
            let message = "supports only references to `$defs`; the target is moved there";
            self.refuse(value, keyword, message);
        }
        if members.any(|(name, _)| !name.starts_with('$')) && !target.allows_reference_siblings {
            let message = "does not support other keywords next to a reference; the reference is \
                wrapped in `anyOf`, or its target is inlined";
            self.refuse(value, keyword, message);
        }
        let leads_to = self.graph.target(schema);
        let is_recursive = leads_to.is_some_and(|ix| self.graph.is_recursive(ix));
        if is_recursive && target.recursion == Recursion::Refused {
            let message = "does not support recursive schemas; a few levels are inlined, and \
                deeper ones become JSON text in a string";
            self.refuse(value, keyword, message);
        }
        if target.recursion == Recursion::ThroughOptional && self.graph.is_circular(schema) {
            let message = "supports recursion only through optional members; the member becomes \
                optional, or JSON text in a string";
            self.refuse(value, keyword, message);
        }
    }

    fn union(&mut self, schema: Ix, types: Option<Types>) {
        let is_union = types.is_some_and(|types| types.count() > 1)
            || ["anyOf", "oneOf"]
                .iter()
                .any(|name| self.source.member(schema, name).is_some());
        if is_union && self.graph.is_required(schema).is_some() {
            self.sums.unions += 1;
        }
    }

    /// Checks the limits on the whole schema.
    fn whole(&mut self) {
        let (sums, bounds) = (&self.sums, self.target.limits);
        let members = "members that are unions in all tools of a request";
        let optional = "optional members in all tools of a request";
        let chars = "characters of names and `enum` values";
        let table = [
            (
                sums.properties,
                bounds.properties,
                "properties",
                "properties in a schema",
            ),
            (sums.name_chars, bounds.name_chars, "properties", chars),
            (sums.optional, bounds.optional, "required", optional),
            (sums.unions, bounds.unions, "anyOf", members),
        ];
        for (count, most, keyword, what) in table {
            if count > most {
                let message = format!("supports at most {most} {what}; there are {count}");
                self.refuse(ROOT, keyword, message);
            }
        }
    }
}
