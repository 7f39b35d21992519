//! What is said of a tool when it is registered, beside the schema of its arguments.

use std::fmt;

use serde_json::Value;

use super::extend::Extensions;
use crate::policy::{Handling, Names, Policy, Unknown};

/// A tool that a model may call: its name, what it does, and how its arguments are bound. The schema
/// of its arguments is given beside it.
///
/// ```
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
    /// As often as it was said, so that contradictions are found.
    pub(super) unknown: Vec<Unknown>,
    pub(super) groups: Vec<Vec<Box<str>>>,
    /// Members and their other names.
    pub(super) aliases: Vec<(Box<str>, Box<str>)>,
    pub(super) examples: Vec<(Box<str>, Value)>,
    pub(super) extensions: Extensions,
}

/// How the names of arguments are compared with those that the schema declares. Aliases that it
/// declares are names like any other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MatchingMode {
    /// Byte by byte, then without case and separators, then by their first or last words where only
    /// one member can be meant; then by what the [`Extensions`] offer.
    #[default]
    Layered,
    /// Byte by byte: for tools that pay or delete.
    Exact,
}

impl MatchingMode {
    /// The stable snake_case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Layered => "layered",
            Self::Exact => "exact",
        }
    }
}

impl Tool {
    /// A tool whose arguments are bound by [`Policy::tool`].
    pub fn new(name: impl Into<Box<str>>, description: impl Into<Box<str>>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            policy: Policy::tool(),
            matching: None,
            unknown: Vec::new(),
            groups: Vec::new(),
            aliases: Vec::new(),
            examples: Vec::new(),
            extensions: Extensions::default(),
        }
    }

    /// Sets what may be done to the arguments of a call: for tools that pay or delete
    /// [`Policy::exact`].
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets how names are compared. [`MatchingMode::Exact`] leaves the coercion of values as the
    /// policy has it.
    pub fn with_matching(mut self, mode: MatchingMode) -> Self {
        self.matching = Some(mode);
        self
    }

    /// Sets what becomes of members that the schema does not declare: each is an issue
    /// ([`Unknown::Reject`], as in [`Policy::tool`]), is left out ([`Unknown::Drop`]) or stays
    /// ([`Unknown::KeepForbidden`]).
    pub fn with_unknown(mut self, unknown: Unknown) -> Self {
        self.unknown.push(unknown);
        self
    }

    /// Binds calls whose text was cut off too, as far as they go.
    pub fn with_truncated(mut self, handling: Handling) -> Self {
        self.policy = self.policy.with_truncated(handling);
        self
    }

    /// Puts in the `default` of members that are missing. Without this nothing is put in.
    pub fn with_defaults(mut self) -> Self {
        self.policy = (self.policy).allow_coercion(llmjson_schema::CoercionKind::Default);
        self
    }

    /// Asks for at least one of these members, which the schema declares without requiring them.
    /// Several such groups all have to be satisfied.
    pub fn with_required_any<M>(mut self, members: M) -> Self
    where
        M: IntoIterator,
        M::Item: Into<Box<str>>,
    {
        self.groups
            .push(members.into_iter().map(Into::into).collect());
        self
    }

    /// Declares another name for a member at the root of the arguments.
    pub fn with_alias(mut self, member: impl Into<Box<str>>, alias: impl Into<Box<str>>) -> Self {
        self.aliases.push((member.into(), alias.into()));
        self
    }

    /// Gives an example of a member at the root of the arguments, beside those that the schema
    /// has.
    pub fn with_example(mut self, member: impl Into<Box<str>>, value: impl Into<Value>) -> Self {
        self.examples.push((member.into(), value.into()));
        self
    }

    /// Sets what else takes part in binding: matchers of names, coercers, normalizers of formats.
    /// Those of the registry come after these.
    pub fn with_extensions(mut self, extensions: Extensions) -> Self {
        self.extensions = extensions;
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The policy with all that was said besides.
    pub(super) fn settled_policy(&self) -> Policy {
        let mut policy = self.policy.clone().with_tool(&self.name);
        policy = match self.matching {
            None => policy,
            Some(MatchingMode::Exact) => policy.with_names(Names::Exact),
            Some(MatchingMode::Layered) => policy.with_names(Names::Derived),
        };
        match self.unknown.last() {
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
