//! A call before it is bound, and what was done to read it.

use llmjson_schema::Path;
use llmjson_syntax::{Class, Document, NoteKind, RepairKind, Span};

use super::super::Arguments;
use super::super::contract::Contract;
use super::super::issue::{Issue, IssueCode};
use super::super::registry::Registry;
use super::super::report::BindReport;
use super::family::Family;
use super::live::Open;
use super::looks::Looks;
use super::{Outcome, TextCall, span_of};
use crate::policy::{FinishReason, Handling, Names, Policy};

/// A call before it is bound.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) id: Option<String>,
    /// JSON text.
    pub(super) arguments: String,
    /// Whether the arguments were written as text once more, and are still to be read.
    pub(super) is_text: bool,
    /// How sure it is that this is a call and where it ends.
    pub(super) class: Class,
    pub(super) read: Reading,
    pub(super) complete: bool,
    /// Whether it stands in a quotation, with which the reply ends.
    pub(super) is_shown: bool,
    /// Whether something stands in the call that was not read.
    pub(super) is_partly_read: bool,
    pub(super) family: Family,
    pub(super) span: (usize, usize),
    /// Where the arguments stand in the text, if they are JSON there.
    pub(super) source: Option<(usize, usize)>,
    /// What of the arguments more text cannot change, if they are put together of parts.
    pub(super) settled: usize,
    /// The argument that goes on at the end of the text.
    pub(super) open: Option<Open>,
    /// Whether more text may change the name.
    pub(super) is_name_open: bool,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            name: String::new(),
            id: None,
            arguments: String::new(),
            is_text: false,
            class: Class::Certain,
            read: Reading::default(),
            complete: true,
            is_shown: false,
            is_partly_read: false,
            family: Family::named("json"),
            span: (0, 0),
            source: None,
            settled: 0,
            open: None,
            is_name_open: false,
        }
    }
}

/// What was done to read the JSON of a call: as much of it as a policy asks for. The arguments
/// themselves go on as strict JSON, which does not tell.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) certainty: Class,
    /// The repairs, each kind in each class once.
    repairs: Vec<(RepairKind, Class)>,
    has_duplicate_keys: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            certainty: Class::Certain,
            repairs: Vec::new(),
            has_duplicate_keys: false,
        }
    }
}

impl Reading {
    /// What was done to read a document.
    pub(super) fn of(document: &Document<'_>) -> Self {
        let mut reading = Self {
            certainty: document.certainty(),
            ..Self::default()
        };
        for repair in document.repairs() {
            reading.add_repair(repair.kind, repair.class);
        }
        let mut notes = document.notes().iter();
        reading.has_duplicate_keys = notes.any(|note| note.kind == NoteKind::DuplicateKey);
        reading
    }

    /// What was done to read each of several values of a document, whose places ascend. What happened
    /// within another value is its own affair, unless it was a guess, which may have changed all of them.
    pub(super) fn of_each(document: &Document<'_>, places: &[Option<Span>]) -> Vec<Self> {
        let mut readings = vec![Self::default(); places.len()];
        let mut shared = Self::default();
        let owner = |span: Span| {
            let is_before =
                |place: &Option<Span>| place.is_some_and(|place| place.end <= span.start);
            let at = places.partition_point(is_before);
            let place = places.get(at).copied().flatten();
            place
                .filter(|place| place.start <= span.start && span.end <= place.end)
                .map(|_| at)
        };
        for repair in document.repairs() {
            let owner = owner(repair.span).filter(|_| repair.class != Class::Guess);
            let reading = owner.map_or(&mut shared, |at| &mut readings[at]);
            reading.add_repair(repair.kind, repair.class);
        }
        for note in document.notes() {
            if note.kind == NoteKind::DuplicateKey {
                let reading = owner(note.span).map_or(&mut shared, |at| &mut readings[at]);
                reading.has_duplicate_keys = true;
            }
        }
        for reading in &mut readings {
            reading.add(&shared);
            reading.certainty = document.certainty();
        }
        readings
    }

    /// Adds what was done to read another part of the call.
    pub(super) fn add(&mut self, other: &Self) {
        self.certainty = self.certainty.max(other.certainty);
        self.has_duplicate_keys |= other.has_duplicate_keys;
        for (kind, class) in &other.repairs {
            self.add_repair(*kind, *class);
        }
    }

    /// Whether no bracket had to be closed.
    pub(super) fn is_balanced(&self) -> bool {
        let mut repairs = self.repairs.iter();
        let unclosed = [RepairKind::UnclosedObject, RepairKind::UnclosedArray];
        !repairs.any(|(kind, _)| unclosed.contains(kind))
    }

    /// Drops the repairs that have one reading only: where calls are not written as JSON, they say how
    /// they are written.
    pub(super) fn without_dialect(mut self) -> Self {
        self.repairs.retain(|(_, class)| *class != Class::Certain);
        self
    }

    fn add_repair(&mut self, kind: RepairKind, class: Class) {
        if !self.repairs.contains(&(kind, class)) {
            self.repairs.push((kind, class));
        }
    }
}

impl Draft {
    /// Sets the name, which may come with a number: `functions.weather:0` is the id of a call of
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

    /// Takes a call for cut whose arguments, where they are damaged JSON, are cut when they are read alone.
    /// What a marker ends is closed by it, as it is by a fence.
    pub(super) fn judged_alone(mut self, text: &str, looks: &mut Looks) -> Self {
        let is_doubtful = self.complete && !self.read.repairs.is_empty() && !self.is_text;
        let Some((start, end)) = self.source.filter(|_| is_doubtful) else {
            return self;
        };
        if !looks.read(&text[start..end]).is_complete() {
            let fenced = format!("```\n{}\n```", &text[start..end]);
            self.complete = looks.read(&fenced).is_complete();
        }
        self
    }

    /// Binds the arguments to the tool of that name, if there is one.
    pub(super) fn bind(mut self, registry: &Registry, looks: &mut Looks) -> TextCall {
        let contract = resolve(registry, &self.name);
        // A namespace before the name may be that of another tool.
        if contract.is_some_and(|contract| contract.name() != self.name) {
            self.class = self.class.max(Class::Likely);
        }
        let outcome = match contract {
            _ if registry.contracts().len() == 0 => {
                if let Some(json) = looks.read(&self.arguments).to_json() {
                    self.arguments = json;
                }
                Outcome::Untyped
            }
            Some(contract) => {
                contract.name().clone_into(&mut self.name);
                let report = self.report(contract, looks);
                if report.document().root().is_some() {
                    self.arguments = report.canonical_arguments();
                }
                Outcome::Bound(Box::new(report))
            }
            None => match registry.contract(&self.name) {
                Err(unknown) => Outcome::Unknown(unknown),
                Ok(_) => Outcome::Untyped,
            },
        };
        TextCall {
            name: self.name,
            id: self.id,
            arguments: self.arguments,
            span: span_of(self.span),
            source: self.source.map(span_of),
            family: self.family,
            class: self.class.max(self.read.certainty),
            complete: self.complete,
            is_partly_read: self.is_partly_read,
            outcome,
        }
    }

    /// Returns the report on the arguments. What the policy refuses of their reading is an issue.
    fn report(&self, contract: &Contract, looks: &mut Looks) -> BindReport {
        let mut given = Arguments::from(&*self.arguments);
        if !self.complete {
            given = given.with_finish_reason(FinishReason::Length);
        }
        let limits = looks.limits(contract.policy().limits(), &self.arguments);
        looks.charge(self.arguments.len());
        let report = if self.is_text {
            let report = contract.report_within(given, limits);
            let work = report.document().work().spent();
            looks.charge(usize::try_from(work).unwrap_or(usize::MAX));
            report
        } else {
            contract.report(given)
        };
        let mut refused = self.refused(contract.policy());
        refused.retain(|new| report.issues().iter().all(|issue| issue.code != new.code));
        match refused.is_empty() {
            true => report,
            false => report.with_issues(refused),
        }
    }

    /// Returns an issue of each sort for what a policy does not allow of how the call was read.
    fn refused(&self, policy: &Policy) -> Vec<Issue> {
        let mut repairs = self.read.repairs.iter();
        let repair = repairs.find(|(kind, class)| !policy.allows_repair_as(*kind, *class));
        // A call that was guessed at is one that was taken out of other text.
        let is_doubtful = self.class == Class::Guess
            && !policy.allows_repair_as(RepairKind::SurroundingText, Class::Guess);
        let mut issues = Vec::new();
        let mut refuse = |code, what: &str, suggestion: &str| {
            let mut issue = Issue::new(code, Path::root(), format!("Not allowed: {what}."));
            issue.suggestion = Some(suggestion.to_owned());
            issues.push(issue);
        };
        match repair {
            Some((kind, _)) => refuse(
                IssueCode::InvalidJson,
                kind.sentence(),
                "Write the arguments as one strict JSON object.",
            ),
            None if self.is_partly_read && self.complete => refuse(
                IssueCode::InvalidJson,
                "text in the call that is not one of its arguments",
                "Write nothing between the markers of a call but its arguments.",
            ),
            None if self.is_shown && !policy.allows_repair(RepairKind::ThoughtValue) => refuse(
                IssueCode::InvalidJson,
                "took a call out of a quotation",
                "Write the call alone, between its markers.",
            ),
            None if is_doubtful => refuse(
                IssueCode::InvalidJson,
                "took for a call what may be none",
                "Write the call alone, between its markers.",
            ),
            None => {}
        }
        if self.read.has_duplicate_keys && policy.duplicate_keys() == Handling::Refuse {
            refuse(
                IssueCode::DuplicateField,
                "a member's name comes more than once",
                "Give every member once.",
            );
        }
        issues
    }
}

/// Returns the tool of a name; namespaces and numbers that templates put around names are passed over, and
/// letters and digits alone may tell, unless the tool asks for exact names.
pub(super) fn resolve<'r>(registry: &'r Registry, name: &str) -> Option<&'r Contract> {
    registry
        .get(name)
        .or_else(|| {
            let bare = name.rsplit(['.', ':', '/']).next()?;
            registry.get(bare)
        })
        .or_else(|| registry.get(numbered(name)?))
        .or_else(|| {
            let alike = registry.spelled_like(name).or_else(|| {
                let (_, bare) = name.rsplit_once(['.', ':', '/'])?;
                registry.spelled_like(bare)
            })?;
            (alike.policy().names() != Names::Exact).then_some(alike)
        })
}

/// Returns the name in an id of Kimi's: `functions.weather:0`, or `functions_weather_0`.
fn numbered(id: &str) -> Option<&str> {
    let rest = id.strip_prefix("functions")?;
    let (name, number) = rest.get(1..)?.rsplit_once([':', '_'])?;
    let is_number = !number.is_empty() && number.bytes().all(|one| one.is_ascii_digit());
    (rest.starts_with(['.', '_']) && is_number).then_some(name)
}
