//! Matches undeclared members to declared fields.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use llmjson_schema::{CoercionKind, Found, Meant, NameMatch, Path, Step, Undeclared, Violation};
use llmjson_syntax::{Document, NodeId};

use super::super::field::Field;
use super::super::layer::Layer;
use super::super::rename::{Renamed, Unsettled};
use super::FieldMatcher;
use super::answer::MatcherAnswer;
use super::apply::{BindState, Failures};
use super::path_map::{Apart, PathMap};
use super::rename::rename;
use llmjson_reply::Policy;

/// Maximum number of pairs of an undeclared member and an open field that matchers compare in a call.
/// Members beyond that keep their names.
const PAIRS_MAX: usize = 65_536;

/// Maximum number of undeclared members in a round. Further ones keep their names.
const NAMES_MAX: usize = 16_384;

/// Maximum number of rounds. Each round matches the undeclared members inside members that the round before
/// renamed, so this bounds the depth of misnamed members inside misnamed members.
const ROUNDS_MAX: usize = 8;

/// Renames the undeclared members that the matchers match with declared fields.
pub(super) fn bind(
    binding: &mut BindState<'_, '_>,
    matchers: &[Arc<dyn FieldMatcher>],
    policy: &Policy,
) {
    if matchers.is_empty() {
        return;
    }
    let mut budget = PAIRS_MAX;
    for_each_round(binding, policy, |binding, objects| {
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

/// Renames the undeclared members that the built-in comparison matches with declared fields, but did not
/// rename because their values did not satisfy the schema: coercers and normalizers may change that.
pub(super) fn bind_usual(binding: &mut BindState<'_, '_>, policy: &Policy) {
    for_each_round(binding, policy, |_, objects| {
        let claims = objects.iter().map(|object| object.usual_claims(policy));
        claims.flatten().collect()
    });
}

/// Finds and renames undeclared members in the arguments, then those inside renamed members, and so on.
fn for_each_round<'c>(
    binding: &mut BindState<'c, '_>,
    policy: &Policy,
    mut find: impl FnMut(&mut BindState<'c, '_>, Vec<Object<'c>>) -> Vec<Claim>,
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
    id: NodeId,
    /// The declared fields; during matching, only fields without a value yet.
    open: Vec<Field<'c>>,
    strays: Vec<Stray>,
}

impl Object<'_> {
    /// Returns a claim for each undeclared member that the built-in comparison matches with a field, unless
    /// another one matches the same field.
    fn usual_claims(&self, policy: &Policy) -> Vec<Claim> {
        let usual = || {
            let strays = self.strays.iter();
            strays.filter_map(|stray| Some((stray, stray.usual.as_ref()?)))
        };
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (_, (_, field)) in usual() {
            *counts.entry(field).or_default() += 1;
        }
        let is_only = |field: &str| counts.get(field) == Some(&1);
        let claims = usual()
            .filter(|(_, (kind, field))| is_only(field) && policy.allows_coercion(*kind))
            .map(|(stray, (kind, field))| Claim {
                from: self.path.member(&stray.name),
                to: self.path.member(field),
                value: stray.value,
                how: How::Usual(*kind),
            });
        claims.collect()
    }
}

/// An undeclared member.
struct Stray {
    name: String,
    value: NodeId,
    /// The only field that the built-in comparison matches, and the kind of the match.
    usual: Option<(CoercionKind, Box<str>)>,
    /// The names of fields whose scores are within the margin of a matcher.
    candidates: Vec<String>,
}

/// An undeclared member to rename, and its new path.
pub(super) struct Claim {
    pub(super) from: Path,
    pub(super) to: Path,
    pub(super) value: NodeId,
    pub(super) how: How,
}

/// The way in which a member was matched with a field.
pub(super) enum How {
    /// A match by the built-in comparison.
    Usual(CoercionKind),
    /// A match by a matcher.
    Matched {
        layer: Layer,
        score: f64,
        runner_up: Option<(String, f64)>,
        /// `true` if another member with an equal value got the name, and this one is removed.
        is_repeated: bool,
    },
}

impl Claim {
    fn score(&self) -> f64 {
        match self.how {
            How::Usual(_) => 1.0,
            How::Matched { score, .. } => score,
        }
    }

    /// Returns the entry for the report, or `None` for a claim that is reported as a coercion.
    fn renamed(self) -> Option<Renamed> {
        let How::Matched {
            layer,
            score,
            runner_up,
            is_repeated,
        } = self.how
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

/// Returns the name of the member that a path points to, or `None` for an array item or the root.
pub(super) fn last_name(path: &Path) -> Option<String> {
    match path.clone().pop()? {
        Step::Member(name) => Some(name.into()),
        Step::Index(_) => None,
    }
}

/// Returns the objects that have undeclared members, in document order; with a scope, only objects
/// whose undeclared members are inside it.
fn objects<'c>(
    binding: &BindState<'c, '_>,
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
        _ => {
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
    let mut places = PathMap::default();
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

/// Returns the undeclared member of a violation and the path of its object. A second name for a
/// field that has a value is not a candidate for renaming.
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

/// Returns the only field that the built-in comparison matches.
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

/// One round of matching undeclared members.
struct Round<'b, 't> {
    document: &'b Document<'t>,
    failures: &'b mut Failures,
    /// The number of pairs that may still be compared in the call: see [`PAIRS_MAX`].
    budget: usize,
    claims: Vec<Claim>,
    unsettled: Vec<Unsettled>,
}

impl Round<'_, '_> {
    fn match_object(&mut self, mut object: Object<'_>, matchers: &[Arc<dyn FieldMatcher>]) {
        let members = self.document.node(object.id).members();
        let present: HashSet<_> = members.map(|(name, _)| name).collect();
        let declared: HashSet<_> = object.open.iter().map(Field::name).collect();
        (object.strays).retain(|stray| !declared.contains(&stray.name));
        (object.open).retain(|field| !present.contains(&*field.name()));
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

    /// Calls a matcher for the undeclared members of an object. Members that it matches, and their fields,
    /// are removed from the lists for further matchers.
    fn ask(&mut self, object: &mut Object<'_>, matcher: &dyn FieldMatcher) {
        let mut claims: BTreeMap<usize, Vec<(usize, Claim)>> = BTreeMap::new();
        for (at, stray) in object.strays.iter_mut().enumerate() {
            let Some(left) = self.budget.checked_sub(object.open.len().max(1)) else {
                break;
            };
            self.budget = left;
            let from = object.path.member(&stray.name);
            match self.answer(matcher, stray, &object.open, &from) {
                MatcherAnswer::Nothing => {}
                MatcherAnswer::Several(fields) => {
                    let names = fields.iter().map(|field| object.open[*field].name());
                    stray.candidates = names.collect();
                }
                MatcherAnswer::One(field, layer, score, runner_up) => {
                    let name = |(other, score): (usize, f64)| (object.open[other].name(), score);
                    let claim = Claim {
                        from,
                        to: object.open[field].path().clone(),
                        value: stray.value,
                        how: How::Matched {
                            layer,
                            score,
                            runner_up: runner_up.map(name),
                            is_repeated: false,
                        },
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
        remove_all(&mut object.strays, &decided);
        remove_all(&mut object.open, &closed);
    }

    fn answer(
        &mut self,
        matcher: &dyn FieldMatcher,
        stray: &Stray,
        open: &[Field<'_>],
        from: &Path,
    ) -> MatcherAnswer {
        if open.is_empty() {
            return MatcherAnswer::Nothing;
        }
        let value = self.document.node(stray.value);
        let extension = || format!("the matcher `{}`", matcher.name());
        let call = || {
            let candidates = matcher.candidates(&stray.name, value, open);
            let (threshold, margin) = (matcher.threshold(), matcher.margin());
            MatcherAnswer::of(candidates, open.len(), threshold, margin, matcher.layer())
        };
        let answer = self.failures.ask(extension, from, call);
        answer.unwrap_or(MatcherAnswer::Nothing)
    }

    /// Settles the claims for one field: their values must be equal. The one with the highest score is
    /// renamed, the others are removed.
    fn settle(&mut self, mut claims: Vec<Claim>) {
        let value = |claim: &Claim| self.document.node(claim.value);
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
            if let How::Matched { is_repeated, .. } = &mut claim.how {
                *is_repeated = at > 0;
            }
            self.claims.push(claim);
        }
    }
}

fn remove_all<T>(list: &mut Vec<T>, indices: &HashSet<usize>) {
    let mut at = 0..;
    list.retain(|_| at.next().is_some_and(|at| !indices.contains(&at)));
}
