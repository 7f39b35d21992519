//! The members of an object.

use llmjson_syntax::{Class, NewKey, NodeId};
use smallvec::SmallVec;

use super::envelope::may_hold_object;
use super::log::{Changes, LogStep};
use super::measured::measured;
use super::member_scan::{Instead, MemberScan, Zero};
use super::state::{
    Call, Coercer, Edit, Filled, Fitness, Frame, Next, ObjectFrame, Outcome, Twin, Waiting,
};
use crate::base::report::CoercionKind;
use crate::ir::names::Claim;
use crate::ir::shape::{Additional, ObjectRules, ShapeId, Types};

impl<'c> Coercer<'c, '_> {
    pub(super) fn object(&mut self, call: Call, rules: &'c ObjectRules) -> Next {
        let mut scan = self.scan_members(&call, rules);
        // Undeclared keys about which an object is silent are not expected, so they may be
        // corrected whenever they fit a declared one. If any key is allowed, they may be corrected
        // only if one is missing.
        let open = matches!(rules.additional, Additional::Open(_));
        let welcome = open && scan.complete;
        let rename = !call.has(Call::JUDGE) && !welcome && self.options.reaches(call.depth + 1);
        // `{"add": {"a": 1}}` for `{"name": "add", "arguments": {"a": 1}}`
        if rename
            && !scan.complete
            && let Some(laid) = self.own_tagging(call, rules)
        {
            return self.read_layout(call, laid);
        }
        if rename && !scan.others.is_empty() {
            self.leave_out_thoughts(call, rules, &mut scan);
            if !scan.complete
                && let Some(laid) = self.reply_within(call, Types::OBJECT)
            {
                return self.read_layout(call, laid);
            }
            // `{"data": {"x": 1}}`: before keys are corrected, since the outer ones are not the
            // intended ones.
            if let Some(opened) = self.open_envelope(call, rules, &scan) {
                return self.read_opened(opened);
            }
            // `{"user.name": "Ann"}` for `{"user": {"name": "Ann"}}`
            if let Some(laid) = self.other_members(call, rules, &scan) {
                return self.read_layout(call, laid);
            }
            self.claim(&call, rules, &mut scan);
        }
        // `{"a": "x</a><parameter name=\"b\">y"}` for `{"a": "x", "b": "y"}`
        if let Some(laid) = self.without_markup(call, rules, &scan) {
            return self.read_layout_as(CoercionKind::SplitMarkup, call, laid);
        }
        let undeclared = match rules.additional {
            Additional::Open(shape) => {
                self.look_into_others(&mut scan, shape, &call);
                0
            }
            Additional::Silent => scan.others.len(),
            Additional::Forbidden => {
                scan.fitness.conforms &= scan.others.is_empty();
                scan.others.len()
            }
        };
        let filled = self.fill(&call, rules, &mut scan);
        let changes = Changes::undeclared(undeclared);
        let mut instead = scan.nulls.iter().map(|(.., instead)| instead);
        let dropped = instead
            .clone()
            .filter(|one| matches!(one, Instead::Nothing | Instead::Unsaid))
            .count();
        let gone = dropped + scan.twins.len();
        let count = self.value(call.node).len() - gone + filled.len();
        let conforms = scan.fitness.conforms && scan.complete && rules.takes_count(count);
        let unchanged = scan.nulls.is_empty() && filled.is_empty();
        // Members about which an object is silent are never certain.
        let is_zeroed = instead.any(|one| matches!(one, Instead::Zero(_)));
        let sure = conforms && scan.fitness.sure && undeclared == 0 && !is_zeroed;
        if (scan.waiting.is_empty() && unchanged) || (call.has(Call::JUDGE) && !conforms) {
            return Next::Done(Outcome {
                changes,
                conforms,
                ..Outcome::agreeing(call.node)
            });
        }
        let mut twins = scan.twins;
        twins.sort_by_key(|twin| (twin.of, twin.at));
        let mut frame = ObjectFrame {
            call,
            waiting: scan.waiting,
            edits: SmallVec::new(),
            filled,
            twins,
            fitness: Fitness { conforms, sure },
            changes,
        };
        // `"tag": "a", "tag": "b"` for an array of tags.
        self.join_repeated(call, &mut frame.waiting);
        self.replace_nulls(&mut frame, scan.nulls);
        frame
            .waiting
            .sort_by_key(|waiting| std::cmp::Reverse(waiting.at));
        self.next_member(Box::new(frame))
    }

    /// Removes nulls, or replaces them.
    fn replace_nulls(
        &mut self,
        frame: &mut ObjectFrame,
        nulls: SmallVec<[(u32, NodeId, Instead); 4]>,
    ) {
        for (at, before, instead) in nulls {
            let kind = match instead {
                Instead::Unsaid => CoercionKind::OtherLayout,
                Instead::Nothing | Instead::Zero(_) => CoercionKind::DropNull,
            };
            let node = match instead {
                Instead::Nothing | Instead::Unsaid => None,
                Instead::Zero(zero) => Some(self.zero(zero)),
            };
            // A string that means null is less certain.
            let class = match self.value(before).is_null() {
                true => kind.class(),
                false => Class::Likely,
            };
            let changes = self.log.change_as(kind, class, before, node);
            frame.edits.push(Edit {
                at,
                node,
                renamed: None,
                changes,
            });
        }
    }

    fn zero(&mut self, zero: Zero) -> NodeId {
        match zero {
            Zero::Text => self.editor.string(""),
            Zero::Boolean => self.editor.boolean(false),
            Zero::Number(text) => self.editor.number(text).expect("zero is a number"),
        }
    }

    /// Finds missing declared members among the undeclared ones, under another key: first by
    /// aliases and other spellings, then the rest by parts of keys.
    fn claim(&mut self, call: &Call, rules: &ObjectRules, scan: &mut MemberScan) {
        let names = rules.names();
        let compiled = self.compiled;
        let by_name = [CoercionKind::KeyAlias, CoercionKind::KeySpelling];
        if by_name.iter().any(|kind| self.options.allows(*kind)) {
            self.claim_by(call, rules, scan, |name, _| {
                names
                    .claim(name)
                    .or_else(|| measured(compiled, rules, name))
            });
        }
        if self.options.allows(CoercionKind::DerivedKey) {
            self.claim_by(call, rules, scan, |name, scan| {
                // A key that already matched a property as a whole must not also match another one
                // by a part of the key.
                if names.claim(name).is_some() || measured(compiled, rules, name).is_some() {
                    return None;
                }
                rules.derived(name, |slot| !scan.present[slot as usize])
            });
        }
    }

    /// Assigns undeclared members to missing declared ones, by one method of matching.
    fn claim_by(
        &mut self,
        call: &Call,
        rules: &ObjectRules,
        scan: &mut MemberScan,
        find: impl Fn(&str, &MemberScan) -> Option<Claim>,
    ) {
        if scan.present.iter().all(|present| *present) {
            return;
        }
        let claims = self.claims(call, rules, scan, find);
        let taken = self.settle_rivals(call, rules, scan, &claims);
        let mut index = 0..;
        scan.others.retain(|_| {
            index
                .next()
                .is_none_or(|at| taken.binary_search(&at).is_err())
        });
        scan.complete = scan.has_all(rules);
    }

    /// Returns the undeclared members that may be a missing one under another key, by that member
    /// and by the rank of the evidence: an alias ranks above a spelling.
    fn claims(
        &self,
        call: &Call,
        rules: &ObjectRules,
        scan: &MemberScan,
        find: impl Fn(&str, &MemberScan) -> Option<Claim>,
    ) -> Claims {
        let mut claims = Claims::default();
        let mut others = scan.others.iter().enumerate().peekable();
        for (place, (key, value)) in (0u32..).zip(self.value(call.node).members().keyed()) {
            let Some((index, _)) = others.next_if(|(_, (at, _))| *at == place) else {
                continue;
            };
            let name = key.decoded();
            let Some(claim) = find(&name, scan) else {
                claims.sealed |= may_hold_object(value) && self.is_wrapper(call.shape, &name);
                continue;
            };
            let slot = claim.slot() as usize;
            if !scan.present[slot]
                && self.options.allows(claim_kind(claim))
                && rules.may_be_renamed_to(claim.slot())
            {
                claims.all.push((claim.slot(), index, claim));
            }
        }
        claims
            .all
            .sort_by_key(|(slot, index, claim)| (*slot, claim.rank(), *index));
        claims
    }

    /// Decides between members that may be the same missing one, and returns the indices in
    /// [`MemberScan::others`] of those that found a place, in order. If several have the same rank,
    /// none is chosen, unless it makes no difference: `{"e-mail": "a@b.c", "E_Mail": "a@b.c"}`.
    fn settle_rivals(
        &mut self,
        call: &Call,
        rules: &ObjectRules,
        scan: &mut MemberScan,
        claims: &Claims,
    ) -> SmallVec<[usize; 4]> {
        let mut taken = SmallVec::new();
        let same_rank = |left: &NamedClaim, right: &NamedClaim| {
            left.0 == right.0 && left.2.rank() == right.2.rank()
        };
        let mut closed = None;
        for same in claims.all.chunk_by(same_rank) {
            let (slot, index, claim) = same[0];
            if closed == Some(slot) {
                continue;
            }
            let (at, node) = scan.others[index];
            let rivals = &same[1..];
            let says_the_same = |(_, index, _): &NamedClaim| {
                let (_, other) = scan.others[*index];
                self.value(node) == self.value(other)
            };
            let derived = matches!(claim, Claim::Derived(_));
            // `{"userName": "a", "user_name": "b"}` for `username`: two different candidates, so
            // neither is used.
            if !rivals.is_empty() && (derived || !rivals.iter().all(says_the_same)) {
                closed = Some(slot);
                continue;
            }
            for (_, index, _) in rivals {
                let (twin, node) = scan.others[*index];
                scan.twins.push(Twin {
                    of: at,
                    at: twin,
                    node,
                });
                taken.push(*index);
            }
            taken.push(index);
            let property = &rules.properties[slot as usize];
            let optional = !property.required && !claims.sealed;
            if optional && self.instead_of(call, property, node).is_some() {
                // `{"userEmail": null, "email": "a@b.c"}` for `user_email`: null leaves the place
                // free for a less similar key.
                scan.nulls.push((at, node, Instead::Nothing));
                while let Some(twin) = scan.twins.pop_if(|twin| twin.of == at) {
                    scan.nulls.push((twin.at, twin.node, Instead::Nothing));
                }
            } else {
                closed = Some(slot);
                scan.present[slot as usize] = true;
                scan.waiting.push(Waiting {
                    renamed: Some(claim),
                    ..Waiting::new(at, node, property.shape)
                });
            }
        }
        taken.sort_unstable();
        taken
    }

    fn look_into_others(&mut self, scan: &mut MemberScan, shape: ShapeId, call: &Call) {
        for (at, node) in std::mem::take(&mut scan.others) {
            let verdict = self.quick_verdict(self.value(node), shape, call);
            if scan.fitness.takes_in(verdict) {
                scan.waiting.push(Waiting {
                    kept: self.options.plain_fields,
                    ..Waiting::new(at, node, shape)
                });
            }
        }
    }

    fn next_member(&mut self, frame: Box<ObjectFrame>) -> Next {
        match frame.waiting.last() {
            Some(waiting) => {
                let node = waiting.joined.unwrap_or(waiting.node);
                let mut call = frame.call.inside(node, waiting.shape);
                if waiting.kept {
                    call = call.with(Call::JUDGE);
                }
                self.wait(Frame::Object(frame), call)
            }
            None => Next::Done(self.finish_object(frame)),
        }
    }

    pub(super) fn resume_object(&mut self, mut frame: Box<ObjectFrame>, outcome: Outcome) -> Next {
        let waiting = frame.waiting.pop().expect("a member was asked about");
        if let Some(claim) = waiting.renamed
            && !outcome.conforms
            && self.may_stay(&frame.call, claim, outcome)
        {
            // A member that is still missing, or that is forbidden, remains so.
            frame.fitness.conforms &= self.is_free(&frame.call, claim);
            frame.fitness.sure = false;
            let twins = frame.twins_of(waiting.at).len();
            let kept = Changes::undeclared(1 + twins);
            frame.changes = frame.changes.at_cost_of(kept);
            return self.next_member(frame);
        }
        self.took(&mut frame.fitness, &outcome, waiting.shape);
        if frame.call.has(Call::JUDGE) && !frame.fitness.conforms {
            return Next::Done(Outcome::agreeing(frame.call.node));
        }
        let Waiting {
            at, node, renamed, ..
        } = waiting;
        let mut changes = outcome.changes;
        if waiting.joined.is_some() {
            let kind = CoercionKind::RepeatedKey;
            let change = self.log.change(kind, node, Some(outcome.node));
            changes = self.log.both(change, changes);
        }
        if let Some(claim) = renamed {
            let kind = claim_kind(claim);
            let change = self.log.change(kind, node, Some(node));
            changes = self.log.both(change, changes);
            self.drop_twins(&mut frame, at, kind);
        }
        if changes.is_empty() && outcome.node == node && renamed.is_none() {
            frame.changes = frame.changes.at_cost_of(changes);
        } else {
            let renamed = renamed.map(Claim::slot);
            frame.edits.push(Edit {
                at,
                node: Some(outcome.node),
                renamed,
                changes,
            });
        }
        self.next_member(frame)
    }

    /// Removes the members that repeat a renamed one.
    fn drop_twins(&mut self, frame: &mut ObjectFrame, of: u32, kind: CoercionKind) {
        for place in frame.twins_of(of) {
            let Twin { at, node, .. } = frame.twins[place];
            let changes = self.log.change(kind, node, None);
            frame.edits.push(Edit {
                at,
                node: None,
                renamed: None,
                changes,
            });
        }
    }

    /// Returns `true` if a member that does not conform under the correct key keeps its own key: if
    /// the correct member is optional and its own key is allowed, because the object may be valid
    /// already, and if only a part of its key, and not its value, is evidence for the correction.
    fn may_stay(&self, call: &Call, claim: Claim, outcome: Outcome) -> bool {
        (matches!(claim, Claim::Derived(_)) && !outcome.agrees) || self.is_free(call, claim)
    }

    /// Returns `true` if a member is optional and other members are allowed.
    fn is_free(&self, call: &Call, claim: Claim) -> bool {
        let rules = self.shapes.get(call.shape).object.as_deref();
        rules.is_some_and(|rules| {
            !rules.properties[claim.slot() as usize].required
                && rules.additional != Additional::Forbidden
        })
    }

    /// Rewrites the object if something changed, and records the changes in order.
    fn finish_object(&mut self, frame: Box<ObjectFrame>) -> Outcome {
        let ObjectFrame {
            call,
            mut edits,
            fitness,
            changes,
            filled,
            ..
        } = *frame;
        let mut outcome = Outcome {
            conforms: fitness.conforms,
            changes,
            ..Outcome::fit(call.node)
        };
        if edits.is_empty() && filled.is_empty() {
            return outcome;
        }
        edits.sort_by_key(|edit| edit.at);
        let rules = self.shapes.get(call.shape).object.as_deref();
        let mut edits = edits.into_iter().peekable();
        let object = self.editor.document().node(call.node);
        let mut members = std::mem::take(&mut self.members);
        for (at, (key, value)) in (0u32..).zip(object.members().keyed()) {
            let key = NewKey::Same(key.member());
            let Some(edit) = edits.next_if(|edit| edit.at == at) else {
                members.push((key, value.id()));
                continue;
            };
            let renamed = edit.renamed.zip(rules);
            let key = renamed.map_or(key, |(slot, rules)| {
                NewKey::Text(&rules.properties[slot as usize].name)
            });
            let inner = self.log.below(LogStep::Member(key), edit.changes);
            outcome.changes = self.log.both(outcome.changes, inner);
            members.extend(edit.node.map(|node| (key, node)));
        }
        if let Some(rules) = rules {
            for Filled { slot, node } in filled {
                let key = NewKey::Text(&rules.properties[slot as usize].name);
                members.push((key, node));
                let change = (self.log).change(CoercionKind::Default, call.node, Some(node));
                let inner = self.log.below(LogStep::Member(key), change);
                outcome.changes = self.log.both(outcome.changes, inner);
            }
        }
        outcome.node = self.editor.object(&members);
        members.clear();
        self.members = members;
        if fitness.sure {
            self.settle_parts(outcome.node, call.shape);
        }
        outcome
    }
}

/// A declared member, the undeclared member that claims its place, and the evidence.
type NamedClaim = (u32, usize, Claim);

/// Undeclared members that may be declared ones.
#[derive(Default)]
struct Claims {
    /// Sorted by slot, by rank, and by position in the object.
    all: Vec<NamedClaim>,
    /// `true` if the others include an envelope that was not opened because of the members next to
    /// it: it stays closed.
    sealed: bool,
}

fn claim_kind(claim: Claim) -> CoercionKind {
    match claim {
        Claim::Alias(_) => CoercionKind::KeyAlias,
        Claim::Spelling(_) => CoercionKind::KeySpelling,
        Claim::Derived(_) => CoercionKind::DerivedKey,
    }
}
