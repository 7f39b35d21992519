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
    /// runtime. The future is `Send` if the function and its futures are, so it can be spawned; each
    /// future owns what it uses:
    ///
    /// ```
    /// # use llmjson::retry::{Answer, Message, Retry, RetryError};
    /// # #[derive(Clone)]
    /// # struct Client;
    /// # impl Client {
    /// #     async fn complete(&self, _: &[Message]) -> Result<String, std::io::Error> { Ok("36".to_owned()) }
    /// # }
    /// # fn spawn(_: impl Future<Output = Result<Answer, RetryError>> + Send + 'static) {}
    /// # let retry = Retry::new(&llmjson::Schema::from_text("{\"type\": \"integer\"}")?);
    /// # let client = Client;
    /// let asking = retry.run_async(
    ///     move |turn| {
    ///         let client = client.clone();
    ///         async move { client.complete(turn.messages()).await }
    ///     },
    ///     vec![Message::user("How old is Ada?")],
    /// );
    /// spawn(asking);
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
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
    pub fn run_async<M, F, R, E, A>(
        &self,
        model: A,
        messages: Vec<M>,
    ) -> impl Future<Output = Result<Answer, RetryError>> + use<M, F, R, E, A>
    where
        M: ChatMessage,
        A: FnMut(Turn<M>) -> F,
        F: Future<Output = Result<R, E>>,
        R: Into<Reply>,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        let first = Next::NeedCompletion(self.start(messages));
        first.run_async(model)
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
                    turn.feed_result(reply)?
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
    pub async fn run_async<F, R, E>(
        mut self,
        mut model: impl FnMut(Turn<M>) -> F,
    ) -> Result<Answer, RetryError>
    where
        F: Future<Output = Result<R, E>>,
        R: Into<Reply>,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        loop {
            self = match self {
                Self::NeedCompletion(turn) => {
                    let reply = model(turn.clone()).await;
                    turn.feed_result(reply)?
                }
                Self::Done(answer) => return Ok(*answer),
                Self::Failed(error) => return Err(error),
            };
        }
    }
}

impl<M: ChatMessage> Turn<M> {
    /// Takes the reply, or the error of a model that gave none.
    pub(super) fn feed_result<R: Into<Reply>, E: Into<Box<dyn Error + Send + Sync>>>(
        self,
        reply: Result<R, E>,
    ) -> Result<Next<M>, RetryError> {
        match reply {
            Ok(reply) => Ok(self.feed(reply)),
            Err(error) => Err(self.without_reply(error)),
        }
    }
}
