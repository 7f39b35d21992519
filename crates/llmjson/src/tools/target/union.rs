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
        let branches = branches.iter();
        let written: Vec<Json> = branches
            .filter_map(|pieces| self.branch(pieces, place.deeper(2)))
            .collect();
        match written.is_empty() && !null {
            true => self.nothing(shape, union.at, notes, place),
            false => self.one_of(written, notes, null),
        }
    }

    /// Rendered schemas of which one has to fit, or null: as simply as it can be said.
    pub(super) fn one_of(&mut self, written: Vec<Json>, notes: String, mut null: bool) -> Json {
        let mut written = flat(written);
        let count = written.len();
        written.retain(|json| !self.is_written_null(json));
        null |= written.len() < count;
        match written.len() {
            0 => with_description(self.null(), notes),
            1 if !self.target.takes_type_lists() => {
                let mut json = with_description(written.remove(0), notes);
                if null {
                    make_nullable(&mut json);
                }
                json
            }
            1 if notes.is_empty() && (!null || takes_null(&written[0])) => written.remove(0),
            _ => self.any_of(written, notes, null),
        }
    }

    /// Whether a rendered branch asks for null alone, which is said beside a union where types are no
    /// lists.
    fn is_written_null(&self, json: &Json) -> bool {
        !self.target.takes_type_lists() && json.get("type") == Some(&Json::text("NULL"))
    }

    /// Several schemas of which one has to fit.
    pub(super) fn any_of(&mut self, mut branches: Vec<Json>, notes: String, null: bool) -> Json {
        branches = flat(branches);
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

    pub(super) fn is_of_names(&self, shape: &Shape<'g>, union: &Union<'g>) -> bool {
        self.sets(shape, union).is_some()
    }

    /// The names that the branches of a union require, if they ask for nothing else.
    pub(super) fn sets(&self, shape: &Shape<'g>, union: &Union<'g>) -> Option<Vec<Vec<&'g str>>> {
        // Without an object beside them they are objects of their own.
        let is_object = shape.says_properties || shape.says_type && shape.types.has(Types::OBJECT);
        is_object.then(|| sets(self.given, &union.branches))?
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

/// Branches of which none is a union and nothing else: unions in unions are one.
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

/// Allows null beside what a schema asks for, where a keyword says that.
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
