//! The loop around the state machine, in a synchronous and an asynchronous version.

use std::error::Error;

use crate::retry::{Answer, ChatMessage, Next, Reply, Retry, RetryError, Turn};

impl Retry {
    /// Asks a model until a reply conforms or the attempts are used.
    ///
    /// `model` is a function that sends the turn's [messages](Turn::messages) and any [structured
    /// output](Turn::structured_output), and returns the reply: a string, or a [`Reply`] with a
    /// finish reason. If it returns an error, the model is not asked again: wait for a busy server
    /// inside the function.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Retry};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}"#,
    /// )?;
    /// let mut replies = [r#"{"age": "unknown"}"#, r#"{"age": "36"}"#].into_iter();
    /// let answer = Retry::new(&schema).run(
    ///     |_turn| replies.next().ok_or(std::fmt::Error),
    ///     vec![Message::user("How old is Ada?")],
    /// )?;
    /// assert_eq!((answer.parsed.to_json().as_deref(), answer.attempts), (Some(r#"{"age":36}"#), 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the model gives no reply, or none that can be used.
    pub fn run<M: ChatMessage, R: Into<Reply>, E: Into<Box<dyn Error + Send + Sync>>>(
        &self,
        model: impl FnMut(Turn<M>) -> Result<R, E>,
        messages: Vec<M>,
    ) -> Result<Answer, RetryError> {
        Next::NeedCompletion(self.start(messages)).run(model)
    }

    /// Asks a model as [`run`](Self::run) does, with an asynchronous function. Works with any
    /// runtime. The future is `Send` if the function's futures are, and if the function owns its
    /// captures (`async move`).
    ///
    /// ```
    /// use std::{convert::Infallible, future::Future, pin::pin, task::{Context, Poll, Waker}};
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Retry};
    ///
    /// let retry = Retry::new(&Schema::from_text(r#"{"type": "integer"}"#)?);
    /// let model = async |_turn| Ok::<_, Infallible>("36");
    /// let asking = pin!(retry.run_async(model, vec![Message::user("How old is Ada?")]));
    /// let Poll::Ready(answer) = asking.poll(&mut Context::from_waker(Waker::noop())) else { unreachable!() };
    /// assert_eq!(answer?.parsed.to_json().as_deref(), Some("36"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`run`](Self::run).
    pub async fn run_async<
        M: ChatMessage,
        R: Into<Reply>,
        E: Into<Box<dyn Error + Send + Sync>>,
    >(
        &self,
        model: impl AsyncFnMut(Turn<M>) -> Result<R, E>,
        messages: Vec<M>,
    ) -> Result<Answer, RetryError> {
        let first = Next::NeedCompletion(self.start(messages));
        first.run_async(model).await
    }
}

impl<M: ChatMessage> Next<M> {
    /// Continues a conversation to its end, as [`Retry::run`] does: for example after feeding an
    /// [existing reply](Retry::start).
    ///
    /// # Errors
    ///
    /// See [`Retry::run`].
    pub fn run<R: Into<Reply>, E: Into<Box<dyn Error + Send + Sync>>>(
        mut self,
        mut model: impl FnMut(Turn<M>) -> Result<R, E>,
    ) -> Result<Answer, RetryError> {
        loop {
            self = match self {
                Self::NeedCompletion(turn) => {
                    let reply = model(turn.clone());
                    let reply = reply.map_err(|error| turn.without_reply(error))?;
                    turn.feed(reply)
                }
                Self::Done(answer) => return Ok(*answer),
                Self::Failed(error) => return Err(error),
            };
        }
    }

    /// Continues a conversation to its end, as [`Retry::run_async`] does.
    ///
    /// # Errors
    ///
    /// See [`Retry::run`].
    pub async fn run_async<R: Into<Reply>, E: Into<Box<dyn Error + Send + Sync>>>(
        mut self,
        mut model: impl AsyncFnMut(Turn<M>) -> Result<R, E>,
    ) -> Result<Answer, RetryError> {
        loop {
            self = match self {
                Self::NeedCompletion(turn) => {
                    let reply = model(turn.clone()).await;
                    let reply = reply.map_err(|error| turn.without_reply(error))?;
                    turn.feed(reply)
                }
                Self::Done(answer) => return Ok(*answer),
                Self::Failed(error) => return Err(error),
            };
        }
    }
}
