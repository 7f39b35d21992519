//! Which declared members undeclared names stand for, as matchers see it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use llmjson_schema::{CoercionKind, Found, Meant, NameMatch, Path, Step, Undeclared, Violation};
use llmjson_syntax::{Document, NodeId};

use super::super::field::Field;
use super::super::rename::{Renamed, Unsettled};
use super::super::report::Layer;
use super::FieldMatcher;
use super::answer::Answer;
use super::apply::{Binding, Failures};
use super::places::{Apart, Places};
use super::rename::rename;
use crate::policy::Policy;

/// So many pairs of an undeclared name and an open member are looked at in a call; names beyond that
/// stay as they are.
const PAIRS_MAX: usize = 65_536;

/// So many undeclared names are looked at at once.
const NAMES_MAX: usize = 16_384;

/// Misnamed members within misnamed members are followed that deep.
const ROUNDS_MAX: usize = 8;

/// Asks matchers about every undeclared name, and gives those that are clear to them other names.
pub(super) fn bind(
    binding: &mut Binding<'_, '_>,
    matchers: &[Arc<dyn FieldMatcher>],
    policy: &Policy,
) {
    if matchers.is_empty() {
        return;
    }
    let mut budget = PAIRS_MAX;
    in_rounds(binding, policy, |binding, objects| {
        let mut round = Round {
            document: &binding.draft.parsed.document,
            failures: &mut binding.failures,
            budget,
            claims: Vec::new(),
            unsettled: Vec::new(),
        };
        for object in objects {
            round.match_object(object, matchers);
        }
        let (claims, unsettled) = (round.claims, round.unsettled);
        budget = round.budget;
        binding.draft.unsettled.extend(unsettled);
        claims
    });
}

/// Gives members the names that they stand for by the built-in comparison, which left them alone
/// because their values did not fit: they may if extensions take part.
pub(super) fn bind_usual(binding: &mut Binding<'_, '_>, policy: &Policy) {
    in_rounds(binding, policy, |_, objects| {
        let mut claims = Vec::new();
        for object in objects {
            let mut of_member: HashMap<&str, u32> = HashMap::new();
            for (_, member) in object
                .strays
                .iter()
                .filter_map(|stray| stray.usual.as_ref())
            {
                *of_member.entry(member).or_default() += 1;
            }
            for stray in &object.strays {
                match &stray.usual {
                    Some((kind, member))
                        if of_member[&**member] == 1 && policy.allows_coercion(*kind) =>
                    {
                        claims.push(Claim {
                            from: object.path.member(&stray.name),
                            to: object.path.member(member),
                            value: stray.value,
                            how: How::Usual(*kind),
                        });
                    }
                    _ => {}
                }
            }
        }
        claims
    });
}

/// Looks at all undeclared members, then at those within what got another name, and so on.
fn in_rounds<'c>(
    binding: &mut Binding<'c, '_>,
    policy: &Policy,
    mut find: impl FnMut(&mut Binding<'c, '_>, Vec<Object<'c>>) -> Vec<Claim>,
) {
    let mut scope = None;
    for _ in 0..ROUNDS_MAX {
        let objects = objects(binding, policy, scope.as_ref());
        if objects.is_empty() {
            return;
        }
        let claims = find(binding, objects);
        let claims = rename(binding, claims, policy);
        if claims.is_empty() {
            return;
        }
        let places = claims.iter().map(|claim| claim.to.clone());
        scope = Some(Apart::of(places.collect()));
        let renamed = claims.into_iter().filter_map(Claim::renamed);
        binding.draft.renamed.extend(renamed);
    }
}

/// An object that has undeclared members.
struct Object<'c> {
    path: Path,
    /// The object's own.
    id: NodeId,
    /// The declared members; as soon as they are asked about, those that have no value yet.
    open: Vec<Field<'c>>,
    strays: Vec<Stray>,
}

/// An undeclared member.
struct Stray {
    name: String,
    value: NodeId,
    /// The only member that it stands for by the built-in comparison, and how.
    usual: Option<(CoercionKind, Box<str>)>,
    /// The members that a matcher could not decide between.
    candidates: Vec<String>,
}

/// An undeclared member, and the one that it stands for.
pub(super) struct Claim {
    pub(super) from: Path,
    pub(super) to: Path,
    pub(super) value: NodeId,
    pub(super) how: How,
}

/// How a member found its name.
pub(super) enum How {
    /// By the built-in comparison.
    Usual(CoercionKind),
    /// By a matcher, with how well it fits, and the next best member.
    Matched(Layer, f64, Option<(String, f64)>),
    /// As another name that says the same, and so stays alone.
    Repeated(Layer, f64, Option<(String, f64)>),
}

impl Claim {
    fn score(&self) -> f64 {
        match self.how {
            How::Usual(_) => 1.0,
            How::Matched(_, score, _) | How::Repeated(_, score, _) => score,
        }
    }

    /// What the report says of it, unless it is one more coercion.
    fn renamed(self) -> Option<Renamed> {
        let is_repeated = matches!(self.how, How::Repeated(..));
        let (How::Matched(layer, score, runner_up) | How::Repeated(layer, score, runner_up)) =
            self.how
        else {
            return None;
        };
        Some(Renamed {
            path: self.to,
            input: last_name(&self.from)?,
            layer,
            score,
            runner_up,
            is_repeated,
        })
    }
}

pub(super) fn last_name(path: &Path) -> Option<String> {
    match path.clone().pop()? {
        Step::Member(name) => Some(name.into()),
        Step::Index(_) => None,
    }
}

/// The objects that have undeclared members, which nobody was asked about yet, in the order of the
/// document.
fn objects<'c>(
    binding: &Binding<'c, '_>,
    policy: &Policy,
    scope: Option<&Apart>,
) -> Vec<Object<'c>> {
    let parsed = &binding.draft.parsed;
    let Some(root) = parsed.document.root() else {
        return Vec::new();
    };
    let looked_for;
    let violations = match policy.undeclared() {
        Undeclared::Reject => &parsed.violations,
        Undeclared::Allow => {
            let schema = binding.contract.schema();
            looked_for = schema.violations(root, Undeclared::Reject);
            &looked_for
        }
    };
    let mut strays: HashMap<Path, Vec<Stray>> = HashMap::new();
    let of_scope = |one: &&Violation| scope.is_none_or(|scope| scope.around(&one.path).is_some());
    for violation in violations.iter().filter(of_scope).take(NAMES_MAX) {
        if let Some((object, stray)) = stray(violation) {
            strays.entry(object).or_default().push(stray);
        }
    }
    let mut places = Places::default();
    for path in strays.keys() {
        if let Some(place) = places.at(path) {
            *place = Some(path.clone());
        }
    }
    let mut objects = Vec::with_capacity(strays.len());
    places.visit(&parsed.document, root.id(), &mut |id, path: &Path| {
        let field = binding.contract.field(path);
        if let (Some(field), Some(strays)) = (field, strays.remove(path)) {
            objects.push((path.clone(), id, field, strays));
        }
    });
    let object = |(path, id, field, strays): (Path, NodeId, Field<'c>, Vec<Stray>)| Object {
        path,
        id,
        open: field.members(),
        strays,
    };
    objects.into_iter().map(object).collect()
}

/// The undeclared member that a violation is about, and its object. Another name for a member that is
/// there means nothing else.
fn stray(violation: &Violation) -> Option<(Path, Stray)> {
    let is_undeclared = matches!(
        violation.keyword,
        "additionalProperties" | "unevaluatedProperties"
    );
    let meant = violation.meant.as_deref();
    let is_taken = meant.is_some_and(|meant| meant.is_taken && meant.by != NameMatch::Nearest);
    let Found::Value(value) = violation.found else {
        return None;
    };
    let mut object = violation.path.clone();
    match object.pop() {
        Some(Step::Member(name)) if is_undeclared && !is_taken => {
            let stray = Stray {
                name: name.into(),
                value,
                usual: meant.and_then(usual),
                candidates: Vec::new(),
            };
            Some((object, stray))
        }
        _ => None,
    }
}

/// The only member that a name stands for by the built-in comparison.
fn usual(meant: &Meant) -> Option<(CoercionKind, Box<str>)> {
    let kind = match meant.by {
        NameMatch::Alias => CoercionKind::KeyAlias,
        NameMatch::Spelling => CoercionKind::KeySpelling,
        NameMatch::Derived => CoercionKind::DerivedKey,
        _ => return None,
    };
    match &meant.members[..] {
        [member] if !meant.is_taken => Some((kind, member.clone())),
        _ => None,
    }
}

/// One look at all undeclared members.
struct Round<'b, 't> {
    document: &'b Document<'t>,
    failures: &'b mut Failures,
    budget: usize,
    claims: Vec<Claim>,
    unsettled: Vec<Unsettled>,
}

impl Round<'_, '_> {
    fn match_object(&mut self, mut object: Object<'_>, matchers: &[Arc<dyn FieldMatcher>]) {
        let members = self.document.value(object.id).members();
        let present: HashSet<_> = members.map(|(name, _)| name).collect();
        let declared: HashSet<_> = object.open.iter().map(Field::name).collect();
        object
            .strays
            .retain(|stray| !declared.contains(&stray.name));
        object
            .open
            .retain(|field| !present.contains(&*field.name()));
        for matcher in matchers {
            self.ask(&mut object, &**matcher);
        }
        for stray in object.strays {
            if !stray.candidates.is_empty() {
                self.unsettled.push(Unsettled {
                    path: object.path.member(&stray.name),
                    candidates: stray.candidates,
                    has_rivals: false,
                });
            }
        }
    }

    /// Asks a matcher about the undeclared members of an object. Those that it decides, and the members
    /// that they stand for, are not asked about again.
    fn ask(&mut self, object: &mut Object<'_>, matcher: &dyn FieldMatcher) {
        let mut claims: BTreeMap<usize, Vec<(usize, Claim)>> = BTreeMap::new();
        for (at, stray) in object.strays.iter_mut().enumerate() {
            let Some(left) = self.budget.checked_sub(object.open.len().max(1)) else {
                break;
            };
            self.budget = left;
            let from = object.path.member(&stray.name);
            match self.answer(matcher, stray, &object.open, &from) {
                Answer::Nothing => {}
                Answer::Several(fields) => {
                    let names = fields.iter().map(|field| object.open[*field].name());
                    stray.candidates = names.collect();
                }
                Answer::One(field, layer, score, runner_up) => {
                    let name = |(other, score): (usize, f64)| (object.open[other].name(), score);
                    let claim = Claim {
                        from,
                        to: object.open[field].path().clone(),
                        value: stray.value,
                        how: How::Matched(layer, score, runner_up.map(name)),
                    };
                    claims.entry(field).or_default().push((at, claim));
                }
            }
        }
        let decided: HashSet<usize> = claims.values().flatten().map(|(at, _)| *at).collect();
        let closed: HashSet<usize> = claims.keys().copied().collect();
        for (_, claims) in claims {
            self.settle(claims.into_iter().map(|(_, claim)| claim).collect());
        }
        retain_others(&mut object.strays, &decided);
        retain_others(&mut object.open, &closed);
    }

    fn answer(
        &mut self,
        matcher: &dyn FieldMatcher,
        stray: &Stray,
        open: &[Field<'_>],
        from: &Path,
    ) -> Answer {
        if open.is_empty() {
            return Answer::Nothing;
        }
        let value = self.document.value(stray.value);
        let extension = || format!("the matcher `{}`", matcher.name());
        let call = || {
            let candidates = matcher.candidates(&stray.name, value, open);
            let (threshold, margin) = (matcher.threshold(), matcher.margin());
            Answer::of(candidates, open.len(), threshold, margin, matcher.layer())
        };
        let answer = self.failures.ask(extension, from, call);
        answer.unwrap_or(Answer::Nothing)
    }

    /// Decides between names for one member: they have to say the same.
    fn settle(&mut self, mut claims: Vec<Claim>) {
        let value = |claim: &Claim| self.document.value(claim.value);
        let [first, others @ ..] = &claims[..] else {
            return;
        };
        let is_same = others.iter().all(|other| value(other) == value(first));
        if !is_same {
            let unsettled = claims.into_iter().map(|claim| Unsettled {
                candidates: last_name(&claim.to).into_iter().collect(),
                path: claim.from,
                has_rivals: true,
            });
            self.unsettled.extend(unsettled);
            return;
        }
        claims.sort_by(|one, other| other.score().total_cmp(&one.score()));
        for (at, mut claim) in claims.into_iter().enumerate() {
            if let How::Matched(layer, score, runner_up) = claim.how {
                claim.how = match at {
                    0 => How::Matched(layer, score, runner_up),
                    _ => How::Repeated(layer, score, runner_up),
                };
            }
            self.claims.push(claim);
        }
    }
}

fn retain_others<T>(list: &mut Vec<T>, gone: &HashSet<usize>) {
    let mut at = 0..;
    list.retain(|_| at.next().is_some_and(|at| !gone.contains(&at)));
}
