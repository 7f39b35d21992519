//! Writing a schema anew, subschema by subschema.
//!
//! What is written for the parts of a subschema stands in `reference`, `union`, `object` and `scalar`;
//! here is what all of them share: the root, types, and what is done where something goes too far.

use std::collections::{HashMap, HashSet, VecDeque};

use super::findings::Findings;
use super::given::{Given, Ix, ROOT};
use super::json::{Json, Members};
use super::links::Links;
use super::shape::{Piece, Shape};
use super::types::Types;
use super::{LintSeverity, Rendered, SchemaTarget, lint, open, words};

/// How deep the JSON of a rendered schema may nest, before what is deeper is asked for as text.
const DEPTH_MAX: u16 = 128;
/// How many levels of what nests in itself are written out at most.
const UNROLLED_MAX: u16 = 3;
/// How many times as large as the schema a rendered one may be, counted in values.
const GROWTH: usize = 4;
/// By how many values it may be larger besides, where references are written out, and where several
/// levels of what nests in itself are.
const SPACE: usize = 4_000;
const SPACE_TO_NEST: usize = 400;
/// Names for the member that a value is put into, known to coercion.
const WRAPPERS: [&str; 5] = ["data", "result", "output", "answer", "response"];

/// A schema that was written.
pub(super) struct Draft<'g> {
    pub(super) json: Json,
    pub(super) wrapper: Option<&'static str>,
    pub(super) excludes_values: bool,
    pub(super) found: Findings<'g>,
    /// Whether there was room for all of it.
    pub(super) is_whole: bool,
}

pub(super) fn render(target: SchemaTarget, given: &Given, links: &Links) -> Rendered {
    let mut draft = Renderer::new(target, given, links, UNROLLED_MAX).draft();
    for levels in (1..UNROLLED_MAX).rev() {
        if !draft.is_whole {
            draft = Renderer::new(target, given, links, levels).draft();
        }
    }
    let json = draft.json.to_text();
    // What is limited over the whole schema is counted in what came of it.
    let again = Given::read(&json);
    for lint in lint::lint(target, &again, &Links::of(&again)) {
        if lint.severity == LintSeverity::Refused {
            draft.found.add_whole(lint);
        }
    }
    Rendered {
        json,
        left: draft.found.into_lints(),
        wrapper: draft.wrapper,
        excludes_values: draft.excludes_values,
    }
}

/// The name of the member that a value is put into: one that no object of the schema declares.
pub(super) fn wrapper(given: &Given, links: &Links) -> &'static str {
    let mut declared = HashSet::new();
    for &schema in &links.schemas {
        let properties = given.member(schema, "properties").into_iter();
        declared.extend(
            properties
                .flat_map(|ix| given.members(ix))
                .map(|(name, _)| &**name),
        );
    }
    let mut free = WRAPPERS.into_iter().filter(|name| !declared.contains(name));
    free.next().unwrap_or(WRAPPERS[0])
}

/// Where something is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// How deep the JSON nests here.
    pub(super) depth: u16,
    /// How many objects are around.
    pub(super) level: u16,
    /// How many references to what nests in itself were followed to get here.
    pub(super) unrolled: u16,
    /// Whether null has to be allowed.
    pub(super) null: bool,
    pub(super) is_root: bool,
}

impl Place {
    pub(super) const ROOT: Self = Self {
        depth: 0,
        level: 0,
        unrolled: 0,
        null: false,
        is_root: true,
    };

    /// A place so much deeper.
    pub(super) const fn deeper(self, by: u16) -> Self {
        Self {
            depth: self.depth + by,
            null: false,
            is_root: false,
            ..self
        }
    }
}

/// What becomes of subschemas that are asked for together.
enum Begun<'g> {
    Written(Json),
    Shape(Box<Shape<'g>>, Place),
}

pub(super) struct Renderer<'g> {
    pub(super) target: SchemaTarget,
    pub(super) given: &'g Given,
    pub(super) links: &'g Links,
    pub(super) found: Findings<'g>,
    pub(super) enum_values: usize,
    levels: u16,
    spent: usize,
    spent_max: usize,
    /// Definitions by what they stand for, and those that are not written yet.
    pub(super) names: HashMap<Ix, String>,
    pub(super) taken: HashMap<String, u32>,
    pub(super) unwritten: VecDeque<Ix>,
    pub(super) wrapper: Option<&'static str>,
    excludes_values: bool,
}

impl<'g> Renderer<'g> {
    fn new(target: SchemaTarget, given: &'g Given, links: &'g Links, levels: u16) -> Self {
        Self {
            target,
            given,
            links,
            found: Findings::new(given),
            enum_values: 0,
            levels,
            spent: 0,
            spent_max: given.size(ROOT) * GROWTH + if levels > 1 { SPACE_TO_NEST } else { SPACE },
            names: HashMap::new(),
            taken: HashMap::new(),
            unwritten: VecDeque::new(),
            wrapper: None,
            excludes_values: false,
        }
    }

    /// Whether the rendered schema may be larger still.
    pub(super) fn has_room(&self) -> bool {
        self.spent <= self.spent_max
    }

    pub(super) fn spend(&mut self, cost: usize) {
        self.spent += cost;
    }

    pub(super) fn lose(&mut self, at: Ix, keyword: &str, message: impl Into<String>) {
        self.found
            .add(LintSeverity::Lost, at, keyword, message.into());
    }

    /// Notes that values are left out, too.
    pub(super) fn exclude(&mut self, at: Ix, keyword: &str, message: impl Into<String>) {
        self.excludes_values = true;
        self.lose(at, keyword, message);
    }

    fn draft(mut self) -> Draft<'g> {
        if self.target == SchemaTarget::Mcp {
            return open::render(self.given, self.links);
        }
        let json = self.root();
        let is_whole = self.has_room();
        Draft {
            json,
            is_whole,
            wrapper: self.wrapper,
            excludes_values: self.excludes_values,
            found: self.found,
        }
    }

    fn root(&mut self) -> Json {
        let mut json = match self.target.wants_object() {
            true => self.object_at_root(),
            false => self.schema(&[Piece::whole(ROOT)], Place::ROOT),
        };
        self.definitions(&mut json);
        json
    }

    /// The root, put into an object if it is none.
    fn object_at_root(&mut self) -> Json {
        let shape = Shape::of(self.given, self.links, &[Piece::whole(ROOT)]);
        let is_object = match shape.kinds(self.given) {
            Types::ALL if !shape.says_type => shape
                .unions
                .iter()
                .all(|union| self.is_of_names(&shape, union)),
            types => types == Types::OBJECT && !shape.is_nullable,
        };
        let is_union = !shape
            .unions
            .iter()
            .all(|union| self.is_of_names(&shape, union));
        let takes_union = self.target.takes_union_at_root() || !is_union;
        if is_object && takes_union {
            self.put_together(Box::new(shape), Place::ROOT)
        } else {
            self.wrapped()
        }
    }

    /// The root as the member of an object.
    fn wrapped(&mut self) -> Json {
        let name = wrapper(self.given, self.links);
        self.wrapper = Some(name);
        let place = Place {
            level: 1,
            ..Place::ROOT.deeper(2)
        };
        let value = self.schema(&[Piece::whole(ROOT)], place);
        let mut members = vec![
            ("type".to_owned(), Json::text("object")),
            (
                "properties".to_owned(),
                Json::Object(vec![(name.to_owned(), value)]),
            ),
            ("required".to_owned(), Json::texts([name])),
        ];
        if self.target.closes_objects() {
            members.push(("additionalProperties".to_owned(), Json::Bool(false)));
        }
        Json::Object(members)
    }

    /// What is written for subschemas that are asked for together.
    pub(super) fn schema(&mut self, pieces: &[Piece], place: Place) -> Json {
        match self.begin(pieces, place) {
            Begun::Written(json) => json,
            Begun::Shape(shape, place) => self.put_together(shape, place),
        }
    }

    /// The same for a branch of a union; nothing if no value satisfies it.
    pub(super) fn branch(&mut self, pieces: &[Piece], place: Place) -> Option<Json> {
        match self.begin(pieces, place) {
            Begun::Written(json) => Some(json),
            Begun::Shape(shape, _) if shape.never.is_some() => None,
            Begun::Shape(shape, place) => Some(self.put_together(shape, place)),
        }
    }

    /// Puts pieces together, unless they are a reference that stays one or go too far.
    fn begin(&mut self, pieces: &[Piece], place: Place) -> Begun<'g> {
        if let Some(json) = self.kept_reference(pieces, place) {
            return Begun::Written(json);
        }
        if !self.has_room() {
            let message = "the schema is too large with its references written out: JSON text is \
                           asked for";
            self.lose(pieces[0].ix, "$ref", message);
            let text = "A JSON value, as text.".to_owned();
            return Begun::Written(self.text(text, place.null));
        }
        let shape = Box::new(Shape::of(self.given, self.links, pieces));
        self.spend(shape.cost);
        let unrolled = place.unrolled + shape.follows;
        let (keyword, message, text) = if place.depth > DEPTH_MAX {
            let message = "the schema nests too deeply: JSON text is asked for";
            ("type", message, "A JSON value, as text.")
        } else if unrolled > self.levels {
            let message = "the schema nests in itself: deeper levels are asked for as JSON text";
            ("$ref", message, "Deeper levels, as JSON text.")
        } else {
            return Begun::Shape(shape, Place { unrolled, ..place });
        };
        self.lose(shape.origin, keyword, message);
        Begun::Written(self.as_text(text, &shape, place))
    }

    fn put_together(&mut self, mut shape: Box<Shape<'g>>, place: Place) -> Json {
        for (at, keyword) in std::mem::take(&mut shape.lost) {
            self.lose(
                at,
                keyword,
                "it cannot be put together with what is asked for beside it: it is left out",
            );
        }
        let mut notes = shape.description.map(str::to_owned).unwrap_or_default();
        if shape.origin == ROOT {
            for group in required_any(self.given) {
                words::add(&mut notes, &words::at_least_one(&group));
            }
        }
        let unions = std::mem::take(&mut shape.unions);
        let mut real = Vec::new();
        for union in unions {
            match self.sets(&shape, &union) {
                Some(sets) => {
                    self.spend(self.given.size(union.at));
                    let is_exact = union.keyword == "oneOf";
                    words::add(&mut notes, &words::one_set(&sets, is_exact));
                }
                None => real.push(union),
            }
        }
        let mut real = real.into_iter();
        let first = real.next();
        for union in real {
            self.lose(
                union.at,
                union.keyword,
                "a second union beside a union: it is left out",
            );
        }
        if let Some(at) = shape.never {
            return self.nothing(&shape, at, notes, place);
        }
        match first {
            Some(union) => self.union(&shape, &union, notes, place),
            None => self.body(&shape, notes, place),
        }
    }

    /// What is written for what nothing can satisfy.
    pub(super) fn nothing(
        &mut self,
        shape: &Shape<'g>,
        at: Ix,
        notes: String,
        place: Place,
    ) -> Json {
        self.lose(
            at,
            "false",
            "nothing can satisfy this: any value is asked for",
        );
        match place.is_root && self.target.wants_object() {
            true => self.body(shape, notes, place),
            false => self.any(shape, notes),
        }
    }

    /// JSON text in a string, for what cannot be asked for otherwise.
    pub(super) fn as_text(&mut self, sentence: &str, shape: &Shape<'g>, place: Place) -> Json {
        let mut notes = shape.description.map(str::to_owned).unwrap_or_default();
        words::add(&mut notes, sentence);
        let null = place.null || shape.is_nullable || shape.types.has(Types::NULL);
        self.text(notes, null)
    }

    pub(super) fn text(&mut self, description: String, null: bool) -> Json {
        let mut members = self.type_of(Types::STRING, null);
        members.insert(1, ("description".to_owned(), Json::Text(description)));
        Json::Object(members)
    }

    /// A schema that anything satisfies, or any scalar where a type has to be said.
    pub(super) fn any(&mut self, shape: &Shape<'g>, notes: String) -> Json {
        if !self.target.wants_type() {
            let description = Json::Text(notes);
            let is_said = description != Json::text("");
            let members = is_said.then(|| ("description".to_owned(), description));
            return Json::Object(members.into_iter().collect());
        }
        self.exclude(
            shape.origin,
            "type",
            "objects and lists of any kind cannot be asked for: any scalar is asked for instead",
        );
        let scalars = [Types::STRING, Types::NUMBER, Types::BOOLEAN];
        let branches = scalars.map(|types| Json::Object(self.type_of(types, false)));
        self.any_of(branches.to_vec(), notes, true)
    }

    /// `type`, and what goes with it where null is allowed too.
    pub(super) fn type_of(&self, types: Types, null: bool) -> Members {
        if !self.target.takes_type_lists() {
            let name = types.name().to_ascii_uppercase();
            let mut members = vec![("type".to_owned(), Json::Text(name))];
            if null {
                members.push(("nullable".to_owned(), Json::Bool(true)));
            }
            return members;
        }
        let types = if null { types.or(Types::NULL) } else { types };
        let names: Vec<&str> = types.each().map(|(_, name)| name).collect();
        let said = match names[..] {
            [name] => Json::text(name),
            _ => Json::texts(names),
        };
        vec![("type".to_owned(), said)]
    }

    pub(super) fn null(&self) -> Json {
        Json::Object(self.type_of(Types::NULL, false))
    }
}

/// The lists of names of which one each is needed.
pub(super) fn required_any(given: &Given) -> Vec<Vec<&str>> {
    let groups = given
        .member(ROOT, "x-required-any")
        .map_or(&[][..], |ix| given.items(ix));
    let names = groups.iter().map(|group| {
        let names = given.items(*group).iter();
        names
            .filter_map(|name| given.text(*name))
            .collect::<Vec<_>>()
    });
    names.filter(|group| !group.is_empty()).collect()
}
