//! Objects and arrays one level too deep: `{"name": "search", "arguments": {…}}`.

use std::borrow::Cow;
use std::collections::HashSet;

use llmjson_syntax::{Class, Kind, NewKey, NodeId, ValueRef};

use super::layout::roles::{
    is_call, is_failure, is_label, is_list, is_note_of_list, is_other_thing, is_tool_label,
    is_wrapper,
};
use super::log::Changes;
use super::member_scan::MemberScan;
use super::state::{CONTAINERS, Call, Coercer, Content, Frame, Next, Opened, Opening, Outcome};
use crate::base::embedded::may_hold_json;
use crate::base::report::CoercionKind;
use crate::ir::names::NAME_MAX;
use crate::ir::names::Names;
use crate::ir::names::fold::normal_key;
use crate::ir::shape::{Additional, ObjectRules, ShapeId, Types, Union};
use crate::normal::keyword::is_typing;

/// An envelope that may be opened.
#[derive(Clone, Copy)]
struct Envelope {
    /// The index of the member in the object.
    at: u32,
    content: Content,
    /// `true` if the key is typical of an envelope.
    known: bool,
}

impl<'c> Coercer<'c, '_> {
    /// Takes the expected object out of an undeclared envelope.
    ///
    /// The content must have a declared member. Members next to it are added to the content's
    /// members, except labels of the envelope. Everything stays unchanged if keys clash, if a
    /// declared `name` is next to it, or if declared members next to it are all that is expected.
    /// An object whose only member has another key is opened if its content conforms.
    pub(super) fn open_envelope(
        &mut self,
        call: Call,
        rules: &'c ObjectRules,
        scan: &MemberScan,
    ) -> Option<Opened> {
        let kind = CoercionKind::Envelope;
        if call.has(Call::NO_ENVELOPE) || !self.options.allows(kind) || rules.properties.is_empty()
        {
            return None;
        }
        let declared_name = rules.find("name").is_some_and(|at| scan.present[at]);
        // `{"name": "Ann", "arguments": {…}}` where `name` is declared: the name is data, not a label.
        if declared_name {
            return None;
        }
        let names = rules.names();
        let mut envelope = self.find_envelope(call, names, scan)?;
        let slot = |name: &str| match rules.find(name) {
            Some(slot) => Some(slot),
            None => names.claim(name).map(|claim| claim.slot() as usize),
        };
        // A tool call is an envelope around its arguments' call.
        let is_call = (self.value(call.node).members().nth(envelope.at as usize))
            .is_some_and(|(name, value)| is_call(&name, value));
        let binds = |(name, _): (Cow<'_, str>, ValueRef<'_>)| slot(&name).is_some();
        if is_call && !self.value(envelope.content.node).members().any(binds) {
            envelope = self.open_call(call, envelope)?;
        }
        let content = self.value(envelope.content.node);
        let inner: HashSet<usize> = content
            .members()
            .filter_map(|(name, _)| slot(&name))
            .collect();
        // An envelope within the envelope would be opened the next time; envelopes open once.
        let nested = |name: &str, value| {
            may_hold_object(value) && self.is_wrapper(call.shape, name) && slot(name).is_none()
        };
        let mut members = content.members();
        // `{"data": {"data": {"x": 1}, "y": 2}}`: opened twice in a row, a second coercion would change the
        // value again.
        if envelope.known && members.any(|(name, value)| nested(&name, value)) {
            return None;
        }
        let clash = inner.iter().any(|slot| scan.present[*slot]);
        // `{"data": {"x": 1}, "x": 2}`: if the same member is inside and next to it, taking out the
        // content would lose one.
        if inner.is_empty() || clash {
            return None;
        }
        // A dropped null need not be kept next to the content.
        let is_dropped = |at| scan.is_dropped(at);
        let declares = |name: &str| rules.declares(name);
        let content = self.merge(call.node, envelope, declares, is_dropped)?;
        let valid =
            scan.complete && scan.fitness.conforms && rules.additional != Additional::Forbidden;
        let beside = scan.present.contains(&true);
        if valid && (beside || !envelope.known)
            || !envelope.known && matches!(rules.additional, Additional::Open(_))
        {
            return None;
        }
        // `{"data": {"x": 1}, "y": 2}`: a declared member next to the envelope makes it doubtful.
        let failed = || (self.value(call.node).members()).any(|(name, one)| is_failure(&name, one));
        let class = match envelope.known && !beside && !failed() {
            true => kind.class(),
            false => Class::Guess,
        };
        let changes = self.record_opening(call.node, envelope.content, content, class)?;
        Some(Opened {
            call,
            node: content,
            changes,
            only_conforming: valid || !envelope.known,
        })
    }

    /// Returns the record of an opened envelope, if that is allowed: `node` is the result for its
    /// content.
    fn record_opening(
        &mut self,
        outer: NodeId,
        content: Content,
        node: NodeId,
        class: Class,
    ) -> Option<Changes> {
        let kind = CoercionKind::Envelope;
        if !self.options.allows_as(kind, class) {
            return None;
        }
        let mut changes = self.log.change_as(kind, class, outer, Some(node));
        if let Some((text, kind)) = content.text {
            let read = self.log.change(kind, text, Some(content.node));
            changes = self.log.both(read, changes);
        }
        Some(changes)
    }

    /// Continues with the content of the envelope.
    pub(super) fn read_opened(&mut self, opened: Opened) -> Next {
        let call = Call {
            node: opened.node,
            ..opened.call
        }
        .with(Call::NO_ENVELOPE);
        self.frames.push(Frame::Opened(Box::new(opened)));
        self.own(call)
    }

    pub(super) fn resume_opened(&mut self, opened: &Opened, outcome: Outcome) -> Next {
        if opened.only_conforming && !outcome.conforms {
            return self.own(opened.call.with(Call::NO_ENVELOPE));
        }
        let changes = self.log.both(opened.changes, outcome.changes);
        Next::Done(Outcome { changes, ..outcome })
    }

    /// Returns the only undeclared member with the key of an envelope, or the only member at all.
    fn find_envelope(&mut self, call: Call, names: &Names, scan: &MemberScan) -> Option<Envelope> {
        let mut found: Option<(u32, NodeId)> = None;
        let mut single: Option<(u32, NodeId)> = None;
        let mut alone = true;
        let mut others = scan.others.iter().peekable();
        for (at, (key, value)) in (0u32..).zip(self.value(call.node).members().keyed()) {
            if others.next_if(|(other, _)| *other == at).is_none() {
                alone &= scan.is_dropped(at);
                continue;
            }
            let name = key.decoded();
            let is_label = is_label(&name, value) && !is_call(&name, value);
            if names.claim(&name).is_some() {
                alone = false;
            } else if may_hold_object(value) && self.is_envelope(call.shape, &name, value) {
                // If there are several envelopes, the intended one is unknown.
                // `{"type": "object", "properties": {"x": {"type": "integer"}}}`: the schema was
                // returned, and contains no answer.
                if found.is_some() || (name == "properties" && is_schema(value)) {
                    return None;
                }
                found = Some((at, value.id()));
            // `{"tool": "delete_user", "arguments": {…}}` where the arguments of another tool are
            // expected.
            } else if self.names_other_tool(&name, value) {
                return None;
            } else if !is_label {
                alone &= single.is_none() && !is_other_thing(&name);
                single = Some((at, value.id()));
            }
        }
        let known = found.is_some();
        let (at, content) = found.or(single.filter(|_| alone))?;
        let content = self.content(call, content, Types::OBJECT)?;
        Some(Envelope { at, content, known })
    }

    /// Returns the object or array that a member contains, directly or in a string.
    fn content(&mut self, call: Call, node: NodeId, wanted: Types) -> Option<Content> {
        if wanted == Types::of(self.value(node).kind()) {
            return Some(Content { node, text: None });
        }
        let inside = Call {
            node,
            flags: 0,
            depth: call.depth + 1,
            ..call
        };
        let (read, kind) = self.container_in_text(inside, wanted)?;
        let text = Some((node, kind));
        Some(Content { node: read, text })
    }

    /// Returns the arguments in a tool call: `{"name": "search", "arguments": "…"}`.
    fn open_call(&mut self, call: Call, outer: Envelope) -> Option<Envelope> {
        let inner = outer.content.node;
        let mut members = self.value(inner).members();
        if members.any(|(name, value)| self.names_other_tool(&name, value)) {
            return None;
        }
        let (at, content) = self.only_holder(inner, |name, _| self.is_wrapper(call.shape, name))?;
        let content = self.content(call, content, Types::OBJECT)?;
        let inner = Envelope {
            at,
            content,
            known: true,
        };
        let node = self.merge(outer.content.node, inner, |_| false, |_| false)?;
        let text = content.text.or(outer.content.text);
        let content = Content { node, text };
        Some(Envelope { content, ..outer })
    }

    /// Returns the index and the value of the only member that satisfies a condition and may hold an
    /// object.
    fn only_holder(
        &self,
        node: NodeId,
        is_one: impl Fn(&str, ValueRef<'_>) -> bool,
    ) -> Option<(u32, NodeId)> {
        let members = (0u32..).zip(self.value(node).members());
        let mut found =
            members.filter(|(_, (name, one))| may_hold_object(*one) && is_one(name, *one));
        let (at, (_, one)) = found.next()?;
        found.next().is_none().then(|| (at, one.id()))
    }

    /// Returns `true` if a member next to the arguments names another tool than the one whose
    /// arguments are read. Names with a prefix (`functions.search`) count as equal.
    pub(super) fn names_other_tool(&self, label: &str, value: ValueRef<'_>) -> bool {
        let tools = &self.options.wrappers;
        if tools.is_empty() || !is_tool_label(label) {
            return false;
        }
        let Some(named) = value.as_str().map(|name| normal_key(&name)) else {
            return false;
        };
        let is_same = |tool: &str| {
            let tool = normal_key(tool);
            named.ends_with(&tool) || tool.ends_with(&named)
        };
        !tools.iter().any(|tool| is_same(tool))
    }

    /// Returns `true` if an undeclared member has the key of an envelope.
    fn is_envelope(&self, shape: ShapeId, name: &str, value: ValueRef<'_>) -> bool {
        self.is_wrapper(shape, name) || is_call(name, value)
    }

    /// Returns `true` if a key is typical of an envelope around an object of that shape.
    pub(super) fn is_wrapper(&self, shape: ShapeId, name: &str) -> bool {
        if name.len() > NAME_MAX {
            return false;
        }
        let normal = normal_key(name);
        let is = |known: &str| normal_key(known) == normal;
        let (own, tree) = (self.shapes.get(shape), &self.compiled.tree);
        is_wrapper(&normal)
            || own.name.as_deref().is_some_and(is)
            || (tree.member(own.node, "title"))
                .and_then(|title| tree.text(title))
                .is_some_and(is)
            || self.options.wrappers.iter().any(|known| is(known))
    }

    /// Returns the array in the only member of an object, not counting labels, if an array and not
    /// an object is expected.
    pub(super) fn array_in_envelope(&mut self, call: Call) -> Option<(NodeId, Opening)> {
        let value = self.value(call.node);
        if call.mask.meets(Types::OBJECT) || call.has(Call::NO_ENVELOPE) {
            return None;
        }
        let mut members = value.members().filter(|(_, one)| may_hold_array(*one));
        let (name, only) = members.next()?;
        if members.next().is_some() || is_other_thing(&name) {
            return None;
        }
        // `{"items": […], "count": 2}` gives its length.
        let is_beside = |(name, one): (Cow<'_, str>, ValueRef<'_>)| {
            one.id() == only.id() || is_label(&name, one) || is_note_of_list(&name)
        };
        let is_inside = |(_, one): (Cow<'_, str>, ValueRef<'_>)| {
            one.id() != only.id() && Types::of_value(one).meets(CONTAINERS)
        };
        let is_known = (self.is_wrapper(call.shape, &name) || is_list(&name))
            && !value.members().any(is_inside);
        let class = match (is_known, value.members().all(is_beside)) {
            (true, true) => CoercionKind::Envelope.class(),
            (false, false) => return None,
            _ => Class::Guess,
        };
        if !self.options.allows_as(CoercionKind::Envelope, class) {
            return None;
        }
        let content = only.id();
        drop((name, members));
        let content = self.content(call, content, Types::ARRAY)?;
        Some((content.node, Opening { content, class }))
    }

    /// Records that an array was taken out of its envelope, and returns the outcome.
    pub(super) fn out_of_envelope(
        &mut self,
        outer: NodeId,
        opening: Opening,
        outcome: Outcome,
    ) -> Outcome {
        let Opening { content, class } = opening;
        let Some(opened) = self.record_opening(outer, content, content.node, class) else {
            return outcome;
        };
        let changes = self.log.both(opened, outcome.changes);
        Outcome { changes, ..outcome }
    }

    /// Returns the content with the members next to the envelope, or `None` if keys clash.
    fn merge(
        &mut self,
        outer: NodeId,
        envelope: Envelope,
        declares: impl Fn(&str) -> bool,
        is_dropped: impl Fn(u32) -> bool,
    ) -> Option<NodeId> {
        let content = self.value(envelope.content.node);
        let names: HashSet<_> = content.members().map(|(name, _)| name).collect();
        let mut members: Vec<(NewKey<'_>, NodeId)> = Vec::new();
        let mut beside = false;
        for (at, (key, value)) in (0u32..).zip(self.value(outer).members().keyed()) {
            let name = key.decoded();
            if is_dropped(at) {
                continue;
            }
            if at == envelope.at {
                let inner = content.members().keyed();
                members.extend(inner.map(|(key, value)| (NewKey::Same(key.member()), value.id())));
            } else if declares(&name) || !is_label(&name, value) {
                if names.contains(&name) {
                    return None;
                }
                members.push((NewKey::Same(key.member()), value.id()));
                beside = true;
            }
        }
        drop(names);
        Some(if beside {
            self.editor.object(&members)
        } else {
            envelope.content.node
        })
    }

    /// Unwraps an object whose branch is indicated by a tag inside it.
    ///
    /// The tag must be missing outside, where every branch requires it, so that no branch accepts
    /// the object unchanged. Only labels may be next to the envelope.
    pub(super) fn open_tagged(&mut self, call: Call, union: &Union) -> Option<(NodeId, Changes)> {
        let tag = &union.tag.as_ref()?.property;
        let outer = self.value(call.node);
        if call.flags & (Call::JUDGE | Call::NO_ENVELOPE) != 0
            || !self.options.allows(CoercionKind::Envelope)
            || outer.kind() != Kind::Object
            || outer.get(tag).is_some()
        {
            return None;
        }
        let shapes = self.shapes;
        let branches = || union.branches.iter().map(|branch| shapes.get(*branch));
        let objects = || branches().filter_map(|branch| branch.object.as_deref());
        let requires = |rules: &ObjectRules| rules.requires(tag);
        let mut takers = branches().filter(|branch| branch.types.meets(Types::OBJECT));
        if !takers.all(|branch| branch.object.as_deref().is_some_and(requires)) {
            return None;
        }
        let is_declared = |name: &str| objects().any(|rules| rules.declares(name));
        let (_, found) = self.only_holder(call.node, |name, one| {
            !is_declared(name) && self.is_envelope(call.shape, name, one)
        })?;
        let is_beside = |(name, one): (Cow<'_, str>, ValueRef<'_>)| {
            one.id() == found || !is_declared(&name) && is_label(&name, one)
        };
        if !outer.members().all(is_beside) {
            return None;
        }
        let content = self.content(call, found, Types::OBJECT)?;
        self.value(content.node).get(tag)?;
        let class = CoercionKind::Envelope.class();
        let changes = self.record_opening(call.node, content, content.node, class)?;
        Some((content.node, changes))
    }
}

/// Returns `true` if a value is an object, or a string that may contain one.
pub(super) fn may_hold_object(value: ValueRef<'_>) -> bool {
    match value.kind() {
        Kind::Object => true,
        Kind::String => value.as_str().is_some_and(|text| {
            let text = text.trim_start();
            text.starts_with(['{', '(', '"', '`', '~'])
        }),
        _ => false,
    }
}

/// Returns `true` if a value is an array, or a string that may contain one.
fn may_hold_array(value: ValueRef<'_>) -> bool {
    match value.kind() {
        Kind::Array => true,
        Kind::String => value.as_str().is_some_and(|text| may_hold_json(&text)),
        _ => false,
    }
}

/// Returns `true` if an undeclared member stays unchanged when an envelope next to it is opened,
/// and is not an envelope itself. For a string, this depends on its first character.
pub(crate) fn is_none(name: &str, value: ValueRef<'_>) -> bool {
    let is_text_of_json = || value.as_str().is_some_and(|text| may_hold_json(&text));
    !is_label(name, value) && !may_hold_object(value) && !is_text_of_json()
}

/// Returns `true` if all members of an object look like schemas, without values: then a schema was
/// returned instead of a value.
fn is_schema(properties: ValueRef<'_>) -> bool {
    let is_one = |value: ValueRef<'_>| {
        value.members().any(|(name, _)| is_typing(&name)) && value.get("value").is_none()
    };
    properties.members().next().is_some() && properties.members().all(|(_, value)| is_one(value))
}
