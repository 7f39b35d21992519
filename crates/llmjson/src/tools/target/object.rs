//! What is written for objects and lists.

use super::given::{Given, Ix};
use super::json::{Json, Members};
use super::render::{Place, Renderer};
use super::scalar::Body;
use super::shape::{Piece, Shape};
use super::{SchemaTarget, words};

impl<'g> Renderer<'g> {
    /// Whether an object has to be asked for as text, which then is said.
    pub(super) fn is_text(&mut self, shape: &Shape<'g>, body: &mut Body, place: Place) -> bool {
        let at = shape.origin;
        if usize::from(place.level) >= self.target.limits().levels {
            self.lose(
                at,
                "properties",
                "objects nest too deeply: JSON text is asked for",
            );
            body.say("A JSON object, as text.");
            return true;
        }
        let is_left_out =
            |pieces: &Vec<Piece>| pieces.iter().any(|one| self.given.is(one.ix, false));
        let is_free = shape.required.is_empty()
            && shape
                .properties
                .iter()
                .all(|(_, pieces)| is_left_out(pieces));
        let is_closed = shape.is_closed || shape.says_properties && shape.others.is_none();
        let is_empty = is_closed && self.target.closes_objects();
        if place.is_root || !self.target.declares_members() || !is_free || is_empty {
            return false;
        }
        let at = shape.others.unwrap_or(at);
        self.lose(
            at,
            "additionalProperties",
            "an object without declared members cannot be asked for: JSON \
             text is asked for instead",
        );
        body.say("A JSON object, as text.");
        true
    }

    /// Members, which of them are required, and whether there may be others.
    pub(super) fn object(&mut self, shape: &Shape<'g>, body: &mut Body, place: Place) {
        let properties = self.properties(shape, place);
        let names: Vec<String> = properties.iter().map(|(name, _)| name.clone()).collect();
        let required = self.required(shape, &names, body);
        let says_members =
            !properties.is_empty() || shape.says_properties || self.target.closes_objects();
        if says_members {
            body.add("properties", Json::Object(properties));
        }
        if !required.is_empty() || self.target == SchemaTarget::OpenAiStrict {
            body.add("required", Json::texts(required));
        }
        self.others(shape, body, place);
        if self.target == SchemaTarget::GeminiOpenApi && names.len() > 1 {
            body.add(
                "propertyOrdering",
                Json::texts(names.iter().map(String::as_str)),
            );
        }
    }

    fn properties(&mut self, shape: &Shape<'g>, place: Place) -> Members {
        let required: std::collections::HashSet<&str> =
            shape.required.iter().map(|(name, _)| *name).collect();
        let inner = Place {
            level: place.level + 1,
            ..place.deeper(2)
        };
        let mut written = Members::new();
        for (name, pieces) in &shape.properties {
            if pieces.iter().any(|piece| self.given.is(piece.ix, false)) {
                if required.contains(name) {
                    self.lose(
                        pieces[0].ix,
                        "false",
                        "nothing can satisfy this: the member is left out",
                    );
                }
                continue;
            }
            let is_optional = !required.contains(name);
            let null = is_optional && self.target == SchemaTarget::OpenAiStrict;
            let json = self.schema(pieces, Place { null, ..inner });
            written.push(((*name).to_owned(), json));
        }
        if self.target.declares_members() {
            self.declare(shape, &mut written, inner);
        }
        written
    }

    /// Declares members that are required and not declared.
    fn declare(&mut self, shape: &Shape<'g>, written: &mut Members, inner: Place) {
        let mut declared: std::collections::HashSet<&str> =
            shape.properties.iter().map(|(name, _)| *name).collect();
        for &(name, at) in &shape.required {
            if declared.insert(name) {
                let piece = shape.others.map(Piece::whole);
                let json = match piece {
                    Some(piece) => self.schema(&[piece], inner),
                    None => {
                        let any = Shape::of(self.given, self.links, &[Piece::whole(at)]);
                        self.any(&any, String::new())
                    }
                };
                written.push((name.to_owned(), json));
            }
        }
    }

    fn required<'n>(
        &mut self,
        shape: &Shape<'g>,
        names: &'n [String],
        body: &mut Body,
    ) -> Vec<&'n str>
    where
        'g: 'n,
    {
        if self.target == SchemaTarget::OpenAiStrict {
            return names.iter().map(String::as_str).collect();
        }
        let circular: std::collections::HashSet<&str> = (shape.properties.iter())
            .filter(|(_, pieces)| {
                self.target == SchemaTarget::GeminiJson
                    && pieces
                        .iter()
                        .any(|piece| self.links.is_circular_member(piece.ix))
            })
            .map(|(name, _)| *name)
            .collect();
        let written: std::collections::HashSet<&str> = names.iter().map(String::as_str).collect();
        let mut required = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for &(name, at) in &shape.required {
            if !seen.insert(name) {
                continue;
            }
            if circular.contains(name) {
                self.lose(
                    at,
                    "required",
                    "the member asks for what it is part of: it becomes optional",
                );
                body.say(&format!("`{name}` is always needed."));
            } else if written.contains(name) || !self.target.declares_members() {
                required.push(name);
            }
        }
        required
    }

    /// Members that are not declared.
    fn others(&mut self, shape: &Shape<'g>, body: &mut Body, place: Place) {
        if self.target.closes_objects() {
            body.add("additionalProperties", Json::Bool(false));
        }
        if shape.is_closed {
            if !self.target.closes_objects() && self.target.takes("additionalProperties") {
                body.add("additionalProperties", Json::Bool(false));
            }
            return;
        }
        let Some(others) = shape.others else {
            if self.target.closes_objects() && place.is_root && !shape.says_properties {
                self.exclude(
                    shape.origin,
                    "properties",
                    "an object without declared members cannot be asked \
                                                       for: it has none",
                );
            }
            return;
        };
        if self.target.takes("additionalProperties") && !self.target.closes_objects() {
            if !self.given.is(others, true) {
                let json = self.schema(&[Piece::whole(others)], place.deeper(1));
                body.add("additionalProperties", json);
            }
            return;
        }
        self.exclude(
            others,
            "additionalProperties",
            "members that are not declared cannot be asked for: there \
                                                   are none",
        );
    }

    /// Items, alike or each for itself.
    pub(super) fn list(&mut self, shape: &Shape<'g>, body: &mut Body, place: Place) {
        let inner = place.deeper(1);
        if shape.first_items.is_empty() {
            if !shape.items.is_empty() {
                let items = self.schema(&shape.items, inner);
                body.add("items", items);
            } else if self.target.wants_type() {
                let items = self.any(shape, String::new());
                body.add("items", items);
            } else if shape.no_items {
                body.say("Without items.");
            }
            return;
        }
        if self.target.takes("prefixItems") {
            let first = shape.first_items.iter();
            let first = first
                .map(|pieces| self.schema(pieces, place.deeper(2)))
                .collect();
            body.add("prefixItems", Json::List(first));
            if shape.no_items {
                body.add("items", Json::Bool(false));
            } else if !shape.items.is_empty() {
                let items = self.schema(&shape.items, inner);
                body.add("items", items);
            }
            return;
        }
        self.any_items(shape, body, place);
    }

    /// Items of several kinds, where they cannot be told apart by their places.
    fn any_items(&mut self, shape: &Shape<'g>, body: &mut Body, place: Place) {
        let inner = place.deeper(3);
        let mut kinds: Vec<Json> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut in_order = Vec::new();
        for pieces in &shape.first_items {
            let json = self.schema(pieces, inner);
            in_order.push(kind_of(&json));
            if seen.insert(json.to_text()) {
                kinds.push(json);
            }
        }
        if !shape.items.is_empty() {
            let json = self.schema(&shape.items, inner);
            if seen.insert(json.to_text()) {
                kinds.push(json);
            }
        }
        if kinds.len() > 1 {
            body.say(&format!("Items in this order: {}.", in_order.join(", ")));
        }
        let count = shape.first_items.len();
        let most = shape
            .plain
            .iter()
            .find(|(keyword, _)| *keyword == "maxItems");
        let most = most.and_then(|(_, ix)| bound(self.given, *ix));
        if shape.no_items && most.is_none() {
            if self.target.takes("maxItems") {
                body.add("maxItems", Json::Number(count.to_string()));
            } else {
                body.say(&format!(
                    "At most {}.",
                    words::counted(&count.to_string(), "item")
                ));
            }
        } else if !shape.no_items && shape.items.is_empty() && most.is_none_or(|most| most > count)
        {
            self.exclude(
                shape.origin,
                "items",
                "further items of any kind cannot be asked for: they are like \
                                              the first ones",
            );
        }
        let items = self.one_of(kinds, String::new(), false);
        body.add("items", items);
    }
}

/// What a rendered schema asks for, in a word.
fn kind_of(json: &Json) -> String {
    match json.get("type") {
        Some(Json::Text(name)) => name.to_ascii_lowercase(),
        Some(Json::List(names)) => {
            let names = names.iter().filter_map(|name| match name {
                Json::Text(name) => Some(name.clone()),
                _ => None,
            });
            words::list(&names.collect::<Vec<_>>(), "or")
        }
        _ => "one of the others".to_owned(),
    }
}

fn bound(given: &Given, ix: Ix) -> Option<usize> {
    given.number(ix)?.parse().ok()
}
