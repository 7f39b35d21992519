//! What is written for unions.

use super::given::{Given, Ix, Value};
use super::json::{Json, Members};
use super::render::{Place, Renderer};
use super::shape::{Piece, Shape, Union};
use super::types::Types;
use super::words;

impl<'g> Renderer<'g> {
    /// The branches of a union, each with what is asked for beside the union.
    pub(super) fn union(
        &mut self,
        shape: &Shape<'g>,
        union: &Union<'g>,
        notes: String,
        place: Place,
    ) -> Json {
        let mut null = place.null || shape.is_nullable;
        let mut branches = Vec::new();
        for &branch in &union.branches {
            let is_null = self.is_null(branch);
            if is_null && !self.target.takes_type_lists() {
                null = true;
            } else if !self.given.is(branch, false) {
                branches.push(self.beside(shape, branch));
            }
        }
        if branches.is_empty() && union.branches.iter().any(|branch| self.is_null(*branch)) {
            return with_description(self.null(), notes);
        }
        if branches.is_empty() {
            return self.nothing(shape, union.at, notes, place);
        }
        if let [pieces] = &branches[..]
            && (notes.is_empty() || !self.target.takes("$ref"))
        {
            // The way down is bounded by its depth, so this counts as a step.
            let place = Place {
                null,
                ..place.deeper(1)
            };
            return with_description(self.schema(pieces, place), notes);
        }
        let inner = place.deeper(2);
        let mut written: Vec<Json> = Vec::new();
        for pieces in branches {
            let json = self.schema(&pieces, inner);
            // Unions in unions are one.
            match json {
                Json::Object(members) if members.len() == 1 && members[0].0 == "anyOf" => {
                    let list = members.into_iter().map(|(_, list)| list);
                    written.extend(list.flat_map(|list| match list {
                        Json::List(items) => items,
                        _ => Vec::new(),
                    }));
                }
                json => written.push(json),
            }
        }
        self.any_of(written, notes, null)
    }

    /// Several schemas of which one has to fit.
    pub(super) fn any_of(&mut self, mut branches: Vec<Json>, notes: String, null: bool) -> Json {
        let mut members = Members::new();
        if !notes.is_empty() {
            members.push(("description".to_owned(), Json::Text(notes)));
        }
        if null && self.target.takes_type_lists() && !branches.iter().any(takes_null) {
            branches.push(self.null());
        }
        members.push(("anyOf".to_owned(), Json::List(branches)));
        if null && !self.target.takes_type_lists() {
            members.push(("nullable".to_owned(), Json::Bool(true)));
        }
        Json::Object(members)
    }

    /// A branch and what is asked for beside it, unless the branch says that itself.
    fn beside(&mut self, shape: &Shape<'g>, branch: Ix) -> Vec<Piece> {
        let alone = vec![Piece::whole(branch)];
        if !shape.says_more() {
            return alone;
        }
        if shape.says_type_only() && self.has_room() {
            let inner = Shape::of(self.given, self.links, &alone);
            self.spend(inner.cost);
            if inner.unions.is_empty() && shape.types.has(inner.kinds(self.given)) {
                return alone;
            }
        }
        let mut pieces = shape.parts.clone();
        pieces.extend(alone);
        self.spend(pieces.len());
        pieces
    }

    /// Whether a subschema asks for null and says no more.
    fn is_null(&self, schema: Ix) -> bool {
        let given = self.given;
        let names_null = |ix| Types::said(given, ix) == Types::NULL;
        let is_null = |ix: Ix| matches!(given.get(ix), Value::Null);
        given
            .members(schema)
            .iter()
            .any(|(keyword, value)| match &**keyword {
                "type" => names_null(*value),
                "const" => is_null(*value),
                "enum" => matches!(given.items(*value), [one] if is_null(*one)),
                _ => false,
            })
    }

    pub(super) fn is_of_names(&self, union: &Union<'g>) -> bool {
        self.sets(union).is_some()
    }

    /// The names that the branches of a union require, if they ask for nothing else.
    pub(super) fn sets(&self, union: &Union<'g>) -> Option<Vec<Vec<&'g str>>> {
        sets(self.given, &union.branches)
    }
}

/// The names that each of some subschemas requires, if they ask for nothing else.
pub(super) fn sets<'g>(given: &'g Given, branches: &[Ix]) -> Option<Vec<Vec<&'g str>>> {
    let set = |branch: &Ix| {
        let members = given.members(*branch);
        let is_plain = |(keyword, _): &(Box<str>, Ix)| {
            matches!(&**keyword, "required" | "type" | "description")
        };
        let required = given.member(*branch, "required")?;
        let is_object = given
            .member(*branch, "type")
            .is_none_or(|ix| Types::said(given, ix) == Types::OBJECT);
        let names: Vec<&str> = given
            .items(required)
            .iter()
            .filter_map(|ix| given.text(*ix))
            .collect();
        (members.iter().all(is_plain) && is_object && !names.is_empty()).then_some(names)
    };
    branches.iter().map(set).collect()
}

/// Puts a description before what a schema says itself.
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
            words::add(&mut both, own);
            *own = both;
        }
        _ => {
            let place = usize::from(members.first().is_some_and(|(name, _)| name == "type"));
            members.insert(place, ("description".to_owned(), Json::Text(notes)));
        }
    }
    json
}

/// Whether a rendered branch asks for null.
fn takes_null(json: &Json) -> bool {
    match json.get("type") {
        Some(Json::Text(name)) => name == "null",
        Some(Json::List(names)) => names.contains(&Json::text("null")),
        _ => matches!(json, Json::Object(members) if members.is_empty()),
    }
}
