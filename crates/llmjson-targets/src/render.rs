//! Rewrites a schema, subschema by subschema.
//!
//! `reference`, `union`, `object` and `keywords` write the parts of a subschema. This file holds what
//! they share: the root, types, and the limits on depth and size.

use std::collections::{HashMap, HashSet, VecDeque};

use super::dialect::Dialect;
use super::findings::Findings;
use super::graph::Graph;
use super::json::{Json, Members};
use super::merged::{Merged, SchemaPiece};
use super::types::Types;
use super::{LintCode, Rendered, lint, sentences};
use llmjson_schema::internal::source::{NodeIx as Ix, ROOT, Source};

/// The nesting depth below which values become JSON text in a string.
const DEPTH_MAX: u16 = 128;
/// Maximum number of levels of a recursive schema that are inlined.
const UNROLLED_MAX: u16 = 3;
/// Maximum size of a rendered schema relative to the original, counted in values.
const GROWTH: usize = 4;
/// Maximum number of values that are added if references are inlined, and if several levels of a
/// recursive schema are.
const SPACE: usize = 4_000;
const SPACE_TO_NEST: usize = 400;
/// Names for the member that wraps a root; coercion knows them.
const WRAPPERS: [&str; 5] = ["data", "result", "output", "answer", "response"];

/// A rewritten schema.
pub(super) struct SchemaDraft<'g> {
    pub(super) json: Json,
    pub(super) wrapper: Option<&'static str>,
    pub(super) excludes_values: bool,
    pub(super) found: Findings<'g>,
    /// `true` if it stayed within the size limit.
    pub(super) is_whole: bool,
}

pub(super) fn render(target: &'static Dialect, source: &Source, graph: &Graph<'_>) -> Rendered {
    let mut draft = Renderer::new(target, source, graph, UNROLLED_MAX).draft();
    // Each level of a recursive schema multiplies its size if several members recur, so fewer
    // levels are tried before the limit truncates elsewhere.
    for levels in (1..UNROLLED_MAX).rev() {
        if !draft.is_whole {
            draft = Renderer::new(target, source, graph, levels).draft();
        }
    }
    let json = draft.json.to_text();
    // Limits on the whole schema apply to the rendered one.
    match Source::from_text(&json) {
        Ok(again) => {
            let lints = lint::lint(target, &again, &Graph::of(&again)).into_iter();
            let refused = lints.filter(|lint| lint.code == LintCode::Refused);
            refused.for_each(|lint| draft.found.add_whole(lint));
        }
        Err(error) => draft
            .found
            .add(LintCode::Refused, ROOT, "", error.to_string()),
    }
    Rendered {
        json,
        unsupported: draft.found.into_lints(),
        wrapper: draft.wrapper,
        excludes_values: draft.excludes_values,
    }
}

/// Returns a name for the member that wraps a root, which no object in the schema declares.
pub(super) fn wrapper(source: &Source, graph: &Graph<'_>) -> &'static str {
    let mut declared = HashSet::new();
    for &schema in graph.schemas() {
        let properties = source.members_in(schema, "properties");
        declared.extend(properties.map(|(name, _)| name));
    }
    // A wrapper with the name of a declared member would be taken for that member when the reply is
    // parsed.
    let mut free = WRAPPERS.into_iter().filter(|name| !declared.contains(name));
    free.next().unwrap_or(WRAPPERS[0])
}

/// The treatment of null next to a subschema's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Null {
    Allowed,
    /// Null is not allowed, unless it is a value of the subschema.
    Excluded,
}

impl Null {
    pub(super) const fn is_allowed(self) -> bool {
        matches!(self, Self::Allowed)
    }

    /// Returns `Allowed` if the condition holds.
    pub(super) const fn or_if(self, condition: bool) -> Self {
        if condition { Self::Allowed } else { self }
    }
}

/// The position of a subschema in the rendered schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct SchemaPlace {
    /// The nesting depth of the JSON.
    pub(super) depth: u16,
    /// The number of enclosing objects.
    pub(super) level: u16,
    /// The number of recursive references that were followed on the way.
    pub(super) unrolled: u16,
    pub(super) null: Null,
    pub(super) is_root: bool,
}

impl SchemaPlace {
    pub(super) const ROOT: Self = Self {
        depth: 0,
        level: 0,
        unrolled: 0,
        null: Null::Excluded,
        is_root: true,
    };

    /// Returns the position that many levels deeper.
    pub(super) const fn deeper(self, by: u16) -> Self {
        Self {
            depth: self.depth + by,
            null: Null::Excluded,
            is_root: false,
            ..self
        }
    }

    pub(super) const fn with_null(self, null: Null) -> Self {
        Self { null, ..self }
    }
}

/// The first step of rendering subschemas together: done, or a merged subschema to write.
enum Begun<'g> {
    Written(Json),
    Merged(Box<Merged<'g>>, SchemaPlace),
}

pub(super) struct Renderer<'g> {
    pub(super) target: &'static Dialect,
    pub(super) source: &'g Source,
    pub(super) graph: &'g Graph<'g>,
    pub(super) found: Findings<'g>,
    pub(super) enum_values: usize,
    levels: u16,
    spent: usize,
    spent_max: usize,
    /// Names of definitions by their subschema, the names in use, and definitions not yet written.
    pub(super) names: HashMap<Ix, String>,
    pub(super) taken: HashMap<String, u32>,
    pub(super) unwritten: VecDeque<Ix>,
    pub(super) wrapper: Option<&'static str>,
    excludes_values: bool,
}

impl<'g> Renderer<'g> {
    fn new(
        target: &'static Dialect,
        source: &'g Source,
        graph: &'g Graph<'g>,
        levels: u16,
    ) -> Self {
        Self {
            target,
            source,
            graph,
            found: Findings::new(source),
            enum_values: 0,
            levels,
            spent: 0,
            spent_max: source.size(ROOT) * GROWTH + if levels > 1 { SPACE_TO_NEST } else { SPACE },
            names: HashMap::new(),
            taken: HashMap::new(),
            unwritten: VecDeque::new(),
            wrapper: None,
            excludes_values: false,
        }
    }

    /// Returns `true` if the size limit is not yet reached.
    pub(super) fn has_room(&self) -> bool {
        self.spent <= self.spent_max
    }

    pub(super) fn spend(&mut self, cost: usize) {
        self.spent += cost;
    }

    /// Reports something that the rendered schema cannot express.
    pub(super) fn lose(&mut self, at: Ix, keyword: &str, message: impl Into<String>) {
        self.found.add(LintCode::Lost, at, keyword, message.into());
    }

    /// Records a loss, as [`lose`](Self::lose) does, if values are excluded as well.
    pub(super) fn exclude(&mut self, at: Ix, keyword: &str, message: impl Into<String>) {
        self.excludes_values = true;
        self.lose(at, keyword, message);
    }

    fn draft(mut self) -> SchemaDraft<'g> {
        if let Some(render) = self.target.render {
            return render(self.source, self.graph);
        }
        let json = self.root();
        let is_whole = self.has_room();
        SchemaDraft {
            json,
            is_whole,
            wrapper: self.wrapper,
            excludes_values: self.excludes_values,
            found: self.found,
        }
    }

    fn root(&mut self) -> Json {
        let mut json = match self.target.requires_root_object {
            true => self.object_at_root(),
            false => self.schema(&[SchemaPiece::whole(ROOT)], SchemaPlace::ROOT),
        };
        self.definitions(&mut json);
        json
    }

    /// Renders the root, wrapped in an object if it is not one.
    fn object_at_root(&mut self) -> Json {
        let merged = Merged::of(self.source, self.graph, &[SchemaPiece::whole(ROOT)]);
        let mut unions = merged.unions.iter();
        let is_union = unions.any(|union| self.required_sets(&merged, union).is_none());
        let is_object = match merged.kinds(self.source) {
            Types::ALL if !merged.has_type => !is_union,
            types => types == Types::OBJECT && !merged.is_nullable,
        };
        let takes_union = self.target.allows_root_union || !is_union;
        if is_object && takes_union {
            self.write_merged(Box::new(merged), SchemaPlace::ROOT)
        } else {
            self.wrapped()
        }
    }

    /// Renders the root as the member of an object.
    fn wrapped(&mut self) -> Json {
        let name = wrapper(self.source, self.graph);
        self.wrapper = Some(name);
        let place = SchemaPlace {
            level: 1,
            ..SchemaPlace::ROOT.deeper(2)
        };
        let value = self.schema(&[SchemaPiece::whole(ROOT)], place);
        let mut members = Json::wrapper(name, value);
        if self.target.requires_closed_objects {
            members.push(("additionalProperties".to_owned(), Json::Bool(false)));
        }
        Json::Object(members)
    }

    /// Renders several subschemas that apply to the same value.
    pub(super) fn schema(&mut self, pieces: &[SchemaPiece], place: SchemaPlace) -> Json {
        match self.begin(pieces, place) {
            Begun::Written(json) => json,
            Begun::Merged(merged, place) => self.write_merged(merged, place),
        }
    }

    /// Renders a branch of a union; returns `None` if no value satisfies it.
    pub(super) fn branch(&mut self, pieces: &[SchemaPiece], place: SchemaPlace) -> Option<Json> {
        match self.begin(pieces, place) {
            Begun::Written(json) => Some(json),
            Begun::Merged(merged, _) if merged.unsatisfiable.is_some() => None,
            Begun::Merged(merged, place) => Some(self.write_merged(merged, place)),
        }
    }

    /// Merges subschemas, unless they are a reference that is kept or exceed a limit.
    fn begin(&mut self, pieces: &[SchemaPiece], place: SchemaPlace) -> Begun<'g> {
        if let Some(json) = self.kept_reference(pieces, place) {
            return Begun::Written(json);
        }
        if !self.has_room() {
            let message = "the schema is too large with its references inlined; the value becomes \
                JSON text in a string";
            self.lose(pieces[0].ix, "$ref", message);
            let text = "A JSON value, as text.".to_owned();
            return Begun::Written(self.text(text, place.null));
        }
        let merged = Box::new(Merged::of(self.source, self.graph, pieces));
        self.spend(merged.cost);
        let unrolled = place.unrolled + merged.follows;
        let (keyword, message, text) = if place.depth > DEPTH_MAX {
            let message = "the schema nests too deeply; the value becomes JSON text in a string";
            ("type", message, "A JSON value, as text.")
        } else if unrolled > self.levels {
            let message = "the schema is recursive; deeper levels become JSON text in a string";
            ("$ref", message, "Deeper levels, as JSON text.")
        } else {
            return Begun::Merged(merged, SchemaPlace { unrolled, ..place });
        };
        self.lose(merged.origin, keyword, message);
        Begun::Written(self.as_text(text, &merged, place))
    }

    fn write_merged(&mut self, mut merged: Box<Merged<'g>>, place: SchemaPlace) -> Json {
        for (at, keyword) in std::mem::take(&mut merged.lost) {
            let message = "the keyword cannot be merged with other subschemas; it is removed";
            self.lose(at, keyword, message);
        }
        let mut notes = merged.description.map(str::to_owned).unwrap_or_default();
        if merged.origin == ROOT {
            for group in required_any(self.source) {
                sentences::append(&mut notes, &sentences::at_least_one(&group));
            }
        }
        let unions = std::mem::take(&mut merged.unions);
        let mut real = Vec::new();
        for union in unions {
            match self.required_sets(&merged, &union) {
                Some(sets) => {
                    self.spend(self.source.size(union.at));
                    let start = match union.keyword {
                        "oneOf" => "Exactly one",
                        _ => "At least one",
                    };
                    sentences::append(&mut notes, &sentences::one_set(start, &sets));
                }
                None => real.push(union),
            }
        }
        let mut real = real.into_iter();
        let first = real.next();
        for union in real {
            // Multiplying out the branches of both would be exact, but grows with every further
            // union.
            let message = "a second union next to a union cannot be expressed; it is removed";
            self.lose(union.at, union.keyword, message);
        }
        if let Some(at) = merged.unsatisfiable {
            return self.nothing(&merged, at, notes, place);
        }
        match first {
            Some(union) => self.union(&merged, &union, notes, place),
            None => self.body(&merged, notes, place),
        }
    }

    /// Renders a subschema that no value satisfies.
    pub(super) fn nothing(
        &mut self,
        merged: &Merged<'g>,
        at: Ix,
        notes: String,
        place: SchemaPlace,
    ) -> Json {
        let message = "no value satisfies this subschema; any value is allowed";
        self.lose(at, "false", message);
        match place.is_root && self.target.requires_root_object {
            true => self.body(merged, notes, place),
            false => self.any(merged, notes),
        }
    }

    /// Renders a string that holds JSON text, for values that cannot be expressed.
    pub(super) fn as_text(
        &mut self,
        sentence: &str,
        merged: &Merged<'g>,
        place: SchemaPlace,
    ) -> Json {
        let mut notes = merged.description.map(str::to_owned).unwrap_or_default();
        sentences::append(&mut notes, sentence);
        let null = (place.null).or_if(merged.is_nullable || merged.types.has(Types::NULL));
        self.text(notes, null)
    }

    pub(super) fn text(&mut self, description: String, null: Null) -> Json {
        let mut members = self.type_of(Types::STRING, null);
        members.insert(1, ("description".to_owned(), Json::Text(description)));
        Json::Object(members)
    }

    /// Renders a schema that allows any value, or any scalar where a type is required.
    pub(super) fn any(&mut self, merged: &Merged<'g>, notes: String) -> Json {
        if !self.target.requires_type {
            let description = Some(notes).filter(|notes| !notes.is_empty());
            let members = description.map(|notes| ("description".to_owned(), Json::Text(notes)));
            return Json::Object(members.into_iter().collect());
        }
        let message =
            "objects and arrays of any kind cannot be expressed; any scalar is allowed instead";
        self.exclude(merged.origin, "type", message);
        let scalars = [Types::STRING, Types::NUMBER, Types::BOOLEAN];
        let branches = scalars.map(|types| Json::Object(self.type_of(types, Null::Excluded)));
        self.any_of(branches.to_vec(), notes, Null::Allowed)
    }

    /// Returns `type`, and `nullable` where the dialect needs it to allow null.
    pub(super) fn type_of(&self, types: Types, null: Null) -> Members {
        if !self.target.allows_type_lists {
            let name = types.name().to_ascii_uppercase();
            let mut members = vec![("type".to_owned(), Json::Text(name))];
            if null.is_allowed() {
                members.push(("nullable".to_owned(), Json::Bool(true)));
            }
            return members;
        }
        let types = match null {
            Null::Allowed => types.or(Types::NULL),
            Null::Excluded => types,
        };
        let names: Vec<&str> = types.each().map(|(_, name)| name).collect();
        let said = match names[..] {
            [name] => Json::text(name),
            _ => Json::texts(names),
        };
        vec![("type".to_owned(), said)]
    }

    pub(super) fn null(&self) -> Json {
        Json::Object(self.type_of(Types::NULL, Null::Excluded))
    }
}

pub(super) fn required_any(source: &Source) -> Vec<Vec<&str>> {
    let groups = source.items_in(ROOT, "x-required-any").iter();
    let names = groups.map(|group| source.texts(source.items(*group)).collect());
    names
        .filter(|group: &Vec<&str>| !group.is_empty())
        .collect()
}
