//! What several subschemas ask of the same value together, once references and `allOf` are gone.

use std::collections::{HashMap, HashSet};

use super::given::{Given, Ix, Value};
use super::links::{Links, is_reference};
use super::types::Types;

/// A subschema, or what it says without `$ref`, `allOf`, `anyOf` and `oneOf`, which then are looked at
/// on their own.
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

/// The values that are allowed.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    pub(super) at: Ix,
    pub(super) values: Vec<Ix>,
    pub(super) is_const: bool,
}

/// What pieces ask for together.
#[derive(Debug)]
pub(super) struct Shape<'g> {
    /// The first of the pieces that is whole.
    pub(super) origin: Ix,
    /// The pieces that this was put together from.
    pub(super) parts: Vec<Piece>,
    pub(super) types: Types,
    /// Whether any of them says a type.
    pub(super) says_type: bool,
    /// Whether null is allowed beside all else.
    pub(super) is_nullable: bool,
    /// Whether a flag allows null, which then need not be among the allowed values.
    has_flag: bool,
    pub(super) description: Option<&'g str>,
    /// Keywords that are passed on or said in words, the first of each.
    pub(super) plain: Vec<(&'g str, Ix)>,
    pub(super) allowed: Option<Allowed>,
    pub(super) properties: Vec<(&'g str, Vec<Piece>)>,
    places: HashMap<&'g str, usize>,
    pub(super) says_properties: bool,
    pub(super) required: Vec<(&'g str, Ix)>,
    /// `additionalProperties`: whether it is false anywhere, and one that says more.
    pub(super) is_closed: bool,
    pub(super) others: Option<Ix>,
    /// The items behind the first ones.
    pub(super) items: Vec<Piece>,
    pub(super) no_items: bool,
    /// The first items, each for itself.
    pub(super) first_items: Vec<Vec<Piece>>,
    pub(super) unions: Vec<Union<'g>>,
    /// How many references to what nests in itself were followed.
    pub(super) follows: u16,
    /// What no value satisfies.
    pub(super) never: Option<Ix>,
    /// What could not be put together with the rest.
    pub(super) lost: Vec<(Ix, &'g str)>,
    /// How much was looked at.
    pub(super) cost: usize,
}

impl<'g> Shape<'g> {
    /// Puts pieces together.
    pub(super) fn of(given: &'g Given, links: &Links, pieces: &[Piece]) -> Self {
        // What stands beside a union comes before its branch, and only the branch is meant.
        let origin = pieces
            .iter()
            .find(|piece| !piece.is_bare)
            .or(pieces.first());
        let mut shape = Self::new(origin.map_or(0, |piece| piece.ix));
        let mut seen = HashSet::new();
        let mut left: Vec<Piece> = pieces.iter().rev().copied().collect();
        while let Some(piece) = left.pop() {
            shape.cost += 1;
            if !seen.insert(piece) {
                continue;
            }
            match given.get(piece.ix) {
                Value::Bool(false) => shape.never = Some(piece.ix),
                Value::Object(members) => {
                    shape.parts.push(Piece::bare(piece.ix));
                    shape.cost += members.len();
                    shape.take(given, piece, members);
                    if !piece.is_bare {
                        shape.lead(given, links, piece.ix, &mut left);
                    }
                }
                _ => {}
            }
        }
        shape.is_nullable = pieces.iter().all(|piece| is_nullable(given, piece.ix));
        if shape.kinds(given) == Types::NONE {
            shape.never = shape.never.or(Some(shape.origin));
        }
        shape
    }

    fn new(origin: Ix) -> Self {
        Self {
            origin,
            parts: Vec::new(),
            types: Types::ALL,
            says_type: false,
            is_nullable: false,
            has_flag: false,
            description: None,
            plain: Vec::new(),
            allowed: None,
            properties: Vec::new(),
            places: HashMap::new(),
            says_properties: false,
            required: Vec::new(),
            is_closed: false,
            others: None,
            items: Vec::new(),
            no_items: false,
            first_items: Vec::new(),
            unions: Vec::new(),
            follows: 0,
            never: None,
            lost: Vec::new(),
            cost: 0,
        }
    }

    /// The subschemas that one is made of besides its own keywords: what it refers to, its parts.
    fn lead(&mut self, given: &'g Given, links: &Links, schema: Ix, left: &mut Vec<Piece>) {
        let mut parts = Vec::new();
        for (keyword, value) in given.members(schema) {
            match &**keyword {
                name if is_reference(name) => match links.target(schema) {
                    Some(target) => {
                        self.follows += u16::from(links.is_recursive(target));
                        parts.push(Piece::whole(target));
                    }
                    None => self.lost.push((*value, name)),
                },
                "allOf" => parts.extend(given.items(*value).iter().copied().map(Piece::whole)),
                "anyOf" | "oneOf" => {
                    self.cost += given.items(*value).len();
                    self.unions.push(Union {
                        at: *value,
                        keyword,
                        branches: given.items(*value).to_vec(),
                    });
                }
                _ => {}
            }
        }
        left.extend(parts.into_iter().rev());
    }

    fn take(&mut self, given: &'g Given, piece: Piece, members: &'g [(Box<str>, Ix)]) {
        let schema = piece.ix;
        let is_nullable = is_nullable(given, schema);
        for (keyword, value) in members {
            let value = *value;
            match &**keyword {
                "type" => {
                    let types = Types::said(given, value);
                    let null = if is_nullable {
                        Types::NULL
                    } else {
                        Types::NONE
                    };
                    self.types = self.types.and(types.or(null));
                    self.says_type = true;
                }
                "description" if !piece.is_bare => {
                    self.cost += given.size(value);
                    self.description = self.description.or(given.words(value));
                }
                "enum" | "const" => {
                    self.cost += given.size(value);
                    self.allow(given, value, keyword);
                }
                "properties" => self.declare(given, value),
                "required" => {
                    self.cost += given.size(value);
                    let names = given.items(value).iter();
                    let names = names.filter_map(|ix| Some((given.text(*ix)?, *ix)));
                    self.required.extend(names);
                }
                "additionalProperties" if given.is(value, false) => self.is_closed = true,
                "additionalProperties" => self.others = self.others.or(Some(value)),
                "items" | "prefixItems" | "additionalItems" => {
                    self.list(given, schema, keyword, value)
                }
                "minimum" | "maximum" => self.bound(given, schema, keyword, value),
                "exclusiveMinimum" | "exclusiveMaximum" if given.number(value).is_none() => {}
                "description" | "title" | "default" | "examples" | "example" if piece.is_bare => {}
                "$ref" | "$dynamicRef" | "$recursiveRef" | "allOf" | "anyOf" | "oneOf"
                | "$defs" | "definitions" | "nullable" => {}
                _ if is_said(keyword) => {
                    self.cost += given.size(value);
                    self.say(given, keyword, value);
                }
                _ => {}
            }
        }
        self.has_flag |= is_nullable;
    }

    /// A bound, which long ago a flag could make an exclusive one.
    fn bound(&mut self, given: &'g Given, schema: Ix, keyword: &'g str, value: Ix) {
        let exclusive = match keyword {
            "minimum" => "exclusiveMinimum",
            _ => "exclusiveMaximum",
        };
        let flag = given.member(schema, exclusive);
        match flag.is_some_and(|flag| given.is(flag, true)) {
            true => self.say(given, exclusive, value),
            false => self.say(given, keyword, value),
        }
    }

    /// A keyword that may be there once: of bounds the narrower one counts.
    fn say(&mut self, given: &Given, keyword: &'g str, value: Ix) {
        let mut plain = self.plain.iter_mut();
        let Some((_, before)) = plain.find(|(name, _)| *name == keyword) else {
            self.plain.push((keyword, value));
            return;
        };
        let number = |ix: Ix| given.number(ix).and_then(|text| text.parse::<f64>().ok());
        let is_least =
            matches!(keyword, "minimum" | "exclusiveMinimum") || keyword.starts_with("min");
        let is_most =
            matches!(keyword, "maximum" | "exclusiveMaximum") || keyword.starts_with("max");
        match (number(*before), number(value)) {
            (Some(one), Some(other)) if is_least || is_most => {
                if is_least && other > one || is_most && other < one {
                    *before = value;
                }
            }
            _ if is_note(keyword) || *before == value => {}
            _ if given.json(*before) == given.json(value) => {}
            _ => self.lost.push((value, keyword)),
        }
    }

    fn allow(&mut self, given: &Given, value: Ix, keyword: &str) {
        let is_const = keyword == "const";
        let mut values = if is_const {
            vec![value]
        } else {
            given.items(value).to_vec()
        };
        if let Some(before) = self.allowed.take() {
            let others: HashSet<String> = values.iter().map(|ix| given.json(*ix)).collect();
            values = before.values;
            values.retain(|ix| others.contains(&given.json(*ix)));
        }
        if values.is_empty() {
            self.never = Some(value);
        }
        self.allowed = Some(Allowed {
            at: value,
            values,
            is_const,
        });
    }

    fn declare(&mut self, given: &'g Given, properties: Ix) {
        self.says_properties = true;
        for (name, ix) in given.members(properties) {
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

    fn list(&mut self, given: &Given, schema: Ix, keyword: &str, value: Ix) {
        let items = given.member(schema, "items");
        let is_old = items.is_some_and(|ix| matches!(given.get(ix), Value::List(_)));
        match keyword {
            "additionalItems" if !is_old => {}
            "prefixItems" | "items" if matches!(given.get(value), Value::List(_)) => {
                for (place, item) in given.items(value).iter().enumerate() {
                    self.cost += 1;
                    if place == self.first_items.len() {
                        self.first_items.push(Vec::new());
                    }
                    self.first_items[place].push(Piece::whole(*item));
                }
            }
            _ if given.is(value, false) => self.no_items = true,
            _ => self.items.push(Piece::whole(value)),
        }
    }

    /// Whether the parts say more than notes for people, besides their unions.
    pub(super) fn says_more(&self) -> bool {
        self.says_type
            || self.allowed.is_some()
            || self.says_properties
            || !self.required.is_empty()
            || self.is_closed
            || self.others.is_some()
            || !self.items.is_empty()
            || self.no_items
            || !self.first_items.is_empty()
            || self.plain.iter().any(|(keyword, _)| !is_note(keyword))
    }

    /// Whether the parts say a type and nothing more.
    pub(super) fn says_type_only(&self) -> bool {
        self.says_type
            && self.allowed.is_none()
            && !self.says_properties
            && self.required.is_empty()
            && !self.is_closed
            && self.others.is_none()
            && self.items.is_empty()
            && !self.no_items
            && self.first_items.is_empty()
            && self.plain.iter().all(|(keyword, _)| is_note(keyword))
    }

    /// The types as they are said or as the keywords suggest; all if nothing does.
    pub(super) fn kinds(&self, given: &Given) -> Types {
        let of_values = |allowed: &Allowed| {
            let types = allowed.values.iter().map(|ix| Types::of(given, *ix));
            types.fold(Types::NONE, Types::or)
        };
        let of_values = self.allowed.as_ref().map(of_values);
        if self.says_type {
            // Whole numbers may be written with a fraction, so only other types are ruled out.
            let meant = of_values.map_or(Types::ALL, |types| match types.meets(Types::NUMBER) {
                true => types.or(Types::NUMBER),
                false => types,
            });
            let null = if self.has_flag {
                Types::NULL
            } else {
                Types::NONE
            };
            return self.types.and(meant.or(null));
        }
        of_values.unwrap_or_else(|| self.suggested())
    }

    fn suggested(&self) -> Types {
        let mut types = Types::NONE;
        if self.says_properties
            || !self.required.is_empty()
            || self.is_closed
            || self.others.is_some()
        {
            types = types.or(Types::OBJECT);
        }
        if !self.items.is_empty() || self.no_items || !self.first_items.is_empty() {
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

/// Whether null is allowed beside all else that a subschema says.
pub(super) fn is_nullable(given: &Given, schema: Ix) -> bool {
    let flag = given.member(schema, "nullable");
    flag.is_some_and(|ix| given.is(ix, true))
}

/// The types that a plain keyword is about; none if it is about any.
pub(super) fn about(keyword: &str) -> Types {
    match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            Types::NUMBER
        }
        "minLength" | "maxLength" | "pattern" | "contentMediaType" | "contentEncoding" => {
            Types::STRING
        }
        "minItems" | "maxItems" | "uniqueItems" | "contains" | "unevaluatedItems" => Types::ARRAY,
        "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "patternProperties"
        | "unevaluatedProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "dependencies" => Types::OBJECT,
        _ => Types::NONE,
    }
}

/// Whether something becomes of a keyword that may be there once.
fn is_said(keyword: &str) -> bool {
    about(keyword) != Types::NONE
        || !is_note(keyword)
        || matches!(keyword, "title" | "default" | "example" | "examples")
}

/// Whether a keyword rules out no value.
pub(super) fn is_note(keyword: &str) -> bool {
    about(keyword) == Types::NONE
        && !matches!(
            keyword,
            "not" | "if" | "then" | "else" | "format" | "minContains" | "maxContains"
        )
}
