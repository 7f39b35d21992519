//! Tool calls that a model wrote as text.
//!
//! Open models and the servers in front of them often leave tool calls in the text, and each model
//! family has its own markers. [`calls_in`] finds them, whatever the family, and binds them to the
//! tools of a registry.

mod brackets;
mod budget;
mod draft;
mod ends;
mod families;
mod family;
mod found;
mod json;
mod literal;
mod live;
mod members;
mod named;
mod payload;
mod pieces;
mod reading;
mod response;
mod scan;
mod search;
mod stream;
mod tag;
mod values;

use super::registry::Registry;
use budget::Budget;
use draft::{CallDraft, Stage, allows_unsearched};
use ends::{bounded, is_balanced, is_end, is_ended, is_noise, is_whole, near, skip, span_of};
use found::TextCallOutcome;
use payload::Payload;
use reading::CallReading;

pub use families::Families;
pub use family::Family;
pub use found::{CallEvent, NotRun, NotRunReason, TextCall, TextCalls};
pub use response::FamilyError;
pub use search::begun_fence;
pub use stream::Calls;

/// Finds the tool calls in a text and binds them.
///
/// If the registry has no tools, calls of any name are found, and their arguments are parsed
/// without a schema. Text that only looks like a call is not returned as one: code in a fence or in
/// backticks, a document, a tool declaration, a draft in reasoning. It is listed in
/// [`not_run`](TextCalls::not_run).
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{Registry, Tool, calls_in};
///
/// let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#;
/// let registry = Registry::builder()
///     .register_schema(Tool::new("weather", "Tells the weather."), schema)
///     .build()?;
///
/// let reply = "<think>Oslo it is.</think>Let me see.\n<tool_call>\n<function=weather>\n\
///     <parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>";
/// let found = calls_in(reply, &registry);
/// let call = &found.calls()[0];
/// assert_eq!((call.name(), call.family().name()), ("weather", "qwen3-coder"));
/// assert_eq!(call.arguments(), r#"{"city":"Oslo","days":3}"#);
/// assert!(call.is_ok());
/// assert_eq!((found.content(), found.reasoning()), ("Let me see.\n", "Oslo it is."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn calls_in(text: &str, registry: &Registry) -> TextCalls {
    CallReader::new(registry).read(text)
}

/// Finds tool calls in text, with options. See [`calls_in`].
#[derive(Clone, Debug)]
pub struct CallReader<'r> {
    registry: &'r Registry,
    families: Option<Families>,
}

impl<'r> CallReader<'r> {
    /// Creates a reader that finds calls of every family.
    #[must_use]
    pub const fn new(registry: &'r Registry) -> Self {
        Self {
            registry,
            families: None,
        }
    }

    /// Finds only calls in this family's format.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{CallReader, Registry};
    ///
    /// let registry = Registry::builder().build()?;
    /// let reader = CallReader::new(&registry).with_family("mistral".parse()?);
    /// let found = reader.read(r#"[TOOL_CALLS]add[ARGS]{"a": 1}"#);
    /// assert_eq!(found.calls()[0].arguments(), r#"{"a":1}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_family(self, family: Family) -> Self {
        self.with_families(family.into())
    }

    /// Finds only calls in the format of one of these families: other markers do not open a call.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{CallReader, Registry};
    ///
    /// let registry = Registry::builder().build()?;
    /// let reader = CallReader::new(&registry).with_families("Qwen/Qwen3-Coder-30B".parse()?);
    /// assert!(reader.read(r#"[TOOL_CALLS]add[ARGS]{"a": 1}"#).calls().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_families(mut self, families: Families) -> Self {
        self.families = Some(families);
        self
    }

    /// Finds calls of every family. This is the default.
    #[must_use]
    pub const fn without_family(mut self) -> Self {
        self.families = None;
        self
    }

    /// Finds the calls in a text and binds them.
    #[must_use]
    pub fn read(&self, text: &str) -> TextCalls {
        let saved = search::Saved::default();
        let search = search::CallSearch::resume(text, self.registry, self.families, saved);
        TextCalls::of(search.read(), self.registry, text)
    }

    /// Creates a stream that finds calls in text that is still arriving.
    #[must_use]
    pub fn stream(&self) -> Calls {
        Calls::new(self.registry, self.families)
    }
}

impl TextCalls {
    fn of((found, mut budget): (search::State, Budget), registry: &Registry, text: &str) -> Self {
        let unsearched = found.unsearched.map(|from| span_of((from, text.len())));
        let mut contracts = registry.contracts();
        let mut not_run = found.not_run;
        not_run.sort_by_key(|shown| (shown.span.start, shown.span.end));
        let calls = found.calls.into_iter().map(|mut draft| {
            draft.set_unsearched(unsearched.is_some());
            draft.bind(text, registry, &mut budget)
        });
        Self {
            calls: calls.collect(),
            not_run,
            content: found.content,
            reasoning: found.reasoning,
            last_events: Vec::new(),
            is_refused: unsearched.is_some()
                && contracts.any(|contract| !allows_unsearched(contract.policy())),
            unsearched,
            work: budget.spent(),
        }
    }
}

/// Finds the JSON arguments that begin at a position, as for a call without a name, and returns
/// their end.
fn arguments_at(text: &str, start: usize, budget: &mut Budget) -> (CallDraft, usize) {
    let (json, end, is_closed) = bounded(text, start, budget);
    let draft = CallDraft {
        arguments: Payload::Read((start, end)),
        complete: is_closed || is_ended(&budget.read(json)),
        ..CallDraft::default()
    };
    (draft, end)
}
