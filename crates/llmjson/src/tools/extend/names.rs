//! Which declared members undeclared names stand for, as matchers see it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use llmjson_schema::{Found, NameMatch, Path, Step, Undeclared, Violation};
use llmjson_syntax::{Document, NodeId};

use super::super::field::Field;
use super::super::rename::{Renamed, Unsettled};
use super::super::report::Layer;
use super::apply::{Binding, Failures};
use super::places::{Apart, Change, Places};
use super::{Candidate, FieldMatcher};
use crate::policy::Policy;

/// So many pairs of an undeclared name and an open member are looked at in a call; names beyond that
/// stay as they are.
const PAIRS_MAX: usize = 65_536;

/// Misnamed members within misnamed members are followed that deep.
const ROUNDS_MAX: usize = 8;

/// So often some of the new names are taken back, and the others tried again.
const ATTEMPTS_MAX: usize = 3;

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
    let mut scope = None;
    for _ in 0..ROUNDS_MAX {
        let objects = objects(binding, policy, scope.as_ref(), budget);
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
        let renamed = rename(binding, claims, policy);
        if renamed.is_empty() {
            return;
        }
        let places = renamed.iter().map(|one| one.path.clone());
        scope = Some(Apart::of(places.collect()));
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
    /// The members that a matcher could not decide between.
    candidates: Vec<String>,
}

/// An undeclared member that is clear to a matcher.
struct Claim {
    from: Path,
    value: NodeId,
    renamed: Renamed,
}

/// The objects that have undeclared members, which nobody was asked about yet, in the order of the
/// document.
fn objects<'c>(
    binding: &Binding<'c, '_>,
    policy: &Policy,
    scope: Option<&Apart>,
    most: usize,
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
    for violation in violations.iter().filter(of_scope).take(most) {
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
            let (name, candidates) = (name.into(), Vec::new());
            let stray = Stray {
                name,
                value,
                candidates,
            };
            Some((object, stray))
        }
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
                    let renamed = Renamed {
                        path: object.open[field].path().clone(),
                        input: stray.name.clone(),
                        layer,
                        score,
                        runner_up: runner_up
                            .map(|(other, score)| (object.open[other].name(), score)),
                        is_repeated: false,
                    };
                    let value = stray.value;
                    let claim = Claim {
                        from,
                        value,
                        renamed,
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
            self.unsettled.extend(claims.into_iter().map(|claim| {
                let member = claim.renamed.path.steps().pop().map(|step| match step {
                    Step::Member(name) => name.to_string(),
                    step @ Step::Index(_) => step.to_string(),
                });
                Unsettled {
                    path: claim.from,
                    candidates: member.into_iter().collect(),
                    has_rivals: true,
                }
            }));
            return;
        }
        claims.sort_by(|one, other| other.renamed.score.total_cmp(&one.renamed.score));
        for (at, claim) in claims.iter_mut().enumerate() {
            claim.renamed.is_repeated = at > 0;
        }
        self.claims.append(&mut claims);
    }
}

/// What a matcher makes of a name.
enum Answer {
    Nothing,
    /// One member, how well it fits, and the next best.
    One(usize, Layer, f64, Option<(usize, f64)>),
    /// Several fit about as well.
    Several(Vec<usize>),
}

/// Scores that differ by no more are the same.
const ROUNDING: f64 = 1e-9;

impl Answer {
    fn of(
        candidates: Vec<Candidate>,
        open: usize,
        threshold: f64,
        margin: f64,
        layer: Layer,
    ) -> Self {
        let mut ranked: Vec<(usize, f64)> = candidates
            .into_iter()
            .filter(|one| one.field < open && one.score > 0.0)
            .map(|one| (one.field, one.score.min(1.0)))
            .collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let mut seen = HashSet::new();
        ranked.retain(|(field, _)| seen.insert(*field));
        match ranked[..] {
            [(_, score), ..] if score + ROUNDING < threshold => Self::Nothing,
            [] => Self::Nothing,
            [(field, score)] => Self::One(field, layer, score, None),
            [(field, score), next, ..] if score - next.1 + ROUNDING >= margin => {
                Self::One(field, layer, score, Some(next))
            }
            [(_, best), ..] => {
                let near = |(_, score): &&(usize, f64)| best - score + ROUNDING < margin;
                let near = ranked.iter().take_while(near);
                Self::Several(near.map(|(field, _)| *field).collect())
            }
        }
    }
}

fn retain_others<T>(list: &mut Vec<T>, gone: &HashSet<usize>) {
    let mut at = 0..;
    list.retain(|_| at.next().is_some_and(|at| !gone.contains(&at)));
}

/// Gives members the names that matchers found, but for those whose values do not fit there.
fn rename(binding: &mut Binding<'_, '_>, mut claims: Vec<Claim>, policy: &Policy) -> Vec<Renamed> {
    let Some(before) = binding.draft.parsed.document.root().map(|root| root.id()) else {
        return Vec::new();
    };
    let coercions = binding.draft.parsed.coercions.len();
    let violations = binding.draft.parsed.violations.clone();
    for _ in 0..ATTEMPTS_MAX {
        if claims.is_empty() {
            break;
        }
        let document = &mut binding.draft.parsed.document;
        let root = changes(&claims).apply(document, before);
        document.edit().set_root(root);
        binding.fit(policy);
        let parsed = &mut binding.draft.parsed;
        let misfits = misfits(&claims, &violations, &parsed.violations);
        if misfits.is_empty() {
            return claims.into_iter().map(|claim| claim.renamed).collect();
        }
        parsed.document.edit().set_root(before);
        parsed.coercions.truncate(coercions);
        parsed.violations.clone_from(&violations);
        claims.retain(|claim| !misfits.contains(&claim.renamed.path));
    }
    Vec::new()
}

fn changes(claims: &[Claim]) -> Places<Change> {
    let mut places = Places::default();
    for Claim { from, renamed, .. } in claims {
        let change = match (renamed.is_repeated, renamed.path.steps().last()) {
            (false, Some(Step::Member(name))) => Change::Rename(name.to_string()),
            _ => Change::Remove,
        };
        if let Some(place) = places.at(from) {
            *place = Some(change);
        }
    }
    places
}

/// The new places of members that do not fit there: because of what is wrong with them, or with what
/// they are in. What their own members are called, and that some are missing, does not count.
fn misfits(claims: &[Claim], before: &[Violation], after: &[Violation]) -> HashSet<Path> {
    let places = claims.iter().map(|claim| claim.renamed.path.clone());
    let places = Apart::of(places.collect());
    let known = before.iter().map(|one| (&one.path, one.keyword));
    let known: HashSet<_> = known.collect();
    let mut misfits = HashSet::new();
    for violation in after {
        let is_new = || !known.contains(&(&violation.path, violation.keyword));
        match places.around(&violation.path) {
            Some(place) if *place == violation.path || !is_about_names(violation) => {
                misfits.insert(place.clone());
            }
            Some(_) => {}
            None if violation.keyword != "violations_capped" && is_new() => {
                misfits.extend(places.within(&violation.path).cloned());
            }
            None => {}
        }
    }
    misfits
}

fn is_about_names(violation: &Violation) -> bool {
    matches!(
        violation.keyword,
        "additionalProperties" | "unevaluatedProperties" | "required"
    )
}
