//! Values wrapped in an object with metadata about them, and reasoning next to an answer.

use llmjson_syntax::{Class, NodeId, ValueRef};

use super::roles::{is_note, is_thought, is_value};
use crate::base::fold::is_in;
use crate::base::report::CoercionKind;
use crate::base::tokens::{Token, sort, tokens};
use crate::coerce::member_scan::{Instead, MemberScan};
use crate::coerce::state::{CONTAINERS, Call, Coercer, Laid};
use crate::ir::shape::{Additional, ObjectRules, Types};
use crate::normal::keyword::{TYPES, is_keyword};

/// Maximum number of members of an object that wraps a value.
const MEMBERS_MAX: usize = 16;

impl Coercer<'_, '_> {
    /// `{"value": x, "confidence": 0.9}` and `{"type": "…", "value": x}` around a scalar or a list.
    pub(super) fn value_in_object(&self, call: Call) -> Option<Laid> {
        if call.mask.meets(Types::OBJECT) {
            return None;
        }
        let value = self.value(call.node);
        let own_name = self.editor.document().name_read(call.node);
        let inner = held_value(value, &own_name)?;
        let found = Types::of_value(inner);
        // A bare array is in an envelope.
        if found == Types::ARRAY && (value.len() < 2 || value.get("value").is_none()) {
            return None;
        }
        let is_wanted = match found.meets(CONTAINERS.or(Types::NULL)) {
            true => call.mask.meets(found),
            false => !call.mask.meets(CONTAINERS),
        };
        is_wanted.then(|| (inner.id(), class_beside(value, inner)))
    }

    /// Drops reasoning before the answer where an object allows no other members than its own.
    pub(in crate::coerce) fn leave_out_thoughts(
        &mut self,
        call: Call,
        rules: &ObjectRules,
        scan: &mut MemberScan,
    ) {
        let kind = CoercionKind::OtherLayout;
        let is_open = rules.additional != Additional::Forbidden;
        if is_open || self.options.plain_fields || !self.options.allows(kind) {
            return;
        }
        // `{"thinking": "…"}` may be a missing `reasoning` that is declared.
        let mut missing = (rules.properties.iter().zip(&scan.present))
            .filter(|(property, is_there)| !**is_there && is_thought(&property.name));
        if missing.next().is_some() {
            return;
        }
        let mut thoughts: Vec<(u32, NodeId)> = Vec::new();
        let mut others = scan.others.iter().peekable();
        for (at, (name, value)) in (0u32..).zip(self.value(call.node).members()) {
            let is_other = others.next_if(|(other, _)| *other == at).is_some();
            if is_other && is_thought(&name) && rules.names().claim(&name).is_none() {
                thoughts.push((at, value.id()));
            }
        }
        if thoughts.is_empty() {
            return;
        }
        // Both are in the order of the members.
        let is_thought =
            |other: &(u32, NodeId)| thoughts.binary_search_by_key(&other.0, |one| one.0).is_ok();
        scan.others.retain(|other| !is_thought(other));
        let gone = thoughts.into_iter();
        scan.nulls
            .extend(gone.map(|(at, node)| (at, node, Instead::Unsaid)));
        scan.nulls.sort_by_key(|(at, ..)| *at);
    }
}

/// Returns the class of unwrapping a value from an object: less certain if a neighboring note
/// retracts it, `"note": "actually 35"`.
fn class_beside(object: ValueRef<'_>, held: ValueRef<'_>) -> Class {
    let mut others = object.members().filter(|(_, one)| one.id() != held.id());
    let corrects = others.any(|(_, one)| one.as_str().is_some_and(|text| corrects(&text)));
    if corrects {
        Class::Guess
    } else {
        Class::Likely
    }
}

/// Returns `true` if a string says that something else is right.
fn corrects(text: &str) -> bool {
    const WORDS: &str = "actually corrected correction incorrect instead mistake mistaken outdated rather \
        revised should typo wait wrong";
    let corrects = |word: &Token<'_>| is_in(WORDS, &word.text);
    text.len() <= NOTE_BYTES_MAX && tokens(text, sort).iter().any(corrects)
}

/// Maximum length of a note; a longer string is a separate text.
const NOTE_BYTES_MAX: usize = 512;

/// Returns the value that an object represents according to its keys: one member holds the value,
/// possibly under the object's own key, and the others describe it.
fn held_value<'d>(object: ValueRef<'d>, own_name: &str) -> Option<ValueRef<'d>> {
    if object.len() > MEMBERS_MAX {
        return None;
    }
    // `{"type": "array", "items": {"type": "string"}, "value": ["a"]}`: the schema of the place,
    // filled in.
    let type_ = object.get("type").and_then(|type_| type_.as_str());
    let is_schema = type_.is_some_and(|type_| TYPES.contains(&&*type_));
    let own = object.get("value");
    let mut held = None;
    for (name, value) in object.members() {
        let is_own = own.is_some_and(|own| own.id() == value.id());
        let is_named = || is_value(&name) || *name == *own_name && !own_name.is_empty();
        let is_held = is_own || own.is_none() && is_named();
        if is_held && held.is_none() {
            held = Some(value);
        } else if !(is_note(&name) || is_schema && is_keyword(&name)) {
            return None;
        }
    }
    held.filter(|_| !is_schema || own.is_some() || object.len() > 1)
}
