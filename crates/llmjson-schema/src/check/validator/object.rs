//! Going over the members of an object, each once.

use llmjson_syntax::{Key, ValueRef};

use super::{Advance, Children, Goal, PendingCheck, Walker};
use crate::base::undeclared::Undeclared;
use crate::check::patterns::PATTERN;
use crate::check::undeclared::{self, Scope};
use crate::ir::shape::{Additional, ObjectRules, ShapeId};

/// The properties that were found: a word for the first 64, the others apart.
#[derive(Default)]
pub(super) struct Seen {
    first: u64,
    rest: Vec<u64>,
}

impl Seen {
    #[inline]
    fn mark(&mut self, at: usize) {
        if at < 64 {
            self.first |= 1 << at;
            return;
        }
        let word = at / 64 - 1;
        if self.rest.len() <= word {
            self.rest.resize(word + 1, 0);
        }
        self.rest[word] |= 1 << (at % 64);
    }

    #[inline]
    fn has_all(&self, asked: &[u64]) -> bool {
        let Some((first, rest)) = asked.split_first() else {
            return true;
        };
        let mut seen = self.rest.iter().copied().chain(std::iter::repeat(0));
        first & !self.first == 0
            && rest
                .iter()
                .all(|asked| asked & !seen.next().unwrap_or(0) == 0)
    }
}

impl<'s, 'd> Walker<'s, 'd> {
    pub(super) fn members(&mut self, frame: &mut PendingCheck<'s, 'd>) -> Advance<'d> {
        let shape = frame.shape;
        let Some(rules) = &shape.object else {
            return Advance::Done(self.declares_all(frame));
        };
        loop {
            let (value, child) = match frame.pending.pop() {
                Some(waiting) => waiting,
                None => match self.next_member(frame, rules) {
                    Member::Judge(value, child) => (value, child),
                    Member::Free => continue,
                    Member::Unwanted => return Advance::Done(false),
                    Member::None => break,
                },
            };
            let goal = Goal {
                value,
                id: child,
                scope: frame.scope.of_child(),
            };
            match self.enter(goal) {
                Some(true) => {}
                Some(false) => return Advance::Done(false),
                None => return Advance::Down(goal),
            }
        }
        let is_complete = frame.seen.has_all(&self.keywords.plan(frame.id).required)
            && frame.extra == rules.required_undeclared.len();
        Advance::Done(is_complete)
    }

    #[inline]
    fn next_member(&self, frame: &mut PendingCheck<'s, 'd>, rules: &ObjectRules) -> Member<'d> {
        let Children::Members(members) = &mut frame.children else {
            return Member::None;
        };
        let Some((key, value)) = members.next_keyed() else {
            return Member::None;
        };
        let known = find_property(rules, frame.next, key);
        if let Some(at) = known {
            frame.next = at + 1;
            frame.seen.mark(at);
            if rules.patterns.is_empty() {
                return Member::Judge(value, rules.properties[at].shape);
            }
        }
        self.unlisted(
            frame,
            rules,
            key,
            value,
            known.map(|at| rules.properties[at].shape),
        )
    }

    /// A member that is no property, or a property where names also have patterns. What it has to
    /// fit besides waits in `pending`.
    fn unlisted(
        &self,
        frame: &mut PendingCheck<'s, 'd>,
        rules: &ObjectRules,
        key: Key<'d>,
        value: ValueRef<'d>,
        known: Option<ShapeId>,
    ) -> Member<'d> {
        let name = key.decoded();
        let names = &self.keywords.plan(frame.id).names;
        self.charge(PATTERN * rules.patterns.len());
        if self.work.get().is_used_up() {
            return Member::Unwanted;
        }
        let mut fits = known;
        for at in names.matching(self.keywords, &name, &self.work) {
            let (_, shape) = &rules.patterns[at as usize];
            frame
                .pending
                .extend(fits.replace(*shape).map(|shape| (value, shape)));
        }
        if known.is_none() && rules.requires_undeclared(&name) {
            frame.extra += 1;
        }
        match (fits, rules.additional) {
            (Some(shape), _) | (None, Additional::Open(shape)) => Member::Judge(value, shape),
            (None, Additional::Forbidden) => Member::Unwanted,
            (None, Additional::Silent) if self.rejects(frame, &name) => Member::Unwanted,
            (None, Additional::Silent) => Member::Free,
        }
    }

    fn rejects(&self, frame: &PendingCheck<'s, 'd>, name: &str) -> bool {
        self.undeclared == Undeclared::Reject
            && frame.scope == Scope::Own
            && !undeclared::allows(self.shapes, self.keywords, frame.id, name, &self.work)
    }

    /// Returns `true` if the parts of a shape without members of its own together declare every
    /// member.
    fn declares_all(&self, frame: &PendingCheck<'s, 'd>) -> bool {
        frame
            .value
            .members()
            .all(|(name, _)| !self.rejects(frame, &name))
    }
}

/// The requirement on the next member of an object.
enum Member<'d> {
    /// A value that has to fit that shape.
    Judge(ValueRef<'d>, ShapeId),
    /// A value of any form.
    Free,
    /// A member that may not be there.
    Unwanted,
    /// No further member.
    None,
}

/// Returns the index of a name among the properties; `guess` is looked at first.
#[inline]
pub(crate) fn find_property(rules: &ObjectRules, guess: usize, key: Key<'_>) -> Option<usize> {
    if let Some(property) = rules.properties.get(guess)
        && key.is(&property.name)
    {
        return Some(guess);
    }
    if rules.properties.len() <= 8 {
        return rules
            .properties
            .iter()
            .position(|property| key.is(&property.name));
    }
    rules.find(&key.decoded())
}
