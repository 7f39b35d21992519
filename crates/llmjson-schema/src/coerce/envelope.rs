//! Objects that stand one level too deep: `{"name": "search", "arguments": {…}}`.

use std::collections::HashSet;

use llmjson_syntax::{Kind, NewKey, NodeId, ValueRef};

use super::log::{Cost, LogId};
use super::name::Names;
use super::survey::Survey;
use super::walk::{Call, Coercer, Frame, Next, Outcome};
use crate::report::CoercionKind;
use crate::shape::{Additional, ObjectRules, Types};

/// Names under which the object asked for may stand.
const WRAPPERS: &[&str] = &["arguments", "parameters", "input", "properties"];

/// Names that describe an envelope; they go with it.
const LABELS: &[&str] = &[
    "name",
    "type",
    "id",
    "call_id",
    "tool_call_id",
    "tool",
    "tool_name",
    "toolName",
    "function",
    "function_name",
    "recipient",
    "required",
    "additionalProperties",
    "$schema",
    "title",
    "description",
];

/// What was in an envelope.
pub(super) struct Opened {
    /// What was asked about the object as it was.
    call: Call,
    node: NodeId,
    log: LogId,
    cost: Cost,
    /// Whether the object as it was may be valid, so that it is opened only for something that
    /// conforms.
    valid: bool,
}

/// An envelope that may be opened.
struct Envelope {
    /// Which member of the object it is.
    at: u32,
    content: NodeId,
    /// How the content was read if it is a string.
    text: Option<(NodeId, CoercionKind)>,
}

impl<'c> Coercer<'c, '_> {
    /// Takes the object asked for out of an envelope that nobody declared.
    ///
    /// The content has to hold a declared member. Members beside it stay beside those of the
    /// content, but for labels of the envelope; where names clash or a declared `name` stands
    /// beside it, all is left as it is.
    pub(super) fn open_envelope(
        &mut self,
        call: Call,
        rules: &'c ObjectRules,
        survey: &Survey,
    ) -> Option<Opened> {
        let kind = CoercionKind::Envelope;
        if call.has(Call::NO_ENVELOPE) || !self.options.allows(kind) || rules.properties.is_empty()
        {
            return None;
        }
        let declared_name = rules.find("name").is_some_and(|at| survey.present[at]);
        if declared_name {
            return None;
        }
        let names = self.names_of(call.shape, rules);
        let envelope = self.find_envelope(call, &names, survey)?;
        let slot = |name: &str| match rules.find(name) {
            Some(slot) => Some(slot),
            None => names.claim(name).map(|claim| claim.slot() as usize),
        };
        let content = self.value(envelope.content);
        let inner: HashSet<usize> = content
            .members()
            .filter_map(|(name, _)| slot(&name))
            .collect();
        // An envelope within the envelope would be opened the next time; envelopes open once.
        let nested = |name: &str| self.is_wrapper(name) && slot(name).is_none();
        if content.members().any(|(name, _)| nested(&name)) {
            return None;
        }
        let clash = inner.iter().any(|slot| survey.present[*slot]);
        if inner.is_empty() || clash {
            return None;
        }
        let node = self.merge(call.node, &envelope, rules, survey)?;
        let mut log = self.log.change(kind, call.node, Some(node));
        let mut cost = Cost::of(kind.class());
        if let Some((text, kind)) = envelope.text {
            let read = self.log.change(kind, text, Some(envelope.content));
            log = self.log.both(read, log);
            cost = cost.plus(Cost::of(kind.class()));
        }
        let valid = survey.complete && survey.fits && rules.additional != Additional::Forbidden;
        Some(Opened {
            call,
            node,
            log,
            cost,
            valid,
        })
    }

    /// Goes on with what was in the envelope.
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
        if opened.valid && !outcome.conforms {
            return self.own(opened.call.with(Call::NO_ENVELOPE));
        }
        let log = self.log.both(opened.log, outcome.log);
        Next::Done(Outcome {
            log,
            cost: outcome.cost.plus(opened.cost),
            ..outcome
        })
    }

    /// The only undeclared member with the name of an envelope.
    fn find_envelope(&mut self, call: Call, names: &Names, survey: &Survey) -> Option<Envelope> {
        let mut found: Option<(u32, NodeId)> = None;
        let mut others = survey.others.iter().peekable();
        for (at, (key, value)) in (0u32..).zip(self.value(call.node).members().keyed()) {
            if others.next_if(|(other, _)| *other == at).is_none() {
                continue;
            }
            let name = key.decoded();
            if self.is_wrapper(&name) && names.claim(&name).is_none() {
                // Of several envelopes nobody knows which one was meant.
                if found.is_some() || !matches!(value.kind(), Kind::Object | Kind::String) {
                    return None;
                }
                if name == "properties" && is_schema(value) {
                    return None;
                }
                found = Some((at, value.id()));
            }
        }
        let (at, content) = found?;
        if self.value(content).kind() == Kind::Object {
            return Some(Envelope {
                at,
                content,
                text: None,
            });
        }
        let inside = Call {
            node: content,
            flags: 0,
            depth: call.depth + 1,
            ..call
        };
        let (read, kind) = self.container_in_text(inside, Types::OBJECT)?;
        Some(Envelope {
            at,
            content: read,
            text: Some((content, kind)),
        })
    }

    pub(super) fn is_wrapper(&self, name: &str) -> bool {
        WRAPPERS.contains(&name) || self.options.wrappers.iter().any(|known| **known == *name)
    }

    /// The content with what stood beside the envelope; `None` where names clash.
    fn merge(
        &mut self,
        outer: NodeId,
        envelope: &Envelope,
        rules: &ObjectRules,
        survey: &Survey,
    ) -> Option<NodeId> {
        let content = self.value(envelope.content);
        let names: HashSet<_> = content.members().map(|(name, _)| name).collect();
        let mut members: Vec<(NewKey<'_>, NodeId)> = Vec::new();
        let mut beside = false;
        for (at, (key, value)) in (0u32..).zip(self.value(outer).members().keyed()) {
            let name = key.decoded();
            if survey.is_dropped(at) {
                continue;
            }
            if at == envelope.at {
                let inner = content.members().keyed();
                members.extend(inner.map(|(key, value)| (NewKey::Same(key.member()), value.id())));
            } else if rules.declares(&name) || !LABELS.contains(&&*name) {
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
            envelope.content
        })
    }
}

/// Whether all that is in an object looks like schemas: then a schema came back, not a value.
fn is_schema(properties: ValueRef<'_>) -> bool {
    let is_one = |value: ValueRef<'_>| {
        ["type", "$ref", "anyOf", "oneOf", "enum"]
            .iter()
            .any(|keyword| value.get(keyword).is_some())
    };
    properties.members().next().is_some() && properties.members().all(|(_, value)| is_one(value))
}
