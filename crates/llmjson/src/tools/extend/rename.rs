//! Renaming members, and undoing it where the value does not fit the new name.

use std::collections::HashSet;

use llmjson_schema::{Coercion, Path, Violation};

use super::apply::{Before, Binding};
use super::names::{Claim, How, last_name};
use super::places::{Apart, Change, Places};
use super::values;
use crate::policy::Policy;

/// So often some of the new names are taken back, and the others tried again.
const ATTEMPTS_MAX: usize = 3;

/// Gives members other names, but for those whose values do not fit there.
pub(super) fn rename(
    binding: &mut Binding<'_, '_>,
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
        // A coercer may refuse what stands there.
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

/// What the built-in comparison would have recorded.
fn coercion(claim: &Claim) -> Option<Coercion> {
    let How::Usual(kind) = claim.how else {
        return None;
    };
    Some(Coercion {
        kind,
        class: kind.class(),
        path: claim.to.clone(),
        before: claim.value,
        after: Some(claim.value),
    })
}

fn changes(claims: &[Claim]) -> Places<Change> {
    let mut places = Places::default();
    for claim in claims {
        let change = match (&claim.how, last_name(&claim.to)) {
            (How::Matched(..) | How::Usual(_), Some(name)) => Change::Rename(name),
            _ => Change::Remove,
        };
        if let Some(place) = places.at(&claim.from) {
            *place = Some(change);
        }
    }
    places
}

/// The new places of members that do not fit there: because of what is wrong with them, or with what
/// they are in. Of members that matchers name and that are wrong anyhow, what their own members are
/// called and that some are missing does not count.
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

fn is_about_names(violation: &Violation) -> bool {
    matches!(
        violation.keyword,
        "additionalProperties" | "unevaluatedProperties" | "required"
    )
}
