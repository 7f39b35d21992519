//! Iterates over the members of an object, each once.

use llmjson_syntax::{Key, ValueRef};

use super::{Advance, Children, Frame, Goal, Sink};
use crate::base::undeclared::Undeclared;
use crate::check::patterns::PATTERN;
use crate::check::undeclared::{self, Scope};
use crate::ir::shape::{Additional, ObjectRules};

/// The properties found so far, a bit for each.
#[derive(Default)]
pub(crate) struct Seen {
    first: u64,
    /// The bits after the first 64.
    more: Vec<u64>,
}

impl Seen {
    #[inline]
    pub(crate) fn mark(&mut self, at: usize) {
        match at.checked_sub(64) {
            None => self.first |= 1 << at,
            Some(at) => self.mark_more(at),
        }
    }

    #[cold]
    fn mark_more(&mut self, at: usize) {
        if self.more.len() <= at / 64 {
            self.more.resize(at / 64 + 1, 0);
        }
        self.more[at / 64] |= 1 << (at % 64);
    }

    fn words(&self) -> impl Iterator<Item = u64> {
        let more = self.more.iter().copied().chain(std::iter::repeat(0));
        std::iter::once(self.first).chain(more)
    }

    /// Returns `true` if the property at that place was found.
    pub(crate) fn has(&self, at: usize) -> bool {
        let word = self.words().nth(at / 64).unwrap_or(0);
        word & 1 << (at % 64) != 0
    }

    #[inline]
    fn has_all(&self, asked: &[u64]) -> bool {
        match asked {
            [] => true,
            [only] => only & !self.first == 0,
            many => (many.iter().zip(self.words())).all(|(asked, seen)| asked & !seen == 0),
        }
    }
}

/// The requirement on the next member of an object.
enum Member<'d> {
    /// A value that must fit a shape.
    Judge(Goal<'d>),
    /// A value of any form.
    Free,
    /// A forbidden member.
    Unwanted(Key<'d>, ValueRef<'d>),
    /// No further member.
    None,
}

pub(super) fn members<'s, 'd, S: Sink<'s, 'd>>(
    sink: &mut S,
    frame: &mut Frame<'s, 'd, S::Note>,
) -> Advance<'d> {
    loop {
        let goal = match frame.pending.pop() {
            Some(waiting) => waiting,
            None => match next_member(sink, frame) {
                Member::Judge(goal) => goal,
                Member::Free => continue,
                Member::Unwanted(key, value) => match sink.unwanted(frame, key, value) {
                    Some(advance) => return advance,
                    None => continue,
                },
                Member::None => break,
            },
        };
        match sink.enter(goal) {
            Some(true) => {}
            Some(false) => return Advance::Done(false),
            None => return Advance::Down(goal),
        }
    }
    if sink.gives_up() {
        return Advance::Done(false);
    }
    let Some(rules) = &frame.shape.object else {
        return Advance::Done(true);
    };
    let required = &sink.judge().keywords.plan(frame.goal.id).required;
    match frame.seen.has_all(required) && frame.extra == rules.required_undeclared.len() {
        true => Advance::Done(true),
        false => sink.lacks(frame),
    }
}

#[inline]
fn next_member<'s, 'd, S: Sink<'s, 'd>>(
    sink: &S,
    frame: &mut Frame<'s, 'd, S::Note>,
) -> Member<'d> {
    let Children::Members(members) = &mut frame.children else {
        return Member::None;
    };
    let Some((key, value)) = members.next_keyed() else {
        return Member::None;
    };
    frame.key = Some(key);
    let is_settled = frame.settled.has(value.id());
    let Some(rules) = &frame.shape.object else {
        // The parts of a shape without its own members declare them together.
        return match rejects(sink, frame, &key.decoded()) {
            true => Member::Unwanted(key, value),
            false => Member::Free,
        };
    };
    let known = find_property(rules, frame.next, key).map(|at| {
        frame.next = at + 1;
        frame.seen.mark(at);
        let property = &rules.properties[at];
        let goal = frame.goal.child(value, property.shape);
        Goal {
            is_optional: !property.required,
            ..goal
        }
    });
    match known {
        Some(_) if is_settled => Member::Free,
        Some(goal) if rules.patterns.is_empty() => Member::Judge(goal),
        known => unlisted(sink, frame, rules, (key, value), known),
    }
}

/// A member that is not a property, or a property whose key also has patterns. Its requirements
/// wait in `pending`.
fn unlisted<'s, 'd, S: Sink<'s, 'd>>(
    sink: &S,
    frame: &mut Frame<'s, 'd, S::Note>,
    rules: &ObjectRules,
    (key, value): (Key<'d>, ValueRef<'d>),
    known: Option<Goal<'d>>,
) -> Member<'d> {
    let name = key.decoded();
    if known.is_none() && rules.requires_undeclared(&name) {
        frame.extra += 1;
    }
    if !rules.patterns.is_empty() {
        let judge = sink.judge();
        judge.charge(PATTERN * rules.patterns.len());
        if judge.is_spent() {
            return Member::None;
        }
        let names = &judge.keywords.plan(frame.goal.id).names;
        for at in names.matching(judge.keywords, &name, &judge.work) {
            let (_, shape) = &rules.patterns[at as usize];
            (frame.pending).push(frame.goal.child(value, *shape));
        }
        // The declared shape first, then the patterns in the order of the schema: so violations are
        // in written order.
        frame.pending.reverse();
        frame.pending.extend(known);
        if let Some(goal) = frame.pending.pop() {
            return Member::Judge(goal);
        }
    }
    match rules.additional {
        Additional::Open(shape) => Member::Judge(frame.goal.child(value, shape)),
        Additional::Forbidden => Member::Unwanted(key, value),
        Additional::Silent if rejects(sink, frame, &name) => Member::Unwanted(key, value),
        Additional::Silent => Member::Free,
    }
}

fn rejects<'s, 'd, S: Sink<'s, 'd>>(sink: &S, frame: &Frame<'s, 'd, S::Note>, name: &str) -> bool {
    let judge = sink.judge();
    judge.undeclared == Undeclared::Reject
        && frame.goal.scope == Scope::Own
        && !undeclared::allows(
            judge.shapes,
            judge.keywords,
            frame.goal.id,
            name,
            &judge.work,
        )
}

/// Returns the properties that an object has.
pub(crate) fn present(rules: &ObjectRules, object: ValueRef<'_>) -> Seen {
    let (mut seen, mut next) = (Seen::default(), 0);
    for (key, _) in object.members().keyed() {
        if let Some(at) = find_property(rules, next, key) {
            seen.mark(at);
            next = at + 1;
        }
    }
    seen
}

/// Returns the index of a key among the properties; `guess` is compared first.
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
