//! Renders references and the definitions they refer to.

use super::dialect::Recursion;
use super::dialect::keyword::is_annotation;
use super::graph::is_reference;
use super::json::{self, Json, Members};
use super::merged::SchemaPiece;
use super::render::{Renderer, SchemaPlace};
use super::sentences;
use llmjson_schema::internal::source::{NodeIx as Ix, ROOT, applies};

impl<'g> Renderer<'g> {
    /// Writes `$defs` at the end of the root.
    pub(super) fn definitions(&mut self, root: &mut Json) {
        let mut definitions = Members::new();
        while let Some(target) = self.unwritten.pop_front() {
            let json = self.schema(&[SchemaPiece::whole(target)], SchemaPlace::ROOT.deeper(2));
            definitions.push((self.names[&target].clone(), json));
        }
        if let (Json::Object(members), false) = (root, definitions.is_empty()) {
            members.push(("$defs".to_owned(), Json::Object(definitions)));
        }
    }

    /// Renders a subschema that is only a reference, if the reference can be kept.
    pub(super) fn kept_reference(
        &mut self,
        pieces: &[SchemaPiece],
        place: SchemaPlace,
    ) -> Option<Json> {
        let &[piece] = pieces else { return None };
        let is_object = place.is_root && self.target.requires_root_object;
        // The root must be an object with its own members: a reference there is rejected even if it
        // points to one.
        if piece.is_bare || is_object || !self.target.supports("$ref") {
            return None;
        }
        let (schema, description, is_nullable) = self.sole_reference(piece.ix)?;
        let target = self.graph.target(schema)?;
        let null = place.null.or_if(is_nullable);
        if self.graph.is_recursive(target) && self.target.recursion == Recursion::Refused {
            return None;
        }
        if self.target.recursion == Recursion::ThroughOptional
            && self.graph.is_circular_reference(schema)
        {
            let message = "the reference is recursive without an optional member; the value \
                becomes JSON text in a string";
            self.lose(schema, "$ref", message);
            let mut text = description.unwrap_or_default().to_owned();
            sentences::append(&mut text, "Deeper levels, as JSON text.");
            return Some(self.text(text, null));
        }
        self.spend(1);
        let name = self.name_of(target);
        let reference = Json::object([("$ref", Json::Text(name))]);
        if !null.is_allowed() && description.is_none() {
            return Some(reference);
        }
        // `anyOf` with one branch holds the description that is not allowed next to `$ref`.
        let mut branches = vec![reference];
        if null.is_allowed() {
            branches.push(self.null());
        }
        let mut members = Members::new();
        if let Some(description) = description {
            members.push(("description".to_owned(), Json::text(description)));
        }
        members.push(("anyOf".to_owned(), Json::List(branches)));
        Some(Json::Object(members))
    }

    /// Returns the subschema with the reference if a subschema has no other constraints, its
    /// description, and whether it is nullable.
    fn sole_reference(&self, schema: Ix) -> Option<(Ix, Option<&'g str>, bool)> {
        let (mut at, mut description, mut is_nullable) = (schema, None, false);
        loop {
            let mut inner = None;
            for (keyword, value) in self.source.members(at) {
                match keyword {
                    name if is_reference(name) && inner.is_none() => inner = Some(at),
                    "allOf" if inner.is_none() && self.source.items(value).len() == 1 => {
                        inner = self.source.items(value).first().copied();
                    }
                    "description" => {
                        description = description.or(json::non_empty_text(self.source, value))
                    }
                    "nullable" => is_nullable |= self.source.is_true(value),
                    "$defs" | "definitions" => {}
                    "x-required-any" | "type" | "enum" | "const" | "required" => return None,
                    name if applies(name).is_some() => return None,
                    name if is_reference(name) || !is_annotation(name) => return None,
                    _ => {}
                }
            }
            match inner? {
                reference if reference == at => return Some((at, description, is_nullable)),
                part => at = part,
            }
        }
    }

    /// Returns the reference to a subschema in the rendered schema, and queues its definition.
    fn name_of(&mut self, target: Ix) -> String {
        if target == ROOT && self.wrapper.is_none() {
            return "#".to_owned();
        }
        if let Some(name) = self.names.get(&target) {
            return format!("#/$defs/{name}");
        }
        let pointer = self.source.pointer(target);
        let last = pointer.rsplit('/').next().unwrap_or_default();
        let plain = |char: char| match char {
            '-' => char,
            _ if char.is_ascii_alphanumeric() => char,
            _ => '_',
        };
        let mut base: String = last.chars().take(64).map(plain).collect();
        if base.is_empty() {
            base.push_str("root");
        }
        let mut name = base.clone();
        while self.taken.contains_key(&name) {
            let number = self.taken.entry(base.clone()).or_insert(1);
            *number += 1;
            name = format!("{base}_{number}");
        }
        self.taken.insert(name.clone(), 1);
        let reference = format!("#/$defs/{name}");
        self.names.insert(target, name);
        self.unwritten.push_back(target);
        reference
    }
}
