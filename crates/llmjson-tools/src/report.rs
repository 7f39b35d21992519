//! The report on a call's arguments: changes, fields, issues.

mod entries;
mod issues;
mod serialize;

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use llmjson_schema::{Annotation, AnnotationPath, Coercion, Failure, FormatNote, Path};
use llmjson_syntax::{Class, Document, Repair};

use super::changed::Changed;
use super::contract::Contract;
use super::draft::BindingDraft;
use super::layer::Layer;
use super::rename::{Renamed, Unsettled};
use llmjson_reply::Parsed;
use llmjson_reply::report::Issue;
use llmjson_syntax::named;

/// The report on a call's arguments: the changes made to bind them, and the remaining problems.
///
/// Serializes as
/// `{"tool", "mode", "ok", "complete", "certainty", "has_repairs", "uncertain", "fields", "issues", "repairs", "warnings"}`,
/// with `"called"` after `"tool"` if the call used another spelling, and without the values hidden
/// by the tool's [redaction](super::Extensions::with_redaction).
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{Contract, FieldStatus, Layer, Tool};
///
/// let schema = r#"{"type": "object", "properties": {
///     "phoneNumber": {"type": "string"}, "priority": {"type": "integer"}
/// }}"#;
/// let contract = Contract::new(Tool::new("call", "Calls."), schema)?;
/// let report = contract.report(r#"{"phone": "1312", "priority": "3", "extra": "x"}"#);
/// assert!(!report.is_ok() && report.has_repairs());
/// let fields = report.fields();
/// assert_eq!((fields[0].layer, fields[0].status), (Some(Layer::DerivedKey), FieldStatus::Repaired));
/// assert_eq!((fields[1].layer, fields[1].status), (Some(Layer::Exact), FieldStatus::Coerced));
/// assert_eq!((fields[2].layer, fields[2].status), (None, FieldStatus::Rejected));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct BindReport {
    contract: Contract,
    /// The name that was called, if it is another spelling of the tool's.
    called: Option<Box<str>>,
    parsed: Parsed<'static>,
    renamed: Vec<Renamed>,
    unsettled: Vec<Unsettled>,
    changed: Vec<Changed>,
    /// Issues other than violations and the policy's refusals.
    others: Vec<Issue>,
    issues: OnceLock<Vec<Issue>>,
}

/// The outcome for one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldStatus {
    /// Bound without a change.
    Bound,
    /// Bound after its name was corrected or an envelope around it was removed.
    Repaired,
    /// Bound after its value was coerced.
    Coerced,
    /// The argument was dropped.
    Ignored,
    /// The argument does not satisfy the contract.
    Rejected,
    /// The key matches several fields.
    Ambiguous,
    /// The field is required but missing.
    Missing,
    /// The field is given twice, and another key matches it better.
    Conflict,
    /// Bound by an opt-in matcher, which may be wrong.
    Uncertain,
}

named!(FieldStatus:
    "bound" => Bound, "repaired" => Repaired, "coerced" => Coerced, "ignored" => Ignored,
    "rejected" => Rejected, "ambiguous" => Ambiguous, "missing" => Missing, "conflict" => Conflict,
    "uncertain" => Uncertain
);

/// The outcome for one member of the arguments.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FieldEntry {
    /// The path of the member in the call; `None` if it was missing there. Paths inside a removed
    /// envelope start at its content.
    pub input_path: Option<Path>,
    /// The path of the member in the bound arguments; `None` if it was dropped.
    pub field_path: Option<Path>,
    /// The rule that matched its key; `None` if no rule did.
    pub layer: Option<Layer>,
    /// The outcome.
    pub status: FieldStatus,
    /// The value before the change, as JSON; `None` if it was not changed.
    pub before: Option<String>,
    /// The value after the change, as JSON; `None` if it was not changed.
    pub after: Option<String>,
    /// Names of the fields that the model may have meant.
    pub candidates: Vec<String>,
    /// Names of the changes: `text_to_number`, `format_normalized`.
    pub changes: Vec<Cow<'static, str>>,
    /// Score of the match, from 0 to 1, if an opt-in matcher decided.
    pub score: Option<f64>,
    /// The second-best field and its score, if an opt-in matcher decided.
    pub runner_up: Option<(String, f64)>,
}

impl BindReport {
    pub(super) fn new(contract: Contract, draft: BindingDraft<'_>) -> Self {
        Self {
            contract,
            called: None,
            parsed: draft.parsed.into_owned(),
            renamed: draft.renamed,
            unsettled: draft.unsettled,
            changed: draft.changed,
            others: draft.issues,
            issues: OnceLock::new(),
        }
    }

    /// Adds issues.
    pub(super) fn with_issues(mut self, issues: Vec<Issue>) -> Self {
        self.others.extend(issues);
        self.issues = OnceLock::new();
        self
    }

    /// Notes that the tool was called by another spelling of its name.
    pub(super) fn with_called(self, name: &str) -> Self {
        let called = Some(name.into());
        Self { called, ..self }
    }

    /// Returns the contract.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.contract
    }

    /// Returns the name in the call, if its spelling differs from the tool's name: see
    /// [`Registry::bind`](super::Registry::bind).
    #[must_use]
    pub fn called(&self) -> Option<&str> {
        self.called.as_deref()
    }

    /// Returns `true` if the arguments satisfy the contract.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.parsed.conforms() && self.others.is_empty()
    }

    /// Returns `true` if the text, keys or values were changed.
    #[must_use]
    pub fn has_repairs(&self) -> bool {
        self.called.is_some()
            || !self.parsed.repairs().is_empty()
            || !self.parsed.coercions().is_empty()
            || !self.renamed.is_empty()
            || !self.changed.is_empty()
    }

    /// Returns `true` if an opt-in matcher, which may be wrong, bound a member.
    #[must_use]
    pub fn is_uncertain(&self) -> bool {
        !self.renamed.is_empty()
    }

    /// Returns `true` if the call was not truncated.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.parsed.is_complete()
    }

    /// Returns how certain it is that the model meant these arguments.
    #[must_use]
    pub fn certainty(&self) -> Class {
        if self.is_uncertain() {
            return Class::Guess;
        }
        let of_name = match self.called {
            None => Class::Certain,
            Some(_) => Class::Likely,
        };
        self.parsed.certainty().max(of_name)
    }

    /// Returns the arguments after coercion, bound or not, with the repairs of their text.
    #[must_use]
    pub fn document(&self) -> &Document<'static> {
        self.parsed.document()
    }

    /// Returns the repairs of the text.
    #[must_use]
    pub fn text_repairs(&self) -> &[Repair] {
        self.parsed.repairs()
    }

    /// Returns the changes made to satisfy the schema.
    #[must_use]
    pub fn coercions(&self) -> &[Coercion] {
        self.parsed.coercions()
    }

    /// Returns a note for each string that matches its format leniently but not strictly.
    #[must_use]
    pub fn format_notes(&self) -> &[FormatNote] {
        self.parsed.format_notes()
    }

    /// Returns the arguments as one line of strict JSON, or `{}` if nothing could be read. Store
    /// this in the conversation instead of the original text: a model repeats a malformed call that
    /// it sees.
    #[must_use]
    pub fn canonical_arguments(&self) -> String {
        self.parsed.to_json().unwrap_or_else(|| "{}".to_owned())
    }

    /// Returns the members whose key or value was changed.
    #[must_use]
    pub fn repairs(&self) -> Vec<FieldEntry> {
        use FieldStatus::{Coerced, Repaired, Uncertain};
        let mut fields = self.fields();
        fields.retain(|field| matches!(field.status, Repaired | Coerced | Uncertain));
        fields
    }

    /// Returns the members that an opt-in matcher bound.
    #[must_use]
    pub fn uncertain(&self) -> Vec<FieldEntry> {
        let mut fields = self.fields();
        fields.retain(|field| field.status == FieldStatus::Uncertain);
        fields
    }

    /// Returns the report as a [`Failure`] for [`stringify`](llmjson_reply::stringify), whether or not the
    /// arguments were bound.
    #[must_use]
    pub fn failure(&self) -> Failure {
        let Parsed {
            document,
            schema,
            violations,
            refused,
            ..
        } = self.parsed.clone();
        let annotations = self.others.iter().map(annotation).collect();
        Failure::new(document, schema.as_ref(), violations)
            .with_refusals(refused)
            .with_annotations(annotations)
            .with_limits(self.contract.policy().limits())
    }
}

fn annotation(issue: &Issue) -> Annotation {
    let place = AnnotationPath::Place(issue.path.clone());
    let expected = match issue.expected.as_str() {
        "" => issue.code.name(),
        expected => expected,
    };
    Annotation::new(place, expected).with_description(issue.message.as_str())
}

impl fmt::Debug for BindReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BindReport")
            .field("tool", &self.contract.name())
            .field("arguments", &self.canonical_arguments())
            .field("issues", &self.issues())
            .finish_non_exhaustive()
    }
}

/// Returns one sentence: the tool, the first issue and the number of others.
impl fmt::Display for BindReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the arguments of {:?}", self.contract.name())?;
        let Some(first) = self.issues().first() else {
            return f.write_str(if self.is_uncertain() {
                " were bound, but uncertainly"
            } else {
                " were bound"
            });
        };
        write!(f, " cannot be used: {} ({})", first.message, first.code)?;
        match self.issues().len() - 1 {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}
