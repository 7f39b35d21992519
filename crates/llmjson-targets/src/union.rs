//! Renders unions.

use super::json::{Json, Members};
use super::merged::{Merged, SchemaPiece, Union};
use super::render::{Null, Renderer, SchemaPlace};
use super::sentences;
use super::types::Types;
use llmjson_schema::internal::source::{NodeIx as Ix, Source, Written};

impl<'g> Renderer<'g> {
    /// Renders a union, with the keywords next to it merged into each branch.
    pub(super) fn union(
        &mut self,
        merged: &Merged<'g>,
        union: &Union<'g>,
        notes: String,
        place: SchemaPlace,
    ) -> Json {
        let mut null = place.null.or_if(merged.is_nullable);
        let mut branches = Vec::new();
        for &branch in &union.branches {
            let is_null = self.is_null(branch);
            // OpenAPI 3.0 has no type for null: `nullable` next to the branches expresses it, and
            // the branch is removed.
            if is_null && !self.target.allows_type_lists {
                null = Null::Allowed;
            } else if !self.source.is_false(branch) {
                branches.push(self.beside(merged, branch));
            }
        }
        if branches.is_empty() && union.branches.iter().any(|branch| self.is_null(*branch)) {
            return with_description(self.null(), notes);
        }
        if branches.is_empty() {
            return self.nothing(merged, union.at, notes, place);
        }
        // `anyOf` with one branch, which generators write for `Optional[X]`: the schema itself is
        // shorter.
        if let [pieces] = &branches[..]
            && (notes.is_empty() || !self.target.supports("$ref"))
        {
            // Counts as a level, so that the recursion is bounded.
            let place = place.deeper(1).with_null(null);
            return with_description(self.schema(pieces, place), notes);
        }
        let branches = branches.iter();
        let written: Vec<Json> = branches
            .filter_map(|pieces| self.branch(pieces, place.deeper(2)))
            .collect();
        match written.is_empty() && !null.is_allowed() {
            true => self.nothing(merged, union.at, notes, place),
            false => self.one_of(written, notes, null),
        }
    }

    /// Combines rendered branches, and null if allowed, in the simplest form.
    pub(super) fn one_of(&mut self, written: Vec<Json>, notes: String, mut null: Null) -> Json {
        let mut written = flat(written);
        let count = written.len();
        written.retain(|json| !self.is_written_null(json));
        null = null.or_if(written.len() < count);
        match written.len() {
            0 => with_description(self.null(), notes),
            1 if !self.target.allows_type_lists => {
                let mut json = with_description(written.remove(0), notes);
                if null.is_allowed() {
                    make_nullable(&mut json);
                }
                json
            }
            1 if notes.is_empty() && (!null.is_allowed() || takes_null(&written[0])) => {
                written.remove(0)
            }
            _ => self.any_of(written, notes, null),
        }
    }

    /// Returns `true` if a rendered branch allows only null, where `nullable` expresses that.
    fn is_written_null(&self, json: &Json) -> bool {
        !self.target.allows_type_lists && json.get("type") == Some(&Json::text("NULL"))
    }

    pub(super) fn any_of(&mut self, mut branches: Vec<Json>, notes: String, null: Null) -> Json {
        branches = flat(branches);
        let mut members = Members::new();
        if !notes.is_empty() {
            members.push(("description".to_owned(), Json::Text(notes)));
        }
        if null.is_allowed() && self.target.allows_type_lists && !branches.iter().any(takes_null) {
            branches.push(self.null());
        }
        members.push(("anyOf".to_owned(), Json::List(branches)));
        if null.is_allowed() && !self.target.allows_type_lists {
            members.push(("nullable".to_owned(), Json::Bool(true)));
        }
        Json::Object(members)
    }

    /// Returns a branch with the keywords next to the union, unless the branch implies them.
    fn beside(&mut self, merged: &Merged<'g>, branch: Ix) -> Vec<SchemaPiece> {
        let alone = vec![SchemaPiece::whole(branch)];
        if !merged.has_constraints() {
            return alone;
        }
        if merged.has_type_only() && self.has_room() {
            let inner = Merged::of(self.source, self.graph, &alone);
            self.spend(inner.cost);
            // `{"type": "object", "anyOf": [{"properties": …}]}`: each branch already requires
            // objects, and repeating the type would inline a reference that could have been kept.
            if inner.unions.is_empty() && merged.types.has(inner.kinds(self.source)) {
                return alone;
            }
        }
        let mut pieces = merged.parts.clone();
        pieces.extend(alone);
        self.spend(pieces.len());
        pieces
    }

    fn is_null(&self, schema: Ix) -> bool {
        let source = self.source;
        let names_null = |ix| Types::named_in(source, ix) == Types::NULL;
        let is_null = |ix: Ix| matches!(source.get(ix), Written::Null);
        let mut members = source.members(schema);
        members.any(|(keyword, value)| match keyword {
            "type" => names_null(value),
            "const" => is_null(value),
            "enum" => matches!(source.items(value), [one] if is_null(*one)),
            _ => false,
        })
    }

    /// Returns the names that each branch requires, if the branches have no other constraints.
    pub(super) fn required_sets(
        &self,
        merged: &Merged<'g>,
        union: &Union<'g>,
    ) -> Option<Vec<Vec<&'g str>>> {
        // If no object is declared next to the union, the branches are separate objects.
        let is_object = merged.has_properties || merged.has_type && merged.types.has(Types::OBJECT);
        is_object.then(|| required_sets(self.source, &union.branches))?
    }
}

/// Returns the names that each subschema requires, if they have no other constraints.
pub(super) fn required_sets<'g>(source: &'g Source, branches: &[Ix]) -> Option<Vec<Vec<&'g str>>> {
    let set = |branch: &Ix| {
        let mut members = source.members(*branch);
        let is_plain = |(keyword, _)| matches!(keyword, "required" | "type" | "description");
        let types = source.member(*branch, "type");
        let is_object = types.is_none_or(|ix| Types::named_in(source, ix) == Types::OBJECT);
        let names: Vec<&str> = source.texts_in(*branch, "required").collect();
        (members.all(is_plain) && is_object && !names.is_empty()).then_some(names)
    };
    branches.iter().map(set).collect()
}

/// Flattens branches that consist only of a union.
fn flat(branches: Vec<Json>) -> Vec<Json> {
    let branches = branches.into_iter().flat_map(|branch| match branch {
        Json::Object(mut members) if members.len() == 1 && members[0].0 == "anyOf" => {
            match members.remove(0).1 {
                Json::List(inner) => inner,
                other => vec![other],
            }
        }
        other => vec![other],
    });
    branches.collect()
}

fn make_nullable(json: &mut Json) {
    let Json::Object(members) = json else { return };
    if members.iter().any(|(name, _)| name == "nullable") {
        return;
    }
    let is_before =
        |(name, _): &&(String, Json)| matches!(&**name, "type" | "description" | "anyOf");
    let place = members.iter().take_while(is_before).count();
    members.insert(place, ("nullable".to_owned(), Json::Bool(true)));
}

/// Puts text before the description of a schema.
fn with_description(mut json: Json, notes: String) -> Json {
    let Json::Object(members) = &mut json else {
        return json;
    };
    if notes.is_empty() {
        return json;
    }
    match members.iter_mut().find(|(name, _)| name == "description") {
        Some((_, Json::Text(own))) => {
            let mut both = notes;
            sentences::append(&mut both, own);
            *own = both;
        }
        _ => {
            let place = usize::from(members.first().is_some_and(|(name, _)| name == "type"));
            members.insert(place, ("description".to_owned(), Json::Text(notes)));
        }
    }
    json
}

fn takes_null(json: &Json) -> bool {
    match json.get("type") {
        Some(Json::Text(name)) => name == "null",
        Some(Json::List(names)) => names.contains(&Json::text("null")),
        _ => matches!(json, Json::Object(members) if members.is_empty()),
    }
}
