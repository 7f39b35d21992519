//! Binds the arguments of a call to a tool's contract.

use std::fmt;
use std::sync::Arc;

use llmjson_schema::Path;
use llmjson_syntax::{Kind, LineIndex};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::{Arguments, Form};
use super::contract::Contract;
use super::cut;
use super::draft::BindingDraft;
use super::extend::apply;
use super::report::BindReport;
use llmjson_reply::report::Issues;
use llmjson_reply::report::{Issue, IssueCode};
use llmjson_reply::{DeserializeExt, Parsed, internal};
use llmjson_reply::{Policy, policy::Handling};
use llmjson_syntax::Limits;

/// A call's arguments in the tool's type, with the report on how they were bound. After
/// [dispatch](super::Registry::dispatch), it holds the answer instead of the arguments.
#[derive(Clone)]
#[non_exhaustive]
pub struct Bound<T> {
    /// The arguments, or the answer of a dispatched call: a string is returned unchanged, anything
    /// else as JSON.
    pub value: T,
    /// The changes made to bind the arguments.
    pub report: BindReport,
}

/// The reason why a call's arguments were not bound.
#[derive(Clone)]
#[non_exhaustive]
pub enum BindError<T> {
    /// The call names a tool that does not exist.
    UnknownTool(UnknownTool),
    /// The arguments do not satisfy the contract. [`BindReport::explain`] returns feedback for the
    /// model.
    Arguments(Box<BindReport>),
    /// The arguments were bound, but only with the help of an opt-in
    /// [matcher](super::FieldMatcher), which may be wrong. The value is complete;
    /// [`BindError::accept_uncertain`] accepts it.
    Uncertain(Box<Bound<T>>),
    /// The type rejects arguments that satisfy the schema: an error in the program, not in the
    /// call.
    Type(Box<llmjson_reply::Error>),
    /// The tool's [handler](super::Tool::with_handler) failed. The model is shown its message.
    Failed(Arc<dyn std::error::Error + Send + Sync>),
    /// The arguments were bound for dispatch, but the tool has no
    /// [handler](super::Tool::with_handler): run it yourself, with
    /// [`canonical_arguments`](BindReport::canonical_arguments).
    Unhandled(Box<BindReport>),
}

/// A call to a tool that is not registered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownTool {
    /// The name that was called.
    pub name: String,
    /// The most similar names of registered tools, nearest first.
    pub nearest: Vec<String>,
}

impl UnknownTool {
    /// Returns this error as an issue with the code `unknown_tool`.
    #[must_use]
    pub fn issue(&self) -> Issue {
        let mut issue = Issue::new(IssueCode::UnknownTool, Path::root(), self.to_string());
        issue.candidates.clone_from(&self.nearest);
        issue
    }

    /// Returns this error as a sentence.
    fn sentence(&self) -> String {
        let mut sentence = self.to_string();
        if let Some(first) = sentence.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        if self.nearest.is_empty() {
            sentence.push('.');
        }
        sentence
    }
}

impl fmt::Display for UnknownTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no tool {:?}", self.name)?;
        for (at, name) in self.nearest.iter().enumerate() {
            f.write_str(if at == 0 { "; did you mean " } else { " or " })?;
            write!(f, "{name:?}")?;
        }
        if self.nearest.is_empty() {
            Ok(())
        } else {
            f.write_str("?")
        }
    }
}

impl std::error::Error for UnknownTool {}

impl Contract {
    /// Binds the arguments of a call to a type.
    ///
    /// The text is parsed leniently, as far as the tool's policy allows. Blank text and `null` mean
    /// an empty object. All errors are collected before the call fails.
    ///
    /// # Errors
    ///
    /// [`BindError::Arguments`] if the arguments do not satisfy the contract,
    /// [`BindError::Uncertain`] if an opt-in matcher was needed, [`BindError::Type`] if `T` rejects
    /// a value that the schema accepts.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contract, Tool};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Weather {
    ///     city: String,
    ///     days: u8,
    /// }
    ///
    /// let schema = r#"{"type": "object", "properties": {
    ///     "city": {"type": "string"}, "days": {"type": "integer", "maximum": 9}
    /// }, "required": ["city", "days"]}"#;
    /// let contract = Contract::new(Tool::new("weather", "Tells the weather."), schema)?;
    /// let bound = contract.bind::<Weather>("{'city': 'Oslo', days: '3',}")?;
    /// assert_eq!((bound.value.city.as_str(), bound.value.days), ("Oslo", 3));
    ///
    /// let error = contract.bind::<Weather>(r#"{"city": "Oslo", "days": 12}"#).unwrap_err();
    /// assert!(error.is_retryable() && error.explain().contains("Maximum<9>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bind<'t, T: DeserializeOwned>(
        &self,
        arguments: impl Into<Arguments<'t>>,
    ) -> Result<Bound<T>, BindError<T>> {
        self.report(arguments).bound()
    }

    /// Binds the arguments of a call to a [`Value`], as [`bind`](Self::bind) does to a type. A
    /// `Value` loses digits beyond the precision of `f64`, and the members' order unless
    /// serde_json's feature `preserve_order` is on;
    /// [`canonical_arguments`](BindReport::canonical_arguments) keeps both.
    ///
    /// # Errors
    ///
    /// See [`bind`](Self::bind).
    pub fn bind_value<'t>(
        &self,
        arguments: impl Into<Arguments<'t>>,
    ) -> Result<Bound<Value>, BindError<Value>> {
        self.bind(arguments)
    }

    /// Returns the report on a call's arguments, whether or not they can be bound.
    pub fn report<'t>(&self, arguments: impl Into<Arguments<'t>>) -> BindReport {
        self.report_within(arguments.into(), self.policy().limits())
    }

    /// Returns the report on the arguments of a call, which are read within these limits.
    pub(super) fn report_within(&self, arguments: Arguments<'_>, limits: Limits) -> BindReport {
        let Arguments { form, finish } = arguments;
        let is_usual = finish.is_none() && limits == self.policy().limits();
        let informed = (!is_usual).then(|| {
            let policy = self.policy().clone().with_limits(limits);
            match finish {
                Some(reason) => policy.with_finish_reason(reason),
                None => policy,
            }
        });
        let policy = informed.as_ref().unwrap_or(self.policy());
        let mut draft = match self.extensions().bind_nothing() {
            true => BindingDraft::of(self.read(form, policy)),
            false => apply::read(self, form, policy),
        };
        check_cut(&mut draft, policy);
        policy.emit(&draft.parsed);
        self.check_object(&mut draft);
        self.check_groups(&mut draft);
        BindReport::new(self.clone(), draft)
    }

    pub(super) fn read<'t>(&self, form: Form<'t>, policy: &Policy) -> Parsed<'t> {
        let schema = Some(self.schema());
        match form {
            Form::Text(text)
                if matches!(text.trim(), "" | "null") && policy.takes_blank_arguments() =>
            {
                internal::fit(llmjson_syntax::parse("{}"), schema, policy)
            }
            Form::Text(text) => internal::read(text, schema, policy),
            Form::Value(document) => internal::fit(*document, schema, policy),
        }
    }

    /// Arguments must be an object even if the schema does not say so.
    fn check_object(&self, draft: &mut BindingDraft<'_>) {
        let Some(root) = draft.parsed.value() else {
            return;
        };
        if root.kind() != Kind::Object && draft.parsed.violations().is_empty() {
            let message = format!("The arguments are {}, not an object.", root.kind());
            let mut issue = Issue::new(IssueCode::NotAnObject, Path::root(), message);
            issue.expected = self.schema().expected();
            draft.issues.push(issue);
        }
    }

    fn check_groups(&self, draft: &mut BindingDraft<'_>) {
        let Some(root) = draft
            .parsed
            .value()
            .filter(|root| root.kind() == Kind::Object)
        else {
            return;
        };
        let is_there = |name: &str| root.get(name).is_some_and(|value| !value.is_null());
        for group in self.required_any() {
            if !group.iter().any(|name| is_there(name)) {
                draft.issues.push(self.missing_group(group));
            }
        }
    }

    #[cold]
    fn missing_group(&self, group: &[Box<str>]) -> Issue {
        let names: Vec<String> = group.iter().map(|name| format!("`{name}`")).collect();
        let names = names.join(" or ");
        let message = format!("None of {names} is given; at least one of them is needed.");
        let mut issue = Issue::new(IssueCode::MissingGroup, Path::root(), message);
        issue.expected = names.clone();
        issue.candidates = group.iter().map(|name| name.to_string()).collect();
        issue.suggestion = Some(format!("Give {names}."));
        issue
    }
}

impl BindReport {
    /// Returns the arguments in a type, if they certainly satisfy the contract.
    pub(super) fn bound<T: DeserializeOwned>(self) -> Result<Bound<T>, BindError<T>> {
        if !self.is_ok() {
            return Err(BindError::Arguments(Box::new(self)));
        }
        let value = match self.document().deserialize() {
            Ok(value) => value,
            Err(error) => return Err(BindError::Type(Box::new(error))),
        };
        let is_uncertain = self.is_uncertain();
        let bound = Bound {
            value,
            report: self,
        };
        match is_uncertain {
            true => Err(BindError::Uncertain(Box::new(bound))),
            false => Ok(bound),
        }
    }
}

/// Arguments with a truncated value are truncated, even if the text continues:
/// `{"filter": {"only": "a", "and": }}`.
fn check_cut(draft: &mut BindingDraft<'_>, policy: &Policy) {
    let document = &mut draft.parsed.document;
    if document.repairs().is_empty() || !document.is_complete() {
        return;
    }
    let Some(place) = cut::in_arguments(document) else {
        return;
    };
    document.mark_truncated();
    if policy.truncated() == Handling::Refuse {
        let place = LineIndex::new(document.text()).position(place.start);
        let (line, column) = (place.line, place.column);
        let message = format!("Not allowed: a value breaks off at line {line}, column {column}.");
        let mut issue = Issue::new(IssueCode::Truncated, Path::root(), message);
        issue.suggestion = Some("Write the whole call again, shorter if need be.".to_owned());
        draft.issues.push(issue);
    }
}

/// Omits the value, so that `T` need not implement `Debug`.
impl<T> fmt::Debug for Bound<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bound = f.debug_struct("Bound");
        bound.field("report", &self.report).finish_non_exhaustive()
    }
}

impl<T> Bound<T> {
    /// Applies your own checks, for example whether a city exists. Their rejections are added to
    /// the report at the rejected path.
    ///
    /// # Errors
    ///
    /// [`BindError::Arguments`] if a check rejected something.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contract, Tool};
    ///
    /// let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#;
    /// let contract = Contract::new(Tool::new("weather", "Tells the weather."), schema)?;
    /// let bound = contract.bind_value(r#"{"city": "Atlantis"}"#)?;
    /// let error = bound.check(|value, issues| {
    ///     if value["city"] == "Atlantis" {
    ///         issues.reject("/city", "There is no city of that name any more.");
    ///     }
    /// });
    /// let explanation = error.unwrap_err().explain();
    /// assert!(explanation.contains("There is no city of that name any more."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(self, rules: impl FnOnce(&T, &mut Issues<'_>)) -> Result<Self, BindError<T>> {
        let mut found = Issues::about(self.report.document().root());
        rules(&self.value, &mut found);
        let issues = found.into_issues();
        if issues.is_empty() {
            return Ok(self);
        }
        let report = self.report.with_issues(issues);
        Err(BindError::Arguments(Box::new(report)))
    }
}

impl<T> BindError<T> {
    /// Converts an uncertain result into the bound value.
    ///
    /// # Errors
    ///
    /// Any other error, unchanged.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{BindError, Contract, Extensions, Fuzzy, Tool};
    ///
    /// let tool = Tool::new("call", "Calls.")
    ///     .with_extensions(Extensions::new().with_matcher(Fuzzy::new()));
    /// let schema = r#"{"type": "object", "properties": {"phoneNumber": {"type": "string"}}}"#;
    /// let contract = Contract::new(tool, schema)?;
    /// let bound = contract.bind_value(r#"{"phoneNumbr": "1"}"#);
    /// assert!(matches!(bound, Err(BindError::Uncertain(_))));
    /// let bound = bound.or_else(BindError::accept_uncertain)?;
    /// assert_eq!(bound.value["phoneNumber"], "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept_uncertain(self) -> Result<Bound<T>, Self> {
        match self {
            Self::Uncertain(bound) => Ok(*bound),
            other => Err(other),
        }
    }

    /// Returns `true` if the model can correct the error by calling the tool again. This includes a
    /// failed handler.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::UnknownTool(_) | Self::Type(_) | Self::Unhandled(_) => false,
            Self::Uncertain(_) | Self::Failed(_) => true,
            Self::Arguments(report) => report.issues().iter().all(Issue::is_retryable),
        }
    }

    /// Returns the report, if the tool exists and its type accepted the arguments.
    #[must_use]
    pub fn report(&self) -> Option<&BindReport> {
        match self {
            Self::Arguments(report) | Self::Unhandled(report) => Some(report),
            Self::Uncertain(bound) => Some(&bound.report),
            Self::UnknownTool(_) | Self::Type(_) | Self::Failed(_) => None,
        }
    }

    /// Returns feedback for the model.
    #[must_use]
    pub fn explain(&self) -> String {
        match self {
            Self::UnknownTool(unknown) => unknown.sentence(),
            Self::Arguments(report) => report.explain(),
            Self::Uncertain(bound) => bound.report.explain(),
            Self::Type(_) => "The tool failed to read its arguments.".to_owned(),
            Self::Failed(error) => format!("The tool failed: {error}"),
            Self::Unhandled(report) => {
                format!("There is nothing that runs `{}`.", report.contract().name())
            }
        }
    }
}

impl<T> fmt::Display for BindError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool(unknown) => unknown.fmt(f),
            Self::Arguments(report) => report.fmt(f),
            Self::Uncertain(bound) => bound.report.fmt(f),
            Self::Type(error) => {
                write!(
                    f,
                    "the type refuses what the schema of the tool takes: {error}"
                )
            }
            Self::Failed(error) => write!(f, "the tool failed: {error}"),
            Self::Unhandled(report) => {
                write!(f, "the tool {:?} has no handler", report.contract().name())
            }
        }
    }
}

/// Omits the value, so that `T` need not implement `Debug`.
impl<T> fmt::Debug for BindError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool(unknown) => f.debug_tuple("UnknownTool").field(unknown).finish(),
            Self::Arguments(report) => f.debug_tuple("Arguments").field(report).finish(),
            Self::Uncertain(bound) => f.debug_tuple("Uncertain").field(&bound.report).finish(),
            Self::Type(error) => f.debug_tuple("Type").field(error).finish(),
            Self::Failed(error) => f.debug_tuple("Failed").field(error).finish(),
            Self::Unhandled(report) => f.debug_tuple("Unhandled").field(report).finish(),
        }
    }
}

impl<T> std::error::Error for BindError<T> {}
