//! The compiled tools of a request.

use llmjson::Policy;
use llmjson::policy::{FormatStrictness, Handling, Names, Undeclared};
use llmjson::report::CoercionKind;
use llmjson::syntax::{Class, RepairKind, ValueRef};
use llmjson::tools::{Registry, ToolList};

use crate::json::{self, Node};
use crate::{Rejection, Treatment};

/// The member of a tool that names its policy.
pub(crate) const POLICY: &str = "x-llmjson-policy";

/// The namespace in which OpenAI's models know tools, and which some write before a name.
const NAMESPACE: &str = "functions.";

/// The tools of a request.
#[derive(Debug)]
pub(crate) struct Tools {
    pub(super) registry: Registry,
    /// `true` if a tool's schema is unusable.
    pub(super) has_left_out: bool,
    unchecked: Vec<Unchecked>,
}

/// Calls that cannot be checked although their policy requires it.
#[derive(Debug)]
struct Unchecked {
    /// The name of the tool; `None` for all tools.
    tool: Option<String>,
    reason: String,
}

impl Tools {
    /// Creates the tools of a list that cannot be read.
    pub(super) fn unread(treatment: &Treatment) -> Self {
        let policy = treatment.policy_for(None);
        let all = Unchecked {
            tool: None,
            reason: "the tools of the request cannot be read".to_owned(),
        };
        Self {
            registry: Registry::default(),
            has_left_out: true,
            unchecked: Some(all)
                .filter(|_| is_checked(&policy))
                .into_iter()
                .collect(),
        }
    }

    /// Returns the reason if a tool's call cannot be checked although its policy requires it.
    pub(super) fn unchecked(&self, name: &str) -> Option<&str> {
        let bare = name.strip_prefix(NAMESPACE).unwrap_or(name);
        let is_it = |one: &&Unchecked| {
            let tool = one.tool.as_deref();
            tool.is_none_or(|tool| tool == name || tool == bare)
        };
        Some(&self.unchecked.iter().find(is_it)?.reason)
    }

    /// Returns the reasons why calls cannot be checked, for a log.
    pub(super) fn notices(&self) -> impl Iterator<Item = &str> {
        self.unchecked.iter().map(|one| one.reason.as_str())
    }

    /// Rejects unknown policies.
    pub(super) fn check(tools: ValueRef<'_>) -> Result<(), Rejection> {
        for (at, tool) in tools.items().enumerate() {
            let named = members_of(tool).filter_map(|place| place.get(POLICY));
            for policy in named {
                let name = policy.as_str().unwrap_or_default();
                if Policy::named(&name).is_some() {
                    continue;
                }
                let message = format!(
                    "tools[{at}] has the policy {}, expected one of: {}.",
                    json::written(policy),
                    Policy::PRESETS.join(", ")
                );
                let param = format!("tools[{at}].{POLICY}");
                return Err(Rejection::of_request(&param, "unknown_policy", &message));
            }
        }
        Ok(())
    }

    pub(super) fn compile(tools: ValueRef<'_>, treatment: &Treatment) -> Self {
        let mut builder = Registry::builder().tolerant();
        let (mut functions, mut policies) = (0, Vec::new());
        for tool in tools.items() {
            let mut named = None;
            for place in members_of(tool) {
                if let Some(policy) = place.get(POLICY).and_then(ValueRef::as_str) {
                    named = Policy::named(&policy);
                }
            }
            if tool.get("function").is_none() {
                continue;
            }
            functions += 1;
            let name = tool
                .get("function")
                .and_then(|tool| json::text(tool, "name"));
            if let Some(name) = name {
                let policy = treatment.policy_for(Some(&name));
                let named = named.as_ref();
                let is_checked = is_checked(&policy) || named.is_some_and(is_checked);
                policies.push((name, is_checked));
            }
            if let Ok(list) = ToolList::parse(json::written(tool)) {
                builder = builder.register_tools(list.with_each(|tool| {
                    let policy = treatment.policy_for(Some(tool.name()));
                    let policy = match &named {
                        Some(named) => stricter(policy, named),
                        None => policy,
                    };
                    tool.with_policy(policy)
                }));
            }
        }
        let registry = builder.build().unwrap_or_default();
        let known = registry.contracts().len();
        let left_out = policies.into_iter();
        let left_out = left_out.filter(|(name, is)| *is && registry.get(name).is_none());
        let unchecked = left_out.map(|(name, _)| {
            let lint = registry.warnings().find(|lint| lint.tool == name);
            let why = lint.map_or("the tool cannot be read", |lint| &lint.message);
            Unchecked {
                reason: format!("{why} (tool {name:?})"),
                tool: Some(name),
            }
        });
        let unchecked = unchecked.collect();
        Self {
            has_left_out: known < functions,
            unchecked,
            registry,
        }
    }
}

/// A tool and its function, either of which may name a policy.
fn members_of(tool: ValueRef<'_>) -> impl Iterator<Item = ValueRef<'_>> {
    [Some(tool), tool.get("function")].into_iter().flatten()
}

/// Removes the policies from the tools of a request, in any dialect.
pub(crate) fn remove_policies(body: &mut Node<'_>) {
    if let Some(tools) = body.get("tools") {
        tools.items().for_each(remove_policy);
    }
    for item in body.get("input").into_iter().flat_map(Node::items) {
        if let Some(tools) = item.get("tools") {
            tools.items().for_each(remove_policy);
        }
    }
}

fn remove_policy(tool: &mut Node<'_>) {
    tool.remove(&[POLICY]);
    if let Some(function) = tool.get("function") {
        function.remove(&[POLICY]);
    }
    // The tools of a namespace.
    for inner in tool.get("tools").into_iter().flat_map(Node::items) {
        inner.remove(&[POLICY]);
    }
}

/// Returns `true` if a call under this policy must be judged before it is announced, as `exact`
/// requires.
pub(super) fn is_careful(policy: &Policy) -> bool {
    policy.names() == Names::Exact && policy.truncated() == Handling::Refuse
}

/// Returns `true` if a policy requires calls to be checked. A policy that accepts truncated
/// arguments accepts any.
fn is_checked(policy: &Policy) -> bool {
    policy.truncated() == Handling::Refuse
}

/// Returns the policy that allows only what both policies allow.
fn stricter(policy: Policy, other: &Policy) -> Policy {
    let mut both = policy;
    for class in Class::ALL {
        for kind in RepairKind::ALL {
            if !other.allows_repair_as(*kind, *class) {
                both = both.deny_repair_as(*kind, *class);
            }
        }
        for kind in CoercionKind::ALL {
            if !other.allows_coercion_as(*kind, *class) {
                both = both.deny_coercion_as(*kind, *class);
            }
        }
    }
    if other.truncated() == Handling::Refuse {
        both = both.with_truncated(Handling::Refuse);
    }
    if other.duplicate_keys() == Handling::Refuse {
        both = both.with_duplicate_keys(Handling::Refuse);
    }
    if other.formats() == FormatStrictness::Strict {
        both = both.with_formats(FormatStrictness::Strict);
    }
    if matches!(other.undeclared(), Undeclared::Reject) {
        both = both.with_undeclared(Undeclared::Reject);
    }
    both
}
