//! Several subschemas for the same value merged into one, with references and `allOf` resolved.

use std::collections::{HashMap, HashSet};

use super::dialect::keyword::{about, is_annotation};
use super::graph::{Graph, is_reference};
use super::json;
use super::types::Types;
use llmjson_schema::internal::source::{NodeIx as Ix, Source, Written};

/// A subschema, or only its keywords other than `$ref`, `allOf`, `anyOf` and `oneOf` (a bare one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SchemaPiece {
    pub(super) ix: Ix,
    pub(super) is_bare: bool,
}

impl SchemaPiece {
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
    pub(super) parts: Vec<SchemaPiece>,
    pub(super) types: Types,
    /// `true` if any of them has `type`.
    pub(super) has_type: bool,
    /// `true` if `nullable` allows null in all of them.
    pub(super) is_nullable: bool,
    /// `true` if any `nullable` allows null, which then need not be in `enum`.
    has_flag: bool,
    pub(super) description: Option<&'g str>,
    /// Keywords that are copied or described, each once.
    pub(super) plain: Vec<(&'g str, Ix)>,
    pub(super) allowed: Option<Allowed>,
    pub(super) properties: Vec<(&'g str, Vec<SchemaPiece>)>,
    places: HashMap<&'g str, usize>,
    pub(super) has_properties: bool,
    pub(super) required: Vec<(&'g str, Ix)>,
    /// `true` if `additionalProperties` is false anywhere, and its value if it is a subschema.
    pub(super) is_closed: bool,
    pub(super) additional: Option<Ix>,
    /// The subschemas of the items after `prefix_items`.
    pub(super) items: Vec<SchemaPiece>,
    pub(super) forbids_items: bool,
    /// The subschemas of each item in `prefixItems`.
    pub(super) prefix_items: Vec<Vec<SchemaPiece>>,
    pub(super) unions: Vec<Union<'g>>,
    /// Number of recursive references that were followed.
    pub(super) follows: u16,
    /// A subschema that no value satisfies.
    pub(super) unsatisfiable: Option<Ix>,
    /// Keywords that could not be merged with the rest.
    pub(super) lost: Vec<(Ix, &'g str)>,
    /// The number of values visited.
    pub(super) cost: usize,
}

impl<'g> Merged<'g> {
    pub(super) fn of(source: &'g Source, graph: &Graph<'_>, pieces: &[SchemaPiece]) -> Self {
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
        let mut left: Vec<SchemaPiece> = pieces.iter().rev().copied().collect();
        while let Some(piece) = left.pop() {
            merged.cost += 1;
            if !seen.insert(piece) {
                continue;
            }
            match source.get(piece.ix) {
                Written::Bool(false) => merged.unsatisfiable = Some(piece.ix),
                Written::Object => {
                    merged.parts.push(SchemaPiece::bare(piece.ix));
                    merged.cost += source.members(piece.ix).len();
                    merged.take(source, piece);
                    if !piece.is_bare {
                        merged.lead(source, graph, piece.ix, &mut left);
                    }
                }
                _ => {}
            }
        }
        merged.is_nullable = pieces.iter().all(|piece| is_nullable(source, piece.ix));
        if merged.kinds(source) == Types::NONE {
            merged.unsatisfiable = merged.unsatisfiable.or(Some(merged.origin));
        }
        merged
    }

    /// Collects the target of a reference, the subschemas of `allOf`, and the unions.
    fn lead(
        &mut self,
        source: &'g Source,
        graph: &Graph<'_>,
        schema: Ix,
        left: &mut Vec<SchemaPiece>,
    ) {
        let mut parts = Vec::new();
        for (keyword, value) in source.members(schema) {
            match keyword {
                name if is_reference(name) => match graph.target(schema) {
                    Some(target) => {
                        self.follows += u16::from(graph.is_recursive(target));
                        parts.push(SchemaPiece::whole(target));
                    }
                    None => self.lost.push((value, name)),
                },
                "allOf" => {
                    parts.extend(source.items(value).iter().copied().map(SchemaPiece::whole))
                }
                "anyOf" | "oneOf" => {
                    self.cost += source.items(value).len();
                    self.unions.push(Union {
                        at: value,
                        keyword,
                        branches: source.items(value).to_vec(),
                    });
                }
                _ => {}
            }
        }
        left.extend(parts.into_iter().rev());
    }

    fn take(&mut self, source: &'g Source, piece: SchemaPiece) {
        let schema = piece.ix;
        let is_nullable = is_nullable(source, schema);
        for (keyword, value) in source.members(schema) {
            match keyword {
                "type" => {
                    let types = Types::named_in(source, value);
                    self.types = self.types.and(types.or(Types::null_if(is_nullable)));
                    self.has_type = true;
                }
                "description" if !piece.is_bare => {
                    self.cost += source.size(value);
                    self.description = self.description.or(json::non_empty_text(source, value));
                }
                "enum" | "const" => {
                    self.cost += source.size(value);
                    self.allow(source, value, keyword);
                }
                "properties" => self.declare(source, value),
                "required" => {
                    self.cost += source.size(value);
                    let names = source.items(value).iter();
                    let names = names.filter_map(|ix| Some((source.text(*ix)?, *ix)));
                    self.required.extend(names);
                }
                "additionalProperties" if source.is_false(value) => self.is_closed = true,
                "additionalProperties" => self.additional = self.additional.or(Some(value)),
                "items" | "prefixItems" | "additionalItems" => {
                    self.list(source, schema, keyword, value)
                }
                "minimum" | "maximum" => self.bound(source, schema, keyword, value),
                "exclusiveMinimum" | "exclusiveMaximum" if source.number(value).is_none() => {}
                "description" | "title" | "default" | "examples" | "example" if piece.is_bare => {}
                "$ref" | "$dynamicRef" | "$recursiveRef" | "allOf" | "anyOf" | "oneOf"
                | "$defs" | "definitions" | "nullable" => {}
                _ if is_kept(keyword) => {
                    self.cost += source.size(value);
                    self.keep(source, keyword, value);
                }
                _ => {}
            }
        }
        self.has_flag |= is_nullable;
    }

    /// Adds a bound, which a boolean `exclusiveMinimum` of draft 4 may make exclusive.
    fn bound(&mut self, source: &'g Source, schema: Ix, keyword: &'g str, value: Ix) {
        let exclusive = match keyword {
            "minimum" => "exclusiveMinimum",
            _ => "exclusiveMaximum",
        };
        let is_exclusive = source.has_flag(schema, exclusive);
        self.keep(
            source,
            if is_exclusive { exclusive } else { keyword },
            value,
        );
    }

    /// Adds a keyword; the narrower of two bounds is kept.
    fn keep(&mut self, source: &Source, keyword: &'g str, value: Ix) {
        let mut plain = self.plain.iter_mut();
        let Some((_, before)) = plain.find(|(name, _)| *name == keyword) else {
            self.plain.push((keyword, value));
            return;
        };
        let number = |ix: Ix| source.number(ix).and_then(|text| text.parse::<f64>().ok());
        let is_least = keyword == "exclusiveMinimum" || keyword.starts_with("min");
        let is_most = keyword == "exclusiveMaximum" || keyword.starts_with("max");
        // For bounds in several parts, the narrower one implies the other; for other keywords, one
        // is lost.
        match (number(*before), number(value)) {
            (Some(one), Some(other)) if is_least || is_most => {
                if is_least && other > one || is_most && other < one {
                    *before = value;
                }
            }
            _ if is_annotation(keyword) || *before == value => {}
            _ if json::text_of(source, *before) == json::text_of(source, value) => {}
            _ => self.lost.push((value, keyword)),
        }
    }

    fn allow(&mut self, source: &Source, value: Ix, keyword: &str) {
        let is_const = keyword == "const";
        let mut values = if is_const {
            vec![value]
        } else {
            source.items(value).to_vec()
        };
        // For two `enum`s, the intersection is kept. Values are compared by their text: 1 and 1.0
        // rarely occur together.
        if let Some(before) = self.allowed.take() {
            let others: HashSet<String> =
                values.iter().map(|ix| json::text_of(source, *ix)).collect();
            values = before.values;
            values.retain(|ix| others.contains(&json::text_of(source, *ix)));
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

    fn declare(&mut self, source: &'g Source, properties: Ix) {
        self.has_properties = true;
        for (name, ix) in source.members(properties) {
            self.cost += 1 + name.len() / 64;
            let piece = SchemaPiece::whole(ix);
            match self.places.get(name) {
                Some(place) => self.properties[*place].1.push(piece),
                None => {
                    self.places.insert(name, self.properties.len());
                    self.properties.push((name, vec![piece]));
                }
            }
        }
    }

    fn list(&mut self, source: &Source, schema: Ix, keyword: &str, value: Ix) {
        let items = source.member(schema, "items");
        let is_old = items.is_some_and(|ix| matches!(source.get(ix), Written::List(_)));
        match keyword {
            "additionalItems" if !is_old => {}
            "prefixItems" | "items" if matches!(source.get(value), Written::List(_)) => {
                for (place, item) in source.items(value).iter().enumerate() {
                    self.cost += 1;
                    if place == self.prefix_items.len() {
                        self.prefix_items.push(Vec::new());
                    }
                    self.prefix_items[place].push(SchemaPiece::whole(*item));
                }
            }
            // `"items": false` after `prefixItems` closes a tuple; draft 7 writes `additionalItems`
            // for that.
            _ if source.is_false(value) => self.forbids_items = true,
            _ => self.items.push(SchemaPiece::whole(value)),
        }
    }

    /// Returns `true` if there are keywords other than annotations and unions.
    pub(super) fn has_constraints(&self) -> bool {
        self.has_type || self.has_other_constraints()
    }

    /// Returns `true` if `type` is the only keyword other than annotations and unions.
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

    /// Returns the types from `type`, `enum` and `const`, or else the types that other keywords
    /// apply to, or else all.
    pub(super) fn kinds(&self, source: &Source) -> Types {
        let of_values = |allowed: &Allowed| {
            let types = allowed.values.iter().map(|ix| Types::of(source, *ix));
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

pub(super) fn is_nullable(source: &Source, schema: Ix) -> bool {
    source.has_flag(schema, "nullable")
}

/// Returns `true` if a keyword is copied or described.
fn is_kept(keyword: &str) -> bool {
    !is_annotation(keyword) || matches!(keyword, "title" | "default" | "example" | "examples")
}
