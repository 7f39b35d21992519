//! The schema as the walker uses it: one arena of normalized shapes with every reference resolved,
//! so that walking a value means following indices.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use llmjson_syntax::ValueRef;

use crate::base::report::NameMatch;
use crate::base::wording::Wording;
use crate::ir::bounds::Bound;
use crate::ir::branches::{self, Branches};
use crate::ir::conditions::Condition;
use crate::ir::evaluation::{Evaluation, EvaluationId};
pub(crate) use crate::ir::literals::Literals;
use crate::ir::names::{Claim, Names, Slots, parts};
use crate::ir::spelling::Meanings;
pub(crate) use crate::ir::types::{ShapeId, Types, is_integer, is_too_long_integer};

use serde_json::Value;

use crate::normal::tree::{NodeIx, Tree};

/// All shapes of one schema.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    pub(crate) shapes: Arc<[Shape]>,
    /// The evaluations required by the conditions about leftovers.
    evaluations: Arc<[Evaluation]>,
    pub(crate) root: ShapeId,
    /// The wording of their expectations.
    pub(crate) wording: Wording,
    /// `true` if there is a union of many branches.
    pub(super) has_many_branches: bool,
    /// The equivalence classes, once computed.
    pub(super) classes: OnceLock<Box<[u32]>>,
    /// The types that each accepts with all its parts, once they are computed.
    pub(super) types: OnceLock<Box<[Types]>>,
}

impl Shapes {
    pub(crate) fn new(shapes: Vec<Shape>, evaluations: Vec<Evaluation>, root: ShapeId) -> Self {
        let mut unions = shapes.iter().filter_map(|shape| shape.union.as_deref());
        Self {
            has_many_branches: unions.any(branches::are_many),
            shapes: shapes.into(),
            evaluations: evaluations.into(),
            root,
            wording: Wording::default(),
            classes: OnceLock::new(),
            types: OnceLock::new(),
        }
    }

    pub(crate) fn get(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    pub(crate) fn evaluation(&self, id: EvaluationId) -> &Evaluation {
        &self.evaluations[id.0 as usize]
    }
}

/// One subschema. Anything that a keyword does not restrict is `None` or `ALL`.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The node in the schema.
    pub(crate) node: NodeIx,
    /// The name that people use: the last segment of the `$ref` that leads to it, for definitions.
    pub(crate) name: Option<Box<str>>,
    /// The types allowed by `type`, `enum` and `const` together.
    pub(crate) types: Types,
    /// Allowed values: `enum`, `const`, and unions of constants flattened into one list.
    pub(crate) literals: Option<Literals>,
    /// Accepted spellings of enumerated values, each with the intended string, or the JSON of
    /// another value: `x-aliases`, `x-enum-varnames`.
    pub(crate) aliases: Vec<(Box<str>, Box<str>)>,
    pub(crate) number: Option<Box<NumberRules>>,
    pub(crate) string: Option<Box<StringRules>>,
    pub(crate) array: Option<Box<ArrayRules>>,
    pub(crate) object: Option<Box<ObjectRules>>,
    /// `anyOf` or `oneOf`, nested ones flattened where that changes nothing.
    pub(crate) union: Option<Box<Union>>,
    /// Parts of `allOf`, and schemas next to a `$ref`, that could not be folded into this one.
    pub(crate) also: Vec<ShapeId>,
    /// The conditions, which depend on whether other subschemas hold.
    pub(crate) conditions: Vec<Condition>,
    /// `true` if only conditions lead here: their rules are then not expectations.
    pub(crate) asked: bool,
    /// Shared with all shapes into which the containing one was folded.
    pub(crate) default: Option<Arc<Value>>,
}

impl Shape {
    /// The enumerated strings and their aliases, each with the intended string.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        let literals = self.literals.as_deref().into_iter().flatten();
        let texts = literals.filter_map(Value::as_str).map(|text| (text, text));
        let aliases = self.aliases.iter();
        texts.chain(aliases.map(|(alias, text)| (&**alias, &**text)))
    }

    /// Returns `true` if allowed values that are not strings may have names.
    pub(crate) fn names_numbers(&self) -> bool {
        let is_text = |literals: &Literals| literals.iter().all(Value::is_string);
        !self.aliases.is_empty() && !self.literals.as_ref().is_none_or(is_text)
    }

    /// Returns `true` if there are rules for a value other than its type, its union and other
    /// shapes.
    pub(crate) fn has_rules(&self) -> bool {
        self.literals.is_some()
            || self.number.is_some()
            || self.string.is_some()
            || self.array.is_some()
            || self.object.is_some()
    }
}

/// Bounds of numbers, as exact JSON numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberRules {
    /// The bounds in the order of [`NumberKeyword`](crate::ir::bounds::NumberKeyword).
    pub(crate) bounds: [Option<Bound>; 4],
    pub(crate) multiple_of: Option<Box<str>>,
    /// Range of an integer width named by `format`, inclusive, and that name (`uint8`, `int32`).
    pub(crate) width: Option<(Box<str>, i128, i128)>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct StringRules {
    /// The minimum length, counted in Unicode scalar values.
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) pattern: Option<Box<str>>,
    /// The format as written; asserted if the validator knows it.
    pub(crate) format: Option<Box<str>>,
    /// `contentMediaType` is JSON.
    pub(crate) holds_json: bool,
}

/// The patterns with which pydantic and schemars declare a decimal number as a string: the common
/// prefix of pydantic's, and the complete ones of schemars.
const DECIMALS: (&str, [&str; 2]) = (
    "^(?!^[-+.]*$)[+-]?0*",
    [r"^-?\d+(\.\d+)?$", r"^-?\d+(\.\d+)?([eE]\d+)?$"],
);

/// The beginning of the pattern by which zod declares times without an offset, which no format of JSON Schema has.
const TIME: &str = r"^(?:[01]\d|2[0-3]):[0-5]\d";

impl StringRules {
    /// The format implied by the pattern of strings.
    pub(crate) fn format_of_pattern(&self) -> Option<&'static str> {
        let pattern = self.pattern.as_deref()?;
        pattern.starts_with(TIME).then_some("partial-time")
    }

    /// Returns `true` if strings have a format, or are decimal numbers.
    pub(crate) fn has_form(&self) -> bool {
        self.format.is_some() || self.is_decimal()
    }

    /// Returns `true` if strings are known to be decimal numbers.
    pub(crate) fn is_decimal(&self) -> bool {
        let (begins, whole) = DECIMALS;
        let is_known = |pattern: &str| pattern.starts_with(begins) || whole.contains(&pattern);
        self.format.as_deref() == Some("decimal") || self.pattern.as_deref().is_some_and(is_known)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ArrayRules {
    pub(crate) prefix: Vec<ShapeId>,
    /// The shape of items after the prefix.
    pub(crate) items: Option<ShapeId>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) unique: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectRules {
    /// The properties in the order of the schema as given.
    pub(crate) properties: Vec<Property>,
    /// The index of each key in `properties`, built once many were looked up.
    index: OnceLock<HashMap<Box<str>, u32>>,
    /// The alternative names of properties, once a value had an undeclared key.
    names: OnceLock<Names>,
    /// Keys in `required` that `properties` does not have.
    pub(crate) required_undeclared: Vec<Box<str>>,
    /// A lookup table of the keys, built once many were looked up.
    required_index: OnceLock<HashSet<Box<str>>>,
    /// Shapes by key pattern.
    pub(crate) patterns: Vec<(Box<str>, ShapeId)>,
    pub(crate) additional: Additional,
    pub(crate) min_properties: Option<u64>,
    pub(crate) max_properties: Option<u64>,
}

impl ArrayRules {
    /// Returns the shape of the item at that index, if there is any requirement.
    #[inline]
    pub(crate) fn item(&self, at: usize) -> Option<ShapeId> {
        self.prefix.get(at).copied().or(self.items)
    }
}

impl ObjectRules {
    /// Maximum number of properties that are searched one by one: most differ in length, which is
    /// faster than hashing a key.
    const FEW: usize = 16;

    /// Returns the index of a member in `properties`.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        if self.properties.len() <= Self::FEW {
            return (self.properties.iter()).position(|property| *property.name == *name);
        }
        let index = self.index.get_or_init(|| {
            let names = self.properties.iter().zip(0u32..);
            names
                .map(|(property, at)| (property.name.clone(), at))
                .collect()
        });
        index.get(name).map(|&at| at as usize)
    }

    /// The alternative names of the members, computed once.
    pub(crate) fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let properties = self.properties.iter();
            Names::of(properties.map(|one| (&*one.name, &*one.aliases, one.title.as_deref())))
        })
    }

    /// Returns the only one of the open members of whose key this is a part, or the reverse:
    /// `phone` for `phoneNumber`, but not `amount` for `amount_cents`.
    pub(crate) fn derived(&self, name: &str, is_open: impl Fn(u32) -> bool) -> Option<Claim> {
        let claim = self.names().derive(self.own_names(), name, is_open)?;
        // `amount_cents` is another amount than `amount`.
        let member = &self.properties[claim.slot() as usize].name;
        parts::stands_for(name, member).then_some(claim)
    }

    /// Returns `true` if an undeclared name may turn out to stand for one of the open members.
    pub(crate) fn may_claim(&self, name: &str, is_open: impl Fn(u32) -> bool) -> bool {
        (self.names()).may_claim(self.own_names(), name, is_open)
    }

    /// Returns all members that a key may represent by the nearest match, and the kind of match.
    pub(crate) fn meant(&self, name: &str) -> Option<(NameMatch, Slots)> {
        self.names().meant(self.own_names(), name)
    }

    /// Returns the only member that shares its first or last words with a key, which is not
    /// sufficient evidence.
    pub(crate) fn resembled(&self, name: &str) -> Option<u32> {
        self.names().resembled(self.own_names(), name)
    }

    fn own_names(&self) -> impl Iterator<Item = &str> {
        self.properties.iter().map(|property| &*property.name)
    }

    /// Returns the member of that key.
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        self.find(name).map(|at| &self.properties[at])
    }

    /// Returns `true` if a member of that name is declared.
    pub(crate) fn declares(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Returns `true` if a member that `properties` does not have is required.
    pub(crate) fn requires_undeclared(&self, name: &str) -> bool {
        let names = &self.required_undeclared;
        if names.len() <= Self::FEW {
            return names.iter().any(|required| **required == *name);
        }
        let index = || names.iter().cloned().collect();
        self.required_index.get_or_init(index).contains(name)
    }

    /// Returns `true` if a member is required, declared or not.
    pub(crate) fn requires(&self, name: &str) -> bool {
        let declared = self.property(name);
        declared.map_or_else(|| self.requires_undeclared(name), |one| one.required)
    }

    /// Returns the indices in `properties` of the absent required members.
    pub(crate) fn lacks(&self, has: impl Fn(usize) -> bool) -> impl Iterator<Item = usize> {
        let all = self.properties.iter().enumerate();
        all.filter(move |(at, property)| property.required && !has(*at))
            .map(|(at, _)| at)
    }

    /// Returns `true` if a member with another key may stand for an absent declared one: if any key
    /// is allowed, only for a required one.
    pub(crate) fn may_be_renamed_to(&self, slot: u32) -> bool {
        !matches!(self.additional, Additional::Open(_)) || self.properties[slot as usize].required
    }

    /// Declares a property that is not declared yet.
    pub(crate) fn push(&mut self, property: Property) {
        let at = u32::try_from(self.properties.len()).expect("properties are counted in 32 bits");
        if let Some(index) = self.index.get_mut() {
            index.insert(property.name.clone(), at);
        }
        self.properties.push(property);
    }

    /// Requires a member. Each key is given once.
    pub(crate) fn require(&mut self, name: &str) {
        match self.find(name) {
            Some(at) => self.properties[at].required = true,
            None => self.required_undeclared.push(name.into()),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: Box<str>,
    /// Accepted names in addition to its own: `x-alias`, `x-aliases`.
    pub(crate) aliases: Vec<Box<str>>,
    /// The schema's `title`, if it is not another spelling of the name.
    pub(crate) title: Option<Box<str>>,
    pub(crate) shape: ShapeId,
    pub(crate) required: bool,
}

/// The rule of an object for undeclared members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Additional {
    /// No schema: they are allowed, but not expected.
    #[default]
    Silent,
    /// A schema that they must fit, or that expressly allows them.
    Open(ShapeId),
    /// None are allowed.
    Forbidden,
}

#[derive(Clone, Debug)]
pub(crate) struct Union {
    pub(crate) branches: Vec<ShapeId>,
    /// `oneOf`: exactly one may hold.
    pub(crate) exclusive: bool,
    /// The tag by which an object indicates its branch: declared (`x-discriminator`,
    /// `discriminator`) or inferred from a member that every object branch requires with distinct
    /// constants.
    pub(crate) tag: Option<Tag>,
    /// The index of many branches by their requirements for objects, built on first use.
    index: OnceLock<Arc<Branches>>,
}

/// The number of branches of a union that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BranchCount {
    /// `anyOf`.
    AtLeastOne,
    /// `oneOf`.
    ExactlyOne,
}

impl Union {
    pub(crate) fn new(branches: Vec<ShapeId>, holds: BranchCount) -> Self {
        Self {
            branches,
            exclusive: holds == BranchCount::ExactlyOne,
            tag: None,
            index: OnceLock::new(),
        }
    }

    /// Returns the index of the branches by their requirements for objects, or `None` if there are
    /// few.
    pub(crate) fn index(&self, shapes: &Shapes, tree: &Tree) -> Option<&Branches> {
        if !branches::are_many(self) {
            return None;
        }
        let index = || Arc::new(Branches::of(shapes, tree, self));
        Some(self.index.get_or_init(index))
    }

    /// Returns the index of the branch that the tag of an object names.
    pub(crate) fn named_by(&self, object: ValueRef<'_>) -> Option<u32> {
        let tag = self.tag.as_ref()?;
        let name = object.get(&tag.property)?.as_str()?;
        tag.branch(&name)
    }

    /// Returns the branch that the string of a tag names.
    pub(crate) fn named(&self, text: &str) -> Option<ShapeId> {
        let at = self.tag.as_ref()?.branch(text)?;
        self.branches.get(at as usize).copied()
    }

    /// Returns the branch that the string of a tag names, even in another spelling.
    pub(crate) fn meant_by(&self, shapes: &Shapes, text: &str) -> Option<ShapeId> {
        let meant = || self.tag.as_ref()?.meanings(shapes, self).find(text);
        self.named(text).or_else(meant)
    }

    /// The tag inferred from the branches, without which no branch accepts an object.
    pub(crate) fn inferred_tag(&self) -> Option<&Tag> {
        self.tag.as_ref().filter(|tag| !tag.declared)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Tag {
    pub(crate) property: Box<str>,
    /// The value of the tag (a string) and the index of its branch in `branches`. The values are
    /// distinct.
    pub(crate) branches: Vec<(Box<str>, u32)>,
    pub(crate) declared: bool,
    /// The index of each value in `branches`, built once many were looked up.
    index: OnceLock<HashMap<Box<str>, usize>>,
    /// The branches that the values represent in any spelling, built on first use.
    meanings: OnceLock<Arc<Meanings>>,
}

impl Tag {
    /// Maximum number of values that are searched one by one.
    const FEW: usize = 8;

    /// Creates a tag that the schema declares.
    pub(crate) fn declared(property: Box<str>, branches: Vec<(Box<str>, u32)>) -> Self {
        Self {
            declared: true,
            ..Self::inferred(property, branches)
        }
    }

    /// Creates a tag that was inferred from the branches.
    pub(crate) fn inferred(property: Box<str>, branches: Vec<(Box<str>, u32)>) -> Self {
        Self {
            property,
            branches,
            declared: false,
            index: OnceLock::new(),
            meanings: OnceLock::new(),
        }
    }

    /// Returns the index of a value in `branches`.
    pub(crate) fn place(&self, value: &str) -> Option<usize> {
        let values = || self.branches.iter().map(|(value, _)| value);
        if self.branches.len() <= Self::FEW {
            return values().position(|tag| **tag == *value);
        }
        let index = || values().cloned().zip(0..).collect();
        self.index.get_or_init(index).get(value).copied()
    }

    /// Returns the index of the branch that a value names.
    fn branch(&self, value: &str) -> Option<u32> {
        self.place(value).map(|place| self.branches[place].1)
    }

    /// The branches that values represent, in any spelling. A declared mapping need not list every
    /// constant, so the branches' own count too.
    fn meanings(&self, shapes: &Shapes, union: &Union) -> &Meanings {
        self.meanings.get_or_init(|| {
            let mapped = self.branches.iter().filter_map(|(value, at)| {
                let branch = union.branches.get(*at as usize)?;
                Some((&**value, *branch))
            });
            let branches = union.branches.iter().filter(|_| self.declared);
            let constants = branches.flat_map(|branch| {
                let rules = shapes.get(*branch).object.as_deref();
                let property = rules.and_then(|rules| rules.property(&self.property));
                let literals = property.and_then(|one| shapes.get(one.shape).literals.as_ref());
                let texts = literals.into_iter().flatten().filter_map(Value::as_str);
                texts.map(|text| (text, *branch))
            });
            Arc::new(Meanings::of(mapped.chain(constants)))
        })
    }
}
