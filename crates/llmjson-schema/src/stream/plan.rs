//! Rules for what can be shown of a value before it is whole, given what it should be.

use std::cell::Cell;

use llmjson_syntax::internal::stream::Raw;
use llmjson_syntax::{Kind, ValueRef, Work};

use super::frame::{Member, StreamContainer};
use crate::base::report::CoercionKind;
use crate::coerce::{CoerceOptions, envelope, rules};
use crate::ir::shape::{Additional, ObjectRules, Shape, ShapeId, Shapes, Tag, Types};
use crate::schema::Compiled;

/// The way in which a value is shown.
pub(super) enum Plan {
    /// A container shown at once, child by child.
    Container(Option<ShapeId>),
    /// A value shown once its tag has told which branch of this union it is.
    Tagged(ShapeId),
    /// A text shown as it grows.
    Text,
    /// A text that holds a container of this shape.
    Inside(ShapeId),
    /// Undecided: it depends on the first character, which has not come yet.
    Unclear,
    /// A value shown when it is whole.
    Wait,
}

/// The shape that a child should have.
pub(super) enum Child {
    /// A shape; any if nothing is declared.
    Shape(Option<ShapeId>),
    /// Undecided: it depends on the first character, which has not come yet.
    Unclear,
    /// Undecided: it depends on the whole object.
    Held,
}

/// Returns the way to show a value of which the beginning is there.
pub(super) fn of(shapes: &Shapes, shape: Option<ShapeId>, raw: &Raw<'_>) -> Plan {
    let kind = raw.value.kind();
    let Some(id) = shape else {
        return match kind {
            Kind::Object | Kind::Array => Plan::Container(None),
            Kind::String => Plan::Text,
            _ => Plan::Wait,
        };
    };
    let shape = shapes.get(id);
    if !shape.also.is_empty() || shape.literals.is_some() {
        return Plan::Wait;
    }
    if let Some(union) = &shape.union {
        if kind == Kind::Object && union.tag.is_some() {
            return Plan::Tagged(id);
        }
        let found = Types::of(kind);
        let mut alike = union
            .branches
            .iter()
            .filter(|branch| takes(shapes, **branch).meets(found));
        return match (alike.next(), alike.next()) {
            (Some(only), None) if kind != Kind::String => of(shapes, Some(*only), raw),
            (Some(only), None) if text_or_null(shapes, &union.branches) => {
                of(shapes, Some(*only), raw)
            }
            _ => Plan::Wait,
        };
    }
    match kind {
        Kind::Object if shape.types.has(Types::OBJECT) => Plan::Container(Some(id)),
        Kind::Array if shape.types.has(Types::ARRAY) => Plan::Container(Some(id)),
        Kind::String if shape.types.has(Types::STRING) && may_be_any_text(shape) => Plan::Text,
        Kind::String if shape.types.meets(Types::OBJECT.or(Types::ARRAY)) => {
            let begun = raw
                .value
                .raw_str()
                .is_some_and(|(raw, _)| !raw.trim_start().is_empty());
            match holds_container(shape, raw.value) {
                true => Plan::Inside(id),
                false if begun || raw.settled => Plan::Wait,
                false => Plan::Unclear,
            }
        }
        _ => Plan::Wait,
    }
}

/// Returns `true` if a container is wanted, and a text that opens one has begun.
fn holds_container(shape: &Shape, value: ValueRef<'_>) -> bool {
    let opener = value
        .raw_str()
        .and_then(|(raw, _)| raw.trim_start().chars().next());
    let only = |wanted: Types| shape.types.has(wanted) && !shape.types.meets(Types::STRING);
    match opener {
        Some('{') => only(Types::OBJECT) && !shape.types.has(Types::ARRAY),
        Some('[') => only(Types::ARRAY) && !shape.types.has(Types::OBJECT),
        _ => false,
    }
}

/// Returns `true` if a text that has begun stays the text it is.
fn may_be_any_text(shape: &Shape) -> bool {
    let special =
        |rules: &crate::ir::shape::StringRules| rules.format.is_some() || rules.holds_json;
    !shape.string.as_deref().is_some_and(special)
}

/// Returns `true` if a union is that of a text and nothing: the text may still turn out to be a
/// word for null only if no text is wanted.
fn text_or_null(shapes: &Shapes, branches: &[ShapeId]) -> bool {
    branches.iter().all(|branch| {
        let types = takes(shapes, *branch);
        types == Types::NULL || types == Types::STRING
    })
}

/// The types that a shape takes, as far as one look tells.
fn takes(shapes: &Shapes, id: ShapeId) -> Types {
    shapes.get(id).types
}

/// Returns `true` if null may stand there.
pub(super) fn takes_null(shapes: &Shapes, shape: Option<ShapeId>) -> bool {
    let Some(shape) = shape.map(|id| shapes.get(id)) else {
        return true;
    };
    let branch = |id: &ShapeId| takes(shapes, *id).has(Types::NULL);
    let null = shape.types.has(Types::NULL) && shape.also.is_empty() && shape.literals.is_none();
    null && (shape.union.as_ref()).is_none_or(|union| union.branches.iter().any(branch))
}

/// Returns `true` if a text may stand there, whatever else has to hold.
pub(super) fn takes_text(shapes: &Shapes, shape: Option<ShapeId>) -> bool {
    let Some(shape) = shape.map(|id| shapes.get(id)) else {
        return true;
    };
    let plain = shape.also.is_empty() && shape.union.is_none();
    plain && shape.types.has(Types::STRING)
}

/// Returns the tag that tells the branches of a union apart.
pub(super) fn tag(shapes: &Shapes, union: ShapeId) -> Option<&Tag> {
    shapes.get(union).union.as_ref()?.tag.as_ref()
}

/// The branch that a tag names. In another spelling it does so only where every branch is told by
/// constants: else some branch may take the value with that very tag.
pub(super) fn branch(shapes: &Shapes, union: ShapeId, value: ValueRef<'_>) -> Option<ShapeId> {
    let union = shapes.get(union).union.as_ref()?;
    let name = value.as_str()?;
    let tag = union.tag.as_ref()?;
    let id = if tag.declared {
        union.named(&name)?
    } else {
        union.meant_by(shapes, &name)?
    };
    let shape = shapes.get(id);
    // What is made of several parts is corrected as a whole.
    (shape.also.is_empty() && shape.union.is_none() && shape.types.has(Types::OBJECT)).then_some(id)
}

/// Returns the shape that a child of that container, a list or an object, should have.
pub(super) fn child(
    compiled: &Compiled,
    options: &CoerceOptions,
    frame: &mut StreamContainer,
    list: bool,
    raw: &Raw<'_>,
    work: &Cell<Work>,
) -> Child {
    let Some(id) = frame.shape else {
        return Child::Shape(None);
    };
    let shape = compiled.shapes.get(id);
    if list {
        let Some(rules) = shape.array.as_deref() else {
            return Child::Shape(None);
        };
        return Child::Shape(rules.item(frame.children as usize));
    }
    let Some(rules) = shape.object.as_deref() else {
        return Child::Shape(None);
    };
    let name = raw.key.decoded();
    if let Some(property) = rules.property(&name) {
        return Child::Shape(Some(property.shape));
    }
    match compiled.by_pattern(id, &rules.patterns, &name, work) {
        Some(_) if options.plain_fields => Child::Held,
        Some(shape) => Child::Shape(Some(shape)),
        None => undeclared(options, rules, frame, &name, raw),
    }
}

/// The plan for a member that is not declared. It is held back as long as it may be meant for a
/// member that has not come, as long as it may hold the whole object, and where it may be a label
/// beside what does.
fn undeclared(
    options: &CoerceOptions,
    rules: &ObjectRules,
    frame: &mut StreamContainer,
    name: &str,
    raw: &Raw<'_>,
) -> Child {
    let (shape, open) = match rules.additional {
        Additional::Open(shape) => (Some(shape), true),
        Additional::Silent | Additional::Forbidden => (None, false),
    };
    if rules.properties.is_empty() && rules.additional != Additional::Forbidden {
        return Child::Shape(shape);
    }
    if rules::holds_back(options, CoercionKind::DropUndeclared) || open && options.plain_fields {
        return Child::Held;
    }
    if open && frame.is_complete(rules) {
        return Child::Shape(shape);
    }
    let may_be = |place: u32| {
        frame.member(place) != Member::Shown && (!open || rules.properties[place as usize].required)
    };
    let waits_for_text = || {
        raw.value
            .as_str()
            .is_some_and(|text| text.trim().is_empty())
    };
    if rules.may_claim(name, may_be) || !envelope::is_none(name, raw.value) {
        Child::Held
    } else if !raw.settled && waits_for_text() {
        Child::Unclear
    } else {
        Child::Shape(shape)
    }
}

/// The place of a member among the declared ones of its object.
pub(super) fn property(shapes: &Shapes, object: Option<ShapeId>, raw: &Raw<'_>) -> Option<u32> {
    let rules = shapes.get(object?).object.as_deref()?;
    let place = rules.find(&raw.key.decoded())?;
    u32::try_from(place).ok()
}
