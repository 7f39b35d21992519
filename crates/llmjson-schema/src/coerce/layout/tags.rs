//! Hints at a value's branch of a union: by its only key (`{"Circle": {…}}`) or before its content
//! (`["Circle", {…}]`), by a tag among its members (`{"type": "Circle", …}`), or by a tag next to
//! its content (`{"t": "Circle", "c": {…}}`).
//!
//! If no branch accepts the value, it is rewritten in the form that the schema uses.

use llmjson_syntax::internal::zones::lexicon::WordList;
use llmjson_syntax::{Class, Kind, NodeId, ValueRef};

use crate::base::report::CoercionKind;
use crate::coerce::state::{Call, Coercer, Laid};
use crate::ir::names::fold::{is_one_of, normal_key};
use crate::ir::shape::{Additional, ObjectRules, Property, ShapeId, Shapes, Types, Union};

/// Normalized keys of tags.
static TAGS: WordList = WordList::new(
    "type kind tag variant t event eventtype op action class name discriminator object case",
);

/// Names of the content next to a tag, normalized.
static CONTENTS: WordList = WordList::new(
    "content contents data value val c payload fields params parameters args arguments \
    body properties attributes details items",
);

/// Maximum number of members of an object that is rewritten.
const MEMBERS_MAX: usize = 256;

/// Maximum number of branches that are examined.
const BRANCHES_MAX: usize = 256;

/// The branch that a value names.
enum Variant<'c> {
    /// An object with one member of that key.
    Member(&'c Property),
    /// An object with that value of the tag.
    Tagged(String, &'c ObjectRules),
}

/// The rest of a value without the name of its branch.
enum Content {
    Node(NodeId),
    Members(Vec<(String, NodeId)>),
}

/// The possible objects of a value: the branches of a union, or an object with a constant that
/// names it.
#[derive(Clone, Copy)]
pub(in crate::coerce) struct Choice<'a> {
    branches: &'a [ShapeId],
    tag: Option<&'a str>,
    union: Option<&'a Union>,
}

impl<'a> Choice<'a> {
    pub(in crate::coerce) fn of(union: &'a Union) -> Self {
        Self {
            branches: &union.branches,
            tag: union.tag.as_ref().map(|tag| &*tag.property),
            union: Some(union),
        }
    }

    /// Returns the branch that a tag's string names, in any spelling.
    fn meant_by(&self, shapes: &Shapes, text: &str) -> Option<ShapeId> {
        match (self.union, self.branches) {
            (Some(union), _) => union.meant_by(shapes, text),
            (None, branches) => branches.first().copied(),
        }
    }
}

impl<'c> Coercer<'c, '_> {
    /// Rewrites a value that names the only object allowed at its place in the way that a value
    /// names a branch of a union.
    pub(in crate::coerce) fn own_tagging(
        &mut self,
        call: Call,
        rules: &'c ObjectRules,
    ) -> Option<Laid> {
        let is_constant = |slot: &usize| {
            let literals = self
                .shapes
                .get(rules.properties[*slot].shape)
                .literals
                .as_ref();
            literals
                .is_some_and(|all| all.nodes().len() == 1 && all.iter().all(|one| one.is_string()))
        };
        let value = self.value(call.node);
        if value.kind() == Kind::Object {
            let is_held =
                value.len() > 1 || value.members().all(|(_, one)| one.kind() == Kind::Object);
            if !is_held
                || value
                    .members()
                    .any(|(name, _)| self.is_declared(rules, &name))
            {
                return None;
            }
        }
        let slot = rules.lacks(|_| false).find(is_constant)?;
        let choice = Choice {
            branches: &[call.shape],
            tag: Some(&rules.properties[slot].name),
            union: None,
        };
        self.other_tagging(call, choice)
    }

    /// Rewrites a value that indicates its branch in another way than the union does.
    pub(in crate::coerce) fn other_tagging(
        &mut self,
        call: Call,
        choice: Choice<'_>,
    ) -> Option<Laid> {
        let value = self.value(call.node);
        let (is_read, is_list) = match value.kind() {
            Kind::Object => ((1..=MEMBERS_MAX).contains(&value.len()), false),
            Kind::Array => (value.len() == 2, true),
            _ => (false, false),
        };
        if !is_read
            || call.has(Call::JUDGE)
            || choice.branches.len() > BRANCHES_MAX
            || !self.options.reaches(call.depth)
            || !self.may_lay_out(call)
        {
            return None;
        }
        self.charge(value.len() + choice.branches.len());
        let value = self.value(call.node);
        let (variant, content) = match is_list {
            true => self.told_first(value, choice)?,
            false => self.told(value, choice)?,
        };
        let (node, class) = (self.write_branch(variant, content)?, Class::Likely);
        let is_allowed = self.options.allows_as(CoercionKind::OtherLayout, class);
        is_allowed.then_some((node, class))
    }

    /// `["Circle", {"r": 2}]`
    fn told_first(
        &self,
        value: ValueRef<'_>,
        choice: Choice<'_>,
    ) -> Option<(Variant<'c>, Content)> {
        let takes_lists = |id: &ShapeId| self.shapes.types_of(*id).meets(Types::ARRAY);
        let (name, content) = (value.item(0)?.as_str()?.into_owned(), value.item(1)?);
        if content.kind() != Kind::Object || choice.branches.iter().any(takes_lists) {
            return None;
        }
        Some((self.variant(choice, &name)?, Content::Node(content.id())))
    }

    /// Returns the branch that the members of an object determine, and its content.
    fn told(&self, value: ValueRef<'_>, choice: Choice<'_>) -> Option<(Variant<'c>, Content)> {
        let tag = choice.tag;
        if !self.takes_none(choice, value) {
            return None;
        }
        let mut members: Vec<(String, NodeId)> = value
            .members()
            .map(|(name, one)| (name.into_owned(), one.id()))
            .collect();
        // `{"Circle": {…}}`
        if let [(name, node)] = &members[..]
            && let Some(variant @ Variant::Tagged(..)) = self.variant(choice, name)
        {
            return Some((variant, Content::Node(*node)));
        }
        let own = tag.filter(|tag| value_has(value, tag));
        let mut told = members.iter().enumerate().filter_map(|(at, (name, node))| {
            let is_tag = own.map_or_else(|| is_one_of(&TAGS, name), |tag| name == tag);
            let text = self.value(*node).as_str().filter(|_| is_tag)?;
            Some((at, self.variant(choice, &text)?))
        });
        // Two members that each name a branch: neither is known to be the tag.
        let ((at, variant), None) = (told.next()?, told.next()) else {
            return None;
        };
        drop(told);
        members.remove(at);
        let content = match &members[..] {
            [(name, node)] if is_one_of(&CONTENTS, name) => {
                let is_own = matches!(&variant, Variant::Tagged(_, rules) if rules.declares(name) && !is_adjacent(rules, tag));
                match is_own {
                    true => return None,
                    false => Content::Node(*node),
                }
            }
            _ => Content::Members(members),
        };
        Some((variant, content))
    }

    /// Returns `true` if no branch accepts an object with these members, even under other spellings
    /// of its keys.
    fn takes_none(&self, choice: Choice<'_>, value: ValueRef<'_>) -> bool {
        choice.branches.iter().all(|id| {
            let shape = self.shapes.get(*id);
            if !self.shapes.types_of(*id).meets(Types::OBJECT) {
                return true;
            }
            let Some(rules) = shape.object.as_deref().filter(|_| shape.is_alone()) else {
                return false;
            };
            match choice.tag {
                Some(tag) => {
                    let own = value.get(tag);
                    let lacks = |own: ValueRef<'_>| {
                        let is_meant = own
                            .as_str()
                            .is_some_and(|text| choice.meant_by(self.shapes, &text) == Some(*id));
                        !is_meant
                            || rules
                                .lacks(|at| value_has(value, &rules.properties[at].name))
                                .next()
                                .is_some()
                    };
                    rules.requires(tag) && own.is_none_or(lacks)
                }
                None => only_member(rules).is_some_and(|property| {
                    let mut names = value.members().map(|(name, _)| name);
                    !names
                        .any(|name| *name == *property.name || rules.names().claim(&name).is_some())
                }),
            }
        })
    }

    /// Returns the only branch that a string names.
    fn variant(&self, choice: Choice<'_>, text: &str) -> Option<Variant<'c>> {
        if let Some(tag) = choice.tag {
            let id = choice.meant_by(self.shapes, text)?;
            let rules = self.shapes.get(id).object.as_deref()?;
            let literals = self
                .shapes
                .get(rules.property(tag)?.shape)
                .literals
                .as_ref()?;
            let mut values = literals.iter().filter_map(serde_json::Value::as_str);
            let wanted = normal_key(text);
            let value = values.find(|value| normal_key(value) == wanted)?;
            return Some(Variant::Tagged(value.to_owned(), rules));
        }
        let wanted = normal_key(text);
        let mut found = choice.branches.iter().filter_map(|id| {
            let member = self.shapes.get(*id).object.as_deref().and_then(only_member);
            let member = member.filter(|one| normal_key(&one.name) == wanted);
            member.map(Variant::Member)
        });
        let first = found.next().filter(|_| !wanted.is_empty())?;
        found.next().is_none().then_some(first)
    }

    /// Writes a branch with its content in the union's layout.
    fn write_branch(&mut self, variant: Variant<'c>, content: Content) -> Option<NodeId> {
        match variant {
            Variant::Member(property) => {
                let is_object = self.shapes.types_of(property.shape).meets(Types::OBJECT);
                let node = match content {
                    Content::Node(node) => node,
                    Content::Members(rest) if rest.is_empty() || !is_object => return None,
                    Content::Members(rest) => self.object_with(&rest)?,
                };
                self.object_with(&[(&property.name, node)])
            }
            Variant::Tagged(value, rules) => {
                let own = rules.properties.iter().find(|one| {
                    let literals = self.shapes.get(one.shape).literals.as_ref();
                    literals.is_some_and(|all| all.iter().any(|text| text.as_str() == Some(&value)))
                })?;
                let tag = self.editor.string(&value);
                let mut all = vec![(own.name.to_string(), tag)];
                all.extend(self.beside_tag(own, rules, content)?);
                self.object_with(&all)
            }
        }
    }

    /// Returns the members that the content of a branch has in addition to its tag.
    fn beside_tag(
        &mut self,
        tag: &Property,
        rules: &ObjectRules,
        content: Content,
    ) -> Option<Vec<(String, NodeId)>> {
        let mut others = rules.properties.iter().filter(|one| one.name != tag.name);
        let only = others.next().filter(|_| others.next().is_none());
        let (node, inner) = match content {
            Content::Members(rest) => (None, rest),
            Content::Node(node) if self.is_nothing(node) => return Some(Vec::new()),
            Content::Node(node) => {
                let members = self.value(node).members();
                let members = members.map(|(name, one)| (name.into_owned(), one.id()));
                (Some(node), members.collect())
            }
        };
        let is_inside =
            |(name, _): &(String, NodeId)| name != &*tag.name && self.is_declared(rules, name);
        let is_repeated = |(name, node): &(String, NodeId)| {
            let text = self.value(*node).as_str();
            let literals = self.shapes.get(tag.shape).literals.as_ref();
            let says_so = |text: &str| {
                literals.is_some_and(|all| all.iter().any(|one| one.as_str() == Some(text)))
            };
            name == &*tag.name && text.is_some_and(|text| says_so(&text))
        };
        let holds = node.is_none_or(|node| self.value(node).kind() == Kind::Object);
        if inner.iter().any(is_inside) && holds || inner.is_empty() && node.is_none() {
            return Some(inner.into_iter().filter(|one| !is_repeated(one)).collect());
        }
        let node = match node {
            Some(node) => node,
            None => self.object_with(&inner)?,
        };
        Some(vec![(only?.name.to_string(), node)])
    }

    /// Returns `true` if a value is empty.
    fn is_nothing(&self, node: NodeId) -> bool {
        let value = self.value(node);
        value.is_null() || value.kind() == Kind::Object && value.is_empty()
    }
}

/// The member whose name indicates a branch: the only one that an object may have.
fn only_member(rules: &ObjectRules) -> Option<&Property> {
    match &rules.properties[..] {
        [only] if only.required && !matches!(rules.additional, Additional::Open(_)) => Some(only),
        _ => None,
    }
}

/// Returns `true` if a branch has one member in addition to its tag.
fn is_adjacent(rules: &ObjectRules, tag: Option<&str>) -> bool {
    let mut others = rules
        .properties
        .iter()
        .filter(|one| tag != Some(&*one.name));
    others.next().is_some() && others.next().is_none()
}

fn value_has(value: ValueRef<'_>, name: &str) -> bool {
    value.get(name).is_some()
}
