//! The description of a tool: everything but the schema of its arguments.

use std::fmt;

use serde_json::Value;

use super::extend::Extensions;
use super::handler::Handler;
use llmjson_reply::{
    Policy,
    policy::{Handling, Names, Undeclared},
};
use llmjson_syntax::named;

/// A tool that a model may call: its name, its description, and how its arguments are bound. The schema
/// of the arguments is passed separately.
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{MatchingMode, Registry, Tool};
/// use serde_json::json;
///
/// let tool = Tool::new("pay", "Pays an invoice.")
///     .with_matching(MatchingMode::Exact)
///     .with_required_any(["invoice_id", "invoice_number"])
///     .with_alias("invoice_number", "invoice_no")
///     .with_example("cents", 1200);
/// let schema = json!({"type": "object", "properties": {
///     "invoice_id": {"type": "string"},
///     "invoice_number": {"type": "string"},
///     "cents": {"type": "integer", "minimum": 1}
/// }});
/// let registry = Registry::builder().register_schema(tool, &schema).build()?;
/// let bound = registry.bind_value("pay", r#"{"invoice_no": "7", "cents": "1200"}"#)?;
/// assert_eq!(bound.report.canonical_arguments(), r#"{"invoice_number":"7","cents":1200}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Tool {
    pub(super) name: Box<str>,
    pub(super) description: Box<str>,
    pub(super) policy: Policy,
    pub(super) matching: Option<MatchingMode>,
    /// All values that were set, to detect contradictions.
    pub(super) undeclared: Vec<Undeclared>,
    pub(super) groups: Vec<Vec<Box<str>>>,
    /// Member names and their aliases.
    pub(super) aliases: Vec<(Box<str>, Box<str>)>,
    pub(super) examples: Vec<(Box<str>, Value)>,
    pub(super) extensions: Extensions,
    pub(super) handler: Option<Handler>,
}

/// The rule for matching argument names to declared fields. Declared aliases match like any other
/// name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MatchingMode {
    /// Exact matches first, then matches that ignore case and separators, then matches of the first
    /// or last words if only one field has them, then the matchers of the [`Extensions`].
    #[default]
    Layered,
    /// Exact matches only: for tools that pay or delete.
    Exact,
}

named!(MatchingMode: "layered" => Layered, "exact" => Exact);

impl Tool {
    /// Creates a tool with the policy [`Policy::tool`].
    pub fn new(name: impl Into<Box<str>>, description: impl Into<Box<str>>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            policy: Policy::tool(),
            matching: None,
            undeclared: Vec::new(),
            groups: Vec::new(),
            aliases: Vec::new(),
            examples: Vec::new(),
            extensions: Extensions::default(),
            handler: None,
        }
    }

    /// Sets the policy for arguments, for example [`Policy::exact`] for tools that pay or delete.
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets how names are matched. This does not affect the coercion of values.
    pub fn with_matching(mut self, mode: MatchingMode) -> Self {
        self.matching = Some(mode);
        self
    }

    /// Sets how undeclared members are handled: rejected ([`Undeclared::Reject`], as in [`Policy::tool`]),
    /// dropped ([`Undeclared::Drop`]) or kept ([`Undeclared::KeepForbidden`]).
    pub fn with_undeclared(mut self, members: Undeclared) -> Self {
        self.undeclared.push(members);
        self
    }

    /// Sets whether truncated calls are bound.
    pub fn with_truncated(mut self, handling: Handling) -> Self {
        self.policy = self.policy.with_truncated(handling);
        self
    }

    /// Fills missing members with their `default`. Off by default.
    pub fn with_defaults(mut self) -> Self {
        self.policy = (self.policy).allow_coercion(llmjson_schema::CoercionKind::Default);
        self
    }

    /// Requires at least one of these members to be present and not null. If there are several
    /// groups, each must be satisfied.
    pub fn with_required_any<M>(mut self, members: M) -> Self
    where
        M: IntoIterator,
        M::Item: Into<Box<str>>,
    {
        self.groups
            .push(members.into_iter().map(Into::into).collect());
        self
    }

    /// Declares an alias for a root member of the arguments.
    pub fn with_alias(mut self, member: impl Into<Box<str>>, alias: impl Into<Box<str>>) -> Self {
        self.aliases.push((member.into(), alias.into()));
        self
    }

    /// Adds an example for a root member of the arguments.
    pub fn with_example(mut self, member: impl Into<Box<str>>, value: impl Into<Value>) -> Self {
        self.examples.push((member.into(), value.into()));
        self
    }

    /// Sets the extensions: matchers, coercers, normalizers and more. They take precedence over the
    /// registry's extensions.
    pub fn with_extensions(mut self, extensions: Extensions) -> Self {
        self.extensions = extensions;
        self
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the policy with the matching mode and the handling of undeclared members applied.
    pub(super) fn settled_policy(&self) -> Policy {
        let mut policy = self.policy.clone().with_tool(&self.name);
        policy = match self.matching {
            None => policy,
            Some(MatchingMode::Exact) => policy.with_names(Names::Exact),
            Some(MatchingMode::Layered) => policy.with_names(Names::Derived),
        };
        match self.undeclared.last() {
            None => policy,
            Some(unknown) => policy.with_undeclared(*unknown),
        }
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name)
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}
