//! The treatment of requests and replies.

use std::collections::HashMap;
use std::sync::Arc;

use llmjson::Policy;
use llmjson::syntax::Class;
use llmjson::tools::Family;

/// The limits on what is held of one request and its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum number of bytes of a stream that are held back at one time.
    pub held_bytes: usize,
    /// Maximum number of bytes of one frame of server-sent events that is read; a longer one passes as it came.
    pub frame_bytes: usize,
    /// Maximum number of tools of a request.
    pub tools: usize,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Self = Self {
        held_bytes: 8 << 20,
        frame_bytes: 4 << 20,
        tools: 512,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The treatment of requests and replies: policy, least certainty, retries, the place of the tools, limits. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Treatment {
    pub(crate) policy: Policy,
    pub(crate) certainty: Option<Class>,
    pub(crate) retries: u32,
    pub(crate) tools_in_prompt: Option<Family>,
    pub(crate) tool_policies: Arc<HashMap<String, Policy>>,
    pub(crate) limits: Limits,
}

impl Default for Treatment {
    fn default() -> Self {
        Self {
            policy: Policy::tool(),
            certainty: None,
            retries: 0,
            tools_in_prompt: None,
            tool_policies: Arc::default(),
            limits: Limits::DEFAULT,
        }
    }
}

impl Treatment {
    /// Sets the policy for arguments and structured content; [`Policy::tool`] without this.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets the least certainty: what is less sure is refused, or asked again. `None` without this.
    #[must_use]
    pub const fn with_certainty(mut self, certainty: Option<Class>) -> Self {
        self.certainty = certainty;
        self
    }

    /// Sets how many further times the upstream is asked when a reply does not conform; 0 without this.
    #[must_use]
    pub const fn with_retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Writes the tools into the system message in the form of this family, for models without tools.
    #[must_use]
    pub const fn with_tools_in_prompt(mut self, family: Option<Family>) -> Self {
        self.tools_in_prompt = family;
        self
    }

    /// Sets policies for tools of these names, instead of the policy for all.
    #[must_use]
    pub fn with_tool_policies(mut self, policies: HashMap<String, Policy>) -> Self {
        self.tool_policies = Arc::new(policies);
        self
    }

    /// Sets the limits on what is held.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
