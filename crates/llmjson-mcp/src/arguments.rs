//! Contracts of listed tools, and binding arguments to them.

use llmjson_syntax::ValueRef;

use llmjson_reply::{Policy, policy::Undeclared};
use llmjson_tools::{BindReport, Contract, ContractError, IssueCode, Tool};

/// The contract of a tool as a server lists it.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// Rejects undeclared members.
    strict: Contract,
    /// Treats undeclared members as the policy says, if that is not to reject them: a server may accept
    /// members that its schema does not declare.
    open: Option<Contract>,
}

/// The result of binding the arguments of a call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The arguments satisfy the contract unchanged.
    Untouched,
    /// The repaired arguments, as JSON.
    Instead(String),
    /// The arguments do not satisfy the contract; the text is the feedback for the model.
    Feedback(String),
}

/// Compiles the contract of a tool from its entry in the list of a server.
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
    let strict = tool.clone().with_undeclared(Undeclared::Reject);
    let open = match policy.undeclared() {
        Undeclared::Reject => None,
        _ => Some(Contract::tolerant(tool, schema.as_str())?),
    };
    let strict = Contract::tolerant(strict, schema)?;
    Ok(Listed { strict, open })
}

/// Binds the JSON text of the arguments of a call. An empty text stands for missing arguments.
pub(super) fn fit(listed: &Listed, raw: &str) -> Fit {
    // PHP encodes an empty map as `[]`; other clients send missing arguments as an empty string.
    let text = if matches!(raw, "[]" | "\"\"") {
        ""
    } else {
        raw
    };
    let mut report = listed.strict.report(text);
    if let Some(open) = listed.open.as_ref()
        && !report.is_ok()
        && has_only_unrelated_members(&report)
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

/// Returns `true` if all issues are undeclared members whose names are not similar to a declared
/// field's. A similar name is probably a misspelling, which the server would ignore.
fn has_only_unrelated_members(report: &BindReport) -> bool {
    let mut issues = report.issues().iter();
    issues.all(|issue| issue.code == IssueCode::UnknownField && issue.candidates.is_empty())
}
