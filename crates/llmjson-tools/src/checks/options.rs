//! The name of a tool, and conflicting options.

use super::findings::Findings;
use crate::tool::Tool;
use llmjson_reply::policy::Names;
use llmjson_targets::LintCode;

/// The maximum length of a tool's name, in bytes.
const NAME_MAX: usize = 64;

pub(super) fn check(tool: &Tool, findings: &mut Findings<'_>) {
    check_name(&tool.name, findings);
    let mut wanted = tool.undeclared.iter();
    let first = wanted.next();
    if wanted.any(|other| Some(other) != first) {
        let message = "conflicting options for unknown fields; set only one";
        findings.error(LintCode::Options, String::new(), message.to_owned());
    }
    let matchers = &tool.extensions;
    let matchers = matchers.first_matchers.iter().chain(&matchers.matchers);
    let matchers: Vec<_> = matchers.map(|matcher| matcher.name()).collect();
    if tool.settled_policy().names() == Names::Exact && !matchers.is_empty() {
        let message = format!(
            "names must match exactly, so field matchers have no effect: {}",
            matchers.join(", ")
        );
        findings.error(LintCode::Options, String::new(), message);
    }
}

fn check_name(name: &str, findings: &mut Findings<'_>) {
    if name.trim().is_empty() {
        let message = "the tool has no name".to_owned();
        return findings.error(LintCode::Name, String::new(), message);
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let message = if let Some(letter) = name.chars().find(|letter| !is_plain(*letter)) {
        format!("providers reject {letter:?} in a tool's name; use letters, digits, `_` and `-`")
    } else if name.len() > NAME_MAX {
        format!("providers reject names of more than {NAME_MAX} characters")
    } else {
        return;
    };
    findings.warning(LintCode::Name, String::new(), message);
}
