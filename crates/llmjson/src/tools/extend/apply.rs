//! How the extensions of a tool take part in binding.

use std::borrow::Cow;

use llmjson_schema::{Coercion, Path, Violation};
use llmjson_syntax::NodeId;

use super::super::arguments::Form;
use super::super::bind::Draft;
use super::super::contract::Contract;
use super::super::issue::{Issue, IssueCode};
use super::{guarded, names, values};
use crate::fitted::fit_value;
use crate::policy::{Names, Policy, Unknown};

/// So many panics are told of a call; from then on no extension is asked any more.
const FAILURES_MAX: usize = 16;

/// Reads the arguments of a call and lets the extensions of the tool take part.
///
/// Values that a coercer gives and texts that a normalizer writes take the place of what was there, and
/// all is made fit again. Then come the names that nothing is known of yet; of each member that gets
/// another one the same is asked, and it has to fit there.
pub(in crate::tools) fn read<'t>(
    contract: &Contract,
    form: Form<'t>,
    policy: &Policy,
) -> Draft<'t> {
    let extensions = contract.extensions();
    let is_exact = policy.names() == Names::Exact;
    let first = if is_exact {
        &[][..]
    } else {
        &extensions.first_matchers
    };
    let others = if is_exact {
        &[][..]
    } else {
        &extensions.matchers
    };
    // What is undeclared is left out only when everybody was asked what it means.
    let asks = !first.is_empty() || !others.is_empty();
    let kept = match policy.undeclared_members() {
        Unknown::Drop if asks => Cow::Owned(policy.clone().with_undeclared(Unknown::KeepForbidden)),
        _ => Cow::Borrowed(policy),
    };
    let as_named = match first {
        [] => kept.clone(),
        _ => Cow::Owned(kept.clone().into_owned().with_names(Names::Exact)),
    };
    let mut binding = Binding {
        contract,
        draft: Draft::of(contract.read(form, &as_named)),
        failures: Failures::default(),
        settled: Vec::new(),
    };
    if !first.is_empty() {
        names::bind(&mut binding, first, &as_named);
        binding.fit(&kept);
    }
    if binding.asks_about_values() {
        values::settle(&mut binding, None, &kept);
        names::bind_usual(&mut binding, &kept);
    }
    names::bind(&mut binding, others, &kept);
    if let Cow::Owned(_) = kept {
        binding.fit(policy);
    }
    binding.draft.issues.append(&mut binding.failures.issues);
    binding.draft
}

/// A call that is being bound.
pub(super) struct Binding<'c, 't> {
    pub(super) contract: &'c Contract,
    pub(super) draft: Draft<'t>,
    pub(super) failures: Failures,
    /// The places of which all values were asked about.
    pub(super) settled: Vec<Path>,
}

impl Binding<'_, '_> {
    pub(super) fn asks_about_values(&self) -> bool {
        let extensions = self.contract.extensions();
        !extensions.coercers.is_empty() || !extensions.normalizers.is_empty()
    }

    /// Makes the arguments fit again, as far as they do not.
    pub(super) fn fit(&mut self, policy: &Policy) {
        let (schema, options) = (self.contract.schema(), policy.coercion());
        let parsed = &mut self.draft.parsed;
        if parsed.document.root().is_none() {
            return;
        }
        let (coercions, violations) = fit_value(&mut parsed.document, schema, options, policy);
        parsed.coercions.extend(coercions);
        parsed.violations = violations;
    }
}

/// A call as it was before something was tried.
pub(super) struct Before {
    pub(super) root: NodeId,
    pub(super) violations: Vec<Violation>,
    coercions: Vec<Coercion>,
    renamed: usize,
    changed: usize,
    issues: usize,
    failures: usize,
    settled: usize,
}

impl Before {
    /// Nothing where there is no value.
    pub(super) fn of(binding: &Binding<'_, '_>) -> Option<Self> {
        let Binding {
            draft,
            failures,
            settled,
            ..
        } = binding;
        Some(Self {
            root: draft.parsed.document.root()?.id(),
            violations: draft.parsed.violations.clone(),
            coercions: draft.parsed.coercions.clone(),
            renamed: draft.renamed.len(),
            changed: draft.changed.len(),
            issues: draft.issues.len(),
            failures: failures.issues.len(),
            settled: settled.len(),
        })
    }

    pub(super) fn restore(&self, binding: &mut Binding<'_, '_>) {
        let draft = &mut binding.draft;
        draft.parsed.document.edit().set_root(self.root);
        draft.parsed.violations.clone_from(&self.violations);
        draft.parsed.coercions.clone_from(&self.coercions);
        draft.renamed.truncate(self.renamed);
        draft.changed.truncate(self.changed);
        draft.issues.truncate(self.issues);
        binding.failures.issues.truncate(self.failures);
        binding.settled.truncate(self.settled);
    }
}

/// The extensions that panicked.
#[derive(Default)]
pub(super) struct Failures {
    issues: Vec<Issue>,
}

impl Failures {
    /// Asks an extension about a place; `None` if it panics.
    pub(super) fn ask<R>(
        &mut self,
        extension: impl Fn() -> String,
        path: &Path,
        call: impl FnOnce() -> R,
    ) -> Option<R> {
        if self.issues.len() >= FAILURES_MAX {
            return None;
        }
        let panic = match guarded(call) {
            Ok(answer) => return Some(answer),
            Err(panic) => panic,
        };
        let extension = guarded(extension).unwrap_or_else(|_| "an extension".to_owned());
        let message = format!("The tool failed here: {extension} panicked: {panic}.");
        let issue = Issue::new(IssueCode::ExtensionFailed, path.clone(), message);
        self.issues.push(issue);
        None
    }
}
