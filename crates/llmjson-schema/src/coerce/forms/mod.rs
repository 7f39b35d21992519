//! Values as people write them: a table of readers from a string to a value.
//!
//! A reader is a function of a string and of the known facts about the place. It peels off what is
//! around a value, matches the rest, and accounts for every part: each has a class, and a part that
//! contradicts the schema refuses the value. Readers are called only for values that do not
//! conform.
//!
//! - `quantity`: numbers, with `numeral` (digits and separators), `unit` (the table of units) and
//!   `hints` (the schema's hints about the unit)
//! - `counted`: numbers whose meaning depends on the place: a rating out of its maximum, a rank
//! - `words`: nothing, yes and no
//! - `choice`: an allowed value with decoration or in prose; `list`: several in a
//!   sentence
//! - `asked`: the form that a place requires, such as a format; `marks`: markup around a value
//! - dates and times are in `check/calendar`, since violations explain why a string is not one

mod asked;
mod choice;
mod counted;
mod hints;
mod list;
mod marks;
pub(super) mod number;
mod numeral;
mod quantity;
mod unit;
pub(super) mod words;

use llmjson_syntax::{Class, NodeId};
use serde_json::Value;

use self::asked::{Asked, address, decimal, is_address, time};
use self::hints::Hints;
use super::layout::roles::is_value;
use super::state::{Call, Coercer, Frame, Read};
use crate::base::report::CoercionKind;
use crate::ir::bounds::NumberKeyword;
use crate::ir::names::fold::normal_key;
use crate::ir::names::parts;
use crate::ir::shape::{Shape, ShapeId, Types};
use crate::normal::tree::Tree;

/// A string, and the place that it does not fit.
struct Misfit<'p> {
    text: &'p str,
    call: Call,
    shape: &'p Shape,
    wanted: Types,
}

/// Returns `true` if the schema of a place names that unit and no other unit of its quantity.
pub(super) fn names_unit(tree: &Tree, shape: &Shape, written: &str) -> bool {
    let units = unit::named_in_any_case(written.trim());
    let mut hints = Hints::default();
    hints.hear(tree, shape.node);
    hints.name_only(&units)
}

/// Reads a string as the value that it represents, if any.
type FormReader = for<'c> fn(&mut Coercer<'c, '_>, &Misfit<'_>) -> Option<Read>;

/// Allowed values precede words for nothing.
const READERS: [(Types, FormReader); 7] = [
    (Types::ALL, decorated_choice),
    (Types::NULL, nothing),
    (Types::BOOLEAN, truth),
    (Types::STRING, decimal),
    (Types::NUMBER, quantity),
    (Types::STRING, time),
    (Types::STRING, address),
];

impl<'c> Coercer<'c, '_> {
    /// Reads a string that does not fit in one of the notations that people use.
    pub(super) fn form(&mut self, call: Call, shape: &Shape, wanted: Types) -> Option<Read> {
        if self.is_spent() {
            return None;
        }
        let text = self.value(call.node).as_str()?.into_owned();
        self.charge(1 + text.len().min(FORM_BYTES));
        let place = Misfit {
            text: &text,
            call,
            shape,
            wanted,
        };
        if let Some(read) = self.read_form(&place) {
            return Some(read);
        }
        if text.len() > MARKED_BYTES_MAX {
            return None;
        }
        self.charge(text.len());
        let own = self.editor.document().name_read(call.node).into_owned();
        let format = shape
            .string
            .as_ref()
            .and_then(|rules| rules.format.as_deref());
        let is_own = |label: &str| {
            let is = |name: &str| !name.is_empty() && normal_key(name) == normal_key(label);
            is(&own)
                || is_value(label)
                || format.is_some_and(|format| is(format) || format == "uri" && is("url"))
        };
        marks::unmarked(&text, is_address(shape), is_own).find_map(|(inner, marked)| {
            let place = Misfit {
                text: inner,
                ..place
            };
            let (_, class, node) = self
                .read_said(call, shape, wanted, inner)
                .filter(|(kind, class, _)| self.options.allows_as(*kind, *class))
                .or_else(|| self.read_form(&place))?;
            let (kind, class) = (CoercionKind::MarkedText, class.max(marked));
            self.options
                .allows_as(kind, class)
                .then_some((kind, class, node))
        })
    }

    /// Reads a string by the first reader that accounts for all of it.
    fn read_form(&mut self, place: &Misfit<'_>) -> Option<Read> {
        let (call, wanted) = (place.call, place.wanted);
        let mut readers = READERS.iter().filter(|(type_, _)| wanted.meets(*type_));
        readers.find_map(|(_, read)| {
            let (kind, class, node) = read(self, place)?;
            // Prose is not a value just because it contains one.
            let is_prose = matches!(
                kind,
                CoercionKind::DecoratedChoice | CoercionKind::WordToBoolean
            );
            // `I would rate this high` as the whole reply, with an enumeration as its schema.
            if call.has(Call::ROOT) && is_prose && class == Class::Guess {
                return None;
            }
            self.options
                .allows_as(kind, class)
                .then_some((kind, class, node))
        })
    }

    /// Returns an allowed value among other words. Opt-in.
    pub(super) fn prose(&mut self, call: Call, shape: &Shape, wanted: Types) -> Option<Read> {
        let kind = CoercionKind::ValueFromProse;
        let text = self.value(call.node).as_str()?.into_owned();
        self.charge(text.len());
        let node = match choice::only_value(&text, shape, wanted)? {
            truth @ ("true" | "false") if shape.literals.is_none() => {
                self.editor.boolean(truth == "true")
            }
            text => self.editor.string(text),
        };
        Some((kind, kind.class(), node))
    }

    /// Returns the union of which the shape of a call is a branch.
    pub(super) fn union_around(&self, call: Call) -> Option<ShapeId> {
        let mut frames = self.frames.iter().rev();
        frames.find_map(|frame| match frame {
            Frame::Union(frame) => Some(Some(frame.call.shape)),
            Frame::Remember(_) | Frame::Parts(_) => None,
            Frame::Attempt(attempt) if attempt.call.node == call.node => None,
            _ => Some(None),
        })?
    }

    /// Returns `true` if a string is allowed at the place of a call, unchanged or in another
    /// spelling, by any branch of a union.
    fn takes_text(&self, call: Call, text: &str) -> bool {
        let is_free = |id: ShapeId| {
            let shape = self.shapes.get(id);
            let is_text = shape.types.meets(Types::STRING) && shape.union.is_none();
            is_text
                && match &shape.literals {
                    None => Asked::of(shape).is_none(),
                    Some(literals) => literals
                        .spellings(&shape.aliases)
                        .find(text.trim(), literals)
                        .is_some(),
                }
        };
        let union = self.union_around(call).unwrap_or(call.shape);
        let branches = self.shapes.get(union).branches();
        call.mask.meets(Types::STRING)
            && (is_free(call.shape) || branches.iter().any(|id| is_free(*id)))
    }

    /// Returns the number that a string means at its place.
    fn quantity_in(&self, place: &Misfit<'_>) -> Option<quantity::Quantity> {
        let rules = place.shape.number.as_ref();
        let most = rules.and_then(|rules| rules.bound(NumberKeyword::Maximum));
        let known = quantity::Place {
            own: &self.own_words(place.call),
            most: most.map(|most| &*most.text),
            hints: &|| self.hints(place.call, place.shape),
        };
        quantity::read(place.text, &known)
    }

    /// Returns the words of the key of a value.
    fn own_words(&self, call: Call) -> Vec<String> {
        parts::words(&self.editor.document().name_read(call.node))
    }

    fn hints(&self, call: Call, shape: &Shape) -> Hints {
        let tree = &self.compiled.tree;
        // A branch for null is folded into the place, which keeps the description of the other
        // branch.
        let lists = ["anyOf", "oneOf"].map(|name| tree.member(shape.node, name));
        let lists = lists.into_iter().flatten();
        let branches = lists.flat_map(|list| tree.items(list)).copied();
        let union = self.union_around(call).filter(|union| *union != call.shape);
        let union = union.map(|union| self.shapes.get(union).node);
        let mut hints = Hints::default();
        hints.read_name(&self.editor.document().name_read(call.node));
        let nodes = std::iter::once(shape.node).chain(branches).chain(union);
        nodes.for_each(|node| hints.hear(tree, node));
        hints
    }

    /// Returns the parts of a string that are all items of the expected array: allowed values,
    /// numbers, or strings on separate lines with item markers.
    pub(super) fn listed(&mut self, call: Call, item: ShapeId) -> Option<(NodeId, Class)> {
        let shape = self.shapes.get(item);
        let text = self.value(call.node).as_str()?.into_owned();
        if self.is_spent() {
            return None;
        }
        let kind = CoercionKind::WrittenList;
        let (parts, class) = if let Some(literals) = &shape.literals {
            let spellings = literals.spellings(&shape.aliases);
            let is_item =
                |part: &str| literals.has_text(part) || spellings.find(part, literals).is_some();
            // `"a, b"` may be an allowed value itself.
            if is_item(text.trim()) {
                return None;
            }
            self.charge(text.len());
            let parts = list::parts(&text, list::COMMAS, is_item);
            (
                parts.or_else(|| list::parts(&text, list::BARS, is_item))?,
                kind.class(),
            )
        } else if shape.union.is_none()
            && shape.types.meets(Types::NUMBER)
            && !shape.types.meets(Types::STRING)
            && number::grouped(text.trim()).is_none_or(|_| are_several(text.trim()))
        {
            let is_item = |part: &str| number::plain(part).is_some();
            (list::parts(&text, list::COMMAS, is_item)?, kind.class())
        } else if shape.union.is_none() && shape.types == Types::STRING {
            list::texts(&text)?
        } else {
            return None;
        };
        let items: Vec<_> = parts.iter().map(|part| self.editor.string(part)).collect();
        Some((self.editor.array(&items), class))
    }
}

/// Returns `true` if a string that may be one number with digit groups more likely means several
/// where an array is expected: `100,200` and `1,234,567`, but neither `1,234` nor `1,234.50`.
fn are_several(text: &str) -> bool {
    let lead = text.trim_start_matches('-').find(',').unwrap_or_default();
    !text.contains('.') && (lead >= 3 || text.matches(',').count() > 1)
}

/// Maximum length in bytes of a string that any reader examines.
const FORM_BYTES: usize = 128;

/// Length beyond which markup is not removed from strings.
const MARKED_BYTES_MAX: usize = 2048;

fn decorated_choice(coercer: &mut Coercer<'_, '_>, place: &Misfit<'_>) -> Option<Read> {
    let literals = place.shape.literals.as_ref()?;
    coercer.charge(place.text.len().min(FORM_BYTES) * literals.len().min(FORM_BYTES));
    let own = || coercer.own_words(place.call);
    let choice = choice::read(place.text, place.shape.names(), own)?;
    let is_written = |one: &Value| {
        let written = one.to_string();
        written == choice.value && !literals.has_text(choice.value)
    };
    let is_value = |one: &&Value| match one.as_str() {
        Some(text) => text == choice.value,
        None => is_written(one),
    };
    let node = coercer.constant(literals.iter().find(is_value)?)?;
    Some((CoercionKind::DecoratedChoice, choice.class, node))
}

fn nothing(coercer: &mut Coercer<'_, '_>, place: &Misfit<'_>) -> Option<Read> {
    let kind = CoercionKind::WordToNull;
    let class = match words::is_nothing(place.text) {
        true => kind.class(),
        false if words::may_be_nothing(place.text) => Class::Guess,
        false => return None,
    };
    let is_null = !coercer.takes_text(place.call, place.text);
    is_null.then(|| (kind, class, coercer.editor.null()))
}

/// Returns `true` if a place takes nothing but booleans and null.
pub(super) fn is_only_truth(call: Call, shape: &Shape) -> bool {
    call.mask.and(Types::BOOLEAN.or(Types::NULL)) == call.mask && shape.literals.is_none()
}

fn truth(coercer: &mut Coercer<'_, '_>, place: &Misfit<'_>) -> Option<Read> {
    let truth = match place.text {
        // As the numbers 0 and 1.
        digit @ ("0" | "1") if is_only_truth(place.call, place.shape) => digit == "1",
        text => words::truth(text, &coercer.own_words(place.call))?,
    };
    let node = coercer.editor.boolean(truth);
    Some((CoercionKind::WordToBoolean, Class::Guess, node))
}

fn quantity(coercer: &mut Coercer<'_, '_>, place: &Misfit<'_>) -> Option<Read> {
    let read = coercer.quantity_in(place)?;
    // `"40 %"` where the maximum is 1: 0.4 is as likely to be meant as 40.
    let is_doubtful = read.is_percentage && is_at_most_one(place.shape);
    if is_doubtful || coercer.options.limits.has_too_many_digits(&read.number) {
        return None;
    }
    let node = match place.wanted.has(Types::NUMBER) {
        true => coercer.editor.number(&read.number)?,
        false => coercer.editor.number(&number::integral(&read.number)?)?,
    };
    Some((read.kind, read.class, node))
}

fn is_at_most_one(shape: &Shape) -> bool {
    let Some(rules) = &shape.number else {
        return false;
    };
    let most = [NumberKeyword::Maximum, NumberKeyword::ExclusiveMaximum];
    let mut bounds = most.iter().filter_map(|keyword| rules.bound(*keyword));
    bounds.any(|bound| bound.text.parse::<f64>().is_ok_and(|most| most <= 1.0))
}
