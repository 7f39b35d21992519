//! Reads a call's arguments with the tool's extensions.

use std::borrow::Cow;

use llmjson_schema::{Coercion, CoercionKind, Path, Violation};
use llmjson_syntax::NodeId;

use super::super::arguments::Form;
use super::super::contract::Contract;
use super::super::draft::BindingDraft;
use super::{names, values};
use llmjson_reply::internal::fit_value;
use llmjson_reply::internal::guarded;
use llmjson_reply::report::{Issue, IssueCode};
use llmjson_reply::{
    Policy,
    policy::{Names, Undeclared},
};

/// Maximum number of panics of extensions in a call. After that, no extension is called.
const FAILURES_MAX: usize = 16;

/// Reads the arguments of a call with the extensions of the tool.
///
/// First coercers and normalizers replace values, and the arguments are coerced and validated again.
/// Then matchers rename the members that are still undeclared. The values of renamed members go through
/// coercers and normalizers, too; a member whose value does not satisfy its new field keeps its name.
pub(crate) fn read<'t>(contract: &Contract, form: Form<'t>, policy: &Policy) -> BindingDraft<'t> {
    let extensions = contract.extensions();
    let (first, others) = match policy.names() {
        Names::Exact => (&[][..], &[][..]),
        _ => (&extensions.first_matchers[..], &extensions.matchers[..]),
    };
    let kept = kept(policy);
    let mut binding = BindState::of(contract, form, policy);
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
    if binding.has_value_extensions() {
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

/// Returns the policy to use until all matchers have been called: undeclared members are not dropped, and
/// missing members get no default.
fn kept(policy: &Policy) -> Cow<'_, Policy> {
    let mut kept = Cow::Borrowed(policy);
    if policy.undeclared() == Undeclared::Drop {
        kept = Cow::Owned(policy.clone().with_undeclared(Undeclared::KeepForbidden));
    }
    if policy.allows_coercion(CoercionKind::Default) {
        kept = Cow::Owned(kept.into_owned().deny_coercion(CoercionKind::Default));
    }
    kept
}

/// The state of binding a call.
pub(super) struct BindState<'c, 't> {
    pub(super) contract: &'c Contract,
    pub(super) draft: BindingDraft<'t>,
    pub(super) failures: Failures,
    /// Paths for whose values coercers and normalizers have been called.
    pub(super) settled: Vec<Path>,
    /// The root of arguments that were passed as a value, not as text.
    given: Option<NodeId>,
}

impl<'c, 't> BindState<'c, 't> {
    fn of(contract: &'c Contract, form: Form<'t>, policy: &Policy) -> Self {
        let given = match &form {
            Form::Value(document) if document.reading_count() <= 1 => document.root(),
            Form::Value(_) | Form::Text(_) => None,
        };
        let given = given.map(|root| root.id());
        Self {
            contract,
            draft: BindingDraft::of(contract.read(form, policy)),
            failures: Failures::default(),
            settled: Vec::new(),
            given,
        }
    }

    /// Discards all changes, then coerces and validates the arguments as parsed.
    fn fit_anew(&mut self, policy: &Policy) {
        let (schema, parsed) = (self.contract.schema(), &mut self.draft.parsed);
        if parsed.document.root().is_none() {
            return;
        }
        if let Some(root) = self.given.or_else(|| parsed.document.root_read()) {
            parsed.document.edit().set_root(root);
            parsed.fit(Some(schema), policy);
            parsed.schema = Some(policy.asks(schema).clone());
        }
    }

    /// Returns `true` if the tool has coercers or normalizers.
    pub(super) fn has_value_extensions(&self) -> bool {
        let extensions = self.contract.extensions();
        !extensions.coercers.is_empty() || !extensions.normalizers.is_empty()
    }

    /// Coerces and validates the arguments again after a change.
    pub(super) fn fit(&mut self, policy: &Policy) {
        let schema = self.contract.schema();
        let parsed = &mut self.draft.parsed;
        if parsed.document.root().is_none() {
            return;
        }
        // Envelopes were removed when the arguments were read.
        let options = policy.coercion().clone().without(CoercionKind::Envelope);
        let (coercions, violations) = fit_value(&mut parsed.document, schema, &options, policy);
        parsed.coercions.extend(coercions);
        parsed.violations = violations;
    }
}

/// A snapshot of a [`BindState`] that can be restored.
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
    /// Takes a snapshot. Returns `None` if the arguments have no value.
    pub(super) fn of(binding: &BindState<'_, '_>) -> Option<Self> {
        let BindState {
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

    pub(super) fn restore(&self, binding: &mut BindState<'_, '_>) {
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

/// The panics of extensions in a call.
#[derive(Default)]
pub(super) struct Failures {
    issues: Vec<Issue>,
}

impl Failures {
    /// Calls an extension for a path. Returns `None` if it panics or too many extensions have panicked.
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
