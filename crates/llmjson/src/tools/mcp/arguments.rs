//! What a tool asks of its arguments, and what becomes of those that a model wrote.

use llmjson_syntax::ValueRef;

use crate::policy::Policy;
use crate::tools::{Contract, ContractError, Tool};

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
) -> Result<Contract, ContractError> {
    let text = |member| Some(tool.get(member)?.as_str()?.into_owned());
    let description = text("description").unwrap_or_default();
    let schema = tool
        .get("inputSchema")
        .map_or("{}".to_owned(), ValueRef::to_json);
    let tool = Tool::new(name, description).with_policy(policy.clone());
    Contract::tolerant(tool, schema)
}

/// Binds arguments as they stand in a call; an empty text stands for none.
pub(super) fn fit(contract: &Contract, raw: &str) -> Fit {
    // What some programs write where there is nothing: PHP for an empty map, others for no text.
    let text = if matches!(raw, "[]" | "\"\"") {
        ""
    } else {
        raw
    };
    let report = contract.report(text);
    let blank = text.is_empty() || text == "null";
    match report.is_ok() {
        false => Fit::Feedback(report.explain()),
        true if report.has_repairs() || blank => Fit::Instead(report.canonical_arguments()),
        true => Fit::Untouched,
    }
}
