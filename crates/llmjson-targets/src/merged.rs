//! Several subschemas for the same value merged into one, with references and `allOf` resolved.

use std::collections::{HashMap, HashSet};

use super::arena::{Arena, Ix, Value};
use super::dialect::{about, is_annotation};
use super::graph::{Graph, is_reference};
use super::types::Types;

/// A subschema, or only its keywords other than `$ref`, `allOf`, `anyOf` and `oneOf` (a bare one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Piece {
    pub(super) ix: Ix,
    pub(super) is_bare: bool,
}

impl Piece {
    pub(super) const fn whole(ix: Ix) -> Self {
        let is_bare = false;
        Self { ix, is_bare }
    }

    const fn bare(ix: Ix) -> Self {
        let is_bare = true;
        Self { ix, is_bare }
    }
}

/// `anyOf` or `oneOf`.
#[derive(Clone, Debug)]
pub(super) struct Union<'g> {
    pub(super) at: Ix,
    pub(super) keyword: &'g str,
    pub(super) branches: Vec<Ix>,
}

/// The values of an `enum` or a `const`.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    pub(super) at: Ix,
    pub(super) values: Vec<Ix>,
    pub(super) is_const: bool,
}

/// The keywords of several subschemas merged.
#[derive(Debug, Default)]
pub(super) struct Merged<'g> {
    /// The first subschema that is not bare.
    pub(super) origin: Ix,
    /// The subschemas that were merged, each bare.
    pub(super) parts: Vec<Piece>,
    pub(super) types: Types,
    /// Whether any of them has `type`.
    pub(super) has_type: bool,
    /// Whether `nullable` allows null in all of them.
    pub(super) is_nullable: bool,
    /// Whether any `nullable` allows null, which then need not be in `enum`.
    has_flag: bool,
    pub(super) description: Option<&'g str>,
    /// Keywords that are copied or described, each once.
    pub(super) plain: Vec<(&'g str, Ix)>,
    pub(super) allowed: Option<Allowed>,
    pub(super) properties: Vec<(&'g str, Vec<Piece>)>,
    places: HashMap<&'g str, usize>,
    pub(super) has_properties: bool,
    pub(super) required: Vec<(&'g str, Ix)>,
    /// `additionalProperties`: whether it is false anywhere, and one that is a subschema.
    pub(super) is_closed: bool,
    pub(super) additional: Option<Ix>,
    /// The subschemas of the items after `prefix_items`.
    pub(super) items: Vec<Piece>,
    pub(super) forbids_items: bool,
    /// The subschemas of each item in `prefixItems`.
    pub(super) prefix_items: Vec<Vec<Piece>>,
    pub(super) unions: Vec<Union<'g>>,
    /// How many recursive references were followed.
    pub(super) follows: u16,
    /// A subschema that no value satisfies.
    pub(super) unsatisfiable: Option<Ix>,
    /// Keywords that could not be merged with the rest.
    pub(super) lost: Vec<(Ix, &'g str)>,
    /// The number of values visited.
    pub(super) cost: usize,
}

impl<'g> Merged<'g> {
    pub(super) fn of(arena: &'g Arena, graph: &Graph, pieces: &[Piece]) -> Self {
        // The bare keywords next to a union precede its branch, and the branch is the origin.
        let origin = pieces
            .iter()
            .find(|piece| !piece.is_bare)
            .or(pieces.first());
        let mut merged = Self {
            origin: origin.map_or(0, |piece| piece.ix),
            ..Self::default()
        };
        let mut seen = HashSet::new();
        let mut left: Vec<Piece> = pieces.iter().rev().copied().collect();
        while let Some(piece) = left.pop() {
            merged.cost += 1;
            if !seen.insert(piece) {
                continue;
            }
            match arena.get(piece.ix) {
                Value::Bool(false) => merged.unsatisfiable = Some(piece.ix),
                Value::Object(members) => {
                    merged.parts.push(Piece::bare(piece.ix));
                    merged.cost += members.len();
                    merged.take(arena, piece, members);
                    if !piece.is_bare {
                        merged.lead(arena, graph, piece.ix, &mut left);
                    }
                }
                _ => {}
            }
        }
        merged.is_nullable = pieces.iter().all(|piece| is_nullable(arena, piece.ix));
        if merged.kinds(arena) == Types::NONE {
            merged.unsatisfiable = merged.unsatisfiable.or(Some(merged.origin));
        }
        merged
    }

    /// Collects the target of a reference, the subschemas of `allOf`, and the unions.
    fn lead(&mut self, arena: &'g Arena, graph: &Graph, schema: Ix, left: &mut Vec<Piece>) {
        let mut parts = Vec::new();
        for (keyword, value) in arena.members(schema) {
            match &**keyword {
                name if is_reference(name) => match graph.target(schema) {
                    Some(target) => {
                        self.follows += u16::from(graph.is_recursive(target));
                        parts.push(Piece::whole(target));
                    }
                    None => self.lost.push((*value, name)),
                },
                "allOf" => parts.extend(arena.items(*value).iter().copied().map(Piece::whole)),
                "anyOf" | "oneOf" => {
                    self.cost += arena.items(*value).len();
                    self.unions.push(Union {
                        at: *value,
                        keyword,
                        branches: arena.items(*value).to_vec(),
                    });
                }
                _ => {}
            }
        }
        left.extend(parts.into_iter().rev());
    }

    fn take(&mut self, arena: &'g Arena, piece: Piece, members: &'g [(Box<str>, Ix)]) {
        let schema = piece.ix;
        let is_nullable = is_nullable(arena, schema);
        for (keyword, value) in members {
            let value = *value;
            match &**keyword {
                "type" => {
                    let types = Types::named_in(arena, value);
                    self.types = self.types.and(types.or(Types::null_if(is_nullable)));
                    self.has_type = true;
                }
                "description" if !piece.is_bare => {
                    self.cost += arena.size(value);
                    self.description = self.description.or(arena.non_empty_text(value));
                }
                "enum" | "const" => {
                    self.cost += arena.size(value);
                    self.allow(arena, value, keyword);
                }
                "properties" => self.declare(arena, value),
                "required" => {
                    self.cost += arena.size(value);
                    let names = arena.items(value).iter();
                    let names = names.filter_map(|ix| Some((arena.text(*ix)?, *ix)));
                    self.required.extend(names);
                }
                "additionalProperties" if arena.is(value, false) => self.is_closed = true,
                "additionalProperties" => self.additional = self.additional.or(Some(value)),
                "items" | "prefixItems" | "additionalItems" => {
                    self.list(arena, schema, keyword, value)
                }
                "minimum" | "maximum" => self.bound(arena, schema, keyword, value),
                "exclusiveMinimum" | "exclusiveMaximum" if arena.number(value).is_none() => {}
                "description" | "title" | "default" | "examples" | "example" if piece.is_bare => {}
                "$ref" | "$dynamicRef" | "$recursiveRef" | "allOf" | "anyOf" | "oneOf"
                | "$defs" | "definitions" | "nullable" => {}
                _ if is_kept(keyword) => {
                    self.cost += arena.size(value);
                    self.keep(arena, keyword, value);
                }
                _ => {}
            }
        }
        self.has_flag |= is_nullable;
    }

    /// Adds a bound, which a boolean `exclusiveMinimum` of draft 4 may make exclusive.
    fn bound(&mut self, arena: &'g Arena, schema: Ix, keyword: &'g str, value: Ix) {
        let exclusive = match keyword {
            "minimum" => "exclusiveMinimum",
            _ => "exclusiveMaximum",
        };
        let is_exclusive = arena.has_flag(schema, exclusive, true);
        self.keep(arena, if is_exclusive { exclusive } else { keyword }, value);
    }

    /// Adds a keyword; of two bounds the narrower one is kept.
    fn keep(&mut self, arena: &Arena, keyword: &'g str, value: Ix) {
        let mut plain = self.plain.iter_mut();
        let Some((_, before)) = plain.find(|(name, _)| *name == keyword) else {
            self.plain.push((keyword, value));
            return;
        };
        let number = |ix: Ix| arena.number(ix).and_then(|text| text.parse::<f64>().ok());
        let is_least = keyword == "exclusiveMinimum" || keyword.starts_with("min");
        let is_most = keyword == "exclusiveMaximum" || keyword.starts_with("max");
        match (number(*before), number(value)) {
            (Some(one), Some(other)) if is_least || is_most => {
                if is_least && other > one || is_most && other < one {
                    *before = value;
                }
            }
            _ if is_annotation(keyword) || *before == value => {}
            _ if arena.json(*before) == arena.json(value) => {}
            _ => self.lost.push((value, keyword)),
        }
    }

    fn allow(&mut self, arena: &Arena, value: Ix, keyword: &str) {
        let is_const = keyword == "const";
        let mut values = if is_const {
            vec![value]
        } else {
            arena.items(value).to_vec()
        };
        if let Some(before) = self.allowed.take() {
            let others: HashSet<String> = values.iter().map(|ix| arena.json(*ix)).collect();
            values = before.values;
            values.retain(|ix| others.contains(&arena.json(*ix)));
        }
        if values.is_empty() {
            self.unsatisfiable = Some(value);
        }
        self.allowed = Some(Allowed {
            at: value,
            values,
            is_const,
        });
    }

    fn declare(&mut self, arena: &'g Arena, properties: Ix) {
        self.has_properties = true;
        for (name, ix) in arena.members(properties) {
            self.cost += 1 + name.len() / 64;
            let piece = Piece::whole(*ix);
            match self.places.get(&**name) {
                Some(place) => self.properties[*place].1.push(piece),
                None => {
                    self.places.insert(name, self.properties.len());
                    self.properties.push((name, vec![piece]));
                }
            }
        }
    }

    fn list(&mut self, arena: &Arena, schema: Ix, keyword: &str, value: Ix) {
        let items = arena.member(schema, "items");
        let is_old = items.is_some_and(|ix| matches!(arena.get(ix), Value::List(_)));
        match keyword {
            "additionalItems" if !is_old => {}
            "prefixItems" | "items" if matches!(arena.get(value), Value::List(_)) => {
                for (place, item) in arena.items(value).iter().enumerate() {
                    self.cost += 1;
                    if place == self.prefix_items.len() {
                        self.prefix_items.push(Vec::new());
                    }
                    self.prefix_items[place].push(Piece::whole(*item));
                }
            }
            _ if arena.is(value, false) => self.forbids_items = true,
            _ => self.items.push(Piece::whole(value)),
        }
    }

    /// Returns whether there are keywords other than annotations and unions.
    pub(super) fn has_constraints(&self) -> bool {
        self.has_type || self.has_other_constraints()
    }

    /// Returns whether `type` is the only keyword other than annotations and unions.
    pub(super) fn has_type_only(&self) -> bool {
        self.has_type && !self.has_other_constraints()
    }

    fn has_other_constraints(&self) -> bool {
        let mut plain = self.plain.iter();
        self.allowed.is_some()
            || self.is_about_objects()
            || self.is_about_arrays()
            || plain.any(|(keyword, _)| !is_annotation(keyword))
    }

    fn is_about_objects(&self) -> bool {
        let has_members = self.has_properties || !self.required.is_empty();
        has_members || self.is_closed || self.additional.is_some()
    }

    fn is_about_arrays(&self) -> bool {
        !self.items.is_empty() || self.forbids_items || !self.prefix_items.is_empty()
    }

    /// Returns the types from `type`, `enum` and `const`, else those that other keywords apply to, else
    /// all.
    pub(super) fn kinds(&self, arena: &Arena) -> Types {
        let of_values = |allowed: &Allowed| {
            let types = allowed.values.iter().map(|ix| Types::of(arena, *ix));
            types.fold(Types::NONE, Types::or)
        };
        let of_values = self.allowed.as_ref().map(of_values);
        if self.has_type {
            // An integer may be written with a fraction, such as `1.0`.
            let meant = of_values.map_or(Types::ALL, |types| match types.meets(Types::NUMBER) {
                true => types.or(Types::NUMBER),
                false => types,
            });
            return self.types.and(meant.or(Types::null_if(self.has_flag)));
        }
        of_values.unwrap_or_else(|| self.suggested())
    }

    fn suggested(&self) -> Types {
        let mut types = Types::NONE;
        if self.is_about_objects() {
            types = types.or(Types::OBJECT);
        }
        if self.is_about_arrays() {
            types = types.or(Types::ARRAY);
        }
        for (keyword, _) in &self.plain {
            types = types.or(about(keyword));
        }
        if types == Types::NONE {
            Types::ALL
        } else {
            types
        }
    }
}

pub(super) fn is_nullable(arena: &Arena, schema: Ix) -> bool {
    arena.has_flag(schema, "nullable", true)
}

/// Returns whether a keyword is copied or described.
fn is_kept(keyword: &str) -> bool {
    !is_annotation(keyword) || matches!(keyword, "title" | "default" | "example" | "examples")
}
