//! Renames members, unless the value does not satisfy the schema of the new name.

use std::collections::HashSet;

use llmjson_schema::{Coercion, Path, Violation};

use super::apply::{Before, BindState};
use super::names::{Claim, How, last_name};
use super::path_map::{Apart, MemberChange, PathMap};
use super::values;
use llmjson_reply::Policy;

/// Maximum number of attempts to rename members. Each attempt drops the claims that caused violations in
/// the attempt before; after the last one no member is renamed.
const ATTEMPTS_MAX: usize = 3;

/// Renames members as claimed and returns the claims that were carried out. A claim is dropped if it
/// causes a violation.
pub(super) fn rename(
    binding: &mut BindState<'_, '_>,
    mut claims: Vec<Claim>,
    policy: &Policy,
) -> Vec<Claim> {
    if claims.is_empty() {
        return claims;
    }
    let Some(before) = Before::of(binding) else {
        return Vec::new();
    };
    for _ in 0..ATTEMPTS_MAX {
        let parsed = &mut binding.draft.parsed;
        let root = changes(&claims).apply(&mut parsed.document, before.root);
        parsed.document.edit().set_root(root);
        parsed.coercions.extend(claims.iter().filter_map(coercion));
        binding.fit(policy);
        let places = Apart::of(claims.iter().map(|claim| claim.to.clone()).collect());
        values::settle(binding, Some(&places), policy);
        let draft = &binding.draft;
        let mut misfits = misfits(
            &claims,
            &places,
            &before.violations,
            &draft.parsed.violations,
        );
        // A coercer may refuse the value under its new name.
        let refused = draft.issues[before.issues..].iter();
        misfits.extend(refused.filter_map(|issue| places.around(&issue.path).cloned()));
        if misfits.is_empty() {
            return claims;
        }
        before.restore(binding);
        claims.retain(|claim| !misfits.contains(&claim.to));
        if claims.is_empty() {
            break;
        }
    }
    Vec::new()
}

/// Returns the coercion that the built-in comparison records for its own claim.
fn coercion(claim: &Claim) -> Option<Coercion> {
    let How::Usual(kind) = claim.how else {
        return None;
    };
    let value = claim.value;
    Some(Coercion::new(kind, claim.to.clone(), value, Some(value)))
}

/// Returns the changes that carry out the claims. A repeated member is removed.
fn changes(claims: &[Claim]) -> PathMap<MemberChange> {
    let mut places = PathMap::default();
    for claim in claims {
        let change = match (&claim.how, last_name(&claim.to)) {
            (How::Matched { is_repeated, .. }, _) if *is_repeated => MemberChange::Remove,
            (_, Some(name)) => MemberChange::Rename(name),
            (_, None) => MemberChange::Remove,
        };
        if let Some(place) = places.at(&claim.from) {
            *place = Some(change);
        }
    }
    places
}

/// Returns the new paths of the claims that caused violations, in the member or in a container of it.
///
/// If a member that a matcher renamed was already invalid under its old name, unknown and missing
/// members inside it do not count: a later round may rename them.
fn misfits(
    claims: &[Claim],
    places: &Apart,
    before: &[Violation],
    after: &[Violation],
) -> HashSet<Path> {
    let known = before.iter().map(|one| (&one.path, one.keyword));
    let known: HashSet<_> = known.collect();
    let wrong: HashSet<_> = before.iter().map(|one| &one.path).collect();
    let is_guessed = |claim: &&Claim| !matches!(claim.how, How::Usual(_));
    let wrong = (claims.iter()).filter(|claim| is_guessed(claim) && wrong.contains(&claim.from));
    let wrong: HashSet<_> = wrong.map(|claim| &claim.to).collect();
    let mut misfits = HashSet::new();
    for violation in after {
        let is_new = || !known.contains(&(&violation.path, violation.keyword));
        let is_tolerable = |place: &Path| {
            *place != violation.path && is_about_names(violation) && wrong.contains(place)
        };
        match places.around(&violation.path) {
            Some(place) if is_tolerable(place) => {}
            Some(place) => {
                misfits.insert(place.clone());
            }
            None if violation.keyword != "violations_capped" && is_new() => {
                misfits.extend(places.within(&violation.path).cloned());
            }
            None => {}
        }
    }
    misfits
}

/// Returns `true` if renaming members may remove a violation.
fn is_about_names(violation: &Violation) -> bool {
    matches!(
        violation.keyword,
        "additionalProperties" | "unevaluatedProperties" | "required"
    )
}
