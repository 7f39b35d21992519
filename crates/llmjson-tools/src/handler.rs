//! The program's functions that run its tools.

use std::error::Error;
use std::fmt;
use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

use llmjson_reply::DeserializeExt;
use llmjson_reply::report::{Issue, IssueCode};
use llmjson_schema::Path;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::Arguments;
use super::bind::{BindError, Bound, UnknownTool};
use super::calls::TextCall;
use super::registry::Registry;
use super::report::BindReport;
use super::tool::Tool;

/// The result of a running tool.
type Running<T> = Pin<Box<dyn Future<Output = Result<T, BindError<Value>>> + Send>>;

/// The function that runs a tool.
#[derive(Clone)]
pub(super) struct Handler(Arc<Function>);

type Function = dyn Fn(&BindReport) -> Running<String> + Send + Sync;

impl Tool {
    /// Sets the function that runs the tool: see [`Registry::dispatch`]. It takes the arguments as
    /// a type that deserializes from the schema's values, and returns a serializable answer or an
    /// error.
    pub fn with_handler<T, R, E>(
        self,
        handler: impl Fn(T) -> Result<R, E> + Send + Sync + 'static,
    ) -> Self
    where
        T: DeserializeOwned + Send + 'static,
        R: Serialize,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        let handler = Arc::new(handler);
        self.with_async_handler(move |arguments| {
            let handler = Arc::clone(&handler);
            async move { handler(arguments) }
        })
    }

    /// Sets an asynchronous function that runs the tool, as [`with_handler`](Self::with_handler)
    /// does. Works with any runtime that the function itself supports.
    pub fn with_async_handler<T, R, E, F>(
        mut self,
        handler: impl Fn(T) -> F + Send + Sync + 'static,
    ) -> Self
    where
        T: DeserializeOwned,
        R: Serialize,
        E: Into<Box<dyn Error + Send + Sync>>,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        self.handler = Some(Handler(Arc::new(move |report| {
            match report.document().deserialize() {
                Ok(arguments) => {
                    let running = handler(arguments);
                    Box::pin(async move { answer(running.await) })
                }
                Err(error) => Box::pin(ready(Err(BindError::Type(Box::new(error))))),
            }
        })));
        self
    }
}

/// Returns the text for the model: a string unchanged, anything else as JSON.
fn answer<R: Serialize, E: Into<Box<dyn Error + Send + Sync>>>(
    answered: Result<R, E>,
) -> Result<String, BindError<Value>> {
    let failed = |error: Box<dyn Error + Send + Sync>| BindError::Failed(error.into());
    let json = answered.map_err(|error| failed(error.into()))?;
    let json = serde_json::to_string(&json).map_err(|error| failed(error.into()))?;
    Ok(serde_json::from_str(&json).unwrap_or(json))
}

impl Registry {
    /// Binds a call's arguments as [`bind_value`](Self::bind_value) does, and runs the tool's
    /// [handler](Tool::with_async_handler) with them. Nothing runs before the future is polled.
    ///
    /// Send either result, the answer or the error, to the model, as text or in a message.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// # use std::{pin::pin, task::{Context, Poll, Waker}};
    /// # fn block_on<F: Future>(future: F) -> F::Output {
    /// #     match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
    /// #         Poll::Ready(output) => output,
    /// #         Poll::Pending => unreachable!(),
    /// #     }
    /// # }
    /// use llmjson::tools::{Registry, Tool};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Weather {
    ///     city: String,
    /// }
    ///
    /// #[derive(serde::Serialize)]
    /// struct Sky {
    ///     degrees: i8,
    ///     clear: bool,
    /// }
    ///
    /// let weather = Tool::new("get_weather", "Tells the weather.").with_async_handler(
    ///     |asked: Weather| async move {
    ///         match asked.city.as_str() {
    ///             "Oslo" => Ok(Sky { degrees: -3, clear: true }),
    ///             city => Err(format!("there is no weather for {city}")),
    ///         }
    ///     },
    /// );
    /// let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}"#;
    /// let registry = Registry::builder().register_schema(weather, schema).build()?;
    ///
    /// // `getWeather` can only be the tool `get_weather`, which the report says.
    /// let answer = block_on(registry.dispatch("getWeather", "{city: 'Oslo'}"))?;
    /// assert_eq!(answer.value, r#"{"degrees":-3,"clear":true}"#);
    /// assert_eq!(answer.report.called(), Some("getWeather"));
    /// assert_eq!(answer.to_openai_message("call_1")["role"], "tool");
    ///
    /// let error = block_on(registry.dispatch("get_weather", "{}")).unwrap_err();
    /// assert!(error.explain().contains("`city` is missing"));
    /// let error = block_on(registry.dispatch("get_weather", "{city: 'Rome'}")).unwrap_err();
    /// assert_eq!(error.explain(), "The tool failed: there is no weather for Rome");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`bind`](Self::bind). Also [`BindError::Failed`] if the handler fails, and
    /// [`BindError::Unhandled`] if the tool has none.
    pub fn dispatch<'t>(
        &self,
        name: &str,
        arguments: impl Into<Arguments<'t>>,
    ) -> Running<Bound<String>> {
        match self.bind_value(name, arguments) {
            Ok(bound) => bound.report.run(),
            Err(error) => Box::pin(ready(Err(error))),
        }
    }
}

impl BindReport {
    /// Runs the tool's [handler](Tool::with_async_handler) with the bound arguments: from a [call
    /// in a text](super::TextCall::report) or a [`BindError::Uncertain`].
    ///
    /// # Errors
    ///
    /// See [`Registry::dispatch`].
    #[must_use]
    pub fn run(self) -> Running<Bound<String>> {
        let handler = self.contract().handler().filter(|_| self.is_ok());
        let Some(running) = handler.map(|handler| (handler.0)(&self)) else {
            let error = match self.is_ok() {
                true => BindError::Unhandled(Box::new(self)),
                false => BindError::Arguments(Box::new(self)),
            };
            return Box::pin(ready(Err(error)));
        };
        Box::pin(async move {
            let value = running.await?;
            Ok(Bound {
                value,
                report: self,
            })
        })
    }
}

impl TextCall {
    /// Runs the tool's [handler](Tool::with_async_handler) with the bound arguments, if the call
    /// [can be run](Self::is_ok).
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// # use std::{pin::pin, task::{Context, Poll, Waker}};
    /// use llmjson::tools::{Registry, Tool, calls_in};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Add {
    ///     a: i64,
    ///     b: i64,
    /// }
    ///
    /// let add = Tool::new("add", "Adds.").with_handler(|of: Add| Ok::<_, String>(of.a + of.b));
    /// let schema = r#"{"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}"#;
    /// let registry = Registry::builder().register_schema(add, schema).build()?;
    /// let reply = "<tool_call>{\"name\": \"add\", \"arguments\": {a: 1, b: '2'}}</tool_call>";
    /// for call in calls_in(reply, &registry).calls() {
    ///     let answer = call.run(); // `.await`
    /// #   let Poll::Ready(answer) = pin!(answer).poll(&mut Context::from_waker(Waker::noop())) else { panic!() };
    ///     assert_eq!(answer?.value, "3");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Registry::dispatch`]. A call that cannot be run is refused with its
    /// [reason](Self::refusal).
    #[must_use]
    pub fn run(&self) -> Running<Bound<String>> {
        let error = match (self.report(), self.unknown()) {
            (Some(report), _) if self.is_ok() => return report.clone().run(),
            (Some(report), _) if !report.is_ok() => BindError::Arguments(Box::new(report.clone())),
            (Some(report), _) => {
                let code = match self.is_complete() {
                    true => IssueCode::CheckFailed,
                    false => IssueCode::Truncated,
                };
                let issue = Issue::new(code, Path::root(), self.refusal().unwrap_or_default());
                BindError::Arguments(Box::new(report.clone().with_issues(vec![issue])))
            }
            (None, Some(unknown)) => BindError::UnknownTool(unknown.clone()),
            (None, None) => BindError::UnknownTool(UnknownTool {
                name: self.name().to_owned(),
                nearest: Vec::new(),
            }),
        };
        Box::pin(ready(Err(error)))
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handler")
    }
}
