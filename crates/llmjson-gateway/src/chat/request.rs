//! The options of a request, and the body for the upstream.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use llmjson::syntax::{Document, Kind, ValueRef};
use llmjson::{Policy, Schema};

use super::prompt;
use super::tools::{Tools, remove_policies};
use super::whole::number_of;
use crate::json::{self, Node};
use crate::{Cache, Rejection, Treatment};

/// The schema of structured content.
#[derive(Debug)]
pub(crate) struct Format {
    /// `None` if it is unusable.
    pub(super) schema: Option<Schema>,
}

/// The calls that a request allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Choice {
    #[default]
    Any,
    None,
    /// Calls of these tools.
    Named(Vec<String>),
}

/// The plan for treating the reply to a request.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) treatment: Treatment,
    pub(super) tools: Option<Arc<Tools>>,
    pub(super) choice: Choice,
    /// `false` if the reply may have at most one call.
    pub(super) is_parallel: bool,
    pub(super) format: Option<Arc<Format>>,
    /// The policy for structured content.
    pub(super) policy: Policy,
    pub(super) model: Option<String>,
    pub(super) is_streamed: bool,
    /// `true` if several choices are requested.
    pub(super) is_several: bool,
    /// `true` if the client gets the reply in another dialect.
    pub(super) is_translated: bool,
    /// The body for the upstream.
    pub(super) body: Vec<u8>,
    /// Gives calls found in text different ids in each reply.
    seed: u64,
}

impl Plan {
    pub(super) fn read(
        request: &[u8],
        treatment: &Treatment,
        cache: &Cache,
    ) -> Result<Self, Rejection> {
        let mut plan = Self {
            treatment: treatment.clone(),
            tools: None,
            choice: Choice::Any,
            is_parallel: true,
            format: None,
            policy: treatment.policy_for(None),
            model: None,
            is_streamed: false,
            is_several: false,
            is_translated: false,
            body: request.to_vec(),
            seed: (treatment.seed).unwrap_or_else(|| RandomState::new().hash_one(0)),
        };
        // The upstream rejects text that is not JSON. If it accepts it, it may find tools in it.
        let document = json::read(request);
        let Some(root) = document.as_ref().and_then(Document::root) else {
            plan.leave_tools_unread();
            return Ok(plan);
        };
        plan.model = json::text(root, "model");
        plan.is_streamed = root.get("stream").and_then(ValueRef::as_bool) == Some(true);
        plan.is_several = root.get("n").and_then(ValueRef::as_u64) > Some(1);
        plan.choice = root.get("tool_choice").map(choice_of).unwrap_or_default();
        let parallel = root.get("parallel_tool_calls");
        plan.is_parallel = parallel.and_then(ValueRef::as_bool) != Some(false);
        plan.read_tools(root, cache)?;
        plan.read_format(root, cache);
        let mut body = Node::of(root.document_text());
        remove_policies(&mut body);
        if let Some(family) = treatment.tools_in_prompt {
            prompt::write(&plan, root, &mut body, family);
        }
        if body.is_changed() {
            plan.body = body.into_bytes();
        }
        Ok(plan)
    }

    /// Marks the tool list as unreadable.
    pub(super) fn leave_tools_unread(&mut self) {
        self.tools = Some(Arc::new(Tools::unread(&self.treatment)));
    }

    /// Returns the reason if a tool's call cannot be checked although its policy requires it.
    pub(super) fn unchecked(&self, name: &str) -> Option<&str> {
        self.tools.as_ref()?.unchecked(name)
    }

    /// Returns `true` if nothing in the reply is treated.
    pub(super) fn is_idle(&self) -> bool {
        self.tools.is_none() && self.format.is_none() && !self.is_translated
    }

    /// Returns `true` if calls and structured values must be held until they are judged.
    pub(super) fn holds(&self) -> bool {
        self.treatment.retries > 0 || self.treatment.certainty.is_some()
    }

    /// Returns a random id for a call found in text, deterministic for the same reply, choice and
    /// index: 9 letters and digits, since some tokenizers reject anything else.
    pub(super) fn call_id(&self, reply: &str, choice: u32, place: usize) -> String {
        const LETTERS: &[u8; 62] =
            b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        // SplitMix64
        let mut mixed = self.seed ^ number_of(reply, choice, place);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let letters = std::iter::repeat_with(|| {
            let letter = LETTERS[(mixed % 62) as usize];
            mixed /= 62;
            char::from(letter)
        });
        letters.take(9).collect()
    }

    /// Returns the schema of structured content.
    pub(super) fn schema(&self) -> Option<&Schema> {
        self.format.as_ref()?.schema.as_ref()
    }

    /// Returns `true` if this tool's calls may be extracted from text.
    pub(super) fn allows(&self, name: &str) -> bool {
        match &self.choice {
            Choice::Any => true,
            Choice::None => false,
            Choice::Named(names) => names.iter().any(|one| one == name),
        }
    }

    fn read_tools(&mut self, root: ValueRef<'_>, cache: &Cache) -> Result<(), Rejection> {
        let Some(tools) = json::member(root, "tools") else {
            return Ok(());
        };
        if tools.kind() != Kind::Array {
            self.leave_tools_unread();
            return Ok(());
        }
        let most = self.treatment.limits.tools;
        if tools.len() > most {
            let message = format!(
                "The gateway takes at most {most} tools, not {}.",
                tools.len()
            );
            return Err(Rejection::of_request("tools", "too_many_tools", &message));
        }
        Tools::check(tools)?;
        if tools.is_empty() {
            return Ok(());
        }
        let treatment = &self.treatment;
        let bytes = json::written(tools).as_bytes();
        let compiled = (cache.tools).get(treatment.id, bytes, || Tools::compile(tools, treatment));
        self.tools = Some(compiled);
        Ok(())
    }

    fn read_format(&mut self, root: ValueRef<'_>, cache: &Cache) {
        let Some(format) = json::member(root, "response_format") else {
            return;
        };
        let kind = json::text(format, "type").unwrap_or_default();
        let schema = match kind.as_str() {
            "json_object" => r#"{"type":"object"}"#,
            "json_schema" => {
                let wrapper = json::member(format, "json_schema");
                let schema = wrapper.and_then(|wrapper| json::member(wrapper, "schema"));
                schema.map_or("{}", json::written)
            }
            _ => return,
        };
        let make = || Format {
            schema: Schema::from_text(schema).ok(),
        };
        let id = self.treatment.id;
        self.format = Some(cache.formats.get(id, schema.as_bytes(), make));
    }
}

/// Reads `tool_choice`.
fn choice_of(value: ValueRef<'_>) -> Choice {
    if value.as_str().is_some_and(|word| word == "none") {
        return Choice::None;
    }
    let name = |value: ValueRef<'_>| {
        let inner = value.get("function").unwrap_or(value);
        json::text(inner, "name")
    };
    let allowed = value.get("allowed_tools").unwrap_or(value).get("tools");
    if let Some(allowed) = allowed.filter(|allowed| allowed.kind() == Kind::Array) {
        return Choice::Named(allowed.items().filter_map(name).collect());
    }
    match name(value) {
        Some(name) => Choice::Named(vec![name]),
        None => Choice::Any,
    }
}
