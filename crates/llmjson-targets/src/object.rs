//! Renders objects and arrays.

use std::collections::HashSet;

use super::dialect::Recursion;
use super::json::{Json, Members};
use super::keywords::Body;
use super::merged::{Merged, SchemaPiece};
use super::render::{Null, Renderer, SchemaPlace};
use super::sentences;

impl<'g> Renderer<'g> {
    /// Returns `true` if an object must become JSON text in a string; if so, describes it.
    pub(super) fn becomes_text(
        &mut self,
        merged: &Merged<'g>,
        body: &mut Body,
        place: SchemaPlace,
    ) -> bool {
        let at = merged.origin;
        if usize::from(place.level) >= self.target.limits.levels {
            let message = "objects nest too deeply; the object becomes JSON text in a string";
            self.lose(at, "properties", message);
            body.describe("A JSON object, as text.");
            return true;
        }
        let mut properties = merged.properties.iter();
        // `{"type": "object"}` as a map: if every undeclared member were refused, only `{}` would
        // be valid.
        let is_free =
            merged.required.is_empty() && properties.all(|(_, pieces)| self.is_left_out(pieces));
        let is_closed = merged.is_closed || merged.has_properties && merged.additional.is_none();
        let is_empty = is_closed && self.target.requires_closed_objects;
        if place.is_root || !self.target.requires_declared_members || !is_free || is_empty {
            return false;
        }
        let at = merged.additional.unwrap_or(at);
        let message = "an object without declared members cannot be expressed; it becomes JSON \
            text in a string";
        self.lose(at, "additionalProperties", message);
        body.describe("A JSON object, as text.");
        true
    }

    /// Returns `true` if no value satisfies the subschemas of a member.
    fn is_left_out(&self, pieces: &[SchemaPiece]) -> bool {
        pieces.iter().any(|piece| self.source.is_false(piece.ix))
    }

    /// Writes `properties`, `required` and `additionalProperties`.
    pub(super) fn object(&mut self, merged: &Merged<'g>, body: &mut Body, place: SchemaPlace) {
        let properties = self.properties(merged, place);
        let names: Vec<String> = properties.iter().map(|(name, _)| name.clone()).collect();
        let required = self.required(merged, &names, body);
        let has_members =
            !properties.is_empty() || merged.has_properties || self.target.requires_closed_objects;
        if has_members {
            body.add("properties", Json::Object(properties));
        }
        if !required.is_empty() || self.target.requires_all_members {
            body.add("required", Json::texts(required));
        }
        self.additional(merged, body, place);
        if self.target.orders_members && names.len() > 1 {
            let names = Json::texts(names.iter().map(String::as_str));
            body.add("propertyOrdering", names);
        }
    }

    fn properties(&mut self, merged: &Merged<'g>, place: SchemaPlace) -> Members {
        let required: HashSet<&str> = merged.required.iter().map(|(name, _)| *name).collect();
        let inner = SchemaPlace {
            level: place.level + 1,
            ..place.deeper(2)
        };
        let mut written = Members::new();
        for (name, pieces) in &merged.properties {
            if self.is_left_out(pieces) {
                if required.contains(name) {
                    let message = "no value satisfies this subschema; the member is removed";
                    self.lose(pieces[0].ix, "false", message);
                }
                continue;
            }
            let is_optional = !required.contains(name);
            // Optional members must be written there, so null stands for an omitted one; coercion
            // drops this null again.
            let is_nullable = is_optional && self.target.requires_all_members;
            let json = self.schema(pieces, inner.with_null(Null::Excluded.or_if(is_nullable)));
            written.push(((*name).to_owned(), json));
        }
        if self.target.requires_declared_members {
            self.declare(merged, &mut written, inner);
        }
        written
    }

    /// Declares members that are required but not declared.
    fn declare(&mut self, merged: &Merged<'g>, written: &mut Members, inner: SchemaPlace) {
        let mut declared: HashSet<&str> = merged.properties.iter().map(|(name, _)| *name).collect();
        for &(name, at) in &merged.required {
            // Only `{"required": ["a"]}`: these dialects reject a required name that `properties`
            // lacks.
            if declared.insert(name) {
                let piece = merged.additional.map(SchemaPiece::whole);
                let json = match piece {
                    Some(piece) => self.schema(&[piece], inner),
                    None => {
                        let any = Merged::of(self.source, self.graph, &[SchemaPiece::whole(at)]);
                        self.any(&any, String::new())
                    }
                };
                written.push((name.to_owned(), json));
            }
        }
    }

    fn required<'n>(
        &mut self,
        merged: &Merged<'g>,
        names: &'n [String],
        body: &mut Body,
    ) -> Vec<&'n str>
    where
        'g: 'n,
    {
        if self.target.requires_all_members {
            return names.iter().map(String::as_str).collect();
        }
        let graph = self.graph;
        let is_circular = |piece: &SchemaPiece| graph.is_circular_member(piece.ix);
        let circular: HashSet<&str> = (merged.properties.iter())
            .filter(|_| self.target.recursion == Recursion::ThroughOptional)
            .filter(|(_, pieces)| pieces.iter().any(is_circular))
            .map(|(name, _)| *name)
            .collect();
        let written: HashSet<&str> = names.iter().map(String::as_str).collect();
        let mut required = Vec::new();
        let mut seen = HashSet::new();
        for &(name, at) in &merged.required {
            if !seen.insert(name) {
                continue;
            }
            // A member that always contains another one like itself never ends, and the request is
            // rejected.
            if circular.contains(name) {
                let message = "the required member is recursive; it becomes optional";
                self.lose(at, "required", message);
                body.describe(&format!("`{name}` is always needed."));
            } else if written.contains(name) || !self.target.requires_declared_members {
                required.push(name);
            }
        }
        required
    }

    fn additional(&mut self, merged: &Merged<'g>, body: &mut Body, place: SchemaPlace) {
        // `"additionalProperties": false` costs tokens and is redundant if a dialect closes every
        // object anyway, but dialects that require it check that it is written.
        let is_closing = self.target.requires_closed_objects;
        let takes_others = self.target.supports("additionalProperties") && !is_closing;
        if is_closing || merged.is_closed && takes_others {
            body.add("additionalProperties", Json::Bool(false));
        }
        if merged.is_closed {
            return;
        }
        match merged.additional {
            None if is_closing && place.is_root && !merged.has_properties => {
                let message = "an object without declared members cannot be expressed; no members \
                    are allowed";
                self.exclude(merged.origin, "properties", message);
            }
            None => {}
            Some(others) if !takes_others => {
                let message = "undeclared members cannot be expressed; they are excluded";
                self.exclude(others, "additionalProperties", message);
            }
            Some(others) if self.source.is_true(others) => {}
            Some(others) => {
                let json = self.schema(&[SchemaPiece::whole(others)], place.deeper(1));
                body.add("additionalProperties", json);
            }
        }
    }

    pub(super) fn list(&mut self, merged: &Merged<'g>, body: &mut Body, place: SchemaPlace) {
        let inner = place.deeper(1);
        if merged.prefix_items.is_empty() {
            if !merged.items.is_empty() {
                let items = self.schema(&merged.items, inner);
                body.add("items", items);
            } else if self.target.requires_type {
                let items = self.any(merged, String::new());
                body.add("items", items);
            } else if merged.forbids_items {
                body.describe("Without items.");
            }
            return;
        }
        if self.target.supports("prefixItems") {
            let first = merged.prefix_items.iter();
            let first = first
                .map(|pieces| self.schema(pieces, place.deeper(2)))
                .collect();
            body.add("prefixItems", Json::List(first));
            if merged.forbids_items {
                body.add("items", Json::Bool(false));
            } else if !merged.items.is_empty() {
                let items = self.schema(&merged.items, inner);
                body.add("items", items);
            }
        } else {
            self.any_items(merged, body, place);
        }
    }

    /// Writes the items of a tuple as a union, where `prefixItems` is not supported.
    fn any_items(&mut self, merged: &Merged<'g>, body: &mut Body, place: SchemaPlace) {
        let inner = place.deeper(3);
        let mut kinds: Vec<Json> = Vec::new();
        let mut seen = HashSet::new();
        let mut in_order = Vec::new();
        let rest = (!merged.items.is_empty()).then_some(&merged.items);
        for (at, pieces) in merged.prefix_items.iter().chain(rest).enumerate() {
            let json = self.schema(pieces, inner);
            if at < merged.prefix_items.len() {
                in_order.push(kind_of(&json));
            }
            if seen.insert(json.to_text()) {
                kinds.push(json);
            }
        }
        // `["Oslo", 3]`: the union lists the kinds, but not their order.
        if kinds.len() > 1 {
            body.describe(&format!("Items in this order: {}.", in_order.join(", ")));
        }
        let count = merged.prefix_items.len();
        let mut plain = merged.plain.iter();
        let most = plain.find(|(keyword, _)| *keyword == "maxItems");
        let most: Option<usize> = most.and_then(|(_, ix)| self.source.number(*ix)?.parse().ok());
        if merged.forbids_items && most.is_none() {
            if self.target.supports("maxItems") {
                body.add("maxItems", Json::Number(count.to_string()));
            } else {
                let items = sentences::counted(&count.to_string(), "item");
                body.describe(&format!("At most {items}."));
            }
        } else if !merged.forbids_items
            && merged.items.is_empty()
            && most.is_none_or(|most| most > count)
        {
            let message =
                "further items of any kind cannot be expressed; they must match the first ones";
            self.exclude(merged.origin, "items", message);
        }
        let items = self.one_of(kinds, String::new(), Null::Excluded);
        body.add("items", items);
    }
}

/// Returns the type of a rendered schema in words.
fn kind_of(json: &Json) -> String {
    match json.get("type") {
        Some(Json::Text(name)) => name.to_ascii_lowercase(),
        Some(Json::List(names)) => {
            let names = names.iter().filter_map(|name| match name {
                Json::Text(name) => Some(name.clone()),
                _ => None,
            });
            sentences::list(&names.collect::<Vec<_>>(), "or")
        }
        _ => "one of the others".to_owned(),
    }
}
