//! What a tool asks of its arguments, and what becomes of those that a model wrote.

use llmjson_syntax::ValueRef;

use crate::policy::{Policy, Unknown};
use crate::tools::{BindReport, Contract, ContractError, IssueCode, Tool};

/// The contract of a tool as a server lists it.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// Refuses every undeclared member.
    strict: Contract,
    /// Does with them what the policy says, where that is something else: a server may take members that
    /// its schema does not forbid, and a client may have added them for itself.
    open: Option<Contract>,
}

/// What is to be done with the arguments of a call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// They fit as they are.
    Untouched,
    /// The arguments that were meant, as JSON.
    Instead(String),
    /// What is wrong with them, for the model.
    Feedback(String),
}

/// Compiles the contract of a tool as a server lists it.
pub(super) fn compile(
    name: &str,
    tool: ValueRef<'_>,
    policy: &Policy,
) -> Result<Listed, ContractError> {
    let text = |member| Some(tool.get(member)?.as_str()?.into_owned());
    let description = text("description").unwrap_or_default();
    let schema = tool
        .get("inputSchema")
        .map_or("{}".to_owned(), ValueRef::to_json);
    let tool = Tool::new(name, description).with_policy(policy.clone());
    let strict = tool.clone().with_unknown(Unknown::Reject);
    let open = match policy.undeclared_members() {
        Unknown::Reject => None,
        _ => Some(Contract::tolerant(tool, schema.as_str())?),
    };
    let strict = Contract::tolerant(strict, schema)?;
    Ok(Listed { strict, open })
}

/// Binds arguments as they stand in a call; an empty text stands for none.
pub(super) fn fit(listed: &Listed, raw: &str) -> Fit {
    // What some programs write where there is nothing: PHP for an empty map, others for no text.
    let text = if matches!(raw, "[]" | "\"\"") {
        ""
    } else {
        raw
    };
    let mut report = listed.strict.report(text);
    if let Some(open) = listed.open.as_ref()
        && !report.is_ok()
        && has_only_strangers(&report)
    {
        report = open.report(text);
    }
    let blank = text.is_empty() || text == "null";
    match report.is_ok() {
        false => Fit::Feedback(report.explain()),
        true if report.has_repairs() || blank => Fit::Instead(report.canonical_arguments()),
        true => Fit::Untouched,
    }
}

/// Whether all that is wrong are undeclared members that are not like any declared one: a name that is
/// was probably meant to be that, and a server would pass over it in silence.
fn has_only_strangers(report: &BindReport) -> bool {
    let is_stranger =
        |code, candidates: &[String]| code == IssueCode::UnknownField && candidates.is_empty();
    let mut issues = report.issues().iter();
    issues.all(|issue| is_stranger(issue.code, &issue.candidates))
}
