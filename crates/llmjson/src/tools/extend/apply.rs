//! How the extensions of a tool take part in binding.

use std::borrow::Cow;

use llmjson_schema::{Coercion, CoercionKind, Path, Violation};
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
    let (first, others) = match policy.names() {
        Names::Exact => (&[][..], &[][..]),
        _ => (&extensions.first_matchers[..], &extensions.matchers[..]),
    };
    let kept = kept(policy);
    let mut binding = Binding::of(contract, form, policy);
    if !first.is_empty() {
        let as_named = kept.clone().into_owned().with_names(Names::Exact);
        binding.fit_anew(&as_named);
        names::bind(&mut binding, first, &as_named);
    }
    match &kept {
        kept if !binding.draft.renamed.is_empty() => binding.fit(kept),
        Cow::Owned(kept) => binding.fit_anew(kept),
        Cow::Borrowed(kept) if !first.is_empty() => binding.fit_anew(kept),
        Cow::Borrowed(_) => {}
    }
    if binding.asks_about_values() {
        values::settle(&mut binding, None, &kept);
        names::bind_usual(&mut binding, &kept);
    }
    names::bind(&mut binding, others, &kept);
    if let Cow::Owned(_) = kept {
        binding.fit(policy);
    }
    if policy.is_all_or_nothing() && !binding.draft.parsed.violations.is_empty() {
        binding.fit_anew(policy);
        binding.draft.renamed.clear();
        binding.draft.changed.clear();
    }
    binding.draft.issues.append(&mut binding.failures.issues);
    binding.draft
}

/// The policy until everybody was asked what undeclared members mean: none is left out, and no default
/// takes the place of one.
fn kept(policy: &Policy) -> Cow<'_, Policy> {
    let mut kept = Cow::Borrowed(policy);
    if policy.undeclared_members() == Unknown::Drop {
        kept = Cow::Owned(policy.clone().with_undeclared(Unknown::KeepForbidden));
    }
    if policy.allows_coercion(CoercionKind::Default) {
        kept = Cow::Owned(kept.into_owned().deny_coercion(CoercionKind::Default));
    }
    kept
}

/// A call that is being bound.
pub(super) struct Binding<'c, 't> {
    pub(super) contract: &'c Contract,
    pub(super) draft: Draft<'t>,
    pub(super) failures: Failures,
    /// The places of which all values were asked about.
    pub(super) settled: Vec<Path>,
    /// The value of the arguments that came as one.
    given: Option<NodeId>,
}

impl<'c, 't> Binding<'c, 't> {
    /// Reads the arguments of a call.
    fn of(contract: &'c Contract, form: Form<'t>, policy: &Policy) -> Self {
        let given = match &form {
            Form::Value(document) if document.reading_count() <= 1 => document.root(),
            Form::Value(_) | Form::Text(_) => None,
        };
        let given = given.map(|root| root.id());
        Self {
            contract,
            draft: Draft::of(contract.read(form, policy)),
            failures: Failures::default(),
            settled: Vec::new(),
            given,
        }
    }

    /// Makes the arguments fit as they were read, whatever was done to them.
    fn fit_anew(&mut self, policy: &Policy) {
        let (schema, parsed) = (self.contract.schema(), &mut self.draft.parsed);
        if parsed.document.root().is_none() {
            return;
        }
        if let Some(root) = self.given.or_else(|| parsed.document.root_read()) {
            parsed.document.edit().set_root(root);
            parsed.fit(Some(schema), policy);
            parsed.schema = Some(schema.clone());
        }
    }

    pub(super) fn asks_about_values(&self) -> bool {
        let extensions = self.contract.extensions();
        !extensions.coercers.is_empty() || !extensions.normalizers.is_empty()
    }

    /// Makes the arguments fit again, as far as they do not.
    pub(super) fn fit(&mut self, policy: &Policy) {
        let schema = self.contract.schema();
        let parsed = &mut self.draft.parsed;
        if parsed.document.root().is_none() {
            return;
        }
        // What stands around the value was looked at when that was read.
        let options = policy.coercion().clone().without(CoercionKind::Envelope);
        let (coercions, violations) = fit_value(&mut parsed.document, schema, &options, policy);
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
    pub(super) issues: usize,
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
