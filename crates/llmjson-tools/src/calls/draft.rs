//! A call before it is bound.

use llmjson_schema::Path;
use llmjson_syntax::{Class, RepairKind};

use super::super::Arguments;
use super::super::contract::Contract;
use super::super::cut;
use super::super::registry::Registry;
use super::super::report::BindReport;
use super::budget::Budget;
use super::family::Family;
use super::found::{NotRun, NotRunReason};
use super::live::OpenArgument;
use super::payload::Payload;
use super::reading::CallReading;
use super::{TextCall, TextCallOutcome, span_of};
use llmjson_reply::report::{Issue, IssueCode};
use llmjson_reply::{
    Policy,
    policy::{FinishReason, Handling, Names},
};

/// The state of a call in an unfinished text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// A call that more text may show to be quoted or part of reasoning, or an object of another
    /// kind.
    Doubtful,
    /// A call that may continue.
    #[default]
    Begun,
    /// A call whose end has been read: more text changes neither its name nor its arguments.
    Ended,
}

/// A call before it is bound.
#[derive(Clone, Debug)]
pub(super) struct CallDraft {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) arguments: Payload,
    /// The certainty that this is a call, and of its end.
    pub(super) class: Class,
    /// The repairs made to read the call around its arguments.
    pub(super) read: CallReading,
    pub(super) complete: bool,
    /// `true` if it is in a quotation that extends to the end of the reply.
    pub(super) is_shown: bool,
    /// `true` if a part of the text was not searched.
    pub(super) is_unsearched: bool,
    /// `true` if the call contains its result.
    pub(super) is_done: bool,
    /// `true` if part of the call was not read.
    pub(super) is_partly_read: bool,
    /// The other name of the tool, if the call has two; the same name if it has two different sets
    /// of arguments.
    pub(super) twice: Option<String>,
    pub(super) family: Family,
    pub(super) span: (usize, usize),
    /// The length of the arguments that more text cannot change, if they are assembled from parts.
    pub(super) settled: usize,
    /// The unfinished argument at the end of the text.
    pub(super) open: Option<OpenArgument>,
    /// `true` if more text may change the name.
    pub(super) is_name_open: bool,
    pub(super) stage: Stage,
}

impl Default for CallDraft {
    fn default() -> Self {
        Self {
            name: String::new(),
            id: None,
            arguments: Payload::empty(),
            class: Class::Certain,
            read: CallReading::default(),
            complete: true,
            is_shown: false,
            is_unsearched: false,
            is_done: false,
            is_partly_read: false,
            twice: None,
            family: Family::named("json"),
            span: (0, 0),
            settled: 0,
            open: None,
            is_name_open: false,
            stage: Stage::default(),
        }
    }
}

impl CallDraft {
    /// Sets the name, which may include a number: `functions.weather:0` is the ID of a call of
    /// `weather`.
    pub(super) fn set_name(&mut self, written: &str) {
        let written = written
            .trim_matches(['"', '\'', '`', '*'])
            .trim_end_matches(':');
        let (name, number) = match written.rsplit_once(':') {
            Some((name, number))
                if number.bytes().all(|one| one.is_ascii_digit()) && !number.is_empty() =>
            {
                (name, true)
            }
            _ => (written, false),
        };
        if number {
            self.id = Some(written.to_owned());
        }
        name.strip_prefix("functions.")
            .unwrap_or(name)
            .clone_into(&mut self.name);
    }

    /// Notes that a part of the text was not searched, which may show that this is not a call.
    pub(super) fn set_unsearched(&mut self, is_unsearched: bool) {
        self.is_unsearched = is_unsearched;
        if is_unsearched {
            self.class = Class::Guess;
        }
    }

    /// Returns the listed data of a call that is not made.
    pub(super) fn left_out(&self, text: &str, reason: NotRunReason) -> NotRun {
        NotRun {
            arguments: self.arguments.written(text).to_owned(),
            name: self.name.clone(),
            span: span_of(self.span),
            family: self.family,
            reason,
        }
    }

    /// Returns the tool's name, which is the contract's name if there is one.
    pub(super) fn bound_name<'a>(&'a self, registry: &'a Registry) -> &'a str {
        resolve(registry, &self.name).map_or(&self.name, Contract::name)
    }

    /// Binds the arguments to the tool of that name, if there is one.
    pub(super) fn bind(mut self, text: &str, registry: &Registry, budget: &mut Budget) -> TextCall {
        let contract = resolve(registry, &self.name);
        // A namespace before the name may be the namespace of another tool.
        if contract.is_some_and(|contract| contract.name() != self.name) {
            self.class = self.class.max(Class::Likely);
        }
        self.complete &= !self.read.is_cut;
        let mut own = self.arguments.own(text, self.span);
        let (outcome, arguments) = if let Some(contract) = contract {
            contract.name().clone_into(&mut self.name);
            let (is_whole, report) = own.read(self.complete, |json| {
                let report = self.report(contract, json, budget);
                (report.is_complete(), report)
            });
            self.complete &= is_whole;
            let report = self.with_refused(report, registry);
            self.read.close(report.document(), &own);
            let arguments = report.canonical_arguments();
            (TextCallOutcome::Bound(Box::new(report)), arguments)
        } else {
            let (is_whole, document) = own.read(self.complete, |json| {
                let document = budget.read(json);
                (document.is_complete(), document.into_owned())
            });
            self.complete &= is_whole && cut::in_arguments(&document).is_none();
            self.class = self.class.max(document.certainty());
            self.read.close(&document, &own);
            let unknown = registry.contract(&self.name).err();
            let unknown = unknown.filter(|_| registry.contracts().len() > 0);
            let outcome = unknown.map_or(TextCallOutcome::Untyped, TextCallOutcome::Unknown);
            (outcome, document.to_json().unwrap_or_default())
        };
        self.class = self.class.max(self.read.certainty);
        TextCall {
            source: self.arguments.json_source(text),
            draft: self,
            arguments,
            outcome,
        }
    }

    /// Returns the report on the arguments, which are bound as if they were the whole reply.
    fn report(&self, contract: &Contract, json: &str, budget: &mut Budget) -> BindReport {
        let mut given = Arguments::from(json);
        if !self.complete {
            given = given.with_finish_reason(FinishReason::Length);
        }
        let limits = budget.limits(contract.policy().limits(), json);
        let report = contract.report_within(given, limits);
        let work = report.document().work().spent();
        budget.charge(json.len());
        budget.charge(usize::try_from(work).unwrap_or(usize::MAX));
        report
    }

    /// Adds the repairs around the arguments of the call that the policy of the tool refuses to the
    /// report.
    fn with_refused(&self, report: BindReport, registry: &Registry) -> BindReport {
        let mut refused = self.refused(report.contract(), registry);
        refused.retain(|new| report.issues().iter().all(|issue| issue.code != new.code));
        match refused.is_empty() {
            true => report,
            false => report.with_issues(refused),
        }
    }

    /// Returns an issue of each kind for the policy's refusals of repairs around the arguments.
    fn refused(&self, contract: &Contract, registry: &Registry) -> Vec<Issue> {
        let policy = contract.policy();
        let mut repairs = self.read.repairs.iter();
        // The text continues after a complete call: `{"name": "f", "arguments": {}</tool_call>`.
        let needs_closers = self.complete && !policy.allows_repair(RepairKind::MissingCloser);
        let repair = repairs.find(|one| match one.kind {
            RepairKind::UnclosedObject | RepairKind::UnclosedArray if needs_closers => true,
            kind => !policy.allows_repair_as(kind, one.class),
        });
        // A guessed call was chosen among readings of its text.
        let is_doubtful = self.complete
            && self.class == Class::Guess
            && !policy.allows_repair_as(RepairKind::ChosenValue, Class::Guess);
        let mut issues = Vec::new();
        let mut refuse = |code, what: &str, suggestion: &str| {
            let mut issue = Issue::new(code, Path::root(), format!("Not allowed: {what}."));
            issue.suggestion = Some(suggestion.to_owned());
            issues.push(issue);
        };
        const JSON: &str = "Write the arguments as one strict JSON object.";
        const ALONE: &str = "Write the call alone, between its markers.";
        let (is_shown, is_unsearched) = (self.is_shown, self.is_unsearched);
        let wrong = match repair {
            Some(repair) => Some((repair.kind.sentence(), JSON)),
            None if self.is_partly_read && self.complete => Some((
                "text in the call that is not one of its arguments",
                "Write nothing between the markers of a call but its arguments.",
            )),
            None if is_shown && !policy.allows_repair(RepairKind::ThoughtValue) => {
                Some(("took a call out of a quotation", ALONE))
            }
            None if is_unsearched && !allows_unsearched(policy) => Some((
                "a part of the text in which no calls were looked for",
                "Write less beside the call.",
            )),
            None => is_doubtful.then_some((
                "guessed what belongs to a call or to one of its arguments",
                ALONE,
            )),
        };
        if let Some((what, suggestion)) = wrong {
            refuse(IssueCode::InvalidJson, what, suggestion);
        }
        let refuses_twice = policy.duplicate_keys() == Handling::Refuse;
        if self.read.has_duplicate_keys() && refuses_twice {
            refuse(
                IssueCode::DuplicateField,
                "a member's name comes more than once",
                "Give every member once.",
            );
        } else if let Some(name) = &self.twice
            && (refuses_twice || names_another(name, contract, registry))
        {
            refuse(
                IssueCode::DuplicateField,
                "the call says twice what it calls or with which arguments, in different words",
                "Name one tool, and give its arguments once.",
            );
        }
        issues
    }
}

/// Returns `true` if a name belongs to another tool, and the policy of the tool accepts no choice
/// among values.
fn names_another(name: &str, contract: &Contract, registry: &Registry) -> bool {
    let takes_any = (contract.policy()).allows_repair_as(RepairKind::ChosenValue, Class::Guess);
    let other = resolve(registry, name).filter(|_| !takes_any);
    other.is_some_and(|other| other.name() != contract.name())
}

/// Returns `true` if a policy allows calls in a text of which a part was not searched: a call may have been
/// dropped.
pub(super) fn allows_unsearched(policy: &Policy) -> bool {
    policy.allows_repair(RepairKind::DroppedValue)
}

/// The namespaces that templates put before names. `admin.delete` is another tool than `delete`.
const NAMESPACES: [&str; 7] = [
    "api",
    "default_api",
    "function",
    "functions",
    "mcp",
    "tool",
    "tools",
];

/// Returns the tool with a name. Namespaces and numbers that templates add to names are ignored,
/// and equal letters and digits suffice, unless the tool requires exact names.
pub(super) fn resolve<'r>(registry: &'r Registry, name: &str) -> Option<&'r Contract> {
    if let Some(exact) = registry.get(name) {
        return Some(exact);
    }
    let bare = name.rsplit_once(['.', ':', '/']);
    let bare = bare
        .and_then(|(space, bare)| (NAMESPACES.contains(&space) || space == bare).then_some(bare));
    let exact = bare.and_then(|bare| registry.get(bare));
    exact.or_else(|| registry.get(numbered(name)?)).or_else(|| {
        let alike = registry.spelled_like(name);
        let alike = alike.or_else(|| registry.spelled_like(bare?))?;
        (alike.policy().names() != Names::Exact).then_some(alike)
    })
}

/// Returns the name in a Kimi ID: `functions.weather:0`, or `functions_weather_0`.
fn numbered(id: &str) -> Option<&str> {
    let rest = id.strip_prefix("functions")?;
    let (name, number) = rest.get(1..)?.rsplit_once([':', '_'])?;
    let is_number = !number.is_empty() && number.bytes().all(|one| one.is_ascii_digit());
    (rest.starts_with(['.', '_']) && is_number).then_some(name)
}
