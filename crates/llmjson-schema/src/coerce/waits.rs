//! The waiting of a stream before it shows a value, by the table of rules.
//!
//! A value that its place accepts is shown as it arrives. For any other value, the first row that
//! reads it says what must have arrived before the result is known. The rows about members say the
//! same for an object's content.

use std::cell::Cell;

use llmjson_syntax::internal::stream::Raw;
use llmjson_syntax::{Kind, ValueRef, Work};

use super::envelope;
use super::layout::markup::may_be_split;
pub(crate) use super::layout::markup::{Watch, Watched};
use super::layout::roles::is_thought;
use super::measured::measured;
use super::member_scan::is_absent;
use super::options::CoerceOptions;
use super::rules::{self, Waits, holds_back};
use super::state::CONTAINERS;
use crate::base::report::CoercionKind;
use crate::ir::shape::{Additional, ObjectRules, ShapeId, Shapes, Types};
use crate::schema::Compiled;

/// The method of showing a value.
pub(crate) enum Showing {
    /// A container shown at once, child by child.
    Container(Option<ShapeId>),
    /// A value shown once its tag has identified the branch of this union.
    Tagged(ShapeId),
    /// A string shown as it grows.
    Text,
    /// A string that contains a container of this shape.
    Inside(ShapeId),
    /// Undecided: the first character, which has not arrived, decides.
    Unclear,
    /// A value shown once it is complete.
    Whole,
}

/// The expectation of a member.
pub(crate) enum Expected {
    /// A shape (any if nothing is declared), and the index of a declared member.
    Shape(Option<ShapeId>, Option<u32>),
    /// Undecided: the first character, which has not arrived, decides.
    Unclear,
    /// Undecided: the whole object decides.
    Held,
}

/// Returns the method of showing a value whose beginning has arrived.
pub(crate) fn showing(shapes: &Shapes, shape: Option<ShapeId>, raw: &Raw<'_>) -> Showing {
    let kind = raw.value.kind();
    let found = Types::of(kind);
    let as_it_comes = || match kind {
        Kind::Object | Kind::Array => Showing::Container(shape),
        Kind::String => Showing::Text,
        _ => Showing::Whole,
    };
    let Some(id) = shape else {
        return as_it_comes();
    };
    let shape = shapes.get(id);
    // A constant may turn out to be another spelling of an allowed one, and parts are corrected
    // together.
    if !shape.also.is_empty() || shape.literals.is_some() {
        return Showing::Whole;
    }
    if let Some(union) = &shape.union {
        if kind == Kind::Object && union.tag.is_some() {
            return Showing::Tagged(id);
        }
        // A string may still turn out to be a number or a word for null, unless null is the only
        // alternative.
        let is_open =
            kind == Kind::String && !Types::NULL.or(Types::STRING).has(shapes.types_of(id));
        let takes = |branch: &&ShapeId| shapes.types_of(**branch).meets(found);
        let mut alike = union.branches.iter().filter(takes);
        return match (alike.next(), alike.next()) {
            (Some(only), None) if !is_open => showing(shapes, Some(*only), raw),
            _ => Showing::Whole,
        };
    }
    if shape.types.has(found) {
        let rules = shape.string.as_deref().filter(|_| kind == Kind::String);
        // A string may lack the format of its place, or be JSON that must become a string.
        let waits = rules.is_some_and(|rules| rules.has_form() || rules.holds_json);
        return if waits { Showing::Whole } else { as_it_comes() };
    }
    if rules::waits_of(found, shape.types) > Waits::Beginning {
        return Showing::Whole;
    }
    // `"{\"a\": 1}"` for an object.
    let begun = raw
        .value
        .raw_str()
        .and_then(|(raw, _)| raw.trim_start().chars().next());
    let wanted = match begun {
        Some('{') => Types::OBJECT,
        Some('[') => Types::ARRAY,
        None if !raw.settled => return Showing::Unclear,
        _ => return Showing::Whole,
    };
    match shape.types.and(CONTAINERS) == wanted {
        true => Showing::Inside(id),
        false => Showing::Whole,
    }
}

/// Returns `true` if the object decides about a member: for a null that may be dropped, and for an
/// item of the expected array, since its key may be repeated with another item.
pub(crate) fn is_for_object(
    shapes: &Shapes,
    options: &CoerceOptions,
    shape: Option<ShapeId>,
    kind: Kind,
) -> bool {
    let found = Types::of(kind);
    let holds = |rule| holds_back(options, rule, found);
    shape.is_some_and(|id| {
        !shapes.types_of(id).meets(Types::NULL) && holds(CoercionKind::DropNull)
            || shapes.wants_list(id) && holds(CoercionKind::RepeatedKey)
    })
}

/// Returns `true` if a complete member may be dropped, since it means that there is nothing where
/// not any string is expected, or if it may be split.
pub(crate) fn may_go(
    options: &CoerceOptions,
    shapes: &Shapes,
    shape: Option<ShapeId>,
    value: ValueRef<'_>,
) -> bool {
    let is_split = |text: &str| may_be_split(text, |_| true);
    let is_listed = |id| {
        let literals = shapes.get(id).literals.as_ref();
        literals.is_some_and(|all| value.as_str().is_some_and(|text| all.has_text(&text)))
    };
    let is_unlike = |id| {
        !shapes.types_of(id).meets(Types::STRING)
            || shapes.get(id).is_text_of_some_form() && !is_listed(id)
    };
    shape.is_some_and(is_unlike) && is_absent(value)
        || holds_back(options, CoercionKind::SplitMarkup, Types::of_value(value))
            && value.as_str().is_some_and(|text| is_split(&text))
}

/// Returns the branch that a tag selects. In another spelling it does so only if every branch is
/// identified by constants: otherwise some branch may accept the value with that tag.
pub(crate) fn branch(shapes: &Shapes, union: ShapeId, tag: ValueRef<'_>) -> Option<ShapeId> {
    let union = shapes.get(union).union.as_ref()?;
    let name = tag.as_str()?;
    let id = match union.tag.as_ref()?.declared {
        true => union.named(&name)?,
        false => union.meant_by(shapes, &name)?,
    };
    let shape = shapes.get(id);
    // A shape of several parts is coerced as a whole.
    (shape.is_alone() && shape.types.has(Types::OBJECT)).then_some(id)
}

/// Returns the expectation of an object's member. `is_shown` returns `true` for declared members
/// that have been shown, `is_complete` if all required ones have been.
pub(crate) fn member(
    (compiled, options): (&Compiled, &CoerceOptions),
    object: ShapeId,
    raw: &Raw<'_>,
    is_shown: impl Fn(u32) -> bool,
    is_complete: bool,
    work: &Cell<Work>,
) -> Expected {
    let Some(rules) = compiled.shapes.get(object).object.as_deref() else {
        return Expected::Shape(None, None);
    };
    let name = raw.key().decoded();
    if let Some(at) = rules.find(&name) {
        return Expected::Shape(Some(rules.properties[at].shape), Some(at as u32));
    }
    match compiled.by_pattern(object, &rules.patterns, &name, work) {
        Some(_) if options.plain_fields => Expected::Held,
        Some(shape) => Expected::Shape(Some(shape), None),
        None if measured(compiled, rules, &name).is_some() => Expected::Held,
        None => undeclared(options, rules, &name, raw, is_shown, is_complete),
    }
}

/// Returns the expectation for an undeclared member. It is held back while it may stand for a
/// member that has not arrived, while it may contain the whole object, and if it may be a label
/// next to that.
fn undeclared(
    options: &CoerceOptions,
    rules: &ObjectRules,
    name: &str,
    raw: &Raw<'_>,
    is_shown: impl Fn(u32) -> bool,
    is_complete: bool,
) -> Expected {
    let open = match rules.additional {
        Additional::Open(shape) => Some(shape),
        Additional::Silent | Additional::Forbidden => None,
    };
    let free = Expected::Shape(open, None);
    if rules.properties.is_empty() && rules.additional != Additional::Forbidden {
        return free;
    }
    let found = Types::of(raw.value.kind());
    if holds_back(options, CoercionKind::DropUndeclared, found)
        || open.is_some() && options.plain_fields
    {
        return Expected::Held;
    }
    // If any key is allowed, an undeclared key can only stand for a required member.
    if open.is_some() && is_complete {
        return free;
    }
    let may_be = |slot: u32| !is_shown(slot) && rules.may_be_renamed_to(slot);
    let is_blank = || {
        raw.value
            .as_str()
            .is_some_and(|text| text.trim().is_empty())
    };
    let is_unsaid = || rules.additional == Additional::Forbidden && is_thought(name);
    if rules.may_claim(name, may_be) || is_unsaid() || !envelope::is_none(name, raw.value) {
        Expected::Held
    } else if !raw.settled && is_blank() {
        Expected::Unclear
    } else {
        free
    }
}
