//! The treatment of requests and replies.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use llmjson::Policy;
use llmjson::syntax::Class;
use llmjson::tools::Family;

/// The limits on the data held for one request and its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of bytes of a stream that are held back at the same time.
    pub held_bytes: usize,
    /// The maximum size of a server-sent event frame in bytes; a longer one ends the stream with an
    /// error.
    pub frame_bytes: usize,
    /// The maximum number of tools in a request.
    pub tools: usize,
}

impl Limits {
    /// The default of [`held_bytes`](Self::held_bytes).
    pub const HELD_BYTES: usize = 8 << 20;

    /// The default of [`frame_bytes`](Self::frame_bytes).
    pub const FRAME_BYTES: usize = 4 << 20;

    /// The default of [`tools`](Self::tools).
    pub const TOOLS: usize = 512;

    /// The default limits.
    pub const DEFAULT: Self = Self {
        held_bytes: Self::HELD_BYTES,
        frame_bytes: Self::FRAME_BYTES,
        tools: Self::TOOLS,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The treatment of the parts of a request that have no equivalent in the upstream's dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unknown {
    /// The request is rejected, with their names.
    #[default]
    Refuse,
    /// The parts are left out, and the report names them.
    Drop,
}

/// The treatment of requests and replies: policy, minimum certainty, retries, the place of the
/// tools, limits. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Treatment {
    pub(crate) policy: Policy,
    pub(crate) certainty: Option<Class>,
    pub(crate) retries: u32,
    pub(crate) tools_in_prompt: Option<Family>,
    pub(crate) tool_policies: Arc<HashMap<String, Policy>>,
    pub(crate) limits: Limits,
    pub(crate) unknown: Unknown,
    /// The seed for the ids of calls found in text; random in each exchange if absent.
    pub(crate) seed: Option<u64>,
    /// An id shared by treatments that compile identically.
    pub(crate) id: u64,
}

/// Returns a unique id for a treatment.
fn new_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
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
            unknown: Unknown::Refuse,
            seed: None,
            id: 0,
        }
    }
}

impl Treatment {
    /// Returns the policy for a tool, or for structured content, limited to the minimum certainty.
    pub(crate) fn policy_for(&self, tool: Option<&str>) -> Policy {
        let own = tool.and_then(|name| self.tool_policies.get(name));
        let policy = own.unwrap_or(&self.policy).clone();
        match self.certainty {
            Some(least) => policy.deny_beyond(least),
            None => policy,
        }
    }

    /// Sets the policy for arguments and structured content; the default is [`Policy::tool`].
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.id = new_id();
        self.policy = policy;
        self
    }

    /// Sets the minimum certainty: less certain values are refused, or requested again. The default
    /// is `None`.
    #[must_use]
    pub fn with_certainty(mut self, certainty: Option<Class>) -> Self {
        self.id = new_id();
        self.certainty = certainty;
        self
    }

    /// Sets the treatment of parts that cannot be translated; the default is [`Unknown::Refuse`].
    #[must_use]
    pub const fn with_unknown(mut self, unknown: Unknown) -> Self {
        self.unknown = unknown;
        self
    }

    /// Sets how many times the upstream is asked again if a reply does not conform; the default is
    /// 0.
    #[must_use]
    pub const fn with_retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Writes the tools into the system message, and earlier calls and their results into the texts
    /// of their messages, in this family's format, for models without tool support. `hermes`,
    /// `llama3` and `mistral-json` have their own formats, other families use the format of
    /// `hermes`. Calls of all families are found in replies.
    #[must_use]
    pub const fn with_tools_in_prompt(mut self, family: Option<Family>) -> Self {
        self.tools_in_prompt = family;
        self
    }

    /// Sets policies for tools with these names, which replace the policy for all.
    #[must_use]
    pub fn with_tool_policies(mut self, policies: HashMap<String, Policy>) -> Self {
        self.id = new_id();
        self.tool_policies = Arc::new(policies);
        self
    }

    /// Sets the limits on held data.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Makes the ids of calls found in text deterministic, for tests.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }
}
