//! The findings in a text: its calls, its other content, and the changes while it streams.

pub use llmjson_syntax::internal::zones::ZoneKind as NotRunReason;
use llmjson_syntax::{Class, Note, Repair, Span};

use super::draft::CallDraft;
use super::family::Family;
use super::span_of;
use crate::bind::UnknownTool;
use crate::report::BindReport;

/// The tool calls in a text, and its other content.
#[derive(Debug)]
pub struct TextCalls {
    pub(super) calls: Vec<TextCall>,
    pub(super) not_run: Vec<NotRun>,
    pub(super) content: String,
    pub(super) reasoning: String,
    pub(super) unsearched: Option<Span>,
    /// `true` if the policy of a tool refuses a text that was partly not searched.
    pub(super) is_refused: bool,
    pub(super) last_events: Vec<CallEvent>,
    pub(super) work: u64,
}

impl TextCalls {
    /// Returns the rest of the text that was not searched for calls because the text before it
    /// exhausted the work budget ([`Limits::work`](llmjson_syntax::Limits::work)). `None` except
    /// for texts built to cause excessive work. This rest counts as content. If only the budget for
    /// text without markers is exhausted, calls between markers are still found in it.
    ///
    /// All [calls](Self::calls) are then guesses, since the unsearched text may mean that they are
    /// not calls. Policies that refuse dropped values, such as `tool` and `exact`, refuse them.
    #[must_use]
    pub fn unsearched(&self) -> Option<Span> {
        self.unsearched
    }

    /// Returns the work of finding the calls and parsing their arguments, in steps.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Returns the call events produced when the stream was finished; empty if the text was not
    /// streamed.
    #[must_use]
    pub fn last_events(&self) -> &[CallEvent] {
        &self.last_events
    }

    /// Returns the calls, in text order.
    #[must_use]
    pub fn calls(&self) -> &[TextCall] {
        &self.calls
    }

    /// Returns text that has the form of a call but is not one, in text order: quotations, drafts
    /// in reasoning, and earlier calls.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{NotRunReason, Registry, calls_in};
    ///
    /// let text = "Write `<tool_call>{\"name\": \"add\", \"arguments\": {}}</tool_call>` to add.";
    /// let found = calls_in(text, &Registry::builder().build()?);
    /// assert!(found.calls().is_empty());
    /// assert_eq!(found.not_run()[0].name(), "add");
    /// assert_eq!(found.not_run()[0].reason(), NotRunReason::Code);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn not_run(&self) -> &[NotRun] {
        &self.not_run
    }

    /// Returns the certainty of the least certain call, or a guess if a part of the text was not
    /// searched.
    #[must_use]
    pub fn certainty(&self) -> Class {
        let least = self.unsearched.map_or(Class::Certain, |_| Class::Guess);
        let classes = self.calls.iter().map(TextCall::certainty);
        classes.fold(least, Class::max)
    }

    /// Returns `true` if all calls [can be run](TextCall::is_ok), and the whole text was searched
    /// as far as the tools' policies require.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        !self.is_refused && self.calls.iter().all(TextCall::is_ok)
    }

    /// Returns the calls, in text order.
    #[must_use]
    pub fn into_calls(self) -> Vec<TextCall> {
        self.calls
    }

    /// Returns the text around the calls, without markers and reasoning.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Returns the model's reasoning between tags.
    #[must_use]
    pub fn reasoning(&self) -> &str {
        &self.reasoning
    }
}

/// Text that has the form of a call but is not one, with the reason: see [`TextCalls::not_run`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRun {
    pub(super) name: String,
    pub(super) arguments: String,
    pub(super) span: Span,
    pub(super) family: Family,
    pub(super) reason: NotRunReason,
}

impl NotRun {
    /// Returns the name of the tool, as written.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the arguments as the model wrote them, converted to JSON if the family uses another
    /// format.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// Returns its byte span in the text.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the family whose format it has.
    #[must_use]
    pub fn family(&self) -> Family {
        self.family
    }

    /// Returns why it is not treated as a call.
    #[must_use]
    pub fn reason(&self) -> NotRunReason {
        self.reason
    }
}

/// A tool call found in a text.
#[derive(Debug)]
pub struct TextCall {
    pub(super) draft: CallDraft,
    /// The arguments as JSON.
    pub(super) arguments: String,
    pub(super) source: Option<Span>,
    pub(super) outcome: TextCallOutcome,
}

#[derive(Debug)]
pub(super) enum TextCallOutcome {
    Bound(Box<BindReport>),
    Unknown(UnknownTool),
    /// The registry has no tools.
    Untyped,
}

impl TextCall {
    /// Returns the tool's name in the registry, or the name as written if the tool is unknown.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// Returns the id that the model gave the call, if any.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.draft.id.as_deref()
    }

    /// Returns the arguments as JSON: the bound ones, or the parsed ones if they were not bound.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// Returns the byte span of the call in the text, with its markers.
    #[must_use]
    pub fn span(&self) -> Span {
        span_of(self.draft.span)
    }

    /// Returns the byte span of the arguments, if the family writes them as JSON or as a string
    /// that holds JSON.
    #[must_use]
    pub fn source(&self) -> Option<Span> {
        self.source
    }

    /// Returns the family whose format the call has. If several families share the format, it is
    /// the first of them.
    #[must_use]
    pub fn family(&self) -> Family {
        self.draft.family
    }

    /// Returns how certain it is that the model intended this call with these arguments.
    #[must_use]
    pub fn certainty(&self) -> Class {
        let repairs = self.repairs().iter().map(|one| one.class);
        let notes = self.notes().iter().map(|one| one.class);
        let bound = self.report().map(BindReport::certainty);
        (repairs.chain(notes).chain(bound)).fold(self.draft.class, Class::max)
    }

    /// Returns `true` if the call was not truncated.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.draft.complete
    }

    /// Returns `true` if the call can be run: its tool is known, its arguments are bound, it is
    /// complete and was read to its end, and the tool's policy allows the way in which it was read.
    /// If the registry has no tools, returns whether the arguments are an object.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.draft.complete
            && !self.draft.is_partly_read
            && match &self.outcome {
                TextCallOutcome::Bound(report) => report.is_ok() && !report.is_uncertain(),
                TextCallOutcome::Unknown(_) => false,
                TextCallOutcome::Untyped => self.arguments.starts_with('{'),
            }
    }

    /// Returns why the call can't be run, as a sentence for the model, or `None` if it [can](Self::is_ok).
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        if self.is_ok() {
            return None;
        }
        let issue = match &self.outcome {
            TextCallOutcome::Bound(report) => {
                report.issues().first().map(|one| one.message.clone())
            }
            TextCallOutcome::Unknown(unknown) => Some(unknown.issue().message),
            TextCallOutcome::Untyped => None,
        };
        Some(issue.unwrap_or_else(|| {
            let reason = match &self.outcome {
                _ if !self.draft.complete => "The call is truncated.",
                _ if self.draft.is_partly_read => "The call contains text that is not an argument.",
                TextCallOutcome::Bound(_) => "A field was matched uncertainly.",
                _ => "The arguments are not an object.",
            };
            reason.to_owned()
        }))
    }

    /// Returns the repairs made to read the call, with their positions in the text. All repairs in
    /// the arguments are listed; around them, and in arguments that are not JSON, each kind is
    /// listed once.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Registry, calls_in};
    ///
    /// let text = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1,}}</tool_call>";
    /// let found = calls_in(text, &Registry::builder().build()?);
    /// let repair = found.calls()[0].repairs()[0];
    /// assert_eq!(repair.kind.name(), "extra_comma");
    /// assert_eq!(&text[repair.span.range()], ",");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.draft.read.repairs
    }

    /// Returns the notes on how the call was read, with their positions in the text, like
    /// [`repairs`](Self::repairs).
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.draft.read.notes
    }

    /// Returns the report on its arguments, if the tool is known. Positions in its
    /// [`document`](BindReport::document) are relative to the text of the arguments.
    #[must_use]
    pub fn report(&self) -> Option<&BindReport> {
        match &self.outcome {
            TextCallOutcome::Bound(report) => Some(report),
            TextCallOutcome::Unknown(_) | TextCallOutcome::Untyped => None,
        }
    }

    /// Returns the error if the registry has no tool with this name.
    #[must_use]
    pub fn unknown(&self) -> Option<&UnknownTool> {
        match &self.outcome {
            TextCallOutcome::Unknown(unknown) => Some(unknown),
            TextCallOutcome::Bound(_) | TextCallOutcome::Untyped => None,
        }
    }
}

/// A change to the calls in a streamed text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallEvent {
    /// A call began.
    Started {
        /// The index of the call among all announced calls.
        call: usize,
        /// The tool's name in the registry, or the name as written if the tool is unknown.
        name: String,
    },
    /// The arguments of a call grew.
    Arguments {
        /// The index of the call.
        call: usize,
        /// The new piece. The concatenated pieces are the arguments as JSON, as the model wrote
        /// them.
        text: String,
    },
    /// A call ended: later text does not change it.
    Finished {
        /// The index of the call.
        call: usize,
        /// `false` if the call was truncated or turned out not to be a call.
        complete: bool,
        /// `true` if the call [can be run](TextCall::is_ok).
        ok: bool,
        /// Why it can't be run: see [`TextCall::refusal`].
        reason: Option<String>,
        /// The bound arguments as JSON, if they are another value than the concatenated pieces.
        arguments: Option<String>,
    },
    /// A call that had been finished as complete was a draft: an end-of-reasoning tag follows whose
    /// opening tag was in the prompt. It is not among the [calls](TextCalls::calls).
    Superseded {
        /// The index of the call.
        call: usize,
    },
}
