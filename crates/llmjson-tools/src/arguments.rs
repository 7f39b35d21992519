//! A call's arguments, as text or as a value.

use llmjson_schema::document_from_value;
use llmjson_syntax::{Document, Kind};
use serde_json::Value;

use llmjson_reply::policy::FinishReason;

/// The arguments of a call: text to parse, or a value that was parsed elsewhere.
///
/// A string value is parsed like text. `null` means no arguments.
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::Arguments;
///
/// let value = serde_json::json!({"city": "Oslo"});
/// let arguments = [Arguments::from(r#"{"city": "Oslo"}"#), Arguments::from(&value)];
/// # let _ = arguments;
/// ```
#[derive(Debug)]
pub struct Arguments<'t> {
    pub(super) form: Form<'t>,
    pub(super) finish: Option<FinishReason>,
}

/// The form in which arguments were given: see [`Arguments`].
#[derive(Debug)]
pub(super) enum Form<'t> {
    Text(&'t str),
    Value(Box<Document<'t>>),
}

impl<'t> Arguments<'t> {
    /// Creates empty arguments.
    #[must_use]
    pub const fn none() -> Self {
        Self::of(Form::Text(""))
    }

    /// Sets the model's finish reason. `length` and similar reasons mark the call as truncated even
    /// if its text is complete; truncated calls are refused unless the tool accepts them.
    ///
    /// ```
    /// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::policy::FinishReason;
    /// use llmjson::tools::{Arguments, Contract, Tool};
    ///
    /// let contract = Contract::new(Tool::new("stop", "Stops."), r#"{"type": "object"}"#)?;
    /// assert!(contract.bind_value("{}").is_ok());
    /// let cut = Arguments::from("{}").with_finish_reason(FinishReason::named("length"));
    /// let error = contract.bind_value(cut).unwrap_err();
    /// assert_eq!(error.report().map(|report| report.issues()[0].code.name()), Some("truncated"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_finish_reason(mut self, reason: FinishReason) -> Self {
        self.finish = Some(reason);
        self
    }

    const fn of(form: Form<'t>) -> Self {
        Self { form, finish: None }
    }
}

impl<'t> From<&'t str> for Arguments<'t> {
    fn from(text: &'t str) -> Self {
        Self::of(Form::Text(text))
    }
}

impl<'t> From<&'t String> for Arguments<'t> {
    fn from(text: &'t String) -> Self {
        Self::from(text.as_str())
    }
}

impl<'t> From<Document<'t>> for Arguments<'t> {
    fn from(document: Document<'t>) -> Self {
        match document.root() {
            None => Self::none(),
            Some(root) if root.kind() == Kind::Null => Self::none(),
            Some(_) => Self::of(Form::Value(Box::new(document))),
        }
    }
}

impl<'t> From<&'t Value> for Arguments<'t> {
    fn from(value: &'t Value) -> Self {
        match value {
            Value::String(text) => Self::from(text.as_str()),
            value => Self::from(document_from_value(value)),
        }
    }
}

impl<'t, A: Into<Arguments<'t>>> From<Option<A>> for Arguments<'t> {
    fn from(arguments: Option<A>) -> Self {
        arguments.map_or(Self::none(), Into::into)
    }
}
