//! What was done to bind the arguments of a call, and what is wrong with them.

mod entries;
mod findings;
mod written;

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use llmjson_schema::{Coercion, Failure, Path, Remark, RemarkPath};
use llmjson_syntax::{Class, Document, Repair};

pub(super) use findings::received;

use super::bind::Draft;
use super::changed::Changed;
use super::contract::Contract;
use super::issue::Issue;
use super::rename::{Renamed, Unsettled};
use crate::reply::Parsed;

/// All that was done to bind the arguments of a call, and all that is wrong with them.
///
/// Serializes as `{"tool", "mode", "ok", "complete", "certainty", "has_repairs", "uncertain", "fields",
/// "issues", "repairs", "warnings"}`; what the tool's [redaction](super::Extensions::with_redaction)
/// names is left out of it.
///
/// ```
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
    parsed: Parsed<'static>,
    renamed: Vec<Renamed>,
    unsettled: Vec<Unsettled>,
    changed: Vec<Changed>,
    /// What is wrong besides the violations and what the policy refuses.
    others: Vec<Issue>,
    issues: OnceLock<Vec<Issue>>,
}

/// How a member found its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// By its name as it is.
    Exact,
    /// By a declared alias.
    Alias,
    /// By its name without case and separators.
    Normalized,
    /// By the first or last words of the name.
    DerivedKey,
    /// By a name of which few letters differ.
    Fuzzy,
    /// By a name of the same meaning.
    Semantic,
    /// By what its value looks like.
    Contextual,
    /// By a matcher of the caller's.
    Custom,
    /// Not at all: the name is not declared, and the member was left out.
    IgnoredField,
    /// It was not given; the default stands there.
    Default,
}

impl Layer {
    /// Every layer there is.
    pub const ALL: &'static [Self] = &[
        Self::Exact,
        Self::Alias,
        Self::Normalized,
        Self::DerivedKey,
        Self::Fuzzy,
        Self::Semantic,
        Self::Contextual,
        Self::Custom,
        Self::IgnoredField,
        Self::Default,
    ];

    /// The stable snake_case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Alias => "alias",
            Self::Normalized => "normalized",
            Self::DerivedKey => "derived_key",
            Self::Fuzzy => "fuzzy",
            Self::Semantic => "semantic",
            Self::Contextual => "contextual",
            Self::Custom => "custom",
            Self::IgnoredField => "ignored_field",
            Self::Default => "default",
        }
    }
}

/// What became of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldStatus {
    /// It is as it was given.
    Bound,
    /// Its name, or what stood around it, was put right.
    Repaired,
    /// Its value was put right.
    Coerced,
    /// It was left out.
    Ignored,
    /// It cannot be used.
    Rejected,
    /// Its name may stand for several members.
    Ambiguous,
    /// It is needed and was not given.
    Missing,
    /// Another name for a member that is there already.
    Conflict,
    /// Its name was put right by a matcher that may be mistaken.
    Uncertain,
}

impl FieldStatus {
    /// Every status there is.
    pub const ALL: &'static [Self] = &[
        Self::Bound,
        Self::Repaired,
        Self::Coerced,
        Self::Ignored,
        Self::Rejected,
        Self::Ambiguous,
        Self::Missing,
        Self::Conflict,
        Self::Uncertain,
    ];

    /// The stable snake_case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bound => "bound",
            Self::Repaired => "repaired",
            Self::Coerced => "coerced",
            Self::Ignored => "ignored",
            Self::Rejected => "rejected",
            Self::Ambiguous => "ambiguous",
            Self::Missing => "missing",
            Self::Conflict => "conflict",
            Self::Uncertain => "uncertain",
        }
    }
}

/// What became of one member of the arguments.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FieldEntry {
    /// Where it was given; `None` if it was not. Within an envelope that was opened, counted from what
    /// the envelope holds.
    pub input_path: Option<Path>,
    /// Where it stands now; `None` if it was left out.
    pub field_path: Option<Path>,
    /// How it found its place; `None` if it found none.
    pub layer: Option<Layer>,
    /// What became of it.
    pub status: FieldStatus,
    /// The value before, as JSON text, where it was changed.
    pub before: Option<String>,
    /// The value now, as JSON text, where it was changed.
    pub after: Option<String>,
    /// Names of the members that may have been meant.
    pub candidates: Vec<String>,
    /// What was done, by the names of the changes: `text_to_number`, `format_normalized`.
    pub changes: Vec<Cow<'static, str>>,
    /// How well the name fits, from 0 to 1, where a matcher says.
    pub score: Option<f64>,
    /// The next best member and how well that fits, where a matcher says.
    pub runner_up: Option<(String, f64)>,
}

impl BindReport {
    pub(super) fn new(contract: Contract, draft: Draft<'_>) -> Self {
        Self {
            contract,
            parsed: draft.parsed.into_owned(),
            renamed: draft.renamed,
            unsettled: draft.unsettled,
            changed: draft.changed,
            others: draft.issues,
            issues: OnceLock::new(),
        }
    }

    /// The same with more that is wrong.
    pub(super) fn with_issues(mut self, issues: Vec<Issue>) -> Self {
        self.others.extend(issues);
        self.issues = OnceLock::new();
        self
    }

    /// The contract that the arguments were bound to.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.contract
    }

    /// Whether the arguments can be used.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.parsed.conforms() && self.others.is_empty()
    }

    /// Whether anything was put right: the text, names or values.
    #[must_use]
    pub fn has_repairs(&self) -> bool {
        !self.parsed.repairs().is_empty()
            || !self.parsed.coercions().is_empty()
            || !self.renamed.is_empty()
            || !self.changed.is_empty()
    }

    /// Whether a name was put right by a matcher that may be mistaken.
    #[must_use]
    pub fn is_uncertain(&self) -> bool {
        !self.renamed.is_empty()
    }

    /// Whether the text of the call was whole.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.parsed.is_complete()
    }

    /// How sure it is that the arguments are those that were meant.
    #[must_use]
    pub fn certainty(&self) -> Class {
        if self.is_uncertain() {
            return Class::Guess;
        }
        self.parsed.certainty()
    }

    /// The arguments as they were understood, bound or not, and how their text was read.
    #[must_use]
    pub fn document(&self) -> &Document<'static> {
        self.parsed.document()
    }

    /// Every liberty taken to read the text.
    #[must_use]
    pub fn text_repairs(&self) -> &[Repair] {
        self.parsed.repairs()
    }

    /// Every change made to fit the schema.
    #[must_use]
    pub fn coercions(&self) -> &[Coercion] {
        self.parsed.coercions()
    }

    /// The arguments as one line of strict JSON, for the history of the conversation: a model that
    /// sees its damaged call there repeats it. `{}` where nothing could be read.
    #[must_use]
    pub fn canonical_arguments(&self) -> String {
        self.parsed.to_json().unwrap_or_else(|| "{}".to_owned())
    }

    /// What became of every member at the root, of every member that was changed below it, and of what
    /// is missing, in the order of the arguments.
    #[must_use]
    pub fn fields(&self) -> Vec<FieldEntry> {
        entries::of(self)
    }

    /// The members of which the name or the value was put right.
    #[must_use]
    pub fn repairs(&self) -> Vec<FieldEntry> {
        use FieldStatus::{Coerced, Repaired, Uncertain};
        let mut fields = self.fields();
        fields.retain(|field| matches!(field.status, Repaired | Coerced | Uncertain));
        fields
    }

    /// The members whose names were put right by a matcher that may be mistaken.
    #[must_use]
    pub fn uncertain(&self) -> Vec<FieldEntry> {
        let mut fields = self.fields();
        fields.retain(|field| field.status == FieldStatus::Uncertain);
        fields
    }

    /// Everything that is wrong, in the order of the arguments.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        self.issues.get_or_init(|| findings::of(self))
    }

    /// What to tell the model: what is wrong at each place, in the arguments as it wrote them and as a
    /// numbered list with what to do. An [`IssueReporter`](super::IssueReporter) has the last word.
    #[must_use]
    pub fn explain(&self) -> String {
        super::explain::report(self)
    }

    /// The failure to bind, for [`stringify`](crate::stringify); also of arguments that were bound.
    #[must_use]
    pub fn failure(&self) -> Failure<'static> {
        let Parsed {
            document,
            schema,
            violations,
            refused,
            ..
        } = self.parsed.clone();
        let remarks = self.others.iter().map(remark).collect();
        Failure::new(document, schema.as_ref(), violations)
            .with_refusals(refused)
            .with_remarks(remarks)
            .with_limits(self.contract.policy().limits())
    }
}

fn remark(issue: &Issue) -> Remark {
    let place = RemarkPath::Place(issue.path.clone());
    let expected = match issue.expected.as_str() {
        "" => issue.code.name(),
        expected => expected,
    };
    Remark::new(place, expected).with_description(issue.message.as_str())
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

/// One sentence: which tool, how much is wrong, and what first.
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
