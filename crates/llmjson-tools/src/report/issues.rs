//! Issues from violations, refusals and other causes.

use std::collections::HashMap;

use llmjson_schema::internal::similar::told_apart;
use llmjson_schema::{Found, Meant, NameMatch, Path, Reason, Refusal, Step, Violation};
use llmjson_syntax::{Kind, LineIndex, NodeId, ValueRef};

use super::BindReport;
use crate::contract::Contract;
use crate::received::received;
use crate::rename::Unsettled;
use llmjson_reply::report::{Issue, IssueCode};

impl BindReport {
    /// Returns every problem with the arguments, in their order.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        self.issues.get_or_init(|| of(self))
    }
}

/// Returns all issues, in the order of the arguments.
fn of(report: &BindReport) -> Vec<Issue> {
    let mut issues = refused(report);
    if report.document().root().is_none() {
        issues.push(unread(report));
    } else {
        let teller = Teller::of(report);
        let violations = report.parsed.violations().iter();
        issues.extend(violations.map(|violation| teller.issue(violation)));
    }
    issues.extend(report.others.iter().cloned());
    issues
}

/// Returns the issues for the policy's refusals. They concern the text as a whole.
fn refused(report: &BindReport) -> Vec<Issue> {
    let document = report.document();
    let lines = LineIndex::new(document.text());
    let mut issues: Vec<Issue> = Vec::new();
    for refusal in report.parsed.refused() {
        let (code, suggestion) = match refusal {
            Refusal::Truncated(_) => (
                IssueCode::Truncated,
                "Write the whole call again, shorter if need be.",
            ),
            Refusal::DuplicateKey(_) => (IssueCode::DuplicateField, "Give every member once."),
            _ => (
                IssueCode::InvalidJson,
                "Write the arguments as one strict JSON object.",
            ),
        };
        // One issue of each sort: the rest is in the feedback.
        if issues.iter().any(|issue| issue.code == code) {
            continue;
        }
        let place = lines.position(refusal.span().start);
        let message = format!(
            "Not allowed: {} at line {}, column {}.",
            refusal.sentence(),
            place.line,
            place.column
        );
        let mut issue = Issue::new(code, Path::root(), message);
        issue.suggestion = Some(suggestion.to_owned());
        issues.push(issue);
    }
    issues
}

/// Returns the issue for text without a value.
fn unread(report: &BindReport) -> Issue {
    let failure = report.failure();
    let code = match failure.reason() {
        Reason::Limit(_) => IssueCode::LimitReached,
        _ => IssueCode::InvalidJson,
    };
    let mut issue = Issue::new(code, Path::root(), capital(&failure.to_string()));
    issue.expected = report.contract.schema().expected();
    issue.suggestion = Some("Write the arguments as one JSON object.".to_owned());
    issue
}

/// Converts violations to issues.
struct Teller<'r> {
    report: &'r BindReport,
    contract: &'r Contract,
    /// The number of undeclared names that match each missing field and no other field.
    claims: HashMap<Path, usize>,
    /// Members for which matchers found several candidates.
    unsettled: HashMap<&'r Path, &'r Unsettled>,
}

impl<'r> Teller<'r> {
    fn of(report: &'r BindReport) -> Self {
        let mut claims = HashMap::new();
        for violation in report.parsed.violations() {
            if let Some(path) = sole_claim(violation) {
                *claims.entry(path).or_default() += 1;
            }
        }
        let unsettled = report.unsettled.iter().map(|one| (&one.path, one));
        Self {
            report,
            contract: &report.contract,
            claims,
            unsettled: unsettled.collect(),
        }
    }

    fn issue(&self, violation: &Violation) -> Issue {
        if violation.keyword == "additionalProperties"
            || violation.keyword == "unevaluatedProperties"
        {
            return self.undeclared(violation);
        }
        let path = violation.path.clone();
        let field = self.contract.field(&path);
        let found = self.found(violation);
        let is_member = matches!(path.steps().last(), Some(Step::Member(_)));
        let required = is_member && field.as_ref().is_some_and(|field| field.is_required());
        let is_null = found.is_some_and(ValueRef::is_null);
        let missing = found.is_none() || (is_null && required && violation.keyword == "type");
        let code = match missing {
            true if !path.steps().is_empty() => IssueCode::MissingRequired,
            _ => code(violation, found),
        };
        let name = name_of(&path);
        let expected = violation.expected.as_str();
        let message = match (code, found) {
            (IssueCode::MissingRequired, Some(_)) => {
                format!("`{name}` is null, which counts as missing.")
            }
            (IssueCode::MissingRequired, None) => format!("`{name}` is missing."),
            (IssueCode::NotAnObject, Some(value)) => {
                format!(
                    "The arguments are {}, not an object.",
                    with_article(value.kind())
                )
            }
            (IssueCode::LimitReached, _) => format!("A limit was reached: {}.", violation.keyword),
            (_, Some(value)) => {
                format!("{name} is {}, but {expected} is asked for.", shown(value))
            }
            (_, None) => format!("{name}: {expected} is asked for."),
        };
        let mut issue = Issue::new(code, path, message);
        issue.expected = expected.to_owned();
        issue.received = found.filter(|_| !missing || is_null).map(received);
        issue.examples = field.map_or_else(Vec::new, |field| field.shown_examples());
        issue.suggestion = Some(suggestion(&issue, violation));
        issue
    }

    /// Returns the issue for an undeclared member.
    fn undeclared(&self, violation: &Violation) -> Issue {
        let path = violation.path.clone();
        let name = name_of(&path);
        let meant = violation.meant.as_deref();
        let members = meant.map_or(&[][..], |meant| &meant.members);
        let unsettled = self.unsettled.get(&path);
        let candidates: Vec<String> = match unsettled {
            Some(unsettled) => unsettled.candidates.clone(),
            None => members.iter().map(|name| name.to_string()).collect(),
        };
        let listed = candidates.iter().map(|name| format!("`{name}`"));
        let listed = listed.collect::<Vec<_>>().join(" or ");
        let told = candidates.iter().map(|member| told_apart(&name, member));
        let told = told.collect::<Vec<_>>().join(" or ");
        let rivals = match unsettled {
            Some(unsettled) => unsettled.has_rivals,
            None => sole_claim(violation)
                .and_then(|path| self.claims.get(&path))
                .is_some_and(|claims| *claims > 1),
        };
        let several = unsettled.is_some_and(|unsettled| !unsettled.has_rivals);
        let (code, message, suggestion) = match meant {
            Some(meant) if is_conflict(meant) => (
                IssueCode::Conflict,
                format!("`{name}` stands for {listed}, which is given as well."),
                format!("Leave `{name}` out."),
            ),
            _ if rivals => (
                IssueCode::AmbiguousField,
                format!("`{name}` is one of several names that may stand for {listed}."),
                format!("Give {listed} once, under that name."),
            ),
            _ if several || meant.is_some_and(is_ambiguous) => (
                IssueCode::AmbiguousField,
                format!("`{name}` may stand for {told}."),
                format!("Name it {listed}, whichever is meant."),
            ),
            Some(meant) if !meant.is_taken => (
                IssueCode::UnknownField,
                format!("There is no member `{name}`. Did you mean {told}?"),
                match self.is_one_required(&path, &candidates) {
                    true => format!("Name it {told}."),
                    false => format!("Name it {told}, or leave it out."),
                },
            ),
            _ => (
                IssueCode::UnknownField,
                format!("There is no member `{name}`."),
                format!("Leave `{name}` out."),
            ),
        };
        let mut issue = Issue::new(code, path, message);
        issue.expected = violation.expected.as_str().to_owned();
        issue.received = self.found(violation).map(received);
        issue.candidates = candidates;
        issue.suggestion = Some(suggestion);
        issue
    }

    /// Returns `true` if one of the siblings of a member is required.
    fn is_one_required(&self, path: &Path, siblings: &[String]) -> bool {
        let mut object = path.clone();
        object.pop();
        siblings.iter().any(|name| {
            let field = self.contract.field(&object.member(name));
            field.is_some_and(|field| field.is_required())
        })
    }

    fn found(&self, violation: &Violation) -> Option<ValueRef<'r>> {
        match violation.found {
            Found::Value(id) => Some(self.value(id)),
            Found::Missing => None,
        }
    }

    fn value(&self, id: NodeId) -> ValueRef<'r> {
        self.report.document().node(id)
    }
}

/// Returns `true` if an undeclared name matches a field that is given.
fn is_conflict(meant: &Meant) -> bool {
    meant.is_taken && meant.by != NameMatch::Nearest
}

fn is_ambiguous(meant: &Meant) -> bool {
    !meant.is_taken && meant.members.len() > 1
}

/// Returns the path of the only field that an undeclared name matches, if it is missing.
fn sole_claim(violation: &Violation) -> Option<Path> {
    let meant = violation.meant.as_deref()?;
    let [member] = &meant.members[..] else {
        return None;
    };
    if meant.is_taken || meant.by == NameMatch::Nearest {
        return None;
    }
    let mut path = violation.path.clone();
    path.pop();
    Some(path.member(member))
}

fn code(violation: &Violation, found: Option<ValueRef<'_>>) -> IssueCode {
    let is_number = found.is_some_and(|value| value.kind() == Kind::Number);
    match violation.keyword {
        "type" | "enum" | "const" | "anyOf" | "oneOf" if violation.path.steps().is_empty() => {
            match found.map(ValueRef::kind) {
                Some(Kind::Object) | None => IssueCode::InvalidValue,
                Some(_) => IssueCode::NotAnObject,
            }
        }
        "type" | "enum" | "const" | "anyOf" | "oneOf" => IssueCode::TypeMismatch,
        "required" | "dependentRequired" | "dependencies" => IssueCode::MissingRequired,
        "format" if is_number => IssueCode::OutOfRange,
        "format" | "pattern" | "contentEncoding" | "contentMediaType" => IssueCode::InvalidFormat,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
        | "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
        | "maxProperties" => IssueCode::OutOfRange,
        "depth" | "digits" | "pattern_steps" | "work" | "violations_capped" => {
            IssueCode::LimitReached
        }
        _ => IssueCode::InvalidValue,
    }
}

/// Returns the suggestion for an issue of a declared member.
fn suggestion(issue: &Issue, violation: &Violation) -> String {
    let name = name_of(&issue.path);
    let expected = &issue.expected;
    // The feedback's own hint for the place is the most exact.
    let hint = violation.description.as_deref().and_then(|hint| {
        let nearest = hint.strip_prefix("The nearest allowed value is ")?;
        nearest.split_once('\n').map(|(nearest, _)| nearest)
    });
    match (issue.code, hint) {
        (_, Some(nearest)) => format!("Write {nearest}"),
        (IssueCode::MissingRequired, _) => format!("Give `{name}`: {expected}."),
        (IssueCode::NotAnObject, _) => "Write the arguments as one JSON object.".to_owned(),
        (IssueCode::LimitReached, _) => "Give a smaller value.".to_owned(),
        _ => format!("Give a value that fits: {expected}."),
    }
}

/// Returns the last name of a path.
fn name_of(path: &Path) -> String {
    match path.steps().last() {
        None => "the value".to_owned(),
        Some(Step::Member(name)) => name.to_string(),
        Some(Step::Index(_)) => path.to_string(),
    }
}

fn with_article(kind: Kind) -> String {
    let name = kind.name();
    match kind {
        Kind::Null => name.to_owned(),
        Kind::Array | Kind::Object => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

fn shown(value: ValueRef<'_>) -> String {
    match value.kind() {
        kind @ (Kind::Array | Kind::Object) => with_article(kind),
        _ => received(value),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect::<String>() + "."
}
